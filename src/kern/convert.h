/* Conversion of one value: from each class of dtype (its wide type) to each dtype, and whether it
 * fits. */
#ifndef ND_KERN_CONVERT_H
#define ND_KERN_CONVERT_H

#include <math.h>

#include "kern/words.h"

/* To an integer dtype of the range lo..hi. The results are bit patterns, of which the dtype takes
 * the lower bits. */

static inline uint64_t saturate_int(int64_t x, int64_t lo, uint64_t hi) {
  if (x < 0) return (uint64_t)(x < lo ? lo : x);
  return (uint64_t)x > hi ? hi : (uint64_t)x;
}

static inline uint64_t saturate_uint(uint64_t x, int64_t lo, uint64_t hi) {
  (void)lo;
  return x > hi ? hi : x;
}

/* 2^n of an 'hi' that is 2^n - 1: exact where (double)hi is not. */
static inline double past(uint64_t hi) { return 2 * (double)((hi >> 1) + 1); }

static inline uint64_t saturate_float(double x, int64_t lo, uint64_t hi) {
  if (isnan(x)) return 0;
  if (x <= (double)lo) return (uint64_t)lo;
  if (x >= past(hi)) return hi;
  return x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x;
}

static inline uint64_t wrap_int(int64_t x) { return (uint64_t)x; }

static inline uint64_t wrap_uint(uint64_t x) { return x; }

static inline uint64_t wrap_float(double x) {
  if (!isfinite(x)) return 0;
  const double rest = fmod(x, 0x1p64); /* exact; every 2^n divides 2^64 */
  return rest < 0 ? 0 - (uint64_t)-rest : (uint64_t)rest;
}

static inline bool fits_range_int(int64_t x, int64_t lo, uint64_t hi) {
  return x < 0 ? x >= lo : (uint64_t)x <= hi;
}

static inline bool fits_range_uint(uint64_t x, int64_t lo, uint64_t hi) {
  (void)lo;
  return x <= hi;
}

static inline bool fits_range_float(double x, int64_t lo, uint64_t hi) {
  return x >= (double)lo && x < past(hi) && x == trunc(x);
}

/* ORDER DTYPE: the integers: id, name, range. */
#define ND_INTEGER_DTYPES(X)        \
  X(I8, i8, INT8_MIN, INT8_MAX)     \
  X(U8, u8, 0, UINT8_MAX)           \
  X(I16, i16, INT16_MIN, INT16_MAX) \
  X(U16, u16, 0, UINT16_MAX)        \
  X(I32, i32, INT32_MIN, INT32_MAX) \
  X(U32, u32, 0, UINT32_MAX)        \
  X(I64, i64, INT64_MIN, INT64_MAX) \
  X(U64, u64, 0, UINT64_MAX)

#define ND_FROM(name, class, lo, hi)                                 \
  static inline void put_##name##_##class(char *z, wide_##class x) { \
    set_##name(z, (type_##name)saturate_##class(x, lo, hi));         \
  }                                                                  \
  static inline bool fits_##name##_##class(wide_##class x) { return fits_range_##class(x, lo, hi); }
#define ND_ROW(ID, name, lo, hi) \
  ND_FROM(name, int, lo, hi) ND_FROM(name, uint, lo, hi) ND_FROM(name, float, lo, hi)
ND_INTEGER_DTYPES(ND_ROW)
#undef ND_ROW
#undef ND_FROM

#define ND_FROM(name, class)                                              \
  static inline void put_##name##_wrap_##class(char *z, wide_##class x) { \
    set_##name(z, (type_##name)wrap_##class(x));                          \
  }
#define ND_ROW(ID, name, lo, hi) ND_FROM(name, int) ND_FROM(name, uint) ND_FROM(name, float)
ND_INTEGER_DTYPES(ND_ROW)
#undef ND_ROW
#undef ND_FROM

/* To bool. */

static inline void put_bool_int(char *z, int64_t x) { *z = x != 0; }
static inline void put_bool_uint(char *z, uint64_t x) { *z = x != 0; }
static inline void put_bool_float(char *z, double x) { *z = x != 0; }

static inline bool fits_bool_int(int64_t x) { return x == 0 || x == 1; }
static inline bool fits_bool_uint(uint64_t x) { return x <= 1; }
static inline bool fits_bool_float(double x) { return x == 0 || x == 1; }

/* To a float: one rounding from each class. */

static inline void put_f32_int(char *z, int64_t x) { set_f32(z, (float)x); }
static inline void put_f32_uint(char *z, uint64_t x) { set_f32(z, (float)x); }
static inline void put_f32_float(char *z, double x) { set_f32(z, (float)x); }

static inline void put_f64_int(char *z, int64_t x) { set_f64(z, (double)x); }
static inline void put_f64_uint(char *z, uint64_t x) { set_f64(z, (double)x); }
static inline void put_f64_float(char *z, double x) { set_f64(z, x); }

#define ND_FROM(name, class, as_double)                              \
  static inline void put_##name##_##class(char *z, wide_##class x) { \
    set_##name(z, ndi_f64_to_##name(as_double(x)));                  \
  }
#define ND_ROW(name)                      \
  ND_FROM(name, int, ndi_i64_to_odd_f64)  \
  ND_FROM(name, uint, ndi_u64_to_odd_f64) \
  ND_FROM(name, float, )
ND_SMALL_FLOATS(ND_ROW)
#undef ND_ROW
#undef ND_FROM

/* The least magnitude that overflows: name, limit. */
#define ND_IEEE_LIMITS(X) \
  X(f16, 65520.0)         \
  X(bf16, 0x1.ffp127)     \
  X(f32, 0x1.ffffffp127)  \
  X(f64, INFINITY)        \
  X(f8e5m2, 61440.0)

/* f8e4m3 has an even largest code, so that its tie, 464, still rounds to 448. */
#define ND_F8E4M3_LIMIT 0x1.d000000000001p8

static inline bool fits_below(double x, double limit) { return !(fabs(x) >= limit); }

/* (double) rounds integers far above the small limits, and never to a large one. */
#define ND_FROM(name, limit)                                                               \
  static inline bool fits_##name##_int(int64_t x) { return fits_below((double)x, limit); } \
  static inline bool fits_##name##_uint(uint64_t x) { return fits_below((double)x, limit); }
#define ND_ROW(name, limit) \
  ND_FROM(name, limit)      \
  static inline bool fits_##name##_float(double x) { return fits_below(x, limit) || isinf(x); }
ND_IEEE_LIMITS(ND_ROW)
ND_FROM(f8e4m3, ND_F8E4M3_LIMIT)
#undef ND_ROW
#undef ND_FROM

static inline bool fits_f8e4m3_float(double x) { return fits_below(x, ND_F8E4M3_LIMIT); }

/* To complex, by parts. */

#define ND_FROM(name, part, class)                                   \
  static inline void put_##name##_##class(char *z, wide_##class x) { \
    put_##part##_##class(z, x);                                      \
    set_##part(z + sizeof(type_##part), 0);                          \
  }                                                                  \
  static inline bool fits_##name##_##class(wide_##class x) { return fits_##part##_##class(x); }
#define ND_ROW(name, part) \
  ND_FROM(name, part, int) ND_FROM(name, part, uint) ND_FROM(name, part, float)
ND_ROW(c64, f32)
ND_ROW(c128, f64)
#undef ND_ROW
#undef ND_FROM

static inline void put_c64_complex(char *z, wide_complex x) {
  put_f32_float(z, x.re);
  put_f32_float(z + sizeof(float), x.im);
}

static inline void put_c128_complex(char *z, wide_complex x) {
  put_f64_float(z, x.re);
  put_f64_float(z + sizeof(double), x.im);
}

static inline bool fits_c64_complex(wide_complex x) {
  return fits_f32_float(x.re) && fits_f32_float(x.im);
}

static inline bool fits_c128_complex(wide_complex x) {
  return fits_f64_float(x.re) && fits_f64_float(x.im);
}

#endif
