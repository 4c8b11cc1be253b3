/* Storages: lazy allocation, early free, exports, pinning, punning. mem/flight.c has the work in
 * flight.
 *
 * The state goes from FRESH to LIVE to FREED, or from FRESH to FREED, and changes under the lock
 * only (mem/spin.h). */
#include "mem/storage.h"

#include <stdlib.h>
#include <string.h>

#include "base/call.h"
#include "mem/reap.h"
#include "mem/small.h"
#include "mem/spin.h"

static atomic_uint_fast64_t next_id = 1;

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
  if (resource->is_aliased) atomic_init(&self->puns, NDI_ALL_WAYS);
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

/* Give the bytes of a storage that was LIVE back: those at 'data', where it has no ticket, and so
 * at most an empty record. Takes over 'after'. */
static nd_status give_back(nd_storage *self, char *data, nd_uses *after, nd_error *err) {
  if (!atomic_load_explicit(&self->has_ticket, memory_order_acquire)) {
    free(after);
    return self->resource->ops->give_small(self->resource, data, self->bytes), ND_OK;
  }
  nd_ticket_watch(self->ticket, NULL);
  return nd_ticket_give(self->ticket, after, err);
}

/* Then nobody else can see the storage, or add a reference, and no locked instruction is needed.
 * One that is shared is found by its number, too. */
static bool is_only_reference(const nd_storage *self) {
  return atomic_load_explicit(&self->holds, memory_order_acquire) == 1 && !self->shared;
}

static bool drop_hold(nd_storage *self) {
  return is_only_reference(self) || atomic_fetch_sub(&self->holds, 1) == 1;
}

static void (*_Atomic forget_shared)(const nd_storage *); /* mem/shared.c's */

void nd_storage_set_shared(nd_storage *self, struct nd_shared_entry *first,
                           void (*forget)(const nd_storage *self)) {
  atomic_store(&forget_shared, forget);
  self->shared = first;
}

/* Without the lock: when the last reference goes, nobody else can see the storage. */
void nd_storage_drop(nd_storage *self) {
  if (!self || !drop_hold(self)) return;
  if (self->shared) atomic_load (&forget_shared)(self);
  nd_uses *const after = self->uses;
  self->uses = NULL;
  /* a failure has no one to report to; the resource counts it in failed_gives */
  if (nd_storage_get_state(self) == ND_STORAGE_LIVE) give_back(self, self->host, after, NULL);
  else free(after);
  nd_resource_drop(self->resource);
  free_record(self);
}

bool nd_storage_drop_shared(nd_storage *self) {
  unsigned holds = atomic_load_explicit(&self->holds, memory_order_acquire);
  while (holds > 1)
    if (atomic_compare_exchange_weak(&self->holds, &holds, holds - 1)) return true;
  return false;
}

static nd_status fail_freed(nd_error *err) {
  return nd_fail(err, ND_FREED, "the memory of this array was freed");
}

/* Under the lock, which orders it. An assignment would be a locked exchange, which takes as long as
 * some thirty other instructions. */
#define PUT(field, value) atomic_store_explicit(&(field), value, memory_order_relaxed)

/* Invalidate the heads; under the lock. Where nobody else has a reference only the loss of memory,
 * on another thread, may do so as well: then it makes no difference that one of the two is lost. */
static void raise_epoch(nd_storage *self) {
  if (is_only_reference(self)) PUT(self->epoch, self->epoch + 1);
  else atomic_fetch_add(&self->epoch, 1);
}

/* Make 'block' the memory of the storage, and 'uses' its record. False: another thread was first,
 * or freed the storage. */
static bool publish(nd_storage *self, nd_ticket ticket, const nd_block *block, nd_uses *uses) {
  ndi_spin_lock(&self->lock);
  const bool first = nd_storage_get_state(self) == ND_STORAGE_FRESH;
  if (first) {
    self->ticket = ticket;
    PUT(self->has_ticket, true);
    PUT(self->ptr, block->ptr);
    PUT(self->host, block->host);
    PUT(self->kind, block->kind);
    PUT(self->is_pinned, block->kind == ND_MEM_PINNED || block->kind == ND_MEM_MANAGED);
    if (uses) self->uses = uses, PUT(self->is_busy, true);
    /* last: whoever reads LIVE, without the lock, finds the fields above */
    atomic_store_explicit(&self->state, ND_STORAGE_LIVE, memory_order_release);
    raise_epoch(self); /* heads of the lazy storage have no address yet */
  }
  ndi_spin_unlock(&self->lock);
  return first;
}

static atomic_uint_fast64_t fallbacks;

uint64_t nd_storage_fallbacks(void) { return atomic_load(&fallbacks); }

/* Take a block from the resource, an ordinary one if pinned memory is not to be had. */
static nd_status take_block(nd_storage *self, nd_ticket *ticket, nd_block *block, nd_error *err) {
  nd_request request = {.bytes = self->bytes,
                        .zeroed = self->is_zeroed,
                        .tag = self->id,
                        .promises = nd_call_promises()};
  const nd_status status = nd_ticket_take(self->resource, &request, ticket, block, err);
  /* unsupported: the driver cannot lock pages at all */
  const bool is_refused = status == ND_OUT_OF_MEMORY || status == ND_UNSUPPORTED;
  if (!is_refused || self->resource->kind != ND_MEM_PINNED) return status;
  request.may_substitute = true;
  ND_TRY(nd_ticket_take(self->resource, &request, ticket, block, err));
  atomic_fetch_add(&fallbacks, 1);
  return ND_OK;
}

/* A record for the uses of a block that is ready at a point of a queue, which is like a write that
 * is in flight. Without memory for it the point is waited for. */
static nd_status make_uses(const nd_block *block, nd_uses **out, nd_error *err) {
  *out = block->ready.seq ? ndi_uses_make() : NULL;
  if (!*out) return nd_point_wait(block->ready, err);
  const nd_use ready = {.at = block->ready, .lo = 0, .hi = SIZE_MAX, .is_write = true};
  ndi_uses_add(*out, &ready);
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
  nd_uses *uses;
  const nd_status status = make_uses(&block, &uses, err);
  nd_ticket_watch(ticket, &self->epoch);
  if (status != ND_OK || !publish(self, ticket, &block, uses)) {
    /* another thread's block is used, or none */
    nd_ticket_watch(ticket, NULL);
    nd_ticket_give(ticket, uses, NULL);
  }
  if (status != ND_OK) return status;
  return nd_storage_get_state(self) == ND_STORAGE_FREED ? fail_freed(err) : ND_OK;
}

/* The state changes first: from then on nobody else touches the ticket, which is given back without
 * the lock, as that may call a driver. The last export gives it back if there are any. */
nd_status nd_storage_free(nd_storage *self, nd_error *err) {
  ndi_spin_lock(&self->lock);
  const nd_storage_state state = nd_storage_get_state(self);
  const bool is_held = self->exports > 0;
  nd_uses *const after = is_held ? NULL : self->uses;
  char *const data = self->host;
  atomic_store_explicit(&self->state, ND_STORAGE_FREED, memory_order_release);
  raise_epoch(self);
  PUT(self->host, NULL);
  PUT(self->ptr, NULL);
  if (!is_held) self->uses = NULL;
  else if (state == ND_STORAGE_LIVE) nd_ticket_charge_held(self->ticket, true);
  PUT(self->is_busy, false);
  ndi_spin_unlock(&self->lock);
  if (state != ND_STORAGE_LIVE || is_held) return free(after), ND_OK;
  return give_back(self, data, after, err);
}

/* {=== exports ===} */

/* Marked before work in flight is waited for, if at all: what is recorded from here on is waited
 * for there. */
nd_status nd_storage_export(nd_storage *self, nd_error *err) {
  ND_TRY(nd_storage_allocate(self, err));
  ND_TRY(nd_storage_check(self, err));
  if (nd_resource_leaf(self->resource)->is_lent)
    return nd_fail_remedy(err, ND_UNSUPPORTED, ND_REMEDY_EXPORT_COPY,
                          "the memory of this array ends with its owner, a Lua object");
  ND_TRY(ndi_storage_need_ticket(self, err));
  ndi_spin_lock(&self->lock);
  const bool is_live = nd_storage_get_state(self) == ND_STORAGE_LIVE;
  if (is_live) self->exports++;
  ndi_spin_unlock(&self->lock);
  if (!is_live) return fail_freed(err);
  self->is_exposed = true;
  nd_storage_pun(self, NDI_ALL_WAYS);
  nd_storage_hold(self);
  return ND_OK;
}

void nd_storage_export_again(nd_storage *self) {
  ndi_spin_lock(&self->lock);
  self->exports++;
  ndi_spin_unlock(&self->lock);
  nd_storage_hold(self);
}

bool nd_storage_has_exports(nd_storage *self) {
  if (!self->is_exposed) return false; /* as any that was exported is */
  ndi_spin_lock(&self->lock);
  const bool has = self->exports > 0;
  ndi_spin_unlock(&self->lock);
  return has;
}

void nd_storage_unexport(nd_storage *self) {
  ndi_spin_lock(&self->lock);
  const bool is_last = --self->exports == 0 && nd_storage_get_state(self) == ND_STORAGE_FREED;
  nd_uses *const after = is_last ? self->uses : NULL;
  if (is_last) self->uses = NULL;
  ndi_spin_unlock(&self->lock);
  if (is_last) {
    nd_ticket_charge_held(self->ticket, false);
    give_back(self, NULL, after, NULL);
  }
  nd_storage_drop(self);
}

/* For a storage that was LIVE. A resource's 'check' runs under the lock, so that nd_storage_free on
 * another thread, which changes the state first, cannot free the block while it is looked at. */
static nd_status check_live(nd_storage *self, nd_error *err) {
  if (!atomic_load_explicit(&self->has_ticket, memory_order_acquire))
    return nd_storage_get_state(self) == ND_STORAGE_LIVE ? ND_OK : fail_freed(err);
  const bool is_checked = nd_resource_leaf(self->resource)->ops->check != NULL;
  if (!is_checked && nd_ticket_is_live(self->ticket)) return ND_OK; /* common */
  ndi_spin_lock(&self->lock);
  const bool is_live = nd_storage_get_state(self) == ND_STORAGE_LIVE;
  const nd_status status = is_live ? nd_ticket_check(self->ticket, err) : ND_FREED;
  ndi_spin_unlock(&self->lock);
  return is_live ? status : fail_freed(err);
}

nd_status nd_storage_check(nd_storage *self, nd_error *err) {
  switch (nd_storage_get_state(self)) {
    case ND_STORAGE_LIVE: return check_live(self, err);
    case ND_STORAGE_FREED: return fail_freed(err);
    default: return nd_fail(err, ND_NOT_ALLOCATED, "the memory of this array is not allocated yet");
  }
}

/* Where threads race, one ticket is used. */
nd_status ndi_storage_need_ticket(nd_storage *self, nd_error *err) {
  nd_ticket ticket;
  if (atomic_load_explicit(&self->has_ticket, memory_order_acquire)) return ND_OK;
  nd_resource *from = self->resource;
  const nd_block block = from->ops->small_block(from, self, self->host, self->bytes);
  nd_status status = nd_ticket_adopt(from, &block, &ticket, err);
  if (status != ND_OK) return ndi_small_drop(self), status;
  nd_ticket_watch(ticket, &self->epoch);
  ndi_spin_lock(&self->lock);
  const bool first = !self->has_ticket && nd_storage_get_state(self) == ND_STORAGE_LIVE;
  if (first) self->ticket = ticket, self->has_ticket = true;
  ndi_spin_unlock(&self->lock);
  if (!first) {
    nd_ticket_watch(ticket, NULL);
    nd_ticket_abandon(ticket);
    ndi_small_drop(self);
  }
  return first || self->has_ticket ? ND_OK : fail_freed(err);
}

nd_status nd_storage_pin(nd_storage *self, nd_resource *by, nd_error *err) {
  ND_TRY(nd_storage_check(self, err));
  ND_TRY(ndi_storage_need_ticket(self, err));
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

/* {=== views ===} */

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
