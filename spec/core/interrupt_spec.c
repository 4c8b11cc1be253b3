/* Long work of the host asks for interrupts: at each question once, "yes" ends the call cleanly. */
#include <stdlib.h>

#include "check.h"
#include "dev/threads.h"
#include "ndbuf.h"

enum { N = (2 << 20) + 5, ROWS = 2 << 10, COLUMNS = (1 << 10) + 1, FEW = (1 << 17) + 5 };

static nd_view line, other, index_list, mask, matrix, rows, wide, plane;
static nd_view out; /* what a call under test makes */
static int countdown;

static bool is_interrupted(void *context) {
  (void)context;
  return --countdown == 0;
}

static nd_view make(nd_dtype dtype, int ndim, const size_t *shape) {
  nd_view v;
  const nd_storage_options options = {.zeroed = true};
  if (nd_new(nd_host_resource(), dtype, ndim, shape, options, &v, NULL) != ND_OK) exit(2);
  return v;
}

static void fill(const nd_view *v, unsigned char value) {
  nd_scalar scalar = {.dtype = ND_U8, .bytes = {value}};
  if (nd_fill(v, &scalar, NULL) != ND_OK) exit(2);
}

/* {=== the calls ===} */

static nd_status copy(void) { return nd_copy(&wide, &line, ND_SATURATE, NULL); }
static nd_status check(void) { return nd_copy(&line, &index_list, ND_CHECK, NULL); }
static nd_status range(void) { return nd_range(&line, 0, 0, NULL); }
static nd_status uniform(void) { return nd_random_uniform(&wide, 1, 1, NULL); }
static nd_status take(void) { return nd_take(&line, &index_list, 0, &out, NULL); }
static nd_status take_rows(void) { return nd_take(&matrix, &rows, 0, &out, NULL); }
static nd_status take_columns(void) { return nd_take(&matrix, &rows, 1, &out, NULL); }
static nd_status put(void) { return nd_put(&line, &index_list, &other, NULL); }
static nd_status add(void) { return nd_index_add(&line, 0, &index_list, &other, NULL); }
static nd_status select_masked(void) { return nd_mask_select(&line, &mask, &out, NULL); }
static nd_status assign_masked(void) { return nd_mask_assign(&line, &mask, &other, NULL); }

static nd_status sort(void) { return nd_sort(&wide, 0, false, &out, NULL); }
static nd_status argsort(void) { return nd_argsort(&wide, 0, false, &out, NULL); }
static nd_status argsort_complex(void) { return nd_argsort(&plane, 0, true, &out, NULL); }

static nd_status equal(void) {
  bool same;
  return nd_equal(&line, &other, &same, NULL);
}

static nd_status close_to(void) {
  bool same;
  return nd_allclose(&line, &other, 0, 255, &same, NULL);
}

static const struct {
  const char *name;
  nd_status (*call)(void);
  int least; /* questions, of 2^20 elements each */
} sorts[] = {{"sort", sort, 4},
             {"argsort", argsort, 4},
             {"argsort of complex numbers", argsort_complex, 1}},
  calls[] = {{"copy", copy, 2},
             {"check", check, 4},
             {"range", range, 2},
             {"uniform", uniform, 2},
             {"take", take, 4},
             {"take of rows", take_rows, 2},
             {"take of columns", take_columns, 2},
             {"put", put, 4},
             {"index_add", add, 4},
             {"mask_select", select_masked, 4},
             {"mask_assign", assign_masked, 4},
             {"equal", equal, 2},
             {"allclose", close_to, 2}};

static nd_mem_stats host_stats(void) {
  nd_mem_stats stats;
  nd_resource_get_stats(nd_host_resource(), &stats);
  return stats;
}

static void interrupt_each(const char *name, nd_status (*run)(void), int least) {
  const nd_call call = {.is_interrupted = is_interrupted};
  const uint64_t live = host_stats().live.now;
  int questions = 0;
  nd_status status;
  do {
    countdown = ++questions;
    fill(&line, 0);
    const nd_call *former = nd_call_set(&call);
    status = run();
    nd_call_set(former);
    CHECK(status == ND_INTERRUPTED || status == ND_OK, "%s: %s", name, nd_status_name(status));
    if (status == ND_OK) nd_view_drop(&out);
    CHECK(host_stats().live.now == live, "%s: question %d leaves bytes", name, questions);
  } while (status != ND_OK && questions < 100);
  CHECK(questions - 1 >= least, "%s: asked %d times, not %d", name, questions - 1, least);
}

int main(void) {
  if (nd_init(NULL) != ND_OK) return 2;
  nd_threads_set(1);
  const size_t shape[] = {ROWS, COLUMNS}, n = N, twice = 2 * ROWS, few = FEW;
  line = make(ND_U8, 1, &n), other = make(ND_U8, 1, &n), mask = make(ND_BOOL, 1, &n);
  index_list = make(ND_I64, 1, &n), wide = make(ND_F32, 1, &n), matrix = make(ND_U8, 2, shape);
  rows = make(ND_I64, 1, &twice), plane = make(ND_C64, 1, &few);
  fill(&mask, 1), fill(&index_list, 1), fill(&rows, 7);
  group("long work asks for interrupts, and ends cleanly at each of them");
  for (size_t i = 0; i < ND_COUNTOF(calls); i++)
    interrupt_each(calls[i].name, calls[i].call, calls[i].least);
  /* with others the calling thread may have too little to do to ask */
  group("so does the sorting of one line, whether threads share it or not");
  if (nd_random_uniform(&wide, 1, 1, NULL)) return 2;
  for (int threads = 1; threads <= 3; threads += 2) {
    nd_threads_set(threads);
    for (size_t i = 0; i < ND_COUNTOF(sorts); i++)
      interrupt_each(sorts[i].name, sorts[i].call, threads == 1 ? sorts[i].least : 0);
  }
  nd_threads_set(1);
  group("what an interrupt left is whole: the next call gives what it should");
  CHECK(take() == ND_OK && out.size == N, "take");
  nd_view_drop(&out);
  nd_view *all[] = {&line, &other, &index_list, &mask, &matrix, &rows, &wide, &plane};
  for (size_t i = 0; i < ND_COUNTOF(all); i++) nd_view_drop(all[i]);
  CHECK(host_stats().live.now == 0, "%" PRIu64 " B are left", host_stats().live.now);
  return finish();
}
