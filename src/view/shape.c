/* Views made of views: reshape, axes, broadcasting, bytes. Each starts from a copy of the source's
 * record, edits offset and axes, and then finishes it. No element is read, so all of it works
 * before a lazy array has memory.
 *
 * The elements of the source lie in its storage, so that distances between them cannot overflow. A
 * step times a length leads to where no element is, and an empty view may have any steps: products
 * like these may overflow, and are checked or not used. */
#include "base/size.h"
#include "view/axes.h"

/* Complete a result and add its reference. It covers only bytes that the source covers, so that no
 * bounds need to be checked. */
static nd_status finish(nd_view *v, nd_view *out) {
  ndi_view_set_size(v);
  nd_storage_hold(v->storage);
  ndi_view_copy_record(v, out);
  return ND_OK;
}

/* The shape of 'v' for a message; 'text' has ND_SHAPE_TEXT bytes. */
static const char *describe(const nd_view *v, char *text) {
  return nd_shape_text(v->ndim, v->axis, text, ND_SHAPE_TEXT);
}

/* {=== reshape ===} */

/* Copy 'shape' to 'full', with the extent for -1 filled in, and check that the number of elements
 * is that of 'src'. */
static nd_status complete_shape(const nd_view *src, int ndim, const int64_t *shape, size_t *full,
                                nd_error *err) {
  int open = -1;
  size_t known = 1;
  bool has_zero = false;
  for (int i = 0; i < ndim; i++) {
    if (shape[i] == -1 && open < 0) open = i;
    else if (shape[i] < 0)
      return nd_fail_with(err, ND_INVALID_ARGUMENT,
                          ND_NUMBERS({"axis", i + 1}, {"value", shape[i]}),
                          "reshape: extent %d is %lld%s", i + 1, (long long)shape[i],
                          shape[i] == -1 ? ": only one may be -1" : ": it must not be negative");
    full[i] = i == open ? 1 : (size_t)shape[i];
    has_zero |= full[i] == 0;
    if (full[i] && !ndi_size_mul(known, full[i], &known))
      return nd_fail(err, ND_OVERFLOW, "reshape: the product of the extents overflows");
  }
  if (has_zero) known = 0; /* not before: the product of the others must not overflow either */
  if (open >= 0 && known > 0) full[open] = src->size / known; /* the total tells if it divides */
  const size_t total = open >= 0 && known > 0 ? known * full[open] : known;
  char text[ND_SHAPE_TEXT];
  if (total != src->size || (open >= 0 && known == 0)) /* with a 0 any extent would do */
    return nd_fail_with(err, ND_SIZE_MISMATCH,
                        ND_NUMBERS({"expected", (int64_t)src->size}, {"actual", (int64_t)total}),
                        "reshape: %zu elements (%s) do not fill a shape of %zu%s", src->size,
                        describe(src, text), known, open >= 0 ? " and -1" : "");
  return ND_OK;
}

/* Does 'inner' end where the next item of 'outer' begins, so that they could be one axis? */
static bool runs_on(const nd_axis *outer, const nd_axis *inner) {
  ptrdiff_t past;
  return ndi_offset_mul(inner->step, (ptrdiff_t)inner->len, &past) && outer->step == past;
}

/* Find strides for a new shape. From the innermost axis outwards, old axes that could be one are
 * taken as a run of 'have' elements of one stride, and new axes are carved from that run: each must
 * divide what is left of it. False where the runs do not fit: a copy would be needed. 'src' is not
 * empty. Source: NumPy's _attempt_nocopy_reshape, which goes from the outermost axis. */
static bool lay_out(const nd_view *src, int ndim, const size_t *full, nd_axis *axis) {
  nd_axis old[ND_MAX_NDIM];
  int n = 0;
  for (int i = 0; i < src->ndim; i++) /* an axis of extent 1 may have any stride */
    if (src->axis[i].len != 1) old[n++] = src->axis[i];
  int o = n - 1, i = ndim - 1;
  while (i >= 0) {
    size_t have = 1;
    ptrdiff_t step = (ptrdiff_t)nd_view_itemsize(src);
    if (full[i] != 1) { /* axes of extent 1 need no elements of a run */
      if (o < 0) return false;
      have = old[o].len, step = old[o].step;
      while (o > 0 && runs_on(&old[o - 1], &old[o])) {
        o--;
        have *= old[o].len;
      }
      o--;
    }
    while (i >= 0 && have % full[i] == 0) { /* new axes from this run */
      if (have == 1 && full[i] != 1) break; /* the run is used up */
      axis[i] = (nd_axis){full[i], step};
      step = (ptrdiff_t)((size_t)step * full[i]); /* wraps where no axis uses it any more */
      have /= full[i];
      i--;
    }
    if (have != 1) return false;
  }
  return true;
}

nd_status nd_view_reshape(const nd_view *src, int ndim, const int64_t *shape, nd_view *out,
                          nd_error *err) {
  size_t full[ND_MAX_NDIM], bytes;
  if (ndim < 0 || ndim > ND_MAX_NDIM)
    return nd_fail_with(err, ND_INVALID_ARGUMENT,
                        ND_NUMBERS({"value", ndim}, {"limit", ND_MAX_NDIM}),
                        "reshape: %d axes: an array has at most %d", ndim, ND_MAX_NDIM);
  ND_TRY(complete_shape(src, ndim, shape, full, err));
  /* of an empty array the other extents might still overflow, and strides are made of them */
  if (!ndi_size_of(ndim, full, nd_view_itemsize(src), &bytes))
    return nd_fail(err, ND_OVERFLOW, "reshape: the shape has more bytes than the largest size");
  nd_view v;
  ndi_view_copy_record(src, &v);
  v.ndim = (uint8_t)ndim;
  char text[ND_SHAPE_TEXT];
  if (src->size == 0) { /* no element to find again: any strides will do */
    ptrdiff_t run = (ptrdiff_t)nd_view_itemsize(src);
    for (int i = ndim; i-- > 0; run *= full[i] ? (ptrdiff_t)full[i] : 1)
      v.axis[i] = (nd_axis){full[i], run};
  } else if (!lay_out(src, ndim, full, v.axis)) {
    return nd_fail_remedy(err, ND_INVALID_VIEW, ND_REMEDY_CONTIGUOUS,
                          "cannot view %s (%s) in another shape: not contiguous",
                          nd_dtype_get((nd_dtype)src->dtype)->name, describe(src, text));
  }
  return finish(&v, out);
}

/* {=== axes ===} */

nd_status nd_view_permute(const nd_view *src, const int *order, nd_view *out, nd_error *err) {
  nd_view v;
  uint32_t seen = 0;
  ndi_view_copy_record(src, &v);
  for (int i = 0; i < src->ndim; i++) {
    const int from = order[i];
    /* as many entries as axes, and none twice: so each axis is there */
    if (from < 0 || from >= src->ndim || (seen >> from & 1))
      return nd_fail_with(err, ND_INVALID_ARGUMENT,
                          ND_NUMBERS({"value", from + 1}, {"limit", src->ndim}),
                          "permute: axis %d is out of range or repeated; the array has %d axes",
                          from + 1, src->ndim);
    seen |= 1u << from;
    v.axis[i] = src->axis[from];
  }
  return finish(&v, out);
}

nd_status nd_view_narrow(const nd_view *src, int axis, size_t first, size_t len, nd_view *out,
                         nd_error *err) {
  const size_t extent = src->axis[axis].len;
  /* in this form no sum can overflow */
  if (first > extent || len > extent - first)
    return nd_fail_with(
        err, ND_INDEX_OUT_OF_RANGE,
        ND_NUMBERS({"axis", axis + 1}, {"value", (int64_t)len}, {"limit", (int64_t)extent}),
        "narrow: %zu elements from %zu exceed axis %d of size %zu", len, first + 1, axis + 1,
        extent);
  nd_view v;
  ndi_view_copy_record(src, &v);
  /* without items there is none to begin with, and 'first' may be past the end */
  if (len) ndi_view_advance(&v, axis, first);
  v.axis[axis].len = len;
  return finish(&v, out);
}

nd_status nd_view_select(const nd_view *src, int axis, size_t at, nd_view *out, nd_error *err) {
  const size_t extent = src->axis[axis].len;
  if (at >= extent)
    return nd_fail_with(
        err, ND_INDEX_OUT_OF_RANGE,
        ND_NUMBERS({"axis", axis + 1}, {"value", (int64_t)at + 1}, {"limit", (int64_t)extent}),
        "index %zu is out of range for axis %d of size %zu", at + 1, axis + 1, extent);
  nd_view v;
  ndi_view_copy_record(src, &v);
  ndi_view_advance(&v, axis, at);
  ndi_view_remove_axis(&v, axis);
  return finish(&v, out);
}

nd_status nd_view_squeeze(const nd_view *src, int axis, nd_view *out, nd_error *err) {
  nd_view v;
  if (axis >= 0 && src->axis[axis].len != 1)
    return nd_fail_with(
        err, ND_SHAPE_MISMATCH,
        ND_NUMBERS({"axis", axis + 1}, {"expected", 1}, {"actual", (int64_t)src->axis[axis].len}),
        "squeeze: axis %d has size %zu, not 1", axis + 1, src->axis[axis].len);
  ndi_view_copy_record(src, &v);
  for (int i = v.ndim; i-- > 0;) /* backwards, as removing an axis moves those after it */
    if (axis < 0 ? v.axis[i].len == 1 : i == axis) ndi_view_remove_axis(&v, i);
  return finish(&v, out);
}

nd_status nd_view_unsqueeze(const nd_view *src, int axis, nd_view *out, nd_error *err) {
  nd_view v;
  ndi_view_copy_record(src, &v);
  /* the step that keeps a contiguous view contiguous for those who compare strides */
  ptrdiff_t inner = (ptrdiff_t)nd_view_itemsize(src);
  if (axis < src->ndim &&
      !ndi_offset_mul(src->axis[axis].step, (ptrdiff_t)src->axis[axis].len, &inner))
    inner = (ptrdiff_t)nd_view_itemsize(src); /* the step of an extent of 1 does not matter */
  ND_TRY(ndi_view_insert_axis(&v, axis, (nd_axis){1, inner}, err));
  return finish(&v, out);
}

nd_status nd_view_flip(const nd_view *src, uint32_t axes, nd_view *out, nd_error *err) {
  nd_view v;
  (void)err; /* a parameter because all functions that make a view have it */
  ndi_view_copy_record(src, &v);
  for (int i = 0; i < v.ndim; i++)
    if (axes >> i & 1) {
      ndi_view_advance(&v, i, v.axis[i].len - 1); /* to the last item */
      v.axis[i].step = -v.axis[i].step;
    }
  return finish(&v, out);
}

nd_status nd_view_unfold(const nd_view *src, int axis, size_t size, size_t step, nd_view *out,
                         nd_error *err) {
  nd_view v;
  ndi_view_copy_record(src, &v);
  const nd_axis old = v.axis[axis];
  if (size > old.len)
    return nd_fail_with(
        err, ND_INDEX_OUT_OF_RANGE,
        ND_NUMBERS({"axis", axis + 1}, {"value", (int64_t)size}, {"limit", (int64_t)old.len}),
        "unfold: a window of %zu exceeds axis %d of size %zu", size, axis + 1, old.len);
  if (size == 0 || step == 0)
    return nd_fail_with(err, ND_INVALID_ARGUMENT, ND_NUMBERS({"value", 0}, {"limit", 1}),
                        "unfold: %s must be at least 1, not 0", size == 0 ? "size" : "step");
  const size_t windows = (old.len - size) / step + 1;
  ptrdiff_t wide; /* from one window to the next; a single one may have any 'step' */
  if (windows == 1) wide = old.step;
  else if (!ndi_offset_mul(old.step, (ptrdiff_t)step, &wide))
    return nd_fail(err, ND_OVERFLOW, "unfold: step overflows");
  v.axis[axis] = (nd_axis){windows, wide};
  ND_TRY(ndi_view_insert_axis(&v, v.ndim, (nd_axis){size, old.step}, err));
  /* windows overlap: they may have more elements than the source, so the size is checked again */
  size_t total, shape[ND_MAX_NDIM];
  nd_view_shape(&v, shape);
  if (!ndi_size_of(v.ndim, shape, nd_view_itemsize(&v), &total))
    return nd_fail(err, ND_OVERFLOW, "unfold: the windows have more bytes than the largest size");
  return finish(&v, out);
}

nd_status nd_view_diagonal(const nd_view *src, int64_t k, nd_view *out, nd_error *err) {
  if (src->ndim < 2)
    return nd_fail_with(err, ND_SHAPE_MISMATCH, ND_NUMBERS({"actual", src->ndim}, {"expected", 2}),
                        "diagonal: needs 2 axes, the array has %d", src->ndim);
  nd_view v;
  ndi_view_copy_record(src, &v);
  const nd_axis rows = v.axis[v.ndim - 2], columns = v.axis[v.ndim - 1];
  if (k > (int64_t)columns.len || k < -(int64_t)rows.len)
    return nd_fail_with(err, ND_INDEX_OUT_OF_RANGE,
                        ND_NUMBERS({"value", k}, {"limit", (int64_t)columns.len}),
                        "diagonal: %lld lies outside an array of %zu rows and %zu columns",
                        (long long)k, rows.len, columns.len);
  /* The diagonal begins 'right' columns and 'down' rows from the corner; each step of it is one
   * along both axes. */
  const size_t right = k > 0 ? (size_t)k : 0, down = k < 0 ? (size_t)-k : 0;
  const size_t tall = rows.len - down, wide = columns.len - right, len = tall < wide ? tall : wide;
  if (len) ndi_view_advance(&v, v.ndim - 1, right), ndi_view_advance(&v, v.ndim - 2, down);
  ptrdiff_t step; /* if it overflows, the diagonal has no second element */
  if (!ndi_offset_add(rows.step, columns.step, &step)) step = 0;
  v.ndim--;
  v.axis[v.ndim - 1] = (nd_axis){len, step};
  return finish(&v, out);
}

/* {=== broadcasting ===} */

nd_status nd_view_expand(const nd_view *src, int ndim, const size_t *shape, nd_view *out,
                         nd_error *err) {
  nd_view v;
  ndi_view_copy_record(src, &v);
  const int lead = ndim - src->ndim;
  char text[ND_SHAPE_TEXT];
  nd_axis wanted[ND_MAX_NDIM] = {{0, 0}};
  for (int i = 0; i < ndim && i < ND_MAX_NDIM; i++) wanted[i].len = shape[i]; /* for messages */
  if (ndim > ND_MAX_NDIM)
    return nd_fail_with(err, ND_INVALID_ARGUMENT,
                        ND_NUMBERS({"value", ndim}, {"limit", ND_MAX_NDIM}),
                        "expand: %d axes: an array has at most %d", ndim, ND_MAX_NDIM);
  if (lead < 0)
    return nd_fail_with(
        err, ND_SHAPE_MISMATCH, ND_NUMBERS({"actual", ndim}, {"expected", src->ndim}),
        "expand: the shape has %d axes, fewer than the array's %d", ndim, src->ndim);
  v.ndim = (uint8_t)ndim;
  for (int i = 0; i < ndim; i++) {
    const nd_axis old = i < lead ? (nd_axis){1, 0} : src->axis[i - lead]; /* aligned at the end */
    char other[ND_SHAPE_TEXT];
    if (old.len != shape[i] && old.len != 1)
      return nd_fail_with(err, ND_SHAPE_MISMATCH,
                          ND_NUMBERS({"axis", i + 1}, {"expected", (int64_t)shape[i]},
                                     {"actual", (int64_t)old.len}),
                          "expand: (%s) does not broadcast to (%s)", describe(src, text),
                          nd_shape_text(ndim, wanted, other, sizeof other));
    v.axis[i] = (nd_axis){shape[i], old.len == shape[i] ? old.step : 0};
    if (old.len != shape[i] && shape[i] > 1) v.is_read_only = true; /* a store would hit many */
  }
  size_t bytes;
  /* steps of 0 need no memory, but sizes in bytes must fit all the same */
  if (!ndi_size_of(ndim, shape, nd_view_itemsize(src), &bytes))
    return nd_fail(err, ND_OVERFLOW, "expand: (%s) has more bytes than the largest size",
                   nd_shape_text(ndim, wanted, text, sizeof text));
  return finish(&v, out);
}

nd_status nd_broadcast_shape(const char *what, const nd_view *a, const nd_view *b, int *ndim,
                             size_t *shape, nd_error *err) {
  const int n = a->ndim > b->ndim ? a->ndim : b->ndim;
  for (int i = 0; i < n; i++) {
    const int ia = i - (n - a->ndim), ib = i - (n - b->ndim);
    /* shapes are aligned at the end; an axis that one of them lacks counts as 1 */
    const size_t x = ia < 0 ? 1 : a->axis[ia].len, y = ib < 0 ? 1 : b->axis[ib].len;
    char ta[ND_SHAPE_TEXT], tb[ND_SHAPE_TEXT];
    if (x != y && x != 1 && y != 1)
      return nd_fail_with(err, ND_SHAPE_MISMATCH, ND_NUMBERS({"axis", i + 1}),
                          "%s: (%s) and (%s) do not broadcast", what, describe(a, ta),
                          describe(b, tb));
    shape[i] = x == 1 ? y : x;
  }
  *ndim = n;
  return ND_OK;
}

nd_status nd_view_expand_like(const char *what, const nd_view *src, const nd_view *like,
                              nd_view *out, nd_error *err) {
  nd_view trimmed;
  size_t shape[ND_MAX_NDIM];
  ndi_view_copy_record(src, &trimmed);
  /* 'trimmed' only borrows the storage, and is not dropped */
  while (trimmed.ndim > like->ndim && trimmed.axis[0].len == 1) ndi_view_remove_axis(&trimmed, 0);
  nd_view_shape(like, shape);
  char from[ND_SHAPE_TEXT], to[ND_SHAPE_TEXT];
  if (nd_view_expand(&trimmed, like->ndim, shape, out, NULL) == ND_OK) return ND_OK;
  /* its own message would call the operation 'expand', and show the trimmed shape */
  return nd_fail_with(err, ND_SHAPE_MISMATCH,
                      ND_NUMBERS({"expected", (int64_t)like->size}, {"actual", (int64_t)src->size}),
                      "%s: (%s) does not broadcast to (%s)", what, describe(src, from),
                      describe(like, to));
}

/* {=== bytes ===} */

nd_status nd_view_bitcast(const nd_view *src, nd_dtype dtype, nd_view *out, nd_error *err) {
  const size_t was = nd_view_itemsize(src), is = nd_dtype_get(dtype)->bytes;
  nd_view v;
  ndi_view_copy_record(src, &v);
  v.dtype = (uint8_t)dtype;
  if (was == is) return finish(&v, out);
  const char *from = nd_dtype_get((nd_dtype)src->dtype)->name, *to = nd_dtype_get(dtype)->name;
  if (v.ndim == 0)
    return nd_fail(err, ND_INVALID_VIEW,
                   "bitcast: a scalar of %s cannot become %s: the item size differs", from, to);
  nd_axis *last = &v.axis[v.ndim - 1];
  /* adjacent elements are one run of bytes, which the other dtype divides anew */
  if (last->len > 1 && last->step != (ptrdiff_t)was)
    return nd_fail_remedy(err, ND_INVALID_VIEW, ND_REMEDY_CONTIGUOUS,
                          "bitcast: the last axis of %s is not contiguous (step %td B)", from,
                          last->step);
  if (last->len * was % is != 0)
    return nd_fail_with(
        err, ND_SIZE_MISMATCH,
        ND_NUMBERS({"actual", (int64_t)(last->len * was)}, {"expected", (int64_t)is}),
        "bitcast: the last axis has %zu B, not a multiple of the item size of %s, %zu",
        last->len * was, to, is);
  *last = (nd_axis){last->len * was / is, (ptrdiff_t)is};
  return finish(&v, out);
}

/* 'size' bytes of the storage from byte 'offset' of it, as u8; read-only if 'src' is. */
static nd_status view_bytes(const nd_view *src, size_t offset, size_t size, nd_view *out,
                            nd_error *err) {
  ND_TRY(nd_view_make(src->storage, offset, ND_U8, 1, &size, NULL, out, err));
  out->is_read_only |= src->is_read_only;
  return ND_OK;
}

nd_status nd_view_bytes(const nd_view *src, size_t offset, size_t size, nd_view *out,
                        nd_error *err) {
  const size_t limit = nd_view_nbytes(src);
  if (!nd_view_is_contiguous(src))
    return nd_fail_remedy(err, ND_INVALID_VIEW, ND_REMEDY_CONTIGUOUS,
                          "bytes: the array is not contiguous");
  if (offset > limit || size > limit - offset)
    return nd_fail_with(err, ND_OUT_OF_BOUNDS,
                        ND_NUMBERS({"offset", (int64_t)offset}, {"expected", (int64_t)size},
                                   {"limit", (int64_t)limit}),
                        "bytes: %zu B from offset %zu exceed the array's %zu B", size, offset,
                        limit);
  return view_bytes(src, src->offset + offset, size, out, err);
}

nd_status nd_view_storage_bytes(const nd_view *src, nd_view *out, nd_error *err) {
  return view_bytes(src, 0, src->storage->bytes, out, err);
}

nd_status nd_view_as_strided(const nd_view *src, int ndim, const size_t *shape,
                             const ptrdiff_t *steps, size_t offset, nd_view *out, nd_error *err) {
  /* the strides are the caller's, so nd_view_make checks that all elements lie in the storage */
  ND_TRY(nd_view_make(src->storage, offset, (nd_dtype)src->dtype, ndim, shape, steps, out, err));
  out->is_read_only |= src->is_read_only;
  return ND_OK;
}

nd_status nd_view_part(const nd_view *src, int part, nd_view *out, nd_error *err) {
  nd_view v;
  ndi_view_copy_record(src, &v);
  if (nd_dtype_get((nd_dtype)src->dtype)->kind != ND_KIND_COMPLEX)
    return nd_fail(err, ND_TYPE_MISMATCH, "%s is not complex: it has no %s part",
                   nd_dtype_get((nd_dtype)src->dtype)->name, part ? "imaginary" : "real");
  v.dtype = (uint8_t)nd_dtype_part((nd_dtype)src->dtype);
  /* an empty view may begin at the very end of the storage */
  v.offset += src->size ? (size_t)part * nd_view_itemsize(&v) : 0;
  return finish(&v, out);
}

nd_status nd_view_field(const nd_view *src, size_t offset, size_t stride, size_t count,
                        nd_dtype dtype, nd_view *out, nd_error *err) {
  size_t at;
  const ptrdiff_t step = (ptrdiff_t)stride;
  if (stride > ND_SIZE_MAX || !ndi_size_add(src->offset, offset, &at))
    return nd_fail(err, ND_OVERFLOW, "records: offset %zu or stride %zu is too large", offset,
                   stride);
  nd_view v;
  /* Checks the range against the storage; that against 'src' follows. Without records nothing has
   * to be at 'at', which may lie outside. */
  ND_TRY(nd_view_make(src->storage, count ? at : src->offset, dtype, 1, &count, &step, &v, err));
  size_t lo, hi;
  nd_view_span(&v, &lo, &hi);
  if (count && hi > src->offset + nd_view_nbytes(src)) {
    nd_view_drop(&v);
    return nd_fail_with(err, ND_OUT_OF_BOUNDS,
                        ND_NUMBERS({"expected", (int64_t)(hi - src->offset)},
                                   {"limit", (int64_t)nd_view_nbytes(src)}),
                        "records: %zu records of %zu B need %zu B, there are %zu", count, stride,
                        hi - src->offset, nd_view_nbytes(src));
  }
  v.is_read_only |= src->is_read_only;
  ndi_view_copy_record(&v, out);
  return ND_OK;
}
