/* luaopen_ndbuf_core, and the functions on several arrays. */
#include <stdlib.h>
#include <time.h>

#include "bind/bind.h"
#include "dev/threads.h"

static int join(lua_State *L, ndb_state *S, bool is_new) {
  enum { MAX_PARTS = 1 << 20 };
  nd_view out;
  nd_error err;
  lua_settop(L, 2);
  if (!lua_istable(L, 1)) ndb_fail_type(L, S, 1, "arrays", "a table of arrays");
  const size_t n = lua_objlen(L, 1);
  if (n == 0 || n > MAX_PARTS)
    ndb_fail_with(L, S, ND_INVALID_ARGUMENT, "arrays",
                  ND_NUMBERS({"value", (int64_t)n}, {"limit", MAX_PARTS}),
                  "%zu arrays; the limits are 1 and %d", n, MAX_PARTS);
  const nd_view **parts = lua_newuserdata(L, n * sizeof(nd_view *));
  lua_createtable(L, (int)n, 0); /* holds them, whatever a finalizer does to the script's table */
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, 1, (int)i + 1);
    parts[i] = &ndb_check_array(L, S, -1, "arrays")->view;
    lua_rawseti(L, 4, (int)i + 1);
  }
  const int ndim = parts[0]->ndim + is_new;
  const int axis = lua_isnoneornil(L, 2) && ndim > 0
                       ? 0
                       : ndb_check_axis(L, S, 2, is_new ? "stack" : "concat", ndim);
  return ndb_push_made(L, S, nd_concat((int)n, parts, axis, is_new, &out, &err), &out, &err);
}

static int module_concat(lua_State *L, ndb_state *S) { return join(L, S, false); }
static int module_stack(lua_State *L, ndb_state *S) { return join(L, S, true); }

static int module_allclose(lua_State *L, ndb_state *S) {
  const nd_view *a = &ndb_check_array(L, S, 1, "a")->view,
                *b = &ndb_check_array(L, S, 2, "b")->view;
  const double rtol = lua_isnoneornil(L, 3) ? 1e-5 : ndb_check_number(L, S, 3, "rtol");
  const double atol = lua_isnoneornil(L, 4) ? 1e-8 : ndb_check_number(L, S, 4, "atol");
  bool close;
  nd_error err;
  ndb_check(L, S, nd_allclose(a, b, rtol, atol, &close, &err), &err);
  lua_pushboolean(L, close);
  return 1;
}

static const ndb_reg join_functions[] = {{"concat", module_concat, 2},
                                         {"stack", module_stack, 2},
                                         {"allclose", module_allclose, 4},
                                         {NULL, NULL, 0}};

/* {=== opening ===} */

static bool is_luajit(lua_State *L) {
  lua_getglobal(L, "jit");
  const bool found = lua_istable(L, -1);
  lua_pop(L, 1);
  return found;
}

static void read_threads(lua_State *L) {
  const char *text = getenv("NDBUF_THREADS");
  if (!text) return;
  char *end;
  const long count = strtol(text, &end, 10);
  if (end == text || *end || count < 1 || count > ND_MAX_THREADS)
    luaL_error(L, "ndbuf: NDBUF_THREADS is \"%s\"; it takes 1 to %d", text, ND_MAX_THREADS);
  nd_threads_set((int)count);
}

int luaopen_ndbuf_core(lua_State *L) {
  nd_error err;
  if (!is_luajit(L)) return luaL_error(L, "ndbuf needs LuaJIT (2.1); this is %s", LUA_RELEASE);
  if (nd_init(&err) != ND_OK) return luaL_error(L, "ndbuf: %s", err.message);
  read_threads(L);
  ndb_configure_cuda();
  ndb_state *S = ndb_open_state(L);
  S->seed = (uint64_t)time(NULL) ^ (uint64_t)(uintptr_t)S;
  lua_newtable(L);
  ndb_open_errors(L, S);
  ndb_open_dtypes(L, S);
  ndb_open_devices(L, S);
  ndb_open_memory(L, S);
  ndb_open_arrays(L, S);
  ndb_open_small_floats(L);
  ndb_register(L, ndb_make_functions, ndb_dispatch);
  ndb_register(L, ndb_file_functions, ndb_dispatch);
  ndb_register(L, ndb_device_functions, ndb_dispatch);
  ndb_register(L, ndb_scope_functions, ndb_dispatch);
  ndb_register(L, ndb_core_functions, ndb_dispatch);
  ndb_register(L, ndb_cuda_core_functions, ndb_dispatch);
  ndb_register(L, join_functions, ndb_dispatch);
  lua_newtable(L);
  ndb_register(L, ndb_compute_functions, ndb_dispatch);
  ndb_register(L, ndb_reduce_functions, ndb_dispatch);
  lua_setfield(L, -2, "computing");
  lua_newtable(L);
  ndb_register(L, ndb_cuda_functions, ndb_dispatch);
  lua_setfield(L, -2, "cuda");
  lua_newtable(L);
  ndb_register(L, ndb_memory_functions, ndb_dispatch);
  lua_setfield(L, -2, "memory");
  lua_pushliteral(L, ND_VERSION);
  lua_setfield(L, -2, "version");
  lua_pushnumber(L, ND_ABI);
  lua_setfield(L, -2, "abi");
  return 1;
}
