/* Scans: shape and dtype of the result, and the arrays that a device works on. */
#include "ops/common.h"

static const char *name_of(nd_op op) { return nd_op_get(op)->name; }

/* Sums and products have the dtype that those of a reduction have. */
static nd_dtype result_dtype(nd_op op, const nd_view *src) {
  const bool is_total = op == ND_OP_CUMSUM || op == ND_OP_CUMPROD;
  return is_total ? nd_op_result_dtype(ND_OP_SUM, (nd_dtype)src->dtype) : (nd_dtype)src->dtype;
}

static nd_status check_scan(nd_op op, const nd_view *src, int axis, nd_error *err) {
  const bool is_total = op == ND_OP_CUMSUM || op == ND_OP_CUMPROD;
  ND_TRY(ndi_check_live(src, err));
  if (axis != ND_SCAN_ALL) ND_TRY(ndi_check_axis(name_of(op), axis, src->ndim, err));
  if (is_total || nd_dtype_get((nd_dtype)src->dtype)->kind != ND_KIND_COMPLEX) return ND_OK;
  return nd_fail_remedy(err, ND_TYPE_MISMATCH, ND_REMEDY_PART, "%s: %s has no order", name_of(op),
                        ndi_dtype_name(src));
}

/* Scan 'src' into 'dst', which has its shape, is on its device, and shares either no bytes with it
 * or all elements. */
static nd_status run_scan(nd_op op, const nd_view *src, int axis, const nd_view *dst,
                          nd_error *err) {
  const nd_task task = {.op = op, .count = 2, .views = {dst, src}, .scan_axis = axis};
  return dst->size == 0 ? ND_OK : nd_device_run(nd_device_of(src), &task, err);
}

/* Scan 'src' along 'axis' into a new array. */
static nd_status scan_new(nd_op op, const nd_view *src, int axis, nd_view *out, nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  nd_view made;
  nd_view_shape(src, shape);
  ND_TRY(ndi_new_on(src, result_dtype(op, src), src->ndim, shape, &made, err));
  const nd_status status = run_scan(op, src, axis, &made, err);
  if (status == ND_OK) *out = made;
  else nd_view_drop(&made);
  return status;
}

/* In the dtype of 'how'. */
static nd_status scan_in(nd_op op, const nd_view *src, const nd_scanning *how, nd_view *out,
                         nd_error *err) {
  nd_view source, made;
  ND_TRY(ndi_total_source(name_of(op), src, *how->dtype, &source, err));
  const nd_status status = nd_scan(op, &source, &(nd_scanning){.axis = how->axis}, &made, err);
  nd_view_drop(&source);
  return status == ND_OK ? ndi_total_result(&made, *how->dtype, out, err) : status;
}

nd_status nd_scan(nd_op op, const nd_view *src, const nd_scanning *how, nd_view *out,
                  nd_error *err) {
  nd_view line;
  ND_TRY(check_scan(op, src, how->axis, err));
  if (how->dtype) return scan_in(op, src, how, out, err);
  if (how->axis != ND_SCAN_ALL) return scan_new(op, src, how->axis, out, err);
  ND_TRY(ndi_reshape(src, 1, &src->size, &line, err));
  const nd_status status = scan_new(op, &line, 0, out, err);
  nd_view_drop(&line);
  return status;
}

static nd_status check_shape(nd_op op, const nd_view *src, int axis, const nd_view *dst,
                             nd_error *err) {
  char text[3][ND_SHAPE_TEXT];
  const nd_view line = ndi_shape_view(1, &src->size), *wanted = axis == ND_SCAN_ALL ? &line : src;
  if (nd_view_same_shape(wanted, dst)) return ND_OK;
  return nd_fail(err, ND_SHAPE_MISMATCH, "%s: the result of (%s) has shape (%s), but out has (%s)",
                 name_of(op), ndi_shape_text(src, text[0]), ndi_shape_text(wanted, text[1]),
                 ndi_shape_text(dst, text[2]));
}

/* Can a device write 'dst' directly while it reads 'src'? */
static bool is_direct(nd_op op, const nd_view *src, const nd_view *dst) {
  if (dst->dtype != result_dtype(op, src) || nd_device_of(dst) != nd_device_of(src)) return false;
  if (!nd_view_same_shape(src, dst)) return false;
  if (!nd_view_may_overlap(dst, src)) return true;
  return dst->dtype == src->dtype && ndi_same_elements(dst, src);
}

nd_status nd_scan_into(nd_op op, const nd_view *src, const nd_scanning *how, const nd_view *dst,
                       nd_error *err) {
  const int axis = how->axis;
  nd_view result;
  ND_TRY(check_scan(op, src, axis, err));
  ND_TRY(ndi_check_writable(dst, err));
  ND_TRY(check_shape(op, src, axis, dst, err));
  const nd_device *to = nd_device_of(dst), *from = nd_device_of(src);
  if (to != from && to != nd_host_device())
    return nd_fail_remedy_for(err, ND_UNSUPPORTED, ND_REMEDY_DEVICE, from->name,
                              "%s: out is on %s, the array on %s", name_of(op), to->name,
                              from->name);
  ND_TRY(nd_storage_allocate(src->storage, err)); /* the overlap test needs the addresses */
  ND_TRY(nd_storage_allocate(dst->storage, err));
  if (!how->dtype && is_direct(op, src, dst))
    return run_scan(op, src, axis == ND_SCAN_ALL ? 0 : axis, dst, err);
  ND_TRY(nd_scan(op, src, how, &result, err));
  const nd_status status = nd_copy(dst, &result, ND_SATURATE, err);
  nd_view_drop(&result);
  return status;
}
