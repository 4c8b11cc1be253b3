/* What the files of factorisations on the host share.
 *
 * All matrices of one task have the same shape, and each is factorised by one thread: copied to
 * scratch memory column by column, as LAPACK takes it, from where the results are copied to the
 * packed rows of the output. */
#ifndef ND_DEV_HOST_FACTOR_H
#define ND_DEV_HOST_FACTOR_H

#include "dev/host/host.h"
#include "dev/host/lapack.h"
#include "kern/gemm.h"

/* The pieces of the scratch memory of a thread. */
typedef enum {
  NDI_PIECE_A,
  NDI_PIECE_B,
  NDI_PIECE_LEFT, /* vectors */
  NDI_PIECE_RIGHT,
  NDI_PIECE_VALUES, /* real */
  NDI_PIECE_WORK,
  NDI_PIECE_REALS,
  NDI_PIECE_INTS,
  NDI_PIECES
} ndi_piece;

typedef struct {
  const nd_task *task;
  const ndi_lapack_functions *call;
  int type; /* ORDER LAPACK */
  bool is_complex;
  size_t item, part; /* bytes of an element, and of a part of it */
  int m, n, k;       /* rows and columns of a, and the lesser of both */
  int rhs;           /* columns of b */
  size_t count;      /* of matrices */
  size_t at[NDI_PIECES], bytes;
  int elements[NDI_PIECES]; /* of WORK, REALS and INTS, as LAPACK is told */
  bool is_too_large;        /* more elements than an int counts, or bytes than a size */
} ndi_factor;

/* One matrix: the operands where they are, the packed results, and the scratch memory. */
typedef struct {
  ndi_matrix a, b;
  char *out[ND_TASK_VIEWS];
  char *scratch;
} ndi_factor_one;

/* How an operation is done: 'plan' adds the pieces that it needs, 'run' returns LAPACK's info, or
 * NDI_NOT_FINITE with nothing written: then all of the results is NaN. Neither is called for a
 * matrix without elements. */
enum { NDI_NOT_FINITE = INT32_MAX };
typedef struct {
  void (*plan)(ndi_factor *f);
  int (*run)(const ndi_factor *f, const ndi_factor_one *x);
} ndi_factor_way;

extern const ndi_factor_way ndi_solve_way, ndi_det_way, ndi_cholesky_way, ndi_lu_way, ndi_qr_way;
extern const ndi_factor_way ndi_svd_way, ndi_eigh_way, ndi_eig_way, ndi_lstsq_way;

/* Add a piece of rows x cols elements of 'item' bytes. */
void ndi_factor_add(ndi_factor *f, ndi_piece piece, size_t rows, size_t cols, size_t item);

/* Add WORK, REALS (of f's part) or INTS of 'count' elements. For WORK the count is the greater of
 * two: what the library wrote to 'asked' as the best one, and 'least', from its documentation. */
void ndi_factor_add_count(ndi_factor *f, ndi_piece piece, double count);
void ndi_factor_add_work(ndi_factor *f, const void *asked, double least);

static inline void *ndi_factor_piece(const ndi_factor *f, const ndi_factor_one *x,
                                     ndi_piece piece) {
  return x->scratch + f->at[piece];
}

/* Copy a matrix to rows x cols elements, of which columns are packed and 'rows_apart' elements from
 * one to the next. */
void ndi_factor_load(const ndi_factor *f, const ndi_matrix *from, int rows, int cols, void *to,
                     int rows_apart);

/* The reverse, to packed rows; of a triangle: the rest becomes 0, and, where it is a unit one, the
 * diagonal 1. */
typedef enum { NDI_WHOLE, NDI_LOWER, NDI_UPPER, NDI_UNIT_LOWER } ndi_triangle;
void ndi_factor_store(const ndi_factor *f, const void *from, int rows_apart, int rows, int cols,
                      ndi_triangle triangle, char *to);

/* Are all elements finite? Of columns as above; without those outside of the triangle. */
bool ndi_factor_is_finite(const ndi_factor *f, const void *from, int rows, int cols,
                          ndi_triangle triangle);

/* Is any element NaN? LAPACK may lose it: OpenBLAS does not divide by a pivot that is NaN. */
bool ndi_factor_has_nan(const ndi_factor *f, const void *from, int rows, int cols);

/* Read and write part number 'at' of packed elements. */
double ndi_factor_get(const ndi_factor *f, const void *from, size_t at);
void ndi_factor_put(const ndi_factor *f, void *to, size_t at, double value);

/* Write element number 'at' of f's dtype: where that is real without its imaginary part. */
void ndi_factor_put_item(const ndi_factor *f, void *to, size_t at, double re, double im);

#endif
