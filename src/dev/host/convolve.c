/* Convolutions on the host: sums of products of one line with a shorter one that is shifted along
 * it, directly, or, where that is less work, as products of Fourier transforms of blocks that
 * overlap (Stockham, High-Speed Convolution and Correlation, 1966). Integers and bools always go
 * directly, and are exact.
 *
 * Blocks depend on the lengths alone, so the bits are the same for any number of threads. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "dev/host/fft_plans.h"
#include "dev/host/host.h"
#include "kern/convolve.h"

/* What is computed: elements first … first + count - 1 of all n + m - 1. */
typedef struct {
  nd_dtype dtype;
  size_t item; /* bytes of an element */
  ndi_convolve *kernel;
  ndi_shifted of;
  size_t first, count;
  char *out;
  ndi_poll poll;
} convolution;

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* {=== directly ===} */

/* Elements, and products, between two polls, at most; but so many elements that tiles are whole. */
enum { CHUNK = 1 << 14, TERMS = 1 << 22, FEW = 512 };

static bool run_direct(convolution *c, size_t from, size_t end, size_t thread) {
  const size_t m = c->of.m;
  const size_t some = m < TERMS / CHUNK ? CHUNK : m < TERMS / FEW ? TERMS / m : FEW;
  for (size_t i = from; i < end; i += some) {
    const size_t count = least(some, end - i);
    c->kernel(&c->of, c->first + i, count, c->out + i * c->item);
    if (ndi_poll_stops(&c->poll, thread, count + count * m / 16)) return false;
  }
  return true;
}

static bool run_part(void *context, size_t part, size_t parts, size_t thread) {
  convolution *c = context;
  return run_direct(c, c->count / parts * part + least(part, c->count % parts),
                    c->count / parts * (part + 1) + least(part + 1, c->count % parts), thread);
}

/* Products are as much work as bytes that are moved. */
static nd_status run_all_directly(convolution *c) {
  const double work = (double)c->count * ((double)c->of.m / 4 * (double)c->item + 16);
  ndi_run_parts(ndi_split_of(work < 0x1p62 ? (uint64_t)work : UINT64_C(1) << 62, c->count),
                run_part, c);
  return c->poll.status;
}

/* {=== by transforms ===} */

enum { ODD = 32 };

typedef struct {
  convolution *of;
  size_t len, new; /* elements of a block, and those of the result that it gives */
  size_t blocks;
  const ndi_fft_way *there, *back;
  nd_dtype spectrum;  /* dtype of transforms, which have */
  size_t numbers;     /* elements */
  char *filter;       /* the transform of the shorter line, divided by 'len' */
  size_t pitch, room; /* bytes of one of the two arrays of a thread, and of all that it has */
  char *memory;
  double lift_x, lift_w,
      lower;       /* what both lines, and the result, are multiplied by: see find_lift */
  size_t odd[ODD]; /* elements of w that are not finite: see find_odd */
  size_t odds;
} transforms;

static bool is_complex(nd_dtype dtype) { return nd_dtype_part(dtype) != dtype; }

static char *array_of(const transforms *t, size_t thread, int at) {
  return t->memory + thread * t->room + (size_t)at * t->pitch;
}

/* {=== what transforms cannot do ===} */

static double get_part(nd_dtype real, const char *x, size_t i) {
  float narrow;
  double wide;
  if (real == ND_F32) return memcpy(&narrow, x + i * sizeof narrow, sizeof narrow), (double)narrow;
  return memcpy(&wide, x + i * sizeof wide, sizeof wide), wide;
}

static void put_part(nd_dtype real, char *x, size_t i, double value) {
  const float narrow = (float)value;
  if (real == ND_F32) memcpy(x + i * sizeof narrow, &narrow, sizeof narrow);
  else memcpy(x + i * sizeof value, &value, sizeof value);
}

static size_t parts_of(nd_dtype dtype, size_t n) { return is_complex(dtype) ? 2 * n : n; }

/* A power of two by which a line is multiplied, exactly, before it is transformed, or 1: that of a
 * line near the subnormal numbers would be rounded to these. What both lines are multiplied by is
 * taken back from the result. */
static double find_lift(nd_dtype dtype, size_t n, const char *x) {
  const nd_dtype real = nd_dtype_part(dtype);
  const double small = real == ND_F32 ? 0x1p-96 : 0x1p-768;
  for (size_t i = 0; i < parts_of(dtype, n); i++) {
    const double size = fabs(get_part(real, x, i));
    if (size >= small && size <= DBL_MAX) return 1; /* for most lines the first one */
  }
  return real == ND_F32 ? 0x1p64 : 0x1p512;
}

static void scale(nd_dtype dtype, size_t n, char *x, double factor) {
  const nd_dtype real = nd_dtype_part(dtype);
  if (factor == 1) return;
  for (size_t i = 0; i < parts_of(dtype, n); i++)
    put_part(real, x, i, get_part(real, x, i) * factor);
}

/* Find the elements of the shorter line that are NaN or infinite: a transform would have nothing
 * else. It is done without them, and what they give is added. False: they are too many. */
static bool find_odd(transforms *t) {
  const convolution *c = t->of;
  if (ndi_is_finite(c->dtype, c->of.m, c->of.w)) return true;
  for (size_t i = 0; i < c->of.m; i++) {
    if (ndi_is_finite(c->dtype, 1, c->of.w + i * c->item)) continue;
    if (t->odds == ODD) return false;
    t->odd[t->odds++] = i;
  }
  return true;
}

/* Add the products with element 'odd' of w to elements at … at + count - 1 of the convolution,
 * which are at 'z'. 'room' has as many. */
static void add_odd(const convolution *c, size_t odd, size_t at, size_t count, char *z,
                    char *room) {
  const ndi_shifted one = {.x = c->of.x, .w = c->of.w + odd * c->item, .n = c->of.n, .m = 1};
  const nd_dtype real = nd_dtype_part(c->dtype);
  const size_t before = c->of.m - 1 - odd, skipped = least(at < before ? before - at : 0, count);
  const size_t from = at + skipped - before;
  const size_t some = skipped < count && from < c->of.n ? least(count - skipped, c->of.n - from)
                                                        : 0;
  if (some == 0) return;
  c->kernel(&one, from, some, room);
  z += skipped * c->item;
  for (size_t i = 0; i < parts_of(c->dtype, some); i++)
    put_part(real, z, i, get_part(real, z, i) + get_part(real, room, i));
}

/* {=== blocks ===} */

/* The elements of x that a block needs, from 'at' - (m - 1) on; those that there are not are 0. */
static void read_block(const transforms *t, size_t at, char *to) {
  const ndi_shifted *of = &t->of->of;
  const size_t item = t->of->item, before = least(at < of->m - 1 ? of->m - 1 - at : 0, t->len);
  const size_t from = at + before - (of->m - 1);
  const size_t some = from < of->n ? least(of->n - from, t->len - before) : 0;
  memset(to, 0, before * item);
  memcpy(to + before * item, of->x + from * item, some * item);
  scale(t->of->dtype, some, to + before * item, t->lift_x);
  memset(to + (before + some) * item, 0, (t->len - before - some) * item);
}

/* Transforms cannot tell where a NaN or an infinity of x is. */
static bool run_block(const transforms *t, size_t block, size_t thread) {
  convolution *c = t->of;
  const size_t at = block * t->new, count = least(t->new, c->count - at), item = c->item;
  char *line = array_of(t, thread, 0), *spectrum = array_of(t, thread, 1);
  char *work = array_of(t, thread, 2);
  read_block(t, c->first + at, line);
  ndi_fft_way_run(t->there, line, spectrum, work);
  ndi_multiply_spectra(t->spectrum, t->numbers, spectrum, t->filter);
  ndi_fft_way_run(t->back, spectrum, line, work);
  char *result = line + (c->of.m - 1) * item;
  scale(c->dtype, count, result, t->lower);
  if (!ndi_is_finite(c->dtype, count, result)) return run_direct(c, at, at + count, thread);
  for (size_t i = 0; i < t->odds; i++)
    add_odd(c, t->odd[i], c->first + at, count, result, spectrum);
  memcpy(c->out + at * item, result, count * item);
  return !ndi_poll_stops(&c->poll, thread, 16 * t->len);
}

static bool run_blocks(void *context, size_t part, size_t parts, size_t thread) {
  const transforms *t = context;
  for (size_t i = t->blocks * part / parts; i < t->blocks * (part + 1) / parts; i++)
    if (!run_block(t, i, thread)) return false;
  return true;
}

/* Of the shorter line backwards. */
static void make_filter(const transforms *t) {
  const convolution *c = t->of;
  const size_t m = c->of.m, item = c->item;
  char *line = array_of(t, 0, 0);
  for (size_t i = 0; i < m; i++) memcpy(line + i * item, c->of.w + (m - 1 - i) * item, item);
  for (size_t i = 0; i < t->odds; i++) memset(line + (m - 1 - t->odd[i]) * item, 0, item);
  scale(c->dtype, m, line, t->lift_w);
  memset(line + m * item, 0, (t->len - m) * item);
  ndi_fft_way_run(t->there, line, t->filter, array_of(t, 0, 2));
  ndi_fft_scale(t->spectrum, t->numbers, t->filter, 1 / (double)t->len, false);
}

static nd_status run_with_plans(transforms *t) {
  enum { LINE = 64 };
  const convolution *c = t->of;
  const double bytes = (double)t->blocks * (double)t->len * (double)c->item * 4;
  const ndi_split split = ndi_split_of((uint64_t)bytes, t->blocks);
  const size_t there = ndi_fft_way_work(t->there), back = ndi_fft_way_work(t->back);
  nd_block memory;
  t->spectrum = c->dtype == ND_F32 || c->dtype == ND_C64 ? ND_C64 : ND_C128;
  t->numbers = is_complex(c->dtype) ? t->len : t->len / 2 + 1;
  t->pitch = (t->numbers * nd_dtype_get(t->spectrum)->bytes + 2 * LINE - 1) / LINE * LINE;
  t->room = 2 * t->pitch + ((there > back ? there : back) + LINE - 1) / LINE * LINE;
  ND_TRY(ndi_host_scratch(split.threads * t->room + t->pitch, &memory, c->poll.err));
  t->memory = memory.host;
  t->filter = t->memory + split.threads * t->room;
  t->lift_x = find_lift(c->dtype, c->of.n, c->of.x);
  t->lift_w = find_lift(c->dtype, c->of.m, c->of.w);
  t->lower = 1 / t->lift_x / t->lift_w;
  make_filter(t);
  ndi_run_parts(split, run_blocks, t);
  ndi_host_unscratch(&memory);
  return c->poll.status;
}

static nd_status run_transforms(transforms *t) {
  const convolution *c = t->of;
  const nd_dtype real = nd_dtype_part(c->dtype);
  const bool is_real = real == c->dtype;
  ND_TRY(ndi_fft_way_take(real, is_real ? NDI_FFT_REAL : NDI_FFT_COMPLEX, false, t->len, &t->there,
                          c->poll.err));
  nd_status status = ndi_fft_way_take(real, is_real ? NDI_FFT_HERMITIAN : NDI_FFT_COMPLEX, !is_real,
                                      t->len, &t->back, c->poll.err);
  if (status == ND_OK) {
    status = run_with_plans(t);
    ndi_fft_way_give(t->back);
  }
  ndi_fft_way_give(t->there);
  return status;
}

/* {=== which way ===} */

/* About how long a block of 'len' takes, where a product and its addition take 1. */
static double block_work(const convolution *c, size_t len) {
  const double each = is_complex(c->dtype) ? 1.5 : c->dtype == ND_F32 ? 6.5 : 5;
  double digits = 0;
  for (size_t n = len; n > 1; n /= 2) digits++;
  return (double)len * (each * digits + 10);
}

/* Find the blocks that are the least work, which is returned; a real one has an even length. */
static double find_blocks(convolution *c, transforms *t) {
  const size_t m = c->of.m, all = c->count + m - 1;
  double best = 0;
  for (size_t unit = 2; unit <= 5; unit++) { /* 2, 3, 4, 5 times a power of two */
    for (size_t len = 2 * unit; len / 2 < 2 * all; len *= 2) {
      if (len <= m) continue;
      const size_t new = len - (m - 1), blocks = (c->count - 1) / new + 1;
      const double work = ((double)blocks + 0.5) * block_work(c, len);
      if (best > 0 && work >= best) continue;
      best = work;
      *t = (transforms){.of = c, .len = len, .new = new, .blocks = blocks};
    }
  }
  return best;
}

static nd_status run(convolution *c) {
  const nd_kind kind = nd_dtype_get(c->dtype)->kind;
  const bool is_whole = kind != ND_KIND_FLOAT && kind != ND_KIND_COMPLEX;
  const size_t few = 16, most = (size_t)1 << 40; /* more is not done in a day */
  transforms t;
  if (is_whole || c->of.m < few || c->of.n > most) return run_all_directly(c);
  const double direct = (double)c->count * (double)c->of.m;
  if (find_blocks(c, &t) >= direct || !find_odd(&t)) return run_all_directly(c);
  return run_transforms(&t);
}

nd_status ndi_host_convolve(const nd_task *task, char *const *bases, nd_error *err) {
  const nd_view *out = task->views[0], *x = task->views[1], *w = task->views[2];
  convolution c = {
      .dtype = (nd_dtype)x->dtype,
      .item = nd_view_itemsize(x),
      .kernel = ndi_convolve_find((nd_dtype)x->dtype),
      .of = {.x = bases[1] + x->offset, .w = bases[2] + w->offset, .n = x->size, .m = w->size},
      .first = task->first,
      .count = out->size,
      .out = bases[0] + out->offset,
      .poll = {.err = err}};
  return out->size == 0 ? ND_OK : run(&c);
}
