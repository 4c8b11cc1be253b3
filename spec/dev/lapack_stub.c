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

void none(void) { abort(); }
#define NONE(name) void name(void) __attribute__((alias("none")))
#define TWO(real, complex) \
  NONE(s##real##_);        \
  NONE(d##real##_);        \
  NONE(c##complex##_);     \
  NONE(z##complex##_)
#define FOUR(name) TWO(name, name)

NONE(sgesv_);
NONE(cgesv_);
NONE(zgesv_);
FOUR(getrf);
FOUR(potrf);
FOUR(geqrf);
TWO(orgqr, ungqr);
FOUR(gesdd);
TWO(syevd, heevd);
FOUR(geev);
NONE(sgelsd_);
NONE(dgelsd_);
NONE(cgelsd_);
#ifndef HALF_LAPACK
NONE(zgelsd_);
#endif
#endif
