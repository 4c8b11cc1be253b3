/* Products of matrices: what the bodies of gemm*.inc are written with, and their table. */
#include "kern/gemm.h"

#include "kern/level.h"
#include "kern/words.h"

/* How many rows of two vectors each are summed up in registers, besides two more vectors and a
 * product. */
#if ND_VECTOR_BYTES == 64
enum { REAL_ROWS = 12, COMPLEX_ROWS = 6 };
#else
enum { REAL_ROWS = 6, COMPLEX_ROWS = 2 };
#endif
enum { PAIR = 2, STRIP_ROWS = 8 };

/* {=== real numbers ===} An element is packed, and computed, as a LANE. */

#define VECTORS "kern/gemm_real.inc"
#define ROWS REAL_ROWS
#define ELEMENT(name, lane)                                                       \
  typedef lane element_##name;                                                    \
  static inline lane take_##name(const char *p) { return (lane)value_##name(p); } \
  static inline lane zero_##name(void) { return 0; }
#define IS_PACKED true /* as it is stored */

#define DTYPE _f32
#define LANE float
ELEMENT(f32, LANE)
#include "kern/gemm.inc"
#undef DTYPE
#undef LANE

#define DTYPE _f64
#define LANE double
ELEMENT(f64, LANE)
#include "kern/gemm.inc"
#undef DTYPE
#undef LANE

/* Integers of either sign: it makes no difference to the bits of sums and products. */
#define DTYPE _u16
#define LANE uint16_t
ELEMENT(u16, LANE)
#include "kern/gemm.inc"
#undef DTYPE
#undef LANE

#define DTYPE _u32
#define LANE uint32_t
ELEMENT(u32, LANE)
#include "kern/gemm.inc"
#undef DTYPE
#undef LANE

#define DTYPE _u64
#define LANE uint64_t
ELEMENT(u64, LANE)
#include "kern/gemm.inc"
#undef DTYPE
#undef LANE
#undef IS_PACKED

/* Processors have no product of vectors of bytes; and bools may be stored as any byte. */
#define IS_PACKED false
#define DTYPE _u8
#define LANE uint16_t
ELEMENT(u8, LANE)
#include "kern/gemm.inc"
#undef DTYPE
#undef LANE

#define IS_TRUTH
#define DTYPE _bool
#define LANE uint8_t
ELEMENT(bool, LANE)
#include "kern/gemm.inc"
#undef DTYPE
#undef LANE
#undef IS_TRUTH
#undef ROWS
#undef VECTORS

/* {=== complex numbers ===} The left operand is packed as it is stored, the right one by parts. */

#define VECTORS "kern/gemm_complex.inc"
#define ROWS COMPLEX_ROWS
#define PARTS(name, lane)                                   \
  typedef struct {                                          \
    lane re, im;                                            \
  } element_##name;                                         \
  static inline element_##name take_##name(const char *p) { \
    element_##name v;                                       \
    memcpy(&v, p, sizeof v);                                \
    return v;                                               \
  }                                                         \
  static inline element_##name zero_##name(void) { return (element_##name){0, 0}; }

#define DTYPE _c64
#define LANE float
PARTS(c64, LANE)
#include "kern/gemm.inc"
#undef DTYPE
#undef LANE

#define DTYPE _c128
#define LANE double
PARTS(c128, LANE)
#include "kern/gemm.inc"
#undef DTYPE
#undef LANE

/* {=== the table ===} */

static const ndi_gemm *find_gemm(nd_dtype dtype) {
  const size_t bytes = nd_dtype_get(dtype)->bytes;
  switch (nd_dtype_get(dtype)->kind) {
    case ND_KIND_BOOL: return &gemm_bool;
    case ND_KIND_INT:
    case ND_KIND_UINT:
      return bytes == 1 ? &gemm_u8 : bytes == 2 ? &gemm_u16 : bytes == 4 ? &gemm_u32 : &gemm_u64;
    case ND_KIND_FLOAT: return dtype == ND_F32 ? &gemm_f32 : dtype == ND_F64 ? &gemm_f64 : NULL;
    case ND_KIND_COMPLEX: return dtype == ND_C64 ? &gemm_c64 : &gemm_c128;
  }
  return NULL;
}

ND_LEVELED(const ndi_gemm *, ndi_gemm_find, find_gemm, (nd_dtype dtype), (dtype))
