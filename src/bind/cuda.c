/* What scripts see of CUDA besides devices: whether it is there, locked and managed memory, what
 * was moved. */
#include <stdlib.h>
#include <string.h>

#include "bind/bind.h"
#include "dev/cuda.h"

/* {=== the driver ===} */

static bool is_set(const char *name, const char *value) {
  const char *text = getenv(name);
  return text && strcmp(text, value) == 0;
}

void ndb_configure_cuda(void) {
  nd_cuda_configure(getenv("NDBUF_CUDA_DRIVER"), is_set("NDBUF_CUDA", "0"),
                    is_set("NDBUF_SYNC", "1"));
}

/* true, or false and why. */
static int cuda_available(lua_State *L, ndb_state *S) {
  nd_error err;
  (void)S;
  const bool is_there = nd_cuda_check(&err) == ND_OK;
  lua_pushboolean(L, is_there);
  if (is_there) return 1;
  lua_pushstring(L, err.message);
  return 2;
}

/* For nd.info: version, how many pinned blocks fell back, by device what it lacks. */
static int cuda_facts(lua_State *L, ndb_state *S) {
  const int count = nd_cuda_count();
  lua_createtable(L, count, 2);
  lua_pushinteger(L, nd_cuda_version());
  lua_setfield(L, -2, "version");
  lua_pushnumber(L, (lua_Number)nd_storage_fallbacks());
  lua_setfield(L, -2, "pinned_fallbacks");
  for (int i = 0; i < count; i++) {
    nd_cuda_properties p;
    nd_error err;
    ndb_check(L, S, nd_cuda_get_properties(i, &p, &err), &err);
    lua_createtable(L, 0, 3);
    lua_pushboolean(L, p.has_pools);
    lua_setfield(L, -2, "pools");
    lua_pushboolean(L, p.has_managed);
    lua_setfield(L, -2, "managed");
    lua_pushboolean(L, p.is_concurrent);
    lua_setfield(L, -2, "concurrent_managed");
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

const ndb_reg ndb_cuda_functions[] = {{"available", cuda_available, 0}, {NULL, NULL, 0}};

static int core_transfers(lua_State *L, ndb_state *S) {
  static const char *const names[] = {"h2d", "d2h", "d2d", "p2p", "staged"}; /* ORDER TRANSFER */
  uint64_t calls[ND_TRANSFER_COUNT], bytes[ND_TRANSFER_COUNT];
  (void)S;
  nd_cuda_get_transfers(calls, bytes);
  lua_createtable(L, 0, ND_TRANSFER_COUNT);
  for (int i = 0; i < ND_TRANSFER_COUNT; i++) {
    lua_createtable(L, 0, 2);
    lua_pushnumber(L, (lua_Number)calls[i]);
    lua_setfield(L, -2, "calls");
    lua_pushnumber(L, (lua_Number)bytes[i]);
    lua_setfield(L, -2, "bytes");
    lua_setfield(L, -2, names[i]);
  }
  return 1;
}

const ndb_reg ndb_cuda_core_functions[] = {
    {"transfers", core_transfers, 0}, {"cuda_facts", cuda_facts, 0}, {NULL, NULL, 0}};

/* {=== streams of others ===} */

/* Handles are addresses, but for the default streams: 0 and 1 the legacy one, 2 the thread's. */
enum { LAST_DEFAULT = 2, LEAST_HANDLE = 4096 };

static uintptr_t to_handle(lua_State *L, ndb_state *S) {
  void *pointer = NULL;
  if (lua_type(L, -1) != NDB_TCDATA) return ndb_check_size(L, S, -1, "stream");
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->to_pointer);
  lua_pushvalue(L, -2);
  lua_call(L, 1, 2); /* pointer cdata, nil for numbers; size of an array */
  const bool is_pointer = lua_type(L, -2) == NDB_TCDATA && lua_isnil(L, -1);
  if (is_pointer) memcpy(&pointer, lua_topointer(L, -2), sizeof pointer);
  lua_pop(L, 2);
  return is_pointer ? (uintptr_t)pointer : ndb_check_size(L, S, -1, "stream");
}

void *ndb_opt_stream(lua_State *L, ndb_state *S, int options, bool has_streams) {
  if (!ndb_get_option(L, options, "stream")) return lua_pop(L, 1), NULL;
  if (!has_streams)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "stream", "only the memory of a GPU has one: {device = }");
  const uintptr_t handle = to_handle(L, S);
  if (handle > LAST_DEFAULT && handle < LEAST_HANDLE)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "stream", "%llu is no handle of a CUDA stream",
             (unsigned long long)handle);
  lua_pop(L, 1);
  return (void *)handle;
}

/* {=== methods ===} */

static ndb_array *self(lua_State *L, ndb_state *S) { return ndb_check_array(L, S, 1, "self"); }

static int return_self(lua_State *L) {
  lua_settop(L, 1);
  return 1;
}

static int array_pin(lua_State *L, ndb_state *S) {
  nd_error err;
  ndb_check(L, S, nd_cuda_lock(self(L, S)->view.storage, &err), &err);
  return return_self(L);
}

static int array_unpin(lua_State *L, ndb_state *S) {
  nd_error err;
  ndb_check(L, S, nd_cuda_unlock(self(L, S)->view.storage, &err), &err);
  return return_self(L);
}

/* The number of the GPU named at 'arg', -1 for the host. */
static int check_target(lua_State *L, ndb_state *S, int arg) {
  nd_place place;
  nd_error err;
  const char *name = ndb_to_device_name(L, S, arg);
  if (!name) ndb_fail_type(L, S, arg, "device", "a device");
  ndb_check(L, S, nd_place_parse(name, &place, &err), &err);
  if (place.kind == ND_MEM_HOST) return -1;
  if (place.kind != ND_MEM_DEVICE && place.kind != ND_MEM_MANAGED)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "device", "expected cpu or cuda:n, got %.40s", name);
  return place.ordinal;
}

static int array_prefetch(lua_State *L, ndb_state *S) {
  nd_error err;
  const nd_view *v = &self(L, S)->view;
  ndb_check(L, S, nd_cuda_prefetch(v, check_target(L, S, 2), &err), &err);
  return return_self(L);
}

static int array_advise(lua_State *L, ndb_state *S) {
  static const char *const names[] = {"read_mostly", "preferred", "accessed_by"};
  nd_error err;
  size_t i = 0;
  const nd_view *v = &self(L, S)->view;
  const char *advice = ndb_check_string(L, S, 2, "advice", NULL);
  while (i < ND_COUNTOF(names) && strcmp(names[i], advice) != 0) i++;
  if (i == ND_COUNTOF(names))
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "advice",
             "\"%.40s\" is none of read_mostly, preferred, accessed_by", advice);
  ndb_check(L, S, nd_cuda_advise(v, (nd_cuda_advice)i, check_target(L, S, 3), &err), &err);
  return return_self(L);
}

const ndb_reg ndb_cuda_methods[] = {{"pin", array_pin, 1},
                                    {"unpin", array_unpin, 1},
                                    {"prefetch", array_prefetch, 2},
                                    {"advise", array_advise, 3},
                                    {NULL, NULL, 0}};
