/* Kernels that sort one line of packed elements, in steps that several threads can share. */
#ifndef ND_KERN_SORT_H
#define ND_KERN_SORT_H

#include "base/dtype.h"

/* Order: by value, NaN last, either way; complex numbers by real part, then by imaginary part,
 * those with a NaN in the imaginary part, in the real part and in both behind the others. By radix
 * from the lowest digit on, complex numbers by merging. The result does not depend on the parts.
 *
 * A line is cut into as many parts as there are threads; part p has the elements from
 * n * p / parts on. Each step is run over all of them, range by range in order within a part; no
 * two parts write to one place in it. Between steps one thread asks for the next. */

typedef struct {
  uint64_t sign, last; /* bits; last: the greatest value that is no NaN, with the sign turned */
  bool is_bool, is_float, is_stable, is_descending;
} ndi_sort_order;

typedef struct {
  nd_dtype dtype;
  bool is_argsort, is_complex;
  size_t item, n, parts;
  ndi_sort_order order;
  int step;
  char *x, *room;
  int64_t *out;      /* argsort and complex: positions end up there */
  int64_t *others;   /* memory for as many */
  char *keys[2];     /* where they are, where they go; complex: [1] is memory for a copy */
  int64_t *index[2]; /* so for their positions; [0] is NULL while those are 1 … n */
  size_t *counts;    /* of each part: 256 digits for each byte of a key */
  unsigned passes;   /* bits of the bytes that keys have yet to be dealt by */
  size_t pass;       /* the byte that they are dealt by */
  size_t run;        /* how many are merged with as many */
} ndi_sorter;

/* Bytes of scratch memory, aligned as an int64_t, for lines of 'n'. False: more than a size. */
bool ndi_sort_scratch(nd_dtype dtype, size_t n, size_t parts, bool is_argsort, size_t *out);

/* For any number of lines, one after another. */
void ndi_sort_init(ndi_sorter *s, nd_dtype dtype, size_t n, size_t parts, bool is_argsort,
                   bool is_descending, char *scratch);

/* A line, aligned. Without 'out' it is sorted in place; bools become 0 or 1; until the last step is
 * done it may be anything. Else out[k] is the 1-based position of the k-th: equal elements stay in
 * their order, as do -0 and 0, and all NaNs. */
void ndi_sort_start(ndi_sorter *s, char *x, int64_t *out);

/* Is there another step? */
bool ndi_sort_next(ndi_sorter *s);

/* The step for 'n' elements from 'first', which are of this part. */
void ndi_sort_run(const ndi_sorter *s, size_t part, size_t first, size_t n);

#endif
