/* The table of slots: an array of chunks, so that it grows without moving, and is read without a
 * lock. Free slots are in a list under a lock, but each thread keeps the slot that it gave back
 * last for its next take: a loop that makes and drops temporaries takes no lock. */
#include "mem/slot.h"

#include <stdlib.h>

#include "base/lock.h"
#include "base/thread_exit.h"

/* At most 64 Mi slots; the array of chunks itself takes 512 KiB of zero pages, used as it grows. */
enum { CHUNK = 1024, CHUNKS = 65536 };

static _Atomic(nd_slot *) chunks[CHUNKS];
static uint32_t chunk_count;         /* guarded by NDI_LOCK_SLOTS */
static nd_slot *free_slots;          /* guarded by NDI_LOCK_SLOTS */
static _Thread_local nd_slot *spare; /* given back last by this thread */
static _Thread_local bool is_at_exit_set;

/* Grow the table by a chunk of free slots. NDI_LOCK_SLOTS is held. False: no memory, or no room. */
static bool add_chunk(void) {
  if (chunk_count == CHUNKS) return false;
  nd_slot *fresh = calloc(CHUNK, sizeof *fresh);
  if (!fresh) return false;
  for (uint32_t i = CHUNK; i-- > 0;) { /* backwards: the list then begins with the lowest index */
    fresh[i].index = chunk_count * CHUNK + i;
    fresh[i].next = free_slots;
    free_slots = &fresh[i];
  }
  atomic_store(&chunks[chunk_count++], fresh);
  return true;
}

static void share_slot(nd_slot *slot) {
  ndi_lock(NDI_LOCK_SLOTS);
  slot->next = free_slots;
  free_slots = slot;
  ndi_unlock(NDI_LOCK_SLOTS);
}

static void return_spare(void) {
  if (spare) share_slot(spare);
  spare = NULL;
  is_at_exit_set = false; /* what runs later may give a slot, and ask again */
}

static bool may_keep_spare(void) {
  return is_at_exit_set || (is_at_exit_set = ndi_at_thread_exit(return_spare));
}

nd_slot *ndi_slot_take(void) {
  if (spare) {
    nd_slot *own = spare;
    spare = NULL;
    return own;
  }
  ndi_lock(NDI_LOCK_SLOTS);
  nd_slot *slot = free_slots || add_chunk() ? free_slots : NULL;
  if (slot) free_slots = slot->next;
  ndi_unlock(NDI_LOCK_SLOTS);
  return slot;
}

void ndi_slot_give(nd_slot *slot) {
  if (spare || !may_keep_spare()) share_slot(slot);
  else spare = slot;
}

nd_slot *ndi_slot_find(uint32_t index) {
  nd_slot *chunk = index / CHUNK < CHUNKS ? atomic_load(&chunks[index / CHUNK]) : NULL;
  return chunk ? &chunk[index % CHUNK] : NULL;
}

nd_slot *ndi_slot_next(const nd_slot *slot) { return ndi_slot_find(slot ? slot->index + 1 : 0); }

/* The bytes of the block in 'slot', 0 unless it is live and on 'device'. Another thread may give
 * and take the slot meanwhile, so the values count only if the generation was the same before and
 * after they were read, as in a seqlock. */
static size_t bytes_on(const nd_slot *slot, uint16_t device) {
  const uint64_t generation = atomic_load(&slot->generation);
  const size_t bytes = atomic_load(&slot->device) == device ? atomic_load(&slot->own_bytes) : 0;
  return (generation & 1) && atomic_load(&slot->generation) == generation ? bytes : 0;
}

int ndi_slot_largest(uint16_t device, int count, size_t *bytes) {
  int found = 0;
  for (const nd_slot *slot = ndi_slot_next(NULL); slot; slot = ndi_slot_next(slot)) {
    const size_t own = bytes_on(slot, device);
    int at = found; /* insertion into the sorted list; what moves past its end is dropped */
    for (; at > 0 && bytes[at - 1] < own; at--)
      if (at < count) bytes[at] = bytes[at - 1];
    if (own == 0 || at >= count) continue;
    bytes[at] = own;
    if (found < count) found++;
  }
  return found;
}
