/* Take, put, and their masked forms, by element size. */
#include "kern/gather.h"

#include <assert.h>

#include "kern/words.h"

/* The 0-based position that a checked index stands for. */
static inline ptrdiff_t resolve(const char *index, size_t extent) {
  const int64_t k = raw_i64(index);
  return (ptrdiff_t)(k < 0 ? k + (int64_t)extent : k - 1);
}

#define BODY "kern/gather.inc"
#include "kern/each_item.h"

typedef struct {
  void (*take)(size_t, char *, ptrdiff_t, const char *, ptrdiff_t, size_t, const char *, ptrdiff_t);
  void (*put)(size_t, char *, ptrdiff_t, size_t, const char *, ptrdiff_t, const char *, ptrdiff_t);
  size_t (*select)(size_t, char *, ptrdiff_t, const char *, ptrdiff_t, const char *, ptrdiff_t);
  size_t (*assign)(size_t, char *, ptrdiff_t, const char *, ptrdiff_t, const char *, ptrdiff_t);
} family;

static const family *family_of(size_t item) {
#define ND_ROW(item) [item] = { take_##item, put_##item, select_##item, assign_##item }
  static const family families[] = {ND_ROW(1), ND_ROW(2), ND_ROW(4), ND_ROW(8), ND_ROW(16)};
#undef ND_ROW
  assert(item < ND_COUNTOF(families) && families[item].take);
  return &families[item];
}

size_t ndi_index_check(size_t n, const char *index, ptrdiff_t dindex, size_t extent) {
  for (size_t i = 0; i < n; i++, index += dindex) {
    const int64_t k = raw_i64(index);
    const uint64_t size = k < 0 ? 0 - (uint64_t)k : (uint64_t)k;
    if (size == 0 || size > extent) return i;
  }
  return n;
}

void ndi_take(size_t item, size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx,
              size_t extent, const char *index, ptrdiff_t dindex) {
  family_of(item)->take(n, z, dz, x, dx, extent, index, dindex);
}

void ndi_put(size_t item, size_t n, char *z, ptrdiff_t dz, size_t extent, const char *index,
             ptrdiff_t dindex, const char *x, ptrdiff_t dx) {
  family_of(item)->put(n, z, dz, extent, index, dindex, x, dx);
}

size_t ndi_mask_count(size_t n, const char *mask, ptrdiff_t dmask) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++, mask += dmask) count += *mask != 0;
  return count;
}

size_t ndi_mask_select(size_t item, size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx,
                       const char *mask, ptrdiff_t dmask) {
  return family_of(item)->select(n, z, dz, x, dx, mask, dmask);
}

size_t ndi_mask_assign(size_t item, size_t n, char *z, ptrdiff_t dz, const char *mask,
                       ptrdiff_t dmask, const char *x, ptrdiff_t dx) {
  return family_of(item)->assign(n, z, dz, mask, dmask, x, dx);
}
