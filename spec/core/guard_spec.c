/* Guards in C: a broken upstream, failures at any step, threads, a give that has to wait. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "check.h"
#include "mem/adapt/adapt.h"
#include "mem/adapt/guard.h"
#include "mem/host.h"
#include "mem/reap.h"
#include "mem/ticket.h"

/* {=== a broken upstream ===} It hands out pieces of one buffer, at places that the spec says. */

static struct {
  nd_resource base;
  char bytes[1 << 16];
  size_t next; /* offset of the next block */
  int live;
} broken;

static nd_status broken_take(nd_resource *self, const nd_request *request, nd_block *out,
                             nd_error *err) {
  (void)self, (void)err;
  out->ptr = out->host = broken.bytes + broken.next;
  out->granted = request->bytes;
  broken.live++;
  return ND_OK;
}

static nd_status broken_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                             nd_error *err) {
  (void)self, (void)block, (void)after, (void)err;
  broken.live--;
  return ND_OK;
}

static nd_resource *make_guard(nd_resource *up, void (*tell)(const nd_finding *, uint64_t)) {
  nd_resource *out = NULL;
  CHECK(nd_guard_make(up, tell, &out, NULL) == ND_OK, "make");
  return out;
}

static int told;
static char told_what[32];

static void note(const nd_finding *f, uint64_t lost) {
  (void)lost;
  told++;
  strcpy(told_what, f->what);
}

static void check_overlap(void) {
  static const nd_resource_ops ops = {.name = "broken", .take = broken_take, .give = broken_give};
  broken.base = (nd_resource){.ops = &ops, .holds = 1, .kind = ND_MEM_HOST};
  nd_resource *guard = make_guard(&broken.base, note);
  const nd_request request = {.bytes = 1000, .tag = 7};
  nd_block a, b;
  nd_error err;
  group("a guard refuses memory that is in use already, once for each block");
  broken.next = 8192;
  CHECK(nd_resource_take(guard, &request, &a, NULL) == ND_OK, "first");
  static const size_t places[] = {8192, 8192 + 1343, 8192 - 1343, 8000, 9000};
  for (size_t i = 0; i < ND_COUNTOF(places); i++) {
    broken.next = places[i];
    err.message[0] = '\0';
    CHECK(nd_resource_take(guard, &request, &b, &err) == ND_OVERLAP, "place %zu", places[i]);
    CHECK(i > 0 || strstr(err.message, "storage 7"), "%s", err.message);
  }
  broken.next = 8192 + 1344; /* 256 + 1000 + 88 */
  CHECK(nd_resource_take(guard, &request, &b, &err) == ND_OK, "beside it");
  CHECK(nd_resource_give(guard, &b, NULL, NULL) == ND_OK, "give");
  CHECK(nd_resource_take(guard, &request, &b, &err) == ND_OVERLAP, "what is kept counts");
  CHECK(nd_resource_give(guard, &a, NULL, NULL) == ND_OK && broken.live == 2, "%d", broken.live);
  nd_finding *list;
  size_t count;
  uint64_t lost;
  CHECK(nd_guard_verify(guard, &list, &count, &lost, &err) == ND_OK && count == 2, "%zu", count);
  CHECK(!strcmp(list[0].what, "overlap") && list[0].address == a.ptr && list[0].tag == 7, "which");
  free(list);
  CHECK(broken.live == 0, "%d", broken.live);
  nd_resource_drop(guard);
  CHECK(told == 0, "all was told");
}

/* {=== at the end ===} */

static void check_close(void) {
  const nd_request request = {.bytes = 100};
  nd_block a;
  group("a guard that is closed looks at what it keeps, and tells what nobody knows");
  for (int what = 0; what < 4; what++) {
    static const char *const names[] = {"before", "after", "use after free", "nothing"};
    static const ptrdiff_t offsets[] = {-1, 100, 99};
    nd_resource *guard = make_guard(nd_host_resource(), note);
    told = 0;
    CHECK(nd_resource_take(guard, &request, &a, NULL) == ND_OK, "take");
    char *bytes = a.host;
    CHECK(nd_resource_give(guard, &a, NULL, NULL) == ND_OK, "give");
    if (what < 3) bytes[offsets[what]] = 1;
    nd_resource_drop(guard);
    CHECK(told == (what < 3) && (what == 3 || !strcmp(told_what, names[what])), "%s", names[what]);
  }
}

/* {=== fills that fail too late ===} Memory that the CPU does not read, with a queue of its own. */

static struct {
  nd_resource base;
  nd_point sent; /* the last fill */
  uint64_t done;
  int live, failing; /* the how manieth fill from now on fails, once it is enqueued */
} slow;

static bool slow_is_done(void *context, nd_point point) {
  (void)context;
  return point.seq <= slow.done;
}

static nd_status slow_take(nd_resource *self, const nd_request *request, nd_block *out,
                           nd_error *err) {
  (void)self, (void)err;
  out->ptr = malloc(request->bytes);
  out->granted = request->bytes;
  slow.live++;
  return ND_OK;
}

static nd_status slow_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                           nd_error *err) {
  (void)self, (void)after, (void)err;
  free(block->ptr);
  slow.live--;
  return ND_OK;
}

static nd_status slow_fill(nd_resource *self, const nd_block *block, size_t offset, size_t bytes,
                           uint8_t value, const nd_uses *after, nd_point *ready, nd_error *err) {
  (void)self, (void)block, (void)offset, (void)bytes, (void)value, (void)after;
  slow.sent.seq++;
  *ready = slow.sent;
  return --slow.failing == 0 ? nd_fail(err, ND_DRIVER, "its wait failed") : ND_OK;
}

static nd_resource *slow_staging(nd_resource *self) { return (void)self, nd_host_resource(); }

static void check_late(void) {
  static const nd_resource_ops ops = {.name = "slow",
                                      .take = slow_take,
                                      .give = slow_give,
                                      .fill = slow_fill,
                                      .staging = slow_staging};
  static const nd_fence_ops fence = {.is_done = slow_is_done};
  const nd_request request = {.bytes = 1000};
  nd_block a;
  group("a block waits for a fill that was enqueued, though the call for it failed");
  slow.base = (nd_resource){.ops = &ops, .holds = 1, .kind = ND_MEM_DEVICE, .device = 5};
  CHECK(nd_queue_open(&fence, NULL, &slow.sent.queue, NULL) == ND_OK, "queue");
  nd_resource *guard = make_guard(&slow.base, NULL);
  for (int n = 1; n <= 3; n++) {
    slow.failing = n;
    CHECK(nd_resource_take(guard, &request, &a, NULL) == ND_DRIVER, "fill %d", n);
    slow.done = slow.sent.seq - 1;
    nd_reap(ND_REAP_DONE);
    CHECK(slow.live == 1, "fill %d: freed while it is in flight", n);
    slow.done = slow.sent.seq;
    nd_reap(ND_REAP_DONE);
    CHECK(slow.live == 0, "fill %d: %d blocks left", n, slow.live);
  }
  nd_resource_drop(guard);
}

/* {=== large requests ===} */

static void check_sizes(void) {
  nd_resource *guard = make_guard(nd_host_resource(), NULL);
  nd_block a;
  group("a guard refuses what is too large, and keeps every alignment");
  for (size_t by = 0; by < 400; by += 7) {
    const nd_request request = {.bytes = ND_SIZE_MAX - by};
    CHECK(nd_resource_take(guard, &request, &a, NULL) == ND_OUT_OF_MEMORY, "- %zu", by);
    CHECK(nd_resource_grants(guard, &request) > ND_SIZE_MAX / 2, "- %zu", by);
  }
  for (size_t align = 1; align <= 1 << 16; align *= 2) {
    const nd_request request = {.bytes = 3 * align + 1, .align = align, .zeroed = true};
    CHECK(nd_resource_take(guard, &request, &a, NULL) == ND_OK, "%zu", align);
    CHECK((uintptr_t)a.ptr % align == 0 && *(char *)a.host == 0 && a.zeroed, "%zu", align);
    CHECK(a.granted == nd_resource_grants(guard, &request), "%zu", align);
    nd_resource_give(guard, &a, NULL, NULL);
  }
  nd_resource_drop(guard);
}

/* {=== threads ===} */

enum { THREADS = 4, ROUNDS = 20000, HELD = 8 };
static nd_resource *shared;

static void *work(void *seed) {
  uint64_t state = (uint64_t)(uintptr_t)seed;
  nd_block held[HELD];
  bool is_held[HELD] = {false};
  const size_t rounds = scaled(ROUNDS);
  for (size_t i = 0; i < rounds; i++) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    const size_t at = (state >> 33) % HELD;
    const nd_request request = {.bytes = (state >> 40) % 3000};
    if (!is_held[at] && nd_resource_take(shared, &request, &held[at], NULL) == ND_OK) {
      if (held[at].host) memset(held[at].host, (int)i, request.bytes);
      is_held[at] = true;
    } else if (is_held[at]) {
      nd_resource_give(shared, &held[at], NULL, NULL);
      is_held[at] = false;
    }
  }
  for (int i = 0; i < HELD; i++)
    if (is_held[i]) nd_resource_give(shared, &held[i], NULL, NULL);
  return NULL;
}

static void check_threads(void) {
  pthread_t threads[THREADS];
  nd_mem_stats stats;
  nd_resource *counter = NULL;
  group("threads take and give while another one looks at all blocks");
  CHECK(nd_stats_make(nd_host_resource(), &counter, NULL) == ND_OK, "make");
  shared = make_guard(counter, NULL);
  for (uintptr_t i = 0; i < THREADS; i++)
    CHECK(!pthread_create(&threads[i], NULL, work, (void *)(i + 1)), "create");
  for (int i = 0; i < 50; i++) {
    nd_finding *list;
    size_t count = 1;
    uint64_t lost;
    CHECK(nd_guard_verify(shared, &list, &count, &lost, NULL) == ND_OK && count == 0, "%zu", count);
    free(list);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  CHECK(nd_guard_settle(shared, true), "settled");
  nd_resource_get_stats(counter, &stats);
  CHECK(stats.live.now == 0 && stats.live_count.now == 0, "%d left", (int)stats.live_count.now);
  nd_resource_drop(shared);
  nd_resource_drop(counter);
}

/* {=== the tree ===} */

enum { NODES = 300, STEP = 64 };

static void check_tree(void) {
  static ndi_guard_node nodes[NODES];
  static char memory[NODES * 3 * STEP];
  ndi_guard_node *root = NULL;
  bool is_in[NODES] = {false};
  uint64_t state = 1;
  group("the tree finds what overlaps, and nothing else");
  for (size_t i = 0; i < NODES; i++)
    nodes[i].block = (nd_block){.ptr = memory + 3 * STEP * i, .bytes = 2 * STEP};
  for (size_t round = 0; round < scaled(20000); round++) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    const size_t i = (state >> 33) % NODES, shift = (state >> 45) % (3 * STEP);
    if (is_in[i]) ndi_guard_remove(&root, &nodes[i]);
    else ndi_guard_add(&root, &nodes[i]);
    is_in[i] = !is_in[i];
    const size_t j = (state >> 50) % (NODES - 1);
    const ndi_guard_node *found = ndi_guard_overlap(root, memory + 3 * STEP * j + shift, STEP);
    const ndi_guard_node *wanted = is_in[j] && shift < 2 * STEP ? &nodes[j] : NULL;
    if (!wanted && is_in[j + 1] && shift > 2 * STEP) wanted = &nodes[j + 1];
    CHECK(found == wanted, "round %zu, block %zu, + %zu", round, j, shift);
  }
}

/* Addresses at whatever distance: the tree is no list. */
static void check_depth(void) {
  group("the tree of blocks is shallow, however far these are from each other");
  enum { MANY = 20000 };
  static const size_t strides[] = {64, 2304, 41344, 741888, 1 << 20};
  ndi_guard_node *const nodes = calloc(MANY, sizeof *nodes);
  if (!nodes) abort();
  for (size_t s = 0; s < ND_COUNTOF(strides); s++) {
    ndi_guard_node *root = NULL;
    size_t deepest = 0;
    for (size_t i = 0; i < MANY; i++) {
      nodes[i].block = (nd_block){.ptr = (void *)(strides[s] * (i + 1)), .bytes = strides[s]};
      ndi_guard_add(&root, &nodes[i]);
    }
    for (size_t i = 0; i < MANY; i++) {
      size_t depth = 1;
      for (const ndi_guard_node *n = root; n != &nodes[i]; depth++)
        n = n->block.ptr > nodes[i].block.ptr ? n->left : n->right;
      if (depth > deepest) deepest = depth;
    }
    CHECK(deepest < 60, "%zu at a distance of %zu", deepest, strides[s]);
  }
  free(nodes);
}

int main(void) {
  check_tree();
  check_depth();
  check_overlap();
  check_close();
  check_late();
  check_sizes();
  check_threads();
  return finish();
}
