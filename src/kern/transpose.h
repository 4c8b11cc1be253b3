/* Transposition: copies between two layouts whose contiguous axes differ. */
#ifndef ND_KERN_TRANSPOSE_H
#define ND_KERN_TRANSPOSE_H

#include "base/platform.h"

/* z[r][c] = x[r][c] for 'rows' x 'columns' elements of 'item' bytes (1, 2, 4, 8, 16). Fast where
 * columns are contiguous in 'z' and rows in 'x', correct for any steps. Steps are in bytes and may
 * be 0 or negative; nothing need be aligned; the sides do not overlap. */
typedef struct {
  ptrdiff_t row, column;
} ndi_steps;

void ndi_transpose(size_t item, size_t rows, size_t columns, char *z, ndi_steps dz, const char *x,
                   ndi_steps dx);

#endif
