/* Kernels that fill with random numbers, each a function of seed, stream and its own index. */
#ifndef ND_KERN_RANDOM_H
#define ND_KERN_RANDOM_H

#include "base/dtype.h"

/* Element i comes from the Philox block of key 'seed' and counter (first + i, stream) alone, so
 * that chunks in any split and order, on any device, give the same numbers. Steps are in bytes; 'z'
 * need not be aligned. */

/* Whether uniform and normal numbers have this dtype: f16, bf16, f32, f64. */
bool ndi_random_has(nd_dtype dtype);

/* In [0, 1): multiples of 2^-53 for f64, of 2^-24 for f32, cut from the same bits; f16 and bf16 are
 * f64's rounded to the nearest, but what would become 1 is the largest number below it. */
void ndi_random_uniform(nd_dtype dtype, size_t n, char *z, ptrdiff_t dz, uint64_t seed,
                        uint64_t stream, uint64_t first);

/* Of mean 0 and deviation 1, by Box and Muller, computed in double; its last bits are those of the
 * C library. */
void ndi_random_normal(nd_dtype dtype, size_t n, char *z, ptrdiff_t dz, uint64_t seed,
                       uint64_t stream, uint64_t first);

/* From lo to lo + span, both included, for any integer dtype that holds them; 'lo' is modulo 2^64.
 * No value is more likely than another by more than span / 2^128 of itself. */
void ndi_random_integers(nd_dtype dtype, size_t n, char *z, ptrdiff_t dz, uint64_t seed,
                         uint64_t stream, uint64_t first, uint64_t lo, uint64_t span);

/* The numbers 1 … n as int64 in random order (Fisher-Yates). */
void ndi_random_permutation(size_t n, char *z, ptrdiff_t dz, uint64_t seed, uint64_t stream);

#endif
