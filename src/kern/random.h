/* Kernels that fill arrays with random numbers. */
#ifndef ND_KERN_RANDOM_H
#define ND_KERN_RANDOM_H

#include "base/dtype.h"
#include "base/op.h"

/* A counter-based generator: element i of an array depends on its parameters and on the Philox
 * blocks with key 'seed' and counter (i, call_number) alone; where one is not enough, the upper 16
 * bits of call_number count them. So an array may be filled in chunks of any size and order, on any
 * device, with the same numbers. All functions that are computed are those of kern/, so that every
 * bit is the same on every processor. Source: Salmon et al., Parallel Random Numbers: As Easy as 1,
 * 2, 3, 2011. */
typedef struct {
  uint64_t seed, call_number;
} ndi_random;

/* 'n' elements from element 'first' on, written to 'z', which need not be aligned. Parameter k of
 * them is the double at at[k], and then each step[k] bytes further. Steps are in bytes. */
typedef struct {
  size_t first, n;
  char *z;
  ptrdiff_t dz;
  const char *at[2];
  ptrdiff_t step[2];
} ndi_random_run;

/* Draws from the distribution of 'op', by the parameters that base/op.h lists:
 *   UNIFORM    lo + (hi - lo) u, with u in [0, 1) a multiple of 2^-53, of f32 of 2^-24, from the
 *              same leading bits; in f16 and bf16 no u is rounded to 1
 *   NORMAL     Box and Muller, A Note on the Generation of Random Normal Deviates, 1958
 *   EXPONENTIAL by inversion
 *   GAMMA      Marsaglia and Tsang, A Simple Method for Generating Gamma Variables, 2000
 *   BETA       the share that one of two gamma numbers has
 *   POISSON, BINOMIAL  below a mean of 10 by inversion, else by Hörmann's rejections: The
 *              Transformed Rejection Method for Generating Poisson Random Variables, 1993; The
 *              Generation of Binomial Random Variates, 1993
 * The dtype is f16, bf16, f32 or f64 (numbers are made as f64, and rounded once), of POISSON and
 * BINOMIAL i64. */
void ndi_random_draw(nd_op op, nd_dtype dtype, const ndi_random *r, const ndi_random_run *run);

/* Integers from lo to lo + span, both included, for any integer dtype that can represent them; 'lo'
 * is modulo 2^64. The probability of a value deviates from 1 / (span + 1) by a factor of at most
 * span / 2^128. */
void ndi_random_integers(nd_dtype dtype, const ndi_random *r, const ndi_random_run *run,
                         uint64_t lo, uint64_t span);

/* A permutation of 1 … n as int64, by a Fisher-Yates shuffle. */
void ndi_random_permutation(const ndi_random *r, size_t n, char *z, ptrdiff_t dz);

#endif
