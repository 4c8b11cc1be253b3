/* Selection step by step, on threads of its own: at every level of the kernels and for any number
 * of parts, the keys of ranks are those that a sort of the line has there, and kernels deal and
 * take what plain loops say. */
#include <math.h>

#include "dev/host/select.h"

#include "arrays.h"
#include "levels.h"

enum { LONGEST = 30000, LEAST = 3000, MOST_RANKS = 20 };

static nd_dtype dtype; /* what is tried */
static size_t item;

/* {=== lines ===} */

enum { ANY, FEW, ONE, HALF, SPIKES, KINDS };

static void fill_line(int kind, size_t n, char *x) {
  fill_values(dtype, x, n, &rng);
  const size_t some = kind == SPIKES ? 1 : 1 + below(3);
  for (size_t i = 0; i < n; i++) {
    if (kind == FEW && i >= some) memcpy(x + i * item, x + below(some) * item, item);
    if (kind == ONE && i > 0) memcpy(x + i * item, x, item);
    if (kind == HALF && i > 0 && below(2)) memcpy(x + i * item, x, item);
    if (kind == SPIKES && i > 0 && below(n) > 5) memcpy(x + i * item, x, item);
  }
}

/* {=== a plain order of keys ===} */

static int compare_keys(const void *a, const void *b) {
  nd_int128 x = 0, y = 0; /* the sign bit of a key is its highest one */
  memcpy((char *)&x + sizeof x - item, a, item);
  memcpy((char *)&y + sizeof y - item, b, item);
  return (x > y) - (x < y);
}

static size_t class_of(const char *key, size_t count, const char *values) {
  size_t class = 0;
  for (size_t i = 0; i < count; i++) {
    const int order = compare_keys(key, values + i * item);
    class += (size_t)(order >= 0) + (size_t)(order > 0);
  }
  return class;
}

static size_t draw_ranks(size_t n, size_t *ranks) {
  const size_t wanted = 1 + (below(3) == 0 ? below(MOST_RANKS) : below(3));
  bool *is_taken = calloc(n, sizeof *is_taken);
  size_t count = 0;
  if (!is_taken) abort();
  for (size_t i = 0; i < wanted; i++) {
    const size_t ends[] = {0, n - 1, n / 2, below(n)};
    is_taken[ends[below(ND_COUNTOF(ends))]] = true;
  }
  for (size_t i = 0; i < n; i++)
    if (is_taken[i]) ranks[count++] = i;
  free(is_taken);
  return count;
}

/* {=== the line as a whole ===} */

static void check_find(const char *x, const char *sorted, size_t n, size_t parts,
                       bool is_descending) {
  size_t ranks[MOST_RANKS + 1], bytes, nans, wanted = 0;
  const size_t count = draw_ranks(n, ranks);
  const ndi_split shared = {.parts = parts, .threads = parts < 4 ? parts : 4};
  ndi_poll poll = {.err = NULL};
  ndi_selection s;
  if (!ndi_selection_scratch(dtype, n, parts, count, &bytes)) abort();
  char *scratch = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
  if (!scratch) abort();
  memset(scratch, 0xa5, bytes);
  ndi_selection_init(&s, dtype, n, shared, count, is_descending, scratch, &poll, 0);
  ndi_selection_start(&s, x);
  CHECK(ndi_selection_count_nans(&s, &nans), "stopped");
  if (nd_dtype_get(dtype)->kind == ND_KIND_FLOAT)
    for (size_t i = 0; i < n; i++) wanted += isnan(read_value(dtype, x + i * item).re) != 0;
  CHECK(nans == wanted, "%zu NaNs of %zu", nans, wanted);
  CHECK(ndi_selection_find(&s, count, ranks), "stopped");
  for (size_t i = 0; i < count; i++)
    CHECK(memcmp(s.values + i * item, sorted + ranks[i] * item, item) == 0,
          "%s: rank %zu of %zu, %zu ranks, %zu parts", nd_dtype_get(dtype)->name, ranks[i], n,
          count, parts);
  free(scratch);
}

/* {=== kernels ===} */

static void check_deal(const ndi_selector *kernel, const char *x, const char *keys,
                       const char *sorted, size_t n) {
  size_t counts[2 * MOST_RANKS + 1] = {0}, places[2 * MOST_RANKS + 1], first = 0, count = 0;
  size_t own[2 * MOST_RANKS + 1] = {0};
  char values[MOST_RANKS * 16];
  for (size_t i = 0, wanted = 1 + below(MOST_RANKS); i < wanted; i++) {
    const char *key = sorted + (i * n / wanted) * item;
    if (count == 0 || memcmp(values + (count - 1) * item, key, item) != 0)
      memcpy(values + count++ * item, key, item);
  }
  char *out = malloc(n * item);
  int64_t *positions = malloc(n * sizeof *positions);
  if (!out || !positions) abort();
  kernel->tally(n, keys, count, values, counts);
  for (size_t i = 0; i < n; i++) own[class_of(keys + i * item, count, values)]++;
  CHECK(memcmp(own, counts, sizeof own) == 0, "%zu classes of %zu", 2 * count + 1, n);
  for (size_t i = 0; i < 2 * count + 1; i++) places[i] = first, first += own[i];
  memcpy(own, places, sizeof own);
  kernel->deal(n, keys, count, values, places, x, out);
  memcpy(places, own, sizeof own);
  kernel->deal_positions(n, keys, count, values, places, 7, positions);
  bool is_same = true;
  for (size_t i = 0; i < n && is_same; i++) {
    const size_t at = own[class_of(keys + i * item, count, values)]++;
    is_same = memcmp(out + at * item, x + i * item, item) == 0 && positions[at] == (int64_t)i + 8;
  }
  CHECK(is_same && memcmp(own, places, (2 * count + 1) * sizeof *own) == 0, "%s: %zu dealt by %zu",
        nd_dtype_get(dtype)->name, n, count);
  free(positions), free(out);
}

static void check_take(const ndi_selector *kernel, const char *keys, const char *sorted, size_t n) {
  const char *last = sorted + below(n) * item;
  const size_t given = below(5), room = below(3) ? n : below(n);
  size_t left = given, taken = 0, equal = given;
  int64_t *positions = malloc((n + 1) * sizeof *positions);
  if (!positions) abort();
  const size_t got = kernel->take(n, keys, last, &left, 3, room, positions);
  bool is_same = true;
  for (size_t i = 0; i < n && taken < room && is_same; i++) {
    const int order = compare_keys(keys + i * item, last);
    if (order > 0 || (order == 0 && equal == 0)) continue;
    equal -= order == 0;
    is_same = taken < got && positions[taken++] == (int64_t)i + 4;
  }
  CHECK(is_same && got == taken && left == equal, "%s: %zu taken of %zu", nd_dtype_get(dtype)->name,
        got, n);
  free(positions);
}

static void check_narrow(const ndi_selector *kernel, const char *keys, const char *sorted,
                         size_t n) {
  size_t a = below(n), b = below(n), at = 0;
  if (below(3) == 0) b = a + 2 < n ? a + below(3) : a;
  const char *lo = sorted + (a < b ? a : b) * item, *hi = sorted + (a < b ? b : a) * item;
  char *out = aligned_alloc(64, ((n + 1) * item + 63) & ~(size_t)63);
  if (!out) abort();
  const size_t got = kernel->narrow(n, out, keys, lo, hi);
  bool is_same = true;
  for (size_t i = 0; i < n && is_same; i++) {
    const char *key = keys + i * item;
    if (compare_keys(key, lo) < 0 || compare_keys(key, hi) > 0) continue;
    is_same = at < got && memcmp(out + at++ * item, key, item) == 0;
  }
  CHECK(is_same && at == got, "%s: %zu of %zu within", nd_dtype_get(dtype)->name, got, n);
  free(out);
}

/* Real keys turn back into elements with the same key. */
static void check_unmake(const ndi_selector *kernel, const char *keys, size_t n,
                         const ndi_sort_order *o) {
  if (!kernel->unmake) return;
  char *x = aligned_alloc(64, (n * item + 63) & ~(size_t)63);
  char *again = aligned_alloc(64, (n * item + 63) & ~(size_t)63);
  if (!x || !again) abort();
  kernel->unmake(n, x, keys, o);
  kernel->make(n, again, x, o);
  CHECK(memcmp(again, keys, n * item) == 0, "%s: keys of %zu elements of keys",
        nd_dtype_get(dtype)->name, n);
  free(again), free(x);
}

static void check_line(int kind, size_t n) {
  static const size_t several[] = {2, 5, 17};
  const size_t parts = below(4) ? 1 : several[below(ND_COUNTOF(several))];
  const bool is_descending = below(2);
  const size_t bytes = (n * item + 63) & ~(size_t)63, shift = below(2);
  char *x = malloc(n * item + 1), *keys = aligned_alloc(64, bytes);
  char *sorted = aligned_alloc(64, bytes);
  if (!x || !keys || !sorted) abort();
  fill_line(kind, n, x + shift);
  const ndi_selector *kernel = ndi_selector_find(dtype);
  const ndi_sort_order o = ndi_selector_order(dtype, is_descending);
  kernel->make(n, keys, x + shift, &o);
  memcpy(sorted, keys, n * item);
  const int level = ndi_level();
  ndi_level_limit(1);
  ndi_selector_find(dtype)->make(n, sorted, x + shift, &o);
  ndi_level_limit(level);
  CHECK(memcmp(sorted, keys, n * item) == 0, "%s: %zu keys at level %d", nd_dtype_get(dtype)->name,
        n, level);
  qsort(sorted, n, item, compare_keys);
  check_find(x + shift, sorted, n, parts, is_descending);
  check_deal(kernel, x + shift, keys, sorted, n);
  check_take(kernel, keys, sorted, n);
  check_narrow(kernel, keys, sorted, n);
  check_unmake(kernel, keys, n, &o);
  free(sorted), free(keys), free(x);
}

/* Bounds of three deviations and a bit leave out the median of some lines in twenty thousand. */
static void spec_misled(void) {
  enum { N = 1100 };
  static uint32_t x[N];
  static _Alignas(64) char scratch[64 << 10];
  group("a sample that misleads");
  ndi_poll poll = {.err = NULL};
  ndi_selection s;
  const size_t middle = N / 2;
  size_t bytes, wrong = 0;
  if (!ndi_selection_scratch(ND_U32, N, 1, 1, &bytes) || bytes > sizeof scratch) abort();
  for (int i = 0; i < 20000; i++) {
    uint32_t found = 0;
    size_t below_it = 0;
    for (size_t k = 0; k < N; k++) x[k] = (uint32_t)next_random(&rng);
    ndi_selection_init(&s, ND_U32, N, (ndi_split){1, 1}, 1, false, scratch, &poll, 0);
    ndi_selection_start(&s, (const char *)x);
    if (!ndi_selection_find(&s, 1, &middle)) abort();
    s.kernel->unmake(1, (char *)&found, s.values, &s.order);
    for (size_t k = 0; k < N; k++) below_it += x[k] < found;
    wrong += below_it != middle; /* hardly two are equal */
  }
  CHECK(wrong <= 1, "%zu medians are wrong", wrong);
}

int main(void) {
  seed_from(24);
  spec_misled();
  for (int d = 0; d < ND_DTYPE_COUNT; d++) {
    dtype = (nd_dtype)d;
    item = nd_dtype_get(dtype)->bytes;
    group(nd_dtype_get(dtype)->name);
    const size_t longest = LEAST + scaled(LONGEST - LEAST);
    for (size_t i = 0; i < scaled(8 * KINDS * 3); i++) {
      const size_t lengths[] = {1 + below(8), 1 + below(200), 900 + below(400), 1 + below(longest)};
      ndi_level_limit(levels[below(ND_COUNTOF(levels))]);
      check_line((int)(i % KINDS), lengths[below(ND_COUNTOF(lengths))]);
    }
  }
  return finish();
}
