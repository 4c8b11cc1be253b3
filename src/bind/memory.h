/* What the files about memory resources share. trace.c and listen.c come before state.c, which
 * calls them. */
#ifndef ND_BIND_MEMORY_H
#define ND_BIND_MEMORY_H

#include "bind/bind.h"
#include "mem/adapt/adapt.h"

static inline void ndb_set_number(lua_State *L, const char *name, lua_Number value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, name);
}

/* {=== trace.c ===} */

/* A callback of nd_call; 'context' is the state. */
size_t ndb_trace(void *context, char *text, size_t bytes);

/* When the state is closed, write to stderr what this track layer did not get back until then. */
nd_status ndb_report_at_end(ndb_state *S, nd_resource *track, nd_error *err);
void ndb_report_leaks(ndb_state *S);

/* Write to stderr what a guard found and nobody was told; NULL: that there was no room for so many.
 * Any thread may, also without a state. */
void ndb_tell_finding(const nd_finding *finding, uint64_t lost);

/* Take the steps of a guard, and look at the blocks that it keeps once nobody refers to it any
 * more: both may call a driver, as finalizers must not. ndb_settle_guards is called when no call is
 * in progress and there are steps, and does what is possible without waiting; 'waits': as the state
 * closes, all. */
nd_status ndb_settle_at_end(ndb_state *S, nd_resource *guard, nd_error *err);
static inline bool ndb_has_steps(const ndb_state *S) {
  return S->guards && !ndi_due_is_empty(S->guards);
}
void ndb_settle_guards(ndb_state *S, bool waits);

/* {=== defaults.c ===} */

/* The default memory of the kind and device of 'leaf', with one reference for the caller.
 * ND_INVALID_ARGUMENT for what the environment says. */
nd_status ndb_default_stack(nd_resource *leaf, nd_resource **out, nd_error *err);
bool ndb_has_default_layers(void); /* does the environment want some on all memory? */

bool ndb_wants_guard(void); /* does it want a guard on all memory? */

bool ndb_has_errno(const nd_error *err, int number); /* did a system call fail so? */

/* A guard, with one reference for the caller. Opens the device of pinned memory, by way of which
 * memory of other devices is looked at. */
nd_status ndb_guard_make(nd_resource *up, nd_resource **out, nd_error *err);

/* Of a state whose environment wants guards: take the steps that are due of those; with 'waits', as
 * a state closes: look at all that they keep, and tell what they found. */
void ndb_settle_defaults(bool waits);

/* {=== state.c ===} */

/* Choose it for all memory of its kind and device; NULL: what the call would take by itself. The
 * second: by the environment, arrays on the host are on a stack, too. */
void ndb_choose_memory(ndb_state *S, size_t ledger, nd_resource *chosen);
void ndb_choose_default(lua_State *L, ndb_state *S, size_t ledger);

/* Of a call that works on no array: drop what waits for its end (ndb_drop_late), unless it is
 * within another one. */
void ndb_drop_now(ndb_state *S);

/* {=== listen.c ===} */

/* Are there records that a function of the script waits for? */
static inline bool ndb_has_records(const ndb_state *S) {
  return S->listeners && !ndi_due_is_empty(S->listeners);
}

/* Call the functions with the records that are there. What they raise is dropped. No-op while they
 * run, and while memory is collected. */
void ndb_call_listeners(lua_State *L, ndb_state *S);

/* As the Lua state closes: records are lost from now on. */
void ndb_drop_listeners(ndb_state *S);

/* Call the function at 'arg' with the records of a ring, at the beginning of later calls of this
 * Lua state, until the log is gone. Holds both. */
void ndb_listen(lua_State *L, ndb_state *S, int arg, ndi_log_ring *ring);

/* Push a table: action, thread, time (seconds since 1970), pointer, bytes, stream. */
void ndb_push_record(lua_State *L, const nd_log_record *record);

/* {=== memory_object.c ===} */

/* What the userdata contains: one reference; NULL before it is set, and once it is finalized. */
typedef struct {
  nd_resource *resource;
} ndb_memory;

/* A metatable with these functions, a finalizer, and an empty table of methods. Returns its
 * reference in the registry. */
int ndb_make_metatable(lua_State *L, const ndb_reg *list, lua_CFunction gc, const char *name);
void ndb_add_methods(lua_State *L, int metatable, const ndb_reg *methods);

/* Push an object without memory. May raise and run finalizers, so it comes before anything is
 * owned. */
ndb_memory *ndb_push_memory(lua_State *L, ndb_state *S);
bool ndb_is_memory(lua_State *L, ndb_state *S, int arg);
nd_resource *ndb_check_memory(lua_State *L, ndb_state *S, int arg, const char *what);

/* The memory whose method is called. Raises first what its guards found. */
nd_resource *ndb_check_stack(lua_State *L, ndb_state *S);

/* A limit of 'up': bytes as a number, or a text such as "4GiB" or "50%". */
uint64_t ndb_check_limit(lua_State *L, ndb_state *S, int arg, const char *what, nd_resource *up);

/* {=== layers.c, reservation.c ===} More methods of memory objects. */
extern const ndb_reg ndb_layer_methods[], ndb_reserving_methods[];
void ndb_open_reservations(lua_State *L, ndb_state *S);

#endif
