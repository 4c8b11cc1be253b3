/* The common end of the arguments of makers, and the new array that they describe. */
#include <string.h>

#include "base/call.h"
#include "bind/make.h"
#include "bind/stream.h"

bool ndb_has_place(const ndb_make_spec *s) { return s->has_device || s->memory; }

static void set_dtype(lua_State *L, ndb_state *S, nd_dtype dtype, ndb_make_spec *out) {
  if (out->has_dtype) ndb_fail(L, S, ND_INVALID_ARGUMENT, "dtype", "it is given twice");
  out->dtype = dtype;
  out->has_dtype = true;
}

static void check_first(lua_State *L, ndb_state *S, const ndb_make_spec *out) {
  if (ndb_has_place(out)) ndb_fail(L, S, ND_INVALID_ARGUMENT, "device", "it is given twice");
}

/* Read the name, or the object, of a device. An unknown text is reported as a dtype, unless it has
 * a ':', which only names of devices have. */
static void read_device(lua_State *L, ndb_state *S, int arg, ndb_make_spec *out) {
  nd_place place;
  nd_error err;
  const nd_status status = ndb_find_place(L, S, arg, &place, &err);
  if (status != ND_OK && !strchr(ndb_to_device_name(L, S, arg), ':'))
    ndb_check_dtype(L, S, arg, "dtype"); /* raises: more likely a mistyped dtype */
  ndb_check(L, S, status, &err);
  check_first(L, S, out);
  out->device = place, out->has_device = true;
}

static void read_text(lua_State *L, ndb_state *S, int arg, ndb_make_spec *out) {
  const ndb_word *word = ndb_find_word(L, S, arg);
  if (word && word->is_dtype) set_dtype(L, S, word->dtype, out);
  else read_device(L, S, arg, out);
}

static void read_object(lua_State *L, ndb_state *S, int arg, ndb_make_spec *out) {
  nd_dtype dtype;
  if (ndb_to_device_name(L, S, arg)) {
    read_device(L, S, arg, out);
  } else if (ndb_is_memory(L, S, arg)) {
    check_first(L, S, out);
    out->memory = ndb_check_memory(L, S, arg, "device");
  } else if (ndb_to_dtype(L, S, arg, &dtype)) {
    set_dtype(L, S, dtype, out);
  } else {
    ndb_fail_type(L, S, arg, "dtype", "a dtype, a device or options");
  }
}

/* Read the table at 'arg'. What it says takes precedence over the arguments before it. */
static void read_options(lua_State *L, ndb_state *S, int arg, uint64_t known, ndb_make_spec *out) {
  const uint64_t all = known | NDB_BIT(DTYPE) | NDB_BIT(DEVICE) | NDB_BIT(OVERWRITE) |
                       NDB_BIT(STREAM);
  ndb_read_options(L, S, arg, all, &out->options);
  const int *at = out->options.at;
  if (at[NDB_DTYPE])
    out->dtype = ndb_check_dtype(L, S, at[NDB_DTYPE], "dtype"), out->has_dtype = true;
  if (at[NDB_DEVICE]) {
    const bool is_memory = ndb_is_memory(L, S, at[NDB_DEVICE]);
    out->memory = is_memory ? ndb_check_memory(L, S, at[NDB_DEVICE], "device") : NULL;
    out->has_device = !is_memory;
    if (!is_memory) out->device = ndb_check_place(L, S, at[NDB_DEVICE], "device");
  }
  out->overwrite = ndb_option_boolean(L, S, &out->options, NDB_OVERWRITE, false);
}

ndb_make_spec ndb_read_spec(lua_State *L, ndb_state *S, int arg, nd_dtype otherwise,
                            uint64_t known) {
  ndb_make_spec out = {.dtype = otherwise};
  for (const int last = lua_gettop(L); arg <= last; arg++) {
    const int type = lua_type(L, arg);
    if (type == LUA_TTABLE) {
      read_options(L, S, arg, known, &out);
      break; /* options are the last */
    }
    if (type == LUA_TSTRING) read_text(L, S, arg, &out);
    else if (type != LUA_TNIL) read_object(L, S, arg, &out);
  }
  return out;
}

static void use_stream(lua_State *L, ndb_state *S, const ndb_make_spec *s) {
  nd_place place = {.kind = ND_MEM_HOST};
  if (!s->options.at[NDB_STREAM]) return;
  if (s->has_device) place = s->device;
  if (s->memory) place = nd_resource_place(s->memory);
  ndb_use_stream_at(L, S, &s->options, NULL, &place);
}

/* One reference, for the caller to drop. */
static nd_resource *open_memory(lua_State *L, ndb_state *S, const ndb_make_spec *s) {
  if (s->has_device) return ndb_open_resource(L, S, &s->device, s->overwrite);
  return nd_resource_hold(s->memory ? s->memory : nd_call_memory(nd_host_resource()));
}

const nd_view *ndb_push_new(lua_State *L, ndb_state *S, const ndb_make_spec *s, int ndim,
                            const size_t *shape, bool zeroed, nd_lazy lazy) {
  nd_view out;
  nd_error err;
  use_stream(L, S, s);
  nd_resource *resource = open_memory(L, S, s);
  const nd_storage_options options = {.zeroed = zeroed, .lazy = lazy};
  const nd_status status = nd_new(resource, s->dtype, ndim, shape, options, &out, &err);
  nd_resource_drop(resource);
  ndb_push_made(L, S, status, &out, &err);
  return &ndb_to_array(L, -1)->view;
}
