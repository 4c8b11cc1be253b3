/* Calls through a resource's table, with its defaults, and the counters that leaves keep. */
#include "mem/resource.h"

#include <string.h>

#include "base/lock.h"

/* A resource that cannot be closed lives for ever: it is not counted. */
nd_resource *nd_resource_hold(nd_resource *self) {
  if (!self->ops->close) return self;
  atomic_fetch_add_explicit(&self->holds, 1, memory_order_relaxed);
  return self;
}

void nd_resource_drop(nd_resource *self) {
  if (!self || !self->ops->close || atomic_fetch_sub(&self->holds, 1) != 1) return;
  nd_resource *up = self->up;
  self->ops->close(self);
  nd_resource_drop(up);
}

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

nd_status nd_resource_reap(nd_resource *self, nd_reap_mode mode, size_t *freed, nd_error *err) {
  *freed = 0;
  for (; self; self = self->up)
    if (self->ops->reap) return self->ops->reap(self, mode, freed, err);
  return ND_OK;
}

nd_status nd_resource_trim(nd_resource *self, size_t keep, size_t *freed, nd_error *err) {
  *freed = 0;
  for (; self; self = self->up)
    if (self->ops->trim) return self->ops->trim(self, keep, freed, err);
  return ND_OK;
}

/* Leaves count pending blocks among what was taken, as they have not got them back. */
static void take_off(nd_gauge *from, uint64_t part) {
  from->now = from->now > part ? from->now - part : 0;
}

void nd_resource_get_stats(nd_resource *self, nd_mem_stats *out) {
  nd_resource *asked = self;
  memset(out, 0, sizeof *out);
  while (self && !self->ops->stats) self = self->up;
  if (!self) return;
  out->pending.now = self->pending, out->pending_count.now = self->pending_count;
  self->ops->stats(self, out);
  take_off(&out->live, out->pending.now);
  take_off(&out->live_count, out->pending_count.now);
  out->failed_takes = asked->failed_takes, out->failed_gives = asked->failed_gives;
}

/* {=== counting ===} */

static void raise_peak(atomic_uint_fast64_t *peak, uint_fast64_t now) {
  uint_fast64_t seen = atomic_load_explicit(peak, memory_order_relaxed);
  while (seen < now && !atomic_compare_exchange_weak(peak, &seen, now)) continue;
}

/* The peak is of what the addition itself came to: no other moment is read. */
void ndi_gauge_raise(ndi_gauge *gauge, size_t by) {
  raise_peak(&gauge->peak, atomic_fetch_add(&gauge->now, by) + by);
  atomic_fetch_add(&gauge->total, by);
}

void ndi_gauge_lower(ndi_gauge *gauge, size_t by) { atomic_fetch_sub(&gauge->now, by); }

/* Whoever raises it may not have come to the peak yet. */
nd_gauge ndi_gauge_read(const ndi_gauge *gauge) {
  const uint64_t now = atomic_load(&gauge->now), peak = atomic_load(&gauge->peak);
  return (nd_gauge){now, peak > now ? peak : now, atomic_load(&gauge->total)};
}

void ndi_counters_take(ndi_counters *c, size_t bytes) {
  ndi_gauge_raise(&c->bytes, bytes);
  ndi_gauge_raise(&c->blocks, 1);
}

void ndi_counters_give(ndi_counters *c, size_t bytes) {
  ndi_gauge_lower(&c->bytes, bytes);
  ndi_gauge_lower(&c->blocks, 1);
}

uint64_t ndi_counters_now(const ndi_counters *c) { return atomic_load(&c->bytes.now); }

void ndi_counters_read(const ndi_counters *c, nd_mem_stats *out) {
  out->live = ndi_gauge_read(&c->bytes);
  out->live_count = ndi_gauge_read(&c->blocks);
}

/* {=== caches ===} */

enum { CACHES = ND_DEVICES + 1 }; /* one for each device, and pinned memory */
static _Atomic(nd_resource *) caches[CACHES];

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
