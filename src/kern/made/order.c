/* Made by tools/kern.lua: make kern. Kernels with the bodies in kern/order_*.inc. */
/* clang-format off */
#include "kern/family.h"

#define DTYPE _bool
#define CLASS _uint
#include "kern/order_any.inc"
#include "kern/order_exact.inc"
#include "kern/order_ordered.inc"
#define GIVES DTYPE
#define OP minimum
#include "kern/loop2.inc"
#define OP maximum
#include "kern/loop2.inc"
#define OP clamp
#include "kern/loop3.inc"
#undef GIVES
#define GIVES _bool
#define OP lt
#include "kern/loop2.inc"
#define OP le
#include "kern/loop2.inc"
#define OP eq
#include "kern/loop2.inc"
#define OP ne
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _u8
#define CLASS _uint
#include "kern/order_any.inc"
#include "kern/order_exact.inc"
#include "kern/order_ordered.inc"
#define GIVES DTYPE
#define OP minimum
#include "kern/loop2.inc"
#define OP maximum
#include "kern/loop2.inc"
#define OP clamp
#include "kern/loop3.inc"
#undef GIVES
#define GIVES _bool
#define OP lt
#include "kern/loop2.inc"
#define OP le
#include "kern/loop2.inc"
#define OP eq
#include "kern/loop2.inc"
#define OP ne
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _u16
#define CLASS _uint
#include "kern/order_any.inc"
#include "kern/order_exact.inc"
#include "kern/order_ordered.inc"
#define GIVES DTYPE
#define OP minimum
#include "kern/loop2.inc"
#define OP maximum
#include "kern/loop2.inc"
#define OP clamp
#include "kern/loop3.inc"
#undef GIVES
#define GIVES _bool
#define OP lt
#include "kern/loop2.inc"
#define OP le
#include "kern/loop2.inc"
#define OP eq
#include "kern/loop2.inc"
#define OP ne
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _u32
#define CLASS _uint
#include "kern/order_any.inc"
#include "kern/order_exact.inc"
#include "kern/order_ordered.inc"
#define GIVES DTYPE
#define OP minimum
#include "kern/loop2.inc"
#define OP maximum
#include "kern/loop2.inc"
#define OP clamp
#include "kern/loop3.inc"
#undef GIVES
#define GIVES _bool
#define OP lt
#include "kern/loop2.inc"
#define OP le
#include "kern/loop2.inc"
#define OP eq
#include "kern/loop2.inc"
#define OP ne
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _u64
#define CLASS _uint
#include "kern/order_any.inc"
#include "kern/order_exact.inc"
#include "kern/order_ordered.inc"
#define GIVES DTYPE
#define OP minimum
#include "kern/loop2.inc"
#define OP maximum
#include "kern/loop2.inc"
#define OP clamp
#include "kern/loop3.inc"
#undef GIVES
#define GIVES _bool
#define OP lt
#include "kern/loop2.inc"
#define OP le
#include "kern/loop2.inc"
#define OP eq
#include "kern/loop2.inc"
#define OP ne
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _i8
#define CLASS _int
#include "kern/order_exact.inc"
#include "kern/order_ordered.inc"
#define GIVES DTYPE
#define OP minimum
#include "kern/loop2.inc"
#define OP maximum
#include "kern/loop2.inc"
#define OP clamp
#include "kern/loop3.inc"
#undef GIVES
#define GIVES _bool
#define OP lt
#include "kern/loop2.inc"
#define OP le
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _i16
#define CLASS _int
#include "kern/order_exact.inc"
#include "kern/order_ordered.inc"
#define GIVES DTYPE
#define OP minimum
#include "kern/loop2.inc"
#define OP maximum
#include "kern/loop2.inc"
#define OP clamp
#include "kern/loop3.inc"
#undef GIVES
#define GIVES _bool
#define OP lt
#include "kern/loop2.inc"
#define OP le
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _i32
#define CLASS _int
#include "kern/order_exact.inc"
#include "kern/order_ordered.inc"
#define GIVES DTYPE
#define OP minimum
#include "kern/loop2.inc"
#define OP maximum
#include "kern/loop2.inc"
#define OP clamp
#include "kern/loop3.inc"
#undef GIVES
#define GIVES _bool
#define OP lt
#include "kern/loop2.inc"
#define OP le
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _i64
#define CLASS _int
#include "kern/order_exact.inc"
#include "kern/order_ordered.inc"
#define GIVES DTYPE
#define OP minimum
#include "kern/loop2.inc"
#define OP maximum
#include "kern/loop2.inc"
#define OP clamp
#include "kern/loop3.inc"
#undef GIVES
#define GIVES _bool
#define OP lt
#include "kern/loop2.inc"
#define OP le
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _f32
#define CLASS _float
#include "kern/order_any.inc"
#include "kern/order_float.inc"
#include "kern/order_ordered.inc"
#define GIVES DTYPE
#define OP minimum
#include "kern/loop2.inc"
#define OP maximum
#include "kern/loop2.inc"
#define OP clamp
#include "kern/loop3.inc"
#undef GIVES
#define GIVES _bool
#define OP lt
#include "kern/loop2.inc"
#define OP le
#include "kern/loop2.inc"
#define OP eq
#include "kern/loop2.inc"
#define OP ne
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _f64
#define CLASS _float
#include "kern/order_any.inc"
#include "kern/order_float.inc"
#include "kern/order_ordered.inc"
#define GIVES DTYPE
#define OP minimum
#include "kern/loop2.inc"
#define OP maximum
#include "kern/loop2.inc"
#define OP clamp
#include "kern/loop3.inc"
#undef GIVES
#define GIVES _bool
#define OP lt
#include "kern/loop2.inc"
#define OP le
#include "kern/loop2.inc"
#define OP eq
#include "kern/loop2.inc"
#define OP ne
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _c64
#define CLASS _complex
#include "kern/order_any.inc"
#define GIVES _bool
#define OP eq
#include "kern/loop2.inc"
#define OP ne
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _c128
#define CLASS _complex
#include "kern/order_any.inc"
#define GIVES _bool
#define OP eq
#include "kern/loop2.inc"
#define OP ne
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#ifndef __CUDACC_RTC__

static ndi_kernel *const *const kernels[ND_OP_COUNT] = {
  [ND_OP_MINIMUM] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = minimum_bool, [ND_I8] = minimum_i8, [ND_U8] = minimum_u8, [ND_I16] = minimum_i16,
    [ND_U16] = minimum_u16, [ND_I32] = minimum_i32, [ND_U32] = minimum_u32,
    [ND_I64] = minimum_i64, [ND_U64] = minimum_u64, [ND_F32] = minimum_f32, [ND_F64] = minimum_f64},
  [ND_OP_MAXIMUM] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = maximum_bool, [ND_I8] = maximum_i8, [ND_U8] = maximum_u8, [ND_I16] = maximum_i16,
    [ND_U16] = maximum_u16, [ND_I32] = maximum_i32, [ND_U32] = maximum_u32,
    [ND_I64] = maximum_i64, [ND_U64] = maximum_u64, [ND_F32] = maximum_f32, [ND_F64] = maximum_f64},
  [ND_OP_LT] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = lt_bool, [ND_I8] = lt_i8, [ND_U8] = lt_u8, [ND_I16] = lt_i16, [ND_U16] = lt_u16,
    [ND_I32] = lt_i32, [ND_U32] = lt_u32, [ND_I64] = lt_i64, [ND_U64] = lt_u64, [ND_F32] = lt_f32,
    [ND_F64] = lt_f64},
  [ND_OP_LE] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = le_bool, [ND_I8] = le_i8, [ND_U8] = le_u8, [ND_I16] = le_i16, [ND_U16] = le_u16,
    [ND_I32] = le_i32, [ND_U32] = le_u32, [ND_I64] = le_i64, [ND_U64] = le_u64, [ND_F32] = le_f32,
    [ND_F64] = le_f64},
  [ND_OP_GT] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = gt_bool, [ND_I8] = gt_i8, [ND_U8] = gt_u8, [ND_I16] = gt_i16, [ND_U16] = gt_u16,
    [ND_I32] = gt_i32, [ND_U32] = gt_u32, [ND_I64] = gt_i64, [ND_U64] = gt_u64, [ND_F32] = gt_f32,
    [ND_F64] = gt_f64},
  [ND_OP_GE] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = ge_bool, [ND_I8] = ge_i8, [ND_U8] = ge_u8, [ND_I16] = ge_i16, [ND_U16] = ge_u16,
    [ND_I32] = ge_i32, [ND_U32] = ge_u32, [ND_I64] = ge_i64, [ND_U64] = ge_u64, [ND_F32] = ge_f32,
    [ND_F64] = ge_f64},
  [ND_OP_EQ] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = eq_bool, [ND_I8] = eq_u8, [ND_U8] = eq_u8, [ND_I16] = eq_u16, [ND_U16] = eq_u16,
    [ND_I32] = eq_u32, [ND_U32] = eq_u32, [ND_I64] = eq_u64, [ND_U64] = eq_u64, [ND_F32] = eq_f32,
    [ND_F64] = eq_f64, [ND_C64] = eq_c64, [ND_C128] = eq_c128},
  [ND_OP_NE] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = ne_bool, [ND_I8] = ne_u8, [ND_U8] = ne_u8, [ND_I16] = ne_u16, [ND_U16] = ne_u16,
    [ND_I32] = ne_u32, [ND_U32] = ne_u32, [ND_I64] = ne_u64, [ND_U64] = ne_u64, [ND_F32] = ne_f32,
    [ND_F64] = ne_f64, [ND_C64] = ne_c64, [ND_C128] = ne_c128},
  [ND_OP_CLAMP] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = clamp_bool, [ND_I8] = clamp_i8, [ND_U8] = clamp_u8, [ND_I16] = clamp_i16,
    [ND_U16] = clamp_u16, [ND_I32] = clamp_i32, [ND_U32] = clamp_u32, [ND_I64] = clamp_i64,
    [ND_U64] = clamp_u64, [ND_F32] = clamp_f32, [ND_F64] = clamp_f64},
};

static ndi_kernel *find(nd_op op, nd_dtype dtype) {
  return kernels[op] ? kernels[op][dtype] : NULL;
}

ND_LEVELED(ndi_kernel *, ndi_order_find, find, (nd_op op, nd_dtype dtype), (op, dtype))
#endif
