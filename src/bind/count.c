/* Searching in sorted arrays and counting, as methods and as functions of the module:
 * a:searchsorted(x), nd.bincount(a). counting.lua has the rest, with the help of histogram_counts.
 */
#include "bind/key.h"

/* The array of option 'weights', or of a table there; NULL where it is absent. */
static const nd_view *push_weights(lua_State *L, ndb_state *S, int arg) {
  return lua_isnoneornil(L, arg) ? NULL : ndb_push_values(L, S, arg, "weights", ND_F64);
}

/* Push the elements of 'sorted' in the order of 'sorter', positions as argsort gives them. */
static const nd_view *push_in_order(lua_State *L, ndb_state *S, const nd_view *sorted, int arg) {
  nd_view out;
  nd_error err;
  const nd_view *sorter = lua_istable(L, arg) ? ndb_push_index(L, S, arg)
                                              : &ndb_check_array(L, S, arg, "sorter")->view;
  if (sorted->ndim != 1 || sorter->ndim != 1 || sorter->size != sorted->size)
    ndb_fail(L, S, ND_SHAPE_MISMATCH, "sorter", "it is not a 1-D array of as many positions");
  ndb_push_made(L, S, nd_take(sorted, sorter, 0, &out, &err), &out, &err);
  return &ndb_to_array(L, -1)->view;
}

/* searchsorted(a, x [, {side =, sorter =, out =}]): a number where x is one value and there is no
 * 'out', else an array. */
static int searchsorted(lua_State *L, ndb_state *S) {
  static const char *const sides[] = {"left", "right", NULL};
  const nd_view *sorted = ndb_check_operand(L, S, 1, "a");
  ndb_options options;
  nd_view out;
  nd_error err;
  nd_scalar item;
  ndb_read_options(L, S, 3, NDB_BIT(SIDE) | NDB_BIT(SORTER) | NDB_BIT(OUT), &options);
  const bool is_right = ndb_option_choice(L, S, &options, NDB_SIDE, sides) == 1;
  const bool is_one = ndb_to_scalar(L, S, 2, &item);
  const nd_view *values = ndb_push_values(L, S, 2, "x", ND_F64);
  if (options.at[NDB_SORTER]) sorted = push_in_order(L, S, sorted, options.at[NDB_SORTER]);
  ndb_push_made(L, S, nd_searchsorted(sorted, values, is_right, &out, &err), &out, &err);
  if (!is_one || options.at[NDB_OUT]) return ndb_return_out(L, S, &options, "searchsorted");
  ndb_push_item(L, S, &ndb_to_array(L, -1)->view);
  return 1;
}

/* bincount(a [, {weights =, minlength =, base =, out =}]) */
static int bincount(lua_State *L, ndb_state *S) {
  ndb_options options;
  nd_view out;
  nd_error err;
  ndb_read_options(L, S, 2, NDB_BIT(BASE) | NDB_BIT(MINLENGTH) | NDB_BIT(WEIGHTS) | NDB_BIT(OUT),
                   &options);
  /* a table is one of integers, as those of indices are */
  const nd_view *values = lua_istable(L, 1) ? ndb_push_index(L, S, 1)
                                            : &ndb_check_array(L, S, 1, "a")->view;
  const int64_t base = ndb_option_base(L, S, &options);
  const int least = options.at[NDB_MINLENGTH];
  const size_t bins = least ? ndb_check_size(L, S, least, "minlength") : 0;
  const int weights = options.at[NDB_WEIGHTS];
  const nd_view *weighted = weights ? push_weights(L, S, weights) : NULL;
  ndb_push_made(L, S, nd_bincount(values, base, bins, weighted, &out, &err), &out, &err);
  return ndb_return_out(L, S, &options, "bincount");
}

/* histogram_counts(a, edges, is_uniform, weights), for counting.lua, which has checked 'edges'. */
static int histogram_counts(lua_State *L, ndb_state *S) {
  const nd_view *values = ndb_check_operand(L, S, 1, "a");
  const nd_view *edges = &ndb_check_array(L, S, 2, "bins")->view;
  nd_view out;
  nd_error err;
  const nd_view *weights = push_weights(L, S, 4);
  return ndb_push_made(L, S, nd_histogram(values, edges, lua_toboolean(L, 3), weights, &out, &err),
                       &out, &err);
}

/* bincount_from(a, base): as bincount, from any base, which no value is below. */
static int bincount_from(lua_State *L, ndb_state *S) {
  const nd_view *values = ndb_check_operand(L, S, 1, "a");
  nd_view out;
  nd_error err;
  const int64_t base = ndb_check_integer(L, S, 2, "base");
  return ndb_push_made(L, S, nd_bincount(values, base, 0, NULL, &out, &err), &out, &err);
}

/* As methods and as functions. */
const ndb_reg ndb_count_functions[] = {
    {"searchsorted", searchsorted, 3}, {"bincount", bincount, 2}, {NULL, NULL, 0}};
/* For counting.lua alone. */
const ndb_reg ndb_count_core_functions[] = {{"histogram_counts", histogram_counts, 4},
                                            {"bincount_from", bincount_from, 2},
                                            {NULL, NULL, 0}};
