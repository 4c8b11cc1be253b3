/* How far mathematical functions are from the exact results, in units in the last place, against
 * MPFR: f64 by random numbers of several kinds, f32 too. All levels of the processor have to give
 * the same bits. 'all' tries every float against the C library's functions of doubles. accuracy
 * [SEED [all]] */
#include <math.h>
#include <mpfr.h>
#include <string.h>

#include "../core/check.h"
#include "../core/levels.h"
#include "kern/elementwise.h"

enum { BLOCK = 4096, WIDE_BITS = 200 };

typedef int mpfr_one(mpfr_t, const mpfr_t, mpfr_rnd_t);

/* Where a function is tried besides everywhere: within lowest … highest. */
typedef struct {
  nd_op op;
  const char *name;
  mpfr_one *exact;
  double (*libm)(double);
  double lowest, highest;
} function;

static int lgamma_of(mpfr_t out, const mpfr_t x, mpfr_rnd_t mode) {
  int sign;
  return mpfr_lgamma(out, &sign, x, mode);
}

static const function functions[] = {
    {ND_OP_CBRT, "cbrt", mpfr_cbrt, cbrt, -9, 9},
    {ND_OP_EXP, "exp", mpfr_exp, exp, -750, 720},
    {ND_OP_EXPM1, "expm1", mpfr_expm1, expm1, -50, 720},
    {ND_OP_LOG, "log", mpfr_log, log, 0.25, 4},
    {ND_OP_LOG2, "log2", mpfr_log2, log2, 0.25, 4},
    {ND_OP_LOG10, "log10", mpfr_log10, log10, 0.25, 4},
    {ND_OP_LOG1P, "log1p", mpfr_log1p, log1p, -1, 3},
    {ND_OP_SIN, "sin", mpfr_sin, sin, -1.7e6, 1.7e6},
    {ND_OP_COS, "cos", mpfr_cos, cos, -1.7e6, 1.7e6},
    {ND_OP_TAN, "tan", mpfr_tan, tan, -1.7e6, 1.7e6},
    {ND_OP_ASIN, "asin", mpfr_asin, asin, -1, 1},
    {ND_OP_ACOS, "acos", mpfr_acos, acos, -1, 1},
    {ND_OP_ATAN, "atan", mpfr_atan, atan, -3, 3},
    {ND_OP_SINH, "sinh", mpfr_sinh, sinh, -720, 720},
    {ND_OP_COSH, "cosh", mpfr_cosh, cosh, -720, 720},
    {ND_OP_TANH, "tanh", mpfr_tanh, tanh, -25, 25},
    {ND_OP_ASINH, "asinh", mpfr_asinh, asinh, -9, 9},
    {ND_OP_ACOSH, "acosh", mpfr_acosh, acosh, 1, 9},
    {ND_OP_ATANH, "atanh", mpfr_atanh, atanh, -1, 1},
    {ND_OP_ERF, "erf", mpfr_erf, erf, -6, 6},
    {ND_OP_ERFC, "erfc", mpfr_erfc, erfc, -6, 28},
    {ND_OP_LGAMMA, "lgamma", lgamma_of, lgamma, -9, 9},
};

static uint64_t random_state;
static double unit(void) { return (double)(next_random(&random_state) >> 11) * 0x1p-53; }

/* {=== arguments ===} */

static double special(size_t i) {
  static const double list[] = {0,
                                1,
                                0.5,
                                2,
                                INFINITY,
                                NAN,
                                0x1p-1074,
                                0x1p-149,
                                0x1p-126,
                                0x1p-1022,
                                0x1p-28,
                                0x1p-54,
                                0x1p-25,
                                0x1.fffffffffffffp1023,
                                0x1.fffffep127,
                                1.6e6,
                                0x1.fffffffffffffp-1,
                                0x1.fffffep-1};
  const double x = list[i / 2 % ND_COUNTOF(list)];
  return i & 1 ? -x : x;
}

/* The i-th argument: of every kind in turn. */
static double argument(const function *f, size_t i) {
  double x;
  switch (i % 8) {
    case 0: { /* any bits */
      const uint64_t bits = next_random(&random_state);
      memcpy(&x, &bits, sizeof x);
      return x;
    }
    case 1: return special(i / 8);
    case 2:
    case 3: return f->lowest + (f->highest - f->lowest) * unit();
    case 4: return (unit() - 0.5) * 20;
    case 5: return ldexp(unit() - 0.5, (int)(next_random(&random_state) % 64) - 40);
    case 6: /* next to a multiple of pi/2 */
      x = (double)(next_random(&random_state) % 1000000) * 0x1.921fb54442d18p0;
      return i / 8 % 2 ? nextafter(x, -1) : x;
    default: /* next to a power of two, where units change */
      x = ldexp(1 + (unit() - 0.5) * 0x1p-20, (int)(next_random(&random_state) % 24) - 12);
      return i / 8 % 2 ? x : -x;
  }
}

/* {=== errors ===} */

typedef struct {
  int digits, least, most; /* bits of the significand, exponents of 0.1… of the float */
} format;
static const format narrow = {24, -125, 128}, wide = {53, -1021, 1024};

/* What is lost where terms cancel: between the zeros of lgamma below 0, around those of
 * logaddexp. */
static double slack_of(nd_op op, double x, double y) {
  if (op == ND_OP_LGAMMA) return x < 0 ? 0x1p-55 : 0;
  return op == ND_OP_LOGADDEXP && fmax(x, y) < 0 ? 0x1p-59 : 0;
}

/* The distance of 'got' from 'exact' in units in the last place; none within 'slack'; infinite
 * where only one is NaN, or zero has the wrong sign. Infinity counts as the power of two that is
 * out of range. */
static double units(double got, const mpfr_t exact, const format *f, double slack) {
  mpfr_t value;
  if (mpfr_nan_p(exact) || isnan(got)) return mpfr_nan_p(exact) && isnan(got) ? 0 : INFINITY;
  if (mpfr_inf_p(exact)) return got == mpfr_get_d(exact, MPFR_RNDN) ? 0 : INFINITY;
  if (mpfr_zero_p(exact)) return got == 0 && !signbit(got) == !mpfr_signbit(exact) ? 0 : INFINITY;
  const int exponent = (int)mpfr_get_exp(exact);
  if (exponent > f->most) return isinf(got) && !signbit(got) == !mpfr_signbit(exact) ? 0 : INFINITY;
  mpfr_init2(value, WIDE_BITS);
  if (isinf(got)) mpfr_set_si_2exp(value, got < 0 ? -1 : 1, f->most, MPFR_RNDN);
  else mpfr_set_d(value, got, MPFR_RNDN);
  mpfr_sub(value, exact, value, MPFR_RNDN);
  if (mpfr_cmp_d(value, slack) <= 0 && mpfr_cmp_d(value, -slack) >= 0) mpfr_set_zero(value, 1);
  mpfr_mul_2si(value, value, f->digits - (exponent < f->least ? f->least : exponent), MPFR_RNDN);
  const double distance = fabs(mpfr_get_d(value, MPFR_RNDN));
  mpfr_clear(value);
  return distance;
}

typedef struct {
  double most, at, at2; /* the largest error, and where */
} worst;

static void note(worst *w, double error, double x, double y) {
  if (error > w->most) *w = (worst){error, x, y};
}

static void show(const char *name, const char *dtype, const worst *w, double limit) {
  CHECK(w->most <= limit, "%s of %s: %.4f units at %.17g (%a), %.17g", name, dtype, w->most, w->at,
        w->at, w->at2);
  printf("# %-6s %s %.4f\n", name, dtype, w->most);
}

/* {=== functions of one number ===} */

/* The same bits at each level, in 'z'. */
static void run(const function *f, nd_dtype dtype, size_t n, const void *x, void *z) {
  static _Alignas(64) char other[BLOCK * 8];
  const ptrdiff_t bytes = dtype == ND_F32 ? 4 : 8, step[] = {bytes, bytes};
  char *const to[] = {z, (char *)(uintptr_t)x}, *const again[] = {other, (char *)(uintptr_t)x};
  use_level(levels[0]);
  ndi_kernel_find(f->op, dtype)(n, to, step);
  for (size_t i = 1; i < ND_COUNTOF(levels); i++) {
    if (!use_level(levels[i])) continue;
    ndi_kernel_find(f->op, dtype)(n, again, step);
    size_t at = 0;
    for (; at < n; at++) {
      const char *a = (char *)z + (ptrdiff_t)at * bytes, *b = other + (ptrdiff_t)at * bytes;
      float f32;
      double f64;
      if (memcmp(a, b, (size_t)bytes) == 0) continue;
      if (memcpy(&f64, a, sizeof f64), dtype == ND_F64 && isnan(f64)) continue;
      if (memcpy(&f32, a, sizeof f32), dtype == ND_F32 && isnan(f32)) continue;
      break;
    }
    CHECK(at == n, "%s at level %d differs at %zu", f->name, levels[i], at);
  }
}

static void try_block(const function *f, worst *w32, worst *w64, size_t start) {
  static double x[BLOCK], z[BLOCK];
  static float xf[BLOCK], zf[BLOCK];
  mpfr_t in, out;
  mpfr_init2(in, 53), mpfr_init2(out, WIDE_BITS);
  for (size_t i = 0; i < BLOCK; i++) xf[i] = (float)(x[i] = argument(f, start + i));
  run(f, ND_F64, BLOCK, x, z), run(f, ND_F32, BLOCK, xf, zf);
  for (size_t i = 0; i < BLOCK; i++) {
    mpfr_set_d(in, x[i], MPFR_RNDN);
    f->exact(out, in, MPFR_RNDN);
    note(w64, units(z[i], out, &wide, slack_of(f->op, x[i], 0)), x[i], 0);
    mpfr_set_d(in, (double)xf[i], MPFR_RNDN);
    f->exact(out, in, MPFR_RNDN);
    note(w32, units((double)zf[i], out, &narrow, slack_of(f->op, (double)xf[i], 0)), (double)xf[i],
         0);
  }
  mpfr_clear(in), mpfr_clear(out);
}

static void check_some(size_t n) {
  group("within 1 unit in f64, 1.5 in f32, with the same bits at every level");
  for (size_t i = 0; i < ND_COUNTOF(functions); i++) {
    worst w32 = {0}, w64 = {0};
    for (size_t at = 0; at < n; at += BLOCK) try_block(functions + i, &w32, &w64, at);
    show(functions[i].name, "f64", &w64, 1);
    show(functions[i].name, "f32", &w32, 1.5);
  }
}

/* {=== functions of two numbers ===} */

typedef int mpfr_two(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

static int logaddexp_of(mpfr_t out, const mpfr_t x, const mpfr_t y, mpfr_rnd_t mode) {
  if (mpfr_nan_p(x) || mpfr_nan_p(y)) return mpfr_add(out, x, y, mode);
  if (mpfr_inf_p(x) || mpfr_inf_p(y)) return mpfr_max(out, x, y, mode);
  const bool first = mpfr_cmp(x, y) > 0;
  mpfr_sub(out, first ? y : x, first ? x : y, mode);
  mpfr_exp(out, out, mode);
  mpfr_log1p(out, out, mode);
  return mpfr_add(out, out, first ? x : y, mode);
}

/* Arguments for powers that are neither 0 nor infinite. */
static void within_range(size_t i, double *x, double *y) {
  *x = i % 3 == 0 ? 1 + (unit() - 0.5) * 0x1p-10 : ldexp(1 + unit(), (int)(i % 64) - 32);
  const double most = 745 / fabs(log(*x));
  *y = (unit() - 0.5) * 2 * most;
  if (i % 5 == 0) *y = floor(fmod(*y, 64)), *x = -*x;
}

static void check_two(nd_op op, const char *name, mpfr_two *exact, size_t n) {
  static const function parts = {.lowest = -2, .highest = 2};
  const ptrdiff_t step[] = {8, 8, 8}, step32[] = {4, 4, 4};
  worst w32 = {0}, w64 = {0};
  mpfr_t a, b, out;
  mpfr_init2(a, 53), mpfr_init2(b, 53), mpfr_init2(out, WIDE_BITS);
  for (size_t i = 0; i < n; i++) {
    double x = argument(&parts, i), y = argument(&parts, (size_t)next_random(&random_state)), z;
    if (op == ND_OP_POW && i % 2) within_range(i, &x, &y);
    float xf = (float)x, yf = (float)y, zf;
    char *const at[] = {(char *)&z, (char *)&x, (char *)&y};
    char *const at32[] = {(char *)&zf, (char *)&xf, (char *)&yf};
    use_level(levels[i % ND_COUNTOF(levels)]);
    ndi_kernel_find(op, ND_F64)(1, at, step);
    ndi_kernel_find(op, ND_F32)(1, at32, step32);
    mpfr_set_d(a, x, MPFR_RNDN), mpfr_set_d(b, y, MPFR_RNDN);
    exact(out, a, b, MPFR_RNDN);
    note(&w64, units(z, out, &wide, slack_of(op, x, y)), x, y);
    mpfr_set_d(a, (double)xf, MPFR_RNDN), mpfr_set_d(b, (double)yf, MPFR_RNDN);
    exact(out, a, b, MPFR_RNDN);
    note(&w32, units((double)zf, out, &narrow, slack_of(op, (double)xf, (double)yf)), (double)xf,
         (double)yf);
  }
  show(name, "f64", &w64, 1);
  show(name, "f32", &w32, 1.5);
  mpfr_clear(a), mpfr_clear(b), mpfr_clear(out);
}

/* {=== every float ===} */

/* In units of the float that 'exact', of a double's precision, rounds to. */
static double float_units(float got, double exact) {
  int exponent;
  const float near = (float)exact;
  if (isnan(near) || isnan(got)) return isnan(near) && isnan(got) ? 0 : (double)INFINITY;
  if (near == got) return signbit(near) == signbit(got) ? 0.5 : (double)INFINITY;
  frexp(exact, &exponent);
  if (exponent < narrow.least) exponent = narrow.least;
  const double value = isinf(got) ? copysign(0x1p128, (double)got) : (double)got;
  return ldexp(fabs(exact - value), narrow.digits - exponent);
}

static void check_all(void) {
  static float x[BLOCK], z[BLOCK];
  char *const at[] = {(char *)z, (char *)x};
  const ptrdiff_t step[] = {4, 4};
  group("every float within 1.5 units");
  use_level(levels[ND_COUNTOF(levels) - 1]);
  for (size_t i = 0; i < ND_COUNTOF(functions); i++) {
    const function *f = functions + i;
    worst w = {0};
    for (uint64_t start = 0; start < (uint64_t)1 << 32; start += BLOCK) {
      for (uint32_t j = 0; j < BLOCK; j++) {
        const uint32_t bits = (uint32_t)start + j;
        memcpy(x + j, &bits, sizeof bits);
      }
      ndi_kernel_find(f->op, ND_F32)(BLOCK, at, step);
      for (size_t j = 0; j < BLOCK; j++)
        note(&w, float_units(z[j], f->libm((double)x[j])), (double)x[j], 0);
    }
    show(f->name, "f32, every float", &w, 1.5);
    fflush(stdout);
  }
}

int main(int argc, char **argv) {
  const size_t n = scaled(400000);
  random_state = argc > 1 ? strtoull(argv[1], NULL, 10) : 20261128;
  printf("# seed %" PRIu64 "\n", random_state);
  if (argc > 2 && strcmp(argv[2], "all") == 0) check_all();
  check_some(n);
  group("two numbers, too");
  check_two(ND_OP_ATAN2, "atan2", mpfr_atan2, n);
  check_two(ND_OP_POW, "pow", mpfr_pow, n);
  check_two(ND_OP_LOGADDEXP, "logaddexp", logaddexp_of, n);
  mpfr_free_cache();
  return finish();
}
