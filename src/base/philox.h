/* The random number generator. It is counter-based: a block of 128 random bits is a pure function
 * of a key and a counter, so that threads and devices can compute any part of a sequence. */
#ifndef ND_BASE_PHILOX_H
#define ND_BASE_PHILOX_H

#include "base/platform.h"

typedef struct {
  uint32_t v[4];
} nd_philox_block;

/* Philox4x32-10. Source: Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3" (SC'11).
 * Words 0 and 1 of its key are the lower and the upper half of 'key'; words 0 to 3 of its counter
 * are those of 'counter_lo', then those of 'counter_hi'. */
nd_philox_block nd_philox(uint64_t key, uint64_t counter_lo, uint64_t counter_hi);

#endif
