/* The vocabulary of kernel bodies: types, loads and stores of the dtype at hand. One header for the
 * host's compiler and for NVRTC, which compiles the same bodies as CUDA C++ and has no small floats
 * yet. */
#ifndef ND_KERN_WORDS_H
#define ND_KERN_WORDS_H

#ifdef __CUDACC_RTC__
#include "kern/words_gpu.h"
#else
#include <string.h>

#include "base/dtype.h"
#include "base/half.h"
#define COMPLEX_OF(part) part _Complex
#define REAL_PART(v) __real__(v)
#define IMAG_PART(v) __imag__(v)
#endif
#include "kern/made/dtypes.h"

/* Whoever includes a body (kern/made/) defines DTYPE as "_i8" and the like, and CLASS as "_int" and
 * the like. They begin with an underscore because a bare "bool" is a macro, which would expand
 * before pasting. */
#define ND_CAT_(a, b) a##b
#define ND_CAT(a, b) ND_CAT_(a, b)
#define FN(op) ND_CAT(op, DTYPE) /* add_i8 */
#define T ND_CAT(type, DTYPE)    /* as stored */
/* the type to compute in; unsigned for integers, whose overflow wraps */
#define CT ND_CAT(compute, DTYPE)
#define LOAD(p) ND_CAT(load, DTYPE)(p)         /* the element at p as CT; bools are 0 or 1 */
#define STORE(p, v) ND_CAT(store, DTYPE)(p, v) /* store v, a CT; bools become 0 or 1 */
#define VALUE(p) ND_CAT(value, DTYPE)(p)       /* the element at p as T; bools are 0 or 1 */
#define WT ND_CAT(wide, CLASS)                 /* the widest type of the class */
#define WIDE(p) ND_CAT(get, DTYPE)(p)          /* the element at p as WT, exactly */
#define WORD ND_CAT(word, DTYPE)               /* an unsigned integer of ITEM bytes */

/* For complex dtypes. */
#define PT ND_CAT(part, DTYPE)            /* the type of a part */
#define PART_DTYPE ND_CAT(ND_PART, DTYPE) /* its DTYPE */
#define REAL(v) ND_CAT(real, DTYPE)(v)
#define IMAG(v) ND_CAT(imag, DTYPE)(v)
#define JOIN(re, im) ND_CAT(join, DTYPE)(re, im)

/* A product that is rounded before something is added to it: from version 12 on, gcc would fuse
 * those of complex numbers in spite of -ffp-contract=off. */
#define ND_PRODUCT(x, y) ((x) * (y))
#ifdef __has_builtin
#if __has_builtin(__builtin_assoc_barrier)
#undef ND_PRODUCT
#define ND_PRODUCT(x, y) __builtin_assoc_barrier((x) * (y))
#endif
#endif

/* Define the kernel FN(op) from the loop FN(op_step): once with constant steps, so that it
 * vectorises, once with the given ones. */
#define UNIT2(op)                                                                    \
  static void FN(op)(size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx) { \
    const ptrdiff_t unit = sizeof(T);                                                \
    if (dz == unit && dx == unit) FN(op##_step)(n, z, sizeof(T), x, sizeof(T));      \
    else FN(op##_step)(n, z, dz, x, dx);                                             \
  }

typedef int64_t wide_int;
typedef uint64_t wide_uint;
typedef double wide_float;
typedef struct {
  double re, im;
} wide_complex;

/* {=== loads and stores at any alignment ===} */

#define ND_ROW(ID, name, type, ...) typedef type type_##name;
ND_BOOLS(ND_ROW)
ND_INTEGERS(ND_ROW)
ND_FLOATS(ND_ROW)
ND_SMALL_FLOATS(ND_ROW)
#undef ND_ROW

#define ND_ROW(ID, name, part, ...) typedef COMPLEX_OF(part) type_##name;
ND_COMPLEXES(ND_ROW)
#undef ND_ROW

#define ND_ROW(ID, name, ...)                           \
  static inline type_##name raw_##name(const char *p) { \
    type_##name v;                                      \
    memcpy(&v, p, sizeof v);                            \
    return v;                                           \
  }                                                     \
  static inline void set_##name(char *p, type_##name v) { memcpy(p, &v, sizeof v); }
ND_BOOLS(ND_ROW)
ND_INTEGERS(ND_ROW)
ND_FLOATS(ND_ROW)
ND_SMALL_FLOATS(ND_ROW)
#undef ND_ROW

/* Complex numbers by parts: gcc would put a whole one on the stack, part by part, and take it from
 * there as one word, for which the processor waits; and it would not vectorise. They are joined one
 * by one, as 're + im * I' would not be exact for infinities and NaN. */
#define ND_ROW(ID, name, part, of)                                       \
  typedef part part_##name;                                              \
  static inline part real_##name(type_##name v) { return REAL_PART(v); } \
  static inline part imag_##name(type_##name v) { return IMAG_PART(v); } \
  static inline type_##name join_##name(part re, part im) {              \
    type_##name v;                                                       \
    REAL_PART(v) = re;                                                   \
    IMAG_PART(v) = im;                                                   \
    return v;                                                            \
  }                                                                      \
  static inline type_##name raw_##name(const char *p) {                  \
    return join_##name(raw_##of(p), raw_##of(p + sizeof(part)));         \
  }                                                                      \
  static inline void set_##name(char *p, type_##name v) {                \
    set_##of(p, REAL_PART(v));                                           \
    set_##of(p + sizeof(part), IMAG_PART(v));                            \
  }
ND_COMPLEXES(ND_ROW)
#undef ND_ROW

/* {=== bool ===} */

typedef uint32_t compute_bool;
static inline uint32_t load_bool(const char *p) { return *p != 0; }
static inline void store_bool(char *p, uint32_t v) { *p = v != 0; }
static inline type_bool value_bool(const char *p) { return *p != 0; }
static inline wide_uint get_bool(const char *p) { return *p != 0; }

/* {=== types to compute in ===} */

#define ND_ROW(ID, name, type, compute, ...) typedef compute compute_##name;
ND_INTEGERS(ND_ROW)
#undef ND_ROW

#define ND_ROW(ID, name, ...) typedef type_##name compute_##name;
ND_FLOATS(ND_ROW)
ND_COMPLEXES(ND_ROW)
#undef ND_ROW

#define ND_ROW(ID, name, ...)                                                                   \
  static inline compute_##name load_##name(const char *p) {                                     \
    return (compute_##name)raw_##name(p);                                                       \
  }                                                                                             \
  static inline void store_##name(char *p, compute_##name v) { set_##name(p, (type_##name)v); } \
  static inline type_##name value_##name(const char *p) { return raw_##name(p); }
ND_INTEGERS(ND_ROW)
ND_FLOATS(ND_ROW)
ND_COMPLEXES(ND_ROW)
#undef ND_ROW

#define ND_ROW(ID, name, type, compute, near, class, ...) \
  static inline wide_##class get_##name(const char *p) { return (wide_##class)raw_##name(p); }
ND_INTEGERS(ND_ROW)
#undef ND_ROW

#define ND_ROW(ID, name, ...) \
  static inline wide_float get_##name(const char *p) { return (wide_float)raw_##name(p); }
ND_FLOATS(ND_ROW)
#undef ND_ROW

#define ND_ROW(ID, name, part, of)                                    \
  static inline wide_complex get_##name(const char *p) {              \
    const wide_complex v = {get_##of(p), get_##of(p + sizeof(part))}; \
    return v;                                                         \
  }
ND_COMPLEXES(ND_ROW)
#undef ND_ROW

#ifndef __CUDACC_RTC__

/* {=== small floats ===} */

#define ND_ROW(ID, name, ...)                                                                   \
  typedef float compute_##name;                                                                 \
  static inline float load_##name(const char *p) { return ndi_##name##_to_f32(raw_##name(p)); } \
  static inline wide_float get_##name(const char *p) { return (wide_float)load_##name(p); }     \
  static inline void store_##name(char *p, float v) { set_##name(p, ndi_f64_to_##name((double)v)); }
ND_SMALL_FLOATS(ND_ROW)
#undef ND_ROW

/* {=== elements as words ===} */

typedef uint8_t word_1;
typedef uint16_t word_2;
typedef uint32_t word_4;
typedef uint64_t word_8;
typedef nd_uint128 word_16;

#endif
#endif
