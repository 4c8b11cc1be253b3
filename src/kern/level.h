/* Levels of processors. Kernels are compiled for the baseline x86-64, again for x86-64-v3 (AVX2,
 * BMI2, F16C), and again for x86-64-v4 (AVX-512), as the Makefile says (ND_LEVELS); the choice is
 * made at run time. All give the same bits. */
#ifndef ND_KERN_LEVEL_H
#define ND_KERN_LEVEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The highest level that the processor supports: 4, 3, or 1, the baseline. */
int ndi_level(void);

/* Should reductions prefetch what they will read, and conversions what they will read or write?
 * Intel's processors do not look far enough ahead by themselves. AMD's do: conversions take longer
 * where both prefetch, and so do reductions with AVX-512, but not with AVX2 (docs/benchmarks.md).
 * Known from the first call of a function of this file on, and so when a kernel runs. */
extern atomic_bool ndi_fetches_reads, ndi_fetches_copies;

/* Bytes of all its views from which on an operation stores its result past the caches
 * (kern/pass.h): four times what the largest one holds (or one of several such). Less of a result
 * than that may still be there for who reads it next (docs/benchmarks.md); else each of its lines
 * would only be fetched from memory to be overwritten. Known as those are. */
extern _Atomic uint64_t ndi_passes_from;

/* The bytes of a vector of the level that is compiled. */
#if defined __AVX512F__
#define ND_VECTOR_BYTES 64
#elif defined __AVX2__
#define ND_VECTOR_BYTES 32
#else
#define ND_VECTOR_BYTES 16
#endif

/* Use no level above 'most' from now on; for specs that compare the levels. */
void ndi_level_limit(int most);

/* Define the exported function 'name', which calls the static 'own' of the chosen level. A file
 * ends with one for each function that it exports; the compilations for v3 and v4 define name_v3
 * and name_v4 instead. */
#if !defined ND_LEVELS
#define ND_LEVELED(type, name, own, params, args) \
  type name params { return own args; }
#elif defined ND_V4
#define ND_LEVELED(type, name, own, params, args) \
  type name##_v4 params;                          \
  type name##_v4 params { return own args; }
#elif defined ND_V3
#define ND_LEVELED(type, name, own, params, args) \
  type name##_v3 params;                          \
  type name##_v3 params { return own args; }
#else
#define ND_LEVELED(type, name, own, params, args)                                \
  type name##_v3 params;                                                         \
  type name##_v4 params;                                                         \
  type name params {                                                             \
    const int level = ndi_level();                                               \
    return level == 4 ? name##_v4 args : level == 3 ? name##_v3 args : own args; \
  }
#endif

#endif
