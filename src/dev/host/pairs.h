/* Pairwise merging of accumulators. It works like a binary counter: where bit i of the number of
 * blocks is set, level i holds the accumulators of 2^i blocks. Adding a block merges equal levels,
 * like carries. */
#ifndef ND_DEV_HOST_PAIRS_H
#define ND_DEV_HOST_PAIRS_H

#include <string.h>

#include "kern/reduce.h"

enum {
  NDI_LEVELS = 54, /* binary digits of the largest number of blocks */
  NDI_WIDEST = 16  /* bytes of the widest element or accumulator */
};

/* Add the accumulators of a block, 'width' results of together 'bytes', to those of 'blocks'
 * blocks. 'value' is overwritten. */
static inline void ndi_pairs_add(const ndi_reducer *reducer, size_t bytes, size_t width,
                                 char *levels, size_t blocks, char *value) {
  for (; blocks & 1; blocks >>= 1, levels += bytes) {
    reducer->merge(width, levels, value);
    memcpy(value, levels, bytes);
  }
  memcpy(levels, value, bytes);
}

/* The same for one result. Accumulators are NDI_WIDEST apart, so that the compiler knows how much
 * it copies: this is done for each block. */
static inline void ndi_pairs_add_one(const ndi_reducer *reducer, char *levels, size_t blocks,
                                     char *value) {
  for (; blocks & 1; blocks >>= 1, levels += NDI_WIDEST) {
    reducer->merge(1, levels, value);
    memcpy(value, levels, NDI_WIDEST);
  }
  memcpy(levels, value, NDI_WIDEST);
}

/* Merge what is left in the levels, which are 'apart' bytes apart, later blocks into earlier ones,
 * into 'out'. */
static inline void ndi_pairs_end(const ndi_reducer *reducer, size_t bytes, size_t width,
                                 char *levels, size_t apart, size_t blocks, char *out) {
  bool is_first = true;
  for (; blocks > 0; blocks >>= 1, levels += apart) {
    if (!(blocks & 1)) continue;
    if (!is_first) reducer->merge(width, levels, out);
    memcpy(out, levels, bytes);
    is_first = false;
  }
}

#endif
