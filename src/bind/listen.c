/* Functions of a script that get the records of logs, by nd.memory.log(up, fn). Memory is taken and
 * given back on any thread, and by finalizers, where no function of a script may run. So the
 * records wait in a ring, and the next call of the Lua state empties it before it does anything
 * else. The state and the log have a reference to the ring each: either may end first. */
#include <stdlib.h>

#include "bind/memory.h"

typedef struct {
  ndi_log_ring *ring; /* one reference; its reader is this */
  int function;       /* in the registry */
} listener;

static nd_status open_listeners(ndb_state *S) {
  if (!S->listeners) S->listeners = ndi_due_make();
  return S->listeners ? ND_OK : ND_OUT_OF_MEMORY;
}

void ndb_listen(lua_State *L, ndb_state *S, int arg, ndi_log_ring *ring) {
  if (!S->anchors) ndb_fail(L, S, ND_UNSUPPORTED, NULL, "the Lua state is being closed");
  lua_pushvalue(L, arg);
  const int function = luaL_ref(L, LUA_REGISTRYINDEX); /* first: it may raise */
  listener *l = open_listeners(S) == ND_OK ? malloc(sizeof *l) : NULL;
  if (!l) {
    luaL_unref(L, LUA_REGISTRYINDEX, function);
    ndb_fail(L, S, ND_OUT_OF_MEMORY, NULL, "no memory to keep the function");
    return;
  }
  *l = (listener){.ring = ndi_log_ring_hold(ring), .function = function};
  ndi_log_ring_join(ring, S->listeners, l);
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
static void deliver_all(lua_State *L, listener *l) {
  const uint64_t end = ndi_log_ring_end(l->ring);
  delivery d = {.function = l->function};
  while (ndi_log_ring_take(l->ring, end, &d.record))
    if (lua_cpcall(L, deliver, &d) != 0) {
      ndi_log_ring_lose(l->ring);
      lua_pop(L, 1); /* the error */
    }
}

/* If its log is gone, with nothing left to tell. */
static void drop_finished(lua_State *L, listener *l) {
  const bool is_closed = ndi_log_ring_is_closed(l->ring); /* first: nothing comes after it */
  if (!is_closed || !ndi_log_ring_is_empty(l->ring)) return;
  luaL_unref(L, LUA_REGISTRYINDEX, l->function);
  ndi_log_ring_set_reader(l->ring, NULL); /* it may be due once more, as it is closed */
  ndi_log_ring_drop(l->ring);
  free(l);
}

/* As many logs as have something to tell now: others, and the same, may have it meanwhile. */
void ndb_call_listeners(lua_State *L, ndb_state *S) {
  void *l;
  if (S->is_telling || S->is_collecting || !S->listeners) return;
  S->is_telling = true;
  for (size_t left = ndi_due_count(S->listeners); left > 0; left--) {
    if (!ndi_log_ring_take_due(S->listeners, &l)) break;
    if (!l) continue;
    deliver_all(L, l);
    drop_finished(L, l);
  }
  S->is_telling = false;
}

static void end_listener(listener *l) {
  ndi_log_ring_set_reader(l->ring, NULL);
  ndi_log_ring_close(l->ring);
  ndi_log_ring_drop(l->ring);
  free(l);
}

void ndb_drop_listeners(ndb_state *S) {
  void *l;
  ndi_due *all = S->listeners;
  if (!all) return;
  S->listeners = NULL;
  ndi_due_close(all);
  while (ndi_log_ring_pop(all, &l))
    if (l) end_listener(l);
  while (ndi_log_ring_take_due(all, &l)) continue;
  ndi_due_drop(all);
}
