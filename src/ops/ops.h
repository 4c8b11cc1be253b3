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

/* out[i] = first + i * step, converted to the dtype. The integers exactly: ND_OVERFLOW where they
 * pass both i64 and u64. */
nd_status nd_range(const nd_view *out, double first, double step, nd_error *err);
nd_status nd_range_integer(const nd_view *out, nd_int128 first, nd_int128 step, nd_error *err);

/* Number of elements of a range whose last is included when a whole step reaches it, but for the
 * rounding of decimal numbers: with steps = (last - first) / step it is max(0, floor(steps +
 * min(1/2, eps * ((|first| + |last|) / |step| + 2 |steps|))) + 1), eps = 2^-52; of integers max(0,
 * floor(steps) + 1). ND_INVALID_ARGUMENT for a step of 0 or what is not finite, ND_OVERFLOW. */
nd_status nd_range_count(double first, double last, double step, size_t *out, nd_error *err);
nd_status nd_range_count_integer(nd_int128 first, nd_int128 last, nd_int128 step, size_t *out,
                                 nd_error *err);

/* Numbers at equal distances, both ends exactly, into an integer dtype the nearest integers (else
 * the even one); a single one is the first. The integers are computed as such: ND_OVERFLOW for ends
 * outside i64 and u64. */
nd_status nd_linspace(const nd_view *out, double first, double last, nd_error *err);
nd_status nd_linspace_integer(const nd_view *out, nd_int128 first, nd_int128 last, nd_error *err);

/* Philox 4x32-10 keyed by 'seed'; 'stream' is the number of the call under that seed. */
nd_status nd_random_uniform(const nd_view *out, uint64_t seed, uint64_t stream, nd_error *err);
nd_status nd_random_normal(const nd_view *out, uint64_t seed, uint64_t stream, nd_error *err);
nd_status nd_random_integers(const nd_view *out, nd_int128 lo, nd_int128 hi, uint64_t seed,
                             uint64_t stream, nd_error *err);
nd_status nd_random_permutation(const nd_view *out, uint64_t seed, uint64_t stream, nd_error *err);

/* {=== computing ===} */

/* An array, or a value of a script, which does not count for the dtype: 'array' is NULL then. */
typedef struct {
  const nd_view *array;
  nd_scalar value; /* dtype ND_DTYPE_COUNT: a bound of CLAMP that is not there */
} nd_operand;

/* An elementwise operation (base/op.h has how many operands) on operands that broadcast; one of
 * them is an array. Computed in what the arrays are promoted to and the operation's domain says;
 * integers wrap. A value becomes of that dtype: ND_NOT_REPRESENTABLE unless exactly, rounded for
 * floats. Comparisons answer as mathematics does, for arrays of any dtypes and values that theirs
 * does not hold; a bound (MINIMUM, MAXIMUM, CLAMP) may lie where it never binds. Integers refuse 0
 * as a divisor, negative exponents and counts of bits (ND_INVALID_ARGUMENT, with the position).
 *
 * Without 'dst' the result is 'out', a new array beside the first one, the caller's to drop. With
 * it 'out' is untouched and the result, saturated to its dtype, is written there: the shapes must
 * be equal; 64-bit integers that were computed in a float are not written to integers
 * (ND_TYPE_MISMATCH); overlap gives what copying the operands first would give. Nothing is written
 * where anything is refused. */
nd_status nd_elementwise(nd_op op, const nd_operand *operands, const nd_view *dst, nd_view *out,
                         nd_error *err);

/* A new bool array: where 'src' is not 0 (of a complex number a part), NaN too. 'what' names the
 * caller. */
nd_status nd_truth(const char *what, const nd_view *src, nd_view *out, nd_error *err);

/* A 0-d host array of 'dtype' with the value; ND_NOT_REPRESENTABLE, which names :astype, unless it
 * is held exactly, or rounded to a float. 'what' names the caller. */
nd_status nd_scalar_as(const char *what, const nd_scalar *value, nd_dtype dtype, nd_view *out,
                       nd_error *err);

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

/* The 1-based positions along 'axis' of what is true in 'mask', in row-major order: i64, 1-D. */
nd_status nd_mask_positions(const nd_view *mask, int axis, nd_view *out, nd_error *err);

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

/* {=== reducing ===} */

typedef struct {
  uint32_t axes;   /* bit i: axis i goes */
  bool keeps_dims; /* the axes that go stay with extent 1 */
  double ddof;     /* VAR, STD: the sum is divided by the elements less this */
} nd_reduction;

/* 'op', one of ND_REDUCE_OPS, along axes of 'src'. The dtype of 'out' is as base/op.h says; sums
 * and means are rounded to it once, having been added up in f64 or wider, in pairs. Nothing gives
 * sum 0, product 1, any false, all true, mean and variance NaN. NaN is the least, the greatest and
 * the first of both. Positions are 1-based, in row-major order of the axes that go.
 * ND_INVALID_ARGUMENT for the least or its like of nothing, ND_TYPE_MISMATCH where complex numbers
 * have no order. */
nd_status nd_reduce(nd_op op, const nd_view *src, const nd_reduction *how, nd_view *out,
                    nd_error *err);

/* The same into 'dst', which has the result's shape; converted to its dtype, saturating. */
nd_status nd_reduce_into(nd_op op, const nd_view *src, const nd_reduction *how, const nd_view *dst,
                         nd_error *err);

/* {=== sorting ===} */

/* A new row-major array, sorted along 'axis': NaN last, complex numbers by real part, then by
 * imaginary part. */
nd_status nd_sort(const nd_view *src, int axis, bool is_descending, nd_view *out, nd_error *err);

/* The 1-based positions, i64, that would sort it; equal elements stay in their order. */
nd_status nd_argsort(const nd_view *src, int axis, bool is_descending, nd_view *out, nd_error *err);

/* {=== comparing ===} */

/* Same shape, dtype and values (NaN differs from NaN). */
nd_status nd_equal(const nd_view *a, const nd_view *b, bool *out, nd_error *err);

/* |a - b| <= atol + rtol * |b| for all elements, broadcast; the difference of integers, with floats
 * too, is taken of their exact values. */
nd_status nd_allclose(const nd_view *a, const nd_view *b, double rtol, double atol, bool *out,
                      nd_error *err);

#endif
