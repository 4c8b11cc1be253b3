/* Sorting packed elements by vector instructions (kern/sort.c), where the processor has them. */
#ifndef ND_KERN_QUICK_H
#define ND_KERN_QUICK_H

#include "kern/sort.h"

/* A quicksort of keys (kern/sort_keys.inc), in place. Threads can share a line: make keys; split
 * them, and what that gives, until there are enough pieces; finish each of these. */
typedef struct ndi_quick {
  /* Sort 'n' elements. */
  void (*sort)(size_t n, char *x, const ndi_sort_order *o);
  /* Replace elements by their keys. */
  void (*make)(size_t n, char *x, const ndi_sort_order *o);
  /* Move lesser keys to the front, near half of all; returns their number, which is 'n' where there
   * are few keys, or no lesser ones. */
  size_t (*split)(size_t n, char *keys);
  /* Sort keys, and replace them by their elements. */
  void (*finish)(size_t n, char *keys, const ndi_sort_order *o);
  /* Sort keys, at most 'few' of them. */
  void (*sort_few)(size_t n, char *keys);
  size_t few;
} ndi_quick;

/* For elements of 'item' bytes; NULL where the radix sort is faster, or without AVX2. */
const ndi_quick *ndi_quick_find(size_t item);

#endif
