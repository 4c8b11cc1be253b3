/* Values of all dtypes in one form that loses nothing, so that any two can be compared. */
#ifndef ND_BASE_EXACT_H
#define ND_BASE_EXACT_H

#include "base/dtype.h"

/* The real part is hi + lo: hi is the nearest double, lo what is left, which is 0 but for integers
 * past 2^53. Rounding keeps the order, so that the greater hi is the greater number, and of equal
 * ones the greater lo. NaN and infinities are in hi. */
typedef struct {
  double hi, lo, im;
} nd_exact;

/* Both halves of an integer are doubles, and so is what their sum leaves over (Dekker's sum). */
static inline nd_exact ndi_exact_halves(double upper, double lower) {
  const double hi = upper + lower;
  return (nd_exact){.hi = hi, .lo = lower - (hi - upper)};
}

static inline nd_exact ndi_exact_i64(int64_t x) {
  return ndi_exact_halves((double)(int32_t)(x >> 32) * 0x1p32, (double)(uint32_t)x);
}

static inline nd_exact ndi_exact_u64(uint64_t x) {
  return ndi_exact_halves((double)(uint32_t)(x >> 32) * 0x1p32, (double)(uint32_t)x);
}

static inline nd_exact ndi_exact_f64(double x) { return (nd_exact){.hi = x}; }

/* An element of any dtype, at any alignment. */
nd_exact nd_exact_get(nd_dtype dtype, const void *at);

/* Order looks at the real parts only. */
static inline bool ndi_exact_lt(nd_exact a, nd_exact b) {
  return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

static inline bool ndi_exact_eq(nd_exact a, nd_exact b) {
  return a.hi == b.hi && a.lo == b.lo && a.im == b.im;
}

#endif
