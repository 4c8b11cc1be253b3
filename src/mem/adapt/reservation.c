/* Bytes of budgets that are promised before they are taken: to a script's block of code, or for
 * good to memory that is not taken through the stack. */
#include <stdlib.h>

#include "mem/adapt/budget.h"
#include "mem/ticket.h"

/* {=== charging a stack ===} */

/* Charge this budget and those below it, or none. Not with bytes in flight, which are this queue's
 * only. */
static nd_status charge_from(ndi_budget *b, size_t bytes, nd_error *err) {
  if (!b) return ND_OK;
  ndi_budget_land(b);
  if (!ndi_budget_charge(b, bytes)) return ndi_budget_refuse(b, bytes, bytes, err);
  ndi_budget_trim_cache(b);
  const nd_status status = charge_from(ndi_budget_find(b->base.up), bytes, err);
  if (status != ND_OK) ndi_budget_uncharge(b, bytes);
  return status;
}

static nd_status charge_all(void *context, nd_resource *stack, nd_error *err) {
  return charge_from(ndi_budget_find(stack), *(const size_t *)context, err);
}

nd_status nd_budget_charge(nd_resource *stack, size_t bytes, nd_error *err) {
  /* at once, where it can never be */
  for (ndi_budget *b = ndi_budget_find(stack); b; b = ndi_budget_find(b->base.up))
    if (bytes > b->limit) return ndi_budget_refuse(b, bytes, bytes, err);
  ND_TRY(ndi_with_room(stack, bytes, charge_all, &bytes, err));
  for (ndi_budget *b = ndi_budget_find(stack); b; b = ndi_budget_find(b->base.up))
    ndi_gauge_raise(&b->promised, bytes);
  return ND_OK;
}

void nd_budget_uncharge(nd_resource *stack, size_t bytes) {
  for (ndi_budget *b = ndi_budget_find(stack); b; b = ndi_budget_find(b->base.up)) {
    ndi_gauge_lower(&b->promised, bytes);
    ndi_budget_uncharge(b, bytes);
  }
}

/* {=== reservations ===} */

static void free_records(nd_reservation *r) {
  for (nd_reservation *inner; r; r = inner) inner = r->inner, free(r);
}

/* One for this budget and each below it; NULL: no memory. */
static nd_reservation *make_records(ndi_budget *b, size_t bytes) {
  nd_reservation *r = b ? malloc(sizeof *r) : NULL;
  if (!r) return NULL;
  ndi_budget *below = ndi_budget_find(b->base.up);
  atomic_init(&r->holds, 1);
  atomic_init(&r->left, bytes);
  r->of = b;
  r->inner = make_records(below, bytes);
  if (r->inner || !below) return r;
  free(r);
  return NULL;
}

nd_status nd_budget_reserve(nd_resource *self, size_t bytes, nd_reservation **out, nd_error *err) {
  ndi_budget *b;
  ND_TRY(ndi_budget_need(self, &b, err));
  nd_reservation *all = make_records(b, bytes);
  if (!all) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a reservation");
  const nd_status status = nd_budget_charge(self, bytes, err);
  if (status != ND_OK) return free_records(all), status;
  for (nd_reservation *r = all; r; r = r->inner) ndi_gauge_raise(&r->of->promises, 1);
  nd_resource_hold(&b->base); /* which holds those below */
  *out = all;
  return ND_OK;
}

uint64_t nd_reservation_remaining(const nd_reservation *self) { return ndi_reservation_left(self); }

void nd_reservation_release(nd_reservation *self) {
  for (nd_reservation *r = self; r; r = r->inner) {
    const uint64_t left = atomic_exchange(&r->left, NDI_RELEASED);
    if (left & NDI_RELEASED) continue;
    ndi_gauge_lower(&r->of->promised, left);
    ndi_gauge_lower(&r->of->promises, 1);
    ndi_budget_uncharge(r->of, left);
  }
}

nd_reservation *nd_reservation_hold(nd_reservation *self) {
  atomic_fetch_add(&self->holds, 1);
  return self;
}

void nd_reservation_drop(nd_reservation *self) {
  if (atomic_fetch_sub(&self->holds, 1) != 1) return;
  nd_reservation_release(self);
  nd_resource_drop(&self->of->base);
  free_records(self);
}
