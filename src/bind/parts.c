/* The commonest views, without errors and without a plan. */
#include "bind/parts.h"

#include <string.h>

#include "bind/slice.h"
#include "view/axes.h"

/* The integral number 'k', 1 to 'len' or negative from the end, as a position from 0; -1 for
 * anything else. */
static ptrdiff_t position(double k, size_t len) {
  const double most = 9007199254740992.0; /* 2^53 */
  if (!(k >= -most && k <= most) || (double)(int64_t)k != k) return -1;
  const int64_t n = (int64_t)len, at = (int64_t)k < 0 ? (int64_t)k + n : (int64_t)k - 1;
  return at < n ? (ptrdiff_t)at : -1; /* below 0: none either */
}

/* 'out' may have no room for the axis that is left out. */
static bool take_item(const nd_view *v, int axis, ptrdiff_t at, nd_view *out) {
  if (at < 0) return false;
  ndi_view_copy_header(v, out);
  out->ndim--;
  for (int i = 0; i < out->ndim; i++) out->axis[i] = v->axis[i < axis ? i : i + 1];
  if (v->size) out->offset = (size_t)((ptrdiff_t)v->offset + at * v->axis[axis].step);
  ndi_view_set_size(out);
  return true;
}

bool ndb_part_row(const nd_view *v, int count, const double *k, nd_view *out) {
  return count == 1 && v->ndim > 1 && take_item(v, 0, position(k[0], v->axis[0].len), out);
}

bool ndb_part_select(const nd_view *v, int count, const double *k, nd_view *out) {
  const ptrdiff_t axis = count == 2 ? position(k[0], v->ndim) : -1;
  return axis >= 0 && take_item(v, (int)axis, position(k[1], v->axis[axis].len), out);
}

bool ndb_part_narrow(const nd_view *v, int count, const double *k, nd_view *out) {
  const ptrdiff_t axis = count == 3 ? position(k[0], v->ndim) : -1;
  if (axis < 0 || k[2] < 0) return false; /* a count has no sign */
  const size_t len = v->axis[axis].len;
  const ptrdiff_t first = position(k[1], len), last = position(k[2], len - (size_t)first);
  if (first < 0 || last < 0) return false;
  ndi_view_copy_record(v, out);
  ndi_view_advance(out, (int)axis, (size_t)first);
  out->axis[axis].len = (size_t)last + 1;
  ndi_view_set_size(out);
  return true;
}

bool ndb_part_transpose(const nd_view *v, int count, const double *k, nd_view *out) {
  (void)k;
  if (count != 0) return false;
  ndi_view_copy_record(v, out);
  for (int i = 0; i < v->ndim; i++) out->axis[i] = v->axis[v->ndim - 1 - i];
  return true;
}

bool ndb_part_permute(const nd_view *v, int count, const double *k, nd_view *out) {
  uint32_t seen = 0;
  ptrdiff_t from[ND_MAX_NDIM];
  if (count != v->ndim) return false;
  for (int i = 0; i < v->ndim; i++) {
    from[i] = position(k[i], v->ndim);
    if (from[i] < 0 || seen >> from[i] & 1) return false;
    seen |= 1u << from[i];
  }
  ndi_view_copy_header(v, out);
  for (int i = 0; i < v->ndim; i++) out->axis[i] = v->axis[from[i]];
  return true;
}

/* {=== slices ===} */

static void skip_blanks(const char **at) {
  while (**at == ' ') ++*at;
}

/* A number of at most nine digits, and blanks around it. False where there is none: '*out' stays.
 */
static bool take_number(const char **at, size_t *out) {
  size_t value = 0;
  skip_blanks(at);
  const char *const begin = *at;
  while (**at >= '0' && **at <= '9' && *at < begin + 9)
    value = value * 10 + (size_t)(*(*at)++ - '0');
  const bool has_digits = *at > begin;
  if (has_digits) *out = value;
  skip_blanks(at);
  return has_digits;
}

/* Most slices: entries i, lo:hi, lo:, :hi and : in digits alone, that name some elements. In the
 * general way, three steps, this takes several times as long. */
static bool take_plain(const nd_view *v, const char *text, size_t length, nd_view *out) {
  enum { MOST = 4 };
  nd_axis axes[MOST];
  size_t offset = v->offset;
  const char *at = text, *const end = text + length;
  int kept = 0, axis = 0;
  if (v->size == 0 || v->ndim > MOST) return false;
  do {
    if (axis == v->ndim) return false;
    const size_t len = v->axis[axis].len;
    const ptrdiff_t step = v->axis[axis].step;
    size_t lo = 1, hi = len;
    const bool has_lo = take_number(&at, &lo), is_range = *at == ':';
    if (is_range) at++, take_number(&at, &hi);
    else if (has_lo) hi = lo;
    else return false;
    if (lo < 1 || lo > hi || hi > len) return false;
    if (is_range) axes[kept++] = (nd_axis){hi - lo + 1, step};
    offset = (size_t)((ptrdiff_t)offset + (ptrdiff_t)(lo - 1) * step);
    axis++;
    if (at != end && *at != ',') return false;
  } while (at++ != end);
  if (axis == v->ndim && kept == 0) return false; /* an element */
  ndi_view_copy_header(v, out);
  out->offset = offset;
  out->ndim = (uint8_t)(kept + v->ndim - axis);
  for (int i = 0; i < kept; i++) out->axis[i] = axes[i];
  for (int i = kept; i < out->ndim; i++) out->axis[i] = v->axis[axis + i - kept];
  ndi_view_set_size(out);
  return true;
}

/* "_" alone may be a name. */
bool ndb_part_slice(const nd_view *v, const char *text, size_t length, nd_view *out) {
  ndb_slice items[ND_MAX_INDICES];
  nd_index indices[ND_MAX_INDICES];
  int count;
  bool is_element;
  if (take_plain(v, text, length, out)) return true;
  return ndb_slice_is_text(text, length) && strcmp(text, "_") != 0 &&
         ndb_slice_parse(text, length, items, &count, NULL) == ND_OK &&
         ndb_slice_resolve(v, count, items, indices, NULL) == ND_OK &&
         ndi_view_index(v, count, indices, out, &is_element, NULL) == ND_OK && !is_element;
}
