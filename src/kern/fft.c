/* Transforms of lines: plans, the factors, and what the bodies of fft.inc are written with. */
#include "kern/fft.h"

#include "base/size.h"
#include "kern/level.h"
#include "kern/trig.h"

/* {=== factors ===} */

/* 2 pi k / n, k < n < 2^58, as quarters and a rest of at most pi / 4, which is a pair. */
static inline ndm_angle angle_of(size_t k, size_t n) {
  const size_t quarters = (8 * k + n) / (2 * n);
  const ndm_pair above = {(double)((int64_t)(4 * k) - (int64_t)(quarters * n)), 0};
  const ndm_pair below = {(double)n, 0}, part = ndm_quotient(above, below);
  const ndm_pair whole = ndm_product(part.hi, 0x1.921fb54442d18p0);
  const double rest = part.hi * 0x1.1a62633145c07p-54 + part.lo * 0x1.921fb54442d18p0;
  const ndm_angle v = {ndm_quick_sum(whole.hi, whole.lo + rest), quarters};
  return v;
}

static inline double sine(size_t k, size_t n) { return ndm_wave(angle_of(k, n), 0); }
static inline double cosine(size_t k, size_t n) { return ndm_wave(angle_of(k, n), 1); }

/* {=== plans ===} */

/* The numbers of a pass in the tables: for each element but the first of each butterfly, and what
 * the butterfly itself needs. */
static size_t numbers_of(size_t radix, size_t m) {
  return (m > 1 ? 2 * (radix - 1) * m : 0) + (radix > 5 ? 2 * radix : 0);
}

/* The arrays of work memory that a complex transform needs. */
static int arrays_of(const ndi_fft *plan) { return plan->is_chirp ? 3 : 2; }

/* The numbers that an array for one part of a line has room for. The arrays of a line are kept
 * apart by some cache lines, as those a power of two apart drive one another out of the first
 * cache. */
static size_t room_of(size_t points, size_t lanes) {
  return (points + lanes - 1) / lanes * lanes + 2 * lanes;
}

/* How long a pass takes for an element. */
static double cost_of(size_t radix) {
  static const double costs[] = {0, 0, 6, 9, 8, 13};
  return radix <= 5 ? costs[radix] : 10 + 4 * (double)radix;
}

/* Take 'n' apart. The time that an element takes; 0 where a factor is too large. */
static double find_passes(size_t n, ndi_fft_passes *out) {
  double cost = 0;
  *out = (ndi_fft_passes){.points = n};
  for (size_t r = 4, m = n; m > 1;) {
    if (m % r == 0) {
      m /= r;
      out->radix[out->count++] = (uint8_t)r;
      out->factors += numbers_of(r, m);
      cost += cost_of(r);
    } else if (r == 4) {
      r = 2;
    } else if ((r += r == 2 ? 1 : 2) > NDI_FFT_RADIX) {
      return 0;
    }
  }
  return cost + 1;
}

/* The length at least 'least' whose transforms are soonest done. Returns their time. */
static double find_smooth(size_t least, ndi_fft_passes *out) {
  static const size_t odd[] = {1, 3, 5, 9, 15, 25, 27, 45};
  double best = 0;
  for (size_t i = 0; i < ND_COUNTOF(odd); i++) {
    ndi_fft_passes passes;
    size_t m = odd[i];
    while (m < least) m *= 2;
    const double cost = find_passes(m, &passes) * (double)m;
    if (best == 0 || cost < best) best = cost, *out = passes;
  }
  return best;
}

static void find_way(ndi_fft *p) {
  ndi_fft_passes chirped;
  const double direct = find_passes(p->points, &p->passes) * (double)p->points;
  const size_t least = 2 * p->points - 1;
  if (direct > 0 && p->points < 64) return;
  const double by_chirp = 2 * find_smooth(least, &chirped) + 20 * (double)chirped.points;
  p->is_chirp = direct == 0 || by_chirp < direct;
  if (p->is_chirp) p->passes = chirped;
}

static bool make_plan(nd_dtype dtype, ndi_fft_form form, bool is_inverse, size_t n, ndi_fft *out) {
  enum { ALIGN = 64 };
  const size_t item = nd_dtype_get(dtype)->bytes, lanes = ALIGN / item;
  const bool is_real = form != NDI_FFT_COMPLEX;
  if (n > (size_t)1 << 52) return false; /* no memory has as much */
  *out = (ndi_fft){.dtype = dtype, .form = form, .is_inverse = is_inverse, .n = n};
  out->points = is_real && n % 2 == 0 ? n / 2 : n;
  find_way(out);
  const size_t m = out->passes.points, points = out->points;
  size_t numbers = out->passes.factors;
  if (out->is_chirp) numbers += 2 * points + 2 * m;
  if (is_real && n % 2 == 0) numbers += 2 * (points / 2 + 1);
  out->table_bytes = numbers * item;
  out->work_bytes = ((size_t)arrays_of(out) * 2 * room_of(m, lanes) +
                     (is_real ? 3 * room_of(points, lanes) : 0)) *
                    item;
  return true;
}

/* {=== bodies ===} */

#define DTYPE _f32
#define LANES 16
#include "kern/fft.inc"
#undef DTYPE
#undef LANES
#define DTYPE _f64
#define LANES 8
#include "kern/fft.inc"
#undef DTYPE
#undef LANES

/* {=== of either dtype ===} */

static void fill(const ndi_fft *plan, char *work) {
  if (plan->dtype == ND_F32) fill_f32(plan, work);
  else fill_f64(plan, work);
}

static void run(const ndi_fft *plan, const char *x, char *z, char *work) {
  if (plan->dtype == ND_F32) run_f32(plan, x, z, work);
  else run_f64(plan, x, z, work);
}

static void scale_line(nd_dtype dtype, size_t n, char *z, double scale, bool conjugates) {
  const size_t numbers = nd_dtype_part(dtype) == dtype ? n : 2 * n;
  const bool is_single = nd_dtype_part(dtype) == ND_F32;
  if (is_single && conjugates) scale_conjugate_f32(n, z, scale);
  else if (is_single) scale_f32(numbers, z, scale);
  else if (conjugates) scale_conjugate_f64(n, z, scale);
  else scale_f64(numbers, z, scale);
}

static void mirror(nd_dtype dtype, size_t n, size_t first, char *z) {
  if (dtype == ND_C64) mirror_f32(n, first, z);
  else mirror_f64(n, first, z);
}

ND_LEVELED(void, ndi_fft_fill, fill, (const ndi_fft *plan, char *work), (plan, work))
ND_LEVELED(void, ndi_fft_run, run, (const ndi_fft *plan, const char *x, char *z, char *work),
           (plan, x, z, work))
ND_LEVELED(void, ndi_fft_scale, scale_line,
           (nd_dtype dtype, size_t n, char *z, double scale, bool conjugates),
           (dtype, n, z, scale, conjugates))
ND_LEVELED(void, ndi_fft_mirror, mirror, (nd_dtype dtype, size_t n, size_t first, char *z),
           (dtype, n, first, z))
ND_LEVELED(bool, ndi_fft_plan, make_plan,
           (nd_dtype dtype, ndi_fft_form form, bool is_inverse, size_t n, ndi_fft *out),
           (dtype, form, is_inverse, n, out))
