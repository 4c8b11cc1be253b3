/* Picking and assigning along an axis, by an index for each line: index arrays in all axes, of
 * which those for the other axes count their places. */
#include "ops/common.h"

/* 1 … n along 'axis' of 'ndim', of extent 1 along the others: a new array, viewed. */
static nd_status make_places(const nd_view *like, int ndim, int axis, nd_view *out, nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  ptrdiff_t steps[ND_MAX_NDIM];
  nd_view line;
  const size_t n = like->axis[axis].len;
  ND_TRY(ndi_new_on(like, ND_I64, 1, &n, &line, err));
  for (int i = 0; i < ndim; i++) {
    shape[i] = i == axis ? n : 1;
    steps[i] = line.axis[0].step;
  }
  nd_status status = nd_range_integer(&line, 1, 1, err);
  if (status == ND_OK)
    status = nd_view_as_strided(&line, ndim, shape, steps, line.offset, out, err);
  nd_view_drop(&line);
  return status;
}

static nd_status fail_shapes(const char *what, const nd_view *v, const nd_view *index,
                             const char *rule, nd_error *err) {
  char text[ND_SHAPE_TEXT], other[ND_SHAPE_TEXT];
  return nd_fail(err, ND_SHAPE_MISMATCH, "%s: an index (%s) for an array (%s): %s", what,
                 ndi_shape_text(index, text), ndi_shape_text(v, other), rule);
}

static nd_status check_axes(const char *what, const nd_view *v, int axis, const nd_view *index,
                            nd_error *err) {
  if (v->ndim == 0)
    return nd_fail(err, ND_INVALID_ARGUMENT, "%s: a scalar (0-d) array has no axis to pick along",
                   what);
  ND_TRY(ndi_check_axis(what, axis, v->ndim, err));
  ND_TRY(ndi_check_index_dtype(what, index, err));
  return index->ndim == v->ndim
             ? ND_OK
             : fail_shapes(what, v, index, "both have the same number of axes", err);
}

static nd_status check_broadcast(const char *what, const nd_view *v, int axis, const nd_view *index,
                                 nd_error *err) {
  ND_TRY(check_axes(what, v, axis, index, err));
  for (int i = 0; i < v->ndim; i++) {
    const size_t a = v->axis[i].len, b = index->axis[i].len;
    if (i != axis && a != b && a != 1 && b != 1)
      return fail_shapes(what, v, index, "other axes must broadcast", err);
  }
  return ND_OK;
}

/* The pickers for all axes of 'v'; 'places' are the views that those of other axes need, which the
 * caller drops: '*made' of them, after a failure too. */
static nd_status make_pickers(const char *what, const nd_view *v, int axis, const nd_view *index,
                              nd_picker *out, nd_view *places, int *made, nd_error *err) {
  for (int i = 0; i < v->ndim; i++) {
    out[i] = (nd_picker){.by = index, .axis = i, .named = i, .what = what};
    if (i == axis) continue;
    ND_TRY(make_places(v, v->ndim, i, &places[*made], err));
    out[i].by = &places[(*made)++];
  }
  return ND_OK;
}

nd_status nd_take_along(const char *what, const nd_view *src, int axis, const nd_view *index,
                        nd_view *out, nd_error *err) {
  nd_picker by[ND_MAX_NDIM];
  nd_view places[ND_MAX_NDIM];
  int made = 0;
  ND_TRY(ndi_check_live(src, err));
  ND_TRY(check_broadcast(what, src, axis, index, err));
  nd_status status = make_pickers(what, src, axis, index, by, places, &made, err);
  if (status == ND_OK) status = nd_pick(src, src->ndim, by, 0, out, err);
  while (made > 0) nd_view_drop(&places[--made]);
  return status;
}

nd_status nd_put_along(const char *what, const nd_view *dst, int axis, const nd_view *index,
                       const nd_view *values, bool adds, nd_error *err) {
  nd_picker by[ND_MAX_NDIM];
  nd_view places[ND_MAX_NDIM];
  int made = 0;
  ND_TRY(ndi_check_writable(dst, err));
  ND_TRY(check_broadcast(what, dst, axis, index, err));
  nd_status status = make_pickers(what, dst, axis, index, by, places, &made, err);
  if (status == ND_OK && adds) status = nd_pick_add(dst, dst->ndim, by, 0, values, err);
  else if (status == ND_OK) status = nd_pick_assign(dst, dst->ndim, by, 0, values, err);
  while (made > 0) nd_view_drop(&places[--made]);
  return status;
}

nd_status nd_view_along(const char *what, const nd_view *v, int axis, const nd_view *index,
                        nd_view *out, nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  ptrdiff_t steps[ND_MAX_NDIM];
  ND_TRY(ndi_check_live(v, err));
  ND_TRY(check_axes(what, v, axis, index, err));
  for (int i = 0; i < v->ndim; i++) {
    shape[i] = i == axis ? v->axis[i].len : index->axis[i].len;
    steps[i] = v->axis[i].step;
    if (shape[i] > v->axis[i].len)
      return fail_shapes(what, v, index, "its other axes have at most as many places", err);
  }
  return nd_view_as_strided(v, v->ndim, shape, steps, v->offset, out, err);
}
