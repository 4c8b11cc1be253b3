/* Allocations of every kind: where they are, what their bytes are, and what an address means. */
#include "sim.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 64 << 10, POISON = 0xcd, POISON_MOST = 1 << 20 };

typedef struct {
  sim_block **list;
  size_t count, room;
} block_list;

/* 'arena' by address, one for each place in it; registered memory in no order. */
static block_list in_arena, registered;
static uint64_t ids;

static void append(block_list *list, sim_block *block) {
  if (list->count == list->room) {
    const size_t room = list->room ? 2 * list->room : 64;
    sim_block **more = realloc(list->list, room * sizeof *more);
    if (!more) abort();
    list->list = more, list->room = room;
  }
  list->list[list->count++] = block;
}

static bool is_for_host(const sim_block *block) {
  return block->kind == MANAGED || block->kind == PINNED;
}

static size_t chunks_of(const sim_block *block) {
  return (block->span + CHUNK_BYTES - 1) / CHUNK_BYTES;
}

/* ---- making ---- */

/* Device memory begins where a page does not: nobody may count on it. */
static void start_life(sim_block *block, size_t bytes) {
  block->address = block->base + (is_for_host(block) ? 0 : 512);
  block->bytes = bytes;
  block->id = ++ids;
  block->is_live = true;
  block->is_cached = block->is_refused = false;
  block->use_count = 0;
}

static sim_block *free_place(size_t span) {
  for (size_t i = 0; i < in_arena.count; i++) {
    sim_block *b = in_arena.list[i];
    const bool is_free = !b->is_live && !b->owns_extent && sim_is_free_done(b);
    if (is_free && b->span == span) return b;
  }
  return NULL;
}

static sim_block *new_place(size_t span) {
  sim_block *block = calloc(1, sizeof *block);
  if (!block) return NULL;
  block->base = sim_arena_take(span);
  if (!block->base) {
    free(block);
    return NULL;
  }
  block->span = span;
  block->extent = NO_EXTENT;
  append(&in_arena, block);
  return block;
}

/* What is written first shows reads of what nobody wrote; beyond some size, dirt does it. */
static bool open_to_host(sim_block *block) {
  if (!sim_map_for_host(block->base, block->span, block->extent)) return false;
  const size_t most = block->span < POISON_MOST ? block->span : POISON_MOST;
  memset(sim_shadow(block->extent), POISON, most);
  return true;
}

sim_block *sim_block_make(sim_kind kind, int device, size_t bytes, uint64_t extent) {
  const size_t most = (size_t)1 << 46;
  if (bytes > most) return NULL;
  const size_t span = sim_span_of(kind, bytes);
  sim_block *block = settings.is_reusing ? free_place(span) : NULL;
  if (!block) block = new_place(span);
  if (!block && !(block = free_place(span))) {
    sim_report(LIMIT, "%s: the simulator's addresses are used up", sim_calling());
    return NULL;
  }
  block->extent = extent == NO_EXTENT ? sim_extent_take(span) : extent;
  block->owns_extent = block->extent != NO_EXTENT;
  block->kind = kind, block->device = device;
  block->pool = 0, block->flags = 0, block->charged = 0;
  if (!block->owns_extent || (is_for_host(block) && !open_to_host(block))) return NULL;
  free(block->is_touched);
  block->is_touched = is_for_host(block) ? NULL : calloc(chunks_of(block), 1);
  start_life(block, bytes);
  return block;
}

size_t sim_span_of(sim_kind kind, size_t bytes) {
  const size_t extra = kind == DEVICE || kind == POOL ? 512 : 0;
  return (bytes + extra + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
}

static sim_block *unused_registration(void) {
  for (size_t i = 0; i < registered.count; i++)
    if (!registered.list[i]->is_live) return registered.list[i];
  sim_block *block = calloc(1, sizeof *block);
  if (block) append(&registered, block);
  return block;
}

sim_block *sim_block_register(uint64_t address, size_t bytes) {
  sim_block *block = unused_registration();
  if (!block) return NULL;
  *block = (sim_block){.base = address,
                       .address = address,
                       .span = bytes,
                       .bytes = bytes,
                       .extent = NO_EXTENT,
                       .kind = REGISTERED,
                       .is_live = true,
                       .id = ++ids};
  return block;
}

/* ---- the end ---- */

void sim_block_free(sim_block *block, const sim_op *op) {
  block->is_live = false;
  block->free_queue = op ? op->queue : -1;
  block->free_number = op ? op->number : 0;
  free(block->uses);
  block->uses = NULL;
  block->use_count = block->use_room = 0;
  sim_protect_end(block);
  if (!op && is_for_host(block)) sim_unmap_for_host(block->base, block->span);
}

/* Work that came before a free may still wait for its turn, and keeps the extent's number. */
void sim_block_release(sim_block *block) {
  if (!block->owns_extent) return;
  if (!sim_is_free_done(block)) sim_run_all();
  sim_extent_give(block->extent, block->span);
  block->owns_extent = false;
}

bool sim_is_free_done(const sim_block *block) {
  return block->free_queue < 0 || block->free_number <= queues[block->free_queue].done;
}

void sim_block_revive(sim_block *block, size_t bytes) { start_life(block, bytes); }

/* ---- looking ---- */

/* The last one at or below an address. */
static sim_block *arena_block_at(uint64_t address) {
  size_t low = 0, high = in_arena.count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (in_arena.list[middle]->base <= address) low = middle + 1;
    else high = middle;
  }
  sim_block *block = low ? in_arena.list[low - 1] : NULL;
  return block && address - block->base < block->span + PAGE_BYTES ? block : NULL;
}

static sim_block *registered_block_at(uint64_t address) {
  for (size_t i = 0; i < registered.count; i++) {
    sim_block *b = registered.list[i];
    if (b->is_live && address - b->address < b->bytes) return b;
  }
  return NULL;
}

sim_block *sim_block_at(uint64_t address) {
  return sim_is_arena(address) ? arena_block_at(address) : registered_block_at(address);
}

static CUresult out_of_bounds(const sim_block *block, uint64_t address, size_t bytes) {
  sim_report(OUT_OF_BOUNDS, "%s: %zu bytes at %#llx; the allocation has %zu at %#llx",
             sim_calling(), bytes, (unsigned long long)address, block->bytes,
             (unsigned long long)block->address);
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_block_find(uint64_t address, size_t bytes, sim_block **out) {
  sim_block *block = sim_block_at(address);
  if (!block && !sim_is_arena(address)) {
    *out = NULL;
    return CUDA_SUCCESS;
  }
  if (!block) {
    sim_report(OUT_OF_BOUNDS, "%s: nothing was allocated at %#llx", sim_calling(),
               (unsigned long long)address);
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (!block->is_live) {
    sim_report(USE_AFTER_FREE, "%s: %#llx was freed", sim_calling(), (unsigned long long)address);
    return CUDA_ERROR_INVALID_VALUE;
  }
  const uint64_t offset = address - block->address;
  if (address < block->address || offset > block->bytes || bytes > block->bytes - offset)
    return out_of_bounds(block, address, bytes);
  *out = block;
  return CUDA_SUCCESS;
}

sim_block *sim_block_next(const sim_block *after, size_t *at) {
  if (!after) *at = 0;
  const size_t i = (*at)++;
  if (i < in_arena.count) return in_arena.list[i];
  return i - in_arena.count < registered.count ? registered.list[i - in_arena.count] : NULL;
}

/* ---- bytes ---- */

sim_region sim_bytes_at(uint64_t address, size_t bytes) {
  return (sim_region){address, bytes, 1, 1, bytes, bytes};
}

size_t sim_hull(const sim_region *r) {
  return (r->depth - 1) * r->slice + (r->height - 1) * r->pitch + r->width;
}

char *sim_block_bytes(const sim_block *block, uint64_t address) {
  if (!block || block->kind == REGISTERED) return (char *)(uintptr_t)address;
  return sim_shadow(block->extent) + (address - block->base);
}

void sim_block_forget(sim_block *block) {
  if (block->is_touched) memset(block->is_touched, 0, chunks_of(block));
}

void sim_block_touch(sim_block *block, const sim_region *region, bool is_write) {
  if (!block->is_touched) return;
  const size_t bytes = sim_hull(region);
  const size_t first = region->at - block->base, end = first + bytes;
  for (size_t i = first / CHUNK_BYTES; i * CHUNK_BYTES < end; i++) {
    if (block->is_touched[i]) continue;
    block->is_touched[i] = 1;
    const size_t from = i * CHUNK_BYTES;
    const size_t to = from + CHUNK_BYTES < block->span ? from + CHUNK_BYTES : block->span;
    const bool is_covered = is_write && region->height * region->depth == 1 && first <= from &&
                            end >= to;
    if (!is_covered) memset(sim_shadow(block->extent) + from, POISON, to - from);
  }
}

/* ---- for specs ---- */

ND_CUDA_EXPORT bool cusim_peek(uint64_t address, void *out, size_t bytes) {
  sim_lock();
  sim_block *block = sim_block_at(address);
  const bool is_within = block && block->is_live && address >= block->address &&
                         address - block->address <= block->bytes &&
                         bytes <= block->bytes - (address - block->address);
  if (is_within) {
    const sim_region region = sim_bytes_at(address, bytes);
    sim_block_touch(block, &region, false);
    memcpy(out, sim_block_bytes(block, address), bytes);
  }
  sim_unlock();
  return is_within;
}
