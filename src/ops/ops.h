/* What one can do with views: every rule of shape, dtype, overlap and device, then the device's
 * copy or run. */
#ifndef ND_OPS_OPS_H
#define ND_OPS_OPS_H

#include "dev/device.h"
#include "view/index.h"

/* {=== copies ===} */

/* dst = src: src broadcasts to dst's shape, is converted to its dtype by 'mode', overlap gives what
 * copying src first would give. ND_READ_ONLY, ND_OVERLAP (dst has an element twice),
 * ND_SHAPE_MISMATCH, ND_TYPE_MISMATCH (complex to real), ND_NOT_REPRESENTABLE (ND_CHECK; nothing is
 * written). */
nd_status nd_copy(const nd_view *dst, const nd_view *src, nd_cast_mode mode, nd_error *err);

/* A value of a script: a dtype and as many bytes as it has. */
typedef struct {
  nd_dtype dtype;
  _Alignas(16) unsigned char bytes[16];
} nd_scalar;

nd_status nd_fill(const nd_view *dst, const nd_scalar *value, nd_error *err);

/* The one element of 'src', with its dtype. ND_SIZE_MISMATCH when it has more or none. */
nd_status nd_item(const nd_view *src, nd_scalar *out, nd_error *err);

/* Raw bytes in row-major order; 'bytes' must be the view's nbytes (ND_SIZE_MISMATCH). Complete on
 * return. */
nd_status nd_copyin(const nd_view *dst, const void *from, size_t bytes, nd_error *err);
nd_status nd_copyout(const nd_view *src, void *to, size_t bytes, nd_error *err);

/* {=== making ===} Each makes a new row-major array on 'like->storage's place or the given
 * resource. On ND_OK 'out' is the caller's to drop. */

/* Uninitialised and lazy, or zeroed. */
nd_status nd_new(nd_resource *resource, nd_dtype dtype, int ndim, const size_t *shape,
                 nd_storage_options options, nd_view *out, nd_error *err);

/* A fresh array with the shape of 'src' on the same place: ordinary host memory where 'src' is a
 * file or foreign. */
nd_status nd_new_like(const nd_view *src, nd_dtype dtype, nd_view *out, nd_error *err);

/* A row-major copy of 'src' as 'dtype'. */
nd_status nd_astype(const nd_view *src, nd_dtype dtype, nd_cast_mode mode, nd_view *out,
                    nd_error *err);

/* out[i] = first + i * step, rounded once into the dtype; integers exactly, ND_OVERFLOW where the
 * last passes i64. */
nd_status nd_range(const nd_view *out, double first, double step, nd_error *err);
nd_status nd_range_integer(const nd_view *out, int64_t first, int64_t step, nd_error *err);

/* Number of elements of a range whose last is included when a whole step reaches it:
 * max(0, floor((last - first) / step * (1 + 4 eps)) + 1). ND_INVALID_ARGUMENT for a step of 0 or
 * what is not finite. */
nd_status nd_range_count(double first, double last, double step, size_t *out, nd_error *err);

/* Philox 4x32-10 keyed by 'seed'; 'stream' is the number of the call under that seed. */
nd_status nd_random_uniform(const nd_view *out, uint64_t seed, uint64_t stream, nd_error *err);
nd_status nd_random_normal(const nd_view *out, uint64_t seed, uint64_t stream, nd_error *err);
nd_status nd_random_integers(const nd_view *out, int64_t lo, int64_t hi, uint64_t seed,
                             uint64_t stream, nd_error *err);
nd_status nd_random_permutation(const nd_view *out, uint64_t seed, uint64_t stream, nd_error *err);

/* {=== gathering ===} 'index' holds integers of any dtype, 1-based, negatives from the end. All new
 * arrays. */

/* Pick along 'axis': shape is src's with the axis replaced by index's shape. */
nd_status nd_take(const nd_view *src, const nd_view *index, int axis, nd_view *out, nd_error *err);

/* dst[index[k]] = values[k] along axis 0, converted and broadcast; the last of equal indices wins.
 */
nd_status nd_put(const nd_view *dst, const nd_view *index, const nd_view *values, nd_error *err);

/* dst[…, index[k], …] += values[…, k, …] along 'axis', equal indices add up. 'values' broadcasts
 * and is converted. */
nd_status nd_index_add(const nd_view *dst, int axis, const nd_view *index, const nd_view *values,
                       nd_error *err);

/* The elements (rows) where 'mask', a bool array of src's leading axes, is true: shape {count,
 * remaining axes}. */
nd_status nd_mask_select(const nd_view *src, const nd_view *mask, nd_view *out, nd_error *err);

/* Assign where 'mask' is true. 'values': one value or a shape that broadcasts to {count, remaining
 * axes}. */
nd_status nd_mask_assign(const nd_view *dst, const nd_view *mask, const nd_view *values,
                         nd_error *err);

/* {=== joining ===} */

/* Along an existing axis ('is_new' false) or a new one. All other extents equal; dtypes are
 * promoted. */
nd_status nd_concat(int count, const nd_view *const *parts, int axis, bool is_new, nd_view *out,
                    nd_error *err);

/* counts[i] copies along axis i of the result; where 'src' or 'counts' is the shorter, axes of
 * extent 1 (counts of 1) are added in front. */
nd_status nd_tile(const nd_view *src, int count, const size_t *counts, nd_view *out, nd_error *err);
nd_status nd_repeat(const nd_view *src, size_t times, int axis, nd_view *out, nd_error *err);

/* Elements move by 'shift' places along 'axis' and come back in at the other end. */
nd_status nd_roll(const nd_view *src, int64_t shift, int axis, nd_view *out, nd_error *err);

/* before[i] and after[i] elements of 'value' around axis i. */
nd_status nd_pad(const nd_view *src, const size_t *before, const size_t *after,
                 const nd_scalar *value, nd_view *out, nd_error *err);

/* The bytes of each element (each part of a complex one) reversed. */
nd_status nd_byteswap(const nd_view *src, nd_view *out, nd_error *err);

/* {=== comparing ===} */

/* Same shape, dtype and values (NaN differs from NaN). */
nd_status nd_equal(const nd_view *a, const nd_view *b, bool *out, nd_error *err);

/* |a - b| <= atol + rtol * |b| for all elements, broadcast, dtypes promoted. */
nd_status nd_allclose(const nd_view *a, const nd_view *b, double rtol, double atol, bool *out,
                      nd_error *err);

#endif
