/* Budgets under threads: what is held beneath never exceeds the limit, by a counter of its own. */
#include <pthread.h>

#include "check.h"
#include "mem/adapt/adapt.h"
#include "mem/ticket.h"

enum { THREADS = 8, OPERATIONS = 100000, HELD = 16, LIMIT = 100000 };

/* A resource that counts what it gave out, grants what is not a multiple of 48 rounded up, and
 * fails now and then, at take and at give. */
static struct {
  nd_resource base;
  _Atomic uint64_t held, most, blocks;
  atomic_uint calls, until_failure; /* 0: never */
} source;

static bool fails_now(void) {
  const unsigned every = source.until_failure;
  return every && atomic_fetch_add(&source.calls, 1) % every == 0;
}

static size_t source_grants(nd_resource *self, const nd_request *request) {
  (void)self;
  return (request->bytes + 47) / 48 * 48;
}

static nd_status source_take(nd_resource *self, const nd_request *request, nd_block *out,
                             nd_error *err) {
  if (fails_now()) return nd_fail(err, ND_DRIVER, "the source failed");
  out->granted = source_grants(self, request);
  out->cookie = atomic_fetch_add(&source.blocks, 1);
  const uint64_t now = atomic_fetch_add(&source.held, out->granted) + out->granted;
  uint64_t most = source.most;
  while (most < now && !atomic_compare_exchange_weak(&source.most, &most, now)) continue;
  return ND_OK;
}

static nd_status source_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                             nd_error *err) {
  (void)self, (void)after;
  if (fails_now()) return nd_fail(err, ND_DRIVER, "the source failed");
  atomic_fetch_sub(&source.held, block->granted);
  return ND_OK;
}

static nd_resource *open_source(unsigned until_failure) {
  static const nd_resource_ops ops = {
      .name = "source", .grants = source_grants, .take = source_take, .give = source_give};
  source.base = (nd_resource){.ops = &ops, .holds = 1, .kind = ND_MEM_MANAGED, .device = 7};
  source.held = source.most = 0;
  source.calls = 0;
  source.until_failure = until_failure;
  return &source.base;
}

static nd_resource *make_budget(nd_resource *up, uint64_t limit) {
  nd_resource *out = NULL;
  CHECK(nd_budget_make(up, limit, "test", &out, NULL) == ND_OK, "make");
  return out;
}

static nd_mem_stats stats_of(nd_resource *self) {
  nd_mem_stats stats;
  nd_resource_get_stats(self, &stats);
  return stats;
}

/* {=== threads ===} */

typedef struct {
  nd_resource *from;
  uint64_t random, refused, failed;
  bool reserves, changes;
  nd_reservation *reservation;
  struct {
    nd_block block;
    bool is_live;
  } held[HELD];
} worker;

static uint64_t next(worker *w) {
  w->random ^= w->random << 13, w->random ^= w->random >> 7, w->random ^= w->random << 17;
  return w->random;
}

static void take_one(worker *w, int i) {
  nd_error err;
  const nd_promises promises = {w->reservation, NULL};
  const nd_request request = {.bytes = next(w) % (LIMIT / 4),
                              .promises = w->reservation ? &promises : NULL};
  const nd_status status = nd_resource_take(w->from, &request, &w->held[i].block, &err);
  w->held[i].is_live = status == ND_OK;
  if (status == ND_BUDGET_EXCEEDED) w->refused++;
  else if (status != ND_OK) w->failed++;
}

static void give_one(worker *w, int i) {
  while (nd_resource_give(w->from, &w->held[i].block, NULL, NULL) != ND_OK) w->failed++;
  w->held[i].is_live = false;
}

static void reserve(worker *w) {
  if (w->reservation) nd_reservation_drop(w->reservation);
  w->reservation = NULL;
  if (next(w) % 2) return;
  if (nd_budget_reserve(w->from, next(w) % (LIMIT / 6), &w->reservation, NULL) != ND_OK)
    w->reservation = NULL, w->refused++;
}

static void *work(void *argument) {
  worker *w = argument;
  const size_t count = scaled(OPERATIONS);
  for (size_t n = 0; n < count; n++) {
    const int i = (int)(next(w) % HELD);
    if (w->held[i].is_live) give_one(w, i);
    else take_one(w, i);
    if (w->reserves && next(w) % 16 == 0) reserve(w);
    if (w->changes && next(w) % 64 == 0) nd_budget_set_limit(w->from, next(w) % LIMIT + 1, NULL);
  }
  for (int i = 0; i < HELD; i++)
    if (w->held[i].is_live) give_one(w, i);
  if (w->reservation) nd_reservation_drop(w->reservation);
  return NULL;
}

static void spec_threads(const char *name, unsigned until_failure, bool reserves, bool changes) {
  static worker workers[THREADS];
  pthread_t thread[THREADS];
  const char *given = getenv("NDBUF_SEED");
  const uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
  uint64_t refused = 0, failed = 0;
  group(name);
  nd_resource *from = make_budget(open_source(until_failure), LIMIT);
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (worker){.from = from, .reserves = reserves, .changes = changes};
    workers[i].random = seed + (uint64_t)(i + 1) * 0x9e3779b97f4a7c15;
    if (pthread_create(&thread[i], NULL, work, &workers[i])) abort();
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(thread[i], NULL);
    refused += workers[i].refused, failed += workers[i].failed;
  }
  const nd_mem_stats stats = stats_of(from);
  printf("# seed %" PRIu64 ": most %" PRIu64 " of %d, %" PRIu64 " refused, %" PRIu64 " failed\n",
         seed, source.most, LIMIT, refused, failed);
  CHECK(source.most <= LIMIT, "%" PRIu64 " B were held, seed %" PRIu64, source.most, seed);
  CHECK(stats.live.peak <= LIMIT, "%" PRIu64 " B, seed %" PRIu64, stats.live.peak, seed);
  CHECK(source.held == 0 && stats.live.now == 0 && stats.live_count.now == 0, "bytes are left");
  CHECK(stats.reserved.now == 0 && stats.reserved_count.now == 0, "promises are left");
  CHECK(stats.remaining == stats.limit, "%" PRIu64 " B are left", stats.remaining);
  CHECK(refused > 0 && (failed > 0) == (until_failure > 0), "nothing was refused, or failed");
  nd_resource_drop(from);
}

/* {=== one after the other ===} */

static void spec_provisional(void) {
  group("what the source refuses was never in use");
  nd_block block;
  nd_error err;
  nd_resource *from = make_budget(open_source(1), 1000);
  CHECK(nd_resource_take(from, &(nd_request){.bytes = 480}, &block, &err) == ND_DRIVER, "take");
  const nd_mem_stats stats = stats_of(from);
  CHECK(stats.live.peak == 0 && stats.remaining == 1000, "%" PRIu64, stats.live.peak);
  nd_resource_drop(from);
}

static void spec_failed_give(void) {
  group("a block that could not be freed stays charged, and may be given again");
  nd_ticket ticket;
  nd_block block;
  nd_resource *from = make_budget(open_source(0), 1000);
  CHECK(nd_ticket_take(from, &(nd_request){.bytes = 480}, &ticket, &block, NULL) == ND_OK, "take");
  source.until_failure = 1;
  CHECK(nd_ticket_give(ticket, NULL, NULL) == ND_DRIVER, "give");
  CHECK(stats_of(from).remaining == 520 && stats_of(from).failed_gives == 1, "charged");
  source.until_failure = 0;
  CHECK(nd_ticket_give(ticket, NULL, NULL) == ND_OK, "give again");
  CHECK(nd_ticket_give(ticket, NULL, NULL) == ND_USE_AFTER_FREE, "and again");
  CHECK(stats_of(from).remaining == 1000 && stats_of(from).failed_gives == 1, "given back");
  nd_resource_drop(from);
}

static void spec_released_in_use(void) {
  group("a reservation that is released while a take draws on it leaves nothing");
  nd_block block;
  nd_reservation *r = NULL;
  nd_resource *from = make_budget(open_source(0), 960);
  CHECK(nd_budget_reserve(from, 500, &r, NULL) == ND_OK, "reserve");
  const nd_promises promises = {r, NULL};
  const nd_request request = {.bytes = 480, .promises = &promises};
  CHECK(nd_resource_take(from, &request, &block, NULL) == ND_OK, "take");
  CHECK(nd_reservation_remaining(r) == 20, "%" PRIu64, nd_reservation_remaining(r));
  nd_reservation_release(r);
  CHECK(stats_of(from).remaining == 480, "%" PRIu64, stats_of(from).remaining);
  CHECK(nd_resource_give(from, &block, NULL, NULL) == ND_OK, "give");
  CHECK(nd_resource_take(from, &request, &block, NULL) == ND_OK, "it draws on the budget");
  CHECK(stats_of(from).remaining == 480, "%" PRIu64, stats_of(from).remaining);
  CHECK(nd_resource_give(from, &block, NULL, NULL) == ND_OK, "give");
  nd_resource_drop(from); /* the reservation has a reference */
  nd_reservation_drop(r);
}

int main(void) {
  spec_provisional();
  spec_failed_give();
  spec_released_in_use();
  spec_threads("8 threads take and give", 0, false, false);
  spec_threads("8 threads, and the source fails", 7, false, false);
  spec_threads("8 threads that reserve", 0, true, false);
  spec_threads("8 threads that reserve, and the source fails", 5, true, false);
  spec_threads("8 threads while the limit changes", 0, true, true);
  return finish();
}
