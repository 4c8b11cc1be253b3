/* The lookup of elementwise kernels, and the checks of their operands. */
#include "kern/elementwise.h"

#include "kern/family.h"

ndi_kernel *ndi_kernel_find(nd_op op, nd_dtype dtype) {
  static ndi_kernel *(*const families[])(nd_op, nd_dtype) = {
      ndi_arith_find, ndi_bits_find, ndi_order_find, ndi_whole_find, ndi_math_find, ndi_where_find};
  ndi_kernel *found = NULL;
  for (size_t i = 0; i < ND_COUNTOF(families) && !found; i++) found = families[i](op, dtype);
  return found;
}

#define BODY_BOOL "kern/operand_zero.inc"
#define BODY_UNSIGNED "kern/operand_zero.inc"
#define BODY_SIGNED "kern/operand_signed.inc"
#include "kern/each_number.h"

ndi_operand_check *ndi_operand_check_find(nd_op op, nd_dtype dtype) {
#define ZERO(op) ND_OF_BOOL(op), ND_OF_UNSIGNED(op), ND_OF_SIGNED(op)
  static ndi_operand_check *const zeros[ND_DTYPE_COUNT] = {ZERO(find_zero)};
  static ndi_operand_check *const negatives[ND_DTYPE_COUNT] = {ND_OF_SIGNED(find_negative)};
  switch (op) {
    case ND_OP_IDIV:
    case ND_OP_MOD: return zeros[dtype];
    case ND_OP_POW:
    case ND_OP_SHL:
    case ND_OP_SHR: return negatives[dtype];
    default: return NULL;
  }
}
