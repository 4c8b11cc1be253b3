/* Work on small arrays of the host without the plan of a device (dev/host/small.c). The functions
 * return false, with nothing done, unless all arrays are small and the work is one call of a
 * kernel: then nd_device_run or nd_device_copy does it, or says why not. */
#ifndef ND_DEV_SMALL_H
#define ND_DEV_SMALL_H

#include "dev/device.h"
#include "kern/elementwise.h"
#include "view/view.h"

enum {
  NDI_SMALL_BYTES = 4096,  /* the most of an array */
  NDI_SMALL_LINE = 1 << 17 /* of one that is transformed */
};

/* Packed elements in ordinary host memory that is allocated, at least one? */
bool ndi_is_small(const nd_view *v);

/* As nd_device_copy, but the views may overlap, or have different shapes: then false. */
bool ndi_small_copy(const nd_view *dst, const nd_view *src, nd_cast_mode mode);

/* All elements become 'value', of 'dtype', converted with saturation. */
bool ndi_small_fill(const nd_view *dst, nd_dtype dtype, const void *value);

/* The one kernel that computes in 'dtype' what has operands of 'dtype', without a look at their
 * values first; NULL where there is none. */
ndi_kernel *ndi_small_kernel(nd_op op, nd_dtype dtype);

/* views[0] is the output, of the dtype of the result, views[1 … count] the operands, of one dtype.
 * Those with more than one element have the same shape, and the output shares bytes only with the
 * same elements. */
bool ndi_small_elementwise(nd_op op, int count, const nd_view *const *views);

/* out = a * b, matrices of one dtype, none of them a vector; out shares no bytes with the others.
 */
bool ndi_small_product(const nd_view *out, const nd_view *a, const nd_view *b);

/* out = the transform of a line 'x', both 1-D, which share no bytes: as the task of ND_OP_FFT that
 * has its numbers from 'how', whose n tells how many elements they have; but not to real numbers.
 */
bool ndi_small_fft(const nd_view *out, const nd_view *x, const nd_fft_numbers *how);

/* All elements to one value, of the dtype of the result. */
bool ndi_small_reduce(nd_op op, const nd_view *src, void *out);

#endif
