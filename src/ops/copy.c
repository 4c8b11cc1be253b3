/* Copies: check shapes, dtypes, values and overlap, then have the device copy. Conversions, clones,
 * fills and the exchange with the caller's memory all end in nd_copy, so that they have the same
 * rules. */
#include <string.h>

#include "dev/small.h"
#include "mem/foreign.h"
#include "ops/common.h"

/* Complex numbers have no conversion to other dtypes. */
static nd_status check_pair(const nd_view *dst, const nd_view *src, nd_error *err) {
  const nd_dtype_traits *to = nd_dtype_get((nd_dtype)dst->dtype),
                        *from = nd_dtype_get((nd_dtype)src->dtype);
  if (from->kind != ND_KIND_COMPLEX || to->kind == ND_KIND_COMPLEX) return ND_OK;
  return nd_fail_remedy(err, ND_TYPE_MISMATCH, ND_REMEDY_PART, "cannot convert %s to %s",
                        from->name, to->name);
}

/* Element 'at' (row-major, from 0) of 'v' as text for an error message; "" for a complex one, or
 * where it cannot be read. */
static const char *element_text(const nd_view *v, size_t at, char *text) {
  double value;
  nd_view element, wide;
  text[0] = '\0';
  nd_view_borrow(v, &element);
  /* 'element' borrows the storage and becomes a 0-d view of the one element */
  for (int i = v->ndim; i-- > 0; at /= v->axis[i].len)
    element.offset = (size_t)((ptrdiff_t)element.offset +
                              (ptrdiff_t)(at % v->axis[i].len) * v->axis[i].step);
  element.ndim = 0;
  element.size = 1;
  if (nd_dtype_get((nd_dtype)v->dtype)->kind == ND_KIND_COMPLEX ||
      nd_astype(&element, ND_F64, ND_SATURATE, &wide, NULL) != ND_OK)
    return text;
  if (nd_copyout(&wide, &value, sizeof value, NULL) == ND_OK) ndi_double_text(value, text);
  nd_view_drop(&wide);
  return text;
}

/* ND_CHECK: refuse the copy before anything is written. */
static nd_status check_values(const nd_view *dst, const nd_view *src, nd_error *err) {
  size_t first = 0;
  char text[ND_DOUBLE_TEXT];
  const nd_task task = {.op = ND_OP_CAST_CHECK,
                        .count = 1,
                        .views = {src},
                        .target = (nd_dtype)dst->dtype,
                        .result = &first};
  ND_TRY(nd_device_run(nd_device_of(src), &task, err));
  if (first == src->size) return ND_OK;
  element_text(src, first, text);
  return nd_fail_with(
      err, ND_NOT_REPRESENTABLE, ND_NUMBERS({"position", (int64_t)first + 1}),
      "element %zu (in row-major order) of the %s source%s%s%s cannot be represented as %s",
      first + 1, nd_dtype_get((nd_dtype)src->dtype)->name, text[0] ? " (" : "", text,
      text[0] ? ")" : "", nd_dtype_get((nd_dtype)dst->dtype)->name);
}

/* The device that copies: between the host and a device the latter, between two devices the
 * destination's. */
static nd_device *device_between(const nd_view *dst, const nd_view *src) {
  nd_device *to = nd_device_of(dst), *from = nd_device_of(src);
  return to == nd_host_device() ? from : to;
}

/* After a copy between host and device, the host's side is complete on return. Only copies of
 * pinned memory stay in flight.
 *
 * nd_storage_host waits for the work that conflicts with an access: a source may still be read, so
 * its access is a write; for a destination, which may still be written, a read suffices. */
static nd_status finish_host_side(const nd_view *dst, const nd_view *src, nd_error *err) {
  const nd_view *sides[] = {dst, src};
  char *host;
  if (nd_device_of(dst) == nd_device_of(src)) return ND_OK;
  for (int i = 0; i < 2; i++)
    if (nd_device_of(sides[i]) == nd_host_device() && !sides[i]->storage->is_pinned)
      ND_TRY(nd_view_host(sides[i], sides[i] == src, &host, err));
  return ND_OK;
}

static nd_status copy_disjoint(nd_device *device, const nd_view *dst, const nd_view *src,
                               nd_cast_mode mode, nd_error *err) {
  ND_TRY(nd_device_copy(device, dst, src, mode, err));
  return finish_host_side(dst, src, err);
}

/* The views have one shape, and 'dst' was checked. Overlapping views are copied through a
 * temporary. */
static nd_status copy_checked(const nd_view *dst, const nd_view *src, nd_cast_mode mode,
                              nd_error *err) {
  nd_device *device = device_between(dst, src);
  /* Nothing to copy, but memory that was freed is refused all the same. */
  if (dst->size == 0 || ndi_same_elements(dst, src))
    return nd_storage_get_state(src->storage) == ND_STORAGE_FREED
               ? nd_storage_check(src->storage, err)
               : ND_OK;
  if (mode == ND_CHECK) ND_TRY(check_values(dst, src, err));
  ND_TRY(nd_storage_allocate(src->storage, err)); /* the overlap test below needs the addresses */
  ND_TRY(nd_storage_allocate(dst->storage, err));
  if (!nd_view_may_overlap(dst, src)) return copy_disjoint(device, dst, src, mode, err);
  /* Through a temporary in the dtype of the source, so that values are converted only once; where
   * ND_CHECK was asked for, they have passed above. */
  nd_view temp;
  ND_TRY(nd_new_like(src, (nd_dtype)src->dtype, &temp, err));
  nd_status status = copy_disjoint(device, &temp, src, ND_SATURATE, err);
  if (status == ND_OK) status = copy_disjoint(device, dst, &temp, mode, err);
  nd_view_drop(&temp);
  return status;
}

nd_status nd_check_copy(const nd_view *dst, const nd_view *src, nd_error *err) {
  ND_TRY(ndi_check_writable(dst, err));
  return check_pair(dst, src, err);
}

nd_status nd_copy(const nd_view *dst, const nd_view *src, nd_cast_mode mode, nd_error *err) {
  if (ndi_small_copy(dst, src, mode)) return ND_OK;
  ND_TRY(nd_check_copy(dst, src, err));
  nd_view wide;
  if (nd_view_same_shape(src, dst)) return copy_checked(dst, src, mode, err);
  /* 'wide' has steps of 0 where 'src' is broadcast: no memory is needed for it */
  ND_TRY(nd_view_expand_like("copy", src, dst, &wide, err));
  const nd_status status = copy_checked(dst, &wide, mode, err);
  nd_view_drop(&wide);
  return status;
}

/* Copy 'src' to 'made', a new array, and give it to 'out', or drop it. */
static nd_status copy_into_new(nd_view *made, const nd_view *src, nd_cast_mode mode, nd_view *out,
                               nd_error *err) {
  const nd_status status = nd_copy(made, src, mode, err);
  if (status == ND_OK) *out = *made;
  else nd_view_drop(made);
  return status;
}

nd_status ndi_copy_on(const nd_view *like, const nd_view *src, nd_dtype dtype, nd_cast_mode mode,
                      nd_view *out, nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  nd_view made;
  nd_view_shape(src, shape);
  ND_TRY(ndi_new_on(like, dtype, src->ndim, shape, &made, err));
  return copy_into_new(&made, src, mode, out, err);
}

nd_status nd_clone(const nd_view *src, nd_resource *resource, nd_view *out, nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  nd_view made;
  nd_view_shape(src, shape);
  ND_TRY(nd_new(resource, (nd_dtype)src->dtype, src->ndim, shape, (nd_storage_options){0}, &made,
                err));
  return copy_into_new(&made, src, ND_SATURATE, out, err);
}

nd_status nd_astype(const nd_view *src, nd_dtype dtype, nd_cast_mode mode, nd_view *out,
                    nd_error *err) {
  return ndi_copy_on(src, src, dtype, mode, out, err);
}

/* {=== between views and the caller's own memory ===} */

/* A row-major view of the caller's memory, which must outlive it. */
static nd_status borrow(void *at, size_t bytes, bool read_only, const nd_view *like, nd_dtype dtype,
                        nd_view *out, nd_error *err) {
  nd_resource *resource;
  nd_storage *storage;
  size_t shape[ND_MAX_NDIM];
  nd_view_shape(like, shape);
  /* a view needs a storage, and a storage a resource: both live as long as the view */
  ND_TRY(nd_foreign_resource(at, bytes, NULL, NULL, &resource, err));
  const nd_storage_options options = {.read_only = read_only};
  nd_status status = nd_storage_make(resource, bytes, options, &storage, err);
  nd_resource_drop(resource);
  if (status != ND_OK) return status;
  return nd_view_make_over(storage, dtype, like->ndim, shape, NULL, out, err);
}

/* Drop a borrowed view after waiting for pending work on it: the memory is the caller's again on
 * return. */
static nd_status return_borrowed(nd_view *borrowed, nd_status status, nd_error *err) {
  char *host; /* a call that failed may have enqueued work before it did */
  const bool failed = status != ND_OK;
  const nd_status waited = nd_view_host(borrowed, true, &host, failed ? NULL : err);
  nd_view_drop(borrowed);
  return failed ? status : waited;
}

static nd_status check_bytes(const char *what, const nd_view *v, size_t bytes, nd_error *err) {
  if (bytes == nd_view_nbytes(v)) return ND_OK;
  return nd_fail_with(
      err, ND_SIZE_MISMATCH,
      ND_NUMBERS({"expected", (int64_t)nd_view_nbytes(v)}, {"actual", (int64_t)bytes}),
      "%s: %zu B given, the array has %zu", what, bytes, nd_view_nbytes(v));
}

nd_status nd_copyin(const nd_view *dst, const void *from, size_t bytes, nd_error *err) {
  nd_view source;
  ND_TRY(check_bytes("copyin", dst, bytes, err));
  /* the cast removes const, but the storage is read-only */
  ND_TRY(borrow((void *)(uintptr_t)from, bytes, true, dst, (nd_dtype)dst->dtype, &source, err));
  return return_borrowed(&source, nd_copy(dst, &source, ND_SATURATE, err), err);
}

nd_status nd_copyout(const nd_view *src, void *to, size_t bytes, nd_error *err) {
  nd_view target;
  ND_TRY(check_bytes("copyout", src, bytes, err));
  ND_TRY(borrow(to, bytes, false, src, (nd_dtype)src->dtype, &target, err));
  return return_borrowed(&target, nd_copy(&target, src, ND_SATURATE, err), err);
}

nd_status nd_fill(const nd_view *dst, const nd_scalar *value, nd_error *err) {
  /* A fill is a copy from a borrowed 0-d array, which broadcasts. */
  static const nd_view scalar_shape = {.size = 1};
  nd_view source;
  const size_t bytes = nd_dtype_get(value->dtype)->bytes;
  if (ndi_small_fill(dst, value->dtype, value->bytes)) return ND_OK;
  ND_TRY(borrow((void *)(uintptr_t)value->bytes, bytes, true, &scalar_shape, value->dtype, &source,
                err));
  return return_borrowed(&source, nd_copy(dst, &source, ND_SATURATE, err), err);
}

nd_status nd_item(const nd_view *src, nd_scalar *out, nd_error *err) {
  char text[ND_SHAPE_TEXT];
  if (src->size != 1)
    return nd_fail_with(err, ND_SIZE_MISMATCH,
                        ND_NUMBERS({"expected", 1}, {"actual", (int64_t)src->size}),
                        "item: the array (%s) has %zu elements, not 1",
                        nd_shape_text(src->ndim, src->axis, text, sizeof text), src->size);
  out->dtype = (nd_dtype)src->dtype;
  return nd_copyout(src, out->bytes, nd_view_itemsize(src), err);
}
