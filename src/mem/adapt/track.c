/* The track adaptor: knows each block that is outstanding, when it was taken, and by which lines.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/call.h"
#include "mem/adapt/adapt.h"
#include "mem/spin.h"

/* Of a block; made at the take, so that a give needs no memory. */
typedef struct node {
  struct node *next, *previous; /* the oldest first */
  nd_block block;               /* the upstream's */
  nd_tracked seen;
  char trace[]; /* what 'seen.trace' points to */
} node;

typedef struct {
  nd_resource base;
  atomic_uint lock; /* of mem/spin.h; guards the list and the count */
  node *first, *last;
  uint64_t count; /* of blocks ever */
} track;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void link_node(track *t, node *n) {
  ndi_spin_lock(&t->lock);
  n->seen.generation = ++t->count;
  n->previous = t->last;
  *(n->previous ? &n->previous->next : &t->first) = n;
  t->last = n;
  ndi_spin_unlock(&t->lock);
}

static void unlink_node(track *t, node *n) {
  ndi_spin_lock(&t->lock);
  *(n->previous ? &n->previous->next : &t->first) = n->next;
  *(n->next ? &n->next->previous : &t->last) = n->previous;
  ndi_spin_unlock(&t->lock);
}

static node *make_node(void) {
  char text[ND_TRACE_TEXT];
  const size_t length = nd_call_trace(text, sizeof text);
  node *n = calloc(1, sizeof *n + length + 1);
  if (!n) return NULL;
  memcpy(n->trace, text, length);
  n->seen.trace = n->trace;
  n->seen.taken = now();
  return n;
}

static nd_status track_take(nd_resource *self, const nd_request *request, nd_block *out,
                            nd_error *err) {
  node *n = make_node();
  if (!n) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for the record of a block");
  const nd_status status = nd_resource_take(self->up, request, &n->block, err);
  if (status != ND_OK) return free(n), status;
  n->seen.address = n->block.ptr;
  n->seen.bytes = request->bytes;
  n->seen.tag = request->tag;
  link_node((track *)self, n);
  *out = n->block;
  out->cookie = (uint64_t)(uintptr_t)n;
  return ND_OK;
}

static nd_status track_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                            nd_error *err) {
  node *n = (node *)(uintptr_t)block->cookie;
  ND_TRY(nd_resource_give(self->up, &n->block, after, err));
  unlink_node((track *)self, n);
  free(n);
  return ND_OK;
}

static nd_status track_check(nd_resource *self, const nd_block *block, nd_error *err) {
  return nd_resource_check(self->up, &((node *)(uintptr_t)block->cookie)->block, err);
}

static void track_watch(nd_resource *self, const nd_block *block, _Atomic uint64_t *epoch) {
  nd_resource_watch(self->up, &((node *)(uintptr_t)block->cookie)->block, epoch);
}

static void track_close(nd_resource *self) { free(self); }

static const nd_resource_ops ops = {.name = "track",
                                    .no_pool = "it would not see what is used, but what the pool "
                                               "keeps; put it on the pool",
                                    .take = track_take,
                                    .give = track_give,
                                    .check = track_check,
                                    .watch = track_watch,
                                    .close = track_close};

nd_status nd_track_make(nd_resource *up, nd_resource **out, nd_error *err) {
  return ndi_adaptor_make(&ops, sizeof(track), up, out, err);
}

/* {=== what is outstanding ===} */

/* Copies of the texts, as the blocks may go meanwhile. */
static void copy_list(const track *t, nd_tracked *list, size_t most, char *text,
                      const char *text_end, size_t *count) {
  for (const node *n = t->first; n && *count < most; n = n->next) {
    const size_t length = strlen(n->trace) + 1;
    nd_tracked *seen = &list[*count];
    *seen = n->seen;
    seen->trace = "";
    if (length <= (size_t)(text_end - text)) seen->trace = memcpy(text, n->trace, length);
    if (seen->trace == text) text += length;
    ++*count;
  }
}

static void measure(const track *t, size_t *count, size_t *bytes) {
  *count = *bytes = 0;
  for (const node *n = t->first; n; n = n->next) ++*count, *bytes += strlen(n->trace) + 1;
}

/* Room for more than there are now: others may come before the lock is had again. */
enum { SPARE = 16 };

nd_status nd_track_list(nd_resource *self, nd_tracked **out, size_t *count, nd_error *err) {
  while (self && self->ops != &ops) self = self->up;
  if (!self) return nd_fail(err, ND_UNSUPPORTED, "no layer of this memory tracks blocks");
  track *t = (track *)self;
  size_t most, bytes;
  ndi_spin_lock(&t->lock);
  measure(t, &most, &bytes);
  ndi_spin_unlock(&t->lock);
  most += SPARE;
  nd_tracked *list = calloc(1, most * sizeof *list + bytes);
  if (!list) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a list of %zu blocks", most);
  char *text = (char *)(list + most);
  *count = 0;
  ndi_spin_lock(&t->lock);
  copy_list(t, list, most, text, text + bytes, count);
  ndi_spin_unlock(&t->lock);
  const double at = now();
  for (size_t i = 0; i < *count; i++) list[i].age = at - list[i].taken;
  *out = list;
  return ND_OK;
}
