/* Sorting on the host. ops/sort.c has made the data packed, with the axis to sort last. If there
 * are at least as many lines as threads, each thread sorts lines of its own; else the lines are
 * sorted one after another, by all threads together.
 *
 * The kernels sort a line in steps (kern/sort.h): within a step the parts of a line are
 * independent, and a step begins when the one before it is done. Which of the two ways is taken
 * changes no bit of the result. */
#include "kern/sort.h"
#include "base/size.h"
#include "dev/host/host.h"
#include "dev/threads.h"

typedef struct {
  const nd_task *task;
  nd_dtype dtype;
  size_t n, lines;  /* elements of a line; number of lines */
  ndi_split shared; /* of a line */
  char *x;
  int64_t *out;  /* argsort: where positions go; NULL: x is sorted in place */
  char *scratch; /* 'each' bytes for each line that is being sorted */
  size_t each;
  ndi_poll poll;
} plan;

/* The line that is being sorted. */
typedef struct {
  ndi_sorter sorter;
  plan *p;
  size_t thread; /* that drives it */
} work;

/* One step for one part of a line, in pieces between polls. */
static bool run_range(void *context, size_t part, size_t parts, size_t thread) {
  work *w = context;
  const size_t n = w->p->n, end = n * (part + 1) / parts;
  for (size_t at = n * part / parts, some; at < end; at += some) {
    some = end - at < NDI_BETWEEN_POLLS ? end - at : NDI_BETWEEN_POLLS;
    ndi_sort_run(&w->sorter, part, at, some);
    if (ndi_poll_stops(&w->p->poll, w->thread + thread, some)) return false;
  }
  return true;
}

/* Sort a share of the lines. Either these are shared or the parts of each, so jobs do not nest. */
static bool run_lines(void *context, size_t part, size_t parts, size_t thread) {
  plan *p = context;
  work w = {.p = p, .thread = thread};
  const size_t bytes = p->n * nd_dtype_get(p->dtype)->bytes;
  ndi_sort_init(&w.sorter, p->dtype, p->n, p->shared.parts, p->out != NULL, p->task->is_descending,
                p->scratch + thread * p->each);
  for (size_t i = p->lines * part / parts; i < p->lines * (part + 1) / parts; i++) {
    ndi_sort_start(&w.sorter, p->x + i * bytes, p->out ? p->out + i * p->n : NULL);
    while (ndi_sort_next(&w.sorter)) {
      ndi_run_parts(p->shared, run_range, &w);
      if (atomic_load_explicit(&p->poll.is_stopped, memory_order_relaxed)) return false;
    }
  }
  return true;
}

nd_status ndi_host_sort(const nd_task *task, char *const *bases, nd_error *err) {
  const bool is_argsort = task->op == ND_OP_ARGSORT;
  const nd_view *src = task->views[is_argsort ? 1 : 0];
  plan p = {.task = task, .dtype = (nd_dtype)src->dtype, .poll = {.err = err}};
  nd_block block;
  size_t bytes;
  if (src->size == 0) return ND_OK;
  p.n = src->axis[src->ndim - 1].len;
  p.lines = src->size / p.n;
  p.x = bases[is_argsort ? 1 : 0] + src->offset;
  if (is_argsort) p.out = (int64_t *)(void *)(bases[0] + task->views[0]->offset);
  enum { FEW = 4 }; /* parts of a thread, as each has histograms */
  const ndi_split one = {.parts = 1, .threads = 1};
  ndi_split split = ndi_split_of((uint64_t)nd_view_nbytes(src), 0);
  const bool are_few = p.lines < split.threads; /* then all threads share each */
  if (are_few && split.parts > split.threads * FEW) split.parts = split.threads * FEW;
  if (!are_few && split.parts > p.lines) split.parts = p.lines;
  p.shared = are_few ? split : one;
  if (are_few) split = one;
  /* Scratch for each line in work is rounded up to cache lines, so that threads do not share
   * any. */
  if (!ndi_sort_scratch(p.dtype, p.n, p.shared.parts, is_argsort, &p.each) ||
      !ndi_size_add(p.each, 64, &p.each) ||
      !ndi_size_mul(p.each &= ~(size_t)63, split.threads, &bytes))
    return nd_fail(err, ND_OVERFLOW, "sort: a line of %zu needs more memory than there is", p.n);
  ND_TRY(ndi_host_scratch(bytes, &block, err));
  p.scratch = block.host;
  ndi_run_parts(split, run_lines, &p);
  ndi_host_unscratch(&block);
  return p.poll.status;
}
