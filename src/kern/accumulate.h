/* The kernels that add what an index names. */
#ifndef ND_KERN_ACCUMULATE_H
#define ND_KERN_ACCUMULATE_H

#include "base/dtype.h"

/* z += x for 'n' elements of one dtype. Steps are in bytes and may be 0 or negative; neither side
 * need be aligned. Integers wrap modulo 2^n, the small floats compute in float and round once, bool
 * is "or". */
typedef void ndi_accumulate_kernel(size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx);

/* Never NULL. */
ndi_accumulate_kernel *ndi_accumulate_find(nd_dtype dtype);

#endif
