/* Floats of 16 and 8 bits, as bit patterns: conversion to float, which is exact, and from float and
 * double, which rounds once. Going through float from double would round twice. */
#ifndef ND_BASE_HALF_H
#define ND_BASE_HALF_H

#include <string.h>

#include "base/platform.h"

/* A float format. Its bit patterns without the sign, read as integers, are in the order of their
 * values, so that rounding up is an addition of 1, also into the next exponent. Sources: IEEE
 * 754-2019 for f16; OCP 8-bit Floating Point Specification 1.0 for f8e4m3 and f8e5m2. */
typedef struct {
  int bias, man_bits; /* of the exponent; stored bits of the significand */
  uint32_t top;       /* the pattern of the largest finite value */
  uint32_t over;      /* that of infinity, which overflow gives; f8e4m3 saturates instead */
  uint32_t nan, sign; /* a quiet NaN without payload; the sign bit */
} ndi_float_format;

static const ndi_float_format ndi_format_f16 = {
    .bias = 15, .man_bits = 10, .top = 0x7bff, .over = 0x7c00, .nan = 0x7e00, .sign = 0x8000};
static const ndi_float_format ndi_format_bf16 = {
    .bias = 127, .man_bits = 7, .top = 0x7f7f, .over = 0x7f80, .nan = 0x7fc0, .sign = 0x8000};
static const ndi_float_format ndi_format_f8e4m3 = {
    .bias = 7, .man_bits = 3, .top = 0x7e, .over = 0x7e, .nan = 0x7f, .sign = 0x80};
static const ndi_float_format ndi_format_f8e5m2 = {
    .bias = 15, .man_bits = 2, .top = 0x7b, .over = 0x7c, .nan = 0x7e, .sign = 0x80};

/* Convert 'x' to the format 'f': round to nearest even. A NaN keeps its sign and the upper bits of
 * its payload, and becomes quiet. */
static inline uint32_t ndi_float_encode(const ndi_float_format *f, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  const uint32_t sign = bits >> 63 ? f->sign : 0;
  const uint64_t man = bits & 0xfffffffffffff;
  const int field = (int)(bits >> 52 & 0x7ff);
  if (field == 0x7ff && man) return sign | f->nan | (uint32_t)(man >> (52 - f->man_bits));

  const int exp = field - 1023 + f->bias; /* the exponent field in 'f'; below 1: a subnormal */
  const int drop = 52 - f->man_bits + (exp < 1 ? 1 - exp : 0); /* bits that rounding removes */
  if (drop > 53) return sign; /* below half of the smallest subnormal; so are a double's own */
  const uint64_t full = man | UINT64_C(1) << 52, half = UINT64_C(1) << (drop - 1);
  const uint64_t rest = full & (2 * half - 1);
  uint64_t code = full >> drop;
  code += rest > half || (rest == half && (code & 1));
  if (exp > 1) code += (uint64_t)(exp - 1) << f->man_bits; /* the leading bit adds one more */
  return sign | (code > f->top ? f->over : (uint32_t)code);
}

/* Convert from the format 'f', exactly. Not for bf16: the arithmetic for subnormals below needs
 * them to be normal in float. */
static inline float ndi_float_decode(const ndi_float_format *f, uint32_t code) {
  const uint32_t mag = code & (f->sign - 1), field = mag >> f->man_bits;
  const uint32_t man = (mag & ((1u << f->man_bits) - 1)) << (23 - f->man_bits);
  const uint32_t shift = (uint32_t)(127 - f->bias);
  const uint32_t step = (shift + 1) << 23; /* bits of the smallest normal of 'f', a power of two */
  uint32_t bits = (field + shift) << 23 | man;
  float value;
  if (mag > f->top) bits = man ? 0x7fc00000 | man : 0x7f800000; /* NaN becomes quiet */
  if (field == 0) { /* subnormal: 0.man = 1.man - 1, scaled by the smallest normal; exact */
    float one;
    bits = step | man;
    memcpy(&value, &bits, sizeof value);
    memcpy(&one, &step, sizeof one);
    value -= one;
    memcpy(&bits, &value, sizeof bits);
  }
  bits |= code & f->sign ? 0x80000000 : 0;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline float ndi_f16_to_f32(uint16_t x) { return ndi_float_decode(&ndi_format_f16, x); }

static inline float ndi_f8e4m3_to_f32(uint8_t x) { return ndi_float_decode(&ndi_format_f8e4m3, x); }

/* f8e5m2 is the upper byte of an f16. */
static inline float ndi_f8e5m2_to_f32(uint8_t x) { return ndi_f16_to_f32((uint16_t)(x << 8)); }

/* bf16 is the upper half of a float. */
static inline float ndi_bf16_to_f32(uint16_t x) {
  const uint32_t bits = (uint32_t)x << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint16_t ndi_f64_to_f16(double x) {
  return (uint16_t)ndi_float_encode(&ndi_format_f16, x);
}

static inline uint16_t ndi_f64_to_bf16(double x) {
  return (uint16_t)ndi_float_encode(&ndi_format_bf16, x);
}

static inline uint8_t ndi_f64_to_f8e4m3(double x) {
  return (uint8_t)ndi_float_encode(&ndi_format_f8e4m3, x);
}

static inline uint8_t ndi_f64_to_f8e5m2(double x) {
  return (uint8_t)ndi_float_encode(&ndi_format_f8e5m2, x);
}

/* From float, with the results of ndi_float_encode. All cases are computed and one is selected,
 * instead of branches, so that loops vectorise. */
static inline uint16_t ndi_f32_to_f16(float x) {
  uint32_t bits, small;
  memcpy(&bits, &x, sizeof bits);
  const uint32_t mag = bits & 0x7fffffff, sign = bits >> 16 & 0x8000;
  /* normal: round at bit 13 (half, less one if the result would be even), rebias by 127 - 15 */
  uint32_t code = (mag + 0xfff + (mag >> 13 & 1) - (112u << 23)) >> 13;
  /* subnormal: the last bit of a float at 0.5 is 2^-24, as is that of f16's subnormals, so that the
   * addition itself rounds to it */
  float shifted;
  memcpy(&shifted, &mag, sizeof shifted);
  shifted += 0.5f;
  memcpy(&small, &shifted, sizeof small);
  code = mag < 0x38800000 ? small - 0x3f000000 : code; /* below 2^-14 */
  code = mag >= 0x477ff000 ? 0x7c00 : code;            /* from 65520 on: infinity */
  code = mag > 0x7f800000 ? 0x7e00 | (mag >> 13 & 0x3ff) : code;
  return (uint16_t)(sign | code);
}

static inline uint16_t ndi_f32_to_bf16(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  const uint32_t is_nan = 0 - (uint32_t)((int32_t)(bits & 0x7fffffff) > 0x7f800000); /* a mask */
  bits += (0x7fff + (bits >> 16 & 1)) & ~is_nan; /* would carry a NaN over into another value */
  return (uint16_t)((bits | (is_nan & 0x400000)) >> 16); /* the bit that makes a NaN quiet */
}

static inline uint8_t ndi_f32_to_f8e4m3(float x) { return ndi_f64_to_f8e4m3((double)x); }
static inline uint8_t ndi_f32_to_f8e5m2(float x) { return ndi_f64_to_f8e5m2((double)x); }

/* An integer that is about to be rounded to f64, and then to a shorter format: beyond 53 bits it is
 * rounded to odd, which f64 holds, so that the second rounding gives what a single one would (Boldo
 * and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to
 * odd", 2008). Without branches, for vectors. */
static inline uint64_t ndi_u64_to_odd(uint64_t x) {
  const uint64_t odd = (x | ((x & 0x7ff) + 0x7ff)) & ~UINT64_C(0x7ff);
  return x < UINT64_C(1) << 53 ? x : odd;
}

static inline int64_t ndi_i64_to_odd(int64_t x) {
  const int64_t odd = (x | ((x & 0x7ff) + 0x7ff)) & ~INT64_C(0x7ff);
  return x > -(INT64_C(1) << 53) && x < INT64_C(1) << 53 ? x : odd;
}

#endif
