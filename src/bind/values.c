/* Methods between all elements and Lua values: fill, item, totable, equal. */
#include "bind/stream.h"

static int array_fill(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  nd_scalar value;
  ndb_options options;
  nd_error err;
  ndb_check_scalar(L, S, 2, "value", &value);
  ndb_read_options(L, S, 3, NDB_BIT(STREAM), &options);
  ndb_use_stream(L, S, &options, v, NULL);
  ndb_check(L, S, nd_fill(v, &value, &err), &err);
  return ndb_return_self(L);
}

static int array_item(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  nd_scalar item;
  nd_error err;
  ndb_check(L, S, nd_item(v, &item, &err), &err);
  ndb_push_element(L, S, item.dtype, item.bytes);
  return 1;
}

static int array_totable(lua_State *L, ndb_state *S) {
  ndb_push_table(L, S, &ndb_check_self(L, S)->view);
  return 1;
}

static int array_equal(lua_State *L, ndb_state *S) {
  const nd_view *a = &ndb_check_self(L, S)->view, *b = ndb_check_operand(L, S, 2, "other");
  bool same;
  nd_error err;
  ndb_check(L, S, nd_equal(a, b, &same, &err), &err);
  lua_pushboolean(L, same);
  return 1;
}

const ndb_reg ndb_value_methods[] = {{"fill", array_fill, 3},
                                     {"item", array_item, 1},
                                     {"totable", array_totable, 1},
                                     {"equal", array_equal, 2},
                                     {NULL, NULL, 0}};
