/* Arrays made from others: joined, repeated, shifted, padded, byte-swapped. All are copies into
 * views of one new array, so no operation here needs a kernel of its own. Copies also convert, if
 * parts have several dtypes, and bring parts to the device of the result. */
#include "base/size.h"
#include "ops/common.h"

/* Move 'made' to '*out' on success, else drop it. */
static nd_status deliver(nd_status status, nd_view *made, nd_view *out) {
  if (status == ND_OK) *out = *made;
  else nd_view_drop(made);
  return status;
}

/* Copy 'src' to dst[first … first + len - 1] along 'axis'. */
static nd_status copy_range(const nd_view *dst, int axis, size_t first, size_t len,
                            const nd_view *src, nd_error *err) {
  nd_view part;
  ND_TRY(nd_view_narrow(dst, axis, first, len, &part, err));
  const nd_status status = nd_copy(&part, src, ND_SATURATE, err);
  nd_view_drop(&part);
  return status;
}

/* {=== concat ===} */

/* A concat, or a stack, where 'axis' is new. Shape and axis are those of the result; 'dtype' is
 * what the parts so far promote to. */
typedef struct {
  const char *what;
  int axis;
  bool is_new;
  nd_dtype dtype;
  int ndim;
  size_t shape[ND_MAX_NDIM + 1]; /* room for one axis too many, which nd_new refuses */
} join;

/* Are the extents of 'part' those of the first part, but for the joined axis? 'number' counts from
 * 1. */
static nd_status check_part(const join *j, const nd_view *first, const nd_view *part, int number,
                            nd_error *err) {
  char text[ND_SHAPE_TEXT], other[ND_SHAPE_TEXT];
  ND_TRY(ndi_check_live(part, err));
  if (part->ndim != first->ndim)
    return nd_fail_with(err, ND_SHAPE_MISMATCH,
                        ND_NUMBERS({"part", number}, {"axis", j->axis + 1},
                                   {"expected", first->ndim}, {"actual", part->ndim}),
                        "%s along axis %d: part %d (%s) has %d axes, part 1 (%s) has %d", j->what,
                        j->axis + 1, number, ndi_shape_text(part, text), part->ndim,
                        ndi_shape_text(first, other), first->ndim);
  for (int i = 0; i < first->ndim; i++) {
    const size_t expected = first->axis[i].len, actual = part->axis[i].len;
    if (expected == actual || (i == j->axis && !j->is_new)) continue;
    return nd_fail_with(err, ND_SHAPE_MISMATCH,
                        ND_NUMBERS({"part", number}, {"axis", i + 1},
                                   {"expected", (int64_t)expected}, {"actual", (int64_t)actual}),
                        "%s along axis %d: part %d (%s) and part 1 (%s) differ on axis %d", j->what,
                        j->axis + 1, number, ndi_shape_text(part, text),
                        ndi_shape_text(first, other), i + 1);
  }
  return ND_OK;
}

/* Find the common dtype and the shape of the result. */
static nd_status check_parts(join *j, int count, const nd_view *const *parts, nd_error *err) {
  size_t extent = 0;
  for (int i = 0; i < count; i++) {
    ND_TRY(check_part(j, parts[0], parts[i], i + 1, err));
    ND_TRY(ndi_promote(j->what, j->dtype, (nd_dtype)parts[i]->dtype, &j->dtype, err));
    /* a sum of extents may overflow, as broadcast parts take no memory */
    if (!ndi_size_add(extent, j->is_new ? 1 : parts[i]->axis[j->axis].len, &extent))
      return nd_fail_with(err, ND_OVERFLOW, ND_NUMBERS({"part", i + 1}, {"axis", j->axis + 1}),
                          "%s: the size of axis %d overflows at part %d", j->what, j->axis + 1,
                          i + 1);
  }
  /* 'from' runs over the axes of the parts, which lack the new one */
  for (int i = 0, from = 0; i < j->ndim; i++) {
    if (i == j->axis) j->shape[i] = extent;
    else j->shape[i] = parts[0]->axis[from].len;
    if (i != j->axis || !j->is_new) from++;
  }
  return ND_OK;
}

/* Copy 'part' to index '*first' of the joined axis, and let that point behind it. */
static nd_status copy_part(const join *j, const nd_view *made, size_t *first, const nd_view *part,
                           nd_error *err) {
  const size_t at = *first, len = j->is_new ? 1 : part->axis[j->axis].len;
  nd_view wide;
  *first += len;
  if (!j->is_new) return copy_range(made, j->axis, at, len, part, err);
  ND_TRY(nd_view_unsqueeze(part, j->axis, &wide, err));
  const nd_status status = copy_range(made, j->axis, at, len, &wide, err);
  nd_view_drop(&wide);
  return status;
}

nd_status nd_concat(int count, const nd_view *const *parts, int axis, bool is_new, nd_view *out,
                    nd_error *err) {
  join j = {.what = is_new ? "stack" : "concat", .axis = axis, .is_new = is_new};
  if (count < 1)
    return nd_fail_with(err, ND_INVALID_ARGUMENT, ND_NUMBERS({"value", count}, {"limit", 1}),
                        "%s: needs at least one array", j.what);
  j.ndim = parts[0]->ndim + is_new;
  j.dtype = (nd_dtype)parts[0]->dtype;
  ND_TRY(ndi_check_axis(j.what, axis, j.ndim, err));
  ND_TRY(check_parts(&j, count, parts, err));
  nd_view made;
  size_t at = 0;
  ND_TRY(ndi_new_on(parts[0], j.dtype, j.ndim, j.shape, &made, err));
  nd_status status = ND_OK;
  for (int i = 0; i < count && status == ND_OK; i++)
    status = copy_part(&j, &made, &at, parts[i], err);
  return deliver(status, &made, out);
}

/* {=== tile, repeat ===} */

/* How often each axis of a source is repeated: as a whole (tile), or, where 'is_inner', element by
 * element (repeat). */
typedef struct {
  bool is_inner;
  size_t counts[ND_MAX_NDIM];
} spread;

/* Number of axes once each repeated axis of 'dst' is split in two (copies, elements). */
static int split_ndim(const nd_view *src, const spread *s) {
  int n = src->ndim;
  for (int i = 0; i < src->ndim; i++) n += s->counts[i] > 1;
  return n;
}

/* Split each repeated axis of 'dst' in two, and give 'src' an axis of step 0 there: then one copy
 * does it all. An axis of 'len' items becomes {count, len} with the steps {len * step, step} (tile)
 * or {len, count} with {count * step, step} (repeat). */
static nd_status copy_split(const nd_view *dst, const nd_view *src, const spread *s,
                            nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  ptrdiff_t to[ND_MAX_NDIM], from[ND_MAX_NDIM];
  int n = 0;
  for (int i = 0; i < src->ndim; i++) {
    const size_t len = src->axis[i].len, count = s->counts[i];
    const ptrdiff_t step = dst->axis[i].step;
    const bool is_split = count > 1;
    if (is_split && !s->is_inner) shape[n] = count, to[n] = step * (ptrdiff_t)len, from[n++] = 0;
    shape[n] = len;
    to[n] = step * (is_split && s->is_inner ? (ptrdiff_t)count : 1);
    from[n++] = src->axis[i].step;
    if (is_split && s->is_inner) shape[n] = count, to[n] = step, from[n++] = 0;
  }
  nd_view split, wide;
  ND_TRY(nd_view_as_strided(dst, n, shape, to, dst->offset, &split, err));
  nd_status status = nd_view_as_strided(src, n, shape, from, src->offset, &wide, err);
  if (status == ND_OK) {
    status = nd_copy(&split, &wide, ND_SATURATE, err);
    nd_view_drop(&wide);
  }
  nd_view_drop(&split);
  return status;
}

static nd_status copy_spread(const nd_view *dst, const nd_view *src, const spread *s,
                             nd_error *err);

/* Index 'at' of axis 0 of 'dst' and the part of 'src' that belongs there; the other axes are
 * handled by recursion. */
static nd_status copy_slice(const nd_view *dst, const nd_view *src, const spread *s, size_t at,
                            nd_error *err) {
  spread inner = {.is_inner = s->is_inner};
  nd_view to, from;
  for (int i = 1; i < src->ndim; i++) inner.counts[i - 1] = s->counts[i];
  ND_TRY(nd_view_select(dst, 0, at, &to, err));
  /* Which index of 'src' belongs here: each repeated 'counts' times, or the whole cycled. */
  const size_t back = s->is_inner ? at / s->counts[0] : at % src->axis[0].len;
  nd_status status = nd_view_select(src, 0, back, &from, err);
  if (status == ND_OK) {
    status = copy_spread(&to, &from, &inner, err);
    nd_view_drop(&from);
  }
  nd_view_drop(&to);
  return status;
}

/* Copy 'src' into 'dst', whose extents are those of 'src' times the counts. Where splitting would
 * give too many axes, loop over axis 0. */
static nd_status copy_spread(const nd_view *dst, const nd_view *src, const spread *s,
                             nd_error *err) {
  nd_status status = ND_OK;
  if (dst->size == 0) return ND_OK;
  if (split_ndim(src, s) <= ND_MAX_NDIM) return copy_split(dst, src, s, err);
  for (size_t i = 0; i < dst->axis[0].len && status == ND_OK; i++)
    status = copy_slice(dst, src, s, i, err);
  return status;
}

static nd_status make_spread(const char *what, const nd_view *src, const spread *s, nd_view *out,
                             nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  ND_TRY(ndi_check_live(src, err));
  for (int i = 0; i < src->ndim; i++)
    /* nd_new checks the product of all axes; a single axis is checked here, where it can be
     * named */
    if (!ndi_size_mul(src->axis[i].len, s->counts[i], &shape[i]))
      return nd_fail_with(err, ND_OVERFLOW,
                          ND_NUMBERS({"axis", i + 1}, {"value", (int64_t)s->counts[i]}),
                          "%s: axis %d of size %zu overflows when repeated %zu times", what, i + 1,
                          src->axis[i].len, s->counts[i]);
  nd_view made;
  ND_TRY(ndi_new_on(src, (nd_dtype)src->dtype, src->ndim, shape, &made, err));
  return deliver(copy_spread(&made, src, s, err), &made, out);
}

nd_status nd_tile(const nd_view *src, int count, const size_t *counts, nd_view *out,
                  nd_error *err) {
  if (count < 0 || count > ND_MAX_NDIM)
    return nd_fail_with(err, ND_INVALID_ARGUMENT,
                        ND_NUMBERS({"value", count}, {"limit", ND_MAX_NDIM}),
                        "tile: %d counts: an array has at most %d axes", count, ND_MAX_NDIM);
  const int ndim = count > src->ndim ? count : src->ndim;
  spread s = {.is_inner = false};
  size_t shape[ND_MAX_NDIM];
  for (int i = 0; i < ndim; i++) {
    /* negative where an axis, or a count, is added in front */
    const int from = i - (ndim - src->ndim), at = i - (ndim - count);
    shape[i] = from < 0 ? 1 : src->axis[from].len;
    s.counts[i] = at < 0 ? 1 : counts[at];
  }
  nd_view wide;
  /* only adds axes of extent 1 in front */
  ND_TRY(nd_view_expand(src, ndim, shape, &wide, err));
  const nd_status status = make_spread("tile", &wide, &s, out, err);
  nd_view_drop(&wide);
  return status;
}

nd_status nd_repeat(const nd_view *src, size_t times, int axis, nd_view *out, nd_error *err) {
  spread s = {.is_inner = true};
  ND_TRY(ndi_check_axis("repeat_interleave", axis, src->ndim, err));
  for (int i = 0; i < src->ndim; i++) s.counts[i] = i == axis ? times : 1;
  return make_spread("repeat_interleave", src, &s, out, err);
}

/* {=== roll, pad ===} */

/* Copy src[from … from + len - 1] to made[to …] along 'axis'. */
static nd_status move_range(const nd_view *made, size_t to, const nd_view *src, size_t from,
                            size_t len, int axis, nd_error *err) {
  nd_view part;
  ND_TRY(nd_view_narrow(src, axis, from, len, &part, err));
  const nd_status status = copy_range(made, axis, to, len, &part, err);
  nd_view_drop(&part);
  return status;
}

nd_status nd_roll(const nd_view *src, int64_t shift, int axis, nd_view *out, nd_error *err) {
  nd_view made;
  ND_TRY(ndi_check_live(src, err));
  ND_TRY(ndi_check_axis("roll", axis, src->ndim, err));
  ND_TRY(nd_new_like(src, (nd_dtype)src->dtype, &made, err));
  /* the last 'by' items go to the front; % keeps the sign of 'shift' */
  const int64_t len = (int64_t)src->axis[axis].len, part = len == 0 ? 0 : shift % len;
  const size_t by = (size_t)(part < 0 ? part + len : part), rest = (size_t)len - by;
  nd_status status = move_range(&made, by, src, 0, rest, axis, err);
  if (status == ND_OK) status = move_range(&made, 0, src, rest, by, axis, err);
  return deliver(status, &made, out);
}

static nd_status fill_range(const nd_view *dst, int axis, size_t first, size_t len,
                            const nd_scalar *value, nd_error *err) {
  nd_view part;
  ND_TRY(nd_view_narrow(dst, axis, first, len, &part, err));
  const nd_status status = nd_fill(&part, value, err);
  nd_view_drop(&part);
  return status;
}

/* Fill both ends of 'axis'; 'inner' becomes a view of what is between them. The caller drops it. */
static nd_status fill_ends(const nd_view *v, int axis, size_t before, size_t after,
                           const nd_scalar *value, nd_view *inner, nd_error *err) {
  const size_t len = v->axis[axis].len - before - after;
  ND_TRY(fill_range(v, axis, 0, before, value, err));
  ND_TRY(fill_range(v, axis, before + len, after, value, err));
  return nd_view_narrow(v, axis, before, len, inner, err);
}

/* Axis by axis: the ends are filled and the window shrinks, so that each element is written
 * once. */
static nd_status pad_into(const nd_view *made, const nd_view *src, const size_t *before,
                          const size_t *after, const nd_scalar *value, nd_error *err) {
  nd_view window, inner;
  nd_status status = ND_OK;
  nd_view_copy(made, &window);
  for (int i = 0; i < src->ndim; i++) {
    /* of axes before i, only the inner part is left */
    status = fill_ends(&window, i, before[i], after[i], value, &inner, err);
    if (status != ND_OK) break;
    nd_view_drop(&window);
    window = inner;
  }
  if (status == ND_OK) status = nd_copy(&window, src, ND_SATURATE, err);
  nd_view_drop(&window);
  return status;
}

nd_status nd_pad(const nd_view *src, const size_t *before, const size_t *after,
                 const nd_scalar *value, nd_view *out, nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  nd_view made;
  ND_TRY(ndi_check_live(src, err));
  for (int i = 0; i < src->ndim; i++)
    if (!ndi_size_add(src->axis[i].len, before[i], &shape[i]) ||
        !ndi_size_add(shape[i], after[i], &shape[i]))
      return nd_fail_with(err, ND_OVERFLOW, ND_NUMBERS({"axis", i + 1}),
                          "pad: axis %d of size %zu is too long with %zu before and %zu after",
                          i + 1, src->axis[i].len, before[i], after[i]);
  ND_TRY(ndi_new_on(src, (nd_dtype)src->dtype, src->ndim, shape, &made, err));
  return deliver(pad_into(&made, src, before, after, value, err), &made, out);
}

/* {=== byteswap ===} Bytes are copied in reverse by giving the innermost axis a step of -1. */

/* View a 1-D array as bytes, with the shape {elements, parts, bytes of a part}; the last axis is
 * reversed where 'is_reversed'. */
static nd_status view_parts(const nd_view *flat, bool is_reversed, nd_view *out, nd_error *err) {
  const nd_dtype_traits *traits = nd_dtype_get((nd_dtype)flat->dtype);
  const size_t parts = traits->kind == ND_KIND_COMPLEX ? 2 : 1, bytes = traits->bytes / parts;
  const size_t shape[] = {flat->size, parts, bytes};
  const ptrdiff_t steps[] = {flat->axis[0].step, (ptrdiff_t)bytes, is_reversed ? -1 : 1};
  const size_t offset = flat->offset + (is_reversed && flat->size ? bytes - 1 : 0);
  return nd_view_make(flat->storage, offset, ND_U8, 3, shape, steps, out, err);
}

/* Copy the bytes of 'src', each part backwards. Both are 1-D. */
static nd_status swap_into(const nd_view *made, const nd_view *src, nd_error *err) {
  nd_view to, from;
  ND_TRY(view_parts(made, false, &to, err));
  nd_status status = view_parts(src, true, &from, err);
  if (status == ND_OK) {
    status = nd_copy(&to, &from, ND_SATURATE, err);
    nd_view_drop(&from);
  }
  nd_view_drop(&to);
  return status;
}

static nd_status swap_flat(const nd_view *made, const nd_view *src, nd_error *err) {
  nd_view to, from;
  /* 'made' is new and row-major, so 'to' is a view of it; 'from' may be a copy */
  ND_TRY(ndi_reshape(made, 1, &src->size, &to, err));
  nd_status status = ndi_reshape(src, 1, &src->size, &from, err);
  if (status == ND_OK) {
    status = swap_into(&to, &from, err);
    nd_view_drop(&from);
  }
  nd_view_drop(&to);
  return status;
}

nd_status nd_byteswap(const nd_view *src, nd_view *out, nd_error *err) {
  nd_view made;
  ND_TRY(ndi_check_live(src, err));
  ND_TRY(nd_new_like(src, (nd_dtype)src->dtype, &made, err));
  return deliver(swap_flat(&made, src, err), &made, out);
}
