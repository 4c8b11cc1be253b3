/* Bytes of budgets that are promised before they are taken: to a script's block of code, or for
 * good to memory that is not taken through the stack. */
#include <stdlib.h>

#include "mem/adapt/budget.h"
#include "mem/ticket.h"

typedef struct {
  ndi_budget *of;
  size_t bytes;
} promise;

/* Not of bytes in flight, which are this queue's only. */
static nd_status make_promise(void *context, nd_resource *self, nd_error *err) {
  const promise *p = context;
  (void)self;
  ndi_budget_land(p->of);
  if (!ndi_budget_charge(p->of, p->bytes)) return ndi_budget_refuse(p->of, p->bytes, p->bytes, err);
  ndi_budget_trim_cache(p->of);
  return ND_OK;
}

nd_status nd_budget_reserve(nd_resource *self, size_t bytes, nd_reservation **out, nd_error *err) {
  ndi_budget *b;
  ND_TRY(ndi_budget_need(self, &b, err));
  if (bytes > b->limit) return ndi_budget_refuse(b, bytes, bytes, err);
  nd_reservation *r = malloc(sizeof *r);
  if (!r) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a reservation");
  const nd_status status = ndi_with_room(self, bytes, make_promise, &(promise){b, bytes}, err);
  if (status != ND_OK) return free(r), status;
  ndi_gauge_raise(&b->promised, bytes);
  ndi_gauge_raise(&b->promises, 1);
  atomic_init(&r->holds, 1);
  r->of = (ndi_budget *)nd_resource_hold(&b->base);
  atomic_init(&r->left, bytes);
  *out = r;
  return ND_OK;
}

uint64_t nd_reservation_remaining(const nd_reservation *self) {
  const uint64_t left = atomic_load(&self->left);
  return left & NDI_RELEASED ? 0 : left;
}

void nd_reservation_release(nd_reservation *self) {
  const uint64_t left = atomic_exchange(&self->left, NDI_RELEASED);
  if (left & NDI_RELEASED) return;
  ndi_gauge_lower(&self->of->promised, left);
  ndi_gauge_lower(&self->of->promises, 1);
  ndi_budget_uncharge(self->of, left);
}

nd_reservation *nd_reservation_hold(nd_reservation *self) {
  atomic_fetch_add(&self->holds, 1);
  return self;
}

void nd_reservation_drop(nd_reservation *self) {
  if (atomic_fetch_sub(&self->holds, 1) != 1) return;
  nd_reservation_release(self);
  nd_resource_drop(&self->of->base);
  free(self);
}

/* {=== memory beside the stack ===} */

/* Charge this budget and those below it, or none. */
static nd_status charge_from(ndi_budget *b, size_t bytes, nd_error *err) {
  if (!b) return ND_OK;
  promise p = {b, bytes};
  ND_TRY(make_promise(&p, &b->base, err));
  const nd_status status = charge_from(ndi_budget_find(b->base.up), bytes, err);
  if (status != ND_OK) ndi_budget_uncharge(b, bytes);
  return status;
}

static nd_status charge_all(void *context, nd_resource *stack, nd_error *err) {
  return charge_from(ndi_budget_find(stack), *(const size_t *)context, err);
}

nd_status nd_budget_charge(nd_resource *stack, size_t bytes, nd_error *err) {
  ND_TRY(nd_resource_fits(stack, &(nd_request){.bytes = bytes}, err));
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
