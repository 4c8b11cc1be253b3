/* Functions on several arrays: concat, stack, allclose. */
#include "bind/key.h"

/* concat and stack ({array, …} [, axis] [, {axis =, out =}]); 'is_new': stack, along a new axis. */
static int join(lua_State *L, ndb_state *S, bool is_new) {
  enum { MAX_PARTS = 1 << 20 };
  const char *name = is_new ? "stack" : "concat";
  ndb_options options;
  nd_view out;
  nd_error err;
  if (!lua_istable(L, 1)) ndb_fail_type(L, S, 1, "arrays", "a table of arrays");
  const size_t n = lua_objlen(L, 1);
  if (n == 0 || n > MAX_PARTS)
    ndb_fail_with(L, S, ND_INVALID_ARGUMENT, "arrays",
                  ND_NUMBERS({"value", (int64_t)n}, {"limit", MAX_PARTS}),
                  "%zu arrays; the limits are 1 and %d", n, MAX_PARTS);
  ndb_read_options(L, S, 2, NDB_BIT(AXIS) | NDB_BIT(OUT), &options);
  /* a userdata, which the collector frees where something below raises */
  const nd_view **parts = lua_newuserdata(L, n * sizeof(nd_view *));
  const int kept = lua_gettop(L) + 1;
  /* keeps the handles, and so the views in 'parts', alive: a finalizer may change the script's own
   * table */
  lua_createtable(L, (int)n, 0);
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, 1, (int)i + 1);
    parts[i] = &ndb_check_array(L, S, -1, "arrays")->view;
    lua_rawseti(L, kept, (int)i + 1);
  }
  const int ndim = parts[0]->ndim + is_new; /* of the result, whose axes are counted */
  const int axis = ndb_option_axis(L, S, &options, name, ndim, ndim > 0 ? 0 : -1);
  ndb_push_made(L, S, nd_concat((int)n, parts, axis, is_new, &out, &err), &out, &err);
  return ndb_return_out(L, S, &options, name);
}

static int module_concat(lua_State *L, ndb_state *S) { return join(L, S, false); }
static int module_stack(lua_State *L, ndb_state *S) { return join(L, S, true); }

static int module_allclose(lua_State *L, ndb_state *S) {
  const nd_view *a = ndb_check_operand(L, S, 1, "a"), *b = ndb_check_operand(L, S, 2, "b");
  /* the default tolerances are those of NumPy */
  const double rtol = lua_isnoneornil(L, 3) ? 1e-5 : ndb_check_number(L, S, 3, "rtol");
  const double atol = lua_isnoneornil(L, 4) ? 1e-8 : ndb_check_number(L, S, 4, "atol");
  bool close;
  nd_error err;
  ndb_check(L, S, nd_allclose(a, b, rtol, atol, &close, &err), &err);
  lua_pushboolean(L, close);
  return 1;
}

const ndb_reg ndb_join_functions[] = {{"concat", module_concat, NDB_ANY},
                                      {"stack", module_stack, NDB_ANY},
                                      {"allclose", module_allclose, 4},
                                      {NULL, NULL, 0}};
