/* The level of kernels in use: found at the first call. */
#include "kern/level.h"

enum { UNKNOWN, COMMON, V3 = 3, V4 };

static atomic_int level = UNKNOWN;
atomic_bool ndi_fetches_reads = true, ndi_fetches_copies = true;

/* The processor and the operating system support what is asked for here; those that do have all of
 * the level. */
static int find_level(void) {
#ifdef ND_LEVELS
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2") ||
      !__builtin_cpu_supports("fma"))
    return COMMON;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return V4;
  return V3;
#else
  return COMMON;
#endif
}

static void find_fetches(int found) {
#ifdef ND_LEVELS
  const bool is_amd = __builtin_cpu_is("amd");
  atomic_store_explicit(&ndi_fetches_reads, !is_amd || found < V4, memory_order_relaxed);
  atomic_store_explicit(&ndi_fetches_copies, !is_amd, memory_order_relaxed);
#else
  (void)found;
#endif
}

int ndi_level(void) {
  int now = atomic_load_explicit(&level, memory_order_relaxed);
  if (now == UNKNOWN) {
    find_fetches(now = find_level());
    atomic_store_explicit(&level, now, memory_order_relaxed);
  }
  return now;
}

void ndi_level_limit(int most) {
  const int found = find_level(), limited = found < most ? found : most;
  find_fetches(limited);
  atomic_store(&level, limited);
}
