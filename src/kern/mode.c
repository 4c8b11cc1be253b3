/* What "equal" means for each class of dtypes, and the table of longest runs. */
#include "kern/mode.h"

#include "kern/words.h"

static inline bool is_same_uint(uint64_t x, uint64_t y) { return x == y; }
static inline bool is_same_int(int64_t x, int64_t y) { return x == y; }
static inline bool is_same_float(double x, double y) { return x == y || (x != x && y != y); }
static inline bool is_nan_complex(wide_complex x) { return x.re != x.re || x.im != x.im; }
static inline bool is_same_complex(wide_complex x, wide_complex y) {
  return (x.re == y.re && x.im == y.im) || (is_nan_complex(x) && is_nan_complex(y));
}

#define IS_SAME ND_CAT(is_same, CLASS)
#define BODY "kern/mode.inc"
#include "kern/made/each_dtype.h"

ndi_mode_kernel *ndi_mode_find(nd_dtype dtype) {
#define ND_ROW(ID, name, ...) [ND_##ID] = mode_##name,
  static ndi_mode_kernel *const modes[] = {ND_DTYPES(ND_ROW)};
#undef ND_ROW
  return modes[dtype];
}
