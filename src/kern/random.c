/* Random fills. Numbers are made chunk by chunk as doubles or 64-bit integers, and stored by a cast
 * kernel. Each element has a block of 128 random bits to itself, although a uniform number uses 64
 * at most: so arrays of all dtypes draw element i from block i. */
#include "kern/random.h"

#include <math.h>
#include <string.h>

#include "base/philox.h"
#include "kern/cast.h"

enum { CHUNK = 64 }; /* numbers that are made before they are stored */

static const double two_pi = 6.283185307179586476925;

static inline uint64_t upper(nd_philox_block b) { return (uint64_t)b.v[0] << 32 | b.v[1]; }

static inline uint64_t lower(nd_philox_block b) { return (uint64_t)b.v[2] << 32 | b.v[3]; }

/* x in 0 … span: the 128 random bits are a fraction in [0, 1), which is multiplied by span + 1; the
 * result is the whole part (Lemire, Fast Random Integer Generation in an Interval, 2019). Lemire
 * rejects some numbers to be free of bias; here every element takes one block, and with 128 bits
 * the bias is at most span / 2^128. */
static inline uint64_t in_span(nd_philox_block b, uint64_t span) {
  /* span + 1 would overflow */
  if (span == UINT64_MAX) return upper(b);
  const nd_uint128 low = (nd_uint128)lower(b) * (span + 1) >> 64;
  return (uint64_t)(((nd_uint128)upper(b) * (span + 1) + low) >> 64);
}

/* The upper 53 bits as a multiple of 2^-53 in [0, 1): a double holds them all, so nothing is
 * rounded. */
static inline double unit_f64(uint64_t bits) { return (double)(bits >> 11) * 0x1p-53; }

static inline double below(double x, double limit) { return x < limit ? x : limit; }

/* The number before it is rounded to the dtype; at most its largest value below 1, so that none is
 * rounded to 1. */
static inline double uniform(nd_dtype dtype, uint64_t random) {
  const double x = unit_f64(random);
  switch (dtype) {
    case ND_F64: return x;
    /* 24 bits, as many as a float has: 53 could be rounded up to 1 */
    case ND_F32: return (double)(random >> 40) * 0x1p-24;
    case ND_F16: return below(x, 1 - 0x1p-11);
    case ND_BF16: return below(x, 1 - 0x1p-8);
    default: return x; /* ndi_random_has no others */
  }
}

/* Box-Muller from two uniform numbers. It would give two normal ones; the other is not used, so
 * that each element depends on its own block only. */
static inline double normal(nd_philox_block b) {
  const double open = unit_f64(upper(b)) + 0x1p-53; /* in (0, 1] */
  return sqrt(-2 * log(open)) * cos(two_pi * unit_f64(lower(b)));
}

bool ndi_random_has(nd_dtype dtype) {
  return dtype == ND_F16 || dtype == ND_BF16 || dtype == ND_F32 || dtype == ND_F64;
}

/* How a chunk is made: 'make' gives the 64 bits of a number of dtype 'made'. */
typedef struct fill {
  uint64_t (*make)(const struct fill *, nd_philox_block);
  nd_dtype dtype, made;
  uint64_t lo, span;
} fill;

static inline uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static uint64_t make_uniform(const fill *f, nd_philox_block b) {
  return bits_of(uniform(f->dtype, upper(b)));
}

static uint64_t make_normal(const fill *f, nd_philox_block b) {
  (void)f;
  return bits_of(normal(b));
}

static uint64_t make_integer(const fill *f, nd_philox_block b) {
  return f->lo + in_span(b, f->span);
}

static void run(const fill *f, size_t n, char *z, ptrdiff_t dz, uint64_t seed, uint64_t call_number,
                uint64_t first) {
  /* ND_WRAP: integers are modulo 2^64, of which a signed or narrower dtype takes the lower bits */
  ndi_cast_kernel *store = ndi_cast_find(f->dtype, f->made, ND_WRAP);
  uint64_t chunk[CHUNK];
  for (size_t count; n > 0; n -= count, first += count) {
    count = n < CHUNK ? n : CHUNK;
    for (size_t i = 0; i < count; i++)
      chunk[i] = f->make(f, nd_philox(seed, first + i, call_number));
    store(count, z, dz, (const char *)chunk, sizeof chunk[0]);
    z += (ptrdiff_t)count * dz;
  }
}

void ndi_random_uniform(nd_dtype dtype, size_t n, char *z, ptrdiff_t dz, uint64_t seed,
                        uint64_t call_number, uint64_t first) {
  const fill f = {.make = make_uniform, .dtype = dtype, .made = ND_F64};
  run(&f, n, z, dz, seed, call_number, first);
}

void ndi_random_normal(nd_dtype dtype, size_t n, char *z, ptrdiff_t dz, uint64_t seed,
                       uint64_t call_number, uint64_t first) {
  const fill f = {.make = make_normal, .dtype = dtype, .made = ND_F64};
  run(&f, n, z, dz, seed, call_number, first);
}

void ndi_random_integers(nd_dtype dtype, size_t n, char *z, ptrdiff_t dz, uint64_t seed,
                         uint64_t call_number, uint64_t first, uint64_t lo, uint64_t span) {
  const fill f = {.make = make_integer, .dtype = dtype, .made = ND_U64, .lo = lo, .span = span};
  run(&f, n, z, dz, seed, call_number, first);
}

void ndi_random_permutation(size_t n, char *z, ptrdiff_t dz, uint64_t seed, uint64_t call_number) {
  for (size_t i = 0; i < n; i++) {
    const int64_t value = (int64_t)i + 1;
    memcpy(z + (ptrdiff_t)i * dz, &value, sizeof value);
  }
  /* From the end: place i is exchanged with one of the places 0 … i, drawn from block i. */
  for (size_t i = n; i-- > 1;) {
    char *a = z + (ptrdiff_t)i * dz;
    char *b = z + (ptrdiff_t)in_span(nd_philox(seed, i, call_number), i) * dz;
    int64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    memcpy(a, &y, sizeof y);
    memcpy(b, &x, sizeof x);
  }
}
