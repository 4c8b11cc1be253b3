/* The list of what is due, and the one of all items, under one lock. */
#include "mem/due.h"

#include <stdlib.h>

#include "mem/spin.h"

ndi_due *ndi_due_make(void) {
  ndi_due *self = calloc(1, sizeof *self);
  if (self) atomic_init(&self->holds, 1);
  return self;
}

void ndi_due_drop(ndi_due *self) {
  if (atomic_fetch_sub(&self->holds, 1) == 1) free(self);
}

/* {=== all ===} */

void ndi_due_join(ndi_due *self, ndi_due_item *item, atomic_uint *holds) {
  item->holds = holds;
  item->is_listed = true;
  atomic_fetch_add_explicit(&self->holds, 1, memory_order_relaxed);
  ndi_spin_lock(&self->lock);
  item->after = self->all;
  if (item->after) item->after->before = item;
  self->all = item;
  ndi_spin_unlock(&self->lock);
  atomic_store(&item->of, self); /* from here on it may become due */
}

/* The lock is held. */
static void unlist(ndi_due *self, ndi_due_item *item) {
  if (!item->is_listed) return;
  *(item->before ? &item->before->after : &self->all) = item->after;
  if (item->after) item->after->before = item->before;
  item->is_listed = false;
}

void ndi_due_leave(ndi_due_item *item) {
  ndi_due *self = atomic_load(&item->of);
  if (!self) return;
  ndi_spin_lock(&self->lock);
  unlist(self, item);
  ndi_spin_unlock(&self->lock);
  ndi_due_drop(self);
}

/* {=== due ===} */

/* What is to do is written before 'is_due' is read, and read after it is cleared: so it is not
 * overlooked. */
bool ndi_due_add(ndi_due_item *item) {
  ndi_due *self = atomic_load(&item->of);
  if (!self || atomic_load(&item->is_due)) return false;
  ndi_spin_lock(&self->lock);
  const bool is_new = !self->is_closed && !item->is_due;
  if (is_new) {
    atomic_fetch_add(item->holds, 1);
    item->is_due = true;
    item->next = NULL;
    if (self->first) self->last->next = item;
    else self->first = item;
    self->last = item;
    self->count++;
  }
  ndi_spin_unlock(&self->lock);
  return is_new;
}

size_t ndi_due_count(ndi_due *self) {
  ndi_spin_lock(&self->lock);
  const size_t count = self->count;
  ndi_spin_unlock(&self->lock);
  return count;
}

ndi_due_item *ndi_due_take(ndi_due *self) {
  ndi_spin_lock(&self->lock);
  ndi_due_item *item = self->first;
  if (item) {
    self->first = item->next;
    self->count--;
    atomic_store(&item->is_due, false);
  }
  ndi_spin_unlock(&self->lock);
  return item;
}

/* {=== the end ===} */

void ndi_due_close(ndi_due *self) {
  ndi_spin_lock(&self->lock);
  self->is_closed = true;
  ndi_spin_unlock(&self->lock);
}

/* One that is being freed has no reference left, and leaves by itself. */
static bool try_hold(atomic_uint *holds) {
  unsigned now = atomic_load(holds);
  while (now > 0)
    if (atomic_compare_exchange_weak(holds, &now, now + 1)) return true;
  return false;
}

ndi_due_item *ndi_due_pop(ndi_due *self) {
  bool is_held = false;
  ndi_due_item *item = NULL;
  ndi_spin_lock(&self->lock);
  while (!is_held && (item = self->all)) {
    unlist(self, item);
    is_held = try_hold(item->holds);
  }
  ndi_spin_unlock(&self->lock);
  return item;
}
