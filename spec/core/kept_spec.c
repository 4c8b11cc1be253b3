/* What a pool keeps: which block a take finds, beside a plain list of all blocks; and that threads
 * never find the same one. */
#include <pthread.h>
#include <string.h>

#include "check.h"
#include "mem/adapt/kept.h"

enum { QUEUES = 4, SIZES = 3, NODES = 200, OPERATIONS = 100000, THREADS = 6 };

typedef struct {
  uint32_t queue;
  atomic_uint_fast64_t sent, reached;
} line;

static line lines[QUEUES];

static void (*meanwhile)(void); /* what another thread does while a device is asked, once */

static bool is_done(void *context, nd_point point) {
  void (*act)(void) = meanwhile;
  if (act) meanwhile = NULL, act();
  return point.seq <= ((line *)context)->reached;
}

static void open_lines(void) {
  static const nd_fence_ops ops = {.is_done = is_done};
  for (int i = 0; i < QUEUES; i++)
    if (nd_queue_open(&ops, &lines[i], &lines[i].queue, NULL) != ND_OK) abort();
}

/* A block, and who has it. */
typedef struct {
  ndi_kept_node node; /* first */
  nd_uses given;      /* its points, as it was given */
  atomic_bool is_ours;
} block;

static block blocks[NODES];
static ndi_kept kept;

/* Give it with points of so many queues, each the last one of its queue. */
static void give(block *b, int count, uint64_t *state) {
  const int first = (int)(next_random(state) % QUEUES);
  b->node.after.count = count;
  for (int i = 0; i < count; i++) {
    line *l = &lines[(first + i) % QUEUES];
    b->node.after.use[i] = (nd_use){.at = {l->queue, ++l->sent}, .lo = 0, .hi = SIZE_MAX};
  }
  b->given = b->node.after;
  b->is_ours = false;
  ndi_kept_give(&kept, &b->node);
}

static void reset(void) {
  memset(&kept, 0, sizeof kept);
  memset(blocks, 0, sizeof blocks);
  for (int i = 0; i < NODES; i++) {
    const size_t size = 512 * (size_t)(1 + i % SIZES);
    blocks[i].node.block.bytes = blocks[i].node.block.granted = size;
    blocks[i].is_ours = true;
  }
}

/* {=== beside a list ===} */

static bool is_over(const ndi_kept_node *n) { return ndi_uses_are_over(&n->after); }

static bool is_of(const ndi_kept_node *n, uint32_t queue) {
  for (int i = 0; i < n->after.count; i++)
    if (n->after.use[i].at.queue != queue) return false;
  return queue ? n->after.count > 0 : n->after.count == 0;
}

static bool is_any(const ndi_kept_node *n, uint32_t queue) { return (void)queue, n != NULL; }

static bool is_narrow(const ndi_kept_node *n, uint32_t queue) {
  return (void)queue, n->after.count <= 1;
}

static bool is_found(const ndi_kept_node *n, uint32_t queue) {
  return (void)queue, n->after.count == 1 && is_over(n);
}

/* The kept block of that size (0: any) that came last, or first, and is so. */
static ndi_kept_node *seek(size_t size, bool is_last, uint32_t queue,
                           bool (*is_so)(const ndi_kept_node *n, uint32_t queue)) {
  ndi_kept_node *best = NULL;
  for (int i = 0; i < NODES; i++) {
    ndi_kept_node *n = &blocks[i].node;
    if (blocks[i].is_ours || (size && n->block.bytes != size) || !is_so(n, queue)) continue;
    if (!best || (n->number > best->number) == is_last) best = n;
  }
  return best;
}

static ndi_kept_node *note(ndi_kept_node *n) {
  if (n) CHECK(!atomic_exchange(&((block *)n)->is_ours, true), "it was not kept");
  return n;
}

/* 'is_exact': no block waits for several queues, so that none changes its group. */
static void check_on(size_t size, uint32_t queue, bool is_exact) {
  ndi_kept_node *expected = seek(size, true, queue, is_of);
  const uint32_t group = expected ? queue : 0;
  if (!expected) expected = seek(size, true, 0, is_of);
  ndi_kept_node *n = note(ndi_kept_find_on(&kept, size, queue));
  CHECK(!n == !expected, "found");
  if (!n || !expected) return;
  CHECK(n->block.bytes == size && is_of(n, group), "of another group");
  CHECK(!is_exact || n == expected, "not the last one");
}

/* Points are done in the order of the gives here, so what waits for one queue is always found. */
static void check_done(size_t size, bool is_exact) {
  ndi_kept_node *expected = is_exact ? seek(size, false, 0, is_found) : NULL;
  ndi_kept_node *n = note(ndi_kept_find_done(&kept, size));
  CHECK(n || !expected, "not found");
  CHECK(!n || (n->block.bytes == size && n->after.count == 0), "found");
  CHECK(!n || ndi_uses_are_over(&((block *)n)->given), "not done");
}

static void check_busy(size_t size, bool is_exact) {
  ndi_kept_node *any = seek(size, false, 0, is_any);
  const bool has_one = seek(size, false, 0, is_narrow);
  ndi_kept_node *n = note(ndi_kept_find_busy(&kept, size));
  CHECK(!n == !any, "found");
  CHECK(!n || n->block.bytes == size, "of another size");
  CHECK(!n || n->after.count <= 1 || !has_one, "of several queues");
  CHECK(!is_exact || n == any, "not the oldest one");
}

static void check_oldest(void) {
  const ndi_kept_node *expected = seek(0, false, 0, is_any);
  CHECK(note(ndi_kept_take_oldest(&kept, 0)) == expected, "not the oldest one");
}

static void give_one(uint64_t *state, int most_queues) {
  block *b = &blocks[next_random(state) % NODES];
  if (!b->is_ours) return;
  give(b, (int)(next_random(state) % (uint64_t)(most_queues + 1)), state);
}

static void step(uint64_t *state, bool is_exact) {
  const size_t size = 512 * (size_t)(1 + next_random(state) % SIZES);
  line *l = &lines[next_random(state) % QUEUES];
  switch (next_random(state) % 12) {
    case 0: check_on(size, l->queue, is_exact); break;
    case 1: check_done(size, is_exact); break;
    case 2: check_busy(size, is_exact); break;
    case 3: check_oldest(); break;
    case 4: l->reached += next_random(state) % (l->sent - l->reached + 1); break;
    default: give_one(state, is_exact ? 1 : QUEUES);
  }
}

static void spec_list(void) {
  for (int is_exact = 0; is_exact <= 1; is_exact++) {
    uint64_t state = 1, bytes = 0;
    group(is_exact ? "blocks of one queue at most, as a list has them"
                   : "blocks of several queues, too");
    reset();
    for (size_t i = scaled(OPERATIONS); i > 0; i--) step(&state, is_exact);
    for (int i = 0; i < NODES; i++) bytes += blocks[i].is_ours ? 0 : blocks[i].node.block.bytes;
    CHECK(ndi_kept_bytes(&kept) == bytes, "bytes");
    while (note(ndi_kept_take_oldest(&kept, 0))) continue;
    for (int i = 0; i < NODES; i++) CHECK(blocks[i].is_ours, "block %d is lost", i);
  }
}

/* Busy ones, of which each look that finds nothing shows others; what is left of them is kept. */
static void spec_several(void) {
  uint64_t state = 1;
  group("a block that is done is found behind many that wait for several queues");
  reset();
  for (int i = 0; i < NODES; i++) {
    blocks[i].node.block.bytes = 512;
    give(&blocks[i], QUEUES, &state);
  }
  ndi_kept_node *last = &blocks[NODES - 1].node, *found = NULL;
  for (int i = 0; i < QUEUES; i++) last->after.use[i].at.seq = 0;
  int takes = 0;
  while (!found && ++takes < NODES) found = ndi_kept_find_done(&kept, 512);
  CHECK(found == last && takes <= NODES / 4 + 1, "after %d takes", takes);
  for (int i = 1; i < QUEUES; i++) lines[i].reached = lines[i].sent;
  takes = 0;
  while (ndi_kept_find_done(&kept, 512) || ++takes < NODES) continue;
  for (int i = 0; i < NODES - 1; i++)
    CHECK(is_of(&blocks[i].node, lines[0].queue), "block %d is not of one queue", i);
  lines[0].reached = lines[0].sent;
  for (int i = 0; i < NODES - 1; i++) CHECK(ndi_kept_find_done(&kept, 512), "block %d", i);
  CHECK(!ndi_kept_take_oldest(&kept, 0), "something is left");
}

static void replace_first(void) {
  uint64_t state = 1;
  CHECK(ndi_kept_find_on(&kept, 512, blocks[0].given.use[0].at.queue) == &blocks[0].node, "find");
  give(&blocks[SIZES], 1, &state);
}

static void take_first(void) { CHECK(ndi_kept_find_busy(&kept, 512) == &blocks[0].node, "find"); }

static void spec_meanwhile(void) {
  uint64_t state = 1;
  group("a block that came while another one was looked at is not taken for it");
  reset();
  give(&blocks[0], 1, &state);
  for (int i = 0; i < QUEUES; i++) lines[i].reached = lines[i].sent;
  meanwhile = replace_first;
  CHECK(!ndi_kept_find_done(&kept, 512), "found");
  CHECK(ndi_kept_take_oldest(&kept, 0) == &blocks[SIZES].node, "it is kept");
  for (int i = 0; i < 2; i++) state = 1, give(&blocks[i * SIZES], 1, &state);
  for (int i = 0; i < QUEUES; i++) lines[i].reached = lines[i].sent;
  meanwhile = take_first;
  CHECK(ndi_kept_find_done(&kept, 512) == &blocks[SIZES].node, "the one after it");
}

/* {=== threads ===} */

typedef struct {
  uint64_t state;
  int wrong;
  int count;
  ndi_kept_node *own[NODES];
} worker;

static void take_one(worker *w) {
  const size_t size = 512 * (size_t)(1 + next_random(&w->state) % SIZES);
  const line *l = &lines[next_random(&w->state) % QUEUES];
  ndi_kept_node *n = NULL;
  switch (next_random(&w->state) % 8) {
    case 0: n = ndi_kept_find_busy(&kept, size); break;
    case 1: n = ndi_kept_take_oldest(&kept, 0); break;
    case 2: n = ndi_kept_find_on(&kept, size, l->queue); break;
    default:
      n = ndi_kept_find_done(&kept, size);
      w->wrong += n && (n->after.count > 0 || !ndi_uses_are_over(&((block *)n)->given));
  }
  if (!n) return;
  w->wrong += atomic_exchange(&((block *)n)->is_ours, true);
  w->own[w->count++] = n;
}

static void give_back(worker *w) {
  block *b = (block *)w->own[--w->count];
  w->wrong += !b->is_ours;
  give(b, (int)(next_random(&w->state) % (QUEUES + 1)), &w->state);
}

/* What is done stays so. */
static void finish_work(line *l) {
  const uint64_t sent = l->sent;
  uint_fast64_t seen = l->reached;
  while (seen < sent && !atomic_compare_exchange_weak(&l->reached, &seen, sent)) continue;
}

static void *work(void *arg) {
  worker *w = arg;
  for (size_t i = scaled(OPERATIONS); i > 0; i--) {
    line *l = &lines[next_random(&w->state) % QUEUES];
    if (i % 64 == 0) finish_work(l);
    if (w->count > 0 && next_random(&w->state) % 2) give_back(w);
    else take_one(w);
  }
  while (w->count > 0) give_back(w);
  return NULL;
}

static void spec_threads(void) {
  static worker workers[THREADS];
  pthread_t threads[THREADS];
  int count = 0;
  group("threads never find the same block");
  reset();
  for (int i = 0; i < NODES; i++) {
    blocks[i].is_ours = false;
    ndi_kept_give(&kept, &blocks[i].node);
  }
  for (int i = 0; i < THREADS; i++) {
    workers[i].state = (uint64_t)i + 1;
    pthread_create(&threads[i], NULL, work, &workers[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++) CHECK(workers[i].wrong == 0, "thread %d", i);
  while (ndi_kept_take_oldest(&kept, 0)) count++;
  CHECK(count == NODES && ndi_kept_bytes(&kept) == 0, "%d are left", count);
}

int main(void) {
  open_lines();
  spec_list();
  spec_several();
  spec_meanwhile();
  spec_threads();
  return finish();
}
