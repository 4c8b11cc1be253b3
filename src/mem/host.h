/* Ordinary host memory, and the cache of blocks that were given back. */
#ifndef ND_MEM_HOST_H
#define ND_MEM_HOST_H

#include "mem/resource.h"

/* The resource of ordinary memory: one for the process, which is never closed, so that references
 * to it need not be counted. Its blocks are aligned to 64 bytes, a cache line and an AVX-512
 * register, or as the request says; from 2 MiB on they ask for huge pages. */
nd_resource *nd_host_resource(void);

/* The size of a memory page, in bytes. */
size_t ndi_page_bytes(void);

/* The most bytes that a cache of host memory may keep: 1 GiB, or a sixteenth of the machine's
 * memory if that is less. 0 under AddressSanitizer, which cannot see accesses to a block that a
 * cache keeps alive. */
size_t ndi_cache_limit(void);

/* ND_OUT_OF_MEMORY for so many bytes of the system's memory, with the figures of 'place'. */
nd_status ndi_host_fail_memory(const char *place, size_t bytes, uint64_t live, uint64_t kept,
                               nd_error *err);

#endif
