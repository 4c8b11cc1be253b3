/* Indexing with every rule: a[k], a(i, j), a:get, a:set, slices, index tables, masks, index arrays.
 * The fast paths (accessors.lua, direct.c) call these functions for whatever they do not handle.
 *
 * What stands in brackets is first read into a key, a list of entries with the script's numbers,
 * then resolved against the array's shape to a view. A mask or an index array is no key: it selects
 * a copy, or is assigned to through the core. */
#include <string.h>

#include "bind/bind.h"

/* {=== keys ===} */

/* The entries. Functions set 'count' to 0 rather than initialise a key: that would clear 1 KiB for
 * each access to an element. */
typedef struct {
  int count;
  ndb_slice items[ND_MAX_INDICES];
} key;

static void add_item(lua_State *L, ndb_state *S, key *k, ndb_slice item) {
  if (k->count == ND_MAX_INDICES)
    ndb_fail_with(L, S, ND_INVALID_ARGUMENT, "index", ND_NUMBERS({"limit", ND_MAX_INDICES}),
                  "more entries than the limit, %d", ND_MAX_INDICES);
  k->items[k->count++] = item;
}

static void add_integer(lua_State *L, ndb_state *S, key *k, int64_t at) {
  add_item(L, S, k, (ndb_slice){.kind = ND_INDEX_AT, .has_first = true, .first = at});
}

/* Add the entries of the slice text at 'arg'. It is parsed into a list of its own, since the key
 * may have entries already, and so less room than the parser counts on. */
static void add_text(lua_State *L, ndb_state *S, key *k, int arg) {
  ndb_slice items[ND_MAX_INDICES];
  nd_error err;
  int count;
  size_t length;
  const char *text = lua_tolstring(L, arg, &length);
  ndb_check(L, S, ndb_slice_parse(text, length, items, &count, &err), &err);
  for (int i = 0; i < count; i++) add_item(L, S, k, items[i]);
}

/* Entry 'at' (1 to 3) of a table {lo, hi, step}; false: it is nil. */
static bool range_part(lua_State *L, ndb_state *S, int table, int at, int64_t *out) {
  lua_rawgeti(L, table, at);
  const bool is_there = !lua_isnil(L, -1);
  if (is_there) *out = ndb_check_integer(L, S, -1, at == 1 ? "first" : at == 2 ? "last" : "step");
  lua_pop(L, 1);
  return is_there;
}

/* A table inside an index: {} is the whole axis, {lo, hi} and {lo, hi, step} are ranges. {lo} alone
 * is refused: it could mean a[lo] or lo to the end. */
static void add_range(lua_State *L, ndb_state *S, key *k, int table) {
  ndb_slice item = {.kind = ND_INDEX_RANGE, .step = 1};
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    const lua_Number at = lua_type(L, -2) == LUA_TNUMBER ? lua_tonumber(L, -2) : 0;
    if (at != 1 && at != 2 && at != 3)
      ndb_fail(L, S, ND_INVALID_ARGUMENT, "index",
               "expected a range {}, {lo, hi} or {lo, hi, step}, got a table with another key");
  }
  item.has_first = range_part(L, S, table, 1, &item.first);
  item.has_last = range_part(L, S, table, 2, &item.last);
  if (!range_part(L, S, table, 3, &item.step)) item.step = 1;
  if (item.has_first && !item.has_last)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "index",
             "expected a range {}, {lo, hi} or {lo, hi, step}, got one without hi");
  add_item(L, S, k, item);
}

/* An entry of an index table, or an argument of a(…), at absolute stack index 'arg'. */
static void add_entry(lua_State *L, ndb_state *S, key *k, int arg) {
  int64_t at;
  if (lua_istable(L, arg)) add_range(L, S, k, arg);
  else if (lua_type(L, arg) == LUA_TSTRING) add_text(L, S, k, arg);
  else if (ndb_to_integer(L, S, arg, "index", &at)) add_integer(L, S, k, at);
  else ndb_fail_type(L, S, arg, "index", "an integer, a range or a slice string");
}

/* a[{…}]: add the entries of the table. Keys other than the integers from 1 to the length are
 * refused: the loop over the list would pass over them. */
static void add_table(lua_State *L, ndb_state *S, key *k, int table) {
  const int n = (int)lua_objlen(L, table);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    const lua_Number at = lua_type(L, -2) == LUA_TNUMBER ? lua_tonumber(L, -2) : 0;
    if (!(at >= 1 && at <= n && at == (int)at))
      ndb_fail(L, S, ND_INVALID_ARGUMENT, "index",
               "expected a list of indices without holes, got a table with another key");
  }
  for (int i = 1; i <= n; i++) {
    lua_rawgeti(L, table, i);
    add_entry(L, S, k, lua_gettop(L));
    lua_pop(L, 1);
  }
}

/* {=== reading ===} */

/* Make 'out' the part of 'v' that the key names; true: it is one element, by integers alone. 'out'
 * has no reference of its own: the array on the stack keeps the storage alive. That saves two
 * atomic operations for an element. */
static bool resolve(lua_State *L, ndb_state *S, const nd_view *v, const key *k, nd_view *out) {
  nd_index items[ND_MAX_INDICES];
  bool is_element = false;
  nd_error err;
  ndb_check(L, S, ndb_slice_resolve(v, k->count, k->items, items, &err), &err);
  ndb_check(L, S, ndi_view_index(v, k->count, items, out, &is_element, &err), &err);
  return is_element;
}

/* Push a view that resolve made, with a reference of its own. */
static int push_borrowed(lua_State *L, ndb_state *S, nd_view *v) {
  nd_storage_hold(v->storage);
  ndb_push_view(L, S, v);
  return 1;
}

/* Push the element or the view that the key names. */
static int push_indexed(lua_State *L, ndb_state *S, const nd_view *v, const key *k) {
  nd_view out;
  if (!resolve(L, S, v, k, &out)) return push_borrowed(L, S, &out);
  ndb_push_item(L, S, &out);
  return 1;
}

/* a[mask] and a[index array]: a copy of what they select. A mask is compared with the leading axes;
 * an index array picks along the first. */
static int push_selected(lua_State *L, ndb_state *S, const nd_view *v, const nd_view *by) {
  nd_view out;
  nd_error err;
  const bool is_mask = by->dtype == ND_BOOL;
  if (!is_mask && v->ndim == 0)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "index", "a scalar (0-d) array has no axis to pick from");
  ndb_check(L, S, is_mask ? nd_mask_select(v, by, &out, &err) : nd_take(v, by, 0, &out, &err),
            &err);
  ndb_push_view(L, S, &out);
  return 1;
}

/* Push the property's value or the method of this name; false (and values to be ignored pushed):
 * there is none. */
static bool push_named(lua_State *L, int name) {
  lua_getmetatable(L, 1);
  lua_getfield(L, -1, "properties");
  lua_pushvalue(L, name);
  lua_rawget(L, -2);
  if (lua_isfunction(L, -1)) {
    lua_pushvalue(L, 1);
    lua_call(L, 1, 1);
    return true;
  }
  lua_pop(L, 2);
  lua_getfield(L, -1, "methods");
  lua_pushvalue(L, name);
  lua_rawget(L, -2);
  return !lua_isnil(L, -1);
}

/* Raise invalid_argument about an unknown name; returns only for the compiler. */
static int fail_name(lua_State *L, ndb_state *S) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, S->unknown_name); /* raises, naming the nearest */
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  lua_call(L, 2, 0);
  return 0;
}

/* a["…"]: a slice or a name. "_" is both, a new axis and a possible name: names come first. */
static int index_text(lua_State *L, ndb_state *S, const nd_view *v) {
  key k;
  k.count = 0;
  size_t length;
  const char *text = lua_tolstring(L, 2, &length);
  if (ndb_slice_is_text(text, length) && strcmp(text, "_") != 0) {
    add_text(L, S, &k, 2);
    return push_indexed(L, S, v, &k);
  }
  if (push_named(L, 2)) return 1;
  if (strcmp(text, "_") != 0) return fail_name(L, S);
  add_text(L, S, &k, 2);
  return push_indexed(L, S, v, &k);
}

int ndb_index_slow(lua_State *L, ndb_state *S) {
  ndb_array *a = ndb_check_self(L, S);
  /* while the head is stale, every access to an element comes here: refresh it for the next one */
  if (a->head.epoch != atomic_load(&a->head.storage->epoch)) ndb_refresh(a);
  const nd_view *v = &a->view;
  const ndb_array *by = ndb_to_array(L, 2);
  key k;
  k.count = 0;
  int64_t at;
  lua_settop(L, 2);
  if (lua_type(L, 2) == LUA_TSTRING) return index_text(L, S, v);
  if (by) return push_selected(L, S, v, &ndb_check_array(L, S, 2, "index")->view);
  if (lua_istable(L, 2)) add_table(L, S, &k, 2);
  else if (ndb_to_integer(L, S, 2, "index", &at)) add_integer(L, S, &k, at);
  else ndb_fail_type(L, S, 2, "index", "an integer, a slice, a table or an array");
  return push_indexed(L, S, v, &k);
}

/* {=== writing ===} */

/* Assign the value at 'arg' to the elements of 'target', broadcast and converted. */
static void assign(lua_State *L, ndb_state *S, const nd_view *target, int arg) {
  nd_view value;
  nd_error err;
  ndb_read_value(L, S, arg, "value", (nd_dtype)target->dtype, ND_SATURATE, &value);
  const nd_status status = nd_copy(target, &value, ND_SATURATE, &err);
  nd_view_drop(&value);
  ndb_check(L, S, status, &err);
}

static int set_indexed(lua_State *L, ndb_state *S, const nd_view *v, const key *k, int arg) {
  nd_view out;
  nd_scalar value;
  nd_error err;
  /* Refused for single elements, too: a store to one would change others. Views that are read-only
   * as well are left to the core, which says so. */
  if (!v->is_read_only && nd_view_overlaps_itself(v)) /* one element is several */
    ndb_fail(L, S, ND_OVERLAP, NULL,
             "cannot write through a view whose elements overlap one another; use :clone()");
  const bool is_element = resolve(L, S, v, k, &out) && ndb_to_scalar(L, S, arg, &value);
  if (is_element && v->is_read_only) ndb_check(L, S, nd_fill(v, &value, &err), &err); /* refused */
  else if (is_element) ndb_set_item(L, S, &out, &value);
  else assign(L, S, &out, arg);
  return 0;
}

/* a[mask] = value and a[index array] = value. */
static int set_selected(lua_State *L, ndb_state *S, const nd_view *v, const nd_view *by, int arg) {
  nd_view value;
  nd_error err;
  if (by->dtype != ND_BOOL && v->ndim == 0)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "index", "a scalar (0-d) array has no axis to pick from");
  ndb_read_value(L, S, arg, "value", (nd_dtype)v->dtype, ND_SATURATE, &value);
  const nd_status status = by->dtype == ND_BOOL ? nd_mask_assign(v, by, &value, &err)
                                                : nd_put(v, by, &value, &err);
  nd_view_drop(&value);
  ndb_check(L, S, status, &err);
  return 0;
}

static void fail_field(lua_State *L, ndb_state *S) {
  ndb_fail(L, S, ND_INVALID_ARGUMENT, "field",
           "\"%.40s\" cannot be assigned; a[…] = value assigns elements", lua_tostring(L, 2));
}

int ndb_newindex_slow(lua_State *L, ndb_state *S) {
  ndb_array *a = ndb_check_self(L, S);
  if (a->head.epoch != atomic_load(&a->head.storage->epoch)) ndb_refresh(a);
  const ndb_array *by = ndb_to_array(L, 2);
  key k;
  k.count = 0;
  size_t length;
  int64_t at;
  lua_settop(L, 3);
  if (lua_type(L, 2) == LUA_TSTRING) {
    const char *text = lua_tolstring(L, 2, &length);
    /* properties and methods cannot be assigned, so a text is a slice */
    if (!ndb_slice_is_text(text, length)) fail_field(L, S);
    add_text(L, S, &k, 2);
  } else if (by) {
    return set_selected(L, S, &a->view, &ndb_check_array(L, S, 2, "index")->view, 3);
  } else if (lua_istable(L, 2)) {
    add_table(L, S, &k, 2);
  } else if (ndb_to_integer(L, S, 2, "index", &at)) {
    add_integer(L, S, &k, at);
  } else {
    ndb_fail_type(L, S, 2, "index", "an integer, a slice, a table or an array");
  }
  return set_indexed(L, S, &a->view, &k, 3);
}

/* {=== a(…), a:get, a:set ===} */

/* A single slice string, table or array means what it means in brackets. a() has no entries: it is
 * a view of the whole array, or the element of a 0-d array. Nils at the end are no indices:
 * accessors.lua passes one for each that is not given. */
int ndb_call_slow(lua_State *L, ndb_state *S) {
  ndb_array *a = ndb_check_self(L, S);
  int n = lua_gettop(L) - 1;
  while (n > 0 && lua_isnil(L, n + 1)) n--;
  lua_settop(L, n + 1);
  key k;
  k.count = 0;
  if (a->head.epoch != atomic_load(&a->head.storage->epoch)) ndb_refresh(a);
  if (n == 1 && lua_type(L, 2) == LUA_TSTRING) {
    add_text(L, S, &k, 2); /* in a call text is a slice, never a name */
    return push_indexed(L, S, &a->view, &k);
  }
  if (n == 1 && (lua_istable(L, 2) || ndb_to_array(L, 2))) return ndb_index_slow(L, S);
  for (int i = 0; i < n; i++) add_entry(L, S, &k, i + 2);
  return push_indexed(L, S, &a->view, &k);
}

/* a:set(i, j, …, value); also a:set(mask, value) and the like. */
int ndb_set_slow(lua_State *L, ndb_state *S) {
  ndb_array *a = ndb_check_self(L, S);
  const int top = lua_gettop(L);
  key k;
  k.count = 0;
  if (a->head.epoch != atomic_load(&a->head.storage->epoch)) ndb_refresh(a);
  if (top < 2)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "value", "expected indices and a value, got no value");
  if (top == 3 && (lua_istable(L, 2) || ndb_to_array(L, 2))) return ndb_newindex_slow(L, S);
  for (int i = 2; i < top; i++) add_entry(L, S, &k, i);
  return set_indexed(L, S, &a->view, &k, top);
}

/* a:slice{…} is a[{…}], but always a view: 0-d where a[{…}] is an element. */
static int array_slice(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  key k;
  k.count = 0;
  nd_view out;
  if (lua_type(L, 2) == LUA_TSTRING) add_text(L, S, &k, 2);
  else if (lua_istable(L, 2)) add_table(L, S, &k, 2);
  else ndb_fail_type(L, S, 2, "slice", "a table or a slice string");
  resolve(L, S, v, &k, &out);
  return push_borrowed(L, S, &out);
}

/* {=== picking by index ===} */

/* Push a value as an array; the handle on the stack keeps the returned view alive. */
static const nd_view *push_value(lua_State *L, ndb_state *S, int arg, const char *what,
                                 nd_dtype dtype) {
  nd_view value;
  ndb_read_value(L, S, arg, what, dtype, ND_SATURATE, &value);
  ndb_push_view(L, S, &value);
  return &ndb_to_array(L, -1)->view;
}

/* Push an index. Numbers and tables are read as f64, then converted to i64 with a check, so that
 * fractions are refused rather than truncated. */
static const nd_view *push_index(lua_State *L, ndb_state *S, int arg) {
  nd_view integers;
  nd_error err;
  const bool is_array = ndb_to_array(L, arg) != NULL;
  const nd_view *given = push_value(L, S, arg, "index", ND_F64);
  if (is_array) return given;
  if (nd_astype(given, ND_I64, ND_CHECK, &integers, &err) != ND_OK)
    ndb_fail_as(L, S, &err, "index");
  ndb_push_view(L, S, &integers);
  return &ndb_to_array(L, -1)->view;
}

static int array_take(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  ndb_options options;
  nd_view out;
  nd_error err;
  ndb_read_options(L, S, 3, NDB_BIT(AXIS), &options);
  if (v->ndim == 0)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "take", "a scalar (0-d) array has no axis to pick from");
  const int axis = ndb_option_axis(L, S, &options, "take", v->ndim, 0);
  return ndb_push_made(L, S, nd_take(v, push_index(L, S, 2), axis, &out, &err), &out, &err);
}

/* Push the index at 'arg', which counts from what option 'base' says, as one that counts
 * from 1. */
static const nd_view *push_index_from(lua_State *L, ndb_state *S, const char *what, int arg,
                                      size_t extent, const ndb_options *options) {
  nd_view from_one;
  nd_error err;
  const bool is_from_zero = ndb_option_base(L, S, options) == 0;
  const nd_view *index = push_index(L, S, arg);
  if (!is_from_zero) return index;
  ndb_push_made(L, S, nd_index_from_zero(what, index, extent, &from_one, &err), &from_one, &err);
  return &ndb_to_array(L, -1)->view;
}

static int array_put(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  ndb_options options;
  nd_error err;
  if (lua_gettop(L) < 3) lua_settop(L, 3);
  ndb_read_options(L, S, 4, NDB_BIT(BASE), &options);
  if (v->ndim == 0)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "put", "a scalar (0-d) array has no axis to put along");
  const nd_view *index = push_index_from(L, S, "put", 2, v->axis[0].len, &options);
  ndb_check(L, S, nd_put(v, index, push_value(L, S, 3, "values", (nd_dtype)v->dtype), &err), &err);
  return ndb_return_self(L);
}

/* Push what index_add adds: a scalar must be exact in 'dtype', or it is refused. */
static const nd_view *push_addend(lua_State *L, ndb_state *S, int arg, nd_dtype dtype) {
  nd_scalar value;
  nd_view exact;
  nd_error err;
  if (!ndb_to_scalar(L, S, arg, &value)) return push_value(L, S, arg, "values", dtype);
  ndb_push_made(L, S, nd_scalar_as("index_add", &value, dtype, &exact, &err), &exact, &err);
  return &ndb_to_array(L, -1)->view;
}

static int array_index_add(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  ndb_options options;
  nd_error err;
  if (lua_gettop(L) < 4) lua_settop(L, 4);
  ndb_read_options(L, S, 5, NDB_BIT(BASE), &options);
  const int axis = ndb_check_axis(L, S, 2, "index_add", v->ndim);
  const nd_view *index = push_index_from(L, S, "index_add", 3, v->axis[axis].len, &options);
  ndb_check(L, S, nd_index_add(v, axis, index, push_addend(L, S, 4, (nd_dtype)v->dtype), &err),
            &err);
  return ndb_return_self(L);
}

const ndb_reg ndb_index_methods[] = {{"slice", array_slice, 2},
                                     {"take", array_take, NDB_ANY},
                                     {"put", array_put, 4},
                                     {"index_add", array_index_add, 5},
                                     {NULL, NULL, 0}};
