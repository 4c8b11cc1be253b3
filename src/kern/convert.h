/* Conversion of a single value to each dtype (put_<to>_<near>), and the test whether it fits
 * (fits_<to>_<class>). cast.inc makes loops of them.
 *
 * N dtypes would need N x N functions. A source is first loaded into one of seven "near" types,
 * which hold its values exactly, so that N x 7 do. */
#ifndef ND_KERN_CONVERT_H
#define ND_KERN_CONVERT_H

#include <math.h>

#include "kern/floats.h"
#include "kern/words.h"

/* The near types: integers of up to 16 bits, and bool, load as int32_t (i16), small floats as
 * float. i16 and i32 differ in what they promise: a float holds every value of i16. */
#define ND_NEARS(X) \
  X(i16, int32_t)   \
  X(i32, int32_t)   \
  X(u32, uint32_t)  \
  X(i64, int64_t)   \
  X(u64, uint64_t)  \
  X(f32, float)     \
  X(f64, double)

/* near_<dtype>(p): the element at p, which need not be aligned, as its near type. */
static inline int32_t near_bool(const char *p) { return *p != 0; }
#define ND_ROW(ID, name, type, compute, near, ...) \
  static inline near near_##name(const char *p) { return (near)raw_##name(p); }
ND_INTEGERS(ND_ROW)
#undef ND_ROW
#define ND_ROW(ID, name, type) \
  static inline type near_##name(const char *p) { return raw_##name(p); }
ND_FLOATS(ND_ROW)
#undef ND_ROW
#define ND_ROW(ID, name, ...) \
  static inline wide_complex near_##name(const char *p) { return get_##name(p); }
ND_COMPLEXES(ND_ROW)
#undef ND_ROW

#define ND_ROW(ID, name, ...) \
  static inline float near_##name(const char *p) { return load_##name(p); }
ND_SMALL_FLOATS(ND_ROW)
#undef ND_ROW

/* To an integer dtype with the range lo … hi, which are compile-time constants; saturate32 for
 * dtypes of at most 32 bits, saturate64 for 64. Results are bit patterns, of which the dtype takes
 * the lower bits. They are written as selects without branches, so that loops vectorise. NaN
 * becomes 0: all comparisons with it are false. */

static inline int32_t saturate32_i32(int32_t x, int64_t lo, int64_t hi) {
  /* to u32: no int32_t is above its range */
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

/* 0 … 2^32 - 1 by the conversion to a signed integer, the only one that processors before AVX-512
 * have. */
static inline int32_t unsigned_f64(double x) {
  const bool is_upper = x >= 0x1p31;
  const int32_t low = (int32_t)(is_upper ? x - 0x1p31 : x);
  return is_upper ? low ^ INT32_MIN : low;
}

static inline int32_t saturate32_f64(double x, int64_t lo, int64_t hi) {
  /* clamped first, as converting what is out of range is undefined; NaN becomes 'hi', then 0 */
  double c = x < (double)hi ? x : (double)hi;
  c = c > (double)lo ? c : (double)lo;
  c = x == x ? c : 0;
  return hi == UINT32_MAX ? unsigned_f64(c) : (int32_t)c;
}

/* The largest floats below 2^31 and 2^32 are 2^31 - 2^7 and 2^32 - 2^8: clamp to those, then
 * replace what was above by the exact limit. */
static inline int32_t saturate32_f32(float x, int64_t lo, int64_t hi) {
  const float most = hi > INT32_MAX ? 0x1.fffffep31f : hi > UINT16_MAX ? 0x1.fffffep30f : (float)hi;
  float c = x < most ? x : most;
  c = c > (float)lo ? c : (float)lo;
  c = x == x ? c : 0;
  if (hi > INT32_MAX) {
    /* to u32: as in unsigned_f64; -1 is the bits of UINT32_MAX */
    const bool is_upper = c >= 0x1p31f;
    const int32_t low = (int32_t)(is_upper ? c - 0x1p31f : c);
    return x > most ? -1 : is_upper ? low ^ INT32_MIN : low;
  }
  const int32_t whole = (int32_t)c;
  return hi > UINT16_MAX && x > most ? INT32_MAX : whole;
}

/* 'hi' is not needed: no int64_t is above the range of i64 or u64. */
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

/* hi + 1 as a double, where hi is 2^n - 1: exact, while (double)hi may not be. */
static inline double past(uint64_t hi) { return 2 * (double)((hi >> 1) + 1); }

static inline uint64_t saturate64_f64(double x, int64_t lo, uint64_t hi) {
  if (isnan(x)) return 0;
  if (x <= (double)lo) return (uint64_t)lo;
  if (x >= past(hi)) return hi;
  /* -1 and less have no defined conversion to an unsigned type */
  return x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x;
}

static inline uint64_t saturate64_f32(float x, int64_t lo, uint64_t hi) {
  return saturate64_f64((double)x, lo, hi);
}

/* Modulo 2^64: the dtype takes the lower bits, as for saturated values. */
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

/* Is x, of the widest type of its class, a whole number in lo … hi? False for NaN. */
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

/* The wrapping conversions have TO as _i8_wrap and the like, from which cast.inc forms the type,
 * too. */
#define ND_ROW(ID, name, ...) typedef type_##name type_##name##_wrap;
ND_INTEGERS(ND_ROW)
#undef ND_ROW

/* The preprocessor cannot expand a list inside a list, so the rows of ND_NEARS are repeated
 * here. */
#define ND_TO_INTEGER(name, bits, lo, hi, near, type)               \
  static inline void put_##name##_##near(char *z, type x) {         \
    set_##name(z, (type_##name)saturate##bits##_##near(x, lo, hi)); \
  }                                                                 \
  static inline void put_##name##_wrap_##near(char *z, type x) {    \
    set_##name(z, (type_##name)wrap_##near(x));                     \
  }
#define ND_ROW(ID, name, type, compute, near, class, bits, lo, hi) \
  ND_TO_INTEGER(name, bits, lo, hi, i16, int32_t)                  \
  ND_TO_INTEGER(name, bits, lo, hi, i32, int32_t)                  \
  ND_TO_INTEGER(name, bits, lo, hi, u32, uint32_t)                 \
  ND_TO_INTEGER(name, bits, lo, hi, i64, int64_t)                  \
  ND_TO_INTEGER(name, bits, lo, hi, u64, uint64_t)                 \
  ND_TO_INTEGER(name, bits, lo, hi, f32, float) ND_TO_INTEGER(name, bits, lo, hi, f64, double)
ND_INTEGERS(ND_ROW)
#undef ND_ROW
#undef ND_TO_INTEGER

#define ND_FROM(name, class, lo, hi) \
  static inline bool fits_##name##_##class(wide_##class x) { return fits_range_##class(x, lo, hi); }
#define ND_ROW(ID, name, type, compute, near, class, bits, lo, hi) \
  ND_FROM(name, int, lo, hi) ND_FROM(name, uint, lo, hi) ND_FROM(name, float, lo, hi)
ND_INTEGERS(ND_ROW)
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

/* To a float, rounding once. Integers of more than 24 bits are not exact as floats, so they reach
 * the small floats through a double; 64-bit integers, which are not exact as doubles, through one
 * that is rounded to odd, so that the second rounding is right. */

#define ND_ROW(near, type)                                                       \
  static inline void put_f32_##near(char *z, type x) { set_f32(z, ndm_f32(x)); } \
  static inline void put_f64_##near(char *z, type x) { set_f64(z, ndm_f64(x)); }
ND_NEARS(ND_ROW)
#undef ND_ROW

#define ND_FROM(name, near, type, by, value) \
  static inline void put_##name##_##near(char *z, type x) { set_##name(z, by(value)); }
#define ND_ROW(ID, name, ...)                                                 \
  ND_FROM(name, i16, int32_t, ndi_f32_to_##name, (float)x)                    \
  ND_FROM(name, i32, int32_t, ndi_f64_to_##name, (double)x)                   \
  ND_FROM(name, u32, uint32_t, ndi_f64_to_##name, (double)x)                  \
  ND_FROM(name, i64, int64_t, ndi_f64_to_##name, ndm_f64(ndi_i64_to_odd(x)))  \
  ND_FROM(name, u64, uint64_t, ndi_f64_to_##name, ndm_f64(ndi_u64_to_odd(x))) \
  ND_FROM(name, f32, float, ndi_f32_to_##name, x)                             \
  ND_FROM(name, f64, double, ndi_f64_to_##name, x)
ND_SMALL_FLOATS(ND_ROW)
#undef ND_ROW
#undef ND_FROM

/* The least absolute value that overflows to infinity: half a unit above the largest finite value,
 * where the tie rounds to even. Name, limit. */
#define ND_IEEE_LIMITS(X) \
  X(f16, 65520.0)         \
  X(bf16, 0x1.ffp127)     \
  X(f32, 0x1.ffffffp127)  \
  X(f64, INFINITY)        \
  X(f8e5m2, 61440.0)

/* f8e4m3 has no infinity, and its largest code is even, so that the tie 464 still rounds down to
 * 448: the limit is the next double above it. */
#define ND_F8E4M3_LIMIT 0x1.d000000000001p8

static inline bool fits_below(double x, double limit) { return !(fabs(x) >= limit); }

/* Rounding a 64-bit integer to double cannot carry it across a limit: the small limits are far
 * below 2^53, the large ones far above 2^64. */
#define ND_FROM(name, limit)                                                               \
  static inline bool fits_##name##_int(int64_t x) { return fits_below((double)x, limit); } \
  static inline bool fits_##name##_uint(uint64_t x) { return fits_below((double)x, limit); }
/* NaN fits every float; infinities fit where the dtype has them, that is, in all but f8e4m3. */
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

/* Parts that overflow become infinite, each by itself; fits_ refuses the number if either does. */
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
