/* What is due for a reader: guards and rings of logs, of which it sees those alone that have
 * something to do, whatever threads make it so. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "mem/adapt/adapt.h"
#include "mem/adapt/guard.h"
#include "mem/host.h"
#include "mem/reap.h"

enum { MANY = 10000 };

static void take_and_give(nd_resource *from, size_t bytes) {
  const nd_request request = {.bytes = bytes};
  nd_block block;
  if (nd_resource_take(from, &request, &block, NULL) != ND_OK ||
      nd_resource_give(from, &block, NULL, NULL) != ND_OK)
    abort();
}

/* {=== rings ===} */

static nd_resource *make_log(ndi_due *reader, void *whose) {
  nd_resource *log = NULL;
  if (nd_log_make_ring(nd_host_resource(), 4, false, &log, NULL) != ND_OK) abort();
  ndi_log_ring_join(nd_log_ring_of(log, false), reader, whose);
  return log;
}

static void spec_rings(void) {
  group("of many logs those with records are due, once each, in the order of the first ones");
  static nd_resource *logs[MANY];
  static int numbers[MANY];
  void *whose;
  ndi_due *reader = ndi_due_make();
  for (int i = 0; i < MANY; i++) logs[i] = make_log(reader, &numbers[i]);
  CHECK(ndi_due_is_empty(reader) && ndi_due_count(reader) == 0, "nothing came");
  static const int wanted[] = {7000, 3, 9999, 4};
  for (size_t i = 0; i < ND_COUNTOF(wanted); i++) take_and_give(logs[wanted[i]], 64);
  take_and_give(logs[7000], 64);
  CHECK(ndi_due_count(reader) == ND_COUNTOF(wanted), "%zu", ndi_due_count(reader));
  for (size_t i = 0; i < ND_COUNTOF(wanted); i++)
    CHECK(ndi_log_ring_take_due(reader, &whose) && whose == &numbers[wanted[i]], "number %zu", i);
  CHECK(!ndi_log_ring_take_due(reader, &whose) && ndi_due_is_empty(reader), "no more");
  nd_resource_drop(logs[5]), logs[5] = NULL;
  CHECK(ndi_log_ring_take_due(reader, &whose) && whose == &numbers[5], "one that is closed");
  take_and_give(logs[6], 64);
  ndi_due_close(reader);
  take_and_give(logs[7], 64);
  CHECK(ndi_due_count(reader) == 1, "after the end: %zu", ndi_due_count(reader));
  int popped = 0;
  while (ndi_log_ring_pop(reader, &whose)) popped++;
  CHECK(popped == MANY - 1, "%d", popped);
  CHECK(ndi_log_ring_take_due(reader, &whose) && whose == &numbers[6], "what was due before");
  ndi_due_drop(reader);
  for (int i = 0; i < MANY; i++) nd_resource_drop(logs[i]);
}

/* {=== guards on the host ===} */

static void spec_near(void) {
  group("guards on memory of the host have no steps to take, and are small without findings");
  static nd_resource *guards[MANY];
  ndi_due *reader = ndi_due_make();
  for (int i = 0; i < MANY; i++) {
    if (nd_guard_make(nd_host_resource(), NULL, &guards[i], NULL) != ND_OK) abort();
    nd_guard_join(guards[i], reader);
    take_and_give(guards[i], 64);
  }
  CHECK(ndi_due_count(reader) == 0, "%zu", ndi_due_count(reader));
  for (int i = 0; i < MANY - 1; i++) nd_resource_drop(guards[i]);
  CHECK(ndi_due_count(reader) == 0, "%zu", ndi_due_count(reader));
  CHECK(sizeof(ndi_guard) < 2048, "%zu B", sizeof(ndi_guard));
  nd_guards_end(reader);
  nd_resource_drop(guards[MANY - 1]);
}

/* {=== guards on memory that the CPU cannot read ===} It is host memory, but does not say so. */

static struct {
  nd_resource base;
  int live, looks;
  char *last; /* of the block that was taken last */
} far;

static nd_status far_take(nd_resource *self, const nd_request *request, nd_block *out,
                          nd_error *err) {
  (void)self, (void)err;
  out->ptr = far.last = malloc(request->bytes);
  out->granted = request->bytes;
  far.live++;
  return ND_OK;
}

static nd_status far_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                          nd_error *err) {
  (void)self, (void)after, (void)err;
  free(block->ptr);
  far.live--;
  return ND_OK;
}

static nd_status far_fill(nd_resource *self, const nd_block *block, size_t offset, size_t bytes,
                          uint8_t value, const nd_uses *after, nd_point *ready, nd_error *err) {
  (void)self, (void)after, (void)ready, (void)err;
  memset((char *)block->ptr + offset, value, bytes);
  return ND_OK;
}

static nd_status far_fetch(nd_resource *self, const nd_block *block, size_t offset, size_t bytes,
                           void *to, const nd_uses *after, nd_point *ready, nd_error *err) {
  (void)self, (void)after, (void)ready, (void)err;
  memcpy(to, (char *)block->ptr + offset, bytes);
  far.looks++;
  return ND_OK;
}

static nd_resource *far_staging(nd_resource *self) {
  (void)self;
  return nd_host_resource();
}

static int told;

static void note(const nd_finding *f, uint64_t lost) {
  told += f && lost == 0 && strcmp(f->what, "use after free") == 0;
}

static nd_resource *make_far_guard(ndi_due *reader) {
  static const nd_resource_ops ops = {.name = "far",
                                      .take = far_take,
                                      .give = far_give,
                                      .fill = far_fill,
                                      .fetch = far_fetch,
                                      .staging = far_staging};
  nd_resource *guard = NULL;
  far.base = (nd_resource){.ops = &ops, .holds = 1, .kind = ND_MEM_DEVICE, .device = 5};
  if (nd_guard_make(&far.base, note, &guard, NULL) != ND_OK) abort();
  nd_guard_join(guard, reader);
  return guard;
}

static void spec_far(void) {
  group("one on other memory is due while it has steps to take, and as nobody refers to it");
  ndi_due *reader = ndi_due_make();
  nd_resource *guard = make_far_guard(reader);
  take_and_give(guard, 1000);
  for (int i = 0; i < 5; i++) nd_guards_go_on(reader);
  CHECK(ndi_due_is_empty(reader) && far.live == 1, "it keeps the block, without more to do");
  far.last[NDI_GUARD_FRONT + 10] = 7;
  const int before = far.looks;
  nd_resource_drop(guard);
  CHECK(ndi_due_count(reader) == 1 && far.looks == before && far.live == 1,
        "a drop asks no driver, %d looks", far.looks - before);
  for (int i = 0; i < 5 && !ndi_due_is_empty(reader); i++) nd_guards_go_on(reader);
  nd_reap(ND_REAP_WAIT);
  CHECK(ndi_due_is_empty(reader) && far.live == 0, "%d blocks left", far.live);
  CHECK(told == 1, "%d findings", told);

  group("as its reader ends, what it keeps is looked at, and told");
  guard = make_far_guard(reader);
  nd_resource *other = make_far_guard(reader);
  take_and_give(guard, 1000);
  far.last[NDI_GUARD_FRONT + 10] = 7;
  take_and_give(other, 1000);
  nd_resource_drop(other);
  nd_guards_end(reader);
  CHECK(far.live == 0 && told == 2, "%d blocks left, %d findings", far.live, told);
  take_and_give(guard, 1000);
  nd_resource_drop(guard);
  nd_reap(ND_REAP_WAIT);
  CHECK(far.live == 0, "%d blocks left without a reader", far.live);
}

/* {=== threads ===} */

enum { THREADS = 4, LOGS = 50 };

static nd_resource *shared[LOGS];
static atomic_int writers;

static void *write_records(void *argument) {
  uint64_t state = (uint64_t)(uintptr_t)argument;
  for (size_t i = 0; i < scaled(20000); i++) take_and_give(shared[next_random(&state) % LOGS], 64);
  atomic_fetch_sub(&writers, 1);
  return NULL;
}

static uint64_t read_records(ndi_due *reader) {
  void *whose;
  nd_log_record record;
  uint64_t count = 0;
  while (ndi_log_ring_take_due(reader, &whose)) {
    ndi_log_ring *ring = nd_log_ring_of(*(nd_resource **)whose, false);
    while (ndi_log_ring_take(ring, UINT64_MAX, &record)) count++;
  }
  return count;
}

static void spec_threads(void) {
  group("threads record, and a reader that looks at what is due alone overlooks nothing");
  pthread_t threads[THREADS];
  uint64_t count = 0, lost = 0, more;
  ndi_due *reader = ndi_due_make();
  for (int i = 0; i < LOGS; i++) shared[i] = make_log(reader, &shared[i]);
  writers = THREADS;
  for (uintptr_t i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, write_records, (void *)(i + 1))) abort();
  while (writers > 0) count += read_records(reader);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  count += read_records(reader);
  for (int i = 0; i < LOGS; i++) nd_log_lost(shared[i], &more), lost += more;
  const uint64_t all = 2 * THREADS * (uint64_t)scaled(20000);
  CHECK(count + lost == all && count > 0, "%" PRIu64 " and %" PRIu64 " lost", count, lost);

  group("a reader ends while threads record, and logs are dropped on others");
  writers = THREADS;
  for (uintptr_t i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, write_records, (void *)(i + 1))) abort();
  void *whose;
  int popped = 0;
  read_records(reader);
  ndi_due_close(reader);
  while (ndi_log_ring_pop(reader, &whose)) popped++;
  while (ndi_log_ring_take_due(reader, &whose)) continue;
  ndi_due_drop(reader);
  CHECK(popped == LOGS, "%d", popped);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < LOGS; i++) nd_resource_drop(shared[i]);
}

int main(void) {
  spec_rings();
  spec_near();
  spec_far();
  spec_threads();
  return finish();
}
