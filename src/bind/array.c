/* The array handle: making, closing, its fast head, its fields. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "bind/bind.h"

static const char magic = 'a';

/* What finalized handles show: no head holds for it, and the core refuses it as freed. */
static nd_storage closed = {.epoch = ND_EPOCH_FIRST, .holds = 1u << 30, .state = ND_STORAGE_FREED};

/* {=== the head ===} */

static nd_class class_of(nd_dtype dtype) {
  const nd_dtype_traits *t = nd_dtype_get(dtype);
  if (dtype == ND_F32 || dtype == ND_C64) return ND_CLASS_F32;
  if (dtype == ND_F64 || dtype == ND_C128) return ND_CLASS_F64;
  return t->bytes == 1   ? ND_CLASS_1
         : t->bytes == 2 ? ND_CLASS_2
         : t->bytes == 4 ? ND_CLASS_4
                         : ND_CLASS_8;
}

static int32_t clamp(size_t n) { return n < INT32_MAX ? (int32_t)n : INT32_MAX; }

static bool fits(ptrdiff_t step) { return step >= -INT32_MAX && step <= INT32_MAX; }

/* Where compiled code may go in: allocated, settled, of the CPU, aligned, steps of whole elements.
 */
static bool is_direct(const ndb_array *a, uintptr_t base) {
  const nd_view *v = &a->view;
  const ptrdiff_t item = (ptrdiff_t)nd_view_itemsize(v);
  if (!base || v->size == 0 || v->ndim < 1 || v->ndim > 2) return false;
  if ((base + v->offset) % nd_dtype_get((nd_dtype)v->dtype)->align != 0) return false;
  for (int i = 0; i < v->ndim; i++)
    if (v->axis[i].step % item != 0 || !fits(v->axis[i].step / item)) return false;
  return nd_storage_is_settled(v->storage) && nd_storage_check(v->storage, NULL) == ND_OK;
}

/* Counts along the axis that a path walks: any step; step 1; and the same for stores. */
static void set_counts(const ndb_array *a, bool may_write, int32_t n, int32_t *read, int32_t *write,
                       int32_t *unit_read, int32_t *unit_write) {
  const nd_view *v = &a->view;
  const bool is_unit = v->axis[v->ndim - 1].step == (ptrdiff_t)nd_view_itemsize(v);
  *read = n;
  *write = may_write ? n : 0;
  *unit_read = is_unit ? n : 0;
  *unit_write = is_unit && may_write && !a->head.is_punned ? n : 0;
}

static void fill_head(ndb_array *a, uintptr_t base) {
  ndb_head *h = &a->head;
  const nd_view *v = &a->view;
  const ptrdiff_t item = (ptrdiff_t)nd_view_itemsize(v);
  const bool may_write = !v->is_read_only && !nd_view_overlaps_itself(v); /* else C refuses */
  const int32_t n = clamp(v->axis[0].len);
  uintptr_t first = base + v->offset - (uintptr_t)v->axis[0].step;
  h->step0 = (int32_t)(v->axis[0].step / item);
  if (v->ndim == 1) {
    set_counts(a, may_write, n, &h->read_n, &h->write_n, &h->unit_read_n, &h->unit_write_n);
  } else {
    first -= (uintptr_t)v->axis[1].step;
    h->step1 = (int32_t)(v->axis[1].step / item);
    h->rows = n;
    set_counts(a, may_write, clamp(v->axis[1].len), &h->read_columns, &h->write_columns,
               &h->unit_read_columns, &h->unit_write_columns);
  }
  h->p1 = (char *)first;
}

void ndb_refresh(ndb_array *a) {
  nd_storage *s = a->view.storage;
  ndb_head head = {.storage = s, .ndim = a->view.ndim};
  head.epoch = atomic_load(&s->epoch); /* first: a change meanwhile leaves the head stale */
  head.is_punned = nd_storage_is_punned(s);
  head.is_mapped = s->resource->ops->watch != NULL;
  a->head = head;
  const bool live = nd_storage_get_state(s) == ND_STORAGE_LIVE;
  const uintptr_t base = live ? (uintptr_t)s->host : 0;
  if (is_direct(a, base)) fill_head(a, base);
}

/* {=== handles ===} */

static size_t handle_bytes(int ndim) {
  return offsetof(ndb_array, view) + offsetof(nd_view, axis) + (size_t)ndim * sizeof(nd_axis);
}

void ndb_push_view(lua_State *L, ndb_state *S, nd_view *view) {
  const int ndim = view->ndim > 2 ? view->ndim : 2;
  const size_t bytes = offsetof(nd_view, axis) + view->ndim * sizeof view->axis[0];
  ndb_parking *parking = S->parking;
  S->parking = NULL;
  memcpy(&parking->view, view, bytes);
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->parking_ref);
  ndb_stress(L, S);
  ndb_array *a = lua_newuserdata(L, handle_bytes(ndim)); /* may raise, may call us */
  memcpy(&a->view, &parking->view, bytes);
  parking->view.storage = NULL;
  lua_insert(L, -2);
  if (S->parking) lua_pop(L, 1);
  else ndb_spare_parking(L, S, parking);
  a->magic = &magic;
  a->id = ++S->last_handle;
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->metatables[a->view.dtype]);
  lua_setmetatable(L, -2);
  nd_storage_pun(a->view.storage, class_of((nd_dtype)a->view.dtype));
  ndb_refresh(a);
  if (S->scope_depth) ndb_note_scope(L, S);
}

int ndb_push_made(lua_State *L, ndb_state *S, nd_status status, nd_view *out, const nd_error *err) {
  ndb_check(L, S, status, err);
  ndb_push_view(L, S, out);
  return 1;
}

ndb_array *ndb_to_array(lua_State *L, int arg) {
  ndb_array *a = lua_touserdata(L, arg);
  if (!a || lua_objlen(L, arg) < handle_bytes(0) || a->magic != &magic) return NULL;
  return a;
}

ndb_array *ndb_check_array(lua_State *L, ndb_state *S, int arg, const char *what) {
  ndb_array *a = ndb_to_array(L, arg);
  if (!a) ndb_fail_type(L, S, arg, what, "an array");
  if (a->view.storage == &closed) ndb_fail(L, S, ND_FREED, what, "the array was finalized");
  return a;
}

static int array_gc(lua_State *L) {
  ndb_array *a = ndb_to_array(L, 1);
  if (!a || a->view.storage == &closed) return 0;
  nd_view view = {.storage = a->view.storage};
  a->head = (ndb_head){.storage = &closed};
  a->view.storage = &closed;
  nd_view_drop(&view);
  ndb_close_late();
  return 0;
}

static int array_length(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_array(L, S, 1, "#")->view;
  if (v->ndim == 0) ndb_fail(L, S, ND_INVALID_ARGUMENT, "#", "a scalar (0-d) array has no length");
  lua_pushnumber(L, (lua_Number)v->axis[0].len);
  return 1;
}

static int array_dim(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_array(L, S, 1, "self")->view;
  lua_pushnumber(L, (lua_Number)v->axis[ndb_check_axis(L, S, 2, "dim", v->ndim)].len);
  return 1;
}

/* {=== fields ===} */

static int get_dtype(lua_State *L, ndb_state *S) {
  lua_pushstring(L, nd_dtype_get((nd_dtype)ndb_check_array(L, S, 1, "dtype")->view.dtype)->name);
  return 1;
}

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
static int get_offset(lua_State *L, ndb_state *S) {
  return push_count(L, ndb_check_array(L, S, 1, "offset")->view.offset);
}
static int get_id(lua_State *L, ndb_state *S) {
  return push_count(L, ndb_check_array(L, S, 1, "id")->id);
}
static int get_storage_id(lua_State *L, ndb_state *S) {
  return push_count(L, ndb_check_array(L, S, 1, "storage_id")->view.storage->id);
}
static int get_total_bytes(lua_State *L, ndb_state *S) {
  return push_count(L, ndb_check_array(L, S, 1, "total_bytes")->view.storage->bytes);
}

static int get_device(lua_State *L, ndb_state *S) {
  char text[4096 + 8];
  lua_pushstring(
      L, nd_storage_place(ndb_check_array(L, S, 1, "device")->view.storage, text, sizeof text));
  return 1;
}

static int push_flag(lua_State *L, bool flag) {
  lua_pushboolean(L, flag);
  return 1;
}

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

/* A view shows less than its storage, or in another order. */
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

/* Of a real array the real part is the array itself. */
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
                                  {"T", get_transposed, 1},
                                  {"real", get_real, 1},
                                  {"imag", get_imag, 1},
                                  {NULL, NULL, 0}};

/* {=== metatables ===} */

/* print(a): the Lua side formats. */
static int array_tostring(lua_State *L, ndb_state *S) {
  ndb_check_array(L, S, 1, "tostring");
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->print);
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

static int array_order(lua_State *L, ndb_state *S) {
  return ndb_fail(L, S, ND_UNSUPPORTED, "<",
                  "arrays have no order; compare the elements with a:lt(b), a:le(b) …");
}

static const ndb_reg shape_methods[] = {{"dim", array_dim, 2}, {NULL, NULL, 0}};

static const ndb_reg metamethods[] = {
    {"__len", array_length, NDB_ANY}, {"__tostring", array_tostring, NDB_ANY}, {NULL, NULL, 0}};
static const ndb_reg order[] = {{"__lt", array_order, NDB_ANY}, {NULL, NULL, 0}};

/* Those that try an element first. */
static const ndb_reg get_metamethods[] = {
    {"__index", ndb_index_slow, NDB_ANY}, {"__call", ndb_call_slow, NDB_ANY}, {NULL, NULL, 0}};
static const ndb_reg set_metamethods[] = {{"__newindex", ndb_newindex_slow, NDB_ANY},
                                          {NULL, NULL, 0}};
static const ndb_reg get_methods[] = {{"get", ndb_call_slow, NDB_ANY}, {NULL, NULL, 0}};
static const ndb_reg set_methods[] = {{"set", ndb_set_slow, NDB_ANY}, {NULL, NULL, 0}};

/* One per dtype, so that traces specialise; the Lua side puts its fast metamethods over these. */
static void open_metatable(lua_State *L, ndb_state *S, nd_dtype dtype) {
  lua_newtable(L);
  for (int i = 0; i < 2; i++) {
    lua_pushvalue(L, -3); /* Lua asks that both sides of a < b have the very same function */
    lua_setfield(L, -2, i ? "__le" : "__lt");
  }
  ndb_register_methods(L, metamethods, ndb_dispatch, (int)dtype);
  ndb_register(L, ndb_operators, ndb_dispatch);
  ndb_register_methods(L, get_metamethods, ndb_direct_get, (int)dtype);
  ndb_register_methods(L, set_metamethods, ndb_direct_set, (int)dtype);
  lua_pushcfunction(L, array_gc);
  lua_setfield(L, -2, "__gc");
  lua_pushfstring(L, "ndbuf.%s", nd_dtype_get(dtype)->name);
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, -1);
  S->metatables[dtype] = luaL_ref(L, LUA_REGISTRYINDEX);
}

static void init_closed(void) { closed.resource = nd_host_resource(); }

/* core.metatables, core.properties (shared), and in each metatable its own 'methods' and the shared
 * 'properties'. */
void ndb_open_arrays(lua_State *L, ndb_state *S) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, init_closed);
  lua_newtable(L);
  ndb_register(L, ndb_properties, ndb_dispatch);
  lua_setfield(L, -2, "properties");
  lua_newtable(L);
  ndb_register(L, order, ndb_dispatch);
  lua_getfield(L, -1, "__lt");
  lua_replace(L, -2);
  lua_newtable(L);
  for (int i = 0; i < ND_DTYPE_COUNT; i++) {
    open_metatable(L, S, (nd_dtype)i);
    lua_getfield(L, -4, "properties");
    lua_setfield(L, -2, "properties");
    lua_newtable(L);
    ndb_register_methods(L, shape_methods, ndb_dispatch, i);
    ndb_register_methods(L, get_methods, ndb_direct_get, i);
    ndb_register_methods(L, set_methods, ndb_direct_set, i);
    ndb_register_methods(L, ndb_index_methods, ndb_dispatch, i);
    ndb_register_methods(L, ndb_view_methods, ndb_dispatch, i);
    ndb_register_methods(L, ndb_copy_methods, ndb_dispatch, i);
    ndb_register_methods(L, ndb_cuda_methods, ndb_dispatch, i);
    ndb_register_methods(L, ndb_compute_methods, ndb_dispatch, i);
    ndb_register_methods(L, ndb_reduce_functions, ndb_dispatch, i);
    lua_setfield(L, -2, "methods");
    lua_setfield(L, -2, nd_dtype_get((nd_dtype)i)->name);
  }
  lua_setfield(L, -3, "metatables");
  lua_pop(L, 1);
}

/* {=== for host programs ===} */

/* Raises unless the module is loaded and of the program's ABI. */
static ndb_state *find_host(lua_State *L, int abi) {
  ndb_state *S = ndb_find_state(L);
  if (abi != ND_ABI) luaL_error(L, "ndbuf: built for ABI %d, this module has %d", abi, ND_ABI);
  if (S) return S;
  luaL_error(L, "ndbuf: this program's luaopen_ndbuf_core was not called in this Lua state");
  __builtin_unreachable();
}

void nd_push_array(lua_State *L, const nd_view *view, int abi) {
  ndb_state *S = find_host(L, abi);
  nd_view copy;
  ndb_make_parking(L, S);
  nd_view_copy(view, &copy);
  ndb_push_view(L, S, &copy);
}

const nd_view *nd_check_array(lua_State *L, int arg, int abi) {
  return &ndb_check_array(L, find_host(L, abi), arg, "array")->view;
}
