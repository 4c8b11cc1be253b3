/* log, log1p, log2 and log10: x = 2^k m with m within sqrt(1/2) … sqrt(2), f = m - 1, s = f / (2 +
 * f); log m = f - (f^2/2 - s (f^2/2 + R)), where R = s^2 g(s^2) is what 2 atanh(s) has beyond 2 s
 * (Tang, Table-Driven Implementation of the Logarithm Function, 1990, without a table). 'g' is a
 * minimax polynomial (Sollya's fpminimax: relative error of the logarithm 2^-57 in f64, 2^-28 in
 * f32). log2 and log10 keep f - f^2/2 in two parts, of which the high one is short, and multiply
 * both by 1/ln 2 in two parts. No branch, so that loops vectorise.
 *
 * Largest error seen against MPFR: spec/accuracy/. */
#ifndef ND_KERN_LOG_H
#define ND_KERN_LOG_H

#include "kern/floats.h"

typedef struct {
  double k, f, half, rest; /* log m = f - half + rest, half = f^2/2 */
} ndm_log_f64_parts;

typedef struct {
  float k, f, half, rest;
} ndm_log_f32_parts;

/* x is positive, finite and normal. */
static inline ndm_log_f64_parts ndm_log_take_f64(double x) {
  const uint64_t bits = ndm_bits_f64(x), up = bits + 0x00095f619980c433; /* 1 becomes sqrt(1/2) */
  const uint64_t exponent = up & 0x7ff0000000000000;
  ndm_log_f64_parts v;
  v.k = ndm_from_bits_f64(0x4330000000000000 | up >> 52) - (0x1p52 + 1023);
  v.f = ndm_from_bits_f64(bits - exponent + 0x3ff0000000000000) - 1;
  const double s = v.f / (2 + v.f), z = s * s, z2 = z * z;
  const double g = (0x1.5555555555558p-1 + 0x1.999999999502bp-2 * z) +
                   z2 * ((0x1.2492492e532a5p-2 + 0x1.c71c625e1b17cp-3 * z) +
                         z2 * ((0x1.7462dcb57d77cp-3 + 0x1.39f9118ee0415p-3 * z) +
                               z2 * 0x1.2b9aaf82da81bp-3));
  v.half = 0.5 * v.f * v.f;
  v.rest = s * (v.half + z * g);
  return v;
}

static inline ndm_log_f32_parts ndm_log_take_f32(float x) {
  const uint32_t bits = ndm_bits_f32(x), up = bits + 0x004afb0d;
  const uint32_t exponent = up & 0x7f800000;
  ndm_log_f32_parts v;
  v.k = ndm_from_bits_f32(0x4b000000 | up >> 23) - (0x1p23f + 127);
  v.f = ndm_from_bits_f32(bits - exponent + 0x3f800000) - 1;
  const float s = v.f / (2 + v.f), z = s * s;
  const float g = (0x1.55555cp-1f + 0x1.997b3cp-2f * z) + z * z * 0x1.2f0b0ep-2f;
  v.half = 0.5f * v.f * v.f;
  v.rest = s * (v.half + z * g);
  return v;
}

/* What the logarithm is beyond the positive finite numbers. */
static inline double ndm_log_edges_f64(double x, double y) {
  y = x < (double)INFINITY ? y : x; /* infinity and NaN are themselves */
  y = x < 0 ? (double)NAN : y;
  return x == 0 ? -(double)INFINITY : y;
}

static inline float ndm_log_edges_f32(float x, float y) {
  y = x < INFINITY ? y : x;
  y = x < 0 ? NAN : y;
  return x == 0 ? -INFINITY : y;
}

/* Subnormal numbers are scaled into the normal ones; 'bias' is what k then has too much. */
static inline double ndm_log_normal_f64(double x, double *bias) {
  const bool is_small = x < 0x1p-1022;
  *bias = is_small ? 54 : 0;
  return is_small ? x * 0x1p54 : x;
}

static inline float ndm_log_normal_f32(float x, float *bias) {
  const bool is_small = x < 0x1p-126f;
  *bias = is_small ? 25 : 0;
  return is_small ? x * 0x1p25f : x;
}

static inline double ndm_log_f64(double x) {
  double bias;
  const ndm_log_f64_parts v = ndm_log_take_f64(ndm_log_normal_f64(x, &bias));
  const double k = v.k - bias;
  const double low = v.half - (v.rest + k * 0x1.ef35793c76730p-45);
  return ndm_log_edges_f64(x, k * 0x1.62e42fefa38p-1 - (low - v.f));
}

static inline float ndm_log_f32(float x) {
  float bias;
  const ndm_log_f32_parts v = ndm_log_take_f32(ndm_log_normal_f32(x, &bias));
  const float k = v.k - bias;
  const float low = v.half - (v.rest + k * 0x1.7f7d1cp-20f);
  return ndm_log_edges_f32(x, k * 0x1.62e4p-1f - (low - v.f));
}

/* As exact as f32 needs it, 2^-36, of normal numbers: k ln 2 + s (2 + R / s). */
static inline double ndm_log_short(double x) {
  const uint64_t bits = ndm_bits_f64(x), up = bits + 0x00095f619980c433;
  const double k = ndm_from_bits_f64(0x4330000000000000 | up >> 52) - (0x1p52 + 1023);
  const double f = ndm_from_bits_f64(bits - (up & 0x7ff0000000000000) + 0x3ff0000000000000) - 1;
  const double s = f / (2 + f), z = s * s;
  const double g = (0x1.5555554b7d875p-1 + 0x1.9999ec7dc8035p-2 * z) +
                   z * z * (0x1.245bd174fe28fp-2 + 0x1.dde524d8f8d39p-3 * z);
  return k * 0x1.62e42fefa39efp-1 + s * (2 + z * g);
}

/* u = 1 + x rounded, and 'lost' is what that lost: log(1 + x) = log u + lost / u. */
static inline double ndm_log1p_f64(double x) {
  const double u = 1 + x, back = u - 1, lost = (1 - (u - back)) + (x - back);
  const ndm_log_f64_parts v = ndm_log_take_f64(u);
  const double low = v.half - (v.rest + (v.k * 0x1.ef35793c76730p-45 + lost / u));
  const double y = ndm_log_edges_f64(u, v.k * 0x1.62e42fefa38p-1 - (low - v.f));
  return fabs(x) < 0x1p-54 ? x : y;
}

static inline float ndm_log1p_f32(float x) {
  const float u = 1 + x, back = u - 1, lost = (1 - (u - back)) + (x - back);
  const ndm_log_f32_parts v = ndm_log_take_f32(u);
  const float low = v.half - (v.rest + (v.k * 0x1.7f7d1cp-20f + lost / u));
  const float y = ndm_log_edges_f32(u, v.k * 0x1.62e4p-1f - (low - v.f));
  return fabsf(x) < 0x1p-25f ? x : y;
}

/* log m times hi + lo, plus k times k_hi + k_lo. 'hi' and the high part of log m have few bits,
 * their product is exact. */
static inline double ndm_log_times_f64(double x, double hi, double lo, double k_hi, double k_lo) {
  double bias;
  const ndm_log_f64_parts v = ndm_log_take_f64(ndm_log_normal_f64(x, &bias));
  const double k = v.k - bias, whole = k * k_hi;
  const double high = ndm_from_bits_f64(ndm_bits_f64(v.f - v.half) & 0xffffffff00000000);
  const double low = ((v.f - high) - v.half) + v.rest;
  const double product = high * hi, sum = whole + product;
  const double rest = ((low + high) * lo + low * hi) + k * k_lo + ((whole - sum) + product);
  return ndm_log_edges_f64(x, sum + rest);
}

static inline float ndm_log_times_f32(float x, float hi, float lo, float k_hi, float k_lo) {
  float bias;
  const ndm_log_f32_parts v = ndm_log_take_f32(ndm_log_normal_f32(x, &bias));
  const float k = v.k - bias, whole = k * k_hi;
  const float high = ndm_from_bits_f32(ndm_bits_f32(v.f - v.half) & 0xfffff000);
  const float low = ((v.f - high) - v.half) + v.rest;
  const float product = high * hi, sum = whole + product;
  const float rest = ((low + high) * lo + low * hi) + k * k_lo + ((whole - sum) + product);
  return ndm_log_edges_f32(x, sum + rest);
}

static inline double ndm_log2_f64(double x) {
  return ndm_log_times_f64(x, 0x1.71547p0, 0x1.94ae0bf85ddf4p-22, 1, 0);
}

static inline float ndm_log2_f32(float x) {
  return ndm_log_times_f32(x, 0x1.716p0f, -0x1.7135a8p-13f, 1, 0);
}

static inline double ndm_log10_f64(double x) {
  return ndm_log_times_f64(x, 0x1.bcb7bp-2, 0x1.526e50e32a6abp-26, 0x1.34413509f8p-2,
                           -0x1.80433b83b532ap-44);
}

static inline float ndm_log10_f32(float x) {
  return ndm_log_times_f32(x, 0x1.bccp-2f, -0x1.09d5b2p-15f, 0x1.344p-2f, 0x1.3509f8p-18f);
}

#endif
