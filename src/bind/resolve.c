/* Indices, ranges and axes of a script resolved: from 1-based, negative from the end and with both
 * ends included to the 0-based ones of the core, or refused. */
#include "bind/slice.h"

static nd_status fail_index(int64_t at, size_t len, int axis, nd_error *err) {
  return nd_fail_with(err, ND_INDEX_OUT_OF_RANGE,
                      ND_NUMBERS({"axis", axis + 1}, {"value", at}, {"limit", (int64_t)len}),
                      "index %lld is out of range for axis %d of size %zu", (long long)at, axis + 1,
                      len);
}

nd_status ndb_index_resolve(int64_t at, size_t len, int axis, size_t *out, nd_error *err) {
  const int64_t n = (int64_t)len;
  if (at == 0 || at > n || at < -n) return fail_index(at, len, axis, err);
  *out = (size_t)(at > 0 ? at - 1 : at + n);
  return ND_OK;
}

nd_status ndb_axis_resolve(const char *what, int64_t axis, int ndim, int *out, nd_error *err) {
  if (axis == 0 || axis > ndim || axis < -ndim)
    return nd_fail_with(err, ND_INDEX_OUT_OF_RANGE, ND_NUMBERS({"value", axis}, {"limit", ndim}),
                        "%s: axis %lld is out of range for an array with %d ax%s", what,
                        (long long)axis, ndim, ndim == 1 ? "is" : "es");
  *out = (int)(axis > 0 ? axis - 1 : axis + ndim);
  return ND_OK;
}

/* A bound counted from the end, counted from the beginning; still 1-based, perhaps out of range.
 * The sum cannot overflow, as its terms differ in sign. */
static int64_t from_end(int64_t at, int64_t n) { return at < 0 ? at + n + 1 : at; }

/* lo:hi:step with both ends included. As no bounds of that kind name an empty range, lo:lo-1 does,
 * or lo:lo+1 for a negative step; so lo may then be one past the end. Any other range that its step
 * would never walk is refused: it is far more often a mistake than meant to be empty. */
static nd_status resolve_range(const ndb_slice *r, size_t len, int axis, nd_index *out,
                               nd_error *err) {
  const int64_t n = (int64_t)len, step = r->step;
  *out = (nd_index){.kind = ND_INDEX_RANGE, .step = step};
  if (step == 0 || step == INT64_MIN) /* its negation below would overflow */
    return nd_fail_with(err, ND_INVALID_ARGUMENT, ND_NUMBERS({"axis", axis + 1}, {"value", step}),
                        "the step of a range must not be %s (axis %d)", step ? "-2^63" : "0",
                        axis + 1);
  const bool up = step > 0;
  if (!r->has_first && !r->has_last && n == 0) return out->step = 1, ND_OK; /* ':' of nothing */
  const int64_t lo = r->has_first ? from_end(r->first, n) : up ? 1 : n;
  const int64_t hi = r->has_last ? from_end(r->last, n) : up ? n : 1;
  /* lo is compared first, so that lo - 1 and lo + 1 do not overflow */
  const bool is_empty = up ? lo >= 1 && lo <= n + 1 && hi == lo - 1
                           : lo >= 0 && lo <= n && hi == lo + 1;
  if (is_empty) return ND_OK;
  if (lo < 1 || lo > n) return fail_index(r->has_first ? r->first : lo, len, axis, err);
  if (hi < 1 || hi > n) return fail_index(r->has_last ? r->last : hi, len, axis, err);
  if (up ? hi < lo : hi > lo)
    return nd_fail_with(err, ND_INVALID_ARGUMENT,
                        ND_NUMBERS({"axis", axis + 1}, {"value", lo}, {"limit", hi}),
                        "range %lld:%lld runs against its step %lld (axis %d of size %zu)",
                        (long long)lo, (long long)hi, (long long)step, axis + 1, len);
  out->first = (size_t)(lo - 1);
  out->len = (size_t)((up ? (hi - lo) / step : (lo - hi) / -step) + 1);
  return ND_OK;
}

static bool takes_axis(const ndb_slice *item) {
  return item->kind == ND_INDEX_AT || item->kind == ND_INDEX_RANGE;
}

nd_status ndb_slice_resolve(const nd_view *src, int count, const ndb_slice *items, nd_index *out,
                            nd_error *err) {
  /* two passes: how many axes '...' stands for depends on the entries after it */
  int used = 0, dots = 0, axis = 0;
  for (int i = 0; i < count; i++) {
    used += takes_axis(&items[i]);
    dots += items[i].kind == ND_INDEX_ELLIPSIS;
  }
  const bool is_sound = used <= src->ndim && dots <= 1; /* else nd_view_index says what is wrong */
  for (int i = 0; i < count; i++) {
    const ndb_slice *item = &items[i];
    out[i] = (nd_index){.kind = item->kind};
    if (item->kind == ND_INDEX_ELLIPSIS) axis += src->ndim - used; /* the axes that it stands for */
    if (!is_sound || !takes_axis(item)) continue;
    const size_t len = src->axis[axis].len;
    if (item->kind == ND_INDEX_RANGE) ND_TRY(resolve_range(item, len, axis, &out[i], err));
    else ND_TRY(ndb_index_resolve(item->first, len, axis, &out[i].first, err));
    axis++;
  }
  return ND_OK;
}
