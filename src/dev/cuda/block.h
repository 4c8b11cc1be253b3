/* Strided copies as few driver calls: the driver copies 1-D runs, 2-D rows with a pitch, and 3-D
 * planes of rows, so two layouts of the same elements are brought to a normal form that fits
 * these. */
#ifndef ND_DEV_CUDA_BLOCK_H
#define ND_DEV_CUDA_BLOCK_H

#include "dev/cuda/cuda.h"

/* Two views ("sides") of one shape in normal form: the steps of side 0 are positive and sorted, the
 * largest outside; axes of extent 1 are dropped, and neighbouring axes that are contiguous on both
 * sides are merged. */
typedef struct {
  int ndim;
  size_t len[ND_MAX_NDIM];
  ptrdiff_t step[2][ND_MAX_NDIM];
  char *at[2]; /* address of the first element; never dereferenced where it is device memory */
} ndi_form;

/* Normal form of views[0] and views[1]; bases[i] is the address of the storage of view i. */
void ndi_form_make(const nd_view *const *views, char *const *bases, ndi_form *out);

/* View 'side' of 'f' over 'storage', whose address is 'base'. Borrows the storage: do not drop
 * it. */
nd_view ndi_form_view(const ndi_form *f, int side, nd_storage *storage, const char *base,
                      nd_dtype dtype);

/* Replace side 1 by a row-major, contiguous buffer at 'at', for elements of 'item' bytes. */
void ndi_form_pack(ndi_form *f, size_t item, char *at);

/* Number of elements. */
size_t ndi_form_size(const ndi_form *f);

/* Bytes from the first element of side 0 to the end of the last. */
size_t ndi_form_hull(const ndi_form *f, size_t item);

/* Bytes of the innermost contiguous run of side 0. */
size_t ndi_form_width(const ndi_form *f, size_t item);

/* Number of driver calls that ndi_block_copy will make. */
size_t ndi_block_calls(const ndi_cuda *d, const ndi_form *f, size_t item);

/* The bytes of 'storage', whose address is 'base', that side 'side' of 'f' spans. */
ndi_access ndi_form_access(const ndi_form *f, int side, size_t item, nd_storage *storage,
                           const char *base, bool is_write);

/* Enqueue the copy onto side 'to' (0 or 1), between ndi_cuda_begin and ndi_cuda_end. Side 0 is
 * memory of the queue's device; side 1 is page-locked host memory where 'is_host', else also memory
 * of the device. */
nd_status ndi_block_copy(ndi_queue *q, const ndi_form *f, size_t item, int to, bool is_host,
                         nd_error *err);

/* {=== memset ===} fill.c */

/* Is side 1 one element, whatever the shape? */
bool ndi_is_one_value(const ndi_form *f);

/* Can a memset write side 0 of 'f', of elements of 'dtype'? Side 1, 'src', is one value that the
 * CPU may read, side 0 has to be contiguous, and the value, converted to 'dtype' by 'mode', a
 * repetition of 1, 2 or 4 bytes. Sets '*value' and its size '*unit' in bytes. */
bool ndi_memset_find(const ndi_form *f, nd_dtype dtype, const nd_view *src, nd_cast_mode mode,
                     unsigned *value, size_t *unit);

/* Enqueue writing 'value', of 'unit' bytes, 'count' times from 'at' on, between ndi_cuda_begin and
 * ndi_cuda_end. */
nd_status ndi_memset(ndi_queue *q, const char *at, unsigned value, size_t unit, size_t count,
                     nd_error *err);

/* {=== broadcasts ===} broadcast.c: copies from a broadcast source */

/* With more driver calls than this a copy is slower than one through staging buffers. */
enum { NDI_MOST_CALLS = 64 };

/* Find the part of 'f' to copy before ndi_broadcast_copy fills the rest from it: repeated axes
 * (side 1 has step 0) are cut to 1, the innermost of them less far, so that the part has about
 * 'least' bytes. False where nothing is repeated, where the rest would take too many calls, or
 * where all of 'f' is no more than 'least' bytes. */
bool ndi_broadcast_find(const ndi_cuda *d, const ndi_form *f, size_t item, size_t least,
                        ndi_form *first);

/* Enqueue the rest of 'f', whose side 0 is 'dst'. 'first', from ndi_broadcast_find, has to be
 * copied or enqueued before. */
nd_status ndi_broadcast_copy(ndi_queue *q, const nd_view *dst, const ndi_form *f,
                             const ndi_form *first, nd_error *err);

#endif
