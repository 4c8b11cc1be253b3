/* The limits of the table "Host memory speed": to copy bytes, and to read them, on so many
 * threads. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void bench_copy(char *z, const char *x, size_t n, int threads);
uint64_t bench_read(const char *x, size_t n, int threads);

enum { LINE = 64, AHEAD = 2048 };

typedef uint64_t vector __attribute__((vector_size(16)));

static size_t cut(size_t n, int part, int parts) {
  return part == parts ? n : n / LINE * (size_t)part / (size_t)parts * LINE;
}

void bench_copy(char *z, const char *x, size_t n, int threads) {
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1)
#endif
  for (int i = 0; i < threads; i++) {
    const size_t first = cut(n, i, threads), end = cut(n, i + 1, threads);
    memcpy(z + first, x + first, end - first);
  }
}

/* A line at a time, and fetched ahead of the processor: nothing that adds up is faster. */
static uint64_t read_part(const char *x, size_t n) {
  vector lanes[LINE / sizeof(vector)] = {0}, all;
  for (size_t i = 0; i + LINE <= n; i += LINE) {
    __builtin_prefetch((const void *)((uintptr_t)x + i + AHEAD));
    for (size_t k = 0; k < LINE / sizeof(vector); k++) {
      vector own;
      memcpy(&own, x + i + k * sizeof own, sizeof own);
      lanes[k] ^= own;
    }
  }
  all = lanes[0] ^ lanes[1] ^ lanes[2] ^ lanes[3];
  return all[0] ^ all[1];
}

uint64_t bench_read(const char *x, size_t n, int threads) {
  uint64_t all = 0;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1) reduction(^ : all)
#endif
  for (int i = 0; i < threads; i++) {
    const size_t first = cut(n, i, threads), end = cut(n, i + 1, threads);
    all ^= read_part(x + first, end - first);
  }
  return all;
}
