/* Counters of a layer, in nested scopes. A block counts in the innermost scope; as that ends, the
 * scope around it has counted what it did. So the sum over all scopes is what is there. */
#include <limits.h>
#include <stdlib.h>

#include "mem/adapt/adapt.h"
#include "mem/spin.h"

void ndi_meter_add(ndi_meter *meter, int64_t bytes, int64_t blocks) {
  ndi_spin_lock(&meter->lock);
  nd_gauge_add(&meter->scope.bytes, bytes);
  nd_gauge_add(&meter->scope.blocks, blocks);
  ndi_spin_unlock(&meter->lock);
}

static void reset_peak(nd_gauge *gauge) { gauge->peak = (int64_t)gauge->now > 0 ? gauge->now : 0; }

void ndi_meter_reset_peak(ndi_meter *meter) {
  ndi_spin_lock(&meter->lock);
  reset_peak(&meter->scope.bytes);
  reset_peak(&meter->scope.blocks);
  ndi_spin_unlock(&meter->lock);
}

/* The caller subtracts what is pending. What was so before the scope is no concern of it. */
static void read_scope(const ndi_meter *meter, nd_mem_stats *out) {
  out->live = meter->scope.bytes, out->live_count = meter->scope.blocks;
  out->live.now += meter->scope.pending, out->live_count.now += meter->scope.pending_blocks;
  out->is_scoped = meter->depth > 0;
}

void ndi_meter_read(ndi_meter *meter, nd_mem_stats *out) {
  ndi_spin_lock(&meter->lock);
  read_scope(meter, out);
  ndi_spin_unlock(&meter->lock);
}

/* Room for one more outer scope; not under the lock, as it allocates. Two threads that begin a
 * scope of one layer at a time may both try. */
static nd_status grow(ndi_meter *meter, nd_error *err) {
  ndi_spin_lock(&meter->lock);
  const int room = meter->room, depth = meter->depth;
  ndi_spin_unlock(&meter->lock);
  if (depth < room) return ND_OK;
  /* twice as many each time, as all are copied */
  const int wanted = room <= INT_MAX / 2 - 8 ? 2 * room + 8 : room;
  ndi_scope *more = wanted > room ? malloc((size_t)wanted * sizeof *more) : NULL;
  if (!more) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for the counters of a scope");
  ndi_spin_lock(&meter->lock);
  if (meter->room == room) {
    for (int i = 0; i < meter->depth; i++) more[i] = meter->outer[i];
    ndi_scope *former = meter->outer;
    meter->outer = more, meter->room = wanted, more = former;
  }
  ndi_spin_unlock(&meter->lock);
  free(more);
  return ND_OK;
}

nd_status ndi_meter_push(ndi_meter *meter, const nd_mem_stats *now, nd_error *err) {
  for (;;) {
    ND_TRY(grow(meter, err));
    ndi_spin_lock(&meter->lock);
    const bool has_room = meter->depth < meter->room;
    if (has_room) {
      meter->outer[meter->depth++] = meter->scope;
      meter->scope = (ndi_scope){.pending = now->pending.now,
                                 .pending_blocks = now->pending_count.now};
    }
    ndi_spin_unlock(&meter->lock);
    if (has_room) return ND_OK;
  }
}

/* The outer scope has had what it has now when the inner one began. */
static void merge(nd_gauge *outer, const nd_gauge *inner) {
  const int64_t peak = (int64_t)outer->now + (int64_t)inner->peak;
  if (peak > (int64_t)outer->peak) outer->peak = (uint64_t)peak;
  outer->now += inner->now;
  outer->total += inner->total;
}

nd_status ndi_meter_pop(ndi_meter *meter, nd_mem_stats *out, nd_error *err) {
  ndi_spin_lock(&meter->lock);
  const bool is_in = meter->depth > 0;
  if (is_in) {
    const ndi_scope inner = meter->scope;
    read_scope(meter, out);
    meter->scope = meter->outer[--meter->depth];
    merge(&meter->scope.bytes, &inner.bytes);
    merge(&meter->scope.blocks, &inner.blocks);
  }
  ndi_spin_unlock(&meter->lock);
  if (is_in) return ND_OK;
  return nd_fail(err, ND_INVALID_ARGUMENT, "there is no scope to end: push_stats begins one");
}

/* As if all scopes had ended. */
uint64_t ndi_meter_peak(ndi_meter *meter) {
  ndi_spin_lock(&meter->lock);
  nd_gauge all = meter->scope.bytes;
  for (int i = meter->depth - 1; i >= 0; i--) {
    nd_gauge outer = meter->outer[i].bytes;
    merge(&outer, &all);
    all = outer;
  }
  ndi_spin_unlock(&meter->lock);
  return all.peak;
}

void ndi_meter_close(ndi_meter *meter) { free(meter->outer); }
