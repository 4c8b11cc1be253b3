/* Memory objects: resources with their methods; and reservations. */
#include <string.h>

#include "bind/memory.h"

/* {=== objects ===} */

/* Closing a resource calls no driver: the last block of it was given back before. */
static int memory_gc(lua_State *L) {
  ndb_memory *m = lua_touserdata(L, 1);
  if (!m || lua_objlen(L, 1) != sizeof *m) return 0;
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

uint64_t ndb_check_limit(lua_State *L, ndb_state *S, int arg, nd_resource *up) {
  uint64_t limit;
  nd_error err;
  if (lua_type(L, arg) != LUA_TSTRING) return ndb_check_size(L, S, arg, "limit");
  const nd_status status = nd_budget_parse(ndb_check_string(L, S, arg, "limit", NULL), up, &limit,
                                           &err);
  if (status != ND_OK) ndb_fail_as(L, S, &err, "limit");
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
             "there is no field \"%.40s\"; known are device, check, pop_stats, push_stats, reap, "
             "reserve, reset_peak, reset_requests, set_limit, stats, trim",
             field);
  return 1;
}

/* {=== counters ===} */

static void set_number(lua_State *L, const char *name, lua_Number value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, name);
}

/* 'now' is signed: in a scope it may be below 0. */
static void set_gauge(lua_State *L, const char *name, const nd_gauge *gauge) {
  lua_createtable(L, 0, 3);
  set_number(L, "current", (lua_Number)(int64_t)gauge->now);
  set_number(L, "peak", (lua_Number)gauge->peak);
  set_number(L, "total", (lua_Number)gauge->total);
  lua_setfield(L, -2, name);
}

static void set_pair(lua_State *L, const char *name, const nd_gauge *bytes, const nd_gauge *count) {
  lua_createtable(L, 0, 2);
  set_gauge(L, "bytes", bytes);
  set_gauge(L, "count", count);
  lua_setfield(L, -2, name);
}

static int push_stats(lua_State *L, const nd_mem_stats *stats) {
  lua_createtable(L, 0, 10);
  set_pair(L, "live", &stats->live, &stats->live_count);
  set_pair(L, "pending", &stats->pending, &stats->pending_count);
  set_pair(L, "cached", &stats->cached, &stats->cached_count);
  set_pair(L, "reserved", &stats->reserved, &stats->reserved_count);
  set_number(L, "requests", (lua_Number)stats->requests);
  set_number(L, "failed_takes", (lua_Number)stats->failed_takes);
  set_number(L, "failed_frees", (lua_Number)stats->failed_gives);
  if (stats->limit == UINT64_MAX) return 1;
  set_number(L, "limit", (lua_Number)stats->limit);
  set_number(L, "remaining", (lua_Number)stats->remaining);
  return 1;
}

static int memory_stats(lua_State *L, ndb_state *S) {
  nd_mem_stats stats;
  nd_resource_get_stats(check_self(L, S), &stats);
  return push_stats(L, &stats);
}

static int memory_push_stats(lua_State *L, ndb_state *S) {
  nd_error err;
  ndb_check(L, S, nd_stats_push(check_self(L, S), &err), &err);
  return 0;
}

static int memory_pop_stats(lua_State *L, ndb_state *S) {
  nd_mem_stats stats;
  nd_error err;
  ndb_check(L, S, nd_stats_pop(check_self(L, S), &stats, &err), &err);
  return push_stats(L, &stats);
}

static int memory_reset_peak(lua_State *L, ndb_state *S) {
  nd_resource_reset_peak(check_self(L, S));
  return 0;
}

static int memory_reset_requests(lua_State *L, ndb_state *S) {
  nd_resource_reset_requests(check_self(L, S));
  return 0;
}

/* {=== freeing ===} */

/* trim([keep]): returns the bytes given back. Blocks that are finished reach the caches first. */
static int memory_trim(lua_State *L, ndb_state *S) {
  size_t freed;
  nd_error err;
  nd_resource *self = check_self(L, S);
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
  nd_resource *self = check_self(L, S);
  const size_t freed = nd_reap(ND_REAP_DONE);
  ndb_check(L, S, nd_resource_reap(self, ND_REAP_DONE, &more, &err), &err);
  lua_pushnumber(L, (lua_Number)(freed + more));
  return 1;
}

/* {=== budgets ===} */

/* check(bytes): true; or false and what would be raised. */
static int memory_check(lua_State *L, ndb_state *S) {
  nd_error err;
  nd_resource *self = check_self(L, S);
  const nd_status status = nd_budget_check(self, ndb_check_size(L, S, 2, "bytes"), &err);
  lua_pushboolean(L, status == ND_OK);
  if (status == ND_OK) return 1;
  lua_pushstring(L, err.message);
  return 2;
}

static int memory_set_limit(lua_State *L, ndb_state *S) {
  nd_error err;
  nd_resource *self = check_self(L, S);
  ndb_check(L, S, nd_budget_set_limit(self, ndb_check_limit(L, S, 2, self), &err), &err);
  return 0;
}

/* {=== reservations ===} */

typedef struct {
  nd_reservation *reservation; /* NULL before it is set, and once it is finalized */
} reservation;

static int reservation_gc(lua_State *L) {
  reservation *r = lua_touserdata(L, 1);
  if (!r || lua_objlen(L, 1) != sizeof *r) return 0;
  if (r->reservation) nd_reservation_drop(r->reservation);
  r->reservation = NULL;
  return 0;
}

static int memory_reserve(lua_State *L, ndb_state *S) {
  nd_error err;
  nd_resource *self = check_self(L, S);
  const size_t bytes = ndb_check_size(L, S, 2, "bytes");
  ndb_stress(L, S);
  reservation *r = lua_newuserdata(L, sizeof *r);
  r->reservation = NULL;
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->reservation_metatable);
  lua_setmetatable(L, -2);
  ndb_check(L, S, nd_budget_reserve(self, bytes, &r->reservation, &err), &err);
  return 1;
}

static nd_reservation *check_reservation(lua_State *L, ndb_state *S) {
  if (!ndb_has_metatable(L, 1, S->reservation_metatable))
    ndb_fail_type(L, S, 1, "self", "a reservation");
  nd_reservation *r = ((reservation *)lua_touserdata(L, 1))->reservation;
  if (!r) ndb_fail(L, S, ND_FREED, "self", "the reservation was finalized");
  return r;
}

static int reservation_release(lua_State *L, ndb_state *S) {
  nd_reservation_release(check_reservation(L, S));
  return 0;
}

/* use(fn, …): what fn(…) takes from the budget's memory comes from the reservation as far as it
 * goes; returns fn's results. */
static int reservation_use(lua_State *L, ndb_state *S) {
  nd_reservation *outer = S->reservation;
  S->reservation = check_reservation(L, S); /* the object is kept at 1 */
  if (!lua_isfunction(L, 2)) S->reservation = outer, ndb_fail_type(L, S, 2, "fn", "a function");
  const int status = ndb_call_script(L, S, lua_gettop(L) - 2);
  S->reservation = outer;
  if (status != 0) return lua_error(L);
  return lua_gettop(L) - 1;
}

static int reservation_index(lua_State *L, ndb_state *S) {
  const nd_reservation *r = check_reservation(L, S);
  const char *field = ndb_check_string(L, S, 2, "field", NULL);
  if (strcmp(field, "remaining") == 0)
    return lua_pushnumber(L, (lua_Number)nd_reservation_remaining(r)), 1;
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->reservation_metatable);
  lua_getfield(L, -1, "methods");
  lua_pushvalue(L, 2);
  lua_rawget(L, -2);
  if (lua_isnil(L, -1))
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "reservation",
             "there is no field \"%.40s\"; known are remaining, release, use", field);
  return 1;
}

static int reservation_tostring(lua_State *L, ndb_state *S) {
  lua_pushfstring(L, "reservation of %f B",
                  (lua_Number)nd_reservation_remaining(check_reservation(L, S)));
  return 1;
}

/* {=== metatables ===} */

/* A metatable with these functions, methods and finalizer, in the registry. */
static int make_metatable(lua_State *L, const ndb_reg *list, const ndb_reg *methods,
                          lua_CFunction gc, const char *name) {
  lua_newtable(L);
  ndb_register(L, list);
  lua_newtable(L);
  ndb_register(L, methods);
  lua_setfield(L, -2, "methods");
  lua_pushcfunction(L, gc);
  lua_setfield(L, -2, "__gc");
  lua_pushstring(L, name);
  lua_setfield(L, -2, "__metatable");
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

/* Set core.memory_metatable and core.reservation_metatable (core is at the top), and make the table
 * of places. */
void ndb_open_memory(lua_State *L, ndb_state *S) {
  static const ndb_reg memories[] = {{"__tostring", memory_tostring, NDB_ANY},
                                     {"__index", memory_index, NDB_ANY},
                                     {NULL, NULL, 0}};
  static const ndb_reg methods[] = {{"check", memory_check, 2},
                                    {"pop_stats", memory_pop_stats, 1},
                                    {"push_stats", memory_push_stats, 1},
                                    {"reap", memory_reap, 1},
                                    {"reserve", memory_reserve, 2},
                                    {"reset_peak", memory_reset_peak, 1},
                                    {"reset_requests", memory_reset_requests, 1},
                                    {"set_limit", memory_set_limit, 2},
                                    {"stats", memory_stats, 1},
                                    {"trim", memory_trim, 2},
                                    {NULL, NULL, 0}};
  static const ndb_reg reservations[] = {{"__tostring", reservation_tostring, NDB_ANY},
                                         {"__index", reservation_index, NDB_ANY},
                                         {NULL, NULL, 0}};
  static const ndb_reg uses[] = {
      {"release", reservation_release, 1}, {"use", reservation_use, NDB_ANY}, {NULL, NULL, 0}};
  S->memory_metatable = make_metatable(L, memories, methods, memory_gc, "ndbuf.memory");
  S->reservation_metatable = make_metatable(L, reservations, uses, reservation_gc,
                                            "ndbuf.reservation");
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->memory_metatable);
  lua_setfield(L, -2, "memory_metatable");
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->reservation_metatable);
  lua_setfield(L, -2, "reservation_metatable");
  lua_newtable(L);
  S->places = luaL_ref(L, LUA_REGISTRYINDEX);
}
