/* What memory.c and memory_object.c share. */
#ifndef ND_BIND_MEMORY_H
#define ND_BIND_MEMORY_H

#include "bind/bind.h"
#include "mem/adapt/adapt.h"

/* {=== memory_object.c ===} */

/* What the userdata contains: one reference; NULL before it is set, and once it is finalized. */
typedef struct {
  nd_resource *resource;
} ndb_memory;

/* Push an object without memory. May raise and run finalizers, so it comes before anything is
 * owned. */
ndb_memory *ndb_push_memory(lua_State *L, ndb_state *S);
bool ndb_is_memory(lua_State *L, ndb_state *S, int arg);
nd_resource *ndb_check_memory(lua_State *L, ndb_state *S, int arg, const char *what);

/* A limit of 'up': bytes as a number, or a text such as "4GiB" or "50%". */
uint64_t ndb_check_limit(lua_State *L, ndb_state *S, int arg, nd_resource *up);

#endif
