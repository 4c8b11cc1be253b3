/* Queues, points and uses. The table of queues is a fixed array that is indexed by queue number and
 * read without a lock; 'ops' is stored last when a queue opens, and publishes 'context'.
 *
 * A use record is a small array, copied by value: giving a block back, which a finalizer may do,
 * copies the record of the storage and needs no memory for it. As a later point of a queue replaces
 * an earlier one, it has entries for the queues that use one storage at a time, which are few; when
 * it is full all the same, nd_storage_use waits. */
#include "mem/fence.h"

#include <stdatomic.h>

enum { QUEUES = 4096 }; /* each device opens one, once: far fewer are needed */

/* Entry i is queue i; NULL 'ops': not open. An entry is used once, so that a point of a closed
 * queue can never be taken for one of a later queue. */
static struct {
  _Atomic(const nd_fence_ops *) ops;
  void *context;
} queues[QUEUES];
static atomic_uint next_queue = 1; /* queue 0 is the host: never open, so always done */

nd_status nd_queue_open(const nd_fence_ops *ops, void *context, uint32_t *out, nd_error *err) {
  const unsigned at = atomic_fetch_add(&next_queue, 1);
  if (at >= QUEUES) {
    atomic_store(&next_queue, QUEUES); /* so that repeated failures do not wrap it around */
    return nd_fail_with(err, ND_CAPACITY, ND_NUMBERS({"limit", QUEUES - 1}),
                        "all %d queues were used up", QUEUES - 1);
  }
  queues[at].context = context;
  atomic_store(&queues[at].ops, ops);
  *out = at;
  return ND_OK;
}

/* Without 'ops' a queue counts as done. */
void nd_queue_close(uint32_t queue) { atomic_store(&queues[queue].ops, NULL); }

bool nd_point_is_done(nd_point point) {
  const nd_fence_ops *ops = point.queue < QUEUES ? atomic_load(&queues[point.queue].ops) : NULL;
  return !ops || point.seq == 0 || ops->is_done(queues[point.queue].context, point);
}

nd_status nd_point_wait(nd_point point, nd_error *err) {
  const nd_fence_ops *ops = point.queue < QUEUES ? atomic_load(&queues[point.queue].ops) : NULL;
  return !ops || point.seq == 0 ? ND_OK : ops->wait(queues[point.queue].context, point, err);
}

/* Remove the uses that their devices report as done. The others keep their order, on which
 * mem/storage.c relies. */
static void drop_done(nd_uses *uses) {
  int kept = 0;
  for (int i = 0; i < uses->count; i++)
    if (!nd_point_is_done(uses->use[i].at)) uses->use[kept++] = uses->use[i];
  uses->count = kept;
}

bool ndi_uses_add(nd_uses *uses, nd_point at, bool is_write) {
  for (int i = 0; i < uses->count; i++)
    if (uses->use[i].at.queue == at.queue && uses->use[i].is_write == is_write) {
      /* threads may record their points in another order than they got them */
      if (uses->use[i].at.seq < at.seq) uses->use[i].at = at;
      return true;
    }
  if (uses->count == ND_USES_INLINE) return false;
  uses->use[uses->count].at = at;
  uses->use[uses->count++].is_write = is_write;
  return true;
}

/* Reads and writes alike: the point implies both. */
void ndi_uses_drop(nd_uses *uses, nd_point done) {
  int kept = 0;
  for (int i = 0; i < uses->count; i++)
    if (uses->use[i].at.queue != done.queue || uses->use[i].at.seq > done.seq)
      uses->use[kept++] = uses->use[i];
  uses->count = kept;
}

bool ndi_uses_is_done(nd_uses *uses, bool for_write) {
  if (uses->count == 0) return true;
  drop_done(uses);
  for (int i = 0; i < uses->count; i++)
    if (for_write || uses->use[i].is_write) return false;
  return true;
}

nd_status ndi_uses_wait(const nd_uses *uses, bool for_write, nd_error *err) {
  for (int i = 0; i < uses->count; i++)
    if (for_write || uses->use[i].is_write) ND_TRY(nd_point_wait(uses->use[i].at, err));
  return ND_OK;
}
