/* The level of kernels in use: found at the first call. */
#include "kern/level.h"

#include <stdatomic.h>

enum { UNKNOWN, COMMON, V3 };

static atomic_int level = UNKNOWN;

static int find_level(void) {
#ifdef ND_LEVELS
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
      __builtin_cpu_supports("fma")) /* processors with these have all of x86-64-v3 */
    return V3;
#endif
  return COMMON;
}

bool ndi_level_is_v3(void) {
  int now = atomic_load_explicit(&level, memory_order_relaxed);
  if (now == UNKNOWN) atomic_store_explicit(&level, now = find_level(), memory_order_relaxed);
  return now == V3;
}

void ndi_level_allow_v3(bool allowed) { atomic_store(&level, allowed ? find_level() : COMMON); }
