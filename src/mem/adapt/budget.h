/* What budget.c shares with reservation.c. */
#ifndef ND_MEM_ADAPT_BUDGET_H
#define ND_MEM_ADAPT_BUDGET_H

#include "mem/adapt/adapt.h"
#include "mem/adapt/in_flight.h"

typedef struct {
  nd_resource base;
  ndi_meter meter;
  _Atomic uint64_t limit, charged;
  ndi_gauge promised, promises; /* bytes, reservations; part of 'charged' */
  ndi_flights flights;
  nd_resource *cache;        /* the leaf, if it keeps blocks itself */
  _Atomic uint64_t returned; /* bytes from here that it keeps, as far as one can know */
  char place[];              /* for messages */
} ndi_budget;

/* A list, of which users have the first, that of the outermost budget. */
struct nd_reservation {
  atomic_uint holds; /* the reference count; this and a reference to 'of' are of the first */
  ndi_budget *of;
  _Atomic uint64_t left;
  nd_reservation *inner; /* of the next budget below */
};

#define NDI_RELEASED (UINT64_C(1) << 63) /* in 'left' */

static inline uint64_t ndi_reservation_left(const nd_reservation *self) {
  const uint64_t left = atomic_load(&self->left);
  return left & NDI_RELEASED ? 0 : left;
}

/* The outermost budget of a stack, or NULL. The second: ND_UNSUPPORTED instead. */
ndi_budget *ndi_budget_find(nd_resource *self);
nd_status ndi_budget_need(nd_resource *self, ndi_budget **out, nd_error *err);

/* Charge 'bytes', if they are below the limit. */
bool ndi_budget_charge(ndi_budget *b, uint64_t bytes);
void ndi_budget_uncharge(ndi_budget *b, uint64_t bytes);

/* Uncharge what was in flight and is done. Returns the bytes. */
uint64_t ndi_budget_land(ndi_budget *b);

/* Keep the bytes from here in the memory's own cache together with what is charged under the
 * limit. */
void ndi_budget_trim_cache(ndi_budget *b);

/* 'need': what the block of 'bytes' would be charged. The figures are those of the limit: a scope
 * of the counters does not change them. */
nd_status ndi_budget_refuse(ndi_budget *b, size_t bytes, uint64_t need, nd_error *err);

#endif
