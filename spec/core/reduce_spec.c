/* Reductions, sorting and masks have the same bits on any number of threads and at every level of
 * the processor. */
#include <math.h>

#include "dev/threads.h"

#include "arrays.h"
#include "levels.h"

static const struct {
  int ndim;
  size_t shape[3];
} shapes[] = {{1, {500009}},   {2, {2, 470001}},   {2, {350, 901}},
              {2, {60000, 5}}, {3, {9, 10000, 3}}, {2, {3, 9}}};

static const nd_dtype dtypes[] = {ND_F32, ND_F64, ND_C64, ND_F16, ND_I32, ND_BOOL};

static nd_view make_numbers(nd_dtype dtype, int ndim, const size_t *shape) {
  nd_view v = make_packed(dtype, ndim, shape), part = v;
  if (dtype == ND_BOOL) part.dtype = ND_U8;
  if (dtype == ND_C64) { /* as twice as many floats */
    part.dtype = ND_F32;
    part.axis[ndim - 1].len *= 2;
    part.axis[ndim - 1].step /= 2;
    part.size *= 2;
  }
  const nd_status status = dtype == ND_BOOL || dtype == ND_I32
                               ? nd_random_integers(&part, 0, dtype == ND_BOOL ? 1 : 1000, 1, 2,
                                                    NULL)
                               : nd_random_normal(&part, 1, 2, NULL);
  if (status != ND_OK) abort();
  return v;
}

static bool is_same(const nd_view *a, const nd_view *b) {
  char *x = NULL, *y = NULL;
  if (nd_view_host(a, false, &x, NULL) != ND_OK) abort();
  if (nd_view_host(b, false, &y, NULL) != ND_OK) abort();
  if (a->size != b->size) return false;
  if (memcmp(x, y, nd_view_nbytes(a)) == 0) return true;
  if (a->dtype != ND_C64) return false;
  for (size_t i = 0; i < 2 * a->size; i++) { /* the sign of a NaN that came about is open */
    float p, q;
    memcpy(&p, x + i * sizeof p, sizeof p);
    memcpy(&q, y + i * sizeof q, sizeof q);
    if (memcmp(&p, &q, sizeof p) != 0 && !(isnan(p) && isnan(q))) return false;
  }
  return true;
}

/* What is tried: runs, and gives a packed array. */
typedef nd_status trial(const nd_view *v, const void *context, nd_view *out);

static void check_trial(const char *name, const nd_view *v, trial *run, const void *context) {
  static const int threads[] = {1, 2, 3, 7};
  const int before = nd_threads_get();
  nd_view want, got;
  nd_threads_set(1);
  use_level(1);
  if (run(v, context, &want) != ND_OK) return; /* not defined */
  for (size_t l = 0; l < ND_COUNTOF(levels); l++) {
    if (!use_level(levels[l])) continue;
    for (size_t i = 0; i < ND_COUNTOF(threads); i++) {
      nd_threads_set(threads[i]);
      if (run(v, context, &got) != ND_OK) abort();
      CHECK(is_same(&want, &got), "%s of %s, %d axes, %d threads, v%d", name,
            nd_dtype_get((nd_dtype)v->dtype)->name, v->ndim, threads[i], levels[l]);
      nd_view_drop(&got);
    }
  }
  nd_view_drop(&want);
  nd_threads_set(before);
}

typedef struct {
  nd_op op;
  nd_reduction how;
} reduction;

static nd_status try_reduce(const nd_view *v, const void *context, nd_view *out) {
  const reduction *r = context;
  return nd_reduce(r->op, v, &r->how, out, NULL);
}

static nd_status try_sort(const nd_view *v, const void *context, nd_view *out) {
  (void)context;
  return nd_sort(v, v->ndim - 1, false, out, NULL);
}

static nd_status try_argsort(const nd_view *v, const void *context, nd_view *out) {
  (void)context;
  return nd_argsort(v, 0, true, out, NULL);
}

static nd_status try_select(const nd_view *v, const void *context, nd_view *out) {
  return nd_mask_select(v, context, out, NULL);
}

static nd_status try_assign(const nd_view *v, const void *context, nd_view *out) {
  nd_view values;
  ND_TRY(nd_mask_select(v, context, &values, NULL));
  nd_status status = nd_astype(v, (nd_dtype)v->dtype, ND_SATURATE, out, NULL);
  if (status == ND_OK && values.size > 0) { /* the other way round */
    nd_view turned;
    status = nd_view_flip(&values, 1, &turned, NULL);
    if (status == ND_OK) status = nd_mask_assign(out, context, &turned, NULL);
    nd_view_drop(&turned);
  }
  nd_view_drop(&values);
  return status;
}

static nd_status try_take(const nd_view *v, const void *context, nd_view *out) {
  return nd_take(v, context, 0, out, NULL);
}

/* Slow runs take some of the 'all' cases, as far from each other as can be. */
static bool is_left_out(size_t i, size_t all) {
  const size_t some = scaled(all);
  return some < all && i > 0 && (i - 1) * some / all == i * some / all;
}

static void check_all(void (*check)(const nd_view *v)) {
  const size_t all = ND_COUNTOF(dtypes) * ND_COUNTOF(shapes);
  for (size_t d = 0; d < ND_COUNTOF(dtypes); d++)
    for (size_t s = 0; s < ND_COUNTOF(shapes); s++) {
      if (is_left_out(d * ND_COUNTOF(shapes) + s, all)) continue;
      nd_view v = make_numbers(dtypes[d], shapes[s].ndim, shapes[s].shape);
      check(&v);
      nd_view_drop(&v);
    }
}

static void check_reductions(const nd_view *v) {
  for (uint32_t axes = 1; axes < 1u << v->ndim; axes++)
    for (int op = 0; op < ND_OP_COUNT; op++) {
      const reduction r = {.op = (nd_op)op, .how = {.axes = axes}};
      if (nd_op_get(r.op)->group == ND_GROUP_REDUCE)
        check_trial(nd_op_get(r.op)->name, v, try_reduce, &r);
    }
}

/* Overlapping windows of the last axis: what a copy of them gives, too. */
static void check_windows(const nd_view *v, size_t n, size_t step) {
  nd_view windows, copy, want, got;
  if (nd_view_unfold(v, v->ndim - 1, n, step, &windows, NULL) != ND_OK) abort();
  if (nd_astype(&windows, (nd_dtype)v->dtype, ND_SATURATE, &copy, NULL) != ND_OK) abort();
  for (int op = 0; op < ND_OP_COUNT; op++) {
    const reduction r = {.op = (nd_op)op, .how = {.axes = 1u << v->ndim}};
    if (nd_op_get(r.op)->group != ND_GROUP_REDUCE) continue;
    check_trial(nd_op_get(r.op)->name, &windows, try_reduce, &r);
    if (try_reduce(&copy, &r, &want) != ND_OK) continue; /* not defined */
    if (try_reduce(&windows, &r, &got) != ND_OK) abort();
    CHECK(is_same(&want, &got), "%s of %s, windows of %zu at %zu", nd_op_get(r.op)->name,
          nd_dtype_get((nd_dtype)v->dtype)->name, n, step);
    nd_view_drop(&want);
    nd_view_drop(&got);
  }
  nd_view_drop(&copy);
  nd_view_drop(&windows);
}

/* Of columns, whose elements are not packed, and of one of them alone. */
static void check_all_windows(void) {
  static const size_t sizes[] = {33, 100, 1030, 2500}, turned[] = {2600, 3};
  static const int order[] = {1, 0};
  const size_t all = ND_COUNTOF(dtypes) * ND_COUNTOF(sizes);
  for (size_t d = 0; d < ND_COUNTOF(dtypes); d++) {
    nd_view v = make_numbers(dtypes[d], 2, turned), columns, line;
    if (nd_view_permute(&v, order, &columns, NULL) != ND_OK) abort();
    if (nd_view_select(&columns, 0, 1, &line, NULL) != ND_OK) abort();
    for (size_t i = 0; i < ND_COUNTOF(sizes); i++) {
      if (is_left_out(d * ND_COUNTOF(sizes) + i, all)) continue;
      check_windows(&line, sizes[i], 1);
      check_windows(i % 2 == 0 ? &line : &columns, sizes[i], 3);
    }
    nd_view_drop(&line);
    nd_view_drop(&columns);
    nd_view_drop(&v);
  }
}

static void check_sorting(const nd_view *v) {
  check_trial("sort", v, try_sort, NULL);
  check_trial("argsort", v, try_argsort, NULL);
}

static void check_picking(const nd_view *v) {
  const size_t picked = 40000;
  size_t shape[3];
  for (int i = 0; i < v->ndim; i++) shape[i] = v->axis[i].len;
  nd_view mask = make_numbers(ND_BOOL, v->ndim, shape), rows = make_numbers(ND_BOOL, 1, shape);
  nd_view index = make_packed(ND_I64, 1, &picked);
  if (nd_random_integers(&index, 1, (int64_t)v->axis[0].len, 3, 4, NULL) != ND_OK) abort();
  check_trial("select", v, try_select, &mask);
  check_trial("assign", v, try_assign, &mask);
  check_trial("select rows", v, try_select, &rows);
  check_trial("assign rows", v, try_assign, &rows);
  if (v->size / v->axis[0].len < 1000) check_trial("take", v, try_take, &index);
  nd_view_drop(&mask);
  nd_view_drop(&rows);
  nd_view_drop(&index);
}

/* Of more chunks than threads. Slow runs do not leave it out. */
static void check_long_sum(void) {
  const size_t length = 1500000;
  const reduction sum = {.op = ND_OP_SUM, .how = {.axes = 1}};
  nd_view line = make_numbers(ND_F64, 1, &length); /* f32 is added up in f64 */
  check_trial("a long sum", &line, try_reduce, &sum);
  nd_view_drop(&line);
}

int main(void) {
  group("reductions have the same bits on any number of threads and at every level");
  check_long_sum();
  check_all(check_reductions);
  group("reductions of overlapping windows too");
  check_all_windows();
  group("sort and argsort too");
  check_all(check_sorting);
  nd_view two = make_numbers(ND_F32, 2, shapes[1].shape); /* slow runs may leave it out */
  check_trial("sort", &two, try_sort, NULL);
  nd_view_drop(&two);
  group("masks and take too");
  check_all(check_picking);
  return finish();
}
