/* The dtypes: one list with a row for each. To add one, add a row here and its conversions to
 * kern/cast. */
#ifndef ND_BASE_DTYPE_H
#define ND_BASE_DTYPE_H

#include <stdbool.h>

#include "base/platform.h"

typedef enum { ND_KIND_BOOL, ND_KIND_INT, ND_KIND_UINT, ND_KIND_FLOAT, ND_KIND_COMPLEX } nd_kind;

/* The type codes of DLPack (xchg/dlpack.h), whose numbers these are. */
typedef enum {
  ND_DLPACK_INT,
  ND_DLPACK_UINT,
  ND_DLPACK_FLOAT,
  ND_DLPACK_BFLOAT = 4,
  ND_DLPACK_COMPLEX,
  ND_DLPACK_BOOL,
  ND_DLPACK_FLOAT8_E4M3FN = 10,
  ND_DLPACK_FLOAT8_E5M2 = 12
} nd_dlpack_code;

/* ORDER DTYPE. Columns: enumerator, name, C type that stores it, bytes, alignment, kind, NumPy
 * descr (little-endian), DLPack code, format of Arrow's C data interface (NULL: Arrow lacks it).
 * NumPy has neither bf16 nor f8: in its files they are raw items ('V'). Arrow's bool is of bits. */
#define ND_DTYPES(X)                                                    \
  X(BOOL, bool, uint8_t, 1, 1, BOOL, "|b1", BOOL, "b")                  \
  X(I8, i8, int8_t, 1, 1, INT, "|i1", INT, "c")                         \
  X(U8, u8, uint8_t, 1, 1, UINT, "|u1", UINT, "C")                      \
  X(I16, i16, int16_t, 2, 2, INT, "<i2", INT, "s")                      \
  X(U16, u16, uint16_t, 2, 2, UINT, "<u2", UINT, "S")                   \
  X(I32, i32, int32_t, 4, 4, INT, "<i4", INT, "i")                      \
  X(U32, u32, uint32_t, 4, 4, UINT, "<u4", UINT, "I")                   \
  X(I64, i64, int64_t, 8, 8, INT, "<i8", INT, "l")                      \
  X(U64, u64, uint64_t, 8, 8, UINT, "<u8", UINT, "L")                   \
  X(F16, f16, uint16_t, 2, 2, FLOAT, "<f2", FLOAT, "e")                 \
  X(BF16, bf16, uint16_t, 2, 2, FLOAT, "<V2", BFLOAT, NULL)             \
  X(F32, f32, float, 4, 4, FLOAT, "<f4", FLOAT, "f")                    \
  X(F64, f64, double, 8, 8, FLOAT, "<f8", FLOAT, "g")                   \
  X(C64, c64, float _Complex, 8, 4, COMPLEX, "<c8", COMPLEX, NULL)      \
  X(C128, c128, double _Complex, 16, 8, COMPLEX, "<c16", COMPLEX, NULL) \
  X(F8E4M3, f8e4m3, uint8_t, 1, 1, FLOAT, "|V1", FLOAT8_E4M3FN, NULL)   \
  X(F8E5M2, f8e5m2, uint8_t, 1, 1, FLOAT, "|V1", FLOAT8_E5M2, NULL)

#define ND_ROW(ID, ...) ND_##ID,
typedef enum { ND_DTYPES(ND_ROW) ND_DTYPE_COUNT } nd_dtype;
#undef ND_ROW

typedef struct {
  const char *name;
  uint8_t bytes, align;
  nd_kind kind;
  const char *descr;
  nd_dlpack_code dlpack;
  const char *arrow;
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
