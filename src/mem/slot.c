/* The table of slots: an array of chunks, so that it grows without moving, and is read without a
 * lock. Free slots are in a list under a lock, but each thread keeps the slot that it gave back
 * last for its next take: a loop that makes and drops temporaries takes no lock. */
#include "mem/slot.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/lock.h"

/* At most 64 Mi slots; the array of chunks itself takes 512 KiB of zero pages, used as it grows. */
enum { CHUNK = 1024, CHUNKS = 65536 };

static _Atomic(nd_slot *) chunks[CHUNKS];
static uint32_t chunk_count;         /* guarded by NDI_LOCK_SLOTS */
static nd_slot *free_slots;          /* guarded by NDI_LOCK_SLOTS */
static _Thread_local nd_slot *spare; /* given back last by this thread */

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

/* The destructor of a thread-specific key returns the spare slot of a thread that ends. Without a
 * key (the system has few) no spare is kept. */
static pthread_key_t exit_key;
static bool has_exit_key;
static _Thread_local bool is_at_exit_set;

static void return_spare(void *unused) {
  (void)unused;
  if (spare) share_slot(spare);
  spare = NULL;
  is_at_exit_set = false; /* destructors that run later may give a slot, and set it again */
}

static void make_exit_key(void) { has_exit_key = pthread_key_create(&exit_key, return_spare) == 0; }

/* A destructor runs only for a value that is not NULL: any will do. */
static bool may_keep_spare(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (is_at_exit_set) return true;
  pthread_once(&once, make_exit_key);
  is_at_exit_set = has_exit_key && pthread_setspecific(exit_key, &spare) == 0;
  return is_at_exit_set;
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
