/* The dtypes: one list, one row each. Adding one is a row here and its conversions in kern/cast. */
#ifndef ND_BASE_DTYPE_H
#define ND_BASE_DTYPE_H

#include <stdbool.h>

#include "base/platform.h"

typedef enum { ND_KIND_BOOL, ND_KIND_INT, ND_KIND_UINT, ND_KIND_FLOAT, ND_KIND_COMPLEX } nd_kind;

/* ORDER DTYPE: id, name, C type that stores it, bytes, alignment, kind, NumPy descr
 * (little-endian), DLPack code, Arrow format (NULL: none), FFI ctype. bf16 and f8 have no descr of
 * NumPy's own: raw bytes. */
#define ND_DTYPES(X)                                                                \
  X(BOOL, bool, uint8_t, 1, 1, BOOL, "|b1", 6, "b", "uint8_t")                      \
  X(I8, i8, int8_t, 1, 1, INT, "|i1", 0, "c", "int8_t")                             \
  X(U8, u8, uint8_t, 1, 1, UINT, "|u1", 1, "C", "uint8_t")                          \
  X(I16, i16, int16_t, 2, 2, INT, "<i2", 0, "s", "int16_t")                         \
  X(U16, u16, uint16_t, 2, 2, UINT, "<u2", 1, "S", "uint16_t")                      \
  X(I32, i32, int32_t, 4, 4, INT, "<i4", 0, "i", "int32_t")                         \
  X(U32, u32, uint32_t, 4, 4, UINT, "<u4", 1, "I", "uint32_t")                      \
  X(I64, i64, int64_t, 8, 8, INT, "<i8", 0, "l", "int64_t")                         \
  X(U64, u64, uint64_t, 8, 8, UINT, "<u8", 1, "L", "uint64_t")                      \
  X(F16, f16, uint16_t, 2, 2, FLOAT, "<f2", 2, "e", "uint16_t")                     \
  X(BF16, bf16, uint16_t, 2, 2, FLOAT, "<V2", 4, NULL, "uint16_t")                  \
  X(F32, f32, float, 4, 4, FLOAT, "<f4", 2, "f", "float")                           \
  X(F64, f64, double, 8, 8, FLOAT, "<f8", 2, "g", "double")                         \
  X(C64, c64, float _Complex, 8, 4, COMPLEX, "<c8", 5, NULL, "complex float")       \
  X(C128, c128, double _Complex, 16, 8, COMPLEX, "<c16", 5, NULL, "complex double") \
  X(F8E4M3, f8e4m3, uint8_t, 1, 1, FLOAT, "|V1", 10, NULL, "uint8_t")               \
  X(F8E5M2, f8e5m2, uint8_t, 1, 1, FLOAT, "|V1", 12, NULL, "uint8_t")

#define ND_ROW(ID, ...) ND_##ID,
typedef enum { ND_DTYPES(ND_ROW) ND_DTYPE_COUNT } nd_dtype;
#undef ND_ROW

typedef struct {
  const char *name;
  uint8_t bytes, align;
  nd_kind kind;
  const char *descr;
  uint8_t dlpack;
  const char *arrow, *ctype;
} nd_dtype_traits;

extern const nd_dtype_traits ndi_dtype_traits[];

/* Static; 'dtype' must be one of the list. */
static inline const nd_dtype_traits *nd_dtype_get(nd_dtype dtype) {
  return &ndi_dtype_traits[dtype];
}

/* The dtype of this name, exactly as in the list. False: no such name, '*out' untouched. */
bool nd_dtype_find(const char *name, nd_dtype *out);

/* NumPy's promotion of two dtypes (numpy.promote_types). bf16 and f8 meet others in the float
 * that holds both, f32 at least; bf16 holds the integers of 8 bits.
 * False for i64 with u64 and for 64-bit integers with f32, bf16 or f8: the caller names astype. */
bool nd_dtype_promote(nd_dtype a, nd_dtype b, nd_dtype *out);

/* The dtype that arrays of 'a' and 'b' are compared in: their promotion, where it holds every value
 * of both, as it does but for 64-bit integers. ND_DTYPE_COUNT: none does; nd_dtype_widest of each
 * is compared with the other's. */
nd_dtype nd_dtype_compared(nd_dtype a, nd_dtype b);

/* How a conversion treats what the target cannot hold. To an integer: truncate toward zero, then
 * saturate, NaN is 0; ND_WRAP takes it modulo 2^n instead (infinities and NaN are 0). To bool: x !=
 * 0 (NaN is true). To a float: one rounding to nearest even, overflow to infinity (f8e4m3: to 448).
 * Real to complex: imaginary 0. ND_CHECK refuses, before anything is written, the first element
 * that would change by more than rounding. */
typedef enum { ND_SATURATE, ND_WRAP, ND_CHECK } nd_cast_mode;

/* Of a complex dtype that of its parts, else itself. */
static inline nd_dtype nd_dtype_part(nd_dtype dtype) {
  return dtype == ND_C64 ? ND_F32 : dtype == ND_C128 ? ND_F64 : dtype;
}

static inline bool nd_kind_is_integer(nd_kind kind) {
  return kind == ND_KIND_INT || kind == ND_KIND_UINT;
}

/* The widest of its kind: u64 (of bool too), i64, f64, c128. It holds every value of 'dtype'. */
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

/* Do integers of 'from' lose digits in 'to', a dtype that they are promoted to or computed in? */
static inline bool nd_dtype_rounds(nd_dtype to, nd_dtype from) {
  const nd_kind kind = nd_dtype_get(to)->kind;
  const bool is_float = kind == ND_KIND_FLOAT || kind == ND_KIND_COMPLEX;
  return is_float && (from == ND_I64 || from == ND_U64);
}

#endif
