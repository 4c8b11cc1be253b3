/* Order statistics of lines, for the operations that need them. A line is gone over in chunks,
 * whose keys (kern/select.h) stay in the first cache: those of a line that is not longer than a
 * chunk are made once, others for each step. Steps of a line can be shared by threads.
 *
 * In a long line, keys near those that are looked for are copied: a sample tells within which
 * bounds they lie, by some deviations, as in Floyd and Rivest's SELECT (Expected Time Bounds for
 * Selection, 1975). If they do not, which is seen as keys are counted, all keys are copied. Values
 * do not depend on the sample, nor on how a line is shared. */
#ifndef ND_DEV_HOST_SELECT_H
#define ND_DEV_HOST_SELECT_H

#include "dev/host/host.h"
#include "dev/threads.h"
#include "kern/select.h"

struct ndi_selection_part; /* what a part of the line has counted */

typedef struct {
  const ndi_selector *kernel;
  ndi_sort_order order;
  nd_dtype dtype;
  size_t n, item;   /* elements of a line; bytes of each */
  ndi_split shared; /* of a line */
  ndi_poll *poll;
  size_t thread;       /* that drives it */
  const char *x;       /* the line */
  bool is_short;       /* 'keys' has all keys of the line */
  char *keys, *copied; /* scratch, as all that follows */
  char *values;        /* what ndi_selection_find found: keys, of the ranks */
  size_t *places;      /* of the ranks among what was copied */
  struct ndi_selection_part *parts;
} ndi_selection;

/* Bytes of scratch memory for lines of 'n' elements and at most 'ranks' ranks, to be aligned as an
 * nd_int128. False on overflow. */
bool ndi_selection_scratch(nd_dtype dtype, size_t n, size_t parts, size_t ranks, size_t *out);

/* Prepare for any number of lines of one dtype and length, driven by 'thread'. 'scratch' and 'poll'
 * must live as long as 's'. */
void ndi_selection_init(ndi_selection *s, nd_dtype dtype, size_t n, ndi_split shared, size_t ranks,
                        bool is_descending, char *scratch, ndi_poll *poll, size_t thread);

/* Begin a line, which is only read. */
void ndi_selection_start(ndi_selection *s, const char *x);

/* Call step(context, …) with the keys of elements first … first + n - 1 for all elements, those of
 * a part in order. False where the poll stops the work. */
typedef void ndi_selection_step(void *context, size_t part, size_t first, size_t n,
                                const char *keys);
bool ndi_selection_run(ndi_selection *s, ndi_selection_step *step, void *context);

/* The number of NaNs; 0 of complex ones, whose order has them in classes. False as above. */
bool ndi_selection_count_nans(ndi_selection *s, size_t *out);

/* Find the keys of 'count' ranks, which ascend and differ: s->values. False as above. */
bool ndi_selection_find(ndi_selection *s, size_t count, const size_t *ranks);

#endif
