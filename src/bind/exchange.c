/* Arrays for other libraries of the process, and theirs for us, by DLPack; for other Lua states, by
 * names; and for whoever wants addresses. */
#include <stdio.h>
#include <string.h>

#include "bind/exchange.h"
#include "xchg/share.h"

/* Option 'stream' as Python's __dlpack__ has it, where 'has_none': -1 is none. 0 is ambiguous. */
static void read_stream(lua_State *L, ndb_state *S, const ndb_options *options, bool has_none,
                        nd_dlpack_options *out) {
  const int at = options->at[NDB_FOREIGN_STREAM];
  int64_t number = 1;
  if (!at) return;
  ndb_to_integer(L, S, at, "stream", &number); /* else it is a stream, or a pointer */
  out->has_no_stream = has_none && number == -1;
  if (out->has_no_stream) return;
  if (number > 0) out->stream = ndb_option_stream(L, S, options, true);
  if (!out->stream)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "stream",
             "%lld; expected 1, the legacy default stream, 2, the per-thread one, a handle%s",
             (long long)(number > 0 ? 0 : number), has_none ? ", or -1: none waits" : "");
}

static void read_options(lua_State *L, ndb_state *S, int arg, uint64_t known,
                         nd_dlpack_options *out) {
  ndb_options options;
  ndb_read_options(L, S, arg, NDB_BIT(VERSIONED) | NDB_BIT(FOREIGN_STREAM) | known, &options);
  *out = (nd_dlpack_options){0};
  out->is_old = !ndb_option_boolean(L, S, &options, NDB_VERSIONED, true);
  if (known) out->is_copy = ndb_option_boolean(L, S, &options, NDB_COPY, false);
  read_stream(L, S, &options, known != 0, out);
}

/* dlpack_out(out, array [, options]): 'out' is cdata, a pointer, which the tensor's address is
 * written to: nothing may raise once there is an export. */
static int dlpack_out(lua_State *L, ndb_state *S) {
  nd_dlpack_options options;
  void *made;
  nd_error err;
  if (lua_type(L, 1) != NDB_TCDATA) ndb_fail_type(L, S, 1, "out", "cdata");
  void *out = (void *)(uintptr_t)lua_topointer(L, 1);
  const nd_view *v = &ndb_check_array(L, S, 2, "array")->view;
  read_options(L, S, 3, NDB_BIT(COPY), &options);
  ndb_check(L, S, nd_dlpack_export(v, &options, &made, &err), &err);
  memcpy(out, &made, sizeof made);
  return 0;
}

/* The tensor is taken over once nothing can raise any more. */
static int from_dlpack(lua_State *L, ndb_state *S) {
  nd_dlpack_options options;
  nd_view out;
  nd_error err;
  void *tensor = ndb_check_address(L, S, 1, "tensor");
  read_options(L, S, 2, 0, &options);
  ndb_push_made(L, S, nd_dlpack_view(tensor, &options, &out, &err), &out, &err);
  nd_dlpack_accept(tensor, &options, &((ndb_array *)lua_touserdata(L, -1))->view);
  return 1;
}

/* {=== other Lua states ===} */

static const char prefix[] = "ndbuf-shared-";

static void push_name(lua_State *L, uint64_t number) {
  char name[48];
  snprintf(name, sizeof name, "%s%llu", prefix, (unsigned long long)number);
  lua_pushstring(L, name);
}

/* The name is made first: without it what is shared once could never be taken. */
static int share(lua_State *L, ndb_state *S) {
  ndb_options options;
  nd_error err;
  const nd_view *v = &ndb_check_array(L, S, 1, "array")->view;
  ndb_read_options(L, S, 2, NDB_BIT(ONCE), &options);
  const bool is_once = ndb_option_boolean(L, S, &options, NDB_ONCE, false);
  const uint64_t reserved = nd_share_reserve();
  uint64_t number = reserved;
  push_name(L, number);
  ndb_check(L, S, nd_share(v, is_once, &number, &err), &err);
  if (number != reserved) push_name(L, number);
  return 1;
}

/* The number in a name; 0: there is none. */
static uint64_t number_of(const char *name) {
  const size_t start = sizeof prefix - 1;
  uint64_t number = 0;
  if (strncmp(name, prefix, start) != 0) return 0;
  for (const char *p = name + start; *p; p++) {
    const bool is_digit = *p >= '0' && *p <= '9' && (number > 0 || *p != '0');
    if (!is_digit || number > UINT64_MAX / 10 - 1) return 0;
    number = 10 * number + (uint64_t)(*p - '0');
  }
  return number;
}

/* 'why' says nothing of the name. */
ND_NORETURN static void fail_name(lua_State *L, ndb_state *S, const char *name,
                                  const nd_error *why) {
  nd_error err = *why;
  snprintf(err.message, sizeof err.message, "\"%.40s\": %.200s", name, why->message);
  ndb_fail_as(L, S, &err, "name");
}

static int attach(lua_State *L, ndb_state *S) {
  size_t length;
  const char *name = ndb_check_string(L, S, 1, "name", &length);
  const uint64_t number = strlen(name) == length ? number_of(name) : 0;
  nd_view view;
  nd_error err;
  if (number == 0)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "name", "\"%.40s\" is no name that nd.share gave", name);
  nd_status status = nd_attach(number, &view, &err);
  if (status == ND_INVALID_ARGUMENT || status == ND_UNSUPPORTED) fail_name(L, S, name, &err);
  ndb_push_made(L, S, status, &view, &err);
  status = nd_attach_accept(number, &err); /* last: what fails before leaves it what it is */
  if (status != ND_OK) fail_name(L, S, name, &err);
  return 1;
}

/* {=== addresses ===} */

static void push_list(lua_State *L, const nd_view *v, bool of_steps) {
  lua_createtable(L, v->ndim, 0);
  for (int i = 0; i < v->ndim; i++) {
    lua_pushnumber(L, of_steps ? (lua_Number)v->axis[i].step : (lua_Number)v->axis[i].len);
    lua_rawseti(L, -2, i + 1);
  }
}

/* a:interface(): the fields of NumPy's __array_interface__ and of __cuda_array_interface__. */
static int array_interface(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  char *base;
  nd_error err;
  ndb_check(L, S, nd_storage_expose(v->storage, &base, &err), &err);
  lua_createtable(L, 0, 6);
  lua_pushnumber(L, (lua_Number)((uintptr_t)base + v->offset));
  lua_setfield(L, -2, "data");
  push_list(L, v, false);
  lua_setfield(L, -2, "shape");
  push_list(L, v, true);
  lua_setfield(L, -2, "strides");
  lua_pushstring(L, nd_dtype_get((nd_dtype)v->dtype)->descr);
  lua_setfield(L, -2, "typestr");
  lua_pushboolean(L, v->is_read_only);
  lua_setfield(L, -2, "readonly");
  lua_pushnumber(L, 3);
  lua_setfield(L, -2, "version");
  return 1;
}

const ndb_reg ndb_exchange_methods[] = {{"interface", array_interface, 1}, {NULL, NULL, 0}};
const ndb_reg ndb_exchange_functions[] = {{"dlpack_out", dlpack_out, 3},
                                          {"from_dlpack", from_dlpack, 2},
                                          {"share", share, 2},
                                          {"attach", attach, 1},
                                          {NULL, NULL, 0}};
