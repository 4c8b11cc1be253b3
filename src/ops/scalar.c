/* Scalars as operands of an array: converted to its dtype, compared with its elements, used as
 * bounds.
 *
 * A scalar that the dtype cannot represent is still compared exactly: it is replaced by its nearest
 * neighbour in the dtype, and the comparison is adjusted. For instance, i8 elements compare with <
 * 2.5 as they do with <= 2. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/exact.h"
#include "mem/host.h"
#include "ops/common.h"

/* {=== conversion ===} */

nd_status ndi_scalar_view(const nd_scalar *value, nd_view *out, nd_error *err) {
  char *host;
  nd_view made;
  ND_TRY(nd_new(nd_host_resource(), value->dtype, 0, NULL, (nd_storage_options){0}, &made, err));
  const nd_status status = nd_view_host(&made, true, &host, err);
  if (status == ND_OK) memcpy(host, value->bytes, nd_view_itemsize(&made)), *out = made;
  else nd_view_drop(&made);
  return status;
}

/* 'own' as 'dtype', in memory of the host itself as well: no resource of the script is asked. */
static nd_status convert(const nd_view *own, nd_dtype dtype, nd_cast_mode mode, nd_view *out,
                         nd_error *err) {
  nd_view made;
  ND_TRY(nd_new(nd_host_resource(), dtype, 0, NULL, (nd_storage_options){0}, &made, err));
  const nd_status status = nd_copy(&made, own, mode, err);
  if (status == ND_OK) *out = made;
  else nd_view_drop(&made);
  return status;
}

const char *nd_scalar_text(const nd_scalar *value, char *text) {
  const nd_dtype dtype = value->dtype;
  int64_t integer;
  /* a scalar has 16 bytes in any dtype, so that this can be read */
  memcpy(&integer, value->bytes, sizeof integer);
  if (dtype == ND_I64) snprintf(text, ND_SCALAR_TEXT, "%" PRId64, integer);
  else if (dtype == ND_U64) snprintf(text, ND_SCALAR_TEXT, "%" PRIu64, (uint64_t)integer);
  else if (dtype == ND_BOOL) snprintf(text, ND_SCALAR_TEXT, value->bytes[0] ? "true" : "false");
  else if (nd_dtype_get(dtype)->kind == ND_KIND_COMPLEX)
    snprintf(text, ND_SCALAR_TEXT, "a complex value");
  else ndi_double_text(nd_exact_get(dtype, value->bytes).hi, text);
  return text;
}

static nd_status fail_value(const char *what, const nd_scalar *value, nd_dtype dtype,
                            nd_error *err) {
  char text[ND_SCALAR_TEXT];
  return nd_fail_remedy(err, ND_NOT_REPRESENTABLE, ND_REMEDY_CAST,
                        "%s: %s cannot be represented as %s", what, nd_scalar_text(value, text),
                        nd_dtype_get(dtype)->name);
}

/* Where the cast refuses the value, its own message is not wanted: it would speak of element 1 of a
 * source array. */
nd_status nd_scalar_as(const char *what, const nd_scalar *value, nd_dtype dtype, nd_view *out,
                       nd_error *err) {
  nd_error why;
  nd_view own;
  const nd_kind kind = nd_dtype_get(dtype)->kind;
  const bool rounds = kind == ND_KIND_FLOAT || kind == ND_KIND_COMPLEX;
  ND_TRY(ndi_scalar_view(value, &own, err));
  if (value->dtype == dtype) return *out = own, ND_OK;
  const nd_status status = convert(&own, dtype, rounds ? ND_SATURATE : ND_CHECK, out, &why);
  nd_view_drop(&own);
  if (status == ND_NOT_REPRESENTABLE || status == ND_TYPE_MISMATCH)
    return fail_value(what, value, dtype, err);
  if (status != ND_OK && err) *err = why;
  return status;
}

/* {=== neighbours in a dtype ===} */

static bool is_complex(nd_dtype dtype) { return nd_dtype_get(dtype)->kind == ND_KIND_COMPLEX; }

static bool is_float(nd_dtype dtype) {
  const nd_kind kind = nd_dtype_get(dtype)->kind;
  return kind == ND_KIND_FLOAT || kind == ND_KIND_COMPLEX;
}

static nd_scalar number_scalar(double x) {
  nd_scalar made = {.dtype = ND_F64};
  memcpy(made.bytes, &x, sizeof x);
  return made;
}

/* 'x' converted to 'dtype', or one of its two neighbours there: no value of the dtype lies between
 * 'x' and the result. Conversion to bool is special, as it makes -1 true. */
static nd_status find_nearest(const nd_scalar *x, nd_dtype dtype, nd_view *out, nd_error *err) {
  const nd_exact exact = nd_exact_get(x->dtype, x->bytes);
  /* the neighbour of 'x' that is not above it, where there is one */
  const nd_scalar truth = {.dtype = ND_BOOL, .bytes = {exact.hi >= 1}};
  const nd_scalar real = number_scalar(exact.hi);
  nd_view own;
  if (dtype == ND_BOOL) return ndi_scalar_view(&truth, out, err);
  const bool drops_im = is_complex(x->dtype) && !is_complex(dtype);
  ND_TRY(ndi_scalar_view(drops_im ? &real : x, &own, err));
  const nd_status status = convert(&own, dtype, ND_SATURATE, out, err);
  nd_view_drop(&own);
  return status;
}

static nd_status read_exact(const nd_view *v, nd_exact *out, nd_error *err) {
  char *host;
  ND_TRY(nd_view_host(v, false, &host, err));
  *out = nd_exact_get((nd_dtype)v->dtype, host + v->offset);
  return ND_OK;
}

/* {=== comparisons ===} */

/* Replace a comparison by one with the constant result 'is_true' for every element, NaN too. For
 * floats: == or != with NaN. Else: < or >= with the least value. */
static nd_status always(nd_op *op, bool is_true, nd_dtype dtype, nd_view *out, nd_error *err) {
  const nd_scalar limit = number_scalar(is_float(dtype) ? (double)NAN : -HUGE_VAL);
  if (is_float(dtype)) *op = is_true ? ND_OP_NE : ND_OP_EQ;
  else *op = is_true ? ND_OP_GE : ND_OP_LT;
  return find_nearest(&limit, dtype, out, err);
}

/* The comparison with a neighbour of x, below or above it, that gives the same result as 'op' with
 * x. */
static nd_op adjust_comparison(nd_op op, bool is_below) {
  const bool is_less = op == ND_OP_LT || op == ND_OP_LE;
  if (is_below) return is_less ? ND_OP_LE : ND_OP_GT;
  return is_less ? ND_OP_LT : ND_OP_GE;
}

nd_status ndi_scalar_compared(const char *what, nd_op *op, const nd_scalar *value, nd_dtype dtype,
                              nd_view *out, nd_error *err) {
  const nd_exact x = nd_exact_get(value->dtype, value->bytes);
  const bool is_nan = isnan(x.hi) || isnan(x.im), is_equality = *op == ND_OP_EQ || *op == ND_OP_NE;
  nd_exact held;
  nd_view near;
  if (is_complex(value->dtype) && !is_equality) return fail_value(what, value, dtype, err);
  /* even a NaN: the kernels of its own dtype compare it as they should */
  if (value->dtype == dtype) return ndi_scalar_view(value, out, err);
  if (is_nan) return always(op, *op == ND_OP_NE, dtype, out, err);
  ND_TRY(find_nearest(value, dtype, &near, err));
  nd_status status = read_exact(&near, &held, err);
  /* Where the dtype holds x, the comparison stays. Where it does not, no element equals x, and an
   * order is decided by the neighbour. */
  if (status == ND_OK && ndi_exact_eq(held, x)) return *out = near, ND_OK;
  if (status == ND_OK && !is_equality) {
    *op = adjust_comparison(*op, ndi_exact_lt(held, x));
    return *out = near, ND_OK;
  }
  nd_view_drop(&near);
  return status == ND_OK ? always(op, *op == ND_OP_NE, dtype, out, err) : status;
}

/* {=== bounds ===} */

/* '*out': is 'held', a neighbour of 'x', the extreme value of the dtype on the side of 'x'? Then
 * 'x' is beyond its range. */
static nd_status is_last(nd_exact held, nd_exact x, nd_dtype dtype, bool *out, nd_error *err) {
  const nd_scalar end = number_scalar(ndi_exact_lt(held, x) ? HUGE_VAL : -HUGE_VAL);
  nd_exact last;
  nd_view limit;
  ND_TRY(find_nearest(&end, dtype, &limit, err));
  const nd_status status = read_exact(&limit, &last, err);
  nd_view_drop(&limit);
  *out = status == ND_OK && ndi_exact_eq(last, held);
  return status;
}

nd_status ndi_scalar_bound(const char *what, bool is_upper, const nd_scalar *value, nd_dtype dtype,
                           nd_view *out, nd_error *err) {
  const nd_exact x = nd_exact_get(value->dtype, value->bytes);
  nd_exact held;
  nd_view near;
  bool never_binds = false;
  /* Floats round a bound, like any scalar; other dtypes refuse NaN and complex values there. */
  if (value->dtype == dtype || is_float(dtype) || is_complex(value->dtype) || isnan(x.hi))
    return nd_scalar_as(what, value, dtype, out, err);
  ND_TRY(find_nearest(value, dtype, &near, err));
  nd_status status = read_exact(&near, &held, err);
  const bool is_held = status == ND_OK && ndi_exact_eq(held, x);
  /* an upper bound above all values, or a lower one below, never binds */
  if (status == ND_OK && !is_held && ndi_exact_lt(held, x) == is_upper)
    status = is_last(held, x, dtype, &never_binds, err);
  if (status == ND_OK && !is_held && !never_binds) status = fail_value(what, value, dtype, err);
  if (status == ND_OK) *out = near;
  else nd_view_drop(&near);
  return status;
}
