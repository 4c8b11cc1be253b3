/* Points on queues and the uses of a storage: how memory waits for work whose streams it does not
 * know. */
#ifndef ND_MEM_FENCE_H
#define ND_MEM_FENCE_H

#include <stdbool.h>

#include "base/status.h"

/* A point on a queue. Queue 0 is the host, where all is done at once. A queue's number is never
 * reused; seq 0 is before anything; a later point of one queue implies every earlier one. */
typedef struct {
  uint32_t queue;
  uint64_t seq;
} nd_point;

/* What a kind of queue must offer. Both may be called from any thread. */
typedef struct {
  bool (*is_done)(void *context, nd_point point); /* never blocks */
  nd_status (*wait)(void *context, nd_point point, nd_error *err);
} nd_fence_ops;

/* Open a queue whose points 'ops' answers for; 'context' must outlive nd_queue_close. ND_CAPACITY
 * when none is left. */
nd_status nd_queue_open(const nd_fence_ops *ops, void *context, uint32_t *out, nd_error *err);

/* From here on all points of 'queue' count as done. The number is not used again. */
void nd_queue_close(uint32_t queue);

bool nd_point_is_done(nd_point point);
nd_status nd_point_wait(nd_point point, nd_error *err);

enum { ND_USES_INLINE = 4 };

/* The use record: who still reads or writes a storage. One use for each queue and kind; the
 * storage's lock guards it. Layers above treat it as opaque. */
typedef struct {
  int count;
  struct {
    nd_point at;
    bool is_write;
  } use[ND_USES_INLINE];
} nd_uses;

/* Note a use. False: no room. Asks no queue, so that a lock may be held. */
bool ndi_uses_add(nd_uses *uses, nd_point at, bool is_write);

/* True when nothing is left that a read (a write, with 'for_write') would have to wait for; drops
 * what is done. */
bool ndi_uses_is_done(nd_uses *uses, bool for_write);

/* Forget the uses of this record up to a point, which is done. */
void ndi_uses_drop(nd_uses *uses, nd_point done);

/* Wait for every use in this copy of a record that conflicts. No lock may be held. */
nd_status ndi_uses_wait(const nd_uses *uses, bool for_write, nd_error *err);

#endif
