/* Elements as the specs see them: each dtype read as an exact long double, by parts, and edge
 * values to test with. */
#ifndef ND_SPEC_VALUES_H
#define ND_SPEC_VALUES_H

#include <string.h>

#include "base/dtype.h"

#include "check.h"
#include "model.h"

enum { WIDEST = 16 };

typedef struct {
  long double re, im;
} value;

/* NULL: not a float. A complex dtype gives the format of its parts. */
static inline const model_format *format_of(nd_dtype dtype) {
  switch (dtype) {
    case ND_F16: return &model_f16;
    case ND_BF16: return &model_bf16;
    case ND_F8E4M3: return &model_f8e4m3;
    case ND_F8E5M2: return &model_f8e5m2;
    case ND_F32:
    case ND_C64: return &model_f32;
    case ND_F64:
    case ND_C128: return &model_f64;
    default: return NULL;
  }
}

static inline size_t bytes_of(nd_dtype dtype) { return nd_dtype_get(dtype)->bytes; }

static inline bool is_complex(nd_dtype dtype) {
  return nd_dtype_get(dtype)->kind == ND_KIND_COMPLEX;
}

static inline uint64_t read_bits(const char *p, size_t bytes) {
  uint64_t bits = 0;
  for (size_t i = bytes; i-- > 0;) bits = bits << 8 | (unsigned char)p[i];
  return bits;
}

static inline void write_bits(char *p, size_t bytes, uint64_t bits) {
  for (size_t i = 0; i < bytes; i++, bits >>= 8) p[i] = (char)(bits & 0xff);
}

static inline long double read_real(nd_dtype dtype, const char *p, size_t bytes) {
  const uint64_t bits = read_bits(p, bytes);
  if (format_of(dtype)) return model_decode(format_of(dtype), bits);
  if (dtype == ND_BOOL) return bits != 0;
  if (nd_dtype_get(dtype)->kind == ND_KIND_UINT) return (long double)bits;
  const uint64_t sign = UINT64_C(1) << (8 * bytes - 1);
  return (long double)(bits & (sign - 1)) - (long double)(bits & sign);
}

static inline value read_value(nd_dtype dtype, const char *p) {
  const size_t bytes = bytes_of(dtype);
  if (!is_complex(dtype)) return (value){read_real(dtype, p, bytes), 0};
  return (value){read_real(dtype, p, bytes / 2), read_real(dtype, p + bytes / 2, bytes / 2)};
}

/* clang-format off */
static const double edges[] = {
    0, 1, 2, 0.5, 0.25, 1.5, 0.99999, 127, 127.5, 128, 129, 255, 255.5, 256, 257, 300, 448,
    463, 464, 464.5, 480, 32767, 32768, 32769, 57344, 61439, 61440, 65504, 65519, 65520,
    65535, 65536, 16777217, 2147483647, 2147483648, 2147483649.5, 4294967295, 4294967296,
    4294967297.5, 0x1p53, 0x1p62, 0x1p63, 0x1p64, 0x1.fffffffffffffp62, 0x1.fffffffffffffp63,
    0x1.8p64, 0x1p65, 1e19, 1e30, 0x1.fep127, 0x1.feffffp127, 0x1.ffp127, 0x1.fffffep127,
    0x1.fffffefffffffp127, 0x1.ffffffp127, 0x1p128, 1e300, 0x1.fffffffffffffp1023, 0x1p-10,
    0x1p-24, 0x1p-25, 0x1.8p-25, 0x1p-133, 0x1p-149, 0x1p-150, 5e-324, 1.1, 3.14159,
    0x1.000004p0, 0x1.00000100001p0, 0x1.0020000001p0, 0x1.005fffffffp0};
/* clang-format on */

/* Edge 'i' as the part of 'bytes' bytes of 'dtype', by way of the model; out of an integer's range:
 * its lower bits. */
static inline void write_edge(nd_dtype dtype, char *p, size_t bytes, double x) {
  const model_format *format = format_of(dtype);
  if (format) write_bits(p, bytes, model_encode(format, (long double)x));
  else write_bits(p, bytes, (uint64_t)(int64_t)fmod(x, 0x1p63));
}

/* Fill 'p' with 'limit' packed elements: edges of both signs, all ones and its like, NaN and
 * infinities, then random bits. */
static inline void fill_values(nd_dtype dtype, char *p, size_t limit, uint64_t *state) {
  const size_t parts = is_complex(dtype) ? 2 : 1, bytes = bytes_of(dtype) / parts;
  const uint64_t sign = UINT64_C(1) << (8 * bytes - 1);
  const model_format *format = format_of(dtype);
  const uint64_t nan = format ? format->top + (dtype == ND_F8E4M3 ? 1 : 2) : 3;
  const uint64_t bits[] = {
      sign, sign - 1, sign + 1, ~UINT64_C(0), ~UINT64_C(1), nan, nan | sign,
      format ? format->over : 5, format ? format->over | sign : 6,
      /* 64-bit integers just above a tie of bf16 and f32, which double would round to it */
      0x8080000000000001, 0x4040000000000001, 0x8000008000000001, 0x4000004000000001};
  const size_t edge_count = ND_COUNTOF(edges), bit_count = ND_COUNTOF(bits);
  for (size_t i = 0; i < limit * parts; i++, p += bytes) {
    /* Complex: the second parts go round at another pace, so that edges meet others. */
    const size_t k = parts == 1 ? i : i % 2 ? (i / 2 * 7) % (2 * edge_count + bit_count) : i / 2;
    if (k < edge_count) write_edge(dtype, p, bytes, edges[k]);
    else if (k < 2 * edge_count) write_edge(dtype, p, bytes, -edges[k - edge_count]);
    else if (k < 2 * edge_count + bit_count) write_bits(p, bytes, bits[k - 2 * edge_count]);
    else write_bits(p, bytes, next_random(state));
  }
}

/* How an array may lie: elements apart by their size and 'gap', backwards, or all in one place. */
typedef struct {
  const char *name;
  ptrdiff_t gap, sign;
} layout;

static const layout layouts[] = {
    {"packed", 0, 1}, {"misaligned", 3, 1}, {"backwards", 1, -1}, {"in place", 0, 0}};

static inline ptrdiff_t step_of(const layout *l, size_t bytes) {
  return l->sign * ((ptrdiff_t)bytes + l->gap);
}

/* The first element of 'n' within 'memory', which has room for n * (bytes + 3) + 1. Kept out of
 * line: gcc 12 warns of bounds in paths that no layout takes. */
__attribute__((noinline, unused)) static char *first_of(const layout *l, size_t n, size_t bytes,
                                                        char *memory) {
  const ptrdiff_t span = n ? ((ptrdiff_t)n - 1) * step_of(l, bytes) : 0;
  return memory + (l->gap ? 1 : 0) + (span < 0 ? -span : 0);
}

/* Lay packed elements out in 'memory'. Returns the first one. */
static inline char *lay_out(const layout *l, size_t n, size_t bytes, const char *packed,
                            char *memory) {
  char *first = first_of(l, n, bytes, memory);
  for (size_t i = 0; i < n; i++)
    memcpy(first + (ptrdiff_t)i * step_of(l, bytes), packed + i * bytes, bytes);
  return first;
}

#endif
