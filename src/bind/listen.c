/* Functions of a script that get the records of logs, by nd.memory.log(up, fn). Memory is taken and
 * given back on any thread, and by finalizers, where no function of a script may run. So the
 * records wait in a ring, and the next call of the Lua state empties it before it does anything
 * else. The state and the log have a reference to the ring each: either may end first. */
#include <stdlib.h>

#include "bind/memory.h"

struct ndb_listener {
  ndb_listener *next;
  ndi_log_ring *ring; /* one reference */
  int function;       /* in the registry */
};

void ndb_listen(lua_State *L, ndb_state *S, int arg, ndi_log_ring *ring) {
  if (!S->anchors) ndb_fail(L, S, ND_UNSUPPORTED, NULL, "the Lua state is being closed");
  lua_pushvalue(L, arg);
  const int function = luaL_ref(L, LUA_REGISTRYINDEX); /* first: it may raise */
  ndb_listener *l = malloc(sizeof *l);
  if (!l) {
    luaL_unref(L, LUA_REGISTRYINDEX, function);
    ndb_fail(L, S, ND_OUT_OF_MEMORY, NULL, "no memory to keep the function");
    return;
  }
  *l = (ndb_listener){.next = S->listeners, .ring = ndi_log_ring_hold(ring), .function = function};
  S->listeners = l;
}

void ndb_push_record(lua_State *L, const nd_log_record *record) {
  lua_createtable(L, 0, 6);
  lua_pushstring(L, nd_log_action_name(record->action));
  lua_setfield(L, -2, "action");
  ndb_set_number(L, "thread", (lua_Number)record->thread);
  ndb_set_number(L, "time", (lua_Number)record->time / 1e6);
  ndb_set_number(L, "pointer", (lua_Number)(uintptr_t)record->ptr); /* as a:address() */
  ndb_set_number(L, "bytes", (lua_Number)record->bytes);
  ndb_set_number(L, "stream", record->queue);
}

/* {=== calling ===} */

static bool is_quiet(const ndb_listener *l) {
  return ndi_log_ring_is_empty(l->ring) && !ndi_log_ring_is_closed(l->ring);
}

bool ndb_has_records(const ndb_state *S) {
  const ndb_listener *l = S->listeners;
  while (l && is_quiet(l)) l = l->next;
  return l != NULL;
}

typedef struct {
  int function;
  nd_log_record record;
} delivery;

static int deliver(lua_State *L) {
  const delivery *d = lua_touserdata(L, 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, d->function);
  ndb_push_record(L, &d->record);
  lua_call(L, 1, 0);
  return 0;
}

/* The records that are there now: what the function itself makes recorded is left to a later call,
 * or there might be no end. */
static void deliver_all(lua_State *L, ndb_listener *l) {
  const uint64_t end = ndi_log_ring_end(l->ring);
  delivery d = {.function = l->function};
  while (ndi_log_ring_take(l->ring, end, &d.record))
    if (lua_cpcall(L, deliver, &d) != 0) {
      ndi_log_ring_lose(l->ring);
      lua_pop(L, 1); /* the error */
    }
}

/* Those whose log is gone, with nothing left to tell. */
static void drop_finished(lua_State *L, ndb_state *S) {
  for (ndb_listener **at = &S->listeners, *l; (l = *at) != NULL;) {
    const bool is_closed = ndi_log_ring_is_closed(l->ring); /* first: nothing comes after it */
    if (!is_closed || !ndi_log_ring_is_empty(l->ring)) {
      at = &l->next;
      continue;
    }
    *at = l->next;
    luaL_unref(L, LUA_REGISTRYINDEX, l->function);
    ndi_log_ring_drop(l->ring);
    free(l);
  }
}

/* The list only grows meanwhile, at its beginning. */
void ndb_call_listeners(lua_State *L, ndb_state *S) {
  if (S->is_telling || S->is_collecting) return;
  S->is_telling = true;
  for (ndb_listener *l = S->listeners; l; l = l->next) deliver_all(L, l);
  S->is_telling = false;
  drop_finished(L, S);
}

void ndb_drop_listeners(ndb_state *S) {
  ndb_listener *next, *l = S->listeners;
  S->listeners = NULL;
  for (; l; l = next) {
    next = l->next;
    ndi_log_ring_close(l->ring);
    ndi_log_ring_drop(l->ring);
    free(l);
  }
}
