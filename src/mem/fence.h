/* Queues, points and uses: how memory waits for asynchronous work without knowing the streams and
 * events of a driver. A device gives each of its streams a queue number and numbers its work; a
 * storage records which points of which queues still read or write it. */
#ifndef ND_MEM_FENCE_H
#define ND_MEM_FENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* A piece of work on a queue, and all enqueued there before it: when a point is done, so are all
 * earlier ones of its queue. Queue 0 is the host, which works synchronously: its points are always
 * done. So is seq 0 of any queue, which means no work. */
typedef struct {
  uint32_t queue; /* never reused */
  uint64_t seq;   /* grows with each piece of work */
} nd_point;

/* What a device implements for its queues. All may be called from any thread. */
typedef struct {
  bool (*is_done)(void *context, nd_point point); /* never blocks */
  nd_status (*wait)(void *context, nd_point point, nd_error *err);
  /* optional, default: never. Will nothing of the queue ever be done, as the device is lost? Then
   * memory need not wait for it any more, while whoever wants its results is told by 'wait'. */
  bool (*is_lost)(void *context); /* calls no driver */
} nd_fence_ops;

/* Open a queue whose points 'ops' is asked about, with 'context', which must outlive
 * nd_queue_close. Thread-safe. ND_CAPACITY when all queue numbers are used up. */
nd_status nd_queue_open(const nd_fence_ops *ops, void *context, uint32_t *out, nd_error *err);

/* Close a queue. From now on all its points count as done, so the caller waits for its work first,
 * unless the device is lost. The number is not reused. */
void nd_queue_close(uint32_t queue);

/* What 'ops' was opened with for this queue; NULL where the queue is closed, or another device's.
 */
void *nd_queue_context(uint32_t queue, const nd_fence_ops *ops);

bool nd_point_is_done(nd_point point);
bool nd_point_is_over(nd_point point); /* done, or lost */
nd_status nd_point_wait(nd_point point, nd_error *err);

/* Work that may still read or write the bytes of a storage from 'lo' to before 'hi'. */
typedef struct {
  nd_point at;
  size_t lo, hi;
  bool is_write;
} nd_use;

enum { ND_USES_MOST = 16 };

/* The use record of a storage: the uses that later work may have to come after. Guarded by the lock
 * of the storage. Layers above mem/ treat it as opaque. */
typedef struct {
  int count;
  nd_use use[ND_USES_MOST];
} nd_uses;

/* Does work that reads (with 'is_write': writes) the bytes of 'b' have to come after 'a', or 'a'
 * after it? Two reads need no order. */
bool ndi_use_conflicts(const nd_use *a, const nd_use *b);

/* An empty record, for free(); NULL: no memory. */
nd_uses *ndi_uses_make(void);

/* Record a use, whose work comes after all recorded uses that it conflicts with. Drops what it
 * implies: the uses that a write covers, and earlier ones of its queue that it covers and that are
 * of its kind. A full record merges uses of one queue, to the range that spans both. False, and
 * unchanged, where that is not possible either. Calls no device, so that the lock of the storage
 * may be held. */
bool ndi_uses_add(nd_uses *uses, const nd_use *use);

/* Is there no room for a use of 'queue', whichever it is? Then '*first' is one that it may stand
 * for, if it comes after that one as well. */
bool ndi_uses_are_full(const nd_uses *uses, uint32_t queue, nd_use *first);

/* As ndi_uses_add, where the work comes after 'former' as well: from now on the use stands for
 * both, with a range that spans both. */
bool ndi_uses_replace(nd_uses *uses, const nd_use *former, const nd_use *use);

/* Remove the uses that 'access', whose point does not matter, does not conflict with. */
void ndi_uses_keep(nd_uses *uses, const nd_use *access);

/* Remove the uses that are done. Calls devices, which may call a driver. */
void ndi_uses_settle(nd_uses *uses);

/* Remove the uses that the point 'done', which is done, implies. Calls no device. */
void ndi_uses_drop(nd_uses *uses, nd_point done);

/* Wait for every use that 'access' conflicts with; its point does not matter. 'uses' is a copy of a
 * storage's record: no lock may be held while waiting. Fails as the device's 'wait'. */
nd_status ndi_uses_wait(const nd_uses *uses, const nd_use *access, nd_error *err);

/* Are all uses over? And wait for all of them. NULL: none. */
bool ndi_uses_are_over(const nd_uses *uses);
nd_status ndi_uses_wait_all(const nd_uses *uses, nd_error *err);

#endif
