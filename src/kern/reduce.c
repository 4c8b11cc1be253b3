/* Reductions: functions on accumulators that several dtypes share, and what the bodies in
 * reduce_*.inc are written with. The table is in made/reduce.h.
 *
 * Bodies are written once for all dtypes of a class: the words at the end paste DTYPE or CLASS to a
 * name, and so choose among what is defined here per dtype or class. */
#include "kern/reduce.h"

#include <math.h>

#include "kern/floats.h"
#include "kern/level.h"
#include "kern/words.h"

/* {=== accumulators ===} */

typedef uint64_t sum_uint;
typedef double sum_float;
#define SUM ND_CAT(sum, CLASS)

#define CLASS _uint
#include "kern/totals.inc"
#undef CLASS

#define CLASS _float
#include "kern/totals.inc"
#undef CLASS

/* Signed sums wrap modulo 2^64, so they are computed as unsigned ones. */
typedef sum_uint sum_int;
#define start_1_int start_1_uint
#define merge_sum_int merge_sum_uint
#define merge_prod_int merge_prod_uint

static void start_0(size_t n, const char *x, char *acc) {
  (void)x;
  memset(acc, 0, n * sizeof(double)); /* f64 or u64: both are all zero bits */
}

static void start_0_complex(size_t n, const char *x, char *acc) { start_0(2 * n, x, acc); }

static void start_1_complex(size_t n, const char *x, char *acc) {
  const wide_complex one = {1, 0};
  (void)x;
  for (size_t i = 0; i < n; i++) memcpy(acc + i * sizeof one, &one, sizeof one);
}

/* An array of complex accumulators is one of twice as many doubles. */
static void merge_sum_complex(size_t n, char *acc, const char *later) {
  merge_sum_float(2 * n, acc, later);
}

static inline bool is_one(wide_complex x) { return x.re == 1 && x.im == 0 && !signbit(x.im); }

/* One times 'x' is 'x' to the bit. The formula makes NaN of infinite parts and 0 of -0: then
 * results would depend on how many accumulators start at one. */
static inline wide_complex times(wide_complex a, wide_complex b) {
  if (is_one(a)) return b;
  if (is_one(b)) return a;
  return (wide_complex){ND_PRODUCT(a.re, b.re) - ND_PRODUCT(a.im, b.im),
                        ND_PRODUCT(a.re, b.im) + ND_PRODUCT(a.im, b.re)};
}

static void merge_prod_complex(size_t n, char *acc, const char *later) {
  for (size_t i = 0; i < n; i++) {
    const wide_complex prod = times(get_c128(acc + i * sizeof prod),
                                    get_c128(later + i * sizeof prod));
    memcpy(acc + i * sizeof prod, &prod, sizeof prod);
  }
}

static void start_false(size_t n, const char *x, char *acc) {
  (void)x;
  memset(acc, 0, n);
}

static void start_true(size_t n, const char *x, char *acc) {
  (void)x;
  memset(acc, 1, n);
}

/* Accumulators of ANY and ALL are bytes that are 0 or 1. */
static void merge_any(size_t n, char *acc, const char *later) {
  for (size_t i = 0; i < n; i++) acc[i] |= later[i];
}

static void merge_all(size_t n, char *acc, const char *later) {
  for (size_t i = 0; i < n; i++) acc[i] &= later[i];
}

/* As many elements of 'unit' bytes as a vector has, but no more than there are lanes. */
#define WIDTH_OF(unit, lanes) \
  (ND_VECTOR_BYTES / (unit) < (lanes) ? ND_VECTOR_BYTES / (unit) : (lanes))

/* The loop over 'count' lanes, of which 'width' become a vector. As the outer loop is unrolled and
 * the inner one is not, before it is vectorised, gcc takes arrays of lanes apart into registers. */
#ifdef __clang__
#define FOR_LANES(l, count, width) for (size_t l = 0; l < (count); l++)
#else
#define FOR_LANES(l, count, width)                                                   \
  _Pragma("GCC unroll 16") for (size_t l##_0 = 0; l##_0 < (count); l##_0 += (width)) \
      _Pragma("GCC unroll 1") for (size_t l = l##_0; l < l##_0 + (width); l++)
#endif

/* Prefetch what lies 8 KiB further on than the 'bytes' bytes, a power of two, from 'at' on of 'x':
 * some processors look too short a way ahead (kern/level.h). May be past the end of the array, as a
 * prefetch never faults. */
ND_ALWAYS_INLINE void fetch_ahead(bool fetches, const char *x, size_t at, size_t bytes) {
  const uintptr_t ahead = (uintptr_t)x + at + 8192;
  if (!fetches || (at & (64 - 1) & (0 - bytes)) != 0) return;
  for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch((const void *)(ahead + i));
}

static inline bool does_fetch(void) {
  return atomic_load_explicit(&ndi_fetches_reads, memory_order_relaxed);
}

/* The body of a block: fold COUNT terms into LANES lanes, which start with START, by OP, which is
 * an assignment, and these into KEPT. TERM is what the UNIT bytes at 'at' give. */
#define FOLD_LANES(ACC, COUNT, LANES, KEPT, UNIT, START, OP, TERM)           \
  enum { WIDTH = WIDTH_OF(UNIT, LANES) };                                    \
  ACC lanes[LANES], now[LANES];                                              \
  const bool fetches = does_fetch();                                         \
  size_t i = 0;                                                              \
  FOR_LANES(l, LANES, WIDTH) now[l] = START;                                 \
  for (; i + (LANES) <= (COUNT); i += (LANES)) {                             \
    fetch_ahead(fetches, x, i *(UNIT), (LANES) * (UNIT));                    \
    FOR_LANES(l, LANES, WIDTH) {                                             \
      const char *at = x + (i + l) * (UNIT);                                 \
      now[l] OP TERM;                                                        \
    }                                                                        \
  }                                                                          \
  if (i < (COUNT)) {                                                         \
    FOR_LANES(l, LANES, WIDTH) lanes[l] = now[l];                            \
    for (; i < (COUNT); i++) {                                               \
      const char *at = x + i * (UNIT);                                       \
      lanes[i % (LANES)] OP TERM;                                            \
    }                                                                        \
    FOR_LANES(l, LANES, WIDTH) now[l] = lanes[l];                            \
  }                                                                          \
  ND_UNROLLED for (size_t half = (LANES) / 2; half >= (KEPT); half /= 2)     \
      ND_UNROLLED for (size_t l = 0; l < half; l++) now[l] OP now[l + half]; \
  memcpy(acc, now, (KEPT) * sizeof now[0])

#define FOLD_BLOCK(ACC, START, OP, TERM) \
  FOLD_LANES(ACC, n, NDI_LANES, 1, sizeof(T), START, OP, TERM)

static inline double square(double x) { return x * x; }

/* {=== values to compare ===} */

/* A value with the order of the element: the element itself, a small float as f32. And whether the
 * element is true; of a small float, any bit but that of the sign. */
typedef uint8_t order_bool;
static inline order_bool ordered_bool(const char *p) { return *p != 0; }
static inline bool is_true_bool(const char *p) { return *p != 0; }
enum { order_dtype_bool = ND_BOOL };

#define ND_ROW(ID, name, ...)                                                        \
  typedef type_##name order_##name;                                                  \
  enum { order_dtype_##name = ND_##ID };                                             \
  static inline order_##name ordered_##name(const char *p) { return raw_##name(p); } \
  static inline bool is_true_##name(const char *p) { return raw_##name(p) != 0; }
ND_INTEGERS(ND_ROW)
ND_FLOATS(ND_ROW)
#undef ND_ROW

#define ND_ROW(ID, name, ...)                                                  \
  typedef float order_##name;                                                  \
  enum { order_dtype_##name = ND_F32 };                                        \
  static inline float ordered_##name(const char *p) { return load_##name(p); } \
  static inline bool is_true_##name(const char *p) {                           \
    return (type_##name)(raw_##name(p) << 1) != 0;                             \
  }
ND_SMALL_FLOATS(ND_ROW)
#undef ND_ROW

/* {=== kernels ===} */

#define sum_dtype_uint ND_U64
#define sum_dtype_int ND_I64
#define sum_dtype_float ND_F64
enum { sum_lanes_uint = 1, sum_lanes_int = 1, sum_lanes_float = NDI_LANES };

typedef uint32_t small_sum_uint;
typedef int32_t small_sum_int;
typedef float small_sum_float; /* not used */

/* constant for integers, so that the compiler removes what is done for NaN */
#define is_nan_uint(x) ((void)(x), 0)
#define is_nan_int(x) ((void)(x), 0)
#define is_nan_float(x) ((x) != (x))
/* NaN where either side is */
#define nan_sum_uint(x, y) 0
#define nan_sum_int(x, y) 0
#define nan_sum_float(x, y) ((x) + (y))

#define START_1 ND_CAT(start_1, CLASS)
#define MERGE_SUM ND_CAT(merge_sum, CLASS)
#define MERGE_PROD ND_CAT(merge_prod, CLASS)
#define SUM_DTYPE ND_CAT(sum_dtype, CLASS)
#define SUM_LANES ND_CAT(sum_lanes, CLASS)
#define SMALL_SUM ND_CAT(small_sum, CLASS)
#define IS_INTEGER ((WT)0.5 == 0)
/* the element at p as f64; ndm_f64 is worth its instructions for 64 bits only */
#define AS_F64(p) (IS_INTEGER && sizeof(T) == 8 ? ndm_f64(WIDE(p)) : (double)WIDE(p))
#define OT ND_CAT(order, DTYPE)
#define ORDERED(p) ND_CAT(ordered, DTYPE)(p)
#define ORDER_DTYPE ((nd_dtype)ND_CAT(order_dtype, DTYPE))
#define IS_NAN(x) ND_CAT(is_nan, CLASS)(x)
#define NAN_SUM(x, y) ND_CAT(nan_sum, CLASS)(x, y)
#define PART_OF(p) ND_CAT(raw, PART_DTYPE)(p)
/* A reducer that has neither positions nor pairs. */
#define FOLD(acc, lanes, start, block, row, merge) \
  { acc, lanes, start, block, row, merge, NULL, NULL, NULL, false, NULL }

#include "kern/made/reduce.h"

/* An operation that is no reduction has no row; a row has NULL for a dtype that the operation is
 * not defined for. */
static const ndi_reducer *find_reducer(nd_op op, nd_dtype dtype) {
  return reducers[op] ? reducers[op][dtype] : NULL;
}

static void scale(size_t n, double *x, double divisor, bool roots) {
  for (size_t i = 0; i < n; i++) x[i] = roots ? sqrt(x[i] / divisor) : x[i] / divisor;
}

ND_LEVELED(const ndi_reducer *, ndi_reducer_find, find_reducer, (nd_op op, nd_dtype dtype),
           (op, dtype))
ND_LEVELED(void, ndi_reduce_scale, scale, (size_t n, double *x, double divisor, bool roots),
           (n, x, divisor, roots))
