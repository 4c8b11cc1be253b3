/* pow: y log |x| as a pair of floats, and its exponential. log m = 2 s + s^3 (2/3 + s^2 h(s^2))
 * with s = (m - 1) / (m + 1) (kern/log.h), where s, s^3 and what it is multiplied by are pairs,
 * since the exponential multiplies an error by up to 745: 2^-65 of the logarithm is lost. 'h' is a
 * minimax polynomial (Sollya's fpminimax). f32 is computed in f64. No branch, so that loops
 * vectorise.
 *
 * Largest error seen against MPFR: spec/accuracy/. */
#ifndef ND_KERN_POW_H
#define ND_KERN_POW_H

#include "kern/exp.h"
#include "kern/log.h"
#include "kern/pairs.h"

/* What the result is beyond a finite power of a positive number: 'power' is that of |x|. WHOLE is
 * where floats of the type have nothing behind the point any more. 'part' and 'odd' are what y, and
 * half of it, have there; both are 0 for even numbers. One condition for each choice: compilers
 * vectorise no others. */
#define NDM_POW_EDGES(name, type, WHOLE, signed_of)                                   \
  static inline type name(type x, type y, type power) {                               \
    const type a = fabs(x), b = fabs(y), half = (type)0.5 * b;                        \
    const type part = b < WHOLE ? b - ((b + WHOLE) - WHOLE) : 0;                      \
    const type odd = b < 2 * WHOLE ? half - ((half + WHOLE) - WHOLE) : 0;             \
    const type least = y < 0 ? (type)INFINITY : 0, most = y < 0 ? 0 : (type)INFINITY; \
    type z = power, sign = signed_of(1, x);                                           \
    z = a == 0 ? least : z;                                                           \
    z = a == (type)INFINITY ? most : z;                                               \
    z = a == 1 ? 1 : z;                                                               \
    sign = odd == 0 ? 1 : sign;                                                       \
    sign = part != 0 ? 1 : sign;                                                      \
    const type of_less = part != 0 ? (type)NAN : z, of_finite = x < 0 ? of_less : z;  \
    z = a < (type)INFINITY ? of_finite : z;                                           \
    z = z * sign;                                                                     \
    z = x != x ? x : z;                                                               \
    z = y != y ? y : z;                                                               \
    z = y == 0 ? 1 : z;                                                               \
    return x == 1 ? 1 : z;                                                            \
  }
NDM_POW_EDGES(ndm_pow_edges_f64, double, 0x1p52, ndm_signed)
NDM_POW_EDGES(ndm_pow_edges_f32, float, 0x1p23f, ndm_signed_f32)
#undef NDM_POW_EDGES

/* log a, positive and finite */
static inline ndm_pair ndm_log_pair(double a) {
  double bias;
  const double normal = ndm_log_normal_f64(a, &bias);
  const uint64_t bits = ndm_bits_f64(normal), up = bits + 0x00095f619980c433;
  const double k = ndm_from_bits_f64(0x4330000000000000 | up >> 52) - (0x1p52 + 1023) - bias;
  const double f = ndm_from_bits_f64(bits - (up & 0x7ff0000000000000) + 0x3ff0000000000000) - 1;
  const ndm_pair whole = {f, 0}, s = ndm_quotient(whole, ndm_quick_sum(2, f));
  const ndm_pair square = ndm_product(s.hi, s.hi);
  const double z = square.hi, z_lo = square.lo + 2 * s.hi * s.lo, z2 = z * z;
  const ndm_pair cube = ndm_product(z, s.hi);
  const double cube_lo = cube.lo + (z_lo * s.hi + z * s.lo);
  const double h = ((0x1.999999999999ap-2 + 0x1.249249249230ap-2 * z) +
                    z2 * (0x1.c71c71c74831cp-3 + 0x1.745d1740eace6p-3 * z)) +
                   z2 * z2 *
                       ((0x1.3b13a81083234p-3 + 0x1.1115b0c7c0a62p-3 * z) +
                        z2 * (0x1.e0053d358bdecp-4 + 0x1.db79b853212eep-4 * z));
  const ndm_pair g = ndm_quick_sum(0x1.5555555555555p-1, z * h);
  const double g_lo = g.lo + (0x1.5555555555555p-55 + z_lo * h);
  const ndm_pair rest = ndm_product(cube.hi, g.hi);
  const double rest_lo = rest.lo + (cube_lo * g.hi + cube.hi * g_lo);
  const ndm_pair m = ndm_quick_sum(2 * s.hi, rest.hi);
  const double m_lo = m.lo + (2 * s.lo + rest_lo);
  const ndm_pair sum = ndm_sum(k * 0x1.62e42fefa38p-1, m.hi);
  return ndm_quick_sum(sum.hi, sum.lo + (m_lo + k * 0x1.ef35793c76730p-45));
}

static inline double ndm_pow_f64(double x, double y) {
  const double a = fabs(x);
  const double positive = a > 0 ? a : 1, finite = positive < (double)INFINITY ? positive : 1;
  const ndm_pair log = ndm_log_pair(finite);
  const double not_less = y < -0x1p500 ? -0x1p500 : y, by = not_less > 0x1p500 ? 0x1p500 : not_less;
  const ndm_pair product = ndm_product(by, log.hi);
  const double lo = fabs(product.hi) < 800 ? product.lo + by * log.lo : 0;
  const double least = product.hi < -746 ? -746 : product.hi, within = least > 710 ? 710 : least;
  const ndm_reduced_f64 v = ndm_exp_reduce_f64(within);
  const ndm_pair r = ndm_quick_sum(v.r, v.lack + lo);
  const ndm_pair whole = ndm_quick_sum(1, r.hi);
  const double e = whole.hi + (whole.lo + (ndm_exp_curve_f64(r.hi) + r.lo));
  return ndm_pow_edges_f64(x, y, ndm_exp_scale_f64(e, v.bits));
}

/* In f64, where a logarithm of 2^-36 and an exponential of 2^-30 are enough. */
static inline float ndm_pow_f32(float x, float y) {
  const double a = fabs((double)x);
  const double positive = a > 0 ? a : 1, finite = positive < (double)INFINITY ? positive : 1;
  const double power = (double)y * ndm_log_short(finite);
  const double not_less = power < -120 ? -120 : power, within = not_less > 100 ? 100 : not_less;
  return ndm_pow_edges_f32(x, y, (float)ndm_exp_short(within));
}

#endif
