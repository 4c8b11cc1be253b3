/* Order statistics, as methods and as functions of the module: a:median(1), nd.topk(a, 3). */
#include "bind/key.h"

/* The axis of the options, 0-based, by default the last. */
static int read_axis(lua_State *L, ndb_state *S, const ndb_options *options, const char *name,
                     const nd_view *v) {
  if (v->ndim == 0 && !options->at[NDB_AXIS])
    ndb_fail(L, S, ND_INVALID_ARGUMENT, name, "a scalar (0-d) array has no axis");
  return ndb_option_axis(L, S, options, name, v->ndim, v->ndim - 1);
}

/* {=== partitions ===} */

/* name(a, k [, axis] [, {axis =, out =}]) */
static int partition_by(lua_State *L, ndb_state *S, nd_op op) {
  const char *name = nd_op_get(op)->name;
  const nd_view *src = ndb_check_operand(L, S, 1, "a");
  ndb_options options;
  nd_view out;
  nd_error err;
  ndb_read_options(L, S, 3, NDB_BIT(AXIS) | NDB_BIT(OUT), &options);
  const int axis = read_axis(L, S, &options, name, src);
  const nd_view *places = ndb_push_index(L, S, 2);
  ndb_push_made(L, S, nd_partition(op, src, axis, places, &out, &err), &out, &err);
  return ndb_return_out(L, S, &options, name);
}

static int partition(lua_State *L, ndb_state *S) { return partition_by(L, S, ND_OP_PARTITION); }
static int argpartition(lua_State *L, ndb_state *S) {
  return partition_by(L, S, ND_OP_ARGPARTITION);
}

/* {=== pairs of results ===} */

static void drop_left(nd_view **left) {
  if (*left) nd_view_drop(*left);
}

/* Push both arrays. To push one may raise, when the other is left. */
static void push_both(lua_State *L, ndb_state *S, nd_status status, nd_view *one, nd_view *other,
                      const nd_error *err) {
  ndb_check(L, S, status, err);
  ND_AT_EXIT(drop_left) nd_view *left = other;
  ndb_push_view(L, S, one);
  left = NULL;
  ndb_push_view(L, S, other);
}

/* topk(a, k [, axis] [, {axis =, largest =, sorted =, out =}]) */
static int topk(lua_State *L, ndb_state *S) {
  const nd_view *src = ndb_check_operand(L, S, 1, "a");
  ndb_options options;
  nd_view values, positions;
  nd_error err;
  ndb_read_options(L, S, 3, NDB_BIT(AXIS) | NDB_BIT(LARGEST) | NDB_BIT(SORTED) | NDB_BIT(OUT),
                   &options);
  const size_t k = ndb_check_size(L, S, 2, "k");
  const int axis = read_axis(L, S, &options, "topk", src);
  const bool is_largest = ndb_option_boolean(L, S, &options, NDB_LARGEST, true);
  const bool is_sorted = ndb_option_boolean(L, S, &options, NDB_SORTED, true);
  push_both(L, S, nd_topk(src, axis, k, is_largest, is_sorted, &values, &positions, &err), &values,
            &positions, &err);
  return ndb_return_outs(L, S, options.at[NDB_OUT], 2);
}

/* Without an axis, as other reductions, the result is a Lua value. */
static nd_reduction read_reduction(lua_State *L, ndb_state *S, const ndb_options *options,
                                   const char *name, const nd_view *src, bool *is_value) {
  nd_reduction how = {.axes = ndb_option_axes(L, S, options, name, src->ndim)};
  how.keeps_dims = ndb_option_boolean(L, S, options, NDB_KEEPDIMS, false);
  *is_value = !options->at[NDB_AXIS] && !options->at[NDB_OUT] && !how.keeps_dims;
  return how;
}

/* mode(a [, axis] [, {axis =, keepdims =, out =}]) */
static int mode(lua_State *L, ndb_state *S) {
  const nd_view *src = ndb_check_operand(L, S, 1, "a");
  ndb_options options;
  nd_view values, counts;
  nd_error err;
  bool is_value;
  ndb_read_options(L, S, 2, NDB_BIT(AXIS) | NDB_BIT(KEEPDIMS) | NDB_BIT(OUT), &options);
  const nd_reduction how = read_reduction(L, S, &options, "mode", src, &is_value);
  push_both(L, S, nd_mode(src, &how, &values, &counts, &err), &values, &counts, &err);
  if (!is_value) return ndb_return_outs(L, S, options.at[NDB_OUT], 2);
  const int made = lua_gettop(L) - 1;
  ndb_push_item(L, S, &ndb_to_array(L, made)->view);
  ndb_push_item(L, S, &ndb_to_array(L, made + 1)->view);
  return 2;
}

/* {=== medians and quantiles ===} */

/* Return the array at the top: as a value, in 'out', or as it is. */
static int return_result(lua_State *L, ndb_state *S, const ndb_options *options, const char *name,
                         bool is_value) {
  if (!is_value) return ndb_return_out(L, S, options, name);
  ndb_push_item(L, S, &ndb_to_array(L, -1)->view);
  return 1;
}

/* name(a [, axis] [, {axis =, keepdims =, out =}]) */
static int median_of(lua_State *L, ndb_state *S, const char *name, bool skips_nan) {
  const nd_view *src = ndb_check_operand(L, S, 1, "a");
  ndb_options options;
  nd_view out;
  nd_error err;
  bool is_value;
  ndb_read_options(L, S, 2, NDB_BIT(AXIS) | NDB_BIT(KEEPDIMS) | NDB_BIT(OUT), &options);
  const nd_reduction how = read_reduction(L, S, &options, name, src, &is_value);
  ndb_push_made(L, S, nd_median(src, &how, skips_nan, &out, &err), &out, &err);
  return return_result(L, S, &options, name, is_value);
}

/* name(a, q [, axis] [, {axis =, keepdims =, method =, out =}]); 'whole' is the greatest q. */
static int quantile_of(lua_State *L, ndb_state *S, const char *name, double whole, bool skips_nan) {
#define ND_ROW(ID, method) #method,
  static const char *const methods[] = {ND_QUANTILE_METHODS(ND_ROW) NULL};
#undef ND_ROW
  const nd_view *src = ndb_check_operand(L, S, 1, "a");
  ndb_options options;
  nd_view out;
  nd_error err;
  bool is_value;
  ndb_read_options(L, S, 3, NDB_BIT(AXIS) | NDB_BIT(KEEPDIMS) | NDB_BIT(METHOD) | NDB_BIT(OUT),
                   &options);
  const nd_reduction how = read_reduction(L, S, &options, name, src, &is_value);
  const int method = ndb_option_choice(L, S, &options, NDB_METHOD, methods);
  const nd_view *q = ndb_push_values(L, S, 2, "q", ND_F64);
  const nd_status status = nd_quantile(name, src, &how, q, whole, (nd_quantile_method)method,
                                       skips_nan, &out, &err);
  ndb_push_made(L, S, status, &out, &err);
  return return_result(L, S, &options, name, is_value && q->ndim == 0);
}

static int median(lua_State *L, ndb_state *S) { return median_of(L, S, "median", false); }
static int nanmedian(lua_State *L, ndb_state *S) { return median_of(L, S, "nanmedian", true); }
static int quantile(lua_State *L, ndb_state *S) { return quantile_of(L, S, "quantile", 1, false); }
static int nanquantile(lua_State *L, ndb_state *S) {
  return quantile_of(L, S, "nanquantile", 1, true);
}
static int percentile(lua_State *L, ndb_state *S) {
  return quantile_of(L, S, "percentile", 100, false);
}
static int nanpercentile(lua_State *L, ndb_state *S) {
  return quantile_of(L, S, "nanpercentile", 100, true);
}

/* As methods and as functions. */
const ndb_reg ndb_select_functions[] = {{"partition", partition, NDB_ANY},
                                        {"argpartition", argpartition, NDB_ANY},
                                        {"topk", topk, NDB_ANY},
                                        {"mode", mode, NDB_ANY},
                                        {"median", median, NDB_ANY},
                                        {"nanmedian", nanmedian, NDB_ANY},
                                        {"quantile", quantile, NDB_ANY},
                                        {"nanquantile", nanquantile, NDB_ANY},
                                        {"percentile", percentile, NDB_ANY},
                                        {"nanpercentile", nanpercentile, NDB_ANY},
                                        {NULL, NULL, 0}};
