/* Products of large matrices by our own kernels: both operands are packed block by block, so that
 * the right one stays in the last cache, and one of the left operand in the second (Goto and van de
 * Geijn, Anatomy of High-Performance Matrix Multiplication, 2008).
 *
 * Few matrices are multiplied one after the other, the blocks of one shared by the threads; of many
 * each thread multiplies whole ones. */
#include "dev/host/product.h"

enum {
  ROWS = 96,      /* of a block of the left operand: a multiple of every kernel's */
  COLS = 512,     /* of the right operand, that a part multiplies it with */
  PANEL = 4096,   /* columns of the right operand that are packed at a time */
  ALIGN = 64,     /* bytes, of what is packed */
  MANY = 4,       /* matrices of a thread */
  LARGE = 1 << 21 /* multiplications of a matrix that is shared */
};

/* What is multiplied at the moment: rows and columns from (row, col) on of one product, and a piece
 * of the common axis. */
typedef struct {
  ndi_matrix a, b; /* from the piece of the common axis on; b from 'col' on */
  char *c;         /* from 'col' on */
  size_t depth, cols;
  bool adds; /* it is not the first piece */
} piece;

typedef struct {
  ndi_product *product;
  const ndi_gemm *kernel;
  size_t row_blocks, col_blocks; /* of a piece */
  size_t left_bytes, right_bytes;
  char *left, *right; /* packed: one for each thread; one for all, or for each */
  piece piece;        /* that is shared */
} blocks;

static size_t least(size_t a, size_t b) { return a < b ? a : b; }
static size_t round_up(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

/* Multiply 'rows' rows from number 'row' on by 'cols' packed columns from number 'col' on. */
static void multiply(const blocks *w, const piece *x, size_t row, size_t col, size_t rows,
                     size_t cols, char *left, const char *right) {
  const ndi_product *p = w->product;
  const ptrdiff_t c_row = (ptrdiff_t)(p->n * p->item);
  const ndi_matrix a = {ndi_matrix_at(&x->a, row, 0), x->a.row, x->a.col};
  w->kernel->pack_rows(rows, x->depth, left, &a);
  w->kernel->block(rows, cols, x->depth, left, right + col * x->depth * w->kernel->item,
                   x->c + (ptrdiff_t)row * c_row + col * p->item, c_row, x->adds);
}

static piece piece_at(const blocks *w, size_t product, size_t depth, size_t col) {
  const ndi_product *p = w->product;
  piece x = {.depth = least(p->k - depth, NDI_GEMM_DEPTH),
             .cols = least(p->n - col, PANEL),
             .adds = depth > 0};
  x.c = ndi_product_at(p, product, &x.a, &x.b) + col * p->item;
  x.a.at = ndi_matrix_at(&x.a, 0, depth);
  x.b.at = ndi_matrix_at(&x.b, depth, col);
  return x;
}

/* {=== one matrix, by all threads ===} */

static bool pack_part(void *context, size_t part, size_t parts, size_t thread) {
  blocks *w = context;
  const piece *x = &w->piece;
  const size_t panels = round_up(x->cols, w->kernel->cols) / w->kernel->cols;
  const size_t first = panels * part / parts * w->kernel->cols;
  const size_t end = least(panels * (part + 1) / parts * w->kernel->cols, x->cols);
  const ndi_matrix b = {ndi_matrix_at(&x->b, 0, first), x->b.row, x->b.col};
  (void)thread;
  if (end > first)
    w->kernel->pack_cols(end - first, x->depth, w->right + first * x->depth * w->kernel->item, &b);
  return true;
}

static bool multiply_part(void *context, size_t part, size_t parts, size_t thread) {
  blocks *w = context;
  const piece *x = &w->piece;
  const size_t row = part / w->col_blocks * ROWS, col = part % w->col_blocks * COLS;
  const size_t rows = least(w->product->m - row, ROWS), cols = least(x->cols - col, COLS);
  (void)parts;
  multiply(w, x, row, col, rows, cols, w->left + thread * w->left_bytes, w->right);
  return !ndi_product_stops(w->product, thread, (double)(rows * cols) * (double)x->depth);
}

static void run_shared(blocks *w, size_t threads) {
  ndi_product *p = w->product;
  for (size_t at = 0; at < p->count; at++)
    for (size_t col = 0; col < p->n; col += PANEL)
      for (size_t depth = 0; depth < p->k; depth += NDI_GEMM_DEPTH) {
        w->piece = piece_at(w, at, depth, col);
        w->col_blocks = (w->piece.cols - 1) / COLS + 1;
        const size_t parts = w->row_blocks * w->col_blocks;
        ndi_run_parts(ndi_split_of(w->piece.cols * w->piece.depth * p->item, 0), pack_part, w);
        ndi_run_parts((ndi_split){parts, least(threads, parts)}, multiply_part, w);
        if (p->poll.status != ND_OK) return;
      }
}

/* {=== a matrix for each thread ===} */

static bool multiply_piece(const blocks *w, const piece *x, size_t thread) {
  ndi_product *p = w->product;
  char *left = w->left + thread * w->left_bytes, *right = w->right + thread * w->right_bytes;
  w->kernel->pack_cols(x->cols, x->depth, right, &x->b);
  for (size_t row = 0; row < p->m; row += ROWS) {
    const size_t rows = least(p->m - row, ROWS);
    multiply(w, x, row, 0, rows, x->cols, left, right);
    if (ndi_product_stops(p, thread, (double)(rows * x->cols) * (double)x->depth)) return false;
  }
  return true;
}

static bool matrices_part(void *context, size_t part, size_t parts, size_t thread) {
  const blocks *w = context;
  const ndi_product *p = w->product;
  for (size_t at = p->count * part / parts; at < p->count * (part + 1) / parts; at++)
    for (size_t col = 0; col < p->n; col += PANEL)
      for (size_t depth = 0; depth < p->k; depth += NDI_GEMM_DEPTH) {
        const piece x = piece_at(w, at, depth, col);
        if (!multiply_piece(w, &x, thread)) return false;
      }
  return true;
}

/* {=== any ===} */

nd_status ndi_product_blocks(ndi_product *p) {
  blocks w = {.product = p, .kernel = ndi_gemm_find(p->dtype), .row_blocks = (p->m - 1) / ROWS + 1};
  const ndi_split split = ndi_product_split(ndi_product_work(p, p->count), 0);
  const bool is_shared = ndi_product_work(p, 1) > LARGE && p->count < MANY * split.threads;
  const size_t depth = least(p->k, NDI_GEMM_DEPTH);
  const size_t cols = round_up(least(p->n, PANEL), w.kernel->cols);
  nd_block block;
  w.left_bytes = round_up(ROWS * depth * w.kernel->item, ALIGN);
  w.right_bytes = round_up(cols * depth * w.kernel->item, ALIGN);
  const size_t rights = is_shared ? 1 : split.threads;
  ND_TRY(
      ndi_host_scratch(split.threads * w.left_bytes + rights * w.right_bytes, &block, p->poll.err));
  w.left = block.host;
  w.right = w.left + split.threads * w.left_bytes;
  if (is_shared) run_shared(&w, split.threads);
  else
    ndi_run_parts((ndi_split){least(split.parts, p->count), least(split.threads, p->count)},
                  matrices_part, &w);
  ndi_host_unscratch(&block);
  return p->poll.status;
}
