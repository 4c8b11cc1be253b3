/* The operations of the host device: each walks the views and leaves the runs to a kernel. */
#include "dev/host.h"
#include "kern/compare.h"
#include "kern/gather.h"
#include "kern/mixed.h"
#include "kern/random.h"
#include "view/iter.h"

/* {=== interrupts ===} */

static size_t chunk_of(size_t n, size_t done) {
  return n - done < NDI_BETWEEN_POLLS ? n - done : NDI_BETWEEN_POLLS;
}

/* After 'n' more elements, of which 'since' are not polled for yet. */
static nd_status check_interrupt(size_t *since, size_t n, nd_error *err) {
  if ((*since += n) < NDI_BETWEEN_POLLS) return ND_OK;
  *since = 0;
  return nd_check_interrupt(err);
}

/* {=== filling ===} */

static void fill_run(const nd_task *task, size_t before, size_t n, char *z, ptrdiff_t dz) {
  const nd_dtype dtype = (nd_dtype)task->views[0]->dtype;
  switch (task->op) {
    case ND_OP_UNIFORM:
      ndi_random_uniform(dtype, n, z, dz, task->seed, task->stream, before);
      break;
    case ND_OP_NORMAL: ndi_random_normal(dtype, n, z, dz, task->seed, task->stream, before); break;
    case ND_OP_INTEGERS:
      ndi_random_integers(dtype, n, z, dz, task->seed, task->stream, before, task->lowest,
                          task->span);
      break;
    case ND_OP_PERMUTATION: ndi_random_permutation(n, z, dz, task->seed, task->stream); break;
    default: ndi_range_fill(dtype, n, z, dz, &task->numbers, before);
  }
}

static nd_status run_fill(const nd_task *task, char *const *bases, nd_error *err) {
  nd_iter it;
  size_t before = 0;
  for (ndi_iter_init(&it, 1, task->views, bases, true); !it.is_done;
       ndi_iter_next(&it), before += it.run) {
    const size_t chunk = task->op == ND_OP_PERMUTATION ? it.run
                                                       : NDI_BETWEEN_POLLS; /* 1-D: one run */
    for (size_t done = 0; done < it.run; done += chunk) {
      const size_t n = it.run - done < chunk ? it.run - done : chunk;
      fill_run(task, before + done, n, it.at[0] + (ptrdiff_t)done * it.step[0], it.step[0]);
      ND_TRY(nd_check_interrupt(err));
    }
  }
  return ND_OK;
}

/* {=== looking for the first ===} */

/* Among 'n' elements of the run, from 'done'. */
static size_t find_in_run(const nd_task *task, const nd_iter *it, size_t done, size_t n) {
  const nd_dtype dtype = (nd_dtype)task->views[0]->dtype;
  const ptrdiff_t dx = it->step[0];
  const char *x = it->at[0] + (ptrdiff_t)done * dx;
  if (task->op == ND_OP_INDEX_CHECK) return ndi_index_check(n, x, dx, task->extent);
  const ptrdiff_t dy = it->step[1];
  const char *y = it->at[1] + (ptrdiff_t)done * dy;
  const nd_dtype other = (nd_dtype)task->views[1]->dtype;
  if (task->op == ND_OP_EQUAL) return ndi_equal_find(dtype)(n, x, dx, y, dy);
  ndi_close_kernel *close = dtype == other ? ndi_close_find(dtype)
                                           : ndi_mixed_close_find(dtype, other);
  return close(n, x, dx, y, dy, task->step, task->first);
}

static nd_status run_find(const nd_task *task, char *const *bases, nd_error *err) {
  nd_iter it;
  size_t before = 0, since = 0;
  *task->result = task->views[0]->size;
  for (ndi_iter_init(&it, task->count, task->views, bases, true); !it.is_done;
       ndi_iter_next(&it), before += it.run)
    for (size_t done = 0; done < it.run; done += NDI_BETWEEN_POLLS) {
      const size_t n = chunk_of(it.run, done), at = find_in_run(task, &it, done, n);
      if (at < n) {
        *task->result = before + done + at;
        return ND_OK;
      }
      ND_TRY(check_interrupt(&since, n, err));
    }
  return ND_OK;
}

nd_status ndi_host_run(nd_device *self, const nd_task *task, nd_error *err) {
  (void)self;
  char *bases[ND_ITER_VIEWS];
  const bool reads_only = task->result != NULL;
  ND_TRY(ndi_host_bases(task->count, task->views, !reads_only, bases, err));
  switch (task->op) {
#define ND_ROW(ID, ...) case ND_OP_##ID:
    ND_ELEMENTWISE_OPS(ND_ROW)
#undef ND_ROW
    ND_TRY(ndi_host_elementwise(task, bases, err));
    break;
#define ND_ROW(ID, ...) case ND_OP_##ID:
    ND_REDUCE_OPS(ND_ROW)
#undef ND_ROW
    ND_TRY(ndi_host_reduce(task, bases, err));
    break;
    case ND_OP_SORT:
    case ND_OP_ARGSORT: ND_TRY(ndi_host_sort(task, bases, err)); break;
    case ND_OP_TAKE:
    case ND_OP_PUT:
    case ND_OP_INDEX_ADD:
    case ND_OP_MASK_COUNT:
    case ND_OP_MASK_SELECT:
    case ND_OP_MASK_ASSIGN: ND_TRY(ndi_host_gather(task, bases, err)); break;
    case ND_OP_INDEX_CHECK:
    case ND_OP_EQUAL:
    case ND_OP_CLOSE: ND_TRY(run_find(task, bases, err)); break;
    default: ND_TRY(run_fill(task, bases, err));
  }
  return ndi_host_verify(task->count, task->views, err);
}
