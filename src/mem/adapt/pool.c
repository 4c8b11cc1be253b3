/* The pool adaptor: keeps blocks that were given back for later takes of their size.
 *
 * Sizes are rounded up to eighths of a power of two, so that at most an eighth is wasted and blocks
 * fit again; large pinned blocks to whole pages. A block that is kept may still be in use: then it
 * has the points of that work. A take prefers a block of its own queue, whose order is that of the
 * calls, or one that is done; where the upstream has no more, it gets one that is busy on another
 * queue, to be used from its point on.
 *
 * Each block has a record, made at the take, so that a give needs no memory. */
#include <stdlib.h>
#include <string.h>

#include "mem/adapt/adapt.h"
#include "mem/host.h"
#include "mem/spin.h"
#include "mem/ticket.h"

/* {=== sizes ===} */

enum { LEAST = 512, EXACT_FROM = 1 << 20, CLASSES = 8 * 64 };

static size_t round_up(size_t bytes, size_t step) { return (bytes + step - 1) / step * step; }

/* An eighth of the largest power of two that is not above 'bytes'. */
static size_t eighth_of(size_t bytes) {
  return ((size_t)1 << (63 - __builtin_clzll((unsigned long long)bytes))) / 8;
}

/* Classes: 8 for each power of two, by the three binary digits after the first 1. */
static int class_of(size_t size) {
  const int power = 63 - __builtin_clzll((unsigned long long)size);
  return 8 * power + (int)(size / eighth_of(size)) - 8;
}

/* {=== records ===} */

typedef struct node {
  struct node *next, *previous; /* of the same class, the one given back last first */
  struct node *newer, *older;   /* of all: the oldest goes first */
  nd_block block;               /* the upstream's */
  nd_uses after;                /* what has to be done before it is used by anybody */
  bool is_kept;                 /* once it is given back */
} node;

typedef struct {
  nd_resource base;
  ndi_meter meter;
  ndi_counters cached;
  uint64_t cap;
  _Atomic(uint64_t) largest; /* of the blocks that there ever were */
  bool is_exact;             /* for large blocks */
  atomic_uint lock;          /* of mem/spin.h; guards the lists */
  node *first[CLASSES], *last[CLASSES], *newest, *oldest;
} pool;

static size_t size_of(const pool *p, size_t bytes) {
  if (bytes <= LEAST) return bytes ? LEAST : 0;
  if (bytes > SIZE_MAX / 2) return bytes; /* the upstream refuses it */
  return round_up(bytes, p->is_exact && bytes >= EXACT_FROM ? ndi_page_bytes() : eighth_of(bytes));
}

/* {=== lists ===} The lock is held. */

static void link_node(pool *p, node *n) {
  const int class = class_of(n->block.bytes);
  n->previous = NULL, n->next = p->first[class];
  if (n->next) n->next->previous = n;
  else p->last[class] = n;
  p->first[class] = n;
  n->newer = NULL, n->older = p->newest;
  if (n->older) n->older->newer = n;
  else p->oldest = n;
  p->newest = n;
  ndi_counters_take(&p->cached, n->block.granted);
}

static node *unlink_node(pool *p, node *n) {
  const int class = class_of(n->block.bytes);
  *(n->previous ? &n->previous->next : &p->first[class]) = n->next;
  *(n->next ? &n->next->previous : &p->last[class]) = n->previous;
  *(n->newer ? &n->newer->older : &p->newest) = n->older;
  *(n->older ? &n->older->newer : &p->oldest) = n->newer;
  ndi_counters_give(&p->cached, n->block.granted);
  return n;
}

/* As the oldest one. */
static void link_oldest(pool *p, node *n) {
  const int class = class_of(n->block.bytes);
  n->next = NULL, n->previous = p->last[class];
  *(n->previous ? &n->previous->next : &p->first[class]) = n;
  p->last[class] = n;
  n->older = NULL, n->newer = p->oldest;
  *(n->newer ? &n->newer->older : &p->newest) = n;
  p->oldest = n;
  ndi_counters_take(&p->cached, n->block.granted);
}

static void put_back(pool *p, node *n) {
  ndi_spin_lock(&p->lock);
  link_oldest(p, n);
  ndi_spin_unlock(&p->lock);
}

/* Back to the pool. */
static void keep(pool *p, node *n) {
  ndi_spin_lock(&p->lock);
  link_node(p, n);
  ndi_spin_unlock(&p->lock);
}

/* {=== finding ===} */

/* May work on 'queue' use it at once? */
static bool is_ready_on(const node *n, uint32_t queue) {
  for (int i = 0; i < n->after.count; i++)
    if (n->after.use[i].at.queue != queue) return false;
  return true;
}

enum { LOOKS = 32 }; /* at blocks of a class, so that a take stays short */

static node *find_on(pool *p, size_t size, uint32_t queue) {
  node *found = NULL;
  ndi_spin_lock(&p->lock);
  node *n = p->first[class_of(size)];
  for (int i = 0; n && i < LOOKS && !found; i++, n = n->next)
    if (n->block.bytes == size && is_ready_on(n, queue)) found = unlink_node(p, n);
  ndi_spin_unlock(&p->lock);
  return found;
}

/* The one given back longest ago: it is most likely to be done. */
static node *find_oldest(pool *p, size_t size) {
  node *found = NULL;
  ndi_spin_lock(&p->lock);
  node *n = p->last[class_of(size)];
  for (int i = 0; n && i < LOOKS && !found; i++, n = n->previous)
    if (n->block.bytes == size) found = unlink_node(p, n);
  ndi_spin_unlock(&p->lock);
  return found;
}

/* A driver is asked about it without the lock. */
static node *find_done(pool *p, size_t size) {
  node *n = find_oldest(p, size);
  if (!n) return NULL;
  if (!ndi_uses_are_over(&n->after)) return put_back(p, n), NULL;
  n->after.count = 0;
  return n;
}

/* One that is busy on another queue alone: work that comes after that point may use it. */
static node *find_busy(pool *p, size_t size) {
  node *found = NULL;
  ndi_spin_lock(&p->lock);
  node *n = p->last[class_of(size)];
  for (int i = 0; n && i < LOOKS && !found; i++, n = n->previous)
    if (n->block.bytes == size && n->after.count == 1) found = unlink_node(p, n);
  ndi_spin_unlock(&p->lock);
  return found;
}

/* {=== giving up ===} */

/* Give the block back to the upstream. On failure it is kept. */
static nd_status give_up(pool *p, node *n, nd_error *err) {
  const nd_status status = nd_resource_give(p->base.up, &n->block, &n->after, err);
  if (status == ND_OK) free(n);
  else keep(p, n);
  return status;
}

static node *detach_oldest(pool *p, uint64_t most) {
  ndi_spin_lock(&p->lock);
  node *n = ndi_counters_now(&p->cached) > most && p->oldest ? unlink_node(p, p->oldest) : NULL;
  ndi_spin_unlock(&p->lock);
  return n;
}

/* Give the oldest blocks up until at most so many bytes are kept. */
static nd_status evict(pool *p, uint64_t most, size_t *freed, nd_error *err) {
  for (node *n; (n = detach_oldest(p, most));) {
    const size_t bytes = n->block.granted;
    ND_TRY(give_up(p, n, err));
    *freed += bytes;
  }
  return ND_OK;
}

/* {=== take ===} */

static nd_status take_fresh(pool *p, const nd_request *request, node **out, nd_error *err) {
  node *n = calloc(1, sizeof *n);
  if (!n) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for the record of a block");
  const nd_status status = nd_resource_take(p->base.up, request, &n->block, err);
  if (status == ND_OK) *out = n;
  else free(n);
  return status;
}

/* What was enqueued before a failure is in flight, too. */
static nd_status clear(pool *p, node *n, nd_error *err) {
  nd_point ready = {0};
  const nd_status status = nd_resource_fill(p->base.up, &n->block, 0, n->block.bytes, 0, &n->after,
                                            &ready, err);
  const nd_use fill = {.at = ready, .lo = 0, .hi = SIZE_MAX, .is_write = true};
  if (status != ND_OK) {
    if (ready.seq && !ndi_uses_add(&n->after, &fill)) nd_point_wait(ready, NULL);
    return status;
  }
  n->after.count = 0;
  n->block.ready = ready;
  return ND_OK;
}

/* What was found is ready from the point on that it waits for. Where zeros are wanted and cannot be
 * had, it is kept again. */
static nd_status prepare(pool *p, node *n, bool zeroed, node **out, nd_error *err) {
  if (!zeroed) {
    n->block.ready = n->after.count > 0 ? n->after.use[0].at : (nd_point){0};
    n->after.count = 0;
  } else {
    const nd_status status = clear(p, n, err);
    if (status != ND_OK) return keep(p, n), status;
  }
  *out = n;
  return ND_OK;
}

/* A kept block for work on the queue of this call; '*out' stays NULL if there is none. */
static nd_status find_kept(pool *p, const nd_request *request, node **out, nd_error *err) {
  node *n = find_on(p, request->bytes, nd_resource_queue(p->base.up));
  if (!n) n = find_done(p, request->bytes);
  return n ? prepare(p, n, request->zeroed, out, err) : ND_OK;
}

static bool is_shortage(nd_status status) {
  return status == ND_OUT_OF_MEMORY || status == ND_BUDGET_EXCEEDED;
}

/* The upstream has no more: a block that is busy elsewhere, or room by giving up as much. */
static nd_status take_scarce(pool *p, const nd_request *request, nd_status refusal, node **out,
                             nd_error *err) {
  size_t freed = 0;
  node *n = find_busy(p, request->bytes);
  if (n) return prepare(p, n, request->zeroed, out, err);
  const uint64_t kept = ndi_counters_now(&p->cached);
  if (kept < request->bytes) return refusal;
  if (evict(p, kept - request->bytes, &freed, NULL) != ND_OK || freed == 0) return refusal;
  return take_fresh(p, request, out, err);
}

static nd_status take_node(pool *p, const nd_request *request, node **out, nd_error *err) {
  if (request->bytes > 0 && request->align == 0) {
    ND_TRY(nd_resource_wake(p->base.up, err));
    ND_TRY(find_kept(p, request, out, err));
    if (*out) return ND_OK;
  }
  const nd_status status = take_fresh(p, request, out, err);
  if (!is_shortage(status) || request->bytes == 0 || request->align) return status;
  return take_scarce(p, request, status, out, err);
}

static void note_largest(pool *p, uint64_t bytes) {
  uint64_t seen = atomic_load(&p->largest);
  while (seen < bytes && !atomic_compare_exchange_weak(&p->largest, &seen, bytes)) continue;
}

static nd_status pool_take(nd_resource *self, const nd_request *request, nd_block *out,
                           nd_error *err) {
  pool *p = (pool *)self;
  nd_request whole = *request;
  node *n = NULL;
  whole.bytes = size_of(p, request->bytes);
  ND_TRY(take_node(p, &whole, &n, err));
  *out = n->block;
  out->bytes = request->bytes;
  out->cookie = (uint64_t)(uintptr_t)n;
  out->zeroed = request->zeroed;
  n->is_kept = request->align == 0 && n->block.kind == p->base.kind;
  note_largest(p, n->block.granted);
  ndi_meter_add(&p->meter, (int64_t)n->block.granted, 1);
  return ND_OK;
}

/* {=== give ===} */

/* Of each queue the last point. A block in use has none. */
static void note_after(node *n, const nd_uses *after) {
  for (int i = 0; after && i < after->count; i++) {
    const nd_use use = {.at = after->use[i].at, .lo = 0, .hi = SIZE_MAX, .is_write = false};
    ndi_uses_add(&n->after, &use); /* as many as it came with have room */
  }
}

static nd_status pool_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                           nd_error *err) {
  pool *p = (pool *)self;
  node *n = (node *)(uintptr_t)block->cookie;
  const size_t granted = n->block.granted;
  size_t freed = 0;
  if (self->is_ordered) note_after(n, after); /* else they are done */
  if (n->is_kept && n->block.bytes > 0 && granted <= p->cap) {
    evict(p, p->cap - granted, &freed, NULL); /* what the driver refuses to free is over the cap */
    ndi_meter_add(&p->meter, -(int64_t)granted, -1); /* before another thread takes it */
    keep(p, n);
    return ND_OK;
  }
  ND_TRY(nd_resource_give(self->up, &n->block, after, err));
  free(n);
  ndi_meter_add(&p->meter, -(int64_t)granted, -1);
  return ND_OK;
}

/* {=== the rest ===} */

static size_t pool_grants(nd_resource *self, const nd_request *request) {
  nd_request whole = *request;
  whole.bytes = size_of((pool *)self, request->bytes);
  return nd_resource_grants(self->up, &whole);
}

static nd_status pool_fits(nd_resource *self, const nd_request *request, nd_error *err) {
  nd_request whole = *request;
  whole.bytes = size_of((pool *)self, request->bytes);
  return nd_resource_fits(self->up, &whole, err);
}

static nd_status pool_trim(nd_resource *self, size_t most, size_t *freed, nd_error *err) {
  pool *p = (pool *)self;
  const bool is_pinned = self->kind == ND_MEM_PINNED; /* which keeps nothing but staging buffers */
  size_t more = 0;
  ND_TRY(evict(p, most, freed, err));
  const uint64_t kept = ndi_counters_now(&p->cached), left = kept < most ? most - kept : 0;
  const nd_status status = nd_resource_trim(self->up, is_pinned ? most : left, &more, err);
  /* else the upstream may have kept what was given up */
  *freed = is_pinned ? *freed + more : more > *freed ? more : *freed;
  return status;
}

static ndi_meter *pool_meter(nd_resource *self) { return &((pool *)self)->meter; }
static void pool_reset_peak(nd_resource *self) { ndi_meter_reset_peak(pool_meter(self)); }

static void add(nd_gauge *to, const nd_gauge *more) {
  to->now += more->now, to->peak += more->peak, to->total += more->total;
}

/* What the upstream keeps is kept as well. */
static void pool_stats(nd_resource *self, nd_mem_stats *out) {
  pool *p = (pool *)self;
  nd_mem_stats up;
  nd_resource_get_stats(self->up, &up);
  ndi_meter_read(&p->meter, out);
  out->cached = ndi_gauge_read(&p->cached.bytes);
  out->cached_count = ndi_gauge_read(&p->cached.blocks);
  add(&out->cached, &up.cached), add(&out->cached_count, &up.cached_count);
  out->reserved = up.reserved, out->reserved_count = up.reserved_count;
  out->limit = up.limit, out->remaining = up.remaining;
}

static void pool_kept(nd_resource *self, uint64_t *bytes, uint64_t *blocks) {
  pool *p = (pool *)self;
  *bytes = ndi_counters_now(&p->cached);
  *blocks = ndi_gauge_read(&p->cached.blocks).now;
}

/* What is only kept waits for nothing: whichever block it is, as long as the largest has room. */
static bool pool_is_idle(nd_resource *self) {
  pool *p = (pool *)self;
  const uint64_t kept = ndi_counters_now(&p->cached), most = p->largest;
  return (most <= p->cap && kept <= p->cap - most) || nd_resource_is_idle(self->up);
}

/* Maybe in a finalizer, which must call no driver: the blocks are left to the next reap. */
static void leave(pool *p, node *n) {
  nd_ticket ticket;
  nd_uses *after = malloc(sizeof *after);
  if (after && nd_ticket_adopt(p->base.up, &n->block, &ticket, NULL) == ND_OK) {
    *after = n->after;
    nd_resource_drop(p->base.up); /* the ticket has a reference of its own */
    nd_ticket_give(ticket, after, NULL);
  } else {
    free(after);
    nd_resource_give(p->base.up, &n->block, &n->after, NULL);
  }
  free(n);
}

static void pool_close(nd_resource *self) {
  pool *p = (pool *)self;
  ndi_cache_unregister(self);
  for (node *n; (n = detach_oldest(p, 0));) leave(p, n);
  ndi_meter_close(&p->meter);
  free(p);
}

static const nd_resource_ops ops = {.name = "pool",
                                    .no_pool = "the one below keeps its blocks already",
                                    .is_idle = pool_is_idle,
                                    .kept = pool_kept,
                                    .grants = pool_grants,
                                    .fits = pool_fits,
                                    .take = pool_take,
                                    .give = pool_give,
                                    .trim = pool_trim,
                                    .stats = pool_stats,
                                    .reset_peak = pool_reset_peak,
                                    .meter = pool_meter,
                                    .close = pool_close};

nd_status nd_pool_make(nd_resource *up, uint64_t cap, nd_resource **out, nd_error *err) {
  const nd_resource *r = up;
  do
    if (r->ops->no_pool)
      return nd_fail(err, ND_INVALID_ARGUMENT, "a pool over %s: %s", r->ops->name, r->ops->no_pool);
  while ((r = r->up) != NULL);
  ND_TRY(ndi_adaptor_make(&ops, sizeof(pool), up, out, err));
  pool *p = (pool *)*out;
  p->cap = cap;
  p->is_exact = up->kind == ND_MEM_PINNED;
  p->base.is_deferred = up->is_deferred && cap != UINT64_MAX; /* what is kept calls no driver */
  ndi_cache_register(*out);
  return ND_OK;
}
