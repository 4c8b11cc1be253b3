/* The tables of casts and checks, written by made/cast_*.inc, and their lookups. A table has a row
 * for each source dtype, in which the destination is the index; NULL where a pair has no
 * conversion. */
#include "kern/cast.h"

#include <float.h>
#include <math.h>

#include "kern/convert.h"
#include "kern/f16c.h"
#include "kern/level.h"

/* The words of cast.inc and cast_check.inc: NEAR(p) loads a DTYPE as its near type, PUT stores that
 * as TO, FITS tests whether a value fits TO (see convert.h). */
#define NEAR_OF ND_CAT(ND_NEAR, DTYPE)
#define NEAR(p) ND_CAT(near, DTYPE)(p)
#define PUT(p, v) ND_CAT(ND_CAT(put, TO), NEAR_OF)(p, v)
#define FITS(v) ND_CAT(ND_CAT(fits, TO), CLASS)(v)
#define BODY_REAL "kern/made/cast_real.inc"
#define BODY_COMPLEX "kern/made/cast_complex.inc"
#include "kern/made/each_dtype.h"

#define BODY "kern/move.inc"
#include "kern/made/each_item.h"

#define ND_ROW(ID, name, ...) [ND_##ID] = casts_##name,
static ndi_cast_kernel *const *const casts[] = {ND_DTYPES(ND_ROW)};
#undef ND_ROW

#define ND_ROW(ID, name, ...) [ND_##ID] = wraps_##name,
static ndi_cast_kernel *const *const wraps[] = {ND_DTYPES(ND_ROW)};
#undef ND_ROW

#define ND_ROW(ID, name, ...) [ND_##ID] = checks_##name,
static ndi_cast_check *const *const checks[] = {ND_DTYPES(ND_ROW)};
#undef ND_ROW

/* Equal dtypes: a copy of as many bytes, which also keeps the bits of NaNs. */
static ndi_cast_kernel *move_of(nd_dtype dtype) {
  switch (nd_dtype_get(dtype)->bytes) {
#define ND_ROW(item) \
  case item: return move_##item;
    ND_SMALLER_ITEMS(ND_ROW)
#undef ND_ROW
    default: return ND_CAT(move_, ND_WIDEST_ITEM);
  }
}

#ifdef ND_F16C
/* Whole vectors of packed elements by F16C; the rest, and all that is not packed, by the portable
 * loop, which gives the same bits. */
static void to_f16_by_f16c(size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx) {
  const size_t done = dz == 2 && dx == 4 ? f32_to_f16_packed(n, z, x) : 0;
  to_f16_f32(n - done, z + (ptrdiff_t)done * dz, dz, x + (ptrdiff_t)done * dx, dx);
}

static void to_f32_by_f16c(size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx) {
  const size_t done = dz == 4 && dx == 2 ? f16_to_f32_packed(n, z, x) : 0;
  to_f32_f16(n - done, z + (ptrdiff_t)done * dz, dz, x + (ptrdiff_t)done * dx, dx);
}
#endif

static ndi_cast_kernel *find_cast(nd_dtype to, nd_dtype from, nd_cast_mode mode) {
#ifdef ND_F16C
  if (to == ND_F16 && from == ND_F32) return to_f16_by_f16c;
  if (to == ND_F32 && from == ND_F16) return to_f32_by_f16c;
#endif
  if (to == from) return move_of(to);
  /* ND_CHECK converts like ND_SATURATE, and to floats and bool there is only one way */
  if (mode == ND_WRAP && nd_kind_is_integer(nd_dtype_get(to)->kind)) return wraps[from][to];
  return casts[from][to];
}

/* Values by which find_check decides whether a pair needs a check at all. Saturated to any dtype
 * they give its extremes, among them the largest finite value of each float: if 'to' refuses none
 * of these in 'from', it refuses no value of 'from'. */
static const double probes[] = {-INFINITY, INFINITY, 0.5,        2,       448,
                                57344,     65504,    0x1.fep127, FLT_MAX, DBL_MAX};

static ndi_cast_check *find_check(nd_dtype to, nd_dtype from) {
  enum { PROBES = ND_COUNTOF(probes), WIDEST = 16 };
  ndi_cast_check *check = checks[from][to];
  /* a complex source has no check for real dtypes, as it has no cast to them */
  if (to == from || !check) return NULL;
  char values[PROBES * WIDEST];
  find_cast(from, ND_F64, ND_SATURATE)(PROBES, values, WIDEST, (const char *)probes,
                                       sizeof probes[0]);
  return check(PROBES, values, WIDEST) == PROBES ? NULL : check;
}

ND_LEVELED(ndi_cast_kernel *, ndi_cast_find, find_cast,
           (nd_dtype to, nd_dtype from, nd_cast_mode mode), (to, from, mode))
ND_LEVELED(ndi_cast_check *, ndi_cast_check_find, find_check, (nd_dtype to, nd_dtype from),
           (to, from))
