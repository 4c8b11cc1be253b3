/* Making views, their references, and questions about them.
 *
 * nd_view_make checks that all elements lie in the storage. Most functions of shape.c make views of
 * a part of the elements of another, and rely on that check. Questions about overlap are answered
 * from byte ranges and strides, not element by element: quickly, but at times only "it may be". */
#include "view/view.h"

#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "mem/file.h"
#include "view/axes.h"

/* {=== making ===} */

static bool has_zero_axis(int ndim, const nd_axis *axis) {
  for (int i = 0; i < ndim; i++)
    if (axis[i].len == 0) return true;
  return false;
}

/* Set [*lo, *hi) to the bytes of the elements, the first of which is at 'offset'. A negative step
 * extends the range downwards, a positive one upwards. False on overflow, or where the range begins
 * below 0; '*hi' is left alone on overflow. An empty view has no range, but even there (len - 1) *
 * step of each axis must not overflow: views that are made of it compute with that. */
static bool find_span(size_t offset, int ndim, const nd_axis *axis, size_t item, size_t *lo,
                      size_t *hi) {
  ptrdiff_t first = (ptrdiff_t)offset, last = first;
  const bool is_empty = has_zero_axis(ndim, axis);
  if (offset > ND_SIZE_MAX) return false;
  for (int i = 0; i < ndim; i++) {
    ptrdiff_t reach;
    const size_t steps = axis[i].len ? axis[i].len - 1 : 0;
    /* the negative of PTRDIFF_MIN, which a flipped view would have, does not exist */
    if (axis[i].step == PTRDIFF_MIN || steps >= ND_SIZE_MAX ||
        !ndi_offset_mul((ptrdiff_t)steps, axis[i].step, &reach))
      return false;
    if (is_empty) continue;
    if (!ndi_offset_add(reach < 0 ? first : last, reach, reach < 0 ? &first : &last)) return false;
  }
  if (is_empty) return *lo = *hi = offset, true;
  *lo = (size_t)first;
  size_t end;
  if (!ndi_size_add((size_t)last, item, &end)) return false;
  *hi = end;
  return first >= 0;
}

/* Set axes and size; 'steps' NULL: row-major. The run of an extent of 0 counts as 1 item, so that
 * the strides of an empty view are ordinary ones. */
static nd_status fill_axes(int ndim, const size_t *shape, const ptrdiff_t *steps, size_t item,
                           nd_view *out, nd_error *err) {
  size_t bytes, run = item;
  if (!ndi_size_of(ndim, shape, item, &bytes))
    return nd_fail(err, ND_OVERFLOW, "the shape has more bytes than the largest size");
  for (int i = ndim; i-- > 0;) {
    out->axis[i] = (nd_axis){shape[i], steps ? steps[i] : (ptrdiff_t)run};
    run *= shape[i] ? shape[i] : 1;
  }
  out->size = bytes / item;
  return ND_OK;
}

/* Without a reference. */
static nd_status borrow(nd_storage *storage, size_t offset, nd_dtype dtype, int ndim,
                        const size_t *shape, const ptrdiff_t *steps, nd_view *out, nd_error *err) {
  if (ndim < 0 || ndim > ND_MAX_NDIM)
    return nd_fail_with(err, ND_INVALID_ARGUMENT,
                        ND_NUMBERS({"value", ndim}, {"limit", ND_MAX_NDIM}),
                        "%d axes: an array has at most %d", ndim, ND_MAX_NDIM);
  const size_t item = nd_dtype_get(dtype)->bytes;
  nd_view v; /* only the axes that count are initialised and copied */
  v.storage = storage;
  v.offset = offset;
  v.dtype = (uint8_t)dtype;
  v.ndim = (uint8_t)ndim;
  v.is_read_only = storage->is_read_only;
  ND_TRY(fill_axes(ndim, shape, steps, item, &v, err));
  size_t lo = 0, hi = 0;
  const bool is_inside = find_span(offset, ndim, v.axis, item, &lo, &hi);
  if (!is_inside && hi == 0) /* no size can express where it ends */
    return nd_fail_with(err, ND_OUT_OF_BOUNDS,
                        ND_NUMBERS({"offset", (int64_t)offset}, {"limit", (int64_t)storage->bytes}),
                        "the offset and the strides of the view overflow");
  /* an empty view may begin anywhere in the storage, also at its end */
  if (!is_inside || (v.size ? hi : offset) > storage->bytes)
    return nd_fail_with(err, ND_OUT_OF_BOUNDS,
                        ND_NUMBERS({"offset", (int64_t)offset}, {"expected", (int64_t)hi},
                                   {"limit", (int64_t)storage->bytes}),
                        "the view reaches from byte %td to %zu of a storage of %zu B",
                        (ptrdiff_t)lo, hi, storage->bytes);
  ndi_view_copy_record(&v, out);
  return ND_OK;
}

nd_status nd_view_make(nd_storage *storage, size_t offset, nd_dtype dtype, int ndim,
                       const size_t *shape, const ptrdiff_t *steps, nd_view *out, nd_error *err) {
  ND_TRY(borrow(storage, offset, dtype, ndim, shape, steps, out, err));
  nd_storage_hold(storage);
  return ND_OK;
}

nd_status nd_view_make_over(nd_storage *storage, nd_dtype dtype, int ndim, const size_t *shape,
                            const ptrdiff_t *steps, nd_view *out, nd_error *err) {
  const nd_status status = borrow(storage, 0, dtype, ndim, shape, steps, out, err);
  if (status != ND_OK) nd_storage_drop(storage);
  return status;
}

void nd_view_borrow(const nd_view *src, nd_view *out) { ndi_view_copy_record(src, out); }

void nd_view_copy(const nd_view *src, nd_view *out) {
  nd_view_borrow(src, out);
  nd_storage_hold(out->storage);
}

void nd_view_drop(nd_view *view) {
  nd_storage_drop(view->storage);
  view->storage = NULL;
}

/* {=== asking ===} */

bool nd_view_is_contiguous(const nd_view *v) {
  ptrdiff_t run = (ptrdiff_t)nd_view_itemsize(v); /* the step that a contiguous axis has */
  if (v->size == 0) return true;
  for (int i = v->ndim; i-- > 0;) {
    if (v->axis[i].len != 1 && v->axis[i].step != run) return false;
    run *= (ptrdiff_t)v->axis[i].len;
  }
  return true;
}

void nd_view_span(const nd_view *v, size_t *lo, size_t *hi) {
  *lo = *hi = v->offset;
  if (v->size) find_span(v->offset, v->ndim, v->axis, nd_view_itemsize(v), lo, hi);
}

/* The span is found only where there may be something to wait for. */
nd_status nd_view_host(const nd_view *v, bool for_write, char **out, nd_error *err) {
  size_t lo = 0, hi = 0;
  if (nd_storage_get_state(v->storage) != ND_STORAGE_LIVE)
    ND_TRY(nd_storage_allocate(v->storage, err));
  if (v->storage->is_busy) nd_view_span(v, &lo, &hi);
  return nd_storage_host(v->storage, lo, hi, for_write, out, err);
}

/* Is no byte of one storage in the other? Two mappings of one file have other addresses. */
static bool are_apart(const nd_storage *a, const nd_storage *b) {
  const char *x = a->ptr, *y = b->ptr; /* they exist once allocated */
  if (a->resource->kind == ND_MEM_FILE && b->resource->kind == ND_MEM_FILE) return false;
  return !x || !y || x + a->bytes <= y || y + b->bytes <= x;
}

bool nd_view_may_overlap(const nd_view *a, const nd_view *b) {
  if (a->size == 0 || b->size == 0) return false;
  if (a->storage != b->storage && are_apart(a->storage, b->storage)) return false;
  size_t alo, ahi, blo, bhi;
  nd_view_span(a, &alo, &ahi);
  nd_view_span(b, &blo, &bhi);
  if (a->storage == b->storage) return alo < bhi && blo < ahi;
  ptrdiff_t shift; /* two mappings of one file: compare in bytes of the file */
  if (nd_file_resource_is_shared(a->storage->resource, b->storage->resource, &shift)) {
    const ptrdiff_t lo = (ptrdiff_t)blo + shift, hi = (ptrdiff_t)bhi + shift;
    return (ptrdiff_t)alo < hi && lo < (ptrdiff_t)ahi;
  }
  /* two storages that wrap the same memory: compare addresses */
  const char *x = a->storage->ptr, *y = b->storage->ptr;
  return x && y && x + alo < y + bhi && y + blo < x + ahi;
}

/* The axes with more than one item, in descending order of the magnitude of their steps, which are
 * made positive. Returns how many. */
static int sort_axes(const nd_view *v, nd_axis *out) {
  int n = 0;
  for (int i = 0; i < v->ndim; i++) {
    if (v->axis[i].len < 2) continue;
    const ptrdiff_t step = v->axis[i].step < 0 ? -v->axis[i].step : v->axis[i].step;
    int at = n++;
    for (; at > 0 && out[at - 1].step < step; at--) out[at] = out[at - 1];
    out[at] = (nd_axis){v->axis[i].len, step};
  }
  return n;
}

/* Whether each of the axes steps over all bytes that those after it reach, or, backwards, those
 * before it. */
static bool steps_over(int n, const nd_axis *axis, bool is_backwards, size_t item) {
  ptrdiff_t reach = (ptrdiff_t)item; /* it stays within the span of the view: no overflow */
  for (int i = 0; i < n; i++) {
    const nd_axis *a = axis + (is_backwards ? i : n - 1 - i);
    if (a->len < 2) continue;
    if (a->step < reach) return false;
    reach += (ptrdiff_t)(a->len - 1) * a->step;
  }
  return true;
}

/* No two elements overlap if the axes step over one another in the order of their steps, which
 * usually is the order in which they stand, or in a transpose the reverse. That is sufficient, but
 * not necessary. */
bool nd_view_overlaps_itself(const nd_view *v) {
  const size_t item = nd_view_itemsize(v);
  if (v->size < 2 || steps_over(v->ndim, v->axis, false, item)) return false;
  if (steps_over(v->ndim, v->axis, true, item)) return false;
  nd_axis axis[ND_MAX_NDIM];
  const int n = sort_axes(v, axis);
  return !steps_over(n, axis, false, item);
}

bool nd_view_same_shape(const nd_view *a, const nd_view *b) {
  if (a->ndim != b->ndim) return false;
  for (int i = 0; i < a->ndim; i++)
    if (a->axis[i].len != b->axis[i].len) return false;
  return true;
}

const char *nd_shape_text(int ndim, const nd_axis *axis, char *text, size_t bytes) {
  if (ndim == 0) snprintf(text, bytes, "scalar");
  size_t used = 0;
  for (int i = 0; i < ndim && used < bytes; i++) {
    const int n = snprintf(text + used, bytes - used, "%s%zu", i ? "x" : "", axis[i].len);
    /* what the text would need: where it is truncated, 'used' is at least 'bytes' */
    used += n > 0 ? (size_t)n : 0;
  }
  /* "…" is three bytes of UTF-8 and the final 0 */
  if (used >= bytes && bytes > 4) memcpy(text + bytes - 4, "…", 4);
  return text;
}

bool nd_view_is_sound(const nd_view *v) {
  size_t lo, hi, bytes, shape[ND_MAX_NDIM];
  if (!v->storage || v->ndim > ND_MAX_NDIM || v->dtype >= ND_DTYPE_COUNT) return false;
  nd_view_shape(v, shape);
  if (!ndi_size_of(v->ndim, shape, nd_view_itemsize(v), &bytes) || bytes != nd_view_nbytes(v))
    return false;
  if (!find_span(v->offset, v->ndim, v->axis, nd_view_itemsize(v), &lo, &hi)) return false;
  return (v->size ? hi : v->offset) <= v->storage->bytes;
}
