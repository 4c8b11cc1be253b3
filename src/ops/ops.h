/* Operations on views. Each function checks shapes, dtypes, overlap and devices, and then has a
 * device copy or compute.
 *
 * Unless said otherwise: 'dst' and 'src' stay the caller's; a function that makes an 'out' gives it
 * one reference to a new storage on ND_OK (drop it with nd_view_drop), and leaves it untouched on
 * failure; when an argument is refused, nothing was written. Every function can also fail with
 * ND_FREED, ND_OUT_OF_MEMORY, ND_IO (mapped files), ND_INTERRUPTED and ND_DRIVER; after the last
 * three what is written may be incomplete. 'axis' counts from 0. */
#ifndef ND_OPS_OPS_H
#define ND_OPS_OPS_H

#include "dev/device.h"
#include "view/index.h"

/* {=== copies ===} */

/* dst = src. 'src' broadcasts to the shape of 'dst' and is converted to its dtype by 'mode'.
 * Overlapping views give what copying 'src' first would give. ND_READ_ONLY, ND_OVERLAP (two
 * elements of dst share bytes), ND_SHAPE_MISMATCH, ND_TYPE_MISMATCH (complex to real),
 * ND_NOT_REPRESENTABLE (mode ND_CHECK; nothing is written). */
nd_status nd_copy(const nd_view *dst, const nd_view *src, nd_cast_mode mode, nd_error *err);
/* What that refuses whatever the shapes and the elements are. */
nd_status nd_check_copy(const nd_view *dst, const nd_view *src, nd_error *err);

/* A number: a dtype, and as many bytes as it has. */
typedef struct {
  nd_dtype dtype;
  _Alignas(16) unsigned char bytes[16];
} nd_scalar;

/* Set all elements to 'value', converted with saturation. Fails as nd_copy does. */
nd_status nd_fill(const nd_view *dst, const nd_scalar *value, nd_error *err);

/* Read the only element of 'src', with its dtype. ND_SIZE_MISMATCH unless there is exactly one. */
nd_status nd_item(const nd_view *src, nd_scalar *out, nd_error *err);

/* Copy raw bytes from or to the caller's memory, in row-major order, without conversion. 'bytes'
 * must be the nbytes of the view (ND_SIZE_MISMATCH). Complete on return. */
nd_status nd_copyin(const nd_view *dst, const void *from, size_t bytes, nd_error *err);
nd_status nd_copyout(const nd_view *src, void *to, size_t bytes, nd_error *err);

/* {=== new arrays ===} All are row-major. 'like' or 'src' says where they are allocated: in the
 * same kind of memory on the same device, but in the default memory of that device where it is a
 * file or foreign memory. */

/* A new array from 'resource'; 'options' say whether it is zeroed, lazy or read-only.
 * ND_INVALID_ARGUMENT for too many axes, ND_OVERFLOW for a shape of too many bytes. */
nd_status nd_new(nd_resource *resource, nd_dtype dtype, int ndim, const size_t *shape,
                 nd_storage_options options, nd_view *out, nd_error *err);

/* A new uninitialised array with the shape of 'src', allocated lazily. */
nd_status nd_new_like(const nd_view *src, nd_dtype dtype, nd_view *out, nd_error *err);

/* A copy of 'src' in memory of 'resource', allocated at once. Fails as nd_copy does. */
nd_status nd_clone(const nd_view *src, nd_resource *resource, nd_view *out, nd_error *err);

/* A copy of 'src', converted to 'dtype' by 'mode'. Fails as nd_copy does. */
nd_status nd_astype(const nd_view *src, nd_dtype dtype, nd_cast_mode mode, nd_view *out,
                    nd_error *err);

/* out[i] = first + i * step, in row-major order, converted to the dtype with saturation.
 * nd_range_integer computes exactly: ND_OVERFLOW where elements are outside of both i64 and u64. */
nd_status nd_range(const nd_view *out, double first, double step, nd_error *err);
nd_status nd_range_integer(const nd_view *out, nd_int128 first, nd_int128 step, nd_error *err);

/* Number of elements of a range from 'first' to 'last', which is included when a whole number of
 * steps reaches it, within the rounding of decimal fractions: with steps = (last - first) / step it
 * is max(0, floor(steps + min(1/2, eps * ((|first| + |last|) / |step| + 2 |steps|))) + 1), eps =
 * 2^-52; for integers exactly max(0, floor(steps) + 1). ND_INVALID_ARGUMENT where 'step' is 0 or a
 * number is not finite, ND_OVERFLOW where the count does not fit a size. */
nd_status nd_range_count(double first, double last, double step, size_t *out, nd_error *err);
nd_status nd_range_count_integer(nd_int128 first, nd_int128 last, nd_int128 step, size_t *out,
                                 nd_error *err);

/* Evenly spaced numbers in row-major order; the first and last element are exactly 'first' and
 * 'last', a single element is 'first'. In an integer dtype they are rounded to nearest, ties to
 * even. nd_linspace_integer computes exactly: ND_OVERFLOW for ends outside of i64 and u64. */
nd_status nd_linspace(const nd_view *out, double first, double last, nd_error *err);
nd_status nd_linspace_integer(const nd_view *out, nd_int128 first, nd_int128 last, nd_error *err);

/* Fill 'out' with random numbers of Philox 4x32-10 (Salmon et al., Parallel Random Numbers: As Easy
 * as 1, 2, 3, 2011). The key is 'seed'; 'call_number', below 2^48, selects an independent sequence
 * under it, and must differ from call to call. ND_TYPE_MISMATCH for an unsuitable dtype. */

/* uniform in [0, 1); normal with mean 0 and deviation 1 */
nd_status nd_random_uniform(const nd_view *out, uint64_t seed, uint64_t call_number, nd_error *err);
nd_status nd_random_normal(const nd_view *out, uint64_t seed, uint64_t call_number, nd_error *err);
/* By the distribution 'op' (UNIFORM … BINOMIAL; kern/random.h says how). Its parameters are in the
 * order of base/op.h: as many as 'count' says are arrays, f64 of out's shape that share no bytes
 * with it, or, where that is 0, of[0] and of[1]. The caller has checked their values. */
nd_status nd_random_draw(nd_op op, const nd_view *out, const double of[2], int count,
                         const nd_view *const *arrays, uint64_t seed, uint64_t call_number,
                         nd_error *err);
/* lo … hi, both included */
nd_status nd_random_integers(const nd_view *out, nd_int128 lo, nd_int128 hi, uint64_t seed,
                             uint64_t call_number, nd_error *err);
/* of 1 … n, for a 1-D i64 array */
nd_status nd_random_permutation(const nd_view *out, uint64_t seed, uint64_t call_number,
                                nd_error *err);

/* {=== computing ===} */

/* An operand: an array, or, where 'array' is NULL, a scalar, whose dtype takes no part in
 * promotion. */
typedef struct {
  const nd_view *array;
  nd_scalar value; /* dtype ND_DTYPE_COUNT: CLAMP has no such bound */
} nd_operand;

/* Run an element-wise operation. 'operands' has as many as base/op.h says; they broadcast, and at
 * least one is an array. The dtype of the computation is what the arrays promote to, adapted by the
 * operation's domain; integers wrap modulo 2^n. A scalar is converted to that dtype: rounded for
 * floats, else exactly (ND_NOT_REPRESENTABLE). Comparisons are mathematically exact for arrays of
 * any two dtypes, and for scalars that the dtype cannot represent; a bound (MINIMUM, MAXIMUM,
 * CLAMP) may be beyond the range of the dtype. ND_INVALID_ARGUMENT, with the position: an integer
 * divisor of 0, a negative exponent or shift count of integers.
 *
 * With 'dst' NULL the result is 'out', a new array where the first array is. Otherwise 'out' is not
 * used, and the result is written to 'dst', which must have the shape of the result, saturated to
 * its dtype; 64-bit integers that were computed in a float are not written to integers
 * (ND_TYPE_MISMATCH). Overlap gives what copying the operands first would give. */
nd_status nd_elementwise(nd_op op, const nd_operand *operands, const nd_view *dst, nd_view *out,
                         nd_error *err);

/* A new bool array: true where 'src' is not 0 (a complex element: where either part is not 0). NaN
 * is true. 'what' names the caller in error messages. */
nd_status nd_truth(const char *what, const nd_view *src, nd_view *out, nd_error *err);

/* Write a value as a script writes it to 'text', which has ND_SCALAR_TEXT bytes; returns it. For
 * messages: of a complex number it says only that it is one. */
enum { ND_SCALAR_TEXT = 32 };
const char *nd_scalar_text(const nd_scalar *value, char *text);

/* A 0-d host array of 'dtype' that holds 'value', rounded for floats, else exactly:
 * ND_NOT_REPRESENTABLE. 'what' names the caller in error messages. */
nd_status nd_scalar_as(const char *what, const nd_scalar *value, nd_dtype dtype, nd_view *out,
                       nd_error *err);

/* {=== gathering ===} 'index' has integers of any dtype, 1-based; negative ones count from the end,
 * -1 being the last. ND_TYPE_MISMATCH for other dtypes, ND_INDEX_OUT_OF_RANGE with position and
 * value. */

/* Pick elements along 'axis' into a new array; its shape is that of 'src' with the axis replaced by
 * the axes of 'index'. */
nd_status nd_take(const nd_view *src, const nd_view *index, int axis, nd_view *out, nd_error *err);

/* dst[index[k]] = values[k] along axis 0. 'values' broadcasts and is converted; of equal indices
 * the last wins. */
nd_status nd_put(const nd_view *dst, const nd_view *index, const nd_view *values, nd_error *err);

/* dst[…, index[k], …] += values[…, k, …] along 'axis', in the order of k; equal indices add up.
 * 'values' broadcasts and is converted. */
nd_status nd_index_add(const nd_view *dst, int axis, const nd_view *index, const nd_view *values,
                       nd_error *err);

/* An index array, which stands for one axis of an array, or a mask, which stands for as many as it
 * has, one at least. */
typedef struct {
  const nd_view *by;
  int axis;         /* the first axis that it stands for */
  int named;        /* its number in the script's array, for messages, 0-based too */
  const char *what; /* begins messages about it; NULL: its number among the index arrays */
} nd_picker;

/* Pick by 1 to ND_MAX_NDIM index arrays and masks at once, in the order of their axes, each of
 * which has one at most. The index arrays are broadcast to one shape, and element k of them all
 * names a position of all their axes; a mask stands for the positions of its true elements, an
 * index array for each of its axes. The axes of that shape come at 'at' among the other axes of
 * 'src'. An extent of 0 of a mask fits any: it selects nothing. */
nd_status nd_pick(const nd_view *src, int count, const nd_picker *by, int at, nd_view *out,
                  nd_error *err);

/* Assign to what nd_pick picks: of equal positions the last wins. 'values' broadcasts to that shape
 * and is converted. */
nd_status nd_pick_assign(const nd_view *dst, int count, const nd_picker *by, int at,
                         const nd_view *values, nd_error *err);

/* Add 'values' to what nd_pick picks, in order; equal positions add up. */
nd_status nd_pick_add(const nd_view *dst, int count, const nd_picker *by, int at,
                      const nd_view *values, nd_error *err);

/* Along 'axis': element k of 'index', which has as many axes as the array, names an element of the
 * line of k. On the other axes index and array broadcast; the result has the shape of both. 'what'
 * begins messages. ND_SHAPE_MISMATCH, ND_INVALID_ARGUMENT for a 0-d array. */
nd_status nd_take_along(const char *what, const nd_view *src, int axis, const nd_view *index,
                        nd_view *out, nd_error *err);

/* Assign or, where 'adds', add 'values', broadcast to that shape and converted, to the elements
 * that nd_take_along takes, in row-major order. */
nd_status nd_put_along(const char *what, const nd_view *dst, int axis, const nd_view *index,
                       const nd_view *values, bool adds, nd_error *err);

/* View the part of 'v' in which an index that does not broadcast is looked up: on axes other than
 * 'axis' as many places as 'index' has, which may be fewer. ND_SHAPE_MISMATCH for more. */
nd_status nd_view_along(const char *what, const nd_view *v, int axis, const nd_view *index,
                        nd_view *out, nd_error *err);

/* A new array of the elements (rows) where 'mask' is true, in row-major order. 'mask' is a bool
 * array of the leading axes of 'src'; the shape is {number of true, remaining axes of src}. An
 * extent of 0 fits any, and nothing is selected. */
nd_status nd_mask_select(const nd_view *src, const nd_view *mask, nd_view *out, nd_error *err);

/* The 1-based positions along 'axis' of the true elements of 'mask', in row-major order: a new 1-D
 * i64 array. */
nd_status nd_mask_positions(const nd_view *mask, int axis, nd_view *out, nd_error *err);

/* Assign to the elements (rows) of 'dst' where 'mask' is true. 'values' broadcasts to {number of
 * true, remaining axes of dst} and is converted. */
nd_status nd_mask_assign(const nd_view *dst, const nd_view *mask, const nd_view *values,
                         nd_error *err);

/* {=== joining ===} All results are new arrays. */

/* Join 'count' (at least 1) arrays along an existing axis, or, where 'is_new', along a new one
 * ("stack"). All other extents must be equal (ND_SHAPE_MISMATCH); dtypes are promoted. */
nd_status nd_concat(int count, const nd_view *const *parts, int axis, bool is_new, nd_view *out,
                    nd_error *err);

/* nd_tile: counts[i] copies of the whole along axis i; if 'src' has fewer axes than 'count', or the
 * reverse, axes of extent 1 or counts of 1 are added in front. nd_repeat: each element 'times'
 * times in a row along 'axis'. */
nd_status nd_tile(const nd_view *src, int count, const size_t *counts, nd_view *out, nd_error *err);
nd_status nd_repeat(const nd_view *src, size_t times, int axis, nd_view *out, nd_error *err);

/* Rotate elements by 'shift' places along 'axis': what leaves at one end comes in at the other. */
nd_status nd_roll(const nd_view *src, int64_t shift, int axis, nd_view *out, nd_error *err);

/* Add before[i] and after[i] elements of 'value' around axis i. */
nd_status nd_pad(const nd_view *src, const size_t *before, const size_t *after,
                 const nd_scalar *value, nd_view *out, nd_error *err);

/* Reverse the bytes of each element; of a complex one, of each part. */
nd_status nd_byteswap(const nd_view *src, nd_view *out, nd_error *err);

/* {=== reducing ===} */

typedef struct {
  uint32_t axes;   /* bit i set: axis i is reduced */
  bool keeps_dims; /* reduced axes stay, with extent 1 */
  /* VAR, STD: delta degrees of freedom; the divisor is the number of elements - ddof */
  double ddof;
  /* SUM, PROD: NULL, or the dtype in which the elements are added up or multiplied, which the
   * result has. ND_TYPE_MISMATCH where they would lose fractions or imaginary parts. */
  const nd_dtype *dtype;
} nd_reduction;

/* Reduce 'src' by 'op', one of ND_REDUCE_OPS, along the axes of 'how'. The dtype of 'out' is what
 * base/op.h says. Sums of floats, and all means, accumulate pairwise in f64 and are rounded once;
 * sums of integers wrap modulo 2^64. An empty reduction gives sum 0, product 1, any false, all
 * true, mean and variance NaN; ND_INVALID_ARGUMENT for those without a result (minimum and the
 * like). NaN counts as both the least and the greatest value, and argmin and argmax give the first
 * one. Positions are 1-based, in row-major order of the reduced axes. ND_TYPE_MISMATCH where
 * complex numbers have no order. */
nd_status nd_reduce(nd_op op, const nd_view *src, const nd_reduction *how, nd_view *out,
                    nd_error *err);

/* The same over all axes, to a value; of 'how' the axes and keeps_dims do not count. */
nd_status nd_reduce_all(nd_op op, const nd_view *src, const nd_reduction *how, nd_scalar *out,
                        nd_error *err);

/* The same, written to 'dst', which must have the shape of the result (ND_SHAPE_MISMATCH);
 * converted to its dtype with saturation. */
nd_status nd_reduce_into(nd_op op, const nd_view *src, const nd_reduction *how, const nd_view *dst,
                         nd_error *err);

/* {=== scans ===} */

/* In place of an axis: all elements, in row-major order. */
enum { ND_SCAN_ALL = -1 };

/* Of a scan: the axis or ND_SCAN_ALL, and of CUMSUM and CUMPROD the dtype as in nd_reduction. */
typedef struct {
  int axis;
  const nd_dtype *dtype;
} nd_scanning;

/* The running sums, products, maxima or minima ('op', one of the group SCAN) of 'src' along an
 * axis: a new array of its shape, or with ND_SCAN_ALL 1-D. Sums and products have the dtype of
 * nd_reduce's SUM: integers wrap modulo 2^64, floats are added and multiplied in f64, and each
 * result is rounded once. Sums of f64 keep their rounding errors. NaN stays once it is there.
 * ND_TYPE_MISMATCH where complex numbers have no order. */
nd_status nd_scan(nd_op op, const nd_view *src, const nd_scanning *how, nd_view *out,
                  nd_error *err);

/* The same, written to 'dst', which must have the shape of the result (ND_SHAPE_MISMATCH) and may
 * be 'src'; converted to its dtype with saturation. */
nd_status nd_scan_into(nd_op op, const nd_view *src, const nd_scanning *how, const nd_view *dst,
                       nd_error *err);

/* {=== products ===} To 'dst', which has the shape of the result (ND_SHAPE_MISMATCH), converted to
 * its dtype with saturation; or, where 'dst' is NULL, to a new 'out'. The dtype is what both
 * operands promote to; integers wrap, sums of bools are "or". Each element is a sum of products:
 * products of matrices are summed up in the dtype itself, of small floats in f32, those with a
 * vector in f64. ND_SHAPE_MISMATCH, with both shapes, where the operands do not fit. */

/* The products of the matrices of the last two axes; leading axes broadcast. A 1-D array is a row
 * on the left, a column on the right, and the result lacks that axis. 0-d arrays:
 * ND_SHAPE_MISMATCH. */
nd_status nd_matmul(const nd_view *a, const nd_view *b, const nd_view *dst, nd_view *out,
                    nd_error *err);

/* The same, but each row of 'a' is multiplied with each column of all matrices of 'b': the shape is
 * that of 'a' but for its last axis, then that of 'b' but for its last axis but one. A 0-d array
 * multiplies each element. */
nd_status nd_dot(const nd_view *a, const nd_view *b, const nd_view *dst, nd_view *out,
                 nd_error *err);

/* Sums of conj(a) * b along the last axes; leading axes broadcast. */
nd_status nd_vecdot(const nd_view *a, const nd_view *b, const nd_view *dst, nd_view *out,
                    nd_error *err);

/* {=== Fourier transforms ===} */

typedef enum {
  ND_FFT_COMPLEX,  /* of complex numbers, or of real ones, to complex ones */
  ND_FFT_REAL,     /* of real numbers, to the first n / 2 + 1 complex ones, which tell the rest */
  ND_FFT_HERMITIAN /* of such n / 2 + 1 complex numbers, to real ones */
} nd_fft_form;

/* What is multiplied by 1 / n: inverse transforms; all, by its square root; those that are not. */
typedef enum { ND_FFT_BACKWARD, ND_FFT_ORTHO, ND_FFT_FORWARD } nd_fft_norm;

typedef struct {
  const char *name; /* for messages */
  nd_fft_form form; /* of the axis named last; of the others COMPLEX */
  nd_fft_norm norm;
  bool is_inverse; /* sums of x[j] exp(+2 pi i j k / n); else with - */
  int count;       /* of axes, which may be named several times */
  int axes[ND_MAX_NDIM];
  size_t lengths[ND_MAX_NDIM]; /* of the transform along each; or ND_FFT_OWN */
} nd_transform;
#define ND_FFT_OWN SIZE_MAX /* as many as the axis has; of HERMITIAN 2 (m - 1) */

/* The discrete Fourier transform of 'src' along some axes, whose lines are cut, or filled up with
 * zeros, to the lengths: a new 'out', or, where 'dst' is not NULL, written to that, which may be
 * 'src'; converted to its dtype. f64, integers and bools are computed in f64, other floats in f32.
 * ND_INVALID_ARGUMENT for a length of 0 or no axis, ND_TYPE_MISMATCH for REAL of complex numbers,
 * ND_SHAPE_MISMATCH of dst. */
nd_status nd_fft(const nd_transform *how, const nd_view *src, const nd_view *dst, nd_view *out,
                 nd_error *err);

/* {=== convolution ===} */

/* Of all shifts of two lines of n and m <= n elements: all n + m - 1 where they share an element,
 * the middle n of these, or the n - m + 1 where all of the shorter line takes part. */
typedef enum { ND_SHIFTS_FULL, ND_SHIFTS_SAME, ND_SHIFTS_VALID } nd_shifts;

/* The convolution of two lines, or, where it 'correlates', the sums of a[i + t] conj(b[t]), to
 * 'dst', which has the shape of the result (ND_SHAPE_MISMATCH), converted to its dtype with
 * saturation; or, where 'dst' is NULL, to a new 'out'. Dtypes as for products; floats are computed
 * in their dtype, long lines by Fourier transforms. ND_INVALID_ARGUMENT for a line without
 * elements, ND_SHAPE_MISMATCH for more than one axis. */
nd_status nd_convolve(bool correlates, const nd_view *a, const nd_view *b, nd_shifts mode,
                      const nd_view *dst, nd_view *out, nd_error *err);

/* {=== sorting ===} */

/* A new row-major array, sorted along 'axis'. NaN comes last in both directions; complex numbers
 * are ordered by real part, then by imaginary part. */
nd_status nd_sort(const nd_view *src, int axis, bool is_descending, nd_view *out, nd_error *err);

/* The 1-based positions (i64) that would sort 'src' along 'axis'. Stable: equal elements keep their
 * order, in both directions. */
nd_status nd_argsort(const nd_view *src, int axis, bool is_descending, nd_view *out, nd_error *err);

/* The same, written to 'dst', which must have the shape of 'src' (ND_SHAPE_MISMATCH) and may be
 * 'src'; converted to its dtype with saturation. */
nd_status nd_sort_into(const nd_view *src, int axis, bool is_descending, const nd_view *dst,
                       nd_error *err);
nd_status nd_argsort_into(const nd_view *src, int axis, bool is_descending, const nd_view *dst,
                          nd_error *err);

/* {=== order statistics ===} The order is that of nd_argsort: NaN last, -0 equals 0. All results
 * are new arrays, the same for any number of threads. */

/* Partition 'src' along 'axis' by 'op', PARTITION or ARGPARTITION, which gives 1-based positions
 * (i64). 'places' are integers, 1-based, negative ones from the end: each gets the element that a
 * sort would put there, lesser ones come before it, greater ones behind it. What lies between two
 * of these elements, or equals one, stays in its order. ND_INDEX_OUT_OF_RANGE,
 * ND_INVALID_ARGUMENT where there are no places. */
nd_status nd_partition(nd_op op, const nd_view *src, int axis, const nd_view *places, nd_view *out,
                       nd_error *err);

/* The 'k' greatest elements along 'axis', or, without 'is_largest', the least ones, and their
 * 1-based positions (i64); of equal ones the first. NaN counts as the last of all either way. Where
 * 'is_sorted', they are in this order, else in that of 'src'. ND_INVALID_ARGUMENT where there are
 * fewer than 'k'. */
nd_status nd_topk(const nd_view *src, int axis, size_t k, bool is_largest, bool is_sorted,
                  nd_view *values, nd_view *positions, nd_error *err);

/* The median along the axes of 'how': of an even number of elements the mean of both in the middle.
 * The dtype is that of means. A line with NaN gives NaN, unless 'skips_nan' leaves them out; so
 * does one without elements. ND_TYPE_MISMATCH where complex numbers have no order. */
nd_status nd_median(const nd_view *src, const nd_reduction *how, bool skips_nan, nd_view *out,
                    nd_error *err);

/* Quantiles likewise, by 'method'. 'q', of 0 … 'whole' (1, or 100 for percentiles), is 0-d, or 1-D,
 * whose axis then comes first in the result. ND_INVALID_ARGUMENT for other values,
 * ND_SHAPE_MISMATCH for more axes. */
nd_status nd_quantile(const char *what, const nd_view *src, const nd_reduction *how,
                      const nd_view *q, double whole, nd_quantile_method method, bool skips_nan,
                      nd_view *out, nd_error *err);

/* The most frequent value along the axes of 'how', the least one of several, and how many elements
 * equal it (i64). All NaNs are one value, the greatest. ND_INVALID_ARGUMENT for no elements. */
nd_status nd_mode(const nd_view *src, const nd_reduction *how, nd_view *values, nd_view *counts,
                  nd_error *err);

/* {=== searching and counting ===} All results are new arrays. */

/* The 1-based positions (i64), in the shape of 'values', in front of which values go so that
 * 'sorted', which is 1-D and sorted as by nd_sort, stays sorted: in front of elements that are
 * equal, or, where 'is_right', behind them. Both are promoted. */
nd_status nd_searchsorted(const nd_view *sorted, const nd_view *values, bool is_right, nd_view *out,
                          nd_error *err);

/* out[k] = how many elements of 'values', integers or bools, are base + k (i64); with 'weights', of
 * the same shape, the sum of the weights of those (f64), added up in an order that depends on the
 * sizes alone. 'out' has at least 'least' elements, and one for each of base … the greatest value.
 * ND_INDEX_OUT_OF_RANGE, with position and value, for a value below 'base'; ND_TYPE_MISMATCH for
 * other dtypes and complex weights. */
nd_status nd_bincount(const nd_view *values, int64_t base, size_t least, const nd_view *weights,
                      nd_view *out, nd_error *err);

/* How many values are in each bin between two neighbours of 'edges', which ascend, the upper one
 * excluded but that of the last bin; with 'weights' as nd_bincount. Where 'is_uniform' the bins are
 * of equal width, the edges finite floats, and the values are converted to their dtype; else both
 * are promoted. */
nd_status nd_histogram(const nd_view *values, const nd_view *edges, bool is_uniform,
                       const nd_view *weights, nd_view *out, nd_error *err);

/* 'index', integers that count from 0 (negative ones from the end, -1 being the last), as a new i64
 * array of positions as nd_put and nd_index_add take them. ND_INDEX_OUT_OF_RANGE, with position and
 * value, for one outside of 0 … extent - 1 and -extent … -1. An index of another dtype comes back
 * as it is. */
nd_status nd_index_from_zero(const char *what, const nd_view *index, size_t extent, nd_view *out,
                             nd_error *err);

/* {=== comparing ===} */

/* '*out': are shape, dtype and all values equal? NaN differs from NaN, -0 equals 0. */
nd_status nd_equal(const nd_view *a, const nd_view *b, bool *out, nd_error *err);

/* '*out': is |a - b| <= atol + rtol * |b| for all elements, broadcast? Equal infinities are close,
 * NaN is close to nothing. The difference of integers, also from floats, is that of their exact
 * values. ND_INVALID_ARGUMENT for a negative or NaN tolerance. */
nd_status nd_allclose(const nd_view *a, const nd_view *b, double rtol, double atol, bool *out,
                      nd_error *err);

#endif
