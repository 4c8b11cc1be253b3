/* CUDA memory beside threads and forks; devices that are closed and opened again; a lock of pages
 * that fails half-way. On the driver that NDBUF_CUDA_DRIVER names, or the simulated one. */
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../core/check.h"
#include "base/call.h"
#include "dev/stream.h"
#include "ndbuf.h"

#include "cuda.h"

enum { ITEMS = 1000 };

/* {=== an allocation that fails ===} Ours stands before the C library's, where that has a second
 * name for it. */

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HAS_FAILING_CALLOC 1
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#undef HAS_FAILING_CALLOC
#endif
#endif
#endif

#ifdef HAS_FAILING_CALLOC
static _Thread_local int until_failure; /* 0: none fails */

void *__libc_calloc(size_t count, size_t bytes);

void *calloc(size_t count, size_t bytes) {
  if (until_failure > 0 && --until_failure == 0) return NULL;
  return __libc_calloc(count, bytes);
}
#endif

/* {=== arrays ===} */

static nd_resource *resource_of(nd_memkind kind, int ordinal) {
  nd_resource *out;
  nd_error err;
  if (kind == ND_MEM_HOST) return nd_resource_hold(nd_host_resource());
  if (cuda_resource(kind, ordinal, &out, &err)) printf("# %s\n", err.message), abort();
  return out;
}

static nd_view make(nd_resource *from) {
  const size_t shape[] = {ITEMS};
  nd_storage *storage;
  nd_view out;
  if (nd_storage_make(from, ITEMS * sizeof(float), (nd_storage_options){0}, &storage, NULL) ||
      nd_view_make(storage, 0, ND_F32, 1, shape, NULL, &out, NULL))
    abort();
  nd_storage_drop(storage);
  return out;
}

static nd_view make_in(nd_memkind kind, int ordinal) {
  nd_resource *from = resource_of(kind, ordinal);
  const nd_view out = make(from);
  nd_resource_drop(from);
  return out;
}

static nd_status copy(const nd_view *to, const nd_view *from, nd_error *err) {
  nd_device *device = nd_device_of(from);
  if (device == nd_host_device()) device = nd_device_of(to);
  return nd_device_copy(device, to, from, ND_SATURATE, err);
}

static void fill(const nd_view *v, float value) {
  char *at;
  if (nd_view_host(v, true, &at, NULL)) abort();
  for (size_t i = 0; i < ITEMS; i++) memcpy(at + i * sizeof value, &value, sizeof value);
}

static bool holds(const nd_view *v, float value) {
  char *at;
  float seen;
  if (nd_view_host(v, false, &at, NULL)) abort();
  for (size_t i = 0; i < ITEMS; i++) {
    memcpy(&seen, at + i * sizeof seen, sizeof seen);
    if (seen != value) return false;
  }
  return true;
}

/* {=== the simulated driver ===} */

static uint64_t (*live_count)(const char *kind), (*reports)(const char *kind); /* NULL: real */

static void find_simulator(const char *path) {
  cuda_steering(path, "cusim_live_count", &live_count);
  cuda_steering(path, "cusim_reports", &reports);
}

static void check_live(const char *kind, uint64_t expected) {
  if (live_count) CHECK(live_count(kind) == expected, "%" PRIu64 " of %s", live_count(kind), kind);
}

/* {=== closing ===} */

/* From the host to the first device, to the last one, and back. */
static void go_round(float value) {
  const int last = cuda_count() - 1;
  nd_view views[] = {make_in(ND_MEM_HOST, 0), make_in(ND_MEM_DEVICE, 0),
                     make_in(ND_MEM_DEVICE, last), make_in(ND_MEM_PINNED, 0),
                     make_in(ND_MEM_HOST, 0)};
  nd_error err;
  fill(&views[0], value);
  for (int i = 0; i < 4; i++)
    CHECK(copy(&views[i + 1], &views[i], &err) == ND_OK, "%d: %s", i, err.message);
  CHECK(holds(&views[4], value), "%g is lost", (double)value);
  for (int i = 0; i < 5; i++) nd_view_drop(&views[i]);
}

static void close_all(void) {
  nd_reap(ND_REAP_WAIT);
  nd_backends_close();
}

static void spec_reopen(void) {
  group("devices that were closed are opened again, all of them");
  for (int round = 0; round < 3; round++) {
    go_round((float)round + 0.5F);
    close_all();
    check_live("context", (uint64_t)cuda_count());
    check_live("*", 0);
  }
}

static void spec_live_pinned(void) {
  group("the first device stays open under pinned memory and locked pages");
  nd_view pinned = make_in(ND_MEM_PINNED, 0), locked = make_in(ND_MEM_HOST, 0);
  nd_error err;
  for (int i = 0; i < 2; i++) {
    go_round(7);
    CHECK(i == 0 || cuda_pin(locked.storage, true, &err) == ND_OK, "%s", err.message);
    if (i == 1) nd_view_drop(&pinned);
    close_all();
    check_live("stream", 1);
    nd_view on_device = make_in(ND_MEM_DEVICE, 0);
    const nd_view *host = i == 0 ? &pinned : &locked;
    fill(host, 3);
    CHECK(copy(&on_device, host, &err) == ND_OK, "%s", err.message);
    fill(host, 4);
    CHECK(copy(host, &on_device, &err) == ND_OK && holds(host, 3), "%s", err.message);
    nd_view_drop(&on_device);
  }
  nd_view_drop(&locked);
  close_all();
  check_live("context", (uint64_t)cuda_count());
}

static void spec_failed_lock(void) {
  group("a lock of pages that fails half-way leaves them unlocked");
#ifdef HAS_FAILING_CALLOC
  nd_view v = make_in(ND_MEM_HOST, 0);
  nd_device *device;
  nd_error err;
  CHECK(cuda_device(0, &device, &err) == ND_OK, "%s", err.message);
  until_failure = 1; /* with a simulator there are its own */
  nd_status status = ND_OK;
  for (int n = 1; n < 20 && (status != ND_OUT_OF_MEMORY || !strstr(err.message, "record")); n++) {
    if (v.storage->is_pinned) CHECK(cuda_pin(v.storage, false, &err) == ND_OK, "%s", err.message);
    until_failure = n;
    status = cuda_pin(v.storage, true, &err);
  }
  until_failure = 0;
  CHECK(status == ND_OUT_OF_MEMORY && !v.storage->is_pinned, "%s", nd_status_name(status));
  check_live("registered", 0);
  CHECK(cuda_pin(v.storage, true, &err) == ND_OK && v.storage->is_pinned, "%s", err.message);
  nd_view_drop(&v);
#endif
  close_all();
  check_live("registered", 0);
  check_live("context", (uint64_t)cuda_count());
}

/* {=== threads and forks ===} */

static atomic_bool is_over;
static atomic_int wrong;

static void *work(void *number) {
  const int ordinal = *(int *)number % cuda_count();
  nd_resource *plain, *places[4] = {resource_of(ND_MEM_DEVICE, ordinal), NULL,
                                    resource_of(ND_MEM_PINNED, 0), resource_of(ND_MEM_HOST, 0)};
  if (cuda_plain(ordinal, &plain, NULL)) abort();
  places[1] = plain;
  nd_view host = make(places[3]);
  for (int round = 0; round < (int)scaled(100); round++) {
    nd_view a = make(places[round % 4]), b = make(places[round / 4 % 4]);
    fill(&host, (float)round);
    wrong += copy(&a, &host, NULL) != ND_OK || copy(&b, &a, NULL) != ND_OK;
    fill(&host, -1);
    nd_view_drop(&a);
    wrong += copy(&host, &b, NULL) != ND_OK || !holds(&host, (float)round);
    nd_view_drop(&b);
    if (round % 16 == 0) nd_reap(ND_REAP_WAIT);
  }
  nd_view_drop(&host);
  for (int i = 0; i < 4; i++) nd_resource_drop(places[i]);
  return NULL;
}

static void *refuse(void *unused) {
  (void)unused;
  nd_resource *from = resource_of(ND_MEM_DEVICE, 0);
  const nd_request request = {.bytes = (size_t)1 << 50};
  nd_usage usage;
  nd_ticket ticket;
  nd_block block;
  while (!is_over) {
    if (nd_ticket_take(from, &request, &ticket, &block, NULL) != ND_OUT_OF_MEMORY) abort();
    if (cuda_usage(0, &usage, NULL)) abort();
    usleep(1000); /* the others are to get on, also where one thread runs at a time */
  }
  nd_resource_drop(from);
  return NULL;
}

static void spec_threads(void) {
  group("threads work with all kinds of memory while another is refused some");
  enum { THREADS = 3 };
  pthread_t thread[THREADS], other;
  int numbers[THREADS];
  is_over = false;
  pthread_create(&other, NULL, refuse, NULL);
  for (int i = 0; i < THREADS; i++) numbers[i] = i;
  for (int i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, work, &numbers[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  is_over = true;
  pthread_join(other, NULL);
  CHECK(wrong == 0, "%d copies", wrong);
  nd_reap(ND_REAP_WAIT);
  nd_usage usage;
  for (int i = 0; i < cuda_count(); i++) {
    CHECK(cuda_usage(i, &usage, NULL) == ND_OK, "usage");
    CHECK(usage.device.live.now + usage.plain.live.now == 0, "device %d has live blocks", i);
  }
}

/* {=== figures ===} What the driver's pool keeps is asked for, not counted: each reader goes on
 * from what another one saw. */

enum { READERS = 3, HELD = 4 };

static pthread_barrier_t both;
static nd_ticket held[READERS][HELD];

static void take_one(nd_resource *from, nd_ticket *out) {
  const nd_request request = {.bytes = 1 << 20};
  nd_block block;
  if (nd_ticket_take(from, &request, out, &block, NULL)) abort();
}

/* Never fewer blocks than it has at first. */
static void *take_and_read(void *at) {
  nd_ticket *mine = at, former;
  nd_resource *from = resource_of(ND_MEM_DEVICE, 0);
  nd_mem_stats last = {0}, now;
  pthread_barrier_wait(&both);
  for (size_t round = 0; round < scaled(2000); round++) {
    former = mine[round % HELD];
    take_one(from, &mine[round % HELD]);
    nd_resource_get_stats(from, &now);
    wrong += now.cached.peak < now.cached.now || now.cached.peak < last.cached.peak ||
             now.cached.total < now.cached.peak || now.cached.total < last.cached.total;
    last = now;
    if (nd_ticket_give(former, NULL, NULL)) abort();
  }
  nd_resource_drop(from);
  return NULL;
}

/* Nothing is trimmed meanwhile, and blocks held are most few at the end: then most is kept. */
static void spec_figures(void) {
  group("threads read what the driver keeps while they change it");
  pthread_t thread[READERS];
  nd_resource *from = resource_of(ND_MEM_DEVICE, 0);
  nd_mem_stats stats;
  size_t freed;
  nd_reap(ND_REAP_WAIT);
  CHECK(nd_resource_trim(from, 0, &freed, NULL) == ND_OK, "trim");
  for (int i = 0; i < READERS * HELD; i++) take_one(from, &held[i / HELD][i % HELD]);
  nd_resource_reset_peak(from);
  pthread_barrier_init(&both, NULL, READERS);
  for (int i = 0; i < READERS; i++) pthread_create(&thread[i], NULL, take_and_read, held[i]);
  for (int i = 0; i < READERS; i++) pthread_join(thread[i], NULL);
  pthread_barrier_destroy(&both);
  nd_reap(ND_REAP_WAIT);
  nd_resource_get_stats(from, &stats);
  CHECK(wrong == 0, "%d readings", wrong);
  CHECK(stats.cached.now > 0 && stats.cached.now == stats.cached.peak,
        "%" PRIu64 " of %" PRIu64 " bytes", stats.cached.now, stats.cached.peak);
  for (int i = 0; i < READERS * HELD; i++)
    if (nd_ticket_give(held[i / HELD][i % HELD], NULL, NULL)) abort();
  nd_resource_drop(from);
}

/* {=== allocations that race ===} */

static nd_storage *lazy;

/* On a stream of its own. */
static void *allocate(void *at) {
  nd_error err;
  const nd_call call = {.queue = ((nd_stream *)at)->queue};
  nd_call_set(&call);
  pthread_barrier_wait(&both);
  if (nd_storage_allocate(lazy, &err)) printf("# %s\n", err.message), wrong++;
  nd_call_set(NULL);
  return NULL;
}

static void spec_allocations(void) {
  group(
      "of two threads that allocate an array one gives its block back, whose zeros are on the way");
  nd_resource *from;
  nd_stream streams[2];
  pthread_t thread[2];
  const nd_place place = cuda_place(ND_MEM_DEVICE, 0);
  const nd_storage_options options = {.zeroed = true, .lazy = ND_LAZY};
  if (cuda_plain(0, &from, NULL)) abort();
  pthread_barrier_init(&both, NULL, 2);
  for (int i = 0; i < 2; i++)
    if (nd_stream_open(&place, 0, &streams[i], NULL)) abort();
  for (size_t round = 0; round < scaled(300); round++) {
    if (nd_storage_make(from, 1 << 20, options, &lazy, NULL)) abort();
    for (int i = 0; i < 2; i++) pthread_create(&thread[i], NULL, allocate, &streams[i]);
    for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
    if (round % 3 == 0) nd_reap(ND_REAP_DONE);
    nd_storage_drop(lazy);
  }
  pthread_barrier_destroy(&both);
  nd_reap(ND_REAP_WAIT);
  nd_resource_drop(from);
  for (int i = 0; i < 2; i++) nd_stream_close(&streams[i]);
  CHECK(wrong == 0, "%d allocations", wrong);
  if (reports) CHECK(reports("*") == 0, "%d reports", (int)reports("*"));
}

/* {=== streams beside waits ===} */

/* Opens and adopts streams, works on them, tells their handles; the device is waited for meanwhile.
 */
static void *use_streams(void *number) {
  const nd_place place = cuda_place(ND_MEM_DEVICE, 0);
  nd_device *device;
  if (cuda_device(0, &device, NULL)) abort();
  for (int round = 0; round < (int)scaled(200); round++) {
    nd_stream stream;
    nd_event *event;
    void *handle;
    const nd_status opened = (round + *(int *)number) % 2
                                 ? nd_stream_open(&place, 0, &stream, NULL)
                                 : nd_stream_adopt(&place, (void *)1, &stream, NULL);
    if (opened) abort();
    const nd_call call = {.queue = stream.queue}, *before = nd_call_set(&call);
    nd_view a = make_in(ND_MEM_DEVICE, 0), b = make_in(ND_MEM_PINNED, 0);
    wrong += nd_device_copy(device, &b, &a, ND_SATURATE, NULL) != ND_OK;
    wrong += nd_stream_record(&stream, false, &event, NULL) != ND_OK;
    wrong += nd_stream_handle(&stream, &handle, NULL) != ND_OK;
    nd_call_set(before);
    nd_event_close(event);
    nd_view_drop(&a);
    nd_view_drop(&b);
    nd_stream_close(&stream);
  }
  return NULL;
}

static void *wait_until(void *unused) {
  nd_device *device;
  (void)unused;
  if (cuda_device(0, &device, NULL)) abort();
  while (!is_over) {
    wrong += nd_device_sync(device, NULL) != ND_OK;
    nd_reap(ND_REAP_POLL);
  }
  return NULL;
}

static void spec_streams(void) {
  group("streams come and go while another thread waits for the device");
  pthread_t thread[2], other;
  int numbers[2] = {0, 1};
  is_over = false;
  pthread_create(&other, NULL, wait_until, NULL);
  for (int i = 0; i < 2; i++) pthread_create(&thread[i], NULL, use_streams, &numbers[i]);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
  is_over = true;
  pthread_join(other, NULL);
  CHECK(wrong == 0, "%d calls", wrong);
}

static void *work_until(void *number) {
  while (!is_over) work(number);
  return NULL;
}

/* A child that went well becomes a program that does nothing: checkers of memory do not look at
 * what is left in it, as what its parent's threads held is lost there. */
static void end_well(void) { execlp("true", "true", (char *)NULL); }
static bool ended_well(pid_t child) {
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* The child has no GPU, and the rest works. */
static bool fork_once(void) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(30); /* one that hangs is ended */
    nd_view v = make_in(ND_MEM_HOST, 0);
    nd_device *device;
    fill(&v, 5);
    nd_view_drop(&v);
    nd_reap(ND_REAP_WAIT);
    nd_caches_trim(0, 0);
    if (cuda_device(0, &device, NULL) == ND_DEVICE_NOT_FOUND) end_well();
    _exit(1);
  }
  return ended_well(child);
}

/* gcc's AddressSanitizer does not release its allocator's locks in a child: where a thread of the
 * parent had one, the child waits for it for ever. So there are no threads then. */
static int count_threads(void) {
#if defined(__SANITIZE_ADDRESS__)
  puts("skipped: forks beside threads: AddressSanitizer's own locks stay taken in the child");
  return 0;
#else
  return 2;
#endif
}

static void spec_forks(void) {
  group("forks beside threads that use a GPU do not hang");
  pthread_t thread[2];
  int numbers[2] = {0, 1}, failed = 0;
  const int threads = count_threads();
  is_over = false;
  for (int i = 0; i < threads; i++) pthread_create(&thread[i], NULL, work_until, &numbers[i]);
  for (size_t i = 0; i < scaled(200) && failed == 0; i++) failed += !fork_once();
  is_over = true;
  for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
  CHECK(failed == 0, "a child hung or failed");
}

int main(void) {
  const char *driver = getenv("NDBUF_CUDA_DRIVER") ? getenv("NDBUF_CUDA_DRIVER") : CUDASIM;
  nd_error err;
  setenv("CUSIM_DEVICES", "2", 0);
  setenv("CUSIM_MODE", "lazy", 0);
  if (nd_init(NULL)) return 2;
  if (cuda_open(CUDASIM, &err)) {
    printf("skipped: %s\n", err.message);
    return 2;
  }
  find_simulator(driver);
  spec_reopen();
  spec_live_pinned();
  spec_failed_lock();
  spec_threads();
  spec_figures();
  spec_allocations();
  spec_streams();
  spec_forks();
  close_all();
  check_live("context", (uint64_t)cuda_count());
  return finish();
}
