/* Transposition, block by block so that both sides stay in the cache, and within a block square by
 * square in vector registers. */
#include "kern/transpose.h"

#include "kern/level.h"
#include "kern/words.h"

/* A vector of so many elements is the side of a square: of at most 16, as a square has as many
 * vectors, which should fit in the registers. Wide vectors write whole cache lines. The compiler
 * picks the interleaving instructions. */
enum { LINE = 64, WIDEST_ITEM = 16 };
#if defined ND_V4
#define ND_SQUARES(X) X(1, uint8_t, 16) X(2, uint16_t, 16) X(4, uint32_t, 16) X(8, uint64_t, 8)
#elif defined ND_V3
#define ND_SQUARES(X) X(1, uint8_t, 16) X(2, uint16_t, 8) X(4, uint32_t, 8) X(8, uint64_t, 4)
#else
#define ND_SQUARES(X) X(1, uint8_t, 16) X(2, uint16_t, 8) X(4, uint32_t, 4) X(8, uint64_t, 2)
#endif

/* What interleaves the lower, the upper halves of two vectors of so many elements. */
#define ND_LOW_2 0, 2
#define ND_LOW_4 0, 4, 1, 5
#define ND_LOW_8 0, 8, 1, 9, 2, 10, 3, 11
#define ND_LOW_16 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define ND_HIGH_2 1, 3
#define ND_HIGH_4 2, 6, 3, 7
#define ND_HIGH_8 4, 12, 5, 13, 6, 14, 7, 15
#define ND_HIGH_16 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31

#define ND_ROW(item, type, lanes)                                                \
  typedef type vector_##item __attribute__((vector_size(lanes * sizeof(type)))); \
  static inline vector_##item low_##item(vector_##item a, vector_##item b) {     \
    return __builtin_shufflevector(a, b, ND_LOW_##lanes);                        \
  }                                                                              \
  static inline vector_##item high_##item(vector_##item a, vector_##item b) {    \
    return __builtin_shufflevector(a, b, ND_HIGH_##lanes);                       \
  }
ND_SQUARES(ND_ROW)
#undef ND_ROW

/* Elements of 16 bytes fill a vector: there is nothing to interleave. */
typedef struct {
  char bytes[WIDEST_ITEM];
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
