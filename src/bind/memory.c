/* nd.memory: resources, and which of them the makers use for a place in this Lua state; the
 * counters of nd.stats. A place is a device with a kind of memory ("cuda:0", "pinned"). */
#include <string.h>

#include "bind/memory.h"
#include "dev/threads.h"

/* {=== places ===} S->places: canonical name -> the object that was set. */

/* Push the object that was set for a place, or nil. */
static void push_set(lua_State *L, ndb_state *S, const nd_place *place) {
  char text[64];
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->places);
  lua_pushstring(L, nd_place_text(place, text, sizeof text));
  lua_rawget(L, -2);
  lua_remove(L, -2);
}

/* Set the place's object to the value at the top, which is popped; nil unsets it. */
static void set_place(lua_State *L, ndb_state *S, const nd_place *place, size_t ledger) {
  char text[64];
  const ndb_memory *m = lua_touserdata(L, -1); /* NULL for nil */
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->places);
  lua_pushstring(L, nd_place_text(place, text, sizeof text));
  lua_pushvalue(L, -3);
  lua_rawset(L, -3); /* raises before anything is changed */
  lua_pop(L, 2);
  if (m) ndb_choose_memory(S, ledger, m->resource);
  else ndb_choose_default(L, S, ledger);
}

/* The resource that nd.memory.set chose for a place, with a reference for the caller, or NULL. */
static nd_resource *find_resource(lua_State *L, ndb_state *S, const nd_place *place) {
  if (place->kind == ND_MEM_FILE || S->chosen_count == 0) return NULL;
  push_set(L, S, place);
  const ndb_memory *m = lua_touserdata(L, -1); /* NULL for nil */
  lua_pop(L, 1);
  return m && m->resource ? nd_resource_hold(m->resource) : NULL; /* NULL: finalized at the end */
}

/* What a name stands for where nothing is set. A file has no default: each serves one array. */
static nd_status open_default(const nd_place *place, bool overwrite, nd_resource **out,
                              nd_error *err) {
  nd_resource *leaf;
  ND_TRY(nd_place_resource(place, (nd_place_options){.overwrite = overwrite}, &leaf, err));
  if (place->kind == ND_MEM_FILE) return *out = leaf, ND_OK;
  const nd_status status = ndb_default_stack(leaf, out, err);
  nd_resource_drop(leaf);
  return status;
}

nd_resource *ndb_open_resource(lua_State *L, ndb_state *S, const nd_place *place, bool overwrite) {
  nd_error err;
  nd_resource *resource = find_resource(L, S, place);
  if (!resource) ndb_check(L, S, open_default(place, overwrite, &resource, &err), &err);
  return resource;
}

/* The place named at 'arg', which has to be one that a resource can be set for. */
static nd_place check_place(lua_State *L, ndb_state *S, int arg) {
  const nd_place place = ndb_check_place(L, S, arg, "device");
  if (place.kind == ND_MEM_FILE)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "device", "a file has no memory resource");
  return place;
}

/* {=== the functions ===} */

/* Set '*m', an object without memory, to that of a place; returns it, which is at the top. */
static int push_own(lua_State *L, ndb_state *S, const nd_place *place, nd_place_options how) {
  nd_error err;
  ndb_memory *m = ndb_push_memory(L, S);
  ndb_check(L, S, nd_place_resource(place, how, &m->resource, &err), &err);
  return 1;
}

static int memory_host(lua_State *L, ndb_state *S) {
  return push_own(L, S, &(nd_place){.kind = ND_MEM_HOST}, (nd_place_options){0});
}

static int memory_pinned(lua_State *L, ndb_state *S) {
  return push_own(L, S, &(nd_place){.kind = ND_MEM_PINNED}, (nd_place_options){0});
}

/* device(n [, {async =}]): memory of GPU n, from a pool or not. No backend is named: it is of the
 * first one that has device memory. */
static int memory_device(lua_State *L, ndb_state *S) {
  const nd_place place = {.kind = ND_MEM_DEVICE, .ordinal = ndb_opt_integer(L, S, 1, "n", 0)};
  nd_place_options how = {0};
  ndb_options options;
  ndb_read_options(L, S, 2, NDB_BIT(ASYNC), &options);
  if (options.at[NDB_ASYNC])
    how.pooling = ndb_option_boolean(L, S, &options, NDB_ASYNC, true) ? ND_POOLING_ON
                                                                      : ND_POOLING_OFF;
  return push_own(L, S, &place, how);
}

static int memory_managed(lua_State *L, ndb_state *S) {
  const nd_place place = {.kind = ND_MEM_MANAGED, .ordinal = ndb_opt_integer(L, S, 1, "n", 0)};
  return push_own(L, S, &place, (nd_place_options){0});
}

/* file(path [, {overwrite =}]): of a new file, for one array. */
static int memory_file(lua_State *L, ndb_state *S) {
  const nd_place place = {.kind = ND_MEM_FILE, .path = ndb_check_path(L, S, 1, "path")};
  ndb_options options;
  ndb_read_options(L, S, 2, NDB_BIT(OVERWRITE), &options);
  const bool overwrite = ndb_option_boolean(L, S, &options, NDB_OVERWRITE, false);
  return push_own(L, S, &place, (nd_place_options){.overwrite = overwrite});
}

/* get(device): what was set, else an object for the default. */
static int memory_get(lua_State *L, ndb_state *S) {
  const nd_place place = check_place(L, S, 1);
  nd_error err;
  push_set(L, S, &place);
  if (!lua_isnil(L, -1)) return 1;
  ndb_memory *m = ndb_push_memory(L, S);
  ndb_check(L, S, open_default(&place, false, &m->resource, &err), &err);
  return 1;
}

/* set(device, memory | nil): nil restores the place's default. */
static int memory_set(lua_State *L, ndb_state *S) {
  const nd_place place = check_place(L, S, 1);
  nd_resource *own;
  lua_settop(L, 2);
  if (!lua_isnil(L, 2)) {
    char text[2][64];
    own = ndb_check_memory(L, S, 2, "memory");
    const nd_place its = nd_resource_place(own);
    if (its.backend != place.backend || its.kind != place.kind || its.ordinal != place.ordinal)
      ndb_fail(L, S, ND_INVALID_ARGUMENT, "memory", "expected memory of %s, got memory of %s",
               nd_place_text(&place, text[0], sizeof text[0]),
               nd_place_text(&its, text[1], sizeof text[1]));
  } else {
    push_own(L, S, &place, (nd_place_options){0}); /* raises when there is no such device */
    own = ndb_check_memory(L, S, 3, "memory");
    lua_pushnil(L);
  }
  set_place(L, S, &place, ndb_ledger_of(own));
  return 0;
}

/* use(memory, fn, …): set while fn(…) runs, restored also after an error; returns fn's results. */
static int memory_use(lua_State *L, ndb_state *S) {
  nd_resource *own = ndb_check_memory(L, S, 1, "memory");
  const nd_place place = nd_resource_place(own);
  const size_t ledger = ndb_ledger_of(own);
  if (place.kind == ND_MEM_FILE)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "memory",
             "that of a file serves one array; pass it to a maker");
  if (!lua_isfunction(L, 2)) ndb_fail_type(L, S, 2, "fn", "a function");
  push_set(L, S, &place);
  lua_insert(L, 2); /* what was set before; fn, and later its results, are at 3 */
  lua_pushvalue(L, 1);
  set_place(L, S, &place, ledger);
  const int status = ndb_call_script(L, S, lua_gettop(L) - 3);
  lua_pushvalue(L, 2);
  set_place(L, S, &place, ledger);
  if (status != 0) return lua_error(L);
  return lua_gettop(L) - 2;
}

/* The number of a place's device, which is opened; the host's is 0. */
static uint16_t number_of(lua_State *L, ndb_state *S, const nd_place *place) {
  nd_device *device;
  nd_error err;
  ndb_check(L, S, nd_place_device(place, &device, &err), &err);
  return device->number;
}

/* trim([device [, keep]]): give cached blocks back to the system, but 'keep' bytes for each device;
 * returns the bytes given back. */
static int memory_trim(lua_State *L, ndb_state *S) {
  size_t freed = 0;
  const bool is_one = !lua_isnoneornil(L, 1);
  const nd_place place = is_one ? check_place(L, S, 1) : (nd_place){0};
  const int64_t keep = ndb_opt_integer(L, S, 2, "keep", 0);
  if (keep < 0)
    ndb_fail_with(L, S, ND_INVALID_ARGUMENT, "keep", ND_NUMBERS({"value", keep}, {"limit", 0}),
                  "%lld is negative; the limit is 0", (long long)keep);
  const uint16_t first = is_one ? number_of(L, S, &place) : 0,
                 last = is_one ? first : ND_DEVICES - 1; /* every number that a device can have */
  nd_reap(ND_REAP_DONE); /* blocks that are finished reach the caches first */
  for (int i = first; i <= last; i++) freed += nd_caches_trim((uint16_t)i, (size_t)keep);
  lua_pushnumber(L, (lua_Number)freed);
  return 1;
}

/* stats(): the host's counters, pending bytes of all devices, full collections run for the debt and
 * their processor time, the number of threads. */
static int module_stats(lua_State *L, ndb_state *S) {
  nd_mem_stats stats;
  nd_resource_get_stats(nd_host_resource(), &stats);
  const struct {
    const char *name;
    lua_Number value;
  } rows[] = {{"live", (lua_Number)stats.live.now},
              {"peak", (lua_Number)stats.live.peak},
              {"total", (lua_Number)stats.live.total},
              {"count", (lua_Number)stats.live_count.now},
              {"pending", (lua_Number)nd_pending_bytes()},
              {"cached", (lua_Number)stats.cached.now},
              {"collections", (lua_Number)S->collections},
              {"collecting_ms", S->collecting_ms},
              {"threads", nd_threads_get()}};
  lua_newtable(L);
  for (size_t i = 0; i < ND_COUNTOF(rows); i++) {
    lua_pushnumber(L, rows[i].value);
    lua_setfield(L, -2, rows[i].name);
  }
  return 1;
}

const ndb_reg ndb_memory_functions[] = {
    {"device", memory_device, 2},   {"file", memory_file, 2},
    {"get", memory_get, 1},         {"host", memory_host, 0},
    {"managed", memory_managed, 1}, {"pinned", memory_pinned, 0},
    {"set", memory_set, 2},         {"trim", memory_trim, 2},
    {"use", memory_use, NDB_ANY},   {NULL, NULL, 0}};
const ndb_reg ndb_stats_functions[] = {{"stats", module_stats, 0}, {NULL, NULL, 0}};
