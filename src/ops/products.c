/* Products of matrices and vectors: shape and dtype of the result, and the arrays that a device
 * works on. Operands become matrices, of which there are more along leading axes, which broadcast;
 * a vector becomes a row or a column. */
#include "dev/small.h"
#include "ops/common.h"

/* A call on its way: what was asked for, then what start makes of it. */
typedef struct {
  const char *name;
  const nd_view *given[2]; /* the operands */
  nd_view as[2];           /* as matrices */
  bool conjugates;
  nd_dtype dtype, compute; /* of the result, and of the computation */
  int ndim;                /* of the matrices of the result */
  size_t shape[ND_MAX_NDIM];
  bool has_rows, has_columns; /* does the result have these axes? Else they are of extent 1 */
} call;

/* {=== shapes ===} */

/* The common axis has 'left' elements in the first operand, 'right' in the second. */
static nd_status check_common(const call *c, size_t left, size_t right, nd_error *err) {
  char text[2][ND_SHAPE_TEXT];
  if (left == right) return ND_OK;
  return nd_fail_with(
      err, ND_SHAPE_MISMATCH, ND_NUMBERS({"expected", (int64_t)left}, {"actual", (int64_t)right}),
      "%s: (%s) and (%s) do not fit: %zu elements are multiplied with %zu", c->name,
      ndi_shape_text(c->given[0], text[0]), ndi_shape_text(c->given[1], text[1]), left, right);
}

static nd_status check_axes(const call *c, nd_error *err) {
  for (int i = 0; i < 2; i++)
    if (c->given[i]->ndim == 0)
      return nd_fail(err, ND_SHAPE_MISMATCH,
                     "%s: operand %d is a scalar (0-d), which has no elements to add up; mul "
                     "multiplies by it",
                     c->name, i + 1);
  return ND_OK;
}

/* View the operands as matrices, whose own axes are their last two. */
static nd_status view_matrices(call *c, nd_error *err) {
  const nd_view *a = c->given[0], *b = c->given[1];
  if (c->has_rows) nd_view_copy(a, &c->as[0]);
  else ND_TRY(nd_view_unsqueeze(a, a->ndim - 1, &c->as[0], err));
  nd_status status = ND_OK;
  if (c->has_columns) nd_view_copy(b, &c->as[1]);
  else status = nd_view_unsqueeze(b, b->ndim, &c->as[1], err);
  if (status != ND_OK) nd_view_drop(&c->as[0]);
  return status;
}

static void stop(call *c) {
  nd_view_drop(&c->as[0]);
  nd_view_drop(&c->as[1]);
}

/* The shape of the matrices of the result. The leading axes broadcast. */
static nd_status find_shape(call *c, nd_error *err) {
  nd_view lead[2];
  char text[2][ND_SHAPE_TEXT];
  for (int i = 0; i < 2; i++) {
    size_t shape[ND_MAX_NDIM];
    nd_view_shape(&c->as[i], shape);
    lead[i] = ndi_shape_view(c->as[i].ndim - 2, shape);
  }
  const nd_axis *a = &c->as[0].axis[lead[0].ndim], *b = &c->as[1].axis[lead[1].ndim];
  ND_TRY(check_common(c, a[1].len, b[0].len, err));
  if (nd_broadcast_shape(c->name, &lead[0], &lead[1], &c->ndim, c->shape, NULL) != ND_OK)
    return nd_fail(err, ND_SHAPE_MISMATCH,
                   "%s: (%s) and (%s) do not fit: their leading axes do not broadcast", c->name,
                   ndi_shape_text(c->given[0], text[0]), ndi_shape_text(c->given[1], text[1]));
  c->shape[c->ndim++] = a[0].len;
  c->shape[c->ndim++] = b[1].len;
  return ND_OK;
}

/* The shape of the result: that of its matrices but for the axes that it does not have. */
static int result_shape(const call *c, int64_t *out) {
  int n = 0;
  for (int i = 0; i < c->ndim; i++) {
    const bool is_kept = i == c->ndim - 1 ? c->has_columns : i == c->ndim - 2 ? c->has_rows : true;
    if (is_kept) out[n++] = (int64_t)c->shape[i];
  }
  return n;
}

/* Small floats are computed in f32. */
static bool is_small_float(nd_dtype dtype) {
  return nd_dtype_get(dtype)->kind == ND_KIND_FLOAT && dtype != ND_F32 && dtype != ND_F64;
}

/* Find out all about the result. On ND_OK call stop in the end. */
static nd_status start(call *c, nd_error *err) {
  ND_TRY(ndi_check_live(c->given[0], err));
  ND_TRY(ndi_check_live(c->given[1], err));
  ND_TRY(check_axes(c, err));
  ND_TRY(ndi_promote(c->name, (nd_dtype)c->given[0]->dtype, (nd_dtype)c->given[1]->dtype, &c->dtype,
                     err));
  c->compute = is_small_float(c->dtype) ? ND_F32 : c->dtype;
  ND_TRY(view_matrices(c, err));
  const nd_status status = find_shape(c, err);
  if (status != ND_OK) stop(c);
  return status;
}

/* {=== operands ===} */

/* Are the rows of each matrix packed, or its columns? */
static bool is_packed(const nd_view *v) {
  const nd_axis *last = &v->axis[v->ndim - 2];
  const ptrdiff_t item = (ptrdiff_t)nd_view_itemsize(v);
  const ptrdiff_t rows = (ptrdiff_t)last[0].len, cols = (ptrdiff_t)last[1].len;
  return ((cols == 1 || last[1].step == item) && (rows == 1 || last[0].step >= cols * item)) ||
         ((rows == 1 || last[0].step == item) && (cols == 1 || last[1].step >= rows * item));
}

/* Operand i as the device of 'target' takes it: converted and packed before it is broadcast, so
 * that a small operand stays small. Vectors need not be packed. */
static nd_status ready_operand(const call *c, int i, const nd_view *target, nd_view *out,
                               nd_error *err) {
  const bool is_of_vectors = c->shape[c->ndim - 1] == 1 || c->shape[c->ndim - 2] == 1;
  size_t shape[ND_MAX_NDIM];
  nd_view narrow, copy;
  ND_TRY(ndi_operand(target, false, &c->as[i], c->compute, &narrow, err));
  nd_status status = ND_OK;
  if (!is_of_vectors && !is_packed(&narrow)) {
    status = ndi_copy_on(target, &narrow, c->compute, ND_SATURATE, &copy, err);
    nd_view_drop(&narrow);
    if (status != ND_OK) return status;
    narrow = copy;
  }
  for (int axis = 0; axis < c->ndim - 2; axis++) shape[axis] = c->shape[axis];
  for (int axis = 0; axis < 2; axis++)
    shape[c->ndim - 2 + axis] = narrow.axis[narrow.ndim - 2 + axis].len;
  status = nd_view_expand(&narrow, c->ndim, shape, out, err);
  nd_view_drop(&narrow);
  return status;
}

/* Multiply into 'target', which is row-major, of the matrices' shape and of the dtype of the
 * computation, and shares no bytes with the operands. */
static nd_status multiply(const call *c, const nd_view *target, nd_error *err) {
  nd_view a, b;
  nd_task task = {.op = ND_OP_MATMUL,
                  .name = c->name,
                  .count = 3,
                  .views = {target, &a, &b},
                  .conjugates = c->conjugates};
  ND_TRY(nd_storage_allocate(target->storage, err)); /* before the operands: see elementwise.c */
  ND_TRY(ready_operand(c, 0, target, &a, err));
  nd_status status = ready_operand(c, 1, target, &b, err);
  if (status == ND_OK) {
    if (target->size > 0) status = nd_device_run(nd_device_of(target), &task, err);
    nd_view_drop(&b);
  }
  nd_view_drop(&a);
  return status;
}

/* {=== results ===} */

static nd_status run_new(const call *c, nd_view *out, nd_error *err) {
  nd_view made, cast;
  int64_t shape[ND_MAX_NDIM];
  ND_TRY(ndi_new_on(c->given[0], c->compute, c->ndim, c->shape, &made, err));
  nd_status status = multiply(c, &made, err);
  if (status == ND_OK && c->dtype != c->compute) {
    status = nd_astype(&made, c->dtype, ND_SATURATE, &cast, err);
    if (status == ND_OK) nd_view_drop(&made), made = cast;
  }
  const int ndim = result_shape(c, shape);
  if (status == ND_OK) status = nd_view_reshape(&made, ndim, shape, out, err);
  nd_view_drop(&made);
  return status;
}

/* May a result with the shape of 'result' be written to 'dst'? */
static nd_status check_target(const call *c, const nd_view *result, const nd_view *dst,
                              nd_error *err) {
  char text[4][ND_SHAPE_TEXT];
  ND_TRY(ndi_check_writable(dst, err));
  if (!nd_view_same_shape(result, dst))
    return nd_fail(err, ND_SHAPE_MISMATCH,
                   "%s: the result of (%s) and (%s) has shape (%s), but out has (%s)", c->name,
                   ndi_shape_text(c->given[0], text[0]), ndi_shape_text(c->given[1], text[1]),
                   ndi_shape_text(result, text[2]), ndi_shape_text(dst, text[3]));
  for (int i = 0; i < 2; i++)
    ND_TRY(ndi_check_digits(c->name, (nd_dtype)c->given[i]->dtype, c->dtype, dst, err));
  const nd_device *to = nd_device_of(dst), *from = nd_device_of(c->given[0]);
  if (to == from || to == nd_host_device()) return ND_OK;
  return nd_fail_remedy_for(err, ND_UNSUPPORTED, ND_REMEDY_DEVICE, from->name,
                            "%s: out is on %s, the operands are on %s", c->name, to->name,
                            from->name);
}

/* '*out': can a device write 'dst' while it reads the operands? */
static nd_status check_direct(const call *c, const nd_view *dst, bool *out, nd_error *err) {
  *out = dst->dtype == c->compute && c->dtype == c->compute && nd_view_is_contiguous(dst) &&
         nd_device_of(dst) == nd_device_of(c->given[0]);
  if (!*out) return ND_OK;
  ND_TRY(nd_storage_allocate(dst->storage, err)); /* the overlap test needs the addresses */
  for (int i = 0; i < 2; i++) {
    ND_TRY(nd_storage_allocate(c->given[i]->storage, err));
    *out &= !nd_view_may_overlap(dst, c->given[i]);
  }
  return ND_OK;
}

static nd_status run_into(const call *c, const nd_view *dst, nd_error *err) {
  nd_view target;
  int64_t shape[ND_MAX_NDIM];
  size_t wanted[ND_MAX_NDIM];
  bool is_direct;
  const int ndim = result_shape(c, shape);
  for (int i = 0; i < ndim; i++) wanted[i] = (size_t)shape[i];
  const nd_view result = ndi_shape_view(ndim, wanted);
  ND_TRY(check_target(c, &result, dst, err));
  ND_TRY(check_direct(c, dst, &is_direct, err));
  if (is_direct) {
    for (int i = 0; i < c->ndim; i++) shape[i] = (int64_t)c->shape[i];
    ND_TRY(nd_view_reshape(dst, c->ndim, shape, &target, err));
  } else {
    ND_TRY(run_new(c, &target, err));
  }
  const nd_status status = is_direct ? multiply(c, &target, err)
                                     : nd_copy(dst, &target, ND_SATURATE, err);
  nd_view_drop(&target);
  return status;
}

static nd_status run(call *c, const nd_view *dst, nd_view *out, nd_error *err) {
  ND_TRY(start(c, err));
  const nd_status status = dst ? run_into(c, dst, err) : run_new(c, out, err);
  stop(c);
  return status;
}

/* {=== small matrices ===} Packed, in host memory, of one dtype, two axes each: these are not worth
 * what the functions above find out. */

static bool fit(const nd_view *a, const nd_view *b) {
  return a->ndim == 2 && b->ndim == 2 && a->dtype == b->dtype && a->axis[1].len == b->axis[0].len &&
         a->axis[0].len > 1 && b->axis[1].len > 1 && ndi_is_small(a) && ndi_is_small(b);
}

/* False, with nothing done: multiply as any other matrices. True, maybe with '*status' for memory
 * that there is not: as in elementwise.c. */
static bool multiply_small(const nd_view *a, const nd_view *b, const nd_view *dst, nd_view *out,
                           nd_status *status, nd_error *err) {
  nd_view made;
  if (!fit(a, b)) return false;
  const size_t shape[] = {a->axis[0].len, b->axis[1].len};
  if (dst)
    return dst->dtype == a->dtype && dst->ndim == 2 && dst->axis[0].len == shape[0] &&
           dst->axis[1].len == shape[1] && dst->storage != a->storage &&
           dst->storage != b->storage && ndi_small_product(dst, a, b);
  /* finalizers may run here, and free an operand: ndi_small_product looks again */
  if ((*status = ndi_new_on(a, (nd_dtype)a->dtype, 2, shape, &made, err)) != ND_OK) return true;
  if (ndi_small_product(&made, a, b)) return *out = made, true;
  nd_view_drop(&made);
  return false;
}

/* {=== the products ===} */

static nd_status matmul(const char *name, const nd_view *a, const nd_view *b, const nd_view *dst,
                        nd_view *out, nd_error *err) {
  nd_status status = ND_OK;
  if (multiply_small(a, b, dst, out, &status, err)) return status;
  call c = {.name = name, .given = {a, b}, .has_rows = a->ndim != 1, .has_columns = b->ndim != 1};
  return run(&c, dst, out, err);
}

nd_status nd_matmul(const nd_view *a, const nd_view *b, const nd_view *dst, nd_view *out,
                    nd_error *err) {
  return matmul("matmul", a, b, dst, out, err);
}

nd_status nd_vecdot(const nd_view *a, const nd_view *b, const nd_view *dst, nd_view *out,
                    nd_error *err) {
  const bool is_complex = nd_dtype_get((nd_dtype)a->dtype)->kind == ND_KIND_COMPLEX;
  call c = {.name = "vecdot", .given = {a, b}, .conjugates = is_complex};
  return run(&c, dst, out, err);
}

/* The matrices of 'b' side by side, as one: its last axis but one comes first. */
static nd_status join_columns(const nd_view *b, nd_view *out, nd_error *err) {
  int order[ND_MAX_NDIM] = {b->ndim - 2};
  size_t shape[] = {b->axis[b->ndim - 2].len, b->axis[b->ndim - 1].len};
  nd_view moved;
  for (int i = 0; i < b->ndim - 2; i++) order[i + 1] = i, shape[1] *= b->axis[i].len;
  order[b->ndim - 1] = b->ndim - 1;
  ND_TRY(nd_view_permute(b, order, &moved, err));
  const nd_status status = ndi_reshape(&moved, 2, shape, out, err);
  nd_view_drop(&moved);
  return status;
}

/* Each row of 'a' with each column of each matrix of 'b': new, in the shape of a, but for its last
 * axis, and that of b, but for its last axis but one. */
static nd_status dot_all(const nd_view *a, const nd_view *b, nd_view *out, nd_error *err) {
  int64_t shape[2 * ND_MAX_NDIM];
  int n = 0;
  nd_view joined, made;
  const call c = {.name = "dot", .given = {a, b}};
  ND_TRY(check_common(&c, a->axis[a->ndim - 1].len, b->axis[b->ndim - 2].len, err));
  for (int i = 0; i < a->ndim - 1; i++) shape[n++] = (int64_t)a->axis[i].len;
  for (int i = 0; i < b->ndim; i++)
    if (i != b->ndim - 2) shape[n++] = (int64_t)b->axis[i].len;
  if (n > ND_MAX_NDIM)
    return nd_fail_with(err, ND_INVALID_ARGUMENT, ND_NUMBERS({"value", n}, {"limit", ND_MAX_NDIM}),
                        "dot: the result would have %d axes: an array has at most %d", n,
                        ND_MAX_NDIM);
  ND_TRY(join_columns(b, &joined, err));
  nd_status status = matmul("dot", a, &joined, NULL, &made, err);
  nd_view_drop(&joined);
  if (status != ND_OK) return status;
  status = nd_view_reshape(&made, n, shape, out, err);
  nd_view_drop(&made);
  return status;
}

static nd_status dot_all_into(const nd_view *a, const nd_view *b, const nd_view *dst,
                              nd_error *err) {
  call c = {.name = "dot", .given = {a, b}};
  nd_view made;
  ND_TRY(ndi_promote(c.name, (nd_dtype)a->dtype, (nd_dtype)b->dtype, &c.dtype, err));
  ND_TRY(dot_all(a, b, &made, err));
  nd_status status = check_target(&c, &made, dst, err);
  if (status == ND_OK) status = nd_copy(dst, &made, ND_SATURATE, err);
  nd_view_drop(&made);
  return status;
}

nd_status nd_dot(const nd_view *a, const nd_view *b, const nd_view *dst, nd_view *out,
                 nd_error *err) {
  const nd_operand operands[] = {{.array = a}, {.array = b}};
  if (a->ndim == 0 || b->ndim == 0) return nd_elementwise(ND_OP_MUL, operands, dst, out, err);
  if (a->ndim == 1 || b->ndim <= 2) return matmul("dot", a, b, dst, out, err);
  return dst ? dot_all_into(a, b, dst, err) : dot_all(a, b, out, err);
}
