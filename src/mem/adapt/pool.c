/* The pool adaptor: keeps blocks that were given back for later takes of their size.
 *
 * Sizes are rounded up to eighths of a power of two, so that at most an eighth is wasted and blocks
 * fit again; large pinned blocks to whole pages. A block that is kept may still be in use: then it
 * has the points of that work. A take prefers a block of its own queue, whose order is that of the
 * calls, or one that is done; where the upstream has no more, it gets one that is busy on another
 * queue, to be used from its point on; from several queues, from one point after all of theirs. */
#include <stdlib.h>
#include <string.h>

#include "mem/adapt/adapt.h"
#include "mem/adapt/kept.h"
#include "mem/host.h"
#include "mem/ticket.h"

/* {=== sizes ===} */

enum { LEAST = 512, EXACT_FROM = 1 << 20 };

static size_t round_up(size_t bytes, size_t step) { return (bytes + step - 1) / step * step; }

/* An eighth of the largest power of two that is not above 'bytes'. */
static size_t eighth_of(size_t bytes) {
  return ((size_t)1 << (63 - __builtin_clzll((unsigned long long)bytes))) / 8;
}

/* {=== the pool ===} */

typedef ndi_kept_node node;

typedef struct {
  nd_resource base;
  ndi_meter meter;
  uint64_t cap;
  _Atomic(uint64_t) largest; /* of the blocks that there ever were */
  bool is_exact;             /* for large blocks */
  ndi_kept kept;
} pool;

static size_t size_of(const pool *p, size_t bytes) {
  if (bytes <= LEAST) return bytes ? LEAST : 0;
  if (bytes > SIZE_MAX / 2) return bytes; /* the upstream refuses it */
  return round_up(bytes, p->is_exact && bytes >= EXACT_FROM ? ndi_page_bytes() : eighth_of(bytes));
}

/* {=== giving up ===} */

/* Give the block back to the upstream. On failure it is kept. */
static nd_status give_up(pool *p, node *n, nd_error *err) {
  const nd_status status = nd_resource_give(p->base.up, &n->block, &n->after, err);
  if (status == ND_OK) free(n);
  else ndi_kept_give(&p->kept, n);
  return status;
}

/* Give the oldest blocks up until at most so many bytes are kept. */
static nd_status evict(pool *p, uint64_t most, size_t *freed, nd_error *err) {
  for (node *n; (n = ndi_kept_take_oldest(&p->kept, most));) {
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

/* So many bytes; what was enqueued before a failure is in flight, too. */
static nd_status clear(pool *p, node *n, size_t bytes, nd_error *err) {
  nd_point ready = {0};
  const nd_status status = nd_resource_fill(p->base.up, &n->block, 0, bytes, 0, &n->after, &ready,
                                            err);
  const nd_use fill = {.at = ready, .lo = 0, .hi = SIZE_MAX, .is_write = true};
  if (status != ND_OK) {
    if (ready.seq && !ndi_uses_add(&n->after, &fill)) nd_point_wait(ready, NULL);
    return status;
  }
  n->after.count = 0;
  n->block.ready = ready;
  return ND_OK;
}

/* What was found is ready from the point on that it waits for. After several, that of a fill of a
 * single byte is after all of them. Where what is wanted cannot be had, it is kept again. */
static nd_status prepare(pool *p, node *n, bool zeroed, node **out, nd_error *err) {
  if (!zeroed && n->after.count <= 1) {
    n->block.ready = n->after.count > 0 ? n->after.use[0].at : (nd_point){0};
    n->after.count = 0;
  } else {
    const nd_status status = clear(p, n, zeroed ? n->block.bytes : 1, err);
    if (status != ND_OK) return ndi_kept_give(&p->kept, n), status;
  }
  *out = n;
  return ND_OK;
}

/* A kept block for work on the queue of this call; '*out' stays NULL if there is none. */
static nd_status find_kept(pool *p, const nd_request *request, node **out, nd_error *err) {
  node *n = ndi_kept_find_on(&p->kept, request->bytes, nd_resource_queue(p->base.up));
  if (!n) n = ndi_kept_find_done(&p->kept, request->bytes);
  return n ? prepare(p, n, request->zeroed, out, err) : ND_OK;
}

static bool is_shortage(nd_status status) {
  return status == ND_OUT_OF_MEMORY || status == ND_BUDGET_EXCEEDED;
}

/* The upstream has no more: a block that is busy elsewhere, or room by giving up as much. */
static nd_status take_scarce(pool *p, const nd_request *request, nd_status refusal, node **out,
                             nd_error *err) {
  size_t freed = 0;
  node *n = ndi_kept_find_busy(&p->kept, request->bytes);
  if (n) return prepare(p, n, request->zeroed, out, err);
  const uint64_t kept = ndi_kept_bytes(&p->kept);
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

static void explain(nd_status status, const nd_request *request, const nd_request *whole,
                    nd_error *err) {
  if (whole->bytes > request->bytes) ndi_adaptor_explain(status, ", rounded up by a pool", err);
}

static nd_status pool_take(nd_resource *self, const nd_request *request, nd_block *out,
                           nd_error *err) {
  pool *p = (pool *)self;
  nd_request whole = *request;
  node *n = NULL;
  whole.bytes = size_of(p, request->bytes);
  const nd_status status = take_node(p, &whole, &n, err);
  if (status != ND_OK) return explain(status, request, &whole, err), status;
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

/* Of each queue the last point; the host's are done. A block in use has none. */
static void note_after(node *n, const nd_uses *after) {
  for (int i = 0; after && i < after->count; i++) {
    if (after->use[i].at.queue == 0) continue;
    const nd_use use = {.at = after->use[i].at, .lo = 0, .hi = SIZE_MAX, .is_write = false};
    ndi_uses_add(&n->after, &use); /* as many as it came with have room */
  }
}

/* Older ones make way. What the driver refuses to free is over the cap. */
static void keep(pool *p, node *n) {
  size_t freed = 0;
  uint64_t most = p->cap;
  while (!ndi_kept_give_below(&p->kept, n, most))
    if (evict(p, p->cap - n->block.granted, &freed, NULL) != ND_OK) most = UINT64_MAX;
}

static nd_status pool_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                           nd_error *err) {
  pool *p = (pool *)self;
  node *n = (node *)(uintptr_t)block->cookie;
  const size_t granted = n->block.granted;
  if (self->is_ordered) note_after(n, after); /* else they are done */
  if (n->is_kept && n->block.bytes > 0 && granted <= p->cap) {
    ndi_meter_add(&p->meter, -(int64_t)granted, -1); /* before another thread takes it */
    return keep(p, n), ND_OK;
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
  const nd_status status = nd_resource_fits(self->up, &whole, err);
  explain(status, request, &whole, err);
  return status;
}

static nd_status pool_trim(nd_resource *self, size_t most, size_t *freed, nd_error *err) {
  pool *p = (pool *)self;
  const bool is_pinned = self->kind == ND_MEM_PINNED; /* which keeps nothing but staging buffers */
  size_t more = 0;
  ND_TRY(evict(p, most, freed, err));
  const uint64_t kept = ndi_kept_bytes(&p->kept), left = kept < most ? most - kept : 0;
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
  ndi_kept_read(&p->kept, &out->cached, &out->cached_count);
  add(&out->cached, &up.cached), add(&out->cached_count, &up.cached_count);
  out->reserved = up.reserved, out->reserved_count = up.reserved_count;
  out->limit = up.limit, out->remaining = up.remaining;
}

static void pool_kept(nd_resource *self, uint64_t *bytes, uint64_t *blocks) {
  pool *p = (pool *)self;
  nd_gauge all[2];
  ndi_kept_read(&p->kept, &all[0], &all[1]);
  *bytes = all[0].now, *blocks = all[1].now;
}

/* What is only kept waits for nothing: whichever block it is, as long as the largest has room. */
static bool pool_is_idle(nd_resource *self) {
  pool *p = (pool *)self;
  const uint64_t kept = ndi_kept_bytes(&p->kept), most = p->largest;
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
  for (node *n; (n = ndi_kept_take_oldest(&p->kept, 0));) leave(p, n);
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
