/* Queues, points and uses: how memory waits for asynchronous work without knowing the streams and
 * events of a driver. A device gives each of its streams a queue number and numbers its work; a
 * storage records which points of which queues still read or write it. */
#ifndef ND_MEM_FENCE_H
#define ND_MEM_FENCE_H

#include <stdbool.h>

#include "base/status.h"

/* A piece of work on a queue, and all enqueued there before it: when a point is done, so are all
 * earlier ones of its queue. Queue 0 is the host, which works synchronously: its points are always
 * done. So is seq 0 of any queue, which means no work. */
typedef struct {
  uint32_t queue; /* never reused */
  uint64_t seq;   /* grows with each piece of work */
} nd_point;

/* What a device implements for its queues. Both functions may be called from any thread. */
typedef struct {
  bool (*is_done)(void *context, nd_point point); /* never blocks */
  nd_status (*wait)(void *context, nd_point point, nd_error *err);
} nd_fence_ops;

/* Open a queue whose points 'ops' is asked about, with 'context', which must outlive
 * nd_queue_close. Thread-safe. ND_CAPACITY when all queue numbers are used up. */
nd_status nd_queue_open(const nd_fence_ops *ops, void *context, uint32_t *out, nd_error *err);

/* Close a queue. From now on all its points count as done, so the caller waits for its work first,
 * unless the device is lost. The number is not reused. */
void nd_queue_close(uint32_t queue);

bool nd_point_is_done(nd_point point);
nd_status nd_point_wait(nd_point point, nd_error *err);

enum { ND_USES_INLINE = 4 };

/* The use record of a storage: work that may still read or write it. It has at most one use for
 * each queue and kind (read or write), the latest, since that implies the earlier ones. Guarded by
 * the lock of the storage. Layers above mem/ treat it as opaque. */
typedef struct {
  int count;
  struct {
    nd_point at;
    bool is_write;
  } use[ND_USES_INLINE];
} nd_uses;

/* Record a use. False, and unchanged, when the record is full. Calls no device, so that the lock of
 * the storage may be held. */
bool ndi_uses_add(nd_uses *uses, nd_point at, bool is_write);

/* Remove the uses that are done. Returns true if none is left that a new read (with 'for_write': a
 * new write) conflicts with: a read conflicts with writes, a write with all uses. Calls devices,
 * which may call a driver. */
bool ndi_uses_is_done(nd_uses *uses, bool for_write);

/* Remove the uses that the point 'done', which is done, implies. Calls no device. */
void ndi_uses_drop(nd_uses *uses, nd_point done);

/* Wait for every use that a new read (with 'for_write': a new write) conflicts with. 'uses' is a
 * copy of a storage's record: no lock may be held while waiting. Fails as the device's 'wait'. */
nd_status ndi_uses_wait(const nd_uses *uses, bool for_write, nd_error *err);

#endif
