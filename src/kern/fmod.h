/* fmod: x - trunc(x / y) y, which is exact. Quotients below 2^52 are rounded, and may be 1 too
 * large: then y is added again. What lies beyond, and the ends of the range, is left to the C
 * library. */
#ifndef ND_KERN_FMOD_H
#define ND_KERN_FMOD_H

#include "kern/pairs.h"

static inline double ndm_fmod_f64(double x, double y) {
  const double a = fabs(x), b = fabs(y);
  if (a < b) return x;
  if (!(a < 0x1p1000 && a < b * 0x1p52)) return fmod(x, y);
  const ndm_pair product = ndm_product(trunc(a / b), b);
  const double rest = (a - product.hi) - product.lo;
  return copysign(rest < 0 ? rest + b : rest, x);
}

/* In f64, quotients below 2^29 do not round up to a whole number, and their products are exact. */
static inline float ndm_fmod_f32(float x, float y) {
  const double a = fabs((double)x), b = fabs((double)y);
  if (a < b) return x;
  if (!(a < b * 0x1p29)) return fmodf(x, y);
  return copysignf((float)(a - trunc(a / b) * b), x);
}

#endif
