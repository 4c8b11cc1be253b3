/* Factorisations as C programs call them: the number and shapes of results, known values in any
 * layout and dtype, what is refused, memory that runs out, and sizes that 32-bit integers do not
 * count. The specs of Lua (spec/ops/factors_spec.lua) have residuals and NumPy's values. */
#include <math.h>

#include "dev/host/factor.h"
#include "ndbuf.h"

#include "arrays.h"

static const nd_factoring none = {.op = ND_OP_INV};

static void drop_all(nd_view *views, int count) {
  for (int i = 0; i < count; i++) drop(&views[i]);
}

/* A matrix, or several, whose diagonal is 1, 2, 3 …, and 0 elsewhere. */
static nd_view make_diagonal(nd_dtype dtype, int ndim, const size_t *shape) {
  nd_view v = below(2) ? make_scattered(dtype, ndim, shape) : make_packed(dtype, ndim, shape);
  index_of at;
  EACH(&v, at)
  if (at[ndim - 2] == at[ndim - 1]) set_number(&v, at, (long double)(1 + at[ndim - 1]));
  return v;
}

static const nd_dtype dtypes[] = {ND_U8, ND_I64, ND_F16, ND_F32, ND_F64, ND_C64, ND_C128};

/* {=== results ===} */

/* Each operation and form: how many results there are, and their shapes for a 2x3x4 matrix, or
 * 2x3x3 where only square ones are allowed. */
static const struct {
  nd_factoring how;
  int count;
  size_t shapes[ND_FACTORS][3];
} rows[] = {
    {{.op = ND_OP_SOLVE}, 1, {{2, 3, 5}}},
    {{.op = ND_OP_INV}, 1, {{2, 3, 3}}},
    {{.op = ND_OP_DET}, 1, {{2}}},
    {{.op = ND_OP_SLOGDET}, 2, {{2}, {2}}},
    {{.op = ND_OP_CHOLESKY}, 1, {{2, 3, 3}}},
    {{.op = ND_OP_LU}, 3, {{2, 3}, {2, 3, 3}, {2, 3, 4}}},
    {{.op = ND_OP_QR}, 2, {{2, 3, 3}, {2, 3, 4}}},
    {{.op = ND_OP_QR, .form = ND_FACTORS_FULL}, 2, {{2, 3, 3}, {2, 3, 4}}},
    {{.op = ND_OP_QR, .form = ND_FACTORS_ONE}, 1, {{2, 3, 4}}},
    {{.op = ND_OP_SVD}, 3, {{2, 3, 3}, {2, 3}, {2, 3, 4}}},
    {{.op = ND_OP_SVD, .form = ND_FACTORS_FULL}, 3, {{2, 3, 3}, {2, 3}, {2, 4, 4}}},
    {{.op = ND_OP_SVD, .form = ND_FACTORS_ONE}, 1, {{2, 3}}},
    {{.op = ND_OP_EIGH}, 2, {{2, 3}, {2, 3, 3}}},
    {{.op = ND_OP_EIGH, .form = ND_FACTORS_FULL}, 2, {{2, 3}, {2, 3, 3}}},
    {{.op = ND_OP_EIGH, .form = ND_FACTORS_ONE}, 1, {{2, 3}}},
    {{.op = ND_OP_EIG}, 2, {{2, 3}, {2, 3, 3}}},
    {{.op = ND_OP_EIG, .form = ND_FACTORS_ONE}, 1, {{2, 3}}},
    {{.op = ND_OP_LSTSQ}, 4, {{2, 4, 5}, {2, 5}, {2}, {2, 3}}},
};

static bool is_any(nd_op op) {
  return op == ND_OP_LU || op == ND_OP_QR || op == ND_OP_SVD || op == ND_OP_LSTSQ;
}

static int axes_of(const size_t *shape) {
  int n = 0;
  while (n < 3 && shape[n]) n++;
  return n;
}

static void spec_shapes(void) {
  group("every operation has its results");
  for (size_t i = 0; i < ND_COUNTOF(rows); i++) {
    const nd_factoring *how = &rows[i].how;
    const size_t wide[] = {2, 3, 4}, square[] = {2, 3, 3}, columns[] = {3, 5};
    const nd_dtype dtype = dtypes[below(ND_COUNTOF(dtypes))];
    nd_view a = make_diagonal(dtype, 3, is_any(how->op) ? wide : square);
    nd_view b = make_diagonal(dtype, 2, columns), out[ND_FACTORS];
    nd_error err;
    const nd_status status = nd_factor(how, &a, &b, out, &err);
    CHECK(nd_factor_count(how) == rows[i].count, "row %zu", i);
    CHECK(status == ND_OK, "row %zu: %s", i, err.message);
    for (int j = 0; j < rows[i].count && status == ND_OK; j++) {
      CHECK(has_shape(&out[j], axes_of(rows[i].shapes[j]), rows[i].shapes[j]), "row %zu: %d", i, j);
      CHECK(nd_view_is_contiguous(&out[j]), "row %zu: %d", i, j);
    }
    if (status == ND_OK) drop_all(out, rows[i].count);
    drop(&a), drop(&b);
  }
}

static bool is_near(const nd_view *v, const size_t *at, double wanted) {
  return fabs((double)number_at(v, at) - wanted) < 1e-5 * (1 + fabs(wanted));
}

static void spec_values(void) {
  group("known values, of any dtype and layout");
  for (size_t i = 0; i < 40; i++) {
    const size_t n = 1 + below(6), shape[] = {1 + below(3), n, n}, columns[] = {n, 2};
    const nd_dtype dtype = dtypes[below(ND_COUNTOF(dtypes))];
    nd_view a = make_diagonal(dtype, 3, shape), b = make_packed(dtype, 2, columns);
    nd_view x[ND_FACTORS], det[ND_FACTORS], inverse[ND_FACTORS];
    double factorial = 1;
    index_of at;
    for (size_t k = 1; k <= n; k++) factorial *= (double)k;
    fill_numbers(&b, 8);
    const bool good = nd_factor(&(nd_factoring){.op = ND_OP_SOLVE}, &a, &b, x, NULL) == ND_OK &&
                      nd_factor(&(nd_factoring){.op = ND_OP_DET}, &a, NULL, det, NULL) == ND_OK &&
                      nd_factor(&none, &a, NULL, inverse, NULL) == ND_OK;
    CHECK(good, "%s", nd_dtype_get(dtype)->name);
    if (!good) return;
    EACH(&x[0], at)
    CHECK(is_near(&x[0], at, (double)number_at(&b, at + 1) / (double)(at[1] + 1)), "solve");
    EACH(&det[0], at) CHECK(is_near(&det[0], at, factorial), "det");
    EACH(&inverse[0], at)
    CHECK(is_near(&inverse[0], at, at[1] == at[2] ? 1 / (double)(at[1] + 1) : 0), "inv");
    drop(&x[0]), drop(&det[0]), drop(&inverse[0]), drop(&a), drop(&b);
  }
}

/* {=== failures ===} */

static int64_t number_of(const nd_error *err, const char *name) {
  for (int i = 0; i < err->count; i++)
    if (strcmp(err->numbers[i].name, name) == 0) return err->numbers[i].value;
  return -1;
}

static void spec_failures(void) {
  group("what has no result names matrix and number");
  const size_t shape[] = {3, 2, 2};
  nd_view a = make_diagonal(ND_F64, 3, shape), out[ND_FACTORS];
  index_of at = {1, 1, 1};
  nd_error err;
  set_number(&a, at, 0);
  CHECK(nd_factor(&none, &a, NULL, out, &err) == ND_INVALID_ARGUMENT, "singular");
  CHECK(number_of(&err, "info") == 2 && number_of(&err, "matrix") == 2, "%s", err.message);
  CHECK(nd_factor(&none, &a, NULL, out, NULL) == ND_INVALID_ARGUMENT, "without an error");
  CHECK(nd_factor(&(nd_factoring){.op = ND_OP_CHOLESKY}, &a, NULL, out, &err) ==
            ND_INVALID_ARGUMENT,
        "not positive");
  CHECK(number_of(&err, "info") == 2 && number_of(&err, "matrix") == 2, "%s", err.message);
  CHECK(nd_factor(&(nd_factoring){.op = ND_OP_INV, .gives_nan = true}, &a, NULL, out, NULL) ==
            ND_OK,
        "NaN in its place");
  at[0] = 1;
  CHECK(isnan((double)number_at(&out[0], at)), "it is NaN");
  at[0] = 2;
  CHECK(is_near(&out[0], at, 0.5), "the others are not");
  drop(&out[0]), drop(&a);
}

/* Every allocation of results is refused, one after the other: nothing is left. */
static void spec_memory(void) {
  group("memory that runs out");
  for (size_t i = 0; i < ND_COUNTOF(rows); i++) {
    const size_t wide[] = {3, 4}, square[] = {3, 3}, columns[] = {3, 5};
    nd_view a = make_diagonal(ND_I32, 2, is_any(rows[i].how.op) ? wide : square);
    nd_view b = make_diagonal(ND_I32, 2, columns), out[ND_FACTORS];
    const uint64_t before = live_blocks();
    nd_status status = ND_CAPACITY;
    int refused = 0;
    for (; status == ND_CAPACITY; refused++) {
      the_resource()->until_refusal = refused;
      status = nd_factor(&rows[i].how, &a, &b, out, NULL);
      the_resource()->until_refusal = -1;
      if (status == ND_CAPACITY) CHECK(live_blocks() == before, "row %zu: %d", i, refused);
    }
    CHECK(status == ND_OK && refused > rows[i].count, "row %zu: %d", i, refused);
    drop_all(out, rows[i].count);
    CHECK(live_blocks() == before, "row %zu", i);
    drop(&a), drop(&b);
  }
}

/* {=== sizes ===} */

static void spec_sizes(void) {
  group("sizes that 32-bit integers do not count");
  const size_t one[] = {1, 1}, wide[] = {(size_t)1 << 31, 1};
  nd_view a = make_packed(ND_F64, 2, one), high, out[ND_FACTORS];
  nd_error err;
  if (nd_view_expand(&a, 2, wide, &high, NULL) != ND_OK) abort();
  CHECK(nd_factor(&(nd_factoring){.op = ND_OP_QR}, &high, NULL, out, &err) == ND_OVERFLOW, "rows");
  CHECK(number_of(&err, "limit") == INT32_MAX, "%s", err.message);
  drop(&high), drop(&a);
}

/* Is a matrix of n rows and columns, and as many right-hand sides, refused? Nothing is computed. */
static bool is_too_large(const ndi_factor_way *way, nd_op op, nd_factors_form form, int type,
                         int n) {
  const nd_task task = {.op = op, .factor = {.form = form}};
  ndi_factor f = {.task = &task,
                  .call = &ndi_lapack_find(NULL)->call,
                  .type = type,
                  .is_complex = type >= 2,
                  .part = type % 2 ? 8 : 4,
                  .m = n,
                  .n = n,
                  .k = n,
                  .rhs = n,
                  .count = 1};
  f.item = f.is_complex ? 2 * f.part : f.part;
  way->plan(&f);
  return f.is_too_large;
}

static void spec_workspace(void) {
  group("workspace that 32-bit integers do not count");
  for (int type = 0; type < 4; type++) {
    const bool is_real = type < 2;
    const nd_factors_form all = ND_FACTORS_FULL, alone = ND_FACTORS_ONE;
    CHECK(!is_too_large(&ndi_svd_way, ND_OP_SVD, all, type, 20000), "svd %d", type);
    CHECK(is_too_large(&ndi_svd_way, ND_OP_SVD, all, type, 24000), "svd %d", type);
    CHECK(!is_too_large(&ndi_svd_way, ND_OP_SVD, alone, type, 100000), "svdvals %d", type);
    CHECK(!is_too_large(&ndi_eigh_way, ND_OP_EIGH, all, type, 30000), "eigh %d", type);
    CHECK(is_too_large(&ndi_eigh_way, ND_OP_EIGH, all, type, 33000), "eigh %d", type);
    CHECK(!is_too_large(&ndi_eigh_way, ND_OP_EIGH, alone, type, 100000), "eigvalsh %d", type);
    CHECK(!is_too_large(&ndi_lstsq_way, ND_OP_LSTSQ, all, type, 40000), "lstsq %d", type);
    CHECK(is_too_large(&ndi_lstsq_way, ND_OP_LSTSQ, all, type, 47000), "lstsq %d", type);
    CHECK(!is_too_large(&ndi_eig_way, ND_OP_EIG, all, type, 100000), "eig %d %d", type, is_real);
    CHECK(!is_too_large(&ndi_qr_way, ND_OP_QR, all, type, 100000), "qr %d", type);
    CHECK(!is_too_large(&ndi_solve_way, ND_OP_SOLVE, all, type, 100000), "solve %d", type);
  }
}

int main(void) {
  seed_from(41);
  nd_error err;
  if (!ndi_lapack_find(&err)) {
    const size_t shape[] = {2, 2};
    group("without LAPACK");
    nd_view a = make_diagonal(ND_F64, 2, shape), out[ND_FACTORS];
    CHECK(nd_factor(&none, &a, NULL, out, &err) == ND_UNSUPPORTED, "%s", err.message);
    drop(&a);
    return finish();
  }
  spec_shapes();
  spec_values();
  spec_failures();
  spec_memory();
  spec_sizes();
  spec_workspace();
  return finish();
}
