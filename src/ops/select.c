/* Order statistics: shape and dtype of results, and the lines that a device works on. */
#include <math.h>
#include <string.h>

#include "ops/common.h"

static const char *name_of(nd_op op) { return nd_op_get(op)->name; }

static nd_status run_task(const nd_task *task, nd_error *err) {
  return nd_device_run(nd_device_of(task->views[0]), task, err);
}

/* {=== along an axis ===} */

/* A new array with the shape of 'src', but that 'axis' comes last and has 'extent'. */
static nd_status new_lines(const nd_view *src, int axis, size_t extent, nd_dtype dtype,
                           nd_view *out, nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  int n = 0;
  for (int i = 0; i < src->ndim; i++)
    if (i != axis) shape[n++] = src->axis[i].len;
  shape[n++] = extent;
  return ndi_new_on(src, dtype, n, shape, out, err);
}

static nd_status partition_by(nd_op op, const nd_view *src, int axis, const nd_view *places,
                              nd_view *out, nd_error *err) {
  const size_t n = src->axis[axis].len;
  const nd_dtype dtype = op == ND_OP_ARGPARTITION ? ND_I64 : (nd_dtype)src->dtype;
  nd_view lines, made;
  ND_TRY(ndi_view_lines(src, 1u << axis, true, &lines, err));
  nd_status status = new_lines(src, axis, n, dtype, &made, err);
  if (status == ND_OK) {
    const nd_task task = {.op = op, .count = 3, .views = {&made, &lines, places}};
    if (made.size > 0) status = run_task(&task, err);
    status = ndi_finish_lines(status, &made, axis, out, err);
  }
  nd_view_drop(&lines);
  return status;
}

nd_status nd_partition(nd_op op, const nd_view *src, int axis, const nd_view *places, nd_view *out,
                       nd_error *err) {
  nd_view list;
  ND_TRY(ndi_check_live(src, err));
  ND_TRY(ndi_check_axis(name_of(op), axis, src->ndim, err));
  if (places->size == 0)
    return nd_fail(err, ND_INVALID_ARGUMENT, "%s: no position is given", name_of(op));
  ND_TRY(ndi_index_list(name_of(op), src, places, axis, src->axis[axis].len, &list, err));
  const nd_status status = partition_by(op, src, axis, &list, out, err);
  nd_view_drop(&list);
  return status;
}

/* Finish both results, or drop both. */
static nd_status finish_both(nd_status status, nd_view *made, int axis, nd_view *values,
                             nd_view *positions, nd_error *err) {
  nd_view first;
  status = ndi_finish_lines(status, &made[0], axis, &first, err);
  const bool is_first = status == ND_OK;
  status = ndi_finish_lines(status, &made[1], axis, positions, err);
  if (status == ND_OK) *values = first;
  else if (is_first) nd_view_drop(&first);
  return status;
}

nd_status nd_topk(const nd_view *src, int axis, size_t k, bool is_largest, bool is_sorted,
                  nd_view *values, nd_view *positions, nd_error *err) {
  nd_view lines, made[2];
  ND_TRY(ndi_check_live(src, err));
  ND_TRY(ndi_check_axis("topk", axis, src->ndim, err));
  const size_t n = src->axis[axis].len;
  if (k > n)
    return nd_fail_with(
        err, ND_INVALID_ARGUMENT, ND_NUMBERS({"value", (int64_t)k}, {"limit", (int64_t)n}),
        "topk: k is %zu, but axis %d has %zu element%s", k, axis + 1, n, n == 1 ? "" : "s");
  ND_TRY(new_lines(src, axis, k, (nd_dtype)src->dtype, &made[0], err));
  nd_status status = new_lines(src, axis, k, ND_I64, &made[1], err);
  if (status != ND_OK) {
    nd_view_drop(&made[0]);
    return status;
  }
  if (made[0].size > 0) {
    status = ndi_view_lines(src, 1u << axis, true, &lines, err);
    const nd_task task = {.op = ND_OP_TOPK,
                          .count = 3,
                          .views = {&made[0], &made[1], &lines},
                          .topk = {.is_largest = is_largest, .is_sorted = is_sorted}};
    if (status == ND_OK) {
      status = run_task(&task, err);
      nd_view_drop(&lines);
    }
  }
  return finish_both(status, made, axis, values, positions, err);
}

/* {=== along several axes ===} */

/* A new array without the axes of 'how', or with extents of 1; 'first' is its first extent, unless
 * it is NULL. */
static nd_status new_results(const nd_view *src, const nd_reduction *how, const size_t *first,
                             nd_dtype dtype, nd_view *out, nd_error *err) {
  size_t shape[ND_MAX_NDIM + 1];
  int n = 0;
  if (first) shape[n++] = *first;
  for (int i = 0; i < src->ndim; i++) {
    const bool goes = how->axes >> i & 1;
    if (!goes) shape[n++] = src->axis[i].len;
    else if (how->keeps_dims) shape[n++] = 1;
  }
  return ndi_new_on(src, dtype, n, shape, out, err);
}

static nd_status check_order(const char *what, const nd_view *src, nd_error *err) {
  ND_TRY(ndi_check_live(src, err));
  if (nd_dtype_get((nd_dtype)src->dtype)->kind != ND_KIND_COMPLEX) return ND_OK;
  return nd_fail_remedy(err, ND_TYPE_MISMATCH, ND_REMEDY_PART, "%s: %s has no order", what,
                        ndi_dtype_name(src));
}

static nd_status fill_nan(const nd_view *dst, nd_error *err) {
  const double nan = NAN;
  nd_scalar value = {.dtype = ND_F64};
  memcpy(value.bytes, &nan, sizeof nan);
  return nd_fill(dst, &value, err);
}

/* Run 'asked' with a new array as its first view, and the lines of 'src' as its second. */
static nd_status run_quantile(const nd_task *asked, const nd_view *src, const nd_reduction *how,
                              const size_t *first, nd_view *out, nd_error *err) {
  nd_view made, lines;
  nd_task task = *asked;
  const nd_dtype dtype = nd_op_result_dtype(ND_OP_MEAN, (nd_dtype)src->dtype);
  ND_TRY(new_results(src, how, first, dtype, &made, err));
  nd_status status = ND_OK;
  if (made.size > 0 && src->size == 0) status = fill_nan(&made, err);
  else if (made.size > 0) {
    status = ndi_view_lines(src, how->axes, false, &lines, err);
    if (status == ND_OK) {
      task.views[0] = &made, task.views[1] = &lines;
      status = run_task(&task, err);
      nd_view_drop(&lines);
    }
  }
  if (status == ND_OK) *out = made;
  else nd_view_drop(&made);
  return status;
}

nd_status nd_median(const nd_view *src, const nd_reduction *how, bool skips_nan, nd_view *out,
                    nd_error *err) {
  const nd_task task = {.op = ND_OP_MEDIAN, .count = 2, .quantile = {.skips_nan = skips_nan}};
  ND_TRY(check_order(skips_nan ? "nanmedian" : "median", src, err));
  return run_quantile(&task, src, how, NULL, out, err);
}

/* The least or greatest element of 'q'. */
static nd_status find_extreme(nd_op op, const nd_view *q, double *out, nd_error *err) {
  nd_scalar item;
  ND_TRY(nd_reduce_all(op, q, &(nd_reduction){0}, &item, err));
  memcpy(out, item.bytes, sizeof *out);
  return ND_OK;
}

/* 'q' as a packed array of f64 from 0 to 1 on the device of 'src'. */
static nd_status ready_q(const char *what, const nd_view *src, const nd_view *q, double whole,
                         nd_view *out, nd_error *err) {
  char text[ND_SHAPE_TEXT], number[ND_DOUBLE_TEXT];
  double least = 0, most = 0;
  if (q->ndim > 1)
    return nd_fail(err, ND_SHAPE_MISMATCH, "%s: q (%s) has more than one axis", what,
                   ndi_shape_text(q, text));
  ND_TRY(ndi_check_device(src, q, err));
  if (q->size > 0) {
    ND_TRY(find_extreme(ND_OP_MIN, q, &least, err));
    ND_TRY(find_extreme(ND_OP_MAX, q, &most, err));
  }
  if (!(least >= 0) || !(most <= whole))
    return nd_fail(err, ND_INVALID_ARGUMENT, "%s: %s is not within 0 … %.0f", what,
                   ndi_double_text(least >= 0 ? most : least, number), whole);
  if (whole == 1) return ndi_copy_on(src, q, ND_F64, ND_SATURATE, out, err);
  nd_view part;
  nd_operand sides[] = {{.array = q}, {.value = {.dtype = ND_F64}}};
  memcpy(sides[1].value.bytes, &whole, sizeof whole);
  ND_TRY(nd_elementwise(ND_OP_DIV, sides, NULL, &part, err));
  const nd_status status = ndi_copy_on(src, &part, ND_F64, ND_SATURATE, out, err);
  nd_view_drop(&part);
  return status;
}

nd_status nd_quantile(const char *what, const nd_view *src, const nd_reduction *how,
                      const nd_view *q, double whole, nd_quantile_method method, bool skips_nan,
                      nd_view *out, nd_error *err) {
  nd_view ready;
  ND_TRY(check_order(what, src, err));
  ND_TRY(ndi_check_live(q, err));
  ND_TRY(ready_q(what, src, q, whole, &ready, err));
  const nd_task task = {.op = ND_OP_QUANTILE,
                        .name = what,
                        .count = 3,
                        .views = {NULL, NULL, &ready},
                        .quantile = {.method = method, .skips_nan = skips_nan}};
  const nd_status status = run_quantile(&task, src, how, q->ndim > 0 ? &ready.size : NULL, out,
                                        err);
  nd_view_drop(&ready);
  return status;
}

nd_status nd_mode(const nd_view *src, const nd_reduction *how, nd_view *values, nd_view *counts,
                  nd_error *err) {
  char text[ND_SHAPE_TEXT];
  nd_view made[2], lines;
  ND_TRY(ndi_check_live(src, err));
  ND_TRY(new_results(src, how, NULL, (nd_dtype)src->dtype, &made[0], err));
  nd_status status = new_results(src, how, NULL, ND_I64, &made[1], err);
  if (status != ND_OK) {
    nd_view_drop(&made[0]);
    return status;
  }
  if (made[0].size > 0 && src->size == 0)
    status = nd_fail(err, ND_INVALID_ARGUMENT, "mode: of no elements: the array has shape (%s)",
                     ndi_shape_text(src, text));
  else if (made[0].size > 0) {
    status = ndi_view_lines(src, how->axes, false, &lines, err);
    const nd_task task = {.op = ND_OP_MODE, .count = 3, .views = {&made[0], &made[1], &lines}};
    if (status == ND_OK) {
      status = run_task(&task, err);
      nd_view_drop(&lines);
    }
  }
  if (status == ND_OK) *values = made[0], *counts = made[1];
  else nd_view_drop(&made[0]), nd_view_drop(&made[1]);
  return status;
}
