/* Arrays by a number, for other Lua states of this process. */
#ifndef ND_XCHG_SHARE_H
#define ND_XCHG_SHARE_H

#include "view/view.h"

/* A number for an array, for nd_share. */
uint64_t nd_share_reserve(void);

/* Give an array the number '*number', or set it to the one that the same view has. 'is_once': it
 * keeps the bytes until it is taken; else it is good until the array is freed. Waits for work in
 * flight, and from then on calls on the array complete before they return. ND_UNSUPPORTED for
 * memory whose owner is a Lua object; else fails as nd_storage_export does. */
nd_status nd_share(const nd_view *src, bool is_once, uint64_t *number, nd_error *err);

/* The array of a number: of the same bytes, which stay until both are freed. ND_INVALID_ARGUMENT
 * for numbers that are no longer good; ND_UNSUPPORTED in a process that was forked since. */
nd_status nd_attach(uint64_t number, nd_view *out, nd_error *err);

/* That array has reached whom it is for: a number that is good once is used up.
 * ND_INVALID_ARGUMENT: another was faster, and the array is to be dropped. */
nd_status nd_attach_accept(uint64_t number, nd_error *err);

#endif
