/* One exact representation for values of all dtypes, so that values of any two can be compared:
 * neither i64 nor u64 fits into a double, nor they into each other. */
#ifndef ND_BASE_EXACT_H
#define ND_BASE_EXACT_H

#include "base/dtype.h"

/* The real part is the exact sum hi + lo, where hi is the nearest double, and lo the rounding
 * error: 0 except for integers beyond 2^53. Rounding is monotonic, so numbers are ordered by hi,
 * and by lo where hi is equal. NaN and infinities are in hi. */
typedef struct {
  double hi, lo, im;
} nd_exact;

/* The sum of the halves of a 64-bit integer, which are exact as doubles. Its rounding error is a
 * double as well (Fast2Sum: Dekker, "A floating-point technique for extending the available
 * precision", 1971), for 'upper' is 0 or at least as large as 'lower'. */
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

/* The element of 'dtype' at 'at', which may be misaligned. */
nd_exact nd_exact_get(nd_dtype dtype, const void *at);

/* Compares the real parts only: complex numbers have no order. False where one is NaN. */
static inline bool ndi_exact_lt(nd_exact a, nd_exact b) {
  return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

static inline bool ndi_exact_eq(nd_exact a, nd_exact b) {
  return a.hi == b.hi && a.lo == b.lo && a.im == b.im;
}

#endif
