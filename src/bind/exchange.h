/* What the files about exchange, and about files of several arrays, share. */
#ifndef ND_BIND_EXCHANGE_H
#define ND_BIND_EXCHANGE_H

#include "bind/bind.h"

/* {=== args.c ===} */

/* The address of a structure, as a pointer or a number; invalid_argument for NULL and the like. */
void *ndb_check_address(lua_State *L, ndb_state *S, int arg, const char *what);

/* {=== exchange.c ===} */
extern const ndb_reg ndb_exchange_functions[], ndb_exchange_methods[];

/* {=== named.c ===} */

/* A pair of such a table: a name, and where its value is, an index of a table at an index of the
 * stack. */
typedef struct {
  const char *name;
  int list, at;
} ndb_pair;

/* Push what keeps the pairs of the table at 'arg', a copy of it: a finalizer may change the
 * script's. 'what' and 'wanted' are for messages. Raises type_mismatch for what is no name,
 * invalid_argument for a name that comes twice. */
const ndb_pair *ndb_push_pairs(lua_State *L, ndb_state *S, int arg, const char *what,
                               const char *wanted, int *count);

static inline void ndb_push_value(lua_State *L, const ndb_pair *pair) {
  lua_rawgeti(L, pair->list, pair->at);
}

/* The arrays of such a table. Pushes what keeps them and the result. */
const nd_named_array *ndb_check_arrays(lua_State *L, ndb_state *S, int arg, const char *what,
                                       int *count);

/* {=== arrow.c ===} */
extern const ndb_reg ndb_arrow_functions[];
void ndb_open_arrow(lua_State *L, ndb_state *S); /* sets core.column_metatable */

#endif
