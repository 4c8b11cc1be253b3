/* Making and comparing arrays, and what every operation refuses. */
#include "arrays.h"

enum { ROUNDS = 300 };

/* {=== making ===} */

static const nd_storage_options lazy = {.lazy = true}, zeroed = {.zeroed = true};

static void spec_new(void) {
  group("new arrays");
  const size_t shape[] = {3, 0, 2}, two[] = {2, 3}, huge[] = {SIZE_MAX / 4, 8}, wide[17] = {0};
  nd_resource *resource = &the_resource()->base;
  nd_view v;
  nd_error err;
  index_of at;
  CHECK(nd_new(resource, ND_F32, 3, shape, lazy, &v, NULL) == ND_OK && has_shape(&v, 3, shape),
        "empty");
  CHECK(nd_storage_get_state(v.storage) == ND_STORAGE_FRESH && v.storage->bytes == 0, "lazy");
  drop(&v);
  CHECK(nd_new(resource, ND_C128, 2, two, zeroed, &v, NULL) == ND_OK && v.storage->bytes == 96,
        "zeroed");
  bool good = true;
  EACH(&v, at)
  good = good && read_bits(element(&v, at), 8) == 0 && read_bits(element(&v, at) + 8, 8) == 0;
  CHECK(good, "zeros");
  drop(&v);
  CHECK(nd_new(resource, ND_F32, 2, huge, lazy, &v, &err) == ND_OVERFLOW, "%s", err.message);
  CHECK(nd_new(resource, ND_F32, 17, wide, lazy, &v, &err) == ND_INVALID_ARGUMENT, "%s",
        err.message);
  CHECK(nd_new(resource, ND_F32, -1, wide, lazy, &v, &err) == ND_INVALID_ARGUMENT, "%s",
        err.message);
}

static void spec_astype(void) {
  group("astype and new_like");
  for (int i = 0; i < ROUNDS; i++) {
    index_of shape, at;
    const nd_dtype to = random_dtype();
    const int ndim = random_shape(0, 4, 4, shape);
    nd_view src = make_random(random_dtype(), ndim, shape), out, like;
    nd_error err;
    fill_numbers(&src, to == ND_BOOL ? 1 : 8);
    const nd_status wanted = is_complex((nd_dtype)src.dtype) && !is_complex(to) ? ND_TYPE_MISMATCH
                                                                                : ND_OK;
    const nd_status status = nd_astype(&src, to, ND_SATURATE, &out, &err);
    CHECK(status == wanted, "%s", err.message);
    CHECK(nd_new_like(&src, to, &like, NULL) == ND_OK && has_shape(&like, ndim, shape) &&
              like.dtype == to,
          "like");
    if (status == ND_OK) {
      bool good = has_shape(&out, ndim, shape) && out.dtype == to && nd_view_is_contiguous(&out);
      EACH(&src, at) good = good && number_at(&src, at) == number_at(&out, at);
      CHECK(good, "%d axes to %s", ndim, nd_dtype_get(to)->name);
      drop(&out);
    }
    drop(&like), drop(&src);
  }
  const size_t one[] = {1};
  index_of at = {0};
  nd_view src = make_packed(ND_I16, 1, one), out;
  set_number(&src, at, 300);
  CHECK(nd_astype(&src, ND_U8, ND_CHECK, &out, NULL) == ND_NOT_REPRESENTABLE, "check");
  CHECK(nd_astype(&src, ND_U8, ND_WRAP, &out, NULL) == ND_OK && number_at(&out, at) == 44, "wrap");
  drop(&out), drop(&src);
}

/* What the dtype makes of a double: the nearest, or cut and saturated. */
static bool is_stored(const nd_view *v, const size_t *at, double x) {
  const nd_dtype dtype = (nd_dtype)v->dtype;
  const nd_dtype_traits *traits = nd_dtype_get(dtype);
  const long double got = number_at(v, at);
  if (dtype == ND_BOOL) return got == (x != 0);
  if (format_of(dtype))
    return got == model_decode(format_of(dtype), model_encode(format_of(dtype), (long double)x));
  const bool is_signed = traits->kind == ND_KIND_INT;
  const long double top = ldexpl(1, traits->bytes * 8 - is_signed), low = is_signed ? -top : 0;
  return got == (x >= (double)top ? top - 1 : x <= (double)low ? low : truncl((long double)x));
}

static void spec_range(void) {
  group("ranges of any dtype, in row-major order");
  for (int i = 0; i < ROUNDS; i++) {
    index_of shape, at;
    nd_view v = make_random(random_dtype(), random_shape(0, 3, 20, shape), shape);
    const double first = ((double)below(2000) - 1000) / 8, step = ((double)below(200) - 100) / 16;
    double k = 0;
    bool good = nd_range(&v, first, step, NULL) == ND_OK;
    EACH(&v, at) good = good && is_stored(&v, at, first + k++ * step);
    CHECK(good, "%s from %g by %g", nd_dtype_get((nd_dtype)v.dtype)->name, first, step);
    k = 0;
    good = nd_range_integer(&v, (int64_t)first, (int64_t)step, NULL) == ND_OK;
    EACH(&v, at)
    good = good && is_stored(&v, at, (double)(int64_t)first + k++ * (double)(int64_t)step);
    CHECK(good, "%s from %g by %g", nd_dtype_get((nd_dtype)v.dtype)->name, first, step);
    drop(&v);
  }
  const size_t three[] = {3};
  index_of at = {2};
  nd_view v = make_scattered(ND_I64, 1, three);
  CHECK(nd_range_integer(&v, INT64_MAX - 2, 1, NULL) == ND_OK &&
            read_bits(element(&v, at), 8) == INT64_MAX,
        "exact");
  CHECK(nd_range_integer(&v, INT64_MIN + 2, -1, NULL) == ND_OK &&
            read_bits(element(&v, at), 8) == (uint64_t)INT64_MIN,
        "exact");
  CHECK(nd_range_integer(&v, INT64_MAX - 1, 1, NULL) == ND_OK &&
            read_bits(element(&v, at), 8) == INT64_MAX,
        "saturated");
  CHECK(nd_range_integer(&v, UINT64_MAX - (nd_int128)1, 1, NULL) == ND_OVERFLOW, "past u64");
  CHECK(nd_range_integer(&v, 0, INT64_MIN, NULL) == ND_OVERFLOW, "past i64");
  CHECK(nd_range_integer(&v, 0, (nd_int128)1 << 126, NULL) == ND_OVERFLOW, "past 128 bits");
  drop(&v);
}

static void spec_range_count(void) {
  group("counts of ranges");
  static const struct {
    double first, last, step;
    size_t count;
  } cases[] = {{1, 10, 1, 10},
               {0, 1, 0.25, 5},
               {0, 1, 0.1, 11},
               {0, 0.3, 0.1, 4},
               {1, 0, 1, 0},
               {5, 5, -1, 1},
               {10, 1, -3, 4},
               {0, 0.99, 0.25, 4},
               {0, 1e15, 1, 1000000000000001},
               {-1.5e308, 1.5e308, 1e308, 4},
               {3, -7, 2, 0}};
  size_t n;
  for (size_t i = 0; i < ND_COUNTOF(cases); i++)
    CHECK(nd_range_count(cases[i].first, cases[i].last, cases[i].step, &n, NULL) == ND_OK &&
              n == cases[i].count,
          "case %zu: %zu", i, n);
  CHECK(nd_range_count(0, 1, 0, &n, NULL) == ND_INVALID_ARGUMENT, "step 0");
  CHECK(nd_range_count(0, INFINITY, 1, &n, NULL) == ND_INVALID_ARGUMENT, "infinite");
  CHECK(nd_range_count((double)NAN, 1, 1, &n, NULL) == ND_INVALID_ARGUMENT, "NaN");
  CHECK(nd_range_count(0, 1e300, 1, &n, NULL) == ND_OVERFLOW, "too many");
  CHECK(nd_range_count_integer(0, 1, 0, &n, NULL) == ND_INVALID_ARGUMENT, "step 0");
  CHECK(nd_range_count_integer(INT64_MIN, UINT64_MAX, 1, &n, NULL) == ND_OVERFLOW, "too many");
}

/* 'v' scattered and 'w' packed get the same numbers. */
static void check_random(int kind, nd_view *v, nd_view *w) {
  const uint64_t seed = next_random(&rng), call = below(5);
  nd_status status[2];
  for (int i = 0; i < 2; i++) {
    const nd_view *out = i ? w : v;
    status[i] = kind == 0   ? nd_random_uniform(out, seed, call, NULL)
                : kind == 1 ? nd_random_normal(out, seed, call, NULL)
                : kind == 2 ? nd_random_integers(out, 3, 9, seed, call, NULL)
                            : nd_random_permutation(out, seed, call, NULL);
  }
  CHECK(status[0] == ND_OK && status[1] == ND_OK && same_bytes(v, w), "kind %d", kind);
  index_of at;
  long double low = 1e9L, high = -1e9L, sum = 0;
  EACH(v, at) {
    const long double x = number_at(v, at);
    low = x < low ? x : low, high = x > high ? x : high, sum += x;
  }
  const long double n = (long double)v->size;
  const bool good = n == 0      ? true
                    : kind == 0 ? low >= 0 && high < 1
                    : kind == 1 ? low > -40 && high < 40
                    : kind == 2 ? low >= 3 && high <= 9
                                : low == 1 && high == n && sum == n * (n + 1) / 2;
  CHECK(good, "kind %d: %Lg to %Lg", kind, low, high);
}

static void spec_random(void) {
  group("random numbers do not depend on the layout");
  static const nd_dtype floats[] = {ND_F16, ND_BF16, ND_F32, ND_F64};
  for (int i = 0; i < ROUNDS; i++) {
    index_of shape;
    const int kind = (int)below(4),
              ndim = kind == 3 ? (shape[0] = below(40), 1) : random_shape(0, 3, 9, shape);
    const nd_dtype dtype = kind == 3   ? ND_I64
                           : kind == 2 ? random_integer(false)
                                       : floats[below(4)];
    nd_view v = make_scattered(dtype, ndim, shape), w = make_packed(dtype, ndim, shape);
    check_random(kind, &v, &w);
    drop(&v), drop(&w);
  }
}

/* {=== comparing ===} */

static bool numbers_close(const nd_view *a, const nd_view *b, double rtol, double atol) {
  int ndim;
  index_of shape, at, ia, ib;
  bool close = true;
  if (nd_broadcast_shape("", a, b, &ndim, shape, NULL)) abort();
  nd_view all = make_packed(ND_U8, ndim, shape);
  EACH(&all, at) {
    for (int i = 0; i < a->ndim; i++) ia[i] = a->axis[i].len == 1 ? 0 : at[i + ndim - a->ndim];
    for (int i = 0; i < b->ndim; i++) ib[i] = b->axis[i].len == 1 ? 0 : at[i + ndim - b->ndim];
    const long double x = number_at(a, ia), y = number_at(b, ib);
    close = close && fabsl(x - y) <= (long double)atol + (long double)rtol * fabsl(y);
  }
  drop(&all);
  return close;
}

static void spec_equal(void) {
  group("equal and allclose");
  for (int i = 0; i < ROUNDS; i++) {
    index_of shape, at = {0};
    const int ndim = random_shape(0, 3, 4, shape), skip = (int)below((size_t)ndim + 1);
    nd_view a = make_random(random_dtype(), ndim, shape),
            c = make_random(random_dtype(), ndim - skip, shape + skip);
    bool yes = false;
    fill_numbers(&a, 15), fill_numbers(&c, 3);
    nd_view b = snapshot(&a);
    CHECK(nd_equal(&a, &b, &yes, NULL) == ND_OK && yes, "a copy of %s",
          nd_dtype_get((nd_dtype)a.dtype)->name);
    for (int k = 0; k < ndim; k++) at[k] = below(shape[k]);
    if (b.size) set_number(&b, at, number_at(&b, at) == 0 ? 1 : 0);
    CHECK(nd_equal(&a, &b, &yes, NULL) == ND_OK && yes == (b.size == 0), "one changed");
    CHECK(nd_equal(&a, &c, &yes, NULL) == ND_OK &&
              (!yes || (a.dtype == c.dtype && nd_view_same_shape(&a, &c))),
          "other");
    const double rtol = (double)below(3) / 2, atol = (double)below(16);
    const nd_status status = nd_allclose(&a, &c, rtol, atol, &yes, NULL);
    CHECK(status == ND_OK && yes == numbers_close(&a, &c, rtol, atol), "rtol %g, atol %g", rtol,
          atol);
    drop(&a), drop(&b), drop(&c);
  }
  const size_t one[] = {1};
  index_of at = {0};
  nd_view v = make_packed(ND_F32, 1, one);
  bool yes = true;
  write_bits(element(&v, at), 4, 0x7fc00000);
  CHECK(nd_equal(&v, &v, &yes, NULL) == ND_OK && !yes, "NaN");
  yes = true;
  CHECK(nd_allclose(&v, &v, 1, 1, &yes, NULL) == ND_OK && !yes, "NaN");
  CHECK(nd_allclose(&v, &v, -1, 1, &yes, NULL) == ND_INVALID_ARGUMENT, "rtol");
  CHECK(nd_allclose(&v, &v, 1, (double)NAN, &yes, NULL) == ND_INVALID_ARGUMENT, "atol");
  drop(&v);
}

/* {=== refusals ===} */

/* The code, and words that the message must have. */
#define REFUSES(code, words, call)                                                    \
  do {                                                                                \
    nd_error err = {.message = "no error"};                                           \
    const nd_status got = (call);                                                     \
    CHECK(got == (code) && strstr(err.message, words), "%s: %s", nd_status_name(got), \
          err.message);                                                               \
  } while (0)

static void spec_index_refusals(void) {
  group("refusals of indices and masks");
  const size_t shape[] = {3, 4}, three[] = {3}, two[] = {2},
               deep[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  nd_view v = make_packed(ND_F32, 2, shape), kept, out, scalar = make_packed(ND_F32, 0, NULL);
  nd_view index = make_packed(ND_I16, 1, two), real = make_packed(ND_F64, 1, two),
          mask = make_packed(ND_BOOL, 1, two);
  nd_view wide = make_packed(ND_I64, 16, deep), values = make_packed(ND_F32, 1, three),
          c64 = make_packed(ND_C64, 0, NULL);
  index_of at = {1};
  index_of first = {0};
  nd_view full = make_packed(ND_BOOL, 2, shape), ro, twice;
  fill_numbers(&v, 8);
  kept = snapshot(&v);
  if (nd_view_expand(&scalar, 2, shape, &ro, NULL) ||
      nd_view_unfold(&values, 0, 2, 1, &twice, NULL))
    abort();
  set_number(&index, first, 3), set_number(&index, at, 4);
  REFUSES(ND_INDEX_OUT_OF_RANGE, "index 4 (position 2) is out of range for axis 1 of size 3",
          nd_take(&v, &index, 0, &out, &err));
  REFUSES(ND_INDEX_OUT_OF_RANGE, "put: index 4", nd_put(&v, &index, &scalar, &err));
  REFUSES(ND_INDEX_OUT_OF_RANGE, "index_add: index 4", nd_index_add(&v, 0, &index, &scalar, &err));
  CHECK(nd_index_add(&v, 1, &index, &scalar, NULL) == ND_OK, "axis 2 has 4");
  REFUSES(ND_TYPE_MISMATCH, "got f64", nd_take(&v, &real, 0, &out, &err));
  REFUSES(ND_TYPE_MISMATCH, "got bool", nd_put(&v, &mask, &scalar, &err));
  REFUSES(ND_INDEX_OUT_OF_RANGE, "axis 3 is out of range", nd_take(&v, &index, 2, &out, &err));
  REFUSES(ND_INDEX_OUT_OF_RANGE, "axis 1 is out of range", nd_take(&scalar, &index, 0, &out, &err));
  REFUSES(ND_INDEX_OUT_OF_RANGE, "axis 1 is out of range", nd_put(&scalar, &index, &scalar, &err));
  set_number(&index, at, 1);
  set_number(&wide, first, 1);
  REFUSES(ND_INVALID_ARGUMENT, "17 axes", nd_take(&v, &wide, 0, &out, &err));
  REFUSES(ND_SHAPE_MISMATCH, "(3) does not broadcast to (2x4)", nd_put(&v, &index, &values, &err));
  REFUSES(ND_SHAPE_MISMATCH, "(3) does not broadcast to (3x2)",
          nd_index_add(&v, 1, &index, &values, &err));
  REFUSES(ND_TYPE_MISMATCH, "c64 to f32", nd_put(&v, &index, &c64, &err));
  REFUSES(ND_READ_ONLY, "read-only", nd_put(&ro, &index, &scalar, &err));
  REFUSES(ND_READ_ONLY, "read-only", nd_index_add(&ro, 1, &index, &scalar, &err));
  REFUSES(ND_READ_ONLY, "read-only", nd_mask_assign(&ro, &full, &scalar, &err));
  REFUSES(ND_OVERLAP, "overlap", nd_put(&twice, &index, &scalar, &err));
  REFUSES(ND_OVERLAP, "overlap", nd_mask_assign(&twice, &mask, &scalar, &err));
  REFUSES(ND_TYPE_MISMATCH, "got i16", nd_mask_select(&v, &index, &out, &err));
  REFUSES(ND_SHAPE_MISMATCH, "mask (2)", nd_mask_select(&v, &mask, &out, &err));
  REFUSES(ND_SHAPE_MISMATCH, "array (3x4)", nd_mask_assign(&v, &mask, &scalar, &err));
  REFUSES(ND_SHAPE_MISMATCH, "(3x4)", nd_mask_select(&values, &full, &out, &err));
  REFUSES(ND_SHAPE_MISMATCH, "(3) does not broadcast to (0)",
          nd_mask_assign(&v, &full, &values, &err));
  REFUSES(ND_TYPE_MISMATCH, "c64 to f32", nd_mask_assign(&v, &full, &c64, &err));
  CHECK(same_bytes(&v, &kept), "nothing was written");
  nd_view *all[] = {&v,    &kept,   &scalar, &index, &real, &mask,
                    &wide, &values, &c64,    &full,  &ro,   &twice};
  for (size_t i = 0; i < ND_COUNTOF(all); i++) drop(all[i]);
}

static void spec_maker_refusals(void) {
  group("refusals of makers");
  const size_t shape[] = {3, 4}, three[] = {3};
  nd_view v = make_packed(ND_F32, 2, shape), u8 = make_packed(ND_U8, 1, three),
          i64 = make_packed(ND_I64, 2, shape), ro;
  nd_view i8 = make_packed(ND_I8, 1, three), u64 = make_packed(ND_U64, 1, three),
          f8 = make_packed(ND_F8E4M3, 1, three), twice;
  if (nd_view_expand(&u8, 2, (const size_t[]){2, 3}, &ro, NULL) ||
      nd_view_unfold(&u8, 0, 2, 1, &twice, NULL))
    abort();
  REFUSES(ND_READ_ONLY, "read-only", nd_range(&ro, 0, 1, &err));
  REFUSES(ND_OVERLAP, "overlap", nd_range_integer(&twice, 0, 1, &err));
  REFUSES(ND_READ_ONLY, "read-only", nd_random_integers(&ro, 0, 1, 1, 0, &err));
  REFUSES(ND_TYPE_MISMATCH, "got u8", nd_random_uniform(&u8, 1, 0, &err));
  REFUSES(ND_TYPE_MISMATCH, "got f8e4m3", nd_random_normal(&f8, 1, 0, &err));
  REFUSES(ND_TYPE_MISMATCH, "got f32", nd_random_integers(&v, 0, 1, 1, 0, &err));
  REFUSES(ND_TYPE_MISMATCH, "got u8", nd_random_permutation(&u8, 1, 0, &err));
  REFUSES(ND_SHAPE_MISMATCH, "3x4", nd_random_permutation(&i64, 1, 0, &err));
  REFUSES(ND_INVALID_ARGUMENT, "hi 256 does not fit u8, whose highest is 255",
          nd_random_integers(&u8, 0, 256, 1, 0, &err));
  REFUSES(ND_INVALID_ARGUMENT, "lo -1 does not fit u64, whose lowest is 0",
          nd_random_integers(&u64, -1, 1, 1, 0, &err));
  REFUSES(ND_INVALID_ARGUMENT, "lo -129 does not fit i8, whose lowest is -128",
          nd_random_integers(&i8, -129, 1, 1, 0, &err));
  REFUSES(ND_INVALID_ARGUMENT, "lo 2 is above hi 1", nd_random_integers(&i8, 2, 1, 1, 0, &err));
  CHECK(nd_random_integers(&i64, INT64_MIN, INT64_MAX, 1, 0, NULL) == ND_OK, "the whole of i64");
  CHECK(nd_random_integers(&i8, -128, 127, 1, 0, NULL) == ND_OK, "the whole of i8");
  CHECK(nd_random_integers(&u8, 0, 255, 1, 0, NULL) == ND_OK, "the whole of u8");
  nd_view *all[] = {&v, &u8, &i64, &ro, &i8, &u64, &f8, &twice};
  for (size_t i = 0; i < ND_COUNTOF(all); i++) drop(all[i]);
}

static void spec_join_refusals(void) {
  group("refusals of joins");
  const size_t shape[] = {3, 4}, other[] = {3, 5},
               ones[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const size_t huge[] = {SIZE_MAX / 2, SIZE_MAX / 2}, none[] = {0, 0};
  nd_view a = make_packed(ND_I64, 2, shape), b = make_packed(ND_I64, 2, other),
          u = make_packed(ND_U64, 2, shape);
  nd_view s = make_packed(ND_I64, 0, NULL), w = make_packed(ND_I64, 16, ones), out;
  const nd_view *ab[] = {&a, &b}, *au[] = {&a, &u}, *as[] = {&a, &s}, *ss[] = {&s, &s},
                *ww[] = {&w, &w};
  const nd_scalar zero = {.dtype = ND_U8};
  REFUSES(ND_INVALID_ARGUMENT, "at least one", nd_concat(0, ab, 0, false, &out, &err));
  REFUSES(ND_SHAPE_MISMATCH, "part 2 (3x5) and part 1 (3x4) differ on axis 2",
          nd_concat(2, ab, 0, false, &out, &err));
  REFUSES(ND_SHAPE_MISMATCH, "stack along axis 2: part 2 (3x5)",
          nd_concat(2, ab, 1, true, &out, &err));
  REFUSES(ND_SHAPE_MISMATCH, "part 2 (scalar) has 0 axes", nd_concat(2, as, 0, false, &out, &err));
  REFUSES(ND_TYPE_MISMATCH, "i64 and u64 have no common dtype",
          nd_concat(2, au, 0, false, &out, &err));
  REFUSES(ND_INDEX_OUT_OF_RANGE, "axis 3 is out of range", nd_concat(2, ab, 2, false, &out, &err));
  REFUSES(ND_INDEX_OUT_OF_RANGE, "axis 1 is out of range", nd_concat(2, ss, 0, false, &out, &err));
  REFUSES(ND_INVALID_ARGUMENT, "17 axes", nd_concat(2, ww, 0, true, &out, &err));
  REFUSES(ND_OVERFLOW, "tile: axis 1", nd_tile(&a, 2, huge, &out, &err));
  REFUSES(ND_OVERFLOW, "repeat_interleave: axis 2", nd_repeat(&a, SIZE_MAX / 3, 1, &out, &err));
  REFUSES(ND_OVERFLOW, "more bytes", nd_repeat(&a, SIZE_MAX / 32, 1, &out, &err));
  REFUSES(ND_OVERFLOW, "pad: axis 1", nd_pad(&a, huge, huge, &zero, &out, &err));
  REFUSES(ND_OVERFLOW, "pad: axis 1",
          nd_pad(&a, none, (const size_t[]){SIZE_MAX, 0}, &zero, &out, &err));
  REFUSES(ND_INDEX_OUT_OF_RANGE, "axis 3 is out of range", nd_roll(&a, 1, 2, &out, &err));
  REFUSES(ND_INDEX_OUT_OF_RANGE, "axis 3 is out of range", nd_repeat(&a, 1, 2, &out, &err));
  nd_view *all[] = {&a, &b, &u, &s, &w};
  for (size_t i = 0; i < ND_COUNTOF(all); i++) drop(all[i]);
}

int main(void) {
  seed_from(20260);
  const uint64_t before = live_bytes();
  spec_new();
  spec_astype();
  spec_range();
  spec_range_count();
  spec_random();
  spec_equal();
  spec_index_refusals();
  spec_maker_refusals();
  spec_join_refusals();
  group("nothing is left");
  CHECK(live_bytes() == before, "%" PRIu64 " B", live_bytes() - before);
  return finish();
}
