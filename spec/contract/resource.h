/* The contract of resources: one suite of checks that every implementation runs. A resource_case
 * says how to make one, and which parts of the contract apply to it. */
#ifndef ND_SPEC_CONTRACT_RESOURCE_H
#define ND_SPEC_CONTRACT_RESOURCE_H

#include <stdlib.h>
#include <string.h>

#include "../core/check.h"
#include "mem/host.h"
#include "mem/reap.h"
#include "mem/storage.h"

typedef struct {
  const char *name;
  /* Returns one reference to a resource from which a block of 'bytes' can be taken. */
  nd_resource *(*make)(size_t bytes);
  size_t align;           /* to which every block is aligned */
  size_t most_align;      /* the largest that may be requested; 0: any */
  bool is_once;           /* has one block at a time, or ever */
  bool is_writable;       /* the CPU may write to it */
  bool is_hidden;         /* the CPU has no access */
  bool is_deferred;       /* as in nd_resource_ops */
  bool is_ordered;        /* as in nd_resource_ops: its blocks are never pending */
  bool is_shared;         /* 'make' returns the same one each time: counters do not start at 0 */
  int closed;             /* by how much 'closes' grows for each resource made */
  bool is_closed_on_give; /* it grows when the block is given back, not with the last reference */
} resource_case;

static const resource_case *under_test;
static int closes; /* counts closed or released resources, where the spec can observe that */

static inline void resource_group(const char *what) {
  static char text[2][128]; /* the last group's name is printed when the next one begins */
  static int turn;
  turn ^= 1;
  snprintf(text[turn], sizeof text[turn], "%s: %s", under_test->name, what);
  group(text[turn]);
}

static inline nd_mem_stats stats_of(nd_resource *self) {
  nd_mem_stats stats;
  nd_resource_get_stats(self, &stats);
  return stats;
}

static inline nd_status take(nd_resource *from, size_t bytes, nd_ticket *ticket, nd_block *block) {
  const nd_request request = {.bytes = bytes};
  return nd_ticket_take(from, &request, ticket, block, NULL);
}

/* The record of one write at 'point'; NULL for none. nd_ticket_give frees it. */
static inline nd_uses *uses_of(nd_point point) {
  const nd_use use = {.at = point, .lo = 0, .hi = SIZE_MAX, .is_write = true};
  nd_uses *uses = point.seq ? calloc(1, sizeof *uses) : NULL;
  if (point.seq && (!uses || !ndi_uses_add(uses, &use))) abort();
  return uses;
}

/* Give a block that work up to 'ready' uses. A block whose give is deferred is reaped at once. */
static inline nd_status give_after(nd_ticket ticket, nd_point ready) {
  const nd_status status = nd_ticket_give(ticket, uses_of(ready), NULL);
  if (under_test->is_deferred) nd_reap(ND_REAP_WAIT);
  return status;
}

static inline nd_status give(nd_ticket ticket) { return give_after(ticket, (nd_point){0}); }

/* {=== one block ===} */

static inline void check_block(const nd_resource *self, const nd_block *block, size_t bytes) {
  CHECK(block->bytes == bytes && block->granted >= bytes, "%zu of %zu", block->granted, bytes);
  CHECK((block->ptr != NULL) == (block->granted > 0), "%zu B at %p", bytes, block->ptr);
  CHECK((uintptr_t)block->ptr % under_test->align == 0, "at %p", block->ptr);
  CHECK(block->kind == self->kind && block->device == self->device, "kind %d", block->kind);
  if (block->host && under_test->is_writable) memset(block->host, 0xab, bytes);
}

static inline void spec_take_give(void) {
  resource_group("takes and gives, counted exactly");
  static const size_t sizes[] = {0, 1, 63, 64, 65, 4095, 4096, 4097, 1 << 20, (2 << 20) + 1};
  for (size_t i = 0; i < ND_COUNTOF(sizes); i++) {
    nd_resource *self = under_test->make(sizes[i]);
    const nd_mem_stats before = stats_of(self);
    nd_ticket ticket;
    nd_block block;
    CHECK(take(self, sizes[i], &ticket, &block) == ND_OK, "%zu B", sizes[i]);
    check_block(self, &block, sizes[i]);
    const nd_mem_stats live = stats_of(self);
    CHECK(live.live.now == before.live.now + block.granted, "live bytes of %zu", sizes[i]);
    CHECK(live.live.total == before.live.total + block.granted, "total of %zu", sizes[i]);
    CHECK(live.live_count.now == before.live_count.now + 1, "live blocks");
    CHECK(live.live.peak >= live.live.now && live.live_count.peak >= 1, "peaks");
    CHECK(nd_ticket_is_live(ticket) && nd_ticket_check(ticket, NULL) == ND_OK, "ticket");
    CHECK(give(ticket) == ND_OK, "give");
    const nd_mem_stats after = stats_of(self);
    CHECK(after.live.now == before.live.now && after.live_count.now == before.live_count.now,
          "%" PRIu64 " B left", after.live.now - before.live.now);
    CHECK(after.live.total == live.live.total, "total stays");
    CHECK(after.failed_takes == before.failed_takes && after.failed_gives == before.failed_gives,
          "nothing failed");
    nd_resource_drop(self);
  }
}

static inline void spec_stale_tickets(void) {
  resource_group("a ticket is good for one give, also when its slot serves another block");
  nd_resource *self = under_test->make(64);
  nd_ticket ticket, next;
  nd_block block;
  nd_error err;
  CHECK(take(self, 64, &ticket, &block) == ND_OK && give(ticket) == ND_OK, "once");
  CHECK(nd_ticket_give(ticket, NULL, &err) == ND_USE_AFTER_FREE && err.message[0], "twice");
  CHECK(!nd_ticket_is_live(ticket) && nd_ticket_check(ticket, NULL) == ND_USE_AFTER_FREE, "stale");
  CHECK(take(nd_host_resource(), 64, &next, &block) == ND_OK && next.slot == ticket.slot, "reused");
  CHECK(next.generation > ticket.generation, "generations grow");
  CHECK(give(ticket) == ND_USE_AFTER_FREE && nd_ticket_is_live(next), "the new one is safe");
  nd_ticket_watch(ticket, NULL);
  CHECK(give(next) == ND_OK, "its own");
  CHECK(give((nd_ticket){.slot = ticket.slot, .generation = 0}) == ND_USE_AFTER_FREE, "none");
  CHECK(give((nd_ticket){.slot = UINT32_MAX, .generation = 1}) == ND_USE_AFTER_FREE, "no slot");
  CHECK(give((nd_ticket){.slot = ticket.slot, .generation = next.generation + 1}) ==
            ND_USE_AFTER_FREE,
        "even");
  CHECK(give((nd_ticket){.slot = ticket.slot, .generation = next.generation + 2}) ==
            ND_USE_AFTER_FREE,
        "of the future");
  nd_resource_drop(self);
}

static inline void spec_close_order(void) {
  resource_group("the resource may be dropped before its last block");
  const int before = closes;
  nd_resource *self = under_test->make(64);
  nd_ticket ticket;
  nd_block block;
  CHECK(take(self, 64, &ticket, &block) == ND_OK, "take");
  nd_resource_drop(self);
  CHECK(closes == before, "closed with a live block");
  if (block.host && under_test->is_writable) memset(block.host, 1, 64);
  CHECK(give(ticket) == ND_OK && closes == before + under_test->closed, "closed %d times",
        closes - before);
}

static inline void spec_too_much(void) {
  resource_group("what cannot be had is refused, and counted");
  nd_resource *self = under_test->make(64);
  const nd_mem_stats before = stats_of(self);
  const size_t sizes[] = {(size_t)PTRDIFF_MAX - 4096, SIZE_MAX - 63, SIZE_MAX};
  nd_ticket ticket;
  nd_block block;
  CHECK(take(nd_host_resource(), 1, &ticket, &block) == ND_OK && give(ticket) == ND_OK, "a slot");
  const uint32_t slot = ticket.slot;
  for (int i = 0; i < 3; i++) {
    const nd_status status = take(self, sizes[i], &ticket, &block);
    CHECK(status == ND_OUT_OF_MEMORY || status == ND_OUT_OF_BOUNDS || status == ND_OVERFLOW ||
              status == ND_IO,
          "%s", nd_status_name(status));
  }
  const nd_mem_stats after = stats_of(self);
  CHECK(after.live.now == before.live.now && after.live_count.now == before.live_count.now, "live");
  CHECK(after.failed_takes > before.failed_takes, "failed takes");
  CHECK(take(self, 64, &ticket, &block) == ND_OK && give(ticket) == ND_OK, "still good");
  CHECK(ticket.slot == slot, "the refused ones keep slots");
  nd_resource_drop(self);
}

/* {=== many blocks ===} */

enum { BLOCKS = 50 };

static inline void spec_any_order(void) {
  resource_group("blocks go back in any order and do not overlap");
  uint64_t state = 7;
  nd_resource *self = under_test->make(64);
  const nd_mem_stats before = stats_of(self);
  nd_ticket ticket[BLOCKS];
  nd_block block[BLOCKS];
  for (int i = 0; i < BLOCKS; i++) {
    CHECK(take(self, (size_t)i * 7, &ticket[i], &block[i]) == ND_OK, "block %d", i);
    if (block[i].host) memset(block[i].host, i, block[i].bytes);
  }
  CHECK(stats_of(self).live_count.now == before.live_count.now + BLOCKS, "count");
  for (int left = BLOCKS; left > 0; left--) {
    const int at = (int)(next_random(&state) % (uint64_t)left);
    const unsigned char *bytes = block[at].host;
    bool is_intact = true;
    for (size_t k = 0; bytes && k < block[at].bytes; k++)
      is_intact &= bytes[k] == block[at].bytes / 7;
    CHECK(is_intact, "block of %zu B was written over", block[at].bytes);
    CHECK(give(ticket[at]) == ND_OK, "give");
    ticket[at] = ticket[left - 1], block[at] = block[left - 1];
  }
  CHECK(stats_of(self).live.now == before.live.now, "live bytes");
  nd_resource_drop(self);
}

static inline void spec_alignment(void) {
  resource_group("alignment and zeros on request");
  nd_resource *self = under_test->make(64);
  const size_t most = under_test->most_align ? under_test->most_align : 1 << 16;
  for (size_t align = 1; align <= most; align *= 2)
    for (size_t bytes = 1; bytes < 8 << 20; bytes = bytes * 16 + 1) {
      const nd_request request = {.bytes = bytes, .align = align, .zeroed = true};
      nd_ticket ticket;
      nd_block block;
      CHECK(nd_ticket_take(self, &request, &ticket, &block, NULL) == ND_OK, "%zu by %zu", bytes,
            align);
      CHECK((uintptr_t)block.ptr % align == 0, "%zu B at %p", bytes, block.ptr);
      CHECK(block.zeroed, "not said to be zeroed");
      size_t k = 0;
      CHECK(!block.host == under_test->is_hidden, "at %p", block.host);
      while (block.host && k < bytes && ((const char *)block.host)[k] == 0) k++;
      CHECK(k == bytes || !block.host, "byte %zu of %zu", k, bytes);
      if (block.host)
        memset(block.host, 0xff, bytes); /* so that the next is not zeroed by chance */
      CHECK(give_after(ticket, block.ready) == ND_OK, "give");
    }
  nd_resource_drop(self);
}

static inline void spec_once(void) {
  resource_group("a second block is refused while the first one lives");
  nd_resource *self = under_test->make(64);
  nd_ticket ticket, other;
  nd_block block;
  CHECK(take(self, 64, &ticket, &block) == ND_OK, "first");
  CHECK(take(self, 64, &other, &block) == ND_CAPACITY, "second");
  CHECK(stats_of(self).live_count.now == 1, "count");
  CHECK(give(ticket) == ND_OK, "give");
  nd_resource_drop(self);
}

/* {=== work in flight ===} */

/* A fake queue: the points up to 'reached' are done. */
static struct {
  uint32_t queue;
  uint64_t reached;
  int waits;
} line;

static inline bool line_is_done(void *context, nd_point point) {
  (void)context;
  return line.reached >= point.seq;
}

static inline nd_status line_wait(void *context, nd_point point, nd_error *err) {
  (void)context, (void)err;
  line.waits++;
  if (line.reached < point.seq) line.reached = point.seq;
  return ND_OK;
}

static inline void open_line(void) {
  static const nd_fence_ops ops = {.is_done = line_is_done, .wait = line_wait};
  if (!line.queue && nd_queue_open(&ops, NULL, &line.queue, NULL)) abort();
  line.reached = 0, line.waits = 0;
}

static inline nd_uses *uses_at(uint64_t seq) { return uses_of((nd_point){line.queue, seq}); }

static inline void spec_pending(void) {
  resource_group("a block in use is pending: no longer live, reaped when done, never waited for");
  open_line();
  nd_resource *self = under_test->make(64);
  const nd_mem_stats before = stats_of(self);
  const int closed = closes;
  nd_ticket ticket;
  nd_block block;
  CHECK(take(self, 64, &ticket, &block) == ND_OK, "take");
  CHECK(nd_ticket_give(ticket, uses_at(3), NULL) == ND_OK && line.waits == 0, "give waited");
  CHECK(nd_pending_bytes() == block.granted, "%zu B are pending", nd_pending_bytes());
  const nd_mem_stats after = stats_of(self);
  CHECK(after.live.now == before.live.now && after.live_count.now == before.live_count.now, "live");
  CHECK(after.pending.now == before.pending.now + block.granted, "pending bytes");
  CHECK(after.pending_count.now == before.pending_count.now + 1, "pending blocks");
  CHECK(nd_ticket_give(ticket, uses_at(3), NULL) == ND_USE_AFTER_FREE, "given once");
  CHECK(nd_reap(ND_REAP_POLL) == 0 && line.waits == 0, "not yet");
  line.reached = 2;
  CHECK(nd_reap(ND_REAP_POLL) == 0 && nd_pending_bytes() == block.granted, "not yet");
  nd_resource_drop(self);
  CHECK(closes == closed, "closed with a pending block");
  line.reached = 3;
  CHECK(nd_reap(ND_REAP_POLL) == block.granted && nd_pending_bytes() == 0, "reaped");
  CHECK(closes == closed + under_test->closed, "closed %d times", closes - closed);
}

static inline void spec_reap_waits(void) {
  resource_group("ND_REAP_WAIT waits for what is pending");
  open_line();
  nd_resource *self = under_test->make(0);
  nd_ticket ticket;
  nd_block block;
  CHECK(take(self, 0, &ticket, &block) == ND_OK, "take");
  CHECK(nd_ticket_give(ticket, uses_at(1), NULL) == ND_OK && line.waits == 0, "give");
  CHECK(stats_of(self).pending_count.now == 1, "one block of 0 bytes");
  nd_reap(ND_REAP_WAIT);
  CHECK(line.waits == 1 && stats_of(self).pending_count.now == 0, "%d waits", line.waits);
  nd_resource_drop(self);
}

/* {=== storages ===} */

static inline void spec_storage(void) {
  resource_group("a storage holds its resource and gives its block back once");
  for (int early = 0; early < 2; early++) {
    const int before = closes;
    nd_resource *self = under_test->make(64);
    nd_storage *storage;
    char *host;
    const nd_storage_options options = {.read_only = !under_test->is_writable, .lazy = true};
    CHECK(nd_storage_make(self, 64, options, &storage, NULL) == ND_OK, "make");
    nd_resource_drop(self);
    const nd_status expected = under_test->is_hidden ? ND_NOT_HOST_ACCESSIBLE : ND_OK;
    CHECK(nd_storage_host(storage, 0, SIZE_MAX, false, &host, NULL) == expected, "host");
    CHECK(expected != ND_OK || host, "host");
    CHECK(nd_storage_check(storage, NULL) == ND_OK, "check");
    if (early) CHECK(nd_storage_free(storage, NULL) == ND_OK, "free");
    const int now = early && under_test->is_closed_on_give ? under_test->closed : 0;
    CHECK(closes == before + now, "closed %d times while held", closes - before);
    nd_storage_drop(storage);
    CHECK(closes == before + under_test->closed, "closed %d times", closes - before);
  }
}

static inline void check_resource(const resource_case *c) {
  under_test = c;
  spec_take_give();
  spec_stale_tickets();
  spec_close_order();
  spec_too_much();
  if (c->is_once) {
    spec_once();
  } else {
    spec_any_order();
    spec_alignment();
  }
  if (!c->is_ordered) {
    spec_pending();
    spec_reap_waits();
  }
  spec_storage();
}

#endif
