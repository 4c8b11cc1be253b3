/* Work in flight on a storage: its use record, and who waits for it. */
#include <stdlib.h>

#include "mem/spin.h"
#include "mem/storage.h"

/* Copy the record to 'out', as far as it is filled. */
static void read_uses(nd_storage *self, nd_uses *out) {
  out->count = 0;
  ndi_spin_lock(&self->lock);
  for (int i = 0; self->uses && i < self->uses->count; i++) out->use[i] = self->uses->use[i];
  if (self->uses) out->count = self->uses->count;
  ndi_spin_unlock(&self->lock);
}

/* Remove the uses that are done, and copy the others to 'out'. Devices are asked without the lock,
 * about a copy, as that may call a driver. So what was found done is then removed use by use: the
 * record may have got later ones meanwhile. */
static void settle_uses(nd_storage *self, nd_uses *out) {
  read_uses(self, out);
  const nd_uses before = *out;
  ndi_uses_settle(out);
  if (out->count == before.count && before.count > 0) return; /* none is done */
  ndi_spin_lock(&self->lock);
  for (int i = 0, k = 0; i < before.count && self->uses; i++) {
    const nd_point at = before.use[i].at;
    /* 'out' has some of the uses of 'before', in the same order */
    const bool is_left = k < out->count && out->use[k].at.queue == at.queue &&
                         out->use[k].at.seq == at.seq;
    if (is_left) k++;
    else ndi_uses_drop(self->uses, at);
  }
  self->is_busy = self->uses && self->uses->count > 0;
  self->is_crowded = self->uses && self->uses->count > ND_USES_MOST / 2;
  ndi_spin_unlock(&self->lock);
}

void nd_storage_conflicts(nd_storage *self, const nd_use *access, nd_uses *out) {
  out->count = 0;
  if (!self->is_busy) return; /* the common case, without the lock */
  read_uses(self, out);
  ndi_uses_keep(out, access);
}

/* Wait for the work in flight that 'access' conflicts with. */
static nd_status wait_for_uses(nd_storage *self, const nd_use *access, nd_error *err) {
  nd_uses uses;
  if (!self->is_busy) return ND_OK; /* the common case, without the lock */
  settle_uses(self, &uses);
  ndi_uses_keep(&uses, access);
  if (uses.count == 0) return ND_OK;
  ND_TRY(ndi_uses_wait(&uses, access, err));
  atomic_fetch_add(&self->epoch, 1); /* heads that were disabled by this work may be refreshed */
  return ND_OK;
}

nd_status nd_storage_host(nd_storage *self, size_t lo, size_t hi, bool for_write, char **out,
                          nd_error *err) {
  const nd_use access = {.lo = lo, .hi = hi, .is_write = for_write};
  if (nd_storage_get_state(self) != ND_STORAGE_LIVE) ND_TRY(nd_storage_allocate(self, err));
  /* a small one without a ticket is what it was when it was made */
  if (atomic_load_explicit(&self->has_ticket, memory_order_acquire))
    ND_TRY(nd_storage_check(self, err));
  ND_TRY(wait_for_uses(self, &access, err));
  char *host = self->host; /* read once: another thread may free the storage */
  if (!host && nd_storage_get_state(self) == ND_STORAGE_FREED) return nd_storage_check(self, err);
  if (!host && self->bytes > 0)
    return nd_fail_remedy(err, ND_NOT_HOST_ACCESSIBLE, ND_REMEDY_HOST,
                          "the CPU cannot access this memory");
  *out = host;
  return ND_OK;
}

nd_status nd_storage_wait(nd_storage *self, size_t lo, size_t hi, nd_error *err) {
  const nd_use access = {.lo = lo, .hi = hi, .is_write = true};
  if (nd_storage_get_state(self) == ND_STORAGE_FRESH) return ND_OK;
  ND_TRY(nd_storage_check(self, err));
  return wait_for_uses(self, &access, err);
}

nd_status nd_storage_expose(nd_storage *self, char **out, nd_error *err) {
  ND_TRY(nd_storage_allocate(self, err));
  ND_TRY(nd_storage_check(self, err));
  self->is_exposed = true; /* before waiting: work recorded from here on is waited for there */
  nd_storage_pun(self, NDI_ALL_WAYS);
  const nd_use access = {.lo = 0, .hi = SIZE_MAX, .is_write = true};
  ND_TRY(wait_for_uses(self, &access, err));
  /* read before the state, which a thread that frees the storage changes first */
  char *host = self->host, *ptr = self->ptr;
  if (nd_storage_get_state(self) == ND_STORAGE_FREED) return nd_storage_check(self, err);
  *out = host ? host : ptr;
  return ND_OK;
}

bool nd_storage_is_idle(nd_storage *self) {
  nd_uses uses = {0};
  if (self->is_busy) settle_uses(self, &uses);
  return uses.count == 0;
}

/* The record of the storage, made for its first use. False: there is no memory for one. */
static bool need_uses(nd_storage *self) {
  ndi_spin_lock(&self->lock);
  const bool has_one = self->uses;
  ndi_spin_unlock(&self->lock);
  nd_uses *made = has_one ? NULL : ndi_uses_make();
  if (!made) return has_one;
  ndi_spin_lock(&self->lock);
  if (!self->uses) self->uses = made, made = NULL;
  ndi_spin_unlock(&self->lock);
  free(made);
  return true;
}

/* False: there is no room, as the record is full or the storage was freed meanwhile. */
static bool record_use(nd_storage *self, const nd_use *use, const nd_use *over) {
  ndi_spin_lock(&self->lock);
  const bool is_recorded = self->uses && (over ? ndi_uses_replace(self->uses, over, use)
                                               : ndi_uses_add(self->uses, use));
  self->is_busy = self->uses && self->uses->count > 0;
  self->is_crowded = self->uses && self->uses->count > ND_USES_MOST / 2;
  ndi_spin_unlock(&self->lock);
  return is_recorded;
}

bool nd_storage_note(nd_storage *self, const nd_use *use, const nd_use *over) {
  /* with a ticket its block can become pending; without one the work is waited for */
  const bool has_room = need_uses(self) &&
                        (!self->is_small || ndi_storage_need_ticket(self, NULL) == ND_OK);
  const bool is_recorded = has_room && record_use(self, use, over);
  atomic_fetch_add(&self->epoch, 1);
  return !is_recorded || self->is_exposed;
}

void nd_storage_tidy(nd_storage *self) {
  nd_uses left;
  if (self->is_crowded) settle_uses(self, &left);
}

bool nd_storage_is_full(nd_storage *self, uint32_t queue, nd_use *first) {
  nd_uses uses;
  if (!self->is_crowded) return false;
  read_uses(self, &uses);
  return ndi_uses_are_full(&uses, queue, first);
}

nd_status nd_storage_use(nd_storage *self, const nd_use *use, nd_error *err) {
  nd_storage_tidy(self);
  return nd_storage_note(self, use, NULL) ? nd_point_wait(use->at, err) : ND_OK;
}
