/* Transposition, block by block so that both sides stay in the cache, and within a block square by
 * square in vector registers. */
#include "kern/transpose.h"

#include "kern/level.h"
#include "kern/words.h"

/* Vectors have 16 bytes, the size that every x86-64 and ARM processor has; the compiler picks the
 * interleaving instructions. */
enum { VECTOR = 16, LINE = 64 };

#define ND_LIST(...) __VA_ARGS__
#define ND_VECTOR(item, type, lower, upper)                                   \
  typedef type vector_##item __attribute__((vector_size(VECTOR)));            \
  static inline vector_##item low_##item(vector_##item a, vector_##item b) {  \
    return __builtin_shufflevector(a, b, lower);                              \
  }                                                                           \
  static inline vector_##item high_##item(vector_##item a, vector_##item b) { \
    return __builtin_shufflevector(a, b, upper);                              \
  }
ND_VECTOR(1, uint8_t, ND_LIST(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
          ND_LIST(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31))
ND_VECTOR(2, uint16_t, ND_LIST(0, 8, 1, 9, 2, 10, 3, 11), ND_LIST(4, 12, 5, 13, 6, 14, 7, 15))
ND_VECTOR(4, uint32_t, ND_LIST(0, 4, 1, 5), ND_LIST(2, 6, 3, 7))
ND_VECTOR(8, uint64_t, ND_LIST(0, 2), ND_LIST(1, 3))

/* Elements of 16 bytes fill a vector: there is nothing to interleave. */
typedef struct {
  char bytes[VECTOR];
} vector_16;
static inline vector_16 low_16(vector_16 a, vector_16 b) { return (void)b, a; }
static inline vector_16 high_16(vector_16 a, vector_16 b) { return (void)a, b; }

#define BODY "kern/transpose.inc"
#include "kern/made/each_item.h"

static void transpose(size_t item, size_t rows, size_t columns, char *z, ndi_steps dz,
                      const char *x, ndi_steps dx) {
  switch (item) {
#define ND_ROW(item) \
  case item: transpose_##item(rows, columns, z, dz, x, dx); break;
    ND_SMALLER_ITEMS(ND_ROW)
#undef ND_ROW
    default: ND_CAT(transpose_, ND_WIDEST_ITEM)(rows, columns, z, dz, x, dx);
  }
}

ND_LEVELED(void, ndi_transpose, transpose,
           (size_t item, size_t rows, size_t columns, char *z, ndi_steps dz, const char *x,
            ndi_steps dx),
           (item, rows, columns, z, dz, x, dx))
