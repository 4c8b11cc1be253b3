/* Memory that somebody else owns, as a resource. */
#ifndef ND_MEM_FOREIGN_H
#define ND_MEM_FOREIGN_H

#include "mem/resource.h"

/* Make a resource of 'bytes' of memory at 'host', which may be taken once (a second take is
 * ND_CAPACITY; a larger one ND_OUT_OF_BOUNDS). On ND_OK '*out' is one reference, and 'release' (may
 * be NULL) will be called exactly once with 'owner', on any thread: when the block is given back,
 * or when the resource is dropped without a take. On failure it is not called. */
nd_status nd_foreign_resource(void *host, size_t bytes, void (*release)(void *owner), void *owner,
                              nd_resource **out, nd_error *err);

/* The same for memory of a device's driver, of the device with the registry number 'device', at the
 * address 'at'. 'kind' says which: the CPU cannot access ND_MEM_DEVICE, but the other kinds. It may
 * be accessed after the point 'ready'. */
nd_status nd_foreign_device_resource(uint16_t device, nd_memkind kind, void *at, size_t bytes,
                                     nd_point ready, void (*release)(void *owner), void *owner,
                                     nd_resource **out, nd_error *err);

/* The bytes in use of all of it but what is lent; and the blocks of managed memory. */
size_t nd_foreign_bytes(void);
size_t nd_foreign_managed(void);

/* The owner of a resource whose release this is; NULL for all others. */
void *nd_foreign_owner(const nd_resource *self, void (*release)(void *owner));

/* Set the release of a resource that was made without one. */
void nd_foreign_own(nd_resource *self, void (*release)(void *owner), void *owner);

#endif
