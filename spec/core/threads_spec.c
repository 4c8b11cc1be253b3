/* Threads on one pool of arrays: they make, share, view, allocate, read, free early and drop, by
 * seed. Afterwards nothing is left, and the counters say what the threads counted themselves.
 * 100,000 operations for each of 8 threads; NDBUF_CASES scales that, NDBUF_SEED repeats a run. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "ndbuf.h"
#include "uses.h"

enum { THREADS = 8, POOL = 64, HELD = 8, STALE = 16, LARGEST = 1 << 11, OPERATIONS = 100000 };

/* What one thread has and has counted. Nobody else looks at it while it runs. */
typedef struct {
  uint64_t random, takes, gives, taken, given, released, made_foreign, freed_early;
  uint64_t wrongs;
  const char *wrong;  /* what the last one was about */
  nd_view held[HELD]; /* storage NULL: none */
  nd_ticket stale[STALE];
} worker;

static worker workers[THREADS];
static _Thread_local worker *me;
static struct {
  pthread_mutex_t lock;
  nd_view view;
} pool[POOL];
static uint64_t operations;
static char path[] = "/tmp/ndbuf-threads-XXXXXX";

static size_t pick(size_t n) { return (size_t)(next_random(&me->random) % n); }

static void expect(bool ok, const char *what) {
  if (!ok) me->wrongs++, me->wrong = what;
}

static nd_mem_stats stats_of(nd_resource *resource) {
  nd_mem_stats stats;
  nd_resource_get_stats(resource, &stats);
  return stats;
}

/* {=== a resource that counts for itself ===} */

static nd_status tally_take(nd_resource *self, const nd_request *request, nd_block *out,
                            nd_error *err) {
  ND_TRY(nd_resource_take(self->up, request, out, err));
  me->takes++, me->taken += out->granted;
  return ND_OK;
}

static nd_status tally_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                            nd_error *err) {
  ND_TRY(nd_resource_give(self->up, block, after, err));
  me->gives++, me->given += block->granted;
  return ND_OK;
}

static const nd_resource_ops tally_ops = {.name = "tally", .take = tally_take, .give = tally_give};
static nd_resource tally = {.ops = &tally_ops, .holds = 1, .kind = ND_MEM_HOST};

/* {=== a queue whose work is done when somebody says so ===} */

static atomic_uint_fast64_t issued, done;
static uint32_t queue;

static bool queue_is_done(void *context, nd_point point) {
  (void)context;
  return atomic_load(&done) >= point.seq;
}

static void advance(uint64_t to) {
  uint_fast64_t at = atomic_load(&done);
  while (at < to && !atomic_compare_exchange_weak(&done, &at, to)) continue;
}

static nd_status queue_wait(void *context, nd_point point, nd_error *err) {
  (void)context, (void)err;
  advance(point.seq);
  return ND_OK;
}

/* {=== arrays ===} The bytes of a storage whose size is a multiple of 64 are all the same, by its
 * id, and it is never freed early: whoever holds it may look. Others have 8 bytes more. */

static bool is_stable(const nd_view *v) { return v->storage->bytes % 64 == 0; }
static int byte_of(const nd_view *v) { return (int)(v->storage->id * 167 % 251); }

static nd_view *any_held(void) {
  nd_view *v = &me->held[pick(HELD)];
  return v->storage ? v : NULL;
}

/* 'view' moves into a random place of ours. */
static void keep(nd_view *view) {
  nd_view *place = &me->held[pick(HELD)];
  nd_view_drop(place);
  *place = *view;
}

static void fill(const nd_view *v) {
  char *host;
  if (nd_view_host(v, true, &host, NULL) == ND_OK) memset(host, byte_of(v), v->storage->bytes);
  else expect(false, "host");
}

static void release_foreign(void *owner) {
  me->released++;
  free(owner);
}

static nd_status make_foreign(size_t bytes, nd_storage **out) {
  nd_resource *foreign;
  char *memory = malloc(bytes);
  if (!memory || nd_foreign_resource(memory, bytes, release_foreign, memory, &foreign, NULL))
    return ND_OUT_OF_MEMORY;
  me->made_foreign++;
  const nd_status status = nd_storage_make(foreign, bytes, (nd_storage_options){0}, out, NULL);
  nd_resource_drop(foreign);
  return status;
}

static nd_status make_file(size_t bytes, nd_storage **out) {
  nd_resource *file;
  ND_TRY(nd_file_resource(path, &(nd_map_options){.mode = ND_MAP_WRITE}, &file, NULL));
  const nd_status status = nd_storage_make(file, bytes, (nd_storage_options){0}, out, NULL);
  nd_resource_drop(file);
  return status;
}

static void do_make(void) {
  static const nd_dtype dtypes[] = {ND_U8, ND_F32, ND_F64, ND_I64};
  const bool stable = pick(2), lazy = pick(2);
  const size_t kind = pick(16), bytes = (1 + pick(16)) * 64 + (stable ? 0 : 8);
  const nd_storage_options options = {.lazy = lazy, .zeroed = pick(2)};
  nd_storage *storage;
  nd_view view;
  nd_status status;
  if (kind == 0 && !stable) status = make_file(bytes, &storage);
  else if (kind < 3) status = make_foreign(bytes, &storage);
  else status = nd_storage_make(&tally, bytes, options, &storage, NULL);
  expect(status == ND_OK, "make");
  if (status) return;
  const nd_dtype dtype = dtypes[pick(ND_COUNTOF(dtypes))];
  const size_t items = bytes / nd_dtype_get(dtype)->bytes, columns = stable ? 8 : 1;
  const size_t shape[] = {items / columns, columns};
  status = nd_view_make(storage, 0, dtype, 2, shape, NULL, &view, NULL);
  expect(status == ND_OK, "make");
  if (status == ND_OK) {
    if (stable) fill(&view);
    keep(&view);
  }
  nd_storage_drop(storage);
}

static void do_share(void) {
  nd_view *v = any_held(), copy, former;
  if (!v) return;
  const size_t at = pick(POOL);
  nd_view_copy(v, &copy);
  pthread_mutex_lock(&pool[at].lock);
  former = pool[at].view;
  pool[at].view = copy;
  pthread_mutex_unlock(&pool[at].lock);
  nd_view_drop(&former);
}

static void do_fetch(void) {
  nd_view copy = {.storage = NULL};
  const size_t at = pick(POOL);
  pthread_mutex_lock(&pool[at].lock);
  if (pool[at].view.storage) nd_view_copy(&pool[at].view, &copy);
  pthread_mutex_unlock(&pool[at].lock);
  if (copy.storage) keep(&copy);
}

static void do_drop(void) {
  nd_view *v = any_held();
  if (v) nd_view_drop(v);
}

/* {=== views ===} */

static void do_view(void) {
  nd_view *v = any_held(), out;
  if (!v || v->ndim == 0) return;
  const int axis = (int)pick(v->ndim), last = v->ndim - 1;
  const size_t len = v->axis[axis].len, first = pick(len + 1);
  int order[ND_MAX_NDIM];
  nd_status status = ND_OK;
  bool may_fail = false;
  for (int i = 0; i <= last; i++) order[i] = last - i;
  switch (pick(7)) {
    case 0: status = nd_view_narrow(v, axis, first, pick(len - first + 1), &out, NULL); break;
    case 1:
      if (len == 0 || v->ndim < 2) return;
      status = nd_view_select(v, axis, pick(len), &out, NULL);
      break;
    case 2:
      may_fail = true; /* of what is not contiguous */
      status = nd_view_reshape(v, 1, (const int64_t[]){-1}, &out, NULL);
      break;
    case 3: status = nd_view_permute(v, order, &out, NULL); break;
    case 4: status = nd_view_flip(v, 1u << axis, &out, NULL); break;
    case 5:
      if (v->ndim == ND_MAX_NDIM) return;
      status = nd_view_unsqueeze(v, axis, &out, NULL);
      break;
    default:
      may_fail = true; /* where the last axis has steps, or does not come out even */
      status = nd_view_bitcast(v, pick(2) ? ND_U8 : ND_F64, &out, NULL);
      if (status == ND_OK) nd_storage_pun(out.storage, out.dtype == ND_U8 ? 1 : 2);
  }
  expect(status == ND_OK || may_fail, "view");
  if (status == ND_OK) keep(&out);
}

/* {=== memory ===} */

static void do_host(void) {
  nd_view *v = any_held();
  char *host = NULL;
  if (!v) return;
  const nd_status status = nd_view_host(v, pick(2), &host, NULL);
  expect(status == ND_OK ? host != NULL : status == ND_FREED && !is_stable(v), "host");
}

static void do_free(void) {
  nd_view *v = any_held();
  if (!v || is_stable(v)) return;
  expect(nd_storage_free(v->storage, NULL) == ND_OK, "free");
  expect(nd_storage_check(v->storage, NULL) == ND_FREED, "free");
  me->freed_early++;
}

static bool is_all(const nd_view *v, const unsigned char *bytes, int byte) {
  for (size_t i = 0; i < nd_view_nbytes(v); i++)
    if (bytes[i] != byte) return false;
  return true;
}

static void do_read(void) {
  unsigned char bytes[LARGEST];
  nd_view *v = any_held();
  if (!v || !is_stable(v)) return;
  const nd_status status = nd_copyout(v, bytes, nd_view_nbytes(v), NULL);
  expect(status == ND_OK && is_all(v, bytes, byte_of(v)), "bytes");
}

static void do_copy(void) {
  nd_view *v = any_held(), copy;
  char *host;
  if (!v || !is_stable(v)) return;
  const nd_status status = nd_astype(v, (nd_dtype)v->dtype, ND_SATURATE, &copy, NULL);
  expect(status == ND_OK, "copy");
  if (status != ND_OK) return;
  if (copy.storage->resource != &tally && nd_storage_get_state(copy.storage) == ND_STORAGE_LIVE) {
    const size_t granted = (copy.storage->bytes + 63) / 64 * 64; /* of the host: foreign has none */
    me->takes++, me->taken += granted;
    me->gives++, me->given += granted;
  }
  if (copy.size > 0 && nd_view_host(&copy, false, &host, NULL) == ND_OK)
    expect(is_all(&copy, (unsigned char *)host, byte_of(v)), "copy");
  nd_view_drop(&copy);
}

/* {=== looking on ===} */

static void do_check(void) {
  nd_view *v = any_held(), *other = any_held();
  if (!v || !other) return;
  const nd_status status = nd_storage_check(v->storage, NULL);
  const bool fine = status == ND_OK || (status == ND_FREED && !is_stable(v)) ||
                    (status == ND_NOT_ALLOCATED && !is_stable(v));
  expect(fine && nd_view_is_sound(v), "check");
  expect(nd_view_may_overlap(v, other) || v != other || v->size == 0, "check");
  nd_storage_is_punned(v->storage);
}

static void do_stats(void) {
  const nd_mem_stats stats = stats_of(pick(2) ? &tally : nd_host_resource());
  expect(stats.live.now <= stats.live.peak && stats.live.now <= stats.live.total, "stats");
  expect(stats.live_count.now <= stats.live_count.peak, "stats");
}

static void do_ticket(void) {
  nd_ticket *old = &me->stale[pick(STALE)], ticket;
  nd_block block;
  const nd_request request = {.bytes = 1 + pick(256), .zeroed = pick(2)};
  if (old->generation) {
    expect(!nd_ticket_is_live(*old), "ticket");
    expect(nd_ticket_give(*old, NULL, NULL) == ND_USE_AFTER_FREE, "ticket");
    expect(nd_ticket_check(*old, NULL) == ND_USE_AFTER_FREE, "ticket");
  }
  if (nd_ticket_take(&tally, &request, &ticket, &block, NULL) != ND_OK) {
    expect(false, "ticket");
    return;
  }
  memset(block.host, 1, block.bytes);
  expect(nd_ticket_check(ticket, NULL) == ND_OK, "ticket");
  expect(nd_ticket_give(ticket, NULL, NULL) == ND_OK, "ticket");
  *old = ticket;
}

/* Work on a queue: what is dropped meanwhile is pending until a reap finds it done. */
static void do_use(void) {
  const nd_view *v = any_held();
  if (!v) return;
  const nd_point at = {.queue = queue, .seq = atomic_fetch_add(&issued, 1) + 1};
  expect(note_use(v->storage, at, pick(2)) == ND_OK, "use");
}

static void do_advance(void) {
  advance(atomic_load(&issued));
  nd_reap(pick(8) ? ND_REAP_POLL : ND_REAP_WAIT);
}

/* {=== running ===} */

static void *work(void *at) {
  static void (*const table[])(void) = {
      do_make, do_make, do_share, do_share, do_fetch, do_fetch,  do_drop,  do_view, do_view,
      do_host, do_free, do_read,  do_copy,  do_check, do_ticket, do_stats, do_use,  do_advance};
  me = at;
  if (nd_init(NULL) != ND_OK) abort();
  for (uint64_t i = 0; i < operations; i++) table[pick(ND_COUNTOF(table))]();
  for (int i = 0; i < HELD; i++) nd_view_drop(&me->held[i]);
  return NULL;
}

static void run_threads(uint64_t seed, void *(*body)(void *)) {
  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; i++) {
    workers[i].random = seed + (uint64_t)i * 0x9e3779b97f4a7c15;
    if (pthread_create(&thread[i], NULL, body, &workers[i]) != 0) abort();
  }
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
}

static void run(uint64_t seed) {
  for (int i = 0; i < POOL; i++) pthread_mutex_init(&pool[i].lock, NULL);
  run_threads(seed, work);
  me = &workers[0];
  for (int i = 0; i < POOL; i++) nd_view_drop(&pool[i].view);
  advance(atomic_load(&issued));
  nd_reap(ND_REAP_POLL);
}

static void sum_up(worker *all) {
  for (int i = 0; i < THREADS; i++) {
    const worker *w = &workers[i];
    all->takes += w->takes, all->gives += w->gives;
    all->taken += w->taken, all->given += w->given;
    all->released += w->released, all->made_foreign += w->made_foreign;
    all->freed_early += w->freed_early;
    all->wrongs += w->wrongs;
    if (w->wrong) all->wrong = w->wrong;
  }
}

static void spec_pool(uint64_t seed) {
  group("threads make, share, view, free and drop");
  worker all = {0};
  memset(workers, 0, sizeof workers);
  const nd_mem_stats before = stats_of(nd_host_resource());
  run(seed);
  const nd_mem_stats after = stats_of(nd_host_resource());
  sum_up(&all);
  printf("# seed %" PRIu64 ": %" PRIu64 " operations of %d threads, %" PRIu64 " blocks, %" PRIu64
         " foreign, %" PRIu64 " early frees\n",
         seed, operations * THREADS, THREADS, all.takes, all.made_foreign, all.freed_early);
  CHECK(all.wrongs == 0, "seed %" PRIu64 ": %" PRIu64 " wrong, such as %s", seed, all.wrongs,
        all.wrong);
  CHECK(all.takes > operations / 2 && all.freed_early > 0 && all.made_foreign > 0, "too little");

  group("what the threads counted is what the resource counted, and nothing is left");
  CHECK(all.takes == all.gives && all.taken == all.given, "tally: %" PRIu64 " B taken, %" PRIu64,
        all.taken, all.given);
  const uint64_t blocks = after.live_count.total - before.live_count.total;
  CHECK(blocks == all.takes, "%" PRIu64 " blocks, counted %" PRIu64, blocks, all.takes);
  CHECK(after.live.total - before.live.total == all.taken, "total bytes");
  CHECK(after.live.now == before.live.now, "live bytes: %" PRIu64, after.live.now);
  CHECK(after.live_count.now == before.live_count.now, "live: %" PRIu64, after.live_count.now);
  CHECK(nd_pending_bytes() == 0, "pending: %zu", nd_pending_bytes());
  CHECK(after.failed_takes == before.failed_takes && after.failed_gives == 0, "failures");
  CHECK(all.released == all.made_foreign, "foreign: %" PRIu64 " of %" PRIu64, all.released,
        all.made_foreign);
}

/* {=== all threads at one storage ===} */

enum { ROUNDS = 400, LOOKS = 20 };
static nd_storage *shared;
static nd_view shared_view;
static pthread_barrier_t barrier;

/* All allocate at once; then all look, and in odd rounds the first one frees in the middle. */
static void look(bool frees, bool may_be_freed) {
  char *host;
  const int when = (int)pick(LOOKS);
  for (int i = 0; i < LOOKS; i++) {
    if (frees && i == when) expect(nd_storage_free(shared, NULL) == ND_OK, "free");
    nd_status status = nd_storage_host(shared, 0, SIZE_MAX, pick(2), &host, NULL);
    expect(status == ND_OK || (may_be_freed && status == ND_FREED), "host");
    status = nd_storage_check(shared, NULL);
    expect(status == ND_OK || (may_be_freed && status == ND_FREED), "check");
    expect(nd_view_may_overlap(&shared_view, &shared_view), "check");
    stats_of(shared->resource);
    nd_storage_drop(nd_storage_hold(shared));
  }
}

static void *look_in_rounds(void *at) {
  me = at;
  const bool is_first = me == &workers[0];
  for (int round = 0; round < ROUNDS; round++) {
    nd_status status = ND_OK;
    if (is_first) {
      const nd_storage_options lazy = {.lazy = true};
      if (round % 3 == 0) status = make_file(1024, &shared);
      else status = nd_storage_make(&tally, 1024, lazy, &shared, NULL);
      if (status == ND_OK)
        status = nd_view_make(shared, 0, ND_U8, 1, (const size_t[]){1024}, NULL, &shared_view,
                              NULL);
      if (status != ND_OK) abort();
    }
    pthread_barrier_wait(&barrier);
    look(is_first && round % 2, round % 2);
    pthread_barrier_wait(&barrier);
    if (!is_first) continue;
    nd_storage_drop(shared);
    nd_view_drop(&shared_view);
  }
  return NULL;
}

static void spec_looking(uint64_t seed) {
  group("threads allocate one storage and look at it, while one of them frees it");
  const nd_mem_stats before = stats_of(nd_host_resource());
  memset(workers, 0, sizeof workers);
  pthread_barrier_init(&barrier, NULL, THREADS);
  run_threads(seed, look_in_rounds);
  pthread_barrier_destroy(&barrier);
  const nd_mem_stats after = stats_of(nd_host_resource());
  worker all = {0};
  sum_up(&all);
  CHECK(all.wrongs == 0, "seed %" PRIu64 ": %" PRIu64 " wrong, such as %s", seed, all.wrongs,
        all.wrong);
  CHECK(all.takes >= ROUNDS / 2 && all.takes == all.gives, "%" PRIu64 " taken, %" PRIu64, all.takes,
        all.gives);
  CHECK(after.live_count.now == before.live_count.now, "%" PRIu64 " are left",
        after.live_count.now - before.live_count.now);
}

/* {=== threads that end ===} */

static void *take_one(void *slot) {
  nd_ticket ticket;
  nd_block block;
  me = &workers[0]; /* one at a time */
  const nd_request request = {.bytes = 8};
  if (nd_ticket_take(&tally, &request, &ticket, &block, NULL) != ND_OK) abort();
  nd_ticket_give(ticket, NULL, NULL);
  if (*(uint32_t *)slot < ticket.slot) *(uint32_t *)slot = ticket.slot;
  return NULL;
}

static void spec_ended(void) {
  group("a thread that ends leaves its slot to others");
  uint32_t first = 0, last = 0;
  pthread_t thread;
  for (int i = 0; i < 2000; i++) {
    pthread_create(&thread, NULL, take_one, i < THREADS ? &first : &last);
    pthread_join(thread, NULL);
  }
  CHECK(last <= first, "slots went from %u to %u", first, last);
}

int main(void) {
  static const nd_fence_ops fence = {.is_done = queue_is_done, .wait = queue_wait};
  const char *given = getenv("NDBUF_SEED"), *cases = getenv("NDBUF_CASES");
  const uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
  operations = (uint64_t)((cases ? strtod(cases, NULL) : 1) * OPERATIONS) + 1;
  tally.up = nd_host_resource();
  const int file = mkstemp(path);
  if (file < 0 || ftruncate(file, LARGEST) != 0 || close(file) != 0) return 2;
  if (nd_queue_open(&fence, NULL, &queue, NULL) != ND_OK) return 2;
  spec_ended();
  spec_looking(seed);
  spec_pool(seed);
  unlink(path);
  return finish();
}
