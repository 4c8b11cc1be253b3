/* Methods that copy, convert, fill and free. */
#include <string.h>

#include "base/size.h"
#include "bind/bind.h"
#include "dev/cuda.h"

static ndb_array *self(lua_State *L, ndb_state *S) { return ndb_check_array(L, S, 1, "self"); }

static int return_self(lua_State *L) {
  lua_pushvalue(L, 1);
  return 1;
}

/* {=== whole arrays ===} */

static int array_clone(lua_State *L, ndb_state *S) {
  const nd_view *v = &self(L, S)->view;
  nd_view out;
  nd_error err;
  return ndb_push_made(L, S, nd_astype(v, (nd_dtype)v->dtype, ND_SATURATE, &out, &err), &out, &err);
}

static int array_contiguous(lua_State *L, ndb_state *S) {
  return nd_view_is_contiguous(&self(L, S)->view) ? return_self(L) : array_clone(L, S);
}

static const char *const mode_options[] = {"mode", NULL};

static int array_astype(lua_State *L, ndb_state *S) {
  const nd_view *v = &self(L, S)->view;
  nd_view out;
  nd_error err;
  const nd_dtype dtype = ndb_check_dtype(L, S, 2, "dtype");
  lua_settop(L, 3);
  ndb_check_options(L, S, 3, mode_options);
  return ndb_push_made(L, S, nd_astype(v, dtype, ndb_opt_mode(L, S, 3), &out, &err), &out, &err);
}

/* A copy of 'v' on 'place', which differs from its own. */
static nd_status copy_to(const nd_view *v, nd_resource *place, nd_view *out, nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  const nd_storage_options options = {.lazy = false};
  for (int i = 0; i < v->ndim; i++) shape[i] = v->axis[i].len;
  ND_TRY(nd_new(place, (nd_dtype)v->dtype, v->ndim, shape, options, out, err));
  const nd_status status = nd_copy(out, v, ND_SATURATE, err);
  if (status != ND_OK) nd_view_drop(out);
  return status;
}

/* a:to(dtype) or a:to(device): itself if nothing changes. */
static int array_to(lua_State *L, ndb_state *S) {
  static const char *const known[] = {"stream", "overwrite", NULL};
  const nd_view *v = &self(L, S)->view;
  char own[4096 + 16], wanted[4096 + 16];
  nd_dtype dtype;
  nd_view out;
  nd_place place;
  nd_error err;
  lua_settop(L, 3);
  ndb_check_options(L, S, 3, known);
  ndb_refuse_stream(L, S, 3);
  if (ndb_to_dtype(L, S, 2, &dtype)) {
    if (dtype == (nd_dtype)v->dtype) return return_self(L);
    return ndb_push_made(L, S, nd_astype(v, dtype, ND_SATURATE, &out, &err), &out, &err);
  }
  const char *name = ndb_to_device_name(L, S, 2);
  if (!name) ndb_fail_type(L, S, 2, "to", "a device or a dtype");
  ndb_check(L, S, nd_place_parse(name, &place, &err), &err);
  nd_storage_place(v->storage, own, sizeof own);
  nd_place_text(&place, wanted, sizeof wanted);
  if (strcmp(own, wanted) == 0) return return_self(L);
  ndb_get_option(L, 3, "overwrite");
  nd_resource *resource = ndb_open_place(L, S, name, ndb_opt_boolean(L, S, -1, "overwrite", false));
  const nd_status status = copy_to(v, resource, &out, &err);
  nd_resource_drop(resource);
  return ndb_push_made(L, S, status, &out, &err);
}

static int array_copy_from(lua_State *L, ndb_state *S) {
  static const char *const known[] = {"mode", "stream", NULL};
  const nd_view *v = &self(L, S)->view;
  nd_view source;
  nd_error err;
  lua_settop(L, 3);
  ndb_check_options(L, S, 3, known);
  ndb_refuse_stream(L, S, 3);
  const nd_cast_mode mode = ndb_opt_mode(L, S, 3);
  const bool is_complex = nd_dtype_get((nd_dtype)v->dtype)->kind == ND_KIND_COMPLEX;
  const nd_dtype wide = is_complex ? ND_C128 : ND_F64; /* so that the mode sees a table's values */
  ndb_read_value(L, S, 2, "src", mode == ND_SATURATE ? (nd_dtype)v->dtype : wide, &source);
  const nd_status status = nd_copy(v, &source, mode, &err);
  nd_view_drop(&source);
  ndb_check(L, S, status, &err);
  return return_self(L);
}

static int array_fill(lua_State *L, ndb_state *S) {
  const nd_view *v = &self(L, S)->view;
  nd_scalar value;
  nd_error err;
  ndb_check_scalar(L, S, 2, "value", &value);
  ndb_check(L, S, nd_fill(v, &value, &err), &err);
  return return_self(L);
}

static int array_item(lua_State *L, ndb_state *S) {
  const nd_view *v = &self(L, S)->view;
  nd_scalar item;
  nd_error err;
  ndb_check(L, S, nd_item(v, &item, &err), &err);
  ndb_push_element(L, S, item.dtype, item.bytes);
  return 1;
}

static int array_totable(lua_State *L, ndb_state *S) {
  ndb_push_table(L, S, &self(L, S)->view);
  return 1;
}

static int array_equal(lua_State *L, ndb_state *S) {
  const nd_view *a = &self(L, S)->view, *b = &ndb_check_array(L, S, 2, "other")->view;
  bool same;
  nd_error err;
  ndb_check(L, S, nd_equal(a, b, &same, &err), &err);
  lua_pushboolean(L, same);
  return 1;
}

static int array_byteswap(lua_State *L, ndb_state *S) {
  nd_view out;
  nd_error err;
  return ndb_push_made(L, S, nd_byteswap(&self(L, S)->view, &out, &err), &out, &err);
}

/* {=== raw bytes ===} */

/* nbytes, which may be left out where the size is known. */
static size_t read_bytes(lua_State *L, ndb_state *S, size_t room) {
  if (lua_isnoneornil(L, 3) && room != SIZE_MAX) return room;
  const size_t bytes = ndb_check_size(L, S, 3, "nbytes");
  ndb_check_room(L, S, "nbytes", room, bytes);
  return bytes;
}

/* Addresses that the CPU may use. */
static void *check_host_pointer(lua_State *L, ndb_state *S, const char *what, size_t *room) {
  void *at = ndb_check_pointer(L, S, 2, what, room);
  if (at && nd_cuda_is_hidden(at))
    ndb_fail(L, S, ND_INVALID_ARGUMENT, what,
             "it is an address of a GPU; use nd.wrap with {device = \"cuda:n\"}, and :copy_from");
  return at;
}

static int array_copyin(lua_State *L, ndb_state *S) {
  const nd_view *v = &self(L, S)->view;
  nd_error err;
  size_t room;
  const bool is_string = lua_type(L, 2) == LUA_TSTRING;
  const void *from = is_string ? lua_tolstring(L, 2, &room)
                               : check_host_pointer(L, S, "source", &room);
  const size_t bytes = read_bytes(L, S, room);
  ndb_check(L, S, nd_copyin(v, from, bytes, &err), &err);
  return return_self(L);
}

/* Without arguments a Lua string: through a userdata, since the bytes are not known before they are
 * there. */
static int array_copyout(lua_State *L, ndb_state *S) {
  const nd_view *v = &self(L, S)->view;
  nd_error err;
  const size_t bytes = nd_view_nbytes(v);
  if (!lua_isnoneornil(L, 2)) {
    size_t room;
    void *to = check_host_pointer(L, S, "target", &room);
    ndb_check(L, S, nd_copyout(v, to, read_bytes(L, S, room), &err), &err);
    return return_self(L);
  }
  if (bytes > INT32_MAX)
    ndb_fail_with(L, S, ND_CAPACITY, "copyout",
                  ND_NUMBERS({"value", (int64_t)bytes}, {"limit", INT32_MAX}),
                  "%zu B; a Lua string holds less than 2 GiB: give a cdata target", bytes);
  void *buffer = lua_newuserdata(L, bytes ? bytes : 1);
  ndb_check(L, S, nd_copyout(v, buffer, bytes, &err), &err);
  lua_pushlstring(L, buffer, bytes);
  return 1;
}

/* {=== copies with a pattern ===} */

static int array_tile(lua_State *L, ndb_state *S) {
  const nd_view *v = &self(L, S)->view;
  int64_t counts[ND_MAX_NDIM];
  size_t sizes[ND_MAX_NDIM];
  int next;
  nd_view out;
  nd_error err;
  const int n = ndb_check_shape(L, S, 2, "counts", false, counts, &next);
  ndb_end_arguments(L, S, next - 1);
  ndb_to_sizes(n, counts, sizes);
  return ndb_push_made(L, S, nd_tile(v, n, sizes, &out, &err), &out, &err);
}

static int array_repeat(lua_State *L, ndb_state *S) {
  const nd_view *v = &self(L, S)->view;
  nd_view out;
  nd_error err;
  const size_t times = ndb_check_size(L, S, 2, "n");
  const int axis = lua_isnoneornil(L, 3) && v->ndim == 1
                       ? 0
                       : ndb_check_axis(L, S, 3, "repeat_interleave", v->ndim);
  return ndb_push_made(L, S, nd_repeat(v, times, axis, &out, &err), &out, &err);
}

static int array_roll(lua_State *L, ndb_state *S) {
  const nd_view *v = &self(L, S)->view;
  nd_view out;
  nd_error err;
  const int64_t shift = ndb_check_integer(L, S, 2, "n");
  const int axis = lua_isnoneornil(L, 3) && v->ndim == 1 ? 0
                                                         : ndb_check_axis(L, S, 3, "roll", v->ndim);
  return ndb_push_made(L, S, nd_roll(v, shift, axis, &out, &err), &out, &err);
}

/* widths: {before, after} for each axis, or one number for all sides. */
static void read_widths(lua_State *L, ndb_state *S, int ndim, size_t *before, size_t *after) {
  if (!lua_istable(L, 2)) {
    const size_t all = ndb_check_size(L, S, 2, "widths");
    for (int i = 0; i < ndim; i++) before[i] = after[i] = all;
    return;
  }
  if (lua_objlen(L, 2) != (size_t)ndim)
    ndb_fail_with(L, S, ND_SHAPE_MISMATCH, "widths",
                  ND_NUMBERS({"actual", (int64_t)lua_objlen(L, 2)}, {"expected", ndim}),
                  "%zu entries for %d axes", lua_objlen(L, 2), ndim);
  for (int i = 0; i < ndim; i++) {
    lua_rawgeti(L, 2, i + 1);
    if (!lua_istable(L, -1) || lua_objlen(L, -1) != 2)
      ndb_fail_type(L, S, -1, "widths", "{before, after} per axis");
    lua_rawgeti(L, -1, 1);
    lua_rawgeti(L, -2, 2);
    before[i] = ndb_check_size(L, S, -2, "widths");
    after[i] = ndb_check_size(L, S, -1, "widths");
    lua_pop(L, 3);
  }
}

static int array_pad(lua_State *L, ndb_state *S) {
  const nd_view *v = &self(L, S)->view;
  size_t before[ND_MAX_NDIM], after[ND_MAX_NDIM];
  nd_scalar value = {.dtype = ND_F64};
  nd_view out;
  nd_error err;
  read_widths(L, S, v->ndim, before, after);
  if (!lua_isnoneornil(L, 3)) ndb_check_scalar(L, S, 3, "value", &value);
  return ndb_push_made(L, S, nd_pad(v, before, after, &value, &out, &err), &out, &err);
}

/* {=== memory ===} */

/* The address of the first element, whoever may touch it. */
static uintptr_t give_address(lua_State *L, ndb_state *S, const nd_view *v) {
  char *base;
  nd_error err;
  ndb_check(L, S, nd_storage_expose(v->storage, &base, &err), &err);
  return (uintptr_t)base + v->offset;
}

/* Also whether stores through it are refused. The Lua side makes the typed pointer. */
static int array_ptr(lua_State *L, ndb_state *S) {
  const nd_view *v = &self(L, S)->view;
  const nd_dtype_traits *dtype = nd_dtype_get((nd_dtype)v->dtype);
  nd_error err;
  char *host;
  ndb_check(L, S, nd_storage_host(v->storage, false, &host, &err), &err);
  if (((uintptr_t)host + v->offset) % dtype->align != 0)
    ndb_fail(L, S, ND_INVALID_VIEW, "ptr", "the array is misaligned for %s; use :clone()",
             dtype->name);
  lua_pushlightuserdata(L, (void *)give_address(L, S, v));
  lua_pushboolean(L, v->is_read_only);
  return 2;
}

/* Addresses end below 2^53, so that a number holds them. */
static int array_address(lua_State *L, ndb_state *S) {
  lua_pushnumber(L, (lua_Number)give_address(L, S, &self(L, S)->view));
  return 1;
}

static int array_allocate(lua_State *L, ndb_state *S) {
  ndb_array *a = self(L, S);
  nd_error err;
  ndb_check(L, S, nd_storage_allocate(a->view.storage, &err), &err);
  ndb_refresh(a);
  return return_self(L);
}

static int array_free(lua_State *L, ndb_state *S) {
  ndb_array *a = self(L, S);
  nd_storage *s = a->view.storage;
  nd_error err;
  if (nd_storage_get_state(s) == ND_STORAGE_LIVE) ndb_forget_debt(S, s->resource, s->bytes);
  ndb_check(L, S, nd_storage_free(s, &err), &err);
  ndb_drop_released(L, S);
  return 0;
}

const ndb_reg ndb_copy_methods[] = {{"clone", array_clone, 1},
                                    {"contiguous", array_contiguous, 1},
                                    {"astype", array_astype, 3},
                                    {"to", array_to, 3},
                                    {"copy_from", array_copy_from, 3},
                                    {"copyin", array_copyin, 3},
                                    {"copyout", array_copyout, 3},
                                    {"fill", array_fill, 2},
                                    {"item", array_item, 1},
                                    {"totable", array_totable, 1},
                                    {"equal", array_equal, 2},
                                    {"byteswap", array_byteswap, 1},
                                    {"tile", array_tile, NDB_ANY},
                                    {"repeat_interleave", array_repeat, 3},
                                    {"roll", array_roll, 3},
                                    {"pad", array_pad, 3},
                                    {"ptr", array_ptr, 1},
                                    {"address", array_address, 1},
                                    {"allocate", array_allocate, 1},
                                    {"free", array_free, 1},
                                    {NULL, NULL, 0}};
