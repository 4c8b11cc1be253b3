/* Who uses which bytes, and whether the clocks say in which order: the race check. It looks at
 * calls alone, whatever the values are and whenever the work runs. */
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- overlap ---- */

/* Is a byte of [low, high) in one of the region's rows? */
static bool has_row_within(const sim_region *r, uint64_t low, uint64_t high) {
  for (size_t z = 0; z < r->depth; z++) {
    const uint64_t at = r->at + z * r->slice;
    if (high <= at || (r->height > 1 && at + (r->height - 1) * r->pitch + r->width <= low))
      continue;
    /* The first row that ends behind 'low'. */
    const size_t y = low < at + r->width ? 0 : (low - at - r->width) / r->pitch + 1;
    if (y < r->height && at + y * r->pitch < high) return true;
  }
  return false;
}

bool sim_overlap(const sim_region *a, const sim_region *b) {
  if (a->at >= b->at + sim_hull(b) || b->at >= a->at + sim_hull(a)) return false;
  for (size_t z = 0; z < a->depth; z++)
    for (size_t y = 0; y < a->height; y++) {
      const uint64_t row = a->at + z * a->slice + y * a->pitch;
      if (has_row_within(b, row, row + a->width)) return true;
    }
  return false;
}

static bool is_linear(const sim_region *r) { return r->height == 1 && r->depth == 1; }

static bool covers(const sim_region *outer, const sim_region *inner) {
  if (is_linear(outer))
    return outer->at <= inner->at && inner->at + sim_hull(inner) <= outer->at + outer->width;
  return outer->at == inner->at && outer->width == inner->width && outer->height == inner->height &&
         outer->depth == inner->depth && outer->pitch == inner->pitch &&
         (outer->depth == 1 || outer->slice == inner->slice);
}

/* ---- the check ---- */

static void report_race(const sim_block *block, const sim_use *before, const char *call, int queue,
                        const sim_region *region, bool is_write) {
  char who[64];
  if (queue < 0) snprintf(who, sizeof who, "the host");
  else snprintf(who, sizeof who, "%s on stream %llu", call, (unsigned long long)queues[queue].id);
  sim_report(RACE,
             "%s %s %zu bytes at +%#llx of %#llx and does not come after %s on stream %llu, "
             "which %s %zu at +%#llx",
             who, is_write ? "writes" : "reads", sim_hull(region),
             (unsigned long long)(region->at - block->address), (unsigned long long)block->address,
             before->call, (unsigned long long)queues[before->queue].id,
             before->is_write ? "writes" : "reads", sim_hull(&before->region),
             (unsigned long long)(before->region.at - block->address));
}

/* Nothing can race with what the host has come after, since all that is enqueued comes after the
 * host; nor with what a later use of the same queue, or a write that came after it, covers. */
static bool is_settled(const sim_use *use, const sim_region *region, bool is_write, int queue,
                       bool comes_after) {
  if (use->number <= host_clock.at[use->queue]) return true;
  if (queue < 0 || !comes_after || !covers(region, &use->region)) return false;
  return is_write || (!use->is_write && use->queue == queue);
}

/* Returns false after a report. Drops the uses that need no more looking at. */
static bool check(sim_block *block, const sim_region *region, bool is_write, int queue,
                  const sim_clock *clock) {
  bool is_safe = true;
  size_t kept = 0;
  for (size_t i = 0; i < block->use_count; i++) {
    const sim_use *use = &block->uses[i];
    const bool comes_after = use->number <= clock->at[use->queue];
    if (is_safe && !comes_after && (is_write || use->is_write) &&
        sim_overlap(&use->region, region)) {
      report_race(block, use, sim_calling(), queue, region, is_write);
      is_safe = false; /* one report for a call */
    }
    if (!is_settled(use, region, is_write, queue, comes_after)) block->uses[kept++] = *use;
  }
  block->use_count = kept;
  return is_safe;
}

void sim_use_by(sim_op *op, sim_block *block, const sim_region *region, bool is_write) {
  if (!block) return;
  check(block, region, is_write, op->queue, &op->clock);
  if (block->use_count == block->use_room) {
    const size_t room = block->use_room ? 2 * block->use_room : 4;
    sim_use *more = realloc(block->uses, room * sizeof *more);
    if (!more) abort();
    block->uses = more, block->use_room = room;
  }
  block->uses[block->use_count++] = (sim_use){*region, op->queue, op->number, is_write,
                                              sim_calling()};
  if (op->work != WRITE) sim_protect_used(block, region); /* words are no data */
}

bool sim_use_by_host(sim_block *block, const sim_region *region, bool is_write) {
  return check(block, region, is_write, -1, &host_clock);
}

const sim_use *sim_pending_use(const sim_block *block) {
  for (size_t i = 0; i < block->use_count; i++)
    if (block->uses[i].number > host_clock.at[block->uses[i].queue]) return &block->uses[i];
  return NULL;
}

/* ---- for specs ---- */

ND_CUDA_EXPORT bool cusim_touch(const void *address, size_t bytes, bool is_write) {
  sim_lock();
  sim_block *block = NULL;
  const uint64_t at = (uintptr_t)address;
  bool is_safe = sim_block_find(at, bytes, &block) == CUDA_SUCCESS;
  const sim_region region = sim_bytes_at(at, bytes);
  if (block && (block->kind == DEVICE || block->kind == POOL)) {
    sim_report(OUT_OF_BOUNDS, "the host uses device memory at %#llx", (unsigned long long)at);
    is_safe = false;
  } else if (block && block->kind == MANAGED && sim_managed_is_locked()) {
    sim_report(MANAGED_TOUCH, "the host uses managed memory at %#llx while a device works",
               (unsigned long long)at);
    is_safe = false;
  } else if (block) {
    is_safe = sim_use_by_host(block, &region, is_write);
  }
  sim_unlock();
  return is_safe;
}
