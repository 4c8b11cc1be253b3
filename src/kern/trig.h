/* sin, cos and tan: x = n pi/2 + r with |r| <= pi/4, and minimax polynomials of r^2 (Sollya's
 * fpminimax: relative error 2^-60 in f64, 2^-28 in f32). Up to NDM_TRIG_NEAR the reduction
 * subtracts n pi/2 in pieces of 33 bits, whose products are exact (Cody and Waite, Software Manual
 * for the Elementary Functions, 1980), and r is a pair; beyond, it multiplies by the bits of 2/pi
 * that matter (Payne and Hanek, Radian Reduction for Trigonometric Functions, 1983), one by one.
 *
 * Largest error seen against MPFR: spec/accuracy/. */
#ifndef ND_KERN_TRIG_H
#define ND_KERN_TRIG_H

#include "kern/pairs.h"

#define NDM_TRIG_NEAR 1.6e6 /* n stays below 2^20 */

typedef struct {
  ndm_pair r;
  uint64_t n; /* its lowest two bits count */
} ndm_angle;

/* {=== reduction ===} */

static inline ndm_angle ndm_angle_near(double x) {
  const double shifted = x * 0x1.45f306dc9c883p-1 + 0x1.8p52, n = shifted - 0x1.8p52;
  /* the sums are exact, although the second number may be the larger one: then the first has few
   * bits, as it is a multiple of the last bit of x */
  const ndm_pair a = ndm_quick_sum(x - n * 0x1.921fb544p0, n * -0x1.0b4611a6p-34);
  const ndm_pair b = ndm_quick_sum(a.hi, n * -0x1.3198a2ep-69);
  const double lo = (a.lo + b.lo) - n * 0x1.b839a252049c1p-104;
  const ndm_angle v = {ndm_quick_sum(b.hi, lo), ndm_bits_f64(shifted)};
  return v;
}

/* The bits of 2/pi behind the point. */
static inline uint32_t ndm_two_over_pi(int word) {
  static const uint32_t words[] = {
      0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu,
      0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
      0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu,
      0xbdf9283bu, 0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u,
      0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u,
      0x1f8d5d08u, 0x56033046u, 0xfc7b6babu, 0xf0cfbc20u, 0x9af4361du, 0xa9e39161u, 0x5ee61b08u,
      0x6599855fu, 0x14a06840u};
  return words[word];
}

/* x = m 2^exponent times the words of 2/pi that count: what comes before them gives multiples of 4.
 * Returns two integer bits of the product and 158 behind the point, the highest word first. */
static inline void ndm_turns(double x, uint32_t *turns) {
  enum { WORDS = 7, ALL = WORDS + 2 };
  const uint64_t bits = ndm_bits_f64(x), m = (bits & 0xfffffffffffff) | 0x10000000000000;
  const int exponent = (int)(bits >> 52 & 0x7ff) - 1075;
  const int word = exponent > 2 ? (exponent - 2) / 32 : 0;
  uint32_t product[ALL + 1] = {0};
  for (int part = 0; part < 2; part++) { /* m's lower 32 bits, then the upper ones */
    const uint64_t by = part ? m >> 32 : m & 0xffffffff;
    uint64_t carry = 0;
    for (int i = WORDS - 1; i >= 0; i--) {
      carry += product[i + 2 - part] + by * ndm_two_over_pi(word + i);
      product[i + 2 - part] = (uint32_t)carry;
      carry >>= 32;
    }
    product[1 - part] += (uint32_t)carry;
  }
  /* so many bits of the product are before the point; two of them are wanted */
  const int from = 32 * (ALL - word - WORDS) + exponent - 2, at = from / 32, shift = from % 32;
  for (int i = 0; i < 5; i++)
    turns[i] = shift ? product[at + i] << shift | product[at + i + 1] >> (32 - shift)
                     : product[at + i];
}

static inline ndm_angle ndm_angle_far(double x) {
  uint32_t turns[5];
  const double none = x - x;
  if (none != 0) { /* infinity has NaN */
    const ndm_angle v = {{none, none}, 0};
    return v;
  }
  ndm_turns(x, turns);
  uint64_t n = turns[0] >> 30;
  uint64_t upper = (uint64_t)turns[0] << 34 | (uint64_t)turns[1] << 2 | turns[2] >> 30;
  uint64_t lower = (uint64_t)turns[2] << 34 | (uint64_t)turns[3] << 2 | turns[4] >> 30;
  const bool is_over = upper >>
                       63; /* more than a half: n is rounded up, 1 - the fraction is left */
  if (is_over) n++, upper = ~upper, lower = ~lower;
  ndm_pair f = ndm_quick_sum((double)(upper >> 11) * 0x1p-53,
                             (double)((upper & 0x7ff) << 42 | lower >> 22) * 0x1p-106);
  f = ndm_quick_sum(f.hi, f.lo + (double)(lower & 0x3fffff) * 0x1p-128);
  const ndm_pair whole = ndm_product(f.hi, 0x1.921fb54442d18p0);
  const double rest = whole.lo + (f.hi * 0x1.1a62633145c07p-54 + f.lo * 0x1.921fb54442d18p0);
  ndm_pair r = ndm_quick_sum(whole.hi, rest);
  if (is_over != (x < 0)) r.hi = -r.hi, r.lo = -r.lo;
  const ndm_angle v = {r, x < 0 ? 0 - n : n};
  return v;
}

/* {=== f64 ===} */

/* sin(r) - r.hi and cos(r) - 1, of |r| <= pi/4 */
static inline double ndm_sin_rest(ndm_pair r) {
  const double z = r.hi * r.hi, z2 = z * z;
  const double s = (0x1.111111111101ep-7 + -0x1.a01a019fe8861p-13 * z) +
                   z2 * ((0x1.71de3a103707dp-19 + -0x1.ae63f7ff1ef5bp-26 * z) +
                         z2 * (0x1.60e5cbe0b89cp-33 + -0x1.8d51a5d1585a3p-41 * z));
  return z * r.hi * (-0x1.5555555555555p-3 + z * s) + (r.lo - 0.5 * z * r.lo);
}

static inline ndm_pair ndm_cos_parts(ndm_pair r) {
  const double z = r.hi * r.hi, z2 = z * z, half = 0.5 * z, high = 1 - half;
  const double c = (0x1.5555555555555p-5 + -0x1.6c16c16c168ccp-10 * z) +
                   z2 * ((0x1.a01a019f38aeep-16 + -0x1.27e4fa036b9b5p-22 * z) +
                         z2 * (0x1.1eeb584e7aa4fp-29 + -0x1.9073d27e1dec7p-37 * z));
  const ndm_pair v = {high, ((1 - high) - half) + (z2 * c - r.hi * r.lo)};
  return v;
}

/* sin(angle + quarter pi/2) */
static inline double ndm_wave(ndm_angle angle, uint64_t quarter) {
  const uint64_t n = angle.n + quarter;
  const ndm_pair c = ndm_cos_parts(angle.r);
  const double sine = angle.r.hi + ndm_sin_rest(angle.r), cosine = c.hi + c.lo;
  const double v = n & 1 ? cosine : sine;
  return ndm_from_bits_f64(ndm_bits_f64(v) ^ (n & 2) << 62);
}

static inline double ndm_sin_f64(double x) {
  const double y = ndm_wave(ndm_angle_near(x), 0);
  return fabs(x) < 0x1p-27 ? x : y;
}
static inline double ndm_cos_f64(double x) { return ndm_wave(ndm_angle_near(x), 1); }
/* x is finite */
static inline double ndm_sin_far_f64(double x) { return ndm_wave(ndm_angle_far(x), 0); }
static inline double ndm_cos_far_f64(double x) { return ndm_wave(ndm_angle_far(x), 1); }

/* sin / cos or -cos / sin, as pairs */
static inline double ndm_slope(ndm_angle angle) {
  const ndm_pair sine = ndm_quick_sum(angle.r.hi, ndm_sin_rest(angle.r));
  const ndm_pair c = ndm_cos_parts(angle.r), cosine = ndm_quick_sum(c.hi, c.lo);
  const bool is_odd = angle.n & 1;
  const ndm_pair above = {is_odd ? -cosine.hi : sine.hi, is_odd ? -cosine.lo : sine.lo};
  const ndm_pair below = {is_odd ? sine.hi : cosine.hi, is_odd ? sine.lo : cosine.lo};
  const ndm_pair q = ndm_quotient(above, below);
  return q.hi + q.lo;
}

static inline double ndm_tan_f64(double x) {
  const double y = ndm_slope(ndm_angle_near(x));
  return fabs(x) < 0x1p-27 ? x : y;
}
static inline double ndm_tan_far_f64(double x) { return ndm_slope(ndm_angle_far(x)); }

/* {=== f32 ===} in f64 */

/* Polynomials of 2^-35 and 2^-40. */
static inline double ndm_sine_short(double r, double z) {
  return r + r * z *
                 ((-0x1.555555545e467p-3 + 0x1.11110def731afp-7 * z) +
                  z * z * (-0x1.a013a7b33edf6p-13 + 0x1.6dbe051ce6a4ap-19 * z));
}

static inline double ndm_cosine_short(double z) {
  return 1 - 0.5 * z +
         z * z *
             ((0x1.5555555502dd3p-5 + -0x1.6c16bf54ff52cp-10 * z) +
              z * z * (0x1.a015c47afc89bp-16 + -0x1.252445aebd3cp-22 * z));
}

/* pi/2 in two pieces is enough for every float. */
static inline ndm_angle ndm_angle_short(float x) {
  const double shifted = (double)x * 0x1.45f306dc9c883p-1 + 0x1.8p52, n = shifted - 0x1.8p52;
  const double r = ((double)x - n * 0x1.921fb544p0) - n * 0x1.0b4611a626331p-34;
  const ndm_angle v = {{r, 0}, ndm_bits_f64(shifted)};
  return v;
}

static inline float ndm_wave_short(ndm_angle angle, uint64_t quarter) {
  const uint64_t n = angle.n + quarter;
  const double r = angle.r.hi, z = r * r;
  const double v = n & 1 ? ndm_cosine_short(z) : ndm_sine_short(r, z);
  return (float)ndm_from_bits_f64(ndm_bits_f64(v) ^ (n & 2) << 62);
}

static inline float ndm_slope_short(ndm_angle angle) {
  const double r = angle.r.hi, s = ndm_sine_short(r, r * r), c = ndm_cosine_short(r * r);
  return (float)(angle.n & 1 ? -c / s : s / c);
}

static inline float ndm_sin_f32(float x) {
  const float y = ndm_wave_short(ndm_angle_short(x), 0);
  return x == 0 ? x : y;
}
static inline float ndm_cos_f32(float x) { return ndm_wave_short(ndm_angle_short(x), 1); }
static inline float ndm_tan_f32(float x) {
  const float y = ndm_slope_short(ndm_angle_short(x));
  return x == 0 ? x : y;
}
static inline float ndm_sin_far_f32(float x) { return ndm_wave_short(ndm_angle_far((double)x), 0); }
static inline float ndm_cos_far_f32(float x) { return ndm_wave_short(ndm_angle_far((double)x), 1); }
static inline float ndm_tan_far_f32(float x) { return ndm_slope_short(ndm_angle_far((double)x)); }

#endif
