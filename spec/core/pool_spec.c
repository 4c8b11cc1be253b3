/* A pool under threads: no block is handed out twice, none is dirty that is to be zeros, and its
 * peak is below the limit of the budget that it is on. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "mem/adapt/adapt.h"
#include "mem/host.h"

enum { THREADS = 8, OPERATIONS = 40000, HELD = 16, LIMIT = 150000, CAP = 60000, MOST = 9000 };

typedef struct {
  nd_resource *from;
  uint64_t state; /* of the random numbers */
  int operations, wrong;
  unsigned char mark; /* with the entry's number, what the bytes are filled with */
  nd_block held[HELD];
} worker;

static int count_others(const nd_block *block, unsigned char value) {
  const unsigned char *bytes = block->host;
  int count = 0;
  for (size_t i = 0; i < block->bytes; i++) count += bytes[i] != value;
  return count;
}

static void give(worker *w, int i) {
  w->wrong += count_others(&w->held[i], (unsigned char)(w->mark + i));
  w->wrong += nd_resource_give(w->from, &w->held[i], NULL, NULL) != ND_OK;
  w->held[i].host = NULL;
}

static void take(worker *w, int i) {
  const nd_request request = {.bytes = 1 + next_random(&w->state) % MOST,
                              .zeroed = next_random(&w->state) % 2};
  if (nd_resource_take(w->from, &request, &w->held[i], NULL) != ND_OK) return;
  if (request.zeroed) w->wrong += count_others(&w->held[i], 0);
  memset(w->held[i].host, w->mark + i, request.bytes);
}

static void *work(void *arg) {
  worker *w = arg;
  size_t freed;
  for (int n = 0; n < w->operations; n++) {
    const int i = (int)(next_random(&w->state) % HELD);
    if (w->held[i].host) give(w, i);
    else take(w, i);
    if (n % 1000 == 0) nd_caches_trim(0, CAP / 2);
    if (n % 1500 == 0) nd_resource_trim(w->from, 0, &freed, NULL);
  }
  for (int i = 0; i < HELD; i++)
    if (w->held[i].host) give(w, i);
  return NULL;
}

static void spec_threads(void) {
  static worker workers[THREADS];
  pthread_t threads[THREADS];
  nd_resource *budget = NULL, *pool = NULL;
  nd_mem_stats stats;
  size_t freed;
  group("8 threads take from a pool, give back, and trim");
  CHECK(nd_budget_make(nd_host_resource(), LIMIT, "test", &budget, NULL) == ND_OK &&
            nd_pool_make(budget, CAP, &pool, NULL) == ND_OK,
        "make");
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (worker){.from = pool,
                          .state = (uint64_t)i + 1,
                          .operations = (int)scaled(OPERATIONS),
                          .mark = (unsigned char)(1 + i * HELD)};
    pthread_create(&threads[i], NULL, work, &workers[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++) CHECK(workers[i].wrong == 0, "thread %d", i);
  nd_resource_get_stats(pool, &stats);
  CHECK(stats.live.now == 0 && stats.live_count.now == 0, "live");
  CHECK(stats.live.peak <= LIMIT, "a peak of %zu", (size_t)stats.live.peak);
  CHECK(stats.cached.peak <= CAP, "kept at most %zu", (size_t)stats.cached.peak);
  CHECK(nd_resource_trim(pool, 0, &freed, NULL) == ND_OK, "trim");
  nd_resource_get_stats(budget, &stats);
  CHECK(stats.live.now == 0 && stats.remaining == LIMIT, "the budget");
  nd_resource_drop(pool), nd_resource_drop(budget);
}

/* {=== the list of caches ===} */

enum { MANY = 1500, BLOCK = 512 };

/* A new pool that keeps a block. Any thread calls it. */
static nd_resource *make_keeping(void) {
  const nd_request request = {.bytes = BLOCK};
  nd_resource *pool = NULL;
  nd_block block;
  if (nd_pool_make(nd_host_resource(), UINT64_MAX, &pool, NULL) != ND_OK ||
      nd_resource_take(pool, &request, &block, NULL) != ND_OK ||
      nd_resource_give(pool, &block, NULL, NULL) != ND_OK)
    abort();
  return pool;
}

static uint64_t kept_blocks(void) {
  uint64_t bytes, blocks;
  nd_caches_kept(0, ND_MEM_HOST, &bytes, &blocks);
  return blocks;
}

static void spec_many(void) {
  group("any number of pools is known, and trimmed");
  static nd_resource *pools[MANY];
  for (int i = 0; i < MANY; i++) pools[i] = make_keeping();
  CHECK(kept_blocks() == MANY, "%d", (int)kept_blocks());
  for (int i = 1; i < MANY; i += 3) nd_resource_drop(pools[i]), pools[i] = NULL;
  CHECK(kept_blocks() == MANY - MANY / 3, "%d after drops", (int)kept_blocks());
  ndi_cache_register(pools[0]); /* idempotent: it stays the first */
  CHECK(nd_caches_trim(0, 0) >= (size_t)(MANY - MANY / 3) * BLOCK && kept_blocks() == 0, "trim");
  for (int i = 0; i < MANY; i++) nd_resource_drop(pools[i]);
}

static void *make_and_drop(void *unused) {
  nd_resource *held[8] = {NULL};
  for (size_t i = 0; i < scaled(4000); i++) {
    nd_resource_drop(held[i % 8]);
    held[i % 8] = make_keeping();
  }
  for (int i = 0; i < 8; i++) nd_resource_drop(held[i]);
  return unused;
}

static void spec_walks(void) {
  group("pools are made and dropped while others walk through all of them");
  pthread_t threads[4];
  nd_resource *first = make_keeping();
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, make_and_drop, NULL);
  for (int i = 0; i < 300; i++) {
    nd_caches_trim(0, 0);
    ndi_caches_wait(0);
  }
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  nd_resource_drop(first);
  first = make_keeping();
  CHECK(kept_blocks() == 1, "%d", (int)kept_blocks());
  nd_resource_drop(first);
  CHECK(kept_blocks() == 0, "all are gone");
}

int main(void) {
  spec_threads();
  spec_many();
  spec_walks();
  return finish();
}
