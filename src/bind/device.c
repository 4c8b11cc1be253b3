/* Device objects: the userdata is the canonical name. */
#include <string.h>

#include "bind/bind.h"

static int device_tostring(lua_State *L, ndb_state *S) {
  const char *name = lua_type(L, 1) == LUA_TUSERDATA ? ndb_to_device_name(L, S, 1) : NULL;
  if (!name) ndb_fail_type(L, S, 1, "self", "a device");
  lua_pushstring(L, name);
  return 1;
}

static int device_index(lua_State *L, ndb_state *S) {
  device_tostring(L, S);
  const char *field = ndb_check_string(L, S, 2, "field", NULL);
  if (strcmp(field, "name") != 0)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "device", "there is no field \"%.40s\"; known is name",
             field);
  return 1;
}

void ndb_open_devices(lua_State *L, ndb_state *S) {
  static const ndb_reg list[] = {
      {"__tostring", device_tostring}, {"__index", device_index}, {NULL, NULL}};
  lua_newtable(L);
  ndb_register(L, list, ndb_dispatch);
  lua_pushliteral(L, "ndbuf.device");
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "device_metatable");
  S->device_metatable = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* A path is not opened: a maker does that. */
static int module_device(lua_State *L, ndb_state *S) {
  nd_place place;
  nd_error err;
  const char *name = ndb_to_device_name(L, S, 1);
  if (!name) ndb_fail_type(L, S, 1, "device", "a device's name");
  ndb_check(L, S, nd_place_parse(name, &place, &err), &err);
  if (place.kind != ND_MEM_FILE) nd_resource_drop(ndb_open_place(L, S, name, false));
  lua_pushfstring(L, "%s%s", place.kind == ND_MEM_FILE ? "disk:" : "cpu",
                  place.kind == ND_MEM_FILE ? place.path : "");
  const size_t bytes = lua_objlen(L, -1) + 1;
  ndb_stress(L, S);
  char *canonical = lua_newuserdata(L, bytes);
  memcpy(canonical, lua_tostring(L, -2), bytes);
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->device_metatable);
  lua_setmetatable(L, -2);
  return 1;
}

const ndb_reg ndb_device_functions[] = {{"device", module_device}, {NULL, NULL}};
