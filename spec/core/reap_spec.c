/* Giving back what waits: by several threads, behind refusals, beside forks; and exact peaks. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/lock.h"
#include "check.h"
#include "mem/file.h"
#include "mem/gauge.h"
#include "mem/host.h"
#include "mem/reap.h"
#include "mem/sigbus.h"
#include "mem/storage.h"
#include "uses.h"

/* {=== a resource ===} It has so many bytes, gives them back slowly, may be busy, and may refuse.
 */

static struct {
  nd_resource base, cache; /* the cache holds bytes of the same device until it is trimmed */
  ndi_counters counters;
  atomic_size_t used, kept;
  size_t limit;
  long give_us;
  atomic_bool is_busy;
  atomic_int refusals, tries; /* gives that fail; gives */
  int until_theft;            /* takes before one during which 'stolen' is given back */
  nd_ticket stolen;
} slow;

static nd_status slow_take(nd_resource *self, const nd_request *request, nd_block *out,
                           nd_error *err) {
  (void)self;
  size_t used = slow.used;
  if (slow.until_theft > 0 && --slow.until_theft == 0) nd_ticket_give(slow.stolen, NULL, NULL);
  do
    if (used + request->bytes + slow.kept > slow.limit)
      return nd_fail(err, ND_OUT_OF_MEMORY, "%zu of %zu B are used", used, slow.limit);
  while (!atomic_compare_exchange_weak(&slow.used, &used, used + request->bytes));
  out->ptr = &slow;
  out->granted = request->bytes;
  ndi_counters_take(&slow.counters, request->bytes);
  return ND_OK;
}

static nd_status slow_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                           nd_error *err) {
  (void)self, (void)after;
  const struct timespec pause = {0, slow.give_us * 1000};
  if (slow.give_us) nanosleep(&pause, NULL);
  atomic_fetch_add(&slow.tries, 1);
  if (atomic_fetch_sub(&slow.refusals, 1) > 0) return nd_fail(err, ND_DRIVER, "refused");
  ndi_counters_give(&slow.counters, block->granted);
  atomic_fetch_sub(&slow.used, block->granted);
  return ND_OK;
}

static nd_status cache_trim(nd_resource *self, size_t keep, size_t *freed, nd_error *err) {
  (void)self, (void)keep, (void)err;
  *freed = atomic_exchange(&slow.kept, 0);
  return ND_OK;
}

static bool slow_is_idle(nd_resource *self) { return (void)self, !slow.is_busy; }
static void slow_stats(nd_resource *self, nd_mem_stats *out) {
  (void)self;
  ndi_counters_read(&slow.counters, out);
}

enum { DEVICE = 5 };

static void open_slow(size_t limit, long give_us) {
  static const nd_resource_ops ops = {.name = "slow",
                                      .is_idle = slow_is_idle,
                                      .take = slow_take,
                                      .give = slow_give,
                                      .stats = slow_stats};
  static const nd_resource_ops cache_ops = {
      .name = "cache", .take = slow_take, .give = slow_give, .trim = cache_trim};
  ndi_cache_unregister(&slow.cache); /* of an earlier group */
  slow.base = (nd_resource){.ops = &ops, .holds = 1, .kind = ND_MEM_DEVICE, .device = DEVICE};
  slow.base.is_deferred = true;
  slow.cache = (nd_resource){.ops = &cache_ops, .holds = 1, .device = DEVICE};
  memset(&slow.counters, 0, sizeof slow.counters);
  slow.limit = limit, slow.give_us = give_us;
  atomic_init(&slow.used, 0), atomic_init(&slow.kept, 0);
  atomic_init(&slow.is_busy, false);
  atomic_init(&slow.refusals, 0), atomic_init(&slow.tries, 0);
}

static nd_mem_stats stats_of(nd_resource *from) {
  nd_mem_stats stats;
  nd_resource_get_stats(from, &stats);
  return stats;
}

static nd_status take(nd_resource *from, size_t bytes, nd_ticket *ticket) {
  const nd_request request = {.bytes = bytes};
  nd_block block;
  return nd_ticket_take(from, &request, ticket, &block, NULL);
}

/* {=== threads ===} */

static atomic_size_t refused;

static void *take_half(void *rounds) {
  for (size_t i = 0; i < *(size_t *)rounds; i++) {
    nd_ticket ticket;
    if (take(&slow.base, 49, &ticket) != ND_OK) atomic_fetch_add(&refused, 1);
    else nd_ticket_give(ticket, NULL, NULL);
  }
  return NULL;
}

static void spec_waiting_reaps(void) {
  group("two threads with 49 of 100 bytes each are never refused while frees take their time");
  pthread_t thread[2];
  size_t rounds = scaled(1000);
  open_slow(100, 200);
  for (int i = 0; i < 2; i++) pthread_create(&thread[i], NULL, take_half, &rounds);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
  CHECK(refused == 0, "%zu of %zu takes", refused, 2 * rounds);
  nd_reap(ND_REAP_WAIT);
  CHECK(slow.used == 0 && stats_of(&slow.base).failed_takes == 0, "%zu B", slow.used);
}

static void *reap_now(void *unused) { return (void)unused, nd_reap(ND_REAP_POLL), NULL; }

static void spec_wait_for_others(void) {
  group("a reap that waits lets another thread's reap come to its end");
  pthread_t thread;
  nd_ticket ticket;
  open_slow(100, 50000);
  for (int i = 0; i < 3; i++) {
    CHECK(take(&slow.base, 50, &ticket) == ND_OK && nd_ticket_give(ticket, NULL, NULL) == ND_OK,
          "give");
    pthread_create(&thread, NULL, reap_now, NULL);
    while (nd_has_pending()) sched_yield(); /* the other one has it now */
    nd_reap(ND_REAP_WAIT);
    CHECK(slow.used == 0 && nd_pending_bytes() == 0, "%zu B", slow.used);
    pthread_join(thread, NULL);
  }
}

/* What the peak can have been, counted around the takes and gives: between these two. */
static struct { atomic_long surely, perhaps, least, most; } seen;

static void raise_to(atomic_long *at, long value) {
  long was = *at;
  while (was < value && !atomic_compare_exchange_weak(at, &was, value)) continue;
}

static void *take_some(void *bytes) {
  const size_t size = *(size_t *)bytes;
  for (size_t i = 0; i < scaled(20000); i++) {
    nd_ticket ticket;
    raise_to(&seen.most, atomic_fetch_add(&seen.perhaps, (long)size) + (long)size);
    if (take(nd_host_resource(), size, &ticket) != ND_OK) abort();
    raise_to(&seen.least, atomic_fetch_add(&seen.surely, (long)size) + (long)size);
    atomic_fetch_sub(&seen.surely, (long)size);
    if (nd_ticket_give(ticket, NULL, NULL) != ND_OK) abort();
    atomic_fetch_sub(&seen.perhaps, (long)size);
  }
  return NULL;
}

/* Above all that the process took before, so that the peak is this spec's own. */
static void spec_peaks(void) {
  group("peaks are those that there were: eight threads");
  enum { THREADS = 8 };
  pthread_t thread[THREADS];
  size_t size = 1 << 16;
  nd_ticket all;
  const nd_mem_stats before = stats_of(nd_host_resource());
  const uint64_t base = before.live.peak;
  CHECK(take(nd_host_resource(), base - before.live.now, &all) == ND_OK, "up to the peak");
  for (int i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, take_some, &size);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  const uint64_t peak = stats_of(nd_host_resource()).live.peak;
  const uint64_t own = peak - base;
  CHECK(own + 64 >= (uint64_t)seen.least && own <= (uint64_t)seen.most + 64,
        "%" PRIu64 " is not within %ld and %ld", own, seen.least, seen.most);
  CHECK(nd_ticket_give(all, NULL, NULL) == ND_OK, "give");
}

static pthread_barrier_t start;

static void *take_one_byte(void *counters) {
  pthread_barrier_wait(&start);
  for (size_t i = 0; i < scaled(300000); i++) {
    ndi_counters_take(counters, 1);
    ndi_counters_give(counters, 1);
  }
  return NULL;
}

static void spec_four_bytes(void) {
  group("four threads with a byte each have no more than four bytes and blocks");
  pthread_t thread[4];
  static ndi_counters counters;
  pthread_barrier_init(&start, NULL, 4);
  for (int i = 0; i < 4; i++) pthread_create(&thread[i], NULL, take_one_byte, &counters);
  for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
  nd_mem_stats stats;
  ndi_counters_read(&counters, &stats);
  CHECK(stats.live.peak >= 1 && stats.live.peak <= 4, "%" PRIu64 " B", stats.live.peak);
  CHECK(stats.live_count.peak >= 1 && stats.live_count.peak <= 4, "%" PRIu64 " blocks",
        stats.live_count.peak);
  CHECK(stats.live.now == 0 && stats.live.total == 4 * scaled(300000), "sums");
  pthread_barrier_destroy(&start);
}

static atomic_bool is_over;

static void *churn_slots(void *unused) {
  (void)unused;
  nd_ticket ticket[32];
  while (!is_over) {
    for (int i = 0; i < 32; i++)
      if (take(&slow.base, (size_t)i, &ticket[i]) != ND_OK) abort();
    for (int i = 0; i < 32; i++) nd_ticket_give(ticket[i], NULL, NULL);
  }
  return NULL;
}

static void spec_largest(void) {
  group("the largest blocks are found beside threads that take and give");
  pthread_t thread[2];
  size_t sizes[3];
  nd_ticket large;
  open_slow(1 << 20, 0);
  is_over = false;
  CHECK(take(&slow.base, 5000, &large) == ND_OK, "take");
  for (int i = 0; i < 2; i++) pthread_create(&thread[i], NULL, churn_slots, NULL);
  for (size_t i = 0; i < scaled(500); i++) {
    const int n = ndi_slot_largest(DEVICE, 3, sizes);
    CHECK(n >= 1 && sizes[0] == 5000, "%d: %zu B", n, sizes[0]);
  }
  is_over = true;
  for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
  CHECK(nd_ticket_give(large, NULL, NULL) == ND_OK, "give");
  nd_reap(ND_REAP_WAIT);
}

/* {=== refusals, busy devices, caches ===} */

static int64_t milliseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void spec_refused_free(void) {
  group("a free that is refused is counted once, is pending, and is left alone for a while");
  nd_ticket ticket;
  const struct timespec pause = {0, 45000000};
  const int64_t begun = milliseconds();
  open_slow(100, 0);
  CHECK(take(&slow.base, 60, &ticket) == ND_OK, "take");
  slow.refusals = 1000;
  CHECK(nd_ticket_give(ticket, NULL, NULL) == ND_OK, "give");
  for (int i = 0; i < 40; i++) nd_reap(ND_REAP_POLL);
  CHECK(slow.tries <= 1 + (milliseconds() - begun) / 10, "%d tries by 40 calls", slow.tries);
  nanosleep(&pause, NULL);
  const int tries = slow.tries;
  nd_reap(ND_REAP_POLL);
  CHECK(slow.tries == tries + 1, "%d tries later", slow.tries);
  const nd_mem_stats stats = stats_of(&slow.base);
  CHECK(stats.failed_gives == 1, "%" PRIu64 " failures", stats.failed_gives);
  CHECK(stats.live.now == 0 && stats.live_count.now == 0, "%" PRIu64 " B live", stats.live.now);
  CHECK(stats.pending.now == 60 && stats.pending_count.now == 1, "pending");
  slow.refusals = 0;
  CHECK(take(&slow.base, 60, &ticket) == ND_OK, "room is made all the same");
  CHECK(nd_ticket_give(ticket, NULL, NULL) == ND_OK && nd_reap(ND_REAP_WAIT) == 60, "in the end");
}

static void spec_refused_take(void) {
  group("a take that is refused counts once, however often it was tried");
  nd_ticket ticket;
  open_slow(100, 0);
  CHECK(take(&slow.base, 101, &ticket) == ND_OUT_OF_MEMORY, "too much");
  CHECK(stats_of(&slow.base).failed_takes == 1, "%" PRIu64, stats_of(&slow.base).failed_takes);
}

/* As a thread does that took what the ladder's wait had freed. */
static void spec_late_give(void) {
  group("what is given back during the ladder's last try is waited for, too");
  nd_ticket ticket;
  open_slow(100, 0);
  CHECK(take(&slow.base, 60, &slow.stolen) == ND_OK, "in the way");
  slow.until_theft = 5;
  CHECK(take(&slow.base, 60, &ticket) == ND_OK, "%zu B are used", slow.used);
  nd_ticket_give(ticket, NULL, NULL);
  CHECK(nd_reap(ND_REAP_WAIT) == 60 && stats_of(&slow.base).failed_takes == 0, "in the end");
}

static void spec_busy(void) {
  group("ordinary calls do not free on a busy device, but when there is much");
  enum { MANY = 100 };
  nd_ticket ticket[MANY];
  open_slow(1 << 20, 0);
  slow.is_busy = true;
  for (int i = 0; i < MANY; i++) CHECK(take(&slow.base, 10, &ticket[i]) == ND_OK, "take");
  for (int i = 0; i < 20; i++) nd_ticket_give(ticket[i], NULL, NULL);
  CHECK(nd_reap(ND_REAP_POLL) == 0 && slow.tries == 0, "%d frees", slow.tries);
  CHECK(nd_reap(ND_REAP_DONE) == 200 && slow.tries == 20, "%d frees", slow.tries);
  for (int i = 20; i < MANY; i++) nd_ticket_give(ticket[i], NULL, NULL);
  CHECK(nd_reap(ND_REAP_POLL) == 800, "of many");
  CHECK(take(&slow.base, 10, ticket) == ND_OK, "take");
  nd_ticket_give(*ticket, NULL, NULL);
  CHECK(nd_reap(ND_REAP_POLL) == 0, "busy");
  slow.is_busy = false;
  CHECK(nd_reap(ND_REAP_POLL) == 10, "idle");
}

static void spec_caches(void) {
  group("all caches of a device are trimmed before a take fails, and those of others are not");
  nd_ticket ticket;
  open_slow(100, 0);
  ndi_cache_register(&slow.cache);
  ndi_cache_register(&slow.cache);
  slow.kept = 80;
  CHECK(take(&slow.base, 60, &ticket) == ND_OK && slow.kept == 0, "%zu B are kept", slow.kept);
  slow.kept = 10;
  CHECK(nd_caches_trim(DEVICE + 1, 0) == 0 && slow.kept == 10, "another device");
  CHECK(nd_caches_trim(DEVICE, 0) == 10, "trim");
  nd_ticket_give(ticket, NULL, NULL);
  nd_reap(ND_REAP_WAIT);
}

/* {=== the storage's lock ===} */

static nd_storage *asked;
static int questions, reached;

static bool point_is_done(void *context, nd_point point) {
  (void)context;
  questions++;
  CHECK(atomic_load(&asked->lock) == 0, "a queue is asked with the storage's lock held");
  return point.seq <= (uint64_t)reached;
}

static nd_status point_wait(void *context, nd_point point, nd_error *err) {
  (void)context, (void)err;
  reached = (int)point.seq;
  return ND_OK;
}

static void spec_unlocked(void) {
  group("queues are asked without the lock of the storage, and what is done is forgotten");
  static const nd_fence_ops ops = {.is_done = point_is_done, .wait = point_wait};
  uint32_t queue[6];
  char *host;
  for (int i = 0; i < 6; i++) CHECK(nd_queue_open(&ops, NULL, &queue[i], NULL) == ND_OK, "open");
  CHECK(nd_storage_make(nd_host_resource(), 64, (nd_storage_options){0}, &asked, NULL) == ND_OK,
        "make");
  for (uint32_t i = 0; i < 6; i++) {
    reached = (int)i - 1; /* the older ones make room */
    CHECK(note_use(asked, (nd_point){queue[i], i}, i & 1) == ND_OK, "use %u", i);
  }
  CHECK(!nd_storage_is_idle(asked) && questions > 0, "asked");
  CHECK(nd_storage_host(asked, 0, SIZE_MAX, true, &host, NULL) == ND_OK && reached == 5, "waits");
  CHECK(nd_storage_is_idle(asked) && asked->uses->count == 0, "%d uses", asked->uses->count);
  questions = 0;
  CHECK(nd_storage_is_idle(asked) && questions == 0, "nobody is asked any more");
  nd_storage_drop(asked);
}

/* {=== forks ===} */

static char path[] = "/tmp/ndbuf-reap-XXXXXX";
static nd_storage *shared;

/* Takes every lock there is in src/mem, over and over. */
static void use_locks(int rounds) {
  nd_ticket ticket[40];
  nd_resource *file;
  char *host;
  for (int i = 0; i < 40; i++)
    if (take(i % 2 ? &slow.base : nd_host_resource(), i % 10 ? 64 : 1 << 20, &ticket[i])) abort();
  for (int i = 0; i < 40; i++) nd_ticket_give(ticket[i], NULL, NULL);
  nd_reap(rounds % 2 ? ND_REAP_POLL : ND_REAP_WAIT);
  ndi_cache_register(&slow.cache);
  if (note_use(shared, (nd_point){0, 1}, rounds % 2) ||
      nd_storage_host(shared, 0, SIZE_MAX, true, &host, NULL))
    abort();
  const nd_map_options options = {.mode = ND_MAP_READ};
  if (nd_file_resource(path, &options, &file, NULL) || take(file, 64, ticket)) abort();
  nd_resource_drop(file);
  nd_ticket_give(*ticket, NULL, NULL);
}

static void *use_locks_until(void *unused) {
  (void)unused;
  for (int i = 0; !is_over; i++) use_locks(i);
  return NULL;
}

/* A child that went well becomes a program that does nothing: checkers of memory do not look at
 * what is left in it, as what its parent's threads held is lost there. */
static void end_well(void) { execlp("true", "true", (char *)NULL); }
static bool ended_well(pid_t child) {
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool fork_once(void) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20); /* one that hangs is ended */
    use_locks(0), use_locks(1);
    end_well();
    _exit(1);
  }
  return ended_well(child);
}

/* AddressSanitizer and emulators have locks of their own, which stay taken in a child where a
 * thread of its parent had them. So there are no threads then. */
static int count_threads(void) {
#if defined(__SANITIZE_ADDRESS__)
  const bool has_locks = true;
#else
  const bool has_locks = getenv("NDBUF_EMULATED") != NULL;
#endif
  if (has_locks) puts("skipped: forks beside threads: the checker's own locks stay taken");
  return has_locks ? 0 : 3;
}

static void spec_forks(void) {
  group("forks beside threads that allocate leave no lock held in the child");
  pthread_t thread[3];
  const int threads = count_threads();
  int hung = 0;
  open_slow(1 << 20, 0);
  is_over = false;
  const int fd = mkstemp(path);
  CHECK(fd >= 0 && ftruncate(fd, 64) == 0, "a file");
  CHECK(nd_storage_make(nd_host_resource(), 64, (nd_storage_options){0}, &shared, NULL) == ND_OK,
        "make");
  for (int i = 0; i < threads; i++) pthread_create(&thread[i], NULL, use_locks_until, NULL);
  for (size_t i = 0; i < scaled(700) && hung < 2; i++) hung += !fork_once();
  is_over = true;
  for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
  CHECK(hung == 0, "%d children", hung);
  nd_storage_drop(shared);
  close(fd);
  unlink(path);
}

/* The lock of the storage is held by a thread that the child does not have. */
static void spec_fork_in_storage(void) {
  group("a fork in the instant in which another thread has a storage's lock");
  CHECK(nd_storage_make(nd_host_resource(), 64, (nd_storage_options){0}, &shared, NULL) == ND_OK,
        "make");
  atomic_store(&shared->lock, ndi_forks() + 1);
  const pid_t child = fork();
  if (child == 0) {
    alarm(5);
    if (note_use(shared, (nd_point){0, 1}, true) == ND_OK) end_well();
    _exit(1);
  }
  CHECK(ended_well(child), "hung");
  atomic_store(&shared->lock, 0);
  nd_storage_drop(shared);
}

int main(void) {
  spec_peaks(); /* first: the peak before it is small */
  spec_four_bytes();
  spec_waiting_reaps();
  spec_wait_for_others();
  spec_largest();
  spec_refused_free();
  spec_refused_take();
  spec_late_give();
  spec_busy();
  spec_caches();
  spec_unlocked();
  spec_forks();
  spec_fork_in_storage();
  return finish();
}
