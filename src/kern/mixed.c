/* Comparisons of i64, u64, f64 and c128 with one another. Only these four: operands of other dtypes
 * are widened within their kind first (nd_dtype_widest), which keeps their values.
 *
 * A pair of dtypes needs lt_of, le_of and eq_of, one with a complex side only eq_of; > and >= are <
 * and <= with the sides exchanged. */
#include "kern/mixed.h"

#include <math.h>

#include "base/exact.h"
#include "kern/words.h"

static inline nd_exact ndi_exact_c128(wide_complex x) { return (nd_exact){.hi = x.re, .im = x.im}; }

static bool is_finite(nd_exact x) { return isfinite(x.hi) && isfinite(x.im); }

/* x - y of the real parts as a double. Knuth's two-sum gives the rounding error of the first
 * difference, which is added to the difference of the low parts; so the result is rounded once,
 * except where a fraction meets an integer above 2^53. One side is an integer, so nothing
 * overflows. */
static double real_gap(nd_exact x, nd_exact y) {
  const double gap = x.hi - y.hi, back = gap - x.hi;
  const double lost = (x.hi - (gap - back)) - (y.hi + back);
  return gap + (lost + (x.lo - y.lo));
}

/* |x - y| <= atol + rtol * |y|. Equality first: equal infinities are close, though their difference
 * is NaN. */
static bool is_close(nd_exact x, nd_exact y, double rtol, double atol) {
  if (ndi_exact_eq(x, y)) return true;
  if (!is_finite(x) || !is_finite(y)) return false;
  return hypot(real_gap(x, y), x.im - y.im) <= atol + rtol * hypot(y.hi, y.im);
}

/* A negative x is below every u64; any other x is a u64 itself. '|' and '&' keep the loops free of
 * branches. */
static inline bool lt_of_i64_u64(int64_t x, uint64_t y) { return (x < 0) | ((uint64_t)x < y); }
static inline bool le_of_i64_u64(int64_t x, uint64_t y) { return (x < 0) | ((uint64_t)x <= y); }
static inline bool eq_of_i64_u64(int64_t x, uint64_t y) { return (x >= 0) & ((uint64_t)x == y); }
static inline bool lt_of_u64_i64(uint64_t x, int64_t y) { return !le_of_i64_u64(y, x); }
static inline bool le_of_u64_i64(uint64_t x, int64_t y) { return !lt_of_i64_u64(y, x); }
static inline bool eq_of_u64_i64(uint64_t x, int64_t y) { return eq_of_i64_u64(y, x); }

#define THIS_F64(op) ND_CAT(ND_CAT(op, DTYPE), _f64) /* lt_i64_f64 */
#define F64_THIS(op) ND_CAT(ND_CAT(op, _f64), DTYPE)

#define DTYPE _i64
#define PAST 0x1p63
#include "kern/mixed_float.inc"
#undef PAST
#undef DTYPE

#define DTYPE _u64
#define PAST 0x1p64
#include "kern/mixed_float.inc"
#undef PAST
#undef DTYPE

enum { size_i64 = 8, size_u64 = 8, size_f64 = 8, size_c128 = 16 };

#define PAIR(op) ND_CAT(ND_CAT(op, X_DTYPE), Y_DTYPE)     /* lt_i64_u64 */
#define MIRRORED(op) ND_CAT(ND_CAT(op, Y_DTYPE), X_DTYPE) /* lt_u64_i64 */
#define VALUE_X(p) ND_CAT(get, X_DTYPE)(p)
#define VALUE_Y(p) ND_CAT(get, Y_DTYPE)(p)
#define EXACT_X(p) ND_CAT(ndi_exact, X_DTYPE)(VALUE_X(p))
#define EXACT_Y(p) ND_CAT(ndi_exact, Y_DTYPE)(VALUE_Y(p))
#define BODY_ORDERED "kern/mixed_ordered.inc"
#define BODY_SAME "kern/mixed_same.inc"
#include "kern/made/each_pair.h"

/* Rows and columns of the tables below. A pair of equal dtypes, or of f64 and c128, has a common
 * dtype and no entry. */
enum { I64, U64, F64, C128, SIDES };

static int column_of(nd_dtype dtype) {
  return dtype == ND_I64 ? I64 : dtype == ND_U64 ? U64 : dtype == ND_F64 ? F64 : C128;
}

/* complex numbers have no order */
#define OF_REALS(op)                                    \
  [I64] = {[U64] = op##_i64_u64, [F64] = op##_i64_f64}, \
  [U64] = {[I64] = op##_u64_i64, [F64] = op##_u64_f64}, \
  [F64] = {[I64] = op##_f64_i64, [U64] = op##_f64_u64}

#define OF_ALL(op)                                                              \
  [I64] = {[U64] = op##_i64_u64, [F64] = op##_i64_f64, [C128] = op##_i64_c128}, \
  [U64] = {[I64] = op##_u64_i64, [F64] = op##_u64_f64, [C128] = op##_u64_c128}, \
  [F64] = {[I64] = op##_f64_i64, [U64] = op##_f64_u64},                         \
  [C128] = {[I64] = op##_c128_i64, [U64] = op##_c128_u64}

static const struct {
  nd_op op;
  ndi_kernel *loops[SIDES][SIDES];
} rows[] = {{ND_OP_LT, {OF_REALS(lt)}}, {ND_OP_LE, {OF_REALS(le)}}, {ND_OP_GT, {OF_REALS(gt)}},
            {ND_OP_GE, {OF_REALS(ge)}}, {ND_OP_EQ, {OF_ALL(eq)}},   {ND_OP_NE, {OF_ALL(ne)}}};

ndi_kernel *ndi_mixed_find(nd_op op, nd_dtype x, nd_dtype y) {
  for (size_t i = 0; i < ND_COUNTOF(rows); i++)
    if (rows[i].op == op) return rows[i].loops[column_of(x)][column_of(y)];
  return NULL;
}

ndi_close_kernel *ndi_mixed_close_find(nd_dtype x, nd_dtype y) {
  static ndi_close_kernel *const loops[SIDES][SIDES] = {OF_ALL(close)};
  return loops[column_of(x)][column_of(y)];
}
