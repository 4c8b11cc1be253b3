/* Folds of many windows of one sequence, each of which overlaps its neighbours. */
#ifndef ND_DEV_HOST_WINDOWS_H
#define ND_DEV_HOST_WINDOWS_H

#include "kern/reduce.h"

/* Elements from the first of one window to the first of the last, at most, plus 1. */
enum { NDI_WINDOWS_SPAN = 256 };

/* A window begins 'hop' elements after the one before it. The reducer has neither positions nor
 * means, since windows share what is folded. */
typedef struct {
  const ndi_reducer *reducer;
  size_t hop;
  ptrdiff_t item, acc; /* bytes of an element and of an accumulator */
} ndi_windows;

/* What the fold of one of many windows of 'n' elements costs, as a number of elements that are
 * folded for themselves. */
size_t ndi_windows_cost(size_t hop, size_t n);

/* Fold 'count' windows of 'n' elements, 1 to NDI_BLOCK, into packed accumulators. 'x' has the
 * elements of all windows, packed: (count - 1) * hop + n of them, of which windows begin within the
 * first NDI_WINDOWS_SPAN. The results are those of 'block' for each window. */
void ndi_windows_fold(const ndi_windows *w, size_t n, size_t count, const char *x, char *out);

#endif
