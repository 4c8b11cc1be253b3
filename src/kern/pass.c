/* Copies past the caches, by whole lines. */
#include "kern/pass.h"

#include <string.h>

#include "kern/level.h"

#ifdef __SSE2__
#include <immintrin.h>

enum { LINE = 64 };

#if defined __AVX512F__
typedef __m512i vector;
#define STREAM(to, v) _mm512_stream_si512((void *)(to), v)
#elif defined __AVX2__
typedef __m256i vector;
#define STREAM(to, v) _mm256_stream_si256((void *)(to), v)
#else
typedef __m128i vector;
#define STREAM(to, v) _mm_stream_si128((void *)(to), v)
#endif

static void pass_lines(char *restrict z, const char *restrict x, size_t lines) {
  for (size_t i = 0; i < lines * LINE; i += sizeof(vector)) {
    vector v;
    memcpy(&v, x + i, sizeof v);
    STREAM(z + i, v);
  }
}

/* Whole lines of 'z', and memcpy for what is before and behind them. */
static void pass(char *restrict z, const char *restrict x, size_t bytes) {
  const size_t to_line = -(uintptr_t)z % LINE, head = to_line < bytes ? to_line : bytes;
  const size_t lines = (bytes - head) / LINE, done = head + lines * LINE;
  memcpy(z, x, head);
  pass_lines(z + head, x + head, lines);
  memcpy(z + done, x + done, bytes - done);
}
#else
static void pass(char *restrict z, const char *restrict x, size_t bytes) { memcpy(z, x, bytes); }
#endif

ND_LEVELED(void, ndi_pass, pass, (char *restrict z, const char *restrict x, size_t bytes),
           (z, x, bytes))
