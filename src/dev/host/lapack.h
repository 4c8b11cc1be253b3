/* LAPACK: factorisations of matrices by the library of linear algebra (blas.h) where that has them,
 * as OpenBLAS and MKL do, else by liblapack. The declarations of its functions are our own.
 *
 * They are Fortran's: all arguments by address, matrices column by column, the lengths of strings,
 * which are all of one letter, behind the last argument. 'info' is 0, the number of a refused
 * argument, negative, or what went wrong. A count of -1 for 'work' asks for the best one, which is
 * written to its first element. A library is refused whose integers have 64 bits, or that lacks one
 * of the functions. */
#ifndef ND_DEV_HOST_LAPACK_H
#define ND_DEV_HOST_LAPACK_H

#include "dev/host/blas.h"

typedef void ndi_gesv(const int *n, const int *rhs, void *a, const int *lda, int *pivots, void *b,
                      const int *ldb, int *info);
typedef void ndi_getrf(const int *m, const int *n, void *a, const int *lda, int *pivots, int *info);
typedef void ndi_potrf(const char *triangle, const int *n, void *a, const int *lda, int *info,
                       size_t);
typedef void ndi_geqrf(const int *m, const int *n, void *a, const int *lda, void *tau, void *work,
                       const int *count, int *info);
typedef void ndi_orgqr(const int *m, const int *n, const int *k, void *a, const int *lda,
                       const void *tau, void *work, const int *count, int *info);
typedef void ndi_gesdd(const char *job, const int *m, const int *n, void *a, const int *lda,
                       void *s, void *u, const int *ldu, void *vt, const int *ldvt, void *work,
                       const int *count, int *ints, int *info, size_t);
typedef void ndi_gesdd_complex(const char *job, const int *m, const int *n, void *a, const int *lda,
                               void *s, void *u, const int *ldu, void *vt, const int *ldvt,
                               void *work, const int *count, void *reals, int *ints, int *info,
                               size_t);
typedef void ndi_syevd(const char *job, const char *triangle, const int *n, void *a, const int *lda,
                       void *w, void *work, const int *count, int *ints, const int *int_count,
                       int *info, size_t, size_t);
typedef void ndi_heevd(const char *job, const char *triangle, const int *n, void *a, const int *lda,
                       void *w, void *work, const int *count, void *reals, const int *real_count,
                       int *ints, const int *int_count, int *info, size_t, size_t);
typedef void ndi_geev(const char *left, const char *right, const int *n, void *a, const int *lda,
                      void *re, void *im, void *vl, const int *ldvl, void *vr, const int *ldvr,
                      void *work, const int *count, int *info, size_t, size_t);
typedef void ndi_geev_complex(const char *left, const char *right, const int *n, void *a,
                              const int *lda, void *w, void *vl, const int *ldvl, void *vr,
                              const int *ldvr, void *work, const int *count, void *reals, int *info,
                              size_t, size_t);
typedef void ndi_gelsd(const int *m, const int *n, const int *rhs, void *a, const int *lda, void *b,
                       const int *ldb, void *s, const void *rcond, int *rank, void *work,
                       const int *count, int *ints, int *info);
typedef void ndi_gelsd_complex(const int *m, const int *n, const int *rhs, void *a, const int *lda,
                               void *b, const int *ldb, void *s, const void *rcond, int *rank,
                               void *work, const int *count, void *reals, int *ints, int *info);

/* ORDER LAPACK: of f32, f64, c64, c128; or of the two real or the two complex ones. */
typedef struct {
  /* asked for the size of its integers, and so declared with 64 bits */
  void (*ilaver)(int64_t *major, int64_t *minor, int64_t *patch);
  ndi_gesv *gesv[4];
  ndi_getrf *getrf[4];
  ndi_potrf *potrf[4];
  ndi_geqrf *geqrf[4];
  ndi_orgqr *orgqr[4];
  ndi_gesdd *gesdd[2];
  ndi_gesdd_complex *gesdd_complex[2];
  ndi_syevd *syevd[2];
  ndi_heevd *heevd[2];
  ndi_geev *geev[2];
  ndi_geev_complex *geev_complex[2];
  ndi_gelsd *gelsd[2];
  ndi_gelsd_complex *gelsd_complex[2];
} ndi_lapack_functions;

typedef struct {
  ndi_lapack_functions call;
  const ndi_blas *blas; /* enter and leave it (ndi_blas_enter) around calls */
  char text[320];       /* for people */
} ndi_lapack;

/* LAPACK, which stays open and the same; NULL, with the reason: there is none. Thread-safe. */
const ndi_lapack *ndi_lapack_find(nd_error *err);

#endif
