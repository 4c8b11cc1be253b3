/* Methods that copy and convert whole arrays. */
#include <string.h>

#include "bind/bind.h"

static int array_clone(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  nd_view out;
  nd_error err;
  return ndb_push_made(L, S, nd_astype(v, (nd_dtype)v->dtype, ND_SATURATE, &out, &err), &out, &err);
}

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

/* a:to(dtype) or a:to(device): the array itself if it is of that dtype or on that device already.
 * The canonical texts are compared, as a place may be a path. */
static int array_to(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  char own[4096 + 16], wanted[4096 + 16];
  nd_dtype dtype;
  nd_view out;
  nd_place place;
  ndb_options options;
  nd_error err;
  ndb_read_options(L, S, 3, NDB_BIT(STREAM) | NDB_BIT(OVERWRITE), &options);
  if (ndb_to_dtype(L, S, 2, &dtype)) {
    if (dtype == (nd_dtype)v->dtype) return ndb_return_self(L);
    return ndb_push_made(L, S, nd_astype(v, dtype, ND_SATURATE, &out, &err), &out, &err);
  }
  const char *name = ndb_to_device_name(L, S, 2);
  if (!name) ndb_fail_type(L, S, 2, "to", "a device or a dtype");
  ndb_check(L, S, nd_place_parse(name, &place, &err), &err);
  nd_storage_place(v->storage, own, sizeof own);
  nd_place_text(&place, wanted, sizeof wanted);
  if (strcmp(own, wanted) == 0) return ndb_return_self(L);
  const bool overwrite = ndb_option_boolean(L, S, &options, NDB_OVERWRITE, false);
  nd_resource *resource = ndb_open_resource(L, S, name, overwrite);
  const nd_status status = nd_clone(v, resource, &out, &err);
  nd_resource_drop(resource);
  return ndb_push_made(L, S, status, &out, &err);
}

static int array_copy_from(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  ndb_options options;
  nd_view source;
  nd_error err;
  ndb_read_options(L, S, 3, NDB_BIT(MODE) | NDB_BIT(STREAM), &options);
  const nd_cast_mode mode = ndb_option_mode(L, S, &options);
  const bool is_complex = nd_dtype_get((nd_dtype)v->dtype)->kind == ND_KIND_COMPLEX;
  const nd_dtype wide = is_complex ? ND_C128 : ND_F64; /* so that the mode sees a table's values */
  ndb_read_value(L, S, 2, "src", mode == ND_SATURATE ? (nd_dtype)v->dtype : wide, &source);
  const nd_status status = nd_copy(v, &source, mode, &err);
  nd_view_drop(&source);
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
