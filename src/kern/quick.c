/* Quicksort by vector instructions, for x86-64-v3 and v4. The same bits as by other sorts, since
 * equal keys are equal bits. */
#include "kern/quick.h"

#include <string.h>

#include "base/platform.h"
#include "kern/level.h"
#include "kern/words.h"

#ifdef __AVX2__

#include <immintrin.h>

typedef int32_t signed_4;
typedef int64_t signed_8;

/* As many vectors are loaded before any is put back. */
enum { BLOCK_VECTORS = 8 };
#ifdef __AVX512F__
enum { VECTOR_BYTES = 64 };
typedef __m512i vector;
typedef __mmask16 mask_4;
typedef __mmask8 mask_8;
#else
enum { VECTOR_BYTES = 32 };
typedef __m256i vector;

/* For each mask of eight lanes an order of lanes, a byte for each: those of the mask first. */
#define BIT(mask, i) ((mask) >> (i)&1u)
#define BITS_TO_4(mask) (BIT(mask, 0) + BIT(mask, 1) + BIT(mask, 2) + BIT(mask, 3))
#define BITS_OF(mask) (BITS_TO_4(mask) + BITS_TO_4((mask) >> 4))
#define BEFORE(mask, i) BITS_OF((mask) & ((1u << (i)) - 1))
#define PLACE(mask, i) (BIT(mask, i) ? BEFORE(mask, i) : BITS_OF(mask) + (i)-BEFORE(mask, i))
#define LANE(mask, i) ((uint64_t)(i) << 8 * PLACE(mask, i))
#define ORDER(mask)                                                                                \
  (LANE(mask, 1) | LANE(mask, 2) | LANE(mask, 3) | LANE(mask, 4) | LANE(mask, 5) | LANE(mask, 6) | \
   LANE(mask, 7))
#define ORDER_4(mask) ORDER(mask), ORDER((mask) + 1), ORDER((mask) + 2), ORDER((mask) + 3)
#define ORDER_16(mask) ORDER_4(mask), ORDER_4((mask) + 4), ORDER_4((mask) + 8), ORDER_4((mask) + 12)
#define ORDER_64(mask) \
  ORDER_16(mask), ORDER_16((mask) + 16), ORDER_16((mask) + 32), ORDER_16((mask) + 48)
static const uint64_t lesser_first[256] = {ORDER_64(0u), ORDER_64(64u), ORDER_64(128u),
                                           ORDER_64(192u)};
#endif

#ifdef __clang__
#define ND_UNROLL _Pragma("clang loop unroll(full)")
#else
#define ND_UNROLL _Pragma("GCC unroll 16")
#endif

#define U WORD
#define BODY_REAL "kern/quick.inc"
#include "kern/made/each_item.h"

static const ndi_quick *find_quick(size_t item) {
  return item == 4 ? &quick_4 : item == 8 ? &quick_8 : NULL;
}

#else

static const ndi_quick *find_quick(size_t item) {
  (void)item;
  return NULL;
}

#endif

ND_LEVELED(const ndi_quick *, ndi_quick_find, find_quick, (size_t item), (item))
