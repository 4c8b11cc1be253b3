/* Kernels that pick elements by index or by mask, for any dtype of 1, 2, 4, 8 or 16 bytes. */
#ifndef ND_KERN_GATHER_H
#define ND_KERN_GATHER_H

#include "base/platform.h"

/* Steps are in bytes and may be 0 or negative; nothing need be aligned. 'item' is the size of an
 * element. An index is an int64, 1-based; a negative one counts from the end, -1 being the last. A
 * mask is of bools; any byte but 0 is true. */

/* The position of the first index that is 0 or outside 'extent'; 'n' when all are good. */
size_t ndi_index_check(size_t n, const char *index, ptrdiff_t dindex, size_t extent);

/* z[k] = x[index[k]] for k < n. 'x' has 'extent' elements; the indices have been checked. */
void ndi_take(size_t item, size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx,
              size_t extent, const char *index, ptrdiff_t dindex);

/* The same for rows of so many bytes, packed in themselves; dx and dz lead from one to the next. */
void ndi_take_rows(size_t bytes, size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx,
                   size_t extent, const char *index, ptrdiff_t dindex);

/* z[index[k]] = x[k] for k < n, in order: of equal indices the last wins. 'z' has 'extent'
 * elements; the indices have been checked. */
void ndi_put(size_t item, size_t n, char *z, ptrdiff_t dz, size_t extent, const char *index,
             ptrdiff_t dindex, const char *x, ptrdiff_t dx);

size_t ndi_mask_count(size_t n, const char *mask, ptrdiff_t dmask);

/* Pack into 'z' those of the 'n' elements of 'x' whose mask is true. Returns how many, which is at
 * most 'room'; others of the 'room' elements of 'z' may be written over. */
size_t ndi_mask_select(size_t item, size_t n, char *z, size_t room, const char *x, ptrdiff_t dx,
                       const char *mask, ptrdiff_t dmask);

/* Give each of the 'n' elements of 'z' whose mask is true the next one of 'x', of which 'room' are
 * left and no more are needed. Returns how many were used. */
size_t ndi_mask_assign(size_t item, size_t n, char *z, ptrdiff_t dz, const char *mask,
                       ptrdiff_t dmask, const char *x, ptrdiff_t dx, size_t room);

#endif
