/* What the contract specs share: a driver, which NDBUF_CUDA_DRIVER names, else the simulated one;
 * on that also its steering. A rule that is checked on both is in contract_*.c; what only the
 * simulator does, in sim_*.c. */
#ifndef CUSIM_CONTRACT_H
#define CUSIM_CONTRACT_H

#include "../core/check.h"
#include "cusim.h"
#include "symbols.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define POINTER(function, symbol, since, need, arguments) static CUresult(*function) arguments;
SIM_SYMBOLS(POINTER)

#define STEERING(X) \
  X(set)            \
  X(fail)           \
  X(fail_none)      \
  X(calls)          \
  X(reset_calls)    \
  X(function)       \
  X(stalls)         \
  X(keep_context)   \
  X(check_context)  \
  X(capture)        \
  X(live_count) X(live_bytes) X(pending) X(peek) X(touch) X(reports) X(report) X(forgive) X(end)
#define STEERING_POINTER(name) __typeof__(&cusim_##name) name;
/* NULLs on a real driver. */
static struct { STEERING(STEERING_POINTER) } sim;

static CUcontext context; /* of device 0, current on the main thread */

#define IS(call, expected)                                              \
  do {                                                                  \
    const CUresult got_ = (call);                                       \
    CHECK(got_ == (expected), "%s gives %s", #call, result_name(got_)); \
  } while (0)
#define OK(call) IS(call, CUDA_SUCCESS)

static inline const char *result_name(CUresult result) {
  const char *name = "?";
  cuGetErrorName(result, &name);
  return name;
}

/* On the simulator, what was just done has been reported so many times. */
static inline void expect_reports(const char *kind, uint64_t count) {
  if (!sim.forgive) return;
  const uint64_t found = sim.forgive(kind);
  CHECK(found == count, "%d reports of %s", (int)found, kind);
}

/* Nothing is left of a rule, and nothing was reported. */
static inline void expect_calm(void) {
  OK(cuCtxSynchronize());
  if (!sim.forgive) return;
  CHECK(sim.live_count("*") == 0, "%d blocks", (int)sim.live_count("*"));
  CHECK(sim.live_count("stream") == 0, "%d streams", (int)sim.live_count("stream"));
  CHECK(sim.live_count("event") == 0, "%d events", (int)sim.live_count("event"));
  CHECK(sim.pending() == 0, "%d operations", (int)sim.pending());
  for (size_t i = 0; sim.report(i); i++) printf("# %s\n", sim.report(i));
  CHECK(sim.reports("*") == 0, "%d reports", (int)sim.reports("*"));
  sim.forgive("*");
}

/* Ends the process where there is no driver: that is no pass. */
static inline void open_driver(void) {
  const char *path = getenv("NDBUF_CUDA_DRIVER");
  setenv("CUSIM_DEVICES", "2", 0);
  void *driver = dlopen(path ? path : CUDASIM, RTLD_NOW | RTLD_LOCAL);
  if (!driver) {
    printf("skipped: no CUDA driver: %s\n", dlerror());
    exit(2);
  }
#define FIND(function, symbol, since, need, arguments) *(void **)&function = dlsym(driver, #symbol);
  SIM_SYMBOLS(FIND)
#define FIND_STEERING(name) *(void **)&sim.name = dlsym(driver, "cusim_" #name);
  STEERING(FIND_STEERING)
}

static inline void begin(void) {
  open_driver();
  OK(cuInit(0));
  OK(cuDevicePrimaryCtxRetain(&context, 0));
  OK(cuCtxSetCurrent(context));
}

/* Runs the rules: once on a card; on the simulator, in each mode with both kinds of handles. */
static inline void run_rules(void (*rules)(void)) {
  static const char *const modes[] = {"eager", "lazy", "shuffle"};
  static const char *const handles[] = {"fresh", "reuse"};
  if (!sim.set) return rules();
  const char *seed = getenv("CUSIM_SEED") ? getenv("CUSIM_SEED") : "1";
  printf("# CUSIM_SEED=%s\n", seed);
  for (int i = 0; i < 6; i++) {
    printf("# %s, %s handles\n", modes[i / 2], handles[i % 2]);
    sim.set("MODE", modes[i / 2]);
    sim.set("HANDLES", handles[i % 2]);
    sim.set("SEED", seed);
    rules();
  }
}

static inline int end(void) {
  end_group();
  OK(cuDevicePrimaryCtxRelease(0));
  return finish();
}

/* ---- shorthands ---- */

static inline CUdeviceptr take(size_t bytes) {
  CUdeviceptr p = 0;
  OK(cuMemAlloc(&p, bytes));
  return p;
}

static inline CUstream make_stream(void) {
  CUstream s = NULL;
  OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
  return s;
}

static inline CUevent make_event(void) {
  CUevent e = NULL;
  OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
  return e;
}

static inline void *take_pinned(size_t bytes) {
  void *p = NULL;
  OK(cuMemHostAlloc(&p, bytes, 0));
  return p;
}

/* 'later' comes after all that is in 'earlier'. */
static inline void order(CUstream later, CUstream earlier) {
  CUevent e = make_event();
  OK(cuEventRecord(e, earlier));
  OK(cuStreamWaitEvent(later, e, 0));
  OK(cuEventDestroy(e));
}

static inline bool is_all(const void *bytes, int value, size_t count) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < count; i++)
    if (at[i] != value) return false;
  return true;
}

#endif
