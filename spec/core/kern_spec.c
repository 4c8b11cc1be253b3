/* Gather, arithmetic and comparison kernels, and the form that comparisons go through. */
#include "base/exact.h"
#include "kern/compare.h"
#include "kern/elementwise.h"
#include "kern/gather.h"
#include "kern/index_add.h"
#include "kern/reduce.h"

#include "levels.h"
#include "values.h"

enum { COUNT = 200, ROOM = COUNT * (WIDEST + 3) + 1 };

static uint64_t seed = 20240609;

static const char *name_of(int dtype) { return nd_dtype_get((nd_dtype)dtype)->name; }

static void fill_random(char *p, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) p[i] = (char)(next_random(&seed) & 0xff);
}

static const size_t items[] = {1, 2, 4, 8, 16};

/* Indices that resolve to 'extent' places from both ends. */
static void fill_indices(int64_t *index, size_t *place, size_t n, size_t extent) {
  for (size_t i = 0; i < n; i++) {
    place[i] = next_random(&seed) % extent;
    index[i] = (int64_t)place[i] + (next_random(&seed) & 1 ? 1 : -(int64_t)extent);
  }
}

static void check_index(void) {
  const struct {
    int64_t index;
    bool good;
  } cases[] = {{1, true},  {5, true},   {-1, true},         {-5, true},        {0, false},
               {6, false}, {-6, false}, {INT64_MAX, false}, {INT64_MIN, false}};
  for (size_t i = 0; i < ND_COUNTOF(cases); i++) {
    const int64_t indices[] = {1, cases[i].index, 1};
    CHECK(ndi_index_check(3, (const char *)indices, 8, 5) == (cases[i].good ? 3 : 1), "%" PRId64,
          cases[i].index);
    CHECK(ndi_index_check(2, (const char *)(indices + 2), -8, 5) == (cases[i].good ? 2 : 1),
          "%" PRId64, cases[i].index);
    CHECK(ndi_index_check(1, (const char *)(indices + 1), 0, 0) == 0, "nothing to point at");
  }
  CHECK(ndi_index_check(0, NULL, 8, 0) == 0, "none");
}

static void check_take(size_t item, const layout *l) {
  enum { EXTENT = 37 };
  static char x[ROOM], z[ROOM], at[ROOM], data[EXTENT * WIDEST];
  int64_t index[COUNT];
  size_t place[COUNT];
  const ptrdiff_t step = step_of(l, item), di = step_of(&layouts[1], 8);
  fill_random(data, sizeof data);
  fill_indices(index, place, COUNT, EXTENT);
  const char *first = lay_out(l, EXTENT, item, data, x);
  const char *indices = lay_out(&layouts[1], COUNT, 8, (const char *)index, at);
  char *out = first_of(&layouts[2], COUNT, item, z);
  const ptrdiff_t dz = step_of(&layouts[2], item);
  CHECK(ndi_index_check(COUNT, indices, di, EXTENT) == COUNT, "good");
  ndi_take(item, COUNT, out, dz, first, step, EXTENT, indices, di);
  for (size_t i = 0; i < COUNT; i++)
    CHECK(memcmp(out + (ptrdiff_t)i * dz, first + (ptrdiff_t)place[i] * step, item) == 0, "%zu %s",
          i, l->name);
}

static void check_put(size_t item, const layout *l) {
  enum { EXTENT = 37 };
  static char x[ROOM], z[ROOM], data[COUNT * WIDEST];
  int64_t index[COUNT];
  size_t place[COUNT];
  const ptrdiff_t dx = step_of(l, item), dz = step_of(&layouts[2], item);
  fill_random(data, sizeof data);
  memset(z, 0, sizeof z);
  fill_indices(index, place, COUNT, EXTENT - 1); /* one place more stays as it was */
  for (size_t i = 0; i < COUNT; i++)
    if (index[i] < 0) index[i] -= 1;
  const char *first = lay_out(l, COUNT, item, data, x);
  char *out = first_of(&layouts[2], EXTENT, item, z);
  ndi_put(item, COUNT, out, dz, EXTENT, (const char *)index, 8, first, dx);
  for (size_t k = 0; k < EXTENT; k++) {
    char want[WIDEST] = {0};
    for (size_t i = 0; i < COUNT; i++)
      if (place[i] == k) memcpy(want, first + (ptrdiff_t)i * dx, item);
    CHECK(memcmp(out + (ptrdiff_t)k * dz, want, item) == 0, "%zu bytes, place %zu, %s", item, k,
          l->name);
  }
}

static void check_mask(size_t item, const layout *lx, const layout *lm) {
  static char x[ROOM], z[ROOM], m[ROOM], data[COUNT * WIDEST], mask[COUNT];
  const ptrdiff_t dx = step_of(lx, item), dm = step_of(lm, 1);
  size_t used = 0;
  fill_random(data, sizeof data);
  fill_random(mask, sizeof mask);
  for (size_t i = 0; i < COUNT; i++)
    if (mask[i] & 0x10) mask[i] = 0;
  const char *first = lay_out(lx, COUNT, item, data, x), *bits = lay_out(lm, COUNT, 1, mask, m);
  const size_t count = ndi_mask_count(COUNT, bits, dm);
  memset(z, 0x5a, sizeof z);
  CHECK(ndi_mask_select(item, COUNT, z, count, first, dx, bits, dm) == count, "%zu", count);
  for (size_t i = 0; i < COUNT; i++)
    if (bits[(ptrdiff_t)i * dm])
      CHECK(!memcmp(z + item * used++, first + (ptrdiff_t)i * dx, item), "%zu", i);
  CHECK(used == count, "%zu of %zu", used, count);
  for (size_t i = 0; i < item; i++) CHECK(z[count * item + i] == 0x5a, "%zu past the end", i);

  const size_t half = count /
                      2; /* as if the mask had got more true elements since it was counted */
  memset(z, 0x5a, sizeof z);
  CHECK(ndi_mask_select(item, COUNT, z, half, first, dx, bits, dm) == half, "%zu", half);
  for (size_t i = 0; i < item; i++) CHECK(z[half * item + i] == 0x5a, "%zu past half", i);
  CHECK(ndi_mask_assign(item, COUNT, z, (ptrdiff_t)item, bits, dm, first, dx, half) == half, "%zu",
        half);

  char *back = first_of(&layouts[2], COUNT, item, z);
  const ptrdiff_t dz = step_of(&layouts[2], item);
  memset(z, 0, sizeof z);
  CHECK(ndi_mask_assign(item, COUNT, back, dz, bits, dm, first, dx, count) == count, "%zu", count);
  used = 0;
  for (size_t i = 0; i < COUNT; i++) {
    char want[WIDEST] = {0};
    if (bits[(ptrdiff_t)i * dm]) memcpy(want, first + (ptrdiff_t)used++ * dx, item);
    CHECK(memcmp(back + (ptrdiff_t)i * dz, want, item) == 0, "%zu bytes, %zu, %s", item, i,
          lx->name);
  }
}

static void check_gather(void) {
  group("indices are checked");
  check_index();
  group("take and put follow 1-based and negative indices");
  for (size_t i = 0; i < ND_COUNTOF(items); i++)
    for (size_t l = 0; l < ND_COUNTOF(layouts); l++) check_take(items[i], &layouts[l]);
  for (size_t i = 0; i < ND_COUNTOF(items); i++)
    for (size_t l = 0; l < ND_COUNTOF(layouts); l++) check_put(items[i], &layouts[l]);
  group("masks count, select and assign");
  for (size_t i = 0; i < ND_COUNTOF(items); i++)
    for (size_t l = 0; l < ND_COUNTOF(layouts); l++)
      for (size_t m = 0; m < ND_COUNTOF(layouts); m++)
        check_mask(items[i], &layouts[l], &layouts[m]);
}

static bool is_sum_part(nd_dtype dtype, const char *z, const char *x, const char *y, size_t bytes) {
  const model_format *format = format_of(dtype);
  const uint64_t got = read_bits(z, bytes), mask = ~UINT64_C(0) >> (64 - 8 * bytes);
  const uint64_t a = read_bits(x, bytes), b = read_bits(y, bytes);
  if (dtype == ND_BOOL) return got == (a != 0 || b != 0);
  if (!format) return got == ((a + b) & mask);
  long double sum = model_decode(format, a) + model_decode(format, b);
  if (dtype == ND_BF16)
    sum = (long double)((float)model_decode(format, a) + (float)model_decode(format, b));
  if (bytes == 8)
    sum = (long double)((double)model_decode(format, a) + (double)model_decode(format, b));
  return isnan(sum) ? isnan(model_decode(format, got)) : got == model_encode(format, sum);
}

static bool is_sum(nd_dtype dtype, const char *z, const char *x, const char *y) {
  const size_t bytes = bytes_of(dtype), half = bytes / 2;
  if (!is_complex(dtype)) return is_sum_part(dtype, z, x, y, bytes);
  return is_sum_part(dtype, z, x, y, half) &&
         is_sum_part(dtype, z + half, x + half, y + half, half);
}

static void check_add(nd_dtype dtype, const layout *lz, const layout *lx) {
  static char x[COUNT * WIDEST], y[COUNT * WIDEST], left[ROOM], right[ROOM];
  const size_t bytes = bytes_of(dtype);
  const ptrdiff_t dz = step_of(lz, bytes), dx = step_of(lx, bytes);
  fill_values(dtype, x, COUNT, &seed);
  fill_values(dtype, y, COUNT, &seed);
  for (size_t i = 0; i + 3 < COUNT; i += 2)
    memcpy(y + i * bytes, x + (i * 7 % COUNT) * bytes, bytes);
  char *z = lay_out(lz, COUNT, bytes, x, left);
  const char *b = lay_out(lx, COUNT, bytes, y, right);
  ndi_index_add_find(dtype)(COUNT, z, dz, b, dx);
  for (size_t i = 0; i < COUNT; i++)
    CHECK(is_sum(dtype, z + (ptrdiff_t)i * dz, x + i * bytes, b + (ptrdiff_t)i * dx),
          "%s, element %zu, %s to %s", name_of((int)dtype), i, lx->name, lz->name);
  memcpy(left, x, COUNT * bytes);
  ndi_index_add_find(dtype)(COUNT, left, (ptrdiff_t)bytes, left, (ptrdiff_t)bytes);
  for (size_t i = 0; i < COUNT; i++)
    CHECK(is_sum(dtype, left + i * bytes, x + i * bytes, x + i * bytes), "%s doubled, element %zu",
          name_of((int)dtype), i);
}

static void check_arith(void) {
  group("add in every dtype and layout");
  for (int dtype = 0; dtype < ND_DTYPE_COUNT; dtype++)
    for (size_t z = 0; z < 3; z++)
      for (size_t x = 0; x < ND_COUNTOF(layouts); x++)
        check_add((nd_dtype)dtype, &layouts[z], &layouts[x]);
  group("add to one element accumulates");
  int32_t total = 0, ones[COUNT];
  for (size_t i = 0; i < COUNT; i++) ones[i] = (int32_t)i;
  ndi_index_add_find(ND_I32)(COUNT, (char *)&total, 0, (const char *)ones, 4);
  CHECK(total == COUNT * (COUNT - 1) / 2, "%" PRId32, total);
}

static bool are_equal(nd_dtype dtype, const char *x, const char *y) {
  const value a = read_value(dtype, x), b = read_value(dtype, y);
  return a.re == b.re && a.im == b.im;
}

/* The arrays differ in one element that is not NaN; every pair of values decides as the model
 * does. */
static void check_equal(nd_dtype dtype) {
  static char x[COUNT * WIDEST], a[ROOM], b[ROOM], packed[COUNT * WIDEST];
  const size_t bytes = bytes_of(dtype);
  ndi_equal_kernel *equal = ndi_equal_find(dtype);
  ndi_close_kernel *close = ndi_close_find(dtype);
  fill_values(dtype, x, COUNT, &seed);
  for (size_t i = 0; i < COUNT; i++)
    for (size_t j = 0; j < COUNT; j += i % 5 + 1) {
      const char *p = x + i * bytes, *q = x + j * bytes;
      CHECK((equal(1, p, 0, q, 0) == 1) == are_equal(dtype, p, q), "%s %zu %zu",
            name_of((int)dtype), i, j);
      CHECK((close(1, p, 0, q, 0, 0, 0) == 1) == are_equal(dtype, p, q), "%s %zu %zu",
            name_of((int)dtype), i, j);
    }
  size_t good = 0;
  for (size_t i = 0; i < COUNT; i++)
    if (are_equal(dtype, x + i * bytes, x + i * bytes))
      memmove(packed + good++ * bytes, x + i * bytes, bytes);
  for (size_t l = 0; l < 3; l++) {
    const ptrdiff_t step = step_of(&layouts[l], bytes);
    char *p = lay_out(&layouts[l], good, bytes, packed, a);
    char *q = lay_out(&layouts[1], good, bytes, packed, b);
    const ptrdiff_t dq = step_of(&layouts[1], bytes);
    CHECK(equal(good, p, step, q, dq) == good, "%s, %s", name_of((int)dtype), layouts[l].name);
    for (size_t k = 0; k < good; k += 13) {
      char kept[WIDEST];
      char *at = p + (ptrdiff_t)k * step;
      memcpy(kept, at, bytes);
      for (size_t v = 0; are_equal(dtype, at, packed + k * bytes); v++)
        memcpy(at, packed + v * bytes, bytes);
      CHECK(equal(good, p, step, q, dq) == k, "%s, %s, %zu", name_of((int)dtype), layouts[l].name,
            k);
      CHECK(close(good, p, step, q, dq, 0, 0) == k, "%s, %s, %zu", name_of((int)dtype),
            layouts[l].name, k);
      memcpy(at, kept, bytes);
    }
  }
}

/* 1 when 'a' and 'b' are close, else 0. */
#define CLOSE(ID, type, a, b, rtol, atol) \
  ndi_close_find(ND_##ID)(1, (const char *)&(type){a}, 0, (const char *)&(type){b}, 0, rtol, atol)

static void check_close(void) {
  const double inf = (double)INFINITY, nan = (double)NAN;
  CHECK(CLOSE(F64, double, 1.0, 1.25, 0, 0.25), "within atol");
  CHECK(!CLOSE(F64, double, 1.0, 1.25, 0, 0.2), "beyond atol");
  CHECK(CLOSE(F64, double, 9, 10, 0.1, 0) && !CLOSE(F64, double, 10, 9, 0.1, 0), "rtol is of y");
  CHECK(CLOSE(F64, double, -9, -10, 0.1, 0), "rtol of a negative y");
  CHECK(CLOSE(F64, double, inf, inf, 0, 0) && !CLOSE(F64, double, inf, -inf, 1, 1), "infinities");
  CHECK(!CLOSE(F64, double, 1, inf, 1, 1) && !CLOSE(F64, double, inf, 1, 1, inf),
        "infinity and one");
  CHECK(!CLOSE(F64, double, nan, nan, 1, inf), "NaN");
  CHECK(!CLOSE(F64, double, -1.7e308, 1.7e308, 0.1, 0), "a gap that overflows");
  CHECK(CLOSE(F32, float, 1, 1.0000001f, 1e-6, 0), "f32");
  CHECK(!CLOSE(I64, int64_t, INT64_MAX, INT64_MAX - 1, 0, 0), "i64 by one");
  CHECK(CLOSE(I64, int64_t, INT64_MAX, INT64_MAX - 1, 0, 1), "i64 by one, atol 1");
  CHECK(!CLOSE(I64, int64_t, INT64_MIN, INT64_MAX, 0, 1e18), "i64 ends");
  CHECK(CLOSE(I64, int64_t, INT64_MIN, INT64_MAX, 0, 1e20), "i64 ends, wide");
  CHECK(CLOSE(I64, int64_t, -110, -100, 0.1, 0), "rtol of a negative integer");
  CHECK(!CLOSE(U64, uint64_t, UINT64_MAX, UINT64_MAX - 1, 0, 0.5), "u64 by one");
  CHECK(CLOSE(U8, uint8_t, 3, 5, 0, 2) && !CLOSE(U8, uint8_t, 3, 6, 0, 2), "u8");
  CHECK(CLOSE(BOOL, uint8_t, 1, 255, 0, 0) && !CLOSE(BOOL, uint8_t, 0, 255, 0, 0.5),
        "bool by truth");
  const double a[2] = {3, 4}, b[2] = {0, 0}, c[2] = {inf, 1}, d[2] = {nan, 1};
  ndi_close_kernel *close = ndi_close_find(ND_C128);
  CHECK(close(1, (const char *)a, 0, (const char *)b, 0, 0, 5) == 1, "the gap of 3+4i is 5");
  CHECK(close(1, (const char *)a, 0, (const char *)b, 0, 0, 4.9) == 0, "the gap of 3+4i is 5");
  CHECK(close(1, (const char *)c, 0, (const char *)c, 0, 0, 0) == 1, "equal infinities");
  CHECK(close(1, (const char *)c, 0, (const char *)a, 0, 1, inf) == 0, "infinity");
  CHECK(close(1, (const char *)d, 0, (const char *)d, 0, 0, 1) == 0, "NaN");
}

static void check_compare(void) {
  group("equal and close with no tolerance find the first difference");
  for (int dtype = 0; dtype < ND_DTYPE_COUNT; dtype++) check_equal((nd_dtype)dtype);
  group("close");
  check_close();
}

static bool is_part(double got, long double want) {
  return isnan(got) ? isnan(want) : (long double)got == want;
}

static void check_exact(void) {
  static char x[COUNT * WIDEST];
  group("exact forms hold every value, and round it first");
  for (int dtype = 0; dtype < ND_DTYPE_COUNT; dtype++) {
    fill_values((nd_dtype)dtype, x, COUNT, &seed);
    for (size_t i = 0; i < COUNT; i++) {
      const char *at = x + i * bytes_of((nd_dtype)dtype);
      const value want = read_value((nd_dtype)dtype, at);
      const nd_exact got = nd_exact_get((nd_dtype)dtype, at);
      CHECK(is_part(got.hi, (long double)(double)want.re), "%s: %g", name_of(dtype), got.hi);
      CHECK(!isfinite(got.hi) ? got.lo == 0 : (long double)got.hi + (long double)got.lo == want.re,
            "%s: %g and %g", name_of(dtype), got.hi, got.lo);
      CHECK(is_part(got.im, want.im), "%s: %g", name_of(dtype), got.im);
    }
  }
}

/* What a table has no row for is NULL, never what lies behind the table. */
/* There is a kernel exactly where base/op.c says that the operation is defined, or computed in that
 * dtype; small floats are computed in f32, but for reductions. */
static void check_defined(nd_op op, int dtype) {
  const nd_dtype d = (nd_dtype)dtype;
  const nd_op_traits *row = nd_op_get(op);
  const bool is_small = nd_dtype_get(d)->kind == ND_KIND_FLOAT && bytes_of(d) < 4;
  if (row->group == ND_GROUP_REDUCE)
    CHECK(nd_op_is_defined(op, d) == (ndi_reducer_find(op, d) != NULL), "%s of %s", row->name,
          name_of(dtype));
  if (row->group != ND_GROUP_ELEMENTWISE || op == ND_OP_WHERE) return; /* WHERE is by item size */
  const bool is_own = nd_op_is_defined(op, d) && nd_op_compute_dtype(op, d) == d && !is_small;
  CHECK(is_own == (ndi_kernel_find(op, d) != NULL), "%s of %s", row->name, name_of(dtype));
}

static void check_lookups(void) {
  for (int op = 0; op < ND_OP_COUNT; op++)
    for (int d = 0; d < ND_DTYPE_COUNT; d++) {
      const bool reduces = op >= ND_OP_SUM && op < ND_OP_RANGE;
      if (op >= ND_OP_SUM) CHECK(!ndi_kernel_find((nd_op)op, (nd_dtype)d), "%d %s", op, name_of(d));
      if (!reduces) CHECK(!ndi_reducer_find((nd_op)op, (nd_dtype)d), "%d %s", op, name_of(d));
      check_defined((nd_op)op, d);
    }
  CHECK(!ndi_reducer_find(ND_OP_PTP, ND_BOOL), "no difference of bools");
  CHECK(ndi_kernel_find(ND_OP_CBRT, ND_F32) && !ndi_kernel_find(ND_OP_CBRT, ND_F16), "cbrt");
}

int main(void) {
  group("what is not defined has no kernel");
  check_lookups();
  printf("# seed %" PRIu64 "\n", seed);
  for (size_t i = 0; i < ND_COUNTOF(levels); i++)
    if (show_level(levels[i])) check_gather();
  check_arith();
  check_compare();
  check_exact();
  return finish();
}
