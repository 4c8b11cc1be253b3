/* dtype objects: nd.f32 and its like. The userdata contains the nd_dtype as an int. Each object
 * is made once, when the module is loaded, so equal dtypes are the same object and the same
 * table key. */
#include "bind/bind.h"

/* The dtype of argument 1. ndb_to_dtype takes names, too, but self has to be an object. */
static nd_dtype check_self(lua_State *L, ndb_state *S) {
  nd_dtype dtype = ND_F64;
  if (lua_type(L, 1) != LUA_TUSERDATA || !ndb_to_dtype(L, S, 1, &dtype))
    ndb_fail_type(L, S, 1, "self", "a dtype");
  return dtype;
}

static int dtype_tostring(lua_State *L, ndb_state *S) {
  lua_pushstring(L, nd_dtype_get(check_self(L, S))->name);
  return 1;
}

static const char *kind_name(nd_kind kind) {
  static const char *const names[] = {"bool", "int", "uint", "float",
                                      "complex"}; /* the order of nd_kind */
  return names[kind];
}

/* Push a table of the fields: dtype objects are read rarely, so it is made for each access. */
static void push_dtype_fields(lua_State *L, const nd_dtype_traits *t) {
  lua_createtable(L, 0, 4);
  lua_pushstring(L, t->name);
  lua_setfield(L, -2, "name");
  lua_pushnumber(L, t->bytes);
  lua_setfield(L, -2, "itemsize");
  lua_pushstring(L, kind_name(t->kind));
  lua_setfield(L, -2, "kind");
}

/* dtype.field: an unknown field raises, as nil would hide a misspelt name. */
static int dtype_index(lua_State *L, ndb_state *S) {
  const nd_dtype dtype = check_self(L, S);
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) ndb_fail_type(L, S, 2, "field", "a string");
  push_dtype_fields(L, nd_dtype_get(dtype));
  lua_pushvalue(L, 2);
  lua_rawget(L, -2);
  if (lua_isnil(L, -1))
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "dtype",
             "there is no field \"%.40s\"; known are name, itemsize, kind",
             lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2));
  return 1;
}

/* Set core.dtypes, from which init.lua takes nd.f32 and the others, and core.dtype_metatable, to
 * which it adds __call (nd.f32 {1, 2}). core is at the top. */
void ndb_open_dtypes(lua_State *L, ndb_state *S) {
  static const ndb_reg list[] = {
      {"__index", dtype_index, NDB_ANY}, {"__tostring", dtype_tostring, NDB_ANY}, {NULL, NULL, 0}};
  lua_newtable(L);
  ndb_register(L, list);
  lua_pushliteral(L, "ndbuf.dtype");
  /* what getmetatable shows to scripts in place of the table itself */
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "dtype_metatable");
  S->dtype_metatable = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_newtable(L);
  for (int i = 0; i < ND_DTYPE_COUNT; i++) {
    *(int *)lua_newuserdata(L, sizeof(int)) = i;
    lua_rawgeti(L, LUA_REGISTRYINDEX, S->dtype_metatable);
    lua_setmetatable(L, -2);
    lua_setfield(L, -2, nd_dtype_get((nd_dtype)i)->name);
  }
  lua_setfield(L, -2, "dtypes");
}
