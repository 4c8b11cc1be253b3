/* nd.memory: resources as objects, and which of them a place uses in this Lua state. */
#include <string.h>

#include "bind/bind.h"
#include "dev/cuda.h"

typedef struct {
  nd_resource *resource;
} memory;

static memory *check_memory(lua_State *L, ndb_state *S, int arg, const char *what) {
  bool is_ours = lua_type(L, arg) == LUA_TUSERDATA && lua_getmetatable(L, arg);
  if (is_ours) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, S->memory_metatable);
    is_ours = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
  }
  if (!is_ours) ndb_fail_type(L, S, arg, what, "a memory resource");
  return lua_touserdata(L, arg);
}

/* The hold moves into the object. */
static int push_memory(lua_State *L, ndb_state *S, nd_resource *resource) {
  memory *m = lua_newuserdata(L, sizeof *m); /* what is no file's or other's needs no drop */
  m->resource = resource;
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->memory_metatable);
  lua_setmetatable(L, -2);
  return 1;
}

static void place_of(const nd_resource *resource, nd_place *out) {
  const nd_device *device = nd_device_get(resource->device);
  *out = (nd_place){.kind = resource->kind, .ordinal = device->ordinal};
}

/* {=== objects ===} */

static int memory_tostring(lua_State *L, ndb_state *S) {
  char text[64];
  nd_place place;
  const nd_resource *resource = check_memory(L, S, 1, "self")->resource;
  place_of(resource, &place);
  lua_pushfstring(L, "%s memory of %s%s", resource->ops->name,
                  nd_place_text(&place, text, sizeof text),
                  place.kind != ND_MEM_DEVICE ? ""
                  : resource->ops->is_ordered ? ", from a pool"
                                              : ", by cuMemAlloc");
  return 1;
}

static int memory_index(lua_State *L, ndb_state *S) {
  char text[64];
  nd_place place;
  place_of(check_memory(L, S, 1, "self")->resource, &place);
  const char *field = ndb_check_string(L, S, 2, "field", NULL);
  if (strcmp(field, "device") != 0)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "memory", "there is no field \"%.40s\"; known is device",
             field);
  lua_pushstring(L, nd_place_text(&place, text, sizeof text));
  return 1;
}

void ndb_open_memory(lua_State *L, ndb_state *S) {
  static const ndb_reg list[] = {{"__tostring", memory_tostring, NDB_ANY},
                                 {"__index", memory_index, NDB_ANY},
                                 {NULL, NULL, 0}};
  lua_newtable(L);
  ndb_register(L, list, ndb_dispatch);
  lua_pushliteral(L, "ndbuf.memory");
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "memory_metatable");
  S->memory_metatable = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_newtable(L);
  S->places = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* {=== places ===} By canonical name the object that was set. */

/* Push what was set for a place, or nil. */
static void push_set(lua_State *L, ndb_state *S, const nd_place *place) {
  char text[64];
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->places);
  lua_pushstring(L, nd_place_text(place, text, sizeof text));
  lua_rawget(L, -2);
  lua_remove(L, -2);
}

/* Set it to the value at the top, which is popped. */
static void set_place(lua_State *L, ndb_state *S, const nd_place *place) {
  char text[64];
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->places);
  lua_pushstring(L, nd_place_text(place, text, sizeof text));
  lua_pushvalue(L, -3);
  lua_rawset(L, -3);
  lua_pop(L, 2);
}

nd_resource *ndb_find_resource(lua_State *L, ndb_state *S, const nd_place *place) {
  if (place->kind == ND_MEM_FILE) return NULL;
  push_set(L, S, place);
  const memory *m = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return m ? nd_resource_hold(m->resource) : NULL;
}

static nd_place check_place(lua_State *L, ndb_state *S, int arg) {
  nd_place place;
  nd_error err;
  const char *name = ndb_to_device_name(L, S, arg);
  if (!name) ndb_fail_type(L, S, arg, "device", "a device");
  ndb_check(L, S, nd_place_parse(name, &place, &err), &err);
  if (place.kind == ND_MEM_FILE)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "device", "a file is its own memory");
  return place;
}

/* {=== the functions ===} */

/* device(n [, {async =}]) */
static int memory_device(lua_State *L, ndb_state *S) {
  static const char *const known[] = {"async", NULL};
  const int64_t n = ndb_opt_integer(L, S, 1, "n", 0);
  nd_resource *resource;
  nd_error err;
  lua_settop(L, 2);
  ndb_check_options(L, S, 2, known);
  const bool is_named = ndb_get_option(L, 2, "async");
  const bool is_pooled = ndb_opt_boolean(L, S, -1, "async", true);
  ndb_check(L, S,
            is_named ? nd_cuda_memory(n, is_pooled, &resource, &err)
                     : nd_cuda_resource(ND_MEM_DEVICE, n, &resource, &err),
            &err);
  return push_memory(L, S, resource);
}

/* What the place has by itself. */
static nd_resource *own_memory(lua_State *L, ndb_state *S, const nd_place *place) {
  nd_resource *resource;
  nd_error err;
  ndb_check(L, S, nd_place_resource(place, false, &resource, &err), &err);
  return resource;
}

static int memory_get(lua_State *L, ndb_state *S) {
  const nd_place place = check_place(L, S, 1);
  push_set(L, S, &place);
  return lua_isnil(L, -1) ? push_memory(L, S, own_memory(L, S, &place)) : 1;
}

/* set(device, memory | nil): nil is what the place has by itself. */
static int memory_set(lua_State *L, ndb_state *S) {
  const nd_place place = check_place(L, S, 1);
  nd_place own;
  lua_settop(L, 2);
  if (!lua_isnil(L, 2)) {
    char text[2][64];
    place_of(check_memory(L, S, 2, "memory")->resource, &own);
    if (own.kind != place.kind || own.ordinal != place.ordinal)
      ndb_fail(L, S, ND_INVALID_ARGUMENT, "memory", "it is memory of %s, not of %s",
               nd_place_text(&own, text[0], sizeof text[0]),
               nd_place_text(&place, text[1], sizeof text[1]));
  } else {
    nd_resource_drop(own_memory(L, S, &place)); /* is there such a device? */
  }
  set_place(L, S, &place);
  return 0;
}

/* use(memory, fn, …): set for the length of fn; returns what fn does. */
static int memory_use(lua_State *L, ndb_state *S) {
  nd_place place;
  place_of(check_memory(L, S, 1, "memory")->resource, &place);
  if (!lua_isfunction(L, 2)) ndb_fail_type(L, S, 2, "fn", "a function");
  push_set(L, S, &place);
  lua_insert(L, 2); /* what was set before */
  lua_pushvalue(L, 1);
  set_place(L, S, &place);
  const int status = lua_pcall(L, lua_gettop(L) - 3, LUA_MULTRET, 0);
  lua_pushvalue(L, 2);
  set_place(L, S, &place);
  if (status != 0) return lua_error(L);
  return lua_gettop(L) - 2;
}

/* The number of a place's device, which is opened; the host's is 0. */
static uint16_t number_of(lua_State *L, ndb_state *S, const nd_place *place) {
  nd_device *device;
  nd_error err;
  if (place->kind != ND_MEM_DEVICE && place->kind != ND_MEM_MANAGED) return 0;
  ndb_check(L, S, nd_cuda_device(place->ordinal, &device, &err), &err);
  return device->number;
}

/* trim([device [, keep]]): the bytes that went back. */
static int memory_trim(lua_State *L, ndb_state *S) {
  size_t freed = 0;
  const bool is_one = !lua_isnoneornil(L, 1);
  const nd_place place = is_one ? check_place(L, S, 1) : (nd_place){0};
  const int64_t keep = ndb_opt_integer(L, S, 2, "keep", 0);
  if (keep < 0) ndb_fail(L, S, ND_INVALID_ARGUMENT, "keep", "%lld bytes", (long long)keep);
  const uint16_t first = is_one ? number_of(L, S, &place) : 0,
                 last = is_one ? first : ND_DEVICES - 1;
  nd_reap(ND_REAP_DONE);
  for (int i = first; i <= last; i++) freed += nd_caches_trim((uint16_t)i, (size_t)keep);
  lua_pushnumber(L, (lua_Number)freed);
  return 1;
}

const ndb_reg ndb_memory_functions[] = {{"device", memory_device, 2}, {"get", memory_get, 1},
                                        {"set", memory_set, 2},       {"trim", memory_trim, 2},
                                        {"use", memory_use, NDB_ANY}, {NULL, NULL, 0}};
