/* How a process ends with the simulator: programs that go wrong, each in a process of its own,
 * which is this one again with the program's name as argument. */
#include "contract.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 1000, FAULT = -1, REPORTED = CUSIM_EXIT_STATUS };

static char report_path[64];
static CUdeviceptr p;
static CUstream s, t;

/* ---- the programs; what they return is the exit status ---- */

static int clean(void) {
  OK(cuMemFree(take(BYTES)));
  return 0;
}

static int leak(void) {
  take(BYTES);
  return 0;
}

static int leak_of_pinned(void) {
  take_pinned(BYTES);
  return 0;
}

static int leak_of_stream(void) {
  make_stream();
  return 0;
}

static int double_free(void) {
  p = take(BYTES);
  cuMemFree(p), cuMemFree(p);
  return 0;
}

static int use_after_free(void) {
  p = take(BYTES);
  cuMemFree(p), cuMemsetD8(p, 0, 1);
  return 0;
}

static int out_of_bounds(void) {
  p = take(BYTES);
  cuMemsetD8(p + BYTES - 1, 0, 2);
  return cuMemFree(p) != CUDA_SUCCESS;
}

static int double_free_async(void) {
  s = make_stream();
  OK(cuMemAllocAsync(&p, BYTES, s));
  OK(cuMemFreeAsync(p, s));
  IS(cuMemFreeAsync(p, s), CUDA_ERROR_INVALID_VALUE);
  OK(cuStreamSynchronize(s));
  OK(cuStreamDestroy(s));
  return checks.failed != 0;
}

static int release_while_working(void) {
  CUcontext second = NULL;
  OK(cuDevicePrimaryCtxRetain(&second, 1));
  OK(cuCtxPushCurrent(second));
  OK(cuMemAllocAsync(&p, BYTES, NULL));
  OK(cuMemFreeAsync(p, NULL));
  OK(cuCtxSynchronize());
  OK(cuDevicePrimaryCtxRelease(1)); /* idle: no report */
  OK(cuCtxPopCurrent(NULL));
  OK(cuDevicePrimaryCtxRetain(&second, 1));
  OK(cuCtxPushCurrent(second));
  s = make_stream();
  OK(cuMemAllocAsync(&p, BYTES, s));
  OK(cuMemsetD8Async(p, 1, BYTES, s));
  OK(cuMemFreeAsync(p, s));
  OK(cuStreamDestroy(s)); /* its work goes on */
  OK(cuDevicePrimaryCtxRelease(1));
  OK(cuCtxPopCurrent(NULL));
  return sim.reports("*") != 1 || checks.failed != 0;
}

static int changed_context(void) {
  CUcontext second = NULL;
  OK(cuDevicePrimaryCtxRetain(&second, 1));
  CHECK(sim.check_context(), "nothing was to be kept");
  sim.keep_context();
  CHECK(sim.check_context(), "it is as it was");
  OK(cuCtxPushCurrent(second));
  OK(cuCtxPopCurrent(NULL));
  CHECK(sim.check_context(), "it is so again");
  OK(cuCtxSetCurrent(second));
  CHECK(!sim.check_context(), "it is another");
  CHECK(sim.check_context(), "it was put back");
  OK(cuCtxPushCurrent(context));
  CHECK(!sim.check_context(), "the same, but one more on the stack");
  OK(cuDevicePrimaryCtxRelease(1));
  return sim.forgive("context") != 2 || checks.failed ||
         (cuCtxSetCurrent(NULL), sim.check_context());
}

static int race(void) {
  p = take(BYTES), s = make_stream(), t = make_stream();
  cuMemsetD8Async(p, 0, 1, s), cuMemsetD8Async(p, 0, 1, t);
  cuCtxSynchronize();
  return cuMemFree(p) || cuStreamDestroy(s) || cuStreamDestroy(t);
}

static int pending(void) {
  p = take(BYTES), s = make_stream();
  cuMemsetD8Async(p, 0, 1, s), cuMemFree(p);
  return cuStreamDestroy(s) != CUDA_SUCCESS;
}

static int pending_of_pool(void) {
  s = make_stream();
  OK(cuMemAllocAsync(&p, BYTES, s));
  OK(cuMemFree(p));
  OK(cuStreamDestroy(s));
  return checks.failed != 0;
}

static int unrecorded(void) {
  CUevent e = make_event();
  cuEventSynchronize(e);
  return cuEventDestroy(e) != CUDA_SUCCESS;
}

static int pageable(void) {
  char host[BYTES] = {0};
  p = take(BYTES);
  cuMemcpyHtoDAsync(p, host, BYTES, NULL);
  return cuMemFree(p) != CUDA_SUCCESS;
}

static int stale(void) {
  s = make_stream();
  cuStreamDestroy(s), cuStreamQuery(s);
  return 0;
}

static int lost_context(void) { /* what it had is no leak */
  const CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
  CUmemoryPool pool;
  p = take(BYTES), s = make_stream();
  OK(cuMemPoolCreate(&pool, &props));
  sim.fail("cuMemsetD8Async", 1, "CUDA_ERROR_ILLEGAL_ADDRESS");
  IS(cuMemsetD8Async(p, 0, 1, s), CUDA_ERROR_ILLEGAL_ADDRESS);
  IS(cuMemFree(p), CUDA_ERROR_ILLEGAL_ADDRESS);
  IS(cuStreamSynchronize(s), CUDA_ERROR_ILLEGAL_ADDRESS);
  IS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  return checks.failed != 0;
}

static int refused_free(void) { /* what could not be freed is no leak */
  p = take(BYTES);
  sim.fail("cuMemFree_v2", 1, "CUDA_ERROR_UNKNOWN");
  return cuMemFree(p) == CUDA_ERROR_UNKNOWN ? 0 : 1;
}

static int host_reads_device_memory(void) {
  p = take(BYTES);
  return *(volatile char *)(uintptr_t)p;
}

static int host_uses_freed_pinned(void) {
  volatile char *host = take_pinned(BYTES);
  cuMemFreeHost((void *)host);
  return host[0];
}

static int system_call_on_device_memory(void) {
  p = take(BYTES);
  const int zero = open("/dev/zero", O_RDONLY);
  const bool is_fault = read(zero, (void *)(uintptr_t)p, 1) == -1 && errno == EFAULT;
  return is_fault && cuMemFree(p) == CUDA_SUCCESS ? 0 : 1;
}

static int managed_while_working(void) {
  sim.set("MANAGED", "exclusive");
  s = make_stream(), t = make_stream();
  OK(cuMemAllocManaged(&p, BYTES, CU_MEM_ATTACH_GLOBAL));
  volatile char *host = (volatile char *)(uintptr_t)p;
  host[0] = 1;
  OK(cuMemsetD8Async(p, 2, BYTES, s));
  OK(cuStreamSynchronize(t)); /* of no work */
  CHECK(!sim.touch((const void *)host, 1, false), "no report");
  CHECK(sim.forgive("managed") == 1, "another report");
  OK(cuStreamSynchronize(s));
  if (host[0] != 2 || checks.failed) return 1;
  OK(cuMemsetD8Async(take(BYTES), 2, BYTES, s)); /* of other memory */
  return host[0];
}

static int forked(void) {
  p = take(BYTES);
  const pid_t child = fork();
  if (!child) _exit(cuCtxSynchronize() == CUDA_ERROR_NOT_INITIALIZED ? 5 : 6);
  int status;
  waitpid(child, &status, 0);
  return cuMemFree(p) || WEXITSTATUS(status) != 5;
}

static int forked_and_uses_pinned(void) { /* a fork has none of it */
  char *host = take_pinned(BYTES);
  const pid_t child = fork();
  if (!child) {
    signal(SIGSEGV, SIG_DFL);
    _exit(*(volatile char *)host == 1);
  }
  int status;
  waitpid(child, &status, 0);
  return cuMemFreeHost(host) || !WIFSIGNALED(status) || WTERMSIG(status) != SIGSEGV;
}

static int forked_and_ends(void) { /* the child's end is no leak of its own */
  const CUdeviceptr kept = take(BYTES);
  const pid_t child = fork();
  if (!child) exit(0);
  int status;
  waitpid(child, &status, 0);
  return cuMemFree(kept) || WEXITSTATUS(status) != 0;
}

static int by_environment(void) {
  CUdeviceptr first = 0;
  int version = 0;
  IS(cuMemAlloc(&first, 16), CUDA_SUCCESS);
  IS(cuMemAlloc(&p, 16), CUDA_ERROR_OUT_OF_MEMORY);
  OK(cuMemAlloc(&p, 16));
  CUdeviceptr more = 0;
  IS(cuMemAlloc(&more, 1 << 20), CUDA_ERROR_OUT_OF_MEMORY);
  OK(cuDriverGetVersion(&version));
  CHECK(version == 11040, "%d", version);
  CHECK(!cuMemAdvise && cuMemAdvise_v1, "newer than 11.4");
  CHECK(!cuMemPoolCreate && cuMemPoolTrimTo && !cuStreamGetFlags, "what is hidden");
  OK(cuMemFree(first));
  OK(cuMemFree(p));
  return checks.failed != 0;
}

#define PROGRAM(name, status, text) \
  { #name, name, status, text, NULL }
static const struct {
  const char *name;
  int (*run)(void);
  int status;
  const char *text; /* in the report */
  const char *environment;
} programs[] = {
    PROGRAM(clean, 0, "reports 0"),
    PROGRAM(leak, REPORTED, "cusim: leak: device memory of 1000 bytes"),
    PROGRAM(leak_of_pinned, REPORTED, "cusim: leak: pinned memory of 1000 bytes"),
    PROGRAM(leak_of_stream, REPORTED, "cusim: leak: stream"),
    PROGRAM(double_free, REPORTED, "cusim: double-free: cuMemFree_v2"),
    PROGRAM(double_free_async, REPORTED, "cusim: double-free: cuMemFreeAsync"),
    {"release_while_working", release_while_working, REPORTED,
     "cusim: pending: cuDevicePrimaryCtxRelease_v2: device 1 still has work", "CUSIM_MODE=lazy"},
    PROGRAM(changed_context, REPORTED, "cusim: context: this thread's context was"),
    PROGRAM(use_after_free, REPORTED, "cusim: use-after-free: cuMemsetD8_v2"),
    PROGRAM(out_of_bounds, REPORTED, "cusim: out-of-bounds: cuMemsetD8_v2: 2 bytes"),
    PROGRAM(race, REPORTED, "cusim: race: cuMemsetD8Async on stream"),
    PROGRAM(pending, REPORTED, "cusim: pending: cuMemFree_v2"),
    PROGRAM(pending_of_pool, REPORTED, "cusim: pending: cuMemFree_v2"),
    PROGRAM(unrecorded, REPORTED, "cusim: unrecorded: cuEventSynchronize"),
    PROGRAM(pageable, REPORTED, "cusim: pageable: cuMemcpyHtoDAsync_v2"),
    PROGRAM(stale, REPORTED, "cusim: stale: cuStreamQuery"),
    PROGRAM(lost_context, 0, "reports 0"),
    PROGRAM(refused_free, 0, "calls cuMemFree_v2 1"),
    PROGRAM(host_reads_device_memory, FAULT, ""),
    PROGRAM(host_uses_freed_pinned, FAULT, ""),
    PROGRAM(system_call_on_device_memory, 0, "reports 0"),
    PROGRAM(managed_while_working, FAULT, "forgiven managed 1"),
    PROGRAM(forked, 0, "reports 0"),
    PROGRAM(forked_and_uses_pinned, 0, "reports 0"),
    PROGRAM(forked_and_ends, 0, "reports 0"),
    {"by_environment", by_environment, 0, "reports 0",
     "CUSIM_DRIVER=11040 CUSIM_HIDE=cuMemPoolCreate,cuStreamGetFlags CUSIM_MEMORY=1000000 "
     "CUSIM_FAIL=cuMemAlloc_v2:2:CUDA_ERROR_OUT_OF_MEMORY"},
    {"clean", clean, REPORTED, "", "CUSIM_MODE=late"},
    {"clean", clean, REPORTED, "", "CUSIM_FAIL=cuMemAlloc:1:CUDA_ERROR_UNKNOWN"},
    {"clean", clean, REPORTED, "", "CUSIM_MEMORY=1x"},
    {"clean", clean, REPORTED, "", "CUSIM_HIDE=cuMemPoolCreate,cuMemPoolCreat"},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

/* ---- running them ---- */

static int run_here(const char *name) {
  for (int i = 0; i < PROGRAMS; i++) {
    if (strcmp(programs[i].name, name) != 0) continue;
    begin();
    const int status = programs[i].run();
    if (status) sim.forgive("*"); /* the end of reports has a status of its own, and hides this */
    return status;
  }
  return 99;
}

static void set_environment(const char *list) {
  char copy[300];
  snprintf(copy, sizeof copy, "CUSIM_REPORT=%s %s", report_path, list ? list : "");
  for (char *at = strtok(copy, " "); at; at = strtok(NULL, " ")) {
    char *value = strchr(at, '=');
    *value = 0;
    setenv(at, value + 1, 1);
  }
}

/* Valgrind knows the program by this link, and not by the link's own name. */
static const char *own_path(void) {
  static char path[500];
  const ssize_t bytes = readlink("/proc/self/exe", path, sizeof path - 1);
  path[bytes > 0 ? bytes : 0] = 0;
  return path;
}

static int run_apart(int i) {
  const pid_t child = fork();
  if (!child) {
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    if (!freopen("/dev/null", "w", stderr)) _exit(97);
    set_environment(programs[i].environment);
    execl(own_path(), "sim_end_spec", programs[i].name, (char *)NULL);
    _exit(98);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

static bool reported(const char *text) {
  static char all[20000];
  FILE *file = fopen(report_path, "r");
  const size_t bytes = file ? fread(all, 1, sizeof all - 1, file) : 0;
  all[bytes] = 0;
  if (file) fclose(file);
  return strstr(all, text) != NULL;
}

/* A fault ends a process by its signal, under AddressSanitizer by a status of that. */
static bool is_as_expected(int status, int expected) {
  if (expected == FAULT) return WIFSIGNALED(status) ? WTERMSIG(status) == SIGSEGV : status != 0;
  return WIFEXITED(status) && WEXITSTATUS(status) == expected;
}

int main(int count, char **arguments) {
  if (count > 1) return run_here(arguments[1]);
  snprintf(report_path, sizeof report_path, "/tmp/cusim-report-%d", (int)getpid());
  for (int i = 0; i < PROGRAMS; i++) {
    static char names[PROGRAMS][200]; /* a group's name is read when it ends */
    char *name = names[i];
    const char *environment = programs[i].environment;
    snprintf(name, sizeof *names, "end: %s %.100s", programs[i].name,
             environment ? environment : "");
    group(name);
    unlink(report_path);
    const int status = run_apart(i);
    CHECK(is_as_expected(status, programs[i].status), "status %#x", (unsigned)status);
    CHECK(reported(programs[i].text), "not in the report: %s", programs[i].text);
  }
  unlink(report_path);
  return finish();
}
