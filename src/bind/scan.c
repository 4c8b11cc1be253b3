/* Running sums, products, minima and maxima, as methods, in-place methods and functions of the
 * module: a:cumsum(1), a:cumsum_(1), nd.cumsum(a, 1). */
#include "bind/bind.h"

/* The axis of the options, 0-based; without one the scan is over all elements. */
static int read_axis(lua_State *L, ndb_state *S, const ndb_options *options, const char *name,
                     int ndim) {
  if (!options->at[NDB_AXIS]) return ND_SCAN_ALL;
  return ndb_option_axis(L, S, options, name, ndim, -1);
}

/* name(a [, axis] [, {axis =, out =, dtype =}]): returns a new array, or 'out'. */
static int scan(lua_State *L, ndb_state *S, nd_op op) {
  const nd_view *src = ndb_check_operand(L, S, 1, "a");
  ndb_options options;
  nd_view made;
  nd_dtype dtype;
  nd_error err;
  uint64_t known = NDB_BIT(AXIS) | NDB_BIT(OUT);
  if (op == ND_OP_CUMSUM || op == ND_OP_CUMPROD) known |= NDB_BIT(DTYPE);
  ndb_read_options(L, S, 2, known, &options);
  const nd_scanning how = {.axis = read_axis(L, S, &options, nd_op_get(op)->name, src->ndim),
                           .dtype = ndb_option_dtype(L, S, &options, &dtype)};
  const nd_view *out = ndb_option_out(L, S, &options);
  if (!out) return ndb_push_made(L, S, nd_scan(op, src, &how, &made, &err), &made, &err);
  ndb_check(L, S, nd_scan_into(op, src, &how, out, &err), &err);
  lua_pushvalue(L, options.at[NDB_OUT]);
  return 1;
}

/* a:name_([axis]): writes the result to 'a' and returns it. */
static int scan_in_place(lua_State *L, ndb_state *S, nd_op op) {
  const nd_view *self = &ndb_check_self(L, S)->view;
  ndb_options options;
  nd_error err;
  ndb_read_options(L, S, 2, NDB_BIT(AXIS), &options);
  const nd_scanning how = {.axis = read_axis(L, S, &options, nd_op_get(op)->name, self->ndim)};
  ndb_check(L, S, nd_scan_into(op, self, &how, self, &err), &err);
  return ndb_return_self(L);
}

/* A function for each operation: an ndb_reg has no place for the one that is meant. */
#define SCANS(X) X(CUMSUM, cumsum) X(CUMPROD, cumprod) X(CUMMIN, cummin) X(CUMMAX, cummax)
#define ND_ROW(ID, name)                                                                \
  static int scan_##name(lua_State *L, ndb_state *S) { return scan(L, S, ND_OP_##ID); } \
  static int in_place_##name(lua_State *L, ndb_state *S) { return scan_in_place(L, S, ND_OP_##ID); }
SCANS(ND_ROW)
#undef ND_ROW

#define ND_ROW(ID, name) {#name, scan_##name, NDB_ANY},
const ndb_reg ndb_scan_functions[] = {SCANS(ND_ROW){NULL, NULL, 0}}; /* methods too */
#undef ND_ROW

#define ND_ROW(ID, name) {#name "_", in_place_##name, NDB_ANY},
const ndb_reg ndb_scan_methods[] = {SCANS(ND_ROW){NULL, NULL, 0}};
#undef ND_ROW
