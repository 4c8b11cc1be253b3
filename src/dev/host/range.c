/* Ranges on the host. Each element is a function of its index alone, so runs can be cut anywhere
 * and the bits do not depend on the threads. */
#include <math.h>

#include "dev/host/host.h"
#include "kern/cast.h"

/* Elements that are computed in u64, i64 or f64 before a kernel casts them to the dtype. */
enum { BATCH = 256 };

/* Element i of an integer progression. The remainder of a linspace is distributed as i * rest /
 * (count - 1), rounded to the nearest, ties to the even value. */
static inline nd_int128 whole_at(const nd_progression *p, size_t i) {
  nd_int128 value = p->whole_first + (nd_int128)i * p->whole_step;
  if (p->rest == 0) return value;
  const nd_uint128 all = (nd_uint128)i * p->rest;
  const size_t distances = p->count - 1, over = (size_t)(all % distances), left = distances - over;
  value += (nd_int128)(all / distances);
  return value + (over > left || (over == left && (value & 1) != 0));
}

/* Elements first … first + n - 1, modulo 2^64. */
static void make_whole(const nd_progression *p, size_t first, size_t n, uint64_t *out) {
  const uint64_t start = (uint64_t)whole_at(p, first), step = (uint64_t)p->whole_step;
  if (p->rest == 0)
    for (size_t i = 0; i < n; i++) out[i] = start + i * step;
  else
    for (size_t i = 0; i < n; i++) out[i] = (uint64_t)whole_at(p, first + i);
}

/* Integers between INT64_MIN and UINT64_MAX: a batch never mixes signs, so that it fits i64 if
 * negative, else u64, and the cast kernel saturates it correctly. */
static void fill_whole(nd_dtype dtype, size_t n, char *z, ptrdiff_t dz, const nd_progression *p,
                       size_t first) {
  ndi_cast_kernel *const casts[] = {ndi_cast_find(dtype, ND_U64, ND_SATURATE),
                                    ndi_cast_find(dtype, ND_I64, ND_SATURATE)};
  uint64_t batch[BATCH];
  for (size_t done = 0, some; done < n; done += some) {
    const size_t at = first + done;
    const bool is_negative = whole_at(p, at) < 0;
    some = n - done < BATCH ? n - done : BATCH;
    /* the sign changes once at most, as a progression only rises or only falls */
    while ((whole_at(p, at + some - 1) < 0) != is_negative) some--;
    make_whole(p, at, some, batch);
    casts[is_negative](some, z + (ptrdiff_t)done * dz, dz, (const char *)batch, sizeof batch[0]);
  }
}

/* Element i of evenly spaced doubles. The last one is exact, and rounding must not take any other
 * past it. */
static inline double even_at(const nd_progression *p, size_t i) {
  if (i + 1 == p->count) return p->last * p->unit;
  const double way = p->step != 0 ? (double)i * p->step
                                  : (double)i / (double)(p->count - 1) * p->width;
  const double value = p->first + way;
  return (p->width < 0 ? value < p->last : value > p->last) ? p->last * p->unit : value * p->unit;
}

/* The bits do not depend on batches: each element is computed from its index. */
static void fill_float(nd_dtype dtype, size_t n, char *z, ptrdiff_t dz, const nd_progression *p,
                       size_t first) {
  ndi_cast_kernel *cast = ndi_cast_find(dtype, ND_F64, ND_SATURATE);
  double batch[BATCH];
  for (size_t done = 0; done < n; done += BATCH) {
    const size_t at = first + done, some = n - done < BATCH ? n - done : BATCH;
    if (p->is_even)
      for (size_t i = 0; i < some; i++) batch[i] = even_at(p, at + i);
    else
      for (size_t i = 0; i < some; i++)
        batch[i] = (p->first + (double)(at + i) * p->step) * p->unit;
    for (size_t i = 0; i < some && p->is_rounded; i++) batch[i] = rint(batch[i]);
    cast(some, z + (ptrdiff_t)done * dz, dz, (const char *)batch, sizeof batch[0]);
  }
}

void ndi_range_fill(nd_dtype dtype, size_t n, char *z, ptrdiff_t dz, const nd_progression *p,
                    size_t first) {
  (p->is_whole ? fill_whole : fill_float)(dtype, n, z, dz, p, first);
}
