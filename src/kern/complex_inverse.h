/* asin, acos, asinh, acosh, atanh and atan of complex numbers. The first four after Hull,
 * Fairgrieve and Tang, Implementing the Complex Arcsine and Arccosine Functions Using Exception
 * Handling, 1997: with r = |z + 1|, s = |z - 1|, a = (r + s) / 2 and b = x / a the parts are asin b
 * or acos b, and log(a + sqrt(a^2 - 1)), by terms that do not cancel. atanh after Kahan, Branch
 * Cuts for Complex Elementary Functions, 1987. */
#ifndef ND_KERN_COMPLEX_INVERSE_H
#define ND_KERN_COMPLEX_INVERSE_H

#include "kern/complex.h"

/* asin z = arc + i log, acos z = other - i log, of x, y >= 0 */
typedef struct {
  double arc, other, log;
} ndm_arcs;

static inline ndm_arcs ndm_arcs_of_parts(double arc, double other, double log) {
  const ndm_arcs v = {arc, other, log};
  return v;
}

/* Where squares are out of range, or y is nothing beside x - 1. */
static inline ndm_arcs ndm_arcs_at_the_edge(double x, double y) {
  const double more = x + 1, less = x - 1;
  if (y <= 0x1p-53 * fabs(less)) {
    if (x < 1) {
      const double root = sqrt(-less * more);
      return ndm_arcs_of_parts(ndm_asin_f64(x), ndm_acos_f64(x), y / root);
    }
    const double log = x < 0x1p500 ? ndm_log1p_f64(less + sqrt(more * less))
                                   : NDM_LN2 + ndm_log_f64(x);
    const double other = y == 0 ? 0 : x < 0x1p500 ? y / sqrt(more * less) : y / x;
    return ndm_arcs_of_parts(NDM_HALF_PI, other, log);
  }
  if (y < 1) { /* x is near 1 */
    const double root = sqrt(y);
    return ndm_arcs_of_parts(NDM_HALF_PI - root, root, root);
  }
  if (x <= 1) return ndm_arcs_of_parts(x / y, NDM_HALF_PI - x / y, NDM_LN2 + ndm_log_f64(y));
  const double log = NDM_LN2 + ndm_log_length(x, y);
  return ndm_arcs_of_parts(ndm_atan2_f64(x, y), ndm_atan2_f64(y, x), log);
}

static inline ndm_arcs ndm_arcs_of(double x, double y) {
  if (!(x < 0x1p500 && y < 0x1p500 && y > 0x1p-500 && y > 0x1p-53 * fabs(x - 1)))
    return ndm_arcs_at_the_edge(x, y);
  const double r = ndm_length(x + 1, y, 0), s = ndm_length(x - 1, y, 0);
  const double a = 0.5 * (r + s), b = x / a, yy = y * y, more = yy / (r + (x + 1));
  ndm_arcs v;
  if (b <= 0.6417) {
    v.arc = ndm_asin_f64(b), v.other = ndm_acos_f64(b);
  } else {
    const double sum = a + x;
    const double root = x <= 1 ? sqrt(0.5 * sum * (more + (s + (1 - x))))
                               : y * sqrt(0.5 * (sum / (r + (x + 1)) + sum / (s + (x - 1))));
    v.arc = ndm_atan2_f64(x, root), v.other = ndm_atan2_f64(root, x);
  }
  if (a <= 1.5) {
    const double less = 0.5 * (more + (x < 1 ? yy / (s + (1 - x)) : s + (x - 1)));
    v.log = ndm_log1p_f64(less + sqrt(less * (a + 1)));
  } else {
    v.log = ndm_log_f64(a + sqrt(a * a - 1));
  }
  return v;
}

/* With infinities and NaN, which have these angles. */
static inline ndm_arcs ndm_arcs_of_any(wide_complex z) {
  const double x = fabs(z.re), y = fabs(z.im);
  if (x == (double)INFINITY || y == (double)INFINITY)
    return ndm_arcs_of_parts(ndm_atan2_f64(x, y), ndm_atan2_f64(y, x), (double)INFINITY);
  if (x != x || y != y)
    return ndm_arcs_of_parts(x == 0 ? 0 : x + y, x == 0 ? NDM_HALF_PI : x + y, x + y);
  return ndm_arcs_of(x, y);
}

static inline wide_complex ndm_asin_complex(wide_complex z) {
  const ndm_arcs v = ndm_arcs_of_any(z);
  return ndm_complex(ndm_sign_of(v.arc, z.re), ndm_sign_of(v.log, z.im));
}

static inline wide_complex ndm_asinh_complex(wide_complex z) {
  return ndm_swap(ndm_asin_complex(ndm_swap(z)));
}

static inline wide_complex ndm_acos_complex(wide_complex z) {
  const ndm_arcs v = ndm_arcs_of_any(z);
  const bool is_left = ndm_sign_of(1, z.re) < 0;
  return ndm_complex(is_left ? 2 * NDM_HALF_PI - (v.other - 2 * NDM_HALF_PI_LO) : v.other,
                     ndm_sign_of(v.log, -z.im));
}

/* i acos z or -i acos z, with a real part that is not negative */
static inline wide_complex ndm_acosh_complex(wide_complex z) {
  const wide_complex v = ndm_acos_complex(z);
  return ndm_complex(fabs(v.im), ndm_sign_of(v.re, z.im));
}

/* log1p(4 x / ((1 - x)^2 + y^2)) / 4, and half the angle of (1 - x^2 - y^2, 2 y) */
static inline wide_complex ndm_atanh_of(double x, double y) {
  if (x > 0x1p60 || y > 0x1p60) { /* pi/2 - 1/z */
    const bool is_wide = x > y;
    const double ratio = is_wide ? y / x : x / y;
    /* of halves, whose sums are finite */
    const double half = is_wide ? 0.5 * x + 0.5 * y * ratio : 0.5 * y + 0.5 * x * ratio;
    const double re = (is_wide ? 0.5 : 0.5 * ratio) / half;
    return ndm_complex(re, NDM_HALF_PI);
  }
  if (x == 1 && y < 0x1p-500) /* log(2 / y) / 2 */
    return ndm_complex(0.5 * (NDM_LN2 - ndm_log_f64(y)), y == 0 ? 0 : 0.5 * NDM_HALF_PI);
  const double less = 1 - x, below = less * less + y * y;
  const ndm_pair xx = x < 0x1p-500 ? ndm_sum(0, 0) : ndm_product(x, x);
  const ndm_pair yy = y < 0x1p-500 ? ndm_sum(0, 0) : ndm_product(y, y);
  const ndm_pair first = ndm_sum(1, -xx.hi), sum = ndm_sum(first.hi, -yy.hi);
  const double side = sum.hi + (sum.lo + (first.lo - (xx.lo + yy.lo)));
  return ndm_complex(0.25 * ndm_log1p_f64(4 * x / below), 0.5 * ndm_atan2_f64(2 * y, side));
}

static inline wide_complex ndm_atanh_complex(wide_complex z) {
  const double x = fabs(z.re), y = fabs(z.im), none = x + y;
  if (x == (double)INFINITY || y == (double)INFINITY)
    return ndm_complex(ndm_sign_of(0, z.re), y != y ? y : ndm_sign_of(NDM_HALF_PI, z.im));
  if (none != none) return ndm_complex(x == 0 ? z.re : none, none);
  const wide_complex v = ndm_atanh_of(x, y);
  return ndm_complex(ndm_sign_of(v.re, z.re), ndm_sign_of(v.im, z.im));
}

static inline wide_complex ndm_atan_complex(wide_complex z) {
  return ndm_swap(ndm_atanh_complex(ndm_swap(z)));
}

#endif
