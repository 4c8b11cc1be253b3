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

/* A walk from product to product: the operands of one, and the place of its result. */
typedef struct {
  ndi_matrix a, b;
  char *c;
  size_t index[ND_MAX_NDIM];
} ndi_product_walk;

/* Begin a walk at product 'at'. */
static inline void ndi_product_seek(const ndi_product *p, size_t at, ndi_product_walk *walk) {
  walk->a = p->a, walk->b = p->b;
  walk->c = p->c + at * p->m * p->n * p->item;
  for (int i = p->ndim; i-- > 0; at /= p->len[i]) {
    walk->index[i] = at % p->len[i];
    walk->a.at += (ptrdiff_t)walk->index[i] * p->a_step[i];
    walk->b.at += (ptrdiff_t)walk->index[i] * p->b_step[i];
  }
}

/* Go on to the next product; after the last one, to the first. */
static inline void ndi_product_next(const ndi_product *p, ndi_product_walk *walk) {
  walk->c += p->m * p->n * p->item;
  for (int i = p->ndim; i-- > 0;) {
    walk->a.at += p->a_step[i], walk->b.at += p->b_step[i];
    if (++walk->index[i] < p->len[i]) return;
    walk->a.at -= (ptrdiff_t)p->len[i] * p->a_step[i];
    walk->b.at -= (ptrdiff_t)p->len[i] * p->b_step[i];
    walk->index[i] = 0;
  }
}

/* The operands of product 'at'. Returns the place of its result. */
static inline char *ndi_product_at(const ndi_product *p, size_t at, ndi_matrix *a, ndi_matrix *b) {
  ndi_product_walk walk;
  ndi_product_seek(p, at, &walk);
  *a = walk.a, *b = walk.b;
  return walk.c;
}

/* Element (row, col) of a matrix. */
static inline const char *ndi_matrix_at(const ndi_matrix *x, size_t row, size_t col) {
  return x->at + (ptrdiff_t)row * x->row + (ptrdiff_t)col * x->col;
}

/* Is a product computed where it lies? Then one operand stays in the first cache, which it passes
 * on the other's way to the result. Larger ones are worth what it takes to call a library. */
static inline bool ndi_product_is_small(size_t m, size_t n, size_t k) {
  enum { SMALL = 32 * 32 * 32, FLAT = 8 * 8 };
  const size_t least = m < n ? m : n;
  if (k > NDI_GEMM_DEPTH) return false;
  return (double)m * (double)n * (double)k <= SMALL || (double)least * (double)k <= FLAT;
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
