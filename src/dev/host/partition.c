/* Partitions on the host: the elements, or positions, of each line are dealt out by the keys of the
 * ranks that are asked for. Those of one class keep their order, so the result is the same for any
 * number of threads. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "dev/host/select.h"

typedef struct {
  nd_dtype dtype;
  bool is_positions;
  size_t n, lines, item;
  size_t count, *ranks; /* ascending, each once */
  ndi_split shared;     /* of a line */
  const char *x;
  char *out;
  size_t classes; /* at most */
  char *scratch;
  size_t each, own; /* bytes of a thread; of them for the selection */
  ndi_poll poll;
} plan;

/* The line that is worked on. */
typedef struct {
  ndi_selection selection;
  const plan *p;
  char *out;
  size_t count;   /* values that differ; half as many as there are classes */
  size_t *places; /* for each part, of its classes */
} work;

/* Values that are equal once. */
static size_t drop_equal(const ndi_selection *s, size_t count) {
  size_t left = 1;
  for (size_t i = 1; i < count; i++) {
    const char *value = s->values + i * s->item, *last = s->values + (left - 1) * s->item;
    if (memcmp(value, last, s->item) != 0) memcpy(s->values + left++ * s->item, value, s->item);
  }
  return left;
}

static void tally(void *context, size_t part, size_t first, size_t n, const char *keys) {
  const work *w = context;
  (void)first;
  w->selection.kernel->tally(n, keys, w->count, w->selection.values,
                             w->places + part * (2 * w->count + 1));
}

static void deal(void *context, size_t part, size_t first, size_t n, const char *keys) {
  const work *w = context;
  const ndi_selection *s = &w->selection;
  size_t *places = w->places + part * (2 * w->count + 1);
  if (w->p->is_positions)
    s->kernel->deal_positions(n, keys, w->count, s->values, places, first,
                              (int64_t *)(void *)w->out);
  else s->kernel->deal(n, keys, w->count, s->values, places, s->x + first * s->item, w->out);
}

/* Counts become the places where the elements of each part and class begin. */
static void to_places(const work *w) {
  const size_t classes = 2 * w->count + 1;
  size_t place = 0;
  for (size_t i = 0; i < classes; i++)
    for (size_t part = 0; part < w->selection.shared.parts; part++) {
      size_t *at = &w->places[part * classes + i];
      const size_t own = *at;
      *at = place;
      place += own;
    }
}

static bool run_line(work *w, const char *x) {
  ndi_selection *s = &w->selection;
  ndi_selection_start(s, x);
  if (!ndi_selection_find(s, w->p->count, w->p->ranks)) return false;
  w->count = drop_equal(s, w->p->count);
  memset(w->places, 0, s->shared.parts * (2 * w->count + 1) * sizeof *w->places);
  if (!ndi_selection_run(s, tally, w)) return false;
  to_places(w);
  return ndi_selection_run(s, deal, w);
}

static bool run_lines(void *context, size_t part, size_t parts, size_t thread) {
  plan *p = context;
  work w = {.p = p};
  char *scratch = p->scratch + thread * p->each;
  const size_t bytes = p->n * (p->is_positions ? sizeof(int64_t) : p->item);
  w.places = (size_t *)(void *)(scratch + p->own);
  ndi_selection_init(&w.selection, p->dtype, p->n, p->shared, p->count, false, scratch, &p->poll,
                     thread);
  for (size_t i = p->lines * part / parts; i < p->lines * (part + 1) / parts; i++) {
    w.out = p->out + i * bytes;
    if (!run_line(&w, p->x + i * p->n * p->item)) return false;
  }
  return true;
}

static int compare(const void *a, const void *b) {
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

/* From 1-based places, negative ones from the end, which are in range. */
static void read_ranks(plan *p, const nd_view *places, const char *base) {
  const size_t count = places->size;
  for (size_t i = 0; i < count; i++) {
    int64_t place;
    memcpy(&place, base + places->offset + i * sizeof place, sizeof place);
    p->ranks[i] = place > 0 ? (size_t)place - 1 : p->n - (size_t)-place;
  }
  qsort(p->ranks, count, sizeof *p->ranks, compare);
  p->count = 0;
  for (size_t i = 0; i < count; i++)
    if (i == 0 || p->ranks[i] != p->ranks[p->count - 1]) p->ranks[p->count++] = p->ranks[i];
}

static nd_status run_plan(plan *p, const nd_view *src, const char *name, nd_error *err) {
  ndi_split across;
  size_t room = 0;
  ndi_lines_split((uint64_t)nd_view_nbytes(src), p->lines, &across, &p->shared);
  const bool fits = ndi_selection_scratch(p->dtype, p->n, p->shared.parts, p->count, &p->own) &&
                    ndi_size_mul(2 * p->count + 1, p->shared.parts * sizeof(size_t), &room) &&
                    ndi_size_add(p->own, room, &p->each);
  if (!fits) p->each = SIZE_MAX;
  ND_TRY(ndi_lines_run(name, p->n, across, run_lines, p, &p->each, &p->scratch, err));
  return p->poll.status;
}

nd_status ndi_host_partition(const nd_task *task, char *const *bases, nd_error *err) {
  const nd_view *out = task->views[0], *src = task->views[1], *places = task->views[2];
  plan p = {.dtype = (nd_dtype)src->dtype,
            .is_positions = task->op == ND_OP_ARGPARTITION,
            .item = nd_view_itemsize(src),
            .n = src->axis[src->ndim - 1].len,
            .x = bases[1] + src->offset,
            .out = bases[0] + out->offset,
            .poll = {.err = err}};
  nd_block block;
  size_t bytes;
  p.lines = src->size / p.n;
  if (!ndi_size_mul(places->size, sizeof *p.ranks, &bytes))
    return nd_fail(err, ND_OVERFLOW, "%s: %zu positions are too many", nd_op_get(task->op)->name,
                   places->size);
  ND_TRY(ndi_host_scratch(bytes, &block, err));
  p.ranks = block.host;
  read_ranks(&p, places, bases[2]);
  const nd_status status = run_plan(&p, src, nd_op_get(task->op)->name, err);
  ndi_host_unscratch(&block);
  return status;
}
