/* Small pieces of host memory: a record and its bytes in one, from free lists that each thread has
 * for itself. To take and give one costs a few instructions and no lock. */
#ifndef ND_MEM_SMALL_H
#define ND_MEM_SMALL_H

#include <stddef.h>

enum { NDI_SMALL_MOST = 1024 }; /* bytes besides the record */

/* Take a piece with room for a record of 'record' bytes, which it returns, and for 'bytes' bytes
 * (at most NDI_SMALL_MOST), which '*data' is set to: aligned to 64, with room to a multiple of 64.
 * Neither is initialised. NULL: no memory. A piece is held once; the last drop gives it back. */
void *ndi_small_take(size_t record, size_t bytes, char **data);
void ndi_small_hold(void *record);
void ndi_small_drop(void *record);

/* Free what the lists of this thread keep. Returns how many bytes that were. */
size_t ndi_small_trim(void);

#endif
