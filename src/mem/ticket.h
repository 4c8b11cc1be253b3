/* Tickets: checked references to blocks. A block is known by a slot and the generation of that
 * slot, not by its address: giving it back twice, or using it afterwards, is an error instead of
 * damage to whoever has the address by then. */
#ifndef ND_MEM_TICKET_H
#define ND_MEM_TICKET_H

#include "mem/resource.h"

typedef struct {
  uint32_t slot;
  uint64_t generation; /* odd; 0: no ticket */
} nd_ticket;

/* Take a block. When memory is short, make room and try again, by ever more expensive steps: free
 * the pending blocks whose work is done; trim all caches of the device; collect garbage, twice, and
 * free again; ask the resource (nd_resource_ask); wait for all work, free and trim, repeatedly
 * while other threads take what came back. Only then fail with the resource's error.
 *
 * On ND_OK '*out' must be given back once, and '*block' is a copy of the block. Runs callbacks of
 * the call context, which may collect garbage: no lock may be held. */
nd_status nd_ticket_take(nd_resource *from, const nd_request *request, nd_ticket *out,
                         nd_block *block, nd_error *err);

/* Call 'try', which takes so many bytes, until it does not fail for want of memory, or nothing is
 * left to make room by, as nd_ticket_take does. No lock may be held. */
nd_status ndi_with_room(nd_resource *from, size_t bytes,
                        nd_status (*try)(void *context, nd_resource *from, nd_error *err),
                        void *context, nd_error *err);

/* Make a ticket for a block that was taken without one. ND_OUT_OF_MEMORY where there is no memory
 * for it. */
nd_status nd_ticket_adopt(nd_resource *from, const nd_block *block, nd_ticket *out, nd_error *err);

/* Undo nd_ticket_adopt: the block is the caller's again. */
void nd_ticket_abandon(nd_ticket ticket);

/* Give the block back, to be freed after the uses 'after', which the ticket frees in any case (from
 * malloc; NULL: none). Never blocks: the block becomes pending (mem/reap.h) while those are not
 * done, unless its resource orders frees itself, and always if the resource is_deferred.
 * ND_USE_AFTER_FREE for a stale ticket. If the resource fails to free the block, the ticket stays
 * live. */
nd_status nd_ticket_give(nd_ticket ticket, nd_uses *after, nd_error *err);

/* Count the block of a live ticket as held by others, to be given back later; or no longer. */
void nd_ticket_charge_held(nd_ticket ticket, bool is_held);

/* The resource that the block will be given back to; NULL for a stale ticket. */
nd_resource *nd_ticket_from(nd_ticket ticket);

/* Exchange the resource that the block will be given back to with '*from', together with the
 * references: that of the block now counts for the new one, and the caller has one to the old one.
 * ND_USE_AFTER_FREE for a stale ticket. */
nd_status nd_ticket_swap_resource(nd_ticket ticket, nd_resource **from, nd_error *err);

/* Does the ticket still have its block? */
bool nd_ticket_is_live(nd_ticket ticket);

/* ND_USE_AFTER_FREE for a stale ticket, else what the resource's 'check' returns: ND_OK, or ND_IO
 * where the file under a mapping was truncated. */
nd_status nd_ticket_check(nd_ticket ticket, nd_error *err);

/* Let the resource increment '*epoch' when the bytes of the block get lost; NULL: no longer. No-op
 * for a stale ticket. */
void nd_ticket_watch(nd_ticket ticket, _Atomic uint64_t *epoch);

/* All blocks of a resource are lost to this process (the child of a fork has no access to them):
 * increment the epochs of their storages. Only while no other thread runs. */
void nd_ticket_lose_all(const nd_resource *from);

#endif
