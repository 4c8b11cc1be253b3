/* Conversion of one value to each dtype, and whether it fits. */
#ifndef ND_KERN_CONVERT_H
#define ND_KERN_CONVERT_H

#include <math.h>

#include "kern/words.h"

/* What a value is converted from ("near" types): dtypes of 8 and 16 bits and bool come as int32_t
 * (i16), the small floats as float. Nothing is rounded on the way. */
#define ND_NEARS(X) \
  X(i16, int32_t)   \
  X(i32, int32_t)   \
  X(u32, uint32_t)  \
  X(i64, int64_t)   \
  X(u64, uint64_t)  \
  X(f32, float)     \
  X(f64, double)

/* ORDER DTYPE: the near type of each. */
#define ND_NEAR_bool _i16
#define ND_NEAR_i8 _i16
#define ND_NEAR_u8 _i16
#define ND_NEAR_i16 _i16
#define ND_NEAR_u16 _i16
#define ND_NEAR_i32 _i32
#define ND_NEAR_u32 _u32
#define ND_NEAR_i64 _i64
#define ND_NEAR_u64 _u64
#define ND_NEAR_f16 _f32
#define ND_NEAR_bf16 _f32
#define ND_NEAR_f8e4m3 _f32
#define ND_NEAR_f8e5m2 _f32
#define ND_NEAR_f32 _f32
#define ND_NEAR_f64 _f64
#define ND_NEAR_c64 _complex
#define ND_NEAR_c128 _complex

#define ND_ROW(name) \
  static inline int32_t near_##name(const char *p) { return (int32_t)raw_##name(p); }
ND_ROW(i8)
ND_ROW(u8)
ND_ROW(i16)
ND_ROW(u16)
ND_ROW(i32)
#undef ND_ROW
static inline int32_t near_bool(const char *p) { return *p != 0; }
static inline uint32_t near_u32(const char *p) { return raw_u32(p); }
static inline int64_t near_i64(const char *p) { return raw_i64(p); }
static inline uint64_t near_u64(const char *p) { return raw_u64(p); }
static inline float near_f32(const char *p) { return raw_f32(p); }
static inline double near_f64(const char *p) { return raw_f64(p); }
static inline wide_complex near_c64(const char *p) { return get_c64(p); }
static inline wide_complex near_c128(const char *p) { return get_c128(p); }
#define ND_ROW(name) \
  static inline float near_##name(const char *p) { return load_##name(p); }
ND_SMALL_FLOATS(ND_ROW)
#undef ND_ROW

/* To an integer dtype of the range lo … hi, which are constants: at most 32 bits, or 64. Results
 * are bit patterns, of which the dtype takes the lower bits. Selects, no branches, so that loops
 * vectorise; comparisons are false for NaN. */

static inline int32_t saturate32_i32(int32_t x, int64_t lo, int64_t hi) {
  const int32_t least = (int32_t)lo, most = hi > INT32_MAX ? INT32_MAX : (int32_t)hi;
  x = x < least ? least : x;
  return x > most ? most : x;
}

static inline int32_t saturate32_i16(int32_t x, int64_t lo, int64_t hi) {
  return saturate32_i32(x, lo, hi);
}

static inline uint32_t saturate32_u32(uint32_t x, int64_t lo, int64_t hi) {
  (void)lo;
  return x > (uint32_t)hi ? (uint32_t)hi : x;
}

static inline int32_t saturate32_i64(int64_t x, int64_t lo, int64_t hi) {
  x = x < lo ? lo : x;
  return (int32_t)(x > hi ? hi : x);
}

static inline uint32_t saturate32_u64(uint64_t x, int64_t lo, int64_t hi) {
  (void)lo;
  return (uint32_t)(x > (uint64_t)hi ? (uint64_t)hi : x);
}

/* 0 … 2^32 by the conversion to a signed integer, which is what processors have. */
static inline int32_t unsigned_f64(double x) {
  const bool is_upper = x >= 0x1p31;
  const int32_t low = (int32_t)(is_upper ? x - 0x1p31 : x);
  return is_upper ? low ^ INT32_MIN : low;
}

static inline int32_t saturate32_f64(double x, int64_t lo, int64_t hi) {
  double c = x < (double)hi ? x : (double)hi;
  c = c > (double)lo ? c : (double)lo;
  c = x == x ? c : 0;
  return hi == UINT32_MAX ? unsigned_f64(c) : (int32_t)c;
}

/* Floats below 2^31 and 2^32 end at 2^31 - 2^7 and 2^32 - 2^8. */
static inline int32_t saturate32_f32(float x, int64_t lo, int64_t hi) {
  const float most = hi > INT32_MAX ? 0x1.fffffep31f : hi > UINT16_MAX ? 0x1.fffffep30f : (float)hi;
  float c = x < most ? x : most;
  c = c > (float)lo ? c : (float)lo;
  c = x == x ? c : 0;
  if (hi > INT32_MAX) {
    const bool is_upper = c >= 0x1p31f;
    const int32_t low = (int32_t)(is_upper ? c - 0x1p31f : c);
    return x > most ? -1 : is_upper ? low ^ INT32_MIN : low;
  }
  const int32_t whole = (int32_t)c;
  return hi > UINT16_MAX && x > most ? INT32_MAX : whole;
}

static inline uint64_t saturate64_i64(int64_t x, int64_t lo, uint64_t hi) {
  (void)hi;
  return (uint64_t)(x < lo ? lo : x);
}

static inline uint64_t saturate64_u64(uint64_t x, int64_t lo, uint64_t hi) {
  (void)lo;
  return x > hi ? hi : x;
}

static inline uint64_t saturate64_i16(int32_t x, int64_t lo, uint64_t hi) {
  return saturate64_i64(x, lo, hi);
}

static inline uint64_t saturate64_i32(int32_t x, int64_t lo, uint64_t hi) {
  return saturate64_i64(x, lo, hi);
}

static inline uint64_t saturate64_u32(uint32_t x, int64_t lo, uint64_t hi) {
  (void)lo, (void)hi;
  return x;
}

/* 2^n of an 'hi' that is 2^n - 1: exact where (double)hi is not. */
static inline double past(uint64_t hi) { return 2 * (double)((hi >> 1) + 1); }

static inline uint64_t saturate64_f64(double x, int64_t lo, uint64_t hi) {
  if (isnan(x)) return 0;
  if (x <= (double)lo) return (uint64_t)lo;
  if (x >= past(hi)) return hi;
  return x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x;
}

static inline uint64_t saturate64_f32(float x, int64_t lo, uint64_t hi) {
  return saturate64_f64((double)x, lo, hi);
}

static inline uint64_t wrap_i16(int32_t x) { return (uint64_t)x; }
static inline uint64_t wrap_i32(int32_t x) { return (uint64_t)x; }
static inline uint64_t wrap_u32(uint32_t x) { return x; }
static inline uint64_t wrap_i64(int64_t x) { return (uint64_t)x; }
static inline uint64_t wrap_u64(uint64_t x) { return x; }

static inline uint64_t wrap_f64(double x) {
  if (!isfinite(x)) return 0;
  const double rest = fmod(x, 0x1p64); /* exact; every 2^n divides 2^64 */
  return rest < 0 ? 0 - (uint64_t)-rest : (uint64_t)rest;
}

static inline uint64_t wrap_f32(float x) { return wrap_f64((double)x); }

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

/* ORDER DTYPE: the integers: id, name, bits at least 32, range. */
#define ND_INTEGER_DTYPES(X)            \
  X(I8, i8, 32, INT8_MIN, INT8_MAX)     \
  X(U8, u8, 32, 0, UINT8_MAX)           \
  X(I16, i16, 32, INT16_MIN, INT16_MAX) \
  X(U16, u16, 32, 0, UINT16_MAX)        \
  X(I32, i32, 32, INT32_MIN, INT32_MAX) \
  X(U32, u32, 32, 0, UINT32_MAX)        \
  X(I64, i64, 64, INT64_MIN, INT64_MAX) \
  X(U64, u64, 64, 0, UINT64_MAX)

#define ND_ROW(ID, name, ...) typedef type_##name type_##name##_wrap;
ND_INTEGER_DTYPES(ND_ROW)
#undef ND_ROW

/* C has no list of lists: the rows of ND_NEARS by hand, for one target. */
#define ND_TO_INTEGER(name, bits, lo, hi, near, type)               \
  static inline void put_##name##_##near(char *z, type x) {         \
    set_##name(z, (type_##name)saturate##bits##_##near(x, lo, hi)); \
  }                                                                 \
  static inline void put_##name##_wrap_##near(char *z, type x) {    \
    set_##name(z, (type_##name)wrap_##near(x));                     \
  }
#define ND_ROW(ID, name, bits, lo, hi)             \
  ND_TO_INTEGER(name, bits, lo, hi, i16, int32_t)  \
  ND_TO_INTEGER(name, bits, lo, hi, i32, int32_t)  \
  ND_TO_INTEGER(name, bits, lo, hi, u32, uint32_t) \
  ND_TO_INTEGER(name, bits, lo, hi, i64, int64_t)  \
  ND_TO_INTEGER(name, bits, lo, hi, u64, uint64_t) \
  ND_TO_INTEGER(name, bits, lo, hi, f32, float) ND_TO_INTEGER(name, bits, lo, hi, f64, double)
ND_INTEGER_DTYPES(ND_ROW)
#undef ND_ROW
#undef ND_TO_INTEGER

#define ND_FROM(name, class, lo, hi) \
  static inline bool fits_##name##_##class(wide_##class x) { return fits_range_##class(x, lo, hi); }
#define ND_ROW(ID, name, bits, lo, hi) \
  ND_FROM(name, int, lo, hi) ND_FROM(name, uint, lo, hi) ND_FROM(name, float, lo, hi)
ND_INTEGER_DTYPES(ND_ROW)
#undef ND_ROW
#undef ND_FROM

/* To bool. */

#define ND_ROW(near, type) \
  static inline void put_bool_##near(char *z, type x) { *z = x != 0; }
ND_NEARS(ND_ROW)
#undef ND_ROW

static inline bool fits_bool_int(int64_t x) { return x == 0 || x == 1; }
static inline bool fits_bool_uint(uint64_t x) { return x <= 1; }
static inline bool fits_bool_float(double x) { return x == 0 || x == 1; }

/* To a float: one rounding. Integers of more than 24 bits reach the small floats through a double.
 */

#define ND_ROW(near, type)                                                     \
  static inline void put_f32_##near(char *z, type x) { set_f32(z, (float)x); } \
  static inline void put_f64_##near(char *z, type x) { set_f64(z, (double)x); }
ND_NEARS(ND_ROW)
#undef ND_ROW

#define ND_FROM(name, near, type, by, value) \
  static inline void put_##name##_##near(char *z, type x) { set_##name(z, by(value)); }
#define ND_ROW(name)                                                     \
  ND_FROM(name, i16, int32_t, ndi_f32_to_##name, (float)x)               \
  ND_FROM(name, i32, int32_t, ndi_f64_to_##name, (double)x)              \
  ND_FROM(name, u32, uint32_t, ndi_f64_to_##name, (double)x)             \
  ND_FROM(name, i64, int64_t, ndi_f64_to_##name, ndi_i64_to_odd_f64(x))  \
  ND_FROM(name, u64, uint64_t, ndi_f64_to_##name, ndi_u64_to_odd_f64(x)) \
  ND_FROM(name, f32, float, ndi_f32_to_##name, x)                        \
  ND_FROM(name, f64, double, ndi_f64_to_##name, x)
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

#define ND_FROM(name, part, near, type)                     \
  static inline void put_##name##_##near(char *z, type x) { \
    put_##part##_##near(z, x);                              \
    set_##part(z + sizeof(type_##part), 0);                 \
  }
#define ND_ROW(near, type) ND_FROM(c64, f32, near, type) ND_FROM(c128, f64, near, type)
ND_NEARS(ND_ROW)
#undef ND_ROW
#undef ND_FROM

#define ND_FROM(name, part, class) \
  static inline bool fits_##name##_##class(wide_##class x) { return fits_##part##_##class(x); }
#define ND_ROW(name, part) \
  ND_FROM(name, part, int) ND_FROM(name, part, uint) ND_FROM(name, part, float)
ND_ROW(c64, f32)
ND_ROW(c128, f64)
#undef ND_ROW
#undef ND_FROM

static inline void put_c64_complex(char *z, wide_complex x) {
  put_f32_f64(z, x.re);
  put_f32_f64(z + sizeof(float), x.im);
}

static inline void put_c128_complex(char *z, wide_complex x) {
  put_f64_f64(z, x.re);
  put_f64_f64(z + sizeof(double), x.im);
}

static inline bool fits_c64_complex(wide_complex x) {
  return fits_f32_float(x.re) && fits_f32_float(x.im);
}

static inline bool fits_c128_complex(wide_complex x) {
  return fits_f64_float(x.re) && fits_f64_float(x.im);
}

#endif
