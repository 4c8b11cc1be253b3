/* Methods that copy and convert whole arrays. clone, astype and byteswap make the copy in memory of
 * the array's own kind; that of a file or of foreign memory, in its device's ordinary memory.
 * to(device) makes it in the memory that is in use for that device. */
#include <string.h>

#include "bind/memory.h"
#include "bind/stream.h"

/* a:clone(): between equal dtypes the mode has no effect. */
static int array_clone(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  nd_view out;
  nd_error err;
  return ndb_push_made(L, S, nd_astype(v, (nd_dtype)v->dtype, ND_SATURATE, &out, &err), &out, &err);
}

/* a:contiguous(): the array itself where there is nothing to do. */
static int array_contiguous(lua_State *L, ndb_state *S) {
  return nd_view_is_contiguous(&ndb_check_self(L, S)->view) ? ndb_return_self(L)
                                                            : array_clone(L, S);
}

static int array_astype(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  ndb_options options;
  nd_view out;
  nd_error err;
  const nd_dtype dtype = ndb_check_dtype(L, S, 2, "dtype");
  ndb_read_options(L, S, 3, NDB_BIT(MODE), &options);
  const nd_cast_mode mode = ndb_option_mode(L, S, &options);
  return ndb_push_made(L, S, nd_astype(v, dtype, mode, &out, &err), &out, &err);
}

/* a:to(memory): the array itself if it comes from there. */
static int to_memory(lua_State *L, ndb_state *S, const nd_view *v, const ndb_options *options) {
  nd_view out;
  nd_error err;
  nd_resource *resource = ndb_check_memory(L, S, 2, "to");
  const nd_place place = nd_resource_place(resource);
  ndb_use_stream_at(L, S, options, v, &place);
  if (v->storage->resource == resource) return ndb_return_self(L);
  return ndb_push_made(L, S, nd_clone(v, resource, &out, &err), &out, &err);
}

/* a:to(dtype) or a:to(device): the array itself if it is of that dtype or on that device already.
 * The canonical texts are compared, as a place may be a path. */
static int array_to(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  char own[4096 + 16], wanted[4096 + 16]; /* "disk:" and the longest path */
  nd_dtype dtype;
  nd_view out;
  nd_place place;
  ndb_options options;
  nd_error err;
  ndb_read_options(L, S, 3, NDB_BIT(STREAM) | NDB_BIT(OVERWRITE), &options);
  if (ndb_to_dtype(L, S, 2, &dtype)) { /* first: no device has the name of a dtype */
    ndb_use_stream(L, S, &options, v, NULL);
    if (dtype == (nd_dtype)v->dtype) return ndb_return_self(L);
    return ndb_push_made(L, S, nd_astype(v, dtype, ND_SATURATE, &out, &err), &out, &err);
  }
  if (ndb_is_memory(L, S, 2)) return to_memory(L, S, v, &options);
  if (!ndb_to_device_name(L, S, 2))
    ndb_fail_type(L, S, 2, "to", "a device, a memory resource or a dtype");
  ndb_check(L, S, ndb_find_place(L, S, 2, &place, &err), &err);
  ndb_use_stream_at(L, S, &options, v, &place);
  nd_storage_place(v->storage, own, sizeof own);
  nd_place_text(&place, wanted, sizeof wanted);
  if (strcmp(own, wanted) == 0) return ndb_return_self(L);
  const bool overwrite = ndb_option_boolean(L, S, &options, NDB_OVERWRITE, false);
  nd_resource *resource = ndb_open_resource(L, S, &place, overwrite);
  const nd_status status = nd_clone(v, resource, &out, &err);
  nd_resource_drop(resource); /* the new storage has a reference of its own */
  return ndb_push_made(L, S, status, &out, &err);
}

/* a:copy_from(src [, opts]): 'src' is an array, a nested table or a scalar, and broadcasts. */
static int array_copy_from(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  ndb_options options;
  nd_view source;
  nd_error err;
  ndb_read_options(L, S, 3, NDB_BIT(MODE) | NDB_BIT(STREAM), &options);
  const nd_cast_mode mode = ndb_option_mode(L, S, &options);
  const ndb_array *from = ndb_to_array(L, 2);
  ndb_use_stream(L, S, &options, v, from && !ndb_is_unset(from) ? &from->view : NULL);
  ndb_read_value(L, S, 2, "src", (nd_dtype)v->dtype, mode, &source);
  const nd_status status = nd_copy(v, &source, mode, &err);
  nd_view_drop(&source); /* before ndb_check, which may raise */
  ndb_check(L, S, status, &err);
  return ndb_return_self(L);
}

static int array_byteswap(lua_State *L, ndb_state *S) {
  nd_view out;
  nd_error err;
  return ndb_push_made(L, S, nd_byteswap(&ndb_check_self(L, S)->view, &out, &err), &out, &err);
}

const ndb_reg ndb_copy_methods[] = {{"clone", array_clone, 1},
                                    {"contiguous", array_contiguous, 1},
                                    {"astype", array_astype, 3},
                                    {"to", array_to, 3},
                                    {"copy_from", array_copy_from, 3},
                                    {"byteswap", array_byteswap, 1},
                                    {NULL, NULL, 0}};
