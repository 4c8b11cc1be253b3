/* Kernels that fill arrays with random numbers. */
#ifndef ND_KERN_RANDOM_H
#define ND_KERN_RANDOM_H

#include "base/dtype.h"

/* A counter-based generator: element i of an array depends on the Philox block with key 'seed' and
 * counter (first + i, call_number) alone. So an array may be filled in chunks of any size and
 * order, on any device, with the same numbers. Steps are in bytes; 'z' need not be aligned. Source:
 * Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3, 2011. */

/* Do uniform and normal numbers exist for this dtype? f16, bf16, f32, f64. */
bool ndi_random_has(nd_dtype dtype);

/* Uniform in [0, 1): multiples of 2^-53 for f64, of 2^-24 for f32, from the same leading bits. f16
 * and bf16 get the f64 number rounded to nearest, where what would become 1 becomes the largest
 * number below it. */
void ndi_random_uniform(nd_dtype dtype, size_t n, char *z, ptrdiff_t dz, uint64_t seed,
                        uint64_t call_number, uint64_t first);

/* Normal with mean 0 and deviation 1, by the Box-Muller transform in double. The last bits depend
 * on log and cos of the C library. */
void ndi_random_normal(nd_dtype dtype, size_t n, char *z, ptrdiff_t dz, uint64_t seed,
                       uint64_t call_number, uint64_t first);

/* Integers from lo to lo + span, both included, for any integer dtype that can represent them; 'lo'
 * is modulo 2^64. The probability of a value deviates from 1 / (span + 1) by a factor of at most
 * span / 2^128. */
void ndi_random_integers(nd_dtype dtype, size_t n, char *z, ptrdiff_t dz, uint64_t seed,
                         uint64_t call_number, uint64_t first, uint64_t lo, uint64_t span);

/* A permutation of 1 … n as int64, by a Fisher-Yates shuffle. */
void ndi_random_permutation(size_t n, char *z, ptrdiff_t dz, uint64_t seed, uint64_t call_number);

#endif
