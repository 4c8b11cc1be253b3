/* What the files of products of matrices on the host share.
 *
 * All matrices of one product have the same shape: m x k times k x n. The operands may be views;
 * broadcast ones have a step of 0 from one matrix to the next. */
#ifndef ND_DEV_HOST_PRODUCT_H
#define ND_DEV_HOST_PRODUCT_H

#include "dev/host/host.h"
#include "dev/threads.h"
#include "kern/gemm.h"

typedef struct {
  size_t m, n, k;
  nd_dtype dtype;
  size_t item;     /* bytes of an element */
  bool conjugates; /* the elements of a; where n is 1 */
  ndi_matrix a, b; /* the first ones */
  char *c;         /* packed, as all that follow it */
  size_t count;    /* of matrices */
  int ndim;        /* axes of matrices: extents, and bytes from one to the next */
  size_t len[ND_MAX_NDIM];
  ptrdiff_t a_step[ND_MAX_NDIM], b_step[ND_MAX_NDIM];
  ndi_poll poll;
} ndi_product;

/* The operands of product 'at'. Returns the place of its result. */
static inline char *ndi_product_at(const ndi_product *p, size_t at, ndi_matrix *a, ndi_matrix *b) {
  size_t left = at;
  *a = p->a, *b = p->b;
  for (int i = p->ndim; i-- > 0 && left > 0; left /= p->len[i]) {
    const ptrdiff_t index = (ptrdiff_t)(left % p->len[i]);
    a->at += index * p->a_step[i], b->at += index * p->b_step[i];
  }
  return p->c + at * p->m * p->n * p->item;
}

/* Element (row, col) of a matrix. */
static inline const char *ndi_matrix_at(const ndi_matrix *x, size_t row, size_t col) {
  return x->at + (ptrdiff_t)row * x->row + (ptrdiff_t)col * x->col;
}

/* Multiplications of 'count' products, or more than a size has. */
static inline double ndi_product_work(const ndi_product *p, size_t count) {
  return (double)p->m * (double)p->n * (double)p->k * (double)count;
}

/* How work is split that takes 'work' multiplications in whole matrices: two take as long as to
 * move a byte. */
static inline ndi_split ndi_product_split(double work, size_t most) {
  const double bytes = work / 2;
  return ndi_split_of(bytes < 0x1p62 ? (uint64_t)bytes : UINT64_C(1) << 62, most);
}

/* As ndi_poll_stops, after 'work' multiplications, of which 16 take as long as other elements. */
static inline bool ndi_product_stops(ndi_product *p, size_t thread, double work) {
  return ndi_poll_stops(&p->poll, thread, work < 0x1p34 ? (size_t)(work / 16) : NDI_BETWEEN_POLLS);
}

/* Products of a matrix with a vector, or of two: m or n is 1. */
nd_status ndi_product_vectors(ndi_product *p);

/* By kernels of our own, whatever the sizes. */
nd_status ndi_product_blocks(ndi_product *p);

/* By a library of linear algebra: where '*done' is false it is not for these operands, or there is
 * none, and nothing was written. */
nd_status ndi_product_blas(ndi_product *p, bool *done);

#endif
