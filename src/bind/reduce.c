/* Reductions and sorting, as methods and as functions of the module: a:sum{axis = 2},
 * nd.sum(a, {axis = 2}). Every row of ND_REDUCE_OPS in base/op.h becomes a C function here. */
#include <string.h>

#include "bind/bind.h"

/* Push the result over all elements as a Lua value. Positions and counts are numbers, never cdata:
 * they are below 2^53. */
static int push_value(lua_State *L, ndb_state *S, nd_op op, const nd_view *src,
                      const nd_reduction *how) {
  nd_scalar item;
  nd_error err;
  int64_t count;
  ndb_check(L, S, nd_reduce_all(op, src, how, &item, &err), &err);
  if (nd_op_get(op)->result == ND_RESULT_I64) {
    memcpy(&count, item.bytes, sizeof count);
    lua_pushnumber(L, (lua_Number)count);
  } else {
    ndb_push_element(L, S, item.dtype, item.bytes);
  }
  return 1;
}

/* Without an axis the result is a Lua value, with one (or keepdims, or out) an array: its type
 * depends on the options, not on the shape. */
static int reduce(lua_State *L, ndb_state *S, nd_op op, const char *name) {
  const nd_view *src = ndb_check_operand(L, S, 1, "a");
  const nd_op_traits *row = nd_op_get(op);
  /* the row says which options the operation has */
  uint64_t known = NDB_BIT(KEEPDIMS);
  if (row->has_axis) known |= NDB_BIT(AXIS);
  if (row->has_out) known |= NDB_BIT(OUT);
  if (row->form == ND_FORM_VAR || row->form == ND_FORM_STD) known |= NDB_BIT(DDOF);
  if (op == ND_OP_SUM || op == ND_OP_PROD) known |= NDB_BIT(DTYPE);
  ndb_options options;
  nd_reduction how = {.axes = 0};
  char text[ND_DOUBLE_TEXT];
  nd_dtype dtype;
  nd_view result;
  nd_error err;
  ndb_read_options(L, S, 2, known, &options);
  how.axes = ndb_option_axes(L, S, &options, name, src->ndim);
  how.keeps_dims = ndb_option_boolean(L, S, &options, NDB_KEEPDIMS, false);
  if (options.at[NDB_DDOF]) how.ddof = ndb_check_number(L, S, options.at[NDB_DDOF], "ddof");
  if (!(how.ddof >= 0)) /* NaN, too */
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "ddof", "%s is not 0 or more",
             ndi_double_text(how.ddof, text));
  how.dtype = ndb_option_dtype(L, S, &options, &dtype);
  const nd_view *out = ndb_option_out(L, S, &options);
  if (out) {
    ndb_check(L, S, nd_reduce_into(op, src, &how, out, &err), &err);
    lua_pushvalue(L, options.at[NDB_OUT]);
    return 1;
  }
  if (!options.at[NDB_AXIS] && !how.keeps_dims) return push_value(L, S, op, src, &how);
  ndb_check(L, S, nd_reduce(op, src, &how, &result, &err), &err);
  ndb_push_view(L, S, &result);
  return 1;
}

#define ND_ROW(ID, name, ...) \
  static int reduce_##name(lua_State *L, ndb_state *S) { return reduce(L, S, ND_OP_##ID, #name); }
ND_REDUCE_OPS(ND_ROW)
#undef ND_ROW

/* {=== sorting ===} */

typedef struct {
  const char *name;
  nd_status (*make)(const nd_view *src, int axis, bool is_descending, nd_view *out, nd_error *err);
  nd_status (*write)(const nd_view *src, int axis, bool is_descending, const nd_view *dst,
                     nd_error *err);
} sorter;

/* sort([axis] [, opts]): along the last axis by default. */
static int sort(lua_State *L, ndb_state *S, const sorter *by) {
  const nd_view *src = ndb_check_operand(L, S, 1, "a");
  ndb_options options;
  nd_view made;
  nd_error err;
  ndb_read_options(L, S, 2, NDB_BIT(AXIS) | NDB_BIT(DESCENDING) | NDB_BIT(OUT), &options);
  /* the default axis would be -1, which tells ndb_option_axis that the axis is required */
  if (!options.at[NDB_AXIS] && src->ndim == 0)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, by->name, "a scalar (0-d) array has no axis");
  const int axis = ndb_option_axis(L, S, &options, by->name, src->ndim, src->ndim - 1);
  const bool is_descending = ndb_option_boolean(L, S, &options, NDB_DESCENDING, false);
  const nd_view *out = ndb_option_out(L, S, &options);
  if (!out)
    return ndb_push_made(L, S, by->make(src, axis, is_descending, &made, &err), &made, &err);
  ndb_check(L, S, by->write(src, axis, is_descending, out, &err), &err);
  lua_pushvalue(L, options.at[NDB_OUT]);
  return 1;
}

static int sort_values(lua_State *L, ndb_state *S) {
  static const sorter by = {"sort", nd_sort, nd_sort_into};
  return sort(L, S, &by);
}

static int sort_positions(lua_State *L, ndb_state *S) {
  static const sorter by = {"argsort", nd_argsort, nd_argsort_into};
  return sort(L, S, &by);
}

/* As methods and as functions. */
const ndb_reg ndb_reduce_functions[] = {
#define ND_ROW(ID, name, ...) {#name, reduce_##name, NDB_ANY},
    ND_REDUCE_OPS(ND_ROW)
#undef ND_ROW
        {"sort", sort_values, NDB_ANY},
    {"argsort", sort_positions, NDB_ANY},
    {NULL, NULL, 0}};
