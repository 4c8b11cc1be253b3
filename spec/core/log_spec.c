/* Logs under threads: at each row the addresses in use are those that the log says; what its file
 * and its rings have is what was done. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "mem/adapt/adapt.h"

enum { THREADS = 8, OPERATIONS = 20000, HELD = 4, ADDRESSES = 12, RING = 64 };

/* A resource of a few addresses, so that what one thread gives back another takes at once. It fails
 * now and then, at take and at give. */
static struct {
  nd_resource base;
  char bytes[ADDRESSES];
  atomic_bool is_taken[ADDRESSES];
  atomic_uint calls, until_failure; /* 0: never */
} source;

static bool fails_now(void) {
  const unsigned every = source.until_failure;
  return every && atomic_fetch_add(&source.calls, 1) % every == every - 1;
}

static nd_status source_take(nd_resource *self, const nd_request *request, nd_block *out,
                             nd_error *err) {
  (void)self;
  if (fails_now()) return nd_fail(err, ND_DRIVER, "the source failed");
  for (int i = 0; i < ADDRESSES; i++) {
    if (atomic_exchange(&source.is_taken[i], true)) continue;
    out->ptr = &source.bytes[i];
    out->granted = request->bytes + 1;
    out->ready.queue = 5;
    return ND_OK;
  }
  return nd_fail(err, ND_OUT_OF_MEMORY, "all addresses are taken");
}

static nd_status source_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                             nd_error *err) {
  (void)self, (void)after;
  if (fails_now()) return nd_fail(err, ND_DRIVER, "the source failed");
  source.is_taken[(char *)block->ptr - source.bytes] = false;
  return ND_OK;
}

static nd_status source_trim(nd_resource *self, size_t keep, size_t *freed, nd_error *err) {
  (void)self, (void)err;
  *freed = keep;
  return ND_OK;
}

static nd_resource *open_source(unsigned until_failure) {
  static const nd_resource_ops ops = {
      .name = "source", .take = source_take, .give = source_give, .trim = source_trim};
  source.base = (nd_resource){.ops = &ops, .holds = 1, .kind = ND_MEM_MANAGED, .device = 7};
  source.calls = 0;
  source.until_failure = until_failure;
  return &source.base;
}

static char path[64], events[64];

static nd_resource *open_log(unsigned until_failure, uint64_t cap) {
  nd_resource *out = NULL;
  snprintf(path, sizeof path, "/tmp/ndbuf-log-%d.csv", (int)getpid());
  snprintf(events, sizeof events, "/tmp/ndbuf-log-%d.events.csv", (int)getpid());
  CHECK(nd_log_make_file(open_source(until_failure), path, cap, &out, NULL) == ND_OK, "make");
  return out;
}

static uint64_t lost_of(nd_resource *log) {
  uint64_t lost = 0;
  CHECK(nd_log_lost(log, &lost), "no log");
  return lost;
}

/* {=== the rows of a file ===} */

typedef struct {
  unsigned long long thread, pointer, size, stream, device, granted;
  char action[32], kind[16];
} row;

static bool parse(const char *line, row *out) {
  char time[32], pointer[32];
  const int n = sscanf(line, "%llu,%31[0-9:],%31[a-z ],%31[^,],%llu,%llu,%llu,%15[a-z],%llu",
                       &out->thread, time, out->action, pointer, &out->size, &out->stream,
                       &out->device, out->kind, &out->granted);
  out->pointer = strcmp(pointer, "(nil)") == 0 ? 0 : strtoull(pointer, NULL, 16);
  return n == 9 && line[strlen(line) - 1] == '\n';
}

typedef struct {
  size_t allocations, frees, failures;
  bool is_live[ADDRESSES];
} seen;

static void follow(seen *s, const row *r, size_t number) {
  if (strcmp(r->action, "allocate failure") == 0) {
    CHECK(r->pointer == 0 && r->granted == 0, "row %zu", number);
    s->failures++;
    return;
  }
  const bool takes = strcmp(r->action, "allocate") == 0;
  const size_t at = (size_t)(r->pointer - (uintptr_t)source.bytes);
  CHECK(takes || strcmp(r->action, "free") == 0, "row %zu: %s", number, r->action);
  CHECK(at < ADDRESSES && s->is_live[at] != takes, "row %zu: %s of %zu", number, r->action, at);
  CHECK(r->stream == 5 && r->device == 7 && strcmp(r->kind, "managed") == 0, "row %zu", number);
  CHECK(r->granted == r->size + 1, "row %zu", number);
  if (at < ADDRESSES) s->is_live[at] = takes;
  *(takes ? &s->allocations : &s->frees) += 1;
}

/* Follow the rows of a file; returns their number. */
static size_t read_rows(const char *from, seen *s) {
  char line[256];
  row r;
  size_t count = 0;
  FILE *file = fopen(from, "r");
  if (!file) return 0;
  char header[96];
  snprintf(header, sizeof header, "Thread,Time,%s,Pointer,Size,Stream,Device,Kind,Granted\n",
           from == events ? "Event" : "Action");
  CHECK(fgets(line, sizeof line, file) && strcmp(line, header) == 0, "header");
  while (fgets(line, sizeof line, file)) {
    CHECK(parse(line, &r), "%s", line);
    if (s) follow(s, &r, ++count);
    else count++;
  }
  fclose(file);
  return count;
}

/* {=== threads ===} */

typedef struct {
  nd_resource *from;
  uint64_t random;
  size_t takes, refused, gives, failed_gives;
  struct {
    nd_block block;
    bool is_live;
  } held[HELD];
} worker;

static void give_one(worker *w, int i) {
  while (nd_resource_give(w->from, &w->held[i].block, NULL, NULL) != ND_OK) w->failed_gives++;
  w->held[i].is_live = false;
  w->gives++;
}

static void *work(void *argument) {
  worker *w = argument;
  const size_t count = scaled(OPERATIONS);
  for (size_t n = 0; n < count; n++) {
    w->random ^= w->random << 13, w->random ^= w->random >> 7, w->random ^= w->random << 17;
    const int i = (int)(w->random % HELD);
    const nd_request request = {.bytes = w->random % 1000};
    if (w->held[i].is_live) give_one(w, i);
    else if (nd_resource_take(w->from, &request, &w->held[i].block, NULL) == ND_OK)
      w->held[i].is_live = true, w->takes++;
    else w->refused++;
  }
  for (int i = 0; i < HELD; i++)
    if (w->held[i].is_live) give_one(w, i);
  return NULL;
}

static worker run_threads(nd_resource *from) {
  static worker workers[THREADS];
  pthread_t thread[THREADS];
  worker sum = {0};
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (worker){.from = from, .random = (uint64_t)(i + 1) * 0x9e3779b97f4a7c15};
    if (pthread_create(&thread[i], NULL, work, &workers[i])) abort();
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(thread[i], NULL);
    sum.takes += workers[i].takes, sum.refused += workers[i].refused;
    sum.gives += workers[i].gives, sum.failed_gives += workers[i].failed_gives;
  }
  return sum;
}

static void spec_file(const char *name, unsigned until_failure) {
  group(name);
  seen s = {0};
  nd_resource *log = open_log(until_failure, UINT64_MAX);
  const worker sum = run_threads(log);
  const size_t rows = read_rows(path, &s);
  CHECK(rows == s.allocations + s.frees + s.failures, "%zu rows", rows);
  CHECK(s.failures == sum.refused, "%zu of %zu", s.failures, sum.refused);
  CHECK(s.allocations == sum.takes + sum.failed_gives, "%zu allocations", s.allocations);
  CHECK(s.frees == sum.gives + sum.failed_gives, "%zu frees", s.frees);
  CHECK((sum.failed_gives > 0) == (until_failure > 0), "%zu failed", sum.failed_gives);
  const uint64_t lost = lost_of(log);
  CHECK(read_rows(events, NULL) + lost == sum.failed_gives, "%" PRIu64 " lost", lost);
  nd_resource_drop(log);
  remove(path), remove(events);
}

static void spec_cap(void) {
  group("8 threads and a file with a cap: a prefix, and the rest is counted");
  enum { CAP = 20000 };
  seen s = {0};
  nd_resource *log = open_log(0, CAP);
  const worker sum = run_threads(log);
  const size_t rows = read_rows(path, &s);
  FILE *file = fopen(path, "r");
  fseek(file, 0, SEEK_END);
  CHECK(ftell(file) <= CAP && ftell(file) > CAP - 256, "%ld B", ftell(file));
  fclose(file);
  CHECK(rows + lost_of(log) == sum.takes + sum.gives + sum.refused, "%zu rows", rows);
  nd_resource_drop(log);
  remove(path);
}

/* {=== rings ===} */

/* Takes records until the writers are done; each thread's come in order. */
static void *read_ring(void *argument) {
  static size_t count;
  ndi_log_ring *ring = argument;
  nd_log_record record;
  count = 0;
  for (;;) {
    const bool is_last = ndi_log_ring_is_closed(ring);
    while (ndi_log_ring_take(ring, ndi_log_ring_end(ring), &record)) count++;
    if (is_last) return &count;
  }
}

static void spec_reader(void) {
  group("8 threads and a reader of their ring, which lives longer than the log");
  void *count;
  pthread_t reader;
  nd_resource *log = NULL;
  CHECK(nd_log_make_ring(open_source(0), RING, false, &log, NULL) == ND_OK, "make");
  ndi_log_ring *ring = ndi_log_ring_hold(nd_log_ring_of(log, false));
  CHECK(nd_log_ring_of(log, true) == NULL, "it keeps no last records");
  if (pthread_create(&reader, NULL, read_ring, ring)) abort();
  const worker sum = run_threads(log);
  nd_resource_drop(log);
  pthread_join(reader, &count);
  const size_t all = sum.takes + sum.gives + sum.refused, taken = *(size_t *)count;
  CHECK(taken + ndi_log_ring_lost(ring) == all && taken > 0, "%zu of %zu", taken, all);
  ndi_log_ring_put(ring, &(nd_log_record){0});
  CHECK(taken + ndi_log_ring_lost(ring) == all + 1, "put after the end");
  CHECK(ndi_log_ring_is_empty(ring), "empty");
  ndi_log_ring_drop(ring);
}

static void spec_last(void) {
  group("a ring of the last records");
  nd_block block;
  nd_log_record record;
  nd_resource *log = NULL;
  uint64_t at = 0;
  CHECK(nd_log_make_ring(open_source(0), 0, true, &log, NULL) == ND_INVALID_ARGUMENT, "of 0");
  CHECK(nd_log_make_ring(&source.base, SIZE_MAX, true, &log, NULL) == ND_OUT_OF_MEMORY, "of all");
  CHECK(source.base.holds == 1, "%u", source.base.holds);
  CHECK(nd_log_make_ring(&source.base, 3, true, &log, NULL) == ND_OK, "make");
  for (size_t n = 1; n <= 4; n++) {
    CHECK(nd_resource_take(log, &(nd_request){.bytes = n}, &block, NULL) == ND_OK, "take");
    CHECK(nd_resource_give(log, &block, NULL, NULL) == ND_OK, "give");
  }
  ndi_log_ring *ring = nd_log_ring_of(log, true);
  CHECK(ndi_log_ring_end(ring) == 8, "%" PRIu64, ndi_log_ring_end(ring));
  for (size_t n = 6; ndi_log_ring_get(ring, &at, 8, &record); n++)
    CHECK(at == n && record.bytes == n / 2 + n % 2 &&
              record.action == (n % 2 ? ND_LOG_ALLOCATE : ND_LOG_FREE),
          "%" PRIu64 ": %zu B", at, record.bytes);
  CHECK(at == 8 && lost_of(log) == 0, "%" PRIu64, at);
  nd_resource_drop(log);
}

/* {=== events ===} */

static void spec_events(void) {
  group("what RMM does not know goes to a second file, once there is such a thing");
  seen s = {0};
  nd_block block;
  size_t freed;
  nd_resource *log = open_log(0, UINT64_MAX);
  remove(events);
  CHECK(nd_resource_take(log, &(nd_request){.bytes = 9}, &block, NULL) == ND_OK, "take");
  CHECK(nd_resource_trim(log, 0, &freed, NULL) == ND_OK && access(events, F_OK) != 0, "nothing");
  CHECK(nd_resource_trim(log, 70, &freed, NULL) == ND_OK && freed == 70, "trim");
  CHECK(read_rows(events, NULL) == 1, "trim");
  source.until_failure = 1;
  CHECK(nd_resource_give(log, &block, NULL, NULL) == ND_DRIVER, "give");
  CHECK(read_rows(events, NULL) == 2, "give");
  source.until_failure = 0;
  CHECK(nd_resource_give(log, &block, NULL, NULL) == ND_OK, "give again");
  CHECK(read_rows(path, &s) == 4 && s.allocations == 2 && s.frees == 2, "rows");
  nd_resource_drop(log);
  remove(path), remove(events);
}

int main(void) {
  spec_events();
  spec_last();
  spec_file("8 threads and a file", 0);
  spec_file("8 threads and a file, and the source fails", 7);
  spec_cap();
  spec_reader();
  return finish();
}
