/* Factorisations of matrices on the host: the ways that there are, threads, what is done without
 * LAPACK (matrices without elements, or with NaN), and errors. */
#include "dev/host/factor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"

/* {=== results without LAPACK ===} */

/* The bytes that one matrix has of result 'i'. */
static size_t bytes_of(const ndi_factor *f, int i) {
  return nd_view_nbytes(f->task->views[i]) / f->count;
}

/* The permutation that changes nothing. */
static void store_order(const ndi_factor *f, char *places) {
  for (int64_t i = 1; i <= f->m; i++) memcpy(places + (size_t)(i - 1) * sizeof i, &i, sizeof i);
}

/* A matrix without elements: no values, determinants of 1, and, where square matrices of vectors
 * or a permutation are asked for, those that change nothing. */
static void store_empty(const ndi_factor *f, const ndi_factor_one *x) {
  const nd_op op = f->task->op;
  const int outs = ndi_factor_results(f->task);
  const size_t side = (size_t)f->m + (size_t)f->n; /* one of both is 0 */
  for (int i = 0; i < outs; i++) {
    const size_t bytes = bytes_of(f, i);
    const bool is_square = bytes == side * side * f->item && (op == ND_OP_QR || op == ND_OP_SVD);
    if (bytes > 0) memset(x->out[i], 0, bytes);
    for (size_t at = 0; is_square && at < side; at++)
      ndi_factor_put_item(f, x->out[i], at * side + at, 1, 0);
  }
  if (op == ND_OP_DET || op == ND_OP_SLOGDET) ndi_factor_put_item(f, x->out[0], 0, 1, 0);
  if (op == ND_OP_LU && x->out[0]) store_order(f, x->out[0]);
}

/* Without columns nothing is subtracted from b. */
static void store_squares(const ndi_factor *f, const ndi_factor_one *x) {
  const size_t parts = f->is_complex ? 2 : 1;
  for (int j = 0; j < f->rhs; j++) {
    double sum = 0, item[2];
    for (int i = 0; i < f->m; i++) {
      memcpy(item, x->b.at + i * x->b.row + j * x->b.col, f->item);
      for (size_t part = 0; part < parts; part++)
        sum += ndi_factor_get(f, item, part) * ndi_factor_get(f, item, part);
    }
    ndi_factor_put(f, x->out[1], (size_t)j, sum);
  }
}

static void store_nan(const ndi_factor *f, const ndi_factor_one *x) {
  const int outs = ndi_factor_results(f->task);
  for (int i = 0; i < outs; i++) {
    const size_t bytes = bytes_of(f, i);
    if (f->task->op == ND_OP_LU && i == 0) store_order(f, x->out[i]);
    else if (f->task->views[i]->dtype == ND_I64) memset(x->out[i], 0, bytes);
    else
      for (size_t at = 0; at < bytes / f->part; at++) ndi_factor_put(f, x->out[i], at, NAN);
  }
}

/* {=== one matrix ===} */

static const ndi_factor_way *way_of(nd_op op) {
  switch (op) {
    case ND_OP_DET:
    case ND_OP_SLOGDET: return &ndi_det_way;
    case ND_OP_CHOLESKY: return &ndi_cholesky_way;
    case ND_OP_LU: return &ndi_lu_way;
    case ND_OP_QR: return &ndi_qr_way;
    case ND_OP_SVD: return &ndi_svd_way;
    case ND_OP_EIGH: return &ndi_eigh_way;
    case ND_OP_EIG: return &ndi_eig_way;
    case ND_OP_LSTSQ: return &ndi_lstsq_way;
    default: return &ndi_solve_way; /* and INV */
  }
}

/* What a job on all matrices shares. */
typedef struct {
  ndi_factor f;
  const ndi_factor_way *way;
  char *const *bases;
  char *scratch;
  double work;          /* of a matrix, in elements as ndi_poll_stops counts them */
  atomic_size_t failed; /* the first matrix that failed; SIZE_MAX: none */
  ndi_poll poll;
} job;

/* Matrix number 'at' of an operand. */
static ndi_matrix find_matrix(const nd_view *v, const char *base, size_t at) {
  const nd_axis *last = &v->axis[v->ndim - 2];
  ndi_matrix x = {base + v->offset, last[0].step, last[1].step};
  for (int i = v->ndim - 2; i-- > 0; at /= v->axis[i].len)
    x.at += (ptrdiff_t)(at % v->axis[i].len) * v->axis[i].step;
  return x;
}

/* Factorise matrix 'at' on thread 'thread'. Returns LAPACK's info. */
static int run_one(const job *j, size_t at, size_t thread) {
  const ndi_factor *f = &j->f;
  const nd_task *task = f->task;
  const int outs = ndi_factor_results(task);
  ndi_factor_one x = {.scratch = j->scratch + thread * f->bytes};
  for (int i = 0; i < outs; i++) {
    char *first = ndi_host_at(j->bases[i], task->views[i]->offset);
    x.out[i] = ndi_host_at(first, at * bytes_of(f, i));
  }
  if (outs + 1 < task->count && f->m > 0 && f->rhs > 0)
    x.b = find_matrix(task->views[outs + 1], j->bases[outs + 1], at);
  if (f->k == 0) {
    store_empty(f, &x);
    if (task->op == ND_OP_LSTSQ) store_squares(f, &x);
    return 0;
  }
  x.a = find_matrix(task->views[outs], j->bases[outs], at);
  int info = j->way->run(f, &x);
  if (info > 0 && task->factor.gives_nan) info = NDI_NOT_FINITE;
  if (info != NDI_NOT_FINITE) return info;
  return store_nan(f, &x), 0;
}

/* Is there one that failed before matrix 'at'? Then that one is told, whatever comes of this. */
static bool is_behind_failed(job *j, size_t at) { return atomic_load(&j->failed) < at; }

static void note_failed(job *j, size_t at) {
  size_t first = atomic_load(&j->failed);
  while (at < first && !atomic_compare_exchange_weak(&j->failed, &first, at)) continue;
}

static bool run_part(void *context, size_t part, size_t parts, size_t thread) {
  job *j = context;
  const size_t end = j->f.count * (part + 1) / parts;
  const double most = NDI_BETWEEN_POLLS;
  for (size_t at = j->f.count * part / parts; at < end && !is_behind_failed(j, at); at++) {
    if (run_one(j, at, thread) != 0) note_failed(j, at);
    if (ndi_poll_stops(&j->poll, thread, (size_t)(j->work < most ? j->work : most))) return false;
  }
  return true;
}

/* {=== errors ===} */

static nd_status fail_overflow(const ndi_factor *f, const char *name, nd_error *err) {
  return nd_fail(err, ND_OVERFLOW,
                 "%s: a matrix of %dx%d needs more working memory than LAPACK's 32-bit integers "
                 "count",
                 name, f->m, f->n);
}

/* Which matrix, of several, as the subject of a sentence. */
static const char *subject(const job *j, size_t at, char *text, size_t bytes) {
  const bool is_single = j->f.task->views[j->f.task->count - 1]->ndim == 2;
  if (is_single) return "the matrix";
  snprintf(text, bytes, "matrix %zu", at + 1);
  return text;
}

static nd_status fail(const job *j, const char *name, size_t at, int info, nd_error *err) {
  const nd_op op = j->f.task->op;
  const bool is_lu = op == ND_OP_SOLVE || op == ND_OP_INV;
  const nd_number *numbers = ND_NUMBERS({"info", info}, {"matrix", (int64_t)at + 1});
  char text[64];
  const char *which = subject(j, at, text, sizeof text);
  if (is_lu && info > 0)
    return nd_fail_with(err, ND_INVALID_ARGUMENT, numbers,
                        "%s: %s is singular: pivot %d of its LU factorisation is 0", name, which,
                        info);
  if (op == ND_OP_CHOLESKY && info > 0)
    return nd_fail_with(err, ND_INVALID_ARGUMENT, numbers,
                        "%s: %s is not positive definite: its leading minor of order %d is not",
                        name, which, info);
  return nd_fail_with(err, ND_INVALID_ARGUMENT, numbers,
                      "%s: %s has no result: LAPACK did not converge, info is %d", name, which,
                      info);
}

/* {=== all matrices ===} */

int ndi_factor_results(const nd_task *task) {
  return task->count - (task->op == ND_OP_SOLVE || task->op == ND_OP_LSTSQ ? 2 : 1);
}

static void measure(ndi_factor *f) {
  const int outs = ndi_factor_results(f->task);
  const nd_view *a = f->task->views[outs];
  const nd_axis *last = &a->axis[a->ndim - 2];
  const nd_dtype dtype = (nd_dtype)a->dtype;
  f->m = (int)last[0].len, f->n = (int)last[1].len;
  f->k = f->m < f->n ? f->m : f->n;
  f->rhs = f->n; /* of INV: of the identity matrix */
  if (outs + 1 < f->task->count) {
    const nd_view *b = f->task->views[outs + 1];
    f->rhs = (int)b->axis[b->ndim - 1].len;
  }
  f->count = 1;
  for (int i = 0; i < a->ndim - 2; i++) f->count *= a->axis[i].len;
  f->is_complex = nd_dtype_get(dtype)->kind == ND_KIND_COMPLEX;
  f->item = nd_view_itemsize(a);
  f->part = f->is_complex ? f->item / 2 : f->item;
  f->type = 2 * f->is_complex + (f->part == sizeof(double));
}

/* Elements that take as long as a matrix: 16 multiplications do, and a call some hundred. */
static double work_of(const ndi_factor *f) {
  const bool is_iterative = f->task->op == ND_OP_SVD || f->task->op == ND_OP_EIGH ||
                            f->task->op == ND_OP_EIG || f->task->op == ND_OP_LSTSQ;
  const double least = f->k, most = f->m < f->n ? f->n : f->m;
  const double sides = f->task->op == ND_OP_SOLVE ? most + f->rhs : most;
  return (is_iterative ? 16 : 1) * least * least * sides / 16 + 400;
}

static nd_status run_all(job *j, const char *name, bool is_shared, nd_error *err) {
  const double bytes = j->work * 8 * (double)j->f.count;
  ndi_split split = ndi_split_of(bytes < 0x1p62 ? (uint64_t)bytes : UINT64_C(1) << 62, j->f.count);
  size_t room;
  nd_block block = {0};
  if (!is_shared) split = (ndi_split){1, 1};
  if (j->f.k > 0) j->way->plan(&j->f);
  if (j->f.is_too_large || !ndi_size_mul(j->f.bytes, split.threads, &room))
    return fail_overflow(&j->f, name, err);
  if (room > 0) ND_TRY(ndi_host_scratch(room, &block, err));
  j->scratch = block.host;
  ndi_run_parts(split, run_part, j);
  const size_t failed = atomic_load(&j->failed);
  const bool is_done = j->poll.status == ND_OK && failed == SIZE_MAX;
  /* once more, for its number: the threads noted which one it was alone */
  const int info = is_done || j->poll.status != ND_OK ? 0 : run_one(j, failed, 0);
  if (room > 0) ndi_host_unscratch(&block);
  return is_done || j->poll.status != ND_OK ? j->poll.status : fail(j, name, failed, info, err);
}

nd_status ndi_host_factor(const nd_task *task, char *const *bases, nd_error *err) {
  const char *name = task->name ? task->name : nd_op_get(task->op)->name;
  nd_error why;
  const ndi_lapack *lapack = ndi_lapack_find(&why);
  if (!lapack) return nd_fail(err, ND_UNSUPPORTED, "%s: %s", name, why.message);
  job j = {.f = {.task = task, .call = &lapack->call},
           .way = way_of(task->op),
           .bases = bases,
           .failed = SIZE_MAX,
           .poll = {.err = err}};
  measure(&j.f);
  if (j.f.count == 0) return ND_OK;
  j.work = work_of(&j.f);
  if (!ndi_blas_enter(lapack->blas))
    return nd_fail(err, ND_UNSUPPORTED,
                   "%s: %s cannot be used in this process, which was forked while another thread "
                   "was in it",
                   name, lapack->text);
  const nd_status status = run_all(&j, name, lapack->blas->is_shared, err);
  ndi_blas_leave(lapack->blas);
  return status;
}
