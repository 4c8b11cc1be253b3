/* Linear systems and what comes of the same factorisations: solve, inv, det, slogdet, lu, cholesky.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "dev/host/factor.h"

/* {=== solve and inv ===} */

static void plan_solve(ndi_factor *f) {
  ndi_factor_add(f, NDI_PIECE_A, (size_t)f->n, (size_t)f->n, f->item);
  ndi_factor_add(f, NDI_PIECE_B, (size_t)f->n, (size_t)f->rhs, f->item);
  ndi_factor_add_count(f, NDI_PIECE_INTS, f->n);
}

static int run_solve(const ndi_factor *f, const ndi_factor_one *x) {
  void *a = ndi_factor_piece(f, x, NDI_PIECE_A), *b = ndi_factor_piece(f, x, NDI_PIECE_B);
  const size_t n = (size_t)f->n;
  int info = 0;
  ndi_factor_load(f, &x->a, f->n, f->n, a, f->n);
  if (ndi_factor_has_nan(f, a, f->n, f->n)) return NDI_NOT_FINITE;
  if (f->task->op == ND_OP_SOLVE) {
    ndi_factor_load(f, &x->b, f->n, f->rhs, b, f->n);
  } else { /* INV: the identity matrix */
    memset(b, 0, n * n * f->item);
    for (size_t i = 0; i < n; i++) ndi_factor_put_item(f, b, i * n + i, 1, 0);
  }
  f->call->gesv[f->type](&f->n, &f->rhs, a, &f->n, ndi_factor_piece(f, x, NDI_PIECE_INTS), b, &f->n,
                         &info);
  if (info == 0) ndi_factor_store(f, b, f->n, f->n, f->rhs, NDI_WHOLE, x->out[0]);
  return info;
}

const ndi_factor_way ndi_solve_way = {plan_solve, run_solve};

/* {=== LU factorisation ===} */

static void plan_lu(ndi_factor *f) {
  ndi_factor_add(f, NDI_PIECE_A, (size_t)f->m, (size_t)f->n, f->item);
  ndi_factor_add_count(f, NDI_PIECE_INTS, f->k);
}

/* The matrix as LAPACK takes it; NULL if an element is NaN. */
static void *load(const ndi_factor *f, const ndi_factor_one *x) {
  void *a = ndi_factor_piece(f, x, NDI_PIECE_A);
  ndi_factor_load(f, &x->a, f->m, f->n, a, f->m);
  return ndi_factor_has_nan(f, a, f->m, f->n) ? NULL : a;
}

/* Row i was exchanged with row pivots[i]. That there is a pivot of 0 is no failure here. */
static void factorise(const ndi_factor *f, const ndi_factor_one *x, void *a) {
  int info = 0;
  f->call->getrf[f->type](&f->m, &f->n, a, &f->m, ndi_factor_piece(f, x, NDI_PIECE_INTS), &info);
}

static int64_t get_place(const char *places, size_t at) {
  int64_t place;
  memcpy(&place, places + at * sizeof place, sizeof place);
  return place;
}

static void put_place(char *places, size_t at, int64_t place) {
  memcpy(places + at * sizeof place, &place, sizeof place);
}

/* places[i] = which row of l belongs to row i of the matrix: the exchanges, from the last one to
 * the first, of rows that know their numbers. */
static void store_places(const ndi_factor *f, const int *pivots, char *places) {
  for (int i = 0; i < f->m; i++) put_place(places, (size_t)i, i + 1);
  for (int i = f->k; i-- > 0;) {
    const size_t other = (size_t)pivots[i] - 1;
    const int64_t place = get_place(places, (size_t)i);
    put_place(places, (size_t)i, get_place(places, other));
    put_place(places, other, place);
  }
}

static int run_lu(const ndi_factor *f, const ndi_factor_one *x) {
  void *a = load(f, x);
  if (!a) return NDI_NOT_FINITE;
  factorise(f, x, a);
  store_places(f, ndi_factor_piece(f, x, NDI_PIECE_INTS), x->out[0]);
  ndi_factor_store(f, a, f->m, f->m, f->k, NDI_UNIT_LOWER, x->out[1]);
  ndi_factor_store(f, a, f->m, f->k, f->n, NDI_UPPER, x->out[2]);
  return 0;
}

const ndi_factor_way ndi_lu_way = {plan_lu, run_lu};

/* {=== determinants ===} */

/* Multiply n elements of column-major 'a', from number 'at' on, each 'apart' from the one before,
 * by a power of two if all are subnormal: OpenBLAS divides by pivots as it multiplies by their
 * reciprocals, which would be infinite. Returns its exponent. Nothing is rounded. */
static int lift_line(const ndi_factor *f, void *a, size_t at, size_t apart) {
  const size_t parts = f->is_complex ? 2 : 1, count = (size_t)f->n * parts;
  const double least = f->part == sizeof(float) ? FLT_MIN : DBL_MIN;
  double most = 0;
  int exponent;
  for (size_t i = 0; i < count; i++) {
    const double size = fabs(ndi_factor_get(f, a, (at + i / parts * apart) * parts + i % parts));
    if (size > most) most = size;
  }
  if (most == 0 || most >= least) return 0;
  (void)frexp(most, &exponent);
  for (size_t i = 0; i < count; i++) {
    const size_t place = (at + i / parts * apart) * parts + i % parts;
    ndi_factor_put(f, a, place, ldexp(ndi_factor_get(f, a, place), -exponent));
  }
  return -exponent;
}

/* The same for all rows, then for all columns: the exponent by which the determinant grows. */
static int64_t lift(const ndi_factor *f, void *a) {
  const size_t n = (size_t)f->n;
  int64_t exponent = 0;
  for (size_t i = 0; i < n; i++) exponent += lift_line(f, a, i, n);
  for (size_t j = 0; j < n; j++) exponent += lift_line(f, a, j * n, 1);
  return exponent;
}

/* The number (re + i im) * 2^exponent, of which the greater part is about 1: it does not overflow.
 */
typedef struct {
  double re, im;
  int64_t exponent;
} scaled;

static scaled scale(double re, double im, int64_t exponent) {
  const double greater = fabs(re) > fabs(im) ? fabs(re) : fabs(im);
  int shift = 0;
  if (isfinite(greater) && greater > 0) (void)frexp(greater, &shift);
  return (scaled){ldexp(re, -shift), ldexp(im, -shift), exponent + shift};
}

/* Without an imaginary part an infinity times 0 is not computed. */
static scaled multiply(scaled x, scaled y, bool is_complex) {
  const double re = is_complex ? x.re * y.re - x.im * y.im : x.re * y.re;
  const double im = is_complex ? x.re * y.im + x.im * y.re : 0;
  return scale(re, im, x.exponent + y.exponent);
}

static scaled find_det(const ndi_factor *f, const ndi_factor_one *x) {
  const void *a = ndi_factor_piece(f, x, NDI_PIECE_A);
  const int *pivots = ndi_factor_piece(f, x, NDI_PIECE_INTS);
  scaled det = {1, 0, 0};
  for (int i = 0; i < f->n; i++) {
    const size_t at = ((size_t)i * (size_t)f->n + (size_t)i) * (f->is_complex ? 2 : 1);
    const double im = f->is_complex ? ndi_factor_get(f, a, at + 1) : 0;
    const scaled factor = scale(ndi_factor_get(f, a, at), im, 0);
    det = multiply(det, factor, f->is_complex);
    if (pivots[i] != i + 1) det.re = -det.re, det.im = -det.im;
  }
  return det;
}

static int run_det(const ndi_factor *f, const ndi_factor_one *x) {
  enum { FAR = 5000 }; /* beyond any exponent */
  void *a = load(f, x);
  if (!a) return NDI_NOT_FINITE;
  const int64_t lifted = lift(f, a);
  factorise(f, x, a);
  scaled det = find_det(f, x);
  det.exponent -= lifted;
  const double size = f->is_complex ? hypot(det.re, det.im) : fabs(det.re);
  if (f->task->op == ND_OP_DET) {
    const int shift = det.exponent > FAR ? FAR : det.exponent < -FAR ? -FAR : (int)det.exponent;
    ndi_factor_put_item(f, x->out[0], 0, ldexp(det.re, shift), ldexp(det.im, shift));
    return 0;
  }
  const double unit = size == 0 ? 1 : size; /* the sign of 0 is 0 */
  if (f->is_complex) ndi_factor_put_item(f, x->out[0], 0, det.re / unit, det.im / unit);
  else ndi_factor_put(f, x->out[0], 0, isnan(det.re) ? det.re : (det.re > 0) - (det.re < 0));
  ndi_factor_put(f, x->out[1], 0, log(size) + (double)det.exponent * M_LN2);
  return 0;
}

const ndi_factor_way ndi_det_way = {plan_lu, run_det};

/* {=== Cholesky factorisation ===} */

static void plan_cholesky(ndi_factor *f) {
  ndi_factor_add(f, NDI_PIECE_A, (size_t)f->n, (size_t)f->n, f->item);
}

static int run_cholesky(const ndi_factor *f, const ndi_factor_one *x) {
  const bool is_upper = f->task->factor.is_upper;
  const ndi_triangle triangle = is_upper ? NDI_UPPER : NDI_LOWER;
  void *a = ndi_factor_piece(f, x, NDI_PIECE_A);
  int info = 0;
  ndi_factor_load(f, &x->a, f->n, f->n, a, f->n);
  if (!ndi_factor_is_finite(f, a, f->n, f->n, triangle)) return NDI_NOT_FINITE;
  f->call->potrf[f->type](is_upper ? "U" : "L", &f->n, a, &f->n, &info, 1);
  if (info == 0) ndi_factor_store(f, a, f->n, f->n, f->n, triangle, x->out[0]);
  return info;
}

const ndi_factor_way ndi_cholesky_way = {plan_cholesky, run_cholesky};
