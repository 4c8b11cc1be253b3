/* Kernels that find the bins of values, and count them. */
#ifndef ND_KERN_COUNT_H
#define ND_KERN_COUNT_H

#include "base/dtype.h"

/* out[i] = x[i] - base, modulo 2^64, for packed integers or bools at any alignment. */
typedef void ndi_offset_kernel(size_t n, uint64_t *out, const char *x, int64_t base);

/* NULL for other dtypes. */
ndi_offset_kernel *ndi_offset_find(nd_dtype dtype);

/* out[i] = the 0-based bin of x[i] among 'bins' bins of equal width: the last one k with edges[k]
 * <= x[i], but that the last bin includes its upper edge; UINT64_MAX for NaN and what is outside.
 * 'x' and 'edges', which ascend, are packed and of one dtype, a float. */
typedef void ndi_bin_kernel(size_t n, uint64_t *out, const char *x, size_t bins, const char *edges);

/* NULL for other dtypes. */
ndi_bin_kernel *ndi_bin_find(nd_dtype dtype);

/* Add 1, or weight[i], to element at[i] - base of 'counts' or 'sums', in this order. Places from
 * 'bins' on are left out. Returns how many were not. 'weights' are doubles at any alignment. */
size_t ndi_count_places(size_t n, const uint64_t *at, uint64_t base, size_t bins, int64_t *counts);
size_t ndi_add_weights(size_t n, const uint64_t *at, uint64_t base, size_t bins, double *sums,
                       const char *weights);

#endif
