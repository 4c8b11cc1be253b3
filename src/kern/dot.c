/* Products with a vector: the sums that the bodies of dot.inc compute with, and their table. */
#include "kern/dot.h"

#include "kern/level.h"
#include "kern/words.h"

enum {
  LANES = 16,
  ROWS = 4,
  BLOCK = 1024,
  LEVELS = 7, /* binary digits of the blocks of a chunk */
  AHEAD = 4,  /* rows that are fetched before they are added */
};

/* {=== what is added up ===} The type of a sum; loads, stores, and arithmetic of it. */

typedef uint32_t sum_bool;
static inline sum_bool load_sum_bool(const char *p) { return load_bool(p); }
static inline void store_sum_bool(char *z, sum_bool v) { store_bool(z, v); }
static inline sum_bool times_bool(sum_bool x, sum_bool y) { return x & y; }
static inline sum_bool plus_bool(sum_bool x, sum_bool y) { return x | y; }

/* Integers of either sign: it makes no difference to the bits of their sums and products. */
#define SIZES(X) X(u8, uint32_t) X(u16, uint32_t) X(u32, uint32_t) X(u64, uint64_t)
#define ND_ROW(name, compute)                                                         \
  typedef compute sum_##name;                                                         \
  static inline sum_##name load_sum_##name(const char *p) { return load_##name(p); }  \
  static inline void store_sum_##name(char *z, sum_##name v) { store_##name(z, v); }  \
  static inline sum_##name times_##name(sum_##name x, sum_##name y) { return x * y; } \
  static inline sum_##name plus_##name(sum_##name x, sum_##name y) { return x + y; }
SIZES(ND_ROW)
#undef ND_ROW

#define ND_ROW(ID, name, type)                                                          \
  typedef double sum_##name;                                                            \
  static inline double load_sum_##name(const char *p) { return (double)raw_##name(p); } \
  static inline void store_sum_##name(char *z, double v) { set_##name(z, (type)v); }    \
  static inline double times_##name(double x, double y) { return x * y; }               \
  static inline double plus_##name(double x, double y) { return x + y; }
ND_FLOATS(ND_ROW)
#undef ND_ROW

static inline wide_complex times(wide_complex x, wide_complex y) {
  return (wide_complex){ND_PRODUCT(x.re, y.re) - ND_PRODUCT(x.im, y.im),
                        ND_PRODUCT(x.re, y.im) + ND_PRODUCT(x.im, y.re)};
}

static inline wide_complex plus(wide_complex x, wide_complex y) {
  return (wide_complex){x.re + y.re, x.im + y.im};
}

#define ND_ROW(ID, name, part, of)                                                                \
  typedef wide_complex sum_##name;                                                                \
  static inline wide_complex load_sum_##name(const char *p) { return get_##name(p); }             \
  static inline void store_sum_##name(char *z, wide_complex v) {                                  \
    set_##name(z, join_##name((part)v.re, (part)v.im));                                           \
  }                                                                                               \
  static inline wide_complex times_##name(wide_complex x, wide_complex y) { return times(x, y); } \
  static inline wide_complex plus_##name(wide_complex x, wide_complex y) { return plus(x, y); }
ND_COMPLEXES(ND_ROW)
#undef ND_ROW

/* Real numbers are their own conjugates. */
#define ND_ROW(name, ...) \
  static inline type_##name conjugate_##name(type_##name v) { return v; }
SIZES(ND_ROW)
ND_ROW(bool)
ND_ROW(f32)
ND_ROW(f64)
#undef ND_ROW

#define ND_ROW(ID, name, ...)                                 \
  static inline type_##name conjugate_##name(type_##name v) { \
    return join_##name(real_##name(v), -imag_##name(v));      \
  }
ND_COMPLEXES(ND_ROW)
#undef ND_ROW

/* {=== the table ===} */

#define BODY_BOOL "kern/dot.inc"
#define BODY_UNSIGNED "kern/dot.inc"
#define BODY_COMPLEX "kern/dot.inc"
#include "kern/made/each_dtype.h"

#define DTYPE _f32
#include "kern/dot.inc"
#undef DTYPE
#define DTYPE _f64
#include "kern/dot.inc"
#undef DTYPE

static const ndi_dot *find_dot(nd_dtype dtype) {
  const size_t bytes = nd_dtype_get(dtype)->bytes;
  switch (nd_dtype_get(dtype)->kind) {
    case ND_KIND_BOOL: return &dot_bool;
    case ND_KIND_INT:
    case ND_KIND_UINT:
      return bytes == 1 ? &dot_u8 : bytes == 2 ? &dot_u16 : bytes == 4 ? &dot_u32 : &dot_u64;
    case ND_KIND_FLOAT: return dtype == ND_F32 ? &dot_f32 : dtype == ND_F64 ? &dot_f64 : NULL;
    case ND_KIND_COMPLEX: return dtype == ND_C64 ? &dot_c64 : &dot_c128;
  }
  return NULL;
}

ND_LEVELED(const ndi_dot *, ndi_dot_find, find_dot, (nd_dtype dtype), (dtype))
