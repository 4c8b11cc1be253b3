/* Operands as a device may read them: of its memory, of the right dtype, and without bytes in
 * common with the output. */
#include "ops/common.h"

nd_status ndi_operand(const nd_view *dst, bool is_disjoint, const nd_view *src, nd_dtype dtype,
                      nd_view *out, nd_error *err) {
  ND_TRY(ndi_check_live(src, err));
  ND_TRY(ndi_check_device(dst, src, err));
  if (is_disjoint) { /* the overlap test needs the addresses */
    ND_TRY(nd_storage_allocate(src->storage, err));
    ND_TRY(nd_storage_allocate(dst->storage, err));
  }
  const bool is_ready = src->dtype == dtype && nd_device_of(src) == nd_device_of(dst) &&
                        !(is_disjoint && nd_view_may_overlap(dst, src));
  if (!is_ready) return ndi_copy_on(dst, src, dtype, ND_SATURATE, out, err);
  nd_view_copy(src, out);
  return ND_OK;
}

static nd_status view_as(const nd_view *src, int ndim, const size_t *shape, nd_view *out,
                         nd_error *err) {
  int64_t extents[ND_MAX_NDIM];
  for (int i = 0; i < ndim; i++) extents[i] = (int64_t)shape[i];
  return nd_view_reshape(src, ndim, extents, out, err);
}

/* The failure of the first attempt is expected, so its message is not wanted. */
nd_status ndi_reshape(const nd_view *src, int ndim, const size_t *shape, nd_view *out,
                      nd_error *err) {
  nd_view copy;
  if (view_as(src, ndim, shape, out, NULL) == ND_OK) return ND_OK;
  ND_TRY(ndi_copy_on(src, src, (nd_dtype)src->dtype, ND_SATURATE, &copy, err));
  const nd_status status = view_as(&copy, ndim, shape, out, err);
  nd_view_drop(&copy);
  return status;
}
