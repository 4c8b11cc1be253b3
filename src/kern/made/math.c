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
#include "kern/loop1.inc"
#define OP exp
#include "kern/lanes.inc"
#define OP log
#include "kern/lanes.inc"
#define OP sin
#define IS_WITHIN_ONE 1
#include "kern/lanes.inc"
#define OP cos
#define IS_WITHIN_ONE 1
#include "kern/lanes.inc"
#define OP tanh
#include "kern/lanes.inc"
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
#include "kern/loop1.inc"
#define OP exp
#include "kern/lanes.inc"
#define OP log
#include "kern/lanes.inc"
#define OP sin
#define IS_WITHIN_ONE 1
#include "kern/lanes.inc"
#define OP cos
#define IS_WITHIN_ONE 1
#include "kern/lanes.inc"
#define OP tanh
#include "kern/lanes.inc"
#undef GIVES
#undef CLASS
#undef DTYPE

#ifndef __CUDACC_RTC__

static ndi_kernel *const *const kernels[ND_OP_COUNT] = {
  [ND_OP_SQRT] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = sqrt_f32, [ND_F64] = sqrt_f64},
  [ND_OP_CBRT] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = cbrt_f32, [ND_F64] = cbrt_f64},
  [ND_OP_EXP] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = exp_f32, [ND_F64] = exp_f64},
  [ND_OP_LOG] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = log_f32, [ND_F64] = log_f64},
  [ND_OP_SIN] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = sin_f32, [ND_F64] = sin_f64},
  [ND_OP_COS] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = cos_f32, [ND_F64] = cos_f64},
  [ND_OP_TANH] = (ndi_kernel *const[ND_DTYPE_COUNT]){
    [ND_F32] = tanh_f32, [ND_F64] = tanh_f64},
};

static ndi_kernel *find(nd_op op, nd_dtype dtype) {
  return kernels[op] ? kernels[op][dtype] : NULL;
}

ND_LEVELED(ndi_kernel *, ndi_math_find, find, (nd_op op, nd_dtype dtype), (op, dtype))
#endif
