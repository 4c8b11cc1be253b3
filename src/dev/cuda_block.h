/* Copies of regular blocks: as few driver calls as two layouts of the same elements allow. */
#ifndef ND_DEV_CUDA_BLOCK_H
#define ND_DEV_CUDA_BLOCK_H

#include "dev/cuda_device.h"

/* Two views of one shape in normal form: side 0 runs forwards, the larger steps outside; axes of
 * one element are gone, those that run on from one another are merged. */
typedef struct {
  int ndim;
  size_t len[ND_MAX_NDIM];
  ptrdiff_t step[2][ND_MAX_NDIM];
  char *at[2]; /* of the first element; not to be read where it is a device's */
} ndi_form;

/* 'bases' are the addresses of the views' storages. */
void ndi_form_make(const nd_view *const *views, char *const *bases, ndi_form *out);

/* Side 'side' as a view that borrows 'storage', whose address is 'base'. */
nd_view ndi_form_view(const ndi_form *f, int side, nd_storage *storage, const char *base,
                      nd_dtype dtype);

/* Let side 1 be row-major elements of 'item' bytes without gaps at 'at'. */
void ndi_form_pack(ndi_form *f, size_t item, char *at);

size_t ndi_form_size(const ndi_form *f);

/* Bytes from the first element of side 0 to the end of the last. */
size_t ndi_form_hull(const ndi_form *f, size_t item);

/* Bytes of side 0 that lie together. */
size_t ndi_form_width(const ndi_form *f, size_t item);

/* How many driver calls the copy takes. */
size_t ndi_block_calls(const ndi_cuda *d, const ndi_form *f, size_t item);

/* Enqueue it: side 'to' is written. Side 0 is the device's; 'is_host' says that side 1 is locked
 * memory of the host, else it is this device's, too. */
nd_status ndi_block_copy(ndi_cuda *d, const ndi_form *f, size_t item, int to, bool is_host,
                         nd_error *err);

/* {=== spreading ===} cuda_spread.c */

/* More driver calls than this for one copy, and staging is better. */
enum { NDI_MOST_CALLS = 64 };

/* The part of 'f', at least about so many bytes of side 0, to be copied before ndi_spread: where
 * side 1 is there several times it is cut. False: it is not, or the rest would take too many calls,
 * or there are no more than 'least' bytes. */
bool ndi_spread_find(const ndi_cuda *d, const ndi_form *f, size_t item, size_t least,
                     ndi_form *first);

/* Enqueue the rest, 'first' being there, or on its way on the device's stream. */
nd_status ndi_spread(ndi_cuda *d, const ndi_form *f, const ndi_form *first, size_t item,
                     nd_error *err);

#endif
