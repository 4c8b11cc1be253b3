/* Kernels of Fourier transforms and convolutions, at every level of the processor: transforms
 * against sums in long double, convolutions against plain loops, with the same bits at all levels.
 * And the cache of plans. */
#include <complex.h>
#include <math.h>
#include <pthread.h>

#include "dev/host/fft_plans.h"
#include "dev/threads.h"
#include "kern/convolve.h"
#include "kern/fft.h"

#include "arrays.h"
#include "levels.h"

/* {=== transforms ===} */

typedef struct {
  ndi_fft plan;
  char *tables, *work, *x, *z;
  size_t in, out; /* bytes */
  long double complex *line, *roots;
} transform;

/* Memory of just that size, at a multiple of 64 bytes. */
static char *take(size_t bytes) {
  void *at = NULL;
  if (posix_memalign(&at, 64, bytes ? bytes : 1) != 0) abort();
  memset(at, 0x5a, bytes);
  return at;
}

static void put(nd_dtype real, char *at, size_t i, long double v) {
  const double wide = (double)v;
  const float narrow = (float)v;
  if (real == ND_F64) memcpy(at + i * sizeof wide, &wide, sizeof wide);
  else memcpy(at + i * sizeof narrow, &narrow, sizeof narrow);
}

static long double get(nd_dtype real, const char *at, size_t i) {
  double wide;
  float narrow;
  if (real == ND_F64) return memcpy(&wide, at + i * sizeof wide, sizeof wide), (long double)wide;
  return memcpy(&narrow, at + i * sizeof narrow, sizeof narrow), (long double)narrow;
}

static long double draw(void) {
  return (long double)(float)((double)next_random(&rng) / 0x1p64 - 0.5);
}

/* A line, and its n elements as they are transformed. */
static transform make_transform(nd_dtype real, ndi_fft_form form, bool is_inverse, size_t n) {
  transform t = {.plan = {.n = 0}};
  const size_t item = nd_dtype_get(real)->bytes, half = n / 2 + 1;
  if (!ndi_fft_plan(real, form, is_inverse, n, &t.plan)) abort();
  t.in = item * (form == NDI_FFT_REAL ? n : 2 * (form == NDI_FFT_COMPLEX ? n : half));
  t.out = item * (form == NDI_FFT_HERMITIAN ? n : 2 * (form == NDI_FFT_COMPLEX ? n : half));
  t.plan.tables = t.tables = take(t.plan.table_bytes);
  t.work = take(t.plan.work_bytes);
  t.x = take(t.in), t.z = take(t.out);
  t.line = calloc(n, sizeof *t.line), t.roots = calloc(n, sizeof *t.roots);
  if (!t.line || !t.roots) abort();
  for (size_t i = 0; i < n; i++) {
    const long double angle = 2 * 3.14159265358979323846264338327950288L * (long double)i;
    t.roots[i] = cosl(angle / (long double)n) +
                 sinl(angle / (long double)n) * (long double complex)I;
    t.line[i] = draw() + (form == NDI_FFT_REAL ? 0 : draw() * (long double complex)I);
    const long double re = creall(t.line[i]), im = cimagl(t.line[i]);
    if (form == NDI_FFT_REAL) put(real, t.x, i, re);
    else if (form == NDI_FFT_COMPLEX || i < half)
      put(real, t.x, 2 * i, re), put(real, t.x, 2 * i + 1, im);
  }
  for (size_t i = 0; form == NDI_FFT_HERMITIAN && i < half; i++) {
    const bool is_real = i == 0 || 2 * i == n;
    if (is_real) t.line[i] = creall(t.line[i]);
    else t.line[n - i] = conjl(t.line[i]);
  }
  return t;
}

static void free_transform(transform *t) {
  free(t->tables), free(t->work), free(t->x), free(t->z), free(t->line), free(t->roots);
}

/* The error of the result, as a part of the norm of what there should be. */
static long double error_of(const transform *t) {
  const ndi_fft *p = &t->plan;
  const bool is_back = p->form == NDI_FFT_HERMITIAN || p->is_inverse;
  const size_t count = p->form == NDI_FFT_REAL ? p->n / 2 + 1 : p->n;
  long double apart = 0, norm = 0;
  for (size_t k = 0; k < count; k++) {
    long double complex sum = 0;
    for (size_t j = 0; j < p->n; j++) {
      const long double complex root = t->roots[j * k % p->n];
      sum += t->line[j] * (is_back ? root : conjl(root));
    }
    const bool is_real = p->form == NDI_FFT_HERMITIAN;
    const long double re = get(p->dtype, t->z, is_real ? k : 2 * k) - creall(sum);
    const long double im = is_real ? 0 : get(p->dtype, t->z, 2 * k + 1) - cimagl(sum);
    apart += re * re + im * im;
    norm += creall(sum) * creall(sum) + cimagl(sum) * cimagl(sum);
  }
  return norm > 0 ? sqrtl(apart / norm) : sqrtl(apart);
}

/* At every level the same bits, of which those at the first are checked. */
static void check_transform(nd_dtype real, ndi_fft_form form, bool is_inverse, size_t n) {
  transform t = make_transform(real, form, is_inverse, n);
  char *first = NULL;
  for (size_t i = 0; i < ND_COUNTOF(levels); i++) {
    if (!use_level(levels[i])) continue;
    memset(t.work, 0xff, t.plan.work_bytes); /* NaN */
    ndi_fft_fill(&t.plan, t.work);
    memset(t.work, 0xff, t.plan.work_bytes);
    ndi_fft_run(&t.plan, t.x, t.z, t.work);
    if (first) {
      CHECK(memcmp(first, t.z, t.out) == 0, "%s form %d, %zu at level %d: other bits",
            nd_dtype_get(real)->name, (int)form, n, levels[i]);
      continue;
    }
    if (form == NDI_FFT_REAL)
      CHECK(get(real, t.z, 1) == 0 && (n % 2 || get(real, t.z, n + 1) == 0), "%zu: not real", n);
    const long double unit = real == ND_F64 ? 0x1p-53L : 0x1p-24L;
    const long double error = error_of(&t) / unit / (1 + log2l((long double)n));
    CHECK(error < 0.8L, "%s form %d, %zu: an error of %Lg", nd_dtype_get(real)->name, (int)form, n,
          error);
    first = take(t.out);
    memcpy(first, t.z, t.out);
  }
  free(first);
  free_transform(&t);
}

/* cos and sin of -2 pi k / n, of an angle of at most pi / 4 that is right in its last bits. */
static long double complex turn(size_t k, size_t n) {
  const size_t quarters = (8 * k + n) / (2 * n);
  const long double rest = (long double)(ptrdiff_t)(4 * k - quarters * n) / (long double)n;
  const long double angle = rest * 1.57079632679489661923132169163975144L;
  long double complex v = cosl(angle) - sinl(angle) * (long double complex)I;
  for (size_t i = 0; i < quarters % 4; i++) v = cimagl(v) - creall(v) * (long double complex)I;
  return v;
}

/* The factors of the first pass are right to within a unit in the last place. */
static void check_factors(size_t n) {
  ndi_fft plan;
  if (!ndi_fft_plan(ND_F64, NDI_FFT_COMPLEX, false, n, &plan)) abort();
  const size_t r = plan.passes.radix[0], m = n / r;
  char *tables = plan.tables = take(plan.table_bytes), *work = take(plan.work_bytes);
  long double most = 0;
  ndi_fft_fill(&plan, work);
  for (size_t k = 1; k < r; k++)
    for (size_t j = 0; j < m; j++) {
      const long double complex whole = turn(j * k, n);
      const long double wanted[] = {creall(whole), cimagl(whole)};
      for (size_t i = 0; i < 2; i++) {
        const long double got = get(ND_F64, tables, (2 * k - 2 + i) * m + j);
        const int digits = wanted[i] == 0 ? -200 : ilogbl(wanted[i]) - 52;
        most = fmaxl(most, fabsl(got - wanted[i]) / ldexpl(1, digits));
      }
    }
  CHECK(most < 0.75L, "a factor of %zu is wrong by %Lg units", n, most);
  free(tables), free(work);
}

static void spec_transforms(void) {
  static const size_t more[] = {210, 243, 256, 343, 384, 500, 509, 512, 625, 961, 1009, 1024, 1155};
  group("transforms");
  for (int wide = 0; wide < 2; wide++)
    for (int form = 0; form < 4; form++) {
      const ndi_fft_form of = form == 3 ? NDI_FFT_COMPLEX : (ndi_fft_form)form;
      const nd_dtype real = wide ? ND_F64 : ND_F32;
      for (size_t n = 1; n <= 200; n++)
        if (below(200) < scaled(200)) check_transform(real, of, form == 3, n);
      for (size_t i = 0; i < ND_COUNTOF(more); i++)
        if (below(200) < scaled(200)) check_transform(real, of, form == 3, more[i]);
    }
  ndi_fft plan;
  check_factors(12288);
  check_factors(3 * 2500);
  CHECK(!ndi_fft_plan(ND_F64, NDI_FFT_COMPLEX, false, SIZE_MAX / 2, &plan), "too long a line");
  CHECK(ndi_fft_plan(ND_F64, NDI_FFT_REAL, false, 4099, &plan) && plan.is_chirp, "a large prime");
  CHECK(ndi_fft_plan(ND_F64, NDI_FFT_REAL, false, 4096, &plan) && !plan.is_chirp, "a power of 2");
}

/* {=== after transforms ===} */

static void spec_after(void) {
  group("scaling and mirroring");
  for (size_t i = 0; i < ND_COUNTOF(levels); i++) {
    if (!show_level(levels[i])) continue;
    float z[20], of[20];
    for (size_t k = 0; k < 20; k++) of[k] = (float)draw();
    memcpy(z, of, sizeof z);
    ndi_fft_scale(ND_C64, 9, (char *)z, 3, true);
    for (size_t k = 0; k < 20; k++)
      CHECK(z[k] == (k >= 18 ? of[k] : k % 2 ? of[k] * -3 : of[k] * 3), "conjugate %zu", k);
    memcpy(z, of, sizeof z);
    ndi_fft_scale(ND_F32, 7, (char *)z, 0.5, false);
    for (size_t k = 0; k < 20; k++) CHECK(z[k] == (k >= 7 ? of[k] : of[k] / 2), "real %zu", k);
    memcpy(z, of, sizeof z);
    ndi_fft_mirror(ND_C64, 9, 5, (char *)z);
    for (size_t k = 5; k < 9; k++)
      CHECK(z[2 * k] == of[2 * (9 - k)] && z[2 * k + 1] == -of[2 * (9 - k) + 1], "mirror %zu", k);
    CHECK(memcmp(z, of, 5 * 2 * sizeof *z) == 0 && z[18] == of[18], "beside the mirror");
  }
}

/* {=== convolutions ===} */

enum { MOST = 300 };

/* Element 'at' by a plain loop, in the order that kern/convolve.h says. */
static void plain(nd_dtype dtype, const ndi_shifted *of, size_t at, char *out) {
  const size_t item = nd_dtype_get(dtype)->bytes, part = is_complex(dtype) ? item / 2 : item;
  const nd_dtype real = part == 4 ? ND_F32 : ND_F64;
  uint64_t whole = 0;
  volatile double d[4] = {0};
  volatile float f[4] = {0};
  for (size_t t = 0; t < of->m; t++) {
    if (at + t < of->m - 1 || at + t - (of->m - 1) >= of->n) continue;
    const char *x = of->x + (at + t - (of->m - 1)) * item, *w = of->w + t * item;
    if (nd_dtype_get(dtype)->kind < ND_KIND_FLOAT) {
      const uint64_t a = read_bits(x, item), b = read_bits(w, item);
      whole = dtype == ND_BOOL ? whole | (a && b) : whole + a * b;
      continue;
    }
    for (size_t i = 0; i < (is_complex(dtype) ? 4 : 1); i++) {
      const long double a = get(real, x, i % 2), b = get(real, w, i / 2);
      const volatile double wide = (double)a * (double)b;
      const volatile float narrow = (float)a * (float)b;
      d[i] += wide, f[i] += narrow;
    }
  }
  if (nd_dtype_get(dtype)->kind < ND_KIND_FLOAT) write_bits(out, item, whole);
  else if (part == 8) put(real, out, 0, d[0] - d[3]);
  else put(real, out, 0, (long double)(float)(f[0] - f[3]));
  if (is_complex(dtype) && part == 8) put(real, out, 1, d[1] + d[2]);
  if (is_complex(dtype) && part == 4) put(real, out, 1, (long double)(float)(f[1] + f[2]));
}

static void fill_line(nd_dtype dtype, char *at, size_t n) {
  const size_t item = nd_dtype_get(dtype)->bytes, part = is_complex(dtype) ? item / 2 : item;
  for (size_t i = 0; i < n * item / part; i++) {
    if (nd_dtype_get(dtype)->kind >= ND_KIND_FLOAT) put(part == 4 ? ND_F32 : ND_F64, at, i, draw());
    else write_bits(at + i * part, part, dtype == ND_BOOL ? below(3) : next_random(&rng));
  }
}

static void check_convolution(nd_dtype dtype, size_t n, size_t m) {
  const size_t item = nd_dtype_get(dtype)->bytes, all = n + m - 1;
  char *x = malloc(n * item), *w = malloc(m * item), *z = malloc(all * item), wanted[WIDEST];
  if (!x || !w || !z) abort();
  fill_line(dtype, x, n), fill_line(dtype, w, m);
  const ndi_shifted of = {x, w, n, m};
  for (size_t i = 0; i < ND_COUNTOF(levels); i++) {
    if (!use_level(levels[i])) continue;
    const size_t first = below(3) ? 0 : below(all);
    const size_t count = below(3) ? all - first : below(all - first);
    ndi_convolve_find(dtype)(&of, first, count, z + first * item);
    size_t wrong = count;
    for (size_t k = 0; k < count && wrong == count; k++) {
      plain(dtype, &of, first + k, wanted);
      if (memcmp(wanted, z + (first + k) * item, item) != 0) wrong = k;
    }
    CHECK(wrong == count, "%s at level %d: element %zu of %zu by %zu", nd_dtype_get(dtype)->name,
          levels[i], first + wrong, n, m);
  }
  free(x), free(w), free(z);
}

static void spec_convolutions(void) {
  static const nd_dtype dtypes[] = {ND_BOOL, ND_I8,  ND_U8,  ND_I16, ND_U16, ND_I32, ND_U32,
                                    ND_I64,  ND_U64, ND_F32, ND_F64, ND_C64, ND_C128};
  group("convolutions");
  for (size_t d = 0; d < ND_COUNTOF(dtypes); d++)
    for (size_t i = 0; i < scaled(60); i++) {
      const size_t n = 1 + below(below(2) ? 20 : MOST), m = 1 + below(n);
      check_convolution(dtypes[d], n, below(4) ? 1 + below(m < 12 ? m : 12) : m);
    }
  CHECK(!ndi_convolve_find(ND_F16), "small floats are computed in f32");
  double z[] = {1, 2, 3, 4, 5, 6}, w[] = {2, 1, 0, -1, 1, 1};
  const double wanted[] = {0, 5, 4, -3, 5, 6};
  ndi_multiply_spectra(ND_C128, 2, (char *)z, (char *)w);
  CHECK(memcmp(z, wanted, sizeof z) == 0, "a product of spectra");
  CHECK(ndi_is_finite(ND_F64, 6, (char *)z), "finite numbers");
  z[2] = INFINITY;
  CHECK(!ndi_is_finite(ND_C128, 2, (char *)z) && ndi_is_finite(ND_F64, 2, (char *)z), "infinity");
}

/* {=== the cache of plans ===} */

static const ndi_fft_way *take_way(size_t n) {
  const ndi_fft_way *way;
  if (ndi_fft_way_take(ND_F64, NDI_FFT_COMPLEX, false, n, &way, NULL) != ND_OK) abort();
  return way;
}

/* Is the transform of an impulse all ones? */
static bool transforms(const ndi_fft_way *way) {
  const size_t n = way->own.n;
  double *x = (double *)(void *)take(2 * n * sizeof *x);
  double *z = (double *)(void *)take(2 * n * sizeof *z);
  char *work = take(ndi_fft_way_work(way));
  bool is_right = true;
  memset(x, 0, 2 * n * sizeof *x);
  x[0] = 1;
  ndi_fft_way_run(way, (char *)x, (char *)z, work);
  for (size_t i = 0; i < 2 * n; i++) is_right &= fabs(z[i] - (i % 2 ? 0 : 1)) < 1e-14;
  free(x), free(z), free(work);
  return is_right;
}

static void *use_plans(void *seed) {
  uint64_t own = (uint64_t)(uintptr_t)seed;
  bool is_right = true;
  for (int i = 0; i < 400; i++) {
    const ndi_fft_way *way = take_way(1 + (size_t)(next_random(&own) % 60));
    is_right &= transforms(way);
    ndi_fft_way_give(way);
  }
  return is_right ? seed : NULL;
}

static void spec_cache(void) {
  enum { THREADS = 4, MANY = 50 };
  const ndi_fft_way *taken[MANY];
  pthread_t threads[THREADS];
  size_t plans, users;
  group("the cache of plans");
  ndi_fft_ways_free();
  const ndi_fft_way *first = take_way(12), *again = take_way(12);
  CHECK(first == again, "a plan is made once");
  ndi_fft_ways_count(&plans, &users);
  CHECK(plans == 1 && users == 2, "%zu plans, taken %zu times", plans, users);
  for (size_t i = 0; i < MANY; i++) CHECK(transforms(taken[i] = take_way(20 + i)), "plan %zu", i);
  ndi_fft_ways_count(&plans, &users);
  CHECK(plans == 32 && users == 33, "%zu plans, taken %zu times", plans, users);
  for (size_t i = 0; i < MANY; i++) ndi_fft_way_give(taken[i]);
  ndi_fft_way_give(first);
  ndi_fft_ways_free();
  ndi_fft_ways_count(&plans, &users);
  CHECK(plans == 1 && users == 1 && transforms(again), "one that is taken stays");
  ndi_fft_way_give(again);
  for (size_t i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, use_plans, (void *)(uintptr_t)(i + 1)) != 0) abort();
  for (size_t i = 0; i < THREADS; i++) {
    void *is_right;
    pthread_join(threads[i], &is_right);
    CHECK(is_right, "thread %zu", i);
  }
  ndi_fft_ways_count(&plans, &users);
  CHECK(plans == 32 && users == 0, "%zu plans, taken %zu times", plans, users);
  ndi_fft_ways_free();
  ndi_fft_ways_count(&plans, &users);
  CHECK(plans == 0, "%zu plans are left", plans);
}

/* {=== lines, by threads ===} */

/* A new array of random numbers. */
static nd_view make_array(int ndim, const size_t *shape) {
  nd_view v;
  char *at;
  if (nd_new(nd_host_resource(), ND_F32, ndim, shape, (nd_storage_options){0}, &v, NULL) != ND_OK ||
      nd_view_host(&v, true, &at, NULL) != ND_OK)
    abort();
  fill_line(ND_F32, at, v.size);
  return v;
}

/* The bits of an array, which is dropped. */
static char *take_bits(nd_view *v) {
  char *at, *bits = take(nd_view_nbytes(v));
  if (nd_view_host(v, false, &at, NULL) != ND_OK) abort();
  memcpy(bits, at, nd_view_nbytes(v));
  nd_view_drop(v);
  return bits;
}

static char *transform_lines(const nd_view *x, int axis, size_t *bytes) {
  const nd_transform how = {
      .name = "fft", .form = ND_FFT_REAL, .count = 1, .axes = {axis}, .lengths = {ND_FFT_OWN}};
  nd_view made;
  if (nd_fft(&how, x, NULL, &made, NULL) != ND_OK) abort();
  *bytes = nd_view_nbytes(&made);
  return take_bits(&made);
}

static char *convolve_lines(const nd_view *x, const nd_view *w, size_t *bytes) {
  nd_view made;
  if (nd_convolve(false, x, w, ND_SHIFTS_FULL, NULL, &made, NULL) != ND_OK) abort();
  *bytes = nd_view_nbytes(&made);
  return take_bits(&made);
}

static void spec_threads(void) {
  static const size_t shape[] = {700, 600}, line[] = {500000}, few[] = {20}, many[] = {300};
  nd_view x = make_array(2, shape), y = make_array(1, line);
  nd_view w[] = {make_array(1, few), make_array(1, many)};
  char *first[4] = {NULL};
  group("the bits of several threads");
  for (int count = 1; count <= 3; count++) {
    nd_threads_set(count);
    for (int i = 0; i < 4; i++) {
      size_t bytes;
      char *bits = i < 2 ? transform_lines(&x, i, &bytes) : convolve_lines(&y, &w[i - 2], &bytes);
      CHECK(!first[i] || memcmp(first[i], bits, bytes) == 0, "%d by %d threads", i, count);
      if (first[i]) free(bits);
      else first[i] = bits;
    }
  }
  for (int i = 0; i < 4; i++) free(first[i]);
  nd_view_drop(&x), nd_view_drop(&y), nd_view_drop(&w[0]), nd_view_drop(&w[1]);
}

int main(void) {
  seed_from(61);
  if (below(2)) ndi_fftw_choose("none"); /* plans by FFTW, if it is there, or our own */
  spec_transforms();
  spec_after();
  spec_convolutions();
  spec_cache();
  spec_threads();
  return finish();
}
