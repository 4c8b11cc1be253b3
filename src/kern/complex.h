/* The parts of complex numbers, for kernel bodies. */
#ifndef ND_KERN_COMPLEX_H
#define ND_KERN_COMPLEX_H

#include "kern/words.h"

#define PT ND_CAT(part, DTYPE)           /* the type of a part */
#define PART_DTYPE ND_CAT(suffix, DTYPE) /* its DTYPE */
#define suffix_c64 _f32
#define suffix_c128 _f64
#define REAL(v) ND_CAT(real, DTYPE)(v)
#define IMAG(v) ND_CAT(imag, DTYPE)(v)
#define JOIN(re, im) ND_CAT(join, DTYPE)(re, im)

#define ND_PARTS(X) \
  X(c64, float)     \
  X(c128, double)

#define ND_ROW(name, part) \
  typedef struct {         \
    part re, im;           \
  } pair_##name;           \
  typedef part part_##name;
ND_PARTS(ND_ROW)
#undef ND_ROW

#define ND_ROW(name, part)                                  \
  static inline pair_##name pair_of_##name(type_##name v) { \
    pair_##name pair;                                       \
    memcpy(&pair, &v, sizeof pair);                         \
    return pair;                                            \
  }
ND_PARTS(ND_ROW)
#undef ND_ROW

#define ND_ROW(name, part)                                                       \
  static inline part real_##name(type_##name v) { return pair_of_##name(v).re; } \
  static inline part imag_##name(type_##name v) { return pair_of_##name(v).im; }
ND_PARTS(ND_ROW)
#undef ND_ROW

#define ND_ROW(name, part)                                  \
  static inline type_##name join_##name(part re, part im) { \
    const pair_##name pair = {re, im};                      \
    return raw_##name((const char *)&pair);                 \
  }
ND_PARTS(ND_ROW)
#undef ND_ROW

#endif
