/* Adaptors: resources that change how blocks of another one, their upstream, are taken and given
 * back. Each maker holds the upstream; '*out' is one reference. ND_OUT_OF_MEMORY without memory for
 * the record, ND_INVALID_ARGUMENT for a stack that makes no sense. */
#ifndef ND_MEM_ADAPT_ADAPT_H
#define ND_MEM_ADAPT_ADAPT_H

#include "mem/resource.h"

/* {=== meter.c ===} What a layer counts, in nested scopes: blocks, until they are given back. */

/* Counts since the scope began. 'now' is signed: less than 0 where older blocks were given back. */
typedef struct {
  nd_gauge bytes, blocks;
  uint64_t pending, pending_blocks; /* of the layer, when the scope began */
} ndi_scope;

typedef struct ndi_meter {
  atomic_uint lock; /* of mem/spin.h */
  ndi_scope scope;  /* the innermost one */
  ndi_scope *outer; /* those around it, the innermost last */
  int depth, room;  /* of 'outer': used, allocated */
} ndi_meter;

void ndi_meter_take(ndi_meter *meter, size_t bytes);
void ndi_meter_give(ndi_meter *meter, size_t bytes);
void ndi_meter_reset_peak(ndi_meter *meter);
void ndi_meter_close(ndi_meter *meter);

uint64_t ndi_meter_peak(ndi_meter *meter); /* in bytes, whatever scopes there are */

/* Set 'live', 'live_count' and 'is_scoped', where 'pending' is set. */
void ndi_meter_read(ndi_meter *meter, nd_mem_stats *out);

/* Begin a scope while so much is pending; end it, what it counted is in 'out'. An outer scope has
 * then counted it, too. */
nd_status ndi_meter_push(ndi_meter *meter, const nd_mem_stats *now, nd_error *err);
nd_status ndi_meter_pop(ndi_meter *meter, nd_mem_stats *out, nd_error *err);

/* {=== budget.c ===} A hard limit. */

/* At most 'limit' bytes of 'up', counted as granted: those in use, pending, or promised by a
 * reservation, and what the memory's own cache keeps. A take that would exceed it fails with
 * ND_BUDGET_EXCEEDED. 'place' names the memory in messages. */
nd_status nd_budget_make(nd_resource *up, uint64_t limit, const char *place, nd_resource **out,
                         nd_error *err);

/* {=== limit.c ===} */

/* The limit that 'text' means for 'up': "4GiB", "512 MiB", "1000000", or "50%" of all memory that
 * there is of its kind. ND_INVALID_ARGUMENT for another text, and where that is unknown. */
nd_status nd_budget_parse(const char *text, nd_resource *up, uint64_t *out, nd_error *err);

/* {=== budget.c, continued ===} */

/* The next functions work on the outermost budget of the stack 'self'. ND_UNSUPPORTED where there
 * is none. A limit below what is in use now refuses all takes until enough came back. */
nd_status nd_budget_set_limit(nd_resource *self, uint64_t limit, nd_error *err);

/* Would all budgets of a stack let 'bytes' pass now? ND_BUDGET_EXCEEDED where one would not. Other
 * threads may take them meanwhile. */
nd_status nd_budget_check(nd_resource *self, size_t bytes, nd_error *err);

/* Promise 'bytes' to takes whose request names the reservation. Makes room as a take does. What is
 * taken by it is given back to the budget, not to the reservation. */
nd_status nd_budget_reserve(nd_resource *self, size_t bytes, nd_reservation **out, nd_error *err);
uint64_t nd_reservation_remaining(const nd_reservation *self);
void nd_reservation_release(nd_reservation *self); /* the rest; idempotent */
void nd_reservation_drop(nd_reservation *self);    /* released and freed */

/* {=== stats.c ===} */

/* Counts what goes through it. */
nd_status nd_stats_make(nd_resource *up, nd_resource **out, nd_error *err);

/* Begin a scope of the outermost layer of 'self' that counts in scopes (stats, budget, pool), and
 * end its innermost one: '*out' is what that has counted. ND_UNSUPPORTED where there is no such
 * layer; ND_INVALID_ARGUMENT for an end without a beginning. */
nd_status nd_stats_push(nd_resource *self, nd_error *err);
nd_status nd_stats_pop(nd_resource *self, nd_mem_stats *out, nd_error *err);

#endif
