/* Calls through the table of a resource, with its defaults, and the list of caches.
 *
 * An adaptor is a resource with an upstream. It implements what it changes, take and give at least;
 * all else goes on to the nearest upstream that has it. */
#include "mem/resource.h"

#include <string.h>

#include "base/lock.h"
#include "mem/host.h"

/* As long as the process lives, so that contended counting is not needed? */
static bool stays(const nd_resource *self) {
  return !self->ops->close || atomic_load_explicit(&self->stays, memory_order_relaxed);
}

/* Relaxed, because the caller has a reference already, so that 'self' cannot be closed meanwhile.
 */
nd_resource *nd_resource_hold(nd_resource *self) {
  if (stays(self)) return self;
  atomic_fetch_add_explicit(&self->holds, 1, memory_order_relaxed);
  return self;
}

void nd_resource_drop(nd_resource *self) {
  if (!self || stays(self) || atomic_fetch_sub(&self->holds, 1) != 1) return;
  nd_resource *up = self->up; /* read before 'self' is freed */
  self->ops->close(self);
  nd_resource_drop(up);
}

void nd_resource_init(nd_resource *self, const nd_resource_ops *ops, nd_memkind kind,
                      uint16_t device) {
  self->ops = ops;
  self->kind = (uint8_t)kind;
  self->device = device;
  atomic_init(&self->holds, 1);
}

void nd_resource_keep(nd_resource *self) {
  for (; self; self = self->up) atomic_store_explicit(&self->stays, true, memory_order_relaxed);
}

void nd_resource_init_on(nd_resource *self, const nd_resource_ops *ops, nd_resource *up) {
  nd_resource_init(self, ops, up->kind, up->device);
  self->is_aliased = up->is_aliased;
  self->is_ordered = up->is_ordered;
  self->is_deferred = up->is_deferred;
  self->up = nd_resource_hold(up);
}

const nd_resource *nd_resource_leaf(const nd_resource *self) {
  while (self->up) self = self->up;
  return self;
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

/* {=== what adaptors inherit ===} The nearest resource that has the entry is called, and it alone:
 * an adaptor with an entry of its own decides whether its upstream is asked as well. */

#define NEAREST(self, entry) \
  while ((self) && !(self)->ops->entry) (self) = (self)->up

nd_status nd_resource_reap(nd_resource *self, nd_reap_mode mode, size_t *freed, nd_error *err) {
  *freed = 0;
  NEAREST(self, reap);
  return self ? self->ops->reap(self, mode, freed, err) : ND_OK;
}

nd_status nd_resource_trim(nd_resource *self, size_t keep, size_t *freed, nd_error *err) {
  *freed = 0;
  NEAREST(self, trim);
  return self ? self->ops->trim(self, keep, freed, err) : ND_OK;
}

bool nd_resource_is_idle(nd_resource *self) {
  NEAREST(self, is_idle);
  return self ? self->ops->is_idle(self) : true;
}

size_t nd_resource_grants(nd_resource *self, const nd_request *request) {
  NEAREST(self, grants);
  return self ? self->ops->grants(self, request) : request->bytes;
}

nd_status nd_resource_fits(nd_resource *self, const nd_request *request, nd_error *err) {
  NEAREST(self, fits);
  return self ? self->ops->fits(self, request, err) : ND_OK;
}

uint64_t nd_resource_total(nd_resource *self) {
  NEAREST(self, total);
  return self ? self->ops->total(self) : 0;
}

uint32_t nd_resource_queue(nd_resource *self) {
  NEAREST(self, queue);
  return self ? self->ops->queue(self) : 0;
}

nd_status nd_resource_wake(nd_resource *self, nd_error *err) {
  NEAREST(self, wake);
  return self ? self->ops->wake(self, err) : ND_OK;
}

nd_status nd_resource_fill(nd_resource *self, const nd_block *block, size_t offset, size_t bytes,
                           uint8_t value, const nd_uses *after, nd_point *ready, nd_error *err) {
  NEAREST(self, fill);
  if (!self) return nd_fail(err, ND_UNSUPPORTED, "memory of this kind is not filled");
  return self->ops->fill(self, block, offset, bytes, value, after, ready, err);
}

nd_status nd_resource_fetch(nd_resource *self, const nd_block *block, size_t offset, size_t bytes,
                            void *to, const nd_uses *after, nd_point *ready, nd_error *err) {
  NEAREST(self, fetch);
  if (!self) return nd_fail(err, ND_UNSUPPORTED, "memory of this kind is not fetched");
  return self->ops->fetch(self, block, offset, bytes, to, after, ready, err);
}

nd_resource *nd_resource_staging(nd_resource *self) {
  NEAREST(self, staging);
  return self ? self->ops->staging(self) : NULL;
}

nd_answer nd_resource_ask(nd_resource *self, size_t bytes, nd_error *err) {
  nd_answer answer = ND_ANSWER_NO;
  for (; self && answer == ND_ANSWER_NO; self = self->up)
    if (self->ops->ask) answer = self->ops->ask(self, bytes, err);
  return answer;
}

nd_status nd_resource_check(nd_resource *self, const nd_block *block, nd_error *err) {
  NEAREST(self, check);
  return self ? self->ops->check(self, block, err) : ND_OK;
}

void nd_resource_watch(nd_resource *self, const nd_block *block, _Atomic uint64_t *epoch) {
  NEAREST(self, watch);
  if (self) self->ops->watch(self, block, epoch);
}

/* {=== counting ===} */

/* Resources count pending blocks as live, since they have not got them back: subtract those. The
 * two counters are not read at one moment, so the difference might be negative. */
static void subtract_pending(nd_gauge *from, uint64_t part, bool is_scoped) {
  from->now = from->now > part || is_scoped ? from->now - part : 0;
}

/* A leaf's small blocks have no ticket, so they are not among its requests. */
static uint64_t count_requests(const nd_resource *asked, const nd_mem_stats *stats) {
  return asked->up ? asked->requests : stats->live_count.total + asked->failed_takes;
}

void nd_resource_get_stats(nd_resource *self, nd_mem_stats *out) {
  /* failures are counted where the block was asked for, bytes where they come from */
  nd_resource *asked = self;
  memset(out, 0, sizeof *out);
  out->limit = out->remaining = UINT64_MAX;
  NEAREST(self, stats);
  if (!self) return;
  out->pending = ndi_gauge_read(&self->pending.bytes);
  out->pending_count = ndi_gauge_read(&self->pending.blocks);
  out->held = ndi_gauge_read(&self->held.bytes);
  out->held_count = ndi_gauge_read(&self->held.blocks);
  self->ops->stats(self, out);
  subtract_pending(&out->live, out->pending.now, out->is_scoped);
  subtract_pending(&out->live_count, out->pending_count.now, out->is_scoped);
  out->requests = count_requests(asked, out) - asked->requests_before;
  out->failed_takes = asked->failed_takes, out->failed_gives = asked->failed_gives;
}

void nd_resource_reset_requests(nd_resource *self) {
  nd_mem_stats stats;
  nd_resource_get_stats(self, &stats);
  atomic_fetch_add(&self->requests_before, stats.requests);
}

void nd_resource_reset_peak(nd_resource *self) {
  NEAREST(self, reset_peak);
  if (self) self->ops->reset_peak(self);
}

/* {=== caches ===} */

/* A list in the order in which they came: so one who walks it, without the lock, finds where to go
 * on, also where what it had last was taken off meanwhile. All guarded by NDI_LOCK_CACHES. */
static nd_resource *first_cache, *last_cache;
static uint64_t last_number; /* of those that ever came; 0: none */

void ndi_cache_register(nd_resource *self) {
  ndi_cache_link *its = &self->cache;
  ndi_lock(NDI_LOCK_CACHES);
  if (its->number == 0) {
    *its = (ndi_cache_link){.before = last_cache, .number = ++last_number};
    *(last_cache ? &last_cache->cache.after : &first_cache) = self;
    last_cache = self;
  }
  ndi_unlock(NDI_LOCK_CACHES);
}

void ndi_cache_unregister(nd_resource *self) {
  ndi_cache_link *its = &self->cache;
  ndi_lock(NDI_LOCK_CACHES);
  if (its->number > 0) {
    *(its->before ? &its->before->cache.after : &first_cache) = its->after;
    *(its->after ? &its->after->cache.before : &last_cache) = its->before;
    *its = (ndi_cache_link){0};
  }
  ndi_unlock(NDI_LOCK_CACHES);
}

/* One that is being closed has no reference left. */
static bool try_hold(nd_resource *self) {
  if (stays(self)) return true;
  unsigned holds = atomic_load(&self->holds);
  while (holds > 0)
    if (atomic_compare_exchange_weak(&self->holds, &holds, holds + 1)) return true;
  return false;
}

/* A walk through those that are registered as it begins. */
typedef struct {
  nd_resource *at; /* with a reference, which keeps it while it is used without the lock */
  uint64_t number, last;
} walk;

static walk begin_walk(void) {
  ndi_lock(NDI_LOCK_CACHES);
  const walk w = {.last = last_number};
  ndi_unlock(NDI_LOCK_CACHES);
  return w;
}

/* The one to try next; the lock is held. */
static nd_resource *find_next(const walk *w) {
  if (w->at && w->at->cache.number == w->number) return w->at->cache.after;
  nd_resource *cache = first_cache;
  while (cache && cache->cache.number <= w->number) cache = cache->cache.after;
  return cache;
}

/* Move on; false: that was the last. What is left may be closed, which takes the lock. */
static bool move_on(walk *w) {
  nd_resource *former = w->at;
  ndi_lock(NDI_LOCK_CACHES);
  nd_resource *cache = find_next(w);
  while (cache && cache->cache.number <= w->last && !try_hold(cache)) cache = cache->cache.after;
  w->at = cache && cache->cache.number <= w->last ? cache : NULL;
  if (w->at) w->number = w->at->cache.number;
  ndi_unlock(NDI_LOCK_CACHES);
  nd_resource_drop(former);
  return w->at != NULL;
}

/* Pools have nothing to wait for; guards look at what they keep. */
void ndi_caches_wait(uint16_t device) {
  size_t freed;
  for (walk w = begin_walk(); move_on(&w);)
    if (w.at->up && w.at->device == device) nd_resource_reap(w.at, ND_REAP_WAIT, &freed, NULL);
}

/* Trim those that are on this device; those that are adaptors. */
static size_t trim_each(bool is_adaptor, uint16_t device, size_t keep) {
  size_t sum = 0, freed;
  for (walk w = begin_walk(); move_on(&w);) {
    const bool is_meant = is_adaptor ? w.at->up != NULL : w.at->device == device;
    if (is_meant && nd_resource_trim(w.at, keep, &freed, NULL) == ND_OK) sum += freed;
  }
  return sum;
}

size_t nd_caches_trim(uint16_t device, size_t keep) {
  size_t sum = trim_each(false, device, keep), freed;
  if (device == 0 && nd_resource_trim(nd_host_resource(), keep, &freed, NULL) == ND_OK)
    sum += freed;
  return sum;
}

/* There is no later chance, so what a driver refused is tried again. */
void ndi_caches_empty(void) {
  for (int i = 0; i < 2; i++) trim_each(true, 0, 0);
}

void nd_caches_kept(uint16_t device, nd_memkind kind, uint64_t *bytes, uint64_t *blocks) {
  uint64_t more, count;
  *bytes = *blocks = 0;
  ndi_lock(NDI_LOCK_CACHES);
  for (nd_resource *cache = first_cache; cache; cache = cache->cache.after) {
    if (!cache->up || cache->device != device || cache->kind != (uint8_t)kind) continue;
    if (!cache->ops->kept) continue; /* a guard, whose blocks are live below */
    cache->ops->kept(cache, &more, &count);
    *bytes += more, *blocks += count;
  }
  ndi_unlock(NDI_LOCK_CACHES);
}
