/* Convolution and correlation, as methods and as functions of the module: nd.convolve(a, b). */
#include "bind/bind.h"

/* name(a, b [, {mode =, out =}]); 'otherwise' is the mode where none is given. */
static int convolve(lua_State *L, ndb_state *S, bool correlates, nd_shifts otherwise) {
  static const char *const modes[] = {"full", "same", "valid", NULL}; /* of nd_shifts */
  ndb_options options;
  nd_view made;
  nd_error err;
  ndb_read_options(L, S, 3, NDB_BIT(MODE) | NDB_BIT(OUT), &options);
  const nd_shifts mode = options.at[NDB_MODE]
                             ? (nd_shifts)ndb_option_choice(L, S, &options, NDB_MODE, modes)
                             : otherwise;
  const nd_view *a = ndb_check_operand(L, S, 1, "a"), *b = ndb_check_operand(L, S, 2, "b");
  const nd_view *out = ndb_option_out(L, S, &options);
  if (!out)
    return ndb_push_made(L, S, nd_convolve(correlates, a, b, mode, NULL, &made, &err), &made, &err);
  ndb_check(L, S, nd_convolve(correlates, a, b, mode, out, NULL, &err), &err);
  lua_pushvalue(L, options.at[NDB_OUT]);
  return 1;
}

static int call_convolve(lua_State *L, ndb_state *S) {
  return convolve(L, S, false, ND_SHIFTS_FULL);
}

static int call_correlate(lua_State *L, ndb_state *S) {
  return convolve(L, S, true, ND_SHIFTS_VALID);
}

const ndb_reg ndb_convolve_functions[] = {
    {"convolve", call_convolve, 3}, {"correlate", call_correlate, 3}, {NULL, NULL, 0}};
