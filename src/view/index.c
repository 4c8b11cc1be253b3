/* The slice grammar, and indices of a script turned into views. */
#include "view/index.h"

#include <string.h>

/* {=== grammar ===} */

typedef struct {
  const char *at, *end, *begin;
} cursor;

static void skip_blanks(cursor *c) {
  while (c->at < c->end && (*c->at == ' ' || *c->at == '\t')) c->at++;
}

static bool take_char(cursor *c, char wanted) {
  skip_blanks(c);
  if (c->at == c->end || *c->at != wanted) return false;
  c->at++;
  return true;
}

static nd_status fail_grammar(const cursor *c, const char *expected, nd_error *err) {
  const int length = (int)(c->end - c->begin), at = (int)(c->at - c->begin);
  return nd_fail_with(err, ND_INVALID_ARGUMENT, ND_NUMBERS({"offset", at}),
                      "slice \"%.*s\": expected %s at character %d", length > 60 ? 60 : length,
                      c->begin, expected, at + 1);
}

/* An optional integer; '*has' tells whether there was one. */
static nd_status take_integer(cursor *c, bool *has, int64_t *out, nd_error *err) {
  skip_blanks(c);
  const cursor before = *c;
  const bool minus = take_char(c, '-');
  if (!minus) take_char(c, '+');
  const char *digits = c->at;
  int64_t value = 0;
  for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++)
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, *c->at - '0', &value))
      return fail_grammar(&before, "an integer that fits 64 bits", err);
  *has = c->at > digits;
  if (!*has && c->at > before.at) return fail_grammar(c, "digits", err);
  *out = minus ? -value : value;
  return ND_OK;
}

static nd_status take_range(cursor *c, nd_index *out, nd_error *err) {
  bool has_step = false;
  out->kind = ND_INDEX_RANGE;
  out->step = 1;
  ND_TRY(take_integer(c, &out->has_last, &out->last, err));
  if (take_char(c, ':')) ND_TRY(take_integer(c, &has_step, &out->step, err));
  if (!has_step) out->step = 1;
  return ND_OK;
}

static nd_status take_entry(cursor *c, nd_index *out, nd_error *err) {
  *out = (nd_index){.kind = ND_INDEX_AT, .step = 1};
  if (take_char(c, '_')) return out->kind = ND_INDEX_NEW_AXIS, ND_OK;
  if (c->end - c->at >= 3 && memcmp(c->at, "...", 3) == 0) {
    c->at += 3;
    return out->kind = ND_INDEX_ELLIPSIS, ND_OK;
  }
  ND_TRY(take_integer(c, &out->has_first, &out->first, err));
  if (take_char(c, ':')) return take_range(c, out, err);
  return out->has_first ? ND_OK : fail_grammar(c, "an index, a range, '...' or '_'", err);
}

nd_status nd_index_parse(const char *text, size_t length, nd_index *out, int *count,
                         nd_error *err) {
  cursor c = {text, text + length, text};
  int n = 0;
  do {
    if (n == ND_MAX_INDICES) return fail_grammar(&c, "fewer entries", err);
    ND_TRY(take_entry(&c, &out[n++], err));
  } while (take_char(&c, ','));
  skip_blanks(&c);
  if (c.at != c.end) return fail_grammar(&c, "',' or the end", err);
  *count = n;
  return ND_OK;
}

bool nd_index_is_slice(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (!text[i] || !strchr("0123456789:.,_+- \t", text[i])) return false;
  for (size_t i = 0; i < length; i++) /* blanks alone are a (bad) name */
    if (text[i] != ' ' && text[i] != '\t') return true;
  return false;
}

/* {=== resolution ===} */

static nd_status fail_index(int64_t at, size_t len, int axis, nd_error *err) {
  return nd_fail_with(err, ND_INDEX_OUT_OF_RANGE,
                      ND_NUMBERS({"axis", axis + 1}, {"value", at}, {"limit", (int64_t)len}),
                      "index %lld is out of range for axis %d of size %zu", (long long)at, axis + 1,
                      len);
}

nd_status nd_index_resolve(int64_t at, size_t len, int axis, size_t *out, nd_error *err) {
  const int64_t n = (int64_t)len;
  if (at == 0 || at > n || at < -n) return fail_index(at, len, axis, err);
  *out = (size_t)(at > 0 ? at - 1 : at + n);
  return ND_OK;
}

nd_status nd_axis_resolve(const char *what, int64_t axis, int ndim, int *out, nd_error *err) {
  if (axis == 0 || axis > ndim || axis < -ndim)
    return nd_fail_with(err, ND_INDEX_OUT_OF_RANGE, ND_NUMBERS({"value", axis}, {"limit", ndim}),
                        "%s: axis %lld of an array with %d ax%s", what, (long long)axis, ndim,
                        ndim == 1 ? "is" : "es");
  *out = (int)(axis > 0 ? axis - 1 : axis + ndim);
  return ND_OK;
}

/* Apply a range to one axis of 'v' (0-based, half-open from here on). */
static void cut(nd_view *v, int axis, int64_t first, int64_t len, int64_t step) {
  if (len > 0)
    v->offset = (size_t)((ptrdiff_t)v->offset + (v->size ? first * v->axis[axis].step : 0));
  v->axis[axis].len = (size_t)len;
  if (len > 1) v->axis[axis].step *= (ptrdiff_t)step;
  else if (step < 0) v->axis[axis].step = -v->axis[axis].step;
}

static int64_t from_end(int64_t at, int64_t n) { return at < 0 ? at + n + 1 : at; }

/* lo:hi:step with both ends included; lo:lo-1 (lo:lo+1 for a negative step) is the empty range.
 * 'named' is the axis in the source, for messages. */
static nd_status cut_range(nd_view *v, int axis, int named, const nd_index *r, nd_error *err) {
  const int64_t n = (int64_t)v->axis[axis].len, step = r->step;
  if (step == 0 || step == INT64_MIN)
    return nd_fail_with(err, ND_INVALID_ARGUMENT, ND_NUMBERS({"axis", named + 1}, {"value", step}),
                        "the step of a range must not be %s (axis %d)", step ? "that small" : "0",
                        named + 1);
  const bool up = step > 0;
  if (!r->has_first && !r->has_last && n == 0) return ND_OK;
  const int64_t lo = r->has_first ? from_end(r->first, n) : up ? 1 : n;
  const int64_t hi = r->has_last ? from_end(r->last, n) : up ? n : 1;
  const bool is_empty = up ? lo >= 1 && lo <= n + 1 && hi == lo - 1
                           : lo >= 0 && lo <= n && hi == lo + 1;
  if (is_empty) return cut(v, axis, 0, 0, step), ND_OK;
  if (lo < 1 || lo > n)
    return fail_index(r->has_first ? r->first : lo, v->axis[axis].len, named, err);
  if (hi < 1 || hi > n)
    return fail_index(r->has_last ? r->last : hi, v->axis[axis].len, named, err);
  if (up ? hi < lo : hi > lo)
    return nd_fail_with(
        err, ND_INVALID_ARGUMENT, ND_NUMBERS({"axis", named + 1}, {"value", lo}, {"limit", hi}),
        "range %lld:%lld runs against its step %lld (axis %d of size %zu)", (long long)lo,
        (long long)hi, (long long)step, named + 1, v->axis[axis].len);
  cut(v, axis, lo - 1, (up ? (hi - lo) / step : (lo - hi) / -step) + 1, step);
  return ND_OK;
}

static void drop_axis(nd_view *v, int axis) {
  memmove(&v->axis[axis], &v->axis[axis + 1], (size_t)(v->ndim - axis - 1) * sizeof v->axis[0]);
  v->ndim--;
}

static nd_status add_axis(nd_view *v, int axis, nd_error *err) {
  if (v->ndim == ND_MAX_NDIM)
    return nd_fail_with(err, ND_INVALID_ARGUMENT, ND_NUMBERS({"limit", ND_MAX_NDIM}),
                        "an array has at most %d axes", ND_MAX_NDIM);
  memmove(&v->axis[axis + 1], &v->axis[axis], (size_t)(v->ndim - axis) * sizeof v->axis[0]);
  v->axis[axis] = (nd_axis){1, 0};
  v->ndim++;
  return ND_OK;
}

/* How many axes the entries use up; refuses a second '...' and too many entries. */
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
    return nd_fail_with(
        err, ND_INVALID_ARGUMENT, ND_NUMBERS({"value", *used}, {"limit", src->ndim}),
        "%d indices for an array with %d ax%s", *used, src->ndim, src->ndim == 1 ? "is" : "es");
  return ND_OK;
}

/* One entry; 'axis' is where it stands in 'v', 'named' in the source. */
static nd_status apply(nd_view *v, const nd_index *item, int *axis, int *named, int skipped,
                       nd_error *err) {
  size_t at;
  switch (item->kind) {
    case ND_INDEX_AT:
      ND_TRY(nd_index_resolve(item->first, v->axis[*axis].len, (*named)++, &at, err));
      if (v->size) v->offset = (size_t)((ptrdiff_t)v->offset + (ptrdiff_t)at * v->axis[*axis].step);
      drop_axis(v, *axis);
      return ND_OK;
    case ND_INDEX_RANGE: return cut_range(v, (*axis)++, (*named)++, item, err);
    case ND_INDEX_NEW_AXIS: return add_axis(v, (*axis)++, err);
    case ND_INDEX_ELLIPSIS:
    default: *axis += skipped, *named += skipped; return ND_OK;
  }
}

nd_status ndi_view_index(const nd_view *src, int count, const nd_index *items, nd_view *out,
                         bool *is_element, nd_error *err) {
  int used, axis = 0, named = 0;
  ND_TRY(count_axes(src, count, items, &used, err));
  nd_view v;
  memcpy(&v, src, offsetof(nd_view, axis) + src->ndim * sizeof src->axis[0]);
  bool new_axis = false;
  for (int i = 0; i < count; i++) {
    ND_TRY(apply(&v, &items[i], &axis, &named, src->ndim - used, err));
    new_axis |= items[i].kind == ND_INDEX_NEW_AXIS || items[i].kind == ND_INDEX_RANGE;
  }
  v.size = 1;
  for (int i = 0; i < v.ndim; i++) v.size *= v.axis[i].len;
  *is_element = !new_axis && used == src->ndim;
  memcpy(out, &v, offsetof(nd_view, axis) + v.ndim * sizeof v.axis[0]);
  return ND_OK;
}

nd_status nd_view_index(const nd_view *src, int count, const nd_index *items, nd_view *out,
                        bool *is_element, nd_error *err) {
  ND_TRY(ndi_view_index(src, count, items, out, is_element, err));
  nd_storage_hold(out->storage);
  return ND_OK;
}
