/* The dtypes: one list with a row for each. To add one, add a row here and its conversions to
 * kern/cast. */
#ifndef ND_BASE_DTYPE_H
#define ND_BASE_DTYPE_H

#include <stdbool.h>

#include "base/platform.h"

typedef enum { ND_KIND_BOOL, ND_KIND_INT, ND_KIND_UINT, ND_KIND_FLOAT, ND_KIND_COMPLEX } nd_kind;

/* ORDER DTYPE. Columns: enumerator, name, C type that stores it, bytes, alignment, kind, NumPy
 * descr (little-endian). NumPy has neither bf16 nor f8: in its files they are raw items ('V'). */
#define ND_DTYPES(X)                                     \
  X(BOOL, bool, uint8_t, 1, 1, BOOL, "|b1")              \
  X(I8, i8, int8_t, 1, 1, INT, "|i1")                    \
  X(U8, u8, uint8_t, 1, 1, UINT, "|u1")                  \
  X(I16, i16, int16_t, 2, 2, INT, "<i2")                 \
  X(U16, u16, uint16_t, 2, 2, UINT, "<u2")               \
  X(I32, i32, int32_t, 4, 4, INT, "<i4")                 \
  X(U32, u32, uint32_t, 4, 4, UINT, "<u4")               \
  X(I64, i64, int64_t, 8, 8, INT, "<i8")                 \
  X(U64, u64, uint64_t, 8, 8, UINT, "<u8")               \
  X(F16, f16, uint16_t, 2, 2, FLOAT, "<f2")              \
  X(BF16, bf16, uint16_t, 2, 2, FLOAT, "<V2")            \
  X(F32, f32, float, 4, 4, FLOAT, "<f4")                 \
  X(F64, f64, double, 8, 8, FLOAT, "<f8")                \
  X(C64, c64, float _Complex, 8, 4, COMPLEX, "<c8")      \
  X(C128, c128, double _Complex, 16, 8, COMPLEX, "<c16") \
  X(F8E4M3, f8e4m3, uint8_t, 1, 1, FLOAT, "|V1")         \
  X(F8E5M2, f8e5m2, uint8_t, 1, 1, FLOAT, "|V1")

#define ND_ROW(ID, ...) ND_##ID,
typedef enum { ND_DTYPES(ND_ROW) ND_DTYPE_COUNT } nd_dtype;
#undef ND_ROW

typedef struct {
  const char *name;
  uint8_t bytes, align;
  nd_kind kind;
  const char *descr;
} nd_dtype_traits;

extern const nd_dtype_traits ndi_dtype_traits[];

/* The row of 'dtype', which must be in the list. Static. */
static inline const nd_dtype_traits *nd_dtype_get(nd_dtype dtype) {
  return &ndi_dtype_traits[dtype];
}

/* Set '*out' to the dtype of this name (case counts). False, with '*out' untouched: none has it. */
bool nd_dtype_find(const char *name, nd_dtype *out);

/* Set '*out' to the dtype that an operation on 'a' and 'b' uses, by the rules of
 * numpy.promote_types. For bf16 and f8, which NumPy lacks: with another float the result is f32 or
 * wider; bf16 with an 8-bit integer is bf16, which holds those exactly.
 *
 * False, with '*out' untouched: i64 with u64, which no dtype holds both of, and 64-bit integers
 * with f32, bf16 or f8. The caller then has to convert one of them. */
bool nd_dtype_promote(nd_dtype a, nd_dtype b, nd_dtype *out);

/* The promotion of 'a' and 'b' if it represents every value of both, so that they can be compared
 * in it. ND_DTYPE_COUNT if there is no such dtype, which needs a 64-bit integer: then a comparison
 * converts each operand to its nd_dtype_widest and uses a kernel for mixed dtypes. */
nd_dtype nd_dtype_promote_exact(nd_dtype a, nd_dtype b);

/* What a conversion does with values that the target cannot represent.
 * To an integer: truncate toward zero, then saturate (ND_WRAP: reduce modulo 2^n; infinities are
 * 0); NaN is 0. To bool: x != 0, so that NaN is true. To a float: round once, to nearest even;
 * overflow gives infinity (f8e4m3, which has none: 448). Real to complex: the imaginary part is 0.
 * ND_CHECK fails at the first element whose value would change by more than rounding, before
 * anything is written. */
typedef enum { ND_SATURATE, ND_WRAP, ND_CHECK } nd_cast_mode;

/* The dtype of the real and the imaginary part of a complex dtype; any other dtype is itself. */
static inline nd_dtype nd_dtype_part(nd_dtype dtype) {
  return dtype == ND_C64 ? ND_F32 : dtype == ND_C128 ? ND_F64 : dtype;
}

static inline bool nd_kind_is_integer(nd_kind kind) {
  return kind == ND_KIND_INT || kind == ND_KIND_UINT;
}

/* The widest dtype of the same kind, which represents every value of 'dtype'; bool's is u64. */
static inline nd_dtype nd_dtype_widest(nd_dtype dtype) {
  switch (nd_dtype_get(dtype)->kind) {
    case ND_KIND_INT: return ND_I64;
    case ND_KIND_FLOAT: return ND_F64;
    case ND_KIND_COMPLEX: return ND_C128;
    case ND_KIND_BOOL:
    case ND_KIND_UINT: break;
  }
  return ND_U64;
}

/* May an integer of 'from' be rounded in 'to', its promotion or the dtype it is computed in? That
 * takes 64 bits: all narrower integers are promoted to floats that hold them exactly. */
static inline bool nd_dtype_is_lossy(nd_dtype to, nd_dtype from) {
  const nd_kind kind = nd_dtype_get(to)->kind;
  const bool is_float = kind == ND_KIND_FLOAT || kind == ND_KIND_COMPLEX;
  return is_float && (from == ND_I64 || from == ND_U64);
}

#endif
