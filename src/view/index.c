/* Indexing: the entries are applied one after the other to a copy of the source's record. */
#include "view/index.h"

#include "view/axes.h"

/* Has an axis of 'len' all items of the entry? Divides, as a product might overflow. */
static bool lies_in(const nd_index *item, size_t len) {
  if (item->kind == ND_INDEX_RANGE && item->len == 0) return true;
  if (item->first >= len) return false;
  if (item->kind == ND_INDEX_AT) return true;
  const bool up = item->step > 0;
  const size_t room = up ? len - 1 - item->first : item->first,
               step = up ? (size_t)item->step : 0 - (size_t)item->step;
  return item->len - 1 <= room / step;
}

/* Check an entry against its axis of 'v'. Only C programs see these messages, as the binding checks
 * with its own (bind/resolve.c): they name the entry as C does. */
static nd_status check_entry(const nd_view *v, int axis, const nd_index *item, int number,
                             nd_error *err) {
  const size_t len = v->axis[axis].len;
  if (item->kind == ND_INDEX_RANGE && item->step == 0)
    return nd_fail_with(err, ND_INVALID_ARGUMENT, ND_NUMBERS({"value", 0}),
                        "items[%d]: the step of a range must not be 0", number);
  if (lies_in(item, len)) return ND_OK;
  const bool is_range = item->kind == ND_INDEX_RANGE;
  return nd_fail_with(err, ND_INDEX_OUT_OF_RANGE,
                      ND_NUMBERS({"value", (int64_t)item->first}, {"limit", (int64_t)len}),
                      "items[%d] exceeds its axis of size %zu (first = %zu, len = %zu, step = %td)",
                      number, len, item->first, is_range ? item->len : 1,
                      is_range ? item->step : 1);
}

/* Apply a range. With one item or none its step does not matter, and multiplying by it might
 * overflow, so that only the sign is applied. */
static void apply_range(nd_view *v, int axis, const nd_index *range) {
  if (range->len > 0) ndi_view_advance(v, axis, range->first);
  v->axis[axis].len = range->len;
  if (range->len > 1) v->axis[axis].step *= range->step;
  else if (range->step < 0) v->axis[axis].step = -v->axis[axis].step;
}

/* Set '*used' to the number of axes that the entries consume. Refuses a second '...', and more
 * entries than axes. */
static nd_status count_axes(const nd_view *src, int count, const nd_index *items, int *used,
                            nd_error *err) {
  int dots = 0;
  *used = 0;
  for (int i = 0; i < count; i++) {
    dots += items[i].kind == ND_INDEX_ELLIPSIS;
    *used += items[i].kind == ND_INDEX_AT || items[i].kind == ND_INDEX_RANGE;
  }
  if (dots > 1) return nd_fail(err, ND_INVALID_ARGUMENT, "'...' may stand only once in an index");
  if (*used > src->ndim)
    return nd_fail_with(err, ND_INVALID_ARGUMENT,
                        ND_NUMBERS({"value", *used}, {"limit", src->ndim}),
                        "too many indices: %d indices for an array with %d ax%s", *used, src->ndim,
                        src->ndim == 1 ? "is" : "es");
  return ND_OK;
}

/* Apply entry 'number'. '*axis' is the current place in 'v', and advances; 'skipped' is the number
 * of axes that an ellipsis stands for. */
static nd_status apply(nd_view *v, const nd_index *item, int number, int *axis, int skipped,
                       nd_error *err) {
  switch (item->kind) {
    case ND_INDEX_AT:
      ND_TRY(check_entry(v, *axis, item, number, err));
      ndi_view_advance(v, *axis, item->first);
      ndi_view_remove_axis(v, *axis);
      return ND_OK;
    case ND_INDEX_RANGE:
      ND_TRY(check_entry(v, *axis, item, number, err));
      apply_range(v, (*axis)++, item);
      return ND_OK;
    case ND_INDEX_NEW_AXIS: return ndi_view_insert_axis(v, (*axis)++, (nd_axis){1, 0}, err);
    case ND_INDEX_ELLIPSIS: *axis += skipped; return ND_OK;
  }
  return ND_OK;
}

nd_status ndi_view_index(const nd_view *src, int count, const nd_index *items, nd_view *out,
                         bool *is_element, nd_error *err) {
  int used, axis = 0;
  ND_TRY(count_axes(src, count, items, &used, err));
  nd_view v;
  ndi_view_copy_record(src, &v);
  bool keeps_axis = false;
  for (int i = 0; i < count; i++) {
    ND_TRY(apply(&v, &items[i], i, &axis, src->ndim - used, err));
    keeps_axis |= items[i].kind == ND_INDEX_NEW_AXIS || items[i].kind == ND_INDEX_RANGE;
  }
  ndi_view_set_size(&v);
  *is_element = !keeps_axis && used == src->ndim;
  ndi_view_copy_record(&v, out);
  return ND_OK;
}

nd_status nd_view_index(const nd_view *src, int count, const nd_index *items, nd_view *out,
                        bool *is_element, nd_error *err) {
  ND_TRY(ndi_view_index(src, count, items, out, is_element, err));
  nd_storage_hold(out->storage);
  return ND_OK;
}
