/* The device contract on the host and on a device that is late; then what only lateness shows. */
#include <limits.h>

#include "dev/threads.h"
#include "ndbuf.h"

#include "../contract/device.h"
#include "../contract/dummy.h"

static const size_t four[] = {4};

static nd_view make_late(void) { return make_on(ND_I32, 1, four, false); }

/* Copy {1, 2, 3, 4} * times into 'v' from a pool of the dummy's, so that the copy is in flight. */
static void enqueue_numbers(const nd_view *v, int32_t times) {
  const int32_t numbers[] = {times, 2 * times, 3 * times, 4 * times};
  nd_view source = make_late();
  if (nd_copyin(&source, numbers, sizeof numbers, NULL) || nd_copy(v, &source, ND_SATURATE, NULL))
    abort();
  nd_view_drop(&source);
}

static bool has_numbers(const nd_view *v, int32_t times) {
  char *host;
  if (nd_view_host(v, false, &host, NULL)) return false;
  for (int32_t i = 0; i < 4; i++) {
    int32_t x;
    memcpy(&x, host + 4 * i, sizeof x);
    if (x != (i + 1) * times) return false;
  }
  return true;
}

static void spec_reads_wait(void) {
  group("late: a read of the host waits for writes, not for reads");
  nd_view v = make_late(), w = make_late();
  char *host;
  enqueue_numbers(&v, 1);
  CHECK(dummy_in_flight() == 1 && !nd_storage_is_idle(v.storage), "in flight");
  CHECK(has_numbers(&v, 1) && dummy_in_flight() == 0, "waited");
  CHECK(nd_storage_allocate(w.storage, NULL) == ND_OK, "w");
  CHECK(nd_copy(&w, &v, ND_SATURATE, NULL) == ND_OK, "v is read");
  CHECK(nd_view_host(&v, false, &host, NULL) == ND_OK && dummy_in_flight() == 1, "a second reader");
  CHECK(nd_view_host(&w, false, &host, NULL) == ND_OK && dummy_in_flight() == 0, "w");
  nd_view_drop(&v), nd_view_drop(&w);
}

static void spec_writes_wait(void) {
  group("late: a write of the host waits for reads and writes");
  nd_view v = make_late(), w = make_late();
  char *host;
  enqueue_numbers(&v, 1);
  CHECK(nd_copy(&w, &v, ND_SATURATE, NULL) == ND_OK && dummy_in_flight() == 2, "in flight");
  CHECK(nd_view_host(&v, true, &host, NULL) == ND_OK, "host");
  memset(host, 0, sizeof(int32_t) * 4);
  CHECK(has_numbers(&w, 1), "w has what v had");
  CHECK(has_numbers(&v, 0), "v has what the host wrote");
  nd_view_drop(&v), nd_view_drop(&w);
}

static void spec_free_is_pending(void) {
  group("late: memory with work in flight is pending, then reaped");
  for (int early = 0; early < 2; early++) {
    nd_reap(ND_REAP_WAIT);
    nd_view v = make_late(), w = make_late();
    const uint64_t blocks = blocks_of(&dummy.memory);
    enqueue_numbers(&v, 3);
    CHECK(nd_copy(&w, &v, ND_SATURATE, NULL) == ND_OK, "copy");
    const size_t pending = nd_pending_bytes();
    if (early) CHECK(nd_storage_free(v.storage, NULL) == ND_OK, "free");
    nd_view_drop(&v);
    CHECK(dummy_in_flight() == 2, "nobody waited");
    CHECK(nd_pending_bytes() == pending + 16, "%zu B", nd_pending_bytes());
    CHECK(has_numbers(&w, 3), "the data came through");
    nd_reap(ND_REAP_POLL);
    CHECK(nd_pending_bytes() == 0, "%zu B", nd_pending_bytes());
    nd_view_drop(&w);
    CHECK(blocks_of(&dummy.memory) == blocks, "blocks");
  }
}

static void spec_polling_ends(void) {
  group("late: polling alone reaps what is pending");
  nd_view v = make_late();
  enqueue_numbers(&v, 3);
  nd_view_drop(&v);
  for (int i = 0; i < 20; i++) nd_reap(ND_REAP_POLL);
  CHECK(nd_pending_bytes() == 0 && dummy_in_flight() == 0, "%zu B", nd_pending_bytes());
}

static void spec_epochs(void) {
  group("late: enqueued work raises the epoch, and so does the wait for it");
  nd_view v = make_late(), w = make_late();
  if (nd_storage_allocate(v.storage, NULL) || nd_storage_allocate(w.storage, NULL)) abort();
  const uint64_t read = v.storage->epoch, written = w.storage->epoch;
  CHECK(nd_copy(&w, &v, ND_SATURATE, NULL) == ND_OK, "copy");
  CHECK(v.storage->epoch > read && w.storage->epoch > written, "enqueued");
  const uint64_t in_flight = w.storage->epoch;
  CHECK(has_numbers(&w, 0) || true, "waited");
  CHECK(w.storage->epoch > in_flight, "waited");
  nd_view_drop(&v), nd_view_drop(&w);
}

/* Memory of the host that another one looks at, such as a wrapped address. */
static void spec_host_side(void) {
  group("late: the host's side of a copy is complete on return");
  int32_t memory[4] = {0}, expected[] = {1, 2, 3, 4};
  nd_resource *foreign;
  nd_view v = make_late(), wrapped;
  if (nd_foreign_resource(memory, sizeof memory, NULL, NULL, &foreign, NULL) ||
      nd_new(foreign, ND_I32, 1, four, (nd_storage_options){0}, &wrapped, NULL))
    abort();
  enqueue_numbers(&v, 1);
  CHECK(nd_copy(&wrapped, &v, ND_SATURATE, NULL) == ND_OK, "out");
  CHECK(memcmp(memory, expected, sizeof memory) == 0, "out");
  CHECK(nd_copy(&v, &wrapped, ND_SATURATE, NULL) == ND_OK, "in");
  memset(memory, 0, sizeof memory);
  CHECK(has_numbers(&v, 1), "in");
  nd_view_drop(&wrapped), nd_resource_drop(foreign), nd_view_drop(&v);
}

/* The first of two copies is accepted: what was lent must not be read after the return. */
static void spec_failed_calls(void) {
  group("late: a call that fails half-way leaves nothing in flight on lent memory");
  operands_on o = make_operands_on();
  nd_view out;
  int found = 0, failed = 0;
  for (int i = 0; make_case(i, &o.v.twin, &o.other.twin, &o.index.twin, &o.mask.twin, &out) >= 0;
       i++) {
    nd_view_drop(&out);
    nd_device_sync(&dummy.device, NULL);
    nd_reap(ND_REAP_WAIT);
    const uint64_t blocks = blocks_of(&dummy.memory);
    int status = ND_DRIVER, n = 0, jobs = 0;
    for (; status == ND_DRIVER && n < 50; n++) {
      dummy.until_refusal = n;
      status = make_case(i, &o.v.on, &o.other.on, &o.index.on, &o.mask.on, &out);
      jobs = n - atomic_exchange(&dummy.until_refusal, -1);
      CHECK(status == ND_OK || status == ND_DRIVER, "case %d: %s", i,
            nd_status_name((nd_status)status));
      if (status == ND_OK) nd_view_drop(&out);
      nd_device_sync(&dummy.device, NULL);
      nd_reap(ND_REAP_WAIT);
      CHECK(blocks_of(&dummy.memory) == blocks, "case %d, job %d", i, n);
    }
    CHECK(n > 1, "case %d: no job was refused", i);
    CHECK(jobs == n - 1, "case %d: %d sites found, %d failed", i, jobs, n - 1);
    found += jobs, failed += n - 1;
  }
  printf("# %d sites found, %d failed\n", found, failed);
  drop_operands_on(&o);
}

/* Bytes from within the array itself go through a temporary: two copies. */
static void spec_lent_memory(void) {
  group("late: lent memory is the caller's again also when the second copy is refused");
  nd_view v = make_late(), part;
  enqueue_numbers(&v, 1);
  char *host;
  if (nd_view_host(&v, true, &host, NULL) || nd_view_narrow(&v, 0, 1, 2, &part, NULL)) abort();
  dummy.until_refusal = 1;
  CHECK(nd_copyin(&part, host, 8, NULL) == ND_DRIVER && dummy_in_flight() == 0, "in flight");
  dummy.until_refusal = -1;
  CHECK(has_numbers(&v, 1), "nothing was written");
  CHECK(nd_copyin(&part, host, 8, NULL) == ND_OK && dummy_in_flight() == 0, "consumed");
  nd_view_drop(&part), nd_view_drop(&v);
}

static void spec_zero_jobs(void) {
  const uint64_t before = dummy.enqueued;
  spec_zero_sizes();
  group("late: nothing is enqueued for no elements");
  CHECK(dummy.enqueued == before, "%" PRIu64, dummy.enqueued - before);
}

/* Queues whose work ends when it is waited for. */
static bool hold_is_done(void *is_held, nd_point point) {
  (void)point;
  return !*(bool *)is_held;
}

static nd_status hold_wait(void *is_held, nd_point point, nd_error *err) {
  (void)point, (void)err;
  *(bool *)is_held = false;
  return ND_OK;
}

static void spec_many_uses(void) {
  group("late: a use for which the record has no room is waited for");
  static const nd_fence_ops fence = {.is_done = hold_is_done, .wait = hold_wait};
  bool is_held[ND_USES_MOST];
  uint32_t queue[ND_USES_MOST];
  nd_view v = make_late(), w = make_late();
  enqueue_numbers(&v, 1);
  CHECK(has_numbers(&v, 1), "numbers");
  for (int i = 0; i < ND_USES_MOST; i++) {
    is_held[i] = true;
    if (nd_queue_open(&fence, &is_held[i], &queue[i], NULL)) abort();
    const nd_use use = {.at = {queue[i], 1}, .lo = 0, .hi = nd_view_nbytes(&v)};
    CHECK(nd_storage_use(v.storage, &use, NULL) == ND_OK, "%d", i);
  }
  CHECK(nd_copy(&w, &v, ND_SATURATE, NULL) == ND_OK, "copy");
  CHECK(dummy_in_flight() == 0 && is_held[0], "the last one was not waited for");
  CHECK(has_numbers(&w, 1) && is_held[0], "a read does not wait for reads");
  char *host;
  CHECK(nd_view_host(&v, true, &host, NULL) == ND_OK, "host");
  for (int i = 0; i < ND_USES_MOST; i++) {
    CHECK(!is_held[i], "read %d was not waited for", i);
    nd_queue_close(queue[i]);
  }
  nd_view_drop(&v), nd_view_drop(&w);
}

static void spec_ready_point(void) {
  group("late: memory is not touched before the point that makes it valid");
  nd_view v = make_late(), w = make_late();
  enqueue_numbers(&v, 1);
  CHECK(nd_storage_allocate(w.storage, NULL) == ND_OK, "allocate");
  CHECK(dummy_in_flight() == 1 && !nd_storage_is_idle(w.storage), "valid at once");
  char *host;
  CHECK(nd_view_host(&w, false, &host, NULL) == ND_OK && dummy_in_flight() == 0, "host");
  nd_view_drop(&v), nd_view_drop(&w);
}

static atomic_int lost;

/* A thread that frees while others enqueue and look. */
static void *churn(void *unused) {
  (void)unused;
  for (int i = 0; i < 200; i++) {
    nd_view v = make_late(), w = make_late();
    enqueue_numbers(&v, i);
    const nd_status status = nd_copy(&w, &v, ND_SATURATE, NULL);
    nd_view_drop(&v);
    if (status != ND_OK || !has_numbers(&w, i)) atomic_fetch_add(&lost, 1);
    nd_view_drop(&w);
  }
  return NULL;
}

static void spec_threads(void) {
  group("late: threads share the queue and the pending list");
  pthread_t thread[4];
  for (int i = 0; i < 4; i++) pthread_create(&thread[i], NULL, churn, NULL);
  for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
  nd_reap(ND_REAP_WAIT);
  CHECK(nd_pending_bytes() == 0, "%zu B", nd_pending_bytes());
  CHECK(atomic_load(&lost) == 0, "%d arrays had wrong numbers", atomic_load(&lost));
}

static bool interrupt(void *countdown) { return --*(int *)countdown == 0; }

static void spec_interrupts(void) {
  group("long copies of the host ask for interrupts at chunk ends");
  const size_t n[] = {200 << 20}, scattered[] = {5 << 10, 1 << 10};
  int countdown = 3;
  const nd_call call = {.context = &countdown, .is_interrupted = interrupt};
  nd_view v = make_packed(ND_U8, 1, n), w = make_packed(ND_U8, 1, n), rows, columns;
  const ptrdiff_t down[] = {1, 5 << 10};
  if (nd_view_as_strided(&v, 2, scattered, down, 0, &rows, NULL) ||
      nd_view_make(w.storage, 0, ND_U8, 2, scattered, NULL, &columns, NULL))
    abort();
  const nd_call *former = nd_call_set(&call);
  CHECK(nd_copy(&w, &v, ND_SATURATE, NULL) == ND_INTERRUPTED && countdown == 0, "one run");
  countdown = 2;
  CHECK(nd_copy(&columns, &rows, ND_SATURATE, NULL) == ND_INTERRUPTED, "many runs");
  countdown = 100;
  CHECK(nd_copy(&w, &v, ND_SATURATE, NULL) == ND_OK && countdown > 90, "%d", 100 - countdown);
  nd_call_set(former);
  nd_view_drop(&v), nd_view_drop(&w), nd_view_drop(&rows), nd_view_drop(&columns);
}

enum { LONG = 3 << 20 };

/* One operation on LONG elements: of bytes, of a mask that is true, of indices that are 1. */
static nd_status perform(int which, const nd_view *bytes, const nd_view *mask, const nd_view *index,
                         nd_view *out) {
  bool same;
  nd_view one;
  if (nd_view_narrow(bytes, 0, 0, 1, &one, NULL)) abort();
  nd_status status = ND_OK;
  switch (which) {
    case 0: status = nd_equal(mask, mask, &same, NULL); break;
    case 1: status = nd_allclose(bytes, bytes, 0, 0, &same, NULL); break;
    case 2: status = nd_take(bytes, index, 0, out, NULL); break;
    case 3: status = nd_put(bytes, index, &one, NULL); break;
    case 4: status = nd_index_add(bytes, 0, index, &one, NULL); break;
    case 5: status = nd_mask_select(bytes, mask, out, NULL); break;
    case 6: status = nd_mask_assign(bytes, mask, &one, NULL); break;
    case 7: status = nd_astype(index, ND_U8, ND_CHECK, out, NULL); break;
  }
  nd_view_drop(&one);
  return status;
}

static void spec_interrupts_each(void) {
  group("each long operation of the host can be interrupted wherever it asks");
  const size_t n[] = {LONG}, one[] = {1};
  const nd_scalar yes = {.dtype = ND_BOOL, .bytes = {1}};
  nd_view bytes = make_packed(ND_U8, 1, n), mask = make_packed(ND_BOOL, 1, n);
  nd_view first = make_packed(ND_I64, 1, one), index;
  const ptrdiff_t stay[] = {0};
  if (nd_fill(&mask, &yes, NULL) || nd_range_integer(&first, 1, 1, NULL) ||
      nd_view_as_strided(&first, 1, n, stay, 0, &index, NULL))
    abort();
  for (int which = 0; which < 8; which++) {
    nd_status status;
    int asked = 0;
    do {
      int countdown = ++asked;
      const nd_call call = {.context = &countdown, .is_interrupted = interrupt};
      nd_view out = {.storage = NULL};
      const nd_call *former = nd_call_set(&call);
      status = perform(which, &bytes, &mask, &index, &out);
      nd_call_set(former);
      if (status == ND_OK) nd_view_drop(&out);
      else CHECK(status == ND_INTERRUPTED && countdown == 0, "operation %d", which);
    } while (status == ND_INTERRUPTED);
    CHECK(asked > 3, "operation %d asked %d times", which, asked - 1);
  }
  nd_view_drop(&bytes), nd_view_drop(&mask), nd_view_drop(&first), nd_view_drop(&index);
}

static void spec_thread_counts(void) {
  group("the number of threads stays within its limits");
  static const int asked[] = {INT_MIN, -1, 0, 1, ND_MAX_THREADS, ND_MAX_THREADS + 1, INT_MAX};
  const int before = nd_threads_get();
  for (size_t i = 0; i < ND_COUNTOF(asked); i++) {
    nd_threads_set(asked[i]);
    CHECK(nd_threads_get() >= 1 && nd_threads_get() <= ND_MAX_THREADS, "%d for %d",
          nd_threads_get(), asked[i]);
  }
  nd_threads_set(before);
}

/* {=== what has no kernel ===} */

static void spec_no_kernel(void) {
  group("the host refuses what it has no kernel for, as any device does");
  nd_view real = make_packed(ND_F64, 1, four), complex = make_packed(ND_C64, 1, four);
  nd_view least = make_packed(ND_C64, 0, NULL);
  const nd_task tasks[] = {
      {.op = ND_OP_BIT_NOT, .count = 2, .views = {&real, &real}, .compute_dtype = ND_F64},
      {.op = ND_OP_FLOOR, .count = 2, .views = {&complex, &complex}, .compute_dtype = ND_C64},
      {.op = ND_OP_LT,
       .count = 3,
       .views = {&real, &complex, &real},
       .compute_dtype = ND_DTYPE_COUNT},
      {.op = ND_OP_MIN, .count = 2, .views = {&least, &complex}, .reduce = {.axes = 1}}};
  for (size_t i = 0; i < ND_COUNTOF(tasks); i++) {
    char wanted[64];
    nd_error err = {.code = ND_OK};
    snprintf(wanted, sizeof wanted, "%s is not supported on cpu", nd_op_get(tasks[i].op)->name);
    CHECK(nd_device_run(nd_host_device(), &tasks[i], &err) == ND_UNSUPPORTED, "%s", wanted);
    CHECK(strcmp(err.message, wanted) == 0, "%s: %s", wanted, err.message);
  }
  nd_view_drop(&real), nd_view_drop(&complex), nd_view_drop(&least);
}

int main(void) {
  seed_from(20264);
  if (nd_init(NULL)) return 2;
  dummy_open();
  const device_case host = {"host", nd_host_device(), nd_host_resource(), false, false, false,
                            false};
  const device_case hidden = {"late, hidden", &dummy.device, &dummy.hidden, true,
                              true,           false,         false};
  const device_case late = {"late", &dummy.device, &dummy.memory, true, false, false, false};
  const device_case ordered = {
      "late, ordered frees", &dummy.device, &dummy.ordered, true, false, false, false};
  check_device(&host);
  const int threads = nd_threads_get();
  nd_threads_set(1); /* of several each asks only for what it does itself */
  spec_interrupts();
  spec_interrupts_each();
  nd_threads_set(threads);
  check_device(&ordered);
  check_device(&hidden);
  check_device(&late);
  dummy.patience = 0;
  spec_reads_wait();
  spec_writes_wait();
  spec_free_is_pending();
  spec_epochs();
  spec_host_side();
  spec_failed_calls();
  spec_lent_memory();
  spec_zero_jobs();
  spec_many_uses();
  spec_ready_point();
  dummy.patience = 3;
  spec_polling_ends();
  spec_threads();
  spec_thread_counts();
  spec_no_kernel();
  group("no block went back before its time");
  CHECK(dummy.early_frees == 0, "%zu did", dummy.early_frees);
  CHECK(dummy.strays == 0, "%zu operands of another device", dummy.strays);
  CHECK(dummy.failed_jobs == 0, "%zu jobs failed", dummy.failed_jobs);
  return finish();
}
