/* The metatables of arrays: their own metamethods and the methods of all other files. One metatable
 * for each dtype: LuaJIT compiles the element access of head.lua for one C type, and the metatable
 * is what tells the type. */
#include "bind/exchange.h"

static int array_length(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_array(L, S, 1, "#")->view;
  if (v->ndim == 0) ndb_fail(L, S, ND_INVALID_ARGUMENT, "#", "a scalar (0-d) array has no length");
  lua_pushnumber(L, (lua_Number)v->axis[0].len);
  return 1;
}

static int array_dim(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  lua_pushnumber(L, (lua_Number)v->axis[ndb_check_axis(L, S, 2, "dim", v->ndim)].len);
  return 1;
}

/* tostring(a): print.lua formats. */
static int array_tostring(lua_State *L, ndb_state *S) {
  ndb_check_array(L, S, 1, "tostring");
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->print);
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

/* __lt and __le. Without them Lua would say only that two userdata cannot be compared. */
static int array_order(lua_State *L, ndb_state *S) {
  return ndb_fail(L, S, ND_UNSUPPORTED, "<",
                  "arrays have no order; compare the elements with a:lt(b), a:le(b) …");
}

static const ndb_reg shape_methods[] = {{"dim", array_dim, 2}, {NULL, NULL, 0}};

static const ndb_reg metamethods[] = {
    {"__index", ndb_index_slow, NDB_ANY},       {"__call", ndb_call_slow, NDB_ANY},
    {"__newindex", ndb_newindex_slow, NDB_ANY}, {"__len", array_length, NDB_ANY},
    {"__tostring", array_tostring, NDB_ANY},    {NULL, NULL, 0}};
static const ndb_reg order[] = {{"__lt", array_order, NDB_ANY}, {NULL, NULL, 0}};

/* What LuaJIT's traces depend on a dtype for, and so each dtype's own; head.lua puts its fast ones
 * over these when the JIT is on. */
static const ndb_reg access_methods[] = {
    {"get", ndb_call_slow, NDB_ANY}, {"set", ndb_set_slow, NDB_ANY}, {NULL, NULL, 0}};

/* Set all fields of the table at 'from' in the one at the top. */
static void copy_fields(lua_State *L, int from) {
  for (lua_pushnil(L); lua_next(L, from);) {
    lua_pushvalue(L, -2); /* the key twice, as lua_next takes it, too */
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
}

/* Push the metatable of 'dtype', with the metamethods and methods that are at these places. */
static void open_metatable(lua_State *L, ndb_state *S, nd_dtype dtype, int shared, int methods) {
  lua_newtable(L);
  copy_fields(L, shared);
  ndb_register_methods(L, metamethods, ndb_short_path, (int)dtype);
  ndb_set_finalizer(L);
  /* what getmetatable gives to scripts instead of the table itself */
  lua_pushfstring(L, "ndbuf.%s", nd_dtype_get(dtype)->name);
  lua_setfield(L, -2, "__metatable");
  lua_newtable(L);
  copy_fields(L, methods);
  ndb_register_methods(L, access_methods, ndb_short_path, (int)dtype);
  lua_setfield(L, -2, "methods");
  lua_pushvalue(L, -1);
  S->metatables[dtype] = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* Each metatable has a table 'methods', of functions that all share but those for elements, and
 * the table 'properties' that all share: functions of their own would be thousands, which every
 * collection has to visit. */
void ndb_open_arrays(lua_State *L, ndb_state *S) {
  static const ndb_reg *const list[] = {
      shape_methods,        ndb_index_methods,     ndb_view_methods,      ndb_copy_methods,
      ndb_pattern_methods,  ndb_value_methods,     ndb_byte_methods,      ndb_exchange_methods,
      ndb_cuda_methods,     ndb_compute_methods,   ndb_reduce_functions,  ndb_rows_methods,
      ndb_along_methods,    ndb_count_functions,   ndb_scan_functions,    ndb_scan_methods,
      ndb_select_functions, ndb_product_functions, ndb_convolve_functions};
  const int core = lua_gettop(L), shared = core + 1, methods = core + 2;
  lua_newtable(L);
  ndb_register(L, ndb_operators);
  ndb_register(L, order);
  lua_getfield(L, -1, "__lt"); /* Lua 5.1 calls it only if both operands have the same function */
  lua_setfield(L, -2, "__le");
  lua_newtable(L);
  for (size_t i = 0; i < ND_COUNTOF(list); i++)
    ndb_register_methods(L, list[i], ndb_short_path, NDB_ANY);
  lua_newtable(L);
  ndb_register_methods(L, ndb_properties, ndb_short_path, NDB_ANY);
  lua_newtable(L); /* metatables */
  for (int i = 0; i < ND_DTYPE_COUNT; i++) {
    open_metatable(L, S, (nd_dtype)i, shared, methods);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "properties");
    lua_setfield(L, -2, nd_dtype_get((nd_dtype)i)->name);
  }
  lua_setfield(L, core, "metatables");
  lua_setfield(L, core, "properties");
  lua_settop(L, core);
}
