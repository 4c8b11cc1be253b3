/* A SIGBUS handler for mapped files that are truncated, or whose disk fails. Where an access to a
 * guarded mapping faults, the handler maps zeros there and increments the epoch of the storage, so
 * that the program goes on and the next check finds out. Any other SIGBUS goes to the handler that
 * was installed before. */
#ifndef ND_MEM_SIGBUS_H
#define ND_MEM_SIGBUS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/status.h"

typedef struct ndi_guarded ndi_guarded;

/* Guard the mapping [at, at + bytes); both are multiples of the page size. NULL when there is no
 * memory for its record. The first call installs the handler. Thread-safe. */
ndi_guarded *ndi_sigbus_guard(void *at, size_t bytes);

/* To be called before the mapping is unmapped: the address may belong to others afterwards. */
void ndi_sigbus_unguard(ndi_guarded *guarded);

/* Increment '*epoch' when a page of the mapping is lost; NULL: no longer. */
void ndi_sigbus_watch(ndi_guarded *guarded, _Atomic uint64_t *epoch);

/* Was a page of the mapping lost? It stays lost. */
bool ndi_sigbus_is_lost(const ndi_guarded *guarded);

#endif
