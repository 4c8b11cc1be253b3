/* Calls through the table of a resource, with its defaults, and the list of caches.
 *
 * An adaptor is a resource with an upstream. It implements what it changes, take and give at least;
 * all else goes on to the nearest upstream that has it. */
#include "mem/resource.h"

#include <string.h>

#include "base/lock.h"
#include "mem/host.h"

/* A resource without 'close' lives as long as the process: no need for contended counting. Relaxed,
 * because the caller has a reference already, so that 'self' cannot be closed meanwhile. */
nd_resource *nd_resource_hold(nd_resource *self) {
  if (!self->ops->close) return self;
  atomic_fetch_add_explicit(&self->holds, 1, memory_order_relaxed);
  return self;
}

void nd_resource_drop(nd_resource *self) {
  if (!self || !self->ops->close || atomic_fetch_sub(&self->holds, 1) != 1) return;
  nd_resource *up = self->up; /* read before 'self' is freed */
  self->ops->close(self);
  nd_resource_drop(up);
}

void nd_resource_init(nd_resource *self, const nd_resource_ops *ops, nd_memkind kind,
                      uint16_t device) {
  self->ops = ops;
  self->kind = (uint8_t)kind;
  self->device = device;
  atomic_init(&self->holds, 1);
}

void nd_resource_init_on(nd_resource *self, const nd_resource_ops *ops, nd_resource *up) {
  nd_resource_init(self, ops, up->kind, up->device);
  self->is_aliased = up->is_aliased;
  self->is_ordered = up->is_ordered;
  self->is_deferred = up->is_deferred;
  self->up = nd_resource_hold(up);
}

const nd_resource *nd_resource_leaf(const nd_resource *self) {
  while (self->up) self = self->up;
  return self;
}

/* The block is filled in a local record, as '*out' is written on success only. */
nd_status nd_resource_take(nd_resource *self, const nd_request *request, nd_block *out,
                           nd_error *err) {
  nd_block block = {.bytes = request->bytes, .device = self->device, .kind = self->kind};
  ND_TRY(self->ops->take(self, request, &block, err));
  nd_resource_hold(self);
  *out = block;
  return ND_OK;
}

nd_status nd_resource_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                           nd_error *err) {
  ND_TRY(self->ops->give(self, block, after, err));
  nd_resource_drop(self);
  return ND_OK;
}

/* {=== what adaptors inherit ===} The nearest resource that has the entry is called, and it alone:
 * an adaptor with an entry of its own decides whether its upstream is asked as well. */

#define NEAREST(self, entry) \
  while ((self) && !(self)->ops->entry) (self) = (self)->up

nd_status nd_resource_reap(nd_resource *self, nd_reap_mode mode, size_t *freed, nd_error *err) {
  *freed = 0;
  NEAREST(self, reap);
  return self ? self->ops->reap(self, mode, freed, err) : ND_OK;
}

nd_status nd_resource_trim(nd_resource *self, size_t keep, size_t *freed, nd_error *err) {
  *freed = 0;
  NEAREST(self, trim);
  return self ? self->ops->trim(self, keep, freed, err) : ND_OK;
}

bool nd_resource_is_idle(nd_resource *self) {
  NEAREST(self, is_idle);
  return self ? self->ops->is_idle(self) : true;
}

size_t nd_resource_grants(nd_resource *self, const nd_request *request) {
  NEAREST(self, grants);
  return self ? self->ops->grants(self, request) : request->bytes;
}

nd_status nd_resource_fits(nd_resource *self, const nd_request *request, nd_error *err) {
  NEAREST(self, fits);
  return self ? self->ops->fits(self, request, err) : ND_OK;
}

uint64_t nd_resource_total(nd_resource *self) {
  NEAREST(self, total);
  return self ? self->ops->total(self) : 0;
}

uint32_t nd_resource_queue(nd_resource *self) {
  NEAREST(self, queue);
  return self ? self->ops->queue(self) : 0;
}

nd_status nd_resource_check(nd_resource *self, const nd_block *block, nd_error *err) {
  NEAREST(self, check);
  return self ? self->ops->check(self, block, err) : ND_OK;
}

void nd_resource_watch(nd_resource *self, const nd_block *block, _Atomic uint64_t *epoch) {
  NEAREST(self, watch);
  if (self) self->ops->watch(self, block, epoch);
}

/* {=== counting ===} */

/* Resources count pending blocks as live, since they have not got them back: subtract those. The
 * two counters are not read at one moment, so the difference might be negative. */
static void subtract_pending(nd_gauge *from, uint64_t part, bool is_scoped) {
  from->now = from->now > part || is_scoped ? from->now - part : 0;
}

/* A leaf's small blocks have no ticket, so they are not among its requests. */
static uint64_t count_requests(const nd_resource *asked, const nd_mem_stats *stats) {
  return asked->up ? asked->requests : stats->live_count.total + asked->failed_takes;
}

void nd_resource_get_stats(nd_resource *self, nd_mem_stats *out) {
  /* failures are counted where the block was asked for, bytes where they come from */
  nd_resource *asked = self;
  memset(out, 0, sizeof *out);
  out->limit = out->remaining = UINT64_MAX;
  NEAREST(self, stats);
  if (!self) return;
  out->pending = ndi_gauge_read(&self->pending.bytes);
  out->pending_count = ndi_gauge_read(&self->pending.blocks);
  self->ops->stats(self, out);
  subtract_pending(&out->live, out->pending.now, out->is_scoped);
  subtract_pending(&out->live_count, out->pending_count.now, out->is_scoped);
  out->requests = count_requests(asked, out) - asked->requests_before;
  out->failed_takes = asked->failed_takes, out->failed_gives = asked->failed_gives;
}

void nd_resource_reset_requests(nd_resource *self) {
  nd_mem_stats stats;
  nd_resource_get_stats(self, &stats);
  self->requests_before += stats.requests;
}

struct ndi_meter *ndi_resource_meter(nd_resource *self) {
  NEAREST(self, meter);
  return self ? self->ops->meter(self) : NULL;
}

void nd_resource_reset_peak(nd_resource *self) {
  NEAREST(self, reset_peak);
  if (self) self->ops->reset_peak(self);
}

/* {=== caches ===} */

/* Entries are only ever added, and never removed, so that readers need no lock. */
enum { CACHES = ND_DEVICES + 1 }; /* one for each device, and pinned memory */
static _Atomic(nd_resource *) caches[CACHES];

/* A full table is no failure: a cache that is not in it is only trimmed by its own takes. */
void ndi_cache_register(nd_resource *self) {
  ndi_lock(NDI_LOCK_CACHES);
  int i = 0;
  while (i < CACHES && caches[i] && caches[i] != self) i++;
  if (i < CACHES) caches[i] = self;
  ndi_unlock(NDI_LOCK_CACHES);
}

size_t nd_caches_trim(uint16_t device, size_t keep) {
  size_t sum = 0, freed;
  if (device == 0 && nd_resource_trim(nd_host_resource(), keep, &freed, NULL) == ND_OK) sum = freed;
  for (int i = 0; i < CACHES && caches[i]; i++)
    if (caches[i]->device == device && nd_resource_trim(caches[i], keep, &freed, NULL) == ND_OK)
      sum += freed;
  return sum;
}
