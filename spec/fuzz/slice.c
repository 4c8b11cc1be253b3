/* The slice grammar: what parses reads back from a text of its own, and the view it makes has the
 * elements that counting through each axis gives. The first bytes choose the array. */
#include "bind/slice.h"
#include "fuzz.h"

enum { AXES = 4, EXTENT = 6, ROOM = 1296 };

/* An i32 array whose elements say where they are, seen through the strides that the input asks for.
 */
static void make_array(fuzz_input *in, nd_view *out) {
  size_t shape[AXES];
  int order[AXES];
  nd_error err = {0};
  nd_view v, turned;
  const int ndim = (int)next_below(in, AXES + 1);
  for (int i = 0; i < ndim; i++) shape[i] = next_below(in, EXTENT + 1);
  for (int i = 0; i < ndim; i++) order[i] = ndim - 1 - i;
  MUST(nd_new(nd_host_resource(), ND_I32, ndim, shape, (nd_storage_options){0}, &v, &err) == ND_OK,
       "%s", err.message);
  MUST(nd_random_integers(&v, INT32_MIN, INT32_MAX, 1, 0, &err) == ND_OK, "%s", err.message);
  const unsigned how = next_byte(in);
  if (how & 1) MUST(nd_view_permute(&v, order, &turned, &err) == ND_OK, "%s", err.message);
  else nd_view_copy(&v, &turned);
  MUST(nd_view_flip(&turned, (how >> 1) & ((1u << ndim) - 1), out, &err) == ND_OK, "%s",
       err.message);
  nd_view_drop(&turned);
  nd_view_drop(&v);
}

/* {=== the model ===} */

typedef struct {
  int count; /* of axes of the result */
  int most;  /* the new axes are there before others are dropped */
  size_t extent[2 * ND_MAX_INDICES];
  size_t at[AXES][EXTENT]; /* by axis of the source: which places are taken */
  size_t taken[AXES];
} model;

/* The places lo, lo + step, … up to hi; false: refused. */
static bool take_range(const ndb_slice *r, int64_t n, size_t *at, size_t *taken) {
  const int64_t step = r->step;
  if (step == 0 || step == INT64_MIN) return false;
  int64_t lo = r->has_first ? r->first
               : step > 0   ? 1
                            : n,
          hi = r->has_last ? r->last
               : step > 0  ? n
                           : 1;
  if (r->has_first && lo < 0) lo += n + 1;
  if (r->has_last && hi < 0) hi += n + 1;
  *taken = 0;
  if (n == 0 && !r->has_first && !r->has_last) return true;
  const int64_t way = step > 0 ? 1 : -1, low = step > 0 ? 1 : 0;
  if (lo >= low && lo < low + n + 1 && hi == lo - way) return true; /* the empty range */
  if (lo < 1 || lo > n || hi < 1 || hi > n || (hi - lo) * way < 0) return false;
  for (int64_t i = lo; i >= 1 && i <= n && (hi - i) * way >= 0;) {
    at[(*taken)++] = (size_t)i - 1;
    if (step > n || step < -n) break;
    i += step;
  }
  return true;
}

static bool take_axis(const nd_view *v, const ndb_slice *item, int axis, model *m) {
  static const ndb_slice all = {.kind = ND_INDEX_RANGE, .step = 1};
  const int64_t n = (int64_t)v->axis[axis].len;
  if (item && item->kind == ND_INDEX_AT) {
    if (item->first == 0 || item->first > n || item->first < -n) return false;
    m->at[axis][0] = (size_t)(item->first > 0 ? item->first - 1 : item->first + n);
    m->taken[axis] = 1;
    return true;
  }
  if (!take_range(item ? item : &all, n, m->at[axis], &m->taken[axis])) return false;
  m->extent[m->count++] = m->taken[axis];
  return true;
}

static bool apply_model(const nd_view *v, int count, const ndb_slice *items, model *m) {
  int used = 0, dots = 0, axis = 0;
  *m = (model){.most = v->ndim};
  for (int i = 0; i < count; i++) {
    dots += items[i].kind == ND_INDEX_ELLIPSIS;
    used += items[i].kind == ND_INDEX_AT || items[i].kind == ND_INDEX_RANGE;
    m->most += items[i].kind == ND_INDEX_NEW_AXIS;
  }
  if (dots > 1 || used > v->ndim) return false;
  for (int i = 0; i < count; i++) {
    if (items[i].kind == ND_INDEX_NEW_AXIS) m->extent[m->count++] = 1;
    else if (items[i].kind != ND_INDEX_ELLIPSIS && !take_axis(v, &items[i], axis++, m))
      return false;
    else if (items[i].kind == ND_INDEX_ELLIPSIS)
      for (int k = used; k < v->ndim; k++) take_axis(v, NULL, axis++, m);
  }
  while (axis < v->ndim) take_axis(v, NULL, axis++, m);
  return true;
}

/* The elements in the result's order; returns how many. */
static size_t read_model(const nd_view *v, const model *m, const int32_t *all, int axis, size_t at,
                         int32_t *out) {
  if (axis == v->ndim) return *out = all[at], 1;
  size_t count = 0;
  for (size_t i = 0; i < m->taken[axis]; i++)
    count += read_model(v, m, all, axis + 1, at * v->axis[axis].len + m->at[axis][i], out + count);
  return count;
}

/* {=== the checks ===} */

static void check_view(const nd_view *v, const nd_view *got, const model *m) {
  static int32_t all[ROOM], wanted[ROOM], found[ROOM];
  nd_error err = {0};
  MUST(nd_view_is_sound(got), "unsound");
  MUST(got->ndim == m->count, "%d axes, not %d", got->ndim, m->count);
  for (int i = 0; i < m->count; i++)
    MUST(got->axis[i].len == m->extent[i], "axis %d: %zu, not %zu", i, got->axis[i].len,
         m->extent[i]);
  MUST(nd_copyout(v, all, nd_view_nbytes(v), &err) == ND_OK, "%s", err.message);
  const size_t count = read_model(v, m, all, 0, 0, wanted);
  MUST(count == got->size, "%zu elements, not %zu", got->size, count);
  MUST(nd_copyout(got, found, nd_view_nbytes(got), &err) == ND_OK, "%s", err.message);
  MUST(memcmp(wanted, found, count * sizeof *found) == 0, "elements");
}

/* What was parsed, written out in full; it has to parse to the same. */
static void check_text(int count, const ndb_slice *items) {
  char text[ND_MAX_INDICES * 72], *p = text;
  ndb_slice again[ND_MAX_INDICES];
  nd_error err = {0};
  int n = 0;
  for (int i = 0; i < count; i++) {
    const ndb_slice *x = &items[i];
    if (i > 0) *p++ = ',';
    if (x->kind == ND_INDEX_NEW_AXIS) *p++ = '_';
    else if (x->kind == ND_INDEX_ELLIPSIS) p += sprintf(p, "...");
    else if (x->has_first) p += sprintf(p, "%" PRId64, x->first);
    if (x->kind != ND_INDEX_RANGE) continue;
    *p++ = ':';
    if (x->has_last) p += sprintf(p, "%" PRId64, x->last);
    p += sprintf(p, ":%" PRId64, x->step);
  }
  MUST(ndb_slice_is_text(text, (size_t)(p - text)), "%.*s", (int)(p - text), text);
  MUST(ndb_slice_parse(text, (size_t)(p - text), again, &n, &err) == ND_OK, "%s", err.message);
  MUST(n == count, "%d entries, not %d", n, count);
  for (int i = 0; i < n; i++) {
    const ndb_slice *x = &items[i], *y = &again[i];
    MUST(x->kind == y->kind && x->has_first == y->has_first && x->has_last == y->has_last &&
             (!x->has_first || x->first == y->first) && (!x->has_last || x->last == y->last) &&
             x->step == y->step,
         "entry %d of %s", i, text);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const int lowest = lowest_descriptor();
  fuzz_input in = {data, data + size};
  ndb_slice items[ND_MAX_INDICES];
  nd_error err = {0};
  nd_view v, got;
  model m;
  int count;
  make_array(&in, &v);
  const size_t length = (size_t)(in.end - in.at);
  char *text = malloc(length); /* its end is the end of its memory */
  MUST(text || length == 0, "memory");
  if (length) memcpy(text, in.at, length);
  const nd_status status = ndb_slice_parse(text, length, items, &count, &err);
  if (status == ND_OK) {
    bool is_element;
    MUST(ndb_slice_is_text(text, length), "no slice");
    check_text(count, items);
    const bool valid = apply_model(&v, count, items, &m);
    nd_index resolved[ND_MAX_INDICES];
    nd_status indexed = ndb_slice_resolve(&v, count, items, resolved, &err);
    if (indexed == ND_OK) indexed = nd_view_index(&v, count, resolved, &got, &is_element, &err);
    MUST((indexed == ND_OK) == valid || (valid && m.most > ND_MAX_NDIM), "%s", err.message);
    if (indexed == ND_OK) {
      check_view(&v, &got, &m);
      nd_view_drop(&got);
    }
  } else {
    MUST(status == ND_INVALID_ARGUMENT && err.message[0], "%s", err.message);
  }
  free(text);
  nd_view_drop(&v);
  check_nothing_left(lowest);
  return 0;
}
