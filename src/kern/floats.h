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

/* y with the sign of x; y >= 0 */
static inline double ndm_signed(double y, double x) {
  return ndm_from_bits_f64(ndm_bits_f64(y) | (ndm_bits_f64(x) & 0x8000000000000000));
}

static inline float ndm_signed_f32(float y, float x) {
  return ndm_from_bits_f32(ndm_bits_f32(y) | (ndm_bits_f32(x) & 0x80000000));
}

#endif
