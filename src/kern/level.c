/* The level of kernels in use: found at the first call. */
#include "kern/level.h"

#ifdef ND_LEVELS
#include <cpuid.h>
#endif

enum { UNKNOWN, COMMON, V3 = 3, V4 };

static atomic_int level = UNKNOWN;
atomic_bool ndi_fetches_reads = true, ndi_fetches_copies = true;
_Atomic uint64_t ndi_passes_from = UINT64_MAX;

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

#ifdef ND_LEVELS
/* Bytes of the largest cache, from the processor's list of them (Intel's leaf 4, AMD's 8000001D);
 * 32 MiB where it has none. */
static uint64_t find_cache(bool is_amd) {
  unsigned kind = 0, sizes = 0, sets = 0, unused = 0;
  uint64_t most = 0;
  for (unsigned i = 0; i < 8; i++) {
    if (!__get_cpuid_count(is_amd ? 0x8000001d : 4, i, &kind, &sizes, &sets, &unused)) break;
    const uint64_t ways = (sizes >> 22) + 1, parts = (sizes >> 12 & 1023) + 1;
    const uint64_t bytes = ways * parts * ((sizes & 4095) + 1) * ((uint64_t)sets + 1);
    if ((kind & 31) == 0) break;
    if (bytes > most) most = bytes;
  }
  return most > 0 ? most : 32 << 20;
}
#endif

static void find_memory(int found) {
#ifdef ND_LEVELS
  const bool is_amd = __builtin_cpu_is("amd");
  atomic_store_explicit(&ndi_fetches_reads, !is_amd || found < V4, memory_order_relaxed);
  atomic_store_explicit(&ndi_fetches_copies, !is_amd, memory_order_relaxed);
  atomic_store_explicit(&ndi_passes_from, 4 * find_cache(is_amd), memory_order_relaxed);
#else
  (void)found;
#endif
}

int ndi_level(void) {
  int now = atomic_load_explicit(&level, memory_order_relaxed);
  if (now == UNKNOWN) {
    find_memory(now = find_level());
    atomic_store_explicit(&level, now, memory_order_relaxed);
  }
  return now;
}

void ndi_level_limit(int most) {
  const int found = find_level(), limited = found < most ? found : most;
  find_memory(limited);
  atomic_store(&level, limited);
}
