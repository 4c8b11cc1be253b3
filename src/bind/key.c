/* Keys: what stands in the brackets of a[…], read from Lua and resolved against an array. */
#include <stdio.h>

#include "bind/key.h"

/* {=== reading ===} */

static void add_item(lua_State *L, ndb_state *S, ndb_key *k, ndb_slice item) {
  if (k->count == ND_MAX_INDICES)
    ndb_fail_with(L, S, ND_INVALID_ARGUMENT, "index", ND_NUMBERS({"limit", ND_MAX_INDICES}),
                  "more entries than the limit, %d", ND_MAX_INDICES);
  k->items[k->count++] = item;
}

void ndb_key_add_integer(lua_State *L, ndb_state *S, ndb_key *k, int64_t at) {
  add_item(L, S, k, (ndb_slice){.kind = ND_INDEX_AT, .has_first = true, .first = at});
}

/* The text is parsed into a list of its own, since the key may have entries already, and so less
 * room than the parser counts on. */
void ndb_key_add_text(lua_State *L, ndb_state *S, ndb_key *k, int arg) {
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
static void add_range(lua_State *L, ndb_state *S, ndb_key *k, int table) {
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

/* An index array or a mask at 'arg': a range ':' for each of its axes keeps the place. The array
 * stays on the stack as well, as the table that it is from may change while memory is taken. */
static void add_array(lua_State *L, ndb_state *S, ndb_key *k, int arg) {
  const nd_view *by = &ndb_check_array(L, S, arg, "index")->view;
  const int axes = by->dtype == ND_BOOL ? by->ndim : 1;
  if (k->arrays == ND_MAX_NDIM)
    ndb_fail_with(L, S, ND_INVALID_ARGUMENT, "index", ND_NUMBERS({"limit", ND_MAX_NDIM}),
                  "more index arrays than the limit, %d", ND_MAX_NDIM);
  if (axes == 0)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "index", "a mask without axes (0-d) beside other indices");
  luaL_checkstack(L, 4, "index arrays");
  lua_pushvalue(L, arg);
  k->of[k->arrays].by = by;
  k->of[k->arrays].item = k->count;
  k->of[k->arrays++].items = axes;
  for (int i = 0; i < axes; i++) add_item(L, S, k, (ndb_slice){.kind = ND_INDEX_RANGE, .step = 1});
}

void ndb_key_add(lua_State *L, ndb_state *S, ndb_key *k, int arg) {
  int64_t at;
  if (lua_istable(L, arg)) add_range(L, S, k, arg);
  else if (lua_type(L, arg) == LUA_TSTRING) ndb_key_add_text(L, S, k, arg);
  else if (ndb_to_integer(L, S, arg, "index", &at)) ndb_key_add_integer(L, S, k, at);
  else if (ndb_to_array(L, arg)) add_array(L, S, k, arg);
  else ndb_fail_type(L, S, arg, "index", "an integer, a range, a slice string or an array");
}

/* Keys other than the integers from 1 to the length are refused: the loop over the list would pass
 * over them. */
void ndb_key_add_table(lua_State *L, ndb_state *S, ndb_key *k, int table) {
  const int n = (int)lua_objlen(L, table);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    const lua_Number at = lua_type(L, -2) == LUA_TNUMBER ? lua_tonumber(L, -2) : 0;
    if (!(at >= 1 && at <= n && at == (int)at))
      ndb_fail(L, S, ND_INVALID_ARGUMENT, "index",
               "expected a list of indices without holes, got a table with another key");
  }
  for (int i = 1; i <= n; i++) {
    lua_rawgeti(L, table, i);
    const int entry = lua_gettop(L);
    ndb_key_add(L, S, k, entry);
    lua_remove(L, entry); /* an array that was added stays above it */
  }
}

/* {=== resolving ===} */

bool ndb_key_resolve(lua_State *L, ndb_state *S, const nd_view *v, const ndb_key *k, nd_view *out) {
  nd_index items[ND_MAX_INDICES];
  bool is_element = false;
  nd_error err;
  ndb_check(L, S, ndb_slice_resolve(v, k->count, k->items, items, &err), &err);
  ndb_check(L, S, ndi_view_index(v, k->count, items, out, &is_element, &err), &err);
  return is_element;
}

/* Axes that an ellipsis stands for. */
static int ellipsis_axes(const nd_view *v, const ndb_key *k) {
  int used = 0;
  for (int i = 0; i < k->count; i++)
    used += k->items[i].kind == ND_INDEX_AT || k->items[i].kind == ND_INDEX_RANGE;
  return v->ndim - used;
}

/* Integers count as index arrays of one element where there are others: a[{1, {}, j}] has its index
 * arrays apart. */
int ndb_key_pickers(const nd_view *v, const ndb_key *k, nd_picker *out) {
  const int dots = ellipsis_axes(v, k);
  int axis = 0, named = 0,
      rest = 0; /* of the view; of 'v'; of the view without those picked from */
  int at = -1, n = 0;
  bool is_apart = false; /* does something else stand between the last index and here? */
  for (int i = 0; i < k->count; i++) {
    const ndb_slice *item = &k->items[i];
    const bool is_array = n < k->arrays && k->of[n].item == i && k->of[n].items > 0;
    if (is_array || item->kind == ND_INDEX_AT) {
      if (at >= 0 && is_apart) at = 0;
      else if (at < 0) at = rest;
    } else {
      is_apart = at >= 0;
    }
    if (is_array) {
      out[n] = (nd_picker){.by = k->of[n].by, .axis = axis, .named = named};
      axis += k->of[n].items;
      named += k->of[n].items;
      i += k->of[n++].items - 1;
      continue;
    }
    const int axes = item->kind == ND_INDEX_ELLIPSIS ? dots : item->kind != ND_INDEX_AT;
    axis += axes;
    rest += axes;
    named += item->kind == ND_INDEX_ELLIPSIS ? dots : item->kind != ND_INDEX_NEW_AXIS;
  }
  return at;
}

/* {=== values and lists of indices ===} */

const nd_view *ndb_push_values(lua_State *L, ndb_state *S, int arg, const char *what,
                               nd_dtype dtype) {
  nd_view value;
  ndb_read_value(L, S, arg, what, dtype, ND_SATURATE, &value);
  ndb_push_view(L, S, &value);
  return &ndb_to_array(L, -1)->view;
}

/* Numbers and tables are read as f64, then converted to i64 with a check, so that fractions are
 * refused rather than truncated. */
const nd_view *ndb_push_index(lua_State *L, ndb_state *S, int arg) {
  nd_view integers;
  nd_error err;
  const bool is_array = ndb_to_array(L, arg) != NULL;
  const nd_view *given = ndb_push_values(L, S, arg, "index", ND_F64);
  if (is_array) return given;
  if (nd_astype(given, ND_I64, ND_CHECK, &integers, &err) != ND_OK)
    ndb_fail_as(L, S, &err, "index");
  ndb_push_view(L, S, &integers);
  return &ndb_to_array(L, -1)->view;
}

const nd_view *ndb_push_addend(lua_State *L, ndb_state *S, int arg, const char *what,
                               nd_dtype dtype) {
  nd_scalar value;
  nd_view exact;
  nd_error err;
  if (!ndb_to_scalar(L, S, arg, &value)) return ndb_push_values(L, S, arg, "values", dtype);
  ndb_push_made(L, S, nd_scalar_as(what, &value, dtype, &exact, &err), &exact, &err);
  return &ndb_to_array(L, -1)->view;
}

int ndb_return_out(lua_State *L, ndb_state *S, const ndb_options *options, const char *what) {
  const nd_view *out = ndb_option_out(L, S, options), *made = &ndb_to_array(L, -1)->view;
  char text[ND_SHAPE_TEXT], other[ND_SHAPE_TEXT];
  nd_error err;
  if (!out) return 1;
  if (!nd_view_same_shape(out, made))
    ndb_fail(L, S, ND_SHAPE_MISMATCH, "out", "%s: the result (%s) has another shape (%s)", what,
             nd_shape_text(made->ndim, made->axis, text, sizeof text),
             nd_shape_text(out->ndim, out->axis, other, sizeof other));
  ndb_check(L, S, nd_copy(out, made, ND_SATURATE, &err), &err);
  lua_pushvalue(L, options->at[NDB_OUT]);
  return 1;
}

/* Do packed arrays share bytes? Other ones may lie between each other's elements. */
static bool are_one(const nd_view *a, const nd_view *b) {
  const bool begin_alike = a->storage == b->storage && a->offset == b->offset;
  return a->size > 0 && b->size > 0 && nd_view_may_overlap(a, b) &&
         (begin_alike || (nd_view_is_contiguous(a) && nd_view_is_contiguous(b)));
}

/* Raise unless array 'i' of 'outs' takes the result 'made'. */
static void check_one_of(lua_State *L, ndb_state *S, const nd_view *const *outs, int i,
                         const nd_view *made) {
  char text[ND_SHAPE_TEXT], other[ND_SHAPE_TEXT];
  nd_error err;
  if (!nd_view_same_shape(outs[i], made))
    ndb_fail(L, S, ND_SHAPE_MISMATCH, "out", "array %d (%s) has not the shape of the result (%s)",
             i + 1, nd_shape_text(outs[i]->ndim, outs[i]->axis, text, sizeof text),
             nd_shape_text(made->ndim, made->axis, other, sizeof other));
  if (nd_check_copy(outs[i], made, &err) != ND_OK) ndb_fail_as(L, S, &err, "out");
  ndb_check(L, S, nd_storage_allocate(outs[i]->storage, &err), &err);
  for (int j = 0; j < i; j++)
    if (are_one(outs[i], outs[j]))
      ndb_fail(L, S, ND_OVERLAP, "out", "arrays %d and %d share memory", j + 1, i + 1);
}

int ndb_return_outs(lua_State *L, ndb_state *S, int at, int count) {
  enum { MOST = 8 };
  const int made = lua_gettop(L) - count + 1;
  const nd_view *outs[MOST];
  nd_error err;
  char wanted[32];
  if (!at) return count;
  snprintf(wanted, sizeof wanted, "a table of %d arrays", count);
  if (!lua_istable(L, at)) ndb_fail_type(L, S, at, "out", wanted);
  if (lua_objlen(L, at) != (size_t)count || count > MOST)
    ndb_fail(L, S, ND_TYPE_MISMATCH, "out", "expected %s, got one of %zu", wanted,
             lua_objlen(L, at));
  luaL_checkstack(L, count + MOST, "results");
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, at, i + 1);
    outs[i] = &ndb_check_array(L, S, -1, "out")->view;
    check_one_of(L, S, outs, i, &ndb_to_array(L, made + i)->view);
  }
  for (int i = 0; i < count; i++)
    ndb_check(L, S, nd_copy(outs[i], &ndb_to_array(L, made + i)->view, ND_SATURATE, &err), &err);
  return count;
}
