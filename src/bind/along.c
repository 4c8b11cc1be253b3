/* Picking and assigning along an axis, by an index for each line: gather, scatter, take_along. */
#include "bind/key.h"

/* {=== with an index of the array's shape ===} gather(a, axis, index), scatter(a, axis, index,
 * src): torch7's, in which the index does not broadcast. */

static int gather(lua_State *L, ndb_state *S) {
  const nd_view *v = ndb_check_operand(L, S, 1, "a");
  ndb_options options;
  nd_view part, out;
  nd_error err;
  ndb_read_options(L, S, 4, NDB_BIT(OUT), &options);
  const int axis = ndb_check_axis(L, S, 2, "gather", v->ndim);
  const nd_view *index = ndb_push_index(L, S, 3);
  nd_status status = nd_view_along("gather", v, axis, index, &part, &err);
  if (status == ND_OK) {
    status = nd_take_along("gather", &part, axis, index, &out, &err);
    nd_view_drop(&part);
  }
  ndb_push_made(L, S, status, &out, &err);
  return ndb_return_out(L, S, &options, "gather");
}

/* Write to 'v' by the arguments of a:scatter_(axis, index, src). */
static void scatter_to(lua_State *L, ndb_state *S, const nd_view *v, bool adds) {
  const char *name = adds ? "scatter_add" : "scatter";
  const nd_dtype dtype = (nd_dtype)v->dtype;
  nd_view part;
  nd_error err;
  const int axis = ndb_check_axis(L, S, 2, name, v->ndim);
  const nd_view *index = ndb_push_index(L, S, 3);
  const nd_view *values = adds ? ndb_push_addend(L, S, 4, name, dtype)
                               : ndb_push_values(L, S, 4, "src", dtype);
  nd_status status = nd_view_along(name, v, axis, index, &part, &err);
  if (status == ND_OK) {
    status = nd_put_along(name, &part, axis, index, values, adds, &err);
    nd_view_drop(&part);
  }
  ndb_check(L, S, status, &err);
}

static int scatter_here(lua_State *L, ndb_state *S, bool adds) {
  lua_settop(L, 4);
  scatter_to(L, S, &ndb_check_array(L, S, 1, "a")->view, adds);
  return ndb_return_self(L);
}

/* scatter(a, axis, index, src [, {out =}]). The copy is pushed before what scatter_to pushes. */
static int scatter_copy(lua_State *L, ndb_state *S, bool adds) {
  const nd_view *v = ndb_check_operand(L, S, 1, "a");
  ndb_options options;
  nd_view copy;
  nd_error err;
  lua_settop(L, 5);
  ndb_read_options(L, S, 5, NDB_BIT(OUT), &options);
  ndb_push_made(L, S, nd_astype(v, (nd_dtype)v->dtype, ND_SATURATE, &copy, &err), &copy, &err);
  const int made = lua_gettop(L);
  scatter_to(L, S, &ndb_to_array(L, made)->view, adds);
  lua_pushvalue(L, made);
  return ndb_return_out(L, S, &options, adds ? "scatter_add" : "scatter");
}

static int scatter(lua_State *L, ndb_state *S) { return scatter_copy(L, S, false); }
static int scatter_add(lua_State *L, ndb_state *S) { return scatter_copy(L, S, true); }
static int scatter_in_place(lua_State *L, ndb_state *S) { return scatter_here(L, S, false); }
static int scatter_add_in_place(lua_State *L, ndb_state *S) { return scatter_here(L, S, true); }

/* {=== with an index that broadcasts ===} NumPy's take_along_axis and put_along_axis */

/* The axis of the options, by default the last. */
static int along_axis(lua_State *L, ndb_state *S, const ndb_options *options, const char *name,
                      const nd_view *v) {
  if (v->ndim == 0)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, name, "a scalar (0-d) array has no axis to pick along");
  return ndb_option_axis(L, S, options, name, v->ndim, v->ndim - 1);
}

static int take_along(lua_State *L, ndb_state *S) {
  const nd_view *v = ndb_check_operand(L, S, 1, "a");
  ndb_options options;
  nd_view out;
  nd_error err;
  ndb_read_options(L, S, 3, NDB_BIT(AXIS) | NDB_BIT(OUT), &options);
  const int axis = along_axis(L, S, &options, "take_along", v);
  const nd_view *index = ndb_push_index(L, S, 2);
  ndb_push_made(L, S, nd_take_along("take_along", v, axis, index, &out, &err), &out, &err);
  return ndb_return_out(L, S, &options, "take_along");
}

static int put_along(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_array(L, S, 1, "a")->view;
  ndb_options options;
  nd_error err;
  ndb_read_options(L, S, 4, NDB_BIT(AXIS), &options);
  const int axis = along_axis(L, S, &options, "put_along", v);
  const nd_view *index = ndb_push_index(L, S, 2);
  const nd_view *values = ndb_push_values(L, S, 3, "values", (nd_dtype)v->dtype);
  ndb_check(L, S, nd_put_along("put_along", v, axis, index, values, false, &err), &err);
  return ndb_return_self(L);
}

const ndb_reg ndb_along_functions[] = {{"gather", gather, NDB_ANY},
                                       {"scatter", scatter, 5},
                                       {"scatter_add", scatter_add, 5},
                                       {"take_along", take_along, NDB_ANY},
                                       {NULL, NULL, 0}};

const ndb_reg ndb_along_methods[] = {{"gather", gather, NDB_ANY},
                                     {"scatter", scatter, 5},
                                     {"scatter_", scatter_in_place, 4},
                                     {"scatter_add", scatter_add, 5},
                                     {"scatter_add_", scatter_add_in_place, 4},
                                     {"take_along", take_along, NDB_ANY},
                                     {"put_along", put_along, NDB_ANY},
                                     {NULL, NULL, 0}};
