/* The resource contract on every implementation, then the failure ladder, and what it asks of the
 * call. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "../contract/dummy.h"
#include "../contract/resource.h"
#include "base/call.h"
#include "base/size.h"
#include "mem/file.h"
#include "mem/foreign.h"
#include "mem/host.h"

/* {=== implementations ===} */

static char path[] = "/tmp/ndbuf-resource-XXXXXX";

static nd_resource *make_host(size_t bytes) {
  (void)bytes;
  return nd_resource_hold(nd_host_resource());
}

static nd_resource *make_file(nd_map_mode mode, size_t bytes) {
  const nd_map_options options = {.mode = mode, .offset = 128, .overwrite = true};
  nd_resource *file;
  if (truncate(path, (off_t)(bytes + 128)) || nd_file_resource(path, &options, &file, NULL))
    abort();
  return file;
}

static nd_resource *make_read(size_t bytes) { return make_file(ND_MAP_READ, bytes); }
static nd_resource *make_write(size_t bytes) { return make_file(ND_MAP_WRITE, bytes); }
static nd_resource *make_private(size_t bytes) { return make_file(ND_MAP_PRIVATE, bytes); }
static nd_resource *make_create(size_t bytes) { return make_file(ND_MAP_CREATE, bytes); }

static void release(void *owner) {
  closes++;
  free(owner);
}

static nd_resource *make_foreign(size_t bytes) {
  nd_resource *foreign;
  void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64 + 64);
  if (!memory || nd_foreign_resource(bytes ? memory : NULL, bytes, release, memory, &foreign, NULL))
    abort();
  return foreign;
}

/* A layer over the host that can refuse, and writes down what it is asked for. */
typedef struct {
  nd_resource base;
  int until_refusal, refusals; /* takes that succeed, then those that do not; negative: none */
  nd_status code;
  bool fails_give;
  char *log; /* one letter a call; NULL: none is kept */
} layer;

static void note(layer *l, char letter) {
  if (l->log) *l->log++ = letter;
}

static nd_status layer_take(nd_resource *self, const nd_request *request, nd_block *out,
                            nd_error *err) {
  layer *l = (layer *)self;
  note(l, 't');
  if (l->until_refusal == 0 && l->refusals-- > 0) return nd_fail(err, l->code, "refused");
  if (l->until_refusal > 0) l->until_refusal--;
  return nd_resource_take(self->up, request, out, err);
}

static nd_status layer_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                            nd_error *err) {
  layer *l = (layer *)self;
  if (l->fails_give) return nd_fail(err, ND_DRIVER, "stuck");
  return nd_resource_give(self->up, block, after, err);
}

static nd_status layer_reap(nd_resource *self, nd_reap_mode mode, size_t *freed, nd_error *err) {
  (void)freed, (void)err;
  note((layer *)self, mode == ND_REAP_WAIT ? 'W' : 'r');
  return ND_OK;
}

static nd_status layer_trim(nd_resource *self, size_t keep, size_t *freed, nd_error *err) {
  (void)freed, (void)err;
  note((layer *)self, keep ? 'k' : 'm');
  return ND_OK;
}

static void layer_close(nd_resource *self) {
  closes++;
  free(self);
}

static layer *new_layer(void) {
  static const nd_resource_ops ops = {.name = "layer",
                                      .take = layer_take,
                                      .give = layer_give,
                                      .reap = layer_reap,
                                      .trim = layer_trim,
                                      .close = layer_close};
  layer *l = calloc(1, sizeof *l);
  if (!l) abort();
  l->base.ops = &ops, l->base.kind = ND_MEM_HOST;
  l->base.up = nd_resource_hold(nd_host_resource());
  atomic_init(&l->base.holds, 1);
  l->until_refusal = -1;
  return l;
}

static nd_resource *make_layer(size_t bytes) {
  (void)bytes;
  return &new_layer()->base;
}

static nd_resource *make_dummy(size_t bytes) {
  (void)bytes;
  return nd_resource_hold(&dummy.memory);
}

static const resource_case cases[] = {
    {.name = "host", .make = make_host, .align = 64, .is_writable = true},
    {.name = "file, read", .make = make_read, .align = 128, .is_once = true},
    {.name = "file, write", .make = make_write, .align = 128, .is_once = true, .is_writable = true},
    {.name = "file, private",
     .make = make_private,
     .align = 128,
     .is_once = true,
     .is_writable = true},
    {.name = "file, create",
     .make = make_create,
     .align = 128,
     .is_once = true,
     .is_writable = true},
    {.name = "foreign",
     .make = make_foreign,
     .align = 64,
     .is_once = true,
     .is_writable = true,
     .closed = 1,
     .is_closed_on_give = true},
    {.name = "a layer over the host",
     .make = make_layer,
     .align = 64,
     .is_writable = true,
     .closed = 1},
    {.name = "dummy", .make = make_dummy, .align = 64, .is_writable = true}};

/* {=== the failure ladder ===} */

static char calls[64];
static layer *asked;
static nd_ticket in_way; /* pending memory that the first collection lets go */

static bool collect(void *context) {
  (void)context;
  note(asked, 'c');
  return true;
}

static bool cannot_collect(void *context) {
  (void)context;
  note(asked, 'x');
  return false;
}

static void before_take(void *context, const nd_resource *from, size_t bytes) {
  (void)context;
  CHECK(from == &asked->base && bytes == 100, "%zu B", bytes);
  note(asked, 'b');
}

/* The calls of one take of which the first 'refusals' tries are refused with 'code'. */
static const char *climb(int refusals, nd_status code, const nd_call *call, nd_status expected) {
  nd_ticket ticket;
  nd_block block;
  const uint64_t live = stats_of(nd_host_resource()).live.now;
  asked = new_layer();
  memset(calls, 0, sizeof calls);
  asked->log = calls, asked->until_refusal = 0, asked->refusals = refusals, asked->code = code;
  const nd_call *former = nd_call_set(call);
  const nd_status status = take(&asked->base, 100, &ticket, &block);
  nd_call_set(former);
  CHECK(status == expected, "%s", nd_status_name(status));
  asked->log = NULL;
  if (status == ND_OK) CHECK(give(ticket) == ND_OK, "give");
  CHECK(stats_of(nd_host_resource()).live.now == live, "%d refusals left bytes", refusals);
  nd_resource_drop(&asked->base);
  return calls;
}

static void spec_ladder(void) {
  group("the ladder: reap; trim; collect twice and reap; wait and trim; the error");
  const nd_call call = {.before_take = before_take, .collect = collect};
  const nd_call unwilling = {.collect = cannot_collect};
  static const struct {
    int refusals;
    const char *calls;
  } steps[] = {{0, "bt"}, {1, "btrt"}, {2, "btrtmt"}, {3, "btrtmtccrt"}, {4, "btrtmtccrtWmt"}};
  for (size_t i = 0; i < ND_COUNTOF(steps); i++)
    CHECK(strcmp(climb(steps[i].refusals, ND_OUT_OF_MEMORY, &call, ND_OK), steps[i].calls) == 0,
          "%d refusals: %s", steps[i].refusals, calls);
  CHECK(strcmp(climb(5, ND_OUT_OF_MEMORY, &call, ND_OUT_OF_MEMORY), "btrtmtccrtWmt") == 0, "%s",
        calls);
  CHECK(strcmp(climb(5, ND_BUDGET_EXCEEDED, &call, ND_BUDGET_EXCEEDED), "btrtmtccrtWmt") == 0, "%s",
        calls);
  CHECK(strcmp(climb(9, ND_CAPACITY, &call, ND_CAPACITY), "bt") == 0, "%s", calls);
  CHECK(strcmp(climb(9, ND_DRIVER, NULL, ND_DRIVER), "t") == 0, "%s", calls);
  CHECK(strcmp(climb(4, ND_OUT_OF_MEMORY, &unwilling, ND_OK), "trtmtxrtWmt") == 0, "%s", calls);
}

/* A collector whose finalizers give a block back that a queue is still at work on. */
static bool collect_pending(void *context) {
  if (context && nd_ticket_is_live(in_way)) nd_ticket_give(in_way, uses_at(9), NULL);
  return true;
}

static void spec_ladder_waits(void) {
  group("the ladder waits only in its last step");
  open_line();
  nd_block block;
  nd_ticket ticket;
  const nd_call call = {.context = &line, .collect = collect_pending};
  layer *l = new_layer();
  CHECK(take(nd_host_resource(), 64, &in_way, &block) == ND_OK, "in the way");
  l->until_refusal = 0, l->refusals = 3, l->code = ND_OUT_OF_MEMORY;
  nd_ticket early;
  CHECK(take(nd_host_resource(), 64, &early, &block) == ND_OK &&
            nd_ticket_give(early, uses_at(5), NULL) == ND_OK,
        "pending from the start");
  const nd_call *former = nd_call_set(&call);
  CHECK(take(&l->base, 1, &ticket, &block) == ND_OK && line.waits == 0, "%d waits", line.waits);
  CHECK(nd_pending_bytes() == 128 && give(ticket) == ND_OK, "pending");
  l->until_refusal = 0, l->refusals = 4;
  CHECK(take(&l->base, 1, &ticket, &block) == ND_OK && line.waits == 2, "%d waits", line.waits);
  CHECK(nd_pending_bytes() == 0 && give(ticket) == ND_OK, "reaped");
  nd_call_set(former);
  nd_resource_drop(&l->base);
}

static void spec_failing_give(void) {
  group("a give that fails leaves the block live and charged");
  layer *l = new_layer();
  nd_ticket ticket;
  nd_block block;
  const uint64_t live = stats_of(nd_host_resource()).live.now;
  CHECK(take(&l->base, 64, &ticket, &block) == ND_OK, "take");
  l->fails_give = true;
  CHECK(give(ticket) == ND_DRIVER && nd_ticket_is_live(ticket), "refused");
  CHECK(stats_of(nd_host_resource()).live.now == live + block.granted, "charged");
  open_line();
  CHECK(nd_ticket_give(ticket, uses_at(1), NULL) == ND_OK, "pending");
  CHECK(nd_reap(ND_REAP_WAIT) == 0 && nd_pending_bytes() == block.granted, "still pending");
  l->fails_give = false;
  CHECK(nd_reap(ND_REAP_WAIT) == block.granted && nd_pending_bytes() == 0, "in the end");
  CHECK(stats_of(nd_host_resource()).live.now == live, "live");
  nd_resource_drop(&l->base);
}

static bool is_interrupted(void *context) { return --*(int *)context == 0; }

static void spec_interrupts(void) {
  group("interrupts are the hook's, on its thread only");
  int countdown = 2;
  const nd_call call = {.context = &countdown, .is_interrupted = is_interrupted},
                other = {.context = NULL};
  nd_error err;
  CHECK(nd_call_set(&call) == NULL, "none before");
  CHECK(nd_check_interrupt(&err) == ND_OK, "not yet");
  CHECK(nd_check_interrupt(&err) == ND_INTERRUPTED && err.code == ND_INTERRUPTED, "now");
  CHECK(nd_call_set(&other) == &call && nd_check_interrupt(NULL) == ND_OK, "without one");
  CHECK(nd_call_set(NULL) == &other && nd_check_interrupt(NULL) == ND_OK, "none");
}

/* {=== threads ===} */

static void *take_and_give(void *unused) {
  (void)unused;
  nd_ticket ticket[16];
  nd_block block;
  for (int round = 0; round < 300; round++) {
    for (size_t i = 0; i < 16; i++)
      if (take(nd_host_resource(), 16 * i, &ticket[i], &block) != ND_OK) abort();
    for (size_t i = 0; i < 16; i++) {
      if (nd_ticket_give(ticket[i], i & 1 ? uses_at((uint64_t)round) : NULL, NULL) != ND_OK)
        abort();
      if (give(ticket[i]) != ND_USE_AFTER_FREE) abort();
    }
  }
  return NULL;
}

/* One block, many takers of its ticket: one give succeeds. */
static nd_ticket contested;

static void *give_contested(void *won) {
  if (give(contested) == ND_OK) atomic_fetch_add((atomic_int *)won, 1);
  return NULL;
}

static void spec_threads(void) {
  group("threads take, give and reap without a loss");
  enum { THREADS = 8 };
  pthread_t thread[THREADS];
  atomic_int won;
  nd_block block;
  const nd_mem_stats before = stats_of(nd_host_resource());
  open_line();
  line.reached = 1000; /* shared from here on, and not written any more */
  for (int i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, take_and_give, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  nd_reap(ND_REAP_POLL);
  for (int round = 0; round < 50; round++) {
    atomic_init(&won, 0);
    CHECK(take(nd_host_resource(), 64, &contested, &block) == ND_OK, "take");
    for (int i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, give_contested, &won);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    CHECK(atomic_load(&won) == 1, "%d gave it back", atomic_load(&won));
  }
  const nd_mem_stats after = stats_of(nd_host_resource());
  CHECK(after.live.now == before.live.now && after.live_count.now == before.live_count.now,
        "%" PRIu64 " blocks left", after.live_count.now - before.live_count.now);
  CHECK(after.live_count.total == before.live_count.total + THREADS * 300 * 16 + 50, "total");
}

/* {=== files ===} */

static void spec_file_contents(void) {
  group("files: what each mode does to the file");
  static const struct {
    nd_map_mode mode;
    char seen, kept;
  } rows[] = {{ND_MAP_WRITE, 'x', 'y'}, {ND_MAP_PRIVATE, 'x', 'x'}, {ND_MAP_CREATE, 0, 'y'}};
  for (size_t i = 0; i < ND_COUNTOF(rows); i++) {
    nd_resource *file = make_file(ND_MAP_READ, 64);
    nd_resource_drop(file);
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    char byte = 'x';
    CHECK(pwrite(fd, &byte, 1, 128) == 1, "set up");
    file = make_file(rows[i].mode, 64);
    nd_ticket ticket;
    nd_block block;
    CHECK(take(file, 64, &ticket, &block) == ND_OK, "take");
    CHECK(*(char *)block.host == rows[i].seen, "mode %d sees %d", (int)rows[i].mode,
          *(char *)block.host);
    *(char *)block.host = 'y';
    const int again = open(path, O_RDONLY | O_CLOEXEC); /* a file that is made is another one */
    CHECK(give(ticket) == ND_OK && pread(again, &byte, 1, 128) == 1 && byte == rows[i].kept,
          "mode %d kept %c", (int)rows[i].mode, byte);
    nd_resource_drop(file);
    close(again);
    close(fd);
  }
}

static void spec_file_refusals(void) {
  group("files: what is not there is refused");
  nd_resource *file;
  nd_error err;
  nd_map_options options = {.mode = ND_MAP_READ};
  CHECK(nd_file_resource("/nonexistent/file", &options, &file, &err) == ND_IO && err.path[0],
        "none");
  CHECK(nd_file_resource("/tmp", &options, &file, &err) == ND_IO, "a folder");
  options.mode = ND_MAP_CREATE;
  CHECK(nd_file_resource(path, &options, &file, &err) == ND_IO, "exists");
  options.mode = ND_MAP_READ, options.offset = 1 << 30;
  nd_ticket ticket;
  nd_block block;
  CHECK(nd_file_resource(path, &options, &file, &err) == ND_OK, "opens");
  CHECK(take(file, 0, &ticket, &block) == ND_OUT_OF_BOUNDS, "past the end");
  CHECK(take(file, 1, &ticket, &block) == ND_OUT_OF_BOUNDS, "past the end");
  CHECK(nd_file_resource_bytes(file) == 0, "bytes");
  nd_resource_drop(file);
}

/* valgrind cannot extend the stack while it delivers a signal: whether the frame still fits on the
 * last page depends on how long the environment is. */
static void make_room_for_signals(void) {
  volatile char room[1 << 16];
  for (size_t i = 0; i < sizeof room; i += 1 << 10) room[i] = 0;
}

static void spec_file_shrinks(void) {
  make_room_for_signals();
  group("files: one that shrinks gives zeros, a raised epoch and an error");
  nd_resource *file = make_file(ND_MAP_READ, 1 << 16);
  nd_storage *s = NULL;
  char *host = NULL;
  nd_error err;
  CHECK(nd_storage_make(file, 1 << 16, (nd_storage_options){.read_only = true}, &s, NULL) ==
                ND_OK &&
            nd_storage_host(s, 0, SIZE_MAX, false, &host, NULL) == ND_OK,
        "map");
  nd_resource_drop(file);
  CHECK(truncate(path, 128) == 0, "cut");
  const uint64_t epoch = s->epoch;
  CHECK(((volatile char *)host)[60000] == 0, "zeros");
  CHECK(s->epoch > epoch, "epoch");
  CHECK(nd_storage_check(s, &err) == ND_IO && err.path[0], "%s", err.message);
  CHECK(nd_storage_host(s, 0, SIZE_MAX, false, &host, NULL) == ND_IO, "refused");
  nd_storage_drop(s);

  group("files: the mapping that is guarded where a lost one was is whole");
  file = make_file(ND_MAP_READ, 1 << 16);
  CHECK(nd_storage_make(file, 1 << 16, (nd_storage_options){.read_only = true}, &s, NULL) ==
                ND_OK &&
            nd_storage_host(s, 0, SIZE_MAX, false, &host, NULL) == ND_OK,
        "map");
  CHECK(((volatile char *)host)[60000] == 0 && nd_storage_check(s, &err) == ND_OK, "whole");
  nd_resource_drop(file);
  nd_storage_drop(s);
}

int main(void) {
  const int file = mkstemp(path);
  if (file < 0) return 2;
  close(file);
  dummy_open();
  const uint64_t before = stats_of(nd_host_resource()).live.now;
  for (size_t i = 0; i < ND_COUNTOF(cases); i++) check_resource(&cases[i]);
  spec_ladder();
  spec_ladder_waits();
  spec_failing_give();
  spec_interrupts();
  spec_threads();
  spec_file_contents();
  spec_file_refusals();
  spec_file_shrinks();
  group("nothing is left");
  CHECK(stats_of(nd_host_resource()).live.now == before, "live bytes");
  CHECK(nd_pending_bytes() == 0, "pending bytes");
  unlink(path);
  return finish();
}
