/* Nested tables as arrays and back, and the values that can be assigned.
 *
 * The shape of a nested table is taken from its first elements; every other row is compared with
 * it while it is read, so that a ragged table is refused with its position. Lists of numbers are
 * stored by compiled Lua code ('fills', lua/ndbuf/accessors.lua), as a lua_rawgeti for each number
 * costs more. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/call.h"
#include "bind/bind.h"
#include "kern/cast.h"

/* The shape of the nested table at 'arg', from its first elements; returns the number of axes. An
 * empty table is the last axis, of extent 0. */
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

/* What the functions below share while they read one table. The part of it that they are at is on
 * top of the stack. */
typedef struct {
  lua_State *L;
  ndb_state *S;
  nd_dtype dtype;
  nd_cast_mode mode;
  size_t item;
  int ndim;
  const size_t *shape;
  ndi_cast_kernel *from_double; /* f64 to dtype */
  char *first, *at;             /* the first and the next element, in row-major order */
  size_t index[ND_MAX_NDIM];    /* the path to it, 1-based, for messages */
} table_reader;

/* "table[2][1]": the path up to 'depth'. */
static void name_entry(const table_reader *r, int depth, char *text, size_t bytes) {
  size_t used = (size_t)snprintf(text, bytes, "table");
  for (int i = 0; i < depth && used < bytes; i++)
    used += (size_t)snprintf(text + used, bytes - used, "[%zu]", r->index[i]);
}

/* Raise about entry r->index[depth], which is nil. The length of a table with holes is any border
 * that Lua finds, so a hole may also show as an entry after the end. */
ND_NORETURN static void fail_hole(const table_reader *r, int depth) {
  char entry[128];
  name_entry(r, depth + 1, entry, sizeof entry);
  ndb_fail(r->L, r->S, ND_SHAPE_MISMATCH, entry, "expected a value, got nil: the list has a hole");
}

/* Raise about the value at the top, which is no scalar. */
ND_NORETURN static void fail_element(table_reader *r) {
  char entry[128];
  nd_scalar value;
  if (lua_isnil(r->L, -1)) fail_hole(r, r->ndim - 1);
  name_entry(r, r->ndim, entry, sizeof entry);
  if (lua_istable(r->L, -1))
    ndb_fail(r->L, r->S, ND_SHAPE_MISMATCH, entry,
             "expected a number, got a table: the rows are ragged");
  ndb_check_scalar(r->L, r->S, -1, entry, &value);
  __builtin_unreachable();
}

/* Raise about a value that the mode, or every mode, refuses to convert. */
ND_NORETURN static void fail_value(table_reader *r, const nd_scalar *value) {
  char entry[128], text[ND_SCALAR_TEXT];
  const size_t before = (size_t)(r->at - r->first) / r->item;
  name_entry(r, r->ndim, entry, sizeof entry);
  if (!ndi_cast_find(r->dtype, value->dtype, r->mode))
    ndb_fail(r->L, r->S, ND_TYPE_MISMATCH, entry, "a complex value cannot be converted to %s",
             nd_dtype_get(r->dtype)->name);
  ndb_fail_with(r->L, r->S, ND_NOT_REPRESENTABLE, entry,
                ND_NUMBERS({"position", (int64_t)before + 1}), "%s cannot be represented as %s",
                nd_scalar_text(value, text), nd_dtype_get(r->dtype)->name);
}

/* Convert a value to the next element. */
static void store(table_reader *r, const nd_scalar *value) {
  const char *bytes = (const char *)value->bytes;
  ndi_cast_kernel *cast = ndi_cast_find(r->dtype, value->dtype, r->mode);
  ndi_cast_check *check = r->mode == ND_CHECK ? ndi_cast_check_find(r->dtype, value->dtype) : NULL;
  if (!cast || (check && check(1, bytes, 0) == 0)) fail_value(r, value);
  cast(1, r->at, 0, bytes, 0);
}

/* Store the value at the top as the next element. */
static void read_element(table_reader *r) {
  lua_State *L = r->L;
  nd_scalar value;
  if (lua_type(L, -1) == LUA_TNUMBER && r->mode == ND_SATURATE) {
    const double number = lua_tonumber(L, -1);
    if (r->dtype == ND_F64) memcpy(r->at, &number, sizeof number);
    else r->from_double(1, r->at, 0, (const char *)&number, 0);
  } else if (ndb_to_scalar(L, r->S, -1, &value)) {
    store(r, &value);
  } else {
    fail_element(r);
  }
  r->at += r->item;
}

/* Let compiled Lua code store numbers from item 'i' of the list at the top on. Returns the first
 * item that it left to read_element, or n + 1. */
static size_t fill_numbers(table_reader *r, size_t i, size_t n) {
  enum { WORTHWHILE = 8 }; /* below it the call costs more than it saves */
  lua_State *L = r->L;
  if (n < i + WORTHWHILE || r->mode != ND_SATURATE || r->S->fills[r->dtype] == LUA_NOREF) return i;
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

/* Raise unless the keys of the table at the top are exactly 1 to n. lua_next starts after n, so
 * that entries of the array part are not walked again; keys up to n that come are in the hash
 * part. */
static void check_no_more(table_reader *r, int depth, size_t n) {
  lua_State *L = r->L;
  char entry[128];
  lua_rawgeti(L, -1, 0); /* LuaJIT keeps key 0 in the array part, before n: lua_next skips it */
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
  name_entry(r, depth, entry, sizeof entry);
  ndb_fail_with(L, r->S, ND_SHAPE_MISMATCH, entry, ND_NUMBERS({"expected", (int64_t)n}),
                "expected a list of %zu, got a table with another key", n);
}

/* Read the table at the top, which is axis 'depth', and all tables in it. In a list, fill_numbers
 * goes as far as it can, read_element takes the item that stopped it, and so on. */
static void read_level(table_reader *r, int depth) {
  lua_State *L = r->L;
  char entry[128];
  if (lua_isnil(L, -1)) fail_hole(r, depth - 1);
  if (!lua_istable(L, -1)) {
    name_entry(r, depth, entry, sizeof entry);
    ndb_fail(L, r->S, ND_SHAPE_MISMATCH, entry,
             "expected a row of %zu elements, got %s: the rows are ragged", r->shape[depth],
             ndb_type_text(L, -1));
  }
  const size_t n = lua_objlen(L, -1);
  if (n != r->shape[depth]) {
    name_entry(r, depth, entry, sizeof entry);
    ndb_fail_with(L, r->S, ND_SHAPE_MISMATCH, entry,
                  ND_NUMBERS({"actual", (int64_t)n}, {"expected", (int64_t)r->shape[depth]}),
                  "expected a row of %zu elements, got %zu: the rows are ragged", r->shape[depth],
                  n);
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

/* Make 'out' a new host array from a nested table. The storage belongs to a handle while the table
 * is read, so that an error in the middle leaks nothing. */
static void read_table(lua_State *L, ndb_state *S, int arg, nd_dtype dtype, nd_cast_mode mode,
                       nd_view *out) {
  size_t shape[ND_MAX_NDIM];
  nd_error err;
  char *host;
  const int ndim = table_shape(L, S, arg, shape);
  const nd_storage_options options = {.lazy = false};
  nd_view made;
  nd_resource *from = nd_call_memory(nd_host_resource());
  ndb_check(L, S, nd_new(from, dtype, ndim, shape, options, &made, &err), &err);
  ndb_push_view(L, S, &made);
  const nd_view *v = &ndb_to_array(L, -1)->view;
  ndb_check(L, S, nd_view_host(v, true, &host, &err), &err);
  table_reader reader = {.L = L,
                         .S = S,
                         .dtype = dtype,
                         .mode = mode,
                         .item = nd_view_itemsize(v),
                         .ndim = ndim,
                         .shape = shape,
                         .from_double = ndi_cast_find(dtype, ND_F64, ND_SATURATE),
                         .first = host,
                         .at = host};
  luaL_checkstack(L, 2 * ND_MAX_NDIM + 8, "nested table");
  lua_pushvalue(L, arg);
  if (ndim > 0) read_level(&reader, 0);
  lua_pop(L, 1);
  /* a reference for 'out'; that of the handle goes when it is collected */
  nd_view_copy(v, out);
  lua_pop(L, 1);
}

/* Push the elements of 'v' from axis 'depth' on, the first of which is at 'at'; below the last axis
 * that is one element. */
static void push_level(lua_State *L, ndb_state *S, const nd_view *v, int depth, const char *at) {
  if (depth == v->ndim) {
    ndb_push_element(L, S, (nd_dtype)v->dtype, at);
    return;
  }
  const nd_axis axis = v->axis[depth];
  /* the size is only a hint, and lua_createtable raises for more than 2^27 */
  lua_createtable(L, axis.len < 1 << 26 ? (int)axis.len : 0, 0);
  for (size_t i = 0; i < axis.len; i++) {
    push_level(L, S, v, depth + 1, at + (ptrdiff_t)i * axis.step);
    lua_rawseti(L, -2, (int)i + 1);
  }
}

/* From a private copy in host memory: making tables may run a finalizer that frees the array. */
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
  ndb_check(L, S, nd_clone(v, nd_call_memory(nd_host_resource()), &copy, &err), &err);
  ndb_push_view(L, S, &copy);
  const nd_view *own = &ndb_to_array(L, -1)->view;
  ndb_check(L, S, nd_view_host(own, false, &host, &err), &err);
  push_level(L, S, own, 0, host ? host : &nothing); /* NULL: there are no elements */
  lua_remove(L, -2);                                /* the copy's handle */
}

/* {=== values to assign ===} */

void ndb_read_value(lua_State *L, ndb_state *S, int arg, const char *what, nd_dtype dtype,
                    nd_cast_mode mode, nd_view *out) {
  nd_scalar value;
  nd_error err;
  const ndb_array *a = ndb_to_array(L, arg);
  if (a) {
    nd_view_copy(&ndb_check_array(L, S, arg, what)->view, out);
  } else if (lua_istable(L, arg)) {
    read_table(L, S, arg, dtype, mode, out);
  } else if (ndb_to_scalar(L, S, arg, &value)) {
    /* nothing may raise before ndb_check: no handle owns 'out' */
    nd_status status = nd_new(nd_host_resource(), value.dtype, 0, NULL, (nd_storage_options){0},
                              out, &err);
    if (status == ND_OK && (status = nd_fill(out, &value, &err)) != ND_OK) nd_view_drop(out);
    ndb_check(L, S, status, &err);
  } else {
    ndb_fail_type(L, S, arg, what, "a number, a table or an array");
  }
}

const nd_view *ndb_check_operand(lua_State *L, ndb_state *S, int arg, const char *what) {
  nd_view value;
  if (lua_istable(L, arg)) {
    if (ndb_is_options(L, arg)) /* in the place of an operand that was left out */
      ndb_fail(L, S, ND_TYPE_MISMATCH, what,
               "expected an array or a list, got a table with other keys");
    ndb_read_value(L, S, arg, what, ND_F64, ND_SATURATE, &value);
    ndb_push_view(L, S, &value);
    lua_replace(L, arg);
  }
  return &ndb_check_array(L, S, arg, what)->view;
}
