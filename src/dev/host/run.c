/* The operations of the host device: dispatch by group, and the group without a file of its own,
 * searches.
 *
 * Every task goes the same way: addresses of all views, which may wait for devices; the loops of
 * its group; a check that no mapped file shrank meanwhile. */
#include "base/call.h"
#include "dev/host/host.h"
#include "kern/cast.h"
#include "kern/compare.h"
#include "kern/elementwise.h"
#include "kern/gather.h"
#include "kern/gemm.h"
#include "kern/mixed.h"
#include "kern/reduce.h"
#include "kern/scan.h"
#include "view/iter.h"

/* {=== interrupts ===} */

/* Elements until the next poll, of a run of 'n' of which 'done' are done. */
static size_t chunk_of(size_t n, size_t done) {
  return n - done < NDI_BETWEEN_POLLS ? n - done : NDI_BETWEEN_POLLS;
}

/* Poll for an interrupt after 'n' more elements; '*since' counts them between polls. */
static nd_status check_interrupt(size_t *since, size_t n, nd_error *err) {
  if ((*since += n) < NDI_BETWEEN_POLLS) return ND_OK;
  *since = 0;
  return nd_check_interrupt(err);
}

/* {=== searching ===} */

/* Position of the first of 'n' elements at x (and y) that the task refuses or finds different; 'n'
 * where there is none. */
typedef size_t search_kernel(const nd_task *task, size_t n, const char *x, ptrdiff_t dx,
                             const char *y, ptrdiff_t dy);

static size_t search_index(const nd_task *task, size_t n, const char *x, ptrdiff_t dx,
                           const char *y, ptrdiff_t dy) {
  (void)y, (void)dy;
  return ndi_index_check(n, x, dx, task->extent);
}

/* Where there is no check, every element passes: see refuses_nothing. */
static size_t search_cast(const nd_task *task, size_t n, const char *x, ptrdiff_t dx, const char *y,
                          ptrdiff_t dy) {
  ndi_cast_check *check = ndi_cast_check_find(task->target, (nd_dtype)task->views[0]->dtype);
  (void)y, (void)dy;
  return check ? check(n, x, dx) : n;
}

static size_t search_operand(const nd_task *task, size_t n, const char *x, ptrdiff_t dx,
                             const char *y, ptrdiff_t dy) {
  ndi_operand_check *check = ndi_operand_check_find(task->checked, (nd_dtype)task->views[0]->dtype);
  (void)y, (void)dy;
  return check ? check(n, x, dx) : n;
}

static size_t search_different(const nd_task *task, size_t n, const char *x, ptrdiff_t dx,
                               const char *y, ptrdiff_t dy) {
  return ndi_equal_find((nd_dtype)task->views[0]->dtype)(n, x, dx, y, dy);
}

static size_t search_distant(const nd_task *task, size_t n, const char *x, ptrdiff_t dx,
                             const char *y, ptrdiff_t dy) {
  const nd_dtype left = (nd_dtype)task->views[0]->dtype, right = (nd_dtype)task->views[1]->dtype;
  ndi_close_kernel *close = left == right ? ndi_close_find(left)
                                          : ndi_mixed_close_find(left, right);
  return close(n, x, dx, y, dy, task->close.rtol, task->close.atol);
}

static search_kernel *const searches[ND_OP_COUNT] = {[ND_OP_CAST_CHECK] = search_cast,
                                                     [ND_OP_OPERAND_CHECK] = search_operand,
                                                     [ND_OP_INDEX_CHECK] = search_index,
                                                     [ND_OP_EQUAL] = search_different,
                                                     [ND_OP_CLOSE] = search_distant};

/* In row-major order, so that the first hit is the one to report; on one thread for the same
 * reason. */
static nd_status run_search(const nd_task *task, char *const *bases, nd_error *err) {
  nd_iter it;
  size_t before = 0, since = 0;
  *task->result = task->views[0]->size;
  for (ndi_iter_init(&it, task->count, task->views, bases, true); !it.is_done;
       ndi_iter_next(&it), before += it.run)
    for (size_t done = 0; done < it.run; done += NDI_BETWEEN_POLLS) {
      const size_t n = chunk_of(it.run, done);
      const char *x = it.at[0] + (ptrdiff_t)done * it.step[0];
      const ptrdiff_t dy = task->count > 1 ? it.step[1] : 0;
      const char *y = task->count > 1 ? it.at[1] + (ptrdiff_t)done * dy : NULL;
      const size_t at = searches[task->op](task, n, x, it.step[0], y, dy);
      if (at < n) return *task->result = before + done + at, ND_OK;
      ND_TRY(check_interrupt(&since, n, err));
    }
  return ND_OK;
}

/* {=== order statistics ===} */

static nd_status run_select(const nd_task *task, char *const *bases, nd_error *err) {
  if (task->op == ND_OP_TOPK) return ndi_host_topk(task, bases, err);
  if (task->op == ND_OP_MODE) return ndi_host_mode(task, bases, err);
  const bool is_quantile = task->op == ND_OP_MEDIAN || task->op == ND_OP_QUANTILE;
  return is_quantile ? ndi_host_quantile(task, bases, err) : ndi_host_partition(task, bases, err);
}

/* {=== any operation ===} */

/* Tasks with a 'result' only read their views; factorisations write several of them, two kinds
 * write two; all others the first. */
static int written_by(const nd_task *task) {
  if (nd_op_get(task->op)->group == ND_GROUP_FACTOR) return ndi_factor_results(task);
  return task->result ? 0 : task->op == ND_OP_TOPK || task->op == ND_OP_MODE ? 2 : 1;
}

bool ndi_host_can(nd_device *self, const nd_task *task) {
  (void)self;
  switch (nd_op_get(task->op)->group) {
    case ND_GROUP_ELEMENTWISE: return ndi_host_can_elementwise(task);
    case ND_GROUP_REDUCE:
      return ndi_reducer_find(task->op, (nd_dtype)task->views[1]->dtype) != NULL;
    case ND_GROUP_FILL: return true;
    case ND_GROUP_PICK:
    case ND_GROUP_MASK: return ndi_host_can_gather(task);
    case ND_GROUP_SEARCH: return searches[task->op] != NULL;
    case ND_GROUP_SORT: return task->op == ND_OP_SORT || task->op == ND_OP_ARGSORT;
    case ND_GROUP_SELECT:
    case ND_GROUP_COUNT:
    case ND_GROUP_FACTOR: return true;
    case ND_GROUP_SCAN: return ndi_scan_find(task->op, (nd_dtype)task->views[1]->dtype) != NULL;
    case ND_GROUP_PRODUCT: return ndi_gemm_find((nd_dtype)task->views[1]->dtype) != NULL;
    case ND_GROUP_FFT:
    case ND_GROUP_CONVOLVE: return true;
  }
  return false;
}

static nd_status run_group(const nd_task *task, char *const *bases, nd_error *err) {
  switch (nd_op_get(task->op)->group) {
    case ND_GROUP_ELEMENTWISE: return ndi_host_elementwise(task, bases, err);
    case ND_GROUP_REDUCE: return ndi_host_reduce(task, bases, err);
    case ND_GROUP_FILL: return ndi_host_fill(task, bases, err);
    case ND_GROUP_PICK:
    case ND_GROUP_MASK: return ndi_host_gather(task, bases, err);
    case ND_GROUP_SEARCH: return run_search(task, bases, err);
    case ND_GROUP_SORT: return ndi_host_sort(task, bases, err);
    case ND_GROUP_SELECT: return run_select(task, bases, err);
    case ND_GROUP_COUNT: return ndi_host_count(task, bases, err);
    case ND_GROUP_SCAN: return ndi_host_scan(task, bases, err);
    case ND_GROUP_PRODUCT: return ndi_host_product(task, bases, err);
    case ND_GROUP_FACTOR: return ndi_host_factor(task, bases, err);
    case ND_GROUP_FFT: return ndi_host_fft(task, bases, err);
    case ND_GROUP_CONVOLVE: return ndi_host_convolve(task, bases, err);
  }
  return ND_OK;
}

/* Can the search refuse nothing, whatever the elements are? Then memory need not be touched. */
static bool refuses_nothing(const nd_task *task) {
  const nd_dtype dtype = (nd_dtype)task->views[0]->dtype;
  if (task->op == ND_OP_CAST_CHECK) return !ndi_cast_check_find(task->target, dtype);
  return task->op == ND_OP_OPERAND_CHECK && !ndi_operand_check_find(task->checked, dtype);
}

nd_status ndi_host_run(nd_device *self, const nd_task *task, nd_error *err) {
  (void)self;
  char *bases[ND_TASK_VIEWS];
  /* before the bases: a lazy array then need not be allocated either */
  if (refuses_nothing(task)) return *task->result = task->views[0]->size, ND_OK;
  ND_TRY(ndi_host_bases(task->count, task->views, written_by(task), bases, err));
  ND_TRY(run_group(task, bases, err));
  /* a file that shrank while the task ran has read as zeros */
  return ndi_host_verify(task->count, task->views, err);
}
