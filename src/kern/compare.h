/* Kernels that look for the first difference of two arrays of one dtype. */
#ifndef ND_KERN_COMPARE_H
#define ND_KERN_COMPARE_H

#include "base/dtype.h"

/* Steps are in bytes and may be 0 or negative; neither side need be aligned. Both return the index
 * of the first elements that differ, 'n' when none do. Bools compare by truth. */

/* NaN differs from everything, -0 equals 0. */
typedef size_t ndi_equal_kernel(size_t n, const char *x, ptrdiff_t dx, const char *y, ptrdiff_t dy);

/* Equal, or finite with |x - y| <= atol + rtol * |y|. The difference of integers is taken
 * exactly. */
typedef size_t ndi_close_kernel(size_t n, const char *x, ptrdiff_t dx, const char *y, ptrdiff_t dy,
                                double rtol, double atol);

/* Never NULL. */
ndi_equal_kernel *ndi_equal_find(nd_dtype dtype);
ndi_close_kernel *ndi_close_find(nd_dtype dtype);

#endif
