/* sinh, cosh, tanh and their inverses. With |x| = k ln 2 + r as for exp (kern/exp.h), A = (1 +
 * 4^-k) / 2 and B = (1 - 4^-k) / 2: cosh x = 2^k (A cosh r + B sinh r), sinh |x| = 2^k (B cosh r +
 * A sinh r), and tanh of half of it is the quotient of e^|x| - 1 and e^|x| + 1, as pairs. The
 * inverses are logarithms of pairs (kern/log.h). In f32 it is polynomials near 0, else what e^|x|
 * gives; the inverses are computed in f64. Minimax polynomials by Sollya's fpminimax: relative
 * error 2^-60 in f64, 2^-30 in f32. No branch, so that loops vectorise.
 *
 * Largest error seen against MPFR: spec/accuracy/. */
#ifndef ND_KERN_HYPER_H
#define ND_KERN_HYPER_H

#include "kern/exp.h"
#include "kern/inverse.h"
#include "kern/log.h"

/* {=== sinh, cosh ===} */

/* 2^k even + 2^k odd is e^|x| / 2 … : 'big' is A or B, 'small' the other. */
static inline double ndm_hyper_f64(double a, bool is_cosh) {
  a = a > 711 ? 711 : a;
  const ndm_reduced_f64 v = ndm_exp_reduce_f64(a);
  const uint64_t k = (v.bits & 0x1fff) - 2046, twice = k > 40 ? 80 : 2 * k;
  const double power = ndm_from_bits_f64((1022 - twice) << 52); /* 4^-k / 2 */
  const double sum = 0.5 + power, less = 0.5 - power;
  const double sum_lack = (0.5 - sum) + power, less_lack = (0.5 - less) - power;
  const double first = is_cosh ? sum : less, second = is_cosh ? less : sum;
  const double lack = is_cosh ? sum_lack : less_lack;
  const double r = v.r, z = r * r, z2 = z * z;
  const double even = 0.5 * z + z2 * ((0x1.5555555555555p-5 + 0x1.6c16c16c16d9ep-10 * z) +
                                      z2 * ((0x1.a01a01a1cc789p-16 + 0x1.27e4e9625b07fp-22 * z) +
                                            z2 * 0x1.1f59273d0d022p-29));
  const double odd = r * z *
                         ((0x1.5555555555556p-3 + 0x1.1111111110708p-7 * z) +
                          z2 * ((0x1.a01a01a90513dp-13 + 0x1.71de0a30ce971p-19 * z) +
                                z2 * 0x1.af3f2431aed87p-26)) +
                     v.lack;
  const double high = ndm_upper(r), low = r - high;
  const ndm_pair whole = ndm_sum(first, second * high);
  const double rest = whole.lo + (lack + (second * low + (first * even + second * odd)));
  return ndm_exp_scale_f64(whole.hi + rest, v.bits);
}

static inline double ndm_cosh_f64(double x) { return ndm_hyper_f64(fabs(x), true); }
static inline double ndm_sinh_f64(double x) {
  const double y = ndm_signed(ndm_hyper_f64(fabs(x), false), x);
  return fabs(x) < 0x1p-28 ? x : y;
}

/* (e^r +- 4^-k e^-r) 2^(k - 1), with e^r as a pair */
static inline float ndm_hyper_f32(float a, bool is_cosh) {
  const float within = a > 91 ? 91 : a;
  const ndm_reduced_f32 v = ndm_exp_reduce_f32(within);
  const uint32_t k = (v.bits & 0x3ff) - 254, least = k > 60 ? 120 : 2 * k;
  const float e = v.r + (ndm_exp_curve_f32(v.r) + v.lack), whole = 1 + e, lo = e - (whole - 1);
  const float back = ndm_from_bits_f32((127 - least) << 23) / whole;
  const float other = is_cosh ? back : -back, sum = whole + other;
  return ndm_exp_scale_f32(sum + (((whole - sum) + other) + lo), v.bits - 1);
}

static inline float ndm_cosh_f32(float x) { return ndm_hyper_f32(fabs(x), true); }
static inline float ndm_sinh_f32(float x) {
  const float a = fabs(x), z = x * x;
  const float near = a + a * z *
                             ((0x1.555556p-3f + 0x1.1110c6p-7f * z) +
                              z * z * (0x1.a03554p-13f + 0x1.725236p-19f * z));
  return ndm_signed_f32(a < 1 ? near : ndm_hyper_f32(a, false), x);
}

/* {=== tanh ===} */

static inline double ndm_tanh_f64(double x) {
  const double a = fabs(x), twice = a > 30 ? 60 : 2 * a;
  const ndm_reduced_f64 v = ndm_exp_reduce_f64(twice);
  const double e = ndm_exp_curve_f64(v.r) + v.lack;
  const double power = ndm_from_bits_f64((3069 - (v.bits & 0x1fff)) << 52); /* 2^-k */
  const double less = 1 - power, more = 1 + power;
  ndm_pair above = ndm_sum(less, v.r), below = ndm_sum(more, v.r);
  above = ndm_quick_sum(above.hi, above.lo + (((1 - less) - power) + e));
  below = ndm_quick_sum(below.hi, below.lo + (((1 - more) + power) + e));
  const ndm_pair q = ndm_quotient(above, below);
  const double y = ndm_signed(q.hi + q.lo, x);
  return a < 0x1p-28 || x != x ? x : y;
}

/* 1 - 2 / (e^2|x| + 1), but near 0 */
static inline float ndm_tanh_f32(float x) {
  const float a = fabs(x), z = x * x, z2 = z * z, twice = a > 10 ? 20 : 2 * a;
  const ndm_reduced_f32 v = ndm_exp_reduce_f32(twice);
  const float e = v.r + (ndm_exp_curve_f32(v.r) + v.lack);
  const float far = 1 - 2 / (ndm_exp_scale_f32(1 + e, v.bits) + 1);
  const float near = a + a * z *
                             ((-0x1.555556p-2f + 0x1.111148p-3f * z) +
                              z2 * ((-0x1.ba21bep-5f + 0x1.65fc46p-6f * z) +
                                    z2 * (-0x1.1930dcp-7f + 0x1.4d7b44p-9f * z)));
  return ndm_signed_f32(a < 0.6f ? near : far, x);
}

/* {=== inverses ===} */

/* log(u.hi + u.lo) + more ln 2, u >= 1 */
static inline double ndm_log_of_pair(ndm_pair u, double more) {
  const ndm_log_f64_parts v = ndm_log_take_f64(u.hi);
  const double k = v.k + more;
  const double low = v.half - (v.rest + (k * 0x1.ef35793c76730p-45 + u.lo / u.hi));
  return k * 0x1.62e42fefa38p-1 - (low - v.f);
}

/* 1 + a */
static inline ndm_pair ndm_one_more(ndm_pair a) {
  ndm_pair v = ndm_sum(1, a.hi);
  v.lo += a.lo;
  return v;
}

#define NDM_LARGE 0x1p28 /* from here on x^2 + 1 and x^2 - 1 are x^2 as far as logarithms tell */

/* a + sqrt(a^2 + 1) = 1 + a + a^2 / (1 + sqrt(a^2 + 1)) */
static inline double ndm_asinh_f64(double x) {
  const double a = fabs(x);
  const bool is_large = a > NDM_LARGE;
  const double within = is_large ? 1 : a;
  const ndm_pair square = ndm_product(within, within);
  const ndm_pair q = ndm_quotient(square, ndm_one_more(ndm_root(ndm_one_more(square))));
  const ndm_pair sum = ndm_sum(within, q.hi), both = {sum.hi, sum.lo + q.lo};
  ndm_pair u = ndm_one_more(both);
  u.hi = is_large ? a : u.hi;
  u.lo = is_large ? 0 : u.lo;
  const double y = ndm_signed(ndm_log_of_pair(u, is_large ? 1 : 0), x);
  return a >= 0x1p-28 && a < (double)INFINITY ? y : x;
}

static inline double ndm_acosh_f64(double x) {
  const bool is_large = x > NDM_LARGE;
  const double within = is_large ? 2 : x;
  const ndm_pair square = ndm_product(within, within), less = ndm_sum(square.hi, -1);
  const ndm_pair under = ndm_quick_sum(less.hi, less.lo + square.lo), root = ndm_root(under);
  const ndm_pair sum = ndm_quick_sum(within, root.hi);
  const ndm_pair u = {is_large ? x : sum.hi, is_large ? 0 : sum.lo + root.lo};
  double y = ndm_log_of_pair(u, is_large ? 1 : 0);
  y = x < (double)INFINITY ? y : x;
  y = x < 1 ? (double)NAN : y;
  return x == 1 ? 0 : y;
}

/* log((1 + a) / (1 - a)) / 2 = log(1 + 2 a / (1 - a)) / 2 */
static inline double ndm_atanh_f64(double x) {
  const double a = fabs(x);
  const ndm_pair twice = {2 * a, 0};
  const ndm_pair u = ndm_one_more(ndm_quotient(twice, ndm_quick_sum(1, -a)));
  double y = 0.5 * ndm_log_of_pair(u, 0);
  y = a < 1 ? y : a == 1 ? (double)INFINITY : (double)NAN;
  return a < 0x1p-28 ? x : ndm_signed(y, x);
}

/* log(1 + v), v >= 0 */
static inline double ndm_log1p_short(double v) {
  const double y = v < 0x1p-27 ? v : ndm_log_short(1 + v);
  return v < (double)INFINITY ? y : v;
}

static inline float ndm_asinh_f32(float x) {
  const double a = fabs((double)x), square = a * a;
  const double y = ndm_log1p_short(a + square / (1 + sqrt(1 + square)));
  return a < (double)INFINITY ? ndm_signed_f32((float)y, x) : x;
}

static inline float ndm_acosh_f32(float x) {
  const double less = (double)x - 1;
  const double y = ndm_log1p_short(less + sqrt(less * ((double)x + 1)));
  return x < 1 ? NAN : (float)y;
}

static inline float ndm_atanh_f32(float x) {
  const double a = fabs((double)x), y = 0.5 * ndm_log1p_short(2 * a / (1 - a));
  return ndm_signed_f32(a > 1 ? NAN : (float)y, x);
}

#endif
