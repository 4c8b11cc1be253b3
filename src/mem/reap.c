/* The pending list, and the passes over it that give blocks back.
 *
 * The list is a lock-free stack, linked through the slots themselves: a finalizer can add a block
 * without a lock or memory. Nothing pops single entries: a pass takes the whole stack by an
 * exchange (so there is no ABA problem), gives back what it can, and pushes the rest again. */
#include "mem/reap.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/lock.h"

static _Atomic(nd_slot *) pending;
static atomic_size_t pending_bytes;
static atomic_uint_fast64_t came_back; /* see ndi_pending_came_back */

/* {=== the list ===} */

static void push_pending(nd_slot *slot) {
  nd_slot *head = atomic_load(&pending);
  do slot->next = head;
  while (!atomic_compare_exchange_weak(&pending, &head, slot));
}

static void charge(ndi_counters *counters, size_t bytes, bool is_in) {
  if (is_in) ndi_counters_take(counters, bytes);
  else ndi_counters_give(counters, bytes);
}

/* Count the block as pending, or as pending no longer, in its resource and all upstreams. In the
 * counters of those it is live until it is given back; nd_resource_get_stats subtracts it. */
static void charge_pending(const nd_slot *slot, bool is_pending) {
  const size_t bytes = slot->block.granted;
  if (is_pending) atomic_fetch_add(&pending_bytes, bytes);
  else atomic_fetch_sub(&pending_bytes, bytes);
  for (nd_resource *r = slot->from; r; r = r->up) charge(&r->pending, bytes, is_pending);
}

/* No reap can free it, so it is not among 'pending_bytes'. */
void ndi_held_charge(const nd_slot *slot, bool is_held) {
  for (nd_resource *r = slot->from; r; r = r->up) {
    charge(&r->pending, slot->block.granted, is_held);
    charge(&r->held, slot->block.granted, is_held);
  }
}

size_t nd_pending_bytes(void) { return atomic_load(&pending_bytes); }

bool nd_has_pending(void) { return atomic_load_explicit(&pending, memory_order_relaxed) != NULL; }

uint64_t ndi_pending_came_back(void) { return atomic_load(&came_back); }

void ndi_pending_add(nd_slot *slot) {
  charge_pending(slot, true);
  push_pending(slot);
}

/* {=== a pass ===} */

static int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* The driver refused to free the block: POLL passes retry it after 10 ms, 20 ms and so on up to
 * about 10 s, so that a broken device does not cost every call a failing driver call. */
static void back_off(nd_slot *slot) {
  if (slot->refusals == 0) atomic_fetch_add(&slot->from->failed_gives, 1);
  const int doublings = slot->refusals < 10 ? slot->refusals++ : 10;
  slot->retry_at = now_ms() + ((int64_t)10 << doublings);
}

static bool is_backed_off(const nd_slot *slot, nd_reap_mode mode) {
  return slot->refusals > 0 && mode == ND_REAP_POLL && now_ms() < slot->retry_at;
}

/* The state of one pass over the pending list. What it learns from a driver is kept, so that the
 * next blocks need not ask again. */
typedef struct {
  nd_reap_mode mode;
  nd_point stuck;          /* was not done: nor is any later point of its queue */
  const nd_resource *busy; /* was not idle */
  nd_slot *deferred;       /* done, but the driver might wait for the device in freeing them */
  size_t deferred_bytes, deferred_count, freed;
} pass;

/* With so many deferred blocks, or bytes in them, it is worth waiting once to free them all. */
enum { DEFERRED_BLOCKS = 64, DEFERRED_BYTES = 64 << 20 };

/* Does one of the uses come at or after the point 'stuck' of its queue? */
static bool is_stuck(const nd_uses *uses, nd_point stuck) {
  for (int i = 0; uses && i < uses->count; i++)
    if (uses->use[i].at.queue == stuck.queue && uses->use[i].at.seq >= stuck.seq) return true;
  return false;
}

/* Is the work on the block done, or need it not be? ND_REAP_WAIT waits for it first; where that
 * fails, the block stays pending, and so the result of the wait is not needed. */
static bool is_done(pass *p, nd_slot *slot) {
  if (slot->from->is_ordered) return true; /* the driver orders the free after the work */
  if (p->mode == ND_REAP_WAIT) ndi_uses_wait_all(slot->after, NULL);
  else if (p->stuck.seq && is_stuck(slot->after, p->stuck)) return false;
  const nd_uses *after = slot->after;
  for (int i = 0; after && i < after->count; i++)
    if (!nd_point_is_over(after->use[i].at)) return p->stuck = after->use[i].at, false;
  return true;
}

/* Would the driver free the block without waiting, or does this mode not mind? */
static bool is_free_cheap(pass *p, const nd_slot *slot) {
  nd_resource *from = slot->from;
  if (p->mode != ND_REAP_POLL) return true;
  if (p->busy != from && !nd_resource_is_idle(from)) p->busy = from;
  return p->busy != from;
}

/* The charge is taken back first: giving back the last block may close and free the resource. */
static void give_pending(pass *p, nd_slot *slot) {
  const nd_block block = slot->block;
  charge_pending(slot, false);
  if (nd_resource_give(slot->from, &block, slot->after, NULL) == ND_OK) {
    p->freed += block.granted;
    free(slot->after);
    slot->after = NULL;
    ndi_slot_give(slot);
    atomic_fetch_add(&came_back, 1);
    return;
  }
  back_off(slot);
  ndi_pending_add(slot);
}

static void defer(pass *p, nd_slot *slot) {
  slot->next = p->deferred;
  p->deferred = slot;
  p->deferred_count++;
  p->deferred_bytes += slot->block.granted;
}

static void end_pass(pass *p) {
  const bool are_many = p->deferred_count >= DEFERRED_BLOCKS || p->deferred_bytes >= DEFERRED_BYTES;
  nd_slot *next;
  for (nd_slot *slot = p->deferred; slot; slot = next) {
    next = slot->next;
    if (are_many) give_pending(p, slot);
    else push_pending(slot);
  }
}

/* Take the whole list, reversed to have the oldest first: once a queue is found stuck at a block,
 * most of the later ones need not be asked about. */
static nd_slot *take_pending(void) {
  nd_slot *next, *oldest = NULL;
  for (nd_slot *slot = atomic_exchange(&pending, NULL); slot; slot = next) {
    next = slot->next;
    slot->next = oldest;
    oldest = slot;
  }
  return oldest;
}

static size_t run_pass(nd_reap_mode mode) {
  pass p = {.mode = mode};
  nd_slot *next;
  for (nd_slot *slot = take_pending(); slot; slot = next) {
    next = slot->next;
    if (is_backed_off(slot, mode) || !is_done(&p, slot)) push_pending(slot);
    else if (is_free_cheap(&p, slot)) give_pending(&p, slot);
    else defer(&p, slot);
  }
  end_pass(&p);
  return p.freed;
}

/* {=== passes of several threads ===} */

/* While a pass runs, the blocks that it took are on no list, and another thread would not see them.
 * A reap that promises to free everything therefore waits for the passes that run, then runs alone.
 * The variables here are guarded by NDI_LOCK_REAPS, which is not held while a pass runs. */
static int running, waiting;  /* passes; threads that wait to run alone */
static bool is_exclusive;     /* the pass that runs is alone */
static unsigned counted_fork; /* the ndi_forks() at which the above were counted */
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;

/* A release callback may call nd_reap from within a pass: that must not wait for itself. */
static _Thread_local bool is_reaping;

/* The threads whose passes ran at a fork do not exist in the child: forget them. */
static void reset_after_fork(void) {
  if (counted_fork == ndi_forks()) return;
  counted_fork = ndi_forks();
  running = waiting = 0;
  is_exclusive = false;
  pthread_cond_init(&ended, NULL);
}

/* False: another thread waits to free everything, or is doing so, and a pass of ours would only
 * compete with it. */
static bool begin_reap(nd_reap_mode mode) {
  ndi_lock(NDI_LOCK_REAPS);
  reset_after_fork();
  const bool waits = mode == ND_REAP_WAIT, is_mine = waits || !(waiting || is_exclusive);
  waiting += waits;
  while (waits && running > 0) ndi_lock_wait(NDI_LOCK_REAPS, &ended);
  waiting -= waits;
  is_exclusive |= waits;
  running += is_mine;
  ndi_unlock(NDI_LOCK_REAPS);
  return is_mine;
}

static void end_reap(nd_reap_mode mode) {
  ndi_lock(NDI_LOCK_REAPS);
  reset_after_fork();
  if (running > 0) running--; /* 0 if this pass forked within, in a callback */
  if (mode == ND_REAP_WAIT) is_exclusive = false;
  pthread_cond_broadcast(&ended);
  ndi_unlock(NDI_LOCK_REAPS);
}

bool ndi_pending_is_empty(void) {
  ndi_lock(NDI_LOCK_REAPS);
  reset_after_fork();
  const bool is_idle = running == 0;
  ndi_unlock(NDI_LOCK_REAPS);
  return is_idle && !nd_has_pending();
}

size_t nd_reap(nd_reap_mode mode) {
  if (is_reaping) return run_pass(mode);
  if (!begin_reap(mode)) return 0;
  is_reaping = true;
  const size_t freed = run_pass(mode);
  is_reaping = false;
  end_reap(mode);
  return freed;
}
