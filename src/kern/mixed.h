/* Mixed comparisons: of 64-bit integers with those of other signedness, with floats and with
 * complex numbers, which no common dtype represents exactly. The results are mathematically
 * exact. */
#ifndef ND_KERN_MIXED_H
#define ND_KERN_MIXED_H

#include "kern/compare.h"
#include "kern/elementwise.h"

/* 'x' and 'y' are i64, u64, f64 or c128 (nd_dtype_widest), different, and at least one is an
 * integer. NULL: 'op' is no comparison, or it is one by order and a side is complex. */
ndi_kernel *ndi_mixed_find(nd_op op, nd_dtype x, nd_dtype y);

/* Never NULL. The exact difference, rounded, is compared with the tolerance. */
ndi_close_kernel *ndi_mixed_close_find(nd_dtype x, nd_dtype y);

#endif
