/* Kernels of reductions: they fold many elements into accumulators. */
#ifndef ND_KERN_REDUCE_H
#define ND_KERN_REDUCE_H

#include "base/dtype.h"
#include "base/op.h"

/* A sequence of elements is folded block by block (dev/host/reduce.c). Within a block element i
 * goes to lane i modulo 'lanes'; then lane l is merged with lane l + half, for half = lanes / 2
 * down to 1. So the order of additions, and with it every bit of the result, depends only on the
 * sequence, not on whether it is folded along itself ('block') or for many results side by side
 * ('row'). Source: pairwise summation, Higham, The Accuracy of Floating Point Summation, 1993. */
enum { NDI_LANES = 16, NDI_BLOCK = 1024, NDI_LONG_BLOCK = 8 * NDI_BLOCK };

/* The functions of a reduction. Elements 'x' and accumulators 'acc' are packed; neither need be
 * aligned. Variances read 'mean', a packed f64 or c128 for each accumulator; all others ignore
 * it. */
typedef struct {
  nd_dtype acc; /* dtype of the accumulators */
  int lanes;    /* NDI_LANES, or 1 where the order of elements makes no difference */
  /* Initialise 'n' accumulators; 'x' has the first element of each. Where an empty reduction is
   * defined (sum 0, product 1, …) 'x' is not read and may be NULL. */
  void (*start)(size_t n, const char *x, char *acc);
  /* Fold 'n' elements, 1 to NDI_BLOCK, or with one lane NDI_LONG_BLOCK, into the one accumulator
   * 'acc', which need not be initialised. */
  void (*block)(size_t n, const char *x, const char *mean, char *acc);
  /* Fold one more element into each of 'n' accumulators. */
  void (*row)(size_t n, const char *x, const char *mean, char *acc);
  /* Merge 'n' accumulators with those of the elements that follow theirs. */
  void (*merge)(size_t n, char *acc, const char *later);
  /* ARGMIN, ARGMAX only: as 'row', and where an element is better, index[i] becomes 'at'. */
  void (*note)(size_t n, const char *x, char *acc, uint32_t *index, uint32_t at);
  /* beats: is an accumulator better than one of earlier elements? find: the index of the first of
   * 'n' elements whose value the accumulator has. */
  bool (*beats)(const char *acc, const char *best);
  size_t (*find)(size_t n, const char *x, const char *acc);
  /* PTP only: an accumulator is a pair of 'acc' (minimum, maximum), and 'end' turns the first of
   * them into the result. */
  bool is_pair;
  void (*end)(size_t n, char *acc);
} ndi_reducer;

/* How to reduce elements of 'dtype' by 'op', one of ND_REDUCE_OPS. NULL where it is not defined.
 * MEAN only sums up, VAR and STD sum up squared distances from 'mean': apply ndi_reduce_scale to
 * the result. */
const ndi_reducer *ndi_reducer_find(nd_op op, nd_dtype dtype);

/* x[i] /= divisor, then its square root where 'roots'. */
void ndi_reduce_scale(size_t n, double *x, double divisor, bool roots);

#endif
