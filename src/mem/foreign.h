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

/* The same for memory of the device with the registry number 'device', at the address 'at', which
 * the CPU cannot access, and which work may access after the point 'ready'. */
nd_status nd_foreign_device_resource(uint16_t device, void *at, size_t bytes, nd_point ready,
                                     void (*release)(void *owner), void *owner, nd_resource **out,
                                     nd_error *err);

#endif
