/* Floats as bits, for the mathematical functions of kern/. */
#ifndef ND_KERN_FLOATS_H
#define ND_KERN_FLOATS_H

#ifndef __CUDACC_RTC__
#include <math.h>
#endif
#include "kern/words.h"

static inline uint64_t ndm_bits_f64(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double ndm_from_bits_f64(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static inline uint32_t ndm_bits_f32(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline float ndm_from_bits_f32(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Integers as f64, rounded once: (double)x, which x86-64 has no vector instruction for before
 * AVX-512. Each half is exact, above 2^84 and 2^52. Two elements at a time, before AVX2, do not pay
 * for i64, which has an instruction for one. */
#if defined __x86_64__ && !defined __AVX512DQ__
static inline double ndm_f64_of_halves(uint64_t x, double bias) {
  const double high = ndm_from_bits_f64(UINT64_C(0x4530000000000000) | x >> 32);
  const double low = ndm_from_bits_f64(UINT64_C(0x4330000000000000) | (uint32_t)x);
  return (high - bias) + low;
}
static inline double ndm_f64_of_u64(uint64_t x) {
  return ndm_f64_of_halves(x, 0x1.00000001p84); /* 2^84 + 2^52 */
}
#else
static inline double ndm_f64_of_u64(uint64_t x) { return (double)x; }
#endif
#if defined __AVX2__ && !defined __AVX512DQ__
static inline double ndm_f64_of_i64(int64_t x) { /* 2^63 more */
  return ndm_f64_of_halves((uint64_t)x ^ (uint64_t)1 << 63, 0x1.00000801p84);
}
#else
static inline double ndm_f64_of_i64(int64_t x) { return (double)x; }
#endif

/* clang-format off */
#define ndm_f64(x) _Generic((x),                \
    int64_t: ndm_f64_of_i64((int64_t)(x)),      \
    uint64_t: ndm_f64_of_u64((uint64_t)(x)),    \
    default: (double)(x))

/* Likewise as f32. */
#if defined __x86_64__ && !defined __AVX512DQ__
#define ndm_f32(x) (float)_Generic((x),                         \
    int64_t: ndm_f64_of_i64(ndi_i64_to_odd((int64_t)(x))),      \
    uint64_t: ndm_f64_of_u64(ndi_u64_to_odd((uint64_t)(x))),    \
    default: (x))
#else
#define ndm_f32(x) ((float)(x))
#endif
/* clang-format on */

/* y with the sign of x; y >= 0 */
static inline double ndm_signed(double y, double x) {
  return ndm_from_bits_f64(ndm_bits_f64(y) | (ndm_bits_f64(x) & 0x8000000000000000));
}

static inline float ndm_signed_f32(float y, float x) {
  return ndm_from_bits_f32(ndm_bits_f32(y) | (ndm_bits_f32(x) & 0x80000000));
}

#endif
