/* What scripts see of CUDA besides device objects: whether it is available, counters of transfers,
 * foreign streams, pinned pages, hints about managed memory. */
#include <stdlib.h>
#include <string.h>

#include "bind/stream.h"

/* {=== the driver ===} */

static bool is_set(const char *name, const char *value) {
  const char *text = getenv(name);
  return text && strcmp(text, value) == 0;
}

/* NULL where the backend is not built in, which the functions of dev/backend.h accept. */
static const nd_backend *cuda(void) { return nd_backend_find("cuda"); }

void ndb_configure_cuda(void) {
  const nd_backend_options options = {.driver = getenv("NDBUF_CUDA_DRIVER"),
                                      .is_off = is_set("NDBUF_CUDA", "0"),
                                      .is_synchronous = is_set("NDBUF_SYNC", "1")};
  nd_backend_configure(cuda(), &options);
}

bool ndb_has_gpu(void) {
  nd_backend_facts facts;
  return nd_backend_open(cuda(), &facts, NULL) == ND_OK && facts.devices > 0;
}

/* available(): true, or false and the reason. */
static int cuda_available(lua_State *L, ndb_state *S) {
  nd_backend_facts facts;
  nd_error err;
  (void)S;
  const bool is_there = nd_backend_open(cuda(), &facts, &err) == ND_OK;
  lua_pushboolean(L, is_there);
  if (is_there) return 1;
  lua_pushstring(L, err.message);
  return 2;
}

/* For nd.info: the driver's version, how many pinned blocks fell back to ordinary memory, and for
 * each device which features it has. */
static int cuda_facts(lua_State *L, ndb_state *S) {
  nd_backend_facts facts = {0};
  /* if the driver does not open, the facts stay 0: there are no devices */
  nd_backend_open(cuda(), &facts, NULL);
  lua_createtable(L, facts.devices, 2);
  lua_pushinteger(L, facts.version);
  lua_setfield(L, -2, "version");
  lua_pushnumber(L, (lua_Number)nd_storage_fallbacks());
  lua_setfield(L, -2, "pinned_fallbacks");
  for (int i = 0; i < facts.devices; i++) {
    const nd_place place = {.backend = cuda(), .kind = ND_MEM_DEVICE, .ordinal = i};
    nd_properties p;
    nd_error err;
    ndb_check(L, S, nd_place_properties(&place, &p, &err), &err);
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

/* transfers(): calls and bytes copied so far, for each kind of transfer. */
static int core_transfers(lua_State *L, ndb_state *S) {
  (void)S;
  lua_createtable(L, 0, ND_TRANSFER_COUNT);
  for (int i = 0; i < ND_TRANSFER_COUNT; i++) {
    uint64_t calls, bytes;
    nd_transfer_get((nd_transfer)i, &calls, &bytes);
    lua_createtable(L, 0, 2);
    lua_pushnumber(L, (lua_Number)calls);
    lua_setfield(L, -2, "calls");
    lua_pushnumber(L, (lua_Number)bytes);
    lua_setfield(L, -2, "bytes");
    lua_setfield(L, -2, nd_transfer_name((nd_transfer)i));
  }
  return 1;
}

static nd_transfer check_direction(lua_State *L, ndb_state *S) {
  const char *name = ndb_check_string(L, S, 1, "direction", NULL);
  int kind = 0;
  while (kind < ND_TRANSFER_COUNT && strcmp(name, nd_transfer_name((nd_transfer)kind)) != 0) kind++;
  if (kind == ND_TRANSFER_COUNT)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "direction",
             "\"%.40s\" is none of h2d, d2h, d2d, p2p, staged", name);
  return (nd_transfer)kind;
}

/* forbid_transfers(direction, fn, …): fn(…), in which the first such transfer raises. */
static int forbid_transfers(lua_State *L, ndb_state *S) {
  const uint32_t outer = S->forbidden, bit = UINT32_C(1) << check_direction(L, S);
  if (!lua_isfunction(L, 2)) ndb_fail_type(L, S, 2, "fn", "a function");
  S->forbidden |= bit;
  const int status = ndb_call_script(L, S, lua_gettop(L) - 2);
  S->forbidden = outer;
  if (status != 0) return lua_error(L);
  return lua_gettop(L) - 1;
}

/* Fields of core itself: init.lua makes nd.transfers and nd.info of them. The list above is
 * nd.cuda. */
const ndb_reg ndb_cuda_core_functions[] = {{"transfers", core_transfers, 0},
                                           {"forbid_transfers", forbid_transfers, NDB_ANY},
                                           {"cuda_facts", cuda_facts, 0},
                                           {NULL, NULL, 0}};

/* {=== foreign streams ===} */

/* A stream's handle is an address, but for the driver's constants: 0 and 1 are the legacy
 * default stream, 2 is the per-thread one. Anything else below a page is refused: the driver
 * could crash. */
enum { LAST_DEFAULT = 2, LEAST_HANDLE = 4096 };

/* The handle, given as a number, as i64 or u64 cdata, or as a pointer. A cdata array is none of
 * these: to_pointer gives its size, too, and ndb_check_size refuses it. */
static uintptr_t to_handle(lua_State *L, ndb_state *S, int arg, const char *what) {
  void *pointer = NULL;
  if (lua_type(L, arg) != NDB_TCDATA) return ndb_check_size(L, S, arg, what);
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->to_pointer);
  lua_pushvalue(L, arg);
  lua_call(L, 1, 2); /* pointer cdata, nil for numbers; size of an array */
  const bool is_pointer = lua_type(L, -2) == NDB_TCDATA && lua_isnil(L, -1);
  if (is_pointer) memcpy(&pointer, lua_topointer(L, -2), sizeof pointer);
  lua_pop(L, 2);
  return is_pointer ? (uintptr_t)pointer : ndb_check_size(L, S, arg, what);
}

static uintptr_t check_handle(lua_State *L, ndb_state *S, int arg, const char *what,
                              const char *wanted) {
  const int type = lua_type(L, arg);
  if (type != LUA_TNUMBER && type != NDB_TCDATA) ndb_fail_type(L, S, arg, what, wanted);
  return to_handle(L, S, arg, what);
}

static void *check_stream_handle(lua_State *L, ndb_state *S, int arg, const char *what,
                                 const char *wanted) {
  const uintptr_t handle = check_handle(L, S, arg, what, wanted);
  if (handle > LAST_DEFAULT && handle < LEAST_HANDLE)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, what, "%llu is no handle of a CUDA stream",
             (unsigned long long)handle);
  return (void *)handle;
}

void *ndb_check_stream_handle(lua_State *L, ndb_state *S, int arg, const char *what) {
  return check_stream_handle(L, S, arg, what, "a stream's handle, a number or cdata");
}

void *ndb_check_event_handle(lua_State *L, ndb_state *S, int arg, const char *what) {
  const char *const wanted = "an event's handle, a number or cdata";
  const uintptr_t handle = check_handle(L, S, arg, what, wanted);
  if (handle < LEAST_HANDLE)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, what, "%llu is no handle of a CUDA event",
             (unsigned long long)handle);
  return (void *)handle;
}

void *ndb_option_stream(lua_State *L, ndb_state *S, const ndb_options *options, bool has_streams) {
  const int at = options->at[NDB_FOREIGN_STREAM];
  if (!at) return NULL;
  if (!has_streams)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "stream", "only the memory of a GPU has one: {device = }");
  const ndb_stream *s = ndb_to_stream(L, S, at);
  void *handle;
  nd_error err;
  if (!s)
    return check_stream_handle(L, S, at, "stream", "a stream, or its handle, a number or cdata");
  ndb_check(L, S, nd_stream_handle(&ndb_check_stream(L, S, at, "stream")->stream, &handle, &err),
            &err);
  return handle;
}

/* {=== methods ===} */

/* a:pin(): locks the pages of the storage, so that GPUs copy from and to them directly instead of
 * through a staging buffer. */
static int array_pin(lua_State *L, ndb_state *S) {
  nd_error err;
  ndb_check(L, S, nd_backend_pin(cuda(), ndb_check_self(L, S)->view.storage, true, &err), &err);
  return ndb_return_self(L);
}

static int array_unpin(lua_State *L, ndb_state *S) {
  nd_error err;
  ndb_check(L, S, nd_backend_pin(cuda(), ndb_check_self(L, S)->view.storage, false, &err), &err);
  return ndb_return_self(L);
}

/* The place named at 'arg', which must be a GPU (or its managed memory) or the host. */
static nd_place check_target(lua_State *L, ndb_state *S, int arg) {
  const nd_place place = ndb_check_place(L, S, arg, "device");
  if (place.kind != ND_MEM_HOST && place.kind != ND_MEM_DEVICE && place.kind != ND_MEM_MANAGED)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "device", "expected cpu or cuda:n, got %.40s",
             ndb_to_device_name(L, S, arg));
  return place;
}

/* a:prefetch(device) and a:advise(advice, device) are hints that may make access to managed memory
 * faster; no result depends on them. */
static int array_prefetch(lua_State *L, ndb_state *S) {
  nd_error err;
  const nd_view *v = &ndb_check_self(L, S)->view;
  const nd_place to = check_target(L, S, 2);
  ndb_check(L, S, nd_place_hint(&to, v, ND_PAGES_PREFETCH, &err), &err);
  return ndb_return_self(L);
}

static int array_advise(lua_State *L, ndb_state *S) {
  static const char *const names[] = {"read_mostly", "preferred", "accessed_by"};
  static const nd_page_hint hints[] = {ND_PAGES_READ_MOSTLY, ND_PAGES_PREFERRED,
                                       ND_PAGES_ACCESSED_BY};
  nd_error err;
  size_t i = 0; /* index into both lists */
  const nd_view *v = &ndb_check_self(L, S)->view;
  const char *advice = ndb_check_string(L, S, 2, "advice", NULL);
  while (i < ND_COUNTOF(names) && strcmp(names[i], advice) != 0) i++;
  if (i == ND_COUNTOF(names))
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "advice",
             "\"%.40s\" is none of read_mostly, preferred, accessed_by", advice);
  const nd_place to = check_target(L, S, 3);
  ndb_check(L, S, nd_place_hint(&to, v, hints[i], &err), &err);
  return ndb_return_self(L);
}

const ndb_reg ndb_cuda_methods[] = {{"pin", array_pin, 1},
                                    {"unpin", array_unpin, 1},
                                    {"prefetch", array_prefetch, 2},
                                    {"advise", array_advise, 3},
                                    {NULL, NULL, 0}};
