/* The counter-based random generator: a block of 128 random bits is a function of key and
 * counter. */
#ifndef ND_BASE_PHILOX_H
#define ND_BASE_PHILOX_H

#include "base/platform.h"

typedef struct {
  uint32_t v[4];
} nd_philox_block;

/* Philox4x32-10 of Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3" (SC'11). The key's
 * and the counter's words are the lower halves first. */
nd_philox_block nd_philox(uint64_t key, uint64_t counter_lo, uint64_t counter_hi);

#endif
