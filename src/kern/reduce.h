/* Kernels that fold many elements into accumulators. */
#ifndef ND_KERN_REDUCE_H
#define ND_KERN_REDUCE_H

#include "base/dtype.h"
#include "base/op.h"

/* A sequence of elements is folded block by block. In a block element i goes to lane i modulo
 * 'lanes'; then lane l takes in lane l + half, for half = lanes / 2 down to 1. So the order of
 * additions, and with it every bit of the result, is that of the sequence, whether it is folded
 * along itself or beside others. Source: pairwise summation, Higham, The Accuracy of Floating Point
 * Summation, 1993. */
enum { NDI_LANES = 16, NDI_BLOCK = 1024 };

/* Elements 'x' and accumulators are packed; elements need not be aligned. 'mean' is used by
 * variances only: one of the accumulators' class (f64 or c128) for each accumulator. */
typedef struct {
  nd_dtype acc; /* what the accumulators are */
  int lanes;    /* NDI_LANES, or 1 where the order makes no difference */
  /* The 'n' accumulators before their first elements, which 'x' has; it is not read where nothing
   * is an element too (sums: 0). */
  void (*start)(size_t n, const char *x, char *acc);
  /* One accumulator from 1 to NDI_BLOCK elements. */
  void (*block)(size_t n, const char *x, const char *mean, char *acc);
  /* One more element for each of 'n' accumulators. */
  void (*row)(size_t n, const char *x, const char *mean, char *acc);
  /* acc = acc and what came behind it. */
  void (*merge)(size_t n, char *acc, const char *behind);
  /* ARGMIN, ARGMAX only: 'row' that notes where the best was met first ... */
  void (*note)(size_t n, const char *x, char *acc, uint32_t *index, uint32_t at);
  /* ... whether an accumulator is better than one met before, and the first element equal to it. */
  bool (*beats)(const char *acc, const char *best);
  size_t (*find)(size_t n, const char *x, const char *acc);
} ndi_reducer;

/* How 'op', one of ND_REDUCE_OPS, folds elements of 'dtype'. NULL: it is not defined for it. MEAN
 * is a sum, VAR and STD sum squares of distances from 'mean': ndi_reduce_scale does the rest. */
const ndi_reducer *ndi_reducer_find(nd_op op, nd_dtype dtype);

/* x = x / divisor, and the root of it where 'roots'. */
void ndi_reduce_scale(size_t n, double *x, double divisor, bool roots);

#endif
