/* The tables of casts and checks, written by made/cast_*.inc, and their lookups. A table has a row
 * for each source dtype, in which the destination is the index; NULL where a pair has no
 * conversion. */
#include "kern/cast.h"

#include <float.h>
#include <math.h>

#include "kern/convert.h"
#include "kern/f16c.h"
#include "kern/floats.h"
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

enum { SOME = 256 }; /* elements on their way through f32 */

/* 'directly' is the portable loop, which is faster for single elements. */
static inline void by_f32(size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx,
                          ndi_cast_kernel *to_f32, ndi_cast_kernel *from_f32,
                          ndi_cast_kernel *directly) {
  _Alignas(64) char values[SOME * sizeof(float)];
  if (n == 1) {
    directly(n, z, dz, x, dx);
    return;
  }
  for (size_t done = 0, some; done < n; done += some) {
    some = n - done < SOME ? n - done : SOME;
    to_f32(some, values, sizeof(float), x + (ptrdiff_t)done * dx, dx);
    from_f32(some, z + (ptrdiff_t)done * dz, dz, values, sizeof(float));
  }
}

/* f32 holds each f16. */
#define ND_ROW(ID, name, ...)                                                                    \
  static void to_##name##_by_f32(size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx) { \
    by_f32(n, z, dz, x, dx, to_f32_by_f16c, to_##name##_f32, to_##name##_f16);                   \
  }
ND_DTYPES(ND_ROW)
#undef ND_ROW
#define ND_ROW(ID, name, ...) [ND_##ID] = to_##name##_by_f32,
static ndi_cast_kernel *const from_f16[] = {ND_DTYPES(ND_ROW)};
#undef ND_ROW

/* It also holds what has fewer than 25 bits; integers that it does not hold are infinite as f16. */
#define ND_ROW(ID, name, ...)                                                                      \
  static void name##_to_f16_by_f32(size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx) { \
    by_f32(n, z, dz, x, dx, to_f32_##name, to_f16_by_f16c, to_f16_##name);                         \
  }
ND_ROW(BOOL, bool)
ND_INTEGERS(ND_ROW)
ND_ROW(BF16, bf16)
ND_ROW(F8E4M3, f8e4m3)
ND_ROW(F8E5M2, f8e5m2)
#undef ND_ROW

/* f64 as f32 that is about to be rounded again: to odd (see ndi_u64_to_odd). */
static void f64_to_odd_f32(size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx) {
  (void)dz;
  for (size_t i = 0; i < n; i++) {
    const double value = raw_f64(x + (ptrdiff_t)i * dx);
    const float near = (float)value;
    const bool is_less = fabs((double)near) < fabs(value);
    const bool is_more = fabs((double)near) > fabs(value);
    const uint32_t bits = ndm_bits_f32(near), is_even = ~bits & 1;
    const float odd = ndm_from_bits_f32(bits + (is_even & is_less) - (is_even & is_more));
    memcpy(z + i * sizeof odd, &odd, sizeof odd);
  }
}

static void f64_to_f16_by_f32(size_t n, char *z, ptrdiff_t dz, const char *x, ptrdiff_t dx) {
  by_f32(n, z, dz, x, dx, f64_to_odd_f32, to_f16_by_f16c, to_f16_f64);
}

#define ND_ROW(ID, name, ...) [ND_##ID] = name##_to_f16_by_f32,
static ndi_cast_kernel *const to_f16[ND_DTYPE_COUNT] = {
    ND_INTEGERS(ND_ROW) ND_ROW(BOOL, bool) ND_ROW(BF16, bf16) ND_ROW(F8E4M3, f8e4m3)
        ND_ROW(F8E5M2, f8e5m2) ND_ROW(F64, f64)[ND_F32] = to_f16_by_f16c};
#undef ND_ROW
#endif

static ndi_cast_kernel *find_cast(nd_dtype to, nd_dtype from, nd_cast_mode mode) {
  if (to == from) return move_of(to);
  /* ND_CHECK converts like ND_SATURATE, and to floats and bool there is only one way */
  if (mode == ND_WRAP && nd_kind_is_integer(nd_dtype_get(to)->kind)) return wraps[from][to];
#ifdef ND_F16C
  if (from == ND_F16) return to == ND_F32 ? to_f32_by_f16c : from_f16[to];
  if (to == ND_F16) return to_f16[from];
#endif
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
