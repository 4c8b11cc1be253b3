/* Kernels that pick elements by index or by mask. They move bytes, so one kernel serves all dtypes
 * of one size: 1, 2, 4, 8 or 16 bytes. */
#ifndef ND_KERN_GATHER_H
#define ND_KERN_GATHER_H

#include <stdbool.h>

#include "base/platform.h"

/* Steps are in bytes and may be 0 or negative; nothing need be aligned. 'item' is the size of an
 * element in bytes. An index is an int64, 1-based; negative ones count from the end, -1 being the
 * last. A mask is of bools; any byte but 0 is true. */

/* Position, from 0, of the first index that is 0 or beyond 'extent'; 'n' when all are valid. */
size_t ndi_index_check(size_t n, const char *index, ptrdiff_t dindex, size_t extent);

/* z[k] = first + p * factor (and, where 'adds', + z[k]) for k < n, with the 0-based position p of
 * index[k] among 'extent'. The indices have been checked, and no sum overflows. */
void ndi_index_join(size_t n, char *z, ptrdiff_t dz, const char *index, ptrdiff_t dindex,
                    size_t extent, int64_t factor, int64_t first, bool adds);

/* z[k] = x[index[k]] for k < n. 'x' has 'extent' elements; the indices have been checked. */
void ndi_take(size_t item, size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx,
              size_t extent, const char *index, ptrdiff_t dindex);

/* The same for rows of 'bytes' contiguous bytes; dz and dx are the distances between rows. */
void ndi_take_rows(size_t bytes, size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx,
                   size_t extent, const char *index, ptrdiff_t dindex);

/* z[index[k]] = x[k] for k < n, in order: of equal indices the last wins. 'z' has 'extent'
 * elements; the indices have been checked. */
void ndi_put(size_t item, size_t n, char *z, ptrdiff_t dz, size_t extent, const char *index,
             ptrdiff_t dindex, const char *x, ptrdiff_t dx);

/* Number of true elements. */
size_t ndi_mask_count(size_t n, const char *mask, ptrdiff_t dmask);

/* Copy the elements of 'x' whose mask is true to the packed array 'z', which has room for 'room'
 * elements. Returns how many were copied, at most 'room'; the others of these 'room' elements may
 * be overwritten with anything. */
size_t ndi_mask_select(size_t item, size_t n, char *z, size_t room, const char *x, ptrdiff_t dx,
                       const char *mask, ptrdiff_t dmask);

/* Assign to each of the 'n' elements of 'z' whose mask is true the next element of 'x'. 'x' has
 * 'room' elements, at least as many as are true in the mask. Returns how many were used. */
size_t ndi_mask_assign(size_t item, size_t n, char *z, ptrdiff_t dz, const char *mask,
                       ptrdiff_t dmask, const char *x, ptrdiff_t dx, size_t room);

#endif
