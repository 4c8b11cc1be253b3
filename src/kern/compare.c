/* What "close" means for each class of dtypes, and the tables of comparing kernels. */
#include "kern/compare.h"

#include <math.h>

#include "kern/words.h"

static inline bool is_close_uint(uint64_t x, uint64_t y, double rtol, double atol) {
  const uint64_t gap = x > y ? x - y : y - x;
  return gap == 0 || (double)gap <= atol + rtol * (double)y;
}

static inline bool is_close_int(int64_t x, int64_t y, double rtol, double atol) {
  const uint64_t gap = x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
  return gap == 0 || (double)gap <= atol + rtol * fabs((double)y);
}

static inline bool is_close_float(double x, double y, double rtol, double atol) {
  if (x == y) return true; /* infinities too */
  return isfinite(x) && isfinite(y) && fabs(x - y) <= atol + rtol * fabs(y);
}

static inline bool is_finite(wide_complex x) { return isfinite(x.re) && isfinite(x.im); }

static inline bool is_close_complex(wide_complex x, wide_complex y, double rtol, double atol) {
  if (x.re == y.re && x.im == y.im) return true;
  if (!is_finite(x) || !is_finite(y)) return false;
  return hypot(x.re - y.re, x.im - y.im) <= atol + rtol * hypot(y.re, y.im);
}

#define IS_CLOSE ND_CAT(is_close, CLASS)
#define BODY "kern/compare.inc"
#include "kern/made/each_dtype.h"

ndi_equal_kernel *ndi_equal_find(nd_dtype dtype) {
#define ND_ROW(ID, name, ...) [ND_##ID] = equal_##name,
  static ndi_equal_kernel *const equals[] = {ND_DTYPES(ND_ROW)};
#undef ND_ROW
  return equals[dtype];
}

ndi_close_kernel *ndi_close_find(nd_dtype dtype) {
#define ND_ROW(ID, name, ...) [ND_##ID] = close_##name,
  static ndi_close_kernel *const closes[] = {ND_DTYPES(ND_ROW)};
#undef ND_ROW
  return closes[dtype];
}
