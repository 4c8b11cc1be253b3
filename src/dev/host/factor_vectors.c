/* Factorisations into orthogonal (unitary) matrices, and what comes of them: qr, svd, lstsq. */
#include <math.h>
#include <string.h>

#include "dev/host/factor.h"

static int greater(int x, int y) { return x > y ? x : y; }

/* {=== QR ===} */

/* Columns of q: the matrix that becomes it may have fewer. */
static int columns_of_q(const ndi_factor *f) {
  return f->task->factor.form == ND_FACTORS_FULL ? f->m : f->k;
}

static void plan_qr(ndi_factor *f) {
  const int ask = -1, cols = columns_of_q(f), wide = greater(f->n, cols);
  double best[2] = {0}, of_q[2] = {0};
  int info = 0;
  ndi_factor_add(f, NDI_PIECE_A, (size_t)f->m, (size_t)wide, f->item);
  ndi_factor_add(f, NDI_PIECE_LEFT, (size_t)f->k, 1, f->item); /* tau */
  f->call->geqrf[f->type](&f->m, &f->n, NULL, &f->m, NULL, best, &ask, &info);
  f->call->orgqr[f->type](&f->m, &cols, &f->k, NULL, &f->m, NULL, of_q, &ask, &info);
  const double least = ndi_factor_get(f, of_q, 0);
  ndi_factor_add_work(f, best, least > wide ? least : wide);
}

static int run_qr(const ndi_factor *f, const ndi_factor_one *x) {
  const bool is_r_alone = f->task->factor.form == ND_FACTORS_ONE;
  const int cols = columns_of_q(f), *count = &f->elements[NDI_PIECE_WORK];
  void *a = ndi_factor_piece(f, x, NDI_PIECE_A), *tau = ndi_factor_piece(f, x, NDI_PIECE_LEFT);
  void *work = ndi_factor_piece(f, x, NDI_PIECE_WORK);
  int info = 0;
  ndi_factor_load(f, &x->a, f->m, f->n, a, f->m);
  f->call->geqrf[f->type](&f->m, &f->n, a, &f->m, tau, work, count, &info);
  if (info != 0) return info;
  ndi_factor_store(f, a, f->m, cols, f->n, NDI_UPPER, x->out[is_r_alone ? 0 : 1]);
  if (is_r_alone) return 0;
  f->call->orgqr[f->type](&f->m, &cols, &f->k, a, &f->m, tau, work, count, &info);
  if (info == 0) ndi_factor_store(f, a, f->m, f->m, cols, NDI_WHOLE, x->out[0]);
  return info;
}

const ndi_factor_way ndi_qr_way = {plan_qr, run_qr};

/* {=== singular values ===} */

/* The rows and columns of the vectors: as many as are asked for, but at least 1. */
typedef struct {
  const char *job;
  int left, right;
} vectors;

static vectors find_vectors(const ndi_factor *f) {
  if (f->task->factor.form == ND_FACTORS_ONE) return (vectors){"N", 1, 1};
  if (f->task->factor.form == ND_FACTORS_FULL) return (vectors){"A", f->m, f->n};
  return (vectors){"S", f->k, f->k};
}

static int gesdd(const ndi_factor *f, void *const *pieces, const int *count) {
  const vectors v = find_vectors(f);
  void *a = pieces[NDI_PIECE_A], *s = pieces[NDI_PIECE_VALUES], *u = pieces[NDI_PIECE_LEFT];
  void *vt = pieces[NDI_PIECE_RIGHT], *work = pieces[NDI_PIECE_WORK];
  int *ints = pieces[NDI_PIECE_INTS], info = 0;
  if (f->is_complex)
    f->call->gesdd_complex[f->type - 2](v.job, &f->m, &f->n, a, &f->m, s, u, &f->m, vt, &v.right,
                                        work, count, pieces[NDI_PIECE_REALS], ints, &info, 1);
  else
    f->call->gesdd[f->type](v.job, &f->m, &f->n, a, &f->m, s, u, &f->m, vt, &v.right, work, count,
                            ints, &info, 1);
  return info;
}

/* The least counts are those that LAPACK's documentation of gesdd gives for any job. */
static void plan_svd(ndi_factor *f) {
  const int ask = -1;
  const vectors v = find_vectors(f);
  const double k = f->k, most = greater(f->m, f->n);
  const double of_square = 5 * k * k + 5 * k, of_long = 2 * most * k + 2 * k * k + k;
  const bool is_alone = f->task->factor.form == ND_FACTORS_ONE;
  double best[2] = {0}, reals[1];
  int ints[1];
  void *pieces[NDI_PIECES] = {
      [NDI_PIECE_WORK] = best, [NDI_PIECE_REALS] = reals, [NDI_PIECE_INTS] = ints};
  ndi_factor_add(f, NDI_PIECE_A, (size_t)f->m, (size_t)f->n, f->item);
  ndi_factor_add(f, NDI_PIECE_VALUES, (size_t)f->k, 1, f->part);
  ndi_factor_add(f, NDI_PIECE_LEFT, (size_t)f->m, (size_t)v.left, f->item);
  ndi_factor_add(f, NDI_PIECE_RIGHT, (size_t)v.right, (size_t)f->n, f->item);
  ndi_factor_add_count(f, NDI_PIECE_INTS, 8 * k);
  if (f->is_complex)
    ndi_factor_add_count(f, NDI_PIECE_REALS,
                         is_alone              ? 7 * k
                         : of_square > of_long ? of_square
                                               : of_long);
  const double squares = is_alone ? 0 : f->is_complex ? k * k : 4 * k * k;
  const double least = squares + 7 * k + most;
  if (least <= INT32_MAX) gesdd(f, pieces, &ask);
  ndi_factor_add_work(f, best, least);
}

/* The pieces of scratch memory by their numbers. */
static void find_pieces(const ndi_factor *f, const ndi_factor_one *x, void **pieces) {
  for (int i = 0; i < NDI_PIECES; i++) pieces[i] = ndi_factor_piece(f, x, (ndi_piece)i);
}

static int run_svd(const ndi_factor *f, const ndi_factor_one *x) {
  const bool is_alone = f->task->factor.form == ND_FACTORS_ONE;
  const vectors v = find_vectors(f);
  void *pieces[NDI_PIECES];
  find_pieces(f, x, pieces);
  ndi_factor_load(f, &x->a, f->m, f->n, pieces[NDI_PIECE_A], f->m);
  if (!ndi_factor_is_finite(f, pieces[NDI_PIECE_A], f->m, f->n, NDI_WHOLE)) return NDI_NOT_FINITE;
  const int info = gesdd(f, pieces, &f->elements[NDI_PIECE_WORK]);
  if (info != 0) return info;
  memcpy(x->out[is_alone ? 0 : 1], pieces[NDI_PIECE_VALUES], (size_t)f->k * f->part);
  if (is_alone) return 0;
  ndi_factor_store(f, pieces[NDI_PIECE_LEFT], f->m, f->m, v.left, NDI_WHOLE, x->out[0]);
  ndi_factor_store(f, pieces[NDI_PIECE_RIGHT], v.right, v.right, f->n, NDI_WHOLE, x->out[2]);
  return 0;
}

const ndi_factor_way ndi_svd_way = {plan_svd, run_svd};

/* {=== least squares ===} */

/* b has room for the solutions: as many rows as the greater side; and a column, at least. */
static int gelsd(const ndi_factor *f, void *const *pieces, const int *count, int *rank) {
  const int ldb = greater(f->m, f->n), rhs = greater(f->rhs, 1);
  void *a = pieces[NDI_PIECE_A], *b = pieces[NDI_PIECE_B], *s = pieces[NDI_PIECE_VALUES];
  void *work = pieces[NDI_PIECE_WORK];
  int *ints = pieces[NDI_PIECE_INTS], info = 0;
  double rcond = 0;
  ndi_factor_put(f, &rcond, 0, f->task->factor.rcond);
  if (f->is_complex)
    f->call->gelsd_complex[f->type - 2](&f->m, &f->n, &rhs, a, &f->m, b, &ldb, s, &rcond, rank,
                                        work, count, pieces[NDI_PIECE_REALS], ints, &info);
  else
    f->call->gelsd[f->type](&f->m, &f->n, &rhs, a, &f->m, b, &ldb, s, &rcond, rank, work, count,
                            ints, &info);
  return info;
}

/* The least counts are those of LAPACK's documentation of gelsd, where SMLSIZ is 25, and NLVL at
 * most 32. */
static void plan_lstsq(ndi_factor *f) {
  enum { LEAF = 25, LEVELS = 32 };
  const int ask = -1;
  const double k = f->k, rhs = greater(f->rhs, 1), most = greater(f->m, f->n);
  const double leaf = (LEAF + 1) * (LEAF + 1);
  double best[2] = {0}, reals[1] = {0};
  int ints[1] = {0}, rank;
  void *pieces[NDI_PIECES] = {
      [NDI_PIECE_WORK] = best, [NDI_PIECE_REALS] = reals, [NDI_PIECE_INTS] = ints};
  const double squares = k * (12 + 2 * LEAF + 8 * LEVELS) + k * rhs + leaf;
  const double of_reals = 10 * k + k * (2 * LEAF + 8 * LEVELS) + 3 * LEAF * rhs +
                          (leaf > k * rhs ? leaf : k * (1 + rhs) + 2 * rhs + leaf);
  ndi_factor_add(f, NDI_PIECE_A, (size_t)f->m, (size_t)f->n, f->item);
  ndi_factor_add(f, NDI_PIECE_B, (size_t)most, (size_t)rhs, f->item);
  ndi_factor_add(f, NDI_PIECE_VALUES, (size_t)f->k, 1, f->part);
  ndi_factor_add_count(f, NDI_PIECE_INTS, k * (3 * LEVELS + 11));
  if (f->is_complex) ndi_factor_add_count(f, NDI_PIECE_REALS, of_reals);
  if (squares + most <= INT32_MAX) gelsd(f, pieces, &ask, &rank);
  ndi_factor_add_work(f, best, squares + most + rhs);
}

/* The sums of squares of what is left of the columns of b, which are behind the solutions. */
static void store_residuals(const ndi_factor *f, const char *b, char *out) {
  const size_t parts = f->is_complex ? 2 : 1, n = (size_t)f->n, m = (size_t)f->m;
  const size_t column = (m > n ? m : n) * f->item;
  for (size_t j = 0; j < (size_t)f->rhs; j++, b += column) {
    double sum = 0;
    for (size_t i = n * parts; i < m * parts; i++) {
      const double x = ndi_factor_get(f, b, i);
      sum += x * x;
    }
    ndi_factor_put(f, out, j, sum);
  }
}

/* Column j of b, copied to 'to', where it is packed. Is it finite? */
static bool load_column(const ndi_factor *f, const ndi_matrix *b, int j, void *to) {
  const ndi_matrix column = {b->at + j * b->col, b->row, b->col};
  ndi_factor_load(f, &column, f->m, 1, to, f->m);
  return ndi_factor_is_finite(f, to, f->m, 1, NDI_WHOLE);
}

/* A column of b that is not finite has no solution, and does not concern the others: it is 0 for
 * LAPACK. Its results become NaN, while 'a' is free to receive the column once more. */
static void clear_columns(const ndi_factor *f, const ndi_factor_one *x, char *b, int ldb) {
  const size_t column = (size_t)ldb * f->item;
  for (int j = 0; j < f->rhs; j++, b += column)
    if (!load_column(f, &x->b, j, b)) memset(b, 0, column);
}

static void spoil_columns(const ndi_factor *f, const ndi_factor_one *x, void *a) {
  for (int j = 0; j < f->rhs; j++) {
    if (load_column(f, &x->b, j, a)) continue;
    for (size_t i = 0; i < (size_t)f->n; i++)
      ndi_factor_put_item(f, x->out[0], i * (size_t)f->rhs + (size_t)j, NAN, NAN);
    ndi_factor_put(f, x->out[1], (size_t)j, NAN);
  }
}

static int run_lstsq(const ndi_factor *f, const ndi_factor_one *x) {
  const int ldb = greater(f->m, f->n);
  void *pieces[NDI_PIECES], *a, *b;
  int rank = 0;
  find_pieces(f, x, pieces);
  a = pieces[NDI_PIECE_A], b = pieces[NDI_PIECE_B];
  memset(b, 0, (size_t)ldb * (size_t)greater(f->rhs, 1) * f->item);
  ndi_factor_load(f, &x->a, f->m, f->n, a, f->m);
  if (!ndi_factor_is_finite(f, a, f->m, f->n, NDI_WHOLE)) return NDI_NOT_FINITE;
  clear_columns(f, x, b, ldb);
  const int info = gelsd(f, pieces, &f->elements[NDI_PIECE_WORK], &rank);
  if (info != 0) return info;
  const int64_t wide = rank;
  ndi_factor_store(f, b, ldb, f->n, f->rhs, NDI_WHOLE, x->out[0]);
  store_residuals(f, b, x->out[1]);
  spoil_columns(f, x, a);
  memcpy(x->out[2], &wide, sizeof wide);
  memcpy(x->out[3], pieces[NDI_PIECE_VALUES], (size_t)f->k * f->part);
  return 0;
}

const ndi_factor_way ndi_lstsq_way = {plan_lstsq, run_lstsq};
