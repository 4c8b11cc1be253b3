/* The blocks that a pool keeps, in groups by size and by the queue that they wait for, so that a
 * take looks at a few groups, however many blocks there are.
 *
 * A group is a circle in the order of the gives, whose first node came last. Only the first one is
 * in a bucket of the hash table, among the first ones of other groups. */
#include "mem/adapt/kept.h"

#include "mem/spin.h"

typedef ndi_kept_node node;

/* The group of blocks that wait for nothing, and that of those that wait for several queues, of
 * which there are never so many. */
enum { NOTHING = 0 };
#define SEVERAL UINT32_MAX

/* {=== groups ===} The lock is held. */

/* Sizes are multiples of a page or of an eighth of a power of two: the product mixes their bits. */
static node **bucket_of(ndi_kept *kept, size_t size) {
  const uint64_t mixed = (uint64_t)size * UINT64_C(0x9e3779b97f4a7c15);
  return &kept->bucket[(mixed >> 32) % NDI_KEPT_BUCKETS];
}

static uint32_t queue_of(const nd_uses *after) {
  uint32_t queue = NOTHING;
  for (int i = 0; i < after->count; i++) {
    const uint32_t own = after->use[i].at.queue;
    if (queue != NOTHING && own != queue) return SEVERAL;
    queue = own;
  }
  return queue;
}

/* The first of the group; NULL: it has none. */
static node *find_group(ndi_kept *kept, size_t size, uint32_t queue) {
  node *first = *bucket_of(kept, size);
  while (first && (first->block.bytes != size || first->queue != queue)) first = first->beside;
  return first;
}

/* The group of that size with the next higher number of a queue. */
static node *find_next(ndi_kept *kept, size_t size, uint32_t queue) {
  node *next = NULL;
  for (node *n = *bucket_of(kept, size); n; n = n->beside)
    if (n->block.bytes == size && n->queue > queue && (!next || n->queue < next->queue)) next = n;
  return next;
}

static void set_first(node **at, node *n, node *beside) {
  n->at = at, n->beside = beside;
  *at = n;
  if (beside) beside->at = &n->beside;
}

/* 'n', of the same group, takes the place of 'first' in the bucket. */
static void succeed(node *first, node *n) {
  node **at = first->at, *beside = first->beside;
  first->at = NULL;
  set_first(at, n, beside);
}

/* As the one given back longest ago, or as the last one. */
static void join_group(ndi_kept *kept, node *n, bool is_last) {
  n->queue = queue_of(&n->after);
  n->at = NULL;
  node *first = find_group(kept, n->block.bytes, n->queue);
  if (!first) {
    node **at = bucket_of(kept, n->block.bytes);
    n->next = n->previous = n;
    set_first(at, n, *at);
    return;
  }
  n->next = first, n->previous = first->previous;
  n->next->previous = n->previous->next = n;
  if (is_last) succeed(first, n);
}

static void leave_group(node *n) {
  if (n->at && n->next != n) {
    succeed(n, n->next);
  } else if (n->at) {
    *n->at = n->beside;
    if (n->beside) n->beside->at = n->at;
  }
  n->previous->next = n->next, n->next->previous = n->previous;
}

/* {=== all blocks ===} The lock is held in the static functions. */

static void count(ndi_kept *kept, const node *n, bool is_more) {
  const int64_t bytes = (int64_t)n->block.granted;
  nd_gauge_add(&kept->bytes, is_more ? bytes : -bytes);
  nd_gauge_add(&kept->blocks, is_more ? 1 : -1);
}

static void link_node(ndi_kept *kept, node *n) {
  join_group(kept, n, true);
  n->number = ++kept->gives;
  n->newer = NULL, n->older = kept->newest;
  *(n->older ? &n->older->newer : &kept->oldest) = n;
  kept->newest = n;
  count(kept, n, true);
}

void ndi_kept_give(ndi_kept *kept, node *n) { ndi_kept_give_below(kept, n, UINT64_MAX); }

bool ndi_kept_give_below(ndi_kept *kept, node *n, uint64_t most) {
  ndi_spin_lock(&kept->lock);
  const uint64_t now = kept->bytes.now;
  const bool has_room = now <= most && n->block.granted <= most - now;
  if (has_room) link_node(kept, n);
  ndi_spin_unlock(&kept->lock);
  return has_room;
}

static node *unlink_node(ndi_kept *kept, node *n) {
  leave_group(n);
  *(n->newer ? &n->newer->older : &kept->newest) = n->older;
  *(n->older ? &n->older->newer : &kept->oldest) = n->newer;
  count(kept, n, false);
  return n;
}

node *ndi_kept_take_oldest(ndi_kept *kept, uint64_t most) {
  ndi_spin_lock(&kept->lock);
  const bool is_more = kept->bytes.now > most && kept->oldest;
  node *n = is_more ? unlink_node(kept, kept->oldest) : NULL;
  ndi_spin_unlock(&kept->lock);
  return n;
}

void ndi_kept_read(ndi_kept *kept, nd_gauge *bytes, nd_gauge *blocks) {
  ndi_spin_lock(&kept->lock);
  *bytes = kept->bytes, *blocks = kept->blocks;
  ndi_spin_unlock(&kept->lock);
}

uint64_t ndi_kept_bytes(ndi_kept *kept) {
  nd_gauge bytes, blocks;
  ndi_kept_read(kept, &bytes, &blocks);
  return bytes.now;
}

/* {=== finding ===} */

node *ndi_kept_find_on(ndi_kept *kept, size_t size, uint32_t queue) {
  ndi_spin_lock(&kept->lock);
  node *n = find_group(kept, size, queue);
  if (!n && queue != NOTHING) n = find_group(kept, size, NOTHING);
  if (n) unlink_node(kept, n);
  ndi_spin_unlock(&kept->lock);
  return n;
}

/* What is known of a block once the lock is not held: then others may take it, and free it. */
typedef struct {
  size_t size;
  uint32_t queue;  /* of the group */
  int looks;       /* at blocks of it, this one included */
  uint64_t number; /* of the give */
  nd_uses after;
} look;

/* Of several queues each look is at another block. */
static int most_looks(uint32_t queue) { return queue == SEVERAL ? 4 : 1; }

/* The group for the next look. */
static node *find_place(ndi_kept *kept, look *l) {
  const bool is_more = l->queue != NOTHING && l->looks < most_looks(l->queue);
  node *first = is_more ? find_group(kept, l->size, l->queue) : NULL;
  if (first && (l->looks == 0 || first->next != first)) return first;
  l->looks = 0;
  return find_next(kept, l->size, l->queue);
}

/* The end of a group with the earlier point: points of a queue are done in their order. If blocks
 * came back in that order, or in the reverse one as from a collector, that is the first to be done
 * of them all; what came in no order may be done before it, and is not found. */
static node *find_end(node *first) {
  node *last = first->previous;
  if (first->queue == SEVERAL) return last;
  return first->after.use[0].at.seq < last->after.use[0].at.seq ? first : last;
}

static void copy_uses(nd_uses *to, const nd_uses *from) {
  to->count = from->count;
  for (int i = 0; i < from->count; i++) to->use[i] = from->use[i];
}

/* Look at the next block. False: there is none. */
static bool begin_look(ndi_kept *kept, look *l) {
  ndi_spin_lock(&kept->lock);
  node *first = find_place(kept, l);
  if (first) {
    l->queue = first->queue;
    l->looks++;
    const node *n = find_end(first);
    l->number = n->number;
    copy_uses(&l->after, &n->after);
  }
  ndi_spin_unlock(&kept->lock);
  return first != NULL;
}

/* What is left of several queues. Where that is one, the block comes to that queue's group; else
 * later looks are at others first. */
static void set_after(ndi_kept *kept, node *n, const nd_uses *after) {
  leave_group(n);
  copy_uses(&n->after, after);
  join_group(kept, n, queue_of(after) == SEVERAL);
}

/* Note what the device said. The block, if it is done and still there. */
static node *end_look(ndi_kept *kept, const look *l) {
  node *found = NULL;
  if (l->after.count > 0 && l->queue != SEVERAL) return NULL;
  ndi_spin_lock(&kept->lock);
  node *first = find_group(kept, l->size, l->queue);
  node *n = first ? find_end(first) : NULL;
  if (n && n->number == l->number) {
    if (l->after.count == 0) found = unlink_node(kept, n);
    else set_after(kept, n, &l->after);
  }
  ndi_spin_unlock(&kept->lock);
  if (found) found->after.count = 0;
  return found;
}

/* What is lost is over as well. */
static void settle(nd_uses *after) {
  int left = 0;
  for (int i = 0; i < after->count; i++)
    if (!nd_point_is_over(after->use[i].at)) after->use[left++] = after->use[i];
  after->count = left;
}

/* A driver is asked without the lock. */
node *ndi_kept_find_done(ndi_kept *kept, size_t size) {
  look l = {.size = size, .queue = NOTHING};
  node *found = NULL;
  while (!found && begin_look(kept, &l)) {
    settle(&l.after);
    found = end_look(kept, &l);
    if (l.after.count == 0) l.looks = 0; /* if another thread took it, the next one may do */
  }
  return found;
}

node *ndi_kept_find_busy(ndi_kept *kept, size_t size) {
  node *found = NULL;
  ndi_spin_lock(&kept->lock);
  for (node *n = *bucket_of(kept, size); n; n = n->beside) {
    node *const oldest = n->previous;
    if (n->block.bytes != size || n->queue == SEVERAL) continue;
    if (!found || oldest->number < found->number) found = oldest;
  }
  if (!found && (found = find_group(kept, size, SEVERAL))) found = found->previous;
  if (found) unlink_node(kept, found);
  ndi_spin_unlock(&kept->lock);
  return found;
}
