/* Kernels of scans: running sums, products, minima and maxima. */
#ifndef ND_KERN_SCAN_H
#define ND_KERN_SCAN_H

#include "base/dtype.h"
#include "base/op.h"

/* A line is cut into chunks of NDI_SCAN_CHUNK elements, these into blocks of NDI_SCAN_BLOCK. Within
 * a block elements follow one another; what came before the block is the join of 'base', which is
 * what came before the chunk, and 'inner', the blocks of the chunk so far. So every bit depends
 * only on the place of an element in its line. Sums of floats keep base and inner as a double and
 * its rounding error, by the exact sum of two numbers (Knuth, The Art of Computer Programming
 * 2, 4.2.2, theorem B): the error of an element is that of its block of 16 alone, whatever the
 * length. */
enum { NDI_SCAN_BLOCK = 16, NDI_SCAN_CHUNK = 1 << 15, NDI_SCAN_WIDTH = 128 };

/* What precedes an element, for whichever operation and dtype. */
typedef struct {
  double words[2];
} ndi_scan_acc;

/* Where elements are and where results go: 'dx' and 'dz' bytes from one of a line to the next. With
 * 'z' NULL there are no results, only what 'inner' becomes. */
typedef struct {
  const char *x;
  char *z;
  ptrdiff_t dx, dz;
} ndi_scan_line;

typedef struct {
  /* each element needs the one before it: a line is one chunk, of which 'base' is not read */
  bool is_serial;
  /* Make 'n' accumulators those of no elements. */
  void (*start)(size_t n, ndi_scan_acc *acc);
  /* Add to 'n' accumulators those of the elements that follow theirs. */
  void (*join)(size_t n, ndi_scan_acc *acc, const ndi_scan_acc *later); /* not if is_serial */
  /* Scan 'n' elements; all but the last call of a chunk have a multiple of NDI_SCAN_BLOCK. */
  void (*line)(size_t n, const ndi_scan_line *at, const ndi_scan_acc *base, ndi_scan_acc *inner);
  /* The same for 'width' lines, at most NDI_SCAN_WIDTH, side by side: 'ex' and 'ez' bytes from one
   * to the next. */
  void (*rows)(size_t n, size_t width, const ndi_scan_line *at, ptrdiff_t ex, ptrdiff_t ez,
               const ndi_scan_acc *base, ndi_scan_acc *inner);
} ndi_scanner;

/* How to scan elements of 'dtype' by 'op', one of the group SCAN, into the dtype of the result.
 * NULL where it is not defined. Sums of complex numbers are those of their parts: the scanner is
 * for these. 'z' may be 'x' where dtypes and steps are the same. */
const ndi_scanner *ndi_scan_find(nd_op op, nd_dtype dtype);

#endif
