/* Kernels that sort a line of packed elements, in steps that several threads can share. */
#ifndef ND_KERN_SORT_H
#define ND_KERN_SORT_H

#include "base/dtype.h"

/* Order: by value, NaN last in both directions. Complex numbers are ordered by real part, then by
 * imaginary part; those with NaN come last: first NaN in the imaginary part only, then in the real
 * part only, then in both. Elements of 4 and 8 bytes are sorted by a quicksort where the processor
 * has AVX2, other real ones, and positions, by an LSD radix sort, complex numbers by merge sort.
 * The result does not depend on the number of parts.
 *
 * A line is cut into parts, for threads; part p has the elements from n * p / parts on. Each step
 * must be run for all parts, in any order or at once, and within a part range by range in order; in
 * a step no two parts write to the same place. Between steps one thread asks for the next one:
 *
 * ndi_sort_start(s, x, out); while (ndi_sort_next(s)) for all parts: ndi_sort_run(s, part, …); */

typedef struct {
  /* the sign bit, 0 if unsigned; floats: the bits of -infinity (or the least value), NaNs lie
   * beyond */
  uint64_t sign, last;
  uint64_t flip; /* the sign bit of keys that are compared as signed integers, else 0 */
  bool is_bool, is_float, is_stable, is_descending;
} ndi_sort_order;

typedef struct {
  nd_dtype dtype;
  bool is_argsort, is_complex;
  size_t item, n, parts;
  ndi_sort_order order;
  int step;
  char *x, *room;
  int64_t *out;    /* argsort and complex: the final positions */
  int64_t *others; /* scratch for as many positions */
  /* keys: [0] current, [1] destination of the next pass; complex: [1] is room for a copy of the
   * line */
  char *keys[2];
  int64_t *index[2]; /* their positions, likewise; [0] is NULL while they are still 1 … n */
  /* radix histograms: for each part and each byte of a key 256 counts, which become places */
  size_t *counts;
  unsigned passes;               /* bit i set: keys have yet to be distributed by byte i */
  size_t pass;                   /* the byte of this pass */
  size_t run;                    /* length of the sorted runs that are merged now */
  const struct ndi_quick *quick; /* NULL: by radix or merge sort */
  size_t *cuts, apart; /* pieces of quicksort lie between cuts[0], cuts[apart], cuts[2 * apart] … */
} ndi_sorter;

/* The order of real elements of 'dtype', with 'flip' 0. With 'is_stable' -0 equals 0, and all NaNs
 * are equal. */
ndi_sort_order ndi_sort_order_of(nd_dtype dtype, bool is_stable, bool is_descending);

/* Bytes of scratch memory for lines of 'n' elements, to be aligned as an int64_t. False on
 * overflow. */
bool ndi_sort_scratch(nd_dtype dtype, size_t n, size_t parts, bool is_argsort, size_t *out);

/* Prepare to sort any number of lines of one dtype and length, one after another. 'scratch' must
 * live as long as 's'. */
void ndi_sort_init(ndi_sorter *s, nd_dtype dtype, size_t n, size_t parts, bool is_argsort,
                   bool is_descending, char *scratch);

/* Begin a line at 'x', which must be aligned. Without 'is_argsort' it is sorted in place (bools
 * become 0 or 1), and its content is undefined until the last step is done; 'out' is NULL.
 * Otherwise 'x' is only read, and out[k] becomes the 1-based position of the k-th element; stable,
 * with -0 equal to 0, and all NaNs equal. */
void ndi_sort_start(ndi_sorter *s, char *x, int64_t *out);

/* Move on to the next step; false when the line is done. */
bool ndi_sort_next(ndi_sorter *s);

/* Run the current step for 'n' elements from 'first', all of part 'part'. */
void ndi_sort_run(const ndi_sorter *s, size_t part, size_t first, size_t n);

#endif
