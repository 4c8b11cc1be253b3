/* Products of matrices and vectors, as methods and as functions of the module: a:matmul(b),
 * nd.dot(a, b). linalg.lua has what is composed of them. */
#include "bind/bind.h"
#include "dev/host/blas.h"

typedef nd_status multiplier(const nd_view *a, const nd_view *b, const nd_view *dst, nd_view *out,
                             nd_error *err);

/* Push 'v' with the axis of the options as its last one. */
static const nd_view *push_moved(lua_State *L, ndb_state *S, const ndb_options *options,
                                 const nd_view *v) {
  const int axis = ndb_option_axis(L, S, options, "vecdot", v->ndim, -1);
  int order[ND_MAX_NDIM];
  nd_view moved;
  nd_error err;
  for (int i = 0, from = 0; i < v->ndim - 1; i++, from++) order[i] = from += from == axis;
  order[v->ndim - 1] = axis;
  ndb_push_made(L, S, nd_view_permute(v, order, &moved, &err), &moved, &err);
  return &ndb_to_array(L, -1)->view;
}

/* An array, or, where it would have no axes, a Lua value; or 'out'. */
static int push_product(lua_State *L, ndb_state *S, multiplier *run, const nd_view *a,
                        const nd_view *b, const ndb_options *options) {
  nd_view made;
  nd_error err;
  const nd_view *out = ndb_option_out(L, S, options);
  if (out) {
    ndb_check(L, S, run(a, b, out, NULL, &err), &err);
    lua_pushvalue(L, options->at[NDB_OUT]);
    return 1;
  }
  ndb_push_made(L, S, run(a, b, NULL, &made, &err), &made, &err);
  const nd_view *result = &ndb_to_array(L, -1)->view;
  if (result->ndim == 0) ndb_push_item(L, S, result);
  return 1;
}

/* name(a, b [, {out =}]) */
static int multiply(lua_State *L, ndb_state *S, multiplier *run) {
  ndb_options options;
  ndb_read_options(L, S, 3, NDB_BIT(OUT), &options);
  const nd_view *a = ndb_check_operand(L, S, 1, "a"), *b = ndb_check_operand(L, S, 2, "b");
  return push_product(L, S, run, a, b, &options);
}

static int matmul(lua_State *L, ndb_state *S) { return multiply(L, S, nd_matmul); }
static int dot(lua_State *L, ndb_state *S) { return multiply(L, S, nd_dot); }

/* vecdot(a, b [, axis] [, {axis =, out =}]) */
static int vecdot(lua_State *L, ndb_state *S) {
  ndb_options options;
  ndb_read_options(L, S, 3, NDB_BIT(AXIS) | NDB_BIT(OUT), &options);
  const nd_view *a = ndb_check_operand(L, S, 1, "a"), *b = ndb_check_operand(L, S, 2, "b");
  if (options.at[NDB_AXIS]) {
    a = push_moved(L, S, &options, a);
    b = push_moved(L, S, &options, b);
  }
  return push_product(L, S, nd_vecdot, a, b, &options);
}

/* blas(): is there a library, what it is or why there is none, and whether it multiplies matrices.
 */
static int module_blas(lua_State *L, ndb_state *S) {
  nd_error err;
  const ndi_blas *blas = ndi_blas_find(&err);
  (void)S;
  lua_pushboolean(L, blas != NULL);
  lua_pushstring(L, blas ? blas->text : err.message);
  lua_pushboolean(L, blas && blas->multiplies);
  return 3;
}

/* As methods and as functions. */
const ndb_reg ndb_product_functions[] = {
    {"matmul", matmul, 3}, {"dot", dot, 3}, {"vecdot", vecdot, NDB_ANY}, {NULL, NULL, 0}};
/* For init.lua alone. */
const ndb_reg ndb_product_core_functions[] = {{"blas", module_blas, 0}, {NULL, NULL, 0}};
