/* Checks that several operations share. They run before anything is written, so that a refused call
 * changes nothing. Messages and the fields of errors count axes from 1, as scripts do. */
#include "ops/common.h"

const char *ndi_shape_text(const nd_view *v, char *text) {
  return nd_shape_text(v->ndim, v->axis, text, ND_SHAPE_TEXT);
}

/* The size of a shape that is too large for an array wraps around: nobody allocates by it, and
 * nd_new refuses the shape. */
nd_view ndi_shape_view(int ndim, const size_t *shape) {
  nd_view v = {.ndim = (uint8_t)ndim, .size = 1};
  for (int i = 0; i < ndim; i++) {
    v.axis[i].len = shape[i];
    v.size *= shape[i];
  }
  return v;
}

nd_status ndi_check_axis(const char *what, int axis, int ndim, nd_error *err) {
  if (axis >= 0 && axis < ndim) return ND_OK;
  return nd_fail_with(err, ND_INDEX_OUT_OF_RANGE, ND_NUMBERS({"value", axis + 1}, {"limit", ndim}),
                      "%s: axis %d is out of range for an array with %d ax%s", what, axis + 1, ndim,
                      ndim == 1 ? "is" : "es");
}

nd_status ndi_check_live(const nd_view *v, nd_error *err) {
  /* Not nd_storage_check alone: it also refuses a lazy array that has no memory yet. */
  const bool is_freed = nd_storage_get_state(v->storage) == ND_STORAGE_FREED;
  return is_freed ? nd_storage_check(v->storage, err) : ND_OK;
}

bool ndi_same_elements(const nd_view *a, const nd_view *b) {
  if (a->storage != b->storage || a->offset != b->offset || a->dtype != b->dtype ||
      !nd_view_same_shape(a, b))
    return false;
  for (int i = 0; i < a->ndim; i++) /* of an axis with a single item the step is not used */
    if (a->axis[i].len > 1 && a->axis[i].step != b->axis[i].step) return false;
  return true;
}

nd_status ndi_check_writable(const nd_view *dst, nd_error *err) {
  char text[ND_SHAPE_TEXT];
  ND_TRY(ndi_check_live(dst, err));
  if (dst->is_read_only)
    return nd_fail(err, ND_READ_ONLY, "the %s array (%s) is read-only", ndi_dtype_name(dst),
                   ndi_shape_text(dst, text));
  /* Broadcast views are read-only; what is left are windows (nd_view_unfold) and given strides. */
  if (nd_view_overlaps_itself(dst))
    return nd_fail_remedy(err, ND_OVERLAP, ND_REMEDY_CLONE,
                          "cannot write through a view (%s) whose elements overlap one another",
                          ndi_shape_text(dst, text));
  return ND_OK;
}

nd_status ndi_check_device(const nd_view *target, const nd_view *operand, nd_error *err) {
  const nd_device *from = nd_device_of(operand), *to = nd_device_of(target);
  if (from == to || from == nd_host_device()) return ND_OK;
  return nd_fail_remedy_for(err, ND_UNSUPPORTED, ND_REMEDY_DEVICE, to->name,
                            "the operands are on different devices, %s and %s", from->name,
                            to->name);
}

nd_status ndi_promote(const char *what, nd_dtype a, nd_dtype b, nd_dtype *out, nd_error *err) {
  if (nd_dtype_promote(a, b, out)) return ND_OK;
  return nd_fail_remedy(err, ND_TYPE_MISMATCH, ND_REMEDY_CAST, "%s: %s and %s have no common dtype",
                        what, nd_dtype_get(a)->name, nd_dtype_get(b)->name);
}

nd_status ndi_check_digits(const char *what, nd_dtype from, nd_dtype dtype, const nd_view *dst,
                           nd_error *err) {
  const nd_kind kind = nd_dtype_get((nd_dtype)dst->dtype)->kind;
  if (kind == ND_KIND_FLOAT || kind == ND_KIND_COMPLEX || !nd_dtype_is_lossy(dtype, from))
    return ND_OK;
  return nd_fail_remedy(
      err, ND_TYPE_MISMATCH, ND_REMEDY_CAST,
      "%s: %s is computed in %s, which cannot represent all of its values; the result "
      "cannot be written to %s",
      what, nd_dtype_get(from)->name, nd_dtype_get(dtype)->name, ndi_dtype_name(dst));
}
