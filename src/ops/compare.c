/* Comparing whole arrays: the device searches for the first element that differs. Unlike an
 * element-wise comparison this needs no array for the results. */
#include "ops/common.h"

/* '*out' is true when 'op' finds no element that differs. 'a' and 'b' have one shape. */
static nd_status run_compare(nd_op op, double atol, double rtol, const nd_view *a, const nd_view *b,
                             bool *out, nd_error *err) {
  size_t first = 0;
  const nd_task task = {.op = op,
                        .count = 2,
                        .views = {a, b},
                        .close = {.rtol = rtol, .atol = atol},
                        .result = &first};
  /* empty arrays are equal: 'first' stays 0, which is their size */
  if (a->size > 0) ND_TRY(nd_device_run(nd_device_of(a), &task, err));
  *out = first == a->size;
  return ND_OK;
}

nd_status nd_equal(const nd_view *a, const nd_view *b, bool *out, nd_error *err) {
  nd_view other;
  ND_TRY(ndi_check_live(a, err));
  ND_TRY(ndi_check_live(b, err));
  if (a->dtype != b->dtype || !nd_view_same_shape(a, b)) return *out = false, ND_OK;
  /* The dtypes are equal: nothing is converted, but 'b' may have to be copied to a's device. */
  ND_TRY(ndi_operand(a, false, b, (nd_dtype)a->dtype, &other, err));
  const nd_status status = run_compare(ND_OP_EQUAL, 0, 0, a, &other, out, err);
  nd_view_drop(&other);
  return status;
}

/* 'v' as 'dtype' on the device of 'like', broadcast to 'shape'; in this order, so that only its own
 * elements are converted. */
static nd_status ready_side(const nd_view *like, const nd_view *v, nd_dtype dtype, int ndim,
                            const size_t *shape, nd_view *out, nd_error *err) {
  nd_view narrow;
  ND_TRY(ndi_operand(like, false, v, dtype, &narrow, err));
  const nd_status status = nd_view_expand(&narrow, ndim, shape, out, err);
  nd_view_drop(&narrow);
  return status;
}

nd_status nd_allclose(const nd_view *a, const nd_view *b, double rtol, double atol, bool *out,
                      nd_error *err) {
  int ndim;
  size_t shape[ND_MAX_NDIM];
  const nd_dtype own[] = {(nd_dtype)a->dtype, (nd_dtype)b->dtype};
  const nd_dtype both = nd_dtype_promote_exact(own[0], own[1]);
  /* No dtype holds both (a 64-bit integer is among them): each side becomes the widest of its kind,
   * and the device computes with the exact differences. */
  const bool is_mixed = both == ND_DTYPE_COUNT;
  nd_view left, right;
  char texts[2][ND_DOUBLE_TEXT];
  /* not 'rtol < 0', which NaN would pass */
  if (!(rtol >= 0) || !(atol >= 0))
    return nd_fail(err, ND_INVALID_ARGUMENT, "allclose: rtol %s and atol %s must be 0 or more",
                   ndi_double_text(rtol, texts[0]), ndi_double_text(atol, texts[1]));
  ND_TRY(nd_broadcast_shape("allclose", a, b, &ndim, shape, err));
  ND_TRY(ready_side(a, a, is_mixed ? nd_dtype_widest(own[0]) : both, ndim, shape, &left, err));
  nd_status status = ready_side(a, b, is_mixed ? nd_dtype_widest(own[1]) : both, ndim, shape,
                                &right, err);
  if (status == ND_OK) {
    status = run_compare(ND_OP_CLOSE, atol, rtol, &left, &right, out, err);
    nd_view_drop(&right);
  }
  nd_view_drop(&left);
  return status;
}
