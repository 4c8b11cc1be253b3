/* The free lists of blocks between small pieces and mapped ones: one for each size, which is a
 * power of two or up to seven eighths more, so that at most an eighth of a block is room that
 * nobody asked for. */
#include "mem/medium.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/lock.h"

enum {
  FROM_BITS = 10,
  TO_BITS = 20,
  EIGHTH_BITS = 3,
  EIGHTHS = 1 << EIGHTH_BITS,
  SIZES = (TO_BITS - FROM_BITS) * EIGHTHS,
  /* As many bytes as may be in garbage before a collection (DEBT_FLOOR, bind/debt.c; unless much is
   * alive), so that what is made in a loop finds its memory here. */
  MOST = 64 << 20
};
_Static_assert(NDI_MEDIUM_FROM == 1 << FROM_BITS && NDI_MEDIUM_TO == 1 << TO_BITS, "the range");

/* What a block that is kept begins with. */
typedef struct kept {
  struct kept *next;
} kept;

static kept *lists[SIZES]; /* this and the next guarded by NDI_LOCK_HOST */
static size_t kept_bytes;

static size_t size_of(int list) {
  return (size_t)(list % EIGHTHS + EIGHTHS + 1) << (list / EIGHTHS + FROM_BITS - EIGHTH_BITS);
}

/* The first whose size is enough. */
static int list_for(size_t bytes) {
  const size_t last = bytes - 1;
  int bits = FROM_BITS;
  while (last >> bits > 1) bits++;
  return (bits - FROM_BITS) * EIGHTHS + (int)(last >> (bits - EIGHTH_BITS) & (EIGHTHS - 1));
}

size_t ndi_medium_size(size_t bytes) { return size_of(list_for(bytes)); }

static void *take_first(int list) {
  kept *first = lists[list];
  if (!first) return NULL;
  lists[list] = first->next;
  kept_bytes -= size_of(list);
  return first;
}

/* Free blocks of all lists but one, the smallest first, until at most 'keep' bytes are left. */
static void trim(size_t keep, int but) {
  for (int i = 0; i < SIZES && kept_bytes > keep; i++)
    for (void *first; i != but && kept_bytes > keep && (first = take_first(i));) free(first);
}

void *ndi_medium_take(size_t bytes) {
  ndi_lock(NDI_LOCK_HOST);
  void *block = take_first(list_for(bytes));
  ndi_unlock(NDI_LOCK_HOST);
  return block;
}

void ndi_medium_give(void *block, size_t bytes) {
  const int list = list_for(bytes);
  const size_t room = MOST - size_of(list);
  ndi_lock(NDI_LOCK_HOST);
  trim(room, list);
  const bool is_kept = kept_bytes <= room;
  if (is_kept) {
    kept *first = block;
    first->next = lists[list];
    lists[list] = first;
    kept_bytes += size_of(list);
  }
  ndi_unlock(NDI_LOCK_HOST);
  if (!is_kept) free(block);
}

void ndi_medium_trim(void) {
  ndi_lock(NDI_LOCK_HOST);
  trim(0, SIZES);
  ndi_unlock(NDI_LOCK_HOST);
}
