/* Records of a log in memory: a queue of bounded length, which any thread may fill and empty. It is
 * apart from the log's resource, because the reader may live longer than that, or shorter. */
#include <stdlib.h>

#include "mem/adapt/adapt.h"
#include "mem/host.h"
#include "mem/spin.h"

struct ndi_log_ring {
  atomic_uint holds, lock; /* references; of mem/spin.h */
  ndi_due_item due;        /* while there are records, or it was closed */
  void *reader;            /* of 'due', which alone uses it; one reference to this ring, or NULL */
  atomic_bool is_closed;
  bool keeps_last;
  size_t room;
  atomic_uint_fast64_t first, end; /* numbers: of the oldest, of the next to come. Changed under the
                                      lock, read without it by a glance */
  atomic_uint_fast64_t lost;
  nd_log_record records[]; /* number n is at n % room */
};

const char *nd_log_action_name(nd_log_action action) {
  static const char *const names[] = {"allocate",     "free", "allocate failure",
                                      "free failure", "reap", "trim",
                                      "damage"}; /* ORDER LOG_ACTION */
  return names[action];
}

/* More than all memory is not asked for: Linux might promise it. */
ndi_log_ring *ndi_log_ring_make(size_t room, bool keeps_last) {
  if (room > nd_resource_total(nd_host_resource()) / sizeof(nd_log_record)) return NULL;
  ndi_log_ring *r = calloc(1, sizeof *r + room * sizeof *r->records);
  if (!r) return NULL;
  atomic_init(&r->holds, 1);
  r->keeps_last = keeps_last;
  r->room = room;
  return r;
}

ndi_log_ring *ndi_log_ring_hold(ndi_log_ring *self) {
  atomic_fetch_add_explicit(&self->holds, 1, memory_order_relaxed);
  return self;
}

void ndi_log_ring_drop(ndi_log_ring *self) {
  if (!self || atomic_fetch_sub(&self->holds, 1) != 1) return;
  ndi_due_leave(&self->due);
  free(self);
}

bool ndi_log_ring_keeps_last(const ndi_log_ring *self) { return self->keeps_last; }
void ndi_log_ring_lose(ndi_log_ring *self) { atomic_fetch_add(&self->lost, 1); }
uint64_t ndi_log_ring_lost(const ndi_log_ring *self) { return atomic_load(&self->lost); }
bool ndi_log_ring_is_closed(const ndi_log_ring *self) { return atomic_load(&self->is_closed); }
uint64_t ndi_log_ring_end(const ndi_log_ring *self) { return atomic_load(&self->end); }

/* Relaxed, as it is asked at each call from Lua: a record that is missed is found by a later one.
 */
bool ndi_log_ring_is_empty(const ndi_log_ring *self) {
  return atomic_load_explicit(&self->first, memory_order_relaxed) ==
         atomic_load_explicit(&self->end, memory_order_relaxed);
}

void ndi_log_ring_close(ndi_log_ring *self) {
  atomic_store(&self->is_closed, true);
  ndi_due_add(&self->due);
}

/* Make room for one more; under the lock. */
static bool make_room(ndi_log_ring *r) {
  if (r->end - r->first < r->room) return true;
  if (r->keeps_last) r->first++;
  return r->keeps_last;
}

void ndi_log_ring_put(ndi_log_ring *self, const nd_log_record *record) {
  ndi_spin_lock(&self->lock);
  const bool has_room = !self->is_closed && make_room(self);
  if (has_room) self->records[self->end++ % self->room] = *record;
  ndi_spin_unlock(&self->lock);
  if (has_room) ndi_due_add(&self->due);
  else ndi_log_ring_lose(self);
}

bool ndi_log_ring_get(ndi_log_ring *self, uint64_t *at, uint64_t end, nd_log_record *out) {
  ndi_spin_lock(&self->lock);
  const uint64_t number = *at > self->first ? *at : self->first;
  const bool is_there = number < end && number < self->end;
  if (is_there) *out = self->records[number % self->room], *at = number + 1;
  ndi_spin_unlock(&self->lock);
  return is_there;
}

bool ndi_log_ring_take(ndi_log_ring *self, uint64_t end, nd_log_record *out) {
  ndi_spin_lock(&self->lock);
  const bool is_there = self->first < end && self->first < self->end;
  if (is_there) *out = self->records[self->first++ % self->room];
  ndi_spin_unlock(&self->lock);
  return is_there;
}

/* {=== rings with a reader ===} */

void ndi_log_ring_join(ndi_log_ring *self, ndi_due *due, void *reader) {
  self->reader = reader;
  ndi_due_join(due, &self->due, &self->holds);
}

void ndi_log_ring_set_reader(ndi_log_ring *self, void *reader) { self->reader = reader; }

/* The item comes with a reference; the reader, if there is one, has its own. */
static bool read_item(ndi_due_item *item, void **reader) {
  if (!item) return false;
  ndi_log_ring *r = (ndi_log_ring *)((char *)item - offsetof(ndi_log_ring, due));
  *reader = r->reader;
  ndi_log_ring_drop(r);
  return true;
}

bool ndi_log_ring_take_due(ndi_due *due, void **reader) {
  return read_item(ndi_due_take(due), reader);
}

bool ndi_log_ring_pop(ndi_due *due, void **reader) { return read_item(ndi_due_pop(due), reader); }
