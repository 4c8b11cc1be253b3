/* Sorting. Devices sort packed data along the last axis only: the axis is moved there in a packed
 * copy, and back afterwards. */
#include "ops/common.h"

/* Move 'axis' to the end, or, where 'is_back', the last axis to 'axis'. */
static nd_status move_axis(const nd_view *v, int axis, bool is_back, nd_view *out, nd_error *err) {
  int order[ND_MAX_NDIM];
  const int last = v->ndim - 1;
  /* order[i] is the axis of 'v' that becomes axis i */
  for (int i = 0; i <= last; i++) {
    if (is_back) order[i] = i < axis ? i : i == axis ? last : i - 1;
    else order[i] = i == last ? axis : i < axis ? i : i + 1;
  }
  return nd_view_permute(v, order, out, err);
}

/* The same as a packed copy. */
static nd_status copy_moved(const nd_view *v, int axis, bool is_back, nd_view *out, nd_error *err) {
  nd_view moved;
  ND_TRY(move_axis(v, axis, is_back, &moved, err));
  const nd_status status = ndi_copy_on(v, &moved, (nd_dtype)v->dtype, ND_SATURATE, out, err);
  nd_view_drop(&moved);
  return status;
}

/* SORT orders 'written' in place; ARGSORT leaves 'read' as it is and writes positions. */
static nd_status run_sort(const nd_view *written, const nd_view *read, bool is_descending,
                          nd_error *err) {
  const nd_task task = {.op = read ? ND_OP_ARGSORT : ND_OP_SORT,
                        .count = read ? 2 : 1,
                        .views = {written, read},
                        .is_descending = is_descending};
  return written->size == 0 ? ND_OK : nd_device_run(nd_device_of(written), &task, err);
}

/* Turn 'sorted' into the result, or drop it where 'status' is a failure. Takes over its
 * reference. */
static nd_status finish_sort(nd_status status, nd_view *sorted, int axis, nd_view *out,
                             nd_error *err) {
  if (status == ND_OK && axis == sorted->ndim - 1) {
    *out = *sorted;
    return ND_OK;
  }
  if (status == ND_OK) status = copy_moved(sorted, axis, true, out, err);
  nd_view_drop(sorted);
  return status;
}

nd_status nd_sort(const nd_view *src, int axis, bool is_descending, nd_view *out, nd_error *err) {
  nd_view lines;
  ND_TRY(ndi_check_live(src, err));
  ND_TRY(ndi_check_axis("sort", axis, src->ndim, err));
  /* the copy is sorted in place, and becomes the result if 'axis' is the last one already */
  ND_TRY(copy_moved(src, axis, false, &lines, err));
  return finish_sort(run_sort(&lines, NULL, is_descending, err), &lines, axis, out, err);
}

nd_status nd_argsort(const nd_view *src, int axis, bool is_descending, nd_view *out,
                     nd_error *err) {
  nd_view lines, positions;
  size_t shape[ND_MAX_NDIM];
  ND_TRY(ndi_check_live(src, err));
  ND_TRY(ndi_check_axis("argsort", axis, src->ndim, err));
  ND_TRY(copy_moved(src, axis, false, &lines, err));
  nd_view_shape(&lines, shape);
  nd_status status = ndi_new_on(&lines, ND_I64, lines.ndim, shape, &positions, err);
  if (status == ND_OK) {
    status = run_sort(&positions, &lines, is_descending, err);
    status = finish_sort(status, &positions, axis, out, err);
  }
  nd_view_drop(&lines);
  return status;
}
