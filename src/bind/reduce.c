/* Reductions and sorting: a:sum{axis = 2}, nd.sum(a, {axis = 2}). */
#include <string.h>

#include "bind/bind.h"

static const char *const reduce_options[] = {"axis", "keepdims", "out", NULL};
static const char *const var_options[] = {"axis", "keepdims", "out", "ddof", NULL};

/* opts.axis: an axis, a list of them; all where it is nil. */
static uint32_t read_axes(lua_State *L, ndb_state *S, const char *op, int arg, int ndim) {
  int64_t axes[ND_MAX_NDIM];
  uint32_t bits = 0;
  int next;
  nd_error err;
  if (lua_isnil(L, arg)) return (uint32_t)((1u << ndim) - 1);
  const int n = ndb_check_integers(L, S, arg, "axis", ND_MAX_NDIM, axes, &next);
  for (int i = 0, axis; i < n; i++) {
    ndb_check(L, S, nd_axis_resolve(op, axes[i], ndim, &axis, &err), &err);
    if (bits >> axis & 1)
      ndb_fail_with(L, S, ND_INVALID_ARGUMENT, "axis", ND_NUMBERS({"axis", axis + 1}),
                    "%s: axis %d is named twice", op, axis + 1);
    bits |= 1u << axis;
  }
  return bits;
}

/* A result without axes as a Lua value. Positions and counts are numbers. */
static int push_scalar(lua_State *L, ndb_state *S, nd_op op, nd_view *result) {
  nd_scalar item;
  nd_error err;
  int64_t count;
  const nd_status status = nd_item(result, &item, &err);
  nd_view_drop(result);
  ndb_check(L, S, status, &err);
  if (op == ND_OP_ARGMIN || op == ND_OP_ARGMAX || op == ND_OP_COUNT_NONZERO) {
    memcpy(&count, item.bytes, sizeof count);
    lua_pushnumber(L, (lua_Number)count);
  } else {
    ndb_push_element(L, S, item.dtype, item.bytes);
  }
  return 1;
}

static int reduce(lua_State *L, ndb_state *S, nd_op op, const char *name) {
  const nd_view *src = &ndb_check_array(L, S, 1, "a")->view;
  const bool has_ddof = op == ND_OP_VAR || op == ND_OP_STD;
  nd_reduction how = {.axes = 0};
  char text[ND_DOUBLE_TEXT];
  nd_view result;
  nd_error err;
  ndb_end_arguments(L, S, 2);
  ndb_check_options(L, S, 2, has_ddof ? var_options : reduce_options);
  const bool has_axis = ndb_get_option(L, 2, "axis");
  how.axes = read_axes(L, S, name, 3, src->ndim);
  ndb_get_option(L, 2, "keepdims");
  how.keeps_dims = ndb_opt_boolean(L, S, 4, "keepdims", false);
  if (ndb_get_option(L, 2, "ddof")) how.ddof = ndb_check_number(L, S, 5, "ddof");
  if (!(how.ddof >= 0))
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "ddof", "%s is not 0 or more",
             ndi_double_text(how.ddof, text));
  if (ndb_get_option(L, 2, "out")) {
    const nd_view *out = &ndb_check_array(L, S, 6, "out")->view;
    ndb_check(L, S, nd_reduce_into(op, src, &how, out, &err), &err);
    return 1;
  }
  ndb_check(L, S, nd_reduce(op, src, &how, &result, &err), &err);
  if (!has_axis && !how.keeps_dims) return push_scalar(L, S, op, &result);
  ndb_push_view(L, S, &result);
  return 1;
}

#define ND_ROW(ID, name, ...) \
  static int reduce_##name(lua_State *L, ndb_state *S) { return reduce(L, S, ND_OP_##ID, #name); }
ND_REDUCE_OPS(ND_ROW)
#undef ND_ROW

/* {=== sorting ===} */

typedef nd_status sorter(const nd_view *src, int axis, bool is_descending, nd_view *out,
                         nd_error *err);

/* sort([axis] [, opts]): the last axis where none is named. */
static int sort(lua_State *L, ndb_state *S, const char *name, sorter *run) {
  static const char *const known[] = {"descending", NULL};
  const nd_view *src = &ndb_check_array(L, S, 1, "a")->view;
  nd_view out;
  nd_error err;
  const int options = lua_istable(L, 2) ? 2 : 3;
  const bool has_axis = options == 3 && !lua_isnoneornil(L, 2);
  ndb_end_arguments(L, S, options);
  ndb_check_options(L, S, options, known);
  if (!has_axis && src->ndim == 0)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, name, "a scalar (0-d) array has no axis");
  const int axis = has_axis ? ndb_check_axis(L, S, 2, name, src->ndim) : src->ndim - 1;
  ndb_get_option(L, options, "descending");
  const bool is_descending = ndb_opt_boolean(L, S, -1, "descending", false);
  return ndb_push_made(L, S, run(src, axis, is_descending, &out, &err), &out, &err);
}

static int sort_values(lua_State *L, ndb_state *S) { return sort(L, S, "sort", nd_sort); }
static int sort_positions(lua_State *L, ndb_state *S) { return sort(L, S, "argsort", nd_argsort); }

/* As methods and as functions. */
const ndb_reg ndb_reduce_functions[] = {
#define ND_ROW(ID, name, ...) {#name, reduce_##name, 2},
    ND_REDUCE_OPS(ND_ROW)
#undef ND_ROW
        {"sort", sort_values, NDB_ANY},
    {"argsort", sort_positions, NDB_ANY},
    {NULL, NULL, 0}};
