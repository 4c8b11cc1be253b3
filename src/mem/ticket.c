/* The slot table behind tickets, the pending list and the failure ladder. */
#include "mem/ticket.h"

#include <pthread.h>
#include <stdlib.h>

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
} nd_slot;

enum { CHUNK = 1024, CHUNKS = 65536 };

static _Atomic(nd_slot *) chunks[CHUNKS];
static uint32_t chunk_count; /* guarded by lock */
static nd_slot *free_slots;  /* guarded by lock */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(nd_slot *) pending;
static atomic_size_t pending_bytes, pending_on[ND_DEVICES]; /* of all, by device */
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
  pthread_mutex_lock(&lock);
  slot->next = free_slots;
  free_slots = slot;
  pthread_mutex_unlock(&lock);
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
  pthread_mutex_lock(&lock);
  nd_slot *slot = free_slots || add_chunk() ? free_slots : NULL;
  if (slot) free_slots = slot->next;
  pthread_mutex_unlock(&lock);
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
  const bool is_own = slot->block.device == device && slot->block.kind != ND_MEM_FOREIGN;
  const size_t bytes = is_own ? slot->block.granted : 0;
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

static bool worth_another_try(nd_status status) {
  return status == ND_OUT_OF_MEMORY || status == ND_BUDGET_EXCEEDED;
}

/* Step 0 to 3 of the ladder; false when there is no further step. */
static bool make_room(nd_resource *from, int step) {
  size_t freed;
  switch (step) {
    case 0:
      nd_reap(ND_REAP_POLL);
      nd_resource_reap(from, ND_REAP_POLL, &freed, NULL);
      return true;
    case 1: nd_resource_trim(from, 0, &freed, NULL); return true;
    case 2:
      if (hooks && hooks->collect && hooks->collect(hooks->context)) hooks->collect(hooks->context);
      nd_reap(ND_REAP_POLL);
      nd_resource_reap(from, ND_REAP_POLL, &freed, NULL);
      return true;
    case 3:
      nd_reap(ND_REAP_WAIT);
      nd_resource_reap(from, ND_REAP_WAIT, &freed, NULL);
      nd_resource_trim(from, 0, &freed, NULL);
      return true;
    default: return false;
  }
}

nd_status nd_ticket_take(nd_resource *from, const nd_request *request, nd_ticket *out,
                         nd_block *block, nd_error *err) {
  if (nd_has_pending()) nd_reap(ND_REAP_POLL);
  if (hooks && hooks->before_take) hooks->before_take(hooks->context, from, request->bytes);
  nd_slot *slot = take_slot();
  if (!slot) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a ticket");
  nd_status status = nd_resource_take(from, request, &slot->block, err);
  for (int step = 0; worth_another_try(status) && make_room(from, step); step++)
    status = nd_resource_take(from, request, &slot->block, err);
  if (status != ND_OK) {
    give_slot(slot);
    return status;
  }
  slot->from = from;
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

/* The slot's ticket is consumed already; the block may still have to wait. */
static nd_status give_block(nd_slot *slot, nd_error *err) {
  nd_resource *from = slot->from;
  const nd_block block = slot->block;
  ND_TRY(nd_resource_give(from, &block, &slot->after, err));
  give_slot(slot);
  return ND_OK;
}

static bool is_free_to_give(nd_slot *slot) {
  return slot->from->ops->is_ordered || ndi_uses_is_done(&slot->after, true);
}

static bool may_give_now(nd_slot *slot) {
  const bool is_deferred = slot->from->ops->is_deferred && slot->block.ptr;
  return !is_deferred && is_free_to_give(slot);
}

nd_status nd_ticket_give(nd_ticket ticket, const nd_uses *after, nd_error *err) {
  nd_slot *slot = find_slot(ticket);
  uint64_t expected = ticket.generation;
  if (!slot || !(expected & 1) ||
      !atomic_compare_exchange_strong(&slot->generation, &expected, expected + 1))
    return fail_stale(ticket, err);
  slot->after = after ? *after : (nd_uses){0};
  if (may_give_now(slot)) {
    const nd_status status = give_block(slot, err);
    if (status != ND_OK)
      atomic_store(&slot->generation, ticket.generation); /* stays live and charged */
    return status;
  }
  atomic_fetch_add(&pending_bytes, slot->block.granted);
  atomic_fetch_add(&pending_on[slot->block.device], slot->block.granted);
  push_pending(slot);
  return ND_OK;
}

size_t nd_pending_bytes(void) { return atomic_load(&pending_bytes); }
size_t nd_pending_bytes_on(uint16_t device) { return atomic_load(&pending_on[device]); }

bool nd_has_pending(void) { return atomic_load_explicit(&pending, memory_order_relaxed) != NULL; }

/* Behind the point 'stuck', which was found not to be done: nobody has to be asked. */
static bool is_stuck(const nd_uses *uses, nd_point stuck) {
  for (int i = 0; i < uses->count; i++)
    if (uses->use[i].at.queue == stuck.queue && uses->use[i].at.seq >= stuck.seq) return true;
  return false;
}

static bool may_reap(nd_slot *slot, nd_reap_mode mode, nd_point *stuck) {
  if (slot->from->ops->is_ordered) return true;
  if (mode == ND_REAP_WAIT) ndi_uses_wait(&slot->after, true, NULL);
  else if (stuck->seq && is_stuck(&slot->after, *stuck)) return false;
  if (ndi_uses_is_done(&slot->after, true)) return true;
  *stuck = slot->after.use[0].at;
  return false;
}

size_t nd_reap(nd_reap_mode mode) {
  size_t freed = 0;
  nd_point stuck = {0};
  nd_slot *next, *slot = atomic_exchange(&pending, NULL);
  for (; slot; slot = next) {
    next = slot->next;
    const size_t bytes = slot->block.granted;
    const uint16_t device = slot->block.device;
    if (may_reap(slot, mode, &stuck) && give_block(slot, NULL) == ND_OK) {
      freed += bytes;
      atomic_fetch_sub(&pending_bytes, bytes);
      atomic_fetch_sub(&pending_on[device], bytes);
    } else {
      push_pending(slot);
    }
  }
  return freed;
}
