/* The only n-d walk: it steps through views of one shape and leaves the innermost axis to a kernel.
 */
#ifndef ND_VIEW_ITER_H
#define ND_VIEW_ITER_H

#include "view/view.h"

enum { ND_ITER_VIEWS = 4 };

/* for (ndi_iter_init(&it, 2, views, bases, false); !it.is_done; ndi_iter_next(&it))
 *   kernel(it.run, it.at[0], it.step[0], it.at[1], it.step[1]); */
typedef struct {
  bool is_done;
  size_t run;                    /* elements of the innermost run */
  char *at[ND_ITER_VIEWS];       /* where each view's run begins */
  ptrdiff_t step[ND_ITER_VIEWS]; /* and its byte step */
  int count, ndim;               /* outer axes, after merging */
  size_t len[ND_MAX_NDIM], index[ND_MAX_NDIM];
  ptrdiff_t steps[ND_ITER_VIEWS][ND_MAX_NDIM];
} nd_iter;

/* Walk 'count' views of equal shape; bases[i] is the address of view i's storage. With 'in_order'
 * elements come in row-major order; otherwise axes are turned round, reordered and merged for view
 * 0's sake. Axes of extent 1 are gone, and so are those that run on from one another. */
void ndi_iter_init(nd_iter *it, int count, const nd_view *const *views, char *const *bases,
                   bool in_order);
void ndi_iter_next(nd_iter *it);

/* To run 'at' (from 0) of a walk that has not begun; 'at' is one of its runs. */
void ndi_iter_seek(nd_iter *it, size_t at);

/* Part 'part' (from 0) of a walk that has not begun, cut into 'parts' of about equal size that
 * cover it once. */
void ndi_iter_part(const nd_iter *whole, size_t part, size_t parts, nd_iter *out);

#endif
