/* Conversion kernels: one loop for each pair of dtypes. None rounds twice: those that go by way of
 * a third dtype, as from and to f16, get there exactly, or rounded to odd. */
#ifndef ND_KERN_CAST_H
#define ND_KERN_CAST_H

#include "base/dtype.h"

/* Convert 'n' elements from 'x' to 'z'. Steps are in bytes and may be 0 or negative; neither side
 * need be aligned. Both may begin at the same address where 'z' has the smaller step, or the same
 * one; where they overlap otherwise, the result is not defined. */
typedef void ndi_cast_kernel(size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx);

/* Index of the first element that the conversion would change by more than rounding; 'n' when there
 * is none. */
typedef size_t ndi_cast_check(size_t n, const char *x, ptrdiff_t dx);

/* The kernel for a pair of dtypes; NULL where the conversion is not defined (complex to not
 * complex). nd_cast_mode has the rules; ND_CHECK converts like ND_SATURATE, since its check is a
 * pass of its own. Equal dtypes are copied bit for bit. */
ndi_cast_kernel *ndi_cast_find(nd_dtype to, nd_dtype from, nd_cast_mode mode);

/* The check of ND_CHECK for a pair of dtypes; NULL where every element passes, or the conversion is
 * not defined. Refused are: for an integer dtype NaN, infinities, fractions and what is out of
 * range; for bool all but 0 and 1; for a float finite values that become infinite (f8e4m3, which
 * has no infinity: what does not round to within 448, and infinities). Complex numbers are checked
 * by parts. */
ndi_cast_check *ndi_cast_check_find(nd_dtype to, nd_dtype from);

#endif
