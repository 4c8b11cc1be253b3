/* Streams, events, pools and contexts as the caller holds them: numbers that look like pointers. */
#include "sim.h"

#include <stdlib.h>

typedef struct {
  sim_handle_kind kind;
  void *thing;     /* NULL: dropped */
  bool is_excused; /* its giving was made to fail */
} entry;

static const uint64_t FIRST = 0x5eed0000, STEP = 16;
static entry *entries;
static size_t entry_count, entry_room;

static entry *entry_of(uint64_t handle) {
  if (handle < FIRST || (handle - FIRST) % STEP) return NULL;
  const uint64_t i = (handle - FIRST) / STEP;
  return i < entry_count ? &entries[i] : NULL;
}

/* Where handles are reused: the one that was dropped last of all kinds, so that it changes kind. */
static size_t place(void) {
  if (settings.is_reusing)
    for (size_t i = entry_count; i-- > 0;)
      if (!entries[i].thing) return i;
  if (entry_count == entry_room) {
    const size_t room = entry_room ? 2 * entry_room : 64;
    entry *more = realloc(entries, room * sizeof *more);
    if (!more) abort();
    entries = more, entry_room = room;
  }
  return entry_count++;
}

uint64_t sim_handle_make(sim_handle_kind kind, void *thing) {
  const size_t i = place();
  entries[i] = (entry){.kind = kind, .thing = thing};
  return FIRST + STEP * i;
}

void sim_handle_drop(uint64_t handle) { entry_of(handle)->thing = NULL; }

void *sim_handle_find(sim_handle_kind kind, uint64_t handle) {
  const entry *e = entry_of(handle);
  if (e && !e->thing)
    sim_report(STALE, "%s of %#llx, which is gone", sim_calling(), (unsigned long long)handle);
  return e && e->thing && e->kind == kind ? e->thing : NULL;
}

void *sim_handle_peek(sim_handle_kind kind, uint64_t handle) {
  const entry *e = entry_of(handle);
  return e && e->kind == kind ? e->thing : NULL;
}

uint64_t sim_handle_count(sim_handle_kind kind) {
  uint64_t count = 0;
  for (size_t i = 0; i < entry_count; i++) count += entries[i].thing && entries[i].kind == kind;
  return count;
}

uint64_t sim_handle_next(sim_handle_kind kind, uint64_t after) {
  for (size_t i = after ? (after - FIRST) / STEP + 1 : 0; i < entry_count; i++)
    if (entries[i].thing && entries[i].kind == kind) return FIRST + STEP * i;
  return 0;
}

void sim_handle_excuse(uint64_t handle) {
  entry *e = entry_of(handle);
  if (e) e->is_excused = true;
}

bool sim_handle_is_excused(uint64_t handle) { return entry_of(handle)->is_excused; }
