/* Conversions between f16 and f32 by F16C instructions, which compilers do not choose by
 * themselves: twice as fast as the portable loops, with the same bits (spec/core/cast_spec.c
 * compares them). */
#ifndef ND_KERN_F16C_H
#define ND_KERN_F16C_H

#if defined __F16C__
#define ND_F16C

#include <immintrin.h>

enum { ND_F16C_LANES = 8 };

/* Convert whole vectors of packed elements; returns the number of elements done, the rest is the
 * caller's. */
static size_t f32_to_f16_packed(size_t n, char *z, const char *x) {
  size_t i = 0;
  for (; i + ND_F16C_LANES <= n; i += ND_F16C_LANES) {
    const __m256 v = _mm256_loadu_ps((const float *)(const void *)(x + 4 * i));
    _mm_storeu_si128((__m128i *)(void *)(z + 2 * i), _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
  }
  return i;
}

static size_t f16_to_f32_packed(size_t n, char *z, const char *x) {
  size_t i = 0;
  for (; i + ND_F16C_LANES <= n; i += ND_F16C_LANES) {
    const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(x + 2 * i));
    _mm256_storeu_ps((float *)(void *)(z + 4 * i), _mm256_cvtph_ps(v));
  }
  return i;
}

#endif
#endif
