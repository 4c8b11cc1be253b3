/* Makers: new arrays from shapes, values, ranges, random numbers, bytes. Each reads its own
 * arguments, then the common end (dtype, device, options) with ndb_read_spec, then makes the array
 * and fills it: all that can be refused is refused before memory is allocated. */
#include <math.h>
#include <string.h>

#include "base/call.h"
#include "base/size.h"
#include "bind/make.h"
#include "bind/stream.h"

/* What the option of empty and empty_like says. */
static nd_lazy laziness(lua_State *L, ndb_state *S, const ndb_make_spec *s) {
  if (!s->options.at[NDB_LAZY]) return ND_LAZY_LARGE;
  return ndb_option_boolean(L, S, &s->options, NDB_LAZY, false) ? ND_LAZY : ND_AT_ONCE;
}

/* Push the array of a maker whose arguments are a shape and the common end; 'may_wait': with the
 * option "lazy". The view is the pushed array's. */
static const nd_view *push_shaped(lua_State *L, ndb_state *S, bool zeroed, bool may_wait) {
  int64_t shape[ND_MAX_NDIM];
  size_t sizes[ND_MAX_NDIM];
  int next;
  const int ndim = ndb_check_shape(L, S, 1, "shape", false, shape, &next);
  const ndb_make_spec s = ndb_read_spec(L, S, next, ND_F64, may_wait ? NDB_BIT(LAZY) : 0);
  ndb_to_sizes(ndim, shape, sizes);
  return ndb_push_new(L, S, &s, ndim, sizes, zeroed, may_wait ? laziness(L, S, &s) : ND_AT_ONCE);
}

/* Set all elements to a number, converted to their dtype. */
static void fill_number(lua_State *L, ndb_state *S, const nd_view *v, double value) {
  nd_scalar scalar = {.dtype = ND_F64};
  nd_error err;
  memcpy(scalar.bytes, &value, sizeof value);
  ndb_check(L, S, nd_fill(v, &scalar, &err), &err);
}

/* {=== by shape ===} */

/* The clearing is left to the resource,
 * which knows where it is not needed: new pages of the system are zeros already. */
static int make_empty(lua_State *L, ndb_state *S) { return push_shaped(L, S, false, true), 1; }
static int make_zeros(lua_State *L, ndb_state *S) { return push_shaped(L, S, true, false), 1; }

static int make_ones(lua_State *L, ndb_state *S) {
  fill_number(L, S, push_shaped(L, S, false, false), 1);
  return 1;
}

static int make_full(lua_State *L, ndb_state *S) {
  int64_t shape[ND_MAX_NDIM];
  size_t sizes[ND_MAX_NDIM];
  int next;
  nd_scalar value;
  nd_error err;
  /* a table or one integer: a list of integers would run on into the value */
  int ndim = 1;
  if (lua_istable(L, 1)) ndim = ndb_check_shape(L, S, 1, "shape", false, shape, &next);
  else shape[0] = (int64_t)ndb_check_size(L, S, 1, "shape");
  ndb_check_scalar(L, S, 2, "value", &value);
  const ndb_make_spec s = ndb_read_spec(L, S, 3, ND_F64, 0);
  ndb_to_sizes(ndim, shape, sizes);
  ndb_check(L, S, nd_fill(ndb_push_new(L, S, &s, ndim, sizes, false, ND_AT_ONCE), &value, &err),
            &err);
  return 1;
}

static int make_eye(lua_State *L, ndb_state *S) {
  const size_t n = ndb_check_size(L, S, 1, "n");
  const bool has_columns = lua_type(L, 2) == LUA_TNUMBER || lua_type(L, 2) == NDB_TCDATA;
  const size_t shape[] = {n, has_columns ? ndb_check_size(L, S, 2, "columns") : n};
  const ndb_make_spec s = ndb_read_spec(L, S, has_columns ? 3 : 2, ND_F64, 0);
  const nd_view *v = ndb_push_new(L, S, &s, 2, shape, true, ND_AT_ONCE);
  nd_view diagonal;
  nd_error err;
  ndb_check(L, S, nd_view_diagonal(v, 0, &diagonal, &err), &err);
  /* as an array, which owns the view if the fill raises */
  ndb_push_view(L, S, &diagonal);
  fill_number(L, S, &ndb_to_array(L, -1)->view, 1);
  lua_pop(L, 1);
  return 1;
}

/* {=== like another ===} */

/* Where an array like this one goes: the memory that it is from, unless that was a substitute or
 * belongs to others. From a file, to the host, as there is no path for another. */
static void place_like(const nd_storage *storage, ndb_make_spec *s) {
  nd_resource *own = storage->resource;
  if (own->kind == ND_MEM_FILE) return;
  if (own->kind == storage->kind && own->kind != ND_MEM_FOREIGN) s->memory = nd_call_memory(own);
  else s->device = nd_place_of(storage), s->has_device = true;
}

/* A new array of the shape, dtype and device of argument 1. */
static const nd_view *push_like(lua_State *L, ndb_state *S, int arg, bool zeroed, bool may_wait) {
  const nd_view *v = &ndb_check_array(L, S, 1, "a")->view;
  size_t shape[ND_MAX_NDIM];
  ndb_make_spec s = ndb_read_spec(L, S, arg, (nd_dtype)v->dtype, may_wait ? NDB_BIT(LAZY) : 0);
  if (!ndb_has_place(&s)) place_like(v->storage, &s);
  nd_view_shape(v, shape);
  return ndb_push_new(L, S, &s, v->ndim, shape, zeroed, may_wait ? laziness(L, S, &s) : ND_AT_ONCE);
}

static int make_empty_like(lua_State *L, ndb_state *S) {
  return push_like(L, S, 2, false, true), 1;
}
static int make_zeros_like(lua_State *L, ndb_state *S) {
  return push_like(L, S, 2, true, false), 1;
}

static int make_ones_like(lua_State *L, ndb_state *S) {
  fill_number(L, S, push_like(L, S, 2, false, false), 1);
  return 1;
}

static int make_full_like(lua_State *L, ndb_state *S) {
  nd_scalar value;
  nd_error err;
  ndb_check_array(L, S, 1, "a");
  ndb_check_scalar(L, S, 2, "value", &value);
  ndb_check(L, S, nd_fill(push_like(L, S, 3, false, false), &value, &err), &err);
  return 1;
}

/* {=== from values ===} */

/* array(values [, dtype] [, device] [, opts]): always a new array, even of an array. */
static int make_array(lua_State *L, ndb_state *S) {
  nd_view value;
  nd_error err;
  const ndb_array *given = ndb_to_array(L, 1);
  if (lua_type(L, 1) == LUA_TSTRING)
    ndb_fail(L, S, ND_TYPE_MISMATCH, "values",
             "expected a number, a table or an array, got a string; use nd.frombytes()");
  const ndb_make_spec s = ndb_read_spec(L, S, 2, given ? (nd_dtype)given->view.dtype : ND_F64, 0);
  ndb_read_value(L, S, 1, "values", s.dtype, ND_SATURATE, &value);
  if (!given && !ndb_has_place(&s) && value.dtype == s.dtype) {
    ndb_push_view(L, S, &value); /* the table was read into its final array: no copy */
    return 1;
  }
  ndb_push_view(L, S, &value); /* a handle has to own it, as push_new may raise */
  const nd_view *source = &ndb_to_array(L, -1)->view;
  size_t shape[ND_MAX_NDIM];
  nd_view_shape(source, shape);
  const nd_view *v = ndb_push_new(L, S, &s, source->ndim, shape, false, ND_AT_ONCE);
  ndb_check(L, S, nd_copy(v, source, ND_SATURATE, &err), &err);
  return 1;
}

static int make_asarray(lua_State *L, ndb_state *S) {
  if (!ndb_to_array(L, 1)) return make_array(L, S);
  ndb_check_array(L, S, 1, "a");
  ndb_read_spec(L, S, 2, ND_F64, 0); /* only checks: asarray of an array ignores them */
  lua_settop(L, 1);
  return 1;
}

/* The extent for bytes without a given shape: 1-D. size_mismatch when part of an element is
 * left. */
static size_t count_items(lua_State *L, ndb_state *S, size_t length, nd_dtype dtype) {
  const size_t item = nd_dtype_get(dtype)->bytes;
  if (length % item)
    ndb_fail_with(L, S, ND_SIZE_MISMATCH, "bytes",
                  ND_NUMBERS({"actual", (int64_t)length}, {"expected", (int64_t)item}),
                  "%zu B are not a multiple of the item size of %s, %zu", length,
                  nd_dtype_get(dtype)->name, item);
  return length / item;
}

/* frombytes(str [, dtype] [, shape] [, device] [, opts]) */
static int make_frombytes(lua_State *L, ndb_state *S) {
  int64_t shape[ND_MAX_NDIM];
  size_t sizes[ND_MAX_NDIM], length, wanted = 0;
  int ndim = -1;
  nd_dtype dtype = ND_U8;
  nd_error err;
  const char *bytes = ndb_check_string(L, S, 1, "bytes", &length);
  int next = ndb_to_dtype(L, S, 2, &dtype) || lua_isnil(L, 2) ? 3 : 2;
  /* a number, or a table that is not of options, is the shape */
  const int type = lua_type(L, next);
  if ((type == LUA_TTABLE && !ndb_is_options(L, next)) || type == LUA_TNUMBER || type == NDB_TCDATA)
    ndim = ndb_check_shape(L, S, next, "shape", false, shape, &next);
  const ndb_make_spec s = ndb_read_spec(L, S, next, dtype, 0);
  /* only now: the dtype may also come after the shape */
  if (ndim >= 0) ndb_to_sizes(ndim, shape, sizes);
  else sizes[0] = count_items(L, S, length, s.dtype), ndim = 1;
  if (!ndi_size_of(ndim, sizes, nd_dtype_get(s.dtype)->bytes, &wanted) || wanted != length)
    ndb_fail_with(L, S, ND_SIZE_MISMATCH, "bytes",
                  ND_NUMBERS({"actual", (int64_t)length}, {"expected", (int64_t)wanted}),
                  "the string has %zu B, the shape needs %zu", length, wanted);
  ndb_check(L, S,
            nd_copyin(ndb_push_new(L, S, &s, ndim, sizes, false, ND_AT_ONCE), bytes, length, &err),
            &err);
  return 1;
}

/* {=== ranges ===} */

/* A bound of a range: a number, and if it is integral also the exact integer, as i64 and u64 cdata
 * exceed what a double represents exactly. */
typedef struct {
  double value;
  nd_int128 whole;
  bool is_whole;
} bound;

static bound read_bound(lua_State *L, ndb_state *S, int arg, const char *what) {
  bound out = {.is_whole = false};
  out.is_whole = ndb_to_int128(L, S, arg, &out.whole);
  out.value = out.is_whole ? (double)out.whole : ndb_check_number(L, S, arg, what);
  return out;
}

/* Raise not_representable where the double differs from the cdata. For ranges computed in
 * doubles. */
static void check_exact(lua_State *L, ndb_state *S, int arg, const char *what, const bound *b) {
  if (b->is_whole && (nd_int128)b->value != b->whole) ndb_check_number(L, S, arg, what);
}

/* Tells the numbers of a range from the dtype, device or options after them. */
static bool is_numeric(lua_State *L, int arg) {
  return lua_type(L, arg) == LUA_TNUMBER || lua_type(L, arg) == NDB_TCDATA;
}

/* arange(first, last [, step]), both ends included; arange(n) is 1 to n. Integers are computed
 * exactly, in 128 bits. */
static int make_arange(lua_State *L, ndb_state *S) {
  static const char *const names[] = {"first", "last", "step"};
  const bound one = {.value = 1, .whole = 1, .is_whole = true};
  bound b[3] = {one, one, one};
  int n = 0;
  bool is_whole = true;
  for (; n < 3 && is_numeric(L, n + 1); n++) {
    b[n] = read_bound(L, S, n + 1, names[n]);
    is_whole &= b[n].is_whole;
  }
  /* unless all are integers, the range is computed in doubles, which have to hold them exactly */
  for (int i = 0; i < n && !is_whole; i++) check_exact(L, S, i + 1, names[i], &b[i]);
  if (n == 0) ndb_fail_type(L, S, 1, "first", "a number");
  if (n == 1) b[1] = b[0], b[0] = one;
  const ndb_make_spec s = ndb_read_spec(L, S, n + 1, ND_F64, 0);
  size_t count;
  nd_error err;
  ndb_check(L, S,
            is_whole ? nd_range_count_integer(b[0].whole, b[1].whole, b[2].whole, &count, &err)
                     : nd_range_count(b[0].value, b[1].value, b[2].value, &count, &err),
            &err);
  const nd_view *v = ndb_push_new(L, S, &s, 1, &count, false, ND_AT_ONCE);
  ndb_check(L, S,
            is_whole ? nd_range_integer(v, b[0].whole, b[2].whole, &err)
                     : nd_range(v, b[0].value, b[2].value, &err),
            &err);
  return 1;
}

static void check_end(lua_State *L, ndb_state *S, const char *what, const bound *b) {
  char text[ND_DOUBLE_TEXT];
  if (isfinite(b->value)) return;
  ndb_fail(L, S, ND_INVALID_ARGUMENT, what, "linspace: %s is not finite",
           ndi_double_text(b->value, text));
}

/* linspace(first, last, n): both ends exact; for an integer dtype and integral ends the nearest
 * integers, computed exactly. */
static int make_linspace(lua_State *L, ndb_state *S) {
  const bound first = read_bound(L, S, 1, "first"), last = read_bound(L, S, 2, "last");
  const size_t n = ndb_check_size(L, S, 3, "n");
  const ndb_make_spec s = ndb_read_spec(L, S, 4, ND_F64, 0);
  const bool is_whole = first.is_whole && last.is_whole &&
                        nd_kind_is_integer(nd_dtype_get(s.dtype)->kind);
  nd_error err;
  check_end(L, S, "first", &first), check_end(L, S, "last", &last);
  if (!is_whole) check_exact(L, S, 1, "first", &first), check_exact(L, S, 2, "last", &last);
  const nd_view *v = ndb_push_new(L, S, &s, 1, &n, false, ND_AT_ONCE);
  ndb_check(L, S,
            is_whole ? nd_linspace_integer(v, first.whole, last.whole, &err)
                     : nd_linspace(v, first.value, last.value, &err),
            &err);
  return 1;
}

/* {=== random ===} */

/* The seed (Philox's key) and the number of the call, which together determine the numbers. With a
 * seed on the stack, 'at' not 0, the number is 0, so the same call gives the same numbers; else it
 * is the next one of the running sequence. */
static void read_seed(lua_State *L, ndb_state *S, int at, uint64_t *seed, uint64_t *call_number) {
  if (at != 0) {
    *seed = (uint64_t)ndb_check_integer(L, S, at, "seed");
    *call_number = 0;
  } else {
    *seed = S->seed;
    *call_number = ++S->random_calls;
  }
}

typedef nd_status random_fill(const nd_view *out, uint64_t seed, uint64_t call_number,
                              nd_error *err);

/* The array of random and normal. Their arguments are [shape] and the common end; where the shape
 * is nil or no argument is given, the array is 0-d. */
static int push_random(lua_State *L, ndb_state *S, random_fill *fill) {
  int64_t shape[ND_MAX_NDIM];
  size_t sizes[ND_MAX_NDIM];
  int next = 1, ndim = 0;
  uint64_t seed, call_number;
  nd_error err;
  if (!lua_isnoneornil(L, 1)) ndim = ndb_check_shape(L, S, 1, "shape", false, shape, &next);
  const ndb_make_spec s = ndb_read_spec(L, S, next, ND_F64, NDB_BIT(SEED));
  read_seed(L, S, s.options.at[NDB_SEED], &seed, &call_number);
  ndb_to_sizes(ndim, shape, sizes);
  ndb_check(L, S,
            fill(ndb_push_new(L, S, &s, ndim, sizes, false, ND_AT_ONCE), seed, call_number, &err),
            &err);
  return 1;
}

static int make_random(lua_State *L, ndb_state *S) { return push_random(L, S, nd_random_uniform); }
static int make_normal(lua_State *L, ndb_state *S) { return push_random(L, S, nd_random_normal); }

static nd_op check_distribution(lua_State *L, ndb_state *S, int arg) {
  const char *name = ndb_check_string(L, S, arg, "name", NULL);
  for (nd_op op = ND_OP_UNIFORM; op <= ND_OP_BINOMIAL; op++)
    if (strcmp(nd_op_get(op)->name, name) == 0) return op;
  return ndb_fail(L, S, ND_INVALID_ARGUMENT, "name", "there is no such distribution"),
         ND_OP_UNIFORM;
}

/* draw(name, out, seed, a, b [, number]): fills 'out', an array, for draws.lua, which has checked
 * the parameters 'a' and 'b': both numbers, or both f64 arrays of out's shape. 'number' tells
 * apart the calls of one function with one seed. */
static int draw(lua_State *L, ndb_state *S) {
  uint64_t seed, call_number;
  double of[2] = {0, 0};
  nd_error err;
  const nd_op op = check_distribution(L, S, 1);
  const nd_view *out = &ndb_check_array(L, S, 2, "out")->view, *arrays[2] = {NULL};
  read_seed(L, S, lua_isnoneornil(L, 3) ? 0 : 3, &seed, &call_number);
  if (!lua_isnoneornil(L, 3))
    call_number = (uint64_t)ndb_check_integer(L, S, 6, "number") & 0xffffffffffff;
  const int count = lua_type(L, 4) == LUA_TNUMBER ? 0 : 2;
  for (int i = 0; i < 2; i++) {
    if (count == 0) of[i] = ndb_check_number(L, S, 4 + i, "parameter");
    else arrays[i] = &ndb_check_array(L, S, 4 + i, "parameter")->view;
  }
  ndb_check(L, S, nd_random_draw(op, out, of, count, arrays, seed, call_number, &err), &err);
  lua_settop(L, 2);
  return 1;
}

static int make_randint(lua_State *L, ndb_state *S) {
  int64_t shape[ND_MAX_NDIM];
  size_t sizes[ND_MAX_NDIM];
  int next = 3, ndim = 0;
  uint64_t seed, call_number;
  nd_error err;
  const nd_int128 lo = ndb_check_int128(L, S, 1, "lo"), hi = ndb_check_int128(L, S, 2, "hi");
  if (!lua_isnoneornil(L, 3)) ndim = ndb_check_shape(L, S, 3, "shape", false, shape, &next);
  const ndb_make_spec s = ndb_read_spec(L, S, next, ND_I64, NDB_BIT(SEED));
  read_seed(L, S, s.options.at[NDB_SEED], &seed, &call_number);
  ndb_to_sizes(ndim, shape, sizes);
  ndb_check(L, S,
            nd_random_integers(ndb_push_new(L, S, &s, ndim, sizes, false, ND_AT_ONCE), lo, hi, seed,
                               call_number, &err),
            &err);
  return 1;
}

static int make_permutation(lua_State *L, ndb_state *S) {
  uint64_t seed, call_number;
  nd_error err;
  const size_t n = ndb_check_size(L, S, 1, "n");
  const ndb_make_spec s = ndb_read_spec(L, S, 2, ND_I64, NDB_BIT(SEED));
  read_seed(L, S, s.options.at[NDB_SEED], &seed, &call_number);
  ndb_check(L, S,
            nd_random_permutation(ndb_push_new(L, S, &s, 1, &n, false, ND_AT_ONCE), seed,
                                  call_number, &err),
            &err);
  return 1;
}

/* seed(n): the running sequence starts again; the next call is the first one with this seed. */
static int set_seed(lua_State *L, ndb_state *S) {
  S->seed = (uint64_t)ndb_check_integer(L, S, 1, "seed");
  S->random_calls = 0;
  return 0;
}

const ndb_reg ndb_make_functions[] = {{"empty", make_empty, NDB_ANY},
                                      {"zeros", make_zeros, NDB_ANY},
                                      {"ones", make_ones, NDB_ANY},
                                      {"full", make_full, NDB_ANY},
                                      {"eye", make_eye, NDB_ANY},
                                      {"empty_like", make_empty_like, NDB_ANY},
                                      {"zeros_like", make_zeros_like, NDB_ANY},
                                      {"ones_like", make_ones_like, NDB_ANY},
                                      {"full_like", make_full_like, NDB_ANY},
                                      {"array", make_array, NDB_ANY},
                                      {"asarray", make_asarray, NDB_ANY},
                                      {"frombytes", make_frombytes, NDB_ANY},
                                      {"arange", make_arange, NDB_ANY},
                                      {"linspace", make_linspace, NDB_ANY},
                                      {"random", make_random, NDB_ANY},
                                      {"normal", make_normal, NDB_ANY},
                                      {"randint", make_randint, NDB_ANY},
                                      {"permutation", make_permutation, NDB_ANY},
                                      {"seed", set_seed, 1},
                                      {"draw", draw, 6}, /* for draws.lua alone */
                                      {NULL, NULL, 0}};
