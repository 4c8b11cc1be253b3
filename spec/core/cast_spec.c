/* Conversions of every pair of dtypes, in every mode and layout, against a model in long double and
 * __int128. */
#include "kern/cast.h"

#include "levels.h"
#include "values.h"

enum { COUNT = 240, ALL = 65536 };

static const char *name_of(nd_dtype dtype) { return nd_dtype_get(dtype)->name; }

static bool is_defined(nd_dtype to, nd_dtype from) { return is_complex(to) || !is_complex(from); }

static uint64_t model_integer(nd_dtype to, long double x, nd_cast_mode mode) {
  const int bits = 8 * (int)bytes_of(to);
  const bool is_signed = nd_dtype_get(to)->kind == ND_KIND_INT;
  const __int128 hi = ((__int128)1 << (is_signed ? bits - 1 : bits)) - 1,
                 lo = is_signed ? -hi - 1 : 0;
  if (isnan(x)) return 0;
  if (mode == ND_WRAP) return isinf(x) ? 0 : (uint64_t)(__int128)fmodl(truncl(x), 0x1p64L);
  if (fabsl(x) >= 0x1p100L) return (uint64_t)(x < 0 ? lo : hi);
  const __int128 whole = (__int128)x;
  return (uint64_t)(whole < lo ? lo : whole > hi ? hi : whole);
}

static bool is_part(nd_dtype to, const char *z, size_t bytes, long double x, nd_cast_mode mode) {
  const model_format *format = format_of(to);
  const uint64_t got = read_bits(z, bytes), mask = ~UINT64_C(0) >> (64 - 8 * bytes);
  if (format && isnan(x)) return isnan(model_decode(format, got));
  if (format) return got == model_encode(format, x);
  if (to == ND_BOOL) return got == (x != 0);
  return got == (model_integer(to, x, mode) & mask);
}

/* Whether 'z' is what 'x' should have become. */
static bool is_converted(nd_dtype to, const char *z, nd_dtype from, const char *x,
                         nd_cast_mode mode) {
  const size_t bytes = bytes_of(to);
  if (to == from) return memcmp(z, x, bytes) == 0;
  const value v = read_value(from, x);
  if (!is_complex(to)) return is_part(to, z, bytes, v.re, mode);
  return is_part(to, z, bytes / 2, v.re, mode) && is_part(to, z + bytes / 2, bytes / 2, v.im, mode);
}

static bool part_fits(nd_dtype to, long double x) {
  const model_format *format = format_of(to);
  if (format) {
    const long double half = (model_finite(format, format->top) +
                              model_finite(format, format->top + 1)) /
                             2;
    if (isnan(x)) return true;
    if (isinf(x)) return format->over != format->top;
    return fabsl(x) < half || (fabsl(x) == half && !(format->top & 1));
  }
  if (to == ND_BOOL) return x == 0 || x == 1;
  if (!isfinite(x) || x != truncl(x) || fabsl(x) >= 0x1p100L) return false;
  const uint64_t got = model_integer(to, x, ND_SATURATE);
  return (nd_dtype_get(to)->kind == ND_KIND_INT ? (long double)(int64_t)got : (long double)got) ==
         x;
}

static bool fits(nd_dtype to, nd_dtype from, const char *x) {
  const value v = read_value(from, x);
  return to == from || (part_fits(to, v.re) && (!is_complex(to) || part_fits(to, v.im)));
}

static char packed[ALL * WIDEST], source[ALL * (WIDEST + 3) + 1], target[ALL * (WIDEST + 3) + 1];

static void check_pair(nd_dtype to, nd_dtype from, nd_cast_mode mode, const layout *lz,
                       const layout *lx, size_t n) {
  const size_t bz = bytes_of(to), bx = bytes_of(from);
  const ptrdiff_t dz = step_of(lz, bz), dx = step_of(lx, bx);
  const char *x = lay_out(lx, n, bx, packed, source);
  char *z = first_of(lz, n, bz, target);
  memset(target, 0xa5, n * (bz + 3) + 1);
  ndi_cast_find(to, from, mode)(n, z, dz, x, dx);
  for (size_t i = lz->sign ? 0 : n - 1; i < n; i++) {
    const ptrdiff_t at = (ptrdiff_t)i;
    CHECK(is_converted(to, z + at * dz, from, x + at * dx, mode),
          "%s to %s, mode %d, %s to %s, element %zu", name_of(from), name_of(to), (int)mode,
          lx->name, lz->name, i);
    for (ptrdiff_t gap = 0; gap < lz->gap; gap++)
      CHECK((z + at * dz)[(ptrdiff_t)bz + gap] == (char)0xa5, "%s to %s: gap", name_of(from),
            name_of(to));
  }
}

static void check_layouts(nd_dtype to, nd_dtype from) {
  for (int mode = ND_SATURATE; mode <= ND_CHECK; mode++)
    for (size_t i = 0; i < ND_COUNTOF(layouts); i++)
      for (size_t j = 0; j < ND_COUNTOF(layouts); j++)
        if (i == j || i == 0 || j == 0)
          check_pair(to, from, (nd_cast_mode)mode, &layouts[i], &layouts[j], COUNT);
}

/* Each element on its own, then the first of all refused ones, forwards and misaligned. */
static void check_refusals(nd_dtype to, nd_dtype from) {
  const size_t bytes = bytes_of(from);
  ndi_cast_check *check = ndi_cast_check_find(to, from);
  size_t first = COUNT;
  for (size_t i = COUNT; i-- > 0;) {
    const bool want = fits(to, from, packed + i * bytes);
    const char *x = packed + i * bytes;
    if (!want) first = i;
    CHECK((!check || check(1, x, 0) == 1) == want, "%s to %s, element %zu", name_of(from),
          name_of(to), i);
  }
  CHECK(!check == (first == COUNT), "%s to %s: %s", name_of(from), name_of(to),
        check ? "check" : "none");
  if (!check) return;
  for (size_t start = 0; start < COUNT; start += 40) {
    size_t want = start;
    while (want < COUNT && fits(to, from, packed + want * bytes)) want++;
    for (size_t l = 0; l < 3; l++) {
      const char *x = lay_out(&layouts[l], COUNT - start, bytes, packed + start * bytes, source);
      CHECK(check(COUNT - start, x, step_of(&layouts[l], bytes)) == want - start,
            "%s to %s from %zu", name_of(from), name_of(to), start);
    }
  }
}

static void each_pair(void (*visit)(nd_dtype, nd_dtype), uint64_t seed) {
  for (int from = 0; from < ND_DTYPE_COUNT; from++) {
    fill_values((nd_dtype)from, packed, COUNT, &seed);
    for (int to = 0; to < ND_DTYPE_COUNT; to++)
      if (is_defined((nd_dtype)to, (nd_dtype)from)) visit((nd_dtype)to, (nd_dtype)from);
  }
}

/* Sources of 8 and 16 bits: all there are, of 16 bits fewer in slow runs. How many. */
static size_t write_all_codes(nd_dtype from) {
  const size_t bytes = bytes_of(from), all = bytes == 1 ? 256 : ALL;
  const size_t every = bytes == 1 ? 1 : ALL / scaled(ALL), n = all / every;
  for (size_t i = 0; i < n; i++) write_bits(packed + i * bytes, bytes, i * every);
  return n;
}

static void check_all_codes(nd_dtype from) {
  const size_t bytes = bytes_of(from), n = write_all_codes(from);
  for (int to = 0; to < ND_DTYPE_COUNT; to++) {
    check_pair((nd_dtype)to, from, ND_SATURATE, &layouts[0], &layouts[0], n);
    ndi_cast_check *check = ndi_cast_check_find((nd_dtype)to, from);
    for (size_t i = 0; i < n; i++) {
      const char *x = packed + i * bytes;
      CHECK((!check || check(1, x, 0) == 1) == fits((nd_dtype)to, from, x), "%s %#zx to %s",
            name_of(from), i, name_of((nd_dtype)to));
    }
  }
}

static void check_undefined(void) {
  for (int from = 0; from < ND_DTYPE_COUNT; from++)
    for (int to = 0; to < ND_DTYPE_COUNT; to++)
      for (int mode = ND_SATURATE; mode <= ND_CHECK; mode++) {
        const nd_dtype a = (nd_dtype)to, b = (nd_dtype)from;
        CHECK(!ndi_cast_find(a, b, (nd_cast_mode)mode) == !is_defined(a, b), "%s to %s", name_of(b),
              name_of(a));
        CHECK(is_defined(a, b) || !ndi_cast_check_find(a, b), "%s to %s: check", name_of(b),
              name_of(a));
      }
}

/* With those of the lowest. */
static void compare_levels(nd_dtype to, nd_dtype from, size_t count) {
  static char common[ALL * 16], own[ALL * 16];
  const size_t in = bytes_of(from), out = bytes_of(to);
  for (int mode = ND_SATURATE; mode <= ND_CHECK; mode++)
    for (int gap = 0; gap < 2; gap++)
      for (size_t i = 0; i < ND_COUNTOF(levels); i++) {
        if (!use_level(levels[i])) continue;
        ndi_cast_find(to, from, (nd_cast_mode)mode)(count >> gap, i > 0 ? own : common,
                                                    (ptrdiff_t)(out << gap), packed,
                                                    (ptrdiff_t)(in << gap));
        CHECK(i == 0 || memcmp(common, own, count * out) == 0, "%s to %s, mode %d, v%d",
              name_of(from), name_of(to), mode, levels[i]);
      }
}

static void check_levels(nd_dtype to, nd_dtype from) { compare_levels(to, from, COUNT); }

static void compare_all_codes(nd_dtype from) {
  const size_t n = write_all_codes(from);
  for (int to = 0; to < ND_DTYPE_COUNT; to++) compare_levels((nd_dtype)to, from, n);
}

int main(void) {
  const uint64_t seed = 20240608;
  printf("# seed %" PRIu64 "\n", seed);
  group("only complex to other kinds is not defined");
  check_undefined();
  for (size_t i = 0; i < ND_COUNTOF(levels); i++) {
    if (!show_level(levels[i])) continue;
    group("every pair, mode and layout converts as the model does");
    each_pair(check_layouts, seed);
    group("checks refuse what the model refuses");
    each_pair(check_refusals, seed);
    group("every code of 8 and 16 bits");
    for (int from = 0; from < ND_DTYPE_COUNT; from++)
      if (bytes_of((nd_dtype)from) <= 2) check_all_codes((nd_dtype)from);
  }
  group("every level gives the same bits");
  each_pair(check_levels, seed);
  for (int from = 0; from < ND_DTYPE_COUNT; from++)
    if (bytes_of((nd_dtype)from) <= 2) compare_all_codes((nd_dtype)from);
  return finish();
}
