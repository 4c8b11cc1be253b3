/* Comparisons of numbers that no dtype holds both of: 64-bit integers with those of the other sign,
 * with floats and with complex numbers. Exact: as mathematics has it. */
#ifndef ND_KERN_MIXED_H
#define ND_KERN_MIXED_H

#include "kern/compare.h"
#include "kern/elementwise.h"

/* 'x' and 'y' are i64, u64, f64 or c128 (nd_dtype_widest), not the same and not both of the last
 * two. NULL: 'op' is no comparison, or one of order and a side is complex. */
ndi_kernel *ndi_mixed_find(nd_op op, nd_dtype x, nd_dtype y);

/* Never NULL. What is compared with the tolerance is the exact difference, rounded. */
ndi_close_kernel *ndi_mixed_close_find(nd_dtype x, nd_dtype y);

#endif
