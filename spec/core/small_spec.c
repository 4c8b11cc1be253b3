/* Small host storages: in one piece with their record, from free lists of each thread; they get a
 * ticket only when something needs one. Counters, alignment, reuse, threads, fences. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "check.h"
#include "mem/host.h"
#include "mem/reap.h"
#include "mem/small.h"
#include "mem/storage.h"
#include "uses.h"

enum { THREADS = 8, MANY = 300 };

static nd_mem_stats host_stats(void) {
  nd_mem_stats stats;
  nd_resource_get_stats(nd_host_resource(), &stats);
  return stats;
}

static nd_storage *make(size_t bytes, bool zeroed) {
  nd_storage *s = NULL;
  const nd_storage_options options = {.zeroed = zeroed, .lazy = ND_LAZY_LARGE};
  CHECK(nd_storage_make(nd_host_resource(), bytes, options, &s, NULL) == ND_OK, "make");
  return s;
}

static size_t rounded(size_t bytes) { return (bytes + 63) / 64 * 64; }

/* {=== one thread ===} */

static void spec_sizes(void) {
  group("every size: allocated at once, aligned, counted, and given back");
  const nd_mem_stats before = host_stats();
  for (size_t bytes = 1; bytes <= NDI_SMALL_MOST + 2; bytes++) {
    char *host;
    nd_storage *s = make(bytes, false);
    CHECK(nd_storage_get_state(s) == ND_STORAGE_LIVE && nd_storage_check(s, NULL) == ND_OK, "live");
    CHECK(nd_storage_host(s, 0, SIZE_MAX, true, &host, NULL) == ND_OK && host == s->host,
          "address");
    CHECK((uintptr_t)host % 64 == 0 && s->ptr == s->host, "%zu B are not aligned", bytes);
    memset(host, 0x5A, rounded(bytes)); /* the room that vectors may read */
    nd_mem_stats now = host_stats();
    CHECK(now.live.now == before.live.now + rounded(bytes), "%zu B", bytes);
    CHECK(now.live_count.now == before.live_count.now + 1, "blocks");
    nd_storage_drop(s);
    now = host_stats();
    CHECK(now.live.now == before.live.now && now.live_count.now == before.live_count.now, "left");
  }
}

static void spec_zeroed(void) {
  group("zeroed memory is zeroed, also where a piece is used again");
  for (size_t bytes = 1; bytes <= NDI_SMALL_MOST; bytes += 31) {
    nd_storage *s = make(bytes, false);
    memset(s->host, 0xFF, bytes);
    nd_storage_drop(s);
    s = make(bytes, true);
    for (size_t i = 0; i < bytes; i++) CHECK(s->host[i] == 0, "byte %zu of %zu", i, bytes);
    nd_storage_drop(s);
  }
}

/* In random order, with the contents of the others checked. */
static void spec_many(void) {
  group("many live at once, dropped in random order, keep what they hold");
  static nd_storage *live[MANY];
  const nd_mem_stats before = host_stats();
  for (size_t round = 0; round < scaled(20000); round++) {
    const size_t at = next_random(&rng) % MANY;
    nd_storage *s = live[at];
    if (s) {
      for (size_t i = 0; i < s->bytes; i += 7)
        CHECK((unsigned char)s->host[i] == (unsigned char)(s->id + i), "byte %zu", i);
      nd_storage_drop(s);
      live[at] = NULL;
    } else {
      s = live[at] = make(1 + next_random(&rng) % 1500, false);
      for (size_t i = 0; i < s->bytes; i++) s->host[i] = (char)(s->id + i);
    }
  }
  uint64_t bytes = 0, blocks = 0;
  for (int i = 0; i < MANY; i++)
    if (live[i]) bytes += rounded(live[i]->bytes), blocks++;
  CHECK(host_stats().live.now == before.live.now + bytes, "bytes");
  CHECK(host_stats().live_count.now == before.live_count.now + blocks, "blocks");
  for (int i = 0; i < MANY; i++) nd_storage_drop(live[i]), live[i] = NULL;
  CHECK(host_stats().live.now == before.live.now, "left");
}

static void spec_free(void) {
  group("an early free gives the bytes back once, with a ticket and without");
  const nd_mem_stats before = host_stats();
  for (int has_use = 0; has_use < 2; has_use++) {
    nd_storage *s = make(100, false);
    const uint64_t epoch = atomic_load(&s->epoch);
    if (has_use) CHECK(note_use(s, (nd_point){0, 1}, true) == ND_OK, "use");
    CHECK(nd_storage_free(s, NULL) == ND_OK && atomic_load(&s->epoch) > epoch, "free");
    CHECK(host_stats().live.now == before.live.now, "%" PRIu64 " B", host_stats().live.now);
    CHECK(nd_storage_check(s, NULL) == ND_FREED && !s->host, "freed");
    CHECK(nd_storage_free(s, NULL) == ND_OK, "again");
    nd_storage_drop(s);
    CHECK(host_stats().live_count.now == before.live_count.now, "blocks");
  }
}

/* {=== work in flight ===} */

static uint64_t reached;

static bool point_is_done(void *unused, nd_point point) {
  return (void)unused, point.seq <= reached;
}
static nd_status point_wait(void *unused, nd_point point, nd_error *err) {
  (void)unused, (void)err;
  if (point.seq > reached) reached = point.seq;
  return ND_OK;
}

static void spec_pending(void) {
  group("a piece stays until the work on it is done, also when its storage is dropped");
  static const nd_fence_ops ops = {.is_done = point_is_done, .wait = point_wait};
  const nd_mem_stats before = host_stats();
  uint32_t queue;
  CHECK(nd_queue_open(&ops, NULL, &queue, NULL) == ND_OK, "open");
  for (uint64_t i = 1; i <= 4; i++) {
    nd_storage *s = make(64, false);
    char *host = s->host;
    memset(host, (int)i, 64);
    CHECK(note_use(s, (nd_point){queue, i}, i & 1) == ND_OK, "use");
    if (i > 2) CHECK(nd_storage_free(s, NULL) == ND_OK, "free");
    nd_storage_drop(s);
    nd_storage *other = make(64, false);
    CHECK(other->host != host, "used again");
    memset(other->host, 0, 64);
    CHECK(host[5] == (char)i, "what the work reads");
    nd_storage_drop(other);
    CHECK(host_stats().pending.now == before.pending.now + 64, "pending");
    CHECK(nd_reap(ND_REAP_POLL) == 0, "not done");
    reached = i;
    CHECK(nd_reap(ND_REAP_POLL) == 64, "done");
    CHECK(host_stats().live.now == before.live.now && nd_pending_bytes() == 0, "left");
  }
}

/* {=== threads ===} */

static pthread_barrier_t barrier;
static nd_storage *shared;
static _Atomic(nd_storage *) exchange[64];

static void run_threads(void *(*body)(void *)) {
  pthread_t thread[THREADS];
  static uint64_t seeds[THREADS];
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (int i = 0; i < THREADS; i++) {
    seeds[i] = next_random(&rng);
    pthread_create(&thread[i], NULL, body, &seeds[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  pthread_barrier_destroy(&barrier);
}

/* What one makes another drops. */
static void *pass_on(void *own_seed) {
  uint64_t *mine = own_seed;
  pthread_barrier_wait(&barrier);
  for (size_t i = 0; i < scaled(20000); i++) {
    nd_storage *s = NULL;
    const nd_storage_options options = {.zeroed = i & 1};
    const size_t bytes = 1 + next_random(mine) % NDI_SMALL_MOST;
    if (nd_storage_make(nd_host_resource(), bytes, options, &s, NULL)) abort();
    memset(s->host, (int)bytes, bytes);
    s = atomic_exchange(&exchange[next_random(mine) % 64], s);
    if (!s) continue;
    for (size_t k = 0; k < s->bytes; k += 101)
      if (s->host[k] != (char)s->bytes) abort();
    nd_storage_drop(s);
  }
  return NULL;
}

static void spec_pass_on(void) {
  group("storages that one thread makes and another drops");
  const nd_mem_stats before = host_stats();
  run_threads(pass_on);
  for (int i = 0; i < 64; i++) nd_storage_drop(atomic_exchange(&exchange[i], NULL));
  CHECK(host_stats().live.now == before.live.now, "bytes are left");
  CHECK(host_stats().live_count.now == before.live_count.now, "blocks are left");
}

/* All ask for a ticket at once, one of them frees. */
static void *use_or_free(void *own_seed) {
  pthread_barrier_wait(&barrier);
  if (next_random(own_seed) % 8 == 0) {
    if (nd_storage_free(shared, NULL) != ND_OK) abort();
  } else {
    const nd_status status = note_use(shared, (nd_point){0, 1}, false);
    if (status != ND_OK && status != ND_FREED) abort();
  }
  nd_storage_drop(shared);
  return NULL;
}

static void spec_tickets(void) {
  group("threads that race for a ticket, and with a free");
  const nd_mem_stats before = host_stats();
  for (size_t round = 0; round < scaled(300); round++) {
    shared = make(200, false);
    for (int i = 1; i < THREADS; i++) nd_storage_hold(shared);
    run_threads(use_or_free);
    CHECK(host_stats().live.now == before.live.now, "round %zu: bytes are left", round);
  }
  CHECK(host_stats().live_count.now == before.live_count.now, "blocks are left");
}

int main(void) {
  seed_from(20261123);
  spec_sizes();
  spec_zeroed();
  spec_many();
  spec_free();
  spec_pending();
  spec_pass_on();
  spec_tickets();
  return finish();
}
