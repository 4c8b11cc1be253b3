/* log(e^x + e^y) = m + log(1 + e^(l - m)), of the greater m and the lesser l. The difference, its
 * exponential, and the logarithm of what is in two parts are pairs, as a negative m leaves little
 * of it: of a result close to 0, 2^-60 is lost. f32 is computed in f64. No branch, so that loops
 * vectorise.
 *
 * Largest error seen against MPFR: spec/accuracy/. */
#ifndef ND_KERN_LOGADDEXP_H
#define ND_KERN_LOGADDEXP_H

#include "kern/pow.h"

/* What it is beside infinities and NaN. */
static inline double ndm_logaddexp_edges(double most, double least, double y) {
  const double inf = (double)INFINITY;
  double z = least == -inf ? most : y;
  z = most == inf ? most : z;
  z = least != least ? least : z;
  return most != most ? most : z;
}

static inline double ndm_logaddexp_f64(double x, double y) {
  const double most = x > y ? x : y, least = x > y ? y : x;
  const ndm_pair apart = ndm_sum(least, -most);
  const double within = apart.hi < -746 ? -746 : apart.hi;
  const double lo = apart.hi < -746 ? 0 : apart.lo;
  const ndm_reduced_f64 v = ndm_exp_reduce_f64(within);
  const ndm_pair r = ndm_quick_sum(v.r, v.lack + lo), whole = ndm_quick_sum(1, r.hi);
  const ndm_pair square = ndm_product(r.hi, r.hi);
  const ndm_pair curve = ndm_quick_sum(whole.hi, 0.5 * square.hi);
  const double tail = 0.5 * square.lo + (ndm_exp_cubic_f64(r.hi) + r.lo * whole.hi);
  const ndm_pair e = ndm_quick_sum(curve.hi, (whole.lo + curve.lo) + tail);
  const double e_hi = ndm_exp_scale_f64(e.hi, v.bits), e_lo = ndm_exp_scale_f64(e.lo, v.bits);
  const ndm_pair one = ndm_quick_sum(1, e_hi);
  const ndm_pair log = ndm_log_pair(one.hi);
  const double rest = (one.lo + e_lo) / one.hi, log_lo = log.lo + (rest - 0.5 * rest * rest);
  /* of a small e^(l - m) the series, as one more than it loses half its bits */
  const double series_lo = e_lo - e_hi * e_hi * (0.5 - e_hi * 0x1.5555555555555p-2);
  const bool is_small = e_hi < 0x1p-26;
  const ndm_pair sum = ndm_sum(most, is_small ? e_hi : log.hi);
  const double z = sum.hi + (sum.lo + (is_small ? series_lo : log_lo));
  return ndm_logaddexp_edges(most, least, z);
}

static inline float ndm_logaddexp_f32(float x, float y) {
  const double most = (double)(x > y ? x : y), least = (double)(x > y ? y : x);
  const double z = most + ndm_log1p_f64(ndm_exp_f64(least - most));
  return (float)ndm_logaddexp_edges(most, least, z);
}

#endif
