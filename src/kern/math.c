/* Mathematical functions, by libmvec where the compiler can call it. */

/* Before <math.h>, whose own declarations have the vector functions under -ffast-math only. */
#if defined ND_MVEC && !defined __clang__
#define ND_SIMD _Pragma("omp simd")
#pragma omp declare simd notinbranch
float expf(float x);
#pragma omp declare simd notinbranch
double exp(double x);
#pragma omp declare simd notinbranch
float logf(float x);
#pragma omp declare simd notinbranch
double log(double x);
#pragma omp declare simd notinbranch
float sinf(float x);
#pragma omp declare simd notinbranch
double sin(double x);
#pragma omp declare simd notinbranch
float cosf(float x);
#pragma omp declare simd notinbranch
double cos(double x);
#pragma omp declare simd notinbranch
float tanhf(float x);
#pragma omp declare simd notinbranch
double tanh(double x);
#else
#define ND_SIMD
#endif

#include <tgmath.h>

#include "kern/family.h"

#define BODY_FLOAT "kern/math.inc"
#include "kern/each_number.h"

static const ndi_kernel_row rows[] = {
    {ND_OP_SQRT, {ND_OF_FLOATS(sqrt)}}, {ND_OP_EXP, {ND_OF_FLOATS(exp)}},
    {ND_OP_LOG, {ND_OF_FLOATS(log)}},   {ND_OP_SIN, {ND_OF_FLOATS(sin)}},
    {ND_OP_COS, {ND_OF_FLOATS(cos)}},   {ND_OP_TANH, {ND_OF_FLOATS(tanh)}}};

static ndi_kernel *find(nd_op op, nd_dtype dtype) {
  return ndi_row_find(rows, ND_COUNTOF(rows), op, dtype);
}

ND_LEVELED(ndi_kernel *, ndi_math_find, find, (nd_op op, nd_dtype dtype), (op, dtype))
