/* Kernels of products of matrices.
 *
 * A tile of the product is a few rows by one or two vectors of columns, all of which stay in
 * registers while the common axis is walked (Goto and van de Geijn, Anatomy of High-Performance
 * Matrix Multiplication, 2008). Each element is summed up along the common axis in order, from 0,
 * by products that are rounded before they are added; longer axes are cut into pieces of
 * NDI_GEMM_DEPTH, whose sums are added in order. So the bits depend neither on the size of tiles,
 * which differs from level to level, nor on who computes which.
 *
 * Integers wrap; sums of bools are "or", products "and". Small floats have no kernels: their
 * products are computed in f32. */
#ifndef ND_KERN_GEMM_H
#define ND_KERN_GEMM_H

#include "base/dtype.h"

enum { NDI_GEMM_DEPTH = 256 };

/* A matrix: address, and bytes from one row and one column to the next. */
typedef struct {
  const char *at;
  ptrdiff_t row, col;
} ndi_matrix;

typedef struct {
  size_t rows, cols; /* of a tile */
  size_t item;       /* bytes of an element that is packed */
  /* Pack a piece of the left operand, of 'rows' rows, or of the right one, of 'cols' columns, and
   * of 'depth' along the common axis: in panels as wide as a tile, the last one filled up with 0.
   * 'z' has room for whole panels; its alignment is that of a vector, 64 bytes. */
  void (*pack_rows)(size_t rows, size_t depth, char *z, const ndi_matrix *x);
  void (*pack_cols)(size_t cols, size_t depth, char *z, const ndi_matrix *x);
  /* c = the product of packed operands, or, where 'adds', c + it. A row of 'c' is packed, and
   * c_row bytes before the next. */
  void (*block)(size_t rows, size_t cols, size_t depth, const char *a, const char *b, char *c,
                ptrdiff_t c_row, bool adds);
  /* The same product of operands that are not packed, of which the right one is small: depth <=
   * NDI_GEMM_DEPTH. */
  void (*direct)(size_t rows, size_t cols, size_t depth, const ndi_matrix *a, const ndi_matrix *b,
                 char *c, ptrdiff_t c_row);
} ndi_gemm;

/* NULL for small floats. */
const ndi_gemm *ndi_gemm_find(nd_dtype dtype);

#endif
