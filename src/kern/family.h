/* What the families of element-wise kernels share.
 *
 * A family is a set of files <family>_<group>.inc; the group says for which dtypes a file is
 * (tools/kern.lua has the list). A file has bodies, which are functions of values:
 *
 * static inline T FN(add_of)(T a, T b) { return … }
 *
 * The suffix of the name selects the loop around the body: _of takes the values of one or two
 * operands (loop1.inc, loop2.inc); _to the addresses of the result and of three operands
 * (loop3.inc); _lane a value, always in whole vectors, and _near the same, with an _far for large
 * values (lanes.inc). Without a suffix, FN(add) is the complete kernel. tools/kern.lua writes
 * made/<family>.c, which includes bodies and loops once per dtype and has their table. Small floats
 * have no kernels: they are computed in f32. */
#ifndef ND_KERN_FAMILY_H
#define ND_KERN_FAMILY_H

#ifndef __CUDACC_RTC__
#include <tgmath.h>

#include "kern/elementwise.h"
#include "kern/level.h"
#endif
#include "kern/words.h"

/* a / b of integers, truncated, where b is neither 0 nor, of signed ones, -1: those of 32 bits and
 * less by floats that hold them, which vectorise. These quotients are exact: one that is not whole
 * is at least 1 / b below the next whole number, and rounding moves it by less. */
#define ND_QUOTIENT(a, b)                            \
  (sizeof(T) == 8   ? (T)((a) / (b))                 \
   : sizeof(T) == 4 ? (T)((double)(a) / (double)(b)) \
                    : (T)(int32_t)((float)(a) / (float)(b)))

/* The families; each is a translation unit of its own. */
#define ND_FAMILIES(X) X(arith) X(bits) X(order) X(whole) X(math)

#ifndef __CUDACC_RTC__
/* The lookups of the families. NULL also for operations of other families. */
#define ND_ROW(name) ndi_kernel *ndi_##name##_find(nd_op op, nd_dtype dtype);
ND_FAMILIES(ND_ROW)
#undef ND_ROW
#endif

#endif
