/* Checked arithmetic on sizes: every product and sum of a size goes through here before an
 * allocator sees it. */
#ifndef ND_BASE_SIZE_H
#define ND_BASE_SIZE_H

#include <stdbool.h>

#include "base/platform.h"

/* Sizes stay below this, so that a size is also a ptrdiff_t. */
#define ND_SIZE_MAX ((size_t)PTRDIFF_MAX)

/* '*out = a * b'. False on overflow past ND_SIZE_MAX, '*out' then undefined. */
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

/* Product of the extents times 'item', overflow-checked also where another factor is 0. */
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
