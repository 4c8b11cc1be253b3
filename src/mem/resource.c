/* Calls through the table of a resource, with its defaults, and the list of caches.
 *
 * An adaptor is a resource with an upstream. It implements what it changes; reap, trim and stats go
 * on to the nearest upstream that has them, all else is its own to pass on. */
#include "mem/resource.h"

#include <string.h>

#include "base/lock.h"
#include "mem/host.h"

/* A resource without 'close' lives as long as the process: no need for contended counting. Relaxed,
 * because the caller has a reference already, so that 'self' cannot be closed meanwhile. */
nd_resource *nd_resource_hold(nd_resource *self) {
  if (!self->ops->close) return self;
  atomic_fetch_add_explicit(&self->holds, 1, memory_order_relaxed);
  return self;
}

void nd_resource_drop(nd_resource *self) {
  if (!self || !self->ops->close || atomic_fetch_sub(&self->holds, 1) != 1) return;
  nd_resource *up = self->up; /* read before 'self' is freed */
  self->ops->close(self);
  nd_resource_drop(up);
}

/* The block is filled in a local record, as '*out' is written on success only. */
nd_status nd_resource_take(nd_resource *self, const nd_request *request, nd_block *out,
                           nd_error *err) {
  nd_block block = {.bytes = request->bytes, .device = self->device, .kind = self->kind};
  ND_TRY(self->ops->take(self, request, &block, err));
  nd_resource_hold(self);
  *out = block;
  return ND_OK;
}

nd_status nd_resource_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                           nd_error *err) {
  ND_TRY(self->ops->give(self, block, after, err));
  nd_resource_drop(self);
  return ND_OK;
}

/* The nearest resource that has the entry is called, and it alone: an adaptor with an entry of its
 * own decides whether its upstream is asked as well. */
nd_status nd_resource_reap(nd_resource *self, nd_reap_mode mode, size_t *freed, nd_error *err) {
  *freed = 0;
  for (; self; self = self->up)
    if (self->ops->reap) return self->ops->reap(self, mode, freed, err);
  return ND_OK;
}

nd_status nd_resource_trim(nd_resource *self, size_t keep, size_t *freed, nd_error *err) {
  *freed = 0;
  for (; self; self = self->up)
    if (self->ops->trim) return self->ops->trim(self, keep, freed, err);
  return ND_OK;
}

/* Resources count pending blocks as live, since they have not got them back: subtract those. The
 * two counters are not read at one moment, so the difference might be negative. */
static void subtract_pending(nd_gauge *from, uint64_t part) {
  from->now = from->now > part ? from->now - part : 0;
}

void nd_resource_get_stats(nd_resource *self, nd_mem_stats *out) {
  /* failures are counted where the block was asked for, bytes where they come from */
  nd_resource *asked = self;
  memset(out, 0, sizeof *out);
  while (self && !self->ops->stats) self = self->up;
  if (!self) return;
  out->pending.now = self->pending, out->pending_count.now = self->pending_count;
  self->ops->stats(self, out);
  subtract_pending(&out->live, out->pending.now);
  subtract_pending(&out->live_count, out->pending_count.now);
  out->failed_takes = asked->failed_takes, out->failed_gives = asked->failed_gives;
}

/* {=== caches ===} */

/* Entries are only ever added, and never removed, so that readers need no lock. */
enum { CACHES = ND_DEVICES + 1 }; /* one for each device, and pinned memory */
static _Atomic(nd_resource *) caches[CACHES];

/* A full table is no failure: a cache that is not in it is only trimmed by its own takes. */
void ndi_cache_register(nd_resource *self) {
  ndi_lock(NDI_LOCK_CACHES);
  int i = 0;
  while (i < CACHES && caches[i] && caches[i] != self) i++;
  if (i < CACHES) caches[i] = self;
  ndi_unlock(NDI_LOCK_CACHES);
}

size_t nd_caches_trim(uint16_t device, size_t keep) {
  size_t sum = 0, freed;
  if (device == 0 && nd_resource_trim(nd_host_resource(), keep, &freed, NULL) == ND_OK) sum = freed;
  for (int i = 0; i < CACHES && caches[i]; i++)
    if (caches[i]->device == device && nd_resource_trim(caches[i], keep, &freed, NULL) == ND_OK)
      sum += freed;
  return sum;
}
