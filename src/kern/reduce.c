/* Accumulators, and the table of reductions. */
#include "kern/reduce.h"

#include <math.h>

#include "kern/level.h"
#include "kern/words.h"

/* {=== accumulators ===} */

typedef uint64_t sum_uint;
typedef double sum_float;
#define SUM ND_CAT(sum, CLASS)

#define CLASS _uint
#include "kern/reduce_sum.inc"
#undef CLASS

#define CLASS _float
#include "kern/reduce_sum.inc"
#undef CLASS

/* Signed integers wrap, and are added up as unsigned ones. */
typedef sum_uint sum_int;
#define fold_sum_int fold_sum_uint
#define start_1_int start_1_uint
#define merge_sum_int merge_sum_uint
#define merge_prod_int merge_prod_uint

static void start_0(size_t n, const char *x, char *acc) {
  (void)x;
  memset(acc, 0, n * sizeof(double)); /* f64, u64 */
}

static void start_0_complex(size_t n, const char *x, char *acc) { start_0(2 * n, x, acc); }

static void start_1_complex(size_t n, const char *x, char *acc) {
  const wide_complex one = {1, 0};
  (void)x;
  for (size_t i = 0; i < n; i++) memcpy(acc + i * sizeof one, &one, sizeof one);
}

static void merge_sum_complex(size_t n, char *acc, const char *behind) {
  merge_sum_float(2 * n, acc, behind);
}

static inline wide_complex times(wide_complex a, wide_complex b) {
  return (wide_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static void merge_prod_complex(size_t n, char *acc, const char *behind) {
  for (size_t i = 0; i < n; i++) {
    const wide_complex prod = times(get_c128(acc + i * sizeof prod),
                                    get_c128(behind + i * sizeof prod));
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

static void merge_any(size_t n, char *acc, const char *behind) {
  for (size_t i = 0; i < n; i++) acc[i] |= behind[i];
}

static void merge_all(size_t n, char *acc, const char *behind) {
  for (size_t i = 0; i < n; i++) acc[i] &= behind[i];
}

enum { STRIP = 256 }; /* elements: a multiple of all lanes */

/* Processors look too short a way ahead by themselves: fetch what lies as far behind a strip as to
 * be needed soon. That may be past the end. */
static inline void fetch_behind(size_t bytes, const char *x) {
  const uintptr_t at = (uintptr_t)x + 2048;
  for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch((const void *)(at + i));
}

/* {=== what order and truth look at ===} */

/* A value that orders as the element does: the element itself, a small float as a float. */
#define ND_ROW(name, compute, wide) \
  typedef type_##name order_##name; \
  static inline order_##name ordered_##name(const char *p) { return raw_##name(p); }
ND_PLAIN_DTYPES(ND_ROW)
#undef ND_ROW

#define ND_ROW(name)          \
  typedef float order_##name; \
  static inline float ordered_##name(const char *p) { return load_##name(p); }
ND_SMALL_FLOATS(ND_ROW)
#undef ND_ROW

/* ORDER DTYPE: the dtypes of those values. */
#define order_dtype_bool ND_BOOL
#define order_dtype_i8 ND_I8
#define order_dtype_u8 ND_U8
#define order_dtype_i16 ND_I16
#define order_dtype_u16 ND_U16
#define order_dtype_i32 ND_I32
#define order_dtype_u32 ND_U32
#define order_dtype_i64 ND_I64
#define order_dtype_u64 ND_U64
#define order_dtype_f16 ND_F32
#define order_dtype_bf16 ND_F32
#define order_dtype_f32 ND_F32
#define order_dtype_f64 ND_F64
#define order_dtype_f8e4m3 ND_F32
#define order_dtype_f8e5m2 ND_F32

typedef uint8_t order_bool;
static inline order_bool ordered_bool(const char *p) { return *p != 0; }

/* {=== kernels ===} */

#define sum_dtype_uint ND_U64
#define sum_dtype_int ND_I64
#define sum_dtype_float ND_F64
enum { sum_lanes_uint = 1, sum_lanes_int = 1, sum_lanes_float = NDI_LANES };

#define is_nan_uint(x) 0
#define is_nan_int(x) 0
#define is_nan_float(x) ((x) != (x))

#define FOLD_SUM ND_CAT(fold_sum, CLASS)
#define START_1 ND_CAT(start_1, CLASS)
#define MERGE_SUM ND_CAT(merge_sum, CLASS)
#define MERGE_PROD ND_CAT(merge_prod, CLASS)
#define SUM_DTYPE ND_CAT(sum_dtype, CLASS)
#define SUM_LANES ND_CAT(sum_lanes, CLASS)
#define OT ND_CAT(order, DTYPE)
#define ORDERED(p) ND_CAT(ordered, DTYPE)(p)
#define ORDER_DTYPE ND_CAT(order_dtype, DTYPE)
#define IS_NAN(x) ND_CAT(is_nan, CLASS)(x)
#define PART_OF(p) ND_CAT(part, DTYPE)(p)
#define AT(op) [ND_OP_##op - ND_OP_SUM]
#define FOLD(acc, lanes, start, block, row, merge) \
  { acc, lanes, start, block, row, merge, NULL, NULL, NULL }

static inline float part_c64(const char *p) { return raw_f32(p); }
static inline double part_c128(const char *p) { return raw_f64(p); }

#define BODY_REAL "kern/reduce.inc"
#define BODY_COMPLEX "kern/reduce_complex.inc"
#include "kern/each_dtype.h"

static const ndi_reducer *find_reducer(nd_op op, nd_dtype dtype) {
#define ND_ROW(ID, name, ...) [ND_##ID] = reducers_##name,
  static const ndi_reducer *const reducers[] = {ND_DTYPES(ND_ROW)};
#undef ND_ROW
  const ndi_reducer *reducer = &reducers[dtype][op - ND_OP_SUM];
  return reducer->start ? reducer : NULL;
}

static void scale(size_t n, double *x, double divisor, bool roots) {
  for (size_t i = 0; i < n; i++) x[i] = roots ? sqrt(x[i] / divisor) : x[i] / divisor;
}

ND_LEVELED(const ndi_reducer *, ndi_reducer_find, find_reducer, (nd_op op, nd_dtype dtype),
           (op, dtype))
ND_LEVELED(void, ndi_reduce_scale, scale, (size_t n, double *x, double divisor, bool roots),
           (n, x, divisor, roots))
