/* The budget adaptor: a hard limit.
 *
 * One word has all that is charged: bytes in use or pending, and bytes promised by reservations. A
 * take raises it by a compare-and-swap that fails beyond the limit, before it asks the upstream; so
 * threads cannot slip under the limit together. Blocks are charged as granted, the same at take and
 * give. What the upstream refuses was never in use: it does not count in the peak.
 *
 * Where frees are ordered by the driver, a block comes back while work on it is in flight. It stays
 * charged until that is done, in a list of such blocks; but a take on the queue of that work may
 * have its bytes at once. */
#include <stdio.h>
#include <stdlib.h>

#include "mem/adapt/adapt.h"
#include "mem/spin.h"
#include "mem/ticket.h"

/* Bytes that came back, but are in use until all points of 'after' are done. */
typedef struct {
  nd_uses after;
  uint64_t bytes; /* 0: free */
} flight;

enum { FLIGHTS = 32 };

typedef struct {
  nd_resource base;
  ndi_meter meter;
  _Atomic uint64_t limit, charged;
  ndi_gauge promised, promises; /* bytes, reservations; part of 'charged' */
  nd_resource *cache;           /* the leaf, if what it caches is to be under the limit, too */
  atomic_uint lock;             /* of mem/spin.h: guards the next three */
  flight *flights;              /* NULL: the upstream is not ordered */
  uint64_t in_flight;           /* the bytes of all, which are charged, but not metered any more */
  char place[32];
} budget;

struct nd_reservation {
  budget *of; /* one reference */
  _Atomic uint64_t left;
};

enum { RELEASED_BIT = 63 };
static const uint64_t RELEASED = UINT64_C(1) << RELEASED_BIT; /* in 'left' */

static const nd_resource_ops ops;

static uint64_t remaining(const budget *b) {
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

/* 'need': what the block of 'bytes' would be charged. The figures are those of the limit: a scope
 * of the counters does not change them. */
static nd_status refuse(budget *b, size_t bytes, uint64_t need, nd_error *err) {
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
      "budget exceeded on %s: requested %s B%s, in use %s B (of which %s B pending free)%s, "
      "limit %s B, cached %s B, peak %s B",
      b->place, with_commas(bytes, text[1], TEXT), rounded, with_commas(used, text[2], TEXT),
      with_commas(pending, text[3], TEXT), reserved, with_commas(stats.limit, text[4], TEXT),
      with_commas(stats.cached.now, text[5], TEXT), with_commas(peak, text[6], TEXT));
}

static nd_status budget_fits(nd_resource *self, const nd_request *request, nd_error *err) {
  budget *b = (budget *)self;
  const uint64_t need = nd_resource_grants(self->up, request);
  if (need > b->limit) return refuse(b, request->bytes, need, err);
  return nd_resource_fits(self->up, request, err);
}

/* {=== the word ===} */

/* Charge 'bytes', if they are below the limit. */
static bool charge(budget *b, uint64_t bytes) {
  uint64_t seen = atomic_load(&b->charged);
  do {
    const uint64_t limit = atomic_load(&b->limit);
    if (seen > limit || bytes > limit - seen) return false;
  } while (!atomic_compare_exchange_weak(&b->charged, &seen, seen + bytes));
  return true;
}

static void uncharge(budget *b, uint64_t bytes) { atomic_fetch_sub(&b->charged, bytes); }

/* {=== bytes in flight ===} */

/* Are all points on this queue? */
static bool is_on(const nd_uses *uses, uint32_t queue) {
  for (int i = 0; i < uses->count; i++)
    if (uses->use[i].at.queue != queue) return false;
  return true;
}

/* Add the points of 'more'; false, and unchanged but for some of them, where there is no room. */
static bool join(nd_uses *uses, const nd_uses *more) {
  for (int i = 0; i < more->count; i++) {
    const nd_use use = {.at = more->use[i].at, .lo = 0, .hi = SIZE_MAX, .is_write = false};
    if (!ndi_uses_add(uses, &use)) return false;
  }
  return true;
}

/* The last resort, as a give does not wait: with others, of which the latest points count. */
static flight *pick_flight(budget *b, const nd_uses *after) {
  flight *same = NULL;
  for (int i = 0; i < FLIGHTS; i++) {
    flight *f = &b->flights[i];
    if (f->bytes == 0) return f->after.count = 0, f;
    if (!same && after->count > 0 && is_on(&f->after, after->use[0].at.queue)) same = f;
  }
  return same ? same : &b->flights[0];
}

static void add_flight(budget *b, const nd_uses *after, uint64_t bytes) {
  ndi_spin_lock(&b->lock);
  flight *f = pick_flight(b, after);
  join(&f->after, after); /* what has no room for more queues has points of 16 */
  f->bytes += bytes;
  b->in_flight += bytes;
  ndi_spin_unlock(&b->lock);
}

/* Take flight i out, to ask a driver about it without the lock. */
static bool detach(budget *b, int i, flight *out) {
  ndi_spin_lock(&b->lock);
  *out = b->flights[i];
  b->flights[i].bytes = 0;
  b->in_flight -= out->bytes;
  ndi_spin_unlock(&b->lock);
  return out->bytes > 0;
}

/* Uncharge what is done. */
static void land(budget *b) {
  flight f;
  for (int i = 0; b->flights && i < FLIGHTS; i++) {
    if (!detach(b, i, &f)) continue;
    if (ndi_uses_are_over(&f.after)) uncharge(b, f.bytes);
    else add_flight(b, &f.after, f.bytes);
  }
}

/* Have 'wanted' bytes that are in flight on this queue, or none. */
static bool consume(budget *b, uint32_t queue, uint64_t wanted) {
  uint64_t own = 0;
  ndi_spin_lock(&b->lock);
  for (int i = 0; i < FLIGHTS; i++)
    if (is_on(&b->flights[i].after, queue)) own += b->flights[i].bytes;
  const bool is_enough = own >= wanted;
  if (is_enough) b->in_flight -= wanted;
  for (int i = 0; is_enough && wanted > 0; i++) {
    flight *f = &b->flights[i];
    if (!is_on(&f->after, queue)) continue;
    const uint64_t part = f->bytes < wanted ? f->bytes : wanted;
    f->bytes -= part;
    wanted -= part;
  }
  ndi_spin_unlock(&b->lock);
  return is_enough;
}

/* What is missing comes from the queue's own bytes, which are charged already. */
static bool charge_on(budget *b, uint32_t queue, uint64_t bytes) {
  const uint64_t most = remaining(b);
  const uint64_t fresh = bytes < most ? bytes : most;
  if (!charge(b, fresh)) return false;
  if (consume(b, queue, bytes - fresh)) return true;
  uncharge(b, fresh);
  return false;
}

/* {=== take and give ===} */

/* Move up to 'bytes' out of what is left of the reservation: they are charged already. */
static uint64_t draw(nd_reservation *r, uint64_t bytes) {
  uint64_t seen = atomic_load(&r->left), part;
  do {
    if (seen & RELEASED) return 0;
    part = seen < bytes ? seen : bytes;
  } while (!atomic_compare_exchange_weak(&r->left, &seen, seen - part));
  ndi_gauge_lower(&r->of->promised, part);
  return part;
}

/* Undo draw. What was released meanwhile is the budget's. */
static void put_back(nd_reservation *r, uint64_t part) {
  uint64_t seen = atomic_load(&r->left);
  if (part == 0) return;
  do {
    if (seen & RELEASED) {
      uncharge(r->of, part);
      return;
    }
  } while (!atomic_compare_exchange_weak(&r->left, &seen, seen + part));
  ndi_gauge_raise(&r->of->promised, part);
}

/* Charge 'need' bytes, of which 'drawn' come from the request's reservation. */
static bool admit(budget *b, const nd_request *request, uint64_t need, uint64_t *drawn) {
  nd_reservation *r = request->reservation;
  *drawn = r && r->of == b ? draw(r, need) : 0;
  const uint64_t rest = need - *drawn;
  if (rest == 0 || charge(b, rest)) return true;
  if (b->flights) {
    land(b);
    if (charge(b, rest) || charge_on(b, nd_resource_queue(b->base.up), rest)) return true;
  }
  if (*drawn > 0) put_back(r, *drawn);
  return false;
}

static void retract(budget *b, const nd_request *request, uint64_t need, uint64_t drawn) {
  uncharge(b, need - drawn);
  if (drawn > 0) put_back(request->reservation, drawn);
}

/* What the memory's own cache keeps is less than the limit leaves, so that both together stay under
 * it. */
static void trim_cache(budget *b) {
  nd_mem_stats stats;
  size_t freed;
  if (!b->cache) return;
  nd_resource_get_stats(b->cache, &stats);
  const uint64_t left = remaining(b);
  if (stats.cached.now > left) nd_resource_trim(b->cache, left, &freed, NULL);
}

/* Where the upstream granted another size than it said, the charge follows it. */
static nd_status adjust(budget *b, const nd_request *request, nd_block *block, uint64_t need,
                        nd_error *err) {
  if (block->granted <= need) return uncharge(b, need - block->granted), ND_OK;
  if (charge(b, block->granted - need)) return ND_OK;
  const nd_status status = refuse(b, request->bytes, block->granted, err);
  /* if it is not given back, then it stays charged */
  if (nd_resource_give(b->base.up, block, NULL, NULL) == ND_OK) uncharge(b, need);
  return status;
}

static nd_status budget_take(nd_resource *self, const nd_request *request, nd_block *out,
                             nd_error *err) {
  budget *b = (budget *)self;
  const uint64_t need = nd_resource_grants(self->up, request);
  uint64_t drawn;
  if (!admit(b, request, need, &drawn)) return refuse(b, request->bytes, need, err);
  trim_cache(b);
  const nd_status status = nd_resource_take(self->up, request, out, err);
  if (status != ND_OK) return retract(b, request, need, drawn), status;
  ND_TRY(adjust(b, request, out, need, err));
  ndi_meter_take(&b->meter, out->granted);
  return ND_OK;
}

/* Not metered any more from here on, so that the meter never shows more than was admitted. */
static nd_status budget_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                             nd_error *err) {
  budget *b = (budget *)self;
  ND_TRY(nd_resource_give(self->up, block, after, err));
  ndi_meter_give(&b->meter, block->granted);
  if (!b->flights || ndi_uses_are_over(after)) uncharge(b, block->granted);
  else add_flight(b, after, block->granted);
  return ND_OK;
}

static nd_status budget_reap(nd_resource *self, nd_reap_mode mode, size_t *freed, nd_error *err) {
  const nd_status status = nd_resource_reap(self->up, mode, freed,
                                            err); /* waits, if 'mode' says so */
  land((budget *)self);
  return status;
}

/* {=== counters ===} */

static ndi_meter *budget_meter(nd_resource *self) { return &((budget *)self)->meter; }

/* Bytes in flight are pending, too. */
static void budget_stats(nd_resource *self, nd_mem_stats *out) {
  budget *b = (budget *)self;
  nd_mem_stats up;
  nd_resource_get_stats(self->up, &up);
  ndi_meter_read(&b->meter, out);
  out->cached = up.cached, out->cached_count = up.cached_count;
  out->reserved = ndi_gauge_read(&b->promised);
  out->reserved_count = ndi_gauge_read(&b->promises);
  out->limit = b->limit;
  out->remaining = remaining(b);
  if (!b->flights) return;
  ndi_spin_lock(&b->lock);
  out->live.now += b->in_flight; /* as the caller subtracts what is pending */
  out->pending.now += b->in_flight;
  ndi_spin_unlock(&b->lock);
}

static void budget_reset_peak(nd_resource *self) { ndi_meter_reset_peak(budget_meter(self)); }

static void budget_close(nd_resource *self) {
  budget *b = (budget *)self;
  ndi_meter_close(&b->meter);
  free(b->flights);
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
  budget *b = calloc(1, sizeof *b);
  flight *flights = up->is_ordered ? calloc(FLIGHTS, sizeof *flights) : NULL;
  if (!b || (up->is_ordered && !flights)) {
    free(b), free(flights);
    return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for the record of a resource");
  }
  nd_resource_init_on(&b->base, &ops, up);
  atomic_init(&b->limit, limit);
  b->flights = flights;
  b->cache = (nd_resource *)(uintptr_t)nd_resource_leaf(up);
  snprintf(b->place, sizeof b->place, "%s", place);
  *out = &b->base;
  return ND_OK;
}

/* {=== the outermost budget of a stack ===} */

static budget *find(nd_resource *self) {
  while (self && self->ops != &ops) self = self->up;
  return (budget *)self;
}

static nd_status need_budget(nd_resource *self, budget **out, nd_error *err) {
  *out = find(self);
  return *out ? ND_OK : nd_fail(err, ND_UNSUPPORTED, "no layer of this memory is a budget");
}

nd_status nd_budget_set_limit(nd_resource *self, uint64_t limit, nd_error *err) {
  budget *b;
  ND_TRY(need_budget(self, &b, err));
  atomic_store(&b->limit, limit);
  trim_cache(b);
  return ND_OK;
}

nd_status nd_budget_check(nd_resource *self, size_t bytes, nd_error *err) {
  const nd_request request = {.bytes = bytes};
  for (budget *b = find(self); b; b = find(b->base.up)) {
    const uint64_t need = nd_resource_grants(b->base.up, &request);
    if (need > remaining(b)) return refuse(b, bytes, need, err);
  }
  return ND_OK;
}

/* {=== reservations ===} */

static nd_status promise(void *context, nd_resource *self, nd_error *err) {
  budget *b = (budget *)self;
  const size_t bytes = *(const size_t *)context;
  uint64_t drawn;
  if (!admit(b, &(nd_request){0}, bytes, &drawn)) return refuse(b, bytes, bytes, err);
  return ND_OK;
}

nd_status nd_budget_reserve(nd_resource *self, size_t bytes, nd_reservation **out, nd_error *err) {
  budget *b;
  ND_TRY(need_budget(self, &b, err));
  if (bytes > b->limit) return refuse(b, bytes, bytes, err);
  nd_reservation *r = malloc(sizeof *r);
  if (!r) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a reservation");
  const nd_status status = ndi_with_room(&b->base, promise, &bytes, err);
  if (status != ND_OK) return free(r), status;
  ndi_gauge_raise(&b->promised, bytes);
  ndi_gauge_raise(&b->promises, 1);
  r->of = (budget *)nd_resource_hold(&b->base);
  atomic_init(&r->left, bytes);
  *out = r;
  return ND_OK;
}

uint64_t nd_reservation_remaining(const nd_reservation *self) {
  const uint64_t left = atomic_load(&self->left);
  return left & RELEASED ? 0 : left;
}

void nd_reservation_release(nd_reservation *self) {
  const uint64_t left = atomic_exchange(&self->left, RELEASED);
  if (left & RELEASED) return;
  ndi_gauge_lower(&self->of->promised, left);
  ndi_gauge_lower(&self->of->promises, 1);
  uncharge(self->of, left);
}

void nd_reservation_drop(nd_reservation *self) {
  nd_reservation_release(self);
  nd_resource_drop(&self->of->base);
  free(self);
}
