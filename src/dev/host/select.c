/* Order statistics of lines: bounds from a sample, a copy of what lies within, selection in that.
 */
#include "dev/host/select.h"

#include <math.h>
#include <string.h>

#include "base/size.h"

enum {
  CHUNK = 1 << 14, /* bytes of keys */
  SAMPLED = 1024,  /* elements: shorter lines are copied as a whole */
  MOST = 1 << 16,  /* elements of a sample */
  RANGES = 8,      /* for more ranks than that the line is copied as a whole */
  KEY = 16         /* bytes of the widest key */
};

/* Keys between two bounds, both included, among which some ranks lie. */
typedef struct {
  _Alignas(KEY) char lo[KEY], hi[KEY];
  size_t first, end;    /* the ranks */
  bool is_all, is_same; /* no bounds; both are equal, and nothing is copied */
} range;

typedef struct ndi_selection_part {
  size_t below[RANGES], within[RANGES], copied, nans;
} part_counts;

typedef struct {
  ndi_selection *s;
  size_t count; /* of ranges */
  range ranges[RANGES];
} search;

/* {=== scratch memory ===} */

/* Bytes of 'count' things, rounded up so that what follows is aligned; adds them to '*sum'. */
static bool add_room(size_t count, size_t bytes, size_t *sum) {
  size_t all;
  return ndi_size_mul(count, bytes, &all) && ndi_size_add(all, KEY - 1, &all) &&
         ndi_size_add(*sum, all & ~(size_t)(KEY - 1), sum);
}

static char *take_room(char **scratch, size_t count, size_t bytes) {
  size_t all = 0;
  char *const at = *scratch;
  add_room(count, bytes, &all);
  *scratch += all;
  return at;
}

bool ndi_selection_scratch(nd_dtype dtype, size_t n, size_t parts, size_t ranks, size_t *out) {
  const size_t item = nd_dtype_get(dtype)->bytes;
  size_t sum = CHUNK, keys;
  if (!ndi_size_add(n, parts, &keys) || !add_room(keys, item, &sum) ||
      !add_room(ranks, item, &sum) || !add_room(ranks, sizeof(size_t), &sum) ||
      !add_room(parts, sizeof(part_counts), &sum))
    return false;
  *out = sum;
  return true;
}

void ndi_selection_init(ndi_selection *s, nd_dtype dtype, size_t n, ndi_split shared, size_t ranks,
                        bool is_descending, char *scratch, ndi_poll *poll, size_t thread) {
  const size_t item = nd_dtype_get(dtype)->bytes;
  *s = (ndi_selection){.kernel = ndi_selector_find(dtype),
                       .order = ndi_selector_order(dtype, is_descending),
                       .dtype = dtype,
                       .n = n,
                       .item = item,
                       .shared = shared,
                       .poll = poll,
                       .thread = thread,
                       .is_short = n * item <= CHUNK && shared.parts == 1};
  s->keys = take_room(&scratch, CHUNK, 1);
  s->copied = take_room(&scratch, n + shared.parts, item);
  s->values = take_room(&scratch, ranks, item);
  s->places = (size_t *)(void *)take_room(&scratch, ranks, sizeof(size_t));
  s->parts = (part_counts *)(void *)take_room(&scratch, shared.parts, sizeof(part_counts));
}

/* {=== steps ===} */

typedef struct {
  ndi_selection *s;
  ndi_selection_step *step;
  void *context;
} walk;

static bool walk_part(void *context, size_t part, size_t parts, size_t thread) {
  const walk *w = context;
  const ndi_selection *s = w->s;
  _Alignas(64) char keys[CHUNK];
  const size_t chunk = CHUNK / s->item, end = s->n * (part + 1) / parts;
  for (size_t at = s->n * part / parts, some; at < end; at += some) {
    some = end - at < chunk ? end - at : chunk;
    s->kernel->make(some, keys, s->x + at * s->item, &s->order);
    w->step(w->context, part, at, some, keys);
    if (ndi_poll_stops(s->poll, s->thread + thread, some)) return false;
  }
  return true;
}

void ndi_selection_start(ndi_selection *s, const char *x) {
  s->x = x;
  if (s->is_short) s->kernel->make(s->n, s->keys, x, &s->order);
}

bool ndi_selection_run(ndi_selection *s, ndi_selection_step *step, void *context) {
  walk w = {s, step, context};
  if (s->is_short) {
    step(context, 0, 0, s->n, s->keys);
    return !ndi_poll_stops(s->poll, s->thread, s->n);
  }
  ndi_run_parts(s->shared, walk_part, &w);
  return !atomic_load_explicit(&s->poll->is_stopped, memory_order_relaxed);
}

/* The greatest key, or, without 'is_greatest', the least. */
static void set_end(const ndi_selection *s, bool is_greatest, char *key) {
  memset(key, is_greatest ? 0xff : 0, s->item);
  key[s->item - 1] ^= (char)0x80;
}

static void count_nans(void *context, size_t part, size_t first, size_t n, const char *keys) {
  const ndi_selection *s = context;
  _Alignas(KEY) char nan[KEY];
  size_t counts[3] = {0};
  (void)first;
  set_end(s, true, nan);
  s->kernel->tally(n, keys, 1, nan, counts);
  s->parts[part].nans += counts[1];
}

bool ndi_selection_count_nans(ndi_selection *s, size_t *out) {
  *out = 0;
  if (nd_dtype_get(s->dtype)->kind != ND_KIND_FLOAT) return true;
  for (size_t i = 0; i < s->shared.parts; i++) s->parts[i].nans = 0;
  if (!ndi_selection_run(s, count_nans, s)) return false;
  for (size_t i = 0; i < s->shared.parts; i++) *out += s->parts[i].nans;
  return true;
}

/* {=== bounds ===} */

/* One element of each of as many stretches, at a place that is drawn by its number, so that few
 * patterns of the data agree with it. The keys go to where keys are copied later. */
static void take_sample(const ndi_selection *s, size_t count) {
  const size_t step = s->n / count;
  for (size_t i = 0; i < count; i++) {
    const uint64_t random = (i + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    const size_t at = i * step + (size_t)(random * step >> 32);
    memcpy(s->copied + i * s->item, s->x + at * s->item, s->item);
  }
  s->kernel->make(count, s->copied, s->copied, &s->order);
}

/* Places in the sample between which the key of a rank lies: three deviations of the number of keys
 * in front of it to both sides. -1 and 'count' are open ends. */
static void find_bounds(const ndi_selection *s, size_t rank, size_t count, ptrdiff_t *lo,
                        ptrdiff_t *hi) {
  const double part = ((double)rank + 0.5) / (double)s->n, at = part * (double)count;
  const double apart = 3 * sqrt((double)count * part * (1 - part)) + 2;
  *lo = at - apart < 0 ? -1 : (ptrdiff_t)(at - apart);
  *hi = at + apart >= (double)count ? (ptrdiff_t)count : (ptrdiff_t)(at + apart);
}

/* Append a place, unless it is an open end or there already; places ascend but for their last. */
static size_t add_place(ptrdiff_t place, size_t count, size_t n, size_t *places) {
  if (place < 0 || place >= (ptrdiff_t)count) return n;
  size_t at = n;
  while (at > 0 && places[at - 1] > (size_t)place) at--;
  if (at > 0 && places[at - 1] == (size_t)place) return n;
  memmove(places + at + 1, places + at, (n - at) * sizeof *places);
  places[at] = (size_t)place;
  return n + 1;
}

static void set_bound(const ndi_selection *s, ptrdiff_t place, size_t count, char *key) {
  if (place < 0 || place >= (ptrdiff_t)count) set_end(s, place >= 0, key);
  else memcpy(key, s->copied + (size_t)place * s->item, s->item);
}

/* Ranges that have a bound in common become one, so that no key is copied twice. */
static void set_bounds(search *f, size_t sampled, const ptrdiff_t *lo, const ptrdiff_t *hi) {
  const ndi_selection *s = f->s;
  size_t n = 0;
  for (size_t i = 0; i < f->count; i++) {
    range r = f->ranges[i];
    set_bound(s, lo[i], sampled, r.lo);
    set_bound(s, hi[i], sampled, r.hi);
    if (n > 0 && memcmp(f->ranges[n - 1].hi, r.lo, s->item) == 0) {
      memcpy(r.lo, f->ranges[--n].lo, s->item);
      r.first = f->ranges[n].first;
    }
    r.is_same = memcmp(r.lo, r.hi, s->item) == 0;
    f->ranges[n++] = r;
  }
  f->count = n;
}

static void sample_ranges(search *f, size_t count, const size_t *ranks, size_t sampled) {
  const ndi_selection *s = f->s;
  ptrdiff_t lo[RANGES], hi[RANGES];
  size_t places[2 * RANGES], n = 0;
  f->count = 0;
  take_sample(s, sampled);
  for (size_t i = 0; i < count; i++) {
    ptrdiff_t own_lo, own_hi;
    find_bounds(s, ranks[i], sampled, &own_lo, &own_hi);
    if (f->count > 0 && own_lo <= hi[f->count - 1]) { /* both in one range */
      if (own_hi > hi[f->count - 1]) hi[f->count - 1] = own_hi;
      f->ranges[f->count - 1].end = i + 1;
      continue;
    }
    lo[f->count] = own_lo, hi[f->count] = own_hi;
    f->ranges[f->count++] = (range){.first = i, .end = i + 1};
  }
  for (size_t i = 0; i < f->count; i++) {
    n = add_place(lo[i], sampled, n, places);
    n = add_place(hi[i], sampled, n, places);
  }
  s->kernel->select(sampled, s->copied, n, places);
  set_bounds(f, sampled, lo, hi);
}

/* {=== copying ===} */

/* Where a part copies keys to: with room for one more than its own, as 'narrow' needs it. */
static char *copies_of(const ndi_selection *s, size_t part) {
  return s->copied + (s->n * part / s->shared.parts + part) * s->item;
}

static void copy_keys(void *context, size_t part, size_t first, size_t n, const char *keys) {
  const search *f = context;
  const ndi_selection *s = f->s;
  part_counts *p = &s->parts[part];
  char *to = copies_of(s, part);
  (void)first;
  for (size_t i = 0; i < f->count; i++) {
    const range *r = &f->ranges[i];
    char *out = to + p->copied * s->item;
    size_t counts[3] = {0};
    if (r->is_all) memcpy(out, keys, n * s->item);
    else s->kernel->tally(n, keys, 1, r->lo, counts);
    p->below[i] += counts[0];
    if (r->is_same) p->within[i] += counts[1];
    if (r->is_same) continue;
    const size_t some = r->is_all ? n : s->kernel->narrow(n, out, keys, r->lo, r->hi);
    p->within[i] += some, p->copied += some;
  }
}

/* Make what the parts copied one array. Returns the number of keys. */
static size_t join_copies(const ndi_selection *s) {
  size_t sum = 0;
  for (size_t i = 0; i < s->shared.parts; i++) {
    memmove(s->copied + sum * s->item, copies_of(s, i), s->parts[i].copied * s->item);
    sum += s->parts[i].copied;
  }
  return sum;
}

/* Find where the keys of the ranks are among the copied ones. False where one is not. */
static bool find_places(const search *f, const size_t *ranks) {
  const ndi_selection *s = f->s;
  size_t before = 0; /* copied keys of the ranges before */
  for (size_t i = 0; i < f->count; i++) {
    const range *r = &f->ranges[i];
    size_t below = 0, within = 0;
    for (size_t part = 0; part < s->shared.parts; part++)
      below += s->parts[part].below[i], within += s->parts[part].within[i];
    for (size_t k = r->first; k < r->end; k++) {
      if (ranks[k] < below || ranks[k] - below >= within) return false;
      s->places[k] = r->is_same ? SIZE_MAX : ranks[k] - below + before;
    }
    before += r->is_same ? 0 : within;
  }
  return true;
}

/* The keys of the ranks from what was copied. Ranks of ranges with a single key have no place. */
static void read_values(const search *f, size_t count, size_t copied) {
  const ndi_selection *s = f->s;
  size_t wanted[RANGES], n = 0;
  const size_t *places = s->places;
  if (f->count > 1 || f->ranges[0].is_same) { /* few ranks: leave out those without a place */
    for (size_t i = 0; i < count; i++)
      if (s->places[i] != SIZE_MAX) wanted[n++] = s->places[i];
    places = wanted;
  } else n = count;
  if (n > 0) s->kernel->select(copied, s->copied, n, places);
  for (size_t i = 0; i < f->count; i++)
    for (size_t k = f->ranges[i].first; k < f->ranges[i].end; k++)
      memcpy(s->values + k * s->item,
             f->ranges[i].is_same ? f->ranges[i].lo : s->copied + s->places[k] * s->item, s->item);
}

/* More for longer lines: what the sample costs is as much as what it saves. */
static size_t sample_of(size_t n) {
  const double count = cbrt(0.25 * (double)n * (double)n);
  return count < (double)MOST ? (size_t)count : MOST;
}

/* In a copy of all keys of a short line. */
static bool find_directly(ndi_selection *s, size_t count, const size_t *ranks) {
  memcpy(s->copied, s->keys, s->n * s->item);
  s->kernel->select(s->n, s->copied, count, ranks);
  for (size_t i = 0; i < count; i++)
    memcpy(s->values + i * s->item, s->copied + ranks[i] * s->item, s->item);
  return !ndi_poll_stops(s->poll, s->thread, s->n);
}

bool ndi_selection_find(ndi_selection *s, size_t count, const size_t *ranks) {
  const bool is_sampled = s->n >= SAMPLED && count <= RANGES;
  if (s->is_short && !is_sampled) return find_directly(s, count, ranks);
  const range all = {.end = count, .is_all = true};
  search f;
  f.s = s, f.count = 1, f.ranges[0] = all; /* the others are not read */
  if (is_sampled) sample_ranges(&f, count, ranks, sample_of(s->n));
  for (;;) {
    memset(s->parts, 0, s->shared.parts * sizeof *s->parts);
    if (!ndi_selection_run(s, copy_keys, &f)) return false;
    if (find_places(&f, ranks)) break;
    f.count = 1, f.ranges[0] = all; /* the sample misled */
  }
  read_values(&f, count, join_copies(s));
  return true;
}
