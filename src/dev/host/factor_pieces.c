/* Factorisations: the scratch memory of a thread, and the elements of matrices in it. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "dev/host/factor.h"
#include "kern/transpose.h"

/* {=== pieces of scratch memory ===} */

void ndi_factor_add(ndi_factor *f, ndi_piece piece, size_t rows, size_t cols, size_t item) {
  size_t bytes;
  f->at[piece] = f->bytes;
  /* whole cache lines, so that threads do not share any */
  if (!ndi_size_mul(rows, cols, &bytes) || !ndi_size_mul(bytes, item, &bytes) ||
      !ndi_size_add(bytes, 63, &bytes) || !ndi_size_add(f->bytes, bytes & ~(size_t)63, &f->bytes))
    f->is_too_large = true;
}

void ndi_factor_add_count(ndi_factor *f, ndi_piece piece, double count) {
  const size_t item = piece == NDI_PIECE_INTS    ? sizeof(int)
                      : piece == NDI_PIECE_REALS ? f->part
                                                 : f->item;
  if (!(count <= INT32_MAX)) {
    f->is_too_large = true;
    return;
  }
  f->elements[piece] = count < 1 ? 1 : (int)count;
  ndi_factor_add(f, piece, (size_t)f->elements[piece], 1, item);
}

void ndi_factor_add_work(ndi_factor *f, const void *asked, double least) {
  const double best = ndi_factor_get(f, asked, 0);
  ndi_factor_add_count(f, NDI_PIECE_WORK, best > least ? best : least);
}

/* {=== elements ===} */

double ndi_factor_get(const ndi_factor *f, const void *from, size_t at) {
  return f->part == sizeof(float) ? (double)((const float *)from)[at] : ((const double *)from)[at];
}

void ndi_factor_put(const ndi_factor *f, void *to, size_t at, double value) {
  if (f->part == sizeof(float)) ((float *)to)[at] = (float)value;
  else ((double *)to)[at] = value;
}

void ndi_factor_put_item(const ndi_factor *f, void *to, size_t at, double re, double im) {
  const size_t parts = f->is_complex ? 2 : 1;
  ndi_factor_put(f, to, at * parts, re);
  if (f->is_complex) ndi_factor_put(f, to, at * parts + 1, im);
}

void ndi_factor_load(const ndi_factor *f, const ndi_matrix *from, int rows, int cols, void *to,
                     int rows_apart) {
  const ptrdiff_t item = (ptrdiff_t)f->item;
  ndi_transpose(f->item, (size_t)cols, (size_t)rows, to, (ndi_steps){rows_apart * item, item},
                from->at, (ndi_steps){from->col, from->row});
}

void ndi_factor_store(const ndi_factor *f, const void *from, int rows_apart, int rows, int cols,
                      ndi_triangle triangle, char *to) {
  const ptrdiff_t item = (ptrdiff_t)f->item, row = cols * item;
  ndi_transpose(f->item, (size_t)rows, (size_t)cols, to, (ndi_steps){row, item}, from,
                (ndi_steps){item, rows_apart * item});
  if (triangle == NDI_WHOLE) return;
  for (int i = 0; i < rows; i++, to += row) {
    const int diagonal = i < cols ? i : cols, behind = i < cols ? i + 1 : cols;
    if (triangle == NDI_UPPER) memset(to, 0, (size_t)(diagonal * item));
    else memset(to + behind * item, 0, (size_t)((cols - behind) * item));
    if (triangle == NDI_UNIT_LOWER && i < cols) ndi_factor_put_item(f, to, (size_t)i, 1, 0);
  }
}

bool ndi_factor_is_finite(const ndi_factor *f, const void *from, int rows, int cols,
                          ndi_triangle triangle) {
  const size_t parts = f->is_complex ? 2 : 1;
  const char *column = from;
  for (int j = 0; j < cols; j++, column += (size_t)rows * f->item) {
    const int first = triangle == NDI_LOWER ? j : 0, end = triangle == NDI_UPPER ? j + 1 : rows;
    for (size_t i = (size_t)first * parts; i < (size_t)end * parts; i++)
      if (!isfinite(ndi_factor_get(f, column, i))) return false;
  }
  return true;
}

bool ndi_factor_has_nan(const ndi_factor *f, const void *from, int rows, int cols) {
  const size_t count = (size_t)rows * (size_t)cols * (f->is_complex ? 2 : 1);
  for (size_t i = 0; i < count; i++)
    if (isnan(ndi_factor_get(f, from, i))) return true;
  return false;
}
