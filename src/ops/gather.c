/* Picking and assigning by index and by mask. Devices only pick along axis 0 and by 1-D index lists
 * of i64, all of which have been checked: the chosen axis is moved to the front, and the axes of an
 * index are merged into one.
 *
 * The functions ready_… bring indices, masks and values to the dtype and the device that are
 * needed, as new views that the caller drops. Only then is anything written. */
#include <string.h>

#include "base/size.h"
#include "ops/common.h"

/* {=== index lists ===} */

nd_status ndi_check_index_dtype(const char *what, const nd_view *index, nd_error *err) {
  const nd_dtype_traits *traits = nd_dtype_get((nd_dtype)index->dtype);
  if (nd_kind_is_integer(traits->kind)) return ND_OK;
  return nd_fail_remedy(err, ND_TYPE_MISMATCH, ND_REMEDY_CAST_INDEX,
                        "%s: expected an index of integers, got %s", what, traits->name);
}

/* Read the offending index back for the message. */
static nd_status fail_index(const char *what, const nd_view *list, size_t at, int axis,
                            size_t extent, nd_error *err) {
  nd_view one;
  nd_scalar item;
  int64_t value;
  ND_TRY(nd_view_select(list, 0, at, &one, err));
  const nd_status status = nd_item(&one, &item, err);
  nd_view_drop(&one);
  if (status != ND_OK) return status;
  memcpy(&value, item.bytes, sizeof value); /* u64 beyond INT64_MAX was saturated */
  return nd_fail_with(err, ND_INDEX_OUT_OF_RANGE,
                      ND_NUMBERS({"position", (int64_t)at + 1}, {"value", value},
                                 {"axis", axis + 1}, {"limit", (int64_t)extent}),
                      "%s: index %lld%s (position %zu) is out of range for axis %d of size %zu",
                      what, (long long)value, value == INT64_MAX ? " or more" : "", at + 1,
                      axis + 1, extent);
}

/* ND_INDEX_OUT_OF_RANGE, with the first index that is 0 or beyond 'extent', the size of 'axis'.
 * 'list' comes from ready_list. */
static nd_status check_list(const char *what, const nd_view *list, int axis, size_t extent,
                            nd_error *err) {
  size_t at = 0;
  const nd_task task = {
      .op = ND_OP_INDEX_CHECK, .count = 1, .views = {list}, .extent = extent, .result = &at};
  if (list->size == 0) return ND_OK;
  ND_TRY(nd_device_run(nd_device_of(list), &task, err));
  return at == list->size ? ND_OK : fail_index(what, list, at, axis, extent, err);
}

nd_status ndi_selector(const nd_view *dst, bool is_disjoint, const nd_view *src, nd_dtype dtype,
                       nd_view *out, nd_error *err) {
  ND_TRY(ndi_check_device(dst, src, err));
  if (src->storage->resource->kind == ND_MEM_FILE)
    return ndi_copy_on(dst, src, dtype, ND_SATURATE, out, err);
  return ndi_operand(dst, is_disjoint, src, dtype, out, err);
}

/* 'index' as a contiguous 1-D i64 list on the device of 'dst' that shares no bytes with it, as it
 * is read while 'dst' is written. An index with gaps is copied right away, or ndi_reshape might
 * have to copy it a second time. */
static nd_status ready_list(const nd_view *dst, const nd_view *index, nd_view *out, nd_error *err) {
  nd_view list;
  ND_TRY(ndi_check_device(dst, index, err));
  const bool is_gapless = nd_view_is_contiguous(index);
  ND_TRY(is_gapless ? ndi_selector(dst, true, index, ND_I64, &list, err)
                    : ndi_copy_on(dst, index, ND_I64, ND_SATURATE, &list, err));
  const nd_status status = ndi_reshape(&list, 1, &list.size, out, err);
  nd_view_drop(&list);
  return status;
}

nd_status ndi_index_list(const char *what, const nd_view *dst, const nd_view *index, int axis,
                         size_t extent, nd_view *out, nd_error *err) {
  nd_view list;
  ND_TRY(ndi_check_index_dtype(what, index, err));
  ND_TRY(ready_list(dst, index, &list, err));
  const nd_status status = check_list(what, &list, axis, extent, err);
  if (status == ND_OK) *out = list;
  else nd_view_drop(&list);
  return status;
}

/* {=== along an axis ===} */

/* The shape of 'v' with 'axis' replaced by the axes of 'index'. */
static nd_status picked_shape(const char *what, const nd_view *v, int axis, const nd_view *index,
                              int *ndim, size_t *shape, nd_error *err) {
  const int n = v->ndim - 1 + index->ndim;
  if (n > ND_MAX_NDIM)
    return nd_fail_with(err, ND_INVALID_ARGUMENT, ND_NUMBERS({"value", n}, {"limit", ND_MAX_NDIM}),
                        "%s: the picked elements would have %d axes: an array has at most %d", what,
                        n, ND_MAX_NDIM);
  int at = 0;
  for (int i = 0; i < v->ndim; i++) {
    if (i != axis) shape[at++] = v->axis[i].len;
    else
      for (int k = 0; k < index->ndim; k++) shape[at++] = index->axis[k].len;
  }
  *ndim = n;
  return ND_OK;
}

/* View 'v', which has a picked shape, with the axes that come from 'index' merged into one at
 * 'axis'. A new array is row-major, so that 'out' then shares its elements and can be written;
 * broadcast values may have to be copied. */
static nd_status merge_picked(const nd_view *v, int axis, const nd_view *index, nd_view *out,
                              nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  const int ndim = v->ndim - index->ndim + 1;
  if (index->ndim == 1) return nd_view_copy(v, out), ND_OK;
  for (int i = 0; i < ndim; i++)
    shape[i] = i == axis ? index->size : v->axis[i < axis ? i : i - 1 + index->ndim].len;
  return ndi_reshape(v, ndim, shape, out, err);
}

/* View 'v' with 'axis' as axis 0 and the others in their order. */
static nd_status move_to_front(const nd_view *v, int axis, nd_view *out, nd_error *err) {
  int order[ND_MAX_NDIM] = {axis};
  for (int i = 1; i < v->ndim; i++) order[i] = i <= axis ? i - 1 : i;
  return nd_view_permute(v, order, out, err);
}

/* Run 'op' with the views {written, read, list} along 'axis'. */
static nd_status run_along(nd_op op, const nd_view *written, const nd_view *read,
                           const nd_view *list, int axis, nd_error *err) {
  nd_view to, from;
  /* nothing to pick, or rows without elements */
  if (written->size == 0 || read->size == 0) return ND_OK;
  ND_TRY(move_to_front(written, axis, &to, err));
  nd_status status = move_to_front(read, axis, &from, err);
  if (status == ND_OK) {
    const nd_task task = {.op = op, .count = 3, .views = {&to, &from, list}};
    status = nd_device_run(nd_device_of(&to), &task, err);
    nd_view_drop(&from);
  }
  nd_view_drop(&to);
  return status;
}

/* 'list' is 'index' made ready; 'index' itself only gives the shape. */
static nd_status take_list(const nd_view *src, const nd_view *index, const nd_view *list, int axis,
                           nd_view *out, nd_error *err) {
  int ndim;
  size_t shape[ND_MAX_NDIM];
  nd_view made, merged;
  ND_TRY(picked_shape("take", src, axis, index, &ndim, shape, err));
  ND_TRY(ndi_new_on(src, (nd_dtype)src->dtype, ndim, shape, &made, err));
  nd_status status = merge_picked(&made, axis, index, &merged, err);
  if (status == ND_OK) {
    status = run_along(ND_OP_TAKE, &merged, src, list, axis, err);
    nd_view_drop(&merged);
  }
  if (status == ND_OK) *out = made;
  else nd_view_drop(&made);
  return status;
}

nd_status nd_take(const nd_view *src, const nd_view *index, int axis, nd_view *out, nd_error *err) {
  nd_view list;
  ND_TRY(ndi_check_live(src, err));
  ND_TRY(ndi_check_axis("take", axis, src->ndim, err));
  ND_TRY(ndi_index_list("take", src, index, axis, src->axis[axis].len, &list, err));
  const nd_status status = take_list(src, index, &list, axis, out, err);
  nd_view_drop(&list);
  return status;
}

nd_status ndi_values_like(const char *what, const nd_view *dst, const nd_view *values, int ndim,
                          const size_t *shape, nd_view *out, nd_error *err) {
  const nd_view like = ndi_shape_view(ndim, shape);
  nd_view narrow;
  ND_TRY(ndi_operand(dst, true, values, (nd_dtype)dst->dtype, &narrow, err));
  const nd_status status = nd_view_expand_like(what, &narrow, &like, out, err);
  nd_view_drop(&narrow);
  return status;
}

/* 'values' broadcast to what 'index' picks of 'dst', with the axes of 'index' merged into
 * 'axis'. */
static nd_status ready_rows(const char *what, const nd_view *dst, int axis, const nd_view *index,
                            const nd_view *values, nd_view *out, nd_error *err) {
  int ndim;
  size_t shape[ND_MAX_NDIM];
  nd_view wide;
  ND_TRY(picked_shape(what, dst, axis, index, &ndim, shape, err));
  ND_TRY(ndi_values_like(what, dst, values, ndim, shape, &wide, err));
  const nd_status status = merge_picked(&wide, axis, index, out, err);
  nd_view_drop(&wide);
  return status;
}

/* PUT and INDEX_ADD. Indices and values are checked completely before run_along writes anything. */
static nd_status scatter(const char *what, nd_op op, const nd_view *dst, int axis,
                         const nd_view *index, const nd_view *values, nd_error *err) {
  nd_view list, rows;
  ND_TRY(ndi_check_writable(dst, err));
  ND_TRY(ndi_check_axis(what, axis, dst->ndim, err));
  ND_TRY(ndi_index_list(what, dst, index, axis, dst->axis[axis].len, &list, err));
  nd_status status = ready_rows(what, dst, axis, index, values, &rows, err);
  if (status == ND_OK) {
    status = run_along(op, dst, &rows, &list, axis, err);
    nd_view_drop(&rows);
  }
  nd_view_drop(&list);
  return status;
}

nd_status nd_put(const nd_view *dst, const nd_view *index, const nd_view *values, nd_error *err) {
  return scatter("put", ND_OP_PUT, dst, 0, index, values, err);
}

nd_status nd_index_add(const nd_view *dst, int axis, const nd_view *index, const nd_view *values,
                       nd_error *err) {
  return scatter("index_add", ND_OP_INDEX_ADD, dst, axis, index, values, err);
}

/* {=== masks ===} */

/* Is 'mask' a mask for the leading axes of 'v'? An extent of 0 fits any: nothing is selected. */
static nd_status check_mask(const nd_view *v, const nd_view *mask, nd_error *err) {
  char text[ND_SHAPE_TEXT], other[ND_SHAPE_TEXT];
  if (mask->dtype != ND_BOOL)
    return nd_fail(err, ND_TYPE_MISMATCH,
                   "expected a mask of bool, got %s; compare, or index with integers",
                   ndi_dtype_name(mask));
  bool fits = mask->ndim <= v->ndim;
  for (int i = 0; fits && i < mask->ndim; i++)
    fits = mask->axis[i].len == v->axis[i].len || mask->axis[i].len == 0;
  if (fits) return ND_OK;
  return nd_fail(err, ND_SHAPE_MISMATCH,
                 "the mask (%s) does not have the leading axes of the array (%s)",
                 ndi_shape_text(mask, text), ndi_shape_text(v, other));
}

/* 'mask' broadcast over the trailing axes of 'v'. nd_view_expand cannot do it: it would take the
 * axes of the mask for the trailing ones. */
static nd_status cover(const nd_view *mask, const nd_view *v, nd_view *out, nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  ptrdiff_t steps[ND_MAX_NDIM];
  nd_view_shape(v, shape);
  for (int i = 0; i < v->ndim; i++) steps[i] = i < mask->ndim ? mask->axis[i].step : 0;
  return nd_view_as_strided(mask, v->ndim, shape, steps, mask->offset, out, err);
}

/* The shape {number of true, axes of 'v' after those of the mask}, for which the device counts.
 * 'name' is for error messages, as in nd_task. */
static nd_status selected_shape(const char *name, const nd_view *v, const nd_view *mask, int *ndim,
                                size_t *shape, nd_error *err) {
  const int n = v->ndim - mask->ndim + 1;
  const nd_task task = {
      .op = ND_OP_MASK_COUNT, .name = name, .count = 1, .views = {mask}, .result = &shape[0]};
  if (n > ND_MAX_NDIM)
    return nd_fail_with(err, ND_INVALID_ARGUMENT, ND_NUMBERS({"value", n}, {"limit", ND_MAX_NDIM}),
                        "the selection would have %d axes: an array has at most %d", n,
                        ND_MAX_NDIM);
  shape[0] = 0;
  if (mask->size > 0) ND_TRY(nd_device_run(nd_device_of(mask), &task, err));
  for (int i = 1; i < n; i++) shape[i] = v->axis[mask->ndim + i - 1].len;
  *ndim = n;
  return ND_OK;
}

/* Select or assign. 'items' are the selected elements in row-major order, in any shape; they are
 * the output where 'is_select'. */
static nd_status run_masked(bool is_select, const nd_view *v, const nd_view *mask,
                            const nd_view *items, nd_error *err) {
  nd_view flat, wide;
  if (items->size == 0) return ND_OK;
  /* the output is new and row-major, so 'flat' is a view of it, not a copy */
  ND_TRY(ndi_reshape(items, 1, &items->size, &flat, err));
  nd_status status = cover(mask, v, &wide, err);
  if (status == ND_OK) {
    const nd_task task = {.op = is_select ? ND_OP_MASK_SELECT : ND_OP_MASK_ASSIGN,
                          .count = 3,
                          .views = {is_select ? &flat : v, is_select ? v : &flat, &wide}};
    status = nd_device_run(nd_device_of(v), &task, err);
    nd_view_drop(&wide);
  }
  nd_view_drop(&flat);
  return status;
}

/* 'mask' was checked, and is on the device of 'src'. */
static nd_status select_ready(const char *name, const nd_view *src, const nd_view *mask,
                              nd_view *out, nd_error *err) {
  int ndim;
  size_t shape[ND_MAX_NDIM];
  nd_view made;
  ND_TRY(selected_shape(name, src, mask, &ndim, shape, err));
  ND_TRY(ndi_new_on(src, (nd_dtype)src->dtype, ndim, shape, &made, err));
  const nd_status status = run_masked(true, src, mask, &made, err);
  if (status == ND_OK) *out = made;
  else nd_view_drop(&made);
  return status;
}

nd_status nd_mask_select(const nd_view *src, const nd_view *mask, nd_view *out, nd_error *err) {
  nd_view ready;
  ND_TRY(ndi_check_live(src, err));
  ND_TRY(check_mask(src, mask, err));
  ND_TRY(ndi_selector(src, false, mask, ND_BOOL, &ready, err));
  const nd_status status = select_ready(NULL, src, &ready, out, err);
  nd_view_drop(&ready);
  return status;
}

/* Select, by the mask, from the positions 1 … n along 'axis', broadcast over the other axes by
 * steps of 0: they take no more memory than one line. */
nd_status nd_mask_positions(const nd_view *mask, int axis, nd_view *out, nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  ptrdiff_t steps[ND_MAX_NDIM] = {0};
  nd_view line, wide;
  ND_TRY(ndi_check_axis("positions", axis, mask->ndim, err));
  ND_TRY(ndi_new_on(mask, ND_I64, 1, &mask->axis[axis].len, &line, err));
  nd_status status = nd_range_integer(&line, 1, 1, err);
  nd_view_shape(mask, shape);
  steps[axis] = line.axis[0].step;
  if (status == ND_OK)
    status = nd_view_as_strided(&line, mask->ndim, shape, steps, line.offset, &wide, err);
  if (status == ND_OK) {
    status = select_ready("where", &wide, mask, out, err);
    nd_view_drop(&wide);
  }
  nd_view_drop(&line);
  return status;
}

static nd_status assign_ready(const nd_view *dst, const nd_view *mask, const nd_view *values,
                              nd_error *err) {
  int ndim;
  size_t shape[ND_MAX_NDIM];
  nd_view items;
  ND_TRY(selected_shape(NULL, dst, mask, &ndim, shape, err));
  ND_TRY(ndi_values_like("assignment by mask", dst, values, ndim, shape, &items, err));
  const nd_status status = run_masked(false, dst, mask, &items, err);
  nd_view_drop(&items);
  return status;
}

nd_status nd_mask_assign(const nd_view *dst, const nd_view *mask, const nd_view *values,
                         nd_error *err) {
  nd_view ready;
  ND_TRY(ndi_check_writable(dst, err));
  ND_TRY(check_mask(dst, mask, err));
  ND_TRY(ndi_selector(dst, true, mask, ND_BOOL, &ready, err));
  const nd_status status = assign_ready(dst, &ready, values, err);
  nd_view_drop(&ready);
  return status;
}
