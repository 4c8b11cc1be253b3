/* erf and erfc. Near 0 erf x = x + x g(x^2). Elsewhere erfc x = e^-x^2 p(q) / (x + 5/8) with q = (x
 * - 4) / (x + 4): p is between 0.56 and 0.7 for all x (after Shepherd and Laframboise, Chebyshev
 * Approximation of (1 + 2x) exp(x^2) erfc x, 1981). For erfc, x^2, its exponential, p, and their
 * quotient are pairs. 'g' and 'p' are minimax polynomials (Sollya's fpminimax: relative errors
 * 2^-62 and 2^-64 in f64, 2^-34 and 2^-32 in f32, which is computed in f64). No branch, so that
 * loops vectorise.
 *
 * Largest error seen against MPFR: spec/accuracy/. */
#ifndef ND_KERN_GAUSS_H
#define ND_KERN_GAUSS_H

#include "kern/exp.h"
#include "kern/pairs.h"

/* a (1 + g(a^2)), 0 <= a <= 1.1. The first three terms are pairs. */
static inline ndm_pair ndm_erf_near_f64(double a) {
  const ndm_pair square = ndm_product(a, a);
  const double z = square.hi, z2 = z * z, z4 = z2 * z2, z8 = z4 * z4;
  const ndm_pair second = ndm_product(-0x1.812746b0379e7p-2, z);
  const ndm_pair fourth = ndm_product(z, z), third = ndm_product(0x1.ce2f21a042bf6p-4, fourth.hi);
  const ndm_pair first = ndm_quick_sum(0x1.20dd750429b6dp+0, second.hi);
  const ndm_pair sum = ndm_quick_sum(first.hi, third.hi);
  const double lo = ((0x1.1cc2a96041ce8p-56 - 0x1.812746b0379e7p-2 * square.lo) + second.lo) +
                    (first.lo + third.lo) + 0x1.ce2f21a042bf6p-4 * (fourth.lo + 2 * z * square.lo);
  const double curve = (((-0x1.b82ce31288c53p-6 * z +
                          z2 * (0x1.565bcd0e633cbp-8 + -0x1.c02db3fd63e88p-11 * z)) +
                         z4 * ((0x1.f9a32674bcb6bp-14 + -0x1.f4d24dbb86d28p-17 * z) +
                               z2 * (0x1.b9e5bf1bca3d2p-20 + -0x1.5f6717feb6b58p-23 * z))) +
                        z8 * ((0x1.fbe25498df965p-27 + -0x1.4c940ad6130d3p-30 * z) +
                              z2 * (0x1.753328143f64ap-34 + -0x1.12280de7868a1p-38 * z)));
  ndm_pair v = ndm_product(a, sum.hi);
  v.lo = v.lo + a * (sum.lo + (lo + z2 * curve));
  return v;
}

/* g(z), 0 <= z <= 1 */
static inline double ndm_erf_curve_f32(double z) {
  const double z2 = z * z, z4 = z2 * z2;
  return (((0x1.06eba820311fep-3 + -0x1.812746682b86dp-2 * z) +
           z2 * (0x1.ce2f09abf467cp-4 + -0x1.b829d8cdbe109p-6 * z)) +
          z4 * ((0x1.562b19e8222b3p-8 + -0x1.bcd7df33ea882p-11 * z) +
                z2 * (0x1.d8b8909656aecp-14 + -0x1.44cfc5ba6bbep-17 * z)));
}

/* p, less its first coefficient in f64 */
static inline double ndm_erfc_curve_f64(double q) {
  const double q2 = q * q, q4 = q2 * q2, q8 = q4 * q4, q16 = q8 * q8;
  return q * (((((-0x1.a2963e4f0441bp-4 + 0x1.1ef6c91ca7f28p-5 * q) +
                 q2 * (0x1.bae6f15158274p-7 + -0x1.2e4718b652fc2p-5 * q)) +
                q4 * ((0x1.3f4eaa7ce5e14p-5 + -0x1.df4723bb6cf41p-6 * q) +
                      q2 * (0x1.162c00b50794p-6 + -0x1.f181739ae4fb3p-8 * q))) +
               q8 * (((0x1.3caeaabb61d94p-9 + -0x1.9024cd9956664p-12 * q) +
                      q2 * (-0x1.787649e9a013ep-14 + 0x1.300ccf141d081p-14 * q)) +
                     q4 * ((-0x1.a15182d11fb01p-17 + -0x1.5fd05ff217db2p-18 * q) +
                           q2 * (0x1.7823a906f22f8p-19 + 0x1.d9dc216950a8fp-24 * q)))) +
              q16 * (((-0x1.ab882aec156f8p-22 + 0x1.6795a847c3cf7p-25 * q) +
                      q2 * (0x1.ae537d0e1dcbfp-25 + -0x1.60703f817c152p-27 * q)) +
                     q4 * (-0x1.460ac46401c15p-28 + 0x1.5b7363a33dbfp-30 * q)));
}

static inline double ndm_erfc_curve_f32(double q) {
  const double q2 = q * q, q4 = q2 * q2, q8 = q4 * q4;
  return ((((0x1.446a2ace2723fp-1 + -0x1.a2963e4cd4a12p-4 * q) +
            q2 * (0x1.1ef6c8efc2081p-5 + 0x1.bae6eb7ee3cbdp-7 * q)) +
           q4 * ((-0x1.2e4711f7c517dp-5 + 0x1.3f4ecf95b5fb7p-5 * q) +
                 q2 * (-0x1.df47d494ebd85p-6 + 0x1.1628bb1e889c3p-6 * q))) +
          q8 * (((-0x1.f17320f22e50dp-8 + 0x1.3d408df9a4d7bp-9 * q) +
                 q2 * (-0x1.9174b5d7c471cp-12 + -0x1.a95622878e25p-14 * q)) +
                q4 * 0x1.261464ae43209p-14));
}

static inline double ndm_erf_f64(double x) {
  const double a = fabs(x), far = a > 6 ? 6 : a;
  /* the low part of what is tiny would underflow */
  const double up = a < 0x1p-800 ? 0x1p200 : 1, down = a < 0x1p-800 ? 0x1p-200 : 1;
  const ndm_pair small = ndm_erf_near_f64(a < 1.1 ? a * up : 1.1);
  const double p = 0x1.446a2ace24489p-1 + ndm_erfc_curve_f64((far - 4) / (far + 4));
  const double large = 1 - ndm_exp_f64(-far * far) * p / (far + 0.625);
  return ndm_signed(a < 1.1 ? (small.hi + small.lo) * down : large, x);
}

static inline float ndm_erf_f32(float x) {
  const double a = fabs((double)x), far = a > 4 ? 4 : a;
  const double small = a + a * ndm_erf_curve_f32(a * a);
  const double p = ndm_erfc_curve_f32((far - 4) / (far + 4));
  const double large = 1 - ndm_exp_f64(-far * far) * p / (far + 0.625);
  return (float)ndm_signed(a < 1 ? small : large, (double)x);
}

/* erfc of a number from 0.6 on */
static inline double ndm_erfc_tail_f64(double x) {
  const double far = x > 27.3 ? 27.3 : x;
  const ndm_pair square = ndm_product(far, far), by = ndm_sum(far, 0.625);
  const ndm_reduced_f64 v = ndm_exp_reduce_f64(-square.hi);
  const ndm_pair r = ndm_quick_sum(v.r, v.lack - square.lo), whole = ndm_quick_sum(1, r.hi);
  const ndm_pair e = ndm_quick_sum(whole.hi,
                                   whole.lo + (ndm_exp_curve_f64(r.hi) + r.lo * whole.hi));
  const double curve = ndm_erfc_curve_f64((far - 4) / (far + 4));
  const ndm_pair p = ndm_quick_sum(0x1.446a2ace24489p-1, curve + 0x1.b3243f9ec38ap-55);
  ndm_pair product = ndm_product(e.hi, p.hi);
  product.lo = product.lo + (e.hi * p.lo + e.lo * p.hi);
  return ndm_exp_scale_f64(ndm_quotient(product, by).hi, v.bits);
}

static inline double ndm_erfc_f64(double x) {
  const double a = fabs(x), tail = ndm_erfc_tail_f64(a);
  const ndm_pair erf = ndm_erf_near_f64(a < 0.6 ? a : 0.6);
  const ndm_pair less = ndm_sum(1, -ndm_signed(erf.hi, x));
  const double near = less.hi + (less.lo - (x < 0 ? -erf.lo : erf.lo));
  const double far = x < 0 ? 2 - tail : tail;
  return a < 0.6 ? near : far;
}

static inline float ndm_erfc_f32(float x) {
  const double wide = (double)x, a = fabs(wide), within = a > 11 ? 11 : a;
  const double p = ndm_erfc_curve_f32((within - 4) / (within + 4));
  const double tail = ndm_exp_f64(-within * within) * p / (within + 0.625);
  const double near = 1 - (wide + wide * ndm_erf_curve_f32(wide * wide));
  const double far = x < 0 ? 2 - tail : tail;
  return (float)(a < 0.6 ? near : far);
}

#endif
