/* The driver's first use by several threads at once, while it forks: it is opened once, all of them
 * get their devices, and who looks from within the fork is refused. And its last: the context is
 * lost under all of them. Each round is a process of its own, as a driver is opened but once, and a
 * context lost but once. On the driver that NDBUF_CUDA_DRIVER names, or the simulated one. */
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../core/check.h"
#include "ndbuf.h"

#include "cuda.h"

enum { THREADS = 6 };

/* What the forked processes say; shared with them. */
static struct {
  atomic_int children, refused; /* that the driver forked, and those of them that were refused */
} * said;

/* Here the parent is still opening. */
static void look_in_child(void) {
  alarm(20); /* one that hangs is ended; alarms are not inherited */
  nd_error err;
  nd_backend_facts facts;
  atomic_fetch_add(&said->children, 1);
  const nd_status status = nd_backend_open(cuda_backend(), &facts, &err);
  if (status == ND_DEVICE_NOT_FOUND && strstr(err.message, "forked"))
    atomic_fetch_add(&said->refused, 1);
}

/* A child that went well becomes a program that does nothing: checkers of memory do not look at
 * what the driver still has there. */
static void end_child(bool is_well) {
  fflush(stdout);
  if (is_well) execlp("true", "true", (char *)NULL);
  _exit(1);
}

static bool ended_well(pid_t child) {
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static pthread_barrier_t ready;

/* Returns a text where something is wrong. */
static void *open_all(void *number) {
  static _Thread_local nd_error err;
  nd_backend_facts facts;
  nd_device *device;
  nd_resource *from;
  pthread_barrier_wait(&ready);
  if (nd_backend_open(cuda_backend(), &facts, &err) != ND_OK) return err.message;
  for (int i = 0; i < facts.devices; i++) {
    const int ordinal = (*(int *)number + i) % facts.devices;
    if (cuda_device(ordinal, &device, &err) != ND_OK) return err.message;
    if (device->ordinal != ordinal) return "another device";
    if (cuda_resource(ND_MEM_DEVICE, ordinal, &from, &err) != ND_OK) return err.message;
    nd_resource_drop(from);
  }
  return NULL;
}

/* Run 'work' with its number on all threads; none may return a text. */
static void run_at_once(void *(*work)(void *number)) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  void *wrong;
  pthread_barrier_init(&ready, NULL, THREADS);
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    if (pthread_create(&threads[i], NULL, work, &numbers[i])) abort();
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], &wrong);
    CHECK(!wrong, "thread %d: %s", i, (const char *)wrong);
  }
}

/* In a process that has not opened the driver. */
static void open_at_once(const char *driver) {
  uint64_t (*calls)(const char *function);
  pthread_atfork(NULL, NULL, look_in_child); /* after nd_init: ours run first */
  run_at_once(open_all);
  const nd_device *next = nd_device_get((uint16_t)(1 + cuda_count()));
  CHECK(next == nd_host_device(), "%s once more", next->name);
  if (!cuda_steering(driver, "cusim_calls", &calls)) return;
  CHECK(calls("cuInit") == 1, "%d times", (int)calls("cuInit"));
  CHECK(calls("cuDevicePrimaryCtxRetain") == (uint64_t)cuda_count(), "%d contexts",
        (int)calls("cuDevicePrimaryCtxRetain"));
  CHECK(said->children > 0 && said->refused == said->children, "%d of %d forked children refused",
        said->refused, said->children);
}

/* Use device 0 until its context is lost. From then on every call says so, even the very next one
 * of a thread whose own call failed while another noted the loss. */
static void *use_until_lost(void *unused) {
  static _Thread_local nd_error err;
  nd_resource *from;
  nd_storage *storage;
  (void)unused;
  if (cuda_resource(ND_MEM_DEVICE, 0, &from, &err) != ND_OK) return err.message;
  pthread_barrier_wait(&ready);
  while (nd_storage_make(from, 4096, (nd_storage_options){0}, &storage, &err) == ND_OK) {
    nd_storage_drop(storage);
    nd_reap(ND_REAP_DONE);
  }
  long long seconds = -1;
  char call[48] = "";
  if (nd_storage_make(from, 4096, (nd_storage_options){0}, &storage, &err) == ND_OK)
    return "the context was lost, and memory came of it";
  const char *lost = strstr(err.message, "was lost ");
  if (!lost || sscanf(lost, "was lost %lld s ago, when %47s failed", &seconds, call) != 2 ||
      seconds < 0 || seconds > 60 || strncmp(call, "cu", 2) != 0)
    return err.message;
  nd_resource_drop(from);
  return NULL;
}

static void lose_at_once(const char *driver) {
  bool (*fail)(const char *function, uint64_t n, const char *name);
  if (cuda_count() == 0) abort(); /* opens the driver */
  if (!cuda_steering(driver, "cusim_fail", &fail)) return;
  CHECK(fail("cuMemAllocFromPoolAsync", 40, "CUDA_ERROR_ILLEGAL_ADDRESS"), "it would not fail");
  run_at_once(use_until_lost);
}

/* Whether the driver is there, asked in a process of its own. */
static bool has_driver(void) {
  const pid_t child = fork();
  if (child == 0) {
    nd_error err;
    const nd_status status = cuda_open(CUDASIM, &err);
    if (status != ND_OK) printf("skipped: %s\n", err.message);
    end_child(status == ND_OK);
  }
  return ended_well(child);
}

/* Do 'work' in many processes, one after the other. */
static void repeat(size_t rounds, void (*work)(const char *driver), const char *driver) {
  for (size_t i = 0; i < rounds; i++) {
    said->children = said->refused = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      checks.failed = 0;
      work(driver);
      end_child(checks.failed == 0);
    }
    CHECK(ended_well(child), "round %zu", i);
  }
}

int main(void) {
  const char *named = getenv("NDBUF_CUDA_DRIVER"), *driver = named ? named : CUDASIM;
  const nd_backend_options options = {.driver = driver};
  setenv("CUSIM_DEVICES", "2", 0);
  setenv("CUSIM_FORK", "1", 0);
  said = mmap(NULL, sizeof *said, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (nd_init(NULL) || said == MAP_FAILED || !has_driver()) return 2;
  nd_backend_configure(cuda_backend(), &options);
  group("threads that use the driver first, all at once, find it opened once");
  repeat(scaled(20), open_at_once, driver);
  group("threads under which a context is lost all hear of it, whole, from their next call on");
  repeat(scaled(100), lose_at_once, driver);
  return finish();
}
