/* Kernels that find the places of values in a sorted array. */
#ifndef ND_KERN_SEARCH_H
#define ND_KERN_SEARCH_H

#include "base/dtype.h"

/* out[i] = the 1-based position in front of which x[i] goes so that 'sorted', of 'count' elements,
 * stays sorted: in front of the elements that equal it, or, where 'is_right', behind them. Both
 * arrays are packed, of one dtype, at any alignment. The order is that of kern/sort.h: NaN comes
 * last. Where 'sorted' is not sorted, positions are any of 1 … count + 1. */
typedef void ndi_search_kernel(size_t n, int64_t *out, const char *x, size_t count,
                               const char *sorted, bool is_right);

/* Never NULL. */
ndi_search_kernel *ndi_search_find(nd_dtype dtype);

#endif
