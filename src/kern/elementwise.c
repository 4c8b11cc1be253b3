/* The lookup of element-wise kernels, and the checks of their second operands. */
#include "kern/elementwise.h"

#include "kern/family.h"

ndi_kernel *ndi_kernel_find(nd_op op, nd_dtype dtype) {
#define ND_ROW(name) ndi_##name##_find,
  static ndi_kernel *(*const families[])(nd_op, nd_dtype) = {ND_FAMILIES(ND_ROW)};
#undef ND_ROW
  ndi_kernel *found = NULL;
  for (size_t i = 0; i < ND_COUNTOF(families) && !found; i++) found = families[i](op, dtype);
  return found;
}

#define BODY_BOOL "kern/operand_zero.inc"
#define BODY_UNSIGNED "kern/operand_zero.inc"
#define BODY_SIGNED "kern/operand_zero.inc"
#include "kern/made/each_dtype.h"

#define BODY_SIGNED "kern/operand_signed.inc"
#include "kern/made/each_dtype.h"

#define ND_ROW(ID, name, ...) [ND_##ID] = find_zero_##name,
static ndi_operand_check *const zeros[ND_DTYPE_COUNT] = {ND_BOOLS(ND_ROW) ND_INTEGERS(ND_ROW)};
#undef ND_ROW

/* Unsigned integers are never negative: no check. */
#define negatives_int(name) find_negative_##name
#define negatives_uint(name) NULL
#define ND_ROW(ID, name, type, compute, near, class, ...) [ND_##ID] = negatives_##class(name),
static ndi_operand_check *const negatives[ND_DTYPE_COUNT] = {ND_INTEGERS(ND_ROW)};
#undef ND_ROW

ndi_operand_check *ndi_operand_check_find(nd_op op, nd_dtype dtype) {
  switch (nd_op_second(op)->refused) {
    case ND_REFUSES_NONE: return NULL;
    case ND_REFUSES_ZERO: return zeros[dtype];
    case ND_REFUSES_NEGATIVE: return negatives[dtype];
  }
  return NULL;
}
