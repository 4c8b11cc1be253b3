/* Convolutions: what the body of convolve.inc is written with, and their table. */
#include "kern/convolve.h"

#include "kern/level.h"
#include "kern/words.h"

/* Number i of x, and that of w, as they are multiplied. */
#define NUMBER(name, lane, compute)                              \
  static inline compute number_##name(const char *x, size_t i) { \
    lane v;                                                      \
    memcpy(&v, x + i * sizeof v, sizeof v);                      \
    return v;                                                    \
  }
#define FACTOR(name, compute) \
  static inline compute factor_##name(const char *w, size_t i) { return number_##name(w, i); }

/* {=== real numbers ===} */

#define NUMBERS 1
#define SUMS 1
#define VECTORS 8
#define RESULT(v, of, e) (v)[0] = (of)[0][e]
#define PLUS(sum, w, x) ((sum) + (w) * (x))

#define DTYPE _f32
#define LANE float
#define COMPUTE float
NUMBER(f32, LANE, COMPUTE)
FACTOR(f32, COMPUTE)
#include "kern/convolve.inc"
#undef DTYPE
#undef LANE
#undef COMPUTE

#define DTYPE _f64
#define LANE double
#define COMPUTE double
NUMBER(f64, LANE, COMPUTE)
FACTOR(f64, COMPUTE)
#include "kern/convolve.inc"
#undef DTYPE
#undef LANE
#undef COMPUTE

/* Integers of either sign: it makes no difference to the bits of sums and products. */
#define DTYPE _u8
#define LANE uint8_t
#define COMPUTE uint32_t
NUMBER(u8, LANE, COMPUTE)
FACTOR(u8, COMPUTE)
#include "kern/convolve.inc"
#undef DTYPE
#undef LANE

#define DTYPE _u16
#define LANE uint16_t
NUMBER(u16, LANE, COMPUTE)
FACTOR(u16, COMPUTE)
#include "kern/convolve.inc"
#undef DTYPE
#undef LANE

#define DTYPE _u32
#define LANE uint32_t
NUMBER(u32, LANE, COMPUTE)
FACTOR(u32, COMPUTE)
#include "kern/convolve.inc"
#undef DTYPE
#undef LANE
#undef COMPUTE

#define DTYPE _u64
#define LANE uint64_t
#define COMPUTE uint64_t
NUMBER(u64, LANE, COMPUTE)
FACTOR(u64, COMPUTE)
#include "kern/convolve.inc"
#undef DTYPE
#undef LANE
#undef COMPUTE
#undef PLUS
#undef RESULT

/* {=== bools ===} which may be stored as any byte; factors are all bits or none */

#define RESULT(v, of, e) (v)[0] = (of)[0][e] != 0
#define PLUS(sum, w, x) ((sum) | ((w) & (x)))
#define DTYPE _bool
#define LANE uint8_t
#define COMPUTE uint32_t
NUMBER(bool, LANE, COMPUTE)
static inline uint32_t factor_bool(const char *w, size_t i) { return w[i] ? 0xff : 0; }
#include "kern/convolve.inc"
#undef DTYPE
#undef LANE
#undef COMPUTE
#undef PLUS
#undef RESULT
#undef NUMBERS
#undef SUMS
#undef VECTORS

/* {=== complex numbers ===} The sums with the real parts of w, and with the imaginary ones. */

#define NUMBERS 2
#define SUMS 2
#define VECTORS 4
#define RESULT(v, of, e) \
  (v)[0] = (of)[0][2 * (e)] - (of)[1][2 * (e) + 1], (v)[1] = (of)[0][2 * (e) + 1] + (of)[1][2 * (e)]
#define PLUS(sum, w, x) ((sum) + ND_PRODUCT(w, x))

#define DTYPE _c64
#define LANE float
#define COMPUTE float
NUMBER(c64, LANE, COMPUTE)
FACTOR(c64, COMPUTE)
#include "kern/convolve.inc"
#undef DTYPE
#undef LANE
#undef COMPUTE

#define DTYPE _c128
#define LANE double
#define COMPUTE double
NUMBER(c128, LANE, COMPUTE)
FACTOR(c128, COMPUTE)
#include "kern/convolve.inc"
#undef DTYPE
#undef LANE
#undef COMPUTE

/* {=== the table ===} */

static ndi_convolve *find(nd_dtype dtype) {
  const size_t bytes = nd_dtype_get(dtype)->bytes;
  switch (nd_dtype_get(dtype)->kind) {
    case ND_KIND_BOOL: return convolve_bool;
    case ND_KIND_INT:
    case ND_KIND_UINT:
      return bytes == 1   ? convolve_u8
             : bytes == 2 ? convolve_u16
             : bytes == 4 ? convolve_u32
                          : convolve_u64;
    case ND_KIND_FLOAT:
      return dtype == ND_F32 ? convolve_f32 : dtype == ND_F64 ? convolve_f64 : NULL;
    case ND_KIND_COMPLEX: return dtype == ND_C64 ? convolve_c64 : convolve_c128;
  }
  return NULL;
}

/* {=== spectra ===} */

#define SPECTRA(name, lane)                                               \
  static void multiply_##name(size_t n, char *z, const char *w) {         \
    for (size_t i = 0; i < n; i++) {                                      \
      lane a[2], b[2];                                                    \
      memcpy(a, z + i * sizeof a, sizeof a);                              \
      memcpy(b, w + i * sizeof b, sizeof b);                              \
      const lane v[] = {ND_PRODUCT(a[0], b[0]) - ND_PRODUCT(a[1], b[1]),  \
                        ND_PRODUCT(a[0], b[1]) + ND_PRODUCT(a[1], b[0])}; \
      memcpy(z + i * sizeof v, v, sizeof v);                              \
    }                                                                     \
  }
SPECTRA(c64, float)
SPECTRA(c128, double)

static void multiply(nd_dtype dtype, size_t n, char *z, const char *w) {
  if (dtype == ND_C64) multiply_c64(n, z, w);
  else multiply_c128(n, z, w);
}

#define FINITE(name, lane)                                \
  static bool is_finite_##name(size_t n, const char *x) { \
    uint32_t is_other = 0;                                \
    for (size_t i = 0; i < n; i++) {                      \
      lane v;                                             \
      memcpy(&v, x + i * sizeof v, sizeof v);             \
      is_other |= v - v != 0;                             \
    }                                                     \
    return !is_other;                                     \
  }
FINITE(f32, float)
FINITE(f64, double)

static bool is_finite(nd_dtype dtype, size_t n, const char *x) {
  const nd_dtype part = nd_dtype_part(dtype);
  const size_t numbers = part == dtype ? n : 2 * n;
  return part == ND_F32 ? is_finite_f32(numbers, x) : is_finite_f64(numbers, x);
}

ND_LEVELED(bool, ndi_is_finite, is_finite, (nd_dtype dtype, size_t n, const char *x), (dtype, n, x))
ND_LEVELED(ndi_convolve *, ndi_convolve_find, find, (nd_dtype dtype), (dtype))
ND_LEVELED(void, ndi_multiply_spectra, multiply, (nd_dtype dtype, size_t n, char *z, const char *w),
           (dtype, n, z, w))
