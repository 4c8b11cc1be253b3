/* Counting into bins, and the tables of kernels that find the bins. */
#include "kern/count.h"

#include "kern/words.h"

#define BODY_BOOL "kern/count_whole.inc"
#define BODY_UNSIGNED "kern/count_whole.inc"
#define BODY_SIGNED "kern/count_whole.inc"
#define BODY_FLOAT "kern/count_float.inc"
#include "kern/made/each_dtype.h"

ndi_offset_kernel *ndi_offset_find(nd_dtype dtype) {
#define ND_ROW(ID, name, ...) [ND_##ID] = offset_##name,
  static ndi_offset_kernel *const offsets[ND_DTYPE_COUNT] = {ND_BOOLS(ND_ROW) ND_INTEGERS(ND_ROW)};
#undef ND_ROW
  return offsets[dtype];
}

ndi_bin_kernel *ndi_bin_find(nd_dtype dtype) {
#define ND_ROW(ID, name, ...) [ND_##ID] = bin_##name,
  static ndi_bin_kernel *const bins[ND_DTYPE_COUNT] = {ND_FLOATS(ND_ROW) ND_SMALL_FLOATS(ND_ROW)};
#undef ND_ROW
  return bins[dtype];
}

size_t ndi_count_places(size_t n, const uint64_t *at, uint64_t base, size_t bins, int64_t *counts) {
  size_t counted = 0;
  for (size_t i = 0; i < n; i++)
    if (at[i] - base < bins) counts[at[i] - base]++, counted++;
  return counted;
}

size_t ndi_add_weights(size_t n, const uint64_t *at, uint64_t base, size_t bins, double *sums,
                       const char *weights) {
  size_t counted = 0;
  for (size_t i = 0; i < n; i++)
    if (at[i] - base < bins) sums[at[i] - base] += raw_f64(weights + i * sizeof(double)), counted++;
  return counted;
}
