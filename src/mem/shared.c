/* Shared storages: found by their numbers, and by what is shared, so that the same has one number.
 * One without an export of its own leaves when its storage dies: whoever finds it before tries to
 * add a reference, which fails from then on. */
#include "mem/shared.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/lock.h"

typedef struct nd_shared_entry {
  struct nd_shared_entry *next_number, *next_content; /* in the lists of two tables */
  struct nd_shared_entry *next_of;                    /* of the same storage */
  uint64_t number, hash;                              /* of the content */
  nd_storage *storage;
  bool is_once; /* then it has an export, and is in the table of numbers alone */
  size_t bytes;
  unsigned char more[];
} entry;

/* All guarded by NDI_LOCK_SHARED. 'room' is 0, or a power of two. */
static entry **by_number, **by_content;
static size_t count, room;

/* {=== numbers ===} The upper bits say which process, as the memory is in one alone. */

enum { COUNTER_BITS = 40 };
static uint64_t process;       /* its bits; 0: none */
static unsigned process_forks; /* ndi_forks() when they were drawn */
static uint64_t last;

static uint64_t draw(void) {
  uint64_t bits;
  if (getrandom(&bits, sizeof bits, GRND_NONBLOCK) != sizeof bits)
    bits = ((uint64_t)getpid() << 16 ^ (uint64_t)time(NULL)) * UINT64_C(0x9e3779b97f4a7c15);
  return (bits >> COUNTER_BITS | 1) << COUNTER_BITS;
}

/* The lock is held. */
static void check_process(void) {
  if (process && process_forks == ndi_forks()) return;
  process = draw(), process_forks = ndi_forks();
}

static bool is_of(uint64_t number, uint64_t bits) {
  return number >> COUNTER_BITS == bits >> COUNTER_BITS;
}

uint64_t nd_shared_reserve(void) {
  ndi_lock(NDI_LOCK_SHARED);
  check_process();
  const uint64_t number = process + ++last % (UINT64_C(1) << COUNTER_BITS);
  ndi_unlock(NDI_LOCK_SHARED);
  return number;
}

/* {=== tables ===} */

static uint64_t hash_of(const nd_storage *storage, const void *more, size_t bytes) {
  uint64_t hash = storage->id;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ ((const unsigned char *)more)[i]) * UINT64_C(0x100000001b3);
  return hash ^ hash >> 32;
}

static void insert(entry *e) {
  entry **const number = &by_number[e->number & (room - 1)];
  entry **const content = &by_content[e->hash & (room - 1)];
  e->next_number = *number, *number = e;
  if (!e->is_once) e->next_content = *content, *content = e;
}

static bool grow(void) {
  if (count < room) return true;
  entry **const old = by_number;
  const size_t old_room = room, larger = room ? 2 * room : 16;
  entry **numbers = calloc(larger, sizeof *numbers), **contents = calloc(larger, sizeof *contents);
  if (!numbers || !contents) return free(numbers), free(contents), false;
  free(by_content);
  by_number = numbers, by_content = contents, room = larger;
  for (size_t i = 0; i < old_room; i++)
    for (entry *e = old[i], *next; e; e = next) next = e->next_number, insert(e);
  free(old);
  return true;
}

static void remove_entry(entry *e) {
  entry **at = &by_number[e->number & (room - 1)];
  while (*at != e) at = &(*at)->next_number;
  *at = e->next_number;
  for (at = &by_content[e->hash & (room - 1)]; !e->is_once && *at != e;) at = &(*at)->next_content;
  if (!e->is_once) *at = e->next_content;
  free(e);
  if (--count > 0) return;
  free(by_number), free(by_content);
  by_number = by_content = NULL, room = 0;
}

/* The last reference of such a storage is gone. */
static void forget(const nd_storage *storage) {
  ndi_lock(NDI_LOCK_SHARED);
  for (entry *e = storage->shared, *next; e; e = next) next = e->next_of, remove_entry(e);
  ndi_unlock(NDI_LOCK_SHARED);
}

/* NULL: no memory. */
static entry *add(nd_storage *storage, bool is_once, const void *more, size_t bytes,
                  uint64_t number) {
  entry *e = grow() ? malloc(sizeof *e + bytes) : NULL;
  if (!e) return NULL;
  *e = (entry){.number = number,
               .hash = hash_of(storage, more, bytes),
               .storage = storage,
               .is_once = is_once,
               .bytes = bytes};
  memcpy(e->more, more, bytes);
  insert(e);
  count++;
  if (is_once) return e;
  e->next_of = storage->shared;
  nd_storage_set_shared(storage, e, forget);
  return e;
}

static entry *find_same(const nd_storage *storage, const void *more, size_t bytes) {
  const uint64_t hash = hash_of(storage, more, bytes);
  for (entry *e = room ? by_content[hash & (room - 1)] : NULL; e; e = e->next_content)
    if (e->storage == storage && e->bytes == bytes && memcmp(e->more, more, bytes) == 0 &&
        is_of(e->number, process))
      return e;
  return NULL;
}

static entry *find(uint64_t number) {
  entry *e = room ? by_number[number & (room - 1)] : NULL;
  while (e && e->number != number) e = e->next_number;
  return e;
}

/* {=== calls ===} */

nd_status nd_shared_put(nd_storage *storage, bool is_once, const void *more, size_t bytes,
                        uint64_t *number, nd_error *err) {
  ND_TRY(nd_storage_export(storage, err)); /* others may attach from now on: it is exposed */
  ndi_lock(NDI_LOCK_SHARED);
  const entry *e = is_once ? NULL : find_same(storage, more, bytes);
  if (!e) e = add(storage, is_once, more, bytes, *number);
  if (e) *number = e->number;
  ndi_unlock(NDI_LOCK_SHARED);
  if (!e || !is_once) nd_storage_unexport(storage);
  if (e) return ND_OK;
  return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a list of shared arrays");
}

/* False: the last reference is gone. */
static bool try_hold(nd_storage *storage) {
  unsigned holds = atomic_load(&storage->holds);
  while (holds > 0)
    if (atomic_compare_exchange_weak(&storage->holds, &holds, holds + 1)) return true;
  return false;
}

static nd_status fail_gone(nd_error *err) {
  return nd_fail(err, ND_INVALID_ARGUMENT,
                 "no array of this process is shared by this name: it was taken, or is gone");
}

/* The lock is held. On ND_OK with a reference for the caller; where the number has an export, so
 * has the caller: '*is_exported'. */
static nd_status get(uint64_t number, const entry *e, bool *is_exported, nd_error *err) {
  check_process();
  if (e && !is_of(number, process))
    return nd_fail(err, ND_UNSUPPORTED,
                   "the array was shared by a process that this one was forked from");
  if (!e || !try_hold(e->storage)) return fail_gone(err);
  *is_exported = e->is_once;
  if (e->is_once) nd_storage_export_again(e->storage);
  return ND_OK;
}

nd_status nd_shared_get(uint64_t number, nd_storage **out, void *more, nd_error *err) {
  bool is_exported = false;
  ndi_lock(NDI_LOCK_SHARED);
  const entry *e = find(number);
  nd_status status = get(number, e, &is_exported, err);
  nd_storage *const storage = status == ND_OK ? e->storage : NULL;
  if (status == ND_OK) memcpy(more, e->more, e->bytes);
  ndi_unlock(NDI_LOCK_SHARED);
  if (status != ND_OK) return status;
  if (!is_exported) status = nd_storage_export(storage, err);
  nd_storage_drop(storage);
  *out = storage;
  return status == ND_FREED ? fail_gone(err) : status;
}

nd_status nd_shared_take(uint64_t number, nd_error *err) {
  ndi_lock(NDI_LOCK_SHARED);
  entry *const e = find(number);
  nd_storage *const exported = e && e->is_once ? e->storage : NULL;
  const bool is_there = e != NULL;
  if (exported) remove_entry(e);
  ndi_unlock(NDI_LOCK_SHARED);
  if (exported) nd_storage_unexport(exported);
  return is_there ? ND_OK : fail_gone(err);
}
