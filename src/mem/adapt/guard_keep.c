/* Blocks that were given back to a guard, until the upstream gets them.
 *
 * The CPU looks at ordinary and pinned memory itself. Of other memory, marks and bytes are copied
 * to a slot of page-locked memory, which takes two steps, as a give must not wait: the copy is
 * enqueued after the work on the block, and compared when it is there, by any later call. Where all
 * slots are in use, the block waits for one: none leaves without a look. What cannot be read any
 * more, as the device refuses it again and again, is given back as it is. */
#include <stdlib.h>
#include <string.h>

#include "base/call.h"
#include "mem/adapt/guard.h"
#include "mem/spin.h"
#include "mem/ticket.h"

enum { KEPT_BLOCKS = 64, KEPT_BYTES = 64 << 20, PATIENCE = 8 /* looks that were refused */ };

/* {=== queues ===} */

static void push(ndi_guard *g, ndi_guard_queue *q, ndi_guard_node *n, bool is_first) {
  ndi_spin_lock(&g->lock);
  n->next = is_first ? q->first : NULL;
  if (!q->first) q->first = q->last = n;
  else if (is_first) q->first = n;
  else q->last = q->last->next = n;
  q->count++;
  q->bytes += n->block.granted;
  ndi_spin_unlock(&g->lock);
}

/* The lock is held. */
static ndi_guard_node *pop_first(ndi_guard_queue *q) {
  ndi_guard_node *n = q->first;
  if (!n) return NULL;
  q->first = n->next;
  if (!q->first) q->last = NULL;
  q->count--;
  q->bytes -= n->block.granted;
  return n;
}

static ndi_guard_node *pop(ndi_guard *g, ndi_guard_queue *q) {
  ndi_spin_lock(&g->lock);
  ndi_guard_node *n = pop_first(q);
  ndi_spin_unlock(&g->lock);
  return n;
}

/* The oldest one, if more than 'keep' bytes are kept, or too many blocks. Blocks that are not
 * looked at yet count as well. */
static ndi_guard_node *pop_kept(ndi_guard *g, size_t keep) {
  ndi_spin_lock(&g->lock);
  const size_t bytes = g->fresh.bytes + g->looked.bytes + g->kept.bytes;
  const size_t count = g->fresh.count + g->looked.count + g->kept.count;
  ndi_guard_node *n = bytes > keep || count > KEPT_BLOCKS ? pop_first(&g->kept) : NULL;
  ndi_spin_unlock(&g->lock);
  return n;
}

static size_t count_of(ndi_guard *g, const ndi_guard_queue *q) {
  ndi_spin_lock(&g->lock);
  const size_t count = q->count;
  ndi_spin_unlock(&g->lock);
  return count;
}

/* Are there steps to take? */
bool ndi_guard_is_moving(ndi_guard *g) {
  ndi_spin_lock(&g->lock);
  const bool is_moving = g->fresh.count + g->looked.count + g->leaving.count > 0 ||
                         g->kept.bytes > KEPT_BYTES;
  ndi_spin_unlock(&g->lock);
  return is_moving;
}

bool ndi_guard_is_empty(ndi_guard *g) {
  ndi_spin_lock(&g->lock);
  const bool is_empty = g->fresh.count + g->looked.count + g->kept.count + g->leaving.count == 0;
  ndi_spin_unlock(&g->lock);
  return is_empty;
}

/* {=== slots ===} */

int ndi_guard_take_slot(ndi_guard *g) {
  int slot = -1;
  ndi_spin_lock(&g->lock);
  if (~g->used_slots != 0) {
    slot = __builtin_ctz(~g->used_slots);
    g->used_slots |= UINT32_C(1) << slot;
  }
  ndi_spin_unlock(&g->lock);
  return slot;
}

void ndi_guard_give_slot(ndi_guard *g, int slot) {
  ndi_spin_lock(&g->lock);
  g->used_slots &= ~(UINT32_C(1) << slot);
  ndi_spin_unlock(&g->lock);
}

ndi_guard_sight ndi_guard_sight_of(const ndi_guard *g, int slot, size_t head, size_t tail) {
  const unsigned char *at = (const unsigned char *)g->slots.host + (size_t)slot * NDI_GUARD_SLOT;
  return (ndi_guard_sight){at, at + NDI_GUARD_FRONT + head, head, tail};
}

/* {=== reading, writing ===} */

static void set_point(nd_uses *chain, nd_point at) {
  chain->count = 1;
  chain->use[0] = (nd_use){.at = at, .lo = 0, .hi = SIZE_MAX, .is_write = false};
}

/* The point is set as well where the call failed after something was enqueued; so below. */
static nd_status fetch_part(ndi_guard *g, const ndi_guard_node *n, size_t offset, size_t bytes,
                            const unsigned char *to, nd_uses *chain, nd_error *err) {
  nd_point at = {0};
  const nd_status status = nd_resource_fetch(g->base.up, &n->block, offset, bytes,
                                             (void *)(uintptr_t)to, chain, &at, err);
  if (status == ND_OK || at.seq > 0) set_point(chain, at);
  return status;
}

nd_status ndi_guard_fetch(ndi_guard *g, const ndi_guard_node *n, int slot, size_t head, size_t tail,
                          nd_uses *chain, bool *is_torn, nd_error *err) {
  const ndi_guard_sight to = ndi_guard_sight_of(g, slot, head, tail);
  *is_torn = true;
  ND_TRY(
      fetch_part(g, n, n->front - NDI_GUARD_FRONT, NDI_GUARD_FRONT + head, to.front, chain, err));
  ND_TRY(fetch_part(g, n, n->front + n->bytes - tail, tail + n->back, to.back, chain, err));
  *is_torn = false;
  return ND_OK;
}

nd_status ndi_guard_fill(ndi_guard *g, const ndi_guard_node *n, size_t offset, size_t bytes,
                         uint8_t value, nd_uses *chain, nd_error *err) {
  nd_point at = {0};
  if (ndi_guard_is_near(n)) {
    ND_TRY(ndi_uses_wait_all(chain, err));
    memset((char *)n->block.host + offset, value, bytes);
    return set_point(chain, at), ND_OK;
  }
  const nd_status status = nd_resource_fill(g->base.up, &n->block, offset, bytes, value, chain, &at,
                                            err);
  if (status == ND_OK || at.seq > 0) set_point(chain, at);
  return status;
}

bool ndi_guard_look(ndi_guard *g, ndi_guard_node *n, bool is_given) {
  const unsigned char *at = (const unsigned char *)n->block.host + n->front;
  if (nd_resource_check(g->base.up, &n->block, NULL) != ND_OK) return false;
  const size_t head = is_given && n->is_filled ? n->bytes : 0;
  ndi_guard_compare(g, n, &(ndi_guard_sight){at - NDI_GUARD_FRONT, at + n->bytes, head, 0});
  return true;
}

/* {=== going back ===} */

/* Unless somebody looks at live blocks, and may have a pointer to it. */
static bool forget(ndi_guard *g, ndi_guard_node *n) {
  ndi_spin_lock(&g->lock);
  const bool may = g->lookers == 0 || g->looking_in != ndi_forks();
  if (may) ndi_guard_remove(&g->root, n), g->nodes--;
  ndi_spin_unlock(&g->lock);
  return may;
}

/* False: it stays kept. What cannot be looked at may have work in flight still. */
static bool give_up(ndi_guard *g, ndi_guard_node *n, size_t *freed) {
  const size_t bytes = n->block.granted;
  const bool is_done = g->base.up->is_ordered || ndi_uses_are_over(&n->after);
  if (!is_done || !forget(g, n)) return push(g, &g->kept, n, true), false;
  if (nd_resource_give(g->base.up, &n->block, &n->after, NULL) == ND_OK)
    return *freed += bytes, free(n), true;
  ndi_spin_lock(&g->lock);
  ndi_guard_add(&g->root, n), g->nodes++;
  ndi_spin_unlock(&g->lock);
  push(g, &g->kept, n, true);
  return false;
}

/* Enqueue a look into a slot. False: nothing is under way. */
static bool begin_look(ndi_guard *g, ndi_guard_node *n, int slot, size_t head, size_t tail,
                       nd_error *err) {
  const int count = n->after.count;
  const nd_point before = count ? n->after.use[0].at : (nd_point){0};
  n->head = head, n->tail = tail;
  const nd_status status = ndi_guard_fetch(g, n, slot, head, tail, &n->after, &n->is_torn, err);
  const nd_point now = n->after.count ? n->after.use[0].at : before;
  const bool is_same = n->after.count == count && now.queue == before.queue &&
                       now.seq == before.seq;
  if (status != ND_OK && is_same) return ndi_guard_give_slot(g, slot), false;
  n->slot = slot;
  n->look = now;
  return true;
}

typedef enum { UNDER_WAY, TORN, OVER } progress; /* of a look */

/* What a look brought is compared. Where its device is lost, or in a forked child, which does not
 * have the slots, there is nothing to see. */
static progress end_look(ndi_guard *g, ndi_guard_node *n, bool waits, nd_point *stuck,
                         nd_error *err) {
  if (waits) nd_point_wait(n->look, err);
  else if (stuck->seq && n->look.queue == stuck->queue && n->look.seq >= stuck->seq)
    return UNDER_WAY;
  if (!nd_point_is_over(n->look)) return *stuck = n->look, UNDER_WAY;
  const bool may_see = nd_point_is_done(n->look) &&
                       nd_resource_check(g->staging, &g->slots, NULL) == ND_OK;
  const ndi_guard_sight sight = ndi_guard_sight_of(g, n->slot, n->head, n->tail);
  if (may_see && !n->is_torn) ndi_guard_compare(g, n, &sight);
  ndi_guard_give_slot(g, n->slot);
  n->slot = -1;
  return may_see && n->is_torn && n->refusals++ < PATIENCE ? TORN : OVER;
}

/* {=== steps ===} */

/* Is a look that could not begin worth another try, when the next step comes? Not where the device
 * is lost, or the process is a fork. */
static bool is_tried_again(ndi_guard *g, ndi_guard_node *n) {
  return n->refusals++ < PATIENCE && nd_resource_check(g->base.up, &n->block, NULL) == ND_OK;
}

/* On the queue of the look, so that no other work has to wait for it. */
static void fill_given(ndi_guard *g, ndi_guard_node *n, nd_error *err) {
  nd_call call = {.queue = n->look.queue};
  const nd_call *outer = nd_call_set(&call);
  n->is_filled = ndi_guard_fill(g, n, n->front, n->bytes, NDI_GUARD_GIVEN, &n->after, err) == ND_OK;
  nd_call_set(outer);
}

static void start_looks(ndi_guard *g, nd_error *err) {
  for (ndi_guard_node *n; (n = pop(g, &g->fresh));) {
    const int slot = ndi_guard_take_slot(g);
    if (slot < 0) return push(g, &g->fresh, n, true);
    if (begin_look(g, n, slot, 0, 0, err)) {
      if (!n->is_filled) fill_given(g, n, err); /* it may be a second look */
      push(g, &g->looked, n, false);
    } else if (is_tried_again(g, n)) {
      return push(g, &g->fresh, n, true);
    } else {
      push(g, &g->kept, n, false);
    }
  }
}

/* As many as there are now; what is not over comes last again. */
static void end_looks(ndi_guard *g, bool waits, nd_error *err) {
  nd_point stuck = {0};
  for (size_t left = count_of(g, &g->looked); left > 0; left--) {
    ndi_guard_node *n = pop(g, &g->looked);
    if (!n) return;
    const progress now = end_look(g, n, waits, &stuck, err);
    if (now == OVER && !n->is_filled) fill_given(g, n, err); /* which was refused before */
    push(g, now == OVER ? &g->kept : now == TORN ? &g->fresh : &g->looked, n, false);
  }
}

static void end_leaving(ndi_guard *g, bool waits, size_t *freed, nd_error *err) {
  nd_point stuck = {0};
  for (size_t left = count_of(g, &g->leaving); left > 0; left--) {
    ndi_guard_node *n = pop(g, &g->leaving);
    if (!n) return;
    const progress now = end_look(g, n, waits, &stuck, err);
    if (now == OVER) give_up(g, n, freed);
    else push(g, now == TORN ? &g->kept : &g->leaving, n, now == TORN);
  }
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* False: it cannot go now. */
static bool leave(ndi_guard *g, ndi_guard_node *n, size_t *freed, nd_error *err) {
  if (ndi_guard_is_near(n)) {
    ndi_guard_look(g, n, true);
    return give_up(g, n, freed);
  }
  const int slot = ndi_guard_take_slot(g);
  if (slot < 0) return push(g, &g->kept, n, true), false;
  const size_t all = n->is_filled ? n->bytes : 0, head = least(all, NDI_GUARD_END);
  if (begin_look(g, n, slot, head, least(all - head, NDI_GUARD_END), err))
    return push(g, &g->leaving, n, false), true;
  if (is_tried_again(g, n)) return push(g, &g->kept, n, true), false;
  return give_up(g, n, freed);
}

static void evict(ndi_guard *g, size_t keep, size_t *freed, nd_error *err) {
  for (ndi_guard_node *n; (n = pop_kept(g, keep));)
    if (!leave(g, n, freed, err)) return;
}

/* One slot's worth of blocks is on the way at a time, so with 'waits' it takes several rounds. */
nd_status ndi_guard_step(ndi_guard *g, size_t keep, bool waits, size_t *freed, nd_error *err) {
  const size_t most = least(keep, KEPT_BYTES);
  nd_error why;
  size_t before;
  why.code = ND_OK;
  do {
    before = *freed;
    start_looks(g, &why);
    end_looks(g, waits, &why);
    end_leaving(g, waits, freed, &why);
    evict(g, most, freed, &why);
    end_leaving(g, waits, freed, &why);
  } while (waits && *freed > before && !ndi_guard_is_empty(g));
  if (ndi_guard_is_moving(g)) ndi_due_add(&g->due);
  if (why.code == ND_OK || (waits && ndi_guard_is_empty(g))) return ND_OK;
  if (err) *err = why;
  return why.code;
}

static void keep_near(ndi_guard *g, ndi_guard_node *n) {
  if (ndi_guard_look(g, n, false)) {
    memset((char *)n->block.host + n->front, NDI_GUARD_GIVEN, n->bytes);
    n->is_filled = true;
  }
  push(g, &g->kept, n, false);
}

void ndi_guard_keep(ndi_guard *g, ndi_guard_node *n) {
  size_t freed = 0;
  if (ndi_guard_is_near(n)) keep_near(g, n);
  else push(g, &g->fresh, n, false);
  ndi_guard_step(g, KEPT_BYTES, false, &freed, NULL);
}

/* {=== closing ===} */

void ndi_guard_leave_block(nd_resource *to, const nd_block *block, const nd_uses *uses) {
  nd_ticket ticket;
  nd_uses *after = malloc(sizeof *after);
  if (after && nd_ticket_adopt(to, block, &ticket, NULL) == ND_OK) {
    *after = *uses;
    nd_resource_drop(to); /* the ticket has a reference of its own */
    nd_ticket_give(ticket, after, NULL);
  } else {
    free(after);
    nd_resource_give(to, block, uses, NULL);
  }
}

/* The slots are freed after all looks that are under way. */
static void leave_queue(ndi_guard *g, ndi_guard_queue *q, nd_uses *looks, bool *fits) {
  for (ndi_guard_node *n; (n = pop_first(q)); free(n)) {
    const nd_use use = {.at = n->look, .lo = 0, .hi = SIZE_MAX, .is_write = false};
    if (ndi_guard_is_near(n)) ndi_guard_look(g, n, true);
    if (n->slot >= 0 && n->look.seq > 0) *fits &= ndi_uses_add(looks, &use);
    ndi_guard_leave_block(g->base.up, &n->block, &n->after);
  }
}

/* With looks on more queues than a record has room for, the slots are never freed. */
void ndi_guard_leave_all(ndi_guard *g) {
  nd_uses looks = {.count = 0};
  bool fits = true;
  ndi_guard_queue *const all[] = {&g->fresh, &g->looked, &g->leaving, &g->kept};
  for (size_t i = 0; i < ND_COUNTOF(all); i++) leave_queue(g, all[i], &looks, &fits);
  if (g->slots.host && fits) ndi_guard_leave_block(g->staging, &g->slots, &looks);
}
