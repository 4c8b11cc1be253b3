/* Memory objects: resources with the methods that all stacks have. */
#include <string.h>

#include "bind/memory.h"

/* {=== objects ===} */

/* Closing a resource calls no driver: the last block of it was given back before. */
static int memory_gc(lua_State *L) {
  ndb_memory *m = ndb_to_finalized(L, memory_gc);
  if (!m) return 0;
  nd_resource_drop(m->resource);
  m->resource = NULL;
  return 0;
}

ndb_memory *ndb_push_memory(lua_State *L, ndb_state *S) {
  ndb_stress(L, S);
  ndb_memory *m = lua_newuserdata(L, sizeof *m);
  m->resource = NULL;
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->memory_metatable);
  lua_setmetatable(L, -2);
  return m;
}

bool ndb_is_memory(lua_State *L, ndb_state *S, int arg) {
  return ndb_has_metatable(L, arg, S->memory_metatable);
}

nd_resource *ndb_check_memory(lua_State *L, ndb_state *S, int arg, const char *what) {
  if (!ndb_is_memory(L, S, arg)) ndb_fail_type(L, S, arg, what, "a memory resource");
  nd_resource *resource = ((ndb_memory *)lua_touserdata(L, arg))->resource;
  if (!resource) ndb_fail(L, S, ND_FREED, what, "the memory resource was finalized");
  return resource;
}

static nd_resource *check_self(lua_State *L, ndb_state *S) {
  return ndb_check_memory(L, S, 1, "self");
}

nd_resource *ndb_check_stack(lua_State *L, ndb_state *S) {
  nd_error err;
  nd_resource *self = check_self(L, S);
  ndb_check(L, S, nd_guard_raise(self, &err), &err);
  return self;
}

/* No limit has a NUL byte, which a message would end at. */
static const char *check_limit_text(lua_State *L, ndb_state *S, int arg, const char *what) {
  size_t length;
  const char *text = ndb_check_string(L, S, arg, what, &length);
  if (strlen(text) != length)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, what,
             "\"%.40s\\0\" is no limit: there is a NUL byte in the text", text);
  return text;
}

uint64_t ndb_check_limit(lua_State *L, ndb_state *S, int arg, const char *what, nd_resource *up) {
  uint64_t limit;
  nd_error err;
  int64_t value;
  const bool is_text = lua_type(L, arg) == LUA_TSTRING;
  if (!is_text && !ndb_to_integer(L, S, arg, what, &value))
    ndb_fail_type(L, S, arg, what, "an integer or a text such as \"4GiB\" or \"50%\"");
  if (!is_text) return ndb_check_size(L, S, arg, what);
  const nd_status status = nd_budget_parse(check_limit_text(L, S, arg, what), up, &limit, &err);
  if (status != ND_OK) ndb_fail_as(L, S, &err, what);
  return limit;
}

/* "host memory of cpu", and how it is allocated where there are several ways. */
static void push_leaf_text(lua_State *L, const nd_resource *resource) {
  char text[64];
  const nd_place place = nd_resource_place(resource);
  const char *origin = resource->ops->origin;
  lua_pushfstring(L, "%s memory of %s%s%s", resource->ops->name,
                  nd_place_text(&place, text, sizeof text), origin ? ", " : "",
                  origin ? origin : "");
}

/* "budget of stats of host memory of cpu" */
static int memory_tostring(lua_State *L, ndb_state *S) {
  int parts = 0;
  const nd_resource *resource = check_self(L, S);
  for (; resource->up; resource = resource->up, parts += 2) {
    luaL_checkstack(L, 4, "layers");
    lua_pushstring(L, resource->ops->name);
    lua_pushliteral(L, " of ");
  }
  push_leaf_text(L, resource);
  lua_concat(L, parts + 1);
  return 1;
}

static int memory_index(lua_State *L, ndb_state *S) {
  char text[64];
  const nd_place place = nd_resource_place(check_self(L, S));
  const char *field = ndb_check_string(L, S, 2, "field", NULL);
  if (strcmp(field, "device") == 0) {
    lua_pushstring(L, nd_place_text(&place, text, sizeof text));
    return 1;
  }
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->memory_metatable);
  lua_getfield(L, -1, "methods");
  lua_pushvalue(L, 2);
  lua_rawget(L, -2);
  if (lua_isnil(L, -1))
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "memory",
             "there is no field \"%.40s\"; known are device, check, flush, outstanding, pop_stats, "
             "push_stats, reap, records, reserve, reset_peak, reset_requests, set_limit, stats, "
             "trim, verify",
             field);
  return 1;
}

/* {=== counters ===} */

/* 'now' is signed: in a scope it may be below 0. */
static void set_gauge(lua_State *L, const char *name, const nd_gauge *gauge) {
  lua_createtable(L, 0, 3);
  ndb_set_number(L, "current", (lua_Number)(int64_t)gauge->now);
  ndb_set_number(L, "peak", (lua_Number)gauge->peak);
  ndb_set_number(L, "total", (lua_Number)gauge->total);
  lua_setfield(L, -2, name);
}

static void set_pair(lua_State *L, const char *name, const nd_gauge *bytes, const nd_gauge *count) {
  lua_createtable(L, 0, 2);
  set_gauge(L, "bytes", bytes);
  set_gauge(L, "count", count);
  lua_setfield(L, -2, name);
}

static int push_stats(lua_State *L, const nd_resource *of, const nd_mem_stats *stats) {
  uint64_t lost;
  lua_createtable(L, 0, 11);
  set_pair(L, "live", &stats->live, &stats->live_count);
  set_pair(L, "pending", &stats->pending, &stats->pending_count);
  set_pair(L, "cached", &stats->cached, &stats->cached_count);
  set_pair(L, "reserved", &stats->reserved, &stats->reserved_count);
  set_pair(L, "held", &stats->held, &stats->held_count);
  ndb_set_number(L, "requests", (lua_Number)stats->requests);
  ndb_set_number(L, "failed_takes", (lua_Number)stats->failed_takes);
  ndb_set_number(L, "failed_frees", (lua_Number)stats->failed_gives);
  if (nd_log_lost(of, &lost)) ndb_set_number(L, "lost_records", (lua_Number)lost);
  if (stats->limit == UINT64_MAX) return 1;
  ndb_set_number(L, "limit", (lua_Number)stats->limit);
  ndb_set_number(L, "remaining", (lua_Number)stats->remaining);
  return 1;
}

static int memory_stats(lua_State *L, ndb_state *S) {
  nd_mem_stats stats;
  nd_resource *self = ndb_check_stack(L, S);
  nd_resource_get_stats(self, &stats);
  return push_stats(L, self, &stats);
}

static int memory_push_stats(lua_State *L, ndb_state *S) {
  nd_error err;
  ndb_check(L, S, nd_stats_push(ndb_check_stack(L, S), &err), &err);
  return 0;
}

static int memory_pop_stats(lua_State *L, ndb_state *S) {
  nd_mem_stats stats;
  nd_error err;
  nd_resource *self = ndb_check_stack(L, S);
  ndb_check(L, S, nd_stats_pop(self, &stats, &err), &err);
  return push_stats(L, self, &stats);
}

static int memory_reset_peak(lua_State *L, ndb_state *S) {
  nd_resource_reset_peak(ndb_check_stack(L, S));
  return 0;
}

static int memory_reset_requests(lua_State *L, ndb_state *S) {
  nd_resource_reset_requests(ndb_check_stack(L, S));
  return 0;
}

/* {=== freeing ===} */

/* trim([keep]): returns the bytes given back. Blocks that are finished reach the caches first. */
static int memory_trim(lua_State *L, ndb_state *S) {
  size_t freed;
  nd_error err;
  nd_resource *self = ndb_check_stack(L, S);
  const size_t keep = lua_isnoneornil(L, 2) ? 0 : ndb_check_size(L, S, 2, "keep");
  nd_reap(ND_REAP_DONE);
  ndb_check(L, S, nd_resource_trim(self, keep, &freed, &err), &err);
  lua_pushnumber(L, (lua_Number)freed);
  return 1;
}

/* reap(): blocks whose work is done; returns their bytes. */
static int memory_reap(lua_State *L, ndb_state *S) {
  size_t more;
  nd_error err;
  nd_resource *self = ndb_check_stack(L, S);
  const size_t freed = S->reaped + nd_reap(ND_REAP_DONE);
  ndb_check(L, S, nd_resource_reap(self, ND_REAP_DONE, &more, &err), &err);
  lua_pushnumber(L, (lua_Number)(freed + more));
  return 1;
}

/* {=== metatables ===} */

int ndb_make_metatable(lua_State *L, const ndb_reg *list, lua_CFunction gc, const char *name) {
  lua_newtable(L);
  ndb_register(L, list);
  lua_newtable(L);
  lua_setfield(L, -2, "methods");
  lua_pushcfunction(L, gc);
  lua_setfield(L, -2, "__gc");
  lua_pushstring(L, name);
  lua_setfield(L, -2, "__metatable");
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

void ndb_add_methods(lua_State *L, int metatable, const ndb_reg *methods) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, metatable);
  lua_getfield(L, -1, "methods");
  ndb_register(L, methods);
  lua_pop(L, 2);
}

/* Set core.memory_metatable (core is at the top). */
void ndb_open_memory(lua_State *L, ndb_state *S) {
  static const ndb_reg memories[] = {{"__tostring", memory_tostring, NDB_ANY},
                                     {"__index", memory_index, NDB_ANY},
                                     {NULL, NULL, 0}};
  static const ndb_reg methods[] = {{"pop_stats", memory_pop_stats, 1},
                                    {"push_stats", memory_push_stats, 1},
                                    {"reap", memory_reap, 1},
                                    {"reset_peak", memory_reset_peak, 1},
                                    {"reset_requests", memory_reset_requests, 1},
                                    {"stats", memory_stats, 1},
                                    {"trim", memory_trim, 2},
                                    {NULL, NULL, 0}};
  S->memory_metatable = ndb_make_metatable(L, memories, memory_gc, "ndbuf.memory");
  ndb_add_methods(L, S->memory_metatable, methods);
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->memory_metatable);
  lua_setfield(L, -2, "memory_metatable");
  lua_newtable(L);
  S->places = luaL_ref(L, LUA_REGISTRYINDEX);
}
