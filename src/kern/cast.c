/* The cast table and its lookups. */
#include "kern/cast.h"

#include <float.h>
#include <math.h>

#include "kern/convert.h"

#define CAST_ROW(ID, name, ...) [ND_##ID] = FN(to_##name),
#define WRAP_ROW(ID, name, lo, hi) [ND_##ID] = FN(to_##name##_wrap),
#define CHECK_ROW(ID, name, ...) [ND_##ID] = FN(check_##name),
#define PUT(p, v) ND_CAT(ND_CAT(put, TO), CLASS)(p, v)
#define FITS(v) ND_CAT(ND_CAT(fits, TO), CLASS)(v)
#define BODY_REAL "kern/cast_real.inc"
#define BODY_COMPLEX "kern/cast_complex.inc"
#include "kern/each_dtype.h"

#define BODY "kern/move.inc"
#include "kern/each_item.h"

#define ND_ROW(ID, name, ...) [ND_##ID] = casts_##name,
static ndi_cast_kernel *const *const casts[] = {ND_DTYPES(ND_ROW)};
#undef ND_ROW

#define ND_ROW(ID, name, ...) [ND_##ID] = wraps_##name,
static ndi_cast_kernel *const *const wraps[] = {ND_DTYPES(ND_ROW)};
#undef ND_ROW

#define ND_ROW(ID, name, ...) [ND_##ID] = checks_##name,
static ndi_cast_check *const *const checks[] = {ND_DTYPES(ND_ROW)};
#undef ND_ROW

static ndi_cast_kernel *move_of(nd_dtype dtype) {
  switch (nd_dtype_get(dtype)->bytes) {
    case 1: return move_1;
    case 2: return move_2;
    case 4: return move_4;
    case 8: return move_8;
    default: return move_16;
  }
}

ndi_cast_kernel *ndi_cast_find(nd_dtype to, nd_dtype from, nd_cast_mode mode) {
  if (to == from) return move_of(to);
  if (mode == ND_WRAP && nd_kind_is_integer(nd_dtype_get(to)->kind)) return wraps[from][to];
  return casts[from][to];
}

/* Saturated to any dtype these give its extremes, among them the largest finite value of each
 * float: if one dtype refuses none of another's, it refuses no value of it. */
static const double probes[] = {-INFINITY, INFINITY, 0.5,        2,       448,
                                57344,     65504,    0x1.fep127, FLT_MAX, DBL_MAX};

ndi_cast_check *ndi_cast_check_find(nd_dtype to, nd_dtype from) {
  enum { PROBES = ND_COUNTOF(probes), WIDEST = 16 };
  ndi_cast_check *check = checks[from][to];
  if (to == from || !check) return NULL;
  char values[PROBES * WIDEST];
  ndi_cast_find(from, ND_F64, ND_SATURATE)(PROBES, values, WIDEST, (const char *)probes,
                                           sizeof probes[0]);
  return check(PROBES, values, WIDEST) == PROBES ? NULL : check;
}
