/* lgamma: log |gamma x|. From 4 on by Stirling's series, (a - 1/2) (log a - 1) + c + w(1/a^2) / a.
 * Below it is z b(z), where a = k + z and b(z) = lgamma(2 + z) / z, plus or less the logarithm of
 * the factors between k and 2. For a negative x with a = -x it is log(pi / (a |sin pi a|)) - lgamma
 * a. All but the curves are pairs, as terms cancel around the zeros 1 and 2; between the zeros of
 * negative numbers and them 2^-55 is lost. 'b', 'w' and the sine's curve are close to minimax
 * (expansions in Chebyshev's polynomials; relative errors below 2^-60 in f64, 2^-32 in f32, which
 * is computed in f64). No branch, so that loops vectorise.
 *
 * Largest error seen against MPFR: spec/accuracy/. */
#ifndef ND_KERN_GAMMA_H
#define ND_KERN_GAMMA_H

#include "kern/pow.h"

/* b(z); |z| <= 1/2 */
static inline ndm_pair ndm_lgamma_curve_f64(double z) {
  const double z2 = z * z, z4 = z2 * z2, z8 = z4 * z4, z16 = z8 * z8;
  const ndm_pair second = ndm_product(z, 0x1.4a34cc4a60fa6p-2);
  const ndm_pair sum = ndm_quick_sum(0x1.b0ee6072093cep-2, second.hi);
  const double lo = (0x1.6cb90701fbfabp-58 + 0x1.1873d8912200cp-56 * z) + second.lo;
  return ndm_quick_sum(
      sum.hi,
      sum.lo +
          (lo + z2 * (((((-0x1.13e001a557606p-4 + 0x1.51322ac7d8483p-6 * z) +
                         z2 * (-0x1.e404fc218f683p-8 + 0x1.7add6eadb6cbbp-9 * z)) +
                        z4 * ((-0x1.38ac5c2bf00bfp-10 + 0x1.0b36af8630f5fp-11 * z) +
                              z2 * (-0x1.d3fd4c7f9fa26p-13 + 0x1.a127b0f9ee692p-14 * z))) +
                       z8 * (((-0x1.78de594a1f5d8p-15 + 0x1.580dcc735f957p-16 * z) +
                              z2 * (-0x1.3cbd0c34c2671p-17 + 0x1.259814c96e3bdp-18 * z)) +
                             z4 * ((-0x1.11a54bc3cfe3cp-19 + 0x1.0057bc58baf67p-20 * z) +
                                   z2 * (-0x1.e46267845840ap-22 + 0x1.c959188a8539dp-23 * z)))) +
                      z16 * ((-0x1.98152dabaf411p-24 + 0x1.8367966486352p-25 * z) +
                             z2 * (-0x1.0cfcd77c3ec5fp-25 + 0x1.01127da9788f9p-26 * z)))));
}

static inline double ndm_lgamma_curve_f32(double z) {
  const double z2 = z * z, z4 = z2 * z2, z8 = z4 * z4;
  return ((((0x1.b0ee607209281p-2 + 0x1.4a34cc4a61043p-2 * z) +
            z2 * (-0x1.13e001a4d7d46p-4 + 0x1.51322ac6e8f31p-6 * z)) +
           z4 * ((-0x1.e404fe1e4653ep-8 + 0x1.7add708afc7b6p-9 * z) +
                 z2 * (-0x1.38ab9e7fd91bdp-10 + 0x1.0b35fd95343fbp-11 * z))) +
          z8 * (((-0x1.d4405b48fe6b9p-13 + 0x1.a16698ccea354p-14 * z) +
                 z2 * (-0x1.72d540ed7812dp-15 + 0x1.5264935b98a80p-16 * z)) +
                z4 * (-0x1.8054a022a9fa0p-17 + 0x1.64f93f6c2ee83p-18 * z)));
}

/* w(y), y = 1 / a^2 <= 1/16 */
static inline double ndm_lgamma_rest_f64(double y) {
  const double y2 = y * y, y4 = y2 * y2, y8 = y4 * y4;
  return ((((0x1.5555555555555p-4 + -0x1.6c16c16c16517p-9 * y) +
            y2 * (0x1.a01a019bacfc3p-11 + -0x1.38137cce4e656p-11 * y)) +
           y4 * ((0x1.b94f9966f374fp-11 + -0x1.f65104f47a4bcp-10 * y) +
                 y2 * (0x1.9fab1bf8d26ddp-8 + -0x1.bea4390f73d6bp-6 * y))) +
          y8 * ((0x1.01906ac84aab5p-3 + -0x1.e2efa1ed1caa0p-2 * y) + y2 * 0x1.e56f28716ad87p-1));
}

static inline double ndm_lgamma_rest_f32(double y) {
  const double y2 = y * y, y4 = y2 * y2;
  return (((0x1.5555555553b48p-4 + -0x1.6c16c080d96b0p-9 * y) +
           y2 * (0x1.a01747c864d20p-11 + -0x1.3752b83bb9793p-11 * y)) +
          y4 * (0x1.a06dce1241e19p-11 + -0x1.2944db87b6a4ep-10 * y));
}

/* The nearest whole number, of one from 0 to 2^52. */
static inline double ndm_nearest(double a) { return (a + 0x1p52) - 0x1p52; }

/* The factors of which the logarithm is taken. Where a < 1/2: a and 1 + a. Up to 3/2: a. Then none,
 * then 2 + z, then 2 + z and 3 + z. From 4 on: a. */
typedef struct {
  double first, second, second_lo, sign, z; /* sign of the logarithm; a = k + z */
} ndm_factors;

static inline ndm_factors ndm_lgamma_factors(double a) {
  const double k = ndm_nearest(a), z = a - k;
  const ndm_pair next = ndm_sum(1, a);
  const double third = k < 3 ? 1 : z + 2, fourth = k < 4 ? 1 : z + 3;
  const double small = k < 2 ? a : third, after = k < 1 ? next.hi : fourth;
  const double rounded = k < 1 ? next.lo : 0;
  ndm_factors f;
  f.first = a < 4 ? small : a;
  f.second = a < 4 ? after : 1;
  f.second_lo = rounded;
  f.sign = k < 2 ? -1 : 1;
  f.z = z;
  return f;
}

/* lgamma of a positive finite number */
static inline ndm_pair ndm_lgamma_pair(double a) {
  const ndm_factors f = ndm_lgamma_factors(a);
  ndm_pair p = ndm_product(f.first, f.second);
  p.lo = p.lo + f.first * f.second_lo;
  ndm_pair log = ndm_log_pair(p.hi);
  log.lo = log.lo + p.lo / p.hi;
  const double shift = a < 4 ? 0 : -1, less = a - 0.5, by = a < 4 ? f.sign : less;
  const double by_lo = a < 4 ? 0 : (a - less) - 0.5;
  const ndm_pair shifted = ndm_sum(log.hi, shift);
  ndm_pair t = ndm_product(by, shifted.hi);
  t.lo = t.lo + (by * (shifted.lo + log.lo) + by_lo * shifted.hi);
  const ndm_pair b = ndm_lgamma_curve_f64(f.z);
  ndm_pair small = ndm_product(f.z, b.hi);
  small.lo = small.lo + f.z * b.lo;
  const double inverse = 1 / (a < 4 ? 4 : a);
  const double rest = 0x1.3494bc9001442p-56 + ndm_lgamma_rest_f64(inverse * inverse) * inverse;
  const double hi = a < 4 ? small.hi : 0x1.acfe390c97d69p-2, lo = a < 4 ? small.lo : rest;
  const ndm_pair sum = ndm_sum(t.hi, hi);
  return ndm_quick_sum(sum.hi, sum.lo + (t.lo + lo));
}

/* a |sin pi a|; f is what a has beyond a whole number */
static inline ndm_pair ndm_lgamma_sine(double a, double f) {
  const ndm_pair square = ndm_product(f, f);
  const double y = square.hi;
  const ndm_pair fourth = ndm_product(y, y);
  const double y2 = fourth.hi, y4 = y2 * y2, y2_lo = fourth.lo + 2 * y * square.lo;
  const ndm_pair second = ndm_product(-0x1.4abbce625be53p+2, y);
  const ndm_pair third = ndm_product(0x1.466bc6775aae2p+1, y2);
  const ndm_pair some = ndm_quick_sum(0x1.921fb54442d18p+1, second.hi);
  const ndm_pair sum = ndm_quick_sum(some.hi, third.hi);
  const double lo = (0x1.1a61d288209a9p-53 + 0x1.0633261ce015ep-52 * y) +
                    (second.lo - 0x1.4abbce625be53p+2 * square.lo) +
                    (third.lo + 0x1.466bc6775aae2p+1 * y2_lo);
  const double curve = y2 * y *
                       (((-0x1.32d2cce62bd57p-1 + 0x1.50783487ec19ap-4 * y) +
                         y2 * (-0x1.e3074fdc520eap-8 + 0x1.e8f4338e03a66p-12 * y)) +
                        y4 * ((-0x1.6fad488852625p-16 + 0x1.aabbe3815eb60p-21 * y) +
                              y2 * -0x1.7ed4cd7222586p-26));
  const ndm_pair sine = ndm_quick_sum(sum.hi, some.lo + sum.lo + (lo + curve));
  const ndm_pair outer = ndm_product(a, fabs(f));
  ndm_pair v = ndm_product(outer.hi, sine.hi);
  v.lo = v.lo + (outer.hi * sine.lo + outer.lo * sine.hi);
  return v;
}

/* What it is where there is no finite result, and at its end of the range. */
static inline double ndm_lgamma_edges(double a, double f, double x, double y) {
  const double of_negative = f == 0 ? (double)INFINITY : y;
  double z = x < 0 ? of_negative : y;
  z = a == 0 ? (double)INFINITY : z;
  z = a > 0x1.754d9278b51a7p+1014 ? (double)INFINITY : z;
  return x != x ? x : z;
}

static inline double ndm_lgamma_f64(double x) {
  const double largest = 0x1.754d9278b51a7p+1014; /* whose result is finite */
  const double a = fabs(x), most = a > largest ? largest : a;
  const double within = most > 0 ? most : 1;
  const double f = within < 0x1p52 ? within - ndm_nearest(within) : 0;
  const ndm_pair g = ndm_lgamma_pair(within);
  ndm_pair p = ndm_lgamma_sine(within < 0x1p52 ? within : 1, f == 0 ? 0.5 : f);
  const ndm_pair log = ndm_log_pair(p.hi);
  const ndm_pair sum = ndm_sum(0x1.250d048e7a1bdp+0, -log.hi), all = ndm_sum(sum.hi, -g.hi);
  const double lo = (0x1.7abf2ad8d5088p-57 - log.lo - p.lo / p.hi) + (sum.lo - g.lo);
  const double reflected = all.hi + (all.lo + lo), mirrored = x < -0x1p-60 ? reflected : g.hi;
  return ndm_lgamma_edges(a, f, x, mirrored);
}

static inline float ndm_lgamma_f32(float x) {
  const double wide = (double)x, a = fabs(wide), positive = a > 0 ? a : 1;
  const double within = positive < 0x1p127 ? positive : 0x1p127;
  const double f = within < 0x1p52 ? within - ndm_nearest(within) : 0;
  const ndm_factors p = ndm_lgamma_factors(within);
  const double log = ndm_log_f64(p.first * p.second);
  const double inverse = 1 / (within < 4 ? 4 : within), y = f * f;
  const double large = 0x1.acfe390c97d69p-2 + ndm_lgamma_rest_f32(inverse * inverse) * inverse +
                       (within - 0.5) * (log - 1);
  const double small = p.z * ndm_lgamma_curve_f32(p.z) + p.sign * log;
  const double g = within < 4 ? small : large;
  const double y2 = y * y, y4 = y2 * y2, bent = f == 0 ? 0.5 : fabs(f);
  const double sine = within * bent *
                      (((0x1.921fb54442d17p+1 + -0x1.4abbce625bd83p+2 * y) +
                        y2 * (0x1.466bc677522bdp+1 + -0x1.32d2cce1ea145p-1 * y)) +
                       y4 * ((0x1.5078327046959p-4 + -0x1.e30631bdf732dp-8 * y) +
                             y2 * (0x1.e89f6fe44fe7bp-12 + -0x1.62903d02bb153p-16 * y)));
  const double mirrored = x < 0 ? (0x1.250d048e7a1bdp+0 - ndm_log_f64(sine)) - g : g;
  const double z = a == (double)INFINITY ? a : mirrored,
               of_negative = f == 0 ? (double)INFINITY : z;
  const double finite = x < 0 ? of_negative : z, some = a == 0 ? (double)INFINITY : finite;
  return x != x ? x : (float)some;
}

#endif
