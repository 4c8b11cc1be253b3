/* What a guard finds: a look at the bytes of a block, and the list of findings. A finding is a copy
 * with all that is known of the block, as the block may be gone when it is told. */
#include <stdlib.h>
#include <string.h>

#include "mem/adapt/guard.h"
#include "mem/spin.h"

/* ORDER DAMAGE */
typedef enum { BEFORE, AFTER, AFTER_FREE, OVERLAP } damage;
static const char *const names[] = {"before", "after", "use after free", "overlap"};

/* {=== the list ===} */

/* The list is large, and most guards never need it. Not under the lock, as it allocates; without
 * memory for it findings are only counted. */
static void make_entries(ndi_guard *g) {
  ndi_spin_lock(&g->lock);
  const bool is_there = g->entries != NULL;
  ndi_spin_unlock(&g->lock);
  if (is_there) return;
  ndi_guard_entry *made = malloc(NDI_GUARD_FINDINGS * sizeof *made);
  ndi_spin_lock(&g->lock);
  if (!g->entries) g->entries = made, made = NULL;
  ndi_spin_unlock(&g->lock);
  free(made);
}

/* Room for one more: the oldest one for which a call failed goes. False: there is none. */
static bool make_room(ndi_guard *g) {
  int i = 0;
  if (!g->entries) return false;
  if (g->findings_count < NDI_GUARD_FINDINGS) return true;
  while (i < NDI_GUARD_FINDINGS && !g->entries[i].is_raised) i++;
  if (i == NDI_GUARD_FINDINGS) return false;
  const size_t rest = (size_t)(NDI_GUARD_FINDINGS - i - 1);
  memmove(&g->entries[i], &g->entries[i + 1], rest * sizeof *g->entries);
  g->findings_count--;
  g->dropped++;
  return true;
}

/* False: it was told before. The lock is held. */
static bool put(ndi_guard *g, ndi_guard_node *n, damage what, ptrdiff_t offset) {
  if (n->told & 1u << what) return false;
  n->told |= 1u << what;
  if (!make_room(g)) return g->lost++, true;
  ndi_guard_entry *entry = &g->entries[g->findings_count++];
  nd_finding *f = &entry->finding;
  entry->is_raised = false;
  g->unraised++;
  f->what = names[what];
  f->address = ndi_guard_at(n);
  f->bytes = n->bytes;
  f->tag = n->tag;
  f->generation = n->generation;
  f->offset = offset;
  memcpy(f->trace, n->trace, strlen(n->trace) + 1); /* of ND_TRACE_TEXT at most */
  return true;
}

static void find(ndi_guard *g, ndi_guard_node *n, damage what, ptrdiff_t offset) {
  make_entries(g);
  ndi_spin_lock(&g->lock);
  const bool is_new = put(g, n, what, offset);
  ndi_spin_unlock(&g->lock);
  nd_block seen = n->block;
  seen.bytes = n->bytes;
  if (is_new) ndi_log_damage(g->base.up, &seen, ndi_guard_at(n) + offset);
}

/* No row of a log: the log is below, and has the take of both blocks. */
void ndi_guard_note_overlap(ndi_guard *g, const ndi_guard_node *n) {
  make_entries(g);
  ndi_spin_lock(&g->lock);
  ndi_guard_node *other = ndi_guard_overlap(g->root, n->block.ptr, n->block.bytes);
  if (other) put(g, other, OVERLAP, ndi_guard_at(n) - ndi_guard_at(other));
  ndi_spin_unlock(&g->lock);
}

/* {=== looking ===} */

/* The first byte that is not 'value'; 'bytes': all are. */
static size_t first_other(const unsigned char *at, size_t bytes, unsigned char value) {
  size_t i = 0;
  if (bytes == 0 || (at[0] == value && memcmp(at, at + 1, bytes - 1) == 0)) return bytes;
  while (at[i] == value) i++;
  return i;
}

void ndi_guard_compare(ndi_guard *g, ndi_guard_node *n, const ndi_guard_sight *sight) {
  const unsigned char *const user = sight->front + NDI_GUARD_FRONT,
                             *after = sight->back + sight->tail;
  size_t at = first_other(sight->front, NDI_GUARD_FRONT, NDI_GUARD_MARK);
  if (at < NDI_GUARD_FRONT) find(g, n, BEFORE, (ptrdiff_t)at - NDI_GUARD_FRONT);
  at = first_other(after, n->back, NDI_GUARD_MARK);
  if (at < n->back) find(g, n, AFTER, (ptrdiff_t)(n->bytes + at));
  at = first_other(user, sight->head, NDI_GUARD_GIVEN);
  if (at < sight->head) find(g, n, AFTER_FREE, (ptrdiff_t)at);
  at = first_other(sight->back, sight->tail, NDI_GUARD_GIVEN);
  if (at < sight->tail) find(g, n, AFTER_FREE, (ptrdiff_t)(n->bytes - sight->tail + at));
}

/* {=== telling ===} */

static nd_status fail_for(const nd_finding *f, nd_error *err) {
  static const char *const texts[] = {"bytes before it were written", "bytes after it were written",
                                      "it was written after it was freed",
                                      "its memory was handed out again while it was in use"};
  static const nd_status codes[] = {ND_OUT_OF_BOUNDS, ND_OUT_OF_BOUNDS, ND_USE_AFTER_FREE,
                                    ND_OVERLAP};
  int i = 0; /* ORDER DAMAGE */
  while (f->what != names[i]) i++;
  const int line = (int)strcspn(f->trace, "\n");
  return nd_fail_with(
      err, codes[i], ND_NUMBERS({"offset", f->offset}),
      "the guard found damage, done before this call: the block of %zu B at %p (storage %llu): %s, "
      "first at offset %td; allocated at %.*s",
      f->bytes, f->address, (unsigned long long)f->tag, texts[i], f->offset, line ? line : 7,
      line ? f->trace : "unknown");
}

/* Copy the oldest finding for which no call failed, which then counts as told. */
static bool take_unraised(ndi_guard *g, nd_finding *out) {
  bool is_there = false;
  if (atomic_load_explicit(&g->unraised, memory_order_relaxed) == 0) return false;
  ndi_spin_lock(&g->lock);
  for (int i = 0; i < g->findings_count && !is_there; i++) {
    if (g->entries[i].is_raised) continue;
    g->entries[i].is_raised = is_there = true;
    g->unraised--;
    *out = g->entries[i].finding;
  }
  ndi_spin_unlock(&g->lock);
  return is_there;
}

nd_status ndi_guard_raise(ndi_guard *g, nd_error *err) {
  nd_finding f;
  return take_unraised(g, &f) ? fail_for(&f, err) : ND_OK;
}

size_t ndi_guard_take_findings(ndi_guard *g, nd_finding *out, uint64_t *lost) {
  ndi_spin_lock(&g->lock);
  const size_t count = (size_t)g->findings_count;
  for (size_t i = 0; i < count; i++) out[i] = g->entries[i].finding;
  *lost = g->lost + g->dropped;
  g->findings_count = g->unraised = 0;
  g->lost = g->dropped = 0;
  ndi_spin_unlock(&g->lock);
  return count;
}

void ndi_guard_tell_rest(ndi_guard *g) {
  nd_finding f;
  while (g->tell && take_unraised(g, &f)) g->tell(&f, 0);
  ndi_spin_lock(&g->lock);
  const uint64_t lost = g->lost;
  g->lost = 0;
  ndi_spin_unlock(&g->lock);
  if (g->tell && lost > 0) g->tell(NULL, lost);
}
