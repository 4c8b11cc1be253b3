/* The properties of an array: a.dtype, a.shape, a.T and so on. They are functions of the array,
 * called by __index; a finalized array has none (freed). Error messages name the property, not
 * "self": the script wrote no call. Where the JIT is on, head.lua puts functions that LuaJIT can
 * compile in the place of ndim and size. */
#include "bind/bind.h"

static int get_dtype(lua_State *L, ndb_state *S) {
  lua_pushstring(L, nd_dtype_get((nd_dtype)ndb_check_array(L, S, 1, "dtype")->view.dtype)->name);
  return 1;
}

/* Push a list: the extents if 'unit' is 0, else the steps in units of that many bytes. In a field
 * of packed records a step need not be a multiple of the element size: then its number has a
 * fraction. */
static int push_sizes(lua_State *L, const nd_view *v, ptrdiff_t unit) {
  lua_createtable(L, v->ndim, 0);
  for (int i = 0; i < v->ndim; i++) {
    lua_pushnumber(L, unit ? (lua_Number)v->axis[i].step / (lua_Number)unit
                           : (lua_Number)v->axis[i].len);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int get_shape(lua_State *L, ndb_state *S) {
  return push_sizes(L, &ndb_check_array(L, S, 1, "shape")->view, 0);
}

static int get_strides(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_array(L, S, 1, "strides")->view;
  return push_sizes(L, v, (ptrdiff_t)nd_view_itemsize(v));
}

static int get_byte_strides(lua_State *L, ndb_state *S) {
  return push_sizes(L, &ndb_check_array(L, S, 1, "byte_strides")->view, 1);
}

/* Sizes and ids as Lua numbers, which are exact up to 2^53. */
static int push_count(lua_State *L, size_t n) {
  lua_pushnumber(L, (lua_Number)n);
  return 1;
}

static int get_ndim(lua_State *L, ndb_state *S) {
  return push_count(L, ndb_check_array(L, S, 1, "ndim")->view.ndim);
}
static int get_size(lua_State *L, ndb_state *S) {
  return push_count(L, ndb_check_array(L, S, 1, "size")->view.size);
}
static int get_itemsize(lua_State *L, ndb_state *S) {
  return push_count(L, nd_view_itemsize(&ndb_check_array(L, S, 1, "itemsize")->view));
}
static int get_nbytes(lua_State *L, ndb_state *S) {
  return push_count(L, nd_view_nbytes(&ndb_check_array(L, S, 1, "nbytes")->view));
}
/* From the start of the storage, in bytes. */
static int get_offset(lua_State *L, ndb_state *S) {
  return push_count(L, ndb_check_array(L, S, 1, "offset")->view.offset);
}
/* Of the handle: two views of the same elements differ in it. */
static int get_id(lua_State *L, ndb_state *S) {
  return push_count(L, ndb_check_array(L, S, 1, "id")->id);
}
/* Equal for all views of one storage. */
static int get_storage_id(lua_State *L, ndb_state *S) {
  return push_count(L, ndb_check_array(L, S, 1, "storage_id")->view.storage->id);
}
/* Of the whole storage, however little of it is viewed. */
static int get_total_bytes(lua_State *L, ndb_state *S) {
  return push_count(L, ndb_check_array(L, S, 1, "total_bytes")->view.storage->bytes);
}

static int get_device(lua_State *L, ndb_state *S) {
  char text[4096 + 8]; /* "disk:" and the longest path */
  lua_pushstring(
      L, nd_storage_place(ndb_check_array(L, S, 1, "device")->view.storage, text, sizeof text));
  return 1;
}

static int push_flag(lua_State *L, bool flag) {
  lua_pushboolean(L, flag);
  return 1;
}

/* False before a lazy allocation and after a:free(). */
static int get_is_allocated(lua_State *L, ndb_state *S) {
  const ndb_array *a = ndb_check_array(L, S, 1, "is_allocated");
  return push_flag(L, nd_storage_get_state(a->view.storage) == ND_STORAGE_LIVE);
}
static int get_is_contiguous(lua_State *L, ndb_state *S) {
  return push_flag(L, nd_view_is_contiguous(&ndb_check_array(L, S, 1, "is_contiguous")->view));
}
static int get_readonly(lua_State *L, ndb_state *S) {
  return push_flag(L, ndb_check_array(L, S, 1, "readonly")->view.is_read_only);
}

/* Does its memory belong to other code? */
static int get_is_external(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_array(L, S, 1, "is_external")->view;
  return push_flag(L, nd_resource_leaf(v->storage->resource)->kind == ND_MEM_FOREIGN);
}

/* False where the elements are all bytes of the storage in row-major order, as in a new array. Only
 * the layout counts: how an array was made is not recorded. */
static int get_is_view(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_array(L, S, 1, "is_view")->view;
  return push_flag(L, v->offset != 0 || nd_view_nbytes(v) != v->storage->bytes ||
                          !nd_view_is_contiguous(v));
}

static int get_transposed(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_array(L, S, 1, "T")->view;
  int order[ND_MAX_NDIM];
  nd_view out;
  nd_error err;
  for (int i = 0; i < v->ndim; i++) order[i] = v->ndim - 1 - i;
  return ndb_push_made(L, S, nd_view_permute(v, order, &out, &err), &out, &err);
}

/* Part 0 is the real, 1 the imaginary one. The real part of a real array is the array itself;
 * nd_view_part refuses the imaginary one. */
static int push_part(lua_State *L, ndb_state *S, int part, const char *what) {
  const nd_view *v = &ndb_check_array(L, S, 1, what)->view;
  nd_view out;
  nd_error err;
  if (part == 0 && nd_dtype_get((nd_dtype)v->dtype)->kind != ND_KIND_COMPLEX) {
    lua_pushvalue(L, 1);
    return 1;
  }
  return ndb_push_made(L, S, nd_view_part(v, part, &out, &err), &out, &err);
}

static int get_real(lua_State *L, ndb_state *S) { return push_part(L, S, 0, "real"); }
static int get_imag(lua_State *L, ndb_state *S) { return push_part(L, S, 1, "imag"); }

const ndb_reg ndb_properties[] = {{"dtype", get_dtype, 1},
                                  {"shape", get_shape, 1},
                                  {"strides", get_strides, 1},
                                  {"byte_strides", get_byte_strides, 1},
                                  {"ndim", get_ndim, 1},
                                  {"size", get_size, 1},
                                  {"itemsize", get_itemsize, 1},
                                  {"nbytes", get_nbytes, 1},
                                  {"offset", get_offset, 1},
                                  {"device", get_device, 1},
                                  {"id", get_id, 1},
                                  {"storage_id", get_storage_id, 1},
                                  {"total_bytes", get_total_bytes, 1},
                                  {"is_allocated", get_is_allocated, 1},
                                  {"is_contiguous", get_is_contiguous, 1},
                                  {"is_view", get_is_view, 1},
                                  {"readonly", get_readonly, 1},
                                  {"is_external", get_is_external, 1},
                                  {"T", get_transposed, 1},
                                  {"real", get_real, 1},
                                  {"imag", get_imag, 1},
                                  {NULL, NULL, 0}};
