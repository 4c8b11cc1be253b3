/* Lua values to elements and back: scalars, nested tables, cdata. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/half.h"
#include "bind/bind.h"
#include "kern/cast.h"

/* {=== one element ===} */

/* NaNs with payloads become ordinary ones, since scripts read the parts through the FFI and LuaJIT
 * takes some payloads for objects. (lua_pushnumber does the same for numbers.) */
static void make_plain(nd_dtype dtype, void *at) {
  float *narrow = at;
  double *wide = at;
  for (int i = 0; i < 2; i++) {
    if (dtype == ND_C64 && isnan(narrow[i])) narrow[i] = NAN;
    if (dtype == ND_C128 && isnan(wide[i])) wide[i] = (double)NAN;
  }
}

/* cdata cannot be made through the C API: a Lua function makes it from the address. */
static void push_boxed(lua_State *L, const ndb_state *S, nd_dtype dtype, const void *at) {
  union {
    double _Complex alignment;
    unsigned char bytes[16];
  } copy;
  memcpy(copy.bytes, at, nd_dtype_get(dtype)->bytes);
  make_plain(dtype, copy.bytes);
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->boxes[dtype]);
  lua_pushlightuserdata(L, copy.bytes);
  lua_call(L, 1, 1);
}

/* A 64-bit integer that a double may not hold: beyond 2^53 either way. */
static bool is_wide(nd_dtype dtype, const void *at) {
  const int64_t limit = (int64_t)1 << 53;
  int64_t value;
  if (dtype != ND_I64 && dtype != ND_U64) return false;
  memcpy(&value, at, sizeof value);
  return dtype == ND_U64 ? (uint64_t)value > (uint64_t)limit : value > limit || value < -limit;
}

void ndb_push_element(lua_State *L, ndb_state *S, nd_dtype dtype, const void *at) {
  double value;
  switch (dtype) {
    case ND_BOOL: lua_pushboolean(L, *(const unsigned char *)at != 0); return;
    case ND_C64:
    case ND_C128: push_boxed(L, S, dtype, at); return;
    default:
      if (is_wide(dtype, at)) {
        push_boxed(L, S, dtype, at);
        return;
      }
      ndi_cast_find(ND_F64, dtype, ND_SATURATE)(1, (char *)&value, 8, at, 0);
      lua_pushnumber(L, value);
  }
}

/* The classes that the Lua side tells apart; ORDER CDATA in lua/ndbuf/box.lua. */
enum { CDATA_OTHER, CDATA_I64, CDATA_U64, CDATA_C64, CDATA_C128 };

static bool cdata_to_scalar(lua_State *L, const ndb_state *S, int arg, nd_scalar *out) {
  static const nd_dtype dtypes[] = {ND_F64, ND_I64, ND_U64, ND_C64, ND_C128};
  lua_pushvalue(L, arg);
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->classify);
  lua_insert(L, -2);
  lua_call(L, 1, 2);
  const int class = (int)lua_tonumber(L, -2);
  const bool is_known = class > CDATA_OTHER && class <= CDATA_C128;
  if (is_known) {
    out->dtype = dtypes[class];
    memcpy(out->bytes, lua_topointer(L, -1), nd_dtype_get(out->dtype)->bytes);
  }
  lua_pop(L, 2);
  return is_known;
}

bool ndb_to_scalar(lua_State *L, ndb_state *S, int arg, nd_scalar *out) {
  switch (lua_type(L, arg)) {
    case LUA_TNUMBER: {
      const double value = lua_tonumber(L, arg);
      out->dtype = ND_F64;
      memcpy(out->bytes, &value, sizeof value);
      return true;
    }
    case LUA_TBOOLEAN:
      out->dtype = ND_BOOL;
      out->bytes[0] = (unsigned char)lua_toboolean(L, arg);
      return true;
    case NDB_TCDATA: return cdata_to_scalar(L, S, arg, out);
    default: return false;
  }
}

void ndb_check_scalar(lua_State *L, ndb_state *S, int arg, const char *what, nd_scalar *out) {
  if (!ndb_to_scalar(L, S, arg, out))
    ndb_fail_type(L, S, arg, what, "a number, a boolean, i64, u64 or complex cdata");
}

/* The element's address when the CPU may touch it at once, else NULL. */
static char *host_element(const nd_view *v, bool for_write) {
  nd_storage *s = v->storage;
  if (nd_storage_get_state(s) != ND_STORAGE_LIVE || !nd_storage_is_settled(s)) return NULL;
  if (nd_storage_check(s, NULL) != ND_OK || (for_write && v->is_read_only)) return NULL;
  char *host = s->host;
  return host ? host + v->offset : NULL;
}

void ndb_push_item(lua_State *L, ndb_state *S, const nd_view *v) {
  nd_scalar item;
  nd_error err;
  const char *at = host_element(v, false);
  if (at) {
    memcpy(item.bytes, at, nd_view_itemsize(v));
    item.dtype = (nd_dtype)v->dtype;
    if (nd_storage_check(v->storage, NULL) == ND_OK) { /* the file was still there */
      ndb_push_element(L, S, item.dtype, item.bytes);
      return;
    }
  }
  ndb_check(L, S, nd_item(v, &item, &err), &err);
  ndb_push_element(L, S, item.dtype, item.bytes);
}

void ndb_set_item(lua_State *L, ndb_state *S, const nd_view *v, const nd_scalar *value) {
  nd_error err;
  char *at = host_element(v, true);
  ndi_cast_kernel *cast = ndi_cast_find((nd_dtype)v->dtype, value->dtype, ND_SATURATE);
  if (at && cast) cast(1, at, 0, (const char *)value->bytes, 0);
  else ndb_check(L, S, nd_fill(v, value, &err), &err);
  ndb_check(L, S, nd_storage_check(v->storage, &err), &err);
}

/* {=== tables ===} */

/* The shape of a nested table, from its first elements. */
static int table_shape(lua_State *L, ndb_state *S, int arg, size_t *shape) {
  int ndim = 0;
  lua_pushvalue(L, arg);
  while (lua_istable(L, -1)) {
    if (ndim == ND_MAX_NDIM)
      ndb_fail_with(L, S, ND_INVALID_ARGUMENT, "table", ND_NUMBERS({"limit", ND_MAX_NDIM}),
                    "nested deeper than %d levels", ND_MAX_NDIM);
    shape[ndim++] = lua_objlen(L, -1);
    luaL_checkstack(L, 4, "nested table");
    lua_rawgeti(L, -1, 1);
    lua_remove(L, -2);
  }
  lua_pop(L, 1);
  return ndim;
}

typedef struct {
  lua_State *L;
  ndb_state *S;
  nd_dtype dtype;
  size_t item;
  int ndim;
  const size_t *shape;
  ndi_cast_kernel *from_double;
  char *at;
  size_t index[ND_MAX_NDIM]; /* where we are, 1-based, for messages */
} table_reader;

static void name_place(const table_reader *r, int depth, char *text, size_t bytes) {
  size_t used = (size_t)snprintf(text, bytes, "table");
  for (int i = 0; i < depth && used < bytes; i++)
    used += (size_t)snprintf(text + used, bytes - used, "[%zu]", r->index[i]);
}

/* Entry r->index[depth] of a table at that depth is nil. Where a table with holes ends is Lua's
 * choice, so that this may show as an entry behind the end, too. */
ND_NORETURN static void fail_hole(const table_reader *r, int depth) {
  char place[128];
  name_place(r, depth + 1, place, sizeof place);
  ndb_fail(r->L, r->S, ND_SHAPE_MISMATCH, place,
           "nothing is there: a list without holes is expected");
}

static void read_element(table_reader *r) {
  lua_State *L = r->L;
  nd_scalar value;
  if (lua_type(L, -1) == LUA_TNUMBER) {
    const double number = lua_tonumber(L, -1);
    if (r->dtype == ND_F64) memcpy(r->at, &number, sizeof number);
    else r->from_double(1, r->at, 0, (const char *)&number, 0);
  } else if (lua_isnil(L, -1)) {
    fail_hole(r, r->ndim - 1);
  } else {
    char place[128];
    name_place(r, r->ndim, place, sizeof place);
    if (lua_istable(L, -1))
      ndb_fail(L, r->S, ND_SHAPE_MISMATCH, place,
               "a table where a number is expected: the rows are ragged");
    ndb_check_scalar(L, r->S, -1, place, &value);
    ndi_cast_kernel *cast = ndi_cast_find(r->dtype, value.dtype, ND_SATURATE);
    if (!cast)
      ndb_fail(L, r->S, ND_TYPE_MISMATCH, place, "a complex value does not fit %s",
               nd_dtype_get(r->dtype)->name);
    cast(1, r->at, 0, (const char *)value.bytes, 0);
  }
  r->at += r->item;
}

/* A list of numbers at the top: compiled Lua code stores as many as it can from item 'i' on.
 * Returns the first that it left. */
static size_t fill_numbers(table_reader *r, size_t i, size_t n) {
  enum { WORTHWHILE = 8 };
  lua_State *L = r->L;
  if (n < i + WORTHWHILE || r->S->fills[r->dtype] == LUA_NOREF) return i;
  lua_rawgeti(L, LUA_REGISTRYINDEX, r->S->fills[r->dtype]);
  lua_pushlightuserdata(L, r->at);
  lua_pushvalue(L, -3);
  lua_pushnumber(L, (lua_Number)i);
  lua_pushnumber(L, (lua_Number)n);
  lua_call(L, 4, 1);
  const size_t next = (size_t)lua_tonumber(L, -1);
  lua_pop(L, 1);
  r->at += (next - i) * r->item;
  return next;
}

/* The table at the top has nothing beside its n entries: none behind a hole, none with a name. */
static void check_no_more(table_reader *r, int depth, size_t n) {
  lua_State *L = r->L;
  char place[128];
  lua_rawgeti(L, -1, 0); /* lua_next does not come to it from n */
  bool is_list = lua_isnil(L, -1);
  lua_pop(L, 1);
  if (n > 0) lua_pushnumber(L, (lua_Number)n);
  else lua_pushnil(L);
  while (is_list && lua_next(L, -2)) {
    lua_pop(L, 1);
    const lua_Number key = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
    is_list = key >= 1 && key == floor(key); /* up to n where they are hashed */
    r->index[depth] = n + 1;
    if (is_list && key > (lua_Number)n) fail_hole(r, depth);
  }
  if (is_list) return;
  name_place(r, depth, place, sizeof place);
  ndb_fail_with(L, r->S, ND_SHAPE_MISMATCH, place, ND_NUMBERS({"expected", (int64_t)n}),
                "a list of %zu is expected: there is another key in the table", n);
}

/* The table at the top, which is axis 'depth'. */
static void read_level(table_reader *r, int depth) {
  lua_State *L = r->L;
  char place[128];
  if (lua_isnil(L, -1)) fail_hole(r, depth - 1);
  if (!lua_istable(L, -1)) {
    name_place(r, depth, place, sizeof place);
    ndb_fail(L, r->S, ND_SHAPE_MISMATCH, place,
             "expected a row of %zu, got %s: the rows are ragged", r->shape[depth],
             luaL_typename(L, -1));
  }
  const size_t n = lua_objlen(L, -1);
  if (n != r->shape[depth]) {
    name_place(r, depth, place, sizeof place);
    ndb_fail_with(L, r->S, ND_SHAPE_MISMATCH, place,
                  ND_NUMBERS({"actual", (int64_t)n}, {"expected", (int64_t)r->shape[depth]}),
                  "the row has %zu elements where others have %zu: ragged", n, r->shape[depth]);
  }
  check_no_more(r, depth, n);
  const bool is_last = depth + 1 == r->ndim;
  for (size_t i = 1; i <= n; i++) {
    if (is_last && (i = fill_numbers(r, i, n)) > n) break;
    r->index[depth] = i;
    lua_rawgeti(L, -1, (int)i);
    if (is_last) read_element(r);
    else read_level(r, depth + 1);
    lua_pop(L, 1);
  }
}

/* The view moves into a handle first, so that an error in the middle loses nothing; the handle
 * stays on the stack. */
void ndb_read_table(lua_State *L, ndb_state *S, int arg, nd_dtype dtype, nd_view *out) {
  size_t shape[ND_MAX_NDIM];
  nd_error err;
  char *host;
  const int ndim = table_shape(L, S, arg, shape);
  const nd_storage_options options = {.lazy = false};
  nd_view made;
  ndb_check(L, S, nd_new(nd_host_resource(), dtype, ndim, shape, options, &made, &err), &err);
  ndb_push_view(L, S, &made);
  const nd_view *v = &ndb_to_array(L, -1)->view;
  ndb_check(L, S, nd_storage_host(v->storage, true, &host, &err), &err);
  table_reader reader = {.L = L,
                         .S = S,
                         .dtype = dtype,
                         .item = nd_view_itemsize(v),
                         .ndim = ndim,
                         .shape = shape,
                         .from_double = ndi_cast_find(dtype, ND_F64, ND_SATURATE),
                         .at = host};
  luaL_checkstack(L, 2 * ND_MAX_NDIM + 8, "nested table");
  lua_pushvalue(L, arg);
  if (ndim > 0) read_level(&reader, 0);
  lua_pop(L, 1);
  nd_view_copy(v, out);
  lua_pop(L, 1);
}

static void push_level(lua_State *L, ndb_state *S, const nd_view *v, int depth, const char *at) {
  if (depth == v->ndim) {
    ndb_push_element(L, S, (nd_dtype)v->dtype, at);
    return;
  }
  const nd_axis axis = v->axis[depth];
  lua_createtable(L, axis.len < 1 << 26 ? (int)axis.len : 0, 0);
  for (size_t i = 0; i < axis.len; i++) {
    push_level(L, S, v, depth + 1, at + (ptrdiff_t)i * axis.step);
    lua_rawseti(L, -2, (int)i + 1);
  }
}

/* Through a copy of our own: a finalizer that runs while tables are made may free the array. */
void ndb_push_table(lua_State *L, ndb_state *S, const nd_view *v) {
  nd_error err;
  nd_view copy;
  char *host, nothing = 0;
  luaL_checkstack(L, 2 * ND_MAX_NDIM + 8, "totable");
  for (int i = 0; i < v->ndim; i++)
    if (v->axis[i].len > INT32_MAX)
      ndb_fail_with(
          L, S, ND_CAPACITY, "totable",
          ND_NUMBERS({"axis", i + 1}, {"value", (int64_t)v->axis[i].len}, {"limit", INT32_MAX}),
          "axis %d has %zu elements; a Lua table holds at most %d", i + 1, v->axis[i].len,
          INT32_MAX);
  ndb_check(L, S, ndb_host_copy(v, &copy, &err), &err);
  ndb_push_view(L, S, &copy);
  const nd_view *own = &ndb_to_array(L, -1)->view;
  ndb_check(L, S, nd_storage_host(own->storage, false, &host, &err), &err);
  push_level(L, S, own, 0, host ? host : &nothing); /* NULL: there are no elements */
  lua_remove(L, -2);
}

nd_status ndb_host_copy(const nd_view *v, nd_view *out, nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  for (int i = 0; i < v->ndim; i++) shape[i] = v->axis[i].len;
  ND_TRY(nd_new(nd_host_resource(), (nd_dtype)v->dtype, v->ndim, shape, (nd_storage_options){0},
                out, err));
  const nd_status status = nd_copy(out, v, ND_SATURATE, err);
  if (status != ND_OK) nd_view_drop(out);
  return status;
}

/* {=== values to assign ===} */

void ndb_read_value(lua_State *L, ndb_state *S, int arg, const char *what, nd_dtype dtype,
                    nd_view *out) {
  nd_scalar value;
  nd_error err;
  const ndb_array *a = ndb_to_array(L, arg);
  if (a) {
    nd_view_copy(&ndb_check_array(L, S, arg, what)->view, out);
  } else if (lua_istable(L, arg)) {
    ndb_read_table(L, S, arg, dtype, out);
  } else if (ndb_to_scalar(L, S, arg, &value)) {
    nd_status status = nd_new(nd_host_resource(), value.dtype, 0, NULL, (nd_storage_options){0},
                              out, &err);
    if (status == ND_OK && (status = nd_fill(out, &value, &err)) != ND_OK) nd_view_drop(out);
    ndb_check(L, S, status, &err);
  } else {
    ndb_fail_type(L, S, arg, what, "a number, a table or an array");
  }
}

/* The kernel maps nothing below. */
enum { NOWHERE = 65536 };

void *ndb_check_pointer(lua_State *L, ndb_state *S, int arg, const char *what, size_t *room) {
  void *pointer = NULL;
  if (lua_type(L, arg) != NDB_TCDATA) ndb_fail_type(L, S, arg, what, "a cdata pointer or array");
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->to_pointer);
  lua_pushvalue(L, arg);
  lua_call(L, 1, 2); /* pointer cdata, nil for cdata that is neither a pointer nor an array; size */
  if (lua_type(L, -2) != NDB_TCDATA) ndb_fail_type(L, S, arg, what, "a cdata pointer or array");
  *room = lua_isnil(L, -1) ? SIZE_MAX : (size_t)lua_tonumber(L, -1);
  memcpy(&pointer, lua_topointer(L, -2), sizeof pointer);
  lua_pop(L, 2);
  if (pointer && (uintptr_t)pointer < NOWHERE) /* a C type casts to its small number */
    ndb_fail_type(L, S, arg, what, "a cdata pointer or array");
  if (!pointer) *room = 0;
  return pointer;
}

void ndb_check_room(lua_State *L, ndb_state *S, const char *what, size_t room, size_t bytes) {
  if (bytes > room)
    ndb_fail_with(L, S, ND_OUT_OF_BOUNDS, what,
                  ND_NUMBERS({"value", (int64_t)bytes}, {"limit", (int64_t)room}),
                  "%zu B do not lie in %s%zu B", bytes, room ? "cdata of " : "NULL or cdata of ",
                  room);
}
