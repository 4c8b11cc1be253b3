/* Checks, new arrays beside another one, operands made ready. */
#include "ops/common.h"

const char *ndi_shape_text(const nd_view *v, char *text) {
  return nd_shape_text(v->ndim, v->axis, text, ND_SHAPE_TEXT);
}

void ndi_shape_get(const nd_view *v, size_t *shape) {
  for (int i = 0; i < v->ndim; i++) shape[i] = v->axis[i].len;
}

nd_status ndi_check_axis(const char *what, int axis, int ndim, nd_error *err) {
  if (axis >= 0 && axis < ndim) return ND_OK;
  return nd_fail_with(err, ND_INDEX_OUT_OF_RANGE, ND_NUMBERS({"value", axis + 1}, {"limit", ndim}),
                      "%s: there is no axis %d: the array has %d", what, axis + 1, ndim);
}

nd_status ndi_check_live(const nd_view *v, nd_error *err) {
  const bool is_freed = nd_storage_get_state(v->storage) == ND_STORAGE_FREED;
  return is_freed ? nd_storage_check(v->storage, err) : ND_OK;
}

bool ndi_same_elements(const nd_view *a, const nd_view *b) {
  if (a->storage != b->storage || a->offset != b->offset || a->dtype != b->dtype ||
      !nd_view_same_shape(a, b))
    return false;
  for (int i = 0; i < a->ndim; i++)
    if (a->axis[i].len > 1 && a->axis[i].step != b->axis[i].step) return false;
  return true;
}

nd_status ndi_check_writable(const nd_view *dst, nd_error *err) {
  char text[ND_SHAPE_TEXT];
  ND_TRY(ndi_check_live(dst, err));
  if (dst->is_read_only)
    return nd_fail(err, ND_READ_ONLY, "the %s array (%s) is read-only", ndi_dtype_name(dst),
                   ndi_shape_text(dst, text));
  if (nd_view_overlaps_itself(dst))
    return nd_fail(err, ND_OVERLAP,
                   "cannot write through a view (%s) whose elements overlap one another; use "
                   ":clone()",
                   ndi_shape_text(dst, text));
  return ND_OK;
}

static nd_resource *place_of(const nd_view *like) {
  nd_resource *own = like->storage->resource, *memory = nd_device_of(like)->memory;
  if (own->kind != ND_MEM_FILE && own->kind != ND_MEM_FOREIGN) return own;
  return memory ? memory : nd_host_resource();
}

nd_status ndi_new_beside(const nd_view *like, nd_dtype dtype, int ndim, const size_t *shape,
                         nd_view *out, nd_error *err) {
  const nd_storage_options options = {.lazy = true};
  return nd_new(place_of(like), dtype, ndim, shape, options, out, err);
}

nd_status ndi_copy_beside(const nd_view *like, const nd_view *src, nd_dtype dtype,
                          nd_cast_mode mode, nd_view *out, nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  nd_view made;
  ndi_shape_get(src, shape);
  ND_TRY(ndi_new_beside(like, dtype, src->ndim, shape, &made, err));
  const nd_status status = nd_copy(&made, src, mode, err);
  if (status == ND_OK) *out = made;
  else nd_view_drop(&made);
  return status;
}

nd_status ndi_check_beside(const nd_view *beside, const nd_view *operand, nd_error *err) {
  const nd_device *from = nd_device_of(operand), *to = nd_device_of(beside);
  if (from == to || from == nd_host_device()) return ND_OK;
  return nd_fail(err, ND_UNSUPPORTED,
                 "an operand is on %s, what it is used with on %s; use :to(\"%s\")", from->name,
                 to->name, to->name);
}

nd_status ndi_operand(const nd_view *dst, bool is_apart, const nd_view *src, nd_dtype dtype,
                      nd_view *out, nd_error *err) {
  ND_TRY(ndi_check_live(src, err));
  ND_TRY(ndi_check_beside(dst, src, err));
  if (is_apart) { /* the overlap test needs addresses */
    ND_TRY(nd_storage_allocate(src->storage, err));
    ND_TRY(nd_storage_allocate(dst->storage, err));
  }
  const bool is_ready = src->dtype == dtype && nd_device_of(src) == nd_device_of(dst) &&
                        !(is_apart && nd_view_may_overlap(dst, src));
  if (!is_ready) return ndi_copy_beside(dst, src, dtype, ND_SATURATE, out, err);
  nd_view_copy(src, out);
  return ND_OK;
}

static nd_status view_as(const nd_view *src, int ndim, const size_t *shape, nd_view *out,
                         nd_error *err) {
  int64_t extents[ND_MAX_NDIM];
  for (int i = 0; i < ndim; i++) extents[i] = (int64_t)shape[i];
  return nd_view_reshape(src, ndim, extents, out, err);
}

nd_status ndi_reshape(const nd_view *src, int ndim, const size_t *shape, nd_view *out,
                      nd_error *err) {
  nd_view copy;
  if (view_as(src, ndim, shape, out, NULL) == ND_OK) return ND_OK;
  ND_TRY(ndi_copy_beside(src, src, (nd_dtype)src->dtype, ND_SATURATE, &copy, err));
  const nd_status status = view_as(&copy, ndim, shape, out, err);
  nd_view_drop(&copy);
  return status;
}

nd_status ndi_promote(const char *what, nd_dtype a, nd_dtype b, nd_dtype *out, nd_error *err) {
  if (nd_dtype_promote(a, b, out)) return ND_OK;
  return nd_fail(err, ND_TYPE_MISMATCH,
                 "%s: %s and %s have no common dtype; convert one of them with :astype()", what,
                 nd_dtype_get(a)->name, nd_dtype_get(b)->name);
}

nd_status ndi_check_digits(const char *what, nd_dtype from, nd_dtype dtype, const nd_view *dst,
                           nd_error *err) {
  const nd_kind kind = nd_dtype_get((nd_dtype)dst->dtype)->kind;
  if (kind == ND_KIND_FLOAT || kind == ND_KIND_COMPLEX || !nd_dtype_rounds(dtype, from))
    return ND_OK;
  return nd_fail(err, ND_TYPE_MISMATCH,
                 "%s: %s is computed in %s, which does not hold all its digits, and is not written "
                 "to %s; use :astype()",
                 what, nd_dtype_get(from)->name, nd_dtype_get(dtype)->name, ndi_dtype_name(dst));
}
