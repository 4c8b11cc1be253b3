/* Storages: lazy allocation and its race, ids, epochs, early free, read-only, the punned mark. */
#include <pthread.h>
#include <stdlib.h>

#include "check.h"
#include "mem/foreign.h"
#include "mem/host.h"
#include "mem/storage.h"
#include "uses.h"

enum { THREADS = 8 };

static nd_mem_stats host_stats(void) {
  nd_mem_stats stats;
  nd_resource_get_stats(nd_host_resource(), &stats);
  return stats;
}

static nd_storage *make(size_t bytes, nd_storage_options options) {
  nd_storage *s = NULL;
  CHECK(nd_storage_make(nd_host_resource(), bytes, options, &s, NULL) == ND_OK, "make");
  return s;
}

static uint64_t epoch_of(const nd_storage *s) { return atomic_load(&s->epoch); }

/* {=== states ===} */

static void spec_states(void) {
  group("fresh, live, freed");
  nd_error err;
  char *host = NULL;
  nd_storage *s = make(100, (nd_storage_options){.zeroed = true, .lazy = true});
  CHECK(nd_storage_get_state(s) == ND_STORAGE_FRESH && !s->host, "fresh");
  CHECK(nd_storage_check(s, &err) == ND_NOT_ALLOCATED, "%s", nd_status_name(err.code));
  CHECK(nd_storage_is_idle(s), "nothing to wait for");
  CHECK(nd_storage_host(s, 0, SIZE_MAX, true, &host, NULL) == ND_OK && host == s->host,
        "allocates");
  for (int i = 0; i < 100; i++) CHECK(host[i] == 0, "byte %d", i);
  CHECK(nd_storage_get_state(s) == ND_STORAGE_LIVE && nd_storage_check(s, NULL) == ND_OK, "live");
  CHECK(nd_storage_allocate(s, NULL) == ND_OK && s->host == host, "once");
  CHECK(nd_storage_free(s, NULL) == ND_OK, "free");
  CHECK(nd_storage_get_state(s) == ND_STORAGE_FREED && !s->host && !s->ptr, "freed");
  CHECK(nd_storage_check(s, &err) == ND_FREED && err.code == ND_FREED, "check");
  CHECK(nd_storage_host(s, 0, SIZE_MAX, false, &host, NULL) == ND_FREED, "host");
  CHECK(nd_storage_allocate(s, NULL) == ND_FREED, "allocate");
  CHECK(nd_storage_free(s, NULL) == ND_OK, "free again");
  nd_storage_drop(s);
}

static void spec_early_free(void) {
  group("an early free gives the bytes back at once, also what was never allocated");
  const nd_mem_stats before = host_stats();
  nd_storage *s = make(1000, (nd_storage_options){.lazy = false});
  CHECK(host_stats().live.now > before.live.now, "live");
  CHECK(nd_storage_free(s, NULL) == ND_OK && host_stats().live.now == before.live.now, "free");
  nd_storage *other = make(1000, (nd_storage_options){.lazy = false}); /* the slot serves another */
  CHECK(nd_storage_check(s, NULL) == ND_FREED, "stays freed");
  nd_storage_drop(s);
  CHECK(nd_storage_check(other, NULL) == ND_OK, "the other one is whole");
  nd_storage_drop(other);
  s = make(1000, (nd_storage_options){.lazy = true});
  CHECK(nd_storage_free(s, NULL) == ND_OK && nd_storage_allocate(s, NULL) == ND_FREED, "fresh");
  nd_storage_drop(s);
  CHECK(host_stats().live.now == before.live.now, "nothing is left");
}

static void spec_shared(void) {
  group("a reference is dropped if it is not the last");
  nd_storage *s = make(1000, (nd_storage_options){.lazy = false});
  nd_storage_hold(nd_storage_hold(s));
  CHECK(nd_storage_drop_shared(s) && nd_storage_drop_shared(s), "two are dropped");
  CHECK(!nd_storage_drop_shared(s) && nd_storage_check(s, NULL) == ND_OK, "the last one is kept");
  nd_storage_drop(s);
}

static void spec_no_bytes(void) {
  group("no bytes: one block, no address");
  const nd_mem_stats before = host_stats();
  char *host = (char *)&before;
  nd_storage *s = make(0, (nd_storage_options){.zeroed = true});
  CHECK(nd_storage_host(s, 0, SIZE_MAX, true, &host, NULL) == ND_OK && !host, "host");
  CHECK(host_stats().live_count.now == before.live_count.now + 1, "count");
  CHECK(host_stats().live.now == before.live.now, "bytes");
  nd_storage_drop(s);
  CHECK(host_stats().live_count.now == before.live_count.now, "count");
}

static void spec_refused(void) {
  group("what cannot be allocated leaves a storage that can be tried again, or none");
  nd_storage *s = NULL;
  char *host;
  const nd_mem_stats before = host_stats();
  const size_t huge = (size_t)PTRDIFF_MAX - 4096;
  CHECK(nd_storage_make(nd_host_resource(), huge, (nd_storage_options){.lazy = false}, &s, NULL) ==
                ND_OUT_OF_MEMORY &&
            !s,
        "at once");
  s = make(huge, (nd_storage_options){.lazy = true});
  for (int i = 0; i < 2; i++)
    CHECK(nd_storage_host(s, 0, SIZE_MAX, true, &host, NULL) == ND_OUT_OF_MEMORY, "at first use");
  CHECK(nd_storage_get_state(s) == ND_STORAGE_FRESH, "fresh still");
  nd_storage_drop(s);
  CHECK(host_stats().live_count.now == before.live_count.now, "count");
}

/* {=== epochs, puns, ids ===} */

static void spec_epochs(void) {
  group("epochs rise with allocation, free and work");
  nd_storage *s = make(64, (nd_storage_options){.lazy = true});
  const uint64_t fresh = epoch_of(s);
  CHECK(fresh > 0, "0 is no epoch");
  CHECK(nd_storage_allocate(s, NULL) == ND_OK, "allocate");
  const uint64_t live = epoch_of(s);
  char *host;
  CHECK(live > fresh, "allocation");
  CHECK(nd_storage_host(s, 0, SIZE_MAX, true, &host, NULL) == ND_OK && epoch_of(s) == live,
        "a look is free");
  CHECK(nd_storage_allocate(s, NULL) == ND_OK && epoch_of(s) == live, "allocated already");
  CHECK(note_use(s, (nd_point){.queue = 0, .seq = 1}, true) == ND_OK, "use");
  const uint64_t used = epoch_of(s);
  CHECK(used > live && nd_storage_is_idle(s), "work of the host is done");
  nd_storage_hold(s), nd_storage_drop(s);
  CHECK(epoch_of(s) == used, "holds do not count");
  CHECK(nd_storage_free(s, NULL) == ND_OK && epoch_of(s) > used, "free");
  nd_storage_drop(s);
}

static void spec_puns(void) {
  group("a second way of viewing it puns a writable storage, once");
  enum { WAYS = 8 };
  for (unsigned a = 0; a < WAYS; a++)
    for (unsigned b = 0; b < WAYS; b++)
      for (int read_only = 0; read_only < 2; read_only++) {
        nd_storage *s = make(64, (nd_storage_options){.read_only = read_only});
        const uint64_t before = epoch_of(s);
        const bool puns = a != b && !read_only;
        nd_storage_pun(s, 1u << a);
        CHECK(epoch_of(s) == before && !nd_storage_is_punned(s), "one way");
        nd_storage_pun(s, 1u << b);
        CHECK((epoch_of(s) > before) == puns && nd_storage_is_punned(s) == puns, "%u %u", a, b);
        const uint64_t after = epoch_of(s);
        nd_storage_pun(s, 1u << a);
        CHECK(epoch_of(s) == after, "known");
        nd_storage_drop(s);
      }
}

static void spec_read_only(void) {
  group("read-only is what it was made as");
  nd_storage *s = make(8, (nd_storage_options){.read_only = true});
  CHECK(s->is_read_only, "read-only");
  nd_storage_drop(s);
  s = make(8, (nd_storage_options){.read_only = false});
  CHECK(!s->is_read_only, "writable");
  nd_storage_drop(s);
}

/* {=== memory that can be taken once ===} */

static void count_release(void *owner) { ++*(int *)owner; }

static void spec_taken_once(void) {
  group("foreign memory is taken when the storage is made, and released with the last drop");
  char memory[16];
  int released = 0;
  nd_resource *foreign;
  nd_storage *s = NULL, *other = NULL;
  CHECK(nd_foreign_resource(memory, 16, count_release, &released, &foreign, NULL) == ND_OK, "make");
  CHECK(nd_storage_make(foreign, 16, (nd_storage_options){.lazy = true}, &s, NULL) == ND_OK, "s");
  CHECK(nd_storage_get_state(s) == ND_STORAGE_LIVE && s->host == memory, "at once");
  CHECK(nd_storage_make(foreign, 16, (nd_storage_options){.lazy = true}, &other, NULL) ==
                ND_CAPACITY &&
            !other,
        "once");
  nd_resource_drop(foreign);
  nd_storage_hold(s), nd_storage_drop(s);
  CHECK(released == 0, "held");
  nd_storage_drop(s);
  CHECK(released == 1, "%d times", released);

  group("foreign memory that is freed early is released then, and taken no more");
  CHECK(nd_foreign_resource(memory, 16, count_release, &released, &foreign, NULL) == ND_OK, "make");
  CHECK(nd_storage_make(foreign, 16, (nd_storage_options){.lazy = true}, &s, NULL) == ND_OK, "s");
  CHECK(nd_storage_free(s, NULL) == ND_OK && released == 2, "%d times", released);
  CHECK(nd_storage_make(foreign, 16, (nd_storage_options){.lazy = true}, &other, NULL) ==
                ND_CAPACITY &&
            !other,
        "once");
  nd_resource_drop(foreign);
  nd_storage_drop(s);
  CHECK(released == 2, "%d times", released);

  group("foreign memory that was never taken is released when its resource goes");
  CHECK(nd_foreign_resource(memory, 16, count_release, &released, &foreign, NULL) == ND_OK, "make");
  nd_resource_drop(foreign);
  CHECK(released == 3, "%d times", released);
}

/* {=== bytes that others have ===} */

static void spec_aliased(void) {
  group("memory of others is punned, and its address known, from the start; ours from then on");
  char memory[16], *at = NULL;
  nd_resource *foreign;
  nd_storage *s = NULL;
  CHECK(nd_foreign_resource(memory, 16, NULL, NULL, &foreign, NULL) == ND_OK, "make");
  CHECK(nd_storage_make(foreign, 16, (nd_storage_options){0}, &s, NULL) == ND_OK, "s");
  const uint64_t before = s->epoch;
  nd_storage_pun(s, 1);
  CHECK(nd_storage_is_punned(s) && s->is_exposed && s->epoch == before, "no head is stale");
  nd_resource_drop(foreign);
  nd_storage_drop(s);
  CHECK(nd_foreign_resource(memory, 16, NULL, NULL, &foreign, NULL) == ND_OK, "make");
  CHECK(nd_storage_make(foreign, 16, (nd_storage_options){.read_only = true}, &s, NULL) == ND_OK,
        "read-only");
  CHECK(!nd_storage_is_punned(s) && s->is_exposed, "nothing is stored there");
  nd_resource_drop(foreign);
  nd_storage_drop(s);
  s = make(16, (nd_storage_options){.lazy = true});
  nd_storage_pun(s, 1);
  CHECK(!nd_storage_is_punned(s) && !s->is_exposed, "ours");
  const uint64_t fresh = s->epoch;
  CHECK(nd_storage_expose(s, &at, NULL) == ND_OK && at && at == s->host, "allocated");
  CHECK(nd_storage_is_punned(s) && s->is_exposed && s->epoch > fresh, "heads are stale");
  const uint64_t exposed = s->epoch;
  CHECK(nd_storage_expose(s, &at, NULL) == ND_OK && s->epoch == exposed, "once");
  CHECK(nd_storage_free(s, NULL) == ND_OK && nd_storage_expose(s, &at, NULL) == ND_FREED, "freed");
  nd_storage_drop(s);
}

/* {=== threads ===} */

static nd_storage *shared;
static pthread_barrier_t barrier;

static void *allocate_shared(void *host) {
  char *at = NULL;
  pthread_barrier_wait(&barrier);
  if (nd_storage_host(shared, 0, SIZE_MAX, false, &at, NULL) != ND_OK) at = NULL;
  *(char **)host = at;
  return NULL;
}

static void run_threads(void *(*body)(void *), void **each) {
  pthread_t thread[THREADS];
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (int i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, body, each ? &each[i] : NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  pthread_barrier_destroy(&barrier);
}

static void spec_race(void) {
  group("threads that race for the first use end with one allocation");
  const nd_mem_stats before = host_stats();
  for (size_t round = 0; round < scaled(300); round++) {
    void *host[THREADS];
    shared = make(256, (nd_storage_options){.zeroed = true, .lazy = true});
    run_threads(allocate_shared, host);
    for (int i = 0; i < THREADS; i++) CHECK(host[i] && host[i] == shared->host, "thread %d", i);
    CHECK(host_stats().live_count.now == before.live_count.now + 1, "one block");
    nd_storage_drop(shared);
    CHECK(host_stats().live.now == before.live.now, "round %zu: bytes are left", round);
  }
}

/* Another thread's call that comes between, at the worst moment: while the block is taken. */
static nd_status (*overtake)(nd_storage *, nd_error *);

static nd_status overtaken_take(nd_resource *self, const nd_request *request, nd_block *out,
                                nd_error *err) {
  nd_status (*const other)(nd_storage *, nd_error *) = overtake;
  overtake = NULL;
  if (other) CHECK(other(shared, NULL) == ND_OK, "what overtakes");
  return nd_resource_take(self->up, request, out, err);
}

static nd_status overtaken_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                                nd_error *err) {
  return nd_resource_give(self->up, block, after, err);
}

static void spec_overtaken(void) {
  group("a first use that another thread's overtakes, or its free, gives back its block");
  static const nd_resource_ops ops = {
      .name = "overtaken", .take = overtaken_take, .give = overtaken_give};
  nd_resource overtaken = {.ops = &ops, .holds = 1, .kind = ND_MEM_HOST, .up = nd_host_resource()};
  const nd_mem_stats before = host_stats();
  for (int frees = 0; frees < 2; frees++) {
    CHECK(nd_storage_make(&overtaken, 256, (nd_storage_options){.lazy = true}, &shared, NULL) ==
              ND_OK,
          "make");
    overtake = frees ? nd_storage_free : nd_storage_allocate;
    const nd_status status = nd_storage_allocate(shared, NULL);
    CHECK(status == (frees ? ND_FREED : ND_OK) && !overtake, "%s", nd_status_name(status));
    CHECK(host_stats().live_count.now == before.live_count.now + !frees, "blocks");
    nd_storage_drop(shared);
    CHECK(host_stats().live.now == before.live.now, "bytes are left");
  }
}

/* Half of the threads allocate, the others free: whoever wins, nothing is left, nothing is live. */
static void *allocate_or_free(void *slot) {
  const bool frees = ((uintptr_t)slot / sizeof(void *)) & 1;
  pthread_barrier_wait(&barrier);
  const nd_status status = frees ? nd_storage_free(shared, NULL)
                                 : nd_storage_allocate(shared, NULL);
  *(void **)slot = status == ND_OK || (status == ND_FREED && !frees) ? shared : NULL;
  return NULL;
}

static void spec_race_with_free(void) {
  group("a free that races with the first use wins in the end");
  const nd_mem_stats before = host_stats();
  for (size_t round = 0; round < scaled(300); round++) {
    void *fine[THREADS];
    shared = make(256, (nd_storage_options){.lazy = true});
    run_threads(allocate_or_free, fine);
    for (int i = 0; i < THREADS; i++) CHECK(fine[i], "thread %d", i);
    CHECK(nd_storage_get_state(shared) == ND_STORAGE_FREED, "freed");
    CHECK(host_stats().live.now == before.live.now, "round %zu: bytes are left", round);
    nd_storage_drop(shared);
  }
}

static void *hold_and_drop(void *unused) {
  (void)unused;
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < 2000; i++) {
    nd_storage_hold(shared);
    nd_storage_pun(shared, i & 1 ? 1 : 2);
    note_use(shared, (nd_point){.queue = 0, .seq = 1}, i & 1);
    if (!nd_storage_is_idle(shared)) abort();
    nd_storage_drop(shared);
  }
  nd_storage_drop(shared); /* the hold that main took for this thread */
  return NULL;
}

static void spec_holds(void) {
  group("threads hold and drop; the last one gives the bytes back");
  const nd_mem_stats before = host_stats();
  shared = make(256, (nd_storage_options){.lazy = false});
  for (int i = 0; i < THREADS; i++) nd_storage_hold(shared);
  nd_storage_drop(shared);
  run_threads(hold_and_drop, NULL);
  CHECK(host_stats().live.now == before.live.now, "bytes are left");
}

enum { IDS = 500 };
static uint64_t ids[THREADS][IDS];

static void *make_ids(void *slot) {
  uint64_t *mine = *(uint64_t **)slot;
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < IDS; i++) {
    nd_storage *s;
    if (nd_storage_make(nd_host_resource(), 8, (nd_storage_options){.lazy = i & 1}, &s, NULL))
      abort();
    mine[i] = s->id;
    nd_storage_drop(s);
  }
  return NULL;
}

static int by_value(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void spec_ids(void) {
  group("ids are never used again");
  void *mine[THREADS];
  const uint64_t last = nd_storage_last_id();
  for (int i = 0; i < THREADS; i++) mine[i] = ids[i];
  run_threads(make_ids, mine);
  uint64_t *all = &ids[0][0];
  qsort(all, (size_t)THREADS * IDS, sizeof *all, by_value);
  CHECK(all[0] > last, "an old one");
  for (int i = 1; i < THREADS * IDS; i++) CHECK(all[i] > all[i - 1], "%" PRIu64 " twice", all[i]);
  CHECK(nd_storage_last_id() == all[THREADS * IDS - 1], "last");
}

int main(void) {
  const nd_mem_stats before = host_stats();
  spec_states();
  spec_early_free();
  spec_shared();
  spec_no_bytes();
  spec_refused();
  spec_epochs();
  spec_puns();
  spec_read_only();
  spec_taken_once();
  spec_aliased();
  spec_race();
  spec_overtaken();
  spec_race_with_free();
  spec_holds();
  spec_ids();
  group("nothing is left");
  CHECK(host_stats().live_count.now == before.live_count.now, "blocks");
  return finish();
}
