/* Storages: lazy allocation, early free, work in flight, punning.
 *
 * The state goes from FRESH to LIVE to FREED, or from FRESH to FREED, and changes under the lock
 * only. There are too many storages for a lock of base/lock.h each, so they have a spin lock, held
 * for a few instructions: never while memory is allocated or a driver is called. */
#include "mem/storage.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/call.h"
#include "base/lock.h"
#include "mem/host.h"
#include "mem/reap.h"
#include "mem/small.h"

enum { ALL_WAYS = 0x7FFFFFFF }; /* see nd_storage_pun */

static atomic_uint_fast64_t next_id = 1;

/* A locked lock has the fork count plus 1. If another thread held it when this process was forked,
 * the count is an older one: that thread does not exist here, and the lock counts as free. */
static void lock_storage(nd_storage *self) {
  const unsigned mine = ndi_forks() + 1;
  unsigned seen = 0;
  while (!atomic_compare_exchange_weak_explicit(&self->lock, &seen, mine, memory_order_acquire,
                                                memory_order_relaxed))
    if (seen == mine) { /* held by a thread of this process */
      sched_yield();    /* which the scheduler may have stopped */
      seen = 0;
    }
}

static void unlock_storage(nd_storage *self) {
  atomic_store_explicit(&self->lock, 0, memory_order_release);
}

/* Resources that allow one take. They are not allocated lazily, since of two threads that race to
 * allocate, one would fail. */
static bool is_taken_once(const nd_resource *resource) {
  return resource->kind == ND_MEM_FILE || resource->kind == ND_MEM_FOREIGN;
}

static bool is_lazy(const nd_resource *resource, size_t bytes, nd_lazy lazy) {
  if (is_taken_once(resource)) return false;
  if (lazy == ND_LAZY_LARGE) return resource->kind != ND_MEM_HOST || bytes >= ND_LAZY_FROM;
  return lazy == ND_LAZY;
}

static void init(nd_storage *self, nd_resource *resource, size_t bytes,
                 nd_storage_options options) {
  memset(self, 0, sizeof *self);
  atomic_init(&self->epoch, ND_EPOCH_FIRST);
  atomic_init(&self->holds, 1);
  self->id = atomic_fetch_add(&next_id, 1);
  self->bytes = bytes;
  self->resource = nd_resource_hold(resource);
  atomic_init(&self->kind, (uint8_t)resource->kind); /* an assignment would be a locked exchange */
  self->is_read_only = options.read_only;
  self->is_zeroed = options.zeroed;
  /* its owner has the address and does not know our queues */
  atomic_init(&self->is_exposed, resource->kind == ND_MEM_FOREIGN);
  /* more than one bit: punned from the start */
  if (resource->is_aliased) atomic_init(&self->puns, ALL_WAYS);
}

static bool is_for_small(const nd_resource *resource, size_t bytes, nd_lazy lazy) {
  return resource->ops->take_small && bytes > 0 && bytes <= NDI_SMALL_MOST && lazy != ND_LAZY;
}

/* A host array of up to NDI_SMALL_MOST bytes is one piece of memory: most scripts make many, and
 * each step of the long way below takes longer than the work on it. */
nd_storage *nd_storage_make_small(nd_resource *resource, size_t bytes, nd_storage_options options) {
  void *record;
  char *data;
  if (!is_for_small(resource, bytes, options.lazy) ||
      !resource->ops->take_small(resource, sizeof(nd_storage), bytes, &record, &data))
    return NULL;
  nd_storage *self = record;
  init(self, resource, bytes, options);
  if (options.zeroed) memset(data, 0, bytes);
  self->is_small = true;
  atomic_init(&self->ptr, data);
  atomic_init(&self->host, data);
  atomic_init(&self->state, ND_STORAGE_LIVE);
  return self;
}

static void free_record(nd_storage *self) {
  if (self->is_small) ndi_small_drop(self);
  else free(self);
}

nd_status nd_storage_make(nd_resource *resource, size_t bytes, nd_storage_options options,
                          nd_storage **out, nd_error *err) {
  nd_storage *self;
  if (is_for_small(resource, bytes, options.lazy)) {
    if (nd_has_pending()) nd_reap(ND_REAP_POLL);
    nd_call_before_take(resource, bytes);
    self = nd_storage_make_small(resource, bytes, options);
    if (self) return *out = self, ND_OK;
  }
  if (!(self = malloc(sizeof *self)))
    return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a storage record");
  init(self, resource, bytes, options);
  const nd_status status = is_lazy(resource, bytes, options.lazy) ? ND_OK
                                                                  : nd_storage_allocate(self, err);
  if (status == ND_OK) *out = self;
  else nd_storage_drop(self);
  return status;
}

uint64_t nd_storage_last_id(void) { return atomic_load(&next_id) - 1; }

/* Relaxed, because the caller has a reference already. */
nd_storage *nd_storage_hold(nd_storage *self) {
  atomic_fetch_add_explicit(&self->holds, 1, memory_order_relaxed);
  return self;
}

/* Give the bytes of a storage that was LIVE back: those at 'data', where it has no ticket. */
static nd_status give_back(nd_storage *self, char *data, const nd_uses *after, nd_error *err) {
  if (!atomic_load_explicit(&self->has_ticket, memory_order_acquire))
    return self->resource->ops->give_small(self->resource, data, self->bytes), ND_OK;
  nd_ticket_watch(self->ticket, NULL);
  return nd_ticket_give(self->ticket, after, err);
}

/* Then nobody else can see the storage, or add a reference, and no locked instruction is needed. */
static bool is_only_reference(const nd_storage *self) {
  return atomic_load_explicit(&self->holds, memory_order_acquire) == 1;
}

static bool drop_hold(nd_storage *self) {
  return is_only_reference(self) || atomic_fetch_sub(&self->holds, 1) == 1;
}

/* Without the lock: when the last reference goes, nobody else can see the storage. */
void nd_storage_drop(nd_storage *self) {
  if (!self || !drop_hold(self)) return;
  /* a failure has no one to report to; the resource counts it in failed_gives */
  if (nd_storage_get_state(self) == ND_STORAGE_LIVE) give_back(self, self->host, &self->uses, NULL);
  nd_resource_drop(self->resource);
  free_record(self);
}

bool nd_storage_drop_shared(nd_storage *self) {
  unsigned holds = atomic_load_explicit(&self->holds, memory_order_acquire);
  while (holds > 1)
    if (atomic_compare_exchange_weak(&self->holds, &holds, holds - 1)) return true;
  return false;
}

nd_storage_state nd_storage_get_state(const nd_storage *self) {
  return (nd_storage_state)atomic_load_explicit(&self->state, memory_order_acquire);
}

static nd_status fail_freed(nd_error *err) {
  return nd_fail(err, ND_FREED, "the memory of this array was freed");
}

/* Make 'block' the memory of the storage. False: another thread was first, or freed the storage. */
static bool publish(nd_storage *self, nd_ticket ticket, const nd_block *block) {
  lock_storage(self);
  const bool first = nd_storage_get_state(self) == ND_STORAGE_FRESH;
  if (first) {
    self->ticket = ticket;
    self->has_ticket = true;
    self->ptr = block->ptr;
    self->host = block->host;
    self->kind = block->kind;
    self->is_pinned = block->kind == ND_MEM_PINNED || block->kind == ND_MEM_MANAGED;
    /* an allocation that is ordered on a queue is like a write that is in flight */
    if (block->ready.seq) self->is_busy = ndi_uses_add(&self->uses, block->ready, true);
    /* last: whoever reads LIVE, without the lock, finds the fields above */
    atomic_store_explicit(&self->state, ND_STORAGE_LIVE, memory_order_release);
    atomic_fetch_add(&self->epoch, 1); /* heads of the lazy storage have no address yet */
  }
  unlock_storage(self);
  return first;
}

static atomic_uint_fast64_t fallbacks;

uint64_t nd_storage_fallbacks(void) { return atomic_load(&fallbacks); }

/* Take a block from the resource, or from the host's if pinned memory is not to be had. */
static nd_status take_block(nd_storage *self, nd_ticket *ticket, nd_block *block, nd_error *err) {
  const nd_request request = {.bytes = self->bytes, .zeroed = self->is_zeroed};
  const nd_status status = nd_ticket_take(self->resource, &request, ticket, block, err);
  /* unsupported: the driver cannot lock pages at all */
  const bool is_refused = status == ND_OUT_OF_MEMORY || status == ND_UNSUPPORTED;
  if (!is_refused || self->resource->kind != ND_MEM_PINNED) return status;
  ND_TRY(nd_ticket_take(nd_host_resource(), &request, ticket, block, err));
  atomic_fetch_add(&fallbacks, 1);
  return ND_OK;
}

/* Allocating may run finalizers and call a driver, so no lock is held. Two threads may both get a
 * block; publish lets one of them in. */
nd_status nd_storage_allocate(nd_storage *self, nd_error *err) {
  const nd_storage_state state = nd_storage_get_state(self);
  if (state == ND_STORAGE_LIVE) return ND_OK;
  if (state == ND_STORAGE_FREED) return fail_freed(err);
  nd_ticket ticket;
  nd_block block;
  ND_TRY(take_block(self, &ticket, &block, err));
  nd_ticket_watch(ticket, &self->epoch);
  if (!publish(self, ticket, &block)) { /* another thread's block is used, or none */
    nd_ticket_watch(ticket, NULL);
    nd_ticket_give(ticket, NULL, NULL);
  }
  return nd_storage_get_state(self) == ND_STORAGE_FREED ? fail_freed(err) : ND_OK;
}

/* The state changes first: from then on nobody else touches the ticket, which is given back without
 * the lock, as that may call a driver. */
nd_status nd_storage_free(nd_storage *self, nd_error *err) {
  lock_storage(self);
  const nd_storage_state state = nd_storage_get_state(self);
  const nd_uses after = self->uses;
  char *const data = self->host;
  atomic_store_explicit(&self->state, ND_STORAGE_FREED, memory_order_release);
  atomic_fetch_add(&self->epoch, 1);
  self->host = NULL;
  self->ptr = NULL;
  self->uses.count = 0;
  self->is_busy = false;
  unlock_storage(self);
  return state == ND_STORAGE_LIVE ? give_back(self, data, &after, err) : ND_OK;
}

/* For a storage that was LIVE. A resource's 'check' runs under the lock, so that nd_storage_free on
 * another thread, which changes the state first, cannot free the block while it is looked at. */
static nd_status check_live(nd_storage *self, nd_error *err) {
  if (!atomic_load_explicit(&self->has_ticket, memory_order_acquire))
    return nd_storage_get_state(self) == ND_STORAGE_LIVE ? ND_OK : fail_freed(err);
  if (!self->resource->ops->check && nd_ticket_is_live(self->ticket)) return ND_OK; /* common */
  lock_storage(self);
  const bool is_live = nd_storage_get_state(self) == ND_STORAGE_LIVE;
  const nd_status status = is_live ? nd_ticket_check(self->ticket, err) : ND_FREED;
  unlock_storage(self);
  return is_live ? status : fail_freed(err);
}

nd_status nd_storage_check(nd_storage *self, nd_error *err) {
  switch (nd_storage_get_state(self)) {
    case ND_STORAGE_LIVE: return check_live(self, err);
    case ND_STORAGE_FREED: return fail_freed(err);
    default: return nd_fail(err, ND_NOT_ALLOCATED, "the memory of this array is not allocated yet");
  }
}

/* Make sure that a LIVE storage has a ticket. Where threads race, one ticket is used. */
static nd_status need_ticket(nd_storage *self, nd_error *err) {
  nd_ticket ticket;
  if (atomic_load_explicit(&self->has_ticket, memory_order_acquire)) return ND_OK;
  nd_resource *from = self->resource;
  const nd_block block = from->ops->small_block(from, self, self->host, self->bytes);
  nd_status status = nd_ticket_adopt(from, &block, &ticket, err);
  if (status != ND_OK) return ndi_small_drop(self), status;
  nd_ticket_watch(ticket, &self->epoch);
  lock_storage(self);
  const bool first = !self->has_ticket && nd_storage_get_state(self) == ND_STORAGE_LIVE;
  if (first) self->ticket = ticket, self->has_ticket = true;
  unlock_storage(self);
  if (!first) {
    nd_ticket_watch(ticket, NULL);
    nd_ticket_abandon(ticket);
    ndi_small_drop(self);
  }
  return first || self->has_ticket ? ND_OK : fail_freed(err);
}

nd_status nd_storage_pin(nd_storage *self, nd_resource *by, nd_error *err) {
  ND_TRY(nd_storage_check(self, err));
  ND_TRY(need_ticket(self, err));
  /* pinning puts 'by' before 'from'; unpinning takes out 'from', the adaptor, and goes back to its
   * upstream */
  nd_resource *from = nd_ticket_from(self->ticket), *to = by ? by : from ? from->up : NULL;
  if (!to) return fail_freed(err);
  nd_resource *former = to;
  ND_TRY(nd_ticket_swap_resource(self->ticket, &former, err));
  self->is_pinned = by != NULL;
  if (by) return by->up = from, ND_OK;
  from->up = NULL; /* the adaptor's reference to its upstream is the block's again */
  nd_resource_drop(from);
  return ND_OK;
}

/* {=== work in flight ===} */

/* Remove the uses that are done, and return a copy of the others. Devices are asked without the
 * lock, about a copy, as that may call a driver. So what was found done is then removed use by use:
 * the record may have got later ones meanwhile. */
static nd_uses drop_done_uses(nd_storage *self) {
  lock_storage(self);
  const nd_uses before = self->uses;
  unlock_storage(self);
  nd_uses after = before;
  ndi_uses_is_done(&after, true);
  if (after.count == before.count && before.count > 0) return after; /* none is done */
  lock_storage(self);
  for (int i = 0, k = 0; i < before.count; i++) {
    const nd_point at = before.use[i].at;
    /* 'after' has some of the uses of 'before', in the same order */
    const bool is_left = k < after.count && after.use[k].at.queue == at.queue &&
                         after.use[k].at.seq == at.seq;
    if (is_left) k++;
    else ndi_uses_drop(&self->uses, at);
  }
  self->is_busy = self->uses.count > 0;
  unlock_storage(self);
  return after;
}

/* Wait for the work in flight that a read (with 'for_write': a write) conflicts with. */
static nd_status wait_for_uses(nd_storage *self, bool for_write, nd_error *err) {
  /* the common case, without the lock */
  if (!self->is_busy) return ND_OK;
  nd_uses uses = drop_done_uses(self);
  bool is_done = true;
  for (int i = 0; i < uses.count; i++) is_done &= !for_write && !uses.use[i].is_write;
  if (is_done) return ND_OK;
  ND_TRY(ndi_uses_wait(&uses, for_write, err));
  atomic_fetch_add(&self->epoch, 1); /* heads that were disabled by this work may be refreshed */
  return ND_OK;
}

nd_status nd_storage_host(nd_storage *self, bool for_write, char **out, nd_error *err) {
  ND_TRY(nd_storage_allocate(self, err));
  ND_TRY(check_live(self, err));
  ND_TRY(wait_for_uses(self, for_write, err));
  char *host = self->host; /* read once: another thread may free the storage */
  if (!host && nd_storage_get_state(self) == ND_STORAGE_FREED) return fail_freed(err);
  if (!host && self->bytes > 0)
    return nd_fail_remedy(err, ND_NOT_HOST_ACCESSIBLE, ND_REMEDY_HOST,
                          "the CPU cannot access this memory");
  *out = host;
  return ND_OK;
}

nd_status nd_storage_expose(nd_storage *self, char **out, nd_error *err) {
  ND_TRY(nd_storage_allocate(self, err));
  ND_TRY(check_live(self, err));
  self->is_exposed = true; /* before waiting: work recorded from here on is waited for there */
  nd_storage_pun(self, ALL_WAYS);
  ND_TRY(wait_for_uses(self, true, err));
  /* read before the state, which a thread that frees the storage changes first */
  char *host = self->host, *ptr = self->ptr;
  if (nd_storage_get_state(self) == ND_STORAGE_FREED) return fail_freed(err);
  *out = host ? host : ptr;
  return ND_OK;
}

bool nd_storage_is_idle(nd_storage *self) {
  return !self->is_busy || drop_done_uses(self).count == 0;
}

/* False: the record is full. */
static bool record_use(nd_storage *self, nd_point at, bool is_write) {
  lock_storage(self);
  const bool is_recorded = ndi_uses_add(&self->uses, at, is_write);
  self->is_busy = self->uses.count > 0;
  unlock_storage(self);
  return is_recorded;
}

/* If the record is full even without the uses that are done, the work is waited for here
 * instead. */
nd_status nd_storage_use(nd_storage *self, nd_point at, bool is_write, nd_error *err) {
  /* with a ticket its block can become pending; without one the work is waited for */
  if (self->is_small && need_ticket(self, NULL) != ND_OK) return nd_point_wait(at, err);
  bool is_recorded = record_use(self, at, is_write);
  if (!is_recorded) {
    drop_done_uses(self);
    is_recorded = record_use(self, at, is_write);
  }
  atomic_fetch_add(&self->epoch, 1);
  return is_recorded && !self->is_exposed ? ND_OK : nd_point_wait(at, err);
}

void nd_storage_pun(nd_storage *self, uint32_t way) {
  /* the usual case, without a write that threads would contend for */
  if ((atomic_load_explicit(&self->puns, memory_order_relaxed) & way) == way) return;
  if (is_only_reference(self) && atomic_load_explicit(&self->puns, memory_order_relaxed) == 0) {
    atomic_store_explicit(&self->puns, way, memory_order_relaxed); /* a new one */
    return;
  }
  const uint32_t before = atomic_fetch_or(&self->puns, way), after = before | way;
  /* the first way puns nothing; nor do loads alone */
  if (before && after != before && !self->is_read_only) atomic_fetch_add(&self->epoch, 1);
}

bool nd_storage_is_punned(const nd_storage *self) {
  const uint32_t puns = atomic_load(&self->puns);
  return !self->is_read_only && (puns & (puns - 1)) != 0; /* more than one bit is set */
}
