/* Kernels of the elementwise operations. */
#ifndef ND_KERN_ELEMENTWISE_H
#define ND_KERN_ELEMENTWISE_H

#include "base/dtype.h"
#include "base/op.h"

/* at[0] is the output, at[1 …] the operands, as many as the operation has; step[i] are their byte
 * steps, which may be 0 or negative. Nothing need be aligned. The output equals an operand exactly,
 * element for element, or overlaps none. */
typedef void ndi_kernel(size_t n, char *const *at, const ptrdiff_t *step);

/* The kernel of 'op' for operands of 'dtype'; its output has the dtype that base/op.h says. The
 * first operand of WHERE is bool, and so are all of the logical operations. NULL: the operation is
 * not defined for the dtype, or this is a small float, which is computed in f32 and rounded once.
 *
 * Integers wrap modulo 2^n; order and division are those of the dtype. The bits of a result depend
 * on its operands only, never on steps, position or alignment. */
ndi_kernel *ndi_kernel_find(nd_op op, nd_dtype dtype);

/* Index of the first element that 'op' has no result for as its second operand (integers: a divisor
 * of 0, a negative exponent or shift count); 'n' when there is none. The kernels themselves accept
 * any operand without faulting. NULL: every operand has a result. */
typedef size_t ndi_operand_check(size_t n, const char *y, ptrdiff_t dy);
ndi_operand_check *ndi_operand_check_find(nd_op op, nd_dtype dtype);

#endif
