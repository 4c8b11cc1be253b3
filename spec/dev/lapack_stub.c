/* A library for spec/dev/lapack_spec.lua: spec/dev/blas_stub.c with the functions of LAPACK, of
 * which only dgesv does anything; it takes 1x1 matrices, and counts. What it lacks is chosen by -D:
 * HALF_LAPACK (a function is missing), NO_LAPACK (all are), WIDE (64-bit integers). */
#include "blas_stub.c"

#ifndef NO_LAPACK
#ifdef WIDE
typedef int64_t lapack_int;
#else
typedef int lapack_int;
#endif

void ilaver_(lapack_int *major, lapack_int *minor, lapack_int *patch) {
  *major = 3, *minor = 99, *patch = 7;
}

void dgesv_(const int *n, const int *rhs, double *a, const int *lda, int *pivots, double *b,
            const int *ldb, int *info) {
  begin();
  if (*n != 1 || *lda != 1 || *ldb != 1) abort();
  *pivots = 1;
  *info = *a == 0;
  for (int i = 0; i < *rhs; i++) b[i] /= *a;
  end();
}

#define NONE(name) \
  void name(void) { abort(); }
#define FOUR(name) NONE(s##name##_) NONE(d##name##_) NONE(c##name##_) NONE(z##name##_)
NONE(sgesv_)
NONE(cgesv_) NONE(zgesv_) FOUR(getrf) FOUR(potrf) FOUR(geqrf) FOUR(gesdd) FOUR(geev) NONE(sorgqr_)
    NONE(dorgqr_) NONE(cungqr_) NONE(zungqr_) NONE(ssyevd_) NONE(dsyevd_) NONE(cheevd_)
        NONE(zheevd_) NONE(sgelsd_) NONE(dgelsd_) NONE(cgelsd_)
#ifndef HALF_LAPACK
            NONE(zgelsd_)
#endif
#endif
