/* Locks of things of which there are too many for one of base/lock.h each, such as storages: spin
 * locks, held for a few instructions, never while memory is allocated or a driver is called, or
 * another lock is taken. */
#ifndef ND_MEM_SPIN_H
#define ND_MEM_SPIN_H

#include <sched.h>
#include <stdatomic.h>

#include "base/lock.h"

/* A locked lock has the fork count plus 1. If another thread held it when this process was forked,
 * the count is an older one: that thread does not exist here, and the lock counts as free. */
static inline void ndi_spin_lock(atomic_uint *lock) {
  const unsigned mine = ndi_forks() + 1;
  unsigned seen = 0;
  while (!atomic_compare_exchange_weak_explicit(lock, &seen, mine, memory_order_acquire,
                                                memory_order_relaxed))
    if (seen == mine) { /* held by a thread of this process */
      sched_yield();    /* which the scheduler may have stopped */
      seen = 0;
    }
}

static inline void ndi_spin_unlock(atomic_uint *lock) {
  atomic_store_explicit(lock, 0, memory_order_release);
}

#endif
