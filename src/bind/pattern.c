/* Methods that copy with a pattern: tile, repeat_interleave, roll, pad. All make new arrays. Here
 * only the form of the arguments is checked; whether the size of the result overflows is left to
 * the core, which has to check it for C programs as well. */
#include "bind/key.h"

static int array_tile(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  int64_t counts[ND_MAX_NDIM];
  size_t sizes[ND_MAX_NDIM];
  ndb_options options;
  int next;
  nd_view out;
  nd_error err;
  /* counts follow the rules of a shape: integers or a table of them, none negative */
  const int n = ndb_check_shape(L, S, 2, "counts", false, counts, &next);
  ndb_read_options(L, S, next, NDB_BIT(OUT), &options);
  ndb_to_sizes(n, counts, sizes);
  ndb_push_made(L, S, nd_tile(v, n, sizes, &out, &err), &out, &err);
  return ndb_return_out(L, S, &options, "tile");
}

static int array_repeat(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  ndb_options options;
  nd_view out;
  nd_error err;
  const size_t times = ndb_check_size(L, S, 2, "n");
  ndb_read_options(L, S, 3, NDB_BIT(AXIS) | NDB_BIT(OUT), &options);
  /* -1: with several axes it must be given; nothing is flattened */
  const int axis = ndb_option_axis(L, S, &options, "repeat_interleave", v->ndim,
                                   v->ndim == 1 ? 0 : -1);
  ndb_push_made(L, S, nd_repeat(v, times, axis, &out, &err), &out, &err);
  return ndb_return_out(L, S, &options, "repeat_interleave");
}

static int array_roll(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  ndb_options options;
  nd_view out;
  nd_error err;
  const int64_t shift = ndb_check_integer(L, S, 2, "n"); /* any sign and size */
  ndb_read_options(L, S, 3, NDB_BIT(AXIS), &options);
  const int axis = ndb_option_axis(L, S, &options, "roll", v->ndim, v->ndim == 1 ? 0 : -1);
  return ndb_push_made(L, S, nd_roll(v, shift, axis, &out, &err), &out, &err);
}

/* Read argument 2, widths: a list of {before, after}, one for each axis, or one number for both
 * ends of all axes. 'before' and 'after' have room for 'ndim' sizes. A 0-d array takes a number or
 * {}. */
static void read_widths(lua_State *L, ndb_state *S, int ndim, size_t *before, size_t *after) {
  if (!lua_istable(L, 2)) {
    const size_t all = ndb_check_size(L, S, 2, "widths");
    for (int i = 0; i < ndim; i++) before[i] = after[i] = all;
    return;
  }
  if (lua_objlen(L, 2) != (size_t)ndim)
    ndb_fail_with(L, S, ND_SHAPE_MISMATCH, "widths",
                  ND_NUMBERS({"actual", (int64_t)lua_objlen(L, 2)}, {"expected", ndim}),
                  "%zu entries for %d axes", lua_objlen(L, 2), ndim);
  for (int i = 0; i < ndim; i++) {
    lua_rawgeti(L, 2, i + 1);
    if (!lua_istable(L, -1) || lua_objlen(L, -1) != 2)
      ndb_fail_type(L, S, -1, "widths", "{before, after} for each axis");
    lua_rawgeti(L, -1, 1);
    lua_rawgeti(L, -2, 2);
    before[i] = ndb_check_size(L, S, -2, "widths");
    after[i] = ndb_check_size(L, S, -1, "widths");
    lua_pop(L, 3); /* the two numbers and their table */
  }
}

static int array_pad(lua_State *L, ndb_state *S) {
  const nd_view *v = &ndb_check_self(L, S)->view;
  size_t before[ND_MAX_NDIM], after[ND_MAX_NDIM];
  nd_scalar value = {.dtype = ND_F64}; /* the default: all bytes of 0.0 are 0 */
  nd_view out;
  nd_error err;
  read_widths(L, S, v->ndim, before, after);
  if (!lua_isnoneornil(L, 3)) ndb_check_scalar(L, S, 3, "value", &value);
  return ndb_push_made(L, S, nd_pad(v, before, after, &value, &out, &err), &out, &err);
}

/* NDB_ANY: these count their arguments themselves. Counts may be integers or one table of them, and
 * nil may stand for an axis that is in the options. */
const ndb_reg ndb_pattern_methods[] = {{"tile", array_tile, NDB_ANY},
                                       {"repeat_interleave", array_repeat, NDB_ANY},
                                       {"roll", array_roll, NDB_ANY},
                                       {"pad", array_pad, 3},
                                       {NULL, NULL, 0}};
