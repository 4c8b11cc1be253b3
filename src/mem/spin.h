/* The lock of a storage, of which there are too many for one of base/lock.h each: a spin lock, held
 * for a few instructions, never while memory is allocated or a driver is called. */
#ifndef ND_MEM_SPIN_H
#define ND_MEM_SPIN_H

#include <sched.h>

#include "base/lock.h"
#include "mem/storage.h"

/* A locked lock has the fork count plus 1. If another thread held it when this process was forked,
 * the count is an older one: that thread does not exist here, and the lock counts as free. */
static inline void lock_storage(nd_storage *self) {
  const unsigned mine = ndi_forks() + 1;
  unsigned seen = 0;
  while (!atomic_compare_exchange_weak_explicit(&self->lock, &seen, mine, memory_order_acquire,
                                                memory_order_relaxed))
    if (seen == mine) { /* held by a thread of this process */
      sched_yield();    /* which the scheduler may have stopped */
      seen = 0;
    }
}

static inline void unlock_storage(nd_storage *self) {
  atomic_store_explicit(&self->lock, 0, memory_order_release);
}

#endif
