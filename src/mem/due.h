/* Things that have something to do for one reader, such as the guards of a Lua state, or its logs.
 * There may be many, and most have nothing: the reader sees those alone that are due. Any thread
 * may make one due, also while the reader is closed, or after that. */
#ifndef ND_MEM_DUE_H
#define ND_MEM_DUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct ndi_due_item ndi_due_item;

typedef struct {
  atomic_uint holds, lock; /* references: of the reader, of each item; of mem/spin.h */
  bool is_closed;
  ndi_due_item *all;
  _Atomic(ndi_due_item *) first; /* of those that are due, the oldest; read without the lock, too */
  ndi_due_item *last;
  size_t count; /* of those */
} ndi_due;

/* Part of a thing with references, zeroed before it joins. */
struct ndi_due_item {
  _Atomic(ndi_due *) of;               /* one reference; NULL: of no reader */
  atomic_uint *holds;                  /* the references to the thing */
  ndi_due_item *before, *after, *next; /* among all; among those that are due */
  bool is_listed;                      /* among all */
  atomic_bool is_due;
};

ndi_due *ndi_due_make(void); /* one reference; NULL: no memory */
void ndi_due_drop(ndi_due *self);

/* Both once in the life of an item; 'leave' as the thing is freed, also if it never joined. */
void ndi_due_join(ndi_due *self, ndi_due_item *item, atomic_uint *holds);
void ndi_due_leave(ndi_due_item *item);

/* Make an item due, with a reference to the thing, which may be its first again. False: it is so
 * already, or has no reader, or that is closed. */
bool ndi_due_add(ndi_due_item *item);

/* Relaxed, as it is asked at each call from Lua: an item that is missed is seen by a later one. */
static inline bool ndi_due_is_empty(const ndi_due *self) {
  return atomic_load_explicit(&self->first, memory_order_relaxed) == NULL;
}

size_t ndi_due_count(ndi_due *self);

/* The one that is due for longest, with its reference. It is not due any more: what there is to do
 * has to be looked for after this. NULL: there is none. */
ndi_due_item *ndi_due_take(ndi_due *self);

/* No item becomes due any more. Then each item that has a reference left, with another one, which
 * is not listed any more; NULL: there is none. What is due is still to be taken. */
void ndi_due_close(ndi_due *self);
ndi_due_item *ndi_due_pop(ndi_due *self);

#endif
