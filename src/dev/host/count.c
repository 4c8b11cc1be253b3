/* Searching in sorted arrays and counting, on the host. ops/count.c has made all views packed.
 *
 * Counts are integers, so each thread adds to a table of its own, whatever its elements, and the
 * tables are added up. Sums of weights are rounded, so there each block of elements has a table:
 * the blocks depend on the sizes alone, and the tables are added up in their order. */
#include <stdatomic.h>
#include <string.h>

#include "base/size.h"
#include "dev/host/host.h"
#include "dev/threads.h"
#include "kern/count.h"
#include "kern/search.h"

/* Places that are found before they are counted: few, so that they stay in the first cache. */
enum { PLACES = 1024 };

/* {=== places in a sorted array ===} */

typedef struct {
  const nd_task *task;
  size_t n, count, item;
  int64_t *out;
  const char *x, *sorted;
  ndi_search_kernel *kernel;
  ndi_poll poll;
} search;

static bool search_part(void *context, size_t part, size_t parts, size_t thread) {
  search *s = context;
  enum { SOME = NDI_BETWEEN_POLLS / 16 }; /* a search takes longer than other loops */
  const size_t end = s->n * (part + 1) / parts;
  for (size_t at = s->n * part / parts, some; at < end; at += some) {
    some = end - at < SOME ? end - at : SOME;
    s->kernel(some, s->out + at, s->x + at * s->item, s->count, s->sorted, s->task->is_right);
    if (ndi_poll_stops(&s->poll, thread, some * 16)) return false;
  }
  return true;
}

static nd_status run_search(const nd_task *task, char *const *bases, nd_error *err) {
  const nd_view *out = task->views[0], *x = task->views[1], *sorted = task->views[2];
  search s = {.task = task,
              .n = x->size,
              .count = sorted->size,
              .item = nd_view_itemsize(x),
              .out = (int64_t *)(void *)(bases[0] + out->offset),
              .x = bases[1] + x->offset,
              .sorted = ndi_host_at(bases[2], sorted->offset),
              .kernel = ndi_search_find((nd_dtype)x->dtype),
              .poll = {.err = err}};
  enum { DEAR = 4 }; /* a search costs as much as to move so many elements */
  ndi_run_parts(ndi_split_of((uint64_t)nd_view_nbytes(out) * DEAR, 0), search_part, &s);
  return s.poll.status;
}

/* {=== counting ===} */

typedef struct {
  const nd_task *task;
  nd_dtype dtype;
  size_t n, bins, item, tables;
  const char *x, *edges, *weights; /* NULL: there are none */
  char *counts, *others;           /* table 0, and the tables after it */
  ndi_offset_kernel *offset;       /* these three: whichever the task needs, else NULL */
  ndi_bin_kernel *bin;
  ndi_search_kernel *search;
  atomic_size_t counted;
  ndi_poll poll;
} plan;

static char *table_of(const plan *p, size_t table) {
  return table == 0 ? p->counts : p->others + (table - 1) * p->bins * sizeof(int64_t);
}

/* Bins with edges of their own: the last edge that is not greater than the value, but that the last
 * bin includes its upper edge. */
static void find_bins(const plan *p, size_t n, uint64_t *out, const char *x) {
  int64_t at[PLACES];
  p->search(n, at, x, p->bins + 1, p->edges, true);
  for (size_t i = 0; i < n; i++) {
    out[i] = (uint64_t)at[i] - 2;
    if (out[i] != p->bins) continue;
    int64_t place; /* is the value the last edge, or beyond it? */
    p->search(1, &place, x + i * p->item, p->bins + 1, p->edges, false);
    if ((size_t)place <= p->bins + 1) out[i]--;
  }
}

/* Integers of 64 bits are places already, but for their base. */
static bool are_places(const plan *p, const char *x) {
  return p->offset && p->item == sizeof(uint64_t) && (uintptr_t)x % _Alignof(uint64_t) == 0;
}

/* Returns how many fell into a bin. */
static size_t count_some(const plan *p, size_t first, size_t n, char *table) {
  uint64_t found[PLACES];
  const char *x = p->x + first * p->item;
  const bool are = are_places(p, x);
  const uint64_t *at = are ? (const uint64_t *)(const void *)x : found;
  const uint64_t base = are ? (uint64_t)p->task->base : 0;
  if (p->offset && !are) p->offset(n, found, x, p->task->base);
  else if (p->bin) p->bin(n, found, x, p->bins, p->edges);
  else if (p->search) find_bins(p, n, found, x);
  if (!p->weights) return ndi_count_places(n, at, base, p->bins, (int64_t *)(void *)table);
  return ndi_add_weights(n, at, base, p->bins, (double *)(void *)table,
                         p->weights + first * sizeof(double));
}

static bool count_part(void *context, size_t part, size_t parts, size_t thread) {
  plan *p = context;
  char *table = table_of(p, p->weights ? part : thread);
  const size_t end = p->n * (part + 1) / parts;
  size_t counted = 0;
  for (size_t at = p->n * part / parts, some; at < end; at += some) {
    some = end - at < PLACES ? end - at : PLACES;
    counted += count_some(p, at, some, table);
    if (ndi_poll_stops(&p->poll, thread, some)) return false;
  }
  p->counted += counted;
  return true;
}

/* Add the other tables to the first, for a share of the bins. */
static bool add_part(void *context, size_t part, size_t parts, size_t thread) {
  plan *p = context;
  const size_t first = p->bins * part / parts, end = p->bins * (part + 1) / parts;
  for (size_t t = 1; t < p->tables; t++) {
    const char *from = table_of(p, t);
    if (p->weights)
      for (size_t i = first; i < end; i++)
        ((double *)(void *)p->counts)[i] += ((const double *)(const void *)from)[i];
    else
      for (size_t i = first; i < end; i++)
        ((int64_t *)(void *)p->counts)[i] += ((const int64_t *)(const void *)from)[i];
    if (ndi_poll_stops(&p->poll, thread, end - first)) return false;
  }
  return true;
}

/* How the elements are cut, and how many tables that takes: those besides the first together have
 * no more entries than there are elements. */
static ndi_split split_of(plan *p) {
  enum { BLOCK = 1 << 16, MOST = 64, BINS = 4 };
  const size_t bytes = p->item + (p->weights ? sizeof(double) : 0);
  ndi_split split = ndi_split_of((uint64_t)p->n * bytes, 0);
  if (p->weights) {
    const size_t block = p->bins < BLOCK / BINS ? BLOCK : p->bins * BINS;
    split.parts = p->n / block < 1 ? 1 : p->n / block > MOST ? MOST : p->n / block;
    if (split.threads > split.parts) split.threads = split.parts;
    p->tables = split.parts;
    return split;
  }
  if (split.threads > 1 + p->n / (p->bins + 1)) split.threads = 1 + p->n / (p->bins + 1);
  p->tables = split.threads;
  return split;
}

static nd_status run_plan(plan *p, nd_error *err) {
  const ndi_split split = split_of(p);
  const size_t table = p->bins * sizeof(int64_t); /* as a double has */
  nd_block block;
  size_t bytes;
  memset(p->counts, 0, table);
  if (p->n == 0) return ND_OK;
  if (!ndi_size_mul(table, p->tables - 1, &bytes))
    return nd_fail(err, ND_OVERFLOW, "%s: %zu bins need more memory than there is",
                   nd_op_get(p->task->op)->name, p->bins);
  if (bytes > 0) ND_TRY(ndi_host_scratch(bytes, &block, err));
  if (bytes > 0) p->others = memset(block.host, 0, bytes);
  ndi_run_parts(split, count_part, p);
  if (bytes > 0 && p->poll.status == ND_OK)
    ndi_run_parts(ndi_split_of((uint64_t)bytes, 0), add_part, p);
  if (bytes > 0) ndi_host_unscratch(&block);
  return p->poll.status;
}

static nd_status run_count(const nd_task *task, char *const *bases, nd_error *err) {
  const bool is_bincount = task->op == ND_OP_BINCOUNT;
  const nd_view *out = task->views[0], *x = task->views[1];
  const int weights = is_bincount ? 2 : 3;
  plan p = {.task = task,
            .dtype = (nd_dtype)x->dtype,
            .n = x->size,
            .bins = out->size,
            .item = nd_view_itemsize(x),
            .x = ndi_host_at(bases[1], x->offset),
            .counts = bases[0] + out->offset,
            .poll = {.err = err}};
  if (!is_bincount) p.edges = bases[2] + task->views[2]->offset;
  if (task->count > weights) p.weights = ndi_host_at(bases[weights], task->views[weights]->offset);
  if (is_bincount) p.offset = ndi_offset_find(p.dtype);
  else if (task->is_uniform) p.bin = ndi_bin_find(p.dtype);
  else p.search = ndi_search_find(p.dtype);
  ND_TRY(run_plan(&p, err));
  if (!is_bincount || p.counted == p.n) return ND_OK;
  return nd_fail(err, ND_INDEX_OUT_OF_RANGE, "bincount: a value is below the first, %lld",
                 (long long)task->base);
}

nd_status ndi_host_count(const nd_task *task, char *const *bases, nd_error *err) {
  /* a storage without bytes has no address */
  if (task->views[0]->size == 0) return ND_OK;
  return task->op == ND_OP_SEARCHSORTED ? run_search(task, bases, err)
                                        : run_count(task, bases, err);
}
