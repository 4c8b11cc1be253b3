/* Eigenvalues and eigenvectors: of symmetric (Hermitian) matrices, and of any. */
#include <string.h>

#include "dev/host/factor.h"

static const char *job_of(const ndi_factor *f) {
  return f->task->factor.form == ND_FACTORS_ONE ? "N" : "V";
}

/* {=== symmetric ===} */

/* 'counts': of WORK, REALS and INTS. */
static int syevd(const ndi_factor *f, void *a, void *w, void *work, void *reals, int *ints,
                 const int *counts) {
  const char *job = job_of(f), *triangle = f->task->factor.is_upper ? "U" : "L";
  int info = 0;
  if (f->is_complex)
    f->call->heevd[f->type - 2](job, triangle, &f->n, a, &f->n, w, work, &counts[0], reals,
                                &counts[1], ints, &counts[2], &info, 1, 1);
  else
    f->call->syevd[f->type](job, triangle, &f->n, a, &f->n, w, work, &counts[0], ints, &counts[2],
                            &info, 1, 1);
  return info;
}

/* The least counts are those of LAPACK's documentation. */
static void plan_eigh(ndi_factor *f) {
  static const int ask[] = {-1, -1, -1};
  const bool is_alone = f->task->factor.form == ND_FACTORS_ONE;
  const double n = f->n, reals = is_alone ? 2 * n + 1 : 1 + 6 * n + 2 * n * n;
  const double least = !f->is_complex ? reals : is_alone ? n + 1 : 2 * n + n * n;
  double best[2] = {0}, best_reals = 0;
  int best_ints = 0;
  ndi_factor_add(f, NDI_PIECE_A, (size_t)f->n, (size_t)f->n, f->item);
  ndi_factor_add(f, NDI_PIECE_VALUES, (size_t)f->n, 1, f->part);
  if (reals <= INT32_MAX) syevd(f, NULL, NULL, best, &best_reals, &best_ints, ask);
  ndi_factor_add_work(f, best, least);
  ndi_factor_add_count(f, NDI_PIECE_REALS, f->is_complex ? reals : 1);
  ndi_factor_add_count(f, NDI_PIECE_INTS, is_alone ? 1 : 3 + 5 * n);
}

static int run_eigh(const ndi_factor *f, const ndi_factor_one *x) {
  const int counts[] = {f->elements[NDI_PIECE_WORK], f->elements[NDI_PIECE_REALS],
                        f->elements[NDI_PIECE_INTS]};
  const ndi_triangle triangle = f->task->factor.is_upper ? NDI_UPPER : NDI_LOWER;
  void *a = ndi_factor_piece(f, x, NDI_PIECE_A), *w = ndi_factor_piece(f, x, NDI_PIECE_VALUES);
  ndi_factor_load(f, &x->a, f->n, f->n, a, f->n);
  if (!ndi_factor_is_finite(f, a, f->n, f->n, triangle)) return NDI_NOT_FINITE;
  const int info = syevd(f, a, w, ndi_factor_piece(f, x, NDI_PIECE_WORK),
                         ndi_factor_piece(f, x, NDI_PIECE_REALS),
                         ndi_factor_piece(f, x, NDI_PIECE_INTS), counts);
  if (info != 0) return info;
  memcpy(x->out[0], w, (size_t)f->n * f->part);
  if (f->task->factor.form != ND_FACTORS_ONE)
    ndi_factor_store(f, a, f->n, f->n, f->n, NDI_WHOLE, x->out[1]);
  return 0;
}

const ndi_factor_way ndi_eigh_way = {plan_eigh, run_eigh};

/* {=== any ===} */

/* Of real matrices the values are in two lists, real and imaginary parts, one after the other. */
static int geev(const ndi_factor *f, void *a, char *w, void *v, void *work, void *reals,
                const int *count) {
  const char *job = job_of(f);
  int info = 0;
  if (f->is_complex)
    f->call->geev_complex[f->type - 2]("N", job, &f->n, a, &f->n, w, NULL, &f->n, v, &f->n, work,
                                       count, reals, &info, 1, 1);
  else
    f->call->geev[f->type]("N", job, &f->n, a, &f->n, w, w ? w + (size_t)f->n * f->part : NULL,
                           NULL, &f->n, v, &f->n, work, count, &info, 1, 1);
  return info;
}

static void plan_eig(ndi_factor *f) {
  const int ask = -1;
  const bool is_alone = f->task->factor.form == ND_FACTORS_ONE;
  double best[2] = {0}, reals[1];
  ndi_factor_add(f, NDI_PIECE_A, (size_t)f->n, (size_t)f->n, f->item);
  ndi_factor_add(f, NDI_PIECE_VALUES, (size_t)f->n, 2, f->part);
  ndi_factor_add(f, NDI_PIECE_RIGHT, is_alone ? 1 : (size_t)f->n, (size_t)f->n, f->item);
  ndi_factor_add_count(f, NDI_PIECE_REALS, 2.0 * f->n);
  geev(f, NULL, NULL, NULL, best, reals, &ask);
  ndi_factor_add_work(f, best, 4.0 * f->n);
}

/* Columns of real vectors as complex rows: a pair of conjugate values has two columns, the real and
 * the imaginary part of its first vector. */
static void store_pairs(const ndi_factor *f, const char *w, const char *v, char *out) {
  const size_t n = (size_t)f->n;
  for (size_t j = 0; j < n; j++) {
    const double im = ndi_factor_get(f, w, n + j);
    const bool is_second = im < 0;
    const size_t re_at = (is_second ? j - 1 : j) * n, im_at = re_at + n;
    for (size_t i = 0; i < n; i++) {
      const double part = im == 0 ? 0 : ndi_factor_get(f, v, im_at + i);
      ndi_factor_put(f, out, 2 * (i * n + j), ndi_factor_get(f, v, re_at + i));
      ndi_factor_put(f, out, 2 * (i * n + j) + 1, is_second ? -part : part);
    }
  }
}

static int run_eig(const ndi_factor *f, const ndi_factor_one *x) {
  const bool is_alone = f->task->factor.form == ND_FACTORS_ONE;
  void *a = ndi_factor_piece(f, x, NDI_PIECE_A);
  char *w = ndi_factor_piece(f, x, NDI_PIECE_VALUES), *v = ndi_factor_piece(f, x, NDI_PIECE_RIGHT);
  const size_t n = (size_t)f->n;
  ndi_factor_load(f, &x->a, f->n, f->n, a, f->n);
  if (!ndi_factor_is_finite(f, a, f->n, f->n, NDI_WHOLE)) return NDI_NOT_FINITE;
  const int info = geev(f, a, w, v, ndi_factor_piece(f, x, NDI_PIECE_WORK),
                        ndi_factor_piece(f, x, NDI_PIECE_REALS), &f->elements[NDI_PIECE_WORK]);
  if (info != 0) return info;
  for (size_t i = 0; i < 2 * n; i++) /* of real matrices part by part, else one by one */
    ndi_factor_put(f, x->out[0], i, ndi_factor_get(f, w, f->is_complex ? i : i / 2 + i % 2 * n));
  if (is_alone) return 0;
  if (f->is_complex) ndi_factor_store(f, v, f->n, f->n, f->n, NDI_WHOLE, x->out[1]);
  else store_pairs(f, w, v, x->out[1]);
  return 0;
}

const ndi_factor_way ndi_eig_way = {plan_eig, run_eig};
