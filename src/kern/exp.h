/* exp and expm1: x = k ln 2 + r with |r| <= ln 2 / 2, e^r = 1 + r + r^2 q(r), 2^k (Cody and Waite,
 * Software Manual for the Elementary Functions, 1980). 'q' is a minimax polynomial (Sollya's
 * fpminimax: relative error 2^-60 of e^r - 1 in f64, 2^-30 in f32). What the subtraction of k ln 2
 * rounds off goes into the last sum. No branch, so that loops vectorise.
 *
 * Largest error seen against MPFR: spec/accuracy/. */
#ifndef ND_KERN_EXP_H
#define ND_KERN_EXP_H

#include "kern/floats.h"

/* x reduced: k + a bias in the low bits of 'bits', r, and what r lacks. */
typedef struct {
  double r, lack;
  uint64_t bits;
} ndm_reduced_f64;

typedef struct {
  float r, lack;
  uint32_t bits;
} ndm_reduced_f32;

/* |x| is at most 746. The sum with 1.5 * 2^52 rounds to an integer; 2046 makes it positive. */
static inline ndm_reduced_f64 ndm_exp_reduce_f64(double x) {
  const double shift = 0x1.8p52 + 2046, shifted = x * 0x1.71547652b82fep0 + shift;
  const double k = shifted - shift;
  const double hi = x - k * 0x1.62e42fefa4p-1, lo = k * -0x1.8432a1b0e2634p-43;
  const ndm_reduced_f64 v = {hi - lo, (hi - (hi - lo)) - lo, ndm_bits_f64(shifted)};
  return v;
}

static inline ndm_reduced_f32 ndm_exp_reduce_f32(float x) {
  const float shift = 0x1.8p23f + 254, shifted = x * 0x1.715476p0f + shift;
  const float k = shifted - shift;
  const float hi = x - k * 0x1.62e4p-1f, lo = k * 0x1.7f7d1cp-20f;
  const ndm_reduced_f32 v = {hi - lo, (hi - (hi - lo)) - lo, ndm_bits_f32(shifted)};
  return v;
}

/* e^r - 1 - r - r^2/2 = r^3 p(r) */
static inline double ndm_exp_cubic_f64(double r) {
  const double r2 = r * r, r4 = r2 * r2;
  const double a = (0x1.5555555555557p-3 + 0x1.5555555555557p-5 * r) +
                   r2 * (0x1.111111111004fp-7 + 0x1.6c16c16c156a4p-10 * r);
  const double b = (0x1.a01a01ac1f618p-13 + 0x1.a01a01ab9924cp-16 * r) +
                   r2 * (0x1.71de01a7b72afp-19 + 0x1.27e4cfad0f42dp-22 * r);
  const double c = 0x1.af4ed652b51f5p-26 + 0x1.1f86f4adea59cp-29 * r;
  return r2 * r * (a + r4 * (b + r4 * c));
}

/* e^r - 1 - r = r^2/2 + r^3 p(r): the first term is almost exact. */
static inline double ndm_exp_curve_f64(double r) { return 0.5 * (r * r) + ndm_exp_cubic_f64(r); }

static inline float ndm_exp_curve_f32(float r) {
  const float r2 = r * r;
  return 0.5f * r2 + r2 * r *
                         ((0x1.555556p-3f + 0x1.555502p-5f * r) +
                          r2 * ((0x1.110fc2p-7f + 0x1.6d2e0cp-10f * r) + r2 * 0x1.a2d992p-13f));
}

/* v 2^k: in two factors, as 2^k alone may be out of range. Rounds once. */
static inline double ndm_exp_scale_f64(double v, uint64_t bits) {
  const uint64_t biased = bits & 0x1fff, half = biased >> 1;
  return v * ndm_from_bits_f64(half << 52) * ndm_from_bits_f64((biased - half) << 52);
}

static inline float ndm_exp_scale_f32(float v, uint32_t bits) {
  const uint32_t biased = bits & 0x3ff, half = biased >> 1;
  return v * ndm_from_bits_f32(half << 23) * ndm_from_bits_f32((biased - half) << 23);
}

static inline double ndm_exp_f64(double x) {
  x = x < -746 ? -746 : x;
  x = x > 710 ? 710 : x;
  const ndm_reduced_f64 v = ndm_exp_reduce_f64(x);
  const double high = 1 + v.r, low = v.r - (high - 1); /* the exact sum */
  return ndm_exp_scale_f64(high + (low + (ndm_exp_curve_f64(v.r) + v.lack)), v.bits);
}

static inline float ndm_exp_f32(float x) {
  x = x < -105 ? -105 : x;
  x = x > 89 ? 89 : x;
  const ndm_reduced_f32 v = ndm_exp_reduce_f32(x);
  const float e = v.r + (ndm_exp_curve_f32(v.r) + v.lack);
  return ndm_exp_scale_f32(1 + e, v.bits);
}

/* As exact as f32 needs it, 2^-30, of |x| <= 700. */
static inline double ndm_exp_short(double x) {
  const double shift = 0x1.8p52 + 1023, shifted = x * 0x1.71547652b82fep0 + shift;
  const double r = x - (shifted - shift) * 0x1.62e42fefa39efp-1, z = r * r;
  const double e = r + z * (0.5 + r * ((0x1.55555575109eep-3 + 0x1.5555010e6952ap-5 * r) +
                                       z * ((0x1.1110a99a98fe8p-7 + 0x1.6d2f2ad40bd59p-10 * r) +
                                            z * 0x1.a18114a2a3aedp-13)));
  const double power = ndm_from_bits_f64(ndm_bits_f64(shifted) << 52);
  return power + power * e;
}

/* 2^k (e^r - 1) + 2^k - 1 = 2^k ((1 - 2^-k) + e^r - 1), with the exact sum of r and 1 - 2^-k. */
static inline double ndm_expm1_f64(double x) {
  const double within = x < -60 ? -60 : x > 710 ? 710 : x;
  const ndm_reduced_f64 v = ndm_exp_reduce_f64(within);
  const double e = ndm_exp_curve_f64(v.r) + v.lack;
  const uint64_t biased = v.bits & 0x1fff;                        /* k + 2046 */
  const uint64_t least = biased > 2046 + 60 ? 2046 + 60 : biased; /* 2^-k no less than 2^-60 */
  const double power = ndm_from_bits_f64((3069 - least) << 52), less = 1 - power;
  const double sum = less + v.r, back = sum - less;
  const double lost = ((1 - less) - power) + ((less - (sum - back)) + (v.r - back));
  const double y = ndm_exp_scale_f64(sum + (lost + e), v.bits);
  return fabs(x) < 0x1p-54 ? x : y;
}

static inline float ndm_expm1_f32(float x) {
  const float within = x < -30 ? -30 : x > 89 ? 89 : x;
  const ndm_reduced_f32 v = ndm_exp_reduce_f32(within);
  const float e = ndm_exp_curve_f32(v.r) + v.lack;
  const uint32_t biased = v.bits & 0x3ff, least = biased > 254 + 30 ? 254 + 30 : biased;
  const float power = ndm_from_bits_f32((381 - least) << 23), less = 1 - power;
  const float sum = less + v.r, back = sum - less;
  const float lost = ((1 - less) - power) + ((less - (sum - back)) + (v.r - back));
  const float y = ndm_exp_scale_f32(sum + (lost + e), v.bits);
  return fabsf(x) < 0x1p-25f ? x : y;
}

#endif
