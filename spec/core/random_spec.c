/* Random fills: their numbers, their independence of chunks, and their distributions. */
#include "kern/random.h"

#include "base/philox.h"

#include "values.h"

enum { COUNT = 200, ROOM = COUNT * (WIDEST + 3) + 1 };

static uint64_t seed = 20240610;

static const char *name_of(int dtype) { return nd_dtype_get((nd_dtype)dtype)->name; }

typedef void fill(nd_dtype, size_t, char *, ptrdiff_t, uint64_t, uint64_t, uint64_t);

static void fill_integers(nd_dtype dtype, size_t n, char *z, ptrdiff_t dz, uint64_t key,
                          uint64_t stream, uint64_t first) {
  ndi_random_integers(dtype, n, z, dz, key, stream, first, 3, 100);
}

/* Any split into chunks, and any layout, gives the same numbers. */
static void check_chunks(nd_dtype dtype, fill *random) {
  static char whole[COUNT * WIDEST], z[ROOM];
  const size_t bytes = bytes_of(dtype);
  const uint64_t first = UINT64_MAX - 50; /* the counter wraps within */
  random(dtype, COUNT, whole, (ptrdiff_t)bytes, 7, 9, first);
  for (size_t l = 0; l < 3; l++) {
    const ptrdiff_t dz = step_of(&layouts[l], bytes);
    char *p = first_of(&layouts[l], COUNT, bytes, z);
    memset(z, 0, sizeof z);
    for (size_t at = 0, size; at < COUNT; at += size) {
      size = next_random(&seed) % 90;
      if (size > COUNT - at) size = COUNT - at;
      random(dtype, size, p + (ptrdiff_t)at * dz, dz, 7, 9, first + at);
    }
    for (size_t i = 0; i < COUNT; i++)
      CHECK(memcmp(p + (ptrdiff_t)i * dz, whole + i * bytes, bytes) == 0, "%s, element %zu, %s",
            name_of((int)dtype), i, layouts[l].name);
  }
  random(dtype, COUNT, z, (ptrdiff_t)bytes, 7, 10, first);
  CHECK(memcmp(z, whole, COUNT * bytes) != 0, "%s: another stream", name_of((int)dtype));
  random(dtype, COUNT, z, (ptrdiff_t)bytes, 8, 9, first);
  CHECK(memcmp(z, whole, COUNT * bytes) != 0, "%s: another seed", name_of((int)dtype));
}

static void check_uniform(void) {
  enum { MANY = 20000 };
  static double exact[MANY];
  static char z[MANY * 8];
  ndi_random_uniform(ND_F64, 1, z, 8, 0, 0, 0);
  CHECK(read_bits(z, 8) ==
            model_encode(&model_f64, (long double)(0x6627e8d5e169c58d >> 11) * 0x1p-53L),
        "the known answer of Philox");
  ndi_random_uniform(ND_F64, MANY, (char *)exact, 8, 1, 2, 0);
  double sum = 0, squares = 0;
  for (size_t i = 0; i < MANY; i++) {
    CHECK(exact[i] >= 0 && exact[i] < 1 && exact[i] * 0x1p53 == trunc(exact[i] * 0x1p53), "%a",
          exact[i]);
    sum += exact[i];
    squares += exact[i] * exact[i];
  }
  CHECK(fabs(sum / MANY - 0.5) < 0.01, "mean %g", sum / MANY);
  CHECK(fabs(squares / MANY - 1.0 / 3) < 0.01, "mean square %g", squares / MANY);
  ndi_random_uniform(ND_F32, MANY, z, 4, 1, 2, 0);
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
  ndi_random_uniform(ND_F64, MANY, exact, 8, 3, 4, 0);
  ndi_random_uniform(dtype, MANY, z, 2, 3, 4, 0);
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
  ndi_random_normal(ND_F64, MANY, exact, 8, 5, 6, 0);
  ndi_random_normal(dtype, MANY, z, 2, 5, 6, 0);
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
  ndi_random_normal(ND_F64, MANY, (char *)z, 8, 5, 6, 0);
  ndi_random_normal(ND_F32, MANY, (char *)narrow, 4, 5, 6, 0);
  for (size_t i = 0; i < MANY; i++) {
    const nd_philox_block b = nd_philox(5, i, 6);
    const uint64_t upper = (uint64_t)b.v[0] << 32 | b.v[1], lower = (uint64_t)b.v[2] << 32 | b.v[3];
    const double u = (double)((upper >> 11) + 1) * 0x1p-53; /* above 0 */
    const double v = (double)(lower >> 11) * 0x1p-53;
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
  ndi_random_integers(dtype, MANY, z, (ptrdiff_t)bytes, 11, 12, 0, (uint64_t)lo, 9);
  for (size_t i = 0; i < MANY; i++) {
    const long double at = read_real(dtype, z + i * bytes, bytes) - (long double)lo;
    CHECK(at >= 0 && at <= 9, "%s: %Lg", name_of((int)dtype), at);
    if (at >= 0 && at <= 9) seen[(int)at]++;
  }
  for (size_t i = 0; i < 10; i++)
    CHECK(seen[i] > 1800 && seen[i] < 2200, "%s: %zu %zu", name_of((int)dtype), i, seen[i]);
  const uint64_t span = ~UINT64_C(0) >> (64 - 8 * bytes);
  const int64_t least = is_signed ? -(int64_t)(span / 2) - 1 : 0;
  ndi_random_integers(dtype, 8, z, (ptrdiff_t)bytes, 0, 0, 0, (uint64_t)least, span);
  const uint64_t top = (UINT64_C(0x6627e8d5e169c58d) >> (64 - 8 * bytes)) + (uint64_t)least;
  CHECK(read_bits(z, bytes) == (top & span), "%s: the whole range", name_of((int)dtype));
  ndi_random_integers(dtype, 8, z, (ptrdiff_t)bytes, 0, 0, 0, 5, 0);
  for (size_t i = 0; i < 8; i++)
    CHECK(read_bits(z + i * bytes, bytes) == 5, "%s: no span", name_of((int)dtype));
}

static void check_permutation(size_t n, const layout *l) {
  static char z[ROOM];
  bool seen[COUNT] = {false};
  const ptrdiff_t dz = step_of(l, 8);
  char *p = first_of(l, n, 8, z);
  ndi_random_permutation(n, p, dz, 13, 14);
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
    ndi_random_permutation(3, (char *)z, 8, try, 0);
    orders[z[0] - 1][z[1] - 1]++;
  }
  for (size_t a = 0; a < 3; a++)
    for (size_t b = 0; b < 3; b++)
      CHECK(a == b ? orders[a][b] == 0 : orders[a][b] > 1800 && orders[a][b] < 2200, "%zu",
            orders[a][b]);
}

int main(void) {
  printf("# seed %" PRIu64 "\n", seed);
  group("any split into chunks gives the same random numbers");
  for (int dtype = 0; dtype < ND_DTYPE_COUNT; dtype++) {
    if (ndi_random_has((nd_dtype)dtype)) check_chunks((nd_dtype)dtype, ndi_random_uniform);
    if (ndi_random_has((nd_dtype)dtype)) check_chunks((nd_dtype)dtype, ndi_random_normal);
    if (nd_kind_is_integer(nd_dtype_get((nd_dtype)dtype)->kind))
      check_chunks((nd_dtype)dtype, fill_integers);
  }
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
