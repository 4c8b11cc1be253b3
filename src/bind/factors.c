/* Factorisations of matrices: what factors.lua calls. */
#include <string.h>

#include "bind/key.h"
#include "dev/host/lapack.h"

/* The functions of scripts; the last of each kind give values alone. */
static const struct {
  const char *name;
  nd_op op;
  bool is_alone;
} functions[] = {{"solve", ND_OP_SOLVE, false},
                 {"inv", ND_OP_INV, false},
                 {"det", ND_OP_DET, false},
                 {"slogdet", ND_OP_SLOGDET, false},
                 {"cholesky", ND_OP_CHOLESKY, false},
                 {"lu", ND_OP_LU, false},
                 {"qr", ND_OP_QR, false},
                 {"svd", ND_OP_SVD, false},
                 {"svdvals", ND_OP_SVD, true},
                 {"eigh", ND_OP_EIGH, false},
                 {"eigvalsh", ND_OP_EIGH, true},
                 {"eig", ND_OP_EIG, false},
                 {"eigvals", ND_OP_EIG, true},
                 {"lstsq", ND_OP_LSTSQ, false}};

static nd_factoring read_function(lua_State *L, ndb_state *S) {
  const char *name = ndb_check_string(L, S, 1, "name", NULL);
  for (size_t i = 0; i < ND_COUNTOF(functions); i++)
    if (strcmp(name, functions[i].name) == 0)
      return (nd_factoring){.op = functions[i].op,
                            .name = functions[i].name,
                            .form = functions[i].is_alone ? ND_FACTORS_ONE : ND_FACTORS_REDUCED};
  ndb_fail(L, S, ND_INVALID_ARGUMENT, "name", "there is no factorisation of this name");
}

/* What is made and not pushed yet. */
typedef struct {
  nd_view *at;
  int count;
} results;

static void drop_results(results *left) {
  for (int i = 0; i < left->count; i++) nd_view_drop(&left->at[i]);
}

/* factor(name, a [, b] [, full] [, upper] [, gives_nan] [, rcond] [, caller]): see ops/factors.h.
 * 'full' is true, false, or nil, which is the reduced form; false is the form ONE. 'caller' is the
 * function that errors name. */
static int factor(lua_State *L, ndb_state *S) {
  nd_factoring how = read_function(L, S);
  const nd_view *a = &ndb_check_array(L, S, 2, "a")->view, *b = NULL;
  const bool has_b = how.op == ND_OP_SOLVE || how.op == ND_OP_LSTSQ;
  const bool is_form = !lua_isnoneornil(L, 4);
  double rcond;
  nd_view made[ND_FACTORS];
  nd_error err;
  if (has_b) b = &ndb_check_array(L, S, 3, "b")->view;
  if (is_form) how.form = ndb_opt_boolean(L, S, 4, "full", true) ? ND_FACTORS_FULL : ND_FACTORS_ONE;
  how.is_upper = ndb_opt_boolean(L, S, 5, "upper", false);
  how.gives_nan = ndb_opt_boolean(L, S, 6, "gives_nan", false);
  if (!lua_isnoneornil(L, 7)) rcond = ndb_check_number(L, S, 7, "rcond"), how.rcond = &rcond;
  if (!lua_isnoneornil(L, 8)) how.name = ndb_check_string(L, S, 8, "caller", NULL);
  ndb_check(L, S, nd_factor(&how, a, b, made, &err), &err);
  const int count = nd_factor_count(&how);
  ND_AT_EXIT(drop_results) results left = {made, count};
  while (left.count-- > 0) ndb_push_view(L, S, left.at++); /* takes it over, even if it raises */
  return count;
}

/* lapack(): is there one, and which, or why there is none. */
static int lapack(lua_State *L, ndb_state *S) {
  nd_error err;
  const ndi_lapack *found = ndi_lapack_find(&err);
  (void)S;
  lua_pushboolean(L, found != NULL);
  lua_pushstring(L, found ? found->text : err.message);
  return 2;
}

/* return_outs(out, result, ...): the results copied to the arrays in 'out', and these. */
static int return_outs(lua_State *L, ndb_state *S) {
  const int count = lua_gettop(L) > 1 ? lua_gettop(L) - 1 : 0;
  for (int i = 0; i < count; i++) ndb_check_array(L, S, i + 2, "result");
  return ndb_return_outs(L, S, 1, count);
}

/* For Lua files of ours alone. */
const ndb_reg ndb_factor_functions[] = {{"factor", factor, 8},
                                        {"lapack", lapack, 0},
                                        {"return_outs", return_outs, NDB_ANY},
                                        {NULL, NULL, 0}};
