/* The greatest or least elements of each line, on the host: the key of the last of them is found,
 * then the positions of those in front of it and of as many equal ones as are needed are taken, the
 * first ones, in their order. Where they are to be sorted, a stable sort follows. So the result is
 * the same for any number of threads. */
#include <string.h>

#include "base/size.h"
#include "dev/host/select.h"
#include "dev/host/sort.h"

typedef struct {
  const nd_task *task;
  nd_dtype dtype;
  size_t n, lines, item;
  size_t k;         /* how many of a line */
  ndi_split shared; /* of a line */
  const char *x;
  char *values;
  int64_t *positions;
  char *scratch;
  size_t each; /* bytes of a thread; of them … */
  size_t of_selection, of_sorter, of_parts;
  ndi_poll poll;
} plan;

/* What a part of the line has. */
typedef struct {
  size_t counts[3]; /* elements in front of the last one, equal to it, behind it */
  size_t first;     /* where its positions go */
} part_counts;

/* The line that is worked on. */
typedef struct {
  ndi_selection selection;
  ndi_sorter sorter;
  const plan *p;
  int64_t *positions;
  char *values;
  part_counts *parts;
  int64_t *order, *sorted; /* scratch for k positions each */
  char *picked;            /* and for k elements */
} work;

static void tally(void *context, size_t part, size_t first, size_t n, const char *keys) {
  const work *w = context;
  (void)first;
  w->selection.kernel->tally(n, keys, 1, w->selection.values, w->parts[part].counts);
}

/* 'counts[1]' becomes how many equal elements the part still takes. */
static void find_firsts(const work *w) {
  const size_t parts = w->selection.shared.parts;
  size_t equal = w->p->k, first = 0;
  for (size_t i = 0; i < parts; i++) equal -= w->parts[i].counts[0];
  for (size_t i = 0; i < parts; i++) {
    size_t *counts = w->parts[i].counts;
    if (counts[1] > equal) counts[1] = equal;
    equal -= counts[1];
    w->parts[i].first = first;
    first += counts[0] + counts[1];
    counts[2] = first; /* where they end */
  }
}

static void take(void *context, size_t part, size_t first, size_t n, const char *keys) {
  const work *w = context;
  part_counts *own = &w->parts[part];
  own->first += w->selection.kernel->take(n, keys, w->selection.values, &own->counts[1], first,
                                          own->counts[2] - own->first, w->positions + own->first);
}

static void pick(const work *w, const char *x, char *out) {
  const size_t item = w->p->item;
  for (size_t i = 0; i < w->p->k; i++)
    memcpy(out + i * item, x + (size_t)(w->positions[i] - 1) * item, item);
}

/* Sort positions, and elements with them, by a stable sort. */
static bool sort_taken(work *w, const char *x) {
  const plan *p = w->p;
  const ndi_selection *s = &w->selection;
  const ndi_split one = {.parts = 1, .threads = 1};
  pick(w, x, w->picked);
  if (!ndi_sort_line(&w->sorter, one, w->picked, w->order, s->poll, s->thread)) return false;
  for (size_t i = 0; i < p->k; i++) w->sorted[i] = w->positions[w->order[i] - 1];
  memcpy(w->positions, w->sorted, p->k * sizeof *w->sorted);
  return true;
}

static bool run_line(work *w, const char *x) {
  ndi_selection *s = &w->selection;
  const size_t last = w->p->k - 1;
  ndi_selection_start(s, x);
  if (!ndi_selection_find(s, 1, &last)) return false;
  memset(w->parts, 0, s->shared.parts * sizeof *w->parts);
  if (!ndi_selection_run(s, tally, w)) return false;
  find_firsts(w);
  if (!ndi_selection_run(s, take, w)) return false;
  if (w->p->task->topk.is_sorted && !sort_taken(w, x)) return false;
  pick(w, x, w->values);
  return true;
}

static bool run_lines(void *context, size_t part, size_t parts, size_t thread) {
  plan *p = context;
  work w = {.p = p};
  char *scratch = p->scratch + thread * p->each;
  const bool is_largest = p->task->topk.is_largest;
  ndi_selection_init(&w.selection, p->dtype, p->n, p->shared, 1, is_largest, scratch, &p->poll,
                     thread);
  scratch += p->of_selection;
  ndi_sort_init(&w.sorter, p->dtype, p->k, 1, true, is_largest, scratch);
  scratch += p->of_sorter;
  w.parts = (part_counts *)(void *)scratch;
  w.order = (int64_t *)(void *)(scratch + p->of_parts);
  w.sorted = w.order + p->k;
  w.picked = (char *)(w.sorted + p->k);
  for (size_t i = p->lines * part / parts; i < p->lines * (part + 1) / parts; i++) {
    w.positions = p->positions + i * p->k;
    w.values = p->values + i * p->k * p->item;
    if (!run_line(&w, p->x + i * p->n * p->item)) return false;
  }
  return true;
}

/* Bytes of scratch memory for a thread; each of the parts is aligned. */
static bool count_scratch(plan *p) {
  size_t room;
  p->of_parts = p->shared.parts * sizeof(part_counts);
  return ndi_selection_scratch(p->dtype, p->n, p->shared.parts, 1, &p->of_selection) &&
         ndi_sort_scratch(p->dtype, p->k, 1, true, &p->of_sorter) &&
         ndi_size_add(p->of_sorter, 15, &p->of_sorter) &&
         ndi_size_mul(p->k, 2 * sizeof(int64_t) + p->item, &room) &&
         ndi_size_add(room, p->of_parts, &room) &&
         ndi_size_add(room, p->of_sorter &= ~(size_t)15, &room) &&
         ndi_size_add(room, p->of_selection, &p->each);
}

nd_status ndi_host_topk(const nd_task *task, char *const *bases, nd_error *err) {
  const nd_view *values = task->views[0], *positions = task->views[1], *src = task->views[2];
  plan p = {.task = task,
            .dtype = (nd_dtype)src->dtype,
            .item = nd_view_itemsize(src),
            .n = src->axis[src->ndim - 1].len,
            .k = values->axis[values->ndim - 1].len,
            .x = bases[2] + src->offset,
            .values = bases[0] + values->offset,
            .positions = (int64_t *)(void *)(bases[1] + positions->offset),
            .poll = {.err = err}};
  ndi_split across;
  p.lines = src->size / p.n;
  ndi_lines_split((uint64_t)nd_view_nbytes(src), p.lines, &across, &p.shared);
  if (!count_scratch(&p)) p.each = SIZE_MAX;
  ND_TRY(ndi_lines_run("topk", p.n, across, run_lines, &p, &p.each, &p.scratch, err));
  return p.poll.status;
}
