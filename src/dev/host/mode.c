/* The most frequent value of each line, on the host: of a sorted copy, the longest run of equal
 * elements. */
#include "kern/mode.h"

#include <string.h>

#include "base/size.h"
#include "dev/host/sort.h"

typedef struct {
  nd_dtype dtype;
  size_t n, lines, item;
  ndi_split shared; /* of a line */
  const char *x;
  char *values;
  int64_t *counts;
  ndi_mode_kernel *kernel;
  char *scratch;
  size_t each, of_line; /* bytes of a thread; of them for the copy of a line */
  ndi_poll poll;
} plan;

/* The line that a thread sorts. */
typedef struct {
  ndi_sorter sorter;
  char *line;
  size_t thread;
} work;

static bool run_line(plan *p, work *w, size_t which) {
  size_t longest = 0, at = 0;
  memcpy(w->line, p->x + which * p->n * p->item, p->n * p->item);
  if (!ndi_sort_line(&w->sorter, p->shared, w->line, NULL, &p->poll, w->thread)) return false;
  for (size_t first = 0, some; first < p->n; first += some) {
    some = p->n - first < NDI_BETWEEN_POLLS ? p->n - first : NDI_BETWEEN_POLLS;
    longest = p->kernel(first, first + some, w->line, longest, &at);
    if (ndi_poll_stops(&p->poll, w->thread, some)) return false;
  }
  memcpy(p->values + which * p->item, w->line + at * p->item, p->item);
  p->counts[which] = (int64_t)longest;
  return true;
}

static bool run_lines(void *context, size_t part, size_t parts, size_t thread) {
  plan *p = context;
  work w = {.line = p->scratch + thread * p->each, .thread = thread};
  ndi_sort_init(&w.sorter, p->dtype, p->n, p->shared.parts, false, false, w.line + p->of_line);
  for (size_t i = p->lines * part / parts; i < p->lines * (part + 1) / parts; i++)
    if (!run_line(p, &w, i)) return false;
  return true;
}

/* The copy of the line ends where what follows is aligned. */
static bool count_scratch(plan *p) {
  size_t room;
  return ndi_size_add(p->n * p->item, 15, &p->of_line) &&
         ndi_sort_scratch(p->dtype, p->n, p->shared.parts, false, &room) &&
         ndi_size_add(room, p->of_line &= ~(size_t)15, &p->each);
}

nd_status ndi_host_mode(const nd_task *task, char *const *bases, nd_error *err) {
  const nd_view *values = task->views[0], *counts = task->views[1], *src = task->views[2];
  plan p = {.dtype = (nd_dtype)src->dtype,
            .item = nd_view_itemsize(src),
            .n = src->axis[src->ndim - 1].len,
            .x = bases[2] + src->offset,
            .values = bases[0] + values->offset,
            .counts = (int64_t *)(void *)(bases[1] + counts->offset),
            .kernel = ndi_mode_find((nd_dtype)src->dtype),
            .poll = {.err = err}};
  ndi_split across;
  p.lines = src->size / p.n;
  ndi_lines_split((uint64_t)nd_view_nbytes(src), p.lines, &across, &p.shared);
  if (!count_scratch(&p)) p.each = SIZE_MAX;
  ND_TRY(ndi_lines_run("mode", p.n, across, run_lines, &p, &p.each, &p.scratch, err));
  return p.poll.status;
}
