/* Functions of complex numbers, by the real ones: parts of results are within a few units in the
 * last place of the larger part. c64 is computed in f64. Zeros, infinities and NaN as in Annex G of
 * C11. What is left to real functions may not cancel, overflow or underflow on the way: where that
 * would happen, numbers are scaled by powers of two, or sums are pairs.
 *
 * sin z, tan z, asin z and atan z are sinh, tanh, asinh and atanh with real and imaginary part
 * exchanged, before and behind. Largest errors seen against mpmath: spec/ops/complex_spec.lua. */
#ifndef ND_KERN_COMPLEX_H
#define ND_KERN_COMPLEX_H

#include "kern/exp.h"
#include "kern/hyper.h"
#include "kern/inverse.h"
#include "kern/log.h"
#include "kern/trig.h"

#define NDM_LN2 0x1.62e42fefa39efp-1

static inline wide_complex ndm_complex(double re, double im) {
  const wide_complex v = {re, im};
  return v;
}

static inline wide_complex ndm_swap(wide_complex z) { return ndm_complex(z.im, z.re); }

static inline bool ndm_is_finite(double x) { return fabs(x) < (double)INFINITY; }

/* x with the sign of y */
static inline double ndm_sign_of(double x, double y) { return ndm_signed(fabs(x), y); }

/* a b, where 0 stays 0, even times infinity or NaN */
static inline double ndm_times(double a, double b) {
  if (a == 0 && !ndm_is_finite(b)) return b < 0 ? -a : a;
  if (b == 0 && !ndm_is_finite(a)) return a < 0 ? -b : b;
  return ND_PRODUCT(a, b);
}

static inline double ndm_power_of_two(int k) {
  return ndm_from_bits_f64((uint64_t)(1023 + k) << 52);
}

/* z 2^k, of any k; parts are rounded once: what leaves the normal numbers before the last product
 * ends as 0 or infinity. */
static inline wide_complex ndm_scaled(wide_complex z, int k) {
  k = k < -2400 ? -2400 : k;
  k = k > 2400 ? 2400 : k;
  const int end = k > 1000 ? 1000 : k < -1000 ? -1000 : k, half = (k - end) / 2;
  const double first = ndm_power_of_two(half), then = ndm_power_of_two(k - end - half);
  const double last = ndm_power_of_two(end);
  return ndm_complex(z.re * first * then * last, z.im * first * then * last);
}

/* {=== exponentials ===} */

/* e^iy */
static inline wide_complex ndm_circle(double y) {
  const ndm_angle at = fabs(y) <= NDM_TRIG_NEAR ? ndm_angle_near(y) : ndm_angle_far(y);
  return ndm_complex(ndm_wave(at, 1), fabs(y) < 0x1p-27 ? y : ndm_wave(at, 0));
}

/* e^x 2^more times both parts: e^x itself may be far out of range. */
static inline wide_complex ndm_exp_times(double x, int more, wide_complex by) {
  x = x < -1460 ? -1460 : x;
  x = x > 1460 ? 1460 : x;
  const ndm_reduced_f64 v = ndm_exp_reduce_f64(x);
  const double high = 1 + v.r, low = v.r - (high - 1);
  const double e = high + (low + (ndm_exp_curve_f64(v.r) + v.lack));
  const int k = (int)((v.bits - 2046 + 4096) & 0x1fff) - 4096 + more;
  if (k <= 0) return ndm_scaled(ndm_complex(ndm_times(e, by.re), ndm_times(e, by.im)), k);
  const wide_complex large = ndm_scaled(by, k - 1); /* a subnormal part gets bits to round to */
  return ndm_complex(ndm_times(2 * e, large.re), ndm_times(2 * e, large.im));
}

static inline wide_complex ndm_exp_complex(wide_complex z) {
  if (!ndm_is_finite(z.im)) {
    const double none = z.im - z.im;
    if (z.re == -(double)INFINITY) return ndm_complex(0, 0);
    return ndm_complex(z.re == (double)INFINITY ? z.re : none, none);
  }
  return ndm_exp_times(z.re, 0, ndm_circle(z.im));
}

/* e^x cos y - 1, near 0 as (e^x - 1) cos y - 2 sin^2(y / 2) */
static inline wide_complex ndm_expm1_complex(wide_complex z) {
  const wide_complex e = ndm_exp_complex(z);
  if (!ndm_is_finite(z.im) || !(fabs(z.re) < 1)) return ndm_complex(e.re - 1, e.im);
  const wide_complex half = ndm_circle(0.5 * z.im), whole = ndm_circle(z.im);
  return ndm_complex(ndm_expm1_f64(z.re) * whole.re - 2 * half.im * half.im, e.im);
}

/* {=== hyperbolic ===} */

static inline wide_complex ndm_sinh_complex(wide_complex z) {
  if (fabs(z.re) == (double)INFINITY && !ndm_is_finite(z.im)) return ndm_complex(z.re, z.im - z.im);
  const wide_complex turn = ndm_circle(z.im);
  if (fabs(z.re) > 700) {
    const wide_complex v = ndm_exp_times(fabs(z.re), -1, turn);
    return ndm_complex(z.re < 0 ? -v.re : v.re, v.im);
  }
  return ndm_complex(ndm_times(ndm_sinh_f64(z.re), turn.re),
                     ndm_times(ndm_cosh_f64(z.re), turn.im));
}

static inline wide_complex ndm_cosh_complex(wide_complex z) {
  if (fabs(z.re) == (double)INFINITY && !ndm_is_finite(z.im))
    return ndm_complex((double)INFINITY, z.im - z.im);
  const wide_complex turn = ndm_circle(z.im);
  if (fabs(z.re) > 700) {
    const wide_complex v = ndm_exp_times(fabs(z.re), -1, turn);
    return ndm_complex(v.re, z.re < 0 ? -v.im : v.im);
  }
  return ndm_complex(ndm_times(ndm_cosh_f64(z.re), turn.re),
                     ndm_times(ndm_sinh_f64(z.re), turn.im));
}

/* (sinh x cosh x + i sin y cos y) / (sinh^2 x + cos^2 y) */
static inline wide_complex ndm_tanh_complex(wide_complex z) {
  if (fabs(z.re) == (double)INFINITY && !ndm_is_finite(z.im))
    return ndm_complex(ndm_sign_of(1, z.re), ndm_sign_of(0, z.im));
  const wide_complex turn = ndm_circle(z.im);
  const double wave = turn.re * turn.im;
  if (fabs(z.re) > 22 && ndm_is_finite(z.im))
    return ndm_complex(ndm_sign_of(1, z.re), 4 * wave * ndm_exp_f64(-2 * fabs(z.re)));
  const double s = ndm_sinh_f64(z.re), c = ndm_cosh_f64(z.re), below = s * s + turn.re * turn.re;
  const double re = s == 0 ? s : s * c / below;
  return ndm_complex(re, turn.im == 0 ? turn.im : wave / below);
}

static inline wide_complex ndm_sin_complex(wide_complex z) {
  return ndm_swap(ndm_sinh_complex(ndm_swap(z)));
}

static inline wide_complex ndm_cos_complex(wide_complex z) {
  return ndm_cosh_complex(ndm_complex(-z.im, z.re));
}

static inline wide_complex ndm_tan_complex(wide_complex z) {
  return ndm_swap(ndm_tanh_complex(ndm_swap(z)));
}

/* {=== length ===} */

/* A power of two that brings the larger of both near 1; 1 where both are in the middle, 0, or not
 * finite. */
static inline int ndm_exponent_of(double x, double y) {
  const double most = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
  if (!(most > 0x1p400 || most < 0x1p-400) || most == 0 || !ndm_is_finite(most)) return 0;
  return most > 1 ? 700 : -700;
}

/* |x + iy| 2^-k, with the k above: an infinite part gives infinity, even if the other is NaN. */
static inline double ndm_length(double x, double y, int k) {
  if (fabs(x) == (double)INFINITY || fabs(y) == (double)INFINITY) return (double)INFINITY;
  const double by = ndm_power_of_two(-k), a = x * by, b = y * by;
  const ndm_pair aa = ndm_product(a, a), bb = ndm_product(b, b);
  const bool is_a = aa.hi > bb.hi;
  const ndm_pair sum = is_a ? ndm_quick_sum(aa.hi, bb.hi) : ndm_quick_sum(bb.hi, aa.hi);
  return sqrt(sum.hi + (sum.lo + (aa.lo + bb.lo)));
}

/* z / |z|, or 0; of one infinite part its sign, of two NaN */
static inline wide_complex ndm_sign_complex(wide_complex z) {
  const bool is_far = fabs(z.re) == (double)INFINITY, is_high = fabs(z.im) == (double)INFINITY;
  if (z.re == 0 && z.im == 0) return ndm_complex(0, 0);
  if (is_far != is_high)
    return is_far ? ndm_complex(ndm_sign_of(1, z.re), 0) : ndm_complex(0, ndm_sign_of(1, z.im));
  const int k = ndm_exponent_of(z.re, z.im);
  const double length = ndm_length(z.re, z.im, k);
  /* a small part grows before the division, and shrinks behind it: so it is rounded once */
  const double up = k < 0 ? ndm_power_of_two(-k) : 1, down = k > 0 ? ndm_power_of_two(-k) : 1;
  return ndm_complex(z.re * up / length * down, z.im * up / length * down);
}

/* {=== logarithms ===} */

/* log(1 + x) of a pair */
static inline double ndm_log1p_pair(ndm_pair x) { return ndm_log1p_f64(x.hi) + x.lo / (1 + x.hi); }

/* log |x + iy|: near 1 by x^2 + y^2 - 1 */
static inline double ndm_log_length(double x, double y) {
  const double a = fabs(x) > fabs(y) ? fabs(x) : fabs(y), b = fabs(x) > fabs(y) ? fabs(y) : fabs(x);
  if (a > 0.5 && a < 2 && b > 0x1p-500) {
    const ndm_pair aa = ndm_product(a, a), bb = ndm_product(b, b), less = ndm_sum(aa.hi, -1);
    const ndm_pair sum = ndm_sum(less.hi, bb.hi), low = ndm_sum(aa.lo, bb.lo);
    const ndm_pair rest = ndm_sum(sum.lo, less.lo), all = ndm_sum(rest.hi, low.hi);
    const ndm_pair near = ndm_sum(sum.hi, all.hi);
    if (near.hi > -0.5) {
      const ndm_pair q = {near.hi, near.lo + (all.lo + (rest.lo + low.lo))};
      return 0.5 * ndm_log1p_pair(q);
    }
  }
  if (b == 0) return ndm_log_f64(a);
  if (a == 1) return 0.5 * b * b;
  const int k = ndm_exponent_of(x, y);
  return ndm_log_f64(ndm_length(x, y, k)) + (double)k * NDM_LN2;
}

static inline wide_complex ndm_log_complex(wide_complex z) {
  return ndm_complex(ndm_log_length(z.re, z.im), ndm_atan2_f64(z.im, z.re));
}

static inline wide_complex ndm_log_by_complex(wide_complex z, double by) {
  const wide_complex v = ndm_log_complex(z);
  return ndm_complex(v.re * by, v.im * by);
}

static inline wide_complex ndm_log2_complex(wide_complex z) {
  return ndm_log_by_complex(z, 0x1.71547652b82fep0);
}

static inline wide_complex ndm_log10_complex(wide_complex z) {
  return ndm_log_by_complex(z, 0x1.bcb7b1526e50ep-2);
}

/* |1 + z|^2 - 1 = 2 x + x^2 + y^2 */
static inline wide_complex ndm_log1p_complex(wide_complex z) {
  const double x = z.re, y = z.im, angle = ndm_atan2_f64(y, 1 + x);
  if (fabs(x) > 1 || fabs(y) > 1 || x != x || y != y)
    return ndm_complex(ndm_log_length(1 + x, y), angle);
  if (fabs(y) < 0x1p-500 && x != -1) {
    const double re = ndm_log1p_f64(x), more = 0.5 * y * y;
    return ndm_complex(more > 0 ? re + more : re, angle); /* -0 stays */
  }
  const ndm_pair xx = ndm_product(x, x), yy = ndm_product(y, y), first = ndm_sum(2 * x, yy.hi);
  const ndm_pair sum = ndm_sum(first.hi, xx.hi), low = ndm_sum(xx.lo, yy.lo);
  const ndm_pair rest = ndm_sum(sum.lo, first.lo), all = ndm_sum(rest.hi, low.hi);
  const ndm_pair near = ndm_sum(sum.hi, all.hi);
  if (near.hi < -0.5) return ndm_complex(ndm_log_length(1 + x, y), angle);
  const ndm_pair q = {near.hi, near.lo + (all.lo + (rest.lo + low.lo))};
  return ndm_complex(0.5 * ndm_log1p_pair(q), angle);
}

/* {=== powers ===} */

/* t = sqrt((|x| + |z|) / 2): (t, y / 2t), or (|y| / 2t, t) */
static inline wide_complex ndm_sqrt_complex(wide_complex z) {
  const double x = z.re, y = z.im;
  if (fabs(y) == (double)INFINITY) return ndm_complex((double)INFINITY, y);
  if (x == 0 && y == 0) return ndm_complex(0, y);
  if (fabs(x) == (double)INFINITY) {
    const double other = y != y ? y : ndm_sign_of(0, y);
    return x > 0 ? ndm_complex(x, other)
                 : ndm_complex(fabs(other), ndm_sign_of((double)INFINITY, y));
  }
  const int k = ndm_exponent_of(x, y);
  const double by = ndm_power_of_two(-k), back = ndm_power_of_two(k / 2);
  const double t = sqrt(0.5 * (fabs(x) * by + ndm_length(x, y, k)));
  const double large = t * back, small = fabs(y) / (2 * large);
  return x >= 0 ? ndm_complex(large, ndm_sign_of(small, y))
                : ndm_complex(small, ndm_sign_of(large, y));
}

static inline wide_complex ndm_product_complex(wide_complex a, wide_complex b) {
  return ndm_complex(ND_PRODUCT(a.re, b.re) - ND_PRODUCT(a.im, b.im),
                     ND_PRODUCT(a.re, b.im) + ND_PRODUCT(a.im, b.re));
}

/* z^n, n >= 1: exact where the products are */
static inline wide_complex ndm_whole_power(wide_complex z, int n) {
  wide_complex v = z;
  bool is_begun = false;
  for (;; n /= 2, z = ndm_product_complex(z, z)) {
    if (n % 2 == 1) v = is_begun ? ndm_product_complex(v, z) : z, is_begun = true;
    if (n <= 1) return v;
  }
}

/* 1 / z */
static inline wide_complex ndm_inverse_complex(wide_complex z) {
  const double x = z.re, y = z.im;
  const int k = ndm_exponent_of(x, y);
  const double by = ndm_power_of_two(-k), a = x * by, b = y * by;
  const bool is_wide = fabs(a) >= fabs(b);
  const double ratio = is_wide ? b / a : a / b, below = is_wide ? a + b * ratio : a * ratio + b;
  return is_wide ? ndm_complex(by / below, -ratio / below * by)
                 : ndm_complex(ratio / below * by, -by / below);
}

/* z^n of finite z, not 0, where products of it would leave the range: (z 2^-k)^n 2^(k n) with the
 * larger part of z 2^-k in [1, 2). The smaller one is lost below 2^-1074 of it. */
static inline wide_complex ndm_scaled_power(wide_complex z, int n) {
  const int far = ndm_exponent_of(z.re, z.im);
  const double by = ndm_power_of_two(-far), x = fabs(z.re) * by, y = fabs(z.im) * by;
  const int k = far + (int)(ndm_bits_f64(x > y ? x : y) >> 52) - 1023;
  const wide_complex v = ndm_whole_power(ndm_scaled(z, -k), n < 0 ? -n : n);
  return ndm_scaled(n < 0 ? ndm_inverse_complex(v) : v, k * n);
}

/* z^n of infinite z or NaN, n >= 1: on an axis infinity stays on one. */
static inline wide_complex ndm_infinite_power(wide_complex z, int n) {
  if ((z.re != 0 && z.im != 0) || z.re != z.re || z.im != z.im) return ndm_whole_power(z, n);
  const double re = z.re == 0 ? z.re : ndm_sign_of(1, z.re);
  const double im = z.im == 0 ? z.im : ndm_sign_of(1, z.im);
  const wide_complex v = ndm_whole_power(ndm_complex(re, im), n);
  return ndm_complex(ndm_times(v.re, (double)INFINITY), ndm_times(v.im, (double)INFINITY));
}

/* z^n of whole n, not 0 */
static inline wide_complex ndm_integer_power(wide_complex z, int n) {
  const wide_complex v = ndm_whole_power(z, n < 0 ? -n : n);
  const double size = fabs(v.re) + fabs(v.im);
  if (size > 0x1p-960 && size < (double)INFINITY) return n > 0 ? v : ndm_inverse_complex(v);
  const bool is_finite = ndm_is_finite(z.re) && ndm_is_finite(z.im);
  return is_finite ? ndm_scaled_power(z, n) : ndm_infinite_power(z, n);
}

/* w log z; a part of w that is 0 has no share in it, even if the logarithm is infinite. */
static inline wide_complex ndm_exponent_complex(wide_complex z, wide_complex w) {
  const wide_complex l = ndm_log_complex(z);
  const double x = ndm_times(w.re, l.re), y = ndm_times(w.re, l.im);
  if (w.im == 0) return ndm_complex(x, y);
  if (w.re == 0) return ndm_complex(-ndm_times(w.im, l.im), ndm_times(w.im, l.re));
  return ndm_complex(x - ndm_times(w.im, l.im), y + ndm_times(w.im, l.re));
}

/* z^w = e^(w log z); of small whole w by products. 0^w is 0 where w has a positive real part. */
static inline wide_complex ndm_pow_complex(wide_complex z, wide_complex w) {
  if (w.re == 0 && w.im == 0) return ndm_complex(1, 0);
  if (z.re == 0 && z.im == 0) {
    const double v = w.re > 0 ? 0 : (double)NAN;
    return ndm_complex(v, v);
  }
  if (w.im == 0 && fabs(w.re) <= 100 && w.re == floor(w.re)) {
    const bool is_finite = ndm_is_finite(z.re) && ndm_is_finite(z.im);
    /* one over infinity is 0 by the logarithm, and NaN by products */
    if (is_finite || w.re > 0) return ndm_integer_power(z, (int)w.re);
  }
  return ndm_exp_complex(ndm_exponent_complex(z, w));
}

#endif
