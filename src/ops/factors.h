/* Factorisations of matrices: linear systems, determinants, decompositions, eigenvalues. What ops.h
 * says at its top holds here, too. They need LAPACK: ND_UNSUPPORTED where there is none. */
#ifndef ND_OPS_FACTORS_H
#define ND_OPS_FACTORS_H

#include "dev/device.h"

/* What is asked for. Fields that 'op' does not use are ignored. */
typedef struct {
  nd_op op;         /* one of the group FACTOR */
  const char *name; /* for messages; NULL: that of 'op' */
  nd_factors_form form;
  bool is_upper;       /* CHOLESKY, EIGH: the upper triangle is read, else the lower one */
  bool gives_nan;      /* INV, SOLVE: a singular matrix gives NaN and is no failure */
  const double *rcond; /* LSTSQ; NULL: the precision of the dtype times the greater side */
} nd_factoring;

enum { ND_FACTORS = 4 }; /* results, at most */

/* The number of results. */
int nd_factor_count(const nd_factoring *how);

/* Factorise the matrices of the last two axes of 'a', m x n, of which k is the lesser; leading axes
 * stay, or, where there is a 'b', broadcast. The results are new, row-major arrays, written to
 * 'out', which has room for ND_FACTORS:
 *
 *   SOLVE     x, with a x = b. A 'b' of one axis is one column, and x lacks that axis, too
 *   INV       the inverse
 *   DET       the determinant
 *   SLOGDET   its sign (of complex numbers: of absolute value 1), the logarithm of its absolute
 *             value (real)
 *   CHOLESKY  l, lower, with a = l conj(l)^T; or, where 'is_upper', u, with a = conj(u)^T u
 *   LU        p (m, i64, 1-based), l (m x k, a unit lower triangle), u (k x n, upper): row p[i] of
 *             l u is row i of a
 *   QR        q (m x k), r (k x n, upper), a = q r; FULL: q (m x m), r (m x n); ONE: r (k x n)
 *   SVD       u (m x k), s (k, real, descending), v (k x n), a = u diag(s) v; FULL: u (m x m) and
 *             v (n x n); ONE: s
 *   EIGH      w (n, real, ascending), v (n x n; vectors are columns), a v = v diag(w); ONE: w
 *   EIG       the same in any order; both complex
 *   LSTSQ     x (n columns), of the least |b - a x|, and among these of the least |x|; the sums of
 *             squares of b - a x, for each column of b, where rank is n and m > n, else undefined;
 *             the rank (i64); the singular values of a (real)
 *
 * The dtype is what both operands promote to: f64 for bools and integers, f32 for smaller floats.
 * SVD, EIGH, EIG, LSTSQ and CHOLESKY of a matrix with NaN or infinity give NaN, and rank 0; SOLVE,
 * INV, DET, SLOGDET and LU of one with NaN give NaN, and with infinities, as QR with either,
 * whatever the arithmetic gives; columns of LSTSQ's 'b' that are not finite give NaN.
 * ND_SHAPE_MISMATCH for fewer than two axes, a matrix that is not square (but for LU, QR, SVD,
 * LSTSQ), and where 'b' does not fit; ND_OVERFLOW for matrices that are too large for 32-bit
 * integers; ND_INVALID_ARGUMENT with LAPACK's number "info" and the first "matrix" (1-based, in
 * row-major order) for a singular matrix (SOLVE, INV), one that is not positive definite
 * (CHOLESKY), and where the library did not converge.
 *
 * Each matrix is computed by one thread, so that the result is the same for any number of them. An
 * interrupt is noticed between matrices. */
nd_status nd_factor(const nd_factoring *how, const nd_view *a, const nd_view *b, nd_view *out,
                    nd_error *err);

#endif
