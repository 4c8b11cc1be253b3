/* asin, acos, atan and atan2. atan: the argument becomes (a - c) / (1 + a c) for one of four c
 * whose atan is a known pair, so that what a polynomial has to give is at most 0.4375; asin and
 * acos: beyond 1/2 by the square root of (1 - a) / 2 (the intervals of Sun's fdlibm, 1993; minimax
 * polynomials by Sollya's fpminimax: relative error 2^-58 in f64, 2^-27 in f32, whose atan has
 * one of c). No branch, so that loops vectorise.
 *
 * Largest error seen against MPFR: spec/accuracy/. */
#ifndef ND_KERN_INVERSE_H
#define ND_KERN_INVERSE_H

#include "kern/pairs.h"

#define NDM_HALF_PI 0x1.921fb54442d18p0
#define NDM_HALF_PI_LO 0x1.1a62633145c07p-54
#define NDM_HALF_PI_F32 0x1.921fb6p0f
#define NDM_HALF_PI_F32_LO -0x1.777a5cp-25f
#define NDM_QUARTER_PI_F32 0x1.921fb6p-1f
#define NDM_PI_LACK_F32 -0x1.de12cap-26f /* of a multiple of pi/4 in f32, for each unit of it */

/* {=== asin, acos ===} */

/* asin(t) / t - 1, z = t^2 <= 1/4 */
static inline double ndm_asin_rest(double z) {
  const double z2 = z * z, z4 = z2 * z2;
  const double a = (0x1.5555555555556p-3 + 0x1.3333333332d9ep-4 * z) +
                   z2 * (0x1.6db6db6e48dffp-5 + 0x1.f1c71c1187eddp-6 * z);
  const double b = (0x1.6e8bb383c0ebbp-6 + 0x1.1c4d0fc1b6fbbp-6 * z) +
                   z2 * (0x1.c9d336dfa2933p-7 + 0x1.77ff42ac1dfb4p-7 * z);
  const double c = (0x1.53365248bd332p-7 + 0x1.5dc12cf8ad297p-8 * z) +
                   z2 * (0x1.224dcb11ab156p-6 + -0x1.f6744b4ca8339p-7 * z);
  return z * (a + z4 * (b + z4 * (c + z4 * 0x1.dc690516bc887p-6)));
}

/* asin |x| = t + rest up to 1/2; beyond, pi/2 less twice that */
typedef struct {
  double t, rest;
  bool is_beyond;
} ndm_arc;

typedef struct {
  float t, rest;
  bool is_beyond;
} ndm_arc_f32;

static inline ndm_arc ndm_arc_of(double a) {
  const bool is_beyond = a > 0.5;
  const double z = is_beyond ? 0.5 * (1 - a) : a * a, root = sqrt(z);
  const double high = ndm_upper(root), lack = (z - high * high) / (root + high) - (root - high);
  const double t = is_beyond ? root : a;
  const ndm_arc v = {t, t * ndm_asin_rest(z) + (is_beyond && z > 0 ? lack : 0), is_beyond};
  return v;
}

static inline double ndm_asin_f64(double x) {
  const ndm_arc v = ndm_arc_of(fabs(x));
  const ndm_pair less = ndm_quick_sum(NDM_HALF_PI, -2 * v.t);
  const double beyond = less.hi + (less.lo - (2 * v.rest - NDM_HALF_PI_LO));
  return ndm_signed(v.is_beyond ? beyond : v.t + v.rest, x);
}

static inline double ndm_acos_f64(double x) {
  const ndm_arc v = ndm_arc_of(fabs(x));
  const bool is_turned = !(v.is_beyond && x > 0); /* then it is not twice the arc itself */
  const double by = v.is_beyond ? 2 : x < 0 ? -1 : 1;
  const double from = v.is_beyond ? 2 * NDM_HALF_PI : NDM_HALF_PI;
  const double from_lo = v.is_beyond ? 2 * NDM_HALF_PI_LO : NDM_HALF_PI_LO;
  const ndm_pair less = ndm_quick_sum(from, -by * v.t);
  const double turned = less.hi + (less.lo - (by * v.rest - from_lo));
  return is_turned ? turned : 2 * v.t + 2 * v.rest;
}

static inline float ndm_asin_rest_f32(float z) {
  const float z2 = z * z;
  return z * ((0x1.555554p-3f + 0x1.3334cep-4f * z) +
              z2 * ((0x1.6d3e74p-5f + 0x1.ffbd92p-6f * z) +
                    z2 * (0x1.0fec3ap-6f + 0x1.1ac0e4p-5f * z)));
}

/* The root is not corrected: twice it is at most 1, where half a unit of it is a quarter of one of
 * the result. */
static inline ndm_arc_f32 ndm_arc_of_f32(float a) {
  const bool is_beyond = a > 0.5f;
  const float z = is_beyond ? 0.5f * (1 - a) : a * a, t = is_beyond ? sqrt(z) : a;
  const ndm_arc_f32 v = {t, t * ndm_asin_rest_f32(z), is_beyond};
  return v;
}

static inline float ndm_asin_f32(float x) {
  const ndm_arc_f32 v = ndm_arc_of_f32(fabs(x));
  const float less = NDM_HALF_PI_F32 - 2 * v.t, lack = (NDM_HALF_PI_F32 - less) - 2 * v.t;
  const float beyond = less + (lack - (2 * v.rest - NDM_HALF_PI_F32_LO));
  return ndm_signed_f32(v.is_beyond ? beyond : v.t + v.rest, x);
}

static inline float ndm_acos_f32(float x) {
  const ndm_arc_f32 v = ndm_arc_of_f32(fabs(x));
  const float one = x < 0 ? -1 : 1, by = v.is_beyond ? 2 : one;
  const float from = v.is_beyond ? 2 * NDM_HALF_PI_F32 : NDM_HALF_PI_F32;
  const float from_lo = v.is_beyond ? 2 * NDM_HALF_PI_F32_LO : NDM_HALF_PI_F32_LO;
  const float less = from - by * v.t, lack = (from - less) - by * v.t;
  const float turned = less + (lack - (by * v.rest - from_lo));
  const float twice = x > 0 ? 2 * v.t + 2 * v.rest : turned;
  return v.is_beyond ? twice : turned;
}

/* {=== atan ===} */

/* The upper 12 bits of a; what is left has 12. */
static inline float ndm_upper_f32(float a) {
  return ndm_from_bits_f32(ndm_bits_f32(a) & 0xfffff000);
}

/* atan(t) / t - 1, z = t^2, |t| <= 0.4375 */
static inline double ndm_atan_rest(double z) {
  const double z2 = z * z, z4 = z2 * z2;
  const double a = (-0x1.5555555555555p-2 + 0x1.99999999997dbp-3 * z) +
                   z2 * (-0x1.249249247dc29p-3 + 0x1.c71c71b98d58ap-4 * z);
  const double b = (-0x1.745d14d0dbaf6p-4 + 0x1.3b136bb0d4131p-4 * z) +
                   z2 * (-0x1.110c148da7178p-4 + 0x1.e16711aeba4bap-5 * z);
  const double c = (-0x1.ab232bed302a2p-5 + 0x1.6f3b3a83e62b4p-5 * z) +
                   z2 * (-0x1.0dc7440443d8ap-5 + 0x1.de47bfe2973a7p-7 * z);
  return z * (a + z4 * (b + z4 * c));
}

/* The same, |t| <= 1/2 */
static inline float ndm_atan_rest_f32(float z) {
  const float z2 = z * z;
  return z * ((-0x1.555556p-2f + 0x1.999992p-3f * z) +
              z2 * ((-0x1.2481acp-3f + 0x1.c3e3ecp-4f * z) +
                    z2 * (-0x1.559526p-4f + 0x1.66b0b4p-5f * z)));
}

/* atan(a) = base + atan(above / below), a >= 0 */
typedef struct {
  double above, below;
  ndm_pair base;
} ndm_turn;

static inline ndm_turn ndm_turn_of(double a) {
  ndm_turn v = {-1, a, {NDM_HALF_PI, NDM_HALF_PI_LO}};
#define NDM_INTERVAL(END, ABOVE, BELOW, HI, LO) \
  v.above = a < END ? ABOVE : v.above;          \
  v.below = a < END ? BELOW : v.below;          \
  v.base.hi = a < END ? HI : v.base.hi;         \
  v.base.lo = a < END ? LO : v.base.lo;
  NDM_INTERVAL(2.4375, a - 1.5, 1 + 1.5 * a, 0x1.f730bd281f69bp-1, 0x1.007887af0cbbdp-56)
  NDM_INTERVAL(1.1875, a - 1, 1 + a, 0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55)
  NDM_INTERVAL(0.6875, 2 * a - 1, 2 + a, 0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56)
  NDM_INTERVAL(0.4375, a, 1, 0, 0)
#undef NDM_INTERVAL
  return v;
}

static inline double ndm_atan_f64(double x) {
  const ndm_turn v = ndm_turn_of(fabs(x));
  const double t = v.above / v.below;
  return ndm_signed(v.base.hi + (t + (t * ndm_atan_rest(t * t) + v.base.lo)), x);
}

/* pi/4 + atan((a - 1) / (a + 1)) from 1/2 to 2, where 1 / (a + 1) = (1 - t) / 2. Factors of 0 and 1
 * in place of choices: compilers would divide once for each choice. */
static inline float ndm_atan_f32(float x) {
  const float a = fabs(x), kept = a > 2 ? 0 : a, far = a > 2 ? 1.0f : 0,
              turned = a < 0.5f ? 0.0f : 1;
  const float t = (kept - turned) / ((1 - far) + turned * a),
              base = (turned + far) * NDM_QUARTER_PI_F32;
  const float lost = kept - ((kept + 1) - 1), half = 0.5f * turned * lost;
  const float rest = t * (ndm_atan_rest_f32(t * t) - half * (1 - t));
  const float sum = base + t, lack = (base - sum) + t;
  return ndm_signed_f32(sum + (lack + (rest + base * NDM_PI_LACK_F32)), x);
}

/* {=== atan2 ===} */

/* The angle of (x, y) with 0 <= low <= high in place of |x| and |y|: whole - or + atan(low / high)
 */
typedef struct {
  double low, high;
  ndm_pair whole; /* 0, pi/2 or pi */
  double sign;
} ndm_octant;

/* Both are brought near 1 by a power of two; one infinity is beyond what is compared with it, two
 * are alike, and (0, 0) has the angle of (1, 0). One condition for each choice: compilers vectorise
 * no others. */
static inline ndm_octant ndm_octant_of(double y, double x) {
  const double ay = fabs(y), ax = fabs(x), side = ndm_signed(1, x);
  const double flat = side < 0 ? 2 : 0, quarters = ay > ax ? 1 : flat;
  double low = ay > ax ? ax : ay, high = ay > ax ? ay : ax;
  const double both = low == (double)INFINITY ? 1 : 0;
  low = both > 0 ? 1 : low;
  high = both > 0 ? 1 : high;
  low = high == (double)INFINITY ? 0 : low;
  high = high == (double)INFINITY ? 1 : high;
  high = high == 0 ? 1 : high;
  const double up = high < 0x1p-900 ? 0x1p100 : 1, near = high > 0x1p1000 ? 0x1p-100 : up;
  const double by = ndm_from_bits_f64(0x7fe0000000000000 -
                                      (ndm_bits_f64(high * near) & 0x7ff0000000000000));
  const ndm_octant v = {low * near * by,
                        high * near * by,
                        {quarters * NDM_HALF_PI, quarters * NDM_HALF_PI_LO},
                        ay > ax ? -side : side};
  return v;
}

static inline double ndm_atan2_f64(double y, double x) {
  const ndm_octant o = ndm_octant_of(y, x);
  const bool is_first = o.low < 0.4375 * o.high, is_second = o.low < 0.6875 * o.high;
  /* (times low - high) / (low + times high), or low / high */
  const double second = is_second ? 2 : 1, times = is_first ? 1 : second;
  const ndm_pair above = ndm_sum(times * o.low, is_first ? 0 : -o.high);
  const ndm_pair below = ndm_sum(times * o.high, is_first ? 0 : o.low);
  const double base = is_first ? 0 : is_second ? 0x1.dac670561bb4fp-2 : 0x1.921fb54442d18p-1;
  const double base_lo = is_first ? 0 : is_second ? 0x1.a2b7f222f65e2p-56 : 0x1.1a62633145c07p-55;
  const ndm_pair t = ndm_quotient(above, below);
  const double z = t.hi * t.hi, rest = t.hi * ndm_atan_rest(z) + (t.lo - t.lo * z);
  const ndm_pair from = ndm_sum(o.whole.hi, o.sign * base), all = ndm_sum(from.hi, o.sign * t.hi);
  const double lo = from.lo + (o.whole.lo + o.sign * base_lo);
  const double angle = all.hi + (all.lo + (lo + o.sign * rest));
  /* small angles are the quotient, which may be subnormal */
  const double quotient = fabs(y) / x, small = quotient < 0x1p-40 ? quotient : angle;
  double result = ndm_signed(x > 0 ? small : angle, y);
  result = x != x ? x : result;
  return y != y ? y : result;
}

/* 0 of negative numbers, else 1; no choice, for each side of which compilers would compute all that
 * depends on it. */
static inline float ndm_step_f32(float x) {
  return ndm_from_bits_f32(0x3f800000 & ((ndm_bits_f32(x) >> 31) - 1));
}

/* Both are scaled: so nothing underflows, unless the quotient does. 'lo' is what t lacks of the
 * quotient, by products of halves, which are exact; 1 - z is near enough to the slope there. */
static inline float ndm_atan2_f32(float y, float x) {
  const float ay = fabs(y), ax = fabs(x), side = ndm_signed_f32(1, x), flat = side < 0 ? 2 : 0;
  const float least = ay > ax ? ax : ay, most = ay > ax ? ay : ax;
  const float quarters = ay > ax ? 1 : flat, sign = ay > ax ? -side : side;
  const float up = most > 0x1p-60f ? 0x1p80f : 0x1p126f, near = most > 0x1p20f ? 1 : up;
  const float by = most > 0x1p100f ? 0x1p-60f : near;
  float low = least * by, high = most * by;
  low = most < INFINITY ? low : 0;
  high = most < INFINITY ? high : 1;
  low = least == INFINITY ? 1 : low;
  high = most > 0 ? high : 1;
  const float turned = ndm_step_f32(low - 0.5f * high), base = turned * NDM_QUARTER_PI_F32;
  const float above = low - turned * high, below = high + turned * low;
  const float lost = turned * (low - (below - high));
  const float inverse = 1 / below, t = above * inverse;
  const float t1 = ndm_upper_f32(t), t2 = t - t1, b1 = ndm_upper_f32(below), b2 = below - b1;
  const float left = (((above - t1 * b1) - (t1 * b2 + t2 * b1)) - t2 * b2) - t * lost;
  const float lo = left * inverse, z = t * t;
  const float rest = t * ndm_atan_rest_f32(z) + lo * (1 - z);
  const float whole = quarters * NDM_HALF_PI_F32, turn = sign * base, from = whole + turn;
  const float sum = from + sign * t, lack = (whole - from) + turn;
  const float lacks = lack + ((from - sum) + sign * t);
  float angle = sum + (lacks + (from * NDM_PI_LACK_F32 + sign * rest));
  angle = ndm_signed_f32(angle, y);
  angle = x != x ? x : angle;
  return y != y ? y : angle;
}

#endif
