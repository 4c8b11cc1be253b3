/* The kernels of gather.h: tables by element size, and what does not depend on it.
 *
 * Indices are checked in a pass of their own before anything is written. So kernels that follow an
 * index need no branch for a bad one. */
#include "kern/gather.h"

#include <assert.h>

#include "kern/level.h"
#include "kern/words.h"

/* The 0-based position that a checked index stands for. */
static inline ptrdiff_t resolve(const char *index, size_t extent) {
  const int64_t k = raw_i64(index);
  return (ptrdiff_t)(k < 0 ? k + (int64_t)extent : k - 1);
}

/* Eight bools at once. */
static inline uint64_t word_of(const char *mask) { return raw_u64(mask); }

#define BODY "kern/gather.inc"
#include "kern/made/each_item.h"

/* The kernels for one size of elements. The parameters are those of gather.h without 'item'. */
typedef struct {
  void (*take)(size_t, char *, ptrdiff_t, const char *, ptrdiff_t, size_t, const char *, ptrdiff_t);
  void (*put)(size_t, char *, ptrdiff_t, size_t, const char *, ptrdiff_t, const char *, ptrdiff_t);
  size_t (*select)(size_t, char *, size_t, const char *, ptrdiff_t, const char *, ptrdiff_t);
  size_t (*assign)(size_t, char *, ptrdiff_t, const char *, ptrdiff_t, const char *, ptrdiff_t,
                   size_t);
} family;

static const family *family_of(size_t item) {
#define ND_ROW(item) [item] = {take_##item, put_##item, select_##item, assign_##item},
  /* only the sizes of dtypes have an entry; the others are all NULL */
  static const family families[] = {ND_ITEMS(ND_ROW)};
#undef ND_ROW
  assert(item < ND_COUNTOF(families) && families[item].take);
  return &families[item];
}

/* Is the index 0, or beyond 'extent' in either direction? One comparison, so that it vectorises. */
static inline bool is_bad(const char *index, size_t extent) {
  const int64_t k = raw_i64(index);
  return (k < 0 ? 0 - (uint64_t)k : (uint64_t)k) - 1 >= extent; /* 0 wraps to the largest value */
}

/* Batches without an early exit vectorise; the first bad batch is searched again element by
 * element. */
static size_t index_check(size_t n, const char *index, ptrdiff_t dindex, size_t extent) {
  enum { SOME = 512 };
  size_t done = 0;
  for (; dindex == 8 && done + SOME <= n; done += SOME) {
    size_t bad = 0;
    for (size_t i = 0; i < SOME; i++) bad += is_bad(index + (done + i) * 8, extent);
    if (bad) break;
  }
  for (; done < n; done++)
    if (is_bad(index + (ptrdiff_t)done * dindex, extent)) return done;
  return n;
}

static inline void join_step(size_t n, char *z, ptrdiff_t dz, const char *index, ptrdiff_t dindex,
                             size_t extent, int64_t factor, int64_t first, bool adds) {
  for (size_t i = 0; i < n; i++, z += dz, index += dindex) {
    const int64_t at = first + resolve(index, extent) * factor + (adds ? raw_i64(z) : 0);
    memcpy(z, &at, sizeof at);
  }
}

static void index_join(size_t n, char *z, ptrdiff_t dz, const char *index, ptrdiff_t dindex,
                       size_t extent, int64_t factor, int64_t first, bool adds) {
  if (dz != 8 || dindex != 8) join_step(n, z, dz, index, dindex, extent, factor, first, adds);
  else if (adds) join_step(n, z, 8, index, 8, extent, factor, first, true);
  else join_step(n, z, 8, index, 8, extent, factor, first, false);
}

static void take(size_t item, size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx,
                 size_t extent, const char *index, ptrdiff_t dindex) {
  family_of(item)->take(n, z, dz, x, dx, extent, index, dindex);
}

/* Rows are picked at random, which no hardware prefetcher foresees: fetch the row AHEAD indices
 * later. */
static void take_rows(size_t bytes, size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx,
                      size_t extent, const char *index, ptrdiff_t dindex) {
  enum { AHEAD = 16, LINE = 64, MOST = 8 }; /* indices; bytes; cache lines of a row */
  const size_t lines = bytes < MOST * LINE ? bytes : MOST * LINE;
  for (size_t i = 0; i < n; i++, z += dz, index += dindex) {
    if (i + AHEAD < n) {
      const char *next = x + resolve(index + AHEAD * dindex, extent) * dx;
      for (size_t at = 0; at < lines; at += LINE) __builtin_prefetch(next + at);
    }
    memcpy(z, x + resolve(index, extent) * dx, bytes);
  }
}

static void put(size_t item, size_t n, char *z, ptrdiff_t dz, size_t extent, const char *index,
                ptrdiff_t dindex, const char *x, ptrdiff_t dx) {
  family_of(item)->put(n, z, dz, extent, index, dindex, x, dx);
}

/* Packed masks are counted in lanes of a byte: to widen each bool would take most of the time. The
 * sums of a batch fit into these lanes. */
static size_t count_packed(size_t n, const char *mask) {
  typedef int8_t lanes __attribute__((vector_size(32)));
  enum { LANES = sizeof(lanes), BATCH = 127 * 4 * LANES };
  size_t count = 0;
  for (size_t done = 0, some; done < n; done += some) {
    lanes sums[4] = {{0}}, x;
    some = n - done < BATCH ? n - done : BATCH;
    size_t i = 0;
    for (; i + 4 * LANES <= some; i += 4 * LANES)
      for (size_t k = 0; k < 4; k++) {
        memcpy(&x, mask + done + i + k * LANES, LANES);
        sums[k] += x != 0; /* -1 where true */
      }
    for (size_t k = 0; k < 4 * LANES; k++) count -= (size_t)(ptrdiff_t)sums[k / LANES][k % LANES];
    for (; i < some; i++) count += mask[done + i] != 0;
  }
  return count;
}

static size_t mask_count(size_t n, const char *mask, ptrdiff_t dmask) {
  size_t count = 0;
  if (dmask == 1) return count_packed(n, mask);
  for (size_t i = 0; i < n; i++) count += mask[(ptrdiff_t)i * dmask] != 0;
  return count;
}

static size_t mask_select(size_t item, size_t n, char *z, size_t room, const char *x, ptrdiff_t dx,
                          const char *mask, ptrdiff_t dmask) {
  return family_of(item)->select(n, z, room, x, dx, mask, dmask);
}

static size_t mask_assign(size_t item, size_t n, char *z, ptrdiff_t dz, const char *mask,
                          ptrdiff_t dmask, const char *x, ptrdiff_t dx, size_t room) {
  return family_of(item)->assign(n, z, dz, mask, dmask, x, dx, room);
}

ND_LEVELED(size_t, ndi_index_check, index_check,
           (size_t n, const char *index, ptrdiff_t dindex, size_t extent),
           (n, index, dindex, extent))
ND_LEVELED(void, ndi_index_join, index_join,
           (size_t n, char *z, ptrdiff_t dz, const char *index, ptrdiff_t dindex, size_t extent,
            int64_t factor, int64_t first, bool adds),
           (n, z, dz, index, dindex, extent, factor, first, adds))
ND_LEVELED(void, ndi_take, take,
           (size_t item, size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx,
            size_t extent, const char *index, ptrdiff_t dindex),
           (item, n, z, dz, x, dx, extent, index, dindex))
ND_LEVELED(void, ndi_take_rows, take_rows,
           (size_t bytes, size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx,
            size_t extent, const char *index, ptrdiff_t dindex),
           (bytes, n, z, dz, x, dx, extent, index, dindex))
ND_LEVELED(void, ndi_put, put,
           (size_t item, size_t n, char *z, ptrdiff_t dz, size_t extent, const char *index,
            ptrdiff_t dindex, const char *x, ptrdiff_t dx),
           (item, n, z, dz, extent, index, dindex, x, dx))
ND_LEVELED(size_t, ndi_mask_count, mask_count, (size_t n, const char *mask, ptrdiff_t dmask),
           (n, mask, dmask))
ND_LEVELED(size_t, ndi_mask_select, mask_select,
           (size_t item, size_t n, char *z, size_t room, const char *x, ptrdiff_t dx,
            const char *mask, ptrdiff_t dmask),
           (item, n, z, room, x, dx, mask, dmask))
ND_LEVELED(size_t, ndi_mask_assign, mask_assign,
           (size_t item, size_t n, char *z, ptrdiff_t dz, const char *mask, ptrdiff_t dmask,
            const char *x, ptrdiff_t dx, size_t room),
           (item, n, z, dz, mask, dmask, x, dx, room))
