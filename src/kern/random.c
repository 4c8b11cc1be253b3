/* Random fills. Numbers are made chunk by chunk as doubles or 64-bit integers, and stored by a cast
 * kernel. Each element has a block of 128 random bits to itself, although a uniform number uses 64
 * at most: so arrays of all dtypes draw element i from block i. */
#include "kern/random.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif
#include <math.h>
#include <string.h>

#include "kern/cast.h"
#include "kern/draw.h"
#include "kern/level.h"
#include "kern/log.h"
#include "kern/trig.h"

enum { CHUNK = NDI_DRAW_CHUNK }; /* numbers that are made before they are stored */

/* The halves of the blocks, NDI_DRAW_READY of each number; parameters; numbers. */
typedef struct {
  uint64_t upper[NDI_DRAW_READY][CHUNK], lower[NDI_DRAW_READY][CHUNK];
  double of[2][CHUNK];
  double made[CHUNK];
} chunk;

/* {=== numbers of one block, for loops that vectorise ===} */

/* x in 0 … span: the 128 random bits are a fraction in [0, 1), which is multiplied by span + 1; the
 * result is the whole part (Lemire, Fast Random Integer Generation in an Interval, 2019). Lemire
 * rejects some numbers to be free of bias; here every element takes one block, and with 128 bits
 * the bias is at most span / 2^128. */
static inline uint64_t in_span(uint64_t upper, uint64_t lower, uint64_t span) {
  /* span + 1 would overflow */
  if (span == UINT64_MAX) return upper;
  const nd_uint128 low = (nd_uint128)lower * (span + 1) >> 64;
  return (uint64_t)(((nd_uint128)upper * (span + 1) + low) >> 64);
}

/* Box-Muller from two uniform numbers. It would give two normal ones; the other is not used, so
 * that each element depends on its own block only. */
static inline double normal(uint64_t upper, uint64_t lower) {
  const double turn = ndi_unit(lower), shifted = turn * 4 + 0x1.8p52; /* quarters, rounded */
  const double rest = turn - (shifted - 0x1.8p52) * 0.25;
  const ndm_angle angle = {{rest * 0x1.921fb54442d18p2, rest * 0x1.1a62633145c07p-52},
                           ndm_bits_f64(shifted)};
  return sqrt(-2 * ndm_log_f64(ndi_open_unit(upper))) * ndm_wave(angle, 1);
}

#ifdef __AVX2__
/* nd_philox of several numbers side by side, in lanes of 64 bits: products read the lower half of a
 * lane, and the upper one may be anything. */
#ifdef __AVX512F__
typedef __m512i lanes;
#define V(name) ND_CAT(_mm512_, name)
#define LANES_OF(x) _mm512_set1_epi64((long long)(x))
#else
typedef __m256i lanes;
#define V(name) ND_CAT(_mm256_, name)
#define LANES_OF(x) _mm256_set1_epi64x((long long)(x))
#endif

static void make_blocks(chunk *c, int n, const ndi_random *r, uint64_t first) {
  enum { LANES = sizeof(lanes) / 8 };
  const uint64_t call_number = r->call_number | (uint64_t)n << 48;
  const lanes low_half = LANES_OF(UINT32_MAX);
  uint64_t numbers[CHUNK];
  for (size_t i = 0; i < CHUNK; i++) numbers[i] = first + i;
  for (size_t i = 0; i < CHUNK; i += LANES) {
    lanes c0, k0 = LANES_OF(r->seed), k1 = LANES_OF(r->seed >> 32);
    memcpy(&c0, numbers + i, sizeof c0);
    lanes c1 = V(srli_epi64)(c0, 32), c2 = LANES_OF(call_number), c3 = LANES_OF(call_number >> 32);
    _Pragma("GCC unroll 10") for (int round = 0; round < ND_PHILOX_ROUNDS; round++) {
      const lanes a = V(mul_epu32)(LANES_OF(ND_PHILOX_A), c0);
      const lanes b = V(mul_epu32)(LANES_OF(ND_PHILOX_B), c2);
      c0 = V(srli_epi64)(b, 32) ^ c1 ^ k0;
      c1 = b;
      c2 = V(srli_epi64)(a, 32) ^ c3 ^ k1;
      c3 = a;
      k0 = V(add_epi64)(k0, LANES_OF(ND_PHILOX_STEP_0)); /* += of signed lanes must not wrap */
      k1 = V(add_epi64)(k1, LANES_OF(ND_PHILOX_STEP_1));
    }
    const lanes upper = V(slli_epi64)(c0, 32) | (c1 & low_half);
    const lanes lower = V(slli_epi64)(c2, 32) | (c3 & low_half);
    memcpy(c->upper[n] + i, &upper, sizeof upper);
    memcpy(c->lower[n] + i, &lower, sizeof lower);
  }
}
#else
/* The n-th block of each number of the chunk. */
static void make_blocks(chunk *c, int n, const ndi_random *r, uint64_t first) {
  for (size_t i = 0; i < CHUNK; i++) {
    const nd_philox_block b = nd_philox(r->seed, first + i, r->call_number | (uint64_t)n << 48);
    c->upper[n][i] = b.upper, c->lower[n][i] = b.lower;
  }
}
#endif

/* A number below 1 that is not rounded to 1, although it may have more bits than the dtype. */
static inline double least_of(double x, double limit) { return x < limit ? x : limit; }

/* 24 bits for f32, as many as it has: 53 could be rounded up to 1. */
static void draw_uniform(chunk *c, nd_dtype dtype) {
  const uint64_t mask = dtype == ND_F32 ? ~UINT64_C(0xffffffffff) : UINT64_MAX;
  const double limit = dtype == ND_F16 ? 1 - 0x1p-11 : dtype == ND_BF16 ? 1 - 0x1p-8 : 1;
  for (size_t i = 0; i < CHUNK; i++) {
    const double unit = least_of(ndi_unit(c->upper[0][i] & mask), limit);
    c->made[i] = c->of[0][i] + (c->of[1][i] - c->of[0][i]) * unit;
  }
}

static void draw_normal(chunk *c) {
  for (size_t i = 0; i < CHUNK; i++)
    c->made[i] = c->of[0][i] + c->of[1][i] * normal(c->upper[0][i], c->lower[0][i]);
}

static void draw_exponential(chunk *c) {
  for (size_t i = 0; i < CHUNK; i++)
    c->made[i] = c->of[0][i] * -ndm_log_f64(ndi_open_unit(c->upper[0][i]));
}

/* {=== runs ===} */

/* What the distributions of several tries keep from one number to the next. */
typedef struct {
  ndi_gamma gamma[2];
  ndi_poisson poisson;
  ndi_binomial binomial;
} kept;

/* Blocks that a number mostly takes. */
static int blocks_of(nd_op op) { return op == ND_OP_GAMMA ? 3 : op == ND_OP_BETA ? 4 : 1; }

static void draw_each(nd_op op, chunk *c, size_t n, const ndi_random *r, uint64_t first, kept *k) {
  for (size_t i = 0; i < n; i++) {
    ndi_source s = {.seed = r->seed,
                    .call_number = r->call_number,
                    .element = first + i,
                    .upper = c->upper[0] + i,
                    .lower = c->lower[0] + i,
                    .ready = (uint64_t)blocks_of(op)};
    const double a = c->of[0][i], b = c->of[1][i];
    if (op == ND_OP_GAMMA) c->made[i] = b * ndi_draw_gamma(&s, a, &k->gamma[0]);
    else if (op == ND_OP_BETA) c->made[i] = ndi_draw_beta(&s, a, b, k->gamma);
    else if (op == ND_OP_POISSON) c->made[i] = ndi_draw_poisson(&s, a, &k->poisson);
    else c->made[i] = ndi_draw_binomial(&s, a, b, &k->binomial);
  }
}

/* Parameter p of 'n' numbers, from number 'done' of the run on. */
static void read_parameter(const ndi_random_run *run, int p, size_t done, size_t n, double *of) {
  const char *at = run->at[p] + (ptrdiff_t)done * run->step[p];
  for (size_t i = 0; i < n; i++, at += run->step[p]) memcpy(&of[i], at, sizeof of[i]);
  for (size_t i = n; i < CHUNK; i++) of[i] = of[0];
}

static void draw(nd_op op, nd_dtype dtype, const ndi_random *r, const ndi_random_run *run) {
  /* the numbers of i64 are whole */
  ndi_cast_kernel *store = ndi_cast_find(dtype, ND_F64, ND_SATURATE);
  chunk c;
  kept k = {0};
  for (size_t done = 0, n; done < run->n; done += n) {
    const uint64_t first = run->first + done;
    n = run->n - done < CHUNK ? run->n - done : CHUNK;
    for (int p = 0; p < 2; p++)
      if (run->step[p] != 0 || done == 0)
        read_parameter(run, p, done, run->step[p] ? n : 1, c.of[p]);
    for (int b = 0; b < blocks_of(op); b++) make_blocks(&c, b, r, first);
    if (op == ND_OP_UNIFORM) draw_uniform(&c, dtype);
    else if (op == ND_OP_NORMAL) draw_normal(&c);
    else if (op == ND_OP_EXPONENTIAL) draw_exponential(&c);
    else draw_each(op, &c, n, r, first, &k);
    store(n, run->z + (ptrdiff_t)done * run->dz, run->dz, (const char *)c.made, sizeof c.made[0]);
  }
}

static void draw_integers(nd_dtype dtype, const ndi_random *r, const ndi_random_run *run,
                          uint64_t lo, uint64_t span) {
  /* ND_WRAP: integers are modulo 2^64, of which a signed or narrower dtype takes the lower bits */
  ndi_cast_kernel *store = ndi_cast_find(dtype, ND_U64, ND_WRAP);
  uint64_t made[CHUNK];
  chunk c;
  for (size_t done = 0, n; done < run->n; done += n) {
    n = run->n - done < CHUNK ? run->n - done : CHUNK;
    make_blocks(&c, 0, r, run->first + done);
    for (size_t i = 0; i < CHUNK; i++) made[i] = lo + in_span(c.upper[0][i], c.lower[0][i], span);
    store(n, run->z + (ptrdiff_t)done * run->dz, run->dz, (const char *)made, sizeof made[0]);
  }
}

/* From the end: place i is exchanged with one of the places 0 … i, drawn from block i. */
static void permute(const ndi_random *r, size_t n, char *z, ptrdiff_t dz) {
  chunk c;
  for (size_t i = 0; i < n; i++) {
    const int64_t value = (int64_t)i + 1;
    memcpy(z + (ptrdiff_t)i * dz, &value, sizeof value);
  }
  for (size_t i = n; i-- > 1;) {
    const size_t k = i % CHUNK;
    if (k == CHUNK - 1 || i == n - 1) make_blocks(&c, 0, r, i - k);
    char *a = z + (ptrdiff_t)i * dz;
    char *b = z + (ptrdiff_t)in_span(c.upper[0][k], c.lower[0][k], i) * dz;
    int64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    memcpy(a, &y, sizeof y);
    memcpy(b, &x, sizeof x);
  }
}

ND_LEVELED(void, ndi_random_draw, draw,
           (nd_op op, nd_dtype dtype, const ndi_random *r, const ndi_random_run *run),
           (op, dtype, r, run))
ND_LEVELED(void, ndi_random_integers, draw_integers,
           (nd_dtype dtype, const ndi_random *r, const ndi_random_run *run, uint64_t lo,
            uint64_t span),
           (dtype, r, run, lo, span))
ND_LEVELED(void, ndi_random_permutation, permute,
           (const ndi_random *r, size_t n, char *z, ptrdiff_t dz), (r, n, z, dz))
