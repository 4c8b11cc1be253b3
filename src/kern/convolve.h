/* Kernels of convolutions: sums of products of one line with another that is shifted along it. Each
 * element is summed up in order, from 0, by products that are rounded before they are added, so
 * that its bits do not depend on which elements are computed at a time. Integers wrap; sums of
 * bools are "or", products "and". */
#ifndef ND_KERN_CONVOLVE_H
#define ND_KERN_CONVOLVE_H

#include "base/dtype.h"

/* Packed lines: x has 'n' elements, w has 'm'. */
typedef struct {
  const char *x, *w;
  size_t n, m;
} ndi_shifted;

/* z[i] = the sum of w[t] * x[first + i + t - (m - 1)], over the t < m for which there is such an
 * element of x, for i < count; 'first' + count <= n + m - 1. */
typedef void ndi_convolve(const ndi_shifted *of, size_t first, size_t count, char *z);

/* NULL for small floats. */
ndi_convolve *ndi_convolve_find(nd_dtype dtype);

/* z[i] *= w[i], of 'n' complex numbers of 'dtype'. */
void ndi_multiply_spectra(nd_dtype dtype, size_t n, char *z, const char *w);

/* Are the 'n' elements at 'x', of a dtype of f32, f64, c64, c128, neither NaN nor infinite? */
bool ndi_is_finite(nd_dtype dtype, size_t n, const char *x);

#endif
