/* Factorisations of matrices: shapes and dtypes of operands and results. */
#include "ops/factors.h"

#include <float.h>
#include <string.h>

#include "ops/common.h"

/* The results of an operation in each of its forms: for each the dtype, which is that of the
 * operands (T), its real one (R) or complex one (C), or i64 (I); then the extents, which are rows
 * and columns of a (m, n), the lesser of both (k), and the columns of b (r). */
static const struct {
  nd_op op;
  const char *results[ND_FACTORS_FORMS]; /* a form that is NULL is the first one */
} table[] = {{ND_OP_SOLVE, {"Tnr"}},
             {ND_OP_INV, {"Tnn"}},
             {ND_OP_DET, {"T"}},
             {ND_OP_SLOGDET, {"T R"}},
             {ND_OP_CHOLESKY, {"Tnn"}},
             {ND_OP_LU, {"Im Tmk Tkn"}},
             {ND_OP_QR, {"Tmk Tkn", "Tmm Tmn", "Tkn"}},
             {ND_OP_SVD, {"Tmk Rk Tkn", "Tmm Rk Tnn", "Rk"}},
             {ND_OP_EIGH, {"Rn Tnn", NULL, "Rn"}},
             {ND_OP_EIG, {"Cn Cnn", NULL, "Cn"}},
             {ND_OP_LSTSQ, {"Tnr Rr I Rk"}}};

static const char *results_of(const nd_factoring *how) {
  const char *text = NULL;
  for (size_t i = 0; i < ND_COUNTOF(table); i++)
    if (table[i].op == how->op)
      text = table[i].results[how->form] ? table[i].results[how->form] : table[i].results[0];
  return text;
}

int nd_factor_count(const nd_factoring *how) {
  int count = 1;
  for (const char *at = results_of(how); *at; at++) count += *at == ' ';
  return count;
}

/* A call on its way: what was asked for, then what start makes of it. */
typedef struct {
  const nd_factoring *how;
  const char *name;
  const nd_view *given[2]; /* a, and b or NULL */
  nd_view as[2];           /* as matrices */
  bool is_column;          /* b has one axis */
  nd_dtype dtype;          /* of the computation */
  size_t m, n, k, rhs;
  int ndim; /* of the leading axes */
  size_t shape[ND_MAX_NDIM];
} call;

/* {=== shapes and dtypes ===} */

static nd_status check_matrix(const call *c, nd_error *err) {
  const nd_view *a = c->given[0];
  const nd_op op = c->how->op;
  const bool is_any = op == ND_OP_LU || op == ND_OP_QR || op == ND_OP_SVD || op == ND_OP_LSTSQ;
  char text[ND_SHAPE_TEXT];
  if (a->ndim < 2)
    return nd_fail(err, ND_SHAPE_MISMATCH,
                   "%s: matrices have two axes, or more in front of these; a has shape (%s)",
                   c->name, ndi_shape_text(a, text));
  if (is_any || a->axis[a->ndim - 2].len == a->axis[a->ndim - 1].len) return ND_OK;
  return nd_fail(err, ND_SHAPE_MISMATCH, "%s: the matrix must be square; a has shape (%s)", c->name,
                 ndi_shape_text(a, text));
}

static nd_status check_side(const call *c, size_t len, nd_error *err) {
  if (len <= INT32_MAX) return ND_OK;
  return nd_fail_with(
      err, ND_OVERFLOW, ND_NUMBERS({"value", (int64_t)len}, {"limit", INT32_MAX}),
      "%s: a matrix has at most 2147483647 rows and columns, by LAPACK's integers; one has %zu",
      c->name, len);
}

static nd_status fail_fit(const call *c, const char *why, nd_error *err) {
  char text[2][ND_SHAPE_TEXT];
  return nd_fail(err, ND_SHAPE_MISMATCH, "%s: (%s) and (%s) do not fit: %s", c->name,
                 ndi_shape_text(c->given[0], text[0]), ndi_shape_text(c->given[1], text[1]), why);
}

/* The shape of the leading axes, and that b has a's rows. */
static nd_status find_shape(call *c, nd_error *err) {
  nd_view lead[2];
  for (int i = 0; i < 2; i++) {
    const nd_view *v = c->given[i] ? &c->as[i] : &c->as[0];
    size_t shape[ND_MAX_NDIM];
    nd_view_shape(v, shape);
    lead[i] = ndi_shape_view(v->ndim - 2, shape);
  }
  const nd_axis *a = &c->as[0].axis[lead[0].ndim], *b = &c->as[1].axis[lead[1].ndim];
  c->m = a[0].len, c->n = a[1].len;
  c->k = c->m < c->n ? c->m : c->n;
  ND_TRY(check_side(c, c->m, err));
  ND_TRY(check_side(c, c->n, err));
  if (c->given[1]) {
    if (b[0].len != c->m) return fail_fit(c, "both must have the same number of rows", err);
    ND_TRY(check_side(c, c->rhs = b[1].len, err));
  }
  if (nd_broadcast_shape(c->name, &lead[0], &lead[1], &c->ndim, c->shape, NULL) != ND_OK)
    return fail_fit(c, "their leading axes do not broadcast", err);
  return ND_OK;
}

static nd_status find_dtype(call *c, nd_error *err) {
  const nd_view *a = c->given[0], *b = c->given[1] ? c->given[1] : a;
  ND_TRY(ndi_promote(c->name, (nd_dtype)a->dtype, (nd_dtype)b->dtype, &c->dtype, err));
  const nd_kind kind = nd_dtype_get(c->dtype)->kind;
  if (kind == ND_KIND_FLOAT) c->dtype = c->dtype == ND_F64 ? ND_F64 : ND_F32;
  else if (kind != ND_KIND_COMPLEX) c->dtype = ND_F64;
  return ND_OK;
}

static void stop(call *c) {
  nd_view_drop(&c->as[0]);
  nd_view_drop(&c->as[1]);
}

/* Find out all about the operands. On ND_OK call stop in the end. */
static nd_status start(call *c, nd_error *err) {
  const nd_view *b = c->given[1];
  ND_TRY(ndi_check_live(c->given[0], err));
  ND_TRY(check_matrix(c, err));
  if (b) ND_TRY(ndi_check_live(b, err));
  ND_TRY(find_dtype(c, err));
  if (b && b->ndim == 0) return fail_fit(c, "b has no rows", err);
  c->is_column = b && b->ndim == 1;
  if (c->is_column) ND_TRY(nd_view_unsqueeze(b, 1, &c->as[1], err));
  else if (b) nd_view_copy(b, &c->as[1]);
  nd_view_copy(c->given[0], &c->as[0]);
  const nd_status status = find_shape(c, err);
  if (status != ND_OK) stop(c);
  return status;
}

/* {=== results ===} */

static nd_dtype dtype_of(const call *c, char letter) {
  const bool is_wide = c->dtype == ND_F64 || c->dtype == ND_C128;
  switch (letter) {
    case 'R': return is_wide ? ND_F64 : ND_F32;
    case 'C': return is_wide ? ND_C128 : ND_C64;
    case 'I': return ND_I64;
    default: return c->dtype;
  }
}

static size_t extent_of(const call *c, char letter) {
  return letter == 'm' ? c->m : letter == 'n' ? c->n : letter == 'k' ? c->k : c->rhs;
}

/* Make one result, by its part of the text in 'table'. */
static nd_status make_result(const call *c, const char *text, nd_view *out, nd_error *err) {
  size_t shape[ND_MAX_NDIM + 2];
  int n = c->ndim;
  memcpy(shape, c->shape, sizeof c->shape);
  for (const char *at = text + 1; *at && *at != ' '; at++) shape[n++] = extent_of(c, *at);
  return ndi_new_on(c->given[0], dtype_of(c, *text), n, shape, out, err);
}

static void drop_all(nd_view *views, int count) {
  for (int i = 0; i < count; i++) nd_view_drop(&views[i]);
}

static nd_status make_results(const call *c, nd_view *out, int *made, nd_error *err) {
  int count = 0;
  for (const char *at = results_of(c->how); at; at = strchr(at, ' ')) {
    at += *at == ' ';
    const nd_status status = make_result(c, at, &out[count], err);
    if (status != ND_OK) {
      drop_all(out, count);
      return status;
    }
    count++;
  }
  *made = count;
  return ND_OK;
}

/* {=== operands ===} */

/* Operand i in the dtype of the computation, and broadcast. */
static nd_status ready_operand(const call *c, int i, const nd_view *target, nd_view *out,
                               nd_error *err) {
  size_t shape[ND_MAX_NDIM + 2];
  nd_view narrow;
  ND_TRY(ndi_operand(target, false, &c->as[i], c->dtype, &narrow, err));
  memcpy(shape, c->shape, sizeof c->shape);
  for (int axis = 0; axis < 2; axis++)
    shape[c->ndim + axis] = narrow.axis[narrow.ndim - 2 + axis].len;
  const nd_status status = nd_view_expand(&narrow, c->ndim + 2, shape, out, err);
  nd_view_drop(&narrow);
  return status;
}

/* {=== all ===} */

static nd_status run(const call *c, nd_view *made, int count, nd_error *err) {
  const nd_factoring *how = c->how;
  const double eps = c->dtype == ND_F64 || c->dtype == ND_C128 ? DBL_EPSILON : FLT_EPSILON;
  const double side = (double)(c->m < c->n ? c->n : c->m);
  nd_view operands[2];
  nd_task task = {.op = how->op,
                  .name = c->name,
                  .count = count,
                  .factor = {.form = how->form,
                             .is_upper = how->is_upper,
                             .gives_nan = how->gives_nan,
                             .rcond = how->rcond ? *how->rcond : eps * side}};
  for (int i = 0; i < count; i++) task.views[i] = &made[i];
  /* before the operands: see elementwise.c */
  for (int i = 0; i < count; i++) ND_TRY(nd_storage_allocate(made[i].storage, err));
  const int of = c->given[1] ? 2 : 1;
  for (int i = 0; i < of; i++) {
    const nd_status status = ready_operand(c, i, &made[0], &operands[i], err);
    if (status != ND_OK) {
      drop_all(operands, i);
      return status;
    }
    task.views[task.count++] = &operands[i];
  }
  const nd_status status = nd_device_run(nd_device_of(&made[0]), &task, err);
  drop_all(operands, of);
  return status;
}

/* The solution for a 'b' of one axis lacks the axis of columns. */
static nd_status finish(const call *c, nd_view *made, nd_error *err) {
  nd_view column;
  if (!c->is_column) return ND_OK;
  ND_TRY(nd_view_squeeze(&made[0], c->ndim + 1, &column, err));
  nd_view_drop(&made[0]);
  made[0] = column;
  return ND_OK;
}

nd_status nd_factor(const nd_factoring *how, const nd_view *a, const nd_view *b, nd_view *out,
                    nd_error *err) {
  const bool has_b = how->op == ND_OP_SOLVE || how->op == ND_OP_LSTSQ;
  int count = 0;
  nd_view made[ND_FACTORS];
  call c = {.how = how,
            .name = how->name ? how->name : nd_op_get(how->op)->name,
            .given = {a, has_b ? b : NULL}};
  ND_TRY(start(&c, err));
  nd_status status = make_results(&c, made, &count, err);
  if (status == ND_OK) {
    status = run(&c, made, count, err);
    if (status == ND_OK) status = finish(&c, made, err);
    if (status == ND_OK) memcpy(out, made, (size_t)count * sizeof *made);
    else drop_all(made, count);
  }
  stop(&c);
  return status;
}
