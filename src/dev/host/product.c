/* Products of matrices on the host: small ones, and who computes the others. */
#include <string.h>

#include "dev/host/product.h"

enum { STRIP = 1024 /* rows or columns of a small product in a part, at most */ };

/* {=== the plan ===} */

/* Add an axis of matrices, outer ones first; axes that have one step in both operands are one. */
static void add_axis(ndi_product *p, size_t len, ptrdiff_t a_step, ptrdiff_t b_step) {
  const int last = p->ndim - 1;
  if (len == 1) return;
  if (last >= 0 && p->a_step[last] == (ptrdiff_t)len * a_step &&
      p->b_step[last] == (ptrdiff_t)len * b_step) {
    p->len[last] *= len, p->a_step[last] = a_step, p->b_step[last] = b_step;
    return;
  }
  p->len[p->ndim] = len;
  p->a_step[p->ndim] = a_step;
  p->b_step[p->ndim++] = b_step;
}

static ndi_matrix matrix_of(const nd_view *v, char *base) {
  const nd_axis *last = &v->axis[v->ndim - 2];
  return (ndi_matrix){ndi_host_at(base, v->offset), last[0].step, last[1].step};
}

/* Matrices of a that lie below one another, and are multiplied by the same b, are one. */
static void join_rows(ndi_product *p) {
  if (p->ndim != 1 || p->b_step[0] != 0) return;
  if (p->m == 1) p->a.row = p->a_step[0];
  else if (p->a_step[0] != (ptrdiff_t)p->m * p->a.row) return;
  p->m *= p->len[0];
  p->count = 1, p->ndim = 0;
}

static void plan(ndi_product *p, const nd_task *task, char *const *bases) {
  const nd_view *c = task->views[0], *a = task->views[1], *b = task->views[2];
  const int axes = c->ndim - 2;
  p->m = c->axis[axes].len, p->n = c->axis[axes + 1].len;
  p->k = a->axis[axes + 1].len;
  p->a = matrix_of(a, bases[1]), p->b = matrix_of(b, bases[2]);
  p->c = bases[0] + c->offset;
  p->count = 1;
  for (int i = 0; i < axes; i++) {
    p->count *= c->axis[i].len;
    add_axis(p, c->axis[i].len, a->axis[i].step, b->axis[i].step);
  }
  join_rows(p);
}

/* {=== small products ===} */

/* Matrices are cut along their longer side into strips, of which parts take whole ones. */
typedef struct {
  ndi_product *product;
  const ndi_gemm *kernel;
  size_t strips;
  bool by_rows;
} direct;

/* Of small results that follow one another, those to come. The processor sees by itself what is
 * read. */
static void fetch_ahead(const ndi_product *p, const ndi_product_walk *walk) {
  enum { MOST = 1024 };
  const size_t bytes = p->m * p->n * p->item;
  if (p->count > 1 && bytes <= MOST) ndi_fetch_to_write(walk->c, bytes);
}

/* Strip number 'strip' of a product. */
static void run_strip(const direct *d, size_t strip, const ndi_product_walk *walk) {
  const ndi_product *p = d->product;
  const size_t side = d->by_rows ? p->m : p->n, first = strip * STRIP;
  const size_t some = side - first < STRIP ? side - first : STRIP;
  const ptrdiff_t c_row = (ptrdiff_t)(p->n * p->item);
  ndi_matrix of = d->by_rows ? walk->a : walk->b;
  if (d->by_rows) {
    of.at = ndi_matrix_at(&of, first, 0);
    d->kernel->direct(some, p->n, p->k, &of, &walk->b, walk->c + (ptrdiff_t)first * c_row, c_row);
  } else {
    of.at = ndi_matrix_at(&of, 0, first);
    d->kernel->direct(p->m, some, p->k, &walk->a, &of, walk->c + first * p->item, c_row);
  }
}

static bool run_strips(void *context, size_t part, size_t parts, size_t thread) {
  enum { BETWEEN = 64 }; /* matrices between two polls: one is nothing beside a poll */
  direct *d = context;
  ndi_product *p = d->product;
  const size_t all = p->count * d->strips, end = all * (part + 1) / parts;
  const double work = ndi_product_work(p, 1) / (double)d->strips + BETWEEN;
  const ptrdiff_t c_row = (ptrdiff_t)(p->n * p->item);
  ndi_product_walk walk;
  size_t at = all * part / parts, strip = at % d->strips;
  for (ndi_product_seek(p, at / d->strips, &walk); at < end; at++) {
    fetch_ahead(p, &walk);
    if (d->strips == 1) d->kernel->direct(p->m, p->n, p->k, &walk.a, &walk.b, walk.c, c_row);
    else run_strip(d, strip, &walk);
    if (++strip == d->strips) strip = 0, ndi_product_next(p, &walk);
    if (at % BETWEEN == 0 && ndi_product_stops(p, thread, work * BETWEEN)) return false;
  }
  return true;
}

static nd_status run_small(ndi_product *p) {
  direct d = {.product = p, .kernel = ndi_gemm_find(p->dtype), .by_rows = p->m >= p->n};
  d.strips = ((d.by_rows ? p->m : p->n) - 1) / STRIP + 1;
  /* operands and results are moved, too */
  const double moved = (double)(p->m * p->k + p->k * p->n + p->m * p->n) * (double)p->item;
  const double work = ndi_product_work(p, p->count) + 2 * moved * (double)p->count;
  ndi_run_parts(ndi_product_split(work, p->count * d.strips), run_strips, &d);
  return p->poll.status;
}

nd_status ndi_host_product(const nd_task *task, char *const *bases, nd_error *err) {
  const nd_view *out = task->views[0];
  ndi_product p = {.dtype = (nd_dtype)out->dtype,
                   .item = nd_view_itemsize(out),
                   .conjugates = task->conjugates,
                   .poll = {.err = err}};
  bool done = false;
  if (out->size == 0) return ND_OK; /* a storage without bytes has no address */
  plan(&p, task, bases);
  if (p.k == 0) return memset(p.c, 0, nd_view_nbytes(out)), ND_OK; /* sums of nothing */
  if (p.m == 1 || p.n == 1) return ndi_product_vectors(&p);
  if (ndi_product_is_small(p.m, p.n, p.k)) return run_small(&p);
  const nd_status status = ndi_product_blas(&p, &done);
  return status != ND_OK || done ? status : ndi_product_blocks(&p);
}
