/* Made by tools/kern.lua: make kern. Kernels with the bodies in kern/arith_*.inc. */
/* clang-format off */
#include "kern/family.h"

#define DTYPE _bool
#define CLASS _uint
#include "kern/arith_bool.inc"
#define GIVES DTYPE
#define OP add
#include "kern/loop2.inc"
#define OP mul
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _u8
#define CLASS _uint
#include "kern/arith_integer.inc"
#include "kern/arith_number.inc"
#define GIVES DTYPE
#define OP add
#include "kern/loop2.inc"
#define OP sub
#include "kern/loop2.inc"
#define OP mul
#include "kern/loop2.inc"
#define OP idiv
#include "kern/loop2.inc"
#define OP mod
#include "kern/loop2.inc"
#define OP fmod
#include "kern/loop2.inc"
#define OP pow
#include "kern/loop2.inc"
#define OP neg
#include "kern/loop1.inc"
#define OP conj
#include "kern/loop1.inc"
#define OP square
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _u16
#define CLASS _uint
#include "kern/arith_integer.inc"
#include "kern/arith_number.inc"
#define GIVES DTYPE
#define OP add
#include "kern/loop2.inc"
#define OP sub
#include "kern/loop2.inc"
#define OP mul
#include "kern/loop2.inc"
#define OP idiv
#include "kern/loop2.inc"
#define OP mod
#include "kern/loop2.inc"
#define OP fmod
#include "kern/loop2.inc"
#define OP pow
#include "kern/loop2.inc"
#define OP neg
#include "kern/loop1.inc"
#define OP conj
#include "kern/loop1.inc"
#define OP square
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _u32
#define CLASS _uint
#include "kern/arith_integer.inc"
#include "kern/arith_number.inc"
#define GIVES DTYPE
#define OP add
#include "kern/loop2.inc"
#define OP sub
#include "kern/loop2.inc"
#define OP mul
#include "kern/loop2.inc"
#define OP idiv
#include "kern/loop2.inc"
#define OP mod
#include "kern/loop2.inc"
#define OP fmod
#include "kern/loop2.inc"
#define OP pow
#include "kern/loop2.inc"
#define OP neg
#include "kern/loop1.inc"
#define OP conj
#include "kern/loop1.inc"
#define OP square
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _u64
#define CLASS _uint
#include "kern/arith_integer.inc"
#include "kern/arith_number.inc"
#define GIVES DTYPE
#define OP add
#include "kern/loop2.inc"
#define OP sub
#include "kern/loop2.inc"
#define OP mul
#include "kern/loop2.inc"
#define OP idiv
#include "kern/loop2.inc"
#define OP mod
#include "kern/loop2.inc"
#define OP fmod
#include "kern/loop2.inc"
#define OP pow
#include "kern/loop2.inc"
#define OP neg
#include "kern/loop1.inc"
#define OP conj
#include "kern/loop1.inc"
#define OP square
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _i8
#define CLASS _int
#include "kern/arith_signed.inc"
#define GIVES DTYPE
#define OP idiv
#include "kern/loop2.inc"
#define OP mod
#include "kern/loop2.inc"
#define OP fmod
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _i16
#define CLASS _int
#include "kern/arith_signed.inc"
#define GIVES DTYPE
#define OP idiv
#include "kern/loop2.inc"
#define OP mod
#include "kern/loop2.inc"
#define OP fmod
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _i32
#define CLASS _int
#include "kern/arith_signed.inc"
#define GIVES DTYPE
#define OP idiv
#include "kern/loop2.inc"
#define OP mod
#include "kern/loop2.inc"
#define OP fmod
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _i64
#define CLASS _int
#include "kern/arith_signed.inc"
#define GIVES DTYPE
#define OP idiv
#include "kern/loop2.inc"
#define OP mod
#include "kern/loop2.inc"
#define OP fmod
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _f32
#define CLASS _float
#include "kern/arith_float.inc"
#include "kern/arith_number.inc"
#define GIVES DTYPE
#define OP add
#include "kern/loop2.inc"
#define OP sub
#include "kern/loop2.inc"
#define OP mul
#include "kern/loop2.inc"
#define OP div
#include "kern/loop2.inc"
#define OP idiv
#include "kern/loop2.inc"
#define OP mod
#include "kern/loop2.inc"
#define OP fmod
#include "kern/loop2.inc"
#define OP pow
#include "kern/lanes2.inc"
#define OP fma
#include "kern/loop3.inc"
#define OP neg
#include "kern/loop1.inc"
#define OP conj
#include "kern/loop1.inc"
#define OP square
#include "kern/loop1.inc"
#define OP reciprocal
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _f64
#define CLASS _float
#include "kern/arith_float.inc"
#include "kern/arith_number.inc"
#define GIVES DTYPE
#define OP add
#include "kern/loop2.inc"
#define OP sub
#include "kern/loop2.inc"
#define OP mul
#include "kern/loop2.inc"
#define OP div
#include "kern/loop2.inc"
#define OP idiv
#include "kern/loop2.inc"
#define OP mod
#include "kern/loop2.inc"
#define OP fmod
#include "kern/loop2.inc"
#define OP pow
#include "kern/lanes2.inc"
#define OP fma
#include "kern/loop3.inc"
#define OP neg
#include "kern/loop1.inc"
#define OP conj
#include "kern/loop1.inc"
#define OP square
#include "kern/loop1.inc"
#define OP reciprocal
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _c64
#define CLASS _complex
#include "kern/arith_complex.inc"
#include "kern/arith_number.inc"
#define GIVES DTYPE
#define OP add
#include "kern/loop2.inc"
#define OP sub
#include "kern/loop2.inc"
#define OP mul
#include "kern/loop2.inc"
#define OP div
#include "kern/loop2.inc"
#define OP pow
#include "kern/loop2.inc"
#define OP neg
#include "kern/loop1.inc"
#define OP conj
#include "kern/loop1.inc"
#define OP square
#include "kern/loop1.inc"
#define OP reciprocal
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _c128
#define CLASS _complex
#include "kern/arith_complex.inc"
#include "kern/arith_number.inc"
#define GIVES DTYPE
#define OP add
#include "kern/loop2.inc"
#define OP sub
#include "kern/loop2.inc"
#define OP mul
#include "kern/loop2.inc"
#define OP div
#include "kern/loop2.inc"
#define OP pow
#include "kern/loop2.inc"
#define OP neg
#include "kern/loop1.inc"
#define OP conj
#include "kern/loop1.inc"
#define OP square
#include "kern/loop1.inc"
#define OP reciprocal
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#ifndef __CUDACC_RTC__

static ndi_kernel *const *const kernels[ND_OP_COUNT] = {
  [ND_OP_ADD] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = add_bool, [ND_I8] = add_u8, [ND_U8] = add_u8, [ND_I16] = add_u16,
    [ND_U16] = add_u16, [ND_I32] = add_u32, [ND_U32] = add_u32, [ND_I64] = add_u64,
    [ND_U64] = add_u64, [ND_F32] = add_f32, [ND_F64] = add_f64, [ND_C64] = add_c64,
    [ND_C128] = add_c128},
  [ND_OP_SUB] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_I8] = sub_u8, [ND_U8] = sub_u8, [ND_I16] = sub_u16, [ND_U16] = sub_u16,
    [ND_I32] = sub_u32, [ND_U32] = sub_u32, [ND_I64] = sub_u64, [ND_U64] = sub_u64,
    [ND_F32] = sub_f32, [ND_F64] = sub_f64, [ND_C64] = sub_c64, [ND_C128] = sub_c128},
  [ND_OP_MUL] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = mul_bool, [ND_I8] = mul_u8, [ND_U8] = mul_u8, [ND_I16] = mul_u16,
    [ND_U16] = mul_u16, [ND_I32] = mul_u32, [ND_U32] = mul_u32, [ND_I64] = mul_u64,
    [ND_U64] = mul_u64, [ND_F32] = mul_f32, [ND_F64] = mul_f64, [ND_C64] = mul_c64,
    [ND_C128] = mul_c128},
  [ND_OP_DIV] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = div_f32, [ND_F64] = div_f64, [ND_C64] = div_c64, [ND_C128] = div_c128},
  [ND_OP_IDIV] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_I8] = idiv_i8, [ND_U8] = idiv_u8, [ND_I16] = idiv_i16, [ND_U16] = idiv_u16,
    [ND_I32] = idiv_i32, [ND_U32] = idiv_u32, [ND_I64] = idiv_i64, [ND_U64] = idiv_u64,
    [ND_F32] = idiv_f32, [ND_F64] = idiv_f64},
  [ND_OP_MOD] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_I8] = mod_i8, [ND_U8] = mod_u8, [ND_I16] = mod_i16, [ND_U16] = mod_u16,
    [ND_I32] = mod_i32, [ND_U32] = mod_u32, [ND_I64] = mod_i64, [ND_U64] = mod_u64,
    [ND_F32] = mod_f32, [ND_F64] = mod_f64},
  [ND_OP_FMOD] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_I8] = fmod_i8, [ND_U8] = fmod_u8, [ND_I16] = fmod_i16, [ND_U16] = fmod_u16,
    [ND_I32] = fmod_i32, [ND_U32] = fmod_u32, [ND_I64] = fmod_i64, [ND_U64] = fmod_u64,
    [ND_F32] = fmod_f32, [ND_F64] = fmod_f64},
  [ND_OP_POW] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_I8] = pow_u8, [ND_U8] = pow_u8, [ND_I16] = pow_u16, [ND_U16] = pow_u16,
    [ND_I32] = pow_u32, [ND_U32] = pow_u32, [ND_I64] = pow_u64, [ND_U64] = pow_u64,
    [ND_F32] = pow_f32, [ND_F64] = pow_f64, [ND_C64] = pow_c64, [ND_C128] = pow_c128},
  [ND_OP_FMA] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = fma_f32, [ND_F64] = fma_f64},
  [ND_OP_NEG] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_I8] = neg_u8, [ND_U8] = neg_u8, [ND_I16] = neg_u16, [ND_U16] = neg_u16,
    [ND_I32] = neg_u32, [ND_U32] = neg_u32, [ND_I64] = neg_u64, [ND_U64] = neg_u64,
    [ND_F32] = neg_f32, [ND_F64] = neg_f64, [ND_C64] = neg_c64, [ND_C128] = neg_c128},
  [ND_OP_CONJ] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_I8] = conj_u8, [ND_U8] = conj_u8, [ND_I16] = conj_u16, [ND_U16] = conj_u16,
    [ND_I32] = conj_u32, [ND_U32] = conj_u32, [ND_I64] = conj_u64, [ND_U64] = conj_u64,
    [ND_F32] = conj_f32, [ND_F64] = conj_f64, [ND_C64] = conj_c64, [ND_C128] = conj_c128},
  [ND_OP_SQUARE] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_I8] = square_u8, [ND_U8] = square_u8, [ND_I16] = square_u16, [ND_U16] = square_u16,
    [ND_I32] = square_u32, [ND_U32] = square_u32, [ND_I64] = square_u64, [ND_U64] = square_u64,
    [ND_F32] = square_f32, [ND_F64] = square_f64, [ND_C64] = square_c64, [ND_C128] = square_c128},
  [ND_OP_RECIPROCAL] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = reciprocal_f32, [ND_F64] = reciprocal_f64, [ND_C64] = reciprocal_c64,
    [ND_C128] = reciprocal_c128},
};

static ndi_kernel *find(nd_op op, nd_dtype dtype) {
  return kernels[op] ? kernels[op][dtype] : NULL;
}

ND_LEVELED(ndi_kernel *, ndi_arith_find, find, (nd_op op, nd_dtype dtype), (op, dtype))
#endif
