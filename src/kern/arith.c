/* Arithmetic. */
#include <tgmath.h>

#include "kern/complex.h"
#include "kern/family.h"

#define BODY_BOOL "kern/arith_bool.inc"
#define BODY_UNSIGNED "kern/arith_unsigned.inc"
#define BODY_SIGNED "kern/arith_signed.inc"
#define BODY_FLOAT "kern/arith_float.inc"
#define BODY_COMPLEX "kern/arith_complex.inc"
#include "kern/each_number.h"

#define ALL_NUMBERS(op) ND_OF_INTEGERS(op), ND_OF_FLOATS(op), ND_OF_COMPLEX(op)
#define ALL_REALS(op) ND_OF_UNSIGNED(op), ND_OF_SIGNED(op), ND_OF_FLOATS(op)

static const ndi_kernel_row rows[] = {
    {ND_OP_ADD, {ND_OF_BOOL(add), ALL_NUMBERS(add)}},
    {ND_OP_SUB, {ALL_NUMBERS(sub)}},
    {ND_OP_MUL, {ND_OF_BOOL(mul), ALL_NUMBERS(mul)}},
    {ND_OP_DIV, {ND_OF_FLOATS(div), ND_OF_COMPLEX(div)}},
    {ND_OP_IDIV, {ALL_REALS(idiv)}},
    {ND_OP_MOD, {ALL_REALS(mod)}},
    {ND_OP_POW, {ND_OF_INTEGERS(pow), ND_OF_FLOATS(pow)}},
    {ND_OP_NEG, {ALL_NUMBERS(neg)}},
    {ND_OP_SQUARE, {ALL_NUMBERS(square)}},
    {ND_OP_RECIPROCAL, {ND_OF_FLOATS(reciprocal), ND_OF_COMPLEX(reciprocal)}}};

static ndi_kernel *find(nd_op op, nd_dtype dtype) {
  return ndi_row_find(rows, ND_COUNTOF(rows), op, dtype);
}

ND_LEVELED(ndi_kernel *, ndi_arith_find, find, (nd_op op, nd_dtype dtype), (op, dtype))
