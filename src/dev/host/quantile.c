/* Medians and quantiles on the host: which elements of a sorted line, and how they are mixed, are
 * the definitions of Hyndman and Fan (Sample Quantiles in Statistical Packages, 1996) and four
 * simpler ones, as in NumPy. All is computed in f64, and rounded once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "dev/host/select.h"
#include "kern/cast.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* the same bits on processors that could fuse a product and a sum */
#endif

/* One that is asked for, and its place in 'q'. */
typedef struct {
  double q;
  size_t at;
} asked;

/* The value at 'before', with 'weight' of that at 'after'. Places in a sorted line, then in a list
 * of ranks. */
typedef struct {
  size_t before, after;
  double weight;
} mixture;

/* What is read of a line of some length. */
typedef struct {
  size_t count, *ranks;
  mixture *mixtures; /* of each that is asked for */
} reading;

typedef struct {
  const nd_task *task;
  nd_dtype dtype, result;
  size_t n, lines, item, result_item;
  size_t count; /* of what is asked for, ascending */
  asked *asked;
  reading whole; /* of a line without NaN */
  ndi_split shared;
  const char *x;
  char *out;
  ndi_cast_kernel *to_f64, *from_f64;
  char *scratch;
  size_t each, of_selection; /* bytes of a thread; of them for the selection */
  ndi_poll poll;
} plan;

/* {=== which elements ===} */

/* Between the elements at floor(index) and behind it, of n; outside of them, the first or last. */
static mixture at_index(double index, double weight, size_t n) {
  mixture m = {.weight = 0};
  if (index >= (double)(n - 1)) m.before = n - 1;
  else if (index > 0) m.before = (size_t)index;
  m.after = m.before;
  if (index < 0 || index >= (double)(n - 1) || weight == 0) return m;
  m.after++;
  if (weight == 1) m.before = m.after;
  else m.weight = weight;
  return m;
}

static mixture at_whole(double index, size_t n) { return at_index(index, 0, n); }

/* Those whose index depends on q alone, by two parameters. */
static mixture at_position(double q, size_t n, double alpha, double beta) {
  const double index = (double)n * q + (alpha + q * (1 - alpha - beta)) - 1;
  return at_index(index, index - floor(index), n);
}

/* The element at the index, or, where it has a fraction, one of its neighbours. */
static mixture at_step(nd_quantile_method method, double q, size_t n) {
  const bool is_closest = method == ND_QUANTILE_CLOSEST_OBSERVATION;
  const double index = (double)n * q - 1 - (is_closest ? 0.5 : 0), low = floor(index);
  const bool is_whole = index == low;
  if (method == ND_QUANTILE_AVERAGED_INVERTED_CDF) return at_index(index, is_whole ? 0.5 : 1, n);
  /* halfway between two, it is the one whose position, from 1, is even */
  const bool is_odd = fmod(low, 2) != 0;
  return at_whole(is_whole && (!is_closest || is_odd) ? low : low + 1, n);
}

static mixture find_mixture(nd_quantile_method method, double q, size_t n) {
  const double index = (double)(n - 1) * q, low = floor(index), high = ceil(index);
  switch (method) {
    case ND_QUANTILE_LINEAR: return at_index(index, index - low, n);
    case ND_QUANTILE_LOWER: return at_whole(low, n);
    case ND_QUANTILE_HIGHER: return at_whole(high, n);
    case ND_QUANTILE_NEAREST: return at_whole(nearbyint(index), n);
    case ND_QUANTILE_MIDPOINT: return at_index(low, low == high ? 0 : 0.5, n);
    case ND_QUANTILE_INVERTED_CDF:
    case ND_QUANTILE_AVERAGED_INVERTED_CDF:
    case ND_QUANTILE_CLOSEST_OBSERVATION: return at_step(method, q, n);
    case ND_QUANTILE_INTERPOLATED_INVERTED_CDF: return at_position(q, n, 0, 1);
    case ND_QUANTILE_HAZEN: return at_position(q, n, 0.5, 0.5);
    case ND_QUANTILE_WEIBULL: return at_position(q, n, 0, 0);
    case ND_QUANTILE_MEDIAN_UNBIASED: return at_position(q, n, 1 / 3.0, 1 / 3.0);
    case ND_QUANTILE_NORMAL_UNBIASED: return at_position(q, n, 3 / 8.0, 3 / 8.0);
  }
  return at_whole(low, n);
}

static mixture median_of(size_t n) {
  const mixture m = {.before = (n - 1) / 2, .after = n / 2, .weight = n % 2 ? 0 : 0.5};
  return m;
}

/* The position of 'rank' in the list, which is appended to it if need be. As mixtures ascend, it is
 * one of the last two. */
static size_t add_rank(reading *r, size_t rank) {
  size_t at = r->count;
  while (at > 0 && r->ranks[at - 1] > rank) at--;
  if (at > 0 && r->ranks[at - 1] == rank) return at - 1;
  r->ranks[r->count] = rank;
  return r->count++;
}

static void find_reading(const plan *p, size_t n, reading *r) {
  r->count = 0;
  for (size_t i = 0; i < p->count; i++) {
    mixture *m = &r->mixtures[i];
    *m = p->task->op == ND_OP_MEDIAN ? median_of(n)
                                     : find_mixture(p->task->quantile.method, p->asked[i].q, n);
    m->before = add_rank(r, m->before);
    m->after = m->weight == 0 ? m->before : add_rank(r, m->after);
  }
}

/* {=== lines ===} */

typedef struct {
  ndi_selection selection;
  plan *p;
  reading own;     /* of a line with NaN */
  char *elements;  /* of the ranks */
  double *numbers; /* the same as f64 */
} work;

/* The mean of two numbers that may be infinite, or too large to be added. */
static double middle(double a, double b) {
  const double sum = a + b;
  return isfinite(sum) ? sum / 2 : a / 2 + b / 2;
}

/* From whichever is nearer, so that the result ascends with the weight. */
static double between(double a, double b, double weight) {
  const double apart = b - a;
  if (!isfinite(apart)) return a * (1 - weight) + b * weight;
  return weight < 0.5 ? a + apart * weight : b - apart * (1 - weight);
}

static void write_result(const plan *p, size_t line, size_t which, double value) {
  char *out = p->out + (p->asked[which].at * p->lines + line) * p->result_item;
  p->from_f64(1, out, (ptrdiff_t)p->result_item, (const char *)&value, sizeof value);
}

static void write_results(const work *w, size_t line, const reading *r) {
  const plan *p = w->p;
  const ndi_selection *s = &w->selection;
  s->kernel->unmake(r->count, w->elements, s->values, &s->order);
  p->to_f64(r->count, (char *)w->numbers, sizeof *w->numbers, w->elements, (ptrdiff_t)p->item);
  for (size_t i = 0; i < p->count; i++) {
    const mixture *m = &r->mixtures[i];
    const double a = w->numbers[m->before], b = w->numbers[m->after];
    const bool is_median = p->task->op == ND_OP_MEDIAN;
    write_result(p, line, i,
                 m->weight == 0 ? a
                 : is_median    ? middle(a, b)
                                : between(a, b, m->weight));
  }
}

static bool run_line(work *w, size_t line) {
  plan *p = w->p;
  size_t nans;
  ndi_selection_start(&w->selection, p->x + line * p->n * p->item);
  if (!ndi_selection_count_nans(&w->selection, &nans)) return false;
  if (nans == p->n || (nans > 0 && !p->task->quantile.skips_nan)) {
    for (size_t i = 0; i < p->count; i++) write_result(p, line, i, NAN);
    return true;
  }
  if (nans > 0) find_reading(p, p->n - nans, &w->own);
  const reading *r = nans > 0 ? &w->own : &p->whole;
  if (!ndi_selection_find(&w->selection, r->count, r->ranks)) return false;
  write_results(w, line, r);
  return true;
}

/* Each has two ranks at most. */
static char *lay_reading(char *at, size_t count, reading *out) {
  out->mixtures = (mixture *)(void *)at;
  out->ranks = (size_t *)(void *)(at + count * sizeof(mixture));
  return (char *)(out->ranks + 2 * count);
}

enum { BYTES_OF_READING = sizeof(mixture) + 2 * sizeof(size_t) };

static bool run_lines(void *context, size_t part, size_t parts, size_t thread) {
  plan *p = context;
  work w = {.p = p};
  char *scratch = p->scratch + thread * p->each;
  ndi_selection_init(&w.selection, p->dtype, p->n, p->shared, 2 * p->count, false, scratch,
                     &p->poll, thread);
  w.numbers = (double *)(void *)lay_reading(scratch + p->of_selection, p->count, &w.own);
  w.elements = (char *)(w.numbers + 2 * p->count);
  for (size_t i = p->lines * part / parts; i < p->lines * (part + 1) / parts; i++)
    if (!run_line(&w, i)) return false;
  return true;
}

/* {=== the plan ===} */

static int compare(const void *a, const void *b) {
  const asked *x = a, *y = b;
  return (x->q > y->q) - (x->q < y->q);
}

static void read_asked(plan *p, char *const *bases) {
  const nd_view *q = p->task->views[2];
  for (size_t i = 0; i < p->count; i++) {
    p->asked[i] = (asked){.at = i};
    if (p->task->op == ND_OP_MEDIAN) continue;
    memcpy(&p->asked[i].q, bases[2] + q->offset + i * sizeof(double), sizeof(double));
  }
  qsort(p->asked, p->count, sizeof *p->asked, compare);
}

static nd_status run_plan(plan *p, const nd_view *src, const char *name, nd_error *err) {
  ndi_split across;
  size_t room;
  ndi_lines_split((uint64_t)nd_view_nbytes(src), p->lines, &across, &p->shared);
  const size_t bytes = BYTES_OF_READING + 2 * (sizeof(double) + p->item);
  const bool fits = ndi_selection_scratch(p->dtype, p->n, p->shared.parts, 2 * p->count,
                                          &p->of_selection) &&
                    ndi_size_mul(p->count, bytes, &room) &&
                    ndi_size_add(room, p->of_selection, &p->each);
  if (!fits) p->each = SIZE_MAX;
  ND_TRY(ndi_lines_run(name, p->n, across, run_lines, p, &p->each, &p->scratch, err));
  return p->poll.status;
}

nd_status ndi_host_quantile(const nd_task *task, char *const *bases, nd_error *err) {
  const nd_view *out = task->views[0], *src = task->views[1];
  plan p = {.task = task,
            .dtype = (nd_dtype)src->dtype,
            .result = (nd_dtype)out->dtype,
            .item = nd_view_itemsize(src),
            .result_item = nd_view_itemsize(out),
            .n = src->axis[src->ndim - 1].len,
            .count = task->op == ND_OP_MEDIAN ? 1 : task->views[2]->size,
            .x = bases[1] + src->offset,
            .out = bases[0] + out->offset,
            .poll = {.err = err}};
  nd_block block;
  size_t bytes;
  p.lines = src->size / p.n;
  p.to_f64 = ndi_cast_find(ND_F64, p.dtype, ND_SATURATE);
  p.from_f64 = ndi_cast_find(p.result, ND_F64, ND_SATURATE);
  if (!ndi_size_mul(p.count, sizeof(asked) + BYTES_OF_READING, &bytes))
    return nd_fail(err, ND_OVERFLOW, "%zu quantiles need more memory than there is", p.count);
  ND_TRY(ndi_host_scratch(bytes, &block, err));
  p.asked = block.host;
  lay_reading((char *)(p.asked + p.count), p.count, &p.whole);
  read_asked(&p, bases);
  find_reading(&p, p.n, &p.whole);
  const nd_status status = run_plan(&p, src, nd_op_get(task->op)->name, err);
  ndi_host_unscratch(&block);
  return status;
}
