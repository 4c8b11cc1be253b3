/* Picking and assigning by index and mask, against loops over single elements. */
#include "arrays.h"

enum { ROUNDS = 400 };

/* {=== index ===} */

/* A random index for an axis of 'extent', negatives among them where the dtype has some. */
static nd_view make_index(size_t extent, int ndim, const size_t *shape) {
  const nd_dtype dtype = random_integer(false);
  const bool is_signed = nd_dtype_get(dtype)->kind == ND_KIND_INT;
  nd_view index = make_random(dtype, ndim, shape);
  index_of at;
  EACH(&index, at) {
    const long double k = 1 + (long double)below(extent);
    set_number(&index, at, is_signed && below(2) ? -k : k);
  }
  return index;
}

/* The 0-based place that element 'at' of the index means. */
static size_t place_at(const nd_view *index, const size_t *at, size_t extent) {
  const long double k = number_at(index, at);
  return (size_t)(k < 0 ? (long double)extent + k : k - 1);
}

/* Index of the picked array {before, index's, after} to one of the whole. */
static void whole_index(const size_t *picked, int ndim, int axis, const nd_view *index,
                        size_t extent, size_t *whole) {
  for (int i = 0; i < ndim; i++)
    if (i != axis) whole[i] = picked[i < axis ? i : i - 1 + index->ndim];
  whole[axis] = place_at(index, picked + axis, extent);
}

static int picked_shape(const nd_view *v, int axis, const nd_view *index, size_t *shape) {
  int n = 0;
  for (int i = 0; i < v->ndim; i++) {
    if (i != axis) shape[n++] = v->axis[i].len;
    else
      for (int k = 0; k < index->ndim; k++) shape[n++] = index->axis[k].len;
  }
  return n;
}

static void check_take(const nd_view *src, const nd_view *index, int axis) {
  nd_view out;
  nd_error err;
  index_of at, whole, shape;
  const nd_status status = nd_take(src, index, axis, &out, &err);
  CHECK(status == ND_OK, "take: %s", err.message);
  if (status != ND_OK) return;
  const int n = picked_shape(src, axis, index, shape);
  CHECK(has_shape(&out, n, shape) && out.dtype == src->dtype && nd_view_is_contiguous(&out),
        "take of %d", n);
  bool good = true;
  EACH(&out, at) {
    whole_index(at, src->ndim, axis, index, src->axis[axis].len, whole);
    good = good && same_element(&out, at, src, whole);
  }
  CHECK(good, "take: %s, %d axes, axis %d", nd_dtype_get((nd_dtype)src->dtype)->name, src->ndim,
        axis);
  drop(&out);
}

static void spec_take(void) {
  group("take picks along an axis");
  for (int i = 0; i < ROUNDS; i++) {
    index_of shape, index_shape;
    const int ndim = random_shape(1, 4, 5, shape), axis = (int)below((size_t)ndim);
    int index_ndim = random_shape(0, 3, 4, index_shape);
    if (shape[axis] == 0) index_shape[0] = 0, index_ndim = 1;
    nd_view src = make_random(random_dtype(), ndim, shape);
    nd_view index = make_index(shape[axis], index_ndim, index_shape);
    check_take(&src, &index, axis);
    drop(&src), drop(&index);
  }
}

/* Model of put (adds false) and index_add on 'want', in row-major order of the values. */
static void model_scatter(const nd_view *want, int axis, const nd_view *index,
                          const nd_view *values, bool adds) {
  index_of shape, at, whole, from;
  const int n = picked_shape(want, axis, index, shape);
  nd_view all = make_packed(ND_U8, n, shape);
  EACH(&all, at) {
    for (int i = 0; i < values->ndim; i++)
      from[i] = values->axis[i].len == 1 ? 0 : at[i + n - values->ndim];
    whole_index(at, want->ndim, axis, index, want->axis[axis].len, whole);
    set_number(want, whole, number_at(values, from) + (adds ? number_at(want, whole) : 0));
  }
  drop(&all);
}

/* Values that broadcast to 'shape', of a dtype that converts to 'dtype' exactly. */
static nd_view make_values(nd_dtype dtype, int ndim, const size_t *shape) {
  index_of narrow;
  const int skip = below(3) == 0 ? (int)below((size_t)ndim + 1) : 0;
  nd_dtype own = below(2) ? dtype : random_dtype();
  if (is_complex(own) || own == ND_BOOL || dtype == ND_BOOL) own = dtype;
  for (int i = skip; i < ndim; i++) narrow[i - skip] = below(4) ? shape[i] : 1;
  nd_view values = make_random(own, ndim - skip, narrow);
  fill_numbers(&values, 3);
  return values;
}

static void check_scatter(bool adds, const nd_view *dst, int axis, const nd_view *index,
                          const nd_view *values) {
  nd_error err;
  nd_view want = snapshot(dst);
  model_scatter(&want, axis, index, values, adds);
  const nd_status status = adds ? nd_index_add(dst, axis, index, values, &err)
                                : nd_put(dst, index, values, &err);
  CHECK(status == ND_OK, "%s", err.message);
  CHECK(same_bytes(dst, &want), "%s %s from %s, %d axes, axis %d", adds ? "index_add" : "put",
        nd_dtype_get((nd_dtype)dst->dtype)->name, nd_dtype_get((nd_dtype)values->dtype)->name,
        dst->ndim, axis);
  drop(&want);
}

static void spec_scatter(bool adds) {
  group(adds ? "index_add adds along an axis, equal indices too"
             : "put assigns along axis 1, the last of equals wins");
  for (int i = 0; i < ROUNDS; i++) {
    index_of shape, index_shape, all;
    const int ndim = random_shape(1, 4, 5, shape), axis = adds ? (int)below((size_t)ndim) : 0;
    int index_ndim = random_shape(0, 2, 3, index_shape);
    if (shape[axis] == 0) index_shape[0] = 0, index_ndim = 1;
    nd_dtype dtype = random_dtype();
    if (adds && dtype == ND_BOOL) dtype = ND_U8;
    nd_view dst = make_random(dtype, ndim, shape),
            index = make_index(shape[axis], index_ndim, index_shape);
    fill_numbers(&dst, 1);
    const int n = picked_shape(&dst, axis, &index, all);
    nd_view values = make_values(dtype, n, all);
    check_scatter(adds, &dst, axis, &index, &values);
    drop(&dst), drop(&index), drop(&values);
  }
}

/* Values and index that are parts of the destination: as if both had been copied first. */
static void spec_overlap(void) {
  group("put and index_add read values and index before they write");
  for (int i = 0; i < ROUNDS / 2; i++) {
    const size_t n = 2 + below(9), shape[] = {n};
    const bool adds = below(2);
    nd_view dst = make_random(ND_I64, 1, shape), values, index;
    index_of at;
    EACH(&dst, at) set_number(&dst, at, 1 + (long double)below(n));
    const uint32_t flips = (uint32_t)below(2);
    if (nd_view_flip(&dst, flips, &values, NULL) || nd_view_flip(&dst, !flips, &index, NULL))
      abort();
    nd_view kept = snapshot(&values), list = snapshot(&index), want = snapshot(&dst);
    model_scatter(&want, 0, &list, &kept, adds);
    const nd_status status = adds ? nd_index_add(&dst, 0, &index, &values, NULL)
                                  : nd_put(&dst, &index, &values, NULL);
    CHECK(status == ND_OK && same_bytes(&dst, &want), "%s of %zu", adds ? "index_add" : "put", n);
    drop(&dst), drop(&values), drop(&index), drop(&kept), drop(&list), drop(&want);
  }
}

/* {=== masks ===} */

static nd_view make_mask(const nd_view *v) {
  index_of shape;
  const int ndim = (int)below((size_t)v->ndim + 1);
  for (int i = 0; i < ndim; i++) shape[i] = v->axis[i].len;
  return make_random(ND_BOOL, ndim, shape);
}

static size_t count_true(const nd_view *mask) {
  index_of at;
  size_t n = 0;
  EACH(mask, at) n += *element(mask, at) != 0;
  return n;
}

/* {count, the axes past the mask's} */
static int selected_shape(const nd_view *v, const nd_view *mask, size_t *shape) {
  int n = 0;
  shape[n++] = count_true(mask);
  for (int i = mask->ndim; i < v->ndim; i++) shape[n++] = v->axis[i].len;
  return n;
}

static void check_select(const nd_view *src, const nd_view *mask) {
  nd_view out;
  nd_error err;
  index_of at, from, shape;
  const nd_status status = nd_mask_select(src, mask, &out, &err);
  CHECK(status == ND_OK, "%s", err.message);
  if (status != ND_OK) return;
  const int n = selected_shape(src, mask, shape);
  CHECK(has_shape(&out, n, shape) && out.dtype == src->dtype, "mask of %d axes of %d", mask->ndim,
        src->ndim);
  bool good = true;
  size_t rows = 0;
  EACH(src, at) {
    bool is_first = true; /* of its row */
    for (int i = mask->ndim; i < src->ndim; i++) is_first = is_first && at[i] == 0;
    if (!*element(mask, at)) continue;
    rows += is_first;
    from[0] = rows - 1;
    for (int i = mask->ndim; i < src->ndim; i++) from[1 + i - mask->ndim] = at[i];
    good = good && same_element(src, at, &out, from);
  }
  CHECK(good, "mask of %d axes of %d, %s", mask->ndim, src->ndim,
        nd_dtype_get((nd_dtype)src->dtype)->name);
  drop(&out);
}

static void check_assign(const nd_view *dst, const nd_view *mask, const nd_view *values) {
  nd_error err;
  nd_view want = snapshot(dst);
  index_of at, wide, from;
  size_t rows = 0;
  EACH(&want, at) {
    bool is_first = true;
    for (int i = mask->ndim; i < want.ndim; i++) is_first = is_first && at[i] == 0;
    if (!*element(mask, at)) continue;
    rows += is_first;
    wide[0] = rows - 1;
    const int n = want.ndim - mask->ndim + 1;
    for (int i = 1; i < n; i++) wide[i] = at[mask->ndim + i - 1];
    for (int i = 0; i < values->ndim; i++)
      from[i] = values->axis[i].len == 1 ? 0 : wide[i + n - values->ndim];
    set_number(&want, at, number_at(values, from));
  }
  const nd_status status = nd_mask_assign(dst, mask, values, &err);
  CHECK(status == ND_OK, "%s", err.message);
  CHECK(same_bytes(dst, &want), "mask of %d axes of %d, %s from %s", mask->ndim, dst->ndim,
        nd_dtype_get((nd_dtype)dst->dtype)->name, nd_dtype_get((nd_dtype)values->dtype)->name);
  drop(&want);
}

static void spec_masks(void) {
  group("a mask selects and assigns in row-major order");
  for (int i = 0; i < ROUNDS; i++) {
    index_of shape, all;
    const int ndim = random_shape(0, 4, 5, shape);
    nd_view v = make_random(random_dtype(), ndim, shape), mask = make_mask(&v);
    check_select(&v, &mask);
    fill_numbers(&v, 15);
    const int n = selected_shape(&v, &mask, all);
    nd_view values = make_values((nd_dtype)v.dtype, n, all);
    check_assign(&v, &mask, &values);
    drop(&v), drop(&mask), drop(&values);
  }
}

/* m[m] = flipped part of itself */
static void spec_mask_overlap(void) {
  group("assignment by mask reads mask and values before it writes");
  for (int i = 0; i < ROUNDS / 2; i++) {
    const size_t shape[] = {2 + below(30)};
    nd_view v = make_random(ND_BOOL, 1, shape), back, part, mask, line;
    if (nd_view_flip(&v, 1, &back, NULL)) abort();
    if (nd_view_narrow(&v, 0, 0, count_true(&back), &part, NULL)) abort();
    nd_view want = snapshot(&v);
    mask = snapshot(&back), line = snapshot(&part);
    check_assign(&want, &mask, &line);
    CHECK(nd_mask_assign(&v, &back, &part, NULL) == ND_OK && same_bytes(&v, &want), "%zu",
          shape[0]);
    drop(&v), drop(&back), drop(&part), drop(&want), drop(&mask), drop(&line);
  }
}

/* {=== limits ===} */

static void spec_extremes(void) {
  group("indices at the limits of their dtypes are refused");
  for (size_t d = 0; d < ND_COUNTOF(integers); d++) {
    const size_t shape[] = {3};
    nd_view src = make_packed(ND_F32, 1, shape), index = make_packed(integers[d], 1, shape), out;
    const bool is_signed = nd_dtype_get(integers[d])->kind == ND_KIND_INT;
    const size_t bytes = bytes_of(integers[d]);
    const uint64_t bad[] = {0, 4, is_signed ? (uint64_t)-4 : 5, UINT64_MAX >> is_signed,
                            UINT64_C(1) << (8 * bytes - 1)};
    for (size_t i = 0; i < ND_COUNTOF(bad); i++) {
      nd_error err;
      index_of at = {0};
      EACH(&index, at) set_number(&index, at, 1);
      at[0] = 1;
      uint64_t bits = i == 3 ? bad[3] >> (64 - 8 * bytes) : bad[i];
      write_bits(element(&index, at), bytes, bits);
      CHECK(nd_take(&src, &index, 0, &out, &err) == ND_INDEX_OUT_OF_RANGE, "%s case %zu",
            nd_dtype_get(integers[d])->name, i);
      CHECK(err.count == 4 && err.numbers[0].value == 2 && err.numbers[2].value == 1 &&
                err.numbers[3].value == 3,
            "%s", err.message);
    }
    drop(&src), drop(&index);
  }
}

int main(void) {
  seed_from(20261);
  const uint64_t before = live_bytes();
  spec_take();
  spec_scatter(false);
  spec_scatter(true);
  spec_overlap();
  spec_masks();
  spec_mask_overlap();
  spec_extremes();
  group("nothing is left");
  CHECK(live_bytes() == before, "%" PRIu64 " B", live_bytes() - before);
  return finish();
}
