/* Made by tools/kern.lua: make kern. Kernels with the bodies in kern/math_*.inc. */
/* clang-format off */
#include "kern/family.h"

#define DTYPE _f32
#define CLASS _float
#include "kern/math_float.inc"
#define GIVES DTYPE
#define OP sqrt
#include "kern/lanes.inc"
#define OP cbrt
#include "kern/lanes.inc"
#define OP exp
#include "kern/lanes.inc"
#define OP expm1
#include "kern/lanes.inc"
#define OP log
#include "kern/lanes.inc"
#define OP log2
#include "kern/lanes.inc"
#define OP log10
#include "kern/lanes.inc"
#define OP log1p
#include "kern/lanes.inc"
#define OP sin
#define HAS_FAR 1
#include "kern/lanes.inc"
#define OP cos
#define HAS_FAR 1
#include "kern/lanes.inc"
#define OP tan
#define HAS_FAR 1
#include "kern/lanes.inc"
#define OP asin
#include "kern/lanes.inc"
#define OP acos
#include "kern/lanes.inc"
#define OP atan
#include "kern/lanes.inc"
#define OP sinh
#include "kern/lanes.inc"
#define OP cosh
#include "kern/lanes.inc"
#define OP tanh
#include "kern/lanes.inc"
#define OP asinh
#include "kern/lanes.inc"
#define OP acosh
#include "kern/lanes.inc"
#define OP atanh
#include "kern/lanes.inc"
#define OP erf
#include "kern/lanes.inc"
#define OP erfc
#include "kern/lanes.inc"
#define OP lgamma
#include "kern/lanes.inc"
#define OP atan2
#include "kern/lanes2.inc"
#define OP logaddexp
#include "kern/lanes2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _f64
#define CLASS _float
#include "kern/math_float.inc"
#define GIVES DTYPE
#define OP sqrt
#include "kern/lanes.inc"
#define OP cbrt
#include "kern/lanes.inc"
#define OP exp
#include "kern/lanes.inc"
#define OP expm1
#include "kern/lanes.inc"
#define OP log
#include "kern/lanes.inc"
#define OP log2
#include "kern/lanes.inc"
#define OP log10
#include "kern/lanes.inc"
#define OP log1p
#include "kern/lanes.inc"
#define OP sin
#define HAS_FAR 1
#include "kern/lanes.inc"
#define OP cos
#define HAS_FAR 1
#include "kern/lanes.inc"
#define OP tan
#define HAS_FAR 1
#include "kern/lanes.inc"
#define OP asin
#include "kern/lanes.inc"
#define OP acos
#include "kern/lanes.inc"
#define OP atan
#include "kern/lanes.inc"
#define OP sinh
#include "kern/lanes.inc"
#define OP cosh
#include "kern/lanes.inc"
#define OP tanh
#include "kern/lanes.inc"
#define OP asinh
#include "kern/lanes.inc"
#define OP acosh
#include "kern/lanes.inc"
#define OP atanh
#include "kern/lanes.inc"
#define OP erf
#include "kern/lanes.inc"
#define OP erfc
#include "kern/lanes.inc"
#define OP lgamma
#include "kern/lanes.inc"
#define OP atan2
#include "kern/lanes2.inc"
#define OP logaddexp
#include "kern/lanes2.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _c64
#define CLASS _complex
#include "kern/math_complex.inc"
#define GIVES DTYPE
#define OP sqrt
#include "kern/loop1.inc"
#define OP exp
#include "kern/loop1.inc"
#define OP expm1
#include "kern/loop1.inc"
#define OP log
#include "kern/loop1.inc"
#define OP log2
#include "kern/loop1.inc"
#define OP log10
#include "kern/loop1.inc"
#define OP log1p
#include "kern/loop1.inc"
#define OP sin
#include "kern/loop1.inc"
#define OP cos
#include "kern/loop1.inc"
#define OP tan
#include "kern/loop1.inc"
#define OP asin
#include "kern/loop1.inc"
#define OP acos
#include "kern/loop1.inc"
#define OP atan
#include "kern/loop1.inc"
#define OP sinh
#include "kern/loop1.inc"
#define OP cosh
#include "kern/loop1.inc"
#define OP tanh
#include "kern/loop1.inc"
#define OP asinh
#include "kern/loop1.inc"
#define OP acosh
#include "kern/loop1.inc"
#define OP atanh
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#define DTYPE _c128
#define CLASS _complex
#include "kern/math_complex.inc"
#define GIVES DTYPE
#define OP sqrt
#include "kern/loop1.inc"
#define OP exp
#include "kern/loop1.inc"
#define OP expm1
#include "kern/loop1.inc"
#define OP log
#include "kern/loop1.inc"
#define OP log2
#include "kern/loop1.inc"
#define OP log10
#include "kern/loop1.inc"
#define OP log1p
#include "kern/loop1.inc"
#define OP sin
#include "kern/loop1.inc"
#define OP cos
#include "kern/loop1.inc"
#define OP tan
#include "kern/loop1.inc"
#define OP asin
#include "kern/loop1.inc"
#define OP acos
#include "kern/loop1.inc"
#define OP atan
#include "kern/loop1.inc"
#define OP sinh
#include "kern/loop1.inc"
#define OP cosh
#include "kern/loop1.inc"
#define OP tanh
#include "kern/loop1.inc"
#define OP asinh
#include "kern/loop1.inc"
#define OP acosh
#include "kern/loop1.inc"
#define OP atanh
#include "kern/loop1.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#ifndef __CUDACC_RTC__

static ndi_kernel *const *const kernels[ND_OP_COUNT] = {
  [ND_OP_SQRT] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = sqrt_f32, [ND_F64] = sqrt_f64, [ND_C64] = sqrt_c64, [ND_C128] = sqrt_c128},
  [ND_OP_CBRT] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = cbrt_f32, [ND_F64] = cbrt_f64},
  [ND_OP_EXP] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = exp_f32, [ND_F64] = exp_f64, [ND_C64] = exp_c64, [ND_C128] = exp_c128},
  [ND_OP_EXPM1] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = expm1_f32, [ND_F64] = expm1_f64, [ND_C64] = expm1_c64, [ND_C128] = expm1_c128},
  [ND_OP_LOG] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = log_f32, [ND_F64] = log_f64, [ND_C64] = log_c64, [ND_C128] = log_c128},
  [ND_OP_LOG2] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = log2_f32, [ND_F64] = log2_f64, [ND_C64] = log2_c64, [ND_C128] = log2_c128},
  [ND_OP_LOG10] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = log10_f32, [ND_F64] = log10_f64, [ND_C64] = log10_c64, [ND_C128] = log10_c128},
  [ND_OP_LOG1P] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = log1p_f32, [ND_F64] = log1p_f64, [ND_C64] = log1p_c64, [ND_C128] = log1p_c128},
  [ND_OP_SIN] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = sin_f32, [ND_F64] = sin_f64, [ND_C64] = sin_c64, [ND_C128] = sin_c128},
  [ND_OP_COS] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = cos_f32, [ND_F64] = cos_f64, [ND_C64] = cos_c64, [ND_C128] = cos_c128},
  [ND_OP_TAN] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = tan_f32, [ND_F64] = tan_f64, [ND_C64] = tan_c64, [ND_C128] = tan_c128},
  [ND_OP_ASIN] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = asin_f32, [ND_F64] = asin_f64, [ND_C64] = asin_c64, [ND_C128] = asin_c128},
  [ND_OP_ACOS] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = acos_f32, [ND_F64] = acos_f64, [ND_C64] = acos_c64, [ND_C128] = acos_c128},
  [ND_OP_ATAN] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = atan_f32, [ND_F64] = atan_f64, [ND_C64] = atan_c64, [ND_C128] = atan_c128},
  [ND_OP_SINH] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = sinh_f32, [ND_F64] = sinh_f64, [ND_C64] = sinh_c64, [ND_C128] = sinh_c128},
  [ND_OP_COSH] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = cosh_f32, [ND_F64] = cosh_f64, [ND_C64] = cosh_c64, [ND_C128] = cosh_c128},
  [ND_OP_TANH] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = tanh_f32, [ND_F64] = tanh_f64, [ND_C64] = tanh_c64, [ND_C128] = tanh_c128},
  [ND_OP_ASINH] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = asinh_f32, [ND_F64] = asinh_f64, [ND_C64] = asinh_c64, [ND_C128] = asinh_c128},
  [ND_OP_ACOSH] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = acosh_f32, [ND_F64] = acosh_f64, [ND_C64] = acosh_c64, [ND_C128] = acosh_c128},
  [ND_OP_ATANH] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = atanh_f32, [ND_F64] = atanh_f64, [ND_C64] = atanh_c64, [ND_C128] = atanh_c128},
  [ND_OP_ERF] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = erf_f32, [ND_F64] = erf_f64},
  [ND_OP_ERFC] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = erfc_f32, [ND_F64] = erfc_f64},
  [ND_OP_LGAMMA] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = lgamma_f32, [ND_F64] = lgamma_f64},
  [ND_OP_ATAN2] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = atan2_f32, [ND_F64] = atan2_f64},
  [ND_OP_LOGADDEXP] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = logaddexp_f32, [ND_F64] = logaddexp_f64},
};

static ndi_kernel *find(nd_op op, nd_dtype dtype) {
  return kernels[op] ? kernels[op][dtype] : NULL;
}

ND_LEVELED(ndi_kernel *, ndi_math_find, find, (nd_op op, nd_dtype dtype), (op, dtype))
#endif
