/* Products of a matrix and a vector on the host, of which the product of two vectors is one: each
 * element is the sum of products along a line of the matrix (kern/dot.h). Such work waits for
 * memory, so that no library is faster.
 *
 * Where neighbouring lines are packed side by side, the sums of many are taken at once. */
#include "base/size.h"
#include "dev/host/product.h"
#include "kern/dot.h"

enum { LINES = NDI_DOT_WIDTH };

/* Groups of lines, and chunks of these, are cut into parts. */
typedef struct {
  ndi_product *product;
  const ndi_dot *kernel;
  bool is_left; /* the matrix is a; else b, whose columns are the lines */
  bool by_columns;
  size_t lines, groups; /* of a matrix */
  size_t chunks;        /* of a line */
  ndi_dot_sum *sums;    /* of each chunk of each line, where there are several */
} vectors;

/* A matrix by lines: address, bytes from one line to the next, and from one element to the next. */
typedef struct {
  const char *at;
  ptrdiff_t line, step;
} lines;

/* The lines of the matrix, and the vector, of product 'at'. */
static char *find_lines(const vectors *v, size_t at, lines *x, ndi_line *y) {
  ndi_matrix a, b;
  char *c = ndi_product_at(v->product, at, &a, &b);
  if (v->is_left) *x = (lines){a.at, a.row, a.col}, *y = (ndi_line){b.at, b.row};
  else *x = (lines){b.at, b.col, b.row}, *y = (ndi_line){a.at, a.col};
  return c;
}

/* The sums of a chunk of each line of a group. */
static void sum_group(const vectors *v, const lines *x, ndi_line y, size_t first, size_t n,
                      size_t width, ndi_dot_sum *out) {
  y.at += (ptrdiff_t)first * y.step;
  ndi_line line = {x->at + (ptrdiff_t)first * x->step, x->step};
  if (v->by_columns) v->kernel->columns(n, width, out, y, line);
  else if (!v->product->conjugates) v->kernel->lines(n, width, out, line, x->line, y);
  else
    for (size_t i = 0; i < width; i++, line.at += x->line)
      v->kernel->line(n, &out[i], v->is_left ? line : y, v->is_left ? y : line, true);
}

/* Part of the work: one chunk of one group of lines. */
static void run_one(const vectors *v, size_t at) {
  const ndi_product *p = v->product;
  const size_t chunk = at % v->chunks, group = at / v->chunks % v->groups;
  const size_t product = at / v->chunks / v->groups;
  const size_t first = group * LINES, width = v->lines - first < LINES ? v->lines - first : LINES;
  const size_t begin = chunk * NDI_DOT_CHUNK, left = p->k - begin;
  ndi_dot_sum sums[LINES];
  lines x;
  ndi_line y;
  char *c = find_lines(v, product, &x, &y) + first * p->item;
  x.at += (ptrdiff_t)first * x.line;
  sum_group(v, &x, y, begin, left < NDI_DOT_CHUNK ? left : NDI_DOT_CHUNK, width, sums);
  ndi_dot_sum *kept = v->sums + (product * v->lines + first) * v->chunks + chunk;
  for (size_t i = 0; i < width; i++, c += p->item)
    if (v->chunks > 1) kept[i * v->chunks] = sums[i];
    else v->kernel->store(c, &sums[i]);
}

static bool run_part(void *context, size_t part, size_t parts, size_t thread) {
  vectors *v = context;
  ndi_product *p = v->product;
  const size_t all = p->count * v->groups * v->chunks;
  const size_t each = (v->lines < LINES ? v->lines : LINES) *
                      (p->k < NDI_DOT_CHUNK ? p->k : NDI_DOT_CHUNK);
  for (size_t at = all * part / parts; at < all * (part + 1) / parts; at++) {
    run_one(v, at);
    if (ndi_poll_stops(&p->poll, thread, each)) return false;
  }
  return true;
}

/* Add up the chunks of each line. */
static void join_chunks(const vectors *v) {
  const ndi_product *p = v->product;
  for (size_t i = 0; i < p->count * v->lines; i++) {
    v->kernel->join(v->chunks, v->sums + i * v->chunks);
    v->kernel->store(p->c + i * p->item, v->sums + i * v->chunks);
  }
}

nd_status ndi_product_vectors(ndi_product *p) {
  vectors v = {.product = p,
               .kernel = ndi_dot_find(p->dtype),
               .is_left = p->n == 1,
               .lines = p->n == 1 ? p->m : p->n,
               .chunks = (p->k - 1) / NDI_DOT_CHUNK + 1};
  const ptrdiff_t item = (ptrdiff_t)p->item;
  const ndi_matrix *x = v.is_left ? &p->a : &p->b;
  const ptrdiff_t line = v.is_left ? x->row : x->col, step = v.is_left ? x->col : x->row;
  nd_block block;
  v.groups = (v.lines - 1) / LINES + 1;
  v.by_columns = v.lines > 1 && line == item && step != item && !p->conjugates;
  const double bytes = ndi_product_work(p, p->count) * (double)p->item;
  const ndi_split split = ndi_product_split(2 * bytes, p->count * v.groups * v.chunks);
  if (v.chunks == 1) return ndi_run_parts(split, run_part, &v), p->poll.status;
  size_t room;
  if (!ndi_size_mul(p->count * v.lines, v.chunks * sizeof *v.sums, &room))
    return nd_fail(p->poll.err, ND_OVERFLOW, "a product needs more scratch memory than there is");
  ND_TRY(ndi_host_scratch(room, &block, p->poll.err));
  v.sums = block.host;
  ndi_run_parts(split, run_part, &v);
  if (p->poll.status == ND_OK) join_chunks(&v);
  ndi_host_unscratch(&block);
  return p->poll.status;
}
