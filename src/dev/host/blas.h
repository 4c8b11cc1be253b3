/* The library of linear algebra: OpenBLAS, MKL or another with the C interface of BLAS, opened when
 * it is first needed. The declarations of its functions are our own.
 *
 * A library that is named by ndi_blas_choose is used whatever it is. One that was found multiplies
 * matrices only where that is known to be faster than our own kernels. A library is refused whose
 * integers have 64 bits, or that lacks one of the functions. */
#ifndef ND_DEV_HOST_BLAS_H
#define ND_DEV_HOST_BLAS_H

#include <stdbool.h>

#include "base/status.h"

enum { NDI_BLAS_ROWS = 101, NDI_BLAS_AS_IT_IS = 111, NDI_BLAS_TRANSPOSED = 112 };

/* The numbers of gemm: order, how a and b are, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc. */
typedef struct {
  void (*sgemm)(int, int, int, int, int, int, float, const float *, int, const float *, int, float,
                float *, int);
  void (*dgemm)(int, int, int, int, int, int, double, const double *, int, const double *, int,
                double, double *, int);
  void (*cgemm)(int, int, int, int, int, int, const void *, const void *, int, const void *, int,
                const void *, void *, int);
  void (*zgemm)(int, int, int, int, int, int, const void *, const void *, int, const void *, int,
                const void *, void *, int);
  /* asked for the size of its integers, and so declared with 64 bits */
  double (*ddot)(int64_t n, const double *x, int64_t x_step, const double *y, int64_t y_step);
  /* from here on: of some libraries only */
  char *(*openblas_get_config)(void);
  char *(*openblas_get_corename)(void);
  int (*openblas_get_parallel)(void); /* 0: no threads; 1: of its own; 2: of OpenMP */
  int (*openblas_get_num_threads)(void);
  void (*openblas_set_num_threads)(int count);
  int (*mkl_get_max_threads)(void);
  void (*mkl_set_num_threads)(int count);
} ndi_blas_functions;

typedef struct {
  ndi_blas_functions call;
  const char *file; /* that it was opened by; static */
  char text[320];   /* for people: what it is, and why it does not multiply matrices */
  bool multiplies;  /* is it to multiply matrices? */
  /* Several threads may be in it at once, each of which then is its only one. Else one thread may,
   * and the library has threads of its own. */
  bool is_shared;
} ndi_blas;

/* Use the library of this file or name and no other, "none" for none; NULL: look for one. Before
 * the first ndi_blas_find; later calls are ignored. */
void ndi_blas_choose(const char *file);

/* The library, which stays open and the same; NULL, with the reason: there is none. Thread-safe. */
const ndi_blas *ndi_blas_find(nd_error *err);

/* Call before its functions are called, by this thread and those that help it; waits for others
 * where it is not shared. False: it cannot be used in this process, as another thread was in it
 * when the process was forked. After true call ndi_blas_leave, in the same thread. */
bool ndi_blas_enter(const ndi_blas *blas);
void ndi_blas_leave(const ndi_blas *blas);

#endif
