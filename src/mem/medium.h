/* Blocks of host memory between small pieces (mem/small.h) and mapped blocks (mem/host.c). They
 * come from malloc, which would give the pages of many that a collection frees at once back to the
 * system, to fault them in anew: so what is given back is kept for the next of about the size. As
 * of what malloc keeps, nothing of it is counted. */
#ifndef ND_MEM_MEDIUM_H
#define ND_MEM_MEDIUM_H

#include <stddef.h>

enum { NDI_MEDIUM_FROM = 1 << 10, NDI_MEDIUM_TO = 1 << 20 }; /* more bytes than, and up to */

/* The bytes that a block of 'bytes' bytes has to have. */
size_t ndi_medium_size(size_t bytes);

/* A block of that size at least, from malloc, as it was given back, or NULL. */
void *ndi_medium_take(size_t bytes);

/* Keep a block that was taken for so many bytes, for which others make way, or free it. */
void ndi_medium_give(void *block, size_t bytes);

/* Free the blocks that are kept. */
void ndi_medium_trim(void);

#endif
