/* Bits, shifts and logic. */
#include "kern/family.h"

#define BODY_BOOL "kern/bits_bool.inc"
#define BODY_UNSIGNED "kern/bits.inc"
#define BODY_SIGNED "kern/bits_signed.inc"
#include "kern/each_number.h"

#define ALL_BITS(op) ND_OF_BOOL(op), ND_OF_INTEGERS(op)

static const ndi_kernel_row rows[] = {{ND_OP_LOGICAL_AND, {ND_OF_BOOL(bit_and)}},
                                      {ND_OP_LOGICAL_OR, {ND_OF_BOOL(bit_or)}},
                                      {ND_OP_LOGICAL_XOR, {ND_OF_BOOL(bit_xor)}},
                                      {ND_OP_LOGICAL_NOT, {ND_OF_BOOL(bit_not)}},
                                      {ND_OP_BIT_AND, {ALL_BITS(bit_and)}},
                                      {ND_OP_BIT_OR, {ALL_BITS(bit_or)}},
                                      {ND_OP_BIT_XOR, {ALL_BITS(bit_xor)}},
                                      {ND_OP_BIT_NOT, {ALL_BITS(bit_not)}},
                                      {ND_OP_SHL, {ND_OF_INTEGERS(shl)}},
                                      {ND_OP_SHR, {ND_OF_UNSIGNED(shr), ND_OF_SIGNED(shr)}}};

static ndi_kernel *find(nd_op op, nd_dtype dtype) {
  return ndi_row_find(rows, ND_COUNTOF(rows), op, dtype);
}

ND_LEVELED(ndi_kernel *, ndi_bits_find, find, (nd_op op, nd_dtype dtype), (op, dtype))
