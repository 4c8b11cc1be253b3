/* Fourier transforms, as functions of nd.fft: nd.fft.fft(a), nd.fft.rfftn(a, {64, 64}). */
#include "bind/bind.h"
#include "dev/host/fftw.h"

/* A table of options, not a list? Nothing follows it. */
static bool is_options(lua_State *L, int arg) {
  if (!lua_istable(L, arg) || !lua_isnoneornil(L, arg + 1)) return false;
  lua_rawgeti(L, arg, 1);
  const bool is_list = !lua_isnil(L, -1);
  lua_pop(L, 1);
  return !is_list;
}

static nd_fft_norm read_norm(lua_State *L, ndb_state *S, const ndb_options *options) {
  static const char *const norms[] = {"backward", "ortho", "forward", NULL}; /* of nd_fft_norm */
  return (nd_fft_norm)ndb_option_choice(L, S, options, NDB_NORM, norms);
}

/* The result: 'out' of the options, or a new array. */
static int push_transform(lua_State *L, ndb_state *S, const nd_transform *how, const nd_view *a,
                          const ndb_options *options) {
  nd_view made;
  nd_error err;
  const nd_view *out = ndb_option_out(L, S, options);
  if (!out) return ndb_push_made(L, S, nd_fft(how, a, NULL, &made, &err), &made, &err);
  ndb_check(L, S, nd_fft(how, a, out, NULL, &err), &err);
  lua_pushvalue(L, options->at[NDB_OUT]);
  return 1;
}

/* {=== along one axis ===} */

static size_t read_length(lua_State *L, ndb_state *S, int at, const char *what) {
  const int64_t n = ndb_check_integer(L, S, at, what);
  if (n < 1)
    ndb_fail_with(L, S, ND_INVALID_ARGUMENT, what, ND_NUMBERS({"value", n}, {"limit", 1}),
                  "%lld is no length: a transform has 1 element at least", (long long)n);
  return (size_t)n;
}

/* The argument at 'arg', before the options at 'rest', or 0, if it is not given: then it may be an
 * option, too. */
static int find_argument(lua_State *L, int arg, int rest, ndb_option which, uint64_t *known) {
  const bool is_given = arg < rest && !lua_isnoneornil(L, arg);
  if (!is_given) *known |= UINT64_C(1) << which;
  return is_given ? arg : 0;
}

/* name(a [, n] [, axis] [, {n =, axis =, norm =, out =}]) */
static int transform_line(lua_State *L, ndb_state *S, nd_transform *how) {
  const int rest = is_options(L, 2) ? 2 : 3;
  uint64_t known = NDB_BIT(AXIS) | NDB_BIT(NORM) | NDB_BIT(OUT);
  ndb_options options;
  int given = find_argument(L, 2, rest, NDB_N, &known);
  ndb_read_options(L, S, rest, known, &options);
  if (!given) given = options.at[NDB_N];
  const nd_view *a = ndb_check_operand(L, S, 1, "a");
  if (a->ndim > 0) {
    how->axes[0] = ndb_option_axis(L, S, &options, how->name, a->ndim, a->ndim - 1);
    how->count = 1;
  }
  how->lengths[0] = given ? read_length(L, S, given, "n") : ND_FFT_OWN;
  how->norm = read_norm(L, S, &options);
  return push_transform(L, S, how, a, &options);
}

/* {=== along several ===} */

/* A list of at most ND_MAX_NDIM integers, or one alone. */
static int read_list(lua_State *L, ndb_state *S, int at, const char *what, int64_t *out) {
  int next;
  lua_pushvalue(L, at); /* to the top: values after it would be read as more of them */
  const int n = ndb_check_integers(L, S, lua_gettop(L), what, ND_MAX_NDIM, out, &next);
  lua_pop(L, 1);
  return n;
}

static void read_axes(lua_State *L, ndb_state *S, int at, int ndim, nd_transform *how) {
  int64_t axes[ND_MAX_NDIM];
  nd_error err;
  how->count = read_list(L, S, at, "axes", axes);
  for (int i = 0; i < how->count; i++)
    ndb_check(L, S, ndb_axis_resolve(how->name, axes[i], ndim, &how->axes[i], &err), &err);
}

/* The last 'count' axes. */
static void take_last_axes(lua_State *L, ndb_state *S, int count, int ndim, nd_transform *how) {
  if (count > ndim)
    ndb_fail_with(L, S, ND_INDEX_OUT_OF_RANGE, NULL, ND_NUMBERS({"value", count}, {"limit", ndim}),
                  "%s: the transform is along %d axes, the array has %d", how->name, count, ndim);
  how->count = count;
  for (int i = 0; i < count; i++) how->axes[i] = ndim - count + i;
}

/* Lengths, of which -1 is that of the axis. */
static int read_lengths(lua_State *L, ndb_state *S, int at, nd_transform *how) {
  int64_t lengths[ND_MAX_NDIM];
  const int n = at ? read_list(L, S, at, "s", lengths) : 0;
  for (int i = 0; i < ND_MAX_NDIM; i++) how->lengths[i] = ND_FFT_OWN;
  for (int i = 0; i < n; i++) {
    if (lengths[i] == -1) continue;
    if (lengths[i] < 1)
      ndb_fail_with(L, S, ND_INVALID_ARGUMENT, "s", ND_NUMBERS({"value", lengths[i]}, {"limit", 1}),
                    "%lld is no length: a transform has 1 element at least", (long long)lengths[i]);
    how->lengths[i] = (size_t)lengths[i];
  }
  return n;
}

/* name(a [, s] [, axes] [, {s =, axes =, norm =, out =}]), by default along the last 'most' axes */
static int transform_axes(lua_State *L, ndb_state *S, nd_transform *how, int most) {
  const int rest = is_options(L, 2) ? 2 : is_options(L, 3) ? 3 : 4;
  uint64_t known = NDB_BIT(NORM) | NDB_BIT(OUT);
  ndb_options options;
  int lengths = find_argument(L, 2, rest, NDB_S, &known);
  int axes = find_argument(L, 3, rest, NDB_AXES, &known);
  ndb_read_options(L, S, rest, known, &options);
  if (!lengths) lengths = options.at[NDB_S];
  if (!axes) axes = options.at[NDB_AXES];
  const nd_view *a = ndb_check_operand(L, S, 1, "a");
  const int n = read_lengths(L, S, lengths, how);
  if (axes) read_axes(L, S, axes, a->ndim, how);
  else take_last_axes(L, S, lengths ? n : most == NDB_ANY ? a->ndim : most, a->ndim, how);
  if (lengths && n != how->count)
    ndb_fail_with(L, S, ND_INVALID_ARGUMENT, "s",
                  ND_NUMBERS({"expected", how->count}, {"actual", n}), "%d lengths for %d axes", n,
                  how->count);
  how->norm = read_norm(L, S, &options);
  return push_transform(L, S, how, a, &options);
}

/* {=== functions ===} A function for each: an ndb_reg has no place for the one that is meant. */

#define LINES(X)            \
  X(fft, COMPLEX, false)    \
  X(ifft, COMPLEX, true)    \
  X(rfft, REAL, false)      \
  X(irfft, HERMITIAN, true) \
  X(hfft, HERMITIAN, false) \
  X(ihfft, REAL, true)
#define AXES(X)                    \
  X(fft2, COMPLEX, false, 2)       \
  X(ifft2, COMPLEX, true, 2)       \
  X(rfft2, REAL, false, 2)         \
  X(irfft2, HERMITIAN, true, 2)    \
  X(fftn, COMPLEX, false, NDB_ANY) \
  X(ifftn, COMPLEX, true, NDB_ANY) \
  X(rfftn, REAL, false, NDB_ANY)   \
  X(irfftn, HERMITIAN, true, NDB_ANY)

#define ND_ROW(of, FORM, inverse)                                                   \
  static int call_##of(lua_State *L, ndb_state *S) {                                \
    nd_transform how = {.name = #of, .form = ND_FFT_##FORM, .is_inverse = inverse}; \
    return transform_line(L, S, &how);                                              \
  }
LINES(ND_ROW)
#undef ND_ROW
#define ND_ROW(of, FORM, inverse, most)                                             \
  static int call_##of(lua_State *L, ndb_state *S) {                                \
    nd_transform how = {.name = #of, .form = ND_FFT_##FORM, .is_inverse = inverse}; \
    return transform_axes(L, S, &how, most);                                        \
  }
AXES(ND_ROW)
#undef ND_ROW

/* fftw(is_wide): is there a library for f64, or f32, and what it is or why there is none. */
static int module_fftw(lua_State *L, ndb_state *S) {
  nd_error err;
  const ndi_fftw *library = ndi_fftw_find(lua_toboolean(L, 1) ? ND_F64 : ND_F32, &err);
  (void)S;
  lua_pushboolean(L, library != NULL);
  lua_pushstring(L, library ? library->text : err.message);
  return 2;
}

/* Of the table nd.fft, which fft.lua completes. */
#define ND_ROW(of, ...) {#of, call_##of, NDB_ANY},
const ndb_reg ndb_fft_functions[] = {LINES(ND_ROW) AXES(ND_ROW){NULL, NULL, 0}};
#undef ND_ROW
/* For init.lua alone. */
const ndb_reg ndb_fft_core_functions[] = {{"fftw", module_fftw, 1}, {NULL, NULL, 0}};
