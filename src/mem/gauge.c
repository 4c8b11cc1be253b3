/* Counters that several threads share. */
#include "mem/gauge.h"

#include "mem/resource.h"

static void raise_peak(atomic_uint_fast64_t *peak, uint_fast64_t now) {
  uint_fast64_t seen = atomic_load_explicit(peak, memory_order_relaxed);
  while (seen < now && !atomic_compare_exchange_weak(peak, &seen, now)) continue;
}

/* What is subtracted meanwhile counts as subtracted before. */
void ndi_gauge_raise(ndi_gauge *gauge, size_t by) {
  const uint_fast64_t added = atomic_fetch_add(&gauge->added, by) + by;
  const uint_fast64_t subtracted = atomic_load(&gauge->subtracted);
  if (added > subtracted) raise_peak(&gauge->peak, added - subtracted);
}

void ndi_gauge_lower(ndi_gauge *gauge, size_t by) { atomic_fetch_add(&gauge->subtracted, by); }

/* Where the other sum is read meanwhile, the value may be too large for that moment. */
void ndi_gauge_return(ndi_gauge *gauge, size_t by) { atomic_fetch_sub(&gauge->subtracted, by); }

/* Both sums at one moment: in which the second did not change while the first was read. Where other
 * threads change it all the time, about that moment. */
static void read_sums(const ndi_gauge *gauge, uint64_t *added, uint64_t *subtracted) {
  uint64_t before;
  int tries = 1000;
  do {
    before = atomic_load(&gauge->subtracted);
    *added = atomic_load(&gauge->added);
    *subtracted = atomic_load(&gauge->subtracted);
  } while (before != *subtracted && tries-- > 0);
  if (*subtracted > *added) *subtracted = *added;
}

/* The peak is never below what was read here once. */
nd_gauge ndi_gauge_read(ndi_gauge *gauge) {
  uint64_t added, subtracted;
  read_sums(gauge, &added, &subtracted);
  raise_peak(&gauge->peak, added - subtracted);
  return (nd_gauge){added - subtracted, atomic_load(&gauge->peak), added};
}

/* Of several threads each goes on from what another saw. Nothing is subtracted: what one subtracts
 * late would be a peak that never was. */
nd_gauge ndi_gauge_follow(ndi_gauge *gauge, atomic_uint_fast64_t *seen, uint64_t now) {
  const uint64_t before = atomic_exchange(seen, now);
  if (now > before) atomic_fetch_add(&gauge->added, now - before);
  raise_peak(&gauge->peak, now);
  return (nd_gauge){now, atomic_load(&gauge->peak), atomic_load(&gauge->added)};
}

/* What is added meanwhile counts at least from then on: the peak is raised again as it is read. */
void ndi_gauge_reset_peak(ndi_gauge *gauge) {
  atomic_store(&gauge->peak, 0);
  ndi_gauge_read(gauge);
}

void ndi_counters_take(ndi_counters *c, size_t bytes) {
  ndi_gauge_raise(&c->bytes, bytes);
  ndi_gauge_raise(&c->blocks, 1);
}

void ndi_counters_give(ndi_counters *c, size_t bytes) {
  ndi_gauge_lower(&c->bytes, bytes);
  ndi_gauge_lower(&c->blocks, 1);
}

uint64_t ndi_counters_now(ndi_counters *c) { return ndi_gauge_read(&c->bytes).now; }

void ndi_counters_read(ndi_counters *c, nd_mem_stats *out) {
  out->live = ndi_gauge_read(&c->bytes);
  out->live_count = ndi_gauge_read(&c->blocks);
}

void ndi_counters_reset_peak(ndi_counters *c) {
  ndi_gauge_reset_peak(&c->bytes);
  ndi_gauge_reset_peak(&c->blocks);
}
