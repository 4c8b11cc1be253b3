/* Made by tools/kern.lua: make kern. Table of the reductions in kern/reduce_*.inc. */
/* clang-format off */

#define DTYPE _bool
#define CLASS _uint
#include "kern/reduce_ordered.inc"
#undef CLASS
#undef DTYPE

#define DTYPE _u8
#define CLASS _uint
#include "kern/reduce_ordered.inc"
#include "kern/reduce_real.inc"
#undef CLASS
#undef DTYPE

#define DTYPE _u16
#define CLASS _uint
#include "kern/reduce_ordered.inc"
#include "kern/reduce_real.inc"
#undef CLASS
#undef DTYPE

#define DTYPE _u32
#define CLASS _uint
#include "kern/reduce_ordered.inc"
#include "kern/reduce_real.inc"
#undef CLASS
#undef DTYPE

#define DTYPE _u64
#define CLASS _uint
#include "kern/reduce_ordered.inc"
#include "kern/reduce_real.inc"
#undef CLASS
#undef DTYPE

#define DTYPE _i8
#define CLASS _int
#include "kern/reduce_ordered.inc"
#include "kern/reduce_real.inc"
#undef CLASS
#undef DTYPE

#define DTYPE _i16
#define CLASS _int
#include "kern/reduce_ordered.inc"
#include "kern/reduce_real.inc"
#undef CLASS
#undef DTYPE

#define DTYPE _i32
#define CLASS _int
#include "kern/reduce_ordered.inc"
#include "kern/reduce_real.inc"
#undef CLASS
#undef DTYPE

#define DTYPE _i64
#define CLASS _int
#include "kern/reduce_ordered.inc"
#include "kern/reduce_real.inc"
#undef CLASS
#undef DTYPE

#define DTYPE _f16
#define CLASS _float
#include "kern/reduce_ordered.inc"
#include "kern/reduce_real.inc"
#undef CLASS
#undef DTYPE

#define DTYPE _bf16
#define CLASS _float
#include "kern/reduce_ordered.inc"
#include "kern/reduce_real.inc"
#undef CLASS
#undef DTYPE

#define DTYPE _f32
#define CLASS _float
#include "kern/reduce_ordered.inc"
#include "kern/reduce_real.inc"
#undef CLASS
#undef DTYPE

#define DTYPE _f64
#define CLASS _float
#include "kern/reduce_ordered.inc"
#include "kern/reduce_real.inc"
#undef CLASS
#undef DTYPE

#define DTYPE _f8e4m3
#define CLASS _float
#include "kern/reduce_ordered.inc"
#include "kern/reduce_real.inc"
#undef CLASS
#undef DTYPE

#define DTYPE _f8e5m2
#define CLASS _float
#include "kern/reduce_ordered.inc"
#include "kern/reduce_real.inc"
#undef CLASS
#undef DTYPE

#define DTYPE _c64
#define CLASS _complex
#include "kern/reduce_complex.inc"
#undef CLASS
#undef DTYPE

#define DTYPE _c128
#define CLASS _complex
#include "kern/reduce_complex.inc"
#undef CLASS
#undef DTYPE

_Static_assert(ND_OP_SUM == 70, "base/op.h has other rows: make kern");
_Static_assert(ND_OP_RANGE == 83, "base/op.h has other rows: make kern");

static const ndi_reducer *const *const reducers[ND_OP_COUNT] = {
  [ND_OP_SUM] = (const ndi_reducer *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = &sum_bool, [ND_I8] = &sum_i8, [ND_U8] = &sum_u8, [ND_I16] = &sum_i16,
    [ND_U16] = &sum_u16, [ND_I32] = &sum_i32, [ND_U32] = &sum_u32, [ND_I64] = &sum_i64,
    [ND_U64] = &sum_u64, [ND_F16] = &sum_f16, [ND_BF16] = &sum_bf16, [ND_F32] = &sum_f32,
    [ND_F64] = &sum_f64, [ND_C64] = &sum_c64, [ND_C128] = &sum_c128, [ND_F8E4M3] = &sum_f8e4m3,
    [ND_F8E5M2] = &sum_f8e5m2},
  [ND_OP_PROD] = (const ndi_reducer *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = &prod_bool, [ND_I8] = &prod_i8, [ND_U8] = &prod_u8, [ND_I16] = &prod_i16,
    [ND_U16] = &prod_u16, [ND_I32] = &prod_i32, [ND_U32] = &prod_u32, [ND_I64] = &prod_i64,
    [ND_U64] = &prod_u64, [ND_F16] = &prod_f16, [ND_BF16] = &prod_bf16, [ND_F32] = &prod_f32,
    [ND_F64] = &prod_f64, [ND_C64] = &prod_c64, [ND_C128] = &prod_c128,
    [ND_F8E4M3] = &prod_f8e4m3, [ND_F8E5M2] = &prod_f8e5m2},
  [ND_OP_MIN] = (const ndi_reducer *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = &min_bool, [ND_I8] = &min_i8, [ND_U8] = &min_u8, [ND_I16] = &min_i16,
    [ND_U16] = &min_u16, [ND_I32] = &min_i32, [ND_U32] = &min_u32, [ND_I64] = &min_i64,
    [ND_U64] = &min_u64, [ND_F16] = &min_f16, [ND_BF16] = &min_bf16, [ND_F32] = &min_f32,
    [ND_F64] = &min_f64, [ND_F8E4M3] = &min_f8e4m3, [ND_F8E5M2] = &min_f8e5m2},
  [ND_OP_MAX] = (const ndi_reducer *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = &max_bool, [ND_I8] = &max_i8, [ND_U8] = &max_u8, [ND_I16] = &max_i16,
    [ND_U16] = &max_u16, [ND_I32] = &max_i32, [ND_U32] = &max_u32, [ND_I64] = &max_i64,
    [ND_U64] = &max_u64, [ND_F16] = &max_f16, [ND_BF16] = &max_bf16, [ND_F32] = &max_f32,
    [ND_F64] = &max_f64, [ND_F8E4M3] = &max_f8e4m3, [ND_F8E5M2] = &max_f8e5m2},
  [ND_OP_PTP] = (const ndi_reducer *const[ND_DTYPE_COUNT]){
    [ND_I8] = &ptp_i8, [ND_U8] = &ptp_u8, [ND_I16] = &ptp_i16, [ND_U16] = &ptp_u16,
    [ND_I32] = &ptp_i32, [ND_U32] = &ptp_u32, [ND_I64] = &ptp_i64, [ND_U64] = &ptp_u64,
    [ND_F16] = &ptp_f16, [ND_BF16] = &ptp_bf16, [ND_F32] = &ptp_f32, [ND_F64] = &ptp_f64,
    [ND_F8E4M3] = &ptp_f8e4m3, [ND_F8E5M2] = &ptp_f8e5m2},
  [ND_OP_MEAN] = (const ndi_reducer *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = &mean_bool, [ND_I8] = &mean_i8, [ND_U8] = &mean_u8, [ND_I16] = &mean_i16,
    [ND_U16] = &mean_u16, [ND_I32] = &mean_i32, [ND_U32] = &mean_u32, [ND_I64] = &mean_i64,
    [ND_U64] = &mean_u64, [ND_F16] = &mean_f16, [ND_BF16] = &mean_bf16, [ND_F32] = &mean_f32,
    [ND_F64] = &mean_f64, [ND_C64] = &mean_c64, [ND_C128] = &mean_c128,
    [ND_F8E4M3] = &mean_f8e4m3, [ND_F8E5M2] = &mean_f8e5m2},
  [ND_OP_VAR] = (const ndi_reducer *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = &var_bool, [ND_I8] = &var_i8, [ND_U8] = &var_u8, [ND_I16] = &var_i16,
    [ND_U16] = &var_u16, [ND_I32] = &var_i32, [ND_U32] = &var_u32, [ND_I64] = &var_i64,
    [ND_U64] = &var_u64, [ND_F16] = &var_f16, [ND_BF16] = &var_bf16, [ND_F32] = &var_f32,
    [ND_F64] = &var_f64, [ND_C64] = &var_c64, [ND_C128] = &var_c128, [ND_F8E4M3] = &var_f8e4m3,
    [ND_F8E5M2] = &var_f8e5m2},
  [ND_OP_STD] = (const ndi_reducer *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = &std_bool, [ND_I8] = &std_i8, [ND_U8] = &std_u8, [ND_I16] = &std_i16,
    [ND_U16] = &std_u16, [ND_I32] = &std_i32, [ND_U32] = &std_u32, [ND_I64] = &std_i64,
    [ND_U64] = &std_u64, [ND_F16] = &std_f16, [ND_BF16] = &std_bf16, [ND_F32] = &std_f32,
    [ND_F64] = &std_f64, [ND_C64] = &std_c64, [ND_C128] = &std_c128, [ND_F8E4M3] = &std_f8e4m3,
    [ND_F8E5M2] = &std_f8e5m2},
  [ND_OP_ARGMIN] = (const ndi_reducer *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = &argmin_bool, [ND_I8] = &argmin_i8, [ND_U8] = &argmin_u8, [ND_I16] = &argmin_i16,
    [ND_U16] = &argmin_u16, [ND_I32] = &argmin_i32, [ND_U32] = &argmin_u32,
    [ND_I64] = &argmin_i64, [ND_U64] = &argmin_u64, [ND_F16] = &argmin_f16,
    [ND_BF16] = &argmin_bf16, [ND_F32] = &argmin_f32, [ND_F64] = &argmin_f64,
    [ND_F8E4M3] = &argmin_f8e4m3, [ND_F8E5M2] = &argmin_f8e5m2},
  [ND_OP_ARGMAX] = (const ndi_reducer *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = &argmax_bool, [ND_I8] = &argmax_i8, [ND_U8] = &argmax_u8, [ND_I16] = &argmax_i16,
    [ND_U16] = &argmax_u16, [ND_I32] = &argmax_i32, [ND_U32] = &argmax_u32,
    [ND_I64] = &argmax_i64, [ND_U64] = &argmax_u64, [ND_F16] = &argmax_f16,
    [ND_BF16] = &argmax_bf16, [ND_F32] = &argmax_f32, [ND_F64] = &argmax_f64,
    [ND_F8E4M3] = &argmax_f8e4m3, [ND_F8E5M2] = &argmax_f8e5m2},
  [ND_OP_ANY] = (const ndi_reducer *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = &any_bool, [ND_I8] = &any_i8, [ND_U8] = &any_u8, [ND_I16] = &any_i16,
    [ND_U16] = &any_u16, [ND_I32] = &any_i32, [ND_U32] = &any_u32, [ND_I64] = &any_i64,
    [ND_U64] = &any_u64, [ND_F16] = &any_f16, [ND_BF16] = &any_bf16, [ND_F32] = &any_f32,
    [ND_F64] = &any_f64, [ND_C64] = &any_c64, [ND_C128] = &any_c128, [ND_F8E4M3] = &any_f8e4m3,
    [ND_F8E5M2] = &any_f8e5m2},
  [ND_OP_ALL] = (const ndi_reducer *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = &all_bool, [ND_I8] = &all_i8, [ND_U8] = &all_u8, [ND_I16] = &all_i16,
    [ND_U16] = &all_u16, [ND_I32] = &all_i32, [ND_U32] = &all_u32, [ND_I64] = &all_i64,
    [ND_U64] = &all_u64, [ND_F16] = &all_f16, [ND_BF16] = &all_bf16, [ND_F32] = &all_f32,
    [ND_F64] = &all_f64, [ND_C64] = &all_c64, [ND_C128] = &all_c128, [ND_F8E4M3] = &all_f8e4m3,
    [ND_F8E5M2] = &all_f8e5m2},
  [ND_OP_COUNT_NONZERO] = (const ndi_reducer *const[ND_DTYPE_COUNT]){
    [ND_BOOL] = &count_nonzero_bool, [ND_I8] = &count_nonzero_i8, [ND_U8] = &count_nonzero_u8,
    [ND_I16] = &count_nonzero_i16, [ND_U16] = &count_nonzero_u16, [ND_I32] = &count_nonzero_i32,
    [ND_U32] = &count_nonzero_u32, [ND_I64] = &count_nonzero_i64, [ND_U64] = &count_nonzero_u64,
    [ND_F16] = &count_nonzero_f16, [ND_BF16] = &count_nonzero_bf16, [ND_F32] = &count_nonzero_f32,
    [ND_F64] = &count_nonzero_f64, [ND_C64] = &count_nonzero_c64, [ND_C128] = &count_nonzero_c128,
    [ND_F8E4M3] = &count_nonzero_f8e4m3, [ND_F8E5M2] = &count_nonzero_f8e5m2},
};
