/* The pending list: blocks that their storage gave back, and that their resource has not got yet,
 * because work on them was in flight, or because only a driver call could free them. */
#ifndef ND_MEM_REAP_H
#define ND_MEM_REAP_H

#include "mem/slot.h"

/* Give pending blocks back to their resources. 'mode' says which:
 *   ND_REAP_POLL, for ordinary calls: the blocks whose work is done. Those that the driver might
 *     free only after waiting for a busy device stay until there are many. Those that it refused to
 *     free before stay until their time to retry.
 *   ND_REAP_DONE: all blocks whose work is done, even if the driver waits.
 *   ND_REAP_WAIT: all blocks, after waiting for their work, and for reaps on other threads.
 * Thread-safe; calls resources with no lock held. Returns the bytes that this call gave back. */
size_t nd_reap(nd_reap_mode mode);
size_t nd_pending_bytes(void);
bool nd_has_pending(void); /* on the list; a block that a reap works on does not count */

/* Add the block of 'slot', which may be given back once the uses in slot->after are done. Allocates
 * nothing and calls no driver, so that finalizers may call it. */
void ndi_pending_add(nd_slot *slot);

/* Count the block as held by others, and so as pending, or no longer: it was freed for us, but not
 * for those that its storage was exported to. */
void ndi_held_charge(const nd_slot *slot, bool is_held);

/* The number of pending blocks that were ever given back. Equal before and after: no reap, on
 * whichever thread, freed anything in between. */
uint64_t ndi_pending_came_back(void);

/* True when no block is pending: neither on the list nor taken from it by a reap that runs. */
bool ndi_pending_is_empty(void);

#endif
