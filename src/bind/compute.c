/* Element-wise operations as methods, in-place methods, functions and Lua's operators. Every row of
 * ND_ELEMENTWISE_OPS in base/op.h becomes a C function of each kind, so an operation is added
 * there. */
#include "bind/bind.h"

enum { MOST_OPERANDS = 3 }; /* clamp and where */

/* Argument 'arg' as an operand: an array, a table that becomes one, or a value that broadcasts. */
static nd_operand read_operand(lua_State *L, ndb_state *S, int arg, const char *what) {
  nd_operand operand = {.array = NULL};
  if (ndb_to_array(L, arg) || lua_istable(L, arg))
    operand.array = ndb_check_operand(L, S, arg, what);
  else if (!ndb_to_scalar(L, S, arg, &operand.value))
    ndb_fail_type(L, S, arg, what, "an array, a table, a number, a boolean, or cdata of a number");
  return operand;
}

/* Read the arguments 1 to 'count'. Each is called in messages what the manual calls it. */
static void read_operands(lua_State *L, ndb_state *S, nd_op op, int count, nd_operand *operands) {
  static const char *const names[] = {"a", "b", "c"}, *const clamped[] = {"a", "lo", "hi"};
  static const char *const chosen[] = {"condition", "a", "b"};
  const char *const *what = op == ND_OP_CLAMP ? clamped : op == ND_OP_WHERE ? chosen : names;
  /* clamp may leave out one of its bounds, not both */
  const bool is_open = op == ND_OP_CLAMP && (lua_isnoneornil(L, 2) != lua_isnoneornil(L, 3));
  for (int i = 0; i < count; i++) {
    if (i > 0 && is_open && lua_isnoneornil(L, i + 1))
      operands[i] = (nd_operand){.value.dtype = ND_DTYPE_COUNT}; /* no bound */
    else operands[i] = read_operand(L, S, i + 1, what[i]);
  }
}

/* where(condition) alone: for each axis an array of the indices of the elements that are not 0.
 * Argument 1 becomes the mask, so that it stays alive while handles are made. */
static int push_positions(lua_State *L, ndb_state *S) {
  const nd_view *condition = ndb_check_operand(L, S, 1, "condition");
  const int ndim = condition->ndim;
  nd_view made;
  nd_error err;
  if (ndim == 0)
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "condition", "where: a 0-d array has no positions");
  ndb_push_made(L, S, nd_truth("where", condition, &made, &err), &made, &err);
  lua_replace(L, 1);
  for (int axis = 0; axis < ndim; axis++) {
    const nd_view *mask = &ndb_check_array(L, S, 1, "condition")->view;
    ndb_push_made(L, S, nd_mask_positions(mask, axis, &made, &err), &made, &err);
  }
  return ndim;
}

/* clamp(a, lo, {out = …}) has no upper bound: move the options to their usual place, argument 4. */
static void move_options(lua_State *L) {
  if (!lua_istable(L, 3) || !lua_isnoneornil(L, 4)) return;
  if (lua_objlen(L, 3) > 0) return; /* a list is the upper bound */
  lua_settop(L, 3);
  lua_pushnil(L);
  lua_insert(L, 3);
}

/* name(a, …[, {out = array}]): returns a new array, or 'out'. */
static int compute(lua_State *L, ndb_state *S, nd_op op, int count) {
  ndb_options options;
  nd_operand operands[MOST_OPERANDS];
  nd_view made;
  nd_error err;
  if (op == ND_OP_WHERE && lua_gettop(L) == 1) return push_positions(L, S);
  if (op == ND_OP_CLAMP) move_options(L);
  ndb_read_options(L, S, count + 1, nd_op_get(op)->has_out ? NDB_BIT(OUT) : 0, &options);
  read_operands(L, S, op, count, operands);
  /* this view and the operands' are those in the handles, which the stack keeps alive */
  const nd_view *out = ndb_option_out(L, S, &options);
  if (!out)
    return ndb_push_made(L, S, nd_elementwise(op, operands, NULL, &made, &err), &made, &err);
  ndb_check(L, S, nd_elementwise(op, operands, out, NULL, &err), &err);
  lua_pushvalue(L, options.at[NDB_OUT]);
  return 1;
}

/* a:name(…) is name(a, …), but the first operand has to be an array; of name any one suffices. */
static int compute_method(lua_State *L, ndb_state *S, nd_op op, int count) {
  ndb_check_self(L, S);
  return compute(L, S, op, count);
}

/* a:name_(…): writes the result to 'a' and returns it. */
static int compute_in_place(lua_State *L, ndb_state *S, nd_op op, int count) {
  nd_operand operands[MOST_OPERANDS];
  nd_error err;
  if (!lua_isnoneornil(L, count + 1))
    ndb_fail(L, S, ND_INVALID_ARGUMENT, "options",
             "an in-place method takes none: its result goes into the array itself");
  lua_settop(L, count);
  /* both the first operand and the destination */
  const nd_view *self = &ndb_check_self(L, S)->view;
  read_operands(L, S, op, count, operands);
  ndb_check(L, S, nd_elementwise(op, operands, self, NULL, &err), &err);
  return ndb_return_self(L);
}

/* Lua passes both operands, of which either may be the array; for unary minus it passes 'a' twice,
 * so the stack is cut to the operation's operands. */
static int compute_operator(lua_State *L, ndb_state *S, nd_op op, int count) {
  lua_settop(L, count);
  return compute(L, S, op, count);
}

/* A function for each row: an ndb_reg has no place for the operation that is meant. */
#define ND_ROW(ID, name, count, ...)                       \
  static int function_##name(lua_State *L, ndb_state *S) { \
    return compute(L, S, ND_OP_##ID, count);               \
  }
ND_ELEMENTWISE_OPS(ND_ROW)
#undef ND_ROW

#define ND_ROW(ID, name, count, ...)                     \
  static int method_##name(lua_State *L, ndb_state *S) { \
    return compute_method(L, S, ND_OP_##ID, count);      \
  }
ND_ELEMENTWISE_OPS(ND_ROW)
#undef ND_ROW

#define ND_ROW(ID, name, count, ...)                       \
  static int in_place_##name(lua_State *L, ndb_state *S) { \
    return compute_in_place(L, S, ND_OP_##ID, count);      \
  }
ND_ELEMENTWISE_OPS(ND_ROW)
#undef ND_ROW

/* The arithmetic operators of Lua 5.1; the other operations have none. */
#define OPERATOR(ID, name, count)                          \
  static int operator_##name(lua_State *L, ndb_state *S) { \
    return compute_operator(L, S, ND_OP_##ID, count);      \
  }
OPERATOR(ADD, add, 2)
OPERATOR(SUB, sub, 2)
OPERATOR(MUL, mul, 2)
OPERATOR(DIV, div, 2)
OPERATOR(MOD, mod, 2)
OPERATOR(POW, pow, 2)
OPERATOR(NEG, neg, 1)
#undef OPERATOR

/* The most arguments are the operands and a table of options, which in-place methods refuse
 * themselves. */
#define ND_ROW(ID, name, count, ...) {#name, function_##name, count + 1},
const ndb_reg ndb_compute_functions[] = {ND_ELEMENTWISE_OPS(ND_ROW){NULL, NULL, 0}};
#undef ND_ROW

#define ND_ROW(ID, name, count, ...) \
  {#name, method_##name, count + 1}, {#name "_", in_place_##name, count + 1},
const ndb_reg ndb_compute_methods[] = {ND_ELEMENTWISE_OPS(ND_ROW){NULL, NULL, 0}};
#undef ND_ROW

/* No __eq: Lua turns its result into a boolean, so that == could not give an array. Without it ==
 * tells whether both are the same object. __lt and __le only raise: see metatables.c. */
const ndb_reg ndb_operators[] = {{"__add", operator_add, NDB_ANY}, {"__sub", operator_sub, NDB_ANY},
                                 {"__mul", operator_mul, NDB_ANY}, {"__div", operator_div, NDB_ANY},
                                 {"__mod", operator_mod, NDB_ANY}, {"__pow", operator_pow, NDB_ANY},
                                 {"__unm", operator_neg, NDB_ANY}, {NULL, NULL, 0}};

/* {=== the rows of base/op.h ===} */

/* Push a table with the columns of the row that say how scripts may call the operation. */
static void push_operation(lua_State *L, nd_op which) {
  const nd_op_traits *op = nd_op_get(which);
  lua_createtable(L, 0, 6);
  lua_pushinteger(L, (lua_Integer)which);
  lua_setfield(L, -2, "op");
  lua_pushstring(L, op->name);
  lua_setfield(L, -2, "name");
  lua_pushinteger(L, op->operands);
  lua_setfield(L, -2, "operands");
  lua_pushboolean(L, op->has_in_place);
  lua_setfield(L, -2, "in_place");
  lua_pushboolean(L, op->has_out);
  lua_setfield(L, -2, "out");
  lua_pushboolean(L, op->has_axis);
  lua_setfield(L, -2, "axis");
}

void ndb_open_operations(lua_State *L) {
  lua_newtable(L);
  for (int op = 0, n = 0; op < ND_OP_COUNT; op++) {
    const nd_op_traits *row = nd_op_get((nd_op)op);
    if (row->group != ND_GROUP_ELEMENTWISE && row->group != ND_GROUP_REDUCE) continue;
    push_operation(L, (nd_op)op);
    lua_rawseti(L, -2, ++n);
  }
  lua_setfield(L, -2, "operations");
}
