/* CRC-32, by carry-less products where the processor has them, else by tables for 8 bytes at a
 * time.
 *
 * Sources: Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ
 * Instruction", Intel 2009, whose constants for the reflected polynomial are those below; Kounavis
 * and Berry, "Novel Table Lookup-Based Algorithms for High-Performance CRC Generation", 2008. */
#include "xchg/crc32.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

enum { WORD = 8 };

/* {=== by tables ===} */

static uint32_t tables[WORD][256];

static void make_tables(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xEDB88320) : 0);
    tables[0][i] = crc;
  }
  for (int k = 1; k < WORD; k++)
    for (int i = 0; i < 256; i++)
      tables[k][i] = tables[k - 1][i] >> 8 ^ tables[0][tables[k - 1][i] & 255];
}

/* Here and below 'crc' is inverted. */
static uint32_t by_tables(uint32_t crc, const unsigned char *p, size_t bytes) {
  for (; bytes >= WORD; p += WORD, bytes -= WORD) {
    uint64_t word;
    uint32_t next = 0;
    memcpy(&word, p, sizeof word); /* little-endian, as all that we run on */
    word ^= crc;
    for (int k = 0; k < WORD; k++) next ^= tables[WORD - 1 - k][word >> 8 * k & 255];
    crc = next;
  }
  for (; bytes > 0; p++, bytes--) crc = crc >> 8 ^ tables[0][(crc ^ *p) & 255];
  return crc;
}

/* {=== by products ===} */

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#include <immintrin.h>

#define HAS_PRODUCTS 1
enum { LANE = 16, LANES = 4, BLOCK = LANE * LANES };
#ifndef WL
#define WL 4
#endif

/* 'lane' moved on by the distance that the two constants are for, and added to what is there. */
__attribute__((target("pclmul,sse4.1"))) static inline __m128i fold(__m128i lane, __m128i by,
                                                                    __m128i there) {
  const __m128i lo = _mm_clmulepi64_si128(lane, by, 0x00);
  const __m128i hi = _mm_clmulepi64_si128(lane, by, 0x11);
  return _mm_xor_si128(_mm_xor_si128(lo, hi), there);
}

/* 128 bits to 32: to 96 and to 64, then by Barrett's reduction. */
__attribute__((target("pclmul,sse4.1"))) static inline uint32_t reduce(__m128i lane) {
  const __m128i low32 = _mm_set_epi32(0, 0, 0, -1);
  const __m128i k4 = _mm_set_epi64x(0, 0x0ccaa009e), k5 = _mm_set_epi64x(0, 0x163cd6124);
  const __m128i barrett = _mm_set_epi64x(0x1f7011641, 0x1db710641);
  lane = _mm_xor_si128(_mm_srli_si128(lane, 8), _mm_clmulepi64_si128(lane, k4, 0x00));
  lane = _mm_xor_si128(_mm_srli_si128(lane, 4),
                       _mm_clmulepi64_si128(_mm_and_si128(lane, low32), k5, 0x00));
  __m128i t = _mm_clmulepi64_si128(_mm_and_si128(lane, low32), barrett, 0x10);
  t = _mm_clmulepi64_si128(_mm_and_si128(t, low32), barrett, 0x00);
  return (uint32_t)_mm_extract_epi32(_mm_xor_si128(lane, t), 1);
}

static inline __m128i load(const unsigned char *p, int lane) {
  return _mm_loadu_si128((const __m128i *)(const void *)p + lane);
}

/* At least BLOCK bytes, a multiple of LANE. */
__attribute__((target("pclmul,sse4.1"))) static uint32_t by_products(uint32_t crc,
                                                                     const unsigned char *p,
                                                                     size_t bytes) {
  const __m128i by_block = _mm_set_epi64x(0x1c6e41596, 0x154442bd4);
  const __m128i by_lane = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
  __m128i lanes[LANES];
  for (int i = 0; i < LANES; i++) lanes[i] = load(p, i);
  lanes[0] = _mm_xor_si128(lanes[0], _mm_cvtsi32_si128((int)crc));
  for (p += BLOCK, bytes -= BLOCK; bytes >= BLOCK; p += BLOCK, bytes -= BLOCK)
    for (int i = 0; i < LANES; i++) lanes[i] = fold(lanes[i], by_block, load(p, i));
  __m128i all = lanes[0];
  for (int i = 1; i < LANES; i++) all = fold(all, by_lane, lanes[i]);
  for (; bytes > 0; p += LANE, bytes -= LANE) all = fold(all, by_lane, load(p, 0));
  return reduce(all);
}

static bool has_products(void) {
  return __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
}

/* {=== by four products at a time ===} */

#define WIDE __attribute__((target("vpclmulqdq,pclmul,avx512f,sse4.1")))
enum { WIDE_LANE = 64, WIDE_BLOCK = LANES * WIDE_LANE };

WIDE static inline __m512i fold_wide(__m512i lanes, __m512i by, __m512i there) {
  const __m512i lo = _mm512_clmulepi64_epi128(lanes, by, 0x00);
  const __m512i hi = _mm512_clmulepi64_epi128(lanes, by, 0x11);
  return _mm512_ternarylogic_epi64(lo, hi, there, 0x96); /* the sum of three */
}

WIDE static inline __m512i load_wide(const unsigned char *p, int lane) {
  return _mm512_loadu_si512(p + lane * WIDE_LANE);
}

/* At least WIDE_BLOCK bytes, a multiple of LANE. The constants are x^(n+32) and x^(n-32) for a
 * distance of n bits, modulo the polynomial. */
WIDE static uint32_t by_wide_products(uint32_t crc, const unsigned char *p, size_t bytes) {
  const __m512i by_block = _mm512_broadcast_i32x4(_mm_set_epi64x(0x1322d1430, 0x11542778a));
  const __m512i by_wide = _mm512_broadcast_i32x4(_mm_set_epi64x(0x1c6e41596, 0x154442bd4));
  const __m128i by_lane = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
  __m512i lanes[LANES];
  for (int i = 0; i < LANES; i++) lanes[i] = load_wide(p, i);
  lanes[0] = _mm512_xor_si512(lanes[0], _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)crc)));
  for (p += WIDE_BLOCK, bytes -= WIDE_BLOCK; bytes >= WIDE_BLOCK;
       p += WIDE_BLOCK, bytes -= WIDE_BLOCK)
    for (int i = 0; i < LANES; i++) lanes[i] = fold_wide(lanes[i], by_block, load_wide(p, i));
  __m512i wide = lanes[0];
  for (int i = 1; i < LANES; i++) wide = fold_wide(wide, by_wide, lanes[i]);
  __m128i all = _mm512_extracti32x4_epi32(wide, 0);
  all = fold(all, by_lane, _mm512_extracti32x4_epi32(wide, 1));
  all = fold(all, by_lane, _mm512_extracti32x4_epi32(wide, 2));
  all = fold(all, by_lane, _mm512_extracti32x4_epi32(wide, 3));
  for (; bytes > 0; p += LANE, bytes -= LANE) all = fold(all, by_lane, load(p, 0));
  return reduce(all);
}

static bool has_wide_products(void) {
  return __builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx512f");
}
#endif

uint32_t ndi_crc32(uint32_t crc, const void *data, size_t bytes) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  const unsigned char *p = data;
  pthread_once(&once, make_tables);
  crc = ~crc;
#ifdef HAS_PRODUCTS
  if (bytes >= BLOCK && has_products()) {
    const size_t whole = bytes - bytes % LANE;
    const bool is_wide = bytes >= WIDE_BLOCK && has_wide_products();
    crc = is_wide ? by_wide_products(crc, p, whole) : by_products(crc, p, whole);
    p += whole, bytes -= whole;
  }
#endif
  return ~by_tables(crc, p, bytes);
}
