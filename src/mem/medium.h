/* Freed blocks of host memory between small pieces (mem/small.h) and mapped blocks (mem/host.c),
 * for the next of about the size. malloc, which they come from, would give the pages of many that a
 * collection frees at once back to the system, to fault them in anew. Nothing here locks:
 * mem/host.c does. 'kept' is where the bytes and blocks in the lists are counted. */
#ifndef ND_MEM_MEDIUM_H
#define ND_MEM_MEDIUM_H

#include "mem/gauge.h"

enum { NDI_MEDIUM_FROM = 1 << 10, NDI_MEDIUM_TO = 1 << 20 }; /* more bytes than, and up to */

/* The bytes that a block of 'bytes' bytes has to have. */
size_t ndi_medium_size(size_t bytes);

/* A block of that size as it was given back, or NULL. '*raw' is what free() takes in the end. */
void *ndi_medium_take(size_t bytes, void **raw, ndi_counters *kept);

/* Keep a block of that size, for which others make way, or free it. */
void ndi_medium_give(void *at, size_t bytes, void *raw, ndi_counters *kept);

/* Free blocks of at least 'bytes' bytes together, or all. Returns how many bytes that were. */
size_t ndi_medium_trim(size_t bytes, ndi_counters *kept);

#endif
