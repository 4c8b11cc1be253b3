/* Filling arrays with ranges and random numbers: an element is a function of its position in
 * row-major order and of parameters, so the work can be cut anywhere, but for a permutation's. */
#include "base/call.h"
#include "dev/host/host.h"
#include "dev/threads.h"
#include "kern/random.h"
#include "view/iter.h"

enum {
  CHUNK = 1 << 16, /* elements of a kernel's call: random numbers take up to 100 ns each */
  WORTH = 32       /* bytes that could be moved in the time of a random number, at least */
};

typedef struct {
  const nd_task *task;
  nd_iter walk;
  ndi_poll poll;
} plan;

/* Write 'n' elements from element 'first' on; they and their parameters are at 'at'. */
static void fill(const nd_task *task, size_t first, size_t n, char *const *at,
                 const ptrdiff_t *step) {
  const nd_dtype dtype = (nd_dtype)task->views[0]->dtype;
  const ndi_random random = {task->random.seed, task->random.call_number};
  ndi_random_run run = {.first = first, .n = n, .z = at[0], .dz = step[0]};
  switch (task->op) {
    case ND_OP_RANGE: ndi_range_fill(dtype, n, at[0], step[0], &task->range, first); return;
    case ND_OP_PERMUTATION: ndi_random_permutation(&random, n, at[0], step[0]); return;
    case ND_OP_INTEGERS:
      ndi_random_integers(dtype, &random, &run, task->random.lowest, task->random.span);
      return;
    default: break;
  }
  for (int p = 0; p < 2; p++) {
    const bool is_array = p + 1 < task->count;
    run.at[p] = is_array ? at[p + 1] : (const char *)&task->random.of[p];
    run.step[p] = is_array ? step[p + 1] : 0;
  }
  ndi_random_draw(task->op, dtype, &random, &run);
}

static bool fill_part(void *context, size_t part, size_t parts, size_t thread) {
  plan *p = context;
  const size_t size = p->task->views[0]->size, run = p->walk.run;
  size_t first = size / parts * part + (part < size % parts ? part : size % parts);
  const size_t end = first + size / parts + (part < size % parts);
  nd_iter it = p->walk;
  if (first == end) return true;
  ndi_iter_seek(&it, first / run);
  for (size_t n; first < end; first += n) {
    const size_t from = first % run, left = run - from < end - first ? run - from : end - first;
    char *at[ND_ITER_VIEWS] = {NULL};
    n = left < CHUNK || p->task->op == ND_OP_PERMUTATION ? left : CHUNK;
    for (int i = 0; i < it.count; i++) at[i] = it.at[i] + (ptrdiff_t)from * it.step[i];
    fill(p->task, first, n, at, it.step);
    if (ndi_poll_stops(&p->poll, thread, n * 8)) return false;
    if (from + n == run) ndi_iter_next(&it);
  }
  return true;
}

nd_status ndi_host_fill(const nd_task *task, char *const *bases, nd_error *err) {
  plan p = {.task = task, .poll = {.err = err}};
  const nd_view *out = task->views[0];
  const size_t bytes = task->op == ND_OP_RANGE ? nd_view_itemsize(out) : WORTH;
  const size_t most = task->op == ND_OP_PERMUTATION; /* of one axis, so it is one run */
  ndi_iter_init(&p.walk, task->count, task->views, bases, true);
  ndi_run_parts(ndi_split_of((uint64_t)out->size * bytes, most), fill_part, &p);
  return p.poll.status;
}
