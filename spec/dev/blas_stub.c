/* A library for spec/dev/blas_spec.lua with the C interface of BLAS: it computes slowly, checks
 * what it is called with, and counts. What it pretends to be is chosen by -D: OPENBLAS ("core"),
 * PARALLEL, MKL, HALF (a function is missing), ILP64, WRONG. */
#include <complex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef ILP64
typedef int64_t whole;
#else
typedef int whole;
#endif

/* What the spec reads: calls, and threads that were in one at the same time, at most. */
int stub_calls, stub_most_inside, stub_threads = 5, stub_least_threads = 99, stub_pause;
static int inside;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void begin(void) {
  pthread_mutex_lock(&lock);
  stub_calls++;
  if (++inside > stub_most_inside) stub_most_inside = inside;
  if (stub_threads < stub_least_threads) stub_least_threads = stub_threads;
  pthread_mutex_unlock(&lock);
  if (stub_pause > 0) usleep((useconds_t)stub_pause);
}

static void end(void) {
  pthread_mutex_lock(&lock);
  inside--;
  pthread_mutex_unlock(&lock);
}

/* Row-major alone, and distances that rows or columns fit into. */
static void check(int order, int ta, int tb, whole m, whole n, whole k, whole lda, whole ldb,
                  whole ldc) {
  const whole a = ta == 111 ? k : m, b = tb == 111 ? n : k;
  if (order == 101 && (ta == 111 || ta == 112) && (tb == 111 || tb == 112) && m > 0 && n > 0 &&
      k > 0 && lda >= a && ldb >= b && ldc >= n)
    return;
  fprintf(stderr, "stub: wrong arguments\n");
  abort();
}

#define GEMM(name, type, scalar, value)                                                        \
  void name(int order, int ta, int tb, whole m, whole n, whole k, scalar alpha, const void *a, \
            whole lda, const void *b, whole ldb, scalar beta, void *c, whole ldc) {            \
    const type *x = a, *y = b;                                                                 \
    type *z = c;                                                                               \
    begin();                                                                                   \
    check(order, ta, tb, m, n, k, lda, ldb, ldc);                                              \
    if (value(alpha) != 1 || value(beta) != 0) abort();                                        \
    for (whole i = 0; i < m; i++)                                                              \
      for (whole j = 0; j < n; j++) {                                                          \
        type sum = 0;                                                                          \
        for (whole p = 0; p < k; p++)                                                          \
          sum += x[ta == 111 ? i * lda + p : p * lda + i] *                                    \
                 y[tb == 111 ? p * ldb + j : j * ldb + p];                                     \
        z[i * ldc + j] = sum;                                                                  \
      }                                                                                        \
    end();                                                                                     \
  }
#define PLAIN(x) (x)
#define SINGLE(x) (*(const float complex *)(x))
#define DOUBLE(x) (*(const double complex *)(x))

GEMM(cblas_sgemm, float, float, PLAIN)
GEMM(cblas_dgemm, double, double, PLAIN)
GEMM(cblas_cgemm, float complex, const void *, SINGLE)
#ifndef HALF
GEMM(cblas_zgemm, double complex, const void *, DOUBLE)
#endif

double cblas_ddot(whole n, const double *x, whole dx, const double *y, whole dy) {
  double sum = 0;
  for (whole i = 0; i < n; i++) sum += x[i * dx] * y[i * dy];
#ifdef WRONG
  sum++;
#endif
  return sum;
}

#ifdef OPENBLAS
char *openblas_get_config(void) { return (char *)"OpenBLAS 9.8.7 STUB MAX_THREADS=5"; }
char *openblas_get_corename(void) { return (char *)OPENBLAS; }
int openblas_get_parallel(void) { return PARALLEL; }
int openblas_get_num_threads(void) { return stub_threads; }
void openblas_set_num_threads(int count) { stub_threads = count; }
#endif

#ifdef MKL
int MKL_Get_Max_Threads(void) { return stub_threads; }
void MKL_Set_Num_Threads(int count) { stub_threads = count; }
#endif
