/* Searching in sorted arrays and counting. Devices do both with packed data alone. */
#include <string.h>

#include "ops/common.h"

/* 'src' as a packed array of 'dtype' on the device of 'like'. */
static nd_status ready_packed(const nd_view *like, const nd_view *src, nd_dtype dtype, nd_view *out,
                              nd_error *err) {
  ND_TRY(ndi_check_live(src, err));
  ND_TRY(ndi_check_device(like, src, err));
  if (nd_view_is_contiguous(src)) return ndi_operand(like, false, src, dtype, out, err);
  return ndi_copy_on(like, src, dtype, ND_SATURATE, out, err);
}

static nd_status check_line(const char *what, const char *name, const nd_view *v, nd_error *err) {
  char text[ND_SHAPE_TEXT];
  if (v->ndim == 1) return ND_OK;
  return nd_fail(err, ND_SHAPE_MISMATCH, "%s: %s (%s) is not 1-D", what, name,
                 ndi_shape_text(v, text));
}

/* Run 'asked' with its views after the first, 'given', made ready as 'dtypes', and with a new array
 * as the first. */
static nd_status run_ready(const nd_task *asked, const nd_view *like, const nd_view *const *given,
                           const nd_dtype *dtypes, nd_dtype dtype, int ndim, const size_t *shape,
                           nd_view *out, nd_error *err) {
  nd_view made, ready[3];
  nd_task task = *asked;
  int held = 0;
  ND_TRY(ndi_new_on(like, dtype, ndim, shape, &made, err));
  nd_status status = ND_OK;
  task.views[0] = &made;
  while (status == ND_OK && held < task.count - 1) {
    status = ready_packed(like, given[held], dtypes[held], &ready[held], err);
    task.views[held + 1] = &ready[held];
    held += status == ND_OK;
  }
  if (status == ND_OK && made.size > 0) status = nd_device_run(nd_device_of(&made), &task, err);
  while (held > 0) nd_view_drop(&ready[--held]);
  if (status == ND_OK) *out = made;
  else nd_view_drop(&made);
  return status;
}

/* Element 'at' of 'v', integers, in row-major order; it saturates. */
static nd_status read_whole(const nd_view *v, size_t at, int64_t *out, nd_error *err) {
  nd_view wide, flat, one;
  nd_scalar item;
  ND_TRY(nd_astype(v, ND_I64, ND_SATURATE, &wide, err));
  nd_status status = ndi_reshape(&wide, 1, &wide.size, &flat, err);
  nd_view_drop(&wide);
  if (status != ND_OK) return status;
  status = nd_view_select(&flat, 0, at, &one, err);
  nd_view_drop(&flat);
  if (status != ND_OK) return status;
  status = nd_item(&one, &item, err);
  nd_view_drop(&one);
  if (status == ND_OK) memcpy(out, item.bytes, sizeof *out);
  return status;
}

/* {=== places in a sorted array ===} */

nd_status nd_searchsorted(const nd_view *sorted, const nd_view *values, bool is_right, nd_view *out,
                          nd_error *err) {
  nd_dtype dtype;
  size_t shape[ND_MAX_NDIM];
  ND_TRY(ndi_check_live(sorted, err));
  ND_TRY(ndi_check_live(values, err));
  ND_TRY(check_line("searchsorted", "the sorted array", sorted, err));
  ND_TRY(
      ndi_promote("searchsorted", (nd_dtype)sorted->dtype, (nd_dtype)values->dtype, &dtype, err));
  nd_view_shape(values, shape);
  nd_task task = {.op = ND_OP_SEARCHSORTED, .count = 3, .is_right = is_right};
  return run_ready(&task, sorted, (const nd_view *const[]){values, sorted},
                   (const nd_dtype[]){dtype, dtype}, ND_I64, values->ndim, shape, out, err);
}

/* {=== counting ===} */

static nd_status check_weights(const char *what, const nd_view *values, const nd_view *weights,
                               nd_error *err) {
  char text[ND_SHAPE_TEXT], other[ND_SHAPE_TEXT];
  if (!weights) return ND_OK;
  ND_TRY(ndi_check_live(weights, err));
  bool fits = weights->ndim == values->ndim;
  for (int i = 0; fits && i < values->ndim; i++) fits = weights->axis[i].len == values->axis[i].len;
  if (!fits)
    return nd_fail(err, ND_SHAPE_MISMATCH, "%s: the weights (%s) do not have the shape (%s)", what,
                   ndi_shape_text(weights, text), ndi_shape_text(values, other));
  if (nd_dtype_get((nd_dtype)weights->dtype)->kind != ND_KIND_COMPLEX) return ND_OK;
  return nd_fail(err, ND_TYPE_MISMATCH, "%s: weights of %s: they are real", what,
                 ndi_dtype_name(weights));
}

/* The least or greatest element, of integers or bools. */
static nd_status find_extreme(nd_op op, const nd_view *values, nd_int128 *out, nd_error *err) {
  nd_scalar item;
  int64_t value = 0;
  uint64_t positive = 0;
  nd_view one, wide;
  ND_TRY(nd_reduce_all(op, values, &(nd_reduction){0}, &item, err));
  const bool is_unsigned = nd_dtype_get(item.dtype)->kind != ND_KIND_INT;
  ND_TRY(ndi_scalar_view(&item, &one, err));
  nd_status status = nd_astype(&one, is_unsigned ? ND_U64 : ND_I64, ND_SATURATE, &wide, err);
  nd_view_drop(&one);
  if (status != ND_OK) return status;
  status = nd_item(&wide, &item, err);
  nd_view_drop(&wide);
  memcpy(&value, item.bytes, sizeof value);
  memcpy(&positive, item.bytes, sizeof positive);
  if (status == ND_OK) *out = is_unsigned ? (nd_int128)positive : (nd_int128)value;
  return status;
}

/* ND_INDEX_OUT_OF_RANGE, with the position of the first value below 'base'. */
static nd_status fail_below(const nd_view *values, int64_t base, nd_error *err) {
  nd_view is_below;
  nd_scalar first;
  int64_t at, value;
  nd_operand sides[] = {{.array = values}, {.value = {.dtype = ND_I64}}};
  memcpy(sides[1].value.bytes, &base, sizeof base);
  ND_TRY(nd_elementwise(ND_OP_LT, sides, NULL, &is_below, err));
  const nd_status status = nd_reduce_all(ND_OP_ARGMAX, &is_below, &(nd_reduction){0}, &first, err);
  nd_view_drop(&is_below);
  if (status != ND_OK) return status;
  memcpy(&at, first.bytes, sizeof at);
  ND_TRY(read_whole(values, (size_t)at - 1, &value, err));
  return nd_fail_with(err, ND_INDEX_OUT_OF_RANGE,
                      ND_NUMBERS({"position", at}, {"value", value}, {"limit", base}),
                      "bincount: value %lld (position %lld) is below the first, %lld",
                      (long long)value, (long long)at, (long long)base);
}

/* The number of bins: one for each of base … the greatest value, at least 'least'. Whether a value
 * is below the base is seen when they are counted, but where there are more bins than values: they
 * may be too many for the memory. */
static nd_status find_bins(const nd_view *values, int64_t base, size_t least, size_t *out,
                           nd_error *err) {
  nd_int128 lowest, highest;
  *out = least;
  if (values->size == 0) return ND_OK;
  ND_TRY(find_extreme(ND_OP_MAX, values, &highest, err));
  const nd_int128 bins = highest - base + 1;
  lowest = highest;
  if (bins > (nd_int128)values->size) ND_TRY(find_extreme(ND_OP_MIN, values, &lowest, err));
  if (lowest < base) return fail_below(values, base, err);
  if (bins > (nd_int128)(PTRDIFF_MAX / 8))
    return nd_fail(err, ND_OVERFLOW, "bincount: the values need more bins than memory can have");
  if (bins > (nd_int128)least) *out = (size_t)bins;
  return ND_OK;
}

nd_status nd_bincount(const nd_view *values, int64_t base, size_t least, const nd_view *weights,
                      nd_view *out, nd_error *err) {
  const nd_dtype dtype = (nd_dtype)values->dtype;
  const nd_kind kind = nd_dtype_get(dtype)->kind;
  size_t bins;
  ND_TRY(ndi_check_live(values, err));
  if (kind != ND_KIND_BOOL && !nd_kind_is_integer(kind))
    return nd_fail(err, ND_TYPE_MISMATCH, "bincount: expected integers, got %s",
                   ndi_dtype_name(values));
  ND_TRY(check_weights("bincount", values, weights, err));
  ND_TRY(find_bins(values, base, least, &bins, err));
  nd_task task = {.op = ND_OP_BINCOUNT, .count = weights ? 3 : 2, .base = base};
  const nd_status status = run_ready(&task, values, (const nd_view *const[]){values, weights},
                                     (const nd_dtype[]){dtype, ND_F64}, weights ? ND_F64 : ND_I64,
                                     1, &bins, out, err);
  return status == ND_INDEX_OUT_OF_RANGE ? fail_below(values, base, err) : status;
}

nd_status nd_histogram(const nd_view *values, const nd_view *edges, bool is_uniform,
                       const nd_view *weights, nd_view *out, nd_error *err) {
  nd_dtype dtype = (nd_dtype)edges->dtype;
  ND_TRY(ndi_check_live(values, err));
  ND_TRY(ndi_check_live(edges, err));
  ND_TRY(check_line("histogram", "the array of edges", edges, err));
  if (edges->size < 2)
    return nd_fail(err, ND_SHAPE_MISMATCH, "histogram: %zu edges: a bin has two", edges->size);
  if (is_uniform && nd_dtype_get(dtype)->kind != ND_KIND_FLOAT)
    return nd_fail(err, ND_TYPE_MISMATCH, "histogram: expected edges of a float, got %s",
                   ndi_dtype_name(edges));
  if (!is_uniform) ND_TRY(ndi_promote("histogram", (nd_dtype)values->dtype, dtype, &dtype, err));
  ND_TRY(check_weights("histogram", values, weights, err));
  const size_t bins = edges->size - 1;
  nd_task task = {.op = ND_OP_HISTOGRAM, .count = weights ? 4 : 3, .is_uniform = is_uniform};
  return run_ready(&task, values, (const nd_view *const[]){values, edges, weights},
                   (const nd_dtype[]){dtype, dtype, ND_F64}, weights ? ND_F64 : ND_I64, 1, &bins,
                   out, err);
}

/* {=== positions from 0 ===} */

/* ND_INDEX_OUT_OF_RANGE, with the first index that is outside, as it was given. 'moved' counts
 * from 1. */
static nd_status check_moved(const char *what, const nd_view *moved, size_t extent, nd_error *err) {
  size_t at = moved->size;
  int64_t value;
  const nd_task task = {
      .op = ND_OP_INDEX_CHECK, .count = 1, .views = {moved}, .extent = extent, .result = &at};
  if (moved->size > 0) ND_TRY(nd_device_run(nd_device_of(moved), &task, err));
  if (at == moved->size) return ND_OK;
  ND_TRY(read_whole(moved, at, &value, err));
  /* the greatest i64, or what saturated to it, has become the least */
  value = value > 0 ? value - 1 : value == INT64_MIN ? INT64_MAX : value;
  return nd_fail_with(
      err, ND_INDEX_OUT_OF_RANGE,
      ND_NUMBERS({"position", (int64_t)at + 1}, {"value", value}, {"limit", (int64_t)extent - 1}),
      "%s: index %lld (position %zu), counted from 0, is out of range for size %zu", what,
      (long long)value, at + 1, extent);
}

nd_status nd_index_from_zero(const char *what, const nd_view *index, size_t extent, nd_view *out,
                             nd_error *err) {
  nd_view wide, counts, moved;
  ND_TRY(ndi_check_live(index, err));
  /* who takes the index refuses other dtypes */
  if (!nd_kind_is_integer(nd_dtype_get((nd_dtype)index->dtype)->kind))
    return nd_view_copy(index, out), ND_OK;
  ND_TRY(nd_astype(index, ND_I64, ND_SATURATE, &wide, err));
  const nd_operand from[] = {{.array = &wide}, {.value = {.dtype = ND_I64}}};
  nd_status status = nd_elementwise(ND_OP_GE, from, NULL, &counts, err);
  if (status == ND_OK) {
    const nd_operand sides[] = {{.array = &wide}, {.array = &counts}};
    status = nd_elementwise(ND_OP_ADD, sides, NULL, &moved, err);
    nd_view_drop(&counts);
  }
  nd_view_drop(&wide);
  if (status != ND_OK) return status;
  status = check_moved(what, &moved, extent, err);
  if (status == ND_OK) *out = moved;
  else nd_view_drop(&moved);
  return status;
}
