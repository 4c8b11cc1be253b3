/* The only n-d walk: it steps in lockstep through views of one shape, and leaves the innermost axis
 * to a one-dimensional kernel. */
#ifndef ND_VIEW_ITER_H
#define ND_VIEW_ITER_H

#include "view/view.h"

enum { ND_ITER_VIEWS = 4 };

/* for (ndi_iter_init(&it, 2, views, bases, false); !it.is_done; ndi_iter_next(&it))
 *   kernel(it.run, it.at[0], it.step[0], it.at[1], it.step[1]); */
typedef struct {
  bool is_done;
  size_t run;                    /* elements of a run, the same for all runs */
  char *at[ND_ITER_VIEWS];       /* the first element of the current run in each view */
  ptrdiff_t step[ND_ITER_VIEWS]; /* bytes from one element of a run to the next */
  int count, ndim;               /* views; outer axes, without that of the runs */
  /* of the outer axes: extents, where the walk is, and byte strides */
  size_t len[ND_MAX_NDIM], index[ND_MAX_NDIM];
  ptrdiff_t steps[ND_ITER_VIEWS][ND_MAX_NDIM];
} nd_iter;

/* Begin a walk over 'count' views of equal shape, which must outlive only this call. bases[i] is
 * the address of the storage of view i; NULL leaves at[i] NULL. Axes of extent 1 are dropped, and
 * axes that together have one stride in every view are merged.
 *
 * With 'in_order' elements are visited in row-major order. Otherwise the order is free, and chosen
 * for view 0, usually the output: its axes run forwards, the smallest strides innermost. */
void ndi_iter_init(nd_iter *it, int count, const nd_view *const *views, char *const *bases,
                   bool in_order);
void ndi_iter_next(nd_iter *it);

/* Move a walk that is at its first run to run 'at', counted from 0, which must exist. */
void ndi_iter_seek(nd_iter *it, size_t at);

/* Set 'out' to part 'part' (0-based) of a walk that is at its first run. The 'parts' are of about
 * equal size, and together cover each element once; some may be empty. */
void ndi_iter_part(const nd_iter *whole, size_t part, size_t parts, nd_iter *out);

/* The distance that a byte step covers, in either direction. */
static inline ptrdiff_t ndi_step_abs(ptrdiff_t step) { return step < 0 ? -step : step; }

#endif
