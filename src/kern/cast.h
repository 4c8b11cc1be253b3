/* Conversion kernels: one direct loop for each pair of dtypes, never two steps. */
#ifndef ND_KERN_CAST_H
#define ND_KERN_CAST_H

#include "base/dtype.h"

/* Convert 'n' elements. Steps are in bytes and may be 0 or negative; neither side need be aligned.
 * The result for overlapping sides is that of an element at a time, in order. */
typedef void ndi_cast_kernel(size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx);

/* The index of the first element that would change by more than rounding; 'n' when there is none.
 * */
typedef size_t ndi_cast_check(size_t n, const char *x, ptrdiff_t dx);

/* NULL: not defined (complex to what is not complex). ND_CHECK converts like ND_SATURATE, since the
 * check is a pass of its own. The same dtype is moved bit for bit. The rules are those of
 * nd_cast_mode. */
ndi_cast_kernel *ndi_cast_find(nd_dtype to, nd_dtype from, nd_cast_mode mode);

/* NULL: no element can change by more than rounding, or the conversion is not defined. Refused are,
 * to an integer: NaN, infinities, fractions and what is out of range; to bool: all but 0 and 1; to
 * a float: finite values that become infinite (f8e4m3: what does not round to within 448, and
 * infinities); complex by parts. */
ndi_cast_check *ndi_cast_check_find(nd_dtype to, nd_dtype from);

#endif
