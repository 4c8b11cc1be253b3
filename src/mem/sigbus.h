/* Mapped files that shrink: a handler that turns the SIGBUS into zeros and a raised epoch, and
 * leaves all others alone. */
#ifndef ND_MEM_SIGBUS_H
#define ND_MEM_SIGBUS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/status.h"

typedef struct ndi_guarded ndi_guarded;

/* Bytes of a page. */
size_t ndi_page_bytes(void);

/* Guard [at, at + bytes), both multiples of the page; NULL when no memory is left. The first call
 * installs the handler, which hands every address that is not guarded to the one that was there. */
ndi_guarded *ndi_sigbus_guard(void *at, size_t bytes);
void ndi_sigbus_unguard(ndi_guarded *guarded);

/* The epoch to raise when a page turns out to be gone. */
void ndi_sigbus_watch(ndi_guarded *guarded, _Atomic uint64_t *epoch);
bool ndi_sigbus_is_lost(const ndi_guarded *guarded);

#endif
