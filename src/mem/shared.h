/* Storages that are passed on by a number, to other Lua states of this process for example. */
#ifndef ND_MEM_SHARED_H
#define ND_MEM_SHARED_H

#include "mem/storage.h"

/* A number that is nobody's yet, and no other process's. */
uint64_t nd_shared_reserve(void);

/* Give a storage the number '*number', with bytes of the caller's that go with it; the same again
 * for the same bytes, in '*number'. 'is_once': the number holds an export, until nd_shared_take;
 * else it holds none, and is good until the storage is freed. Fails as nd_storage_export does. */
nd_status nd_shared_put(nd_storage *storage, bool is_once, const void *more, size_t bytes,
                        uint64_t *number, nd_error *err);

/* The storage of a number, with an export for the caller, and the bytes that go with it, as many as
 * were given. ND_INVALID_ARGUMENT for numbers that are no longer good; ND_UNSUPPORTED in a process
 * that was forked since, which has a copy of the memory. */
nd_status nd_shared_get(uint64_t number, nd_storage **out, void *more, nd_error *err);

/* Where the number is good once: end it. Another thread may have done so: then ND_INVALID_ARGUMENT.
 */
nd_status nd_shared_take(uint64_t number, nd_error *err);

#endif
