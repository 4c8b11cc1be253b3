/* Indexing with every rule: a[k], a(i, j), a:get, a:set, slices, index tables, masks, index arrays.
 * The fast paths (accessors.lua, direct.c) call these functions for whatever they do not handle.
 *
 * What stands in brackets is first read into a key, a list of entries with the script's numbers,
 * then resolved against the array's shape to a view. Masks and index arrays in a key pick a copy
 * from that view, or are assigned to through the core; alone in the brackets they are no key. */
#include <string.h>

#include "bind/bind.h"
#include "bind/key.h"

/* {=== reading ===} */

/* Push a view that ndb_key_resolve made, with a reference of its own. */
static int push_borrowed(lua_State *L, ndb_state *S, nd_view *v) {
  nd_storage_hold(v->storage);
  ndb_push_view(L, S, v);
  return 1;
}

/* What the arrays of the key pick from 'part', which ndb_key_resolve made of 'v': a copy. */
static int push_picked(lua_State *L, ndb_state *S, const nd_view *v, const ndb_key *k,
                       const nd_view *part) {
  nd_picker by[ND_MAX_NDIM];
  nd_view out;
  nd_error err;
  const int at = ndb_key_pickers(v, k, by);
  return ndb_push_made(L, S, nd_pick(part, k->arrays, by, at, &out, &err), &out, &err);
}

/* Push the element, the view or the copy that the key names. */
static int push_indexed(lua_State *L, ndb_state *S, const nd_view *v, const ndb_key *k) {
  nd_view out;
  if (k->arrays > 0) {
    ndb_key_resolve(L, S, v, k, &out);
    return push_picked(L, S, v, k, &out);
  }
  if (!ndb_key_resolve(L, S, v, k, &out)) return push_borrowed(L, S, &out);
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
  ndb_key k;
  k.count = k.arrays = 0;
  size_t length;
  const char *text = lua_tolstring(L, 2, &length);
  if (ndb_slice_is_text(text, length) && strcmp(text, "_") != 0) {
    ndb_key_add_text(L, S, &k, 2);
    return push_indexed(L, S, v, &k);
  }
  if (push_named(L, 2)) return 1;
  if (strcmp(text, "_") != 0) return fail_name(L, S);
  ndb_key_add_text(L, S, &k, 2);
  return push_indexed(L, S, v, &k);
}

int ndb_index_slow(lua_State *L, ndb_state *S) {
  ndb_array *a = ndb_check_self(L, S);
  /* while the head is stale, every access to an element comes here: refresh it for the next one */
  if (a->head.epoch != atomic_load(&a->head.storage->epoch)) ndb_refresh(a);
  const nd_view *v = &a->view;
  const ndb_array *by = ndb_to_array(L, 2);
  ndb_key k;
  k.count = k.arrays = 0;
  int64_t at;
  lua_settop(L, 2);
  if (lua_type(L, 2) == LUA_TSTRING) return index_text(L, S, v);
  if (by) return push_selected(L, S, v, &ndb_check_array(L, S, 2, "index")->view);
  if (lua_istable(L, 2)) ndb_key_add_table(L, S, &k, 2);
  else if (ndb_to_integer(L, S, 2, "index", &at)) ndb_key_add_integer(L, S, &k, at);
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

/* The same for what the arrays of the key pick from 'part', which ndb_key_resolve made of 'v'. */
static void assign_picked(lua_State *L, ndb_state *S, const nd_view *v, const ndb_key *k,
                          const nd_view *part, int arg) {
  nd_picker by[ND_MAX_NDIM];
  nd_view value;
  nd_error err;
  const int at = ndb_key_pickers(v, k, by);
  ndb_read_value(L, S, arg, "value", (nd_dtype)v->dtype, ND_SATURATE, &value);
  const nd_status status = nd_pick_assign(part, k->arrays, by, at, &value, &err);
  nd_view_drop(&value);
  ndb_check(L, S, status, &err);
}

static int set_indexed(lua_State *L, ndb_state *S, const nd_view *v, const ndb_key *k, int arg) {
  nd_view out;
  nd_scalar value;
  nd_error err;
  /* Refused for single elements, too: a store to one would change others. Views that are read-only
   * as well are left to the core, which says so. */
  if (!v->is_read_only && nd_view_overlaps_itself(v)) /* one element is several */
    ndb_fail(L, S, ND_OVERLAP, NULL,
             "cannot write through a view whose elements overlap one another; use :clone()");
  if (k->arrays > 0) {
    ndb_key_resolve(L, S, v, k, &out);
    assign_picked(L, S, v, k, &out, arg);
    return 0;
  }
  const bool is_element = ndb_key_resolve(L, S, v, k, &out) && ndb_to_scalar(L, S, arg, &value);
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
  ndb_key k;
  k.count = k.arrays = 0;
  size_t length;
  int64_t at;
  lua_settop(L, 3);
  if (lua_type(L, 2) == LUA_TSTRING) {
    const char *text = lua_tolstring(L, 2, &length);
    /* properties and methods cannot be assigned, so a text is a slice */
    if (!ndb_slice_is_text(text, length)) fail_field(L, S);
    ndb_key_add_text(L, S, &k, 2);
  } else if (by) {
    return set_selected(L, S, &a->view, &ndb_check_array(L, S, 2, "index")->view, 3);
  } else if (lua_istable(L, 2)) {
    ndb_key_add_table(L, S, &k, 2);
  } else if (ndb_to_integer(L, S, 2, "index", &at)) {
    ndb_key_add_integer(L, S, &k, at);
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
  ndb_key k;
  k.count = k.arrays = 0;
  if (a->head.epoch != atomic_load(&a->head.storage->epoch)) ndb_refresh(a);
  if (n == 1 && lua_type(L, 2) == LUA_TSTRING) {
    ndb_key_add_text(L, S, &k, 2); /* in a call text is a slice, never a name */
    return push_indexed(L, S, &a->view, &k);
  }
  if (n == 1 && (lua_istable(L, 2) || ndb_to_array(L, 2))) return ndb_index_slow(L, S);
  for (int i = 0; i < n; i++) ndb_key_add(L, S, &k, i + 2);
  return push_indexed(L, S, &a->view, &k);
}

/* a:set(i, j, …, value); also a:set(mask, value) and the like. */
int ndb_set_slow(lua_State *L, ndb_state *S) {
  ndb_array *a = ndb_check_self(L, S);
  const int top = lua_gettop(L);
  ndb_key k;
  k.count = k.arrays = 0;
  if (a->head.epoch != atomic_load(&a->head.storage->epoch)) ndb_refresh(a);
  if (top < 2)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "value", "expected indices and a value, got no value");
  if (top == 3 && (lua_istable(L, 2) || ndb_to_array(L, 2))) return ndb_newindex_slow(L, S);
  for (int i = 2; i < top; i++) ndb_key_add(L, S, &k, i);
  return set_indexed(L, S, &a->view, &k, top);
}

/* a:slice{…} is a[{…}], but always a view: 0-d where a[{…}] is an element. */
static int array_slice(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  ndb_key k;
  k.count = k.arrays = 0;
  nd_view out;
  if (lua_type(L, 2) == LUA_TSTRING) ndb_key_add_text(L, S, &k, 2);
  else if (lua_istable(L, 2)) ndb_key_add_table(L, S, &k, 2);
  else ndb_fail_type(L, S, 2, "slice", "a table or a slice string");
  if (k.arrays > 0)
    ndb_fail(L, S, ND_TYPE_MISMATCH, "slice", "index arrays give no view; use a[{…}], a copy");
  ndb_key_resolve(L, S, v, &k, &out);
  return push_borrowed(L, S, &out);
}

/* {=== picking by index ===} */

/* Push what a mask selects, which stands for as many axes as it has, from 'axis' on. */
static void push_masked(lua_State *L, ndb_state *S, const nd_view *v, const nd_view *mask,
                        int axis) {
  const nd_picker by = {.by = mask, .axis = axis, .named = axis, .what = "take"};
  char text[ND_SHAPE_TEXT], other[ND_SHAPE_TEXT];
  nd_status status;
  nd_view out;
  nd_error err;
  if (axis > 0 && (mask->ndim == 0 || mask->ndim > v->ndim - axis))
    ndb_fail(L, S, ND_SHAPE_MISMATCH, "index",
             "take: the mask (%s) does not have the axes of the array (%s) from axis %d on",
             nd_shape_text(mask->ndim, mask->axis, text, sizeof text),
             nd_shape_text(v->ndim, v->axis, other, sizeof other), axis + 1);
  status = axis == 0 ? nd_mask_select(v, mask, &out, &err) : nd_pick(v, 1, &by, axis, &out, &err);
  ndb_push_made(L, S, status, &out, &err);
}

/* take(index | mask [, axis] [, {axis =, out =}]) */
static int array_take(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  ndb_options options;
  nd_view out;
  nd_error err;
  ndb_read_options(L, S, 3, NDB_BIT(AXIS) | NDB_BIT(OUT), &options);
  if (v->ndim == 0)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "take", "a scalar (0-d) array has no axis to pick from");
  const int axis = ndb_option_axis(L, S, &options, "take", v->ndim, 0);
  const nd_view *by = ndb_push_index(L, S, 2);
  if (by->dtype == ND_BOOL) push_masked(L, S, v, by, axis);
  else ndb_push_made(L, S, nd_take(v, by, axis, &out, &err), &out, &err);
  return ndb_return_out(L, S, &options, "take");
}

/* Push the index at 'arg', which counts from what option 'base' says, as one that counts
 * from 1. */
static const nd_view *push_index_from(lua_State *L, ndb_state *S, const char *what, int arg,
                                      size_t extent, const ndb_options *options) {
  nd_view from_one;
  nd_error err;
  const bool is_from_zero = ndb_option_base(L, S, options) == 0;
  const nd_view *index = ndb_push_index(L, S, arg);
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
  ndb_check(L, S, nd_put(v, index, ndb_push_values(L, S, 3, "values", (nd_dtype)v->dtype), &err),
            &err);
  return ndb_return_self(L);
}

static int array_index_add(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  ndb_options options;
  nd_error err;
  if (lua_gettop(L) < 4) lua_settop(L, 4);
  ndb_read_options(L, S, 5, NDB_BIT(BASE), &options);
  const int axis = ndb_check_axis(L, S, 2, "index_add", v->ndim);
  const nd_view *index = push_index_from(L, S, "index_add", 3, v->axis[axis].len, &options);
  ndb_check(
      L, S,
      nd_index_add(v, axis, index, ndb_push_addend(L, S, 4, "index_add", (nd_dtype)v->dtype), &err),
      &err);
  return ndb_return_self(L);
}

const ndb_reg ndb_index_methods[] = {{"slice", array_slice, 2},
                                     {"take", array_take, NDB_ANY},
                                     {"put", array_put, 4},
                                     {"index_add", array_index_add, 5},
                                     {NULL, NULL, 0}};
