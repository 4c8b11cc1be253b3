/* Folds of overlapping windows.
 *
 * The order of a fold is fixed (kern/reduce.h): element i of a window goes to lane i modulo
 * NDI_LANES, and lanes are merged by halves. Lane l of the window that begins at element v has the
 * elements v + l, v + l + NDI_LANES, …: so has lane 0 of the window that begins at v + l. So one
 * array, with the fold of x[v], x[v + NDI_LANES], … at v, has all lanes of all windows, and it is
 * computed in rows: one element for every v at a time. What a merge makes of lanes l and l + half
 * depends on v + l alone, too, so one merge of two arrays does it for all lanes of all windows. A
 * sum of 100 elements takes 7 rows and 5 merges, that is 12 additions instead of 99, of the same
 * numbers in the same order.
 *
 * Where the number of elements is no multiple of the lanes, the first few lanes have one element
 * more. So there are two arrays, for the longer and for the shorter lanes; after a merge again. */
#include "dev/host/windows.h"

#include <string.h>

#include "kern/cast.h"

enum { WIDEST = 16, BYTES = (NDI_WINDOWS_SPAN + NDI_LANES) * WIDEST };

/* All lanes: lane l of the window that begins at element v is at v + l, of 'longer' if l < extra,
 * else of 'shorter', which does not exist where a window has fewer elements than lanes. */
typedef struct {
  size_t extra;
  bool has_shorter;
  _Alignas(64) char longer[BYTES], shorter[BYTES];
} lanes;

/* As measured: an accumulator in a row or a merge costs about as much as an element that 'block'
 * folds. Merges and the like are counted as 8, whatever their number. */
size_t ndi_windows_cost(size_t hop, size_t n) {
  const size_t blocks = (n - 1) / NDI_BLOCK + 1, most = n < NDI_BLOCK ? n : NDI_BLOCK;
  return blocks * hop * (most / NDI_LANES + 8);
}

/* Fold 'n' elements from each of 'span' beginnings into lanes. */
static void start_lanes(const ndi_windows *w, size_t n, size_t span, const char *x, lanes *out) {
  const size_t acc = (size_t)w->acc, whole = n / NDI_LANES * NDI_LANES;
  const size_t all = span + NDI_LANES - 1;
  out->extra = n - whole;
  out->has_shorter = whole > 0;
  if (out->has_shorter) w->reducer->start(all, x, out->shorter);
  for (size_t i = 0; i < whole; i += NDI_LANES)
    w->reducer->row(all, x + (ptrdiff_t)i * w->item, NULL, out->shorter);
  if (out->extra == 0) return;
  const size_t some = span + out->extra - 1;
  if (out->has_shorter) memcpy(out->longer, out->shorter, some * acc);
  else w->reducer->start(some, x, out->longer);
  w->reducer->row(some, x + (ptrdiff_t)whole * w->item, NULL, out->longer);
}

/* Merge an array with the one that is 'half' lanes further on, if there is one. */
static void join(const ndi_windows *w, size_t n, const char *early, const char *late, size_t half,
                 char *out) {
  memcpy(out, early, n * (size_t)w->acc);
  if (late) w->reducer->merge(n, out, late + half * (size_t)w->acc);
}

/* Merge lane l with lane l + half, for l < half. */
static void halve(const ndi_windows *w, size_t half, size_t span, const lanes *in, lanes *out) {
  const char *shorter = in->has_shorter ? in->shorter : NULL;
  /* are all lanes l longer ones, so that the border is among the lanes l + half? */
  const bool is_past = in->extra >= half;
  out->extra = is_past ? in->extra - half : in->extra;
  out->has_shorter = is_past || in->has_shorter;
  if (out->extra > 0)
    join(w, span + out->extra - 1, in->longer, is_past ? in->longer : shorter, half, out->longer);
  if (out->has_shorter)
    join(w, span + half - 1, is_past ? in->longer : in->shorter, shorter, half, out->shorter);
}

/* Every hop-th of the accumulators at 'x'. */
static void pick(const ndi_windows *w, size_t count, const char *x, char *out) {
  const nd_dtype dtype = w->reducer->acc;
  ndi_cast_kernel *move = ndi_cast_find(dtype, dtype, ND_SATURATE);
  for (ptrdiff_t part = 0; part < w->acc; part += nd_dtype_get(dtype)->bytes)
    move(count, out + part, w->acc, x + part, (ptrdiff_t)w->hop * w->acc);
}

/* Is the value of a float, or the first of a pair, a zero or a NaN? */
static bool is_open(nd_dtype dtype, const char *at) {
  double value;
  float single;
  if (dtype == ND_F64) return memcpy(&value, at, sizeof value), !(value < 0 || value > 0);
  return memcpy(&single, at, sizeof single), !(single < 0 || single > 0);
}

/* The order makes a difference to minima and maxima of floats, after all: which of two zeros, or of
 * two NaNs, is taken. So windows whose result is one are folded again, each for itself. */
static void settle(const ndi_windows *w, size_t n, size_t count, const char *x, char *out) {
  const nd_dtype dtype = w->reducer->acc;
  const ptrdiff_t hop = (ptrdiff_t)w->hop * w->item;
  if (w->reducer->lanes > 1 || (dtype != ND_F32 && dtype != ND_F64)) return;
  for (size_t i = 0; i < count; i++, x += hop, out += w->acc)
    if (is_open(dtype, out)) w->reducer->block(n, x, NULL, out);
}

void ndi_windows_fold(const ndi_windows *w, size_t n, size_t count, const char *x, char *out) {
  lanes both[2], *in = &both[0], *next = &both[1];
  const size_t span = (count - 1) * w->hop + 1;
  start_lanes(w, n, span, x, in);
  for (size_t half = NDI_LANES / 2; half > 0; half /= 2) {
    halve(w, half, span, in, next);
    lanes *const other = in;
    in = next, next = other;
  }
  pick(w, count, in->shorter, out); /* one lane is left, for which extra is 0 */
  settle(w, n, count, x, out);
}
