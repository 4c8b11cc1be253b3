#include "kern/pass.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>

enum { LINE = 64, LANE = sizeof(__m128i) };

static void pass_lines(char *restrict z, const char *restrict x, size_t lines) {
  for (size_t i = 0; i < lines; i++, z += LINE, x += LINE) {
    __m128i v[LINE / LANE];
    for (int k = 0; k < LINE / LANE; k++) v[k] = _mm_loadu_si128((const __m128i *)(x + k * LANE));
    for (int k = 0; k < LINE / LANE; k++) _mm_stream_si128((__m128i *)(z + k * LANE), v[k]);
  }
}

/* Whole lines of 'z', and memcpy for what is before and behind them. */
void ndi_pass(char *restrict z, const char *restrict x, size_t bytes) {
  const size_t to_line = -(uintptr_t)z % LINE, head = to_line < bytes ? to_line : bytes;
  const size_t lines = (bytes - head) / LINE, done = head + lines * LINE;
  memcpy(z, x, head);
  pass_lines(z + head, x + head, lines);
  memcpy(z + done, x + done, bytes - done);
  _mm_sfence(); /* before anybody is told */
}

#else

void ndi_pass(char *restrict z, const char *restrict x, size_t bytes) { memcpy(z, x, bytes); }

#endif
