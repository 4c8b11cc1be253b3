/* Random fills: their numbers, their independence of chunks, and their distributions. */
#include "kern/random.h"

#include "base/philox.h"
#include "kern/level.h"

#include "values.h"

enum { COUNT = 200, ROOM = COUNT * (WIDEST + 3) + 1 };

static uint64_t seed = 20240610;

static const char *name_of(int dtype) { return nd_dtype_get((nd_dtype)dtype)->name; }

/* Fill 'n' elements by 'op': INTEGERS are 3 … 103, the others have the parameters in 'of'. */
static const double standard[] = {0, 1};

static void fill_of(nd_op op, const double *of, nd_dtype dtype, size_t n, char *z, ptrdiff_t dz,
                    uint64_t key, uint64_t stream, uint64_t first) {
  const ndi_random random = {key, stream};
  const ndi_random_run run = {
      .first = first, .n = n, .z = z, .dz = dz, .at = {(const char *)&of[0], (const char *)&of[1]}};
  if (op == ND_OP_INTEGERS) ndi_random_integers(dtype, &random, &run, 3, 100);
  else ndi_random_draw(op, dtype, &random, &run);
}

static void fill(nd_op op, nd_dtype dtype, size_t n, void *z, ptrdiff_t dz, uint64_t key,
                 uint64_t stream, uint64_t first) {
  fill_of(op, standard, dtype, n, z, dz, key, stream, first);
}

static void fill_integers(nd_dtype dtype, size_t n, char *z, ptrdiff_t dz, uint64_t key,
                          uint64_t stream, uint64_t lo, uint64_t span) {
  const ndi_random random = {key, stream};
  const ndi_random_run run = {.n = n, .z = z, .dz = dz};
  ndi_random_integers(dtype, &random, &run, lo, span);
}

/* Any split into chunks, and any layout, gives the same numbers. */
static void check_chunks(nd_dtype dtype, nd_op op, const double *of) {
  static char whole[COUNT * WIDEST], z[ROOM];
  const size_t bytes = bytes_of(dtype);
  const uint64_t first = UINT64_MAX - 50; /* the counter wraps within */
  fill_of(op, of, dtype, COUNT, whole, (ptrdiff_t)bytes, 7, 9, first);
  for (size_t l = 0; l < 3; l++) {
    const ptrdiff_t dz = step_of(&layouts[l], bytes);
    char *p = first_of(&layouts[l], COUNT, bytes, z);
    memset(z, 0, sizeof z);
    for (size_t at = 0, size; at < COUNT; at += size) {
      size = next_random(&seed) % 90;
      if (size > COUNT - at) size = COUNT - at;
      fill_of(op, of, dtype, size, p + (ptrdiff_t)at * dz, dz, 7, 9, first + at);
    }
    for (size_t i = 0; i < COUNT; i++)
      CHECK(memcmp(p + (ptrdiff_t)i * dz, whole + i * bytes, bytes) == 0, "%s, element %zu, %s",
            name_of((int)dtype), i, layouts[l].name);
  }
  fill_of(op, of, dtype, COUNT, z, (ptrdiff_t)bytes, 7, 10, first);
  CHECK(memcmp(z, whole, COUNT * bytes) != 0, "%s: another stream", name_of((int)dtype));
  fill_of(op, of, dtype, COUNT, z, (ptrdiff_t)bytes, 8, 9, first);
  CHECK(memcmp(z, whole, COUNT * bytes) != 0, "%s: another seed", name_of((int)dtype));
}

static void check_uniform(void) {
  enum { MANY = 20000 };
  static double exact[MANY];
  static char z[MANY * 8];
  fill(ND_OP_UNIFORM, ND_F64, 1, z, 8, 0, 0, 0);
  CHECK(read_bits(z, 8) ==
            model_encode(&model_f64, (long double)(0x6627e8d5e169c58d >> 11) * 0x1p-53L),
        "the known answer of Philox");
  fill(ND_OP_UNIFORM, ND_F64, MANY, exact, 8, 1, 2, 0);
  double sum = 0, squares = 0;
  for (size_t i = 0; i < MANY; i++) {
    CHECK(exact[i] >= 0 && exact[i] < 1 && exact[i] * 0x1p53 == trunc(exact[i] * 0x1p53), "%a",
          exact[i]);
    sum += exact[i];
    squares += exact[i] * exact[i];
  }
  CHECK(fabs(sum / MANY - 0.5) < 0.01, "mean %g", sum / MANY);
  CHECK(fabs(squares / MANY - 1.0 / 3) < 0.01, "mean square %g", squares / MANY);
  fill(ND_OP_UNIFORM, ND_F32, MANY, z, 4, 1, 2, 0);
  for (size_t i = 0; i < MANY; i++)
    CHECK(read_real(ND_F32, z + 4 * i, 4) == floorl((long double)exact[i] * 0x1p24L) * 0x1p-24L,
          "f32 %zu", i);
}

/* The nearest code to the f64; instead of 1 the one below. */
static void check_uniform_halves(nd_dtype dtype) {
  enum { MANY = 100000 };
  static char z[MANY * 2], exact[MANY * 8];
  const model_format *format = format_of(dtype);
  const uint64_t one = model_encode(format, 1);
  size_t ones = 0;
  fill(ND_OP_UNIFORM, ND_F64, MANY, exact, 8, 3, 4, 0);
  fill(ND_OP_UNIFORM, dtype, MANY, z, 2, 3, 4, 0);
  for (size_t i = 0; i < MANY; i++) {
    const uint64_t code = read_bits(z + 2 * i, 2);
    uint64_t wanted = model_encode(format, read_real(ND_F64, exact + 8 * i, 8));
    if (wanted == one) wanted--, ones++;
    CHECK(code == wanted, "%s %#" PRIx64 ", not %#" PRIx64, format->name, code, wanted);
  }
  CHECK(ones > 0, "%s: none that would be 1", format->name);
}

/* As the doubles are, rounded once. */
static void check_normal_halves(nd_dtype dtype) {
  enum { MANY = 20000 };
  static char z[MANY * 2], exact[MANY * 8];
  fill(ND_OP_NORMAL, ND_F64, MANY, exact, 8, 5, 6, 0);
  fill(ND_OP_NORMAL, dtype, MANY, z, 2, 5, 6, 0);
  for (size_t i = 0; i < MANY; i++)
    CHECK(read_bits(z + 2 * i, 2) ==
              model_encode(format_of(dtype), read_real(ND_F64, exact + 8 * i, 8)),
          "%s %zu", format_of(dtype)->name, i);
}

static void check_normal(void) {
  enum { MANY = 100000 };
  static double z[MANY];
  static float narrow[MANY];
  double sum = 0, squares = 0;
  size_t within = 0;
  fill(ND_OP_NORMAL, ND_F64, MANY, z, 8, 5, 6, 0);
  fill(ND_OP_NORMAL, ND_F32, MANY, narrow, 4, 5, 6, 0);
  for (size_t i = 0; i < MANY; i++) {
    const nd_philox_block b = nd_philox(5, i, 6);
    const double u = (double)((b.upper >> 11) + 1) * 0x1p-53; /* above 0 */
    const double v = (double)(b.lower >> 11) * 0x1p-53;
    const double want = sqrt(-2 * log(u)) * cos(2 * acos(-1.0) * v);
    CHECK(fabs(z[i] - want) < 1e-14 && narrow[i] == (float)z[i], "element %zu: %g, not %g", i, z[i],
          want);
    sum += z[i];
    squares += z[i] * z[i];
    within += fabs(z[i]) < 1;
  }
  CHECK(fabs(sum / MANY) < 0.02, "mean %g", sum / MANY);
  CHECK(fabs(squares / MANY - 1) < 0.02, "variance %g", squares / MANY);
  CHECK(fabs((double)within / MANY - 0.682689) < 0.01, "within one deviation: %zu", within);
}

static void check_integers(nd_dtype dtype) {
  enum { MANY = 20000 };
  static char z[MANY * 8];
  const size_t bytes = bytes_of(dtype);
  const bool is_signed = nd_dtype_get(dtype)->kind == ND_KIND_INT;
  const int64_t lo = is_signed ? -4 : 3; /* modulo 2^64 */
  size_t seen[10] = {0};
  fill_integers(dtype, MANY, z, (ptrdiff_t)bytes, 11, 12, (uint64_t)lo, 9);
  for (size_t i = 0; i < MANY; i++) {
    const long double at = read_real(dtype, z + i * bytes, bytes) - (long double)lo;
    CHECK(at >= 0 && at <= 9, "%s: %Lg", name_of((int)dtype), at);
    if (at >= 0 && at <= 9) seen[(int)at]++;
  }
  for (size_t i = 0; i < 10; i++)
    CHECK(seen[i] > 1800 && seen[i] < 2200, "%s: %zu %zu", name_of((int)dtype), i, seen[i]);
  const uint64_t span = ~UINT64_C(0) >> (64 - 8 * bytes);
  const int64_t least = is_signed ? -(int64_t)(span / 2) - 1 : 0;
  fill_integers(dtype, 8, z, (ptrdiff_t)bytes, 0, 0, (uint64_t)least, span);
  const uint64_t top = (UINT64_C(0x6627e8d5e169c58d) >> (64 - 8 * bytes)) + (uint64_t)least;
  CHECK(read_bits(z, bytes) == (top & span), "%s: the whole range", name_of((int)dtype));
  fill_integers(dtype, 8, z, (ptrdiff_t)bytes, 0, 0, 5, 0);
  for (size_t i = 0; i < 8; i++)
    CHECK(read_bits(z + i * bytes, bytes) == 5, "%s: no span", name_of((int)dtype));
}

static void check_permutation(size_t n, const layout *l) {
  static char z[ROOM];
  bool seen[COUNT] = {false};
  const ptrdiff_t dz = step_of(l, 8);
  char *p = first_of(l, n, 8, z);
  ndi_random_permutation(&(ndi_random){13, 14}, n, p, dz);
  for (size_t i = 0; i < n; i++) {
    const uint64_t at = read_bits(p + (ptrdiff_t)i * dz, 8) - 1;
    CHECK(at < n && !seen[at], "%zu: %" PRIu64, n, at);
    if (at < n) seen[at] = true;
  }
}

static void check_permutations(void) {
  enum { TRIES = 12000 };
  const size_t sizes[] = {0, 1, 2, 3, 10, COUNT};
  for (size_t i = 0; i < ND_COUNTOF(sizes); i++)
    for (size_t l = 0; l < 3; l++) check_permutation(sizes[i], &layouts[l]);
  size_t orders[3][3] = {{0}};
  for (uint64_t try = 0; try < TRIES; try++) {
    int64_t z[3];
    ndi_random_permutation(&(ndi_random){try, 0}, 3, (char *)z, 8);
    orders[z[0] - 1][z[1] - 1]++;
  }
  for (size_t a = 0; a < 3; a++)
    for (size_t b = 0; b < 3; b++)
      CHECK(a == b ? orders[a][b] == 0 : orders[a][b] > 1800 && orders[a][b] < 2200, "%zu",
            orders[a][b]);
}

/* All levels of the processor give the same bits. */
static void check_levels(nd_op op, nd_dtype dtype, const double *of) {
  static char z[3][COUNT * 8];
  const int levels[] = {1, 3, 4};
  for (int i = 0; i < 3; i++) {
    ndi_level_limit(levels[i]);
    fill_of(op, of, dtype, COUNT, z[i], (ptrdiff_t)bytes_of(dtype), 17, 18, UINT32_MAX - 99);
  }
  for (int i = 1; i < 3; i++)
    CHECK(memcmp(z[0], z[i], COUNT * bytes_of(dtype)) == 0, "%s at level %d", nd_op_get(op)->name,
          levels[i]);
}

int main(void) {
  printf("# seed %" PRIu64 "\n", seed);
  group("any split into chunks gives the same random numbers");
  for (int dtype = 0; dtype < ND_DTYPE_COUNT; dtype++) {
    const nd_dtype_traits *traits = nd_dtype_get((nd_dtype)dtype);
    if (nd_kind_is_integer(traits->kind)) check_chunks((nd_dtype)dtype, ND_OP_INTEGERS, standard);
    if (traits->kind != ND_KIND_FLOAT || traits->bytes < 2) continue;
    for (nd_op op = ND_OP_UNIFORM; op <= ND_OP_BETA; op++)
      check_chunks((nd_dtype)dtype, op, op < ND_OP_EXPONENTIAL ? standard : (double[]){0.7, 3});
  }
  for (double mean = 3; mean < 400; mean *= 10) {
    check_chunks(ND_I64, ND_OP_POISSON, (double[]){mean, 0});
    check_chunks(ND_I64, ND_OP_BINOMIAL, (double[]){1000, mean / 1000});
  }
  group("the same bits at every level of the processor");
  check_levels(ND_OP_INTEGERS, ND_U64, standard);
  for (nd_op op = ND_OP_UNIFORM; op <= ND_OP_EXPONENTIAL; op++) check_levels(op, ND_F64, standard);
  for (nd_op op = ND_OP_GAMMA; op <= ND_OP_BETA; op++) check_levels(op, ND_F64, (double[]){0.7, 3});
  check_levels(ND_OP_POISSON, ND_I64, (double[]){30, 0});
  check_levels(ND_OP_BINOMIAL, ND_I64, (double[]){100, 0.4});
  group("uniform");
  check_uniform();
  check_uniform_halves(ND_F16);
  check_uniform_halves(ND_BF16);
  group("normal");
  check_normal();
  check_normal_halves(ND_F16);
  check_normal_halves(ND_BF16);
  group("integers");
  for (int dtype = ND_I8; dtype <= ND_U64; dtype++) check_integers((nd_dtype)dtype);
  group("permutations");
  check_permutations();
  return finish();
}
