/* Made by tools/kern.lua: make kern. The dtypes by class. */
/* clang-format off */
#ifndef ND_KERN_MADE_DTYPES_H
#define ND_KERN_MADE_DTYPES_H
_Static_assert(ND_DTYPE_COUNT == 17, "base/dtype.h has other rows: make kern");

/* all: id, name */
#define ND_NAMES(X) \
  X(BOOL, bool) \
  X(I8, i8) \
  X(U8, u8) \
  X(I16, i16) \
  X(U16, u16) \
  X(I32, i32) \
  X(U32, u32) \
  X(I64, i64) \
  X(U64, u64) \
  X(F16, f16) \
  X(BF16, bf16) \
  X(F32, f32) \
  X(F64, f64) \
  X(C64, c64) \
  X(C128, c128) \
  X(F8E4M3, f8e4m3) \
  X(F8E5M2, f8e5m2)

/* id, name, type */
#define ND_BOOLS(X) \
  X(BOOL, bool, uint8_t)

/* id, name, type, compute type, near type, class, bits, range */
#define ND_INTEGERS(X) \
  X(I8, i8, int8_t, uint32_t, int32_t, int, 32, INT8_MIN, INT8_MAX) \
  X(U8, u8, uint8_t, uint32_t, int32_t, uint, 32, 0, UINT8_MAX) \
  X(I16, i16, int16_t, uint32_t, int32_t, int, 32, INT16_MIN, INT16_MAX) \
  X(U16, u16, uint16_t, uint32_t, int32_t, uint, 32, 0, UINT16_MAX) \
  X(I32, i32, int32_t, uint32_t, int32_t, int, 32, INT32_MIN, INT32_MAX) \
  X(U32, u32, uint32_t, uint32_t, uint32_t, uint, 32, 0, UINT32_MAX) \
  X(I64, i64, int64_t, uint64_t, int64_t, int, 64, INT64_MIN, INT64_MAX) \
  X(U64, u64, uint64_t, uint64_t, uint64_t, uint, 64, 0, UINT64_MAX)

/* id, name, type */
#define ND_FLOATS(X) \
  X(F32, f32, float) \
  X(F64, f64, double)

/* id, name, type: those that C does not have */
#define ND_SMALL_FLOATS(X) \
  X(F16, f16, uint16_t) \
  X(BF16, bf16, uint16_t) \
  X(F8E4M3, f8e4m3, uint8_t) \
  X(F8E5M2, f8e5m2, uint8_t)

/* id, name, type and name of a part */
#define ND_COMPLEXES(X) \
  X(C64, c64, float, f32) \
  X(C128, c128, double, f64)

/* The near type of each (kern/convert.h); the DTYPE of a complex one's parts. */
#define ND_NEAR_bool _i16
#define ND_NEAR_i8 _i16
#define ND_NEAR_u8 _i16
#define ND_NEAR_i16 _i16
#define ND_NEAR_u16 _i16
#define ND_NEAR_i32 _i32
#define ND_NEAR_u32 _u32
#define ND_NEAR_i64 _i64
#define ND_NEAR_u64 _u64
#define ND_NEAR_f16 _f32
#define ND_NEAR_bf16 _f32
#define ND_NEAR_f32 _f32
#define ND_NEAR_f64 _f64
#define ND_NEAR_c64 _complex
#define ND_NEAR_c128 _complex
#define ND_NEAR_f8e4m3 _f32
#define ND_NEAR_f8e5m2 _f32
#define ND_PART_c64 _f32
#define ND_PART_c128 _f64

#endif
