/* Counters that several threads share. */
#include "mem/gauge.h"

static void raise_peak(atomic_uint_fast64_t *peak, uint_fast64_t now) {
  uint_fast64_t seen = atomic_load_explicit(peak, memory_order_relaxed);
  while (seen < now && !atomic_compare_exchange_weak(peak, &seen, now)) continue;
}

/* The candidate for the peak is the result of this very addition: reading 'now' afterwards could
 * miss it, when another thread subtracts in between. */
void ndi_gauge_raise(ndi_gauge *gauge, size_t by) {
  raise_peak(&gauge->peak, atomic_fetch_add(&gauge->now, by) + by);
  atomic_fetch_add(&gauge->total, by);
}

void ndi_gauge_lower(ndi_gauge *gauge, size_t by) { atomic_fetch_sub(&gauge->now, by); }

/* Another thread may have raised 'now' and not yet the peak: never report a peak below 'now'. */
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
