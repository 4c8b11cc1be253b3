/* The random number generator. It is counter-based: a block of 128 random bits is a pure function
 * of a key and a counter, so that threads and devices can compute any part of a sequence. */
#ifndef ND_BASE_PHILOX_H
#define ND_BASE_PHILOX_H

#include "base/platform.h"

/* The two halves of a block: words 0 and 1, words 2 and 3; the first word of each is the upper. */
typedef struct {
  uint64_t upper, lower;
} nd_philox_block;

enum { ND_PHILOX_ROUNDS = 10 };
#define ND_PHILOX_A UINT64_C(0xd2511f53)
#define ND_PHILOX_B UINT64_C(0xcd9e8d57)
#define ND_PHILOX_STEP_0 UINT32_C(0x9e3779b9)
#define ND_PHILOX_STEP_1 UINT32_C(0xbb67ae85)

/* Philox4x32-10. Source: Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3" (SC'11), as
 * the constants. Words 0 and 1 of its key are the lower and the upper half of 'key'; words 0 to 3
 * of its counter are those of 'counter_lo', then those of 'counter_hi'. */
ND_ALWAYS_INLINE nd_philox_block nd_philox(uint64_t key, uint64_t counter_lo, uint64_t counter_hi) {
  uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
  uint32_t c0 = (uint32_t)counter_lo, c1 = (uint32_t)(counter_lo >> 32);
  uint32_t c2 = (uint32_t)counter_hi, c3 = (uint32_t)(counter_hi >> 32);
  for (int i = 0; i < ND_PHILOX_ROUNDS; i++) {
    const uint64_t a = ND_PHILOX_A * c0, b = ND_PHILOX_B * c2;
    c0 = (uint32_t)(b >> 32) ^ c1 ^ k0;
    c1 = (uint32_t)b;
    c2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
    c3 = (uint32_t)a;
    k0 += ND_PHILOX_STEP_0, k1 += ND_PHILOX_STEP_1;
  }
  return (nd_philox_block){(uint64_t)c0 << 32 | c1, (uint64_t)c2 << 32 | c3};
}

#endif
