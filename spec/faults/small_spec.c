/* Small storages where memory fails: each request for the piece of one, and for the ticket that a
 * fence or pinning needs. */
#include <inttypes.h>

#include "../core/check.h"
#include "../core/uses.h"
#include "mem/reap.h"
#include "mem/storage.h"
#include "memory.h"

static nd_mem_stats host_stats(void) {
  nd_mem_stats stats;
  nd_resource_get_stats(__real_nd_host_resource(), &stats);
  return stats;
}

static void check_as_before(const nd_mem_stats *before, long blocks_before, const char *what) {
  const nd_mem_stats now = host_stats();
  CHECK(now.live.now == before->live.now && now.live_count.now == before->live_count.now,
        "%s: %" PRIu64 " B are left", what, now.live.now - before->live.now);
  CHECK(blocks == blocks_before, "%s: %ld blocks are left", what, blocks - blocks_before);
  CHECK(counters_agree(), "%s: the counters are wrong", what);
}

static nd_storage *make(size_t bytes, nd_status *status) {
  nd_storage *s = NULL;
  const nd_storage_options options = {.zeroed = true, .lazy = ND_LAZY_LARGE};
  *status = nd_storage_make(nd_host_resource(), bytes, options, &s, NULL);
  return s;
}

static void refuse(place at, long n, bool once) {
  fault.at = at, fault.n = n, fault.once = once;
  fault.seen = fault.refused = 0;
}

/* {=== making one ===} */

/* The request for the piece is refused, and unless 'once' those for a record and a block as well.
 */
static void refuse_piece(place at, bool once, size_t bytes) {
  const nd_mem_stats before = host_stats();
  const long blocks_before = blocks;
  nd_status status;
  ndi_small_trim();
  refuse(at, 1, once);
  nd_storage *s = make(bytes, &status);
  CHECK(fault.refused > 0, "nothing was refused");
  refuse(IN_NOTHING, 0, false);
  if (once) {
    CHECK(status == ND_OK && !s->is_small && (uintptr_t)s->host % 64 == 0, "%zu B", bytes);
    for (size_t i = 0; i < bytes; i++) CHECK(s->host[i] == 0, "byte %zu of %zu", i, bytes);
  } else CHECK(status == ND_OUT_OF_MEMORY && !s, "%zu B: status %d", bytes, (int)status);
  nd_storage_drop(s);
  check_as_before(&before, blocks_before, "make");
  CHECK((s = make(bytes, &status)) && s->is_small, "%zu B: the next one", bytes);
  nd_storage_drop(s);
  ndi_small_trim();
  check_as_before(&before, blocks_before, "the next one");
}

static void spec_make(void) {
  group("the piece of a storage is refused: a block takes its place, or there is an error");
  nd_status status;
  nd_storage_drop(make(NDI_SMALL_MOST + 1, &status)); /* its ticket is kept */
  for (size_t bytes = 1; bytes <= NDI_SMALL_MOST; bytes += 93)
    for (int once = 0; once < 2; once++) {
      refuse_piece(IN_C, once, bytes);
      refuse_piece(IN_RESOURCE, once, bytes);
    }
}

/* {=== a ticket for one ===} */

static uint64_t reached;

static bool point_is_done(void *unused, nd_point point) {
  return (void)unused, point.seq <= reached;
}

static nd_status point_wait(void *unused, nd_point point, nd_error *err) {
  (void)unused, (void)err;
  if (point.seq > reached) reached = point.seq;
  return ND_OK;
}

static const nd_fence_ops fence = {.is_done = point_is_done, .wait = point_wait};

/* Storages with work in flight until there is no memory for another ticket. */
enum { MOST = 4096 }; /* tickets are made 1024 at a time */
static nd_storage *busy[MOST];

static int use_up_tickets(uint32_t queue) {
  nd_status status;
  for (int i = 0; i < MOST; i++) {
    busy[i] = make(32, &status);
    refuse(IN_C, 2, false); /* the first is its record of uses */
    const nd_status used = note_use(busy[i], (nd_point){queue, 1}, true);
    const bool is_refused = fault.refused > 0;
    refuse(IN_NOTHING, 0, false);
    CHECK(used == ND_OK, "use %d", i);
    if (is_refused) return i + 1;
    CHECK(reached == 0 && !nd_storage_is_idle(busy[i]), "%d of them are busy", i);
  }
  CHECK(false, "no ticket was refused");
  return MOST;
}

static void spec_record(void) {
  group("without memory for a record of uses, work is waited for");
  uint32_t queue;
  nd_status status;
  CHECK(nd_queue_open(&fence, NULL, &queue, NULL) == ND_OK, "open");
  nd_storage *s = make(32, &status);
  refuse(IN_C, 1, false);
  CHECK(note_use(s, (nd_point){queue, 1}, true) == ND_OK, "use");
  CHECK(fault.refused > 0, "%ld refused", fault.refused);
  refuse(IN_NOTHING, 0, false);
  CHECK(reached == 1 && nd_storage_is_idle(s), "the work was waited for");
  reached = 0;
  nd_storage_drop(s);
  ndi_small_trim();
}

static void spec_ticket(void) {
  group("without memory for a ticket, work is waited for, and pinning fails");
  const nd_mem_stats before = host_stats();
  const long blocks_before = blocks;
  uint32_t queue;
  CHECK(nd_queue_open(&fence, NULL, &queue, NULL) == ND_OK, "open");
  const int count = use_up_tickets(queue);
  nd_storage *last = busy[count - 1];
  CHECK(reached == 1 && nd_storage_is_idle(last), "the work was waited for");
  refuse(IN_C, 1, false);
  CHECK(nd_storage_pin(last, nd_host_resource(), NULL) == ND_OUT_OF_MEMORY, "pin");
  refuse(IN_NOTHING, 0, false);
  CHECK(nd_storage_get_state(last) == ND_STORAGE_LIVE && !last->is_pinned, "as before");
  CHECK(note_use(last, (nd_point){queue, 2}, true) == ND_OK && reached == 1, "again");
  CHECK(!nd_storage_is_idle(last), "there is memory now");
  for (int i = 0; i < count; i++) nd_storage_drop(busy[i]);
  reached = 2;
  nd_reap(ND_REAP_POLL);
  ndi_small_trim();
  const nd_mem_stats now = host_stats();
  CHECK(now.live.now == before.live.now && now.live_count.now == before.live_count.now, "left");
  CHECK(blocks == blocks_before + 1, "%ld blocks are left, not one of tickets",
        blocks - blocks_before);
  CHECK(nd_pending_bytes() == 0 && counters_agree(), "%" PRIu64 " B", nd_pending_bytes());
}

int main(void) {
  spec_make();
  spec_record();
  spec_ticket();
  return finish();
}
