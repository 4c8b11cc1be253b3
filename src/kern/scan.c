/* Scans: what the bodies of scan_*.inc are written with, and their table. */
#include "kern/scan.h"

#include <math.h>

#include "kern/level.h"
#include "kern/words.h"

/* {=== sums ===} What came before a block, what came before an element within it, and how they are
 * added, of each class. */

typedef uint64_t before_uint, before_int, inner_uint, inner_int;
typedef double inner_float;

static inline uint64_t after_uint(uint64_t before, uint64_t inner) { return before + inner; }
#define after_int after_uint
#define both_uint after_uint
#define both_int after_uint
#define total_of_uint after_uint
#define total_of_int after_uint

/* A sum and its rounding error. */
typedef struct {
  double sum, error;
} before_float;

/* The error of a sum that is infinite or NaN is NaN: there is none then. */
static inline before_float after_float(before_float before, double inner) {
  const double sum = before.sum + inner, part = sum - before.sum;
  const double error = (before.sum - (sum - part)) + (inner - part);
  return (before_float){sum, error == error ? before.error + error : 0};
}

static inline before_float both_float(before_float before, before_float later) {
  before.error += later.error;
  return after_float(before, later.sum);
}

static inline double total_of_float(before_float before, double inner) {
  return before.sum + (before.error + inner);
}

/* {=== results ===} The type of a sum or a product, and its store, from the widest type. */

typedef uint64_t total_bool;
static inline void set_total_bool(char *z, uint64_t v) { set_u64(z, v); }

#define ND_ROW(ID, name, ...)    \
  typedef uint64_t total_##name; \
  static inline void set_total_##name(char *z, uint64_t v) { set_u64(z, v); }
ND_INTEGERS(ND_ROW)
#undef ND_ROW

#define ND_ROW(ID, name, type) \
  typedef type total_##name;   \
  static inline void set_total_##name(char *z, double v) { set_##name(z, (type)v); }
ND_FLOATS(ND_ROW)
#undef ND_ROW

#define ND_ROW(ID, name, type) \
  typedef type total_##name;   \
  static inline void set_total_##name(char *z, double v) { set_##name(z, ndi_f64_to_##name(v)); }
ND_SMALL_FLOATS(ND_ROW)
#undef ND_ROW

/* {=== minima and maxima ===} A value with the order of the element: the element itself, or a small
 * float as f32; and the values that any other replaces. */

typedef uint8_t key_bool;
static inline key_bool take_key_bool(const char *p) { return value_bool(p); }
static inline void give_key_bool(char *z, key_bool v) { *z = (char)v; }
enum { least_bool = 0, greatest_bool = 1 };

#define ND_ROW(ID, name, type, compute, near, class, bits, lo, hi)            \
  typedef type key_##name;                                                    \
  static inline type take_key_##name(const char *p) { return raw_##name(p); } \
  static inline void give_key_##name(char *z, type v) { set_##name(z, v); }   \
  static const type least_##name = lo, greatest_##name = hi;
ND_INTEGERS(ND_ROW)
#undef ND_ROW

#define ND_ROW(ID, name, type)                                                \
  typedef type key_##name;                                                    \
  static inline type take_key_##name(const char *p) { return raw_##name(p); } \
  static inline void give_key_##name(char *z, type v) { set_##name(z, v); }   \
  static const type least_##name = -(type)INFINITY, greatest_##name = (type)INFINITY;
ND_FLOATS(ND_ROW)
#undef ND_ROW

#define ND_ROW(ID, name, type)                                                  \
  typedef float key_##name;                                                     \
  static inline float take_key_##name(const char *p) { return load_##name(p); } \
  static inline void give_key_##name(char *z, float v) { store_##name(z, v); }  \
  static const float least_##name = -INFINITY, greatest_##name = INFINITY;
ND_SMALL_FLOATS(ND_ROW)
#undef ND_ROW

/* constant for integers, so that the compiler removes what is done for NaN */
#define is_nan_uint(x) ((void)(x), false)
#define is_nan_int is_nan_uint
#define is_nan_float(x) ((x) != (x))
#define IS_NAN(x) ND_CAT(is_nan, CLASS)(x)

/* {=== complex products ===} */

static inline bool is_one(wide_complex x) { return x.re == 1 && x.im == 0 && !signbit(x.im); }

/* One times 'x' is 'x' to the bit; the formula would make NaN of infinite parts. */
static inline wide_complex times(wide_complex a, wide_complex b) {
  if (is_one(a)) return b;
  return (wide_complex){ND_PRODUCT(a.re, b.re) - ND_PRODUCT(a.im, b.im),
                        ND_PRODUCT(a.re, b.im) + ND_PRODUCT(a.im, b.re)};
}

static inline void set_both(char *z, size_t part, wide_complex v) {
  if (part == sizeof(double)) set_f64(z, v.re), set_f64(z + part, v.im);
  else set_f32(z, (float)v.re), set_f32(z + part, (float)v.im);
}

/* {=== the table ===} */

#define BODY_REAL "kern/scan_real.inc"
#define BODY_COMPLEX "kern/scan_complex.inc"
#include "kern/made/each_dtype.h"

/* Minima and maxima of complex numbers are not defined; their sums are those of the parts. */
typedef struct {
  const ndi_scanner *sum, *prod, *max, *min;
} family;

#define ND_ROW(ID, name, ...) \
  [ND_##ID] = {&sum_scan_##name, &prod_scan_##name, &max_scan_##name, &min_scan_##name},
#define ND_COMPLEX_ROW(ID, name, part, of) \
  [ND_##ID] = {&sum_scan_##of, &prod_scan_##name, NULL, NULL},
static const family families[ND_DTYPE_COUNT] = {ND_BOOLS(ND_ROW) ND_INTEGERS(ND_ROW) ND_FLOATS(
    ND_ROW) ND_SMALL_FLOATS(ND_ROW) ND_COMPLEXES(ND_COMPLEX_ROW)};
#undef ND_ROW
#undef ND_COMPLEX_ROW

static const ndi_scanner *find_scanner(nd_op op, nd_dtype dtype) {
  const family *of = &families[dtype];
  if (op == ND_OP_CUMSUM) return of->sum;
  if (op == ND_OP_CUMPROD) return of->prod;
  return op == ND_OP_CUMMAX ? of->max : op == ND_OP_CUMMIN ? of->min : NULL;
}

ND_LEVELED(const ndi_scanner *, ndi_scan_find, find_scanner, (nd_op op, nd_dtype dtype),
           (op, dtype))
