/* Sorting. Devices sort packed data along the last axis only: the axis is moved there in a packed
 * copy, and back afterwards. */
#include "ops/common.h"

/* SORT orders 'written' in place; ARGSORT leaves 'read' as it is and writes positions. */
static nd_status run_sort(const nd_view *written, const nd_view *read, bool is_descending,
                          nd_error *err) {
  const nd_task task = {.op = read ? ND_OP_ARGSORT : ND_OP_SORT,
                        .count = read ? 2 : 1,
                        .views = {written, read},
                        .is_descending = is_descending};
  return written->size == 0 ? ND_OK : nd_device_run(nd_device_of(written), &task, err);
}

nd_status nd_sort(const nd_view *src, int axis, bool is_descending, nd_view *out, nd_error *err) {
  nd_view lines;
  ND_TRY(ndi_check_live(src, err));
  ND_TRY(ndi_check_axis("sort", axis, src->ndim, err));
  /* the copy is sorted in place, and becomes the result if 'axis' is the last one already */
  ND_TRY(ndi_copy_moved(src, axis, false, &lines, err));
  const nd_status status = run_sort(&lines, NULL, is_descending, err);
  return ndi_finish_lines(status, &lines, axis, out, err);
}

nd_status nd_argsort(const nd_view *src, int axis, bool is_descending, nd_view *out,
                     nd_error *err) {
  nd_view lines, positions;
  size_t shape[ND_MAX_NDIM];
  ND_TRY(ndi_check_live(src, err));
  ND_TRY(ndi_check_axis("argsort", axis, src->ndim, err));
  ND_TRY(ndi_copy_moved(src, axis, false, &lines, err));
  nd_view_shape(&lines, shape);
  nd_status status = ndi_new_on(&lines, ND_I64, lines.ndim, shape, &positions, err);
  if (status == ND_OK) {
    status = run_sort(&positions, &lines, is_descending, err);
    status = ndi_finish_lines(status, &positions, axis, out, err);
  }
  nd_view_drop(&lines);
  return status;
}

/* {=== into an array ===} */

static nd_status check_into(const char *what, const nd_view *src, int axis, const nd_view *dst,
                            nd_error *err) {
  char text[ND_SHAPE_TEXT], other[ND_SHAPE_TEXT];
  ND_TRY(ndi_check_live(src, err));
  ND_TRY(ndi_check_axis(what, axis, src->ndim, err));
  ND_TRY(ndi_check_writable(dst, err));
  if (!nd_view_same_shape(src, dst))
    return nd_fail(err, ND_SHAPE_MISMATCH, "%s: the result has shape (%s), but out has (%s)", what,
                   ndi_shape_text(src, text), ndi_shape_text(dst, other));
  const nd_device *to = nd_device_of(dst), *from = nd_device_of(src);
  if (to == from || to == nd_host_device()) return nd_storage_allocate(dst->storage, err);
  return nd_fail_remedy_for(err, ND_UNSUPPORTED, ND_REMEDY_DEVICE, from->name,
                            "%s: out is on %s, the array on %s", what, to->name, from->name);
}

/* Can a device work on 'dst' itself, in place of a new array of 'dtype'? Its storage is allocated.
 */
static bool is_direct(const nd_view *src, int axis, const nd_view *dst, nd_dtype dtype) {
  const uintptr_t at = (uintptr_t)dst->storage->host + dst->offset;
  return dst->dtype == dtype && axis == dst->ndim - 1 && nd_device_of(dst) == nd_device_of(src) &&
         nd_view_is_contiguous(dst) && at % nd_view_itemsize(dst) == 0;
}

nd_status nd_sort_into(const nd_view *src, int axis, bool is_descending, const nd_view *dst,
                       nd_error *err) {
  nd_view sorted;
  ND_TRY(check_into("sort", src, axis, dst, err));
  if (is_direct(src, axis, dst, (nd_dtype)src->dtype)) {
    if (!ndi_same_elements(src, dst)) ND_TRY(nd_copy(dst, src, ND_SATURATE, err));
    return run_sort(dst, NULL, is_descending, err);
  }
  ND_TRY(nd_sort(src, axis, is_descending, &sorted, err));
  const nd_status status = nd_copy(dst, &sorted, ND_SATURATE, err);
  nd_view_drop(&sorted);
  return status;
}

nd_status nd_argsort_into(const nd_view *src, int axis, bool is_descending, const nd_view *dst,
                          nd_error *err) {
  nd_view made;
  ND_TRY(check_into("argsort", src, axis, dst, err));
  const bool is_here = is_direct(src, axis, dst, ND_I64);
  /* the copy, since 'dst' may be memory of 'src' */
  ND_TRY(is_here ? ndi_copy_moved(src, axis, false, &made, err)
                 : nd_argsort(src, axis, is_descending, &made, err));
  const nd_status status = is_here ? run_sort(dst, &made, is_descending, err)
                                   : nd_copy(dst, &made, ND_SATURATE, err);
  nd_view_drop(&made);
  return status;
}
