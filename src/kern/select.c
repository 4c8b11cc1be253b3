/* The tables of kernels for order statistics, by dtype, and what they share. */
#include "kern/select.h"

#include "kern/level.h"
#include "kern/quick.h"
#include "kern/words.h"

enum {
  FEW = 25,  /* keys that are sorted by insertion */
  BLOCK = 64 /* keys that are counted at once: fewer than a byte can count */
};

typedef int8_t signed_1;
typedef int16_t signed_2;
typedef int32_t signed_4;
typedef int64_t signed_8;
typedef nd_int128 signed_16;

/* By quickselect, for all ranks together: of two sides that both have some, the longer one is gone
 * on with. 'before' keys come before these, and are counted in the ranks. */
static void select_keys(const ndi_quick *by, size_t item, size_t n, char *keys, size_t before,
                        size_t count, const size_t *ranks) {
  while (count > 0 && n > by->few) {
    const size_t less = by->split(n, keys);
    if (less == n) return; /* all are equal */
    size_t left = 0;       /* ranks of the lesser keys */
    while (left < count && ranks[left] - before < less) left++;
    char *const others = keys + less * item;
    if (less < n - less) {
      if (left > 0) select_keys(by, item, less, keys, before, left, ranks);
      n -= less, keys = others, before += less, count -= left, ranks += left;
    } else {
      if (left < count)
        select_keys(by, item, n - less, others, before + less, count - left, ranks + left);
      n = less, count = left;
    }
  }
  if (count > 0) by->sort_few(n, keys);
}

#define U WORD
#define BODY "kern/select.inc"
#include "kern/made/each_item.h"
#define BODY_REAL "kern/select_real.inc"
#include "kern/made/each_item.h"

#define DTYPE _c64
#define ITEM 8
#define P word_4
#define PARTS make_4
#undef U
#define U word_8
#include "kern/select_complex.inc"
#undef DTYPE
#undef ITEM
#undef P
#undef PARTS
#undef U

#define DTYPE _c128
#define ITEM 16
#define P word_8
#define PARTS make_8
#define U word_16
#include "kern/select_complex.inc"

#define ROW(item)                                                                               \
  .narrow = narrow_##item, .select = select_##item, .tally = tally_##item, .deal = deal_##item, \
  .deal_positions = deal_positions_##item, .take = take_##item

static const ndi_selector *find_selector(nd_dtype dtype) {
#define ND_ROW(item) [item] = {.make = make_##item, .unmake = unmake_##item, ROW(item)},
  static const ndi_selector reals[] = {ND_REAL_ITEMS(ND_ROW)};
#undef ND_ROW
  static const ndi_selector c64 = {.make = make_c64, ROW(8)}, c128 = {.make = make_c128, ROW(16)};
  return dtype == ND_C64 ? &c64 : dtype == ND_C128 ? &c128 : &reals[nd_dtype_get(dtype)->bytes];
}

ND_LEVELED(const ndi_selector *, ndi_selector_find, find_selector, (nd_dtype dtype), (dtype))
