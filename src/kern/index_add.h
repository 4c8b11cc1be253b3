/* Kernels of INDEX_ADD: add one array to another in place. */
#ifndef ND_KERN_INDEX_ADD_H
#define ND_KERN_INDEX_ADD_H

#include "base/dtype.h"

/* z[i] += x[i] for 'n' elements of one dtype. Steps are in bytes and may be 0 or negative; neither
 * side need be aligned. Integers wrap modulo 2^n, small floats are computed in f32 and rounded,
 * bool is "or". */
typedef void ndi_index_add_kernel(size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx);

/* Never NULL. */
ndi_index_add_kernel *ndi_index_add_find(nd_dtype dtype);

#endif
