/* Overflow-checked arithmetic on sizes. Every computed size goes through it before an allocator
 * sees it. */
#ifndef ND_BASE_SIZE_H
#define ND_BASE_SIZE_H

#include <stdbool.h>

#include "base/platform.h"

/* The largest size we accept: it still fits into a ptrdiff_t, as differences of addresses must. */
#define ND_SIZE_MAX ((size_t)PTRDIFF_MAX)

/* Each sets '*out' to the product or sum. False on overflow (of sizes: beyond ND_SIZE_MAX); '*out'
 * is then unspecified. */
static inline bool ndi_size_mul(size_t a, size_t b, size_t *out) {
  return !__builtin_mul_overflow(a, b, out) && *out <= ND_SIZE_MAX;
}

static inline bool ndi_size_add(size_t a, size_t b, size_t *out) {
  return !__builtin_add_overflow(a, b, out) && *out <= ND_SIZE_MAX;
}

static inline bool ndi_offset_mul(ptrdiff_t a, ptrdiff_t b, ptrdiff_t *out) {
  return !__builtin_mul_overflow(a, b, out);
}

static inline bool ndi_offset_add(ptrdiff_t a, ptrdiff_t b, ptrdiff_t *out) {
  return !__builtin_add_overflow(a, b, out);
}

/* The bytes of an array: the product of the extents times 'item', the bytes of an element. An
 * extent of 0 makes it 0, but the product of the others must not overflow either, since strides and
 * views are computed from it. False on overflow, with '*out' untouched. */
static inline bool ndi_size_of(int ndim, const size_t *shape, size_t item, size_t *out) {
  size_t total = item;
  bool empty = false;
  for (int i = 0; i < ndim; i++) {
    if (shape[i] == 0) empty = true;
    else if (!ndi_size_mul(total, shape[i], &total)) return false;
  }
  *out = empty ? 0 : total;
  return true;
}

#endif
