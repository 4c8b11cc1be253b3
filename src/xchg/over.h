/* Storages over the bytes of another one, which was exported and came back. */
#ifndef ND_XCHG_OVER_H
#define ND_XCHG_OVER_H

#include "dev/place.h"
#include "mem/storage.h"

/* Make a storage of the bytes at 'memory->at', which are those of 'exported', of which somebody has
 * an export meanwhile. It gets an export of its own: of the storage that has allocated the bytes,
 * so that bytes may come back any number of times, over each other. */
nd_status ndi_storage_over(nd_storage *exported, const nd_foreign *memory, bool is_read_only,
                           nd_storage **out, nd_error *err);

#endif
