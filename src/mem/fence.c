/* Queues, points and uses. The table of queues is a fixed array that is indexed by queue number and
 * read without a lock; 'ops' is stored last when a queue opens, and publishes 'context'.
 *
 * A use record has room for a few queues that work on one storage at a time, each on several parts
 * of it; most uses replace an earlier one. When it is full, ranges grow, so that work may come to
 * wait for more than it has to, but never for less. */
#include "mem/fence.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { QUEUES = 4096 }; /* devices keep theirs and use them again: far fewer are needed */

/* Entry i is queue i; NULL 'ops': not open. An entry is used once, so that a point of a closed
 * queue can never be taken for one of a later queue. */
static struct {
  _Atomic(const nd_fence_ops *) ops;
  void *context;
} queues[QUEUES];
static atomic_uint next_queue = 1; /* queue 0 is the host: never open, so always done */

nd_status nd_queue_open(const nd_fence_ops *ops, void *context, uint32_t *out, nd_error *err) {
  const unsigned at = atomic_fetch_add(&next_queue, 1);
  if (at >= QUEUES) {
    atomic_store(&next_queue, QUEUES); /* so that repeated failures do not wrap it around */
    return nd_fail_with(err, ND_CAPACITY, ND_NUMBERS({"limit", QUEUES - 1}),
                        "all %d queues were used up", QUEUES - 1);
  }
  queues[at].context = context;
  atomic_store(&queues[at].ops, ops);
  *out = at;
  return ND_OK;
}

/* Without 'ops' a queue counts as done. */
void nd_queue_close(uint32_t queue) { atomic_store(&queues[queue].ops, NULL); }

bool nd_point_is_done(nd_point point) {
  const nd_fence_ops *ops = point.queue < QUEUES ? atomic_load(&queues[point.queue].ops) : NULL;
  return !ops || point.seq == 0 || ops->is_done(queues[point.queue].context, point);
}

static bool is_lost(uint32_t queue) {
  const nd_fence_ops *ops = queue < QUEUES ? atomic_load(&queues[queue].ops) : NULL;
  return !ops || (ops->is_lost && ops->is_lost(queues[queue].context));
}

bool nd_point_is_over(nd_point point) { return nd_point_is_done(point) || is_lost(point.queue); }

nd_status nd_point_wait(nd_point point, nd_error *err) {
  const nd_fence_ops *ops = point.queue < QUEUES ? atomic_load(&queues[point.queue].ops) : NULL;
  return !ops || point.seq == 0 ? ND_OK : ops->wait(queues[point.queue].context, point, err);
}

void *nd_queue_context(uint32_t queue, const nd_fence_ops *ops) {
  const bool is_its = queue < QUEUES && atomic_load(&queues[queue].ops) == ops;
  return is_its ? queues[queue].context : NULL;
}

/* {=== use records ===} */

/* Not calloc: glibc's takes the slow way. What is beyond the count is never read. */
nd_uses *ndi_uses_make(void) {
  nd_uses *uses = malloc(sizeof *uses);
  if (uses) uses->count = 0;
  return uses;
}

bool ndi_use_conflicts(const nd_use *a, const nd_use *b) {
  const size_t lo = a->lo > b->lo ? a->lo : b->lo, hi = a->hi < b->hi ? a->hi : b->hi;
  return (a->is_write || b->is_write) && lo < hi;
}

/* Is 'former' of no interest any more, once 'use' is recorded? */
static bool is_implied(const nd_use *former, const nd_use *use) {
  const bool is_own = former->at.queue == use->at.queue;
  if (use->lo > former->lo || use->hi < former->hi) return false;
  return is_own ? former->at.seq <= use->at.seq && former->is_write <= use->is_write
                : use->is_write;
}

static void widen(nd_use *into, const nd_use *use) {
  if (use->lo < into->lo) into->lo = use->lo;
  if (use->hi > into->hi) into->hi = use->hi;
  into->is_write |= use->is_write;
}

/* Let 'into', of the same queue, stand for 'use' as well. */
static void merge(nd_use *into, const nd_use *use) {
  if (use->at.seq > into->at.seq) into->at.seq = use->at.seq;
  widen(into, use);
}

static void remove_at(nd_uses *uses, int at) {
  uses->count--;
  for (int i = at; i < uses->count; i++) uses->use[i] = uses->use[i + 1];
}

/* Let one use stand for the two oldest of a queue, which are the first to be done; of one kind, if
 * there are such. False: there are not two. */
static bool merge_oldest(nd_uses *uses, uint32_t queue) {
  for (int mixed = 0; mixed <= 1; mixed++)
    for (int i = 0; i < uses->count; i++)
      for (int k = i + 1; k < uses->count && uses->use[i].at.queue == queue; k++) {
        nd_use *const old = &uses->use[i], *const next = &uses->use[k];
        if (next->at.queue != queue || (next->is_write != old->is_write && !mixed)) continue;
        merge(next, old);
        remove_at(uses, i);
        return true;
      }
  return false;
}

/* Threads may record their points in another order than they got them: then a later one of the same
 * queue may be there already. */
static bool is_superfluous(const nd_use *use, const nd_uses *uses) {
  for (int i = 0; i < uses->count; i++)
    if (uses->use[i].at.queue == use->at.queue && is_implied(use, &uses->use[i])) return true;
  return false;
}

/* Where the record is full, two uses of the queue become one; or the new one and the only one. */
static bool append(nd_uses *uses, const nd_use *use) {
  if (uses->count < ND_USES_MOST || merge_oldest(uses, use->at.queue))
    return uses->use[uses->count++] = *use, true;
  for (int i = 0; i < uses->count; i++)
    if (uses->use[i].at.queue == use->at.queue) return merge(&uses->use[i], use), true;
  return false;
}

bool ndi_uses_add(nd_uses *uses, const nd_use *use) {
  int kept = 0;
  if (is_superfluous(use, uses)) return true;
  for (int i = 0; i < uses->count; i++)
    if (!is_implied(&uses->use[i], use)) uses->use[kept++] = uses->use[i];
  uses->count = kept;
  return append(uses, use);
}

bool ndi_uses_are_full(const nd_uses *uses, uint32_t queue, nd_use *first) {
  for (int i = 0; i < uses->count; i++)
    if (uses->use[i].at.queue == queue) return false; /* they can be merged */
  if (uses->count < ND_USES_MOST) return false;
  int i = 0; /* what is lost nobody can come after */
  while (i < ND_USES_MOST - 1 && is_lost(uses->use[i].at.queue)) i++;
  *first = uses->use[i];
  return true;
}

static bool is_same(const nd_use *a, const nd_use *b) {
  return a->at.queue == b->at.queue && a->at.seq == b->at.seq && a->lo == b->lo && a->hi == b->hi;
}

/* It comes after what it conflicts with by itself, and after 'former'; not after all that conflicts
 * with the range that it gets. */
bool ndi_uses_replace(nd_uses *uses, const nd_use *former, const nd_use *use) {
  nd_use both = *use;
  int kept = 0;
  for (int i = 0; i < uses->count; i++)
    if (is_same(&uses->use[i], former)) widen(&both, former);
    else if (!is_implied(&uses->use[i], use)) uses->use[kept++] = uses->use[i];
  uses->count = kept;
  return append(uses, &both);
}

void ndi_uses_keep(nd_uses *uses, const nd_use *access) {
  int kept = 0;
  for (int i = 0; i < uses->count; i++)
    if (ndi_use_conflicts(&uses->use[i], access)) uses->use[kept++] = uses->use[i];
  uses->count = kept;
}

/* Those that are left keep their order, on which mem/storage.c relies. */
void ndi_uses_settle(nd_uses *uses) {
  int kept = 0;
  for (int i = 0; i < uses->count; i++)
    if (!nd_point_is_done(uses->use[i].at)) uses->use[kept++] = uses->use[i];
  uses->count = kept;
}

/* Reads and writes alike: the point implies both. */
void ndi_uses_drop(nd_uses *uses, nd_point done) {
  int kept = 0;
  for (int i = 0; i < uses->count; i++)
    if (uses->use[i].at.queue != done.queue || uses->use[i].at.seq > done.seq)
      uses->use[kept++] = uses->use[i];
  uses->count = kept;
}

nd_status ndi_uses_wait(const nd_uses *uses, const nd_use *access, nd_error *err) {
  for (int i = 0; i < uses->count; i++)
    if (ndi_use_conflicts(&uses->use[i], access)) ND_TRY(nd_point_wait(uses->use[i].at, err));
  return ND_OK;
}

bool ndi_uses_are_over(const nd_uses *uses) {
  for (int i = 0; uses && i < uses->count; i++)
    if (!nd_point_is_over(uses->use[i].at)) return false;
  return true;
}

/* For all of them, though one fails. */
nd_status ndi_uses_wait_all(const nd_uses *uses, nd_error *err) {
  nd_status status = ND_OK;
  for (int i = 0; uses && i < uses->count; i++) {
    const nd_status own = nd_point_wait(uses->use[i].at, status == ND_OK ? err : NULL);
    if (status == ND_OK) status = own;
  }
  return status;
}
