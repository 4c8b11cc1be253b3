/* Kernels that find what occurs most often in a sorted line. */
#ifndef ND_KERN_MODE_H
#define ND_KERN_MODE_H

#include "base/dtype.h"

/* Elements first … end - 1 of a line that is sorted as by kern/sort.h. 'longest' is the length of
 * the longest run of equal elements so far, at first 0, and '*at' where it begins; returns the new
 * one. Of equally long ones it is the first. NaNs are equal, and so are complex numbers with NaN.
 */
typedef size_t ndi_mode_kernel(size_t first, size_t end, const char *x, size_t longest, size_t *at);

/* Never NULL. */
ndi_mode_kernel *ndi_mode_find(nd_dtype dtype);

#endif
