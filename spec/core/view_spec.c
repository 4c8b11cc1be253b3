/* Views against index arithmetic: bounds, shape operations in random chains, overlap. */
#include "mem/host.h"
#include "offsets.h"

#include "base/size.h"

static nd_storage *storage;

/* {=== bounds ===} */

static bool fits_storage(const model *m, nd_dtype dtype) {
  for (size_t k = 0; k < m->size; k++)
    if (m->at[k] < 0 || (size_t)m->at[k] + bytes_of(dtype) > storage->bytes) return false;
  return true;
}

static void spec_bounds(void) {
  group("a view is made exactly when each element lies inside the storage");
  static model m;
  size_t made = 0, refused = 0;
  for (int round = 0; round < 20000; round++) {
    nd_view wanted = {.storage = storage, .dtype = (uint8_t)random_dtype()}, v;
    size_t shape[4];
    ptrdiff_t steps[4];
    wanted.ndim = (uint8_t)below(5);
    for (int i = 0; i < wanted.ndim; i++) {
      shape[i] = wanted.axis[i].len = below(10) ? 1 + below(5) : 0;
      steps[i] = wanted.axis[i].step = (ptrdiff_t)below(3000) - 1500;
    }
    wanted.offset = below(2) ? below(STORAGE_BYTES + 20) : STORAGE_BYTES - below(20);
    if (!model_of(&wanted, &m)) continue;
    const bool fits = m.size ? fits_storage(&m, (nd_dtype)wanted.dtype)
                             : wanted.offset <= STORAGE_BYTES;
    const nd_status status = nd_view_make(storage, wanted.offset, (nd_dtype)wanted.dtype,
                                          wanted.ndim, shape, steps, &v, NULL);
    CHECK(status == (fits ? ND_OK : ND_OUT_OF_BOUNDS), "round %d: %s", round,
          nd_status_name(status));
    status == ND_OK ? made++ : refused++;
    if (status != ND_OK) continue;
    CHECK(is_model(&v, &m), "round %d", round);
    drop(&v);
  }
  CHECK(made > 1000 && refused > 1000, "%zu made, %zu refused", made, refused);
}

static void spec_extremes(void) {
  group("extents and steps that overflow are refused, also beside an extent of 0");
  enum { top = 3 };
  static const struct {
    size_t shape[top];
    ptrdiff_t steps[top];
    size_t offset;
  } rows[] = {{{2, 1, 1}, {PTRDIFF_MAX, 0, 0}, 8},
              {{2, 2, 1}, {PTRDIFF_MAX, PTRDIFF_MAX, 0}, 0},
              {{3, 1, 1}, {PTRDIFF_MAX / 2 + 1, 0, 0}, 0},
              {{2, 1, 1}, {PTRDIFF_MIN, 0, 0}, 0},
              {{1, 1, 1}, {PTRDIFF_MIN, 0, 0}, 0},
              {{3, 0, 1}, {PTRDIFF_MAX, 8, 8}, 0},
              {{0, 3, 1}, {8, PTRDIFF_MAX, 8}, 0},
              {{0, 1, 3}, {PTRDIFF_MIN, 8, 8}, 0},
              {{0, (size_t)PTRDIFF_MAX, 2}, {0, 0, 0}, 0},
              {{SIZE_MAX, 0, 1}, {0, 0, 0}, 0},
              {{SIZE_MAX, 1, 1}, {0, 0, 0}, 0},
              {{(size_t)PTRDIFF_MAX + 1, 1, 1}, {1, 1, 1}, 0},
              {{1, 1, 1}, {0, 0, 0}, SIZE_MAX},
              {{1, 1, 1}, {0, 0, 0}, (size_t)PTRDIFF_MAX},
              {{0, 1, 1}, {0, 0, 0}, SIZE_MAX},
              {{0, 1, 1}, {0, 0, 0}, STORAGE_BYTES + 1}};
  nd_view v = {.storage = NULL};
  for (size_t i = 0; i < ND_COUNTOF(rows); i++) {
    const nd_status status = nd_view_make(storage, rows[i].offset, ND_F64, top, rows[i].shape,
                                          rows[i].steps, &v, NULL);
    CHECK((status == ND_OUT_OF_BOUNDS || status == ND_OVERFLOW) && !v.storage, "row %zu: %s", i,
          nd_status_name(status));
  }
  const size_t many[ND_MAX_NDIM + 1] = {0};
  CHECK(nd_view_make(storage, 0, ND_U8, ND_MAX_NDIM + 1, many, NULL, &v, NULL) ==
            ND_INVALID_ARGUMENT,
        "17 axes");
  CHECK(nd_view_make(storage, 0, ND_U8, -1, many, NULL, &v, NULL) == ND_INVALID_ARGUMENT, "-1");
  CHECK(nd_view_make(storage, STORAGE_BYTES, ND_U8, ND_MAX_NDIM, many, NULL, &v, NULL) == ND_OK,
        "16 empty ones at the end");
  CHECK(nd_view_is_sound(&v), "sound");
  drop(&v);
}

/* {=== one operation ===} */

typedef enum { NARROW, SELECT, UNFOLD, DIAGONAL, FLIP, PERMUTE, UNSQUEEZE, EXPAND, MOVES } move;

typedef struct {
  move kind;
  int axis;
  size_t first, len, step;
  int order[ND_MAX_NDIM];
  int64_t k;
} request;

/* The index in 'src' of element 'out' of the result. */
static void source_index(const request *r, const model *src, const size_t *out, int ndim,
                         size_t *in) {
  memset(in, 0, sizeof(index_of));
  for (int i = 0; i < src->ndim; i++) {
    switch (r->kind) {
      case NARROW: in[i] = out[i] + (i == r->axis ? r->first : 0); break;
      case SELECT: in[i] = i == r->axis ? r->first : out[i < r->axis ? i : i - 1]; break;
      case UNFOLD: in[i] = i == r->axis ? out[i] * r->step + out[ndim - 1] : out[i]; break;
      case DIAGONAL:
        in[i] = i < src->ndim - 2 ? out[i] : out[ndim - 1];
        if (i == src->ndim - 2 && r->k < 0) in[i] += (size_t)-r->k;
        if (i == src->ndim - 1 && r->k > 0) in[i] += (size_t)r->k;
        break;
      case FLIP: in[i] = r->first >> i & 1 ? src->shape[i] - 1 - out[i] : out[i]; break;
      case PERMUTE: in[r->order[i]] = out[i]; break;
      case UNSQUEEZE: in[i] = out[i < r->axis ? i : i + 1]; break;
      default: in[i] = src->shape[i] == 1 ? 0 : out[i + ndim - src->ndim];
    }
  }
}

/* The result's shape. */
static void shape_after(const request *r, const model *src, model *out) {
  memcpy(out->shape, src->shape, sizeof out->shape);
  out->ndim = src->ndim;
  const size_t tail = sizeof out->shape[0] * (size_t)(src->ndim - r->axis);
  switch (r->kind) {
    case NARROW: out->shape[r->axis] = r->len; break;
    case SELECT:
      memmove(&out->shape[r->axis], &src->shape[r->axis + 1], tail - sizeof out->shape[0]);
      out->ndim--;
      break;
    case UNFOLD:
      out->shape[r->axis] = (src->shape[r->axis] - r->len) / r->step + 1;
      out->shape[out->ndim++] = r->len;
      break;
    case DIAGONAL: out->shape[--out->ndim - 1] = r->len; break;
    case PERMUTE:
      for (int i = 0; i < src->ndim; i++) out->shape[i] = src->shape[r->order[i]];
      break;
    case UNSQUEEZE:
      memmove(&out->shape[r->axis + 1], &src->shape[r->axis], tail);
      out->shape[r->axis] = 1;
      out->ndim++;
      break;
    case EXPAND:
      memmove(&out->shape[r->len], src->shape, sizeof out->shape[0] * (size_t)src->ndim);
      out->ndim += (int)r->len;
      for (int i = 0; i < out->ndim; i++)
        if (i < (int)r->len || out->shape[i] == 1) out->shape[i] = 1 + (r->first >> i & 1);
      break;
    default: break;
  }
}

static bool expect_move(const request *r, const model *src, model *out) {
  index_of index, in;
  shape_after(r, src, out);
  if (!size_model(out)) return false;
  for (size_t k = 0; k < out->size; k++) {
    unflatten(out->ndim, out->shape, k, index);
    source_index(r, src, index, out->ndim, in);
    out->at[k] = src->at[flat_index(src->ndim, src->shape, in)];
  }
  return true;
}

/* A request that is legal for 'v'. False: there is none of this kind. */
static bool random_request(const nd_view *v, request *r) {
  *r = (request){.kind = (move)below(MOVES), .axis = v->ndim ? (int)below(v->ndim) : 0};
  const size_t extent = v->ndim ? v->axis[r->axis].len : 0;
  r->first = below(1 << 16);
  switch (r->kind) {
    case NARROW:
      r->first = below(extent + 1), r->len = below(extent - r->first + 1);
      return v->ndim > 0;
    case SELECT: r->first = below(extent); return extent > 0;
    case UNFOLD:
      r->len = 1 + below(extent), r->step = 1 + below(4);
      return extent > 0 && v->ndim < ND_MAX_NDIM;
    case DIAGONAL: {
      if (v->ndim < 2) return false;
      const int64_t rows = (int64_t)v->axis[v->ndim - 2].len;
      const int64_t columns = (int64_t)v->axis[v->ndim - 1].len;
      r->k = (int64_t)below((size_t)(rows + columns) + 1) - rows;
      const int64_t tall = r->k < 0 ? rows + r->k : rows,
                    wide = r->k > 0 ? columns - r->k : columns;
      r->len = (size_t)(tall < wide ? tall : wide);
      return true;
    }
    case PERMUTE:
      for (int i = 0; i < v->ndim; i++) {
        const int j = (int)below((size_t)i + 1);
        r->order[i] = r->order[j], r->order[j] = i;
      }
      return true;
    case UNSQUEEZE: r->axis = (int)below((size_t)v->ndim + 1); return v->ndim < ND_MAX_NDIM;
    case EXPAND: r->len = below(2); return v->ndim + (int)r->len <= ND_MAX_NDIM;
    default: return true;
  }
}

static nd_status apply(const request *r, const nd_view *v, const model *expected, nd_view *out) {
  switch (r->kind) {
    case NARROW: return nd_view_narrow(v, r->axis, r->first, r->len, out, NULL);
    case SELECT: return nd_view_select(v, r->axis, r->first, out, NULL);
    case UNFOLD: return nd_view_unfold(v, r->axis, r->len, r->step, out, NULL);
    case DIAGONAL: return nd_view_diagonal(v, r->k, out, NULL);
    case FLIP: return nd_view_flip(v, (uint32_t)r->first, out, NULL);
    case PERMUTE: return nd_view_permute(v, r->order, out, NULL);
    case UNSQUEEZE: return nd_view_unsqueeze(v, r->axis, out, NULL);
    default: return nd_view_expand(v, expected->ndim, expected->shape, out, NULL);
  }
}

/* {=== reshape and bitcast ===} */

/* A shape of as many elements: axes split, joined or added in a random way. */
static int random_factors(size_t size, size_t *shape) {
  int n = 0;
  while (n < ND_MAX_NDIM - 1 && below(5)) {
    size_t factor = 1 + below(6);
    while (size % factor) factor--;
    shape[n++] = factor;
    size /= factor;
  }
  shape[n] = size;
  return n + 1;
}

/* Do any steps lead to these offsets? */
static bool has_steps(const model *m) {
  index_of index;
  ptrdiff_t steps[ND_MAX_NDIM] = {0};
  for (int i = 0; i < m->ndim; i++) {
    memset(index, 0, sizeof index);
    index[i] = 1;
    if (m->shape[i] > 1) steps[i] = m->at[flat_index(m->ndim, m->shape, index)] - m->at[0];
  }
  for (size_t k = 0; k < m->size; k++) {
    ptrdiff_t at = m->at[0];
    unflatten(m->ndim, m->shape, k, index);
    for (int i = 0; i < m->ndim; i++) at += (ptrdiff_t)index[i] * steps[i];
    if (at != m->at[k]) return false;
  }
  return true;
}

/* Row-major order stays; refused only where no steps would do. */
static bool check_reshape(const nd_view *v, model *m, nd_view *out) {
  int64_t shape[ND_MAX_NDIM];
  m->ndim = random_factors(m->size, m->shape);
  size_model(m);
  const int open = m->size ? (int)below(2 * (size_t)m->ndim) : m->ndim;
  for (int i = 0; i < m->ndim; i++) shape[i] = i == open ? -1 : (int64_t)m->shape[i];
  const nd_status status = nd_view_reshape(v, m->ndim, shape, out, NULL);
  CHECK(status == ND_OK || (status == ND_INVALID_VIEW && !has_steps(m)), "%s",
        nd_status_name(status));
  if (status == ND_OK) CHECK(is_model(out, m), "reshape");
  return status == ND_OK;
}

static bool check_bitcast(const nd_view *v, const model *src, model *m, nd_view *out) {
  const nd_dtype to = random_dtype();
  const size_t was = nd_view_itemsize(v), is = bytes_of(to);
  const size_t last = v->ndim ? v->axis[v->ndim - 1].len : 0;
  const bool is_packed = v->ndim && (last <= 1 || v->axis[v->ndim - 1].step == (ptrdiff_t)was);
  const bool can = was == is || (is_packed && last * was % is == 0);
  const nd_status status = nd_view_bitcast(v, to, out, NULL);
  CHECK((status == ND_OK) == can, "%zu to %zu: %s", was, is, nd_status_name(status));
  if (status != ND_OK) return false;
  *m = *src;
  if (was != is) m->shape[m->ndim - 1] = last * was / is;
  if (!size_model(m)) return drop(out), false;
  for (size_t k = 0; k < m->size; k++) {
    const size_t row = m->ndim ? m->shape[m->ndim - 1] : 1, byte = k % row * is;
    const size_t from = was == is ? k : k / row * last + byte / was;
    m->at[k] = src->at[from] + (was == is ? 0 : (ptrdiff_t)(byte % was));
  }
  CHECK(is_model(out, m) && out->dtype == to, "bitcast %zu to %zu", was, is);
  return true;
}

/* {=== chains ===} */

static bool check_step(const nd_view *v, const model *src, model *m, nd_view *out) {
  request r;
  switch (below(10)) {
    case 0:
    case 1: *m = *src; return check_reshape(v, m, out);
    case 2: return check_bitcast(v, src, m, out);
    default:
      if (!random_request(v, &r) || !expect_move(&r, src, m)) return false;
      const nd_status status = apply(&r, v, m, out);
      CHECK(status == ND_OK, "move %d: %s", (int)r.kind, nd_status_name(status));
      if (status != ND_OK) return false;
      CHECK(is_model(out, m), "move %d", (int)r.kind);
      CHECK(out->dtype == v->dtype && (out->is_read_only || !v->is_read_only), "traits");
      return true;
  }
}

static void check_traits(const nd_view *v, const model *m) {
  const size_t item = nd_view_itemsize(v);
  bool is_packed = true;
  ptrdiff_t lo = PTRDIFF_MAX, hi = 0;
  for (size_t k = 0; k < m->size; k++) {
    is_packed &= m->at[k] == m->at[0] + (ptrdiff_t)(k * item);
    if (m->at[k] < lo) lo = m->at[k];
    if (m->at[k] + (ptrdiff_t)item > hi) hi = m->at[k] + (ptrdiff_t)item;
  }
  size_t first, past;
  nd_view_span(v, &first, &past);
  CHECK(nd_view_is_contiguous(v) == is_packed, "contiguous");
  CHECK(m->size ? (ptrdiff_t)first == lo && (ptrdiff_t)past == hi : first == past, "span");
}

static void spec_chains(void) {
  group("shape operations in random chains are index arithmetic");
  static model models[2];
  size_t steps = 0;
  for (int round = 0; round < 10000; round++) {
    nd_view v = random_view(storage), next;
    const unsigned holds = atomic_load(&storage->holds);
    model_of(&v, &models[0]);
    for (int i = 0; i < 8; i++) {
      if (!check_step(&v, &models[i & 1], &models[~i & 1], &next)) models[~i & 1] = models[i & 1];
      else drop(&v), v = next, steps++, check_traits(&v, &models[~i & 1]);
    }
    CHECK(atomic_load(&storage->holds) == holds, "round %d: holds", round);
    drop(&v);
  }
  CHECK(steps > 20000, "%zu steps", steps);
}

/* {=== overlap ===} */

static bool share_a_byte(const model *a, size_t item_a, const model *b, size_t item_b) {
  static unsigned char taken[STORAGE_BYTES];
  memset(taken, 0, sizeof taken);
  for (size_t k = 0; k < a->size; k++) memset(&taken[a->at[k]], 1, item_a);
  for (size_t k = 0; k < b->size; k++)
    for (size_t i = 0; i < item_b; i++)
      if (taken[b->at[k] + (ptrdiff_t)i]) return true;
  return false;
}

static bool overlaps_itself(const model *m, size_t item) {
  static unsigned char taken[STORAGE_BYTES];
  memset(taken, 0, sizeof taken);
  for (size_t k = 0; k < m->size; k++)
    for (size_t i = 0; i < item; i++)
      if (taken[m->at[k] + (ptrdiff_t)i]++) return true;
  return false;
}

static void spec_overlap(void) {
  group("overlap is never missed, and is exact for ranges");
  static model ma, mb;
  size_t both = 0, apart = 0, alone = 0, self = 0;
  for (int round = 0; round < 10000; round++) {
    nd_view a = random_view(storage), b = random_view(storage);
    size_t alo, ahi, blo, bhi;
    model_of(&a, &ma), model_of(&b, &mb);
    nd_view_span(&a, &alo, &ahi), nd_view_span(&b, &blo, &bhi);
    const bool shared = share_a_byte(&ma, nd_view_itemsize(&a), &mb, nd_view_itemsize(&b));
    const bool ranges = a.size && b.size && alo < bhi && blo < ahi;
    CHECK(nd_view_may_overlap(&a, &b) == ranges, "round %d: ranges", round);
    CHECK(nd_view_may_overlap(&b, &a) == ranges && (ranges || !shared), "round %d", round);
    shared ? both++ : apart++;
    const bool twice = overlaps_itself(&ma, nd_view_itemsize(&a));
    CHECK(!twice || nd_view_overlaps_itself(&a), "round %d: missed", round);
    if (a.ndim == 1) CHECK(nd_view_overlaps_itself(&a) == twice, "round %d: one axis", round);
    if (nd_view_is_contiguous(&a)) CHECK(!nd_view_overlaps_itself(&a), "round %d: packed", round);
    twice ? self++ : alone++;
    drop(&a), drop(&b);
  }
  CHECK(both > 200 && apart > 200 && self > 200 && alone > 200, "%zu %zu %zu %zu", both, apart,
        self, alone);
}

/* {=== refusals ===} */

static void spec_refusals(void) {
  group("what no view can be is refused and leaves 'out' alone");
  const size_t shape[] = {3, 4}, wide[] = {3, 5}, one[] = {3};
  const int twice[] = {0, 0}, outside[] = {0, 2};
  nd_view v, out = {.storage = NULL}, scalar;
  if (nd_view_make(storage, 0, ND_I32, 2, shape, NULL, &v, NULL) ||
      nd_view_make(storage, 0, ND_I32, 0, shape, NULL, &scalar, NULL))
    abort();
  const struct {
    nd_status got, expected;
  } rows[] = {{nd_view_reshape(&v, 2, (const int64_t[]){-1, -1}, &out, NULL), ND_INVALID_ARGUMENT},
              {nd_view_reshape(&v, 2, (const int64_t[]){-2, 6}, &out, NULL), ND_INVALID_ARGUMENT},
              {nd_view_reshape(&v, 2, (const int64_t[]){5, -1}, &out, NULL), ND_SIZE_MISMATCH},
              {nd_view_reshape(&v, 2, (const int64_t[]){0, -1}, &out, NULL), ND_SIZE_MISMATCH},
              {nd_view_reshape(&v, 2, (const int64_t[]){INT64_MAX, 2}, &out, NULL), ND_OVERFLOW},
              {nd_view_reshape(&v, 17, (const int64_t[17]){0}, &out, NULL), ND_INVALID_ARGUMENT},
              {nd_view_reshape(&v, -1, NULL, &out, NULL), ND_INVALID_ARGUMENT},
              {nd_view_permute(&v, twice, &out, NULL), ND_INVALID_ARGUMENT},
              {nd_view_permute(&v, outside, &out, NULL), ND_INVALID_ARGUMENT},
              {nd_view_narrow(&v, 0, 4, 0, &out, NULL), ND_INDEX_OUT_OF_RANGE},
              {nd_view_narrow(&v, 0, 1, SIZE_MAX, &out, NULL), ND_INDEX_OUT_OF_RANGE},
              {nd_view_select(&v, 1, 4, &out, NULL), ND_INDEX_OUT_OF_RANGE},
              {nd_view_squeeze(&v, 0, &out, NULL), ND_SHAPE_MISMATCH},
              {nd_view_expand(&v, 2, wide, &out, NULL), ND_SHAPE_MISMATCH},
              {nd_view_expand(&v, 1, one, &out, NULL), ND_SHAPE_MISMATCH},
              {nd_view_expand(&scalar, 2, (const size_t[]){SIZE_MAX, 2}, &out, NULL), ND_OVERFLOW},
              {nd_view_unfold(&v, 0, 4, 1, &out, NULL), ND_INDEX_OUT_OF_RANGE},
              {nd_view_unfold(&v, 0, 0, 1, &out, NULL), ND_INVALID_ARGUMENT},
              {nd_view_unfold(&v, 0, 1, 0, &out, NULL), ND_INVALID_ARGUMENT},
              {nd_view_diagonal(&v, 5, &out, NULL), ND_INDEX_OUT_OF_RANGE},
              {nd_view_diagonal(&v, -4, &out, NULL), ND_INDEX_OUT_OF_RANGE},
              {nd_view_diagonal(&v, INT64_MIN, &out, NULL), ND_INDEX_OUT_OF_RANGE},
              {nd_view_diagonal(&scalar, 0, &out, NULL), ND_SHAPE_MISMATCH},
              {nd_view_bitcast(&scalar, ND_F64, &out, NULL), ND_INVALID_VIEW},
              {nd_view_part(&v, 0, &out, NULL), ND_TYPE_MISMATCH},
              {nd_view_bytes(&v, STORAGE_BYTES, 1, &out, NULL), ND_OUT_OF_BOUNDS},
              {nd_view_bytes(&v, SIZE_MAX, 1, &out, NULL), ND_OUT_OF_BOUNDS},
              {nd_view_field(&v, 45, 4, 1, ND_I32, &out, NULL), ND_OUT_OF_BOUNDS},
              {nd_view_field(&v, 0, SIZE_MAX, 2, ND_I32, &out, NULL), ND_OVERFLOW},
              {nd_view_field(&v, SIZE_MAX, 4, 1, ND_I32, &out, NULL), ND_OVERFLOW}};
  for (size_t i = 0; i < ND_COUNTOF(rows); i++)
    CHECK(rows[i].got == rows[i].expected, "row %zu: %s", i, nd_status_name(rows[i].got));
  CHECK(!out.storage, "written");
  drop(&v), drop(&scalar);
}

/* Storage that is not there yet may be larger than any memory. */
static void spec_huge_lazy(void) {
  group("views of huge lazy storages are sound");
  nd_storage *huge;
  nd_view v, out;
  const size_t bytes = ND_SIZE_MAX, shape[] = {2, 1, bytes / 2};
  if (nd_storage_make(nd_host_resource(), bytes, (nd_storage_options){.lazy = true}, &huge, NULL))
    abort();
  CHECK(nd_view_make(huge, 0, ND_U8, 3, shape, NULL, &v, NULL) == ND_OK, "make");
  CHECK(nd_view_unsqueeze(&v, 0, &out, NULL) == ND_OK && nd_view_is_sound(&out), "unsqueeze");
  drop(&out);
  CHECK(nd_view_flip(&v, 7, &out, NULL) == ND_OK && nd_view_is_sound(&out), "flip");
  drop(&out);
  CHECK(nd_view_reshape(&v, 1, (const int64_t[]){-1}, &out, NULL) == ND_OK && out.size == bytes - 1,
        "reshape");
  drop(&out);
  CHECK(!nd_view_overlaps_itself(&v) && nd_view_is_contiguous(&v), "packed");
  CHECK(nd_view_bitcast(&v, ND_C128, &out, NULL) == ND_SIZE_MISMATCH, "bitcast");
  drop(&v);
  nd_storage_drop(huge);
}

static void spec_huge_empty(void) {
  group("empty views of huge extents are sound, and so are views of them");
  const size_t shape[] = {0, (size_t)1 << 40, 1 << 20};
  nd_view v, out;
  CHECK(nd_view_make(storage, STORAGE_BYTES, ND_U8, 3, shape, NULL, &v, NULL) == ND_OK, "make");
  CHECK(nd_view_narrow(&v, 1, 1 << 20, 5, &out, NULL) == ND_OK && nd_view_is_sound(&out), "narrow");
  drop(&out);
  CHECK(nd_view_flip(&v, 7, &out, NULL) == ND_OK && nd_view_is_sound(&out), "flip");
  drop(&out);
  CHECK(nd_view_select(&v, 1, 1 << 30, &out, NULL) == ND_OK && nd_view_is_sound(&out), "select");
  drop(&out);
  CHECK(nd_view_diagonal(&v, 0, &out, NULL) == ND_OK && nd_view_is_sound(&out), "diagonal");
  drop(&out);
  CHECK(nd_view_unsqueeze(&v, 0, &out, NULL) == ND_OK && nd_view_is_sound(&out), "unsqueeze");
  drop(&out);
  const int64_t large[] = {0, INT64_C(1) << 40, 1 << 20, 2}, larger[] = {0, INT64_C(1) << 62, 2};
  const int64_t wide[] = {0, INT64_C(1) << 61}; /* not its product, its bytes */
  CHECK(nd_view_reshape(&v, 4, large, &out, NULL) == ND_OK && nd_view_is_sound(&out), "reshape");
  drop(&out);
  CHECK(nd_view_reshape(&v, 3, larger, &out, NULL) == ND_OVERFLOW, "too large");
  drop(&v);
  CHECK(nd_view_make(storage, 0, ND_F64, 1, shape, NULL, &v, NULL) == ND_OK, "make");
  CHECK(nd_view_reshape(&v, 2, wide, &out, NULL) == ND_OVERFLOW, "too large");
  drop(&v);
}

int main(void) {
  seed_from(20265);
  storage = make_storage();
  spec_bounds();
  spec_extremes();
  spec_chains();
  spec_overlap();
  spec_refusals();
  spec_huge_lazy();
  spec_huge_empty();
  group("holds are even");
  CHECK(atomic_load(&storage->holds) == 1, "%u", atomic_load(&storage->holds));
  nd_storage_drop(storage);
  return finish();
}
