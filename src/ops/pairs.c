/* Picking and assigning by index arrays in several axes at once.
 *
 * Devices pick along one axis. So the axes that have index arrays become one: it counts in the
 * greatest common divisor of their strides, over memory from the first to the last element that
 * they reach, and the indices of each are multiplied by what its stride is in that unit, and added
 * up (INDEX_JOIN). Any strides will do, nothing of the array is copied; that the axis has places
 * that are no elements, or shares places with other axes, does not matter, as no index names
 * them. */
#include <stdio.h>
#include <string.h>

#include "ops/common.h"

/* Lists of indices that were checked, one for each picked axis, and the shape they broadcast to. */
typedef struct {
  int count;
  struct {
    nd_view list; /* contiguous 1-D i64; an index array's elements in row-major order */
    nd_view like; /* its shape, without a storage */
    int axis;
  } of[ND_MAX_NDIM];
  int ndim;
  size_t shape[ND_MAX_NDIM], size;
  uint32_t axes; /* bit i set: axis i of the array is picked from */
} picks;

static void drop_picks(picks *p) {
  for (int i = 0; i < p->count; i++) nd_view_drop(&p->of[i].list);
}

/* {=== index lists ===} */

/* Take over 'list', which has the shape 'like' and is for 'axis'. */
static void add_list(picks *p, const nd_view *list, const nd_view *like, int axis) {
  size_t shape[ND_MAX_NDIM];
  nd_view_shape(like, shape);
  p->of[p->count].list = *list;
  p->of[p->count].like = ndi_shape_view(like->ndim, shape);
  p->of[p->count++].axis = axis;
  p->axes |= UINT32_C(1) << axis;
}

static nd_status check_mask(const nd_view *src, const nd_picker *by, nd_error *err) {
  for (int i = 0; i < by->by->ndim; i++) {
    const size_t len = by->by->axis[i].len, wanted = src->axis[by->axis + i].len;
    if (len != wanted && len != 0)
      return nd_fail_with(err, ND_SHAPE_MISMATCH,
                          ND_NUMBERS({"axis", by->named + i + 1}, {"value", (int64_t)len},
                                     {"limit", (int64_t)wanted}),
                          "a mask has %zu elements along axis %d of size %zu", len,
                          by->named + i + 1, wanted);
  }
  return ND_OK;
}

/* The positions of the true elements of a mask, which is ready, in each of its axes. */
static nd_status add_positions(picks *p, const nd_view *src, const nd_view *mask, int axis,
                               nd_error *err) {
  for (int i = 0; i < mask->ndim; i++) {
    nd_view positions, list;
    ND_TRY(nd_mask_positions(mask, i, &positions, err));
    const nd_status status = ndi_operand(src, false, &positions, ND_I64, &list, err);
    nd_view_drop(&positions);
    ND_TRY(status);
    add_list(p, &list, &list, axis + i);
  }
  return ND_OK;
}

static nd_status add_mask(picks *p, const nd_view *src, const nd_picker *by, nd_error *err) {
  nd_view mask;
  ND_TRY(check_mask(src, by, err));
  ND_TRY(ndi_selector(src, false, by->by, ND_BOOL, &mask, err));
  const nd_status status = add_positions(p, src, &mask, by->axis, err);
  nd_view_drop(&mask);
  return status;
}

/* 'number' counts the index arrays and masks of the script from 1. */
static nd_status add_index(picks *p, const nd_view *src, const nd_picker *by, int number,
                           nd_error *err) {
  char what[32];
  nd_view list;
  if (by->what) snprintf(what, sizeof what, "%s", by->what);
  else snprintf(what, sizeof what, "index array %d", number);
  ND_TRY(ndi_index_list(what, src, by->by, by->named, src->axis[by->axis].len, &list, err));
  add_list(p, &list, by->by, by->axis);
  return ND_OK;
}

static nd_status broadcast(picks *p, nd_error *err) {
  nd_view all = p->of[0].like;
  for (int i = 1; i < p->count; i++) {
    size_t shape[ND_MAX_NDIM];
    int ndim;
    ND_TRY(nd_broadcast_shape("index arrays", &all, &p->of[i].like, &ndim, shape, err));
    all = ndi_shape_view(ndim, shape);
  }
  p->ndim = all.ndim;
  p->size = all.size;
  nd_view_shape(&all, p->shape);
  return ND_OK;
}

/* Make all indices ready and check them. The caller drops the lists, after a failure too. */
static nd_status ready_picks(const nd_view *src, int count, const nd_picker *by, picks *p,
                             nd_error *err) {
  p->count = 0;
  p->axes = 0;
  p->ndim = 0;
  memset(p->shape, 0, sizeof p->shape);
  ND_TRY(ndi_check_live(src, err));
  for (int i = 0; i < count; i++)
    ND_TRY(by[i].by->dtype == ND_BOOL ? add_mask(p, src, &by[i], err)
                                      : add_index(p, src, &by[i], i + 1, err));
  return broadcast(p, err);
}

/* {=== one axis for several ===} */

/* The axis that stands for all picked ones. */
typedef struct {
  size_t len, offset; /* items; byte of the storage where item 0 is */
  ptrdiff_t step;     /* bytes */
} joint;

static ptrdiff_t divisor_of(ptrdiff_t a, ptrdiff_t b) {
  while (b) {
    const ptrdiff_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

/* No axis is empty, as each has an index. The sums are at most the bytes between two elements. One
 * axis alone stays as it is. */
static joint join_axes(const nd_view *src, const picks *p) {
  joint j = {.len = 1, .offset = src->offset};
  if (p->count == 1) {
    const nd_axis *only = &src->axis[p->of[0].axis];
    return (joint){.len = only->len, .offset = src->offset, .step = only->step};
  }
  for (int i = 0; i < p->count; i++) {
    const nd_axis *axis = &src->axis[p->of[i].axis];
    if (axis->len > 1) j.step = divisor_of(j.step, axis->step);
  }
  if (j.step == 0) j.step = (ptrdiff_t)nd_view_itemsize(src);
  for (int i = 0; i < p->count; i++) {
    const nd_axis *axis = &src->axis[p->of[i].axis];
    const ptrdiff_t reach = axis->len > 1 ? (ptrdiff_t)(axis->len - 1) * axis->step : 0;
    j.len += (size_t)((reach < 0 ? -reach : reach) / j.step);
    if (reach < 0) j.offset -= (size_t)-reach;
  }
  return j;
}

/* 'src' with the joint axis before the axes that are not picked from. */
static nd_status view_joint(const nd_view *src, const picks *p, const joint *j, nd_view *out,
                            nd_error *err) {
  size_t shape[ND_MAX_NDIM] = {j->len};
  ptrdiff_t steps[ND_MAX_NDIM] = {j->step};
  int n = 1;
  for (int i = 0; i < src->ndim; i++) {
    if (p->axes >> i & 1) continue;
    shape[n] = src->axis[i].len;
    steps[n++] = src->axis[i].step;
  }
  return nd_view_as_strided(src, n, shape, steps, j->offset, out, err);
}

/* Make 'line', which has all axes of the indices, of the indices of the joint axis: add those of
 * list 'i'. */
static nd_status join_list(const nd_view *src, const picks *p, int i, const joint *j,
                           const nd_view *line, nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  nd_view own, wide;
  const nd_axis *axis = &src->axis[p->of[i].axis];
  const int64_t factor = axis->len > 1 ? axis->step / j->step : 0;
  nd_view_shape(&p->of[i].like, shape);
  ND_TRY(ndi_reshape(&p->of[i].list, p->of[i].like.ndim, shape, &own, err));
  nd_status status = nd_view_expand(&own, p->ndim, p->shape, &wide, err);
  nd_view_drop(&own);
  ND_TRY(status);
  nd_task task = {.op = ND_OP_INDEX_JOIN, .count = 2, .views = {line, &wide}};
  task.join.extent = axis->len;
  task.join.factor = factor;
  /* indices are 1-based, and along an axis that runs backwards item 0 is the last of the joint */
  task.join.first = (i == 0) - (factor < 0 ? (int64_t)(axis->len - 1) * factor : 0);
  task.join.adds = i > 0;
  status = nd_device_run(nd_device_of(line), &task, err);
  nd_view_drop(&wide);
  return status;
}

/* The indices of the joint axis, as a list. */
static nd_status join_lists(const nd_view *src, const picks *p, const joint *j, nd_view *out,
                            nd_error *err) {
  nd_view line;
  if (p->count == 1) return nd_view_copy(&p->of[0].list, out), ND_OK;
  ND_TRY(ndi_new_on(src, ND_I64, p->ndim, p->shape, &line, err));
  nd_status status = ND_OK;
  for (int i = 0; status == ND_OK && i < p->count; i++)
    status = join_list(src, p, i, j, &line, err);
  if (status == ND_OK) status = ndi_reshape(&line, 1, &p->size, out, err);
  nd_view_drop(&line);
  return status;
}

/* {=== picking ===} */

/* The shape of what is picked: axes that are not picked from, with those of the indices at
 * 'at'. */
static nd_status picked_shape(const nd_view *src, const picks *p, int at, int *ndim, size_t *shape,
                              nd_error *err) {
  const int n = src->ndim - p->count + p->ndim;
  int axis = 0;
  if (n > ND_MAX_NDIM)
    return nd_fail_with(err, ND_INVALID_ARGUMENT, ND_NUMBERS({"value", n}, {"limit", ND_MAX_NDIM}),
                        "index arrays: the picked elements would have %d axes: an array has at "
                        "most %d",
                        n, ND_MAX_NDIM);
  for (int i = 0; i < n; i++) {
    if (i >= at && i < at + p->ndim) {
      shape[i] = p->shape[i - at];
      continue;
    }
    while (p->axes >> axis & 1) axis++;
    shape[i] = src->axis[axis++].len;
  }
  *ndim = n;
  return ND_OK;
}

/* View 'v', which has a picked shape, with the axes of the indices as one, the first. Values that
 * were broadcast may have to be copied for that; what is new and row-major is viewed. */
static nd_status view_rows(const nd_view *v, const picks *p, int at, nd_view *out, nd_error *err) {
  const int n = v->ndim - p->ndim + 1;
  size_t shape[ND_MAX_NDIM];
  int order[ND_MAX_NDIM];
  nd_view merged;
  for (int i = 0; i < n; i++) {
    shape[i] = i == at ? p->size : v->axis[i < at ? i : i - 1 + p->ndim].len;
    order[i] = i == 0 ? at : i <= at ? i - 1 : i;
  }
  ND_TRY(ndi_reshape(v, n, shape, &merged, err));
  const nd_status status = nd_view_permute(&merged, order, out, err);
  nd_view_drop(&merged);
  return status;
}

/* Run 'op' between the picked elements of 'v' and 'other', which has their shape. */
static nd_status run_picks(nd_op op, const nd_view *v, const picks *p, int at, const nd_view *other,
                           nd_error *err) {
  nd_view joined, list, rows;
  if (other->size == 0) return ND_OK;
  const joint j = join_axes(v, p);
  ND_TRY(view_rows(other, p, at, &rows, err));
  nd_status status = join_lists(v, p, &j, &list, err);
  if (status == ND_OK) {
    status = view_joint(v, p, &j, &joined, err);
    if (status == ND_OK) {
      const bool takes = op == ND_OP_TAKE;
      const nd_task task = {
          .op = op, .count = 3, .views = {takes ? &rows : &joined, takes ? &joined : &rows, &list}};
      status = nd_device_run(nd_device_of(v), &task, err);
      nd_view_drop(&joined);
    }
    nd_view_drop(&list);
  }
  nd_view_drop(&rows);
  return status;
}

static nd_status pick(const nd_view *src, const picks *p, int at, nd_view *out, nd_error *err) {
  int ndim;
  size_t shape[ND_MAX_NDIM];
  nd_view made;
  ND_TRY(picked_shape(src, p, at, &ndim, shape, err));
  ND_TRY(ndi_new_on(src, (nd_dtype)src->dtype, ndim, shape, &made, err));
  const nd_status status = run_picks(ND_OP_TAKE, src, p, at, &made, err);
  if (status == ND_OK) *out = made;
  else nd_view_drop(&made);
  return status;
}

nd_status nd_pick(const nd_view *src, int count, const nd_picker *by, int at, nd_view *out,
                  nd_error *err) {
  picks p;
  nd_status status = ready_picks(src, count, by, &p, err);
  if (status == ND_OK) status = pick(src, &p, at, out, err);
  drop_picks(&p);
  return status;
}

static nd_status write_picks(nd_op op, const nd_view *dst, const picks *p, int at,
                             const nd_view *values, nd_error *err) {
  int ndim;
  size_t shape[ND_MAX_NDIM];
  nd_view wide;
  ND_TRY(picked_shape(dst, p, at, &ndim, shape, err));
  ND_TRY(ndi_values_like("assignment by index arrays", dst, values, ndim, shape, &wide, err));
  const nd_status status = run_picks(op, dst, p, at, &wide, err);
  nd_view_drop(&wide);
  return status;
}

static nd_status scatter(nd_op op, const nd_view *dst, int count, const nd_picker *by, int at,
                         const nd_view *values, nd_error *err) {
  picks p;
  ND_TRY(ndi_check_writable(dst, err));
  nd_status status = ready_picks(dst, count, by, &p, err);
  if (status == ND_OK) status = write_picks(op, dst, &p, at, values, err);
  drop_picks(&p);
  return status;
}

nd_status nd_pick_assign(const nd_view *dst, int count, const nd_picker *by, int at,
                         const nd_view *values, nd_error *err) {
  return scatter(ND_OP_PUT, dst, count, by, at, values, err);
}

nd_status nd_pick_add(const nd_view *dst, int count, const nd_picker *by, int at,
                      const nd_view *values, nd_error *err) {
  return scatter(ND_OP_INDEX_ADD, dst, count, by, at, values, err);
}
