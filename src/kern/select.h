/* Kernels that find order statistics of a line, and deal elements out by them. They work on keys.
 */
#ifndef ND_KERN_SELECT_H
#define ND_KERN_SELECT_H

#include "kern/sort.h"

/* A key is as many bytes as its element, and is compared as a signed integer. The order of keys is
 * that of argsort (kern/sort.h): -0 equals 0, and all NaNs are equal, the greatest key of floats
 * in both directions. All arrays of keys are packed and aligned; elements need not be aligned.
 * Values are keys, too, in ascending order. */
typedef struct {
  /* keys[i] = the key of x[i] */
  void (*make)(size_t n, char *keys, const char *x, const ndi_sort_order *o);
  /* x[i] = an element whose key is keys[i], not that of NaN. NULL: complex ones have no way back */
  void (*unmake)(size_t n, char *x, const char *keys, const ndi_sort_order *o);
  /* Write those keys that lie within lo … hi, in their order, to 'out', which has room for one
   * more. Returns their number. */
  size_t (*narrow)(size_t n, char *out, const char *keys, const char *lo, const char *hi);
  /* Put the keys of the ranks, which ascend and differ, where a sort would have them, lesser ones
   * in front of each and greater ones behind. */
  void (*select)(size_t n, char *keys, size_t count, const size_t *ranks);

  /* Values divide keys into 2 * count + 1 classes: below the first value, equal to it, between it
   * and the next one … Values differ; there is one at least. */

  /* Add to counts[c] how many keys are of class c. */
  void (*tally)(size_t n, const char *keys, size_t count, const char *values, size_t *counts);
  /* Write each element to the place of its class, which advances. */
  void (*deal)(size_t n, const char *keys, size_t count, const char *values, size_t *places,
               const char *x, char *out);
  /* The same with positions, first + 1 … first + n. */
  void (*deal_positions)(size_t n, const char *keys, size_t count, const char *values,
                         size_t *places, size_t first, int64_t *out);
  /* Write the positions, first + 1 … first + n, of keys below 'value', and of the first '*equal'
   * that equal it, which is counted down, in their order; not more than 'room'. Returns how many.
   */
  size_t (*take)(size_t n, const char *keys, const char *value, size_t *equal, size_t first,
                 size_t room, int64_t *out);
} ndi_selector;

/* Never NULL. */
const ndi_selector *ndi_selector_find(nd_dtype dtype);

/* What 'make' and 'unmake' need to know of elements of 'dtype'. Keys of the parts of complex ones
 * get their sign bit once they are joined. */
static inline ndi_sort_order ndi_selector_order(nd_dtype dtype, bool is_descending) {
  const nd_dtype_traits *t = nd_dtype_get(dtype);
  ndi_sort_order o = ndi_sort_order_of(nd_dtype_part(dtype), true, is_descending);
  if (t->kind != ND_KIND_COMPLEX) o.flip = UINT64_C(1) << (8 * t->bytes - 1);
  return o;
}

#endif
