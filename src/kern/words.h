/* The words that kernel bodies are written with: types, loads and stores of the dtype at hand. */
#ifndef ND_KERN_WORDS_H
#define ND_KERN_WORDS_H

#include <string.h>

#include "base/dtype.h"
#include "base/half.h"

/* A driver (kern/each_dtype.h) defines DTYPE as "_i8" and its like, and CLASS as "_int" and its
 * like. They begin with the underscore because a bare "bool" is a macro and would not paste. */
#define ND_CAT_(a, b) a##b
#define ND_CAT(a, b) ND_CAT_(a, b)
#define FN(op) ND_CAT(op, DTYPE)       /* add_i8 */
#define T ND_CAT(type, DTYPE)          /* as stored */
#define CT ND_CAT(compute, DTYPE)      /* to compute in; unsigned for integers, which wrap */
#define LOAD(p) ND_CAT(load, DTYPE)(p) /* a CT; bools are 0 or 1 */
#define STORE(p, v) ND_CAT(store, DTYPE)(p, v) /* of a CT; bools become 0 or 1 */
#define WT ND_CAT(wide, CLASS)                 /* holds every value of the class */
#define WIDE(p) ND_CAT(get, DTYPE)(p)          /* a WT, exact */

/* The loop z, x of 'op_step' twice: with constant steps, so that it vectorises, and with the given
 * ones. */
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

/* The stored bits, wherever they lie. */
#define ND_ROW(ID, name, type, ...)              \
  static inline type raw_##name(const char *p) { \
    type v;                                      \
    memcpy(&v, p, sizeof v);                     \
    return v;                                    \
  }
ND_DTYPES(ND_ROW)
#undef ND_ROW

#define ND_ROW(ID, name, type, ...) \
  typedef type type_##name;         \
  static inline void set_##name(char *p, type v) { memcpy(p, &v, sizeof v); }
ND_DTYPES(ND_ROW)
#undef ND_ROW

typedef uint32_t compute_bool;
static inline uint32_t load_bool(const char *p) { return *p != 0; }
static inline void store_bool(char *p, uint32_t v) { *p = v != 0; }
static inline wide_uint get_bool(const char *p) { return *p != 0; }

/* ORDER DTYPE: what C computes in: name, compute type, wide type. */
#define ND_PLAIN_DTYPES(X)    \
  X(i8, uint32_t, wide_int)   \
  X(u8, uint32_t, wide_uint)  \
  X(i16, uint32_t, wide_int)  \
  X(u16, uint32_t, wide_uint) \
  X(i32, uint32_t, wide_int)  \
  X(u32, uint32_t, wide_uint) \
  X(i64, uint64_t, wide_int)  \
  X(u64, uint64_t, wide_uint) \
  X(f32, float, wide_float)   \
  X(f64, double, wide_float)

#define ND_COMPLEX_DTYPES(X)           \
  X(c64, float _Complex, wide_complex) \
  X(c128, double _Complex, wide_complex)

#define ND_ROW(name, compute, wide)                                                   \
  typedef compute compute_##name;                                                     \
  static inline compute load_##name(const char *p) { return (compute)raw_##name(p); } \
  static inline void store_##name(char *p, compute v) { set_##name(p, (type_##name)v); }
ND_PLAIN_DTYPES(ND_ROW)
ND_COMPLEX_DTYPES(ND_ROW)
#undef ND_ROW

#define ND_ROW(name, compute, wide) \
  static inline wide get_##name(const char *p) { return (wide)raw_##name(p); }
ND_PLAIN_DTYPES(ND_ROW)
#undef ND_ROW

static inline wide_complex get_c64(const char *p) {
  return (wide_complex){get_f32(p), get_f32(p + sizeof(float))};
}

static inline wide_complex get_c128(const char *p) {
  return (wide_complex){get_f64(p), get_f64(p + sizeof(double))};
}

/* ORDER DTYPE: the floats that C does not have; they compute in float. */
#define ND_SMALL_FLOATS(X) \
  X(f16)                   \
  X(bf16)                  \
  X(f8e4m3)                \
  X(f8e5m2)

#define ND_ROW(name)                                                                            \
  typedef float compute_##name;                                                                 \
  static inline float load_##name(const char *p) { return ndi_##name##_to_f32(raw_##name(p)); } \
  static inline wide_float get_##name(const char *p) { return (wide_float)load_##name(p); }
ND_SMALL_FLOATS(ND_ROW)
#undef ND_ROW

#define ND_ROW(name) \
  static inline void store_##name(char *p, float v) { set_##name(p, ndi_f64_to_##name((double)v)); }
ND_SMALL_FLOATS(ND_ROW)
#undef ND_ROW

#endif
