/* Calls through a resource's table, with its defaults, and the counters that leaves keep. */
#include "mem/resource.h"

#include <string.h>

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

void nd_resource_get_stats(nd_resource *self, nd_mem_stats *out) {
  memset(out, 0, sizeof *out);
  for (; self; self = self->up)
    if (self->ops->stats) {
      self->ops->stats(self, out);
      return;
    }
}

static void raise_peak(atomic_uint_fast64_t *peak, uint_fast64_t now) {
  uint_fast64_t seen = atomic_load_explicit(peak, memory_order_relaxed);
  while (seen < now && !atomic_compare_exchange_weak(peak, &seen, now)) continue;
}

/* 'given' is read first, so that a difference is never negative. */
void ndi_counters_take(ndi_counters *c, size_t bytes) {
  const uint64_t given = atomic_load(&c->given), given_count = atomic_load(&c->given_count);
  raise_peak(&c->peak, atomic_fetch_add(&c->taken, bytes) + bytes - given);
  raise_peak(&c->peak_count, atomic_fetch_add(&c->taken_count, 1) + 1 - given_count);
}

void ndi_counters_give(ndi_counters *c, size_t bytes) {
  atomic_fetch_add(&c->given, bytes);
  atomic_fetch_add(&c->given_count, 1);
}

uint64_t ndi_counters_live(const ndi_counters *c) {
  const uint64_t given = atomic_load(&c->given);
  return atomic_load(&c->taken) - given;
}

/* While others take and give the difference may be of two moments: it stays below the peak. */
static nd_gauge gauge(uint64_t taken, uint64_t given, uint64_t peak) {
  const uint64_t now = taken - given;
  return (nd_gauge){now < peak ? now : peak, peak, taken};
}

void ndi_counters_read(const ndi_counters *c, nd_mem_stats *out) {
  const uint64_t given = atomic_load(&c->given), given_count = atomic_load(&c->given_count);
  const uint64_t taken = atomic_load(&c->taken), taken_count = atomic_load(&c->taken_count);
  out->live = gauge(taken, given, atomic_load(&c->peak));
  out->live_count = gauge(taken_count, given_count, atomic_load(&c->peak_count));
  out->failed_takes = atomic_load(&c->failed_takes);
  out->failed_gives = atomic_load(&c->failed_gives);
}
