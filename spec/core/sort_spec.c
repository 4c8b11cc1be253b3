/* Sorting step by step on threads of its own, which sanitizers know: whatever the parts, the level
 * of the kernels, and however a part's range is cut, the bits are those that a plain stable sort
 * gives. */
#include <math.h>
#include <pthread.h>

#include "kern/sort.h"

#include "arrays.h"
#include "levels.h"

enum { MOST_PARTS = 17, LONGEST = 20000, LEAST = 4000 };

static nd_dtype dtype; /* what is tried */
static const char *line;
static bool is_descending;

/* {=== steps on threads ===} */

typedef struct {
  const ndi_sorter *sorter;
  size_t part, piece;
} range;

static void *run_range(void *context) {
  const range *r = context;
  const ndi_sorter *s = r->sorter;
  const size_t end = s->n * (r->part + 1) / s->parts;
  for (size_t at = s->n * r->part / s->parts, some; at < end; at += some) {
    some = end - at < r->piece ? end - at : r->piece;
    ndi_sort_run(s, r->part, at, some);
  }
  return NULL;
}

/* One in four on threads, which take longer to make than to run, and emulators do not give their
 * memory back; the others backwards. */
static void run_step(const ndi_sorter *s, size_t piece) {
  pthread_t threads[MOST_PARTS];
  range ranges[MOST_PARTS];
  for (size_t i = 0; i < s->parts; i++) ranges[i] = (range){s, i, piece};
  if (below(4) > 0 || getenv("NDBUF_EMULATED")) {
    for (size_t i = s->parts; i-- > 0;) run_range(&ranges[i]);
    return;
  }
  for (size_t i = 0; i < s->parts; i++)
    if (pthread_create(&threads[i], NULL, run_range, &ranges[i]) != 0) abort();
  for (size_t i = 0; i < s->parts; i++) pthread_join(threads[i], NULL);
}

/* 'out' NULL: sorts 'x'. Scratch memory is of just the size that is asked for. */
static void sort_by_steps(size_t n, size_t parts, char *x, int64_t *out) {
  ndi_sorter s;
  size_t bytes;
  ndi_level_limit(levels[below(ND_COUNTOF(levels))]);
  if (!ndi_sort_scratch(dtype, n, parts, out != NULL, &bytes)) abort();
  char *scratch = malloc(bytes + 1);
  if (!scratch) abort();
  memset(scratch, 0xa5, bytes);
  if (below(2)) /* what may have been places in another line */
    for (size_t i = 0; i + sizeof i <= bytes; i += sizeof i)
      memcpy(scratch + i, &(size_t){below(n)}, sizeof i);
  ndi_sort_init(&s, dtype, n, parts, out != NULL, is_descending, scratch);
  ndi_sort_start(&s, x, out);
  /* insertion takes the line at once */
  const size_t piece = parts == 1 && n <= 64 ? n : 1 + below(n);
  while (ndi_sort_next(&s)) run_step(&s, piece);
  free(scratch);
}

/* {=== a plain sort ===} */

static int64_t whole(int64_t position) {
  const char *p = line + (size_t)(position - 1) * bytes_of(dtype);
  const uint64_t bits = read_bits(p, bytes_of(dtype));
  const unsigned unused = (unsigned)(64 - 8 * bytes_of(dtype));
  switch (nd_dtype_get(dtype)->kind) {
    case ND_KIND_BOOL: return bits != 0;
    case ND_KIND_INT: return (int64_t)(bits << unused) >> unused;
    default: return (int64_t)(bits ^ UINT64_C(1) << 63); /* so that it orders as signed ones */
  }
}

static int compare_reals(long double a, long double b) {
  const int up = (a > b) - (a < b);
  return is_descending ? -up : up;
}

/* By value: NaNs last, whatever their bits. */
static int compare_values(int64_t one, int64_t other) {
  const size_t bytes = bytes_of(dtype);
  if (!is_complex(dtype) && !format_of(dtype)) {
    const int64_t a = whole(one), b = whole(other);
    const int up = (a > b) - (a < b);
    return is_descending ? -up : up;
  }
  const value a = read_value(dtype, line + (size_t)(one - 1) * bytes);
  const value b = read_value(dtype, line + (size_t)(other - 1) * bytes);
  const bool has_im = is_complex(dtype);
  const int a_class = 2 * isnan(a.re) + (has_im && isnan(a.im));
  const int b_class = 2 * isnan(b.re) + (has_im && isnan(b.im));
  if (a_class != b_class) return a_class - b_class;
  const int by_real = a_class < 2 ? compare_reals(a.re, b.re) : 0;
  return by_real || !has_im ? by_real : compare_reals(a.im, b.im);
}

static int compare(const void *a, const void *b) {
  const int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
  const int by_value = compare_values(one, other);
  return by_value ? by_value : (one > other) - (one < other);
}

/* {=== lines ===} */

enum { ANY, FEW, ONE, ONE_BYTE, ONE_OTHER, IN_ORDER, KINDS };

static void fill_line(int kind, size_t n, char *x) {
  const size_t bytes = bytes_of(dtype), byte = below(bytes);
  fill_values(dtype, x, n, &rng);
  for (size_t i = 0; i < n; i++) {
    char *own = x + i * bytes;
    if (kind == FEW && i >= 3) memcpy(own, x + below(3) * bytes, bytes);
    if ((kind == ONE || kind == ONE_BYTE || kind == ONE_OTHER) && i > 0) memcpy(own, x, bytes);
    if (kind == ONE_BYTE) own[byte] = (char)below(256);
  }
  if (kind == ONE_OTHER) x[below(n) * bytes + byte] ^= 1;
}

static void check_positions(size_t n, size_t parts, const int64_t *want) {
  const size_t bytes = n * bytes_of(dtype);
  char *x = malloc(bytes);
  int64_t *got = malloc(n * sizeof *got);
  if (!x || !got) abort();
  memcpy(x, line, bytes);
  sort_by_steps(n, parts, x, got);
  CHECK(memcmp(got, want, n * sizeof *got) == 0, "argsort %s of %zu, %zu parts%s",
        nd_dtype_get(dtype)->name, n, parts, is_descending ? ", descending" : "");
  CHECK(memcmp(x, line, bytes) == 0, "argsort %s of %zu: wrote to the line",
        nd_dtype_get(dtype)->name, n);
  free(got), free(x);
}

/* Equal elements that are not the same bits, as -0 and 0, may be in another order than argsort's,
 * but in the same one for all numbers of parts. */
static void check_elements(size_t n, size_t parts, const int64_t *want, char *first) {
  const size_t item = bytes_of(dtype);
  char *x = malloc(n * item);
  if (!x) abort();
  memcpy(x, line, n * item);
  sort_by_steps(n, parts, x, NULL);
  if (parts == 1) memcpy(first, x, n * item);
  size_t at = 0;
  for (; at < n; at++) {
    char pair[2 * 16];
    const char *given = line;
    memcpy(pair, x + at * item, item);
    memcpy(pair + item, given + (size_t)(want[at] - 1) * item, item);
    line = pair;
    const bool is_same = compare_values(1, 2) == 0;
    line = given;
    if (!is_same) break;
  }
  CHECK(at == n, "sort %s of %zu, %zu parts%s: place %zu", nd_dtype_get(dtype)->name, n, parts,
        is_descending ? ", descending" : "", at);
  CHECK(memcmp(x, first, n * item) == 0, "sort %s of %zu, %zu parts: other bits",
        nd_dtype_get(dtype)->name, n, parts);
  free(x);
}

static void check_line(int kind, size_t n) {
  static const size_t parts[] = {1, 2, 3, 7, MOST_PARTS};
  char *x = malloc(n * bytes_of(dtype)), *first = malloc(n * bytes_of(dtype));
  int64_t *want = malloc(n * sizeof *want);
  if (!x || !first || !want) abort();
  fill_line(kind, n, x);
  line = x;
  for (size_t i = 0; i < n; i++) want[i] = (int64_t)i + 1;
  qsort(want, n, sizeof *want, compare);
  if (kind == IN_ORDER) {
    const size_t bytes = bytes_of(dtype);
    for (size_t i = 0; i < n; i++)
      memcpy(first + i * bytes, x + (size_t)(want[i] - 1) * bytes, bytes);
    memcpy(x, first, n * bytes);
    for (size_t i = 0; i < n; i++) want[i] = (int64_t)i + 1;
  }
  for (size_t i = 0; i < ND_COUNTOF(parts); i++) {
    if (i > 0 && below(ND_COUNTOF(parts)) >= scaled(ND_COUNTOF(parts))) continue;
    check_positions(n, parts[i], want);
    check_elements(n, parts[i], want, first);
  }
  free(want), free(first), free(x);
}

int main(void) {
  seed_from(20);
  for (int d = 0; d < ND_DTYPE_COUNT; d++) {
    dtype = (nd_dtype)d;
    group(nd_dtype_get(dtype)->name);
    const size_t longest = LEAST + scaled(LONGEST - LEAST);
    for (size_t i = 0; i < scaled(6 * KINDS * 2); i++) {
      const size_t lengths[] = {1 + below(8), 1 + below(80), 65 + below(900), 1 + below(longest)};
      is_descending = below(2);
      check_line((int)(i % KINDS), lengths[below(ND_COUNTOF(lengths))]);
    }
    for (int i = 0; i < 2; i++) {
      is_descending = i;
      check_line(ONE_OTHER, 65 + below(900));
    }
    is_descending = below(2);
    if (dtype == ND_F32 || dtype == ND_I64) check_line(ANY, 1 + scaled(65536 + below(10000)));
  }
  return finish();
}
