/* The budget adaptor: a hard limit.
 *
 * One word has all that is charged: bytes in use or pending, and bytes promised by reservations. A
 * take raises it by a compare-and-swap that fails beyond the limit, before it asks the upstream; so
 * threads cannot slip under the limit together. Blocks are charged as granted, the same at take and
 * give. What the upstream refuses was never in use: it does not count in the peak.
 *
 * Where frees are ordered by the driver, a block comes back while work on it is in flight. It stays
 * charged and metered until that is done; but a take on the queue of that work may have its bytes
 * at once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem/adapt/budget.h"
#include "mem/ticket.h"

static const nd_resource_ops ops;

static uint64_t remaining(const ndi_budget *b) {
  const uint64_t limit = atomic_load(&b->limit), charged = atomic_load(&b->charged);
  return charged < limit ? limit - charged : 0;
}

/* {=== refusing ===} */

/* "1,073,741,824" */
static const char *with_commas(uint64_t n, char *text, size_t size) {
  char digits[24];
  const int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
  size_t used = 0;
  for (int i = 0; i < count && used + 2 < size; i++) {
    if (i > 0 && (count - i) % 3 == 0) text[used++] = ',';
    text[used++] = digits[i];
  }
  text[used] = '\0';
  return text;
}

nd_status ndi_budget_refuse(ndi_budget *b, size_t bytes, uint64_t need, nd_error *err) {
  enum { TEXT = 32 };
  char text[7][TEXT], rounded[TEXT + 32] = "", reserved[TEXT + 32] = "";
  nd_mem_stats stats;
  nd_resource_get_stats(&b->base, &stats);
  const uint64_t promised = stats.reserved.now, charged = b->charged;
  const uint64_t used = charged > promised ? charged - promised : 0,
                 peak = ndi_meter_peak(&b->meter);
  const uint64_t pending = stats.pending.now < used ? stats.pending.now : used;
  if (need != bytes)
    snprintf(rounded, sizeof rounded, " (%s B with rounding)", with_commas(need, text[0], TEXT));
  if (promised > 0)
    snprintf(reserved, sizeof reserved, ", reserved %s B", with_commas(promised, text[0], TEXT));
  return nd_fail_with(
      err, ND_BUDGET_EXCEEDED,
      ND_NUMBERS({"requested", (int64_t)bytes}, {"live", (int64_t)(used - pending)},
                 {"pending", (int64_t)pending}, {"reserved", (int64_t)promised},
                 {"remaining", (int64_t)stats.remaining}, {"limit", (int64_t)stats.limit},
                 {"cached", (int64_t)stats.cached.now}, {"peak", (int64_t)peak}),
      "budget exceeded on %.200s: requested %s B%s, in use %s B (of which %s B pending free)%s, "
      "limit %s B, cached %s B, peak %s B",
      b->place, with_commas(bytes, text[1], TEXT), rounded, with_commas(used, text[2], TEXT),
      with_commas(pending, text[3], TEXT), reserved, with_commas(stats.limit, text[4], TEXT),
      with_commas(stats.cached.now, text[5], TEXT), with_commas(peak, text[6], TEXT));
}

static nd_reservation *find_promise(const ndi_budget *b, const nd_request *request) {
  for (const nd_promises *p = request->promises; p; p = p->outer)
    for (nd_reservation *r = p->reservation; r; r = r->inner)
      if (r->of == b) return r;
  return NULL;
}

/* A limit that was lowered since does not break a promise. */
static nd_status budget_fits(nd_resource *self, const nd_request *request, nd_error *err) {
  ndi_budget *b = (ndi_budget *)self;
  const uint64_t need = nd_resource_grants(self->up, request);
  const nd_reservation *r = need > b->limit ? find_promise(b, request) : NULL;
  if (need > b->limit && (!r || ndi_reservation_left(r) < need))
    return ndi_budget_refuse(b, request->bytes, need, err);
  return nd_resource_fits(self->up, request, err);
}

/* {=== the word ===} */

bool ndi_budget_charge(ndi_budget *b, uint64_t bytes) {
  uint64_t seen = atomic_load(&b->charged);
  do {
    const uint64_t limit = atomic_load(&b->limit);
    if (seen > limit || bytes > limit - seen) return false;
  } while (!atomic_compare_exchange_weak(&b->charged, &seen, seen + bytes));
  return true;
}

void ndi_budget_uncharge(ndi_budget *b, uint64_t bytes) { atomic_fetch_sub(&b->charged, bytes); }

/* {=== bytes in flight ===} */

/* They count as pending, and in the meter, until they are over or used again. */
static void count_flight(ndi_budget *b, const nd_block *block) {
  ndi_counters_take(&b->base.pending, block->granted);
}

static void uncount_flight(ndi_budget *b, const ndi_flight *f) {
  if (f->bytes == 0) return;
  ndi_gauge_lower(&b->base.pending.bytes, f->bytes);
  ndi_gauge_lower(&b->base.pending.blocks, f->blocks);
  ndi_meter_add(&b->meter, -(int64_t)f->bytes, -(int64_t)f->blocks);
}

uint64_t ndi_budget_land(ndi_budget *b) {
  ndi_flight done;
  ndi_flights_land(&b->flights, &done);
  uncount_flight(b, &done);
  ndi_budget_uncharge(b, done.bytes);
  return done.bytes;
}

/* What is missing comes from the queue's own bytes, which are charged already. */
static bool charge_on(ndi_budget *b, uint32_t queue, uint64_t bytes, ndi_flight *used) {
  const uint64_t most = remaining(b);
  const uint64_t fresh = bytes < most ? bytes : most;
  if (!ndi_budget_charge(b, fresh)) return false;
  if (ndi_flights_consume(&b->flights, queue, bytes - fresh, used)) return true;
  ndi_budget_uncharge(b, fresh);
  return false;
}

/* {=== take and give ===} */

/* Move up to 'bytes' out of what is left of the reservation: they are charged already. */
static uint64_t draw(nd_reservation *r, uint64_t bytes) {
  uint64_t seen = atomic_load(&r->left), part;
  do {
    if (seen & NDI_RELEASED) return 0;
    part = seen < bytes ? seen : bytes;
  } while (!atomic_compare_exchange_weak(&r->left, &seen, seen - part));
  ndi_gauge_lower(&r->of->promised, part);
  return part;
}

/* Undo draw. What was released meanwhile is the budget's. */
static void put_back(nd_reservation *r, uint64_t part) {
  if (part == 0) return;
  uint64_t seen = atomic_load(&r->left);
  do {
    if (seen & NDI_RELEASED) {
      ndi_budget_uncharge(r->of, part);
      return;
    }
  } while (!atomic_compare_exchange_weak(&r->left, &seen, seen + part));
  ndi_gauge_return(&r->of->promised, part);
}

/* How a block is paid for: the rest of 'need' was charged. */
typedef struct {
  uint64_t need, drawn;
  nd_reservation *from; /* of 'drawn'; NULL: there is none of this budget */
  ndi_flight used;      /* bytes of the queue's own */
} payment;

static bool charge_or_consume(ndi_budget *b, uint64_t bytes, ndi_flight *used) {
  if (bytes == 0 || ndi_budget_charge(b, bytes)) return true;
  if (!b->flights.flights) return false;
  ndi_budget_land(b);
  return ndi_budget_charge(b, bytes) || charge_on(b, nd_resource_queue(b->base.up), bytes, used);
}

static bool pay(ndi_budget *b, const nd_request *request, uint64_t need, payment *out) {
  out->need = need;
  out->from = find_promise(b, request);
  out->drawn = out->from ? draw(out->from, need) : 0;
  out->used.bytes = out->used.blocks = 0;
  if (charge_or_consume(b, need - out->drawn, &out->used)) return true;
  put_back(out->from, out->drawn);
  return false;
}

/* Nothing was taken. */
static void refund(ndi_budget *b, payment *p) {
  ndi_budget_uncharge(b, p->need - p->drawn - p->used.bytes);
  if (p->used.bytes > 0)
    ndi_flights_add(&b->flights, &p->used.after, p->used.bytes, p->used.blocks);
  put_back(p->from, p->drawn);
}

/* Where the upstream granted another size than it said, the charge follows it. */
static nd_status adjust(ndi_budget *b, const nd_request *request, nd_block *block, payment *p,
                        nd_error *err) {
  if (block->granted <= p->need) return ndi_budget_uncharge(b, p->need - block->granted), ND_OK;
  if (ndi_budget_charge(b, block->granted - p->need)) return ND_OK;
  const nd_status status = ndi_budget_refuse(b, request->bytes, block->granted, err);
  /* if it is not given back, then it stays charged */
  if (nd_resource_give(b->base.up, block, NULL, NULL) == ND_OK) refund(b, p);
  return status;
}

/* {=== the memory's own cache ===} */

static uint64_t cached_now(const ndi_budget *b) {
  uint64_t bytes = 0, blocks;
  if (b->cache) b->cache->ops->kept(b->cache, &bytes, &blocks);
  return bytes;
}

/* After a take or give; before it the cache had so many bytes. */
static void note_cached(ndi_budget *b, uint64_t before) {
  const int64_t by = (int64_t)(cached_now(b) - before);
  uint64_t seen = atomic_load(&b->returned), now;
  if (by == 0) return;
  do now = by < 0 && seen < (uint64_t)-by ? 0 : seen + (uint64_t)by;
  while (!atomic_compare_exchange_weak(&b->returned, &seen, now));
}

void ndi_budget_trim_cache(ndi_budget *b) {
  nd_mem_stats stats;
  size_t freed;
  const uint64_t left = remaining(b);
  if (!b->cache || b->returned <= left) return;
  nd_resource_get_stats(b->cache, &stats);
  const uint64_t own = b->returned < stats.cached.now ? b->returned : stats.cached.now;
  if (own > left) nd_resource_trim(b->cache, stats.cached.now - (own - left), &freed, NULL);
  atomic_store(&b->returned, own < left ? own : left);
}

/* {=== take and give ===} */

static nd_status budget_take(nd_resource *self, const nd_request *request, nd_block *out,
                             nd_error *err) {
  ndi_budget *b = (ndi_budget *)self;
  const uint64_t need = nd_resource_grants(self->up, request);
  const uint64_t before = cached_now(b);
  payment p;
  if (!pay(b, request, need, &p)) return ndi_budget_refuse(b, request->bytes, need, err);
  const nd_status status = nd_resource_take(self->up, request, out, err);
  if (status != ND_OK) return refund(b, &p), status;
  ND_TRY(adjust(b, request, out, &p, err));
  uncount_flight(b, &p.used);
  ndi_meter_add(&b->meter, (int64_t)out->granted, 1);
  note_cached(b, before);
  ndi_budget_trim_cache(b); /* last, as the block may be from there */
  return ND_OK;
}

static nd_status budget_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                             nd_error *err) {
  ndi_budget *b = (ndi_budget *)self;
  const uint64_t before = cached_now(b);
  ND_TRY(nd_resource_give(self->up, block, after, err));
  note_cached(b, before);
  if (b->flights.flights && !ndi_uses_are_over(after)) {
    count_flight(b, block);
    ndi_flights_add(&b->flights, after, block->granted, 1);
  } else {
    ndi_meter_add(&b->meter, -(int64_t)block->granted, -1);
    ndi_budget_uncharge(b, block->granted);
  }
  ndi_budget_trim_cache(b); /* which keeps whole pages */
  return ND_OK;
}

static nd_status budget_reap(nd_resource *self, nd_reap_mode mode, size_t *freed, nd_error *err) {
  /* waits, if 'mode' says so */
  const nd_status status = nd_resource_reap(self->up, mode, freed, err);
  *freed += ndi_budget_land((ndi_budget *)self);
  return status;
}

/* {=== counters ===} */

static ndi_meter *budget_meter(nd_resource *self) { return &((ndi_budget *)self)->meter; }

/* Bytes in flight are pending, too: read once more, as some have landed. */
static void budget_stats(nd_resource *self, nd_mem_stats *out) {
  ndi_budget *b = (ndi_budget *)self;
  nd_mem_stats up;
  ndi_budget_land(b);
  nd_resource_get_stats(self->up, &up);
  out->cached = up.cached, out->cached_count = up.cached_count;
  out->reserved = ndi_gauge_read(&b->promised);
  out->reserved_count = ndi_gauge_read(&b->promises);
  out->limit = b->limit;
  out->remaining = remaining(b);
  out->pending = ndi_gauge_read(&self->pending.bytes);
  out->pending_count = ndi_gauge_read(&self->pending.blocks);
  ndi_meter_read(&b->meter, out);
}

static void budget_reset_peak(nd_resource *self) { ndi_meter_reset_peak(budget_meter(self)); }

static void budget_close(nd_resource *self) {
  ndi_budget *b = (ndi_budget *)self;
  ndi_meter_close(&b->meter);
  ndi_flights_close(&b->flights);
  free(b);
}

static const nd_resource_ops ops = {.name = "budget",
                                    .fits = budget_fits,
                                    .take = budget_take,
                                    .give = budget_give,
                                    .reap = budget_reap,
                                    .stats = budget_stats,
                                    .reset_peak = budget_reset_peak,
                                    .meter = budget_meter,
                                    .close = budget_close};

nd_status nd_budget_make(nd_resource *up, uint64_t limit, const char *place, nd_resource **out,
                         nd_error *err) {
  nd_resource *self;
  const size_t length = strlen(place) + 1;
  const nd_resource *r = up;
  do
    if (r->ops->no_budget)
      return nd_fail(err, ND_INVALID_ARGUMENT, "a budget over %s: %s", r->ops->name,
                     r->ops->no_budget);
  while ((r = r->up) != NULL);
  ND_TRY(ndi_adaptor_make(&ops, sizeof(ndi_budget) + length, up, &self, err));
  ndi_budget *b = (ndi_budget *)self;
  memcpy(b->place, place, length);
  atomic_init(&b->limit, limit);
  nd_resource *leaf = (nd_resource *)(uintptr_t)nd_resource_leaf(up);
  b->cache = leaf->ops->kept ? leaf : NULL;
  if (up->is_ordered && !ndi_flights_open(&b->flights)) {
    nd_resource_drop(self);
    return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for the record of a resource");
  }
  *out = self;
  return ND_OK;
}

/* {=== the outermost budget of a stack ===} */

ndi_budget *ndi_budget_find(nd_resource *self) {
  while (self && self->ops != &ops) self = self->up;
  return (ndi_budget *)self;
}

nd_status ndi_budget_need(nd_resource *self, ndi_budget **out, nd_error *err) {
  *out = ndi_budget_find(self);
  return *out ? ND_OK : nd_fail(err, ND_UNSUPPORTED, "no layer of this memory is a budget");
}

nd_status nd_budget_set_limit(nd_resource *self, uint64_t limit, nd_error *err) {
  ndi_budget *b;
  ND_TRY(ndi_budget_need(self, &b, err));
  atomic_store(&b->limit, limit);
  ndi_budget_trim_cache(b);
  return ND_OK;
}

nd_status nd_budget_check(nd_resource *self, size_t bytes, nd_error *err) {
  const nd_request request = {.bytes = bytes};
  for (ndi_budget *b = ndi_budget_find(self); b; b = ndi_budget_find(b->base.up)) {
    ndi_budget_land(b);
    /* the layers above may ask for more than the array has */
    const uint64_t above = nd_resource_grants(self, &request);
    const uint64_t below = nd_resource_grants(b->base.up, &request);
    const uint64_t need = above > below ? above : below;
    if (need > remaining(b)) return ndi_budget_refuse(b, bytes, need, err);
  }
  return ND_OK;
}
