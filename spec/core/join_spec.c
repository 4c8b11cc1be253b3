/* Joined, repeated, shifted, padded and byte-swapped arrays, against loops over single elements. */
#include "arrays.h"

enum { ROUNDS = 300, PARTS = 4 };

static const char *name_of(const nd_view *v) { return nd_dtype_get((nd_dtype)v->dtype)->name; }

/* {=== concat ===} */

/* Parts of one shape but for 'axis'; of one dtype, or of several. */
static void make_parts(int count, int ndim, const size_t *shape, int axis, bool is_mixed,
                       nd_view *parts) {
  const nd_dtype dtype = random_dtype();
  for (int i = 0; i < count; i++) {
    index_of own;
    memcpy(own, shape, sizeof own);
    if (axis >= 0) own[axis] = below(5);
    parts[i] = make_random(is_mixed ? random_dtype() : dtype, ndim, own);
    if (is_mixed) fill_numbers(&parts[i], 15);
  }
}

static bool promote_all(int count, const nd_view *parts, nd_dtype *out) {
  *out = (nd_dtype)parts[0].dtype;
  for (int i = 1; i < count; i++)
    if (!nd_dtype_promote(*out, (nd_dtype)parts[i].dtype, out)) return false;
  return true;
}

/* Is 'out' what the parts give one after the other? 'from' leaves the new axis out. */
static bool is_joined(const nd_view *out, int count, const nd_view *parts, int axis, bool is_new,
                      bool is_mixed) {
  index_of at, from = {0};
  EACH(out, at) {
    size_t place = at[axis];
    int i = 0;
    for (; i < count && place >= (is_new ? 1 : parts[i].axis[axis].len); i++)
      place -= is_new ? 1 : parts[i].axis[axis].len;
    if (i == count) return false;
    for (int k = 0, n = 0; k < out->ndim; k++) {
      if (k != axis) from[n++] = at[k];
      else if (!is_new) from[n++] = place;
    }
    if (is_mixed ? number_at(out, at) != number_at(&parts[i], from)
                 : !same_element(out, at, &parts[i], from))
      return false;
  }
  return true;
}

static void check_concat(int count, const nd_view *parts, int axis, bool is_new, bool is_mixed) {
  const nd_view *list[PARTS];
  nd_view out;
  nd_error err;
  nd_dtype dtype;
  for (int i = 0; i < count; i++) list[i] = &parts[i];
  const nd_status status = nd_concat(count, list, axis, is_new, &out, &err);
  if (!promote_all(count, parts, &dtype)) {
    CHECK(status == ND_TYPE_MISMATCH && err.remedy == ND_REMEDY_CAST, "%s", err.message);
    return;
  }
  CHECK(status == ND_OK, "%s", err.message);
  if (status != ND_OK) return;
  size_t extent = 0;
  for (int i = 0; i < count; i++) extent += is_new ? 1 : parts[i].axis[axis].len;
  CHECK(out.dtype == dtype && out.axis[axis].len == extent && out.ndim == parts[0].ndim + is_new,
        "%s", name_of(&out));
  CHECK(is_joined(&out, count, parts, axis, is_new, is_mixed), "%d parts of %s", count,
        name_of(&out));
  drop(&out);
}

static void spec_concat(bool is_new) {
  group(is_new ? "stack joins along a new axis" : "concat joins along an axis");
  for (int i = 0; i < ROUNDS; i++) {
    nd_view parts[PARTS];
    index_of shape = {0};
    const int ndim = random_shape(!is_new, 4, 4, shape), count = 1 + (int)below(PARTS);
    const int axis = (int)below((size_t)ndim + is_new);
    const bool is_mixed = below(2);
    make_parts(count, ndim, shape, is_new ? -1 : axis, is_mixed, parts);
    check_concat(count, parts, axis, is_new, is_mixed);
    for (int k = 0; k < count; k++) drop(&parts[k]);
  }
}

/* {=== tile, repeat ===} */

static void check_tile(const nd_view *src, int count, const size_t *counts) {
  nd_view out;
  nd_error err;
  index_of at, from;
  const nd_status status = nd_tile(src, count, counts, &out, &err);
  const int ndim = count > src->ndim ? count : src->ndim, lead = ndim - src->ndim;
  CHECK(status == ND_OK, "%s", err.message);
  if (status != ND_OK) return;
  bool good = out.ndim == ndim && out.dtype == src->dtype;
  for (int i = 0; i < ndim && good; i++)
    good = out.axis[i].len == (i < lead ? 1 : src->axis[i - lead].len) *
                                  (i < ndim - count ? 1 : counts[i - (ndim - count)]);
  CHECK(good, "%d counts, %d axes", count, src->ndim);
  if (good) EACH(&out, at) {
      for (int i = 0; i < src->ndim; i++) from[i] = at[i + lead] % src->axis[i].len;
      good = good && same_element(&out, at, src, from);
    }
  CHECK(good, "%d counts, %d axes of %s", count, src->ndim, name_of(src));
  drop(&out);
}

static void check_repeat(const nd_view *src, size_t times, int axis) {
  nd_view out;
  nd_error err;
  index_of at, from;
  const nd_status status = nd_repeat(src, times, axis, &out, &err);
  CHECK(status == ND_OK, "%s", err.message);
  if (status != ND_OK) return;
  bool good = out.ndim == src->ndim && out.axis[axis].len == src->axis[axis].len * times;
  EACH(&out, at) {
    memcpy(from, at, sizeof from);
    from[axis] /= times;
    good = good && same_element(&out, at, src, from);
  }
  CHECK(good, "%zu times, axis %d of %d", times, axis, src->ndim);
  drop(&out);
}

static void spec_tile(void) {
  group("tile and repeat");
  for (int i = 0; i < ROUNDS; i++) {
    index_of shape, counts;
    const int ndim = random_shape(0, 4, 4, shape), count = (int)below(6);
    for (int k = 0; k < count; k++) counts[k] = below(4);
    nd_view src = make_random(random_dtype(), ndim, shape);
    check_tile(&src, count, counts);
    if (ndim > 0) check_repeat(&src, below(4), (int)below((size_t)ndim));
    drop(&src);
  }
}

/* Split axes would be more than an array may have. */
static void spec_many_axes(void) {
  group("tile and repeat with up to 16 axes");
  for (int ndim = 8; ndim <= ND_MAX_NDIM; ndim++) {
    index_of shape, counts;
    for (int i = 0; i < ndim; i++) shape[i] = i % 3 ? 1 : 2, counts[i] = i < 10 ? 2 : 1;
    nd_view src = make_random(ND_I16, ndim, shape);
    check_tile(&src, ndim, counts);
    for (int i = 0; i < ndim; i++) check_repeat(&src, 3, i);
    drop(&src);
  }
}

/* {=== roll, pad ===} */

static void check_roll(const nd_view *src, int64_t shift, int axis) {
  nd_view out;
  nd_error err;
  index_of at, to;
  const nd_status status = nd_roll(src, shift, axis, &out, &err);
  CHECK(status == ND_OK, "%s", err.message);
  if (status != ND_OK) return;
  bool good = nd_view_same_shape(&out, src) && out.dtype == src->dtype;
  const __int128 len = (__int128)src->axis[axis].len;
  EACH(src, at) {
    memcpy(to, at, sizeof to);
    to[axis] = (size_t)((((__int128)at[axis] + shift) % len + len) % len);
    good = good && same_element(&out, to, src, at);
  }
  CHECK(good, "by %" PRId64 ", axis %d of %d", shift, axis, src->ndim);
  drop(&out);
}

static void spec_roll(void) {
  group("roll moves elements round");
  for (int i = 0; i < ROUNDS; i++) {
    index_of shape;
    const int ndim = random_shape(1, 4, 6, shape);
    static const int64_t far[] = {INT64_MIN, INT64_MAX, 0, -1, 1};
    nd_view src = make_random(random_dtype(), ndim, shape);
    check_roll(&src, below(8) ? (int64_t)below(30) - 15 : far[below(5)], (int)below((size_t)ndim));
    drop(&src);
  }
}

static void check_pad(const nd_view *src, const size_t *before, const size_t *after,
                      const nd_scalar *filling) {
  nd_view out;
  nd_error err;
  index_of at, from;
  const nd_status status = nd_pad(src, before, after, filling, &out, &err);
  CHECK(status == ND_OK, "%s", err.message);
  if (status != ND_OK) return;
  bool good = out.ndim == src->ndim && out.dtype == src->dtype;
  for (int i = 0; i < src->ndim; i++)
    good = good && out.axis[i].len == before[i] + src->axis[i].len + after[i];
  CHECK(good, "%d axes", src->ndim);
  EACH(&out, at) {
    bool is_inside = true;
    for (int i = 0; i < src->ndim; i++) {
      is_inside = is_inside && at[i] >= before[i] && at[i] - before[i] < src->axis[i].len;
      from[i] = at[i] - before[i];
    }
    good = good && (is_inside ? same_element(&out, at, src, from)
                              : number_at(&out, at) == (src->dtype == ND_BOOL ? 1 : 7));
  }
  CHECK(good, "%d axes of %s", src->ndim, name_of(src));
  drop(&out);
}

static void spec_pad(void) {
  group("pad puts a value around");
  nd_scalar seven = {.dtype = ND_F64};
  write_number(ND_F64, (char *)seven.bytes, 7);
  for (int i = 0; i < ROUNDS; i++) {
    index_of shape, before, after;
    const int ndim = random_shape(0, 4, 4, shape);
    for (int k = 0; k < ndim; k++) before[k] = below(3), after[k] = below(3);
    nd_view src = make_random(random_dtype(), ndim, shape);
    check_pad(&src, before, after, &seven);
    drop(&src);
  }
}

/* {=== byteswap ===} */

static void check_byteswap(const nd_view *src) {
  nd_view out;
  nd_error err;
  index_of at;
  const nd_status status = nd_byteswap(src, &out, &err);
  const size_t item = bytes_of((nd_dtype)src->dtype),
               part = is_complex((nd_dtype)src->dtype) ? item / 2 : item;
  CHECK(status == ND_OK, "%s", err.message);
  if (status != ND_OK) return;
  bool good = nd_view_same_shape(&out, src) && out.dtype == src->dtype;
  EACH(src, at)
  for (size_t i = 0; i < item; i++)
    good = good && element(&out, at)[i] == element(src, at)[i / part * part + part - 1 - i % part];
  CHECK(good, "%s, %d axes", name_of(src), src->ndim);
  drop(&out);
}

static void spec_byteswap(void) {
  group("byteswap reverses the bytes of each part");
  for (int i = 0; i < ROUNDS; i++) {
    index_of shape;
    const int ndim = random_shape(0, 4, 5, shape);
    nd_view src = make_random(random_dtype(), ndim, shape);
    check_byteswap(&src);
    drop(&src);
  }
  index_of ones;
  for (int i = 0; i < ND_MAX_NDIM; i++) ones[i] = i % 4 ? 1 : 2;
  nd_view deep = make_scattered(ND_C128, ND_MAX_NDIM, ones);
  fill_bytes(&deep);
  check_byteswap(&deep);
  drop(&deep);
}

int main(void) {
  seed_from(20262);
  const uint64_t before = live_bytes();
  spec_concat(false);
  spec_concat(true);
  spec_tile();
  spec_many_axes();
  spec_roll();
  spec_pad();
  spec_byteswap();
  group("nothing is left");
  CHECK(live_bytes() == before, "%" PRIu64 " B", live_bytes() - before);
  return finish();
}
