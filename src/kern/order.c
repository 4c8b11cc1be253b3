/* Comparisons, minimum and maximum. */
#include "kern/family.h"

#define BODY_BOOL "kern/order_unsigned.inc"
#define BODY_UNSIGNED "kern/order_unsigned.inc"
#define BODY_SIGNED "kern/order_signed.inc"
#define BODY_FLOAT "kern/order_float.inc"
#define BODY_COMPLEX "kern/order_same.inc"
#include "kern/each_number.h"

#define ALL_ORDERED(op) ND_OF_BOOL(op), ND_OF_UNSIGNED(op), ND_OF_SIGNED(op), ND_OF_FLOATS(op)
#define ALL_DTYPES(op) ND_OF_BOOL(op), ND_OF_INTEGERS(op), ND_OF_FLOATS(op), ND_OF_COMPLEX(op)

static const ndi_kernel_row rows[] = {{ND_OP_LT, {ALL_ORDERED(lt)}},
                                      {ND_OP_LE, {ALL_ORDERED(le)}},
                                      {ND_OP_GT, {ALL_ORDERED(gt)}},
                                      {ND_OP_GE, {ALL_ORDERED(ge)}},
                                      {ND_OP_EQ, {ALL_DTYPES(eq)}},
                                      {ND_OP_NE, {ALL_DTYPES(ne)}},
                                      {ND_OP_MINIMUM, {ALL_ORDERED(minimum)}},
                                      {ND_OP_MAXIMUM, {ALL_ORDERED(maximum)}},
                                      {ND_OP_CLAMP, {ALL_ORDERED(clamp)}}};

static ndi_kernel *find(nd_op op, nd_dtype dtype) {
  return ndi_row_find(rows, ND_COUNTOF(rows), op, dtype);
}

ND_LEVELED(ndi_kernel *, ndi_order_find, find, (nd_op op, nd_dtype dtype), (op, dtype))
