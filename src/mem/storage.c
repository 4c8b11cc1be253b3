/* Storages: lazy allocation, early free, uses, the punned mark. */
#include "mem/storage.h"

#include <sched.h>
#include <stdlib.h>

#include "base/lock.h"

static atomic_uint_fast64_t next_id = 1;

/* No driver is asked and nothing is allocated while it is held. A lock that was taken before a fork
 * is nobody's in the child. */
static void enter(nd_storage *self) {
  const unsigned mine = ndi_forks() + 1;
  unsigned seen = 0;
  while (!atomic_compare_exchange_weak_explicit(&self->lock, &seen, mine, memory_order_acquire,
                                                memory_order_relaxed))
    if (seen == mine) {
      sched_yield(); /* its holder may not be running */
      seen = 0;
    }
}

static void leave(nd_storage *self) { atomic_store_explicit(&self->lock, 0, memory_order_release); }

/* What can be taken but once would refuse the second of two threads that race for it. */
static bool is_taken_once(const nd_resource *resource) {
  return resource->kind == ND_MEM_FILE || resource->kind == ND_MEM_FOREIGN;
}

nd_status nd_storage_make(nd_resource *resource, size_t bytes, nd_storage_options options,
                          nd_storage **out, nd_error *err) {
  nd_storage *self = calloc(1, sizeof *self);
  if (!self) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a storage record");
  atomic_init(&self->epoch, ND_EPOCH_FIRST);
  atomic_init(&self->holds, 1);
  self->id = atomic_fetch_add(&next_id, 1);
  self->bytes = bytes;
  self->resource = nd_resource_hold(resource);
  self->kind = resource->kind;
  self->is_read_only = options.read_only;
  self->is_zeroed = options.zeroed;
  self->is_exposed = resource->kind == ND_MEM_FOREIGN;
  if (resource->is_aliased) atomic_init(&self->puns, ND_CLASS_ALL);
  const bool is_lazy = options.lazy && !is_taken_once(resource);
  const nd_status status = is_lazy ? ND_OK : nd_storage_allocate(self, err);
  if (status == ND_OK) *out = self;
  else nd_storage_drop(self);
  return status;
}

uint64_t nd_storage_last_id(void) { return atomic_load(&next_id) - 1; }

nd_storage *nd_storage_hold(nd_storage *self) {
  atomic_fetch_add_explicit(&self->holds, 1, memory_order_relaxed);
  return self;
}

void nd_storage_drop(nd_storage *self) {
  if (!self || atomic_fetch_sub(&self->holds, 1) != 1) return;
  if (nd_storage_get_state(self) == ND_STORAGE_LIVE) {
    nd_ticket_watch(self->ticket, NULL);
    nd_ticket_give(self->ticket, &self->uses,
                   NULL); /* a failed give stays counted by its resource */
  }
  nd_resource_drop(self->resource);
  free(self);
}

nd_storage_state nd_storage_get_state(const nd_storage *self) {
  return (nd_storage_state)atomic_load_explicit(&self->state, memory_order_acquire);
}

static nd_status fail_freed(nd_error *err) {
  return nd_fail(err, ND_FREED, "the memory of this array was freed");
}

/* False: another thread was first, or the storage was freed meanwhile. */
static bool publish(nd_storage *self, nd_ticket ticket, const nd_block *block) {
  enter(self);
  const bool first = nd_storage_get_state(self) == ND_STORAGE_FRESH;
  if (first) {
    self->ticket = ticket;
    self->ptr = block->ptr;
    self->host = block->host;
    self->kind = block->kind;
    self->is_locked = block->kind == ND_MEM_PINNED || block->kind == ND_MEM_MANAGED;
    if (block->ready.seq) self->is_busy = ndi_uses_add(&self->uses, block->ready, true);
    atomic_store_explicit(&self->state, ND_STORAGE_LIVE, memory_order_release);
    atomic_fetch_add(&self->epoch, 1);
  }
  leave(self);
  return first;
}

static atomic_uint_fast64_t fallbacks;

uint64_t nd_storage_fallbacks(void) { return atomic_load(&fallbacks); }

/* No lock is held: hooks may run. */
static nd_status take_block(nd_storage *self, nd_ticket *ticket, nd_block *block, nd_error *err) {
  const nd_request request = {.bytes = self->bytes, .zeroed = self->is_zeroed};
  const nd_status status = nd_ticket_take(self->resource, &request, ticket, block, err);
  const bool is_refused = status == ND_OUT_OF_MEMORY || status == ND_UNSUPPORTED;
  if (!is_refused || self->resource->kind != ND_MEM_PINNED) return status;
  ND_TRY(nd_ticket_take(nd_host_resource(), &request, ticket, block, err));
  atomic_fetch_add(&fallbacks, 1);
  return ND_OK;
}

nd_status nd_storage_allocate(nd_storage *self, nd_error *err) {
  const nd_storage_state state = nd_storage_get_state(self);
  if (state == ND_STORAGE_LIVE) return ND_OK;
  if (state == ND_STORAGE_FREED) return fail_freed(err);
  nd_ticket ticket;
  nd_block block;
  ND_TRY(take_block(self, &ticket, &block, err));
  nd_ticket_watch(ticket, &self->epoch);
  if (!publish(self, ticket, &block)) {
    nd_ticket_watch(ticket, NULL);
    nd_ticket_give(ticket, NULL, NULL);
  }
  return nd_storage_get_state(self) == ND_STORAGE_FREED ? fail_freed(err) : ND_OK;
}

nd_status nd_storage_free(nd_storage *self, nd_error *err) {
  enter(self);
  const nd_storage_state state = nd_storage_get_state(self);
  const nd_uses after = self->uses;
  atomic_store_explicit(&self->state, ND_STORAGE_FREED, memory_order_release);
  atomic_fetch_add(&self->epoch, 1);
  self->host = NULL;
  self->ptr = NULL;
  self->uses.count = 0;
  self->is_busy = false;
  leave(self);
  if (state != ND_STORAGE_LIVE) return ND_OK;
  nd_ticket_watch(self->ticket, NULL);
  return nd_ticket_give(self->ticket, &after, err);
}

/* A resource looks at its block under the lock: an early free on another thread changes the state
 * before it gives the block back. */
static nd_status check_live(nd_storage *self, nd_error *err) {
  if (!self->resource->ops->check && nd_ticket_is_live(self->ticket)) return ND_OK;
  enter(self);
  const bool is_live = nd_storage_get_state(self) == ND_STORAGE_LIVE;
  const nd_status status = is_live ? nd_ticket_check(self->ticket, err) : ND_FREED;
  leave(self);
  return is_live ? status : fail_freed(err);
}

nd_status nd_storage_check(nd_storage *self, nd_error *err) {
  switch (nd_storage_get_state(self)) {
    case ND_STORAGE_LIVE: return check_live(self, err);
    case ND_STORAGE_FREED: return fail_freed(err);
    default: return nd_fail(err, ND_NOT_ALLOCATED, "the memory of this array is not allocated yet");
  }
}

nd_status nd_storage_lock(nd_storage *self, nd_resource *by, nd_error *err) {
  ND_TRY(nd_storage_check(self, err));
  nd_resource *from = nd_ticket_from(self->ticket), *to = by ? by : from ? from->up : NULL;
  if (!to) return fail_freed(err);
  if (by) by->up = from;
  nd_resource *former = to;
  ND_TRY(nd_ticket_swap(self->ticket, &former, err));
  self->is_locked = by != NULL;
  if (by) return ND_OK;
  from->up = NULL; /* its hold is the block's again */
  nd_resource_drop(from);
  return ND_OK;
}

/* {=== work in flight ===} */

/* The uses that are not done. The queues are asked without the lock, as that may call a driver. */
static nd_uses look(nd_storage *self) {
  enter(self);
  const nd_uses before = self->uses;
  leave(self);
  nd_uses after = before;
  ndi_uses_is_done(&after, true);
  if (after.count == before.count && before.count > 0) return after;
  enter(self);
  for (int i = 0, k = 0; i < before.count; i++) {
    const nd_point at = before.use[i].at;
    const bool is_left = k < after.count && after.use[k].at.queue == at.queue &&
                         after.use[k].at.seq == at.seq;
    if (is_left) k++;
    else ndi_uses_drop(&self->uses, at);
  }
  self->is_busy = self->uses.count > 0;
  leave(self);
  return after;
}

static nd_status settle(nd_storage *self, bool for_write, nd_error *err) {
  if (!self->is_busy) return ND_OK;
  nd_uses uses = look(self);
  bool is_done = true;
  for (int i = 0; i < uses.count; i++) is_done &= !for_write && !uses.use[i].is_write;
  if (is_done) return ND_OK;
  ND_TRY(ndi_uses_wait(&uses, for_write, err));
  atomic_fetch_add(&self->epoch, 1); /* heads made while the work was in flight may be made again */
  return ND_OK;
}

nd_status nd_storage_host(nd_storage *self, bool for_write, char **out, nd_error *err) {
  ND_TRY(nd_storage_allocate(self, err));
  ND_TRY(check_live(self, err));
  ND_TRY(settle(self, for_write, err));
  char *host = self->host;
  if (!host && nd_storage_get_state(self) == ND_STORAGE_FREED) return fail_freed(err);
  if (!host && self->bytes > 0)
    return nd_fail(err, ND_NOT_HOST_ACCESSIBLE,
                   "the CPU may not touch this memory; use :to(\"cpu\")");
  *out = host;
  return ND_OK;
}

nd_status nd_storage_expose(nd_storage *self, char **out, nd_error *err) {
  ND_TRY(nd_storage_allocate(self, err));
  ND_TRY(check_live(self, err));
  self->is_exposed = true; /* first: work that is noted from here on is waited for there */
  nd_storage_pun(self, ND_CLASS_ALL);
  ND_TRY(settle(self, true, err));
  char *host = self->host, *ptr = self->ptr;
  if (nd_storage_get_state(self) == ND_STORAGE_FREED) return fail_freed(err);
  *out = host ? host : ptr;
  return ND_OK;
}

bool nd_storage_is_settled(nd_storage *self) { return !self->is_busy || look(self).count == 0; }

static bool note_use(nd_storage *self, nd_point at, bool is_write) {
  enter(self);
  const bool noted = ndi_uses_add(&self->uses, at, is_write);
  self->is_busy = self->uses.count > 0;
  leave(self);
  return noted;
}

nd_status nd_storage_use(nd_storage *self, nd_point at, bool is_write, nd_error *err) {
  bool noted = note_use(self, at, is_write);
  if (!noted) {
    look(self);
    noted = note_use(self, at, is_write);
  }
  atomic_fetch_add(&self->epoch, 1);
  return noted && !self->is_exposed ? ND_OK : nd_point_wait(at, err);
}

void nd_storage_pun(nd_storage *self, nd_class class) {
  const uint32_t bits = (uint32_t) class;
  if ((atomic_load_explicit(&self->puns, memory_order_relaxed) & bits) == bits) return;
  const uint32_t before = atomic_fetch_or(&self->puns, bits), after = before | bits;
  if (before && after != before && !self->is_read_only) atomic_fetch_add(&self->epoch, 1);
}

bool nd_storage_is_punned(const nd_storage *self) {
  const uint32_t puns = atomic_load(&self->puns);
  return !self->is_read_only && (puns & (puns - 1)) != 0;
}
