/* Made by tools/kern.lua: make kern. Kernels with the bodies in kern/whole_*.inc. */
/* clang-format off */
#include "kern/family.h"

#define DTYPE _bool
#define CLASS _uint
#include "kern/whole_bits.inc"
#define GIVES _bool
#define OP signbit
#include "kern/loop1.inc"
#define OP isnan
#include "kern/loop1.inc"
#define OP isinf
#include "kern/loop1.inc"
#define OP isfinite
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _u8
#define CLASS _uint
#include "kern/whole_bits.inc"
#include "kern/whole_unsigned.inc"
#define GIVES DTYPE
#define OP abs
#include "kern/loop1.inc"
#define OP sign
#include "kern/loop1.inc"
#define OP floor
#include "kern/loop1.inc"
#define OP ceil
#include "kern/loop1.inc"
#define OP round
#include "kern/loop1.inc"
#define OP trunc
#include "kern/loop1.inc"
#undef GIVES
#define GIVES _bool
#define OP signbit
#include "kern/loop1.inc"
#define OP isnan
#include "kern/loop1.inc"
#define OP isinf
#include "kern/loop1.inc"
#define OP isfinite
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _u16
#define CLASS _uint
#include "kern/whole_bits.inc"
#include "kern/whole_unsigned.inc"
#define GIVES DTYPE
#define OP abs
#include "kern/loop1.inc"
#define OP sign
#include "kern/loop1.inc"
#define OP floor
#include "kern/loop1.inc"
#define OP ceil
#include "kern/loop1.inc"
#define OP round
#include "kern/loop1.inc"
#define OP trunc
#include "kern/loop1.inc"
#undef GIVES
#define GIVES _bool
#define OP signbit
#include "kern/loop1.inc"
#define OP isnan
#include "kern/loop1.inc"
#define OP isinf
#include "kern/loop1.inc"
#define OP isfinite
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _u32
#define CLASS _uint
#include "kern/whole_bits.inc"
#include "kern/whole_unsigned.inc"
#define GIVES DTYPE
#define OP abs
#include "kern/loop1.inc"
#define OP sign
#include "kern/loop1.inc"
#define OP floor
#include "kern/loop1.inc"
#define OP ceil
#include "kern/loop1.inc"
#define OP round
#include "kern/loop1.inc"
#define OP trunc
#include "kern/loop1.inc"
#undef GIVES
#define GIVES _bool
#define OP signbit
#include "kern/loop1.inc"
#define OP isnan
#include "kern/loop1.inc"
#define OP isinf
#include "kern/loop1.inc"
#define OP isfinite
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _u64
#define CLASS _uint
#include "kern/whole_bits.inc"
#include "kern/whole_unsigned.inc"
#define GIVES DTYPE
#define OP abs
#include "kern/loop1.inc"
#define OP sign
#include "kern/loop1.inc"
#define OP floor
#include "kern/loop1.inc"
#define OP ceil
#include "kern/loop1.inc"
#define OP round
#include "kern/loop1.inc"
#define OP trunc
#include "kern/loop1.inc"
#undef GIVES
#define GIVES _bool
#define OP signbit
#include "kern/loop1.inc"
#define OP isnan
#include "kern/loop1.inc"
#define OP isinf
#include "kern/loop1.inc"
#define OP isfinite
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _i8
#define CLASS _int
#include "kern/whole_signed.inc"
#define GIVES DTYPE
#define OP abs
#include "kern/loop1.inc"
#define OP sign
#include "kern/loop1.inc"
#undef GIVES
#define GIVES _bool
#define OP signbit
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _i16
#define CLASS _int
#include "kern/whole_signed.inc"
#define GIVES DTYPE
#define OP abs
#include "kern/loop1.inc"
#define OP sign
#include "kern/loop1.inc"
#undef GIVES
#define GIVES _bool
#define OP signbit
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _i32
#define CLASS _int
#include "kern/whole_signed.inc"
#define GIVES DTYPE
#define OP abs
#include "kern/loop1.inc"
#define OP sign
#include "kern/loop1.inc"
#undef GIVES
#define GIVES _bool
#define OP signbit
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _i64
#define CLASS _int
#include "kern/whole_signed.inc"
#define GIVES DTYPE
#define OP abs
#include "kern/loop1.inc"
#define OP sign
#include "kern/loop1.inc"
#undef GIVES
#define GIVES _bool
#define OP signbit
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _f32
#define CLASS _float
#include "kern/whole_float.inc"
#define GIVES DTYPE
#define OP hypot
#include "kern/loop2.inc"
#define OP copysign
#include "kern/loop2.inc"
#define OP abs
#include "kern/loop1.inc"
#define OP sign
#include "kern/loop1.inc"
#define OP floor
#include "kern/loop1.inc"
#define OP ceil
#include "kern/loop1.inc"
#define OP round
#include "kern/loop1.inc"
#define OP trunc
#include "kern/loop1.inc"
#undef GIVES
#define GIVES _bool
#define OP signbit
#include "kern/loop1.inc"
#define OP isnan
#include "kern/loop1.inc"
#define OP isinf
#include "kern/loop1.inc"
#define OP isfinite
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _f64
#define CLASS _float
#include "kern/whole_float.inc"
#define GIVES DTYPE
#define OP hypot
#include "kern/loop2.inc"
#define OP copysign
#include "kern/loop2.inc"
#define OP abs
#include "kern/loop1.inc"
#define OP sign
#include "kern/loop1.inc"
#define OP floor
#include "kern/loop1.inc"
#define OP ceil
#include "kern/loop1.inc"
#define OP round
#include "kern/loop1.inc"
#define OP trunc
#include "kern/loop1.inc"
#undef GIVES
#define GIVES _bool
#define OP signbit
#include "kern/loop1.inc"
#define OP isnan
#include "kern/loop1.inc"
#define OP isinf
#include "kern/loop1.inc"
#define OP isfinite
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _c64
#define CLASS _complex
#include "kern/whole_complex.inc"
#define GIVES DTYPE
#define OP sign
#include "kern/loop1.inc"
#define OP round
#include "kern/loop1.inc"
#undef GIVES
#define GIVES _bool
#define OP isnan
#include "kern/loop1.inc"
#define OP isinf
#include "kern/loop1.inc"
#define OP isfinite
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _c128
#define CLASS _complex
#include "kern/whole_complex.inc"
#define GIVES DTYPE
#define OP sign
#include "kern/loop1.inc"
#define OP round
#include "kern/loop1.inc"
#undef GIVES
#define GIVES _bool
#define OP isnan
#include "kern/loop1.inc"
#define OP isinf
#include "kern/loop1.inc"
#define OP isfinite
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#ifndef __CUDACC_RTC__

static ndi_kernel *const *const kernels[ND_OP_COUNT] = {
  [ND_OP_HYPOT] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = hypot_f32, [ND_F64] = hypot_f64},
  [ND_OP_COPYSIGN] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = copysign_f32, [ND_F64] = copysign_f64},
  [ND_OP_ABS] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_I8] = abs_i8, [ND_U8] = abs_u8, [ND_I16] = abs_i16, [ND_U16] = abs_u16,
    [ND_I32] = abs_i32, [ND_U32] = abs_u32, [ND_I64] = abs_i64, [ND_U64] = abs_u64,
    [ND_F32] = abs_f32, [ND_F64] = abs_f64, [ND_C64] = abs_c64, [ND_C128] = abs_c128},
  [ND_OP_SIGN] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_I8] = sign_i8, [ND_U8] = sign_u8, [ND_I16] = sign_i16, [ND_U16] = sign_u16,
    [ND_I32] = sign_i32, [ND_U32] = sign_u32, [ND_I64] = sign_i64, [ND_U64] = sign_u64,
    [ND_F32] = sign_f32, [ND_F64] = sign_f64, [ND_C64] = sign_c64, [ND_C128] = sign_c128},
  [ND_OP_SIGNBIT] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = signbit_bool, [ND_I8] = signbit_i8, [ND_U8] = signbit_u8, [ND_I16] = signbit_i16,
    [ND_U16] = signbit_u16, [ND_I32] = signbit_i32, [ND_U32] = signbit_u32,
    [ND_I64] = signbit_i64, [ND_U64] = signbit_u64, [ND_F32] = signbit_f32, [ND_F64] = signbit_f64},
  [ND_OP_FLOOR] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_I8] = floor_u8, [ND_U8] = floor_u8, [ND_I16] = floor_u16, [ND_U16] = floor_u16,
    [ND_I32] = floor_u32, [ND_U32] = floor_u32, [ND_I64] = floor_u64, [ND_U64] = floor_u64,
    [ND_F32] = floor_f32, [ND_F64] = floor_f64},
  [ND_OP_CEIL] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_I8] = ceil_u8, [ND_U8] = ceil_u8, [ND_I16] = ceil_u16, [ND_U16] = ceil_u16,
    [ND_I32] = ceil_u32, [ND_U32] = ceil_u32, [ND_I64] = ceil_u64, [ND_U64] = ceil_u64,
    [ND_F32] = ceil_f32, [ND_F64] = ceil_f64},
  [ND_OP_ROUND] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_I8] = round_u8, [ND_U8] = round_u8, [ND_I16] = round_u16, [ND_U16] = round_u16,
    [ND_I32] = round_u32, [ND_U32] = round_u32, [ND_I64] = round_u64, [ND_U64] = round_u64,
    [ND_F32] = round_f32, [ND_F64] = round_f64, [ND_C64] = round_c64, [ND_C128] = round_c128},
  [ND_OP_TRUNC] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_I8] = trunc_u8, [ND_U8] = trunc_u8, [ND_I16] = trunc_u16, [ND_U16] = trunc_u16,
    [ND_I32] = trunc_u32, [ND_U32] = trunc_u32, [ND_I64] = trunc_u64, [ND_U64] = trunc_u64,
    [ND_F32] = trunc_f32, [ND_F64] = trunc_f64},
  [ND_OP_ISNAN] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = isnan_bool, [ND_I8] = isnan_u8, [ND_U8] = isnan_u8, [ND_I16] = isnan_u16,
    [ND_U16] = isnan_u16, [ND_I32] = isnan_u32, [ND_U32] = isnan_u32, [ND_I64] = isnan_u64,
    [ND_U64] = isnan_u64, [ND_F32] = isnan_f32, [ND_F64] = isnan_f64, [ND_C64] = isnan_c64,
    [ND_C128] = isnan_c128},
  [ND_OP_ISINF] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = isinf_bool, [ND_I8] = isinf_u8, [ND_U8] = isinf_u8, [ND_I16] = isinf_u16,
    [ND_U16] = isinf_u16, [ND_I32] = isinf_u32, [ND_U32] = isinf_u32, [ND_I64] = isinf_u64,
    [ND_U64] = isinf_u64, [ND_F32] = isinf_f32, [ND_F64] = isinf_f64, [ND_C64] = isinf_c64,
    [ND_C128] = isinf_c128},
  [ND_OP_ISFINITE] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = isfinite_bool, [ND_I8] = isfinite_u8, [ND_U8] = isfinite_u8,
    [ND_I16] = isfinite_u16, [ND_U16] = isfinite_u16, [ND_I32] = isfinite_u32,
    [ND_U32] = isfinite_u32, [ND_I64] = isfinite_u64, [ND_U64] = isfinite_u64,
    [ND_F32] = isfinite_f32, [ND_F64] = isfinite_f64, [ND_C64] = isfinite_c64,
    [ND_C128] = isfinite_c128},
};

static ndi_kernel *find(nd_op op, nd_dtype dtype) {
  return kernels[op] ? kernels[op][dtype] : NULL;
}

ND_LEVELED(ndi_kernel *, ndi_whole_find, find, (nd_op op, nd_dtype dtype), (op, dtype))
#endif
