/* Slots: the table of blocks that tickets refer to. It grows, but never shrinks, and slots do not
 * move: so a ticket can be checked against its slot at any time, however stale it is. */
#ifndef ND_MEM_SLOT_H
#define ND_MEM_SLOT_H

#include "mem/resource.h"

typedef struct nd_slot {
  /* Incremented by each take and each give, so that it is odd while the slot has a live block, and
   * different for each block that it ever had. A ticket is live while it has the same number. */
  _Atomic uint64_t generation;
  struct nd_slot *next; /* in the free list or the pending list: giving back needs no memory */
  uint32_t index;       /* its place in the table */
  nd_resource *from;    /* where the block goes back to */
  nd_block block;
  nd_uses *after;           /* once given back: the uses that must be done before it is freed, or
                               NULL; owned */
  _Atomic uint64_t *epoch;  /* of the storage that has the block, or NULL */
  _Atomic size_t own_bytes; /* as 'granted'; 0 for foreign memory. ndi_slot_largest reads both */
  _Atomic uint16_t device;  /* while other threads take and give the slot */
  int refusals;             /* how often the resource refused to free the pending block */
  int64_t retry_at;         /* then: when to try again, in milliseconds of the monotonic clock */
} nd_slot;

/* Take a slot for a new block. Thread-safe. NULL when there is no memory for more. */
nd_slot *ndi_slot_take(void);

/* Return a slot whose block was freed. Allocates nothing and cannot fail. */
void ndi_slot_give(nd_slot *slot);

/* The slot with this index; NULL if there is none (yet). Lock-free. */
nd_slot *ndi_slot_find(uint32_t index);

/* Iterate over the table: the slot after 'slot' (NULL: the first), live or not; NULL after the
 * last. Other threads may take and give slots meanwhile. */
nd_slot *ndi_slot_next(const nd_slot *slot);

/* Write the sizes of the largest live blocks of a device, without foreign memory, in descending
 * order, at most 'count'. Returns how many. For messages: other threads may change them. */
int ndi_slot_largest(uint16_t device, int count, size_t *bytes);

#endif
