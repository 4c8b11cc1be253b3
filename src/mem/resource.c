/* Calls through a resource's table, with its defaults, and the counters that leaves keep. */
#include "mem/resource.h"

#include <string.h>

nd_resource *nd_resource_hold(nd_resource *self) {
  atomic_fetch_add_explicit(&self->holds, 1, memory_order_relaxed);
  return self;
}

void nd_resource_drop(nd_resource *self) {
  if (!self || atomic_fetch_sub(&self->holds, 1) != 1) return;
  nd_resource *up = self->up;
  if (self->ops->close) self->ops->close(self);
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

void ndi_counters_take(ndi_counters *counters, size_t bytes) {
  raise_peak(&counters->live_peak, atomic_fetch_add(&counters->live, bytes) + bytes);
  raise_peak(&counters->count_peak, atomic_fetch_add(&counters->count, 1) + 1);
  atomic_fetch_add_explicit(&counters->live_total, bytes, memory_order_relaxed);
  atomic_fetch_add_explicit(&counters->count_total, 1, memory_order_relaxed);
}

void ndi_counters_give(ndi_counters *counters, size_t bytes) {
  atomic_fetch_sub(&counters->live, bytes);
  atomic_fetch_sub(&counters->count, 1);
}

void ndi_counters_read(ndi_counters *counters, nd_mem_stats *out) {
  out->live = (nd_gauge){atomic_load(&counters->live), atomic_load(&counters->live_peak),
                         atomic_load(&counters->live_total)};
  out->live_count = (nd_gauge){atomic_load(&counters->count), atomic_load(&counters->count_peak),
                               atomic_load(&counters->count_total)};
  out->failed_takes = atomic_load(&counters->failed_takes);
  out->failed_gives = atomic_load(&counters->failed_gives);
}
