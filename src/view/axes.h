/* Edits of the record of a view that all makers of views share. They move no data and take no
 * references. */
#ifndef ND_VIEW_AXES_H
#define ND_VIEW_AXES_H

#include <string.h>

#include "view/view.h"

/* Copy all of a view but its axes, without adding a reference. */
static inline void ndi_view_copy_header(const nd_view *src, nd_view *out) {
  out->storage = src->storage;
  out->offset = src->offset;
  out->dtype = src->dtype;
  out->ndim = src->ndim;
  out->is_read_only = src->is_read_only;
  out->size = src->size;
}

/* Copy a view without adding a reference. Only the axes that count are copied: a handle in Lua is
 * allocated no longer than those, so that an assignment of the struct would read past its end.
 * Field by field, since the processor waits where a copy by vectors reads what was just written. */
static inline void ndi_view_copy_record(const nd_view *src, nd_view *out) {
  ndi_view_copy_header(src, out);
  for (int i = 0; i < src->ndim; i++) out->axis[i] = src->axis[i];
}

/* Recompute the number of elements from the axes. Their product is known not to overflow. */
static inline void ndi_view_set_size(nd_view *v) {
  v->size = 1;
  for (int i = 0; i < v->ndim; i++) v->size *= v->axis[i].len;
}

/* Let the view begin 'items' items further along an axis. An empty view stays where it is: there is
 * no element to begin with, and the steps of its axes may lead anywhere. */
static inline void ndi_view_advance(nd_view *v, int axis, size_t items) {
  if (v->size) v->offset = (size_t)((ptrdiff_t)v->offset + (ptrdiff_t)items * v->axis[axis].step);
}

static inline void ndi_view_remove_axis(nd_view *v, int axis) {
  memmove(&v->axis[axis], &v->axis[axis + 1], (size_t)(v->ndim - axis - 1) * sizeof v->axis[0]);
  v->ndim--;
}

/* Insert 'axis' before the axis 'at'. ND_INVALID_ARGUMENT when there are ND_MAX_NDIM already. */
static inline nd_status ndi_view_insert_axis(nd_view *v, int at, nd_axis axis, nd_error *err) {
  if (v->ndim == ND_MAX_NDIM)
    return nd_fail_with(err, ND_INVALID_ARGUMENT, ND_NUMBERS({"limit", ND_MAX_NDIM}),
                        "an array has at most %d axes", ND_MAX_NDIM);
  memmove(&v->axis[at + 1], &v->axis[at], (size_t)(v->ndim - at) * sizeof v->axis[0]);
  v->axis[at] = axis;
  v->ndim++;
  return ND_OK;
}

#endif
