/* Magnitude, sign, rounding to whole numbers, and kinds of floats. */
#include <tgmath.h>

#include "kern/complex.h"
#include "kern/family.h"

#define BODY_UNSIGNED "kern/whole_unsigned.inc"
#define BODY_SIGNED "kern/whole_signed.inc"
#define BODY_FLOAT "kern/whole_float.inc"
#define BODY_COMPLEX "kern/whole_complex.inc"
#include "kern/each_number.h"

/* What bools and integers always are, whatever their size. */
static void fill_bools(size_t n, char *z, ptrdiff_t dz, char value) {
  for (size_t i = 0; i < n; i++, z += dz) *z = value;
}

static void always(size_t n, char *const *at, const ptrdiff_t *step) {
  fill_bools(n, at[0], step[0], 1);
}

static void never(size_t n, char *const *at, const ptrdiff_t *step) {
  fill_bools(n, at[0], step[0], 0);
}

#define ALL_KINDS(op, other)                                                                 \
  ND_OF_FLOATS(op), ND_OF_COMPLEX(op), [ND_BOOL] = other, [ND_U8] = other, [ND_U16] = other, \
                                       [ND_U32] = other, [ND_U64] = other, [ND_I8] = other,  \
                                       [ND_I16] = other, [ND_I32] = other, [ND_I64] = other

static const ndi_kernel_row rows[] = {
    {ND_OP_ABS, {ND_OF_UNSIGNED(keep), ND_OF_SIGNED(abs), ND_OF_FLOATS(abs), ND_OF_COMPLEX(abs)}},
    {ND_OP_SIGN, {ND_OF_UNSIGNED(sign), ND_OF_SIGNED(sign), ND_OF_FLOATS(sign)}},
    {ND_OP_FLOOR, {ND_OF_INTEGERS(keep), ND_OF_FLOATS(floor)}},
    {ND_OP_CEIL, {ND_OF_INTEGERS(keep), ND_OF_FLOATS(ceil)}},
    {ND_OP_ROUND, {ND_OF_INTEGERS(keep), ND_OF_FLOATS(round)}},
    {ND_OP_TRUNC, {ND_OF_INTEGERS(keep), ND_OF_FLOATS(trunc)}},
    {ND_OP_ISNAN, {ALL_KINDS(isnan, never)}},
    {ND_OP_ISINF, {ALL_KINDS(isinf, never)}},
    {ND_OP_ISFINITE, {ALL_KINDS(isfinite, always)}}};

static ndi_kernel *find(nd_op op, nd_dtype dtype) {
  return ndi_row_find(rows, ND_COUNTOF(rows), op, dtype);
}

ND_LEVELED(ndi_kernel *, ndi_whole_find, find, (nd_op op, nd_dtype dtype), (op, dtype))
