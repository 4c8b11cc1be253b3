/* Reductions: shape and dtype of the result. Variances take two passes, the mean first: subtracting
 * it before squaring avoids cancellation.
 *
 * A device gets a result that has the axes that stay, and no others. The axes of extent 1 that
 * 'keeps_dims' asks for are in the caller's view only. */
#include "dev/small.h"
#include "ops/common.h"

static const char *name_of(nd_op op) { return nd_op_get(op)->name; }

/* Write the extents of the result; reduced axes are left out, or 1 with 'keeps_dims'. Returns the
 * number of axes. */
static int result_shape(const nd_view *src, const nd_reduction *how, bool keeps_dims,
                        size_t *shape) {
  int ndim = 0;
  for (int i = 0; i < src->ndim; i++) {
    const bool goes = how->axes >> i & 1;
    if (!goes) shape[ndim++] = src->axis[i].len;
    else if (keeps_dims) shape[ndim++] = 1;
  }
  return ndim;
}

/* {=== refusals ===} */

/* Operations like the minimum have no result for no elements: ND_INVALID_ARGUMENT, unless there are
 * no results either. */
static nd_status check_some(nd_op op, const nd_view *src, const nd_reduction *how, nd_error *err) {
  char text[ND_SHAPE_TEXT];
  size_t results = 1;
  int empty = -1;
  for (int i = 0; i < src->ndim; i++) {
    const bool goes = how->axes >> i & 1;
    if (!goes) results *= src->axis[i].len;
    else if (src->axis[i].len == 0 && empty < 0) empty = i;
  }
  if (empty < 0 || results == 0 || nd_op_get(op)->min_elements == 0) return ND_OK;
  return nd_fail_with(err, ND_INVALID_ARGUMENT, ND_NUMBERS({"axis", empty + 1}),
                      "%s: axis %d of the array (%s) has no elements", name_of(op), empty + 1,
                      ndi_shape_text(src, text));
}

/* Is 'op' defined for the dtype of 'src', and for as many elements as it reduces? */
static nd_status check_defined(nd_op op, const nd_view *src, const nd_reduction *how,
                               nd_error *err) {
  const bool is_complex = nd_dtype_get((nd_dtype)src->dtype)->kind == ND_KIND_COMPLEX;
  if (nd_op_is_defined(op, (nd_dtype)src->dtype)) return check_some(op, src, how, err);
  return nd_fail_remedy(err, ND_TYPE_MISMATCH, is_complex ? ND_REMEDY_PART : ND_REMEDY_CAST,
                        is_complex ? "%s: %s has no order" : "%s is not defined for %s",
                        name_of(op), ndi_dtype_name(src));
}

static nd_status check_shape(nd_op op, const nd_view *src, const nd_reduction *how,
                             const nd_view *dst, nd_error *err) {
  char text[3][ND_SHAPE_TEXT];
  size_t shape[ND_MAX_NDIM];
  const int ndim = result_shape(src, how, how->keeps_dims, shape);
  const nd_view wanted = ndi_shape_view(ndim, shape);
  if (nd_view_same_shape(&wanted, dst)) return ND_OK;
  return nd_fail(err, ND_SHAPE_MISMATCH, "%s: the result of (%s) has shape (%s), but out has (%s)",
                 name_of(op), ndi_shape_text(src, text[0]), ndi_shape_text(&wanted, text[1]),
                 ndi_shape_text(dst, text[2]));
}

/* {=== running ===} */

/* Run 'op' on the device. 'dst' has the axes that stay, is on the device of 'src', and shares no
 * bytes with it. 'name', for error messages, is the operation that was asked for. */
static nd_status run_reduce(const char *name, nd_op op, const nd_view *src, const nd_reduction *how,
                            const nd_view *dst, const nd_view *mean, double divisor,
                            nd_error *err) {
  const nd_task task = {.op = op,
                        .name = name,
                        .count = mean ? 3 : 2,
                        .views = {dst, src, mean},
                        .reduce = {.axes = how->axes, .divisor = divisor}};
  return dst->size == 0 ? ND_OK : nd_device_run(nd_device_of(src), &task, err);
}

/* The number of elements that go into each result, as a double, since it becomes a divisor. */
static double count_elements(const nd_view *src, const nd_reduction *how) {
  double n = 1;
  for (int i = 0; i < src->ndim; i++)
    if (how->axes >> i & 1) n *= (double)src->axis[i].len;
  return n;
}

/* Reduce into 'dst', which is as for run_reduce. For VAR and STD the means of all results are
 * computed into an array first; it has f64 or c128, so that they are not rounded to the dtype of
 * 'src'. */
static nd_status reduce_disjoint(nd_op op, const nd_view *src, const nd_reduction *how,
                                 const nd_view *dst, nd_error *err) {
  const double n = count_elements(src, how), left = n - how->ddof;
  size_t shape[ND_MAX_NDIM];
  nd_view mean;
  const char *name = name_of(op);
  const nd_form form = nd_op_get(op)->form;
  if (form != ND_FORM_VAR && form != ND_FORM_STD)
    return run_reduce(name, op, src, how, dst, NULL, n, err);
  const bool is_complex = nd_dtype_get((nd_dtype)src->dtype)->kind == ND_KIND_COMPLEX;
  const int ndim = result_shape(src, how, false, shape);
  ND_TRY(ndi_new_on(src, is_complex ? ND_C128 : ND_F64, ndim, shape, &mean, err));
  nd_status status = run_reduce(name, ND_OP_MEAN, src, how, &mean, NULL, n, err);
  /* ddof >= n: divided by 0, which gives infinity or NaN */
  if (status == ND_OK)
    status = run_reduce(name, op, src, how, dst, &mean, left > 0 ? left : 0, err);
  nd_view_drop(&mean);
  return status;
}

/* View 'dst' without the reduced axes that were kept with extent 1. Borrows the storage. */
static void drop_kept(const nd_view *dst, const nd_reduction *how, nd_view *out) {
  nd_view_borrow(dst, out);
  out->ndim = 0;
  for (int i = 0; i < dst->ndim; i++)
    if (!how->keeps_dims || !(how->axes >> i & 1)) out->axis[out->ndim++] = dst->axis[i];
}

/* In the dtype of 'how'. */
static nd_status reduce_in(nd_op op, const nd_view *src, const nd_reduction *how, nd_view *out,
                           nd_error *err) {
  nd_reduction plain = *how;
  nd_view source, made;
  plain.dtype = NULL;
  ND_TRY(ndi_total_source(name_of(op), src, *how->dtype, &source, err));
  const nd_status status = nd_reduce(op, &source, &plain, &made, err);
  nd_view_drop(&source);
  return status == ND_OK ? ndi_total_result(&made, *how->dtype, out, err) : status;
}

nd_status nd_reduce(nd_op op, const nd_view *src, const nd_reduction *how, nd_view *out,
                    nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  nd_view made, kept;
  ND_TRY(ndi_check_live(src, err));
  ND_TRY(check_defined(op, src, how, err));
  if (how->dtype) return reduce_in(op, src, how, out, err);
  const int ndim = result_shape(src, how, how->keeps_dims, shape);
  ND_TRY(ndi_new_on(src, nd_op_result_dtype(op, (nd_dtype)src->dtype), ndim, shape, &made, err));
  drop_kept(&made, how, &kept);
  const nd_status status = reduce_disjoint(op, src, how, &kept, err);
  if (status == ND_OK) *out = made;
  else nd_view_drop(&made);
  return status;
}

nd_status nd_reduce_all(nd_op op, const nd_view *src, const nd_reduction *how, nd_scalar *out,
                        nd_error *err) {
  const nd_reduction all = {.axes = (1u << src->ndim) - 1, .ddof = how->ddof, .dtype = how->dtype};
  nd_view made;
  out->dtype = how->dtype ? *how->dtype : nd_op_result_dtype(op, (nd_dtype)src->dtype);
  if (!how->dtype && ndi_small_reduce(op, src, out->bytes)) return ND_OK;
  ND_TRY(nd_reduce(op, src, &all, &made, err));
  const nd_status status = nd_item(&made, out, err);
  nd_view_drop(&made);
  return status;
}

/* Can a device write 'dst' directly while it reads 'src'? */
static bool is_disjoint(const nd_view *dst, const nd_view *src) {
  return nd_device_of(dst) == nd_device_of(src) && !nd_view_may_overlap(dst, src);
}

nd_status nd_reduce_into(nd_op op, const nd_view *src, const nd_reduction *how, const nd_view *dst,
                         nd_error *err) {
  nd_view result;
  ND_TRY(ndi_check_live(src, err));
  ND_TRY(ndi_check_writable(dst, err));
  ND_TRY(check_defined(op, src, how, err));
  ND_TRY(check_shape(op, src, how, dst, err));
  ND_TRY(ndi_check_digits(name_of(op), (nd_dtype)src->dtype,
                          nd_op_result_dtype(op, (nd_dtype)src->dtype), dst, err));
  const nd_device *to = nd_device_of(dst), *from = nd_device_of(src);
  if (to != from && to != nd_host_device())
    return nd_fail_remedy_for(err, ND_UNSUPPORTED, ND_REMEDY_DEVICE, from->name,
                              "%s: out is on %s, the array on %s", name_of(op), to->name,
                              from->name);
  ND_TRY(nd_storage_allocate(src->storage, err)); /* the overlap test needs the addresses */
  ND_TRY(nd_storage_allocate(dst->storage, err));
  /* Write directly where the device can; else reduce into a new array and convert. */
  const bool is_direct = !how->dtype && dst->dtype == nd_op_result_dtype(op, (nd_dtype)src->dtype);
  if (is_direct && is_disjoint(dst, src)) {
    drop_kept(dst, how, &result);
    return reduce_disjoint(op, src, how, &result, err);
  }
  ND_TRY(nd_reduce(op, src, how, &result, err));
  const nd_status status = nd_copy(dst, &result, ND_SATURATE, err);
  nd_view_drop(&result);
  return status;
}
