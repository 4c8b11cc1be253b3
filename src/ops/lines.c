/* Lines: what operations along an axis need as the last axis of a packed array. */
#include "ops/common.h"

/* View 'v' with 'axis' moved to the end, or, where 'is_back', the last axis to 'axis'. */
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

nd_status ndi_copy_moved(const nd_view *v, int axis, bool is_back, nd_view *out, nd_error *err) {
  nd_view moved;
  ND_TRY(move_axis(v, axis, is_back, &moved, err));
  const nd_status status = ndi_copy_on(v, &moved, (nd_dtype)v->dtype, ND_SATURATE, out, err);
  nd_view_drop(&moved);
  return status;
}

nd_status ndi_finish_lines(nd_status status, nd_view *made, int axis, nd_view *out, nd_error *err) {
  if (status == ND_OK && axis == made->ndim - 1) {
    *out = *made;
    return ND_OK;
  }
  if (status == ND_OK) status = ndi_copy_moved(made, axis, true, out, err);
  nd_view_drop(made);
  return status;
}

/* 'v' with the axes that stay in front of the others. */
static nd_status move_axes(const nd_view *v, uint32_t axes, nd_view *out, nd_error *err) {
  int order[ND_MAX_NDIM], n = 0;
  for (int goes = 0; goes < 2; goes++)
    for (int i = 0; i < v->ndim; i++)
      if ((axes >> i & 1) == (uint32_t)goes) order[n++] = i;
  return nd_view_permute(v, order, out, err);
}

nd_status ndi_view_lines(const nd_view *v, uint32_t axes, bool copies_files, nd_view *out,
                         nd_error *err) {
  size_t shape[] = {1, 1};
  nd_view moved, packed;
  for (int i = 0; i < v->ndim; i++) shape[axes >> i & 1] *= v->axis[i].len;
  ND_TRY(move_axes(v, axes, &moved, err));
  nd_status status = ND_OK;
  const bool is_file = v->storage->resource->kind == ND_MEM_FILE;
  if (nd_view_is_contiguous(&moved) && !(is_file && copies_files)) nd_view_copy(&moved, &packed);
  else status = ndi_copy_on(v, &moved, (nd_dtype)v->dtype, ND_SATURATE, &packed, err);
  nd_view_drop(&moved);
  if (status != ND_OK) return status;
  status = ndi_reshape(&packed, 2, shape, out, err);
  nd_view_drop(&packed);
  return status;
}
