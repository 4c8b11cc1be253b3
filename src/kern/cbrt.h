/* cbrt: x = 2^(3 q + s) m with m within 1/2 … 1. A polynomial (Sollya's fpminimax, 6e-6) and one
 * step of third order give 1 / cbrt m; the rest of m - y^3, whose products are exact, corrects y =
 * m (1 / cbrt m)^2, and the factor cbrt 2^s is a pair: 0.51 ulp. f32 takes a polynomial and a
 * step of Newton's. No branch, so that loops vectorise. */
#ifndef ND_KERN_CBRT_H
#define ND_KERN_CBRT_H

#include "kern/inverse.h"

typedef struct {
  double m, inverse; /* 1 / cbrt m, to 1e-15 */
  ndm_pair factor;   /* cbrt 2^s */
  double power;      /* 2^q */
} ndm_cube;

/* a is positive and normal */
static inline ndm_cube ndm_cube_of(double a) {
  const uint64_t bits = ndm_bits_f64(a),
                 exponent = (bits >> 52) + 1; /* a = m 2^(exponent - 1023) */
  const uint64_t q = (uint64_t)(uint32_t)exponent * 21846 >> 16, s = exponent - 3 * q;
  ndm_cube v;
  v.m = ndm_from_bits_f64((bits & 0xfffffffffffff) | 0x3fe0000000000000);
  v.power = ndm_from_bits_f64((q + 1023 - 341) << 52);
  v.factor.hi = s == 0 ? 1 : s == 1 ? 0x1.428a2f98d728bp0 : 0x1.965fea53d6e3dp0;
  v.factor.lo = s == 0 ? 0 : s == 1 ? -0x1.ddc22548ea41ep-56 : -0x1.f53e999952f09p-54;
  const double m = v.m, m2 = m * m;
  const double r = (0x1.1f3b21f95e096p1 + -0x1.f91b4833243cdp1 * m) +
                   m2 * ((0x1.912b993c19f53p2 + -0x1.81aceb53abf08p2 * m) +
                         m2 * (0x1.92b6d1f805f72p1 + -0x1.5f50df221e787p-1 * m));
  const double h = 1 - m * r * (r * r);
  v.inverse = r + r * h * (0x1.5555555555555p-2 + h * 0x1.c71c71c71c71cp-3);
  return v;
}

static inline double ndm_cbrt_f64(double x) {
  const double a = fabs(x);
  const bool is_small = a < 0x1p-1022;
  const ndm_cube v = ndm_cube_of(is_small ? a * 0x1p54 : a);
  const double y = v.m * (v.inverse * v.inverse);
  const ndm_pair square = ndm_product(y, y), cube = ndm_product(square.hi, y);
  const double rest = ((v.m - cube.hi) - cube.lo) - square.lo * y;
  const double step = rest * (v.inverse * v.inverse) * 0x1.5555555555555p-2;
  const ndm_pair whole = ndm_product(y, v.factor.hi);
  const double root = whole.hi + (whole.lo + (step * v.factor.hi + y * v.factor.lo));
  const double scaled = root * v.power * (is_small ? 0x1p-18 : 1);
  return a > 0 && a < (double)INFINITY ? ndm_signed(scaled, x) : x;
}

/* y of a polynomial (2^-17) and one step of Newton's, for m 2^s from 1 to 8. */
static inline float ndm_cbrt_f32(float x) {
  const float a = fabs(x);
  const bool is_small = a < 0x1p-126f;
  const uint32_t bits = ndm_bits_f32(is_small ? a * 0x1p24f : a);
  const uint32_t exponent = (bits >> 23) + 2, q = exponent * 21846 >> 16, s = exponent - 3 * q;
  const float m = ndm_from_bits_f32((bits & 0x7fffff) | 0x3f800000), m2 = m * m;
  const float factor = s == 0 ? 1 : s == 1 ? 0x1.428a3p0f : 0x1.965feap0f;
  const float start = (0x1.0392dap-1f + 0x1.6fb1bap-1f * m) +
                      m2 * ((-0x1.33d334p-2f + 0x1.60a0bcp-4f * m) + m2 * -0x1.5b772p-7f);
  const float y = start * factor, w = m * ndm_from_bits_f32((s + 127) << 23);
  const float root = y + (w / (y * y) - y) * 0x1.555556p-2f;
  const float scaled = root * ndm_from_bits_f32((q + 84) << 23) * (is_small ? 0x1p-8f : 1);
  return a > 0 && a < INFINITY ? ndm_signed_f32(scaled, x) : x;
}

#endif
