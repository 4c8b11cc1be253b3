/* The simulator's race check: waits that are left out by hand, and random programs of a caller that
 * leaves out one kind of wait. Wrong data is counted too, to show what it misses. */
#include "contract.h"

enum { BYTES = 256, BUFFERS = 4, STREAMS = 3, STEPS = 40, BACK_MOST = 16, NOTES_MOST = 64 };

static const char *const modes[] = {"eager", "lazy", "shuffle"};

static void set_mode(const char *mode, int seed) {
  char text[16];
  snprintf(text, sizeof text, "%d", seed);
  sim.set("MODE", mode);
  sim.set("SEED", text);
}

/* ---- one missing wait each ---- */

typedef struct {
  CUstream s, t;
  CUdeviceptr a, b;
  unsigned char *host;
} setting;

static setting set_up(void) {
  setting w = {make_stream(), make_stream(), take(BYTES), take(BYTES), take_pinned(BYTES)};
  memset(w.host, 0, BYTES);
  OK(cuMemsetD8Async(w.a, 1, BYTES, w.s));
  OK(cuMemsetD8Async(w.b, 2, BYTES, w.s));
  OK(cuStreamSynchronize(w.s));
  return w;
}

static void tear_down(setting *w) {
  OK(cuCtxSynchronize());
  OK(cuMemFree(w->a));
  OK(cuMemFree(w->b));
  OK(cuMemFreeHost(w->host));
  OK(cuStreamDestroy(w->s));
  OK(cuStreamDestroy(w->t));
}

/* Each takes a wait out where 'is_ordered' is false. */
static void read_after_write(setting *w, bool is_ordered) {
  OK(cuMemsetD8Async(w->a, 7, BYTES, w->s));
  if (is_ordered) order(w->t, w->s);
  OK(cuMemcpyDtoHAsync(w->host, w->a, BYTES, w->t));
}

static void read_behind_a_read(setting *w, bool is_ordered) {
  OK(cuMemsetD8Async(w->a, 7, BYTES, w->s));
  OK(cuMemcpyDtoDAsync(w->b, w->a, BYTES, w->s));
  if (is_ordered) order(w->t, w->s);
  OK(cuMemcpyDtoHAsync(w->host, w->a, BYTES, w->t));
}

static void write_after_read(setting *w, bool is_ordered) {
  OK(cuMemcpyDtoDAsync(w->b, w->a, BYTES, w->s));
  if (is_ordered) order(w->t, w->s);
  OK(cuMemsetD8Async(w->a, 9, BYTES, w->t));
}

static void write_after_write(setting *w, bool is_ordered) {
  OK(cuMemsetD8Async(w->a, 5, BYTES, w->s));
  if (is_ordered) order(w->t, w->s);
  OK(cuMemsetD8Async(w->a + 100, 6, 1, w->t)); /* one byte of it */
}

/* What covers a part of a use has nothing to say about the rest of it. */
static void partly_covered(setting *w, bool is_ordered) {
  CUstream u = make_stream();
  OK(cuMemsetD8Async(w->a, 7, BYTES, w->s));
  if (is_ordered) order(u, w->s);
  order(w->t, w->s);
  OK(cuMemsetD8Async(w->a, 6, BYTES / 2, w->t));
  OK(cuMemcpyDtoHAsync(w->host, w->a + BYTES / 2, BYTES / 2, u));
  OK(cuStreamDestroy(u));
}

/* Nor has the first byte of rows about the rows. */
static void partly_covered_rows(setting *w, bool is_ordered) {
  CUstream u = make_stream();
  OK(cuMemsetD2D8Async(w->a, 16, 1, 8, 16, w->s));
  if (is_ordered) order(u, w->s);
  order(w->t, w->s);
  OK(cuMemsetD2D8Async(w->a, 16, 2, 8, 15, w->t));
  OK(cuMemcpyDtoHAsync(w->host, w->a + 240, 8, u));
  OK(cuStreamDestroy(u));
}

static void same_value(setting *w, bool is_ordered) {
  OK(cuMemsetD8Async(w->a, 1, BYTES, w->s));
  if (is_ordered) order(w->t, w->s);
  OK(cuMemcpyDtoHAsync(w->host, w->a, BYTES, w->t));
}

static void free_before_read(setting *w, bool is_ordered) {
  CUdeviceptr p = 0;
  OK(cuMemAllocAsync(&p, BYTES, w->s));
  OK(cuMemsetD8Async(p, 3, BYTES, w->s));
  OK(cuMemcpyDtoHAsync(w->host, p, BYTES, w->s));
  if (is_ordered) order(w->t, w->s);
  OK(cuMemFreeAsync(p, w->t));
}

static void use_before_take(setting *w, bool is_ordered) {
  CUdeviceptr p = 0;
  OK(cuMemAllocAsync(&p, BYTES, w->s));
  if (is_ordered) order(w->t, w->s);
  OK(cuMemsetD8Async(p, 3, BYTES, w->t));
  order(w->s, w->t);
  OK(cuMemFreeAsync(p, w->s));
}

static void host_too_early(setting *w, bool is_ordered) {
  OK(cuMemcpyHtoDAsync(w->a, w->host, BYTES, w->s));
  if (is_ordered) OK(cuStreamSynchronize(w->s));
  CHECK(sim.touch(w->host, BYTES, true) == is_ordered, "not seen");
}

/* As compiled code does, which makes no call: found by closed pages. What is on the same page and
 * not in use is free. */
static void host_reads_too_early(setting *w, bool is_ordered) {
  volatile unsigned char *byte = w->host + 17;
  sim.set("PROTECT", "1");
  OK(cuMemcpyDtoHAsync(w->host, w->a, 64, w->s));
  if (is_ordered) OK(cuStreamSynchronize(w->s));
  const unsigned char seen = *byte;
  CHECK(!is_ordered || seen == 1, "%d", seen);
  OK(cuMemcpyDtoHAsync(w->host, w->a, 64, w->s));
  w->host[64]++;
  sim.set("PROTECT", "0");
}

static void host_writes_too_early(setting *w, bool is_ordered) {
  volatile unsigned char *byte = w->host + 17;
  sim.set("PROTECT", "1");
  OK(cuMemcpyHtoDAsync(w->a, w->host, 64, w->s));
  CHECK(*byte == 0, "a read of what is read");
  if (is_ordered) OK(cuStreamSynchronize(w->s));
  *byte = 3;
  OK(cuMemcpyHtoDAsync(w->a, w->host, 64, w->s));
  w->host[64]++;
  sim.set("PROTECT", "0");
}

static void legacy_against_non_blocking(setting *w, bool is_ordered) {
  unsigned char back[BYTES];
  OK(cuMemsetD8Async(w->a, 7, BYTES, w->s));
  if (is_ordered) OK(cuStreamSynchronize(w->s));
  OK(cuMemcpyDtoH(back, w->a, BYTES));
}

/* It waits for the blocking streams of its own device alone. */
static void legacy_against_another_device(setting *w, bool is_ordered) {
  CUcontext other = NULL;
  CUstream blocking = NULL;
  OK(cuDevicePrimaryCtxRetain(&other, 1));
  OK(cuCtxPushCurrent(other));
  OK(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
  OK(cuMemsetD8Async((uintptr_t)w->host, 7, BYTES, blocking));
  if (is_ordered) OK(cuStreamSynchronize(blocking));
  OK(cuCtxPopCurrent(NULL));
  OK(cuMemsetD8Async((uintptr_t)w->host, 8, BYTES, CU_STREAM_LEGACY));
  OK(cuCtxPushCurrent(other));
  OK(cuStreamSynchronize(blocking));
  OK(cuStreamDestroy(blocking));
  OK(cuCtxPopCurrent(NULL));
  OK(cuDevicePrimaryCtxRelease(1));
}

/* Rows that do not meet are no race, whatever lies between them. */
static void columns(setting *w, bool is_apart) {
  OK(cuMemsetD2D8Async(w->a, 16, 1, 8, 16, w->s));
  OK(cuMemsetD2D8Async(w->a + (is_apart ? 8 : 7), 16, 2, 8, 15, w->t));
}

static void by_hand(void) {
  static const struct {
    const char *name;
    void (*run)(setting *w, bool is_ordered);
  } cases[] = {{"race: read after write", read_after_write},
               {"race: read after write and read", read_behind_a_read},
               {"race: write after read", write_after_read},
               {"race: write after write", write_after_write},
               {"race: read of what a later write left of a write", partly_covered},
               {"race: the same of rows", partly_covered_rows},
               {"race: read after a write of the same value", same_value},
               {"race: free before a read is over", free_before_read},
               {"race: use before it is taken", use_before_take},
               {"race: the host writes what is being copied", host_too_early},
               {"race: the host reads what is being written, by itself", host_reads_too_early},
               {"race: the host writes what is being read, by itself", host_writes_too_early},
               {"race: the legacy stream and a non-blocking one", legacy_against_non_blocking},
               {"race: the legacy stream and another device's", legacy_against_another_device},
               {"race: columns of one block", columns}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    group(cases[i].name);
    for (int seed = 1; seed <= 60; seed++) {
      for (int is_ordered = 0; is_ordered <= 1; is_ordered++) {
        set_mode(modes[seed % 3], seed);
        setting w = set_up();
        cases[i].run(&w, is_ordered);
        const uint64_t found = sim.forgive("race");
        CHECK(found == (is_ordered ? 0 : 1), "seed %d: %d reports", seed, (int)found);
        tear_down(&w);
      }
    }
    expect_calm();
  }
}

/* ---- random programs ---- */

/* What a caller keeps for each buffer: who used which part, and an event behind it. */
typedef enum { WRITES, READS, TAKES, FREES } use_kind;
typedef enum { RAW, WAR, WAW, FREE, READY, NOTHING_REMOVED } wait_kind;

typedef struct {
  int stream;
  size_t low, high;
  use_kind kind;
  CUevent event;
} note;

typedef struct {
  CUdeviceptr p;
  note notes[NOTES_MOST];
  int count;
  unsigned char expected[BYTES];
} buffer;

static struct {
  CUstream streams[STREAMS];
  buffer buffers[BUFFERS];
  wait_kind removed;
  uint64_t random;
  unsigned char *back, copies[BACK_MOST][BYTES];
  int back_count;
} program;

static int draw(int below) { return (int)(next_random(&program.random) % (uint64_t)below); }

static wait_kind kind_of(const note *before, use_kind use) {
  if (use == FREES) return FREE;
  if (before->kind == TAKES) return READY;
  return use == READS ? RAW : before->kind == READS ? WAR : WAW;
}

static void before_use(buffer *b, int stream, size_t low, size_t high, use_kind use) {
  for (int i = 0; i < b->count; i++) {
    const note *n = &b->notes[i];
    const bool is_conflict = (use != READS || n->kind != READS) && n->low < high && low < n->high;
    if (!is_conflict || n->stream == stream || kind_of(n, use) == program.removed) continue;
    OK(cuStreamWaitEvent(program.streams[stream], n->event, 0));
  }
}

static void forget(buffer *b) {
  for (int i = 0; i < b->count; i++) OK(cuEventDestroy(b->notes[i].event));
  b->count = 0;
}

static void after_use(buffer *b, int stream, size_t low, size_t high, use_kind use) {
  if (b->count == NOTES_MOST) abort();
  note *n = &b->notes[b->count++];
  *n = (note){stream, low, high, use, make_event()};
  OK(cuEventRecord(n->event, program.streams[stream]));
}

static void take_buffer(buffer *b, int stream) {
  OK(cuMemAllocAsync(&b->p, BYTES, program.streams[stream]));
  after_use(b, stream, 0, BYTES, TAKES);
}

static void fill(buffer *b, int stream, size_t low, size_t count, int value) {
  before_use(b, stream, low, low + count, WRITES);
  OK(cuMemsetD8Async(b->p + low, (unsigned char)value, count, program.streams[stream]));
  after_use(b, stream, low, low + count, WRITES);
  memset(b->expected + low, value, count);
}

static void copy_part(buffer *to, buffer *from, int stream, size_t low, size_t count) {
  before_use(from, stream, low, low + count, READS);
  before_use(to, stream, low, low + count, WRITES);
  OK(cuMemcpyDtoDAsync(to->p + low, from->p + low, count, program.streams[stream]));
  after_use(from, stream, low, low + count, READS);
  after_use(to, stream, low, low + count, WRITES);
  memcpy(to->expected + low, from->expected + low, count);
}

static void give_buffer(buffer *b, int stream) {
  before_use(b, stream, 0, BYTES, FREES);
  OK(cuMemFreeAsync(b->p, program.streams[stream]));
  forget(b);
}

static void read_back(buffer *b, int stream) {
  unsigned char *to = program.back + BYTES * program.back_count;
  before_use(b, stream, 0, BYTES, READS);
  OK(cuMemcpyDtoHAsync(to, b->p, BYTES, program.streams[stream]));
  after_use(b, stream, 0, BYTES, READS);
  memcpy(program.copies[program.back_count++], b->expected, BYTES);
}

static void step(int number) {
  buffer *b = &program.buffers[draw(BUFFERS)], *other = &program.buffers[draw(BUFFERS)];
  const int stream = draw(STREAMS), what = draw(10);
  const size_t low = (size_t)draw(4) * 64, count = BYTES - low > 64 ? 64u << draw(2) : 64;
  const size_t most = BYTES - low < count ? BYTES - low : count;
  if (what < 3) fill(b, stream, low, most, number);
  else if (what < 7 && b != other) copy_part(b, other, stream, low, most);
  else if (what == 7) {
    give_buffer(b, stream);
    take_buffer(b, draw(STREAMS));
    fill(b, draw(STREAMS), 0, BYTES, number);
  } else if (program.back_count < BACK_MOST) read_back(b, stream);
}

/* True when what came back is wrong. */
static bool run_program(int seed, wait_kind removed) {
  program.random = (uint64_t)seed * 7919;
  program.removed = removed;
  program.back_count = 0;
  for (int i = 0; i < BUFFERS; i++) {
    take_buffer(&program.buffers[i], 0);
    fill(&program.buffers[i], draw(STREAMS), 0, BYTES, i);
  }
  for (int i = 0; i < STEPS; i++) step(i);
  for (int i = 0; i < STREAMS; i++) OK(cuStreamSynchronize(program.streams[i]));
  bool is_wrong = false;
  for (int i = 0; i < program.back_count; i++)
    is_wrong |= memcmp(program.back + BYTES * i, program.copies[i], BYTES) != 0;
  for (int i = 0; i < BUFFERS; i++) give_buffer(&program.buffers[i], 0);
  return is_wrong;
}

/* Calls alone decide whether there is a race: every mode reports it for the same programs. */
static void without(wait_kind removed, int programs, int least) {
  static const char *const names[] = {"RAW", "WAR", "WAW", "free", "ready", "nothing"};
  int wrong[3] = {0}, reported = 0, differing = 0;
  for (int seed = 1; seed <= programs; seed++) {
    uint64_t found[3];
    for (int m = 0; m < 3; m++) {
      set_mode(modes[m], seed);
      wrong[m] += run_program(seed, removed);
      found[m] = sim.forgive("race");
      sim.forgive("use-after-free");
      OK(cuCtxSynchronize());
    }
    reported += found[0] > 0;
    differing += found[0] != found[1] || found[1] != found[2];
  }
  printf("# without %-7s: reported %d of %d; wrong data eager %d, lazy %d, shuffle %d\n",
         names[removed], reported, programs, wrong[0], wrong[1], wrong[2]);
  CHECK(reported >= least, "%d of %d programs", reported, programs);
  CHECK(differing == 0, "%d programs differ", differing);
  if (removed != NOTHING_REMOVED) return;
  CHECK(reported == 0, "%d false reports", reported);
  CHECK(wrong[0] + wrong[1] + wrong[2] == 0, "wrong data");
}

static void random_programs(const char *handles) {
  sim.set("HANDLES", handles);
  for (int i = 0; i < STREAMS; i++) program.streams[i] = make_stream();
  program.back = take_pinned((size_t)BACK_MOST * BYTES);
  group("race: programs that wait for all they must are right, and not reported");
  without(NOTHING_REMOVED, 100, 0);
  group("race: programs that leave out one kind of wait are reported");
  for (wait_kind kind = RAW; kind < NOTHING_REMOVED; kind++) without(kind, 100, 95);
  for (int i = 0; i < STREAMS; i++) OK(cuStreamDestroy(program.streams[i]));
  OK(cuMemFreeHost(program.back));
  expect_calm();
}

int main(void) {
  begin();
  sim.set("HANDLES", "reuse");
  by_hand();
  random_programs("reuse");
  random_programs("fresh");
  return end();
}
