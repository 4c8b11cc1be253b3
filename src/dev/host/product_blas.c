/* Products of large matrices by a library of linear algebra: each part is a call for some rows and
 * columns of the result, or for whole matrices. */
#include "dev/host/blas.h"
#include "dev/host/product.h"

/* An operand as the library takes it: columns of it packed, or rows, with a distance between. */
typedef struct {
  int form, apart;
} operand;

enum {
  MANY = 4,       /* matrices of a thread */
  UNIT = 16,      /* rows or columns of a part */
  MOST = 1 << 16, /* parts of a matrix */
};
static const double WORTHWHILE = 1 << 21; /* multiplications of a part, at least */
static const double LARGE = 1 << 29;      /* of a part: two of them for a thread of several */
static const double LONGEST = 0x1p33;     /* of a part, at most: between two polls */

typedef struct {
  ndi_product *product;
  const ndi_blas *blas;
  operand a, b;
  size_t rows, cols; /* parts of a matrix */
} calls;

/* Can rows of 'len' elements that are 'step' bytes apart be passed, of 'count' rows? */
static bool fits(size_t count, size_t len, ptrdiff_t step, size_t item, int *apart) {
  const ptrdiff_t distance = count == 1 ? (ptrdiff_t)len : step / (ptrdiff_t)item;
  *apart = (int)distance;
  return (count == 1 || step % (ptrdiff_t)item == 0) && distance >= (ptrdiff_t)len &&
         distance <= INT32_MAX;
}

static bool find_form(const ndi_matrix *x, size_t rows, size_t cols, size_t item, operand *out) {
  const ptrdiff_t unit = (ptrdiff_t)item;
  out->form = NDI_BLAS_AS_IT_IS;
  if ((cols == 1 || x->col == unit) && fits(rows, cols, x->row, item, &out->apart)) return true;
  out->form = NDI_BLAS_TRANSPOSED;
  return (rows == 1 || x->row == unit) && fits(cols, rows, x->col, item, &out->apart);
}

static bool is_aligned(const ndi_product *p) {
  const size_t align = nd_dtype_get(p->dtype)->align;
  uintptr_t bits = (uintptr_t)p->a.at | (uintptr_t)p->b.at | (uintptr_t)p->c;
  for (int i = 0; i < p->ndim; i++) bits |= (uintptr_t)p->a_step[i] | (uintptr_t)p->b_step[i];
  return bits % align == 0;
}

static bool can(const ndi_product *p, calls *out) {
  const size_t most = INT32_MAX;
  const nd_kind kind = nd_dtype_get(p->dtype)->kind;
  return (kind == ND_KIND_FLOAT || kind == ND_KIND_COMPLEX) && p->m <= most && p->n <= most &&
         p->k <= most && is_aligned(p) && find_form(&p->a, p->m, p->k, p->item, &out->a) &&
         find_form(&p->b, p->k, p->n, p->item, &out->b);
}

/* The product of m x k elements at a, and k x n at b. */
static void call(const calls *w, int m, int n, const char *a, const char *b, char *c) {
  const ndi_blas_functions *f = &w->blas->call;
  const int ta = w->a.form, tb = w->b.form, lda = w->a.apart, ldb = w->b.apart;
  const int k = (int)w->product->k, ldc = (int)w->product->n, order = NDI_BLAS_ROWS;
  const float one[] = {1, 0}, none[] = {0, 0};
  const double wide_one[] = {1, 0}, wide_none[] = {0, 0};
  const void *x = a, *y = b;
  void *z = c;
  if (w->product->dtype == ND_F32) f->sgemm(order, ta, tb, m, n, k, 1, x, lda, y, ldb, 0, z, ldc);
  else if (w->product->dtype == ND_F64)
    f->dgemm(order, ta, tb, m, n, k, 1, x, lda, y, ldb, 0, z, ldc);
  else if (w->product->dtype == ND_C64)
    f->cgemm(order, ta, tb, m, n, k, one, x, lda, y, ldb, none, z, ldc);
  else f->zgemm(order, ta, tb, m, n, k, wide_one, x, lda, y, ldb, wide_none, z, ldc);
}

/* The border before part 'part' of 'n' rows or columns. */
static size_t border(size_t n, size_t part, size_t parts) {
  return part == parts ? n : n * part / parts / UNIT * UNIT;
}

static bool call_part(void *context, size_t part, size_t parts, size_t thread) {
  calls *w = context;
  ndi_product *p = w->product;
  const size_t each = w->rows * w->cols, all = p->count * each;
  for (size_t at = all * part / parts; at < all * (part + 1) / parts; at++) {
    const size_t row = at % each / w->cols, col = at % w->cols;
    const size_t i = border(p->m, row, w->rows), j = border(p->n, col, w->cols);
    const size_t m = border(p->m, row + 1, w->rows) - i, n = border(p->n, col + 1, w->cols) - j;
    ndi_matrix a, b;
    char *c = ndi_product_at(p, at / each, &a, &b) + (i * p->n + j) * p->item;
    if (m == 0 || n == 0) continue;
    call(w, (int)m, (int)n, ndi_matrix_at(&a, i, 0), ndi_matrix_at(&b, 0, j), c);
    if (ndi_product_stops(p, thread, (double)(m * n) * (double)p->k)) return false;
  }
  return true;
}

/* Cut a matrix into 'parts' parts that are as square as may be: both operands are packed for each
 * part, the left one once for each column of parts. */
static void cut(calls *w, size_t parts) {
  const double m = (double)w->product->m, n = (double)w->product->n;
  double least = m + n * (double)parts + 1;
  for (size_t rows = 1; rows <= parts; rows++) {
    const size_t cols = parts / rows;
    const double packed = m / (double)rows + n / (double)cols;
    if (parts % rows > 0 || packed >= least) continue;
    least = packed;
    w->rows = rows, w->cols = cols;
  }
}

/* How many parts a matrix is cut into, for 'threads' threads. */
static size_t parts_of(const ndi_product *p, size_t threads) {
  const double work = ndi_product_work(p, 1);
  double parts = (double)threads;
  if (p->count >= MANY * threads) parts = 1;
  if (work / parts < WORTHWHILE) parts = work < WORTHWHILE ? 1 : work / WORTHWHILE;
  else if (threads > 1 && work / parts > LARGE) parts *= 2;
  if (work / parts > LONGEST) parts = work / LONGEST + 1;
  return parts < MOST ? (size_t)parts : MOST;
}

nd_status ndi_product_blas(ndi_product *p, bool *done) {
  calls w = {.product = p, .rows = 1, .cols = 1};
  if (!can(p, &w)) return ND_OK;
  w.blas = ndi_blas_find(NULL);
  if (!w.blas || !w.blas->multiplies || !ndi_blas_enter(w.blas)) return ND_OK;
  ndi_split split = ndi_product_split(ndi_product_work(p, p->count), 0);
  if (!w.blas->is_shared) split = (ndi_split){1, 1};
  cut(&w, parts_of(p, split.threads));
  const size_t parts = p->count * w.rows * w.cols;
  if (split.parts > parts || p->count < MANY * split.threads) split.parts = parts;
  if (split.threads > split.parts) split.threads = split.parts;
  ndi_run_parts(split, call_part, &w);
  ndi_blas_leave(w.blas);
  *done = true;
  return p->poll.status;
}
