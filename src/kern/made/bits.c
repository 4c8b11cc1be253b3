/* Made by tools/kern.lua: make kern. Kernels with the bodies in kern/bits_*.inc. */
/* clang-format off */
#include "kern/family.h"

#define DTYPE _bool
#define CLASS _uint
#include "kern/bits_bool.inc"
#define GIVES DTYPE
#define OP bit_and
#include "kern/loop2.inc"
#define OP bit_or
#include "kern/loop2.inc"
#define OP bit_xor
#include "kern/loop2.inc"
#define OP bit_not
#include "kern/loop1.inc"
#undef GIVES
#define GIVES _bool
#define OP logical_and
#include "kern/loop2.inc"
#define OP logical_or
#include "kern/loop2.inc"
#define OP logical_xor
#include "kern/loop2.inc"
#define OP logical_not
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _u8
#define CLASS _uint
#include "kern/bits_integer.inc"
#define GIVES DTYPE
#define OP bit_and
#include "kern/loop2.inc"
#define OP bit_or
#include "kern/loop2.inc"
#define OP bit_xor
#include "kern/loop2.inc"
#define OP bit_not
#include "kern/loop1.inc"
#define OP shl
#include "kern/loop2.inc"
#define OP shr
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _u16
#define CLASS _uint
#include "kern/bits_integer.inc"
#define GIVES DTYPE
#define OP bit_and
#include "kern/loop2.inc"
#define OP bit_or
#include "kern/loop2.inc"
#define OP bit_xor
#include "kern/loop2.inc"
#define OP bit_not
#include "kern/loop1.inc"
#define OP shl
#include "kern/loop2.inc"
#define OP shr
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _u32
#define CLASS _uint
#include "kern/bits_integer.inc"
#define GIVES DTYPE
#define OP bit_and
#include "kern/loop2.inc"
#define OP bit_or
#include "kern/loop2.inc"
#define OP bit_xor
#include "kern/loop2.inc"
#define OP bit_not
#include "kern/loop1.inc"
#define OP shl
#include "kern/loop2.inc"
#define OP shr
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _u64
#define CLASS _uint
#include "kern/bits_integer.inc"
#define GIVES DTYPE
#define OP bit_and
#include "kern/loop2.inc"
#define OP bit_or
#include "kern/loop2.inc"
#define OP bit_xor
#include "kern/loop2.inc"
#define OP bit_not
#include "kern/loop1.inc"
#define OP shl
#include "kern/loop2.inc"
#define OP shr
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _i8
#define CLASS _int
#include "kern/bits_signed.inc"
#define GIVES DTYPE
#define OP shr
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _i16
#define CLASS _int
#include "kern/bits_signed.inc"
#define GIVES DTYPE
#define OP shr
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _i32
#define CLASS _int
#include "kern/bits_signed.inc"
#define GIVES DTYPE
#define OP shr
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _i64
#define CLASS _int
#include "kern/bits_signed.inc"
#define GIVES DTYPE
#define OP shr
#include "kern/loop2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _1
#define ITEM 1
#include "kern/bits_item.inc"
#define GIVES DTYPE
#define OP where
#include "kern/loop3.inc"
#undef GIVES
#undef ITEM
#undef DTYPE

#define DTYPE _2
#define ITEM 2
#include "kern/bits_item.inc"
#define GIVES DTYPE
#define OP where
#include "kern/loop3.inc"
#undef GIVES
#undef ITEM
#undef DTYPE

#define DTYPE _4
#define ITEM 4
#include "kern/bits_item.inc"
#define GIVES DTYPE
#define OP where
#include "kern/loop3.inc"
#undef GIVES
#undef ITEM
#undef DTYPE

#define DTYPE _8
#define ITEM 8
#include "kern/bits_item.inc"
#define GIVES DTYPE
#define OP where
#include "kern/loop3.inc"
#undef GIVES
#undef ITEM
#undef DTYPE

#define DTYPE _16
#define ITEM 16
#include "kern/bits_item.inc"
#define GIVES DTYPE
#define OP where
#include "kern/loop3.inc"
#undef GIVES
#undef ITEM
#undef DTYPE

#ifndef __CUDACC_RTC__

static ndi_kernel *const *const kernels[ND_OP_COUNT] = {
  [ND_OP_LOGICAL_AND] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = logical_and_bool},
  [ND_OP_LOGICAL_OR] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = logical_or_bool},
  [ND_OP_LOGICAL_XOR] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = logical_xor_bool},
  [ND_OP_LOGICAL_NOT] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = logical_not_bool},
  [ND_OP_BIT_AND] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = bit_and_bool, [ND_I8] = bit_and_u8, [ND_U8] = bit_and_u8, [ND_I16] = bit_and_u16,
    [ND_U16] = bit_and_u16, [ND_I32] = bit_and_u32, [ND_U32] = bit_and_u32,
    [ND_I64] = bit_and_u64, [ND_U64] = bit_and_u64},
  [ND_OP_BIT_OR] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = bit_or_bool, [ND_I8] = bit_or_u8, [ND_U8] = bit_or_u8, [ND_I16] = bit_or_u16,
    [ND_U16] = bit_or_u16, [ND_I32] = bit_or_u32, [ND_U32] = bit_or_u32, [ND_I64] = bit_or_u64,
    [ND_U64] = bit_or_u64},
  [ND_OP_BIT_XOR] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = bit_xor_bool, [ND_I8] = bit_xor_u8, [ND_U8] = bit_xor_u8, [ND_I16] = bit_xor_u16,
    [ND_U16] = bit_xor_u16, [ND_I32] = bit_xor_u32, [ND_U32] = bit_xor_u32,
    [ND_I64] = bit_xor_u64, [ND_U64] = bit_xor_u64},
  [ND_OP_BIT_NOT] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = bit_not_bool, [ND_I8] = bit_not_u8, [ND_U8] = bit_not_u8, [ND_I16] = bit_not_u16,
    [ND_U16] = bit_not_u16, [ND_I32] = bit_not_u32, [ND_U32] = bit_not_u32,
    [ND_I64] = bit_not_u64, [ND_U64] = bit_not_u64},
  [ND_OP_SHL] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_I8] = shl_u8, [ND_U8] = shl_u8, [ND_I16] = shl_u16, [ND_U16] = shl_u16,
    [ND_I32] = shl_u32, [ND_U32] = shl_u32, [ND_I64] = shl_u64, [ND_U64] = shl_u64},
  [ND_OP_SHR] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_I8] = shr_i8, [ND_U8] = shr_u8, [ND_I16] = shr_i16, [ND_U16] = shr_u16,
    [ND_I32] = shr_i32, [ND_U32] = shr_u32, [ND_I64] = shr_i64, [ND_U64] = shr_u64},
  [ND_OP_WHERE] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = where_1, [ND_I8] = where_1, [ND_U8] = where_1, [ND_I16] = where_2,
    [ND_U16] = where_2, [ND_I32] = where_4, [ND_U32] = where_4, [ND_I64] = where_8,
    [ND_U64] = where_8, [ND_F16] = where_2, [ND_BF16] = where_2, [ND_F32] = where_4,
    [ND_F64] = where_8, [ND_C64] = where_8, [ND_C128] = where_16, [ND_F8E4M3] = where_1,
    [ND_F8E5M2] = where_1},
};

static ndi_kernel *find(nd_op op, nd_dtype dtype) {
  return kernels[op] ? kernels[op][dtype] : NULL;
}

ND_LEVELED(ndi_kernel *, ndi_bits_find, find, (nd_op op, nd_dtype dtype), (op, dtype))
#endif
