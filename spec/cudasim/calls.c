/* Around every exported function: the lock, the counts, and the calls that are made to fail. */
#include "sim.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RULES_MAX = 64 };

typedef struct {
  int call; /* ANY: of all */
  uint64_t left;
  CUresult error;
} rule;

#define SYMBOL(function, symbol, since, need, arguments) #symbol,
static const char *const symbols[] = {SIM_SYMBOLS(SYMBOL) NULL};
enum { ANY = -1, NONE = -2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t counts[SIM_CALLS], stalls;
static rule rules[RULES_MAX];
static int rule_count, calling = NONE;
_Thread_local bool sim_is_in_host_function;

void sim_lock(void) { pthread_mutex_lock(&lock); }
void sim_unlock(void) { pthread_mutex_unlock(&lock); }
const char *sim_calling(void) { return calling < 0 ? "cusim" : symbols[calling]; }

static bool is_about_text(int call) {
  return call == SIM_cuGetErrorName || call == SIM_cuGetErrorString;
}

static int call_of(const char *function) {
  if (strcmp(function, "*") == 0) return ANY;
  for (int i = 0; i < SIM_CALLS; i++)
    if (strcmp(symbols[i], function) == 0) return i;
  return NONE;
}

bool sim_stalls(int call) {
  switch (call) {
    case SIM_cuMemAlloc_v2:
    case SIM_cuMemFree_v2:
    case SIM_cuMemAllocManaged:
    case SIM_cuMemHostAlloc:
    case SIM_cuMemFreeHost:
    case SIM_cuMemHostRegister_v2:
    case SIM_cuMemHostUnregister: return true;
    default: return false;
  }
}

/* Takes the rule out that says so. */
static CUresult fails_now(int call) {
  CUresult error = CUDA_SUCCESS;
  int kept = 0;
  for (int i = 0; i < rule_count; i++) {
    const bool is_meant = rules[i].call == call || (rules[i].call == ANY && !is_about_text(call));
    if (is_meant && --rules[i].left == 0 && !error) error = rules[i].error;
    else rules[kept++] = rules[i];
  }
  rule_count = kept;
  return error;
}

/* What works before cuInit, and with a lost context. */
static bool needs_no_init(int call) {
  return call == SIM_cuInit || call == SIM_cuDriverGetVersion || is_about_text(call);
}

CUresult sim_enter(int call, uint64_t thing) {
  static pid_t process;
  if (sim_is_in_host_function && !is_about_text(call)) {
    sim_report(STALE, "%s called in a host function", symbols[call]);
    return CUDA_ERROR_NOT_PERMITTED;
  }
  sim_lock();
  calling = call;
  counts[call]++;
  if (!process) process = getpid();
  if (process != getpid() && !needs_no_init(call)) return CUDA_ERROR_NOT_INITIALIZED;
  if (sim_is_deinitialised() && !needs_no_init(call)) return CUDA_ERROR_DEINITIALIZED;
  const CUresult error = fails_now(call);
  if (error) {
    sim_note_refused(thing);
    sim_lose(error);
    return error;
  }
  if (needs_no_init(call)) return CUDA_SUCCESS;
  stalls += sim_stalls(call);
  return sim_is_initialised() ? sim_check_unsafe(call) : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult sim_leave(CUresult result) {
  if (sim_is_in_host_function) return result;
  calling = NONE;
  sim_unlock();
  return result;
}

static bool add_rule(const char *function, uint64_t n, CUresult error) {
  const int call = call_of(function);
  if (call == NONE || n == 0 || !error || rule_count == RULES_MAX) return false;
  rules[rule_count++] = (rule){call, n, error};
  return true;
}

bool sim_fail_by_text(const char *text) {
  char function[64], name[64];
  unsigned long long n;
  int length;
  while (*text) {
    if (sscanf(text, "%63[^:,]:%llu:%63[A-Z0-9_]%n", function, &n, name, &length) != 3)
      return false;
    const int error = sim_result_of(name);
    if (error <= 0 || !add_rule(function, n, (CUresult)error)) return false;
    text += length;
    if (*text == ',') text++;
    else if (*text) return false;
  }
  return true;
}

/* ---- for specs ---- */

ND_CUDA_EXPORT bool cusim_fail(const char *function, uint64_t n, const char *name) {
  sim_lock();
  const int error = sim_result_of(name);
  const bool ok = error > 0 && add_rule(function, n, (CUresult)error);
  sim_unlock();
  return ok;
}

ND_CUDA_EXPORT uint64_t cusim_fail_none(void) {
  sim_lock();
  const uint64_t count = (uint64_t)rule_count;
  rule_count = 0;
  sim_unlock();
  return count;
}

ND_CUDA_EXPORT uint64_t cusim_calls(const char *function) {
  uint64_t sum = 0;
  sim_lock();
  const int call = call_of(function);
  for (int i = 0; i < SIM_CALLS; i++)
    if (i == call || (call == ANY && !is_about_text(i))) sum += counts[i];
  sim_unlock();
  return sum;
}

ND_CUDA_EXPORT uint64_t cusim_stalls(void) {
  sim_lock();
  const uint64_t count = stalls;
  sim_unlock();
  return count;
}

ND_CUDA_EXPORT void cusim_reset_calls(void) {
  sim_lock();
  memset(counts, 0, sizeof counts);
  stalls = 0;
  sim_unlock();
}

ND_CUDA_EXPORT const char *cusim_function(size_t i) { return i < SIM_CALLS ? symbols[i] : NULL; }
