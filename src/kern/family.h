/* What the families of elementwise kernels share: how their bodies are included, how their loops
 * are listed. The small floats have none: they compute in f32. */
#ifndef ND_KERN_FAMILY_H
#define ND_KERN_FAMILY_H

#include "kern/elementwise.h"
#include "kern/level.h"
#include "kern/words.h"

/* A family's .inc holds functions of values, "static inline T FN(add_of)(T a, T b)", and includes
 * for each of them a loop (kern/loop1.inc, loop2, loop3), with
 *   OP      its name: add
 *   GIVES   the dtype that is written: DTYPE, or _bool */
#define VALUE(p) ND_CAT(value, DTYPE)(p) /* a T; bools are 0 or 1 */

static inline type_bool value_bool(const char *p) { return *p != 0; }
#define ND_ROW(name, ...) \
  static inline type_##name value_##name(const char *p) { return raw_##name(p); }
ND_PLAIN_DTYPES(ND_ROW)
ND_COMPLEX_DTYPES(ND_ROW)
#undef ND_ROW

#ifdef __clang__ /* tells of every loop that ND_APART does not vectorise */
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

/* The loops of one operation by dtype; what it is not defined for stays NULL. */
typedef struct {
  nd_op op;
  ndi_kernel *loops[ND_DTYPE_COUNT];
} ndi_kernel_row;

#define ND_OF_BOOL(op) [ND_BOOL] = op##_bool
#define ND_OF_UNSIGNED(op) \
  [ND_U8] = op##_u8, [ND_U16] = op##_u16, [ND_U32] = op##_u32, [ND_U64] = op##_u64
#define ND_OF_SIGNED(op) \
  [ND_I8] = op##_i8, [ND_I16] = op##_i16, [ND_I32] = op##_i32, [ND_I64] = op##_i64
#define ND_OF_FLOATS(op) [ND_F32] = op##_f32, [ND_F64] = op##_f64
#define ND_OF_COMPLEX(op) [ND_C64] = op##_c64, [ND_C128] = op##_c128

/* The unsigned loops for both: where the bits do not depend on the sign. */
#define ND_OF_INTEGERS(op)                                                         \
  ND_OF_UNSIGNED(op), [ND_I8] = op##_u8, [ND_I16] = op##_u16, [ND_I32] = op##_u32, \
                      [ND_I64] = op##_u64

static inline ndi_kernel *ndi_row_find(const ndi_kernel_row *rows, size_t count, nd_op op,
                                       nd_dtype dtype) {
  ndi_kernel *found = NULL;
  for (size_t i = 0; i < count; i++)
    if (rows[i].op == op) found = rows[i].loops[dtype];
  return found;
}

/* ndi_kernel_find of each family: NULL also for the operations of others. */
ndi_kernel *ndi_arith_find(nd_op op, nd_dtype dtype);
ndi_kernel *ndi_bits_find(nd_op op, nd_dtype dtype);
ndi_kernel *ndi_order_find(nd_op op, nd_dtype dtype);
ndi_kernel *ndi_whole_find(nd_op op, nd_dtype dtype);
ndi_kernel *ndi_math_find(nd_op op, nd_dtype dtype);
ndi_kernel *ndi_where_find(nd_op op, nd_dtype dtype);

#endif
