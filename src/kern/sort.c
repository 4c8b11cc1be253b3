/* Sorting, as a machine of steps (START … BACK), so that threads can meet between them.
 *
 * Real dtypes: elements are mapped to unsigned keys of the same order (MAKE, which also counts all
 * digits), the keys are distributed byte by byte from the lowest on (COUNT, DEAL), skipping bytes
 * that are the same in all keys, and mapped back (FINISH). Each part deals to places that follow
 * those of the parts before it, so equal keys keep their order. Short lines: insertion sort
 * (INSERT). Complex numbers: positions are merge-sorted (NUMBER, MERGE), and elements picked by
 * them (PICK, BACK). Both sorts are stable, as argsort has to be, and give every part of a line the
 * same amount of work whatever the elements are.
 *
 * Elements of 4 and 8 bytes: a quicksort by vectors, where there is one (kern/quick.h). It sorts a
 * line at once (AT_ONCE), or makes keys, splits them in some rounds, and sorts the pieces (KEYS,
 * SPLIT, PIECES). It works in place, and does no more for several parts than for one. */
#include "kern/sort.h"

#include <math.h>
#include <string.h>

#include "base/size.h"
#include "kern/cast.h"
#include "kern/quick.h"
#include "kern/words.h"

enum {
  SMALL = 64,     /* elements: lines up to this long are sorted by insertion */
  STRIP = 128,    /* keys between prefetches */
  NEAR = 2048,    /* keys of a batch that stays in the L1 cache between two loops */
  LONG = 1 << 21, /* elements: longer lines are split for one thread as well, to be interruptible */
  MOST = 256      /* pieces that a line is split into */
};
enum { START, INSERT, MAKE, COUNT, DEAL, FINISH, NUMBER, MERGE, PICK, BACK };
enum { AT_ONCE = BACK + 1, KEYS, SPLIT, PIECES };

/* A step on 'n' elements from 'first' on, which belong to part 'part'. */
typedef void step(const ndi_sorter *s, size_t part, size_t first, size_t n);

ndi_sort_order ndi_sort_order_of(nd_dtype dtype, bool is_stable, bool is_descending) {
  const nd_dtype_traits *t = nd_dtype_get(dtype);
  ndi_sort_order o = {.is_bool = t->kind == ND_KIND_BOOL,
                      .is_float = t->kind == ND_KIND_FLOAT,
                      .is_stable = is_stable,
                      .last = UINT64_MAX,
                      .is_descending = is_descending};
  if (t->kind == ND_KIND_INT || o.is_float) o.sign = UINT64_C(1) << (8 * t->bytes - 1);
  if (o.is_float) { /* the bits of -infinity, or of the least value where there is no infinity */
    const double least = -INFINITY;
    o.last = 0;
    ndi_cast_find(dtype, ND_F64, ND_SATURATE)(1, (char *)&o.last, 8, (const char *)&least, 8);
  }
  return o;
}

/* Prefetch 'bytes' bytes from 2 KiB after 'at' on, for writing. Never faults. */
static inline void fetch_ahead(size_t bytes, const void *at) {
  for (size_t i = 0; i < bytes; i += 64) ND_FETCH_TO_WRITE(at, 2048 + i);
}

static bool is_small(size_t n, size_t parts) { return n <= SMALL && parts == 1; }

/* The 256 counts of a part for byte 'pass' of the keys. */
static size_t *counts_of(const ndi_sorter *s, size_t part, size_t pass) {
  return s->counts + ((part * s->item + pass) << 8);
}

/* The positions first + 1 … first + n, in order. */
static void number(size_t n, int64_t *index, size_t first) {
  for (size_t i = 0; i < n; i++) index[i] = (int64_t)(first + i) + 1;
}

#define U WORD
#define BODY_REAL "kern/sort.inc" /* complex numbers are merge-sorted */
#include "kern/made/each_item.h"

/* {=== the steps of the radix sort ===} */

/* Do any two keys differ in this byte? If not, one digit has all n of them, and the byte needs no
 * pass. */
static bool is_dealt_by(const ndi_sorter *s, size_t pass) {
  size_t sum = 0;
  for (size_t digit = 0; digit < 256 && sum == 0; digit++)
    for (size_t part = 0; part < s->parts; part++) sum += counts_of(s, part, pass)[digit];
  return sum < s->n;
}

/* Replace a count by the position where its keys begin; returns the next free one. */
static size_t to_position(size_t *count, size_t position) {
  const size_t own = *count;
  *count = position;
  return position + own;
}

/* Exclusive prefix sum over digits, and within a digit over parts: so equal keys keep their
 * order. */
static void to_positions(const ndi_sorter *s) {
  size_t *const counts = counts_of(s, 0, s->pass);
  const size_t parts = s->parts, apart = s->item << 8;
  size_t position = 0;
  for (size_t digit = 0; digit < 256; digit++) {
    position = to_position(counts + digit, position);
    for (size_t part = 1; part < parts; part++)
      position = to_position(counts + part * apart + digit, position);
  }
}

static void clear_counts(const ndi_sorter *s) {
  for (size_t part = 0; part < s->parts; part++)
    memset(counts_of(s, part, s->pass), 0, 256 * sizeof *s->counts);
}

/* Swap source and destination. The source is NULL before the first pass, so the other buffer is
 * told by 'out'. */
static void swap_index(ndi_sorter *s) {
  s->index[0] = s->index[1];
  s->index[1] = s->index[0] == s->out ? s->others : s->out;
}

/* All histograms are known after MAKE: find the bytes that need a pass. The destination of the
 * first pass is chosen so that the last one writes to 'out'. */
static void plan_passes(ndi_sorter *s) {
  s->passes = 0;
  s->index[0] = NULL, s->index[1] = s->others;
  for (size_t pass = 0; pass < s->item; pass++) {
    if (!is_dealt_by(s, pass)) continue;
    s->passes |= 1u << pass;
    s->index[1] = s->index[1] == s->out ? s->others : s->out;
  }
}

/* The step after s->step, and the preparations for it, which one thread makes. */
static int next_of_radix(ndi_sorter *s) {
  bool is_counted = true;
  switch (s->step) {
    case START:
      if (is_small(s->n, s->parts)) return INSERT;
      memset(s->counts, 0, (s->parts * s->item << 8) * sizeof *s->counts);
      return MAKE;
    case MAKE: plan_passes(s); break;
    case COUNT: to_positions(s); return DEAL;
    case DEAL: {
      char *const keys = s->keys[0];
      s->keys[0] = s->keys[1], s->keys[1] = keys;
      swap_index(s);
      /* with several parts, keys have moved between parts, so histograms of parts are outdated */
      is_counted = s->parts == 1;
      break;
    }
    default: return START; /* the line is done */
  }
  if (s->passes == 0) return FINISH;
  /* the lowest byte that is left */
  s->pass = (size_t)__builtin_ctz(s->passes);
  s->passes &= s->passes - 1;
  if (is_counted) to_positions(s);
  else clear_counts(s);
  return is_counted ? DEAL : COUNT;
}

/* {=== the steps of the merge sort, for complex numbers ===} */

/* The element at a 1-based position. */
static wide_complex get_complex(const ndi_sorter *s, int64_t position) {
  return s->dtype == ND_C64 ? get_c64(s->x + (position - 1) * 8)
                            : get_c128(s->x + (position - 1) * 16);
}

/* The class of NaNs decides first: none, imaginary part, real part, both. */
static bool is_before(const ndi_sorter *s, int64_t one, int64_t other) {
  const wide_complex a = get_complex(s, one), b = get_complex(s, other);
  const int a_class = 2 * isnan(a.re) + isnan(a.im), b_class = 2 * isnan(b.re) + isnan(b.im);
  if (a_class != b_class) return a_class < b_class;
  const bool by_real = a_class < 2 && a.re != b.re;
  const double x = by_real ? a.re : a.im, y = by_real ? b.re : b.im;
  return s->order.is_descending ? x > y : x < y;
}

/* Of the first 'k' elements of two merged runs, how many come from the first run? Found by
 * bisection, so that parts can begin anywhere in a merge. */
static size_t count_of_first(const ndi_sorter *s, const int64_t *from, size_t half, size_t both,
                             size_t k) {
  /* not more than either run has; then 0 < b <= both - half while least < most */
  size_t least = k > both - half ? k - (both - half) : 0, most = k < half ? k : half;
  while (least < most) {
    const size_t a = least + (most - least) / 2, b = k - a;
    if (is_before(s, from[half + b - 1], from[a])) most = a;
    else least = a + 1;
  }
  return least;
}

/* Write places first … end - 1 of two merged runs. */
static void merge_runs(const ndi_sorter *s, const int64_t *from, size_t half, size_t both,
                       size_t first, size_t end, int64_t *to) {
  size_t a = count_of_first(s, from, half, both, first), b = half + first - a;
  for (size_t i = first; i < end; i++) {
    /* of equal elements the first run's goes first: stable */
    const bool takes_b = a == half || (b < both && is_before(s, from[b], from[a]));
    to[i] = takes_b ? from[b++] : from[a++];
  }
}

/* Write places first … end - 1 of the line; the range may begin and end within a pair of runs. */
static void run_merge(const ndi_sorter *s, size_t part, size_t first, size_t n) {
  const size_t end = first + n, twice = 2 * s->run;
  (void)part;
  for (size_t i = first - first % twice; i < end; i += twice) {
    const size_t both = s->n - i < twice ? s->n - i : twice, half = both < s->run ? both : s->run;
    merge_runs(s, s->index[0] + i, half, both, i < first ? first - i : 0,
               end - i < both ? end - i : both, s->index[1] + i);
  }
}

static void run_number(const ndi_sorter *s, size_t part, size_t first, size_t n) {
  (void)part;
  number(n, s->index[0] + first, first);
}

static void run_pick(const ndi_sorter *s, size_t part, size_t first, size_t n) {
  (void)part;
  for (size_t i = first; i < first + n; i++)
    memcpy(s->keys[1] + i * s->item, s->x + (size_t)(s->index[0][i] - 1) * s->item, s->item);
}

/* The result may not be picked into 'x' directly, as that is where it is picked from. */
static void run_back(const ndi_sorter *s, size_t part, size_t first, size_t n) {
  (void)part;
  memcpy(s->x + first * s->item, s->keys[1] + first * s->item, n * s->item);
}

static int next_of_merge(ndi_sorter *s) {
  switch (s->step) {
    case START: /* begin such that the last merge writes to 'out' */
      s->index[0] = s->out, s->index[1] = s->others;
      for (size_t run = 1; run < s->n; run *= 2) swap_index(s);
      return NUMBER;
    case NUMBER: s->run = 1; break;
    case MERGE:
      swap_index(s);
      s->run *= 2;
      break;
    case PICK: return BACK;
    default: return START;
  }
  return s->run < s->n ? MERGE : s->is_argsort ? START : PICK;
}

/* {=== the steps of quicksort ===} */

static void run_at_once(const ndi_sorter *s, size_t part, size_t first, size_t n) {
  (void)part, (void)n;
  if (first == 0) s->quick->sort(s->n, s->x, &s->order);
}

static void run_keys(const ndi_sorter *s, size_t part, size_t first, size_t n) {
  (void)part;
  s->quick->make(n, s->x + first * s->item, &s->order);
}

/* Of the pieces that begin in a range. */
static void run_split(const ndi_sorter *s, size_t part, size_t first, size_t n) {
  (void)part;
  for (size_t i = 0; i < MOST; i += s->apart) {
    const size_t begin = s->cuts[i], end = s->cuts[i + s->apart];
    if (begin >= first && begin - first < n)
      s->cuts[i + s->apart / 2] = begin + s->quick->split(end - begin, s->x + begin * s->item);
  }
}

static void run_pieces(const ndi_sorter *s, size_t part, size_t first, size_t n) {
  (void)part;
  for (size_t i = 0; i < MOST; i += s->apart) {
    const size_t begin = s->cuts[i], end = s->cuts[i + s->apart];
    if (begin >= first && begin - first < n)
      s->quick->finish(end - begin, s->x + begin * s->item, &s->order);
  }
}

/* Half as many pieces as parts, so that hardly ever two begin in the same part; more where they
 * would be long. */
static bool are_enough(const ndi_sorter *s) {
  const size_t pieces = MOST / s->apart;
  return pieces == MOST || (2 * pieces >= s->parts && s->n / pieces <= LONG);
}

static bool is_at_once(size_t n, size_t parts) { return n <= LONG && parts == 1; }

static int next_of_quick(ndi_sorter *s) {
  switch (s->step) {
    case START:
      if (is_at_once(s->n, s->parts)) return AT_ONCE;
      /* a piece that begins at n is in no part's range: so the cut in it is there from the start */
      s->cuts[0] = 0;
      for (size_t i = 1; i <= MOST; i++) s->cuts[i] = s->n;
      s->apart = MOST;
      return KEYS;
    case SPLIT: s->apart /= 2; break;
    case KEYS: break;
    default: return START;
  }
  return are_enough(s) ? PIECES : SPLIT;
}

/* {=== interface ===} */

static size_t bytes_of_counts(nd_dtype dtype, size_t n, size_t parts) {
  const nd_dtype_traits *t = nd_dtype_get(dtype);
  const bool are_none = is_small(n, parts) || t->kind == ND_KIND_COMPLEX;
  return are_none ? 0 : (parts * t->bytes << 8) * sizeof(size_t);
}

/* NULL: by radix or merge sort. */
static const ndi_quick *quick_for(nd_dtype dtype, bool is_argsort) {
  const nd_dtype_traits *t = nd_dtype_get(dtype);
  return is_argsort || t->kind == ND_KIND_COMPLEX ? NULL : ndi_quick_find(t->bytes);
}

/* Layout of the scratch memory: for quicksort the cuts; else histograms, then per element: for
 * sorting a key, or (complex) two positions and a copy of the element; for argsort a position and
 * two keys, or (complex) a position. */
bool ndi_sort_scratch(nd_dtype dtype, size_t n, size_t parts, bool is_argsort, size_t *out) {
  const nd_dtype_traits *t = nd_dtype_get(dtype);
  const bool is_complex = t->kind == ND_KIND_COMPLEX;
  *out = is_at_once(n, parts) ? 0 : (MOST + 1) * sizeof(size_t);
  if (quick_for(dtype, is_argsort)) return true;
  const size_t each = !is_argsort  ? is_complex ? 16u + t->bytes : t->bytes
                      : is_complex ? 8u
                                   : 8u + 2u * t->bytes;
  return ndi_size_mul(n, each, out) && ndi_size_add(*out, bytes_of_counts(dtype, n, parts), out);
}

void ndi_sort_init(ndi_sorter *s, nd_dtype dtype, size_t n, size_t parts, bool is_argsort,
                   bool is_descending, char *scratch) {
  const nd_dtype_traits *t = nd_dtype_get(dtype);
  *s = (ndi_sorter){.dtype = dtype,
                    .item = t->bytes,
                    .n = n,
                    .parts = parts,
                    .is_argsort = is_argsort,
                    .is_complex = t->kind == ND_KIND_COMPLEX,
                    .quick = quick_for(dtype, is_argsort),
                    .order = ndi_sort_order_of(dtype, is_argsort, is_descending)};
  if (s->quick) s->order.flip = UINT64_C(1) << (8 * t->bytes - 1);
  s->cuts = s->counts = (size_t *)(void *)scratch;
  s->others = (int64_t *)(void *)(scratch + bytes_of_counts(dtype, n, parts));
  s->room = (char *)(is_argsort || s->is_complex ? s->others + n : s->others);
}

void ndi_sort_start(ndi_sorter *s, char *x, int64_t *out) {
  s->step = START;
  s->x = x, s->out = out;
  s->keys[0] = x, s->keys[1] = s->room;
  if (s->is_argsort) s->keys[0] = s->room, s->keys[1] = s->room + s->n * s->item;
  else if (s->is_complex) s->out = (int64_t *)(void *)s->room, s->keys[1] = (char *)(s->out + s->n);
}

bool ndi_sort_next(ndi_sorter *s) {
  s->step = s->quick ? next_of_quick(s) : s->is_complex ? next_of_merge(s) : next_of_radix(s);
  return s->step != START;
}

void ndi_sort_run(const ndi_sorter *s, size_t part, size_t first, size_t n) {
#define ND_ROW(item)                  \
  [item] = {[INSERT] = insert_##item, \
            [MAKE] = make_##item,     \
            [COUNT] = count_##item,   \
            [DEAL] = deal_##item,     \
            [FINISH] = finish_##item},
  static step *const by_radix[][FINISH + 1] = {ND_REAL_ITEMS(ND_ROW)};
#undef ND_ROW
  static step *const others[] = {
      [NUMBER] = run_number,   [MERGE] = run_merge, [PICK] = run_pick,   [BACK] = run_back,
      [AT_ONCE] = run_at_once, [KEYS] = run_keys,   [SPLIT] = run_split, [PIECES] = run_pieces};
  step *const run = s->step >= NUMBER ? others[s->step] : by_radix[s->item][s->step];
  run(s, part, first, n);
}
