/* The free lists of small pieces: one for each size, a multiple of 64 bytes, in each thread. What
 * another thread gives back goes to the lists of that thread. */
#include "mem/small.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/platform.h"
#include "base/thread_exit.h"

enum {
  UNIT = 64, /* a cache line, and the widest vector register */
  SIZES = 32,
  KEPT_BYTES = ND_IS_CHECKED ? 0
                             : 4 << 20 /* by each thread; a collection gives back many at once */
};

/* In front of each record. */
typedef struct piece {
  struct piece *next; /* in a list */
  atomic_uint holds;
  uint32_t units; /* the size */
} piece;

static _Thread_local struct {
  piece *lists[SIZES]; /* by units */
  size_t bytes;
  bool is_at_exit_set;
} kept;

size_t ndi_small_trim(void) {
  const size_t bytes = kept.bytes;
  for (int i = 0; i < SIZES; i++)
    for (piece *next, *p = kept.lists[i]; p; p = next) next = p->next, free(p);
  for (int i = 0; i < SIZES; i++) kept.lists[i] = NULL;
  kept.bytes = 0;
  return bytes;
}

static void leave(void) {
  ndi_small_trim();
  kept.is_at_exit_set = false;
}

static size_t units_of(size_t bytes) { return (bytes + UNIT - 1) / UNIT; }

void *ndi_small_take(size_t record, size_t bytes, char **data) {
  const size_t front = units_of(sizeof(piece) + record), units = front + units_of(bytes);
  if (units >= SIZES) return NULL;
  piece *p = kept.lists[units];
  if (p) {
    kept.lists[units] = p->next;
    kept.bytes -= units * UNIT;
  } else {
    void *fresh;
    if (posix_memalign(&fresh, UNIT, units * UNIT) != 0) return NULL;
    p = fresh;
    p->units = (uint32_t)units;
  }
  atomic_init(&p->holds, 1);
  *data = (char *)p + front * UNIT;
  return p + 1;
}

void ndi_small_hold(void *record) {
  atomic_fetch_add_explicit(&((piece *)record - 1)->holds, 1, memory_order_relaxed);
}

static void give(piece *p) {
  const size_t bytes = (size_t)p->units * UNIT;
  if (kept.bytes + bytes > KEPT_BYTES) {
    free(p);
    return;
  }
  if (!kept.is_at_exit_set && !(kept.is_at_exit_set = ndi_at_thread_exit(leave))) {
    free(p);
    return;
  }
  p->next = kept.lists[p->units];
  kept.lists[p->units] = p;
  kept.bytes += bytes;
}

void ndi_small_drop(void *record) {
  piece *p = (piece *)record - 1;
  /* nobody else can add a hold to the last one: most drops need no atomic operation */
  if (atomic_load_explicit(&p->holds, memory_order_acquire) == 1 ||
      atomic_fetch_sub(&p->holds, 1) == 1)
    give(p);
}
