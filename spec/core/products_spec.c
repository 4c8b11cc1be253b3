/* Kernels of products, at every level of the processor and on operands of any steps: each element
 * has the bits of a plain loop over the products in the order that kern/gemm.h and kern/dot.h say.
 * And who may call a library of linear algebra, beside a fork. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dev/host/blas.h"
#include "kern/dot.h"
#include "kern/gemm.h"

#include "arrays.h"
#include "levels.h"

enum { SIDE = 90, EDGE = 16 };

static const nd_dtype dtypes[] = {ND_BOOL, ND_I8,  ND_U8,  ND_I16, ND_U16, ND_I32, ND_U32,
                                  ND_I64,  ND_U64, ND_F32, ND_F64, ND_C64, ND_C128};
static nd_dtype dtype; /* what is tried */
static size_t item;

/* {=== operands ===} */

/* Rows and columns at any distances, in memory of just their size. */
typedef struct {
  char *memory;
  ndi_matrix view;
} operand;

static void write_random(char *p) {
  const bool is_float = nd_dtype_get(dtype)->kind >= ND_KIND_FLOAT;
  const size_t part = is_complex(dtype) ? item / 2 : item;
  for (size_t at = 0; at < item; at += is_float ? part : 1) {
    const double x = ((double)next_random(&rng) / 0x1p64 - 0.5) * (below(5) ? 1 : 1e3);
    const float narrow = (float)x;
    if (!is_float) p[at] = (char)(dtype == ND_BOOL ? below(3) : below(256));
    else if (part == sizeof x) memcpy(p + at, &x, sizeof x);
    else memcpy(p + at, &narrow, sizeof narrow);
  }
}

static operand make(size_t rows, size_t cols) {
  const bool by_columns = below(2), gaps = below(2);
  const size_t unit = item * (gaps ? 1 + below(2) : 1), inner = by_columns ? rows : cols;
  const size_t outer = unit * inner + (gaps ? below(9) : 0);
  const size_t bytes = outer * ((by_columns ? cols : rows) - 1) + unit * (inner - 1) + item;
  operand x = {.memory = malloc(bytes)};
  if (!x.memory) abort();
  memset(x.memory, 0x5a, bytes);
  x.view = (ndi_matrix){x.memory, (ptrdiff_t)(by_columns ? unit : outer),
                        (ptrdiff_t)(by_columns ? outer : unit)};
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < cols; j++)
      write_random(x.memory + (ptrdiff_t)i * x.view.row + (ptrdiff_t)j * x.view.col);
  return x;
}

/* {=== plain loops ===} */

typedef struct {
  volatile double re, im; /* so that nothing is fused */
} sum;

static sum as_sum(const char *p) {
  const value v = read_value(dtype, p);
  return (sum){(double)v.re, (double)v.im};
}

/* Rounded to the dtype's parts. */
static double rounded(double x) {
  const volatile float narrow = (float)x;
  return dtype == ND_F32 || dtype == ND_C64 ? (double)narrow : x;
}

static void add_product(sum *s, sum x, sum y) {
  s->re = rounded(s->re + rounded(x.re * y.re));
  s->im = rounded(s->im + rounded(x.re * y.im));
  s->re = rounded(s->re - rounded(x.im * y.im));
  s->im = rounded(s->im + rounded(x.im * y.re));
}

static uint64_t plain_whole(const ndi_matrix *a, const ndi_matrix *b, size_t i, size_t j,
                            size_t k) {
  uint64_t total = 0;
  for (size_t p = 0; p < k; p++) {
    const uint64_t x = read_bits(a->at + (ptrdiff_t)i * a->row + (ptrdiff_t)p * a->col, item);
    const uint64_t y = read_bits(b->at + (ptrdiff_t)p * b->row + (ptrdiff_t)j * b->col, item);
    total = dtype == ND_BOOL ? total | (x && y) : total + x * y;
  }
  return total;
}

/* The element (i, j) of a product: its sum in pieces of NDI_GEMM_DEPTH. */
static void plain(const ndi_matrix *a, const ndi_matrix *b, size_t i, size_t j, size_t k,
                  char *out) {
  sum whole = {0, 0};
  if (nd_dtype_get(dtype)->kind < ND_KIND_FLOAT) {
    write_bits(out, item, plain_whole(a, b, i, j, k));
    return;
  }
  for (size_t first = 0; first < k; first += NDI_GEMM_DEPTH) {
    sum piece = {0, 0};
    for (size_t p = first; p < k && p < first + NDI_GEMM_DEPTH; p++)
      add_product(&piece, as_sum(a->at + (ptrdiff_t)i * a->row + (ptrdiff_t)p * a->col),
                  as_sum(b->at + (ptrdiff_t)p * b->row + (ptrdiff_t)j * b->col));
    whole.re = first ? rounded(whole.re + piece.re) : piece.re;
    whole.im = first ? rounded(whole.im + piece.im) : piece.im;
  }
  const double parts[] = {whole.re, whole.im};
  const size_t bytes = is_complex(dtype) ? item / 2 : item;
  for (size_t part = 0; part * bytes < item; part++)
    write_bits(out + part * bytes, bytes, model_encode(format_of(dtype), (long double)parts[part]));
}

/* {=== kernels ===} */

/* The product of 'a' and 'b' by packed blocks. 'c' has a gap behind each row. */
static void multiply_packed(const ndi_gemm *g, const operand *a, const operand *b, size_t m,
                            size_t n, size_t k, char *c, ptrdiff_t c_row) {
  const size_t rows = (m + g->rows - 1) / g->rows * g->rows;
  const size_t cols = (n + g->cols - 1) / g->cols * g->cols;
  for (size_t first = 0; first < k; first += NDI_GEMM_DEPTH) {
    const size_t depth = k - first < NDI_GEMM_DEPTH ? k - first : NDI_GEMM_DEPTH;
    const size_t left_bytes = (rows * depth * g->item + 63) / 64 * 64;
    const size_t right_bytes = (cols * depth * g->item + 63) / 64 * 64;
    char *left = aligned_alloc(64, left_bytes), *right = aligned_alloc(64, right_bytes);
    if (!left || !right) abort();
    ndi_matrix x = a->view, y = b->view;
    x.at += (ptrdiff_t)first * x.col, y.at += (ptrdiff_t)first * y.row;
    g->pack_rows(m, depth, left, &x);
    g->pack_cols(n, depth, right, &y);
    g->block(m, n, depth, left, right, c, c_row, first > 0);
    free(left), free(right);
  }
}

static void check_product(const operand *a, const operand *b, size_t m, size_t n, size_t k,
                          const char *c, ptrdiff_t c_row, const char *what, int level) {
  for (size_t i = 0; i < m; i++) {
    const char *row = c + (ptrdiff_t)i * c_row;
    size_t wrong = n;
    for (size_t j = 0; j < n && wrong == n; j++) {
      char wanted[WIDEST];
      plain(&a->view, &b->view, i, j, k, wanted);
      if (memcmp(wanted, row + j * item, item) != 0) wrong = j;
    }
    CHECK(wrong == n, "%s %s at level %d: (%zu, %zu) of %zux%zux%zu", nd_dtype_get(dtype)->name,
          what, level, i, wrong, m, k, n);
    for (size_t j = n * item; j < (size_t)c_row; j++)
      CHECK(row[j] == 0x33, "%s wrote past the end of a row", what);
  }
}

static void check_gemm(size_t m, size_t n, size_t k) {
  const operand a = make(m, k), b = make(k, n);
  const ptrdiff_t c_row = (ptrdiff_t)(n * item + below(2) * EDGE);
  char *c = malloc(m * (size_t)c_row);
  if (!c) abort();
  for (size_t i = 0; i < ND_COUNTOF(levels); i++) {
    if (!use_level(levels[i])) continue;
    const ndi_gemm *g = ndi_gemm_find(dtype);
    memset(c, 0x33, m * (size_t)c_row);
    multiply_packed(g, &a, &b, m, n, k, c, c_row);
    check_product(&a, &b, m, n, k, c, c_row, "packed", levels[i]);
    if (k > NDI_GEMM_DEPTH) continue;
    memset(c, 0x33, m * (size_t)c_row);
    g->direct(m, n, k, &a.view, &b.view, c, c_row);
    check_product(&a, &b, m, n, k, c, c_row, "direct", levels[i]);
  }
  free(c), free(a.memory), free(b.memory);
}

/* {=== products with a vector ===} */

/* The sum of n products by lanes, blocks and pairs, in the order that kern/dot.h says. */
static sum lane_sum(size_t n, ndi_line x, ndi_line y) {
  sum lanes[16] = {{0, 0}};
  for (size_t i = 0; i < n; i++) {
    const sum p = as_sum(x.at + (ptrdiff_t)i * x.step), q = as_sum(y.at + (ptrdiff_t)i * y.step);
    const volatile double first = p.re * q.re, second = p.im * q.im;
    const volatile double third = p.re * q.im, fourth = p.im * q.re;
    const volatile double re = first - second, im = third + fourth;
    lanes[i % 16].re += re;
    lanes[i % 16].im += im;
  }
  for (size_t half = 8; half > 0; half /= 2)
    for (size_t l = 0; l < half; l++)
      lanes[l].re += lanes[l + half].re, lanes[l].im += lanes[l + half].im;
  return lanes[0];
}

/* Pairs of blocks, and what is left over, later ones first. */
static sum pair_sum(size_t n, ndi_line x, ndi_line y) {
  size_t blocks = (n + 1023) / 1024, half = 1;
  if (blocks <= 1) return lane_sum(n, x, y);
  while (half * 2 < blocks) half *= 2;
  ndi_line later[] = {x, y};
  for (int i = 0; i < 2; i++) later[i].at += (ptrdiff_t)(half * 1024) * later[i].step;
  sum a = pair_sum(half * 1024, x, y);
  const sum b = pair_sum(n - half * 1024, later[0], later[1]);
  a.re += b.re, a.im += b.im;
  return a;
}

static bool is_sum(const ndi_dot *d, const ndi_dot_sum *got, size_t n, ndi_line x, ndi_line y) {
  char stored[WIDEST];
  const ndi_matrix a = {x.at, 0, x.step}, b = {y.at, y.step, 0};
  if (nd_dtype_get(dtype)->kind < ND_KIND_FLOAT) {
    d->store(stored, got);
    return read_bits(stored, item) == (plain_whole(&a, &b, 0, 0, n) &
                                       (item == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * item) - 1));
  }
  const sum wanted = pair_sum(n, x, y);
  return got->parts[0] == wanted.re && (!is_complex(dtype) || got->parts[1] == wanted.im);
}

static void check_dot(size_t n, size_t width) {
  const operand x = make(1, n), y = make(n, width);
  const ndi_line line = {x.view.at, x.view.col};
  ndi_dot_sum sums[NDI_DOT_WIDTH], lines[NDI_DOT_WIDTH], one;
  for (size_t i = 0; i < ND_COUNTOF(levels); i++) {
    if (!use_level(levels[i])) continue;
    const ndi_dot *d = ndi_dot_find(dtype);
    const bool by_columns = y.view.col == (ptrdiff_t)item;
    if (by_columns) d->columns(n, width, sums, line, (ndi_line){y.view.at, y.view.row});
    d->lines(n, width, lines, (ndi_line){y.view.at, y.view.row}, y.view.col, line);
    for (size_t j = 0; j < width; j++) {
      const ndi_line column = {y.view.at + (ptrdiff_t)j * y.view.col, y.view.row};
      d->line(n, &one, line, column, false);
      CHECK(is_sum(d, &one, n, line, column), "%s at level %d: %zu", nd_dtype_get(dtype)->name,
            levels[i], n);
      CHECK(is_sum(d, &lines[j], n, line, column), "%s at level %d: line %zu of %zu",
            nd_dtype_get(dtype)->name, levels[i], j, n);
      CHECK(!by_columns || is_sum(d, &sums[j], n, line, column),
            "%s at level %d: column %zu of %zu", nd_dtype_get(dtype)->name, levels[i], j, n);
    }
  }
  free(x.memory), free(y.memory);
}

/* {=== a library beside a fork ===} */

static const ndi_blas shared = {.is_shared = true};

static void *enter(void *entered) {
  atomic_bool *is_in = entered;
  if (!ndi_blas_enter(&shared)) abort();
  atomic_store(is_in, true);
  while (atomic_load(is_in)) usleep(1000);
  ndi_blas_leave(&shared);
  return NULL;
}

/* The exit status of a child that enters, and leaves. */
static int enter_in_child(void) {
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    if (!ndi_blas_enter(&shared)) _exit(1);
    ndi_blas_leave(&shared);
    _exit(0);
  }
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

static void check_forks(void) {
  atomic_bool is_in = false;
  pthread_t thread;
  CHECK(enter_in_child() == 0, "a child of a process that is not in it");
  if (pthread_create(&thread, NULL, enter, &is_in) != 0) abort();
  while (!atomic_load(&is_in)) usleep(1000);
  CHECK(enter_in_child() == 1, "a child where another thread was in it");
  atomic_store(&is_in, false);
  pthread_join(thread, NULL);
  CHECK(enter_in_child() == 0, "a child after that thread left");
}

int main(void) {
  seed_from(31);
  for (size_t i = 0; i < ND_COUNTOF(levels); i++) show_level(levels[i]);
  for (size_t i = 0; i < ND_COUNTOF(dtypes); i++) {
    dtype = dtypes[i];
    item = bytes_of(dtype);
    group(nd_dtype_get(dtype)->name);
    for (size_t k = 0; k < scaled(30); k++) {
      check_gemm(1 + below(k % 2 ? SIDE : 9), 1 + below(k % 2 ? SIDE : 9), 1 + below(40));
      check_dot(1 + below(100), 1 + below(9));
    }
    check_gemm(1 + below(9), 1 + below(9), 257 + below(300));
    check_gemm(2, 130 + below(150), 3);
    check_dot(1 + below(9000), 1 + below(NDI_DOT_WIDTH));
    check_dot(NDI_DOT_CHUNK, 1);
  }
  group("a library and forks");
  check_forks();
  return finish();
}
