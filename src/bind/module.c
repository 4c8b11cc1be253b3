/* luaopen_ndbuf_core: makes the table that require "ndbuf.core" returns from what the other files
 * have. lua/ndbuf/init.lua makes the public module from it. */
#include <stdlib.h>
#include <time.h>

#include "bind/exchange.h"
#include "bind/memory.h"
#include "bind/stream.h"
#include "dev/host/blas.h"
#include "dev/host/fftw.h"
#include "dev/threads.h"

/* PUC Lua 5.1 would load the module as well, as its C API has the same functions; but it has
 * neither cdata nor LuaJIT's unwinding of C frames, on which ndb_dispatch relies. */
static bool is_luajit(lua_State *L) {
  lua_getglobal(L, "jit");
  const bool found = lua_istable(L, -1);
  lua_pop(L, 1);
  return found;
}

/* NDBUF_THREADS. A value that is not understood is refused rather than ignored. Raises a plain
 * string: without a state there are no error objects yet. */
static void read_threads(lua_State *L) {
  const char *text = getenv("NDBUF_THREADS");
  if (!text) return;
  char *end;
  const long count = strtol(text, &end, 10);
  if (end == text || *end || count < 1 || count > ND_MAX_THREADS)
    luaL_error(L, "ndbuf: NDBUF_THREADS is \"%s\"; it takes 1 to %d", text, ND_MAX_THREADS);
  nd_threads_set((int)count);
}

static void register_functions(lua_State *L) {
  static const ndb_reg *const lists[] = {
      ndb_make_functions,         ndb_wrap_functions,      ndb_map_functions,
      ndb_load_functions,         ndb_record_functions,    ndb_device_functions,
      ndb_scope_functions,        ndb_setup_functions,     ndb_error_functions,
      ndb_stats_functions,        ndb_cuda_core_functions, ndb_join_functions,
      ndb_rows_functions,         ndb_leaf_functions,      ndb_stream_functions,
      ndb_exchange_functions,     ndb_arrow_functions,     ndb_count_core_functions,
      ndb_product_core_functions, ndb_factor_functions,

      ndb_fft_core_functions};
  for (size_t i = 0; i < ND_COUNTOF(lists); i++) ndb_register(L, lists[i]);
}

int luaopen_ndbuf_core(lua_State *L) {
  nd_error err;
  if (!is_luajit(L)) return luaL_error(L, "ndbuf needs LuaJIT (2.1); this is %s", LUA_RELEASE);
  if (nd_init(&err) != ND_OK) return luaL_error(L, "ndbuf: %s", err.message);
  read_threads(L);
  ndi_blas_choose(getenv("NDBUF_BLAS"));
  ndi_fftw_choose(getenv("NDBUF_FFTW"));
  ndb_configure_cuda(); /* before anything opens the backend */
  ndb_state *S = ndb_open_state(L);
  S->seed = (uint64_t)time(NULL) ^ (uint64_t)(uintptr_t)S; /* other numbers in each run and state */
  lua_newtable(L);
  ndb_open_errors(L, S);
  ndb_open_dtypes(L, S);
  ndb_open_devices(L, S);
  ndb_open_streams(L, S);
  ndb_open_memory(L, S);
  ndb_open_reservations(L, S);
  ndb_open_arrow(L, S);
  ndb_add_methods(L, S->memory_metatable, ndb_layer_methods);
  ndb_add_methods(L, S->memory_metatable, ndb_reserving_methods);
  ndb_open_arrays(L, S);
  ndb_open_rows(L);
  ndb_open_small_floats(L);
  ndb_open_leaf(L, S);
  register_functions(L);
  lua_newtable(L);
  /* a table of its own, which init.lua copies to nd whole; it names the other functions one by
   * one */
  ndb_register(L, ndb_compute_functions);
  ndb_register(L, ndb_reduce_functions);
  ndb_register(L, ndb_along_functions);
  ndb_register(L, ndb_count_functions);
  ndb_register(L, ndb_scan_functions);
  ndb_register(L, ndb_select_functions);
  ndb_register(L, ndb_product_functions);
  ndb_register(L, ndb_convolve_functions);
  lua_setfield(L, -2, "computing");
  lua_newtable(L);
  ndb_register(L, ndb_fft_functions);
  lua_setfield(L, -2, "fft");
  ndb_open_operations(L);
  lua_newtable(L);
  ndb_register(L, ndb_cuda_functions);
  ndb_register(L, ndb_stream_cuda_functions);
  lua_setfield(L, -2, "cuda");
  lua_newtable(L);
  ndb_register(L, ndb_memory_functions);
  ndb_register(L, ndb_adaptor_functions);
  lua_setfield(L, -2, "memory");
  lua_pushliteral(L, ND_VERSION);
  lua_setfield(L, -2, "version");
  /* compared by init.lua, which may come from another version */
  lua_pushnumber(L, ND_ABI);
  lua_setfield(L, -2, "abi");
  return 1;
}
