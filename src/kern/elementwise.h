/* Kernels of the elementwise operations. */
#ifndef ND_KERN_ELEMENTWISE_H
#define ND_KERN_ELEMENTWISE_H

#include "base/dtype.h"
#include "base/op.h"

/* at[0] is written, at[1 …] are read, as many as the operation has operands; step[i] are the byte
 * steps, which may be 0 or negative. Nothing need be aligned. The written side is one of the
 * others, element for element, or apart from them. */
typedef void ndi_kernel(size_t n, char *const *at, const ptrdiff_t *step);

/* The loop of 'op' whose operands are of 'dtype'; what is written is of 'dtype' too, or of what
 * the list says. The first operand of WHERE is bool, those of logical operations are. NULL: the
 * operation is not defined for the dtype, or it is a small float, which computes in f32 and is
 * rounded once.
 *
 * Integers wrap modulo 2^n, order and division are those of the dtype. The bits of a result depend
 * on the operands' only, not on steps and places. */
ndi_kernel *ndi_kernel_find(nd_op op, nd_dtype dtype);

/* The first element that 'op' cannot take as its second operand (0 to divide integers by, a
 * negative power of integers, a negative count of bits); 'n' when there is none. The loops
 * themselves take all. NULL: so does the operation. */
typedef size_t ndi_operand_check(size_t n, const char *y, ptrdiff_t dy);
ndi_operand_check *ndi_operand_check_find(nd_op op, nd_dtype dtype);

#endif
