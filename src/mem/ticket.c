/* Tickets, and the steps by which a take makes room when memory is short.
 *
 * A slot's generation says who may use it: odd while the slot has a live block, even from the
 * moment that somebody gives it back. That moment is one compare-and-swap, so of several threads
 * that give the same block one succeeds, and any ticket with an older generation is found stale. */
#include "mem/ticket.h"

#include <stdlib.h>

#include "base/call.h"
#include "mem/reap.h"

static nd_status fail_stale(nd_ticket ticket, nd_error *err) {
  return nd_fail_with(err, ND_USE_AFTER_FREE,
                      ND_NUMBERS({"slot", ticket.slot}, {"value", (int64_t)ticket.generation}),
                      "the block of this ticket was freed already");
}

bool nd_ticket_is_live(nd_ticket ticket) {
  const nd_slot *slot = ndi_slot_find(ticket.slot);
  return slot && (ticket.generation & 1) && atomic_load(&slot->generation) == ticket.generation;
}

nd_status nd_ticket_check(nd_ticket ticket, nd_error *err) {
  if (!nd_ticket_is_live(ticket)) return fail_stale(ticket, err);
  const nd_slot *slot = ndi_slot_find(ticket.slot);
  return nd_resource_check(slot->from, &slot->block, err);
}

/* The slot keeps the epoch for nd_ticket_lose_all; the resource gets it as well, for losses that
 * only it can notice, such as a truncated file. */
void nd_ticket_watch(nd_ticket ticket, _Atomic uint64_t *epoch) {
  nd_slot *slot = nd_ticket_is_live(ticket) ? ndi_slot_find(ticket.slot) : NULL;
  if (slot) slot->epoch = epoch;
  if (slot) nd_resource_watch(slot->from, &slot->block, epoch);
}

nd_resource *nd_ticket_from(nd_ticket ticket) {
  return nd_ticket_is_live(ticket) ? ndi_slot_find(ticket.slot)->from : NULL;
}

nd_status nd_ticket_swap_resource(nd_ticket ticket, nd_resource **from, nd_error *err) {
  if (!nd_ticket_is_live(ticket)) return fail_stale(ticket, err);
  nd_slot *slot = ndi_slot_find(ticket.slot);
  nd_resource *former = slot->from;
  slot->from = *from;
  *from = former;
  return ND_OK;
}

void nd_ticket_lose_all(const nd_resource *from) {
  for (const nd_slot *slot = ndi_slot_next(NULL); slot; slot = ndi_slot_next(slot))
    if ((atomic_load(&slot->generation) & 1) && nd_resource_leaf(slot->from) == from && slot->epoch)
      atomic_fetch_add(slot->epoch, 1);
}

/* {=== take ===} */

/* Of make_room: how many, before which one the resource is asked, how often the last is repeated.
 */
enum { STEPS = 4, ASKING = 3, REPEATS = 32 };

/* Is it worth making room? A driver's failure, for example, would only come again. */
static bool is_shortage(nd_status status) {
  return status == ND_OUT_OF_MEMORY || status == ND_BUDGET_EXCEEDED;
}

/* Reap the pending list, then what the resource itself keeps pending. */
static void reap_for(nd_resource *from, nd_reap_mode mode) {
  size_t freed;
  nd_reap(mode);
  nd_resource_reap(from, mode, &freed, NULL);
}

/* Trim the resource's own cache, and all others on the same device: they compete for its memory. */
static void trim_for(nd_resource *from) {
  size_t freed;
  nd_resource_trim(from, 0, &freed, NULL);
  nd_caches_trim(from->device, 0);
}

static void wait_for(nd_resource *from) {
  ndi_caches_wait(from->device); /* what that frees is waited for as well */
  reap_for(from, ND_REAP_WAIT);
  trim_for(from);
}

/* After the last step: another thread may have taken what came back before this one could, so
 * repeat while pending blocks come back. 'seen' is the count before the failed try. */
static bool wait_again(nd_resource *from, uint64_t seen) {
  if (ndi_pending_is_empty() && ndi_pending_came_back() == seen) return false;
  wait_for(from);
  return ndi_pending_came_back() != seen;
}

/* Do the given step, the cheapest first. False when there is none left. 'seen' is the number of
 * blocks that had come back before the try that failed. */
static bool make_room(nd_resource *from, int step, uint64_t seen) {
  switch (step) {
    case 0: reap_for(from, ND_REAP_DONE); return true;
    case 1: trim_for(from); return true;
    case 2: /* twice: what a finalizer resurrects or unlinks is collected by the second */
      if (nd_call_collect()) nd_call_collect();
      reap_for(from, ND_REAP_DONE);
      return true;
    case 3: wait_for(from); return true;
    default: return step < STEPS + REPEATS && wait_again(from, seen);
  }
}

/* Each failure for want of memory leads to the next step, but for those after which the resource
 * says to try again. The error that is left is that of the last try. */
nd_status ndi_with_room(nd_resource *from, size_t bytes,
                        nd_status (*try)(void *context, nd_resource *from, nd_error *err),
                        void *context, nd_error *err) {
  for (int step = 0;;) {
    const uint64_t seen = ndi_pending_came_back();
    const nd_status status = try(context, from, err);
    if (!is_shortage(status)) return status;
    const nd_answer answer = step == ASKING ? nd_resource_ask(from, bytes, err) : ND_ANSWER_NO;
    if (answer == ND_ANSWER_AGAIN) {
      ND_TRY(nd_check_interrupt(err));
      reap_for(from, ND_REAP_DONE); /* what was freed for it, where a free is left to reaps */
      continue;
    }
    if (answer == ND_ANSWER_STOP || !make_room(from, step++, seen)) return status;
  }
}

typedef struct {
  const nd_request *request;
  nd_block *out;
} taking;

static nd_status try_take(void *context, nd_resource *from, nd_error *err) {
  const taking *t = context;
  return nd_resource_take(from, t->request, t->out, err);
}

/* For what does not fit by itself no room would be enough, and none is made. */
static nd_status take_block(nd_resource *from, const nd_request *request, nd_slot **out,
                            nd_error *err) {
  ND_TRY(nd_resource_fits(from, request, err));
  /* memory that can be had back cheaply comes first, then a collection that is due, then the slot,
   * so that giving the block back needs no memory */
  if (nd_has_pending()) nd_reap(ND_REAP_POLL);
  nd_call_before_take(from, request->bytes);
  nd_slot *slot = ndi_slot_take();
  if (!slot) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a ticket");
  taking t = {request, &slot->block};
  const nd_status status = ndi_with_room(from, request->bytes, try_take, &t, err);
  /* on failure its generation is even as before: no ticket refers to it */
  if (status == ND_OK) *out = slot;
  else ndi_slot_give(slot);
  return status;
}

/* Make the ticket of a slot that has its block. */
static nd_ticket publish(nd_slot *slot, nd_resource *from) {
  slot->from = from;
  slot->refusals = 0;
  const size_t own = nd_resource_leaf(from)->kind == ND_MEM_FOREIGN ? 0 : slot->block.granted;
  /* read by messages only (bytes_on); the generation, written next, publishes them */
  atomic_store_explicit(&slot->device, slot->block.device, memory_order_relaxed);
  atomic_store_explicit(&slot->own_bytes, own, memory_order_relaxed);
  /* odd: live from here on; nobody else changes it before */
  const uint64_t live = atomic_load_explicit(&slot->generation, memory_order_relaxed) + 1;
  atomic_store_explicit(&slot->generation, live, memory_order_release);
  return (nd_ticket){slot->index, live};
}

nd_status nd_ticket_take(nd_resource *from, const nd_request *request, nd_ticket *out,
                         nd_block *block, nd_error *err) {
  nd_slot *slot = NULL;
  /* a substitute is asked for after a failure, which then was none */
  if (request->may_substitute) atomic_fetch_sub(&from->failed_takes, 1);
  else atomic_fetch_add_explicit(&from->requests, 1, memory_order_relaxed);
  const nd_status status = take_block(from, request, &slot, err);
  if (status != ND_OK) {
    atomic_fetch_add(&from->failed_takes, 1);
    return status;
  }
  *block = slot->block;
  *out = publish(slot, from);
  return ND_OK;
}

nd_status nd_ticket_adopt(nd_resource *from, const nd_block *block, nd_ticket *out, nd_error *err) {
  nd_slot *slot = ndi_slot_take();
  if (!slot) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a ticket");
  slot->block = *block;
  nd_resource_hold(from);
  *out = publish(slot, from);
  return ND_OK;
}

void nd_ticket_abandon(nd_ticket ticket) {
  nd_slot *slot = ndi_slot_find(ticket.slot);
  nd_resource_drop(slot->from);
  atomic_fetch_add(&slot->generation, 1);
  ndi_slot_give(slot);
}

/* {=== give ===} */

void nd_ticket_charge_held(nd_ticket ticket, bool is_held) {
  ndi_held_charge(ndi_slot_find(ticket.slot), is_held);
}

static bool may_give_now(nd_slot *slot) {
  if (slot->from->is_deferred && slot->block.ptr) return false; /* 0 bytes need no driver */
  return slot->from->is_ordered || ndi_uses_are_over(slot->after);
}

/* Copies what it needs: giving back the last block may close and free the resource. */
static nd_status give_now(nd_slot *slot, nd_ticket ticket, nd_error *err) {
  nd_resource *from = slot->from;
  const nd_block block = slot->block;
  const nd_status status = nd_resource_give(from, &block, slot->after, err);
  free(slot->after);
  slot->after = NULL;
  if (status == ND_OK) {
    ndi_slot_give(slot);
    return ND_OK;
  }
  atomic_fetch_add(&from->failed_gives, 1);
  atomic_store(&slot->generation, ticket.generation); /* stays live and charged */
  return status;
}

nd_status nd_ticket_give(nd_ticket ticket, nd_uses *after, nd_error *err) {
  nd_slot *slot = ndi_slot_find(ticket.slot);
  uint64_t expected = ticket.generation; /* of several threads that give it, one succeeds */
  if (!slot || !(expected & 1) ||
      !atomic_compare_exchange_strong(&slot->generation, &expected, expected + 1)) {
    free(after);
    return fail_stale(ticket, err);
  }
  /* now only this thread has the slot */
  slot->after = after;
  if (may_give_now(slot)) return give_now(slot, ticket, err);
  ndi_pending_add(slot);
  return ND_OK;
}
