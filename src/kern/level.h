/* Levels of a processor: kernels are compiled for what every x86-64 has, and once more for
 * x86-64-v3 (AVX2, BMI2, F16C), where the Makefile says so (ND_LEVELS). The same source and the
 * same bits, but for what libmvec computes (exp, log, sin, cos, tanh): there levels differ by ulps.
 */
#ifndef ND_KERN_LEVEL_H
#define ND_KERN_LEVEL_H

#include <stdbool.h>

/* Does this processor run the kernels for v3, and may they be used? */
bool ndi_level_is_v3(void);

/* False: the common level serves from now on, for comparison. */
void ndi_level_allow_v3(bool allowed);

/* 'name', which calls 'own' of the level that serves: a file ends with one for each function it
 * offers. */
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
