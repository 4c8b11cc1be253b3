/* What "less" means for each class of dtypes, and the table of searches in sorted arrays. */
#include "kern/search.h"

#include "kern/words.h"

/* Values that are looked for together: their steps are independent, so that the processor waits for
 * memory once for all of them. */
enum { LANES = 16 };

static inline bool is_less_uint(uint64_t x, uint64_t y) { return x < y; }
static inline bool is_less_int(int64_t x, int64_t y) { return x < y; }
static inline bool is_less_float(double x, double y) { return x < y; }
static inline bool is_at_most_uint(uint64_t x, uint64_t y) { return x <= y; }
static inline bool is_at_most_int(int64_t x, int64_t y) { return x <= y; }
static inline bool is_at_most_float(double x, double y) { return x <= y; }
static inline bool is_nan_uint(uint64_t x) { return (void)x, false; }
static inline bool is_nan_int(int64_t x) { return (void)x, false; }
static inline bool is_nan_float(double x) { return x != x; }

/* The order of kern/sort.h. Its four kinds: no NaN, NaN as imaginary part, as real part, as both.
 */
static inline int kind_of(wide_complex x) { return 2 * (x.re != x.re) + (x.im != x.im); }

static inline bool is_less_complex(wide_complex x, wide_complex y) {
  const int a = kind_of(x), b = kind_of(y);
  if (a != b) return a < b;
  if (a == 2 || x.re == y.re) return x.im < y.im;
  return x.re < y.re;
}

static inline bool is_at_most_complex(wide_complex x, wide_complex y) {
  return !is_less_complex(y, x);
}

/* Complex numbers with NaN are ordered like others. */
static inline bool is_nan_complex(wide_complex x) { return (void)x, false; }

#define IS_LESS ND_CAT(is_less, CLASS)
#define IS_AT_MOST ND_CAT(is_at_most, CLASS)
#define IS_NAN ND_CAT(is_nan, CLASS)
#define BODY "kern/search.inc"
#include "kern/made/each_dtype.h"

ndi_search_kernel *ndi_search_find(nd_dtype dtype) {
#define ND_ROW(ID, name, ...) [ND_##ID] = search_##name,
  static ndi_search_kernel *const searches[] = {ND_DTYPES(ND_ROW)};
#undef ND_ROW
  return searches[dtype];
}
