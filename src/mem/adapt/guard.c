/* The guard adaptor: marks the bytes around each block, and looks whether they change.
 *
 * A block of the upstream has room for the marks: 256 bytes before the user's, so that these are
 * aligned as before, 64 or more after them. Bytes that were never written are 0xDD, those of a
 * block that was given back 0xDE: for a while it is kept (guard_keep.c), so that nobody gets the
 * memory and late writes are seen. */
#include "mem/adapt/guard.h"

#include <stdlib.h>
#include <string.h>

#include "base/call.h"
#include "base/size.h"
#include "mem/reap.h"
#include "mem/spin.h"

/* {=== take ===} */

static size_t front_of(const nd_request *request) {
  return request->align > NDI_GUARD_FRONT ? request->align : NDI_GUARD_FRONT;
}

/* The request for the upstream. False: it is too large. */
static bool widen(const nd_request *request, nd_request *out) {
  *out = *request;
  if (request->bytes == 0) return true;
  if (!ndi_size_add(request->bytes, front_of(request) + 2 * NDI_GUARD_BACK - 1, &out->bytes))
    return false;
  out->bytes -= out->bytes % NDI_GUARD_BACK;
  return true;
}

static nd_status fail_wide(const nd_request *request, nd_error *err) {
  return nd_fail_with(err, ND_OUT_OF_MEMORY, ND_NUMBERS({"requested", (int64_t)request->bytes}),
                      "out of memory: requested %zu B, with the bytes that a guard adds",
                      request->bytes);
}

static ndi_guard_node *make_node(const nd_request *request) {
  char text[ND_TRACE_TEXT];
  const size_t length = nd_call_trace(text, sizeof text);
  ndi_guard_node *n = calloc(1, sizeof *n + length + 1);
  if (!n) return NULL;
  memcpy(n->trace, text, length);
  n->front = front_of(request);
  n->bytes = request->bytes;
  n->tag = request->tag;
  n->slot = -1;
  return n;
}

/* Threads may race to make the slots: one of them wins. */
static nd_status open_slots(ndi_guard *g, nd_error *err) {
  nd_resource *staging = nd_resource_staging(g->base.up);
  const nd_request request = {.bytes = (size_t)NDI_GUARD_SLOT * NDI_GUARD_SLOTS};
  nd_block block;
  ndi_spin_lock(&g->lock);
  const bool is_open = g->slots.host != NULL;
  ndi_spin_unlock(&g->lock);
  if (is_open) return ND_OK;
  if (!staging)
    return nd_fail(err, ND_UNSUPPORTED, "a guard: there is no way to look at memory of this kind");
  ND_TRY(nd_resource_take(staging, &request, &block, err));
  ndi_spin_lock(&g->lock);
  const bool is_first = g->slots.host == NULL;
  if (is_first) g->slots = block, g->staging = staging;
  ndi_spin_unlock(&g->lock);
  if (!is_first) ndi_guard_leave_block(staging, &block, &(nd_uses){0});
  return ND_OK;
}

static nd_status add_node(ndi_guard *g, ndi_guard_node *n, nd_error *err) {
  ndi_spin_lock(&g->lock);
  n->generation = ++g->count;
  const ndi_guard_node *other = ndi_guard_overlap(g->root, n->block.ptr, n->block.bytes);
  if (!other) ndi_guard_add(&g->root, n), g->nodes++;
  ndi_spin_unlock(&g->lock);
  if (!other) return ND_OK;
  ndi_guard_note_overlap(g, n);
  ND_TRY(ndi_guard_raise(g, err)); /* this or an older one */
  return nd_fail(err, ND_OVERLAP, "the memory of %s was handed out twice", g->base.up->ops->name);
}

/* The three fills are one after the other; the last one's point is when the block is ready. */
static nd_status mark(ndi_guard *g, ndi_guard_node *n, bool zeroed, nd_uses *chain, nd_error *err) {
  const size_t before = n->front - NDI_GUARD_FRONT, after = n->front + n->bytes;
  ND_TRY(ndi_guard_fill(g, n, before, NDI_GUARD_FRONT, NDI_GUARD_MARK, chain, err));
  if (!zeroed) ND_TRY(ndi_guard_fill(g, n, n->front, n->bytes, NDI_GUARD_TAKEN, chain, err));
  return ndi_guard_fill(g, n, after, n->back, NDI_GUARD_MARK, chain, err);
}

static nd_status prepare(ndi_guard *g, ndi_guard_node *n, bool zeroed, nd_error *err) {
  nd_uses chain = {.count = n->block.ready.seq > 0};
  chain.use[0] = (nd_use){.at = n->block.ready, .lo = 0, .hi = SIZE_MAX};
  nd_status status = ndi_guard_is_near(n) ? ND_OK : open_slots(g, err);
  if (status == ND_OK) status = mark(g, n, zeroed, &chain, err);
  if (chain.count) n->block.ready = chain.use[0].at;
  ndi_spin_lock(&g->lock);
  n->is_marked = status == ND_OK;
  ndi_spin_unlock(&g->lock);
  return status;
}

/* Fills may be in flight. */
static void give_back(ndi_guard *g, ndi_guard_node *n) {
  const nd_use use = {.at = n->block.ready, .lo = 0, .hi = SIZE_MAX};
  const nd_uses after = {.count = n->block.ready.seq > 0, .use = {use}};
  ndi_guard_leave_block(g->base.up, &n->block, &after);
  free(n);
}

/* Not marked yet, it is in nobody's list. */
static void remove_node(ndi_guard *g, ndi_guard_node *n) {
  ndi_spin_lock(&g->lock);
  ndi_guard_remove(&g->root, n), g->nodes--;
  ndi_spin_unlock(&g->lock);
}

static void explain(nd_status status, nd_error *err) {
  ndi_adaptor_explain(status, ", with the bytes that a guard adds", err);
}

static nd_status take_node(ndi_guard *g, const nd_request *request, ndi_guard_node **out,
                           nd_error *err) {
  nd_request whole;
  if (!widen(request, &whole)) return fail_wide(request, err);
  ndi_guard_node *n = make_node(request);
  if (!n) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for the record of a block");
  nd_status status = nd_resource_take(g->base.up, &whole, &n->block, err);
  if (status != ND_OK) return free(n), explain(status, err), status;
  n->back = whole.bytes - n->front - n->bytes;
  if ((status = add_node(g, n, err)) != ND_OK) return give_back(g, n), status;
  if ((status = prepare(g, n, request->zeroed, err)) != ND_OK)
    return remove_node(g, n), give_back(g, n), status;
  *out = n;
  return ND_OK;
}

static nd_status guard_take(nd_resource *self, const nd_request *request, nd_block *out,
                            nd_error *err) {
  ndi_guard *g = (ndi_guard *)self;
  ndi_guard_node *n = NULL;
  size_t freed = 0;
  ndi_guard_step(g, SIZE_MAX, false, &freed, NULL);
  ND_TRY(ndi_guard_raise(g, err));
  if (request->bytes == 0) return nd_resource_take(self->up, request, out, err);
  ND_TRY(take_node(g, request, &n, err));
  *out = n->block;
  out->ptr = ndi_guard_at(n);
  out->host = n->block.host ? (char *)n->block.host + n->front : NULL;
  out->bytes = n->bytes;
  out->zeroed = request->zeroed;
  out->cookie = (uint64_t)(uintptr_t)n;
  return ND_OK;
}

/* {=== give ===} A block of 0 bytes, which has no address, is the upstream's own. */

static ndi_guard_node *node_of(const nd_block *block) {
  return block->ptr ? (ndi_guard_node *)(uintptr_t)block->cookie : NULL;
}

/* All work on a block comes after it was ready. */
static void note_after(ndi_guard_node *n, const nd_uses *after) {
  if (after) n->after = *after;
  if (n->after.count > 0 || n->block.ready.seq == 0) return;
  n->after.count = 1;
  n->after.use[0] = (nd_use){.at = n->block.ready, .lo = 0, .hi = SIZE_MAX};
}

static nd_status guard_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                            nd_error *err) {
  ndi_guard_node *n = node_of(block);
  if (!n) return nd_resource_give(self->up, block, after, err);
  note_after(n, after);
  ndi_guard_keep((ndi_guard *)self, n);
  return ND_OK;
}

/* {=== the rest ===} */

static size_t guard_grants(nd_resource *self, const nd_request *request) {
  nd_request whole;
  return widen(request, &whole) ? nd_resource_grants(self->up, &whole) : SIZE_MAX;
}

static nd_status guard_fits(nd_resource *self, const nd_request *request, nd_error *err) {
  nd_request whole;
  if (!widen(request, &whole)) return fail_wide(request, err);
  const nd_status status = nd_resource_fits(self->up, &whole, err);
  explain(status, err);
  return status;
}

/* Its own blocks first, as those below may have to be waited for once more: in another guard. */
static nd_status guard_reap(nd_resource *self, nd_reap_mode mode, size_t *freed, nd_error *err) {
  const bool waits = mode == ND_REAP_WAIT;
  size_t own = 0;
  const nd_status looked = ndi_guard_step((ndi_guard *)self, waits ? 0 : SIZE_MAX, waits, &own,
                                          err);
  const nd_status status = nd_resource_reap(self->up, mode, freed, looked == ND_OK ? err : NULL);
  *freed += own;
  return looked == ND_OK ? status : looked;
}

static nd_status guard_trim(nd_resource *self, size_t keep, size_t *freed, nd_error *err) {
  ndi_guard *g = (ndi_guard *)self;
  size_t own = 0;
  ndi_guard_step(g, keep, false, &own, NULL);
  ndi_spin_lock(&g->lock);
  const size_t rest = g->fresh.bytes + g->looked.bytes + g->kept.bytes;
  ndi_spin_unlock(&g->lock);
  const nd_status status = nd_resource_trim(self->up, keep > rest ? keep - rest : 0, freed, err);
  *freed = own > *freed ? own : *freed; /* the upstream may have kept what was given up */
  return status;
}

static nd_status guard_check(nd_resource *self, const nd_block *block, nd_error *err) {
  const ndi_guard_node *n = node_of(block);
  return nd_resource_check(self->up, n ? &n->block : block, err);
}

static void guard_watch(nd_resource *self, const nd_block *block, _Atomic uint64_t *epoch) {
  const ndi_guard_node *n = node_of(block);
  nd_resource_watch(self->up, n ? &n->block : block, epoch);
}

static bool is_far(const nd_resource *up) {
  return up->kind == ND_MEM_DEVICE || up->kind == ND_MEM_MANAGED;
}

/* With blocks left that are looked at by a driver, which finalizers must not call, it goes to the
 * reader, and is closed once more after that. The upstream's reference, which nd_resource_drop
 * takes off in any case, is for the second time. */
static bool retire(ndi_guard *g) {
  nd_resource *up = g->base.up;
  if (!is_far(up) || ndi_guard_is_empty(g)) return false;
  nd_resource_hold(up);
  if (ndi_due_add(&g->due)) return true;
  nd_resource_drop(up);
  return false;
}

static void guard_close(nd_resource *self) {
  ndi_guard *g = (ndi_guard *)self;
  if (retire(g)) return;
  ndi_due_leave(&g->due);
  ndi_cache_unregister(self);
  ndi_guard_leave_all(g);
  ndi_guard_tell_rest(g);
  free(g->entries);
  free(g);
}

static const nd_resource_ops ops = {.name = "guard",
                                    .no_pool = "it would not see what is used, but what the pool "
                                               "keeps; put it on the pool",
                                    .grants = guard_grants,
                                    .fits = guard_fits,
                                    .take = guard_take,
                                    .give = guard_give,
                                    .reap = guard_reap,
                                    .trim = guard_trim,
                                    .check = guard_check,
                                    .watch = guard_watch,
                                    .close = guard_close};

nd_status nd_guard_make(nd_resource *up, void (*tell)(const nd_finding *finding, uint64_t lost),
                        nd_resource **out, nd_error *err) {
  if (up->kind == ND_MEM_FILE || up->kind == ND_MEM_FOREIGN)
    return nd_fail(err, ND_INVALID_ARGUMENT,
                   "a guard over %s memory: its bytes have their place, there is no room for marks",
                   nd_resource_leaf(up)->ops->name);
  ND_TRY(ndi_adaptor_make(&ops, sizeof(ndi_guard), up, out, err));
  ((ndi_guard *)*out)->tell = tell;
  /* a give calls the driver, as that of a pool below does not */
  (*out)->is_deferred |= is_far(up);
  ndi_cache_register(*out); /* what it keeps goes where memory is short */
  return ND_OK;
}

/* Where no block is left that needs them. */
static void close_slots(ndi_guard *g) {
  ndi_spin_lock(&g->lock);
  const nd_block slots = g->nodes == 0 ? g->slots : (nd_block){0};
  if (slots.host) g->slots = (nd_block){0};
  ndi_spin_unlock(&g->lock);
  if (slots.host) ndi_guard_leave_block(g->staging, &slots, &(nd_uses){0});
}

nd_status nd_guard_raise(const nd_resource *self, nd_error *err) {
  for (; self; self = self->up)
    if (self->ops == &ops) ND_TRY(ndi_guard_raise((ndi_guard *)(uintptr_t)self, err));
  return ND_OK;
}

bool nd_guard_settle(nd_resource *self, bool waits) {
  if (self->ops != &ops) return true;
  ndi_guard *g = (ndi_guard *)self;
  size_t freed = 0;
  if (ndi_guard_step(g, 0, waits, &freed, NULL) != ND_OK && waits) /* there is no later chance */
    ndi_guard_step(g, 0, waits, &freed, NULL);
  if (waits) close_slots(g);
  if (waits) ndi_guard_tell_rest(g);
  return ndi_guard_is_empty(g);
}

void nd_guard_go_on(nd_resource *self) {
  if (self->ops != &ops) return;
  ndi_guard *g = (ndi_guard *)self;
  size_t freed = 0;
  if (ndi_guard_is_moving(g)) ndi_guard_step(g, SIZE_MAX, false, &freed, NULL);
}

/* {=== guards with a reader ===} */

void nd_guard_join(nd_resource *self, ndi_due *reader) {
  ndi_due_join(reader, &((ndi_guard *)self)->due, &self->holds);
}

static ndi_guard *guard_of(ndi_due_item *item) {
  return (ndi_guard *)((char *)item - offsetof(ndi_guard, due));
}

/* One that has no other reference, of which nobody can get a block any more, looks at all that it
 * keeps; what is left then makes it due again (retire). As many as are due now: those that do not
 * get on come again. */
void nd_guards_go_on(ndi_due *reader) {
  for (size_t left = ndi_due_count(reader); left > 0; left--) {
    ndi_due_item *item = ndi_due_take(reader);
    if (!item) return;
    ndi_guard *g = guard_of(item);
    size_t freed = 0;
    const bool is_last = atomic_load(&g->base.holds) == 1;
    ndi_guard_step(g, is_last ? 0 : SIZE_MAX, false, &freed, NULL);
    nd_resource_drop(&g->base);
  }
}

void nd_guards_end(ndi_due *reader) {
  ndi_due_item *item;
  ndi_due_close(reader);
  while ((item = ndi_due_pop(reader))) {
    nd_guard_settle(&guard_of(item)->base, true);
    nd_resource_drop(&guard_of(item)->base);
  }
  while ((item = ndi_due_take(reader))) nd_resource_drop(&guard_of(item)->base);
  ndi_due_drop(reader);
}

/* {=== looking at all blocks ===} */

/* By a slot of its own; where all are in use, those that are looked at go on first. */
static nd_status look_far(ndi_guard *g, ndi_guard_node *n, nd_error *err) {
  nd_uses chain = {.count = n->block.ready.seq > 0};
  size_t freed = 0;
  int slot;
  bool is_torn;
  chain.use[0] = (nd_use){.at = n->block.ready, .lo = 0, .hi = SIZE_MAX};
  while ((slot = ndi_guard_take_slot(g)) < 0) {
    ndi_guard_step(g, SIZE_MAX, true, &freed, NULL);
    sched_yield(); /* others may look */
  }
  nd_status status = ndi_guard_fetch(g, n, slot, 0, 0, &chain, &is_torn, err);
  const nd_status waited = ndi_uses_wait_all(&chain, status == ND_OK ? err : NULL);
  if (status == ND_OK) status = waited;
  const ndi_guard_sight sight = ndi_guard_sight_of(g, slot, 0, 0);
  if (status == ND_OK) ndi_guard_compare(g, n, &sight);
  ndi_guard_give_slot(g, slot);
  return status;
}

static nd_status look_at_list(ndi_guard *g, ndi_guard_node **list, size_t count, nd_error *err) {
  for (size_t i = 0; i < count; i++) {
    if (ndi_guard_is_near(list[i])) ndi_guard_look(g, list[i], false);
    else ND_TRY(look_far(g, list[i], err));
  }
  return ND_OK;
}

enum { SPARE = 64 }; /* others may come before the lock is had again; beyond it, once more */

/* No node is freed before the lookers are fewer again. */
static nd_status list_all(ndi_guard *g, ndi_guard_node ***out, size_t *count, nd_error *err) {
  for (size_t most = SPARE;;) {
    ndi_guard_node **list = malloc(most * sizeof *list);
    if (!list) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a list of %zu blocks", most);
    ndi_spin_lock(&g->lock);
    const bool fits = g->nodes <= most;
    if (fits) {
      if (g->looking_in != ndi_forks()) g->lookers = 0;
      g->looking_in = ndi_forks();
      g->lookers++;
      *count = ndi_guard_list(g->root, list, most);
    }
    most = g->nodes + SPARE;
    ndi_spin_unlock(&g->lock);
    if (fits) return *out = list, ND_OK;
    free(list);
  }
}

/* The list may be read without the lock. */
static nd_status look_at_all(ndi_guard *g, nd_error *err) {
  ndi_guard_node **list = NULL;
  size_t count = 0;
  ND_TRY(list_all(g, &list, &count, err));
  const nd_status status = look_at_list(g, list, count, err);
  ndi_spin_lock(&g->lock);
  g->lookers--;
  ndi_spin_unlock(&g->lock);
  free(list);
  return status;
}

nd_status nd_guard_verify(nd_resource *self, nd_finding **out, size_t *count, uint64_t *lost,
                          nd_error *err) {
  size_t freed;
  while (self && self->ops != &ops) self = self->up;
  if (!self) return nd_fail(err, ND_UNSUPPORTED, "no layer of this memory is a guard");
  ndi_guard *g = (ndi_guard *)self;
  nd_reap(ND_REAP_WAIT);
  ND_TRY(nd_resource_reap(self, ND_REAP_WAIT, &freed, err));
  ND_TRY(look_at_all(g, err));
  nd_finding *list = malloc(NDI_GUARD_FINDINGS * sizeof *list);
  if (!list) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a list of findings");
  *count = ndi_guard_take_findings(g, list, lost);
  *out = list;
  return ND_OK;
}
