/* The slot table behind tickets, the pending list and the failure ladder. */
#include "mem/ticket.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/lock.h"

/* Lives in a chunked table that never moves or shrinks. The generation is odd while live and only
 * ever grows. */
typedef struct nd_slot {
  _Atomic uint64_t generation;
  struct nd_slot *next; /* pending list or free list: a give never needs memory */
  uint32_t index;
  nd_resource *from;
  nd_block block;
  nd_uses after;
  _Atomic uint64_t *epoch; /* of the storage that the block serves, or NULL */
  _Atomic size_t own; /* bytes of the block where they are its device's own; any thread reads */
  _Atomic uint16_t device; /* its device */
  int refusals;            /* gives of the pending block that failed */
  int64_t retry_at;        /* milliseconds of the monotonic clock */
} nd_slot;

enum { CHUNK = 1024, CHUNKS = 65536 };

static _Atomic(nd_slot *) chunks[CHUNKS];
static uint32_t chunk_count; /* guarded by NDI_LOCK_SLOTS */
static nd_slot *free_slots;  /* guarded by NDI_LOCK_SLOTS */
static _Atomic(nd_slot *) pending;
static atomic_size_t pending_bytes;
static atomic_uint_fast64_t came_back; /* pending blocks that were given back so far */
static _Thread_local const nd_hooks *hooks;
static _Thread_local nd_slot *spare; /* given last on this thread: make and drop need no lock */

const nd_hooks *nd_hooks_set(const nd_hooks *next) {
  const nd_hooks *former = hooks;
  hooks = next;
  return former;
}

nd_status nd_check_interrupt(nd_error *err) {
  if (!hooks || !hooks->is_interrupted || !hooks->is_interrupted(hooks->context)) return ND_OK;
  return nd_fail(err, ND_INTERRUPTED, "interrupted");
}

/* {=== slots ===} */

static bool add_chunk(void) {
  if (chunk_count == CHUNKS) return false;
  nd_slot *fresh = calloc(CHUNK, sizeof *fresh);
  if (!fresh) return false;
  for (uint32_t i = CHUNK; i-- > 0;) {
    fresh[i].index = chunk_count * CHUNK + i;
    fresh[i].next = free_slots;
    free_slots = &fresh[i];
  }
  atomic_store(&chunks[chunk_count++], fresh);
  return true;
}

static void share_slot(nd_slot *slot) {
  ndi_lock(NDI_LOCK_SLOTS);
  slot->next = free_slots;
  free_slots = slot;
  ndi_unlock(NDI_LOCK_SLOTS);
}

/* A thread that ends leaves its spare slot to the others. */
static pthread_key_t exit_key;
static bool has_exit_key;
static _Thread_local bool is_at_exit_set;

static void leave_spare(void *unused) {
  (void)unused;
  if (spare) share_slot(spare);
  spare = NULL;
  is_at_exit_set = false;
}

static void make_exit_key(void) { has_exit_key = pthread_key_create(&exit_key, leave_spare) == 0; }

static bool may_keep_spare(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (is_at_exit_set) return true;
  pthread_once(&once, make_exit_key);
  is_at_exit_set = has_exit_key && pthread_setspecific(exit_key, &spare) == 0;
  return is_at_exit_set;
}

static nd_slot *take_slot(void) {
  if (spare) {
    nd_slot *own = spare;
    spare = NULL;
    return own;
  }
  ndi_lock(NDI_LOCK_SLOTS);
  nd_slot *slot = free_slots || add_chunk() ? free_slots : NULL;
  if (slot) free_slots = slot->next;
  ndi_unlock(NDI_LOCK_SLOTS);
  return slot;
}

static void give_slot(nd_slot *slot) {
  if (spare || !may_keep_spare()) share_slot(slot);
  else spare = slot;
}

/* NULL: never was a slot. */
static nd_slot *find_slot(nd_ticket ticket) {
  nd_slot *chunk = ticket.slot / CHUNK < CHUNKS ? atomic_load(&chunks[ticket.slot / CHUNK]) : NULL;
  return chunk ? &chunk[ticket.slot % CHUNK] : NULL;
}

static nd_status fail_stale(nd_ticket ticket, nd_error *err) {
  return nd_fail_with(err, ND_USE_AFTER_FREE,
                      ND_NUMBERS({"slot", ticket.slot}, {"value", (int64_t)ticket.generation}),
                      "the block of this ticket was given back already");
}

bool nd_ticket_is_live(nd_ticket ticket) {
  const nd_slot *slot = find_slot(ticket);
  return slot && (ticket.generation & 1) && atomic_load(&slot->generation) == ticket.generation;
}

nd_status nd_ticket_check(nd_ticket ticket, nd_error *err) {
  if (!nd_ticket_is_live(ticket)) return fail_stale(ticket, err);
  const nd_slot *slot = find_slot(ticket);
  const nd_resource_ops *ops = slot->from->ops;
  return ops->check ? ops->check(slot->from, &slot->block, err) : ND_OK;
}

void nd_ticket_watch(nd_ticket ticket, _Atomic uint64_t *epoch) {
  nd_slot *slot = nd_ticket_is_live(ticket) ? find_slot(ticket) : NULL;
  if (slot) slot->epoch = epoch;
  if (slot && slot->from->ops->watch) slot->from->ops->watch(slot->from, &slot->block, epoch);
}

nd_resource *nd_ticket_from(nd_ticket ticket) {
  return nd_ticket_is_live(ticket) ? find_slot(ticket)->from : NULL;
}

nd_status nd_ticket_swap(nd_ticket ticket, nd_resource **from, nd_error *err) {
  if (!nd_ticket_is_live(ticket)) return fail_stale(ticket, err);
  nd_slot *slot = find_slot(ticket);
  nd_resource *former = slot->from;
  slot->from = *from;
  *from = former;
  return ND_OK;
}

/* Bytes of the block in 'slot', 0 unless it is a live one of the device's own; others may take and
 * give it meanwhile. */
static size_t bytes_on(const nd_slot *slot, uint16_t device) {
  const uint64_t generation = atomic_load(&slot->generation);
  const size_t bytes = atomic_load(&slot->device) == device ? atomic_load(&slot->own) : 0;
  return (generation & 1) && atomic_load(&slot->generation) == generation ? bytes : 0;
}

int nd_ticket_largest(uint16_t device, int count, size_t *bytes) {
  int found = 0;
  for (int c = 0; c < CHUNKS && atomic_load(&chunks[c]); c++)
    for (int i = 0; i < CHUNK; i++) {
      const size_t own = bytes_on(&atomic_load(&chunks[c])[i], device);
      int at = found;
      for (; at > 0 && bytes[at - 1] < own; at--)
        if (at < count) bytes[at] = bytes[at - 1];
      if (own == 0 || at >= count) continue;
      bytes[at] = own;
      if (found < count) found++;
    }
  return found;
}

void nd_ticket_lose_all(const nd_resource *from) {
  for (int c = 0; c < CHUNKS && atomic_load(&chunks[c]); c++)
    for (int i = 0; i < CHUNK; i++) {
      const nd_slot *slot = &atomic_load(&chunks[c])[i];
      if ((atomic_load(&slot->generation) & 1) && slot->from == from && slot->epoch)
        atomic_fetch_add(slot->epoch, 1);
    }
}

/* {=== take ===} */

enum { STEPS = 4, REPEATS = 32 };

static bool worth_another_try(nd_status status) {
  return status == ND_OUT_OF_MEMORY || status == ND_BUDGET_EXCEEDED;
}

static void reap_for(nd_resource *from, nd_reap_mode mode) {
  size_t freed;
  nd_reap(mode);
  nd_resource_reap(from, mode, &freed, NULL);
}

/* Its own cache, and all others that keep memory of the same device. */
static void trim_for(nd_resource *from) {
  size_t freed;
  nd_resource_trim(from, 0, &freed, NULL);
  nd_caches_trim(from->device, 0);
}

static void wait_for(nd_resource *from) {
  reap_for(from, ND_REAP_WAIT);
  trim_for(from);
}

static bool is_all_reaped(void);

/* After the last step: another thread may have taken what came back since 'seen', or have given
 * more meanwhile. */
static bool wait_again(nd_resource *from, uint64_t seen) {
  if (is_all_reaped() && atomic_load(&came_back) == seen) return false;
  wait_for(from);
  return atomic_load(&came_back) != seen;
}

/* The steps of the ladder; false when there is no further one. 'seen' is what had come back before
 * the try that failed. */
static bool make_room(nd_resource *from, int step, uint64_t seen) {
  switch (step) {
    case 0: reap_for(from, ND_REAP_DONE); return true;
    case 1: trim_for(from); return true;
    case 2:
      if (hooks && hooks->collect && hooks->collect(hooks->context)) hooks->collect(hooks->context);
      reap_for(from, ND_REAP_DONE);
      return true;
    case 3: wait_for(from); return true;
    default: return step < STEPS + REPEATS && wait_again(from, seen);
  }
}

static nd_status climb(nd_resource *from, const nd_request *request, nd_block *out, nd_error *err) {
  for (int step = 0;; step++) {
    const uint64_t seen = atomic_load(&came_back);
    const nd_status status = nd_resource_take(from, request, out, err);
    if (!worth_another_try(status) || !make_room(from, step, seen)) return status;
  }
}

nd_status nd_ticket_take(nd_resource *from, const nd_request *request, nd_ticket *out,
                         nd_block *block, nd_error *err) {
  if (nd_has_pending()) nd_reap(ND_REAP_POLL);
  if (hooks && hooks->before_take) hooks->before_take(hooks->context, from, request->bytes);
  nd_slot *slot = take_slot();
  if (!slot) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a ticket");
  const nd_status status = climb(from, request, &slot->block, err);
  if (status != ND_OK) {
    atomic_fetch_add(&from->failed_takes, 1);
    give_slot(slot);
    return status;
  }
  slot->from = from;
  slot->refusals = 0;
  const size_t own = slot->block.kind == ND_MEM_FOREIGN ? 0 : slot->block.granted;
  atomic_store_explicit(&slot->device, slot->block.device, memory_order_relaxed);
  atomic_store_explicit(&slot->own, own, memory_order_relaxed);
  out->slot = slot->index;
  out->generation = atomic_fetch_add(&slot->generation, 1) + 1;
  *block = slot->block;
  return ND_OK;
}

/* {=== give ===} */

static void push_pending(nd_slot *slot) {
  nd_slot *head = atomic_load(&pending);
  do slot->next = head;
  while (!atomic_compare_exchange_weak(&pending, &head, slot));
}

/* Of the resource and all below it; they still have the block among what was taken. */
static void charge_pending(const nd_slot *slot, bool is_pending) {
  const size_t bytes = is_pending ? slot->block.granted : 0 - slot->block.granted;
  const size_t one = is_pending ? 1 : (size_t)-1;
  atomic_fetch_add(&pending_bytes, bytes);
  for (nd_resource *r = slot->from; r; r = r->up) {
    atomic_fetch_add(&r->pending, bytes);
    atomic_fetch_add(&r->pending_count, one);
  }
}

static int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Ordinary calls try it again after 10 ms, 20 ms and so on up to 10 s. */
static void put_off(nd_slot *slot) {
  if (slot->refusals == 0) atomic_fetch_add(&slot->from->failed_gives, 1);
  const int doublings = slot->refusals < 10 ? slot->refusals++ : 10;
  slot->retry_at = now_ms() + ((int64_t)10 << doublings);
}

static bool is_put_off(const nd_slot *slot, nd_reap_mode mode) {
  return slot->refusals > 0 && mode == ND_REAP_POLL && now_ms() < slot->retry_at;
}

static bool is_free_to_give(nd_slot *slot) {
  return slot->from->ops->is_ordered || ndi_uses_is_done(&slot->after, true);
}

static bool may_give_now(nd_slot *slot) {
  const bool is_deferred = slot->from->ops->is_deferred && slot->block.ptr;
  return !is_deferred && is_free_to_give(slot);
}

/* The resource may end with the block. */
static nd_status give_now(nd_slot *slot, nd_ticket ticket, nd_error *err) {
  nd_resource *from = slot->from;
  const nd_block block = slot->block;
  const nd_status status = nd_resource_give(from, &block, &slot->after, err);
  if (status == ND_OK) {
    give_slot(slot);
    return ND_OK;
  }
  atomic_fetch_add(&from->failed_gives, 1);
  atomic_store(&slot->generation, ticket.generation); /* stays live and charged */
  return status;
}

nd_status nd_ticket_give(nd_ticket ticket, const nd_uses *after, nd_error *err) {
  nd_slot *slot = find_slot(ticket);
  uint64_t expected = ticket.generation;
  if (!slot || !(expected & 1) ||
      !atomic_compare_exchange_strong(&slot->generation, &expected, expected + 1))
    return fail_stale(ticket, err);
  slot->after = after ? *after : (nd_uses){0};
  if (may_give_now(slot)) return give_now(slot, ticket, err);
  charge_pending(slot, true);
  push_pending(slot);
  return ND_OK;
}

/* {=== reap ===} */

size_t nd_pending_bytes(void) { return atomic_load(&pending_bytes); }

bool nd_has_pending(void) { return atomic_load_explicit(&pending, memory_order_relaxed) != NULL; }

/* What one pass over the pending list knows. */
typedef struct {
  nd_reap_mode mode;
  nd_point stuck;          /* was found not to be done: nobody is asked for what is behind it */
  const nd_resource *busy; /* was found not to be idle */
  nd_slot *held;           /* done, and freed at once when they are many */
  size_t held_bytes, held_count, freed;
} pass;

/* So much is freed at once, though the driver may wait for a device that works. */
enum { HELD_BLOCKS = 64, HELD_BYTES = 64 << 20 };

static bool is_stuck(const nd_uses *uses, nd_point stuck) {
  for (int i = 0; i < uses->count; i++)
    if (uses->use[i].at.queue == stuck.queue && uses->use[i].at.seq >= stuck.seq) return true;
  return false;
}

static bool is_done(pass *p, nd_slot *slot) {
  if (slot->from->ops->is_ordered) return true;
  if (p->mode == ND_REAP_WAIT) ndi_uses_wait(&slot->after, true, NULL);
  else if (p->stuck.seq && is_stuck(&slot->after, p->stuck)) return false;
  if (ndi_uses_is_done(&slot->after, true)) return true;
  p->stuck = slot->after.use[0].at;
  return false;
}

static bool is_idle(pass *p, const nd_slot *slot) {
  nd_resource *from = slot->from;
  if (p->mode != ND_REAP_POLL || !from->ops->is_idle) return true;
  if (p->busy != from && !from->ops->is_idle(from)) p->busy = from;
  return p->busy != from;
}

/* Uncharged first, as the resource may end with its last block. */
static void give_pending(pass *p, nd_slot *slot) {
  const nd_block block = slot->block;
  charge_pending(slot, false);
  if (nd_resource_give(slot->from, &block, &slot->after, NULL) == ND_OK) {
    p->freed += block.granted;
    give_slot(slot);
    atomic_fetch_add(&came_back, 1);
    return;
  }
  charge_pending(slot, true);
  put_off(slot);
  push_pending(slot);
}

static void hold_back(pass *p, nd_slot *slot) {
  slot->next = p->held;
  p->held = slot;
  p->held_count++;
  p->held_bytes += slot->block.granted;
}

static void end_pass(pass *p) {
  const bool are_many = p->held_count >= HELD_BLOCKS || p->held_bytes >= HELD_BYTES;
  nd_slot *next;
  for (nd_slot *slot = p->held; slot; slot = next) {
    next = slot->next;
    if (are_many) give_pending(p, slot);
    else push_pending(slot);
  }
}

/* The oldest first: where one is not done, most that follow are behind it. */
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
    if (is_put_off(slot, mode) || !is_done(&p, slot)) push_pending(slot);
    else if (is_idle(&p, slot)) give_pending(&p, slot);
    else hold_back(&p, slot);
  }
  end_pass(&p);
  return p.freed;
}

/* A pass has what was pending to itself, so a reap that waits lets those that run come to their
 * end, then runs alone. The count is changed with NDI_LOCK_REAPS held, which no pass holds. */
static int running, waiting;
static bool is_exclusive;
static unsigned counted_in; /* the number of ndi_forks(): a child lacks the threads that ran */
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static _Thread_local bool is_reaping; /* what a release callback asks for meanwhile does not wait */

static void look_for_fork(void) {
  if (counted_in == ndi_forks()) return;
  counted_in = ndi_forks();
  running = waiting = 0;
  is_exclusive = false;
  pthread_cond_init(&ended, NULL);
}

/* False: somebody waits for everything, and frees what is done on the way. */
static bool begin_reap(nd_reap_mode mode) {
  ndi_lock(NDI_LOCK_REAPS);
  look_for_fork();
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
  look_for_fork();
  if (running > 0) running--;
  if (mode == ND_REAP_WAIT) is_exclusive = false;
  pthread_cond_broadcast(&ended);
  ndi_unlock(NDI_LOCK_REAPS);
}

static bool is_all_reaped(void) {
  ndi_lock(NDI_LOCK_REAPS);
  look_for_fork();
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
