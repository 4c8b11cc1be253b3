/* Kernels that search for the first difference of two arrays of one dtype. */
#ifndef ND_KERN_COMPARE_H
#define ND_KERN_COMPARE_H

#include "base/dtype.h"

/* Steps are in bytes and may be 0 or negative; neither side need be aligned. Both return the index
 * of the first pair that differs, 'n' when there is none. Bools compare by truth value. */

/* NaN differs from everything, -0 equals 0. */
typedef size_t ndi_equal_kernel(size_t n, const char *x, ptrdiff_t dx, const char *y, ptrdiff_t dy);

/* Pairs differ unless they are equal, or finite with |x - y| <= atol + rtol * |y|. The difference
 * of integers is exact, before it is rounded to a double. */
typedef size_t ndi_close_kernel(size_t n, const char *x, ptrdiff_t dx, const char *y, ptrdiff_t dy,
                                double rtol, double atol);

/* Never NULL. */
ndi_equal_kernel *ndi_equal_find(nd_dtype dtype);
ndi_close_kernel *ndi_close_find(nd_dtype dtype);

#endif
