/* Levels of processors. Kernels are compiled for the baseline x86-64 and once more for x86-64-v3
 * (AVX2, BMI2, F16C), where the Makefile says so (ND_LEVELS); the choice is made at run time. Both
 * give the same bits, except for functions of libmvec (exp, log, sin, cos, tanh), which may differ
 * by ulps. */
#ifndef ND_KERN_LEVEL_H
#define ND_KERN_LEVEL_H

#include <stdbool.h>

/* True when the processor supports x86-64-v3, unless ndi_level_allow_v3(false) was called. */
bool ndi_level_is_v3(void);

/* Where not 'allowed', the baseline kernels are used from now on; for specs that compare the two.
 */
void ndi_level_allow_v3(bool allowed);

/* Define the exported function 'name', which calls the static 'own' of the chosen level. A file
 * ends with one for each function that it exports; the compilation for v3 defines name_v3
 * instead. */
#if !defined ND_LEVELS
#define ND_LEVELED(type, name, own, params, args) \
  type name params { return own args; }
#elif defined ND_V3
#define ND_LEVELED(type, name, own, params, args) \
  type name##_v3 params;                          \
  type name##_v3 params { return own args; }
#else
#define ND_LEVELED(type, name, own, params, args) \
  type name##_v3 params;                          \
  type name params { return ndi_level_is_v3() ? name##_v3 args : own args; }
#endif

#endif
