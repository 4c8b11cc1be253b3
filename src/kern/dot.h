/* Kernels of products with a vector.
 *
 * A sum of products is taken in 16 lanes, which get one product after another in turn; blocks of
 * 1024 products are summed so, and blocks are added pairwise, and so are chunks of 64 blocks. This
 * order is the same whatever the steps are, for one vector as for many side by side, and for any
 * number of threads. Floats are multiplied and added in f64, integers wrap, sums of bools are "or",
 * products "and". */
#ifndef ND_KERN_DOT_H
#define ND_KERN_DOT_H

#include "base/dtype.h"

enum {
  NDI_DOT_CHUNK = 1 << 16, /* products that a kernel adds up at a time, at most */
  NDI_DOT_WIDTH = 64       /* columns side by side, at most */
};

/* A sum: a number, integer or bool in the first place, or both parts of a complex number. */
typedef union {
  double parts[2];
  uint64_t whole;
} ndi_dot_sum;

/* Elements: address, and bytes from one to the next. */
typedef struct {
  const char *at;
  ptrdiff_t step;
} ndi_line;

typedef struct {
  /* *out = the sum of x[i] * y[i], i < n <= NDI_DOT_CHUNK; where 'conjugates', of conj(x[i]) * y[i]
   */
  void (*line)(size_t n, ndi_dot_sum *out, ndi_line x, ndi_line y, bool conjugates);
  /* The same of 'count' lines x, 'next' bytes from one to the next, with one y. */
  void (*lines)(size_t n, size_t count, ndi_dot_sum *out, ndi_line x, ptrdiff_t next, ndi_line y);
  /* out[j] = the sum of x[i] * y[i][j], j < width <= NDI_DOT_WIDTH, where y.step is the bytes from
   * y[i] to y[i + 1], and the elements of each are packed. */
  void (*columns)(size_t n, size_t width, ndi_dot_sum *out, ndi_line x, ndi_line y);
  /* sums[0] = the sum of the sums of 'count' chunks; the others are overwritten. */
  void (*join)(size_t count, ndi_dot_sum *sums);
  void (*store)(char *z, const ndi_dot_sum *sum);
} ndi_dot;

/* NULL for small floats. */
const ndi_dot *ndi_dot_find(nd_dtype dtype);

#endif
