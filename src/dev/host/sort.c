/* Sorting on the host. ops/sort.c has made the data packed, with the axis to sort last. If there
 * are at least as many lines as threads, each thread sorts lines of its own; else the lines are
 * sorted one after another, by all threads together.
 *
 * The kernels sort a line in steps (kern/sort.h): within a step the parts of a line are
 * independent, and a step begins when the one before it is done. Which of the two ways is taken
 * changes no bit of the result. */
#include "dev/host/sort.h"

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
  ndi_sorter *sorter;
  ndi_poll *poll;
  size_t thread; /* that drives it */
} work;

/* One step for one part of a line, in pieces between polls. */
static bool run_range(void *context, size_t part, size_t parts, size_t thread) {
  const work *w = context;
  const size_t n = w->sorter->n, end = n * (part + 1) / parts;
  for (size_t at = n * part / parts, some; at < end; at += some) {
    some = end - at < NDI_BETWEEN_POLLS ? end - at : NDI_BETWEEN_POLLS;
    ndi_sort_run(w->sorter, part, at, some);
    if (ndi_poll_stops(w->poll, w->thread + thread, some)) return false;
  }
  return true;
}

bool ndi_sort_line(ndi_sorter *s, ndi_split shared, char *x, int64_t *out, ndi_poll *poll,
                   size_t thread) {
  work w = {s, poll, thread};
  ndi_sort_start(s, x, out);
  while (ndi_sort_next(s)) {
    ndi_run_parts(shared, run_range, &w);
    if (atomic_load_explicit(&poll->is_stopped, memory_order_relaxed)) return false;
  }
  return true;
}

/* Sort a share of the lines. */
static bool run_lines(void *context, size_t part, size_t parts, size_t thread) {
  plan *p = context;
  ndi_sorter sorter;
  const size_t bytes = p->n * nd_dtype_get(p->dtype)->bytes;
  ndi_sort_init(&sorter, p->dtype, p->n, p->shared.parts, p->out != NULL, p->task->is_descending,
                p->scratch + thread * p->each);
  for (size_t i = p->lines * part / parts; i < p->lines * (part + 1) / parts; i++) {
    int64_t *out = p->out ? p->out + i * p->n : NULL;
    if (!ndi_sort_line(&sorter, p->shared, p->x + i * bytes, out, &p->poll, thread)) return false;
  }
  return true;
}

nd_status ndi_host_sort(const nd_task *task, char *const *bases, nd_error *err) {
  const bool is_argsort = task->op == ND_OP_ARGSORT;
  const nd_view *src = task->views[is_argsort ? 1 : 0];
  plan p = {.task = task, .dtype = (nd_dtype)src->dtype, .poll = {.err = err}};
  if (src->size == 0) return ND_OK;
  p.n = src->axis[src->ndim - 1].len;
  p.lines = src->size / p.n;
  p.x = bases[is_argsort ? 1 : 0] + src->offset;
  if (is_argsort) p.out = (int64_t *)(void *)(bases[0] + task->views[0]->offset);
  ndi_split across;
  ndi_lines_split((uint64_t)nd_view_nbytes(src), p.lines, &across, &p.shared);
  if (!ndi_sort_scratch(p.dtype, p.n, p.shared.parts, is_argsort, &p.each)) p.each = SIZE_MAX;
  ND_TRY(ndi_lines_run("sort", p.n, across, run_lines, &p, &p.each, &p.scratch, err));
  return p.poll.status;
}
