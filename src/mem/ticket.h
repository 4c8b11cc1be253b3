/* Tickets: what a storage holds for its block. A stale ticket is refused, whatever its address now
 * means. */
#ifndef ND_MEM_TICKET_H
#define ND_MEM_TICKET_H

#include "mem/resource.h"

typedef struct {
  uint32_t slot;
  uint64_t generation; /* 0: no ticket */
} nd_ticket;

/* Take a block through the failure ladder: reap what is finished; trim all caches of the device;
 * collect twice and reap; wait, reap and trim, again while other threads take what came back; then
 * the error. On ND_OK '*out' must be given back once and '*block'
 * is a copy of what was taken. */
nd_status nd_ticket_take(nd_resource *from, const nd_request *request, nd_ticket *out,
                         nd_block *block, nd_error *err);

/* Give the block back behind 'after' (a copy of the uses). ND_USE_AFTER_FREE for a stale ticket.
 * Never blocks: where the last use is not done, and the resource does not order its frees, the
 * block is pending until a reap finds it done. */
nd_status nd_ticket_give(nd_ticket ticket, const nd_uses *after, nd_error *err);

/* The resource that the block goes back to; NULL for a stale ticket. */
nd_resource *nd_ticket_from(nd_ticket ticket);

/* Let the block go back to '*from' from now on; '*from' becomes the resource it came from, and so
 * do the block's hold and 'from''s change places. ND_USE_AFTER_FREE for a stale ticket. */
nd_status nd_ticket_swap(nd_ticket ticket, nd_resource **from, nd_error *err);

/* The sizes of the largest live blocks on a device that are its own memory, largest first; at most
 * 'count'. Returns how many. */
int nd_ticket_largest(uint16_t device, int count, size_t *bytes);

/* Is the ticket the slot's present one? */
bool nd_ticket_is_live(nd_ticket ticket);

/* ND_OK, ND_USE_AFTER_FREE for a stale ticket, or what the resource says of its block (a mapped
 * file that shrank). */
nd_status nd_ticket_check(nd_ticket ticket, nd_error *err);

/* Let the resource raise '*epoch' when the block's bytes are lost. */
void nd_ticket_watch(nd_ticket ticket, _Atomic uint64_t *epoch);

/* All blocks of a resource are lost to this process: raises the epochs of the storages that they
 * serve. Only where no other thread runs. */
void nd_ticket_lose_all(const nd_resource *from);

/* Give back what is pending. With ND_REAP_POLL, for ordinary calls: what is done; where the driver
 * may wait for a busy device, only when much of it has come together; where the driver refused,
 * after a while. With ND_REAP_DONE: all that is done. With ND_REAP_WAIT: all, after waiting for the
 * work, and for the reaps that other threads are at. No lock is held meanwhile. Returns the bytes
 * that this call gave back. */
size_t nd_reap(nd_reap_mode mode);
size_t nd_pending_bytes(void);
bool nd_has_pending(void);

/* What the layer above lends to the core for the length of one call on this thread. */
typedef struct {
  void *context;
  void (*before_take)(void *context, const nd_resource *from,
                      size_t bytes);     /* may collect; nothing is held */
  bool (*collect)(void *context);        /* false: could not */
  bool (*is_interrupted)(void *context); /* optional */
} nd_hooks;

/* Install hooks (NULL: none) on this thread; returns the former ones, which the caller puts back.
 */
const nd_hooks *nd_hooks_set(const nd_hooks *hooks);

/* Polled by long work at chunk ends: ND_INTERRUPTED when the hook says so. */
nd_status nd_check_interrupt(nd_error *err);

#endif
