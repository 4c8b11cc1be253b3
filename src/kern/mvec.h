/* Declares that glibc's libmvec has vector versions of math functions, so that gcc calls them in
 * loops marked ND_SIMD. Must be included before <math.h>, whose own declarations say so under
 * -ffast-math only. */
#ifndef ND_KERN_MVEC_H
#define ND_KERN_MVEC_H

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

#endif
