/* The planner of copies: every path against a loop over the elements, for each level of kernels and
 * several counts of threads. */
#include "arrays.h"
#include "dev/threads.h"
#include "kern/cast.h"
#include "levels.h"
#include "ndbuf.h"

/* What a copy of 'src' into 'dst' has to give: an element at a time. */
static nd_view expected_copy(const nd_view *dst, const nd_view *src, nd_cast_mode mode) {
  index_of at, shape;
  for (int i = 0; i < dst->ndim; i++) shape[i] = dst->axis[i].len;
  nd_view v = make_packed((nd_dtype)dst->dtype, dst->ndim, shape);
  ndi_cast_kernel *convert = ndi_cast_find((nd_dtype)dst->dtype, (nd_dtype)src->dtype, mode);
  EACH(src, at) convert(1, element(&v, at), 0, element(src, at), 0);
  return v;
}

/* The bytes around the elements of 'v' stay as they are: those of its storage, xor-ed, without it.
 */
static uint64_t sum_outside(const nd_view *v) {
  char *host = NULL;
  uint64_t sum = 0;
  index_of at;
  if (nd_view_host(v, false, &host, NULL) != ND_OK) abort();
  for (size_t i = 0; i < v->storage->bytes; i++) sum += (uint64_t)(unsigned char)host[i] * (i + 1);
  EACH(v, at) {
    const char *p = element(v, at);
    for (size_t i = 0; i < bytes_of((nd_dtype)v->dtype); i++)
      sum -= (uint64_t)(unsigned char)p[i] * (uint64_t)(p + i - host + 1);
  }
  return sum;
}

static void check_copy(const nd_view *dst, const nd_view *src, nd_cast_mode mode) {
  nd_error err;
  char text[ND_SHAPE_TEXT];
  fill_bytes(dst);
  const uint64_t outside = sum_outside(dst);
  nd_view want = expected_copy(dst, src, mode);
  const nd_status status = nd_copy(dst, src, mode, &err);
  CHECK(status == ND_OK && same_bytes(dst, &want), "%s to %s, %s",
        nd_dtype_get((nd_dtype)src->dtype)->name, nd_dtype_get((nd_dtype)dst->dtype)->name,
        nd_shape_text(dst->ndim, dst->axis, text, sizeof text));
  CHECK(sum_outside(dst) == outside, "wrote beside the elements");
  drop(&want);
}

static nd_dtype random_target(nd_dtype from) {
  nd_dtype to = below(2) ? from : random_dtype();
  while (is_complex(from) && !is_complex(to)) to = random_dtype();
  return to;
}

/* Shapes with a long axis or two, so that blocks are met whole and cut. */
static void check_random(size_t cases) {
  static const size_t longest[] = {3000, 150, 40, 12};
  for (size_t i = 0; i < cases; i++) {
    size_t shape[ND_MAX_NDIM];
    const int ndim = random_shape(1, 4, 6, shape);
    for (int a = 0; a < ndim; a++)
      if (below(2)) shape[a] = 1 + below(longest[ndim - 1]);
    const nd_dtype from = random_dtype();
    nd_view src = make_random(from, ndim, shape),
            dst = make_random(random_target(from), ndim, shape);
    check_copy(&dst, &src, below(4) ? ND_SATURATE : ND_WRAP);
    drop(&src), drop(&dst);
  }
}

static void check_turned(nd_dtype dtype, size_t rows, size_t columns) {
  const size_t shape[] = {rows, columns}, back[] = {columns, rows};
  nd_view src = make_packed(dtype, 2, back), dst = make_packed(dtype, 2, shape), turned;
  fill_bytes(&src);
  if (nd_view_permute(&src, (const int[]){1, 0}, &turned, NULL) != ND_OK) abort();
  check_copy(&dst, &turned, ND_SATURATE);
  drop(&turned), drop(&src), drop(&dst);
}

/* Every size of element, around the sides of the blocks, and with rows that compete for the places
 * of a cache. */
static void check_blocks(void) {
  static const nd_dtype dtypes[] = {ND_U8, ND_I16, ND_F32, ND_I64, ND_C128};
  static const size_t sides[] = {1, 3, 4, 15, 16, 17, 31, 33, 64, 129};
  const size_t every = 500 / scaled(500);
  for (size_t d = 0, n = 0; d < ND_COUNTOF(dtypes); d++)
    for (size_t i = 0; i < ND_COUNTOF(sides); i++)
      for (size_t j = 0; j < ND_COUNTOF(sides); j++)
        if (n++ % every == 0) check_turned(dtypes[d], sides[i], sides[j]);
  for (size_t d = 0; d < ND_COUNTOF(dtypes); d++) check_turned(dtypes[d], 64 + below(70), 512);
}

/* From 1 MiB on, so that several threads work. */
static void check_large(void) {
  static const size_t shapes[][3] = {
      {2, 700, 800}, {1, 3, 400000}, {1100000, 1, 1}, {300, 4, 1000}};
  for (size_t i = 0; i < scaled(ND_COUNTOF(shapes)) && i < ND_COUNTOF(shapes); i++)
    for (int turned = 0; turned < 3; turned++) {
      static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {2, 0, 1}};
      size_t back[3];
      for (int a = 0; a < 3; a++) back[orders[turned][a]] = shapes[i][a];
      nd_view src = make_packed(ND_I16, 3, back),
              dst = make_packed(turned ? ND_I16 : ND_F32, 3, shapes[i]);
      nd_view seen;
      fill_bytes(&src);
      if (nd_view_permute(&src, orders[turned], &seen, NULL) != ND_OK) abort();
      check_copy(&dst, &seen, ND_SATURATE);
      drop(&seen), drop(&src), drop(&dst);
    }
}

/* Past the caches: forwards and backwards, at any address, from dtypes as wide as the result. */
static void check_passing(void) {
  static const nd_dtype pairs[][2] = {{ND_U8, ND_U8},   {ND_I32, ND_F32}, {ND_F16, ND_I16},
                                      {ND_F64, ND_U64}, {ND_C64, ND_I64}, {ND_C128, ND_C128}};
  for (size_t i = 0; i < 4 * ND_COUNTOF(pairs); i++) {
    const size_t n = (16 << 10) + below(100), skipped = below(9), shape[] = {skipped + n};
    nd_view src = make_packed(pairs[i / 4][1], 1, shape),
            dst = make_packed(pairs[i / 4][0], 1, shape), part, from, to;
    fill_bytes(&src);
    if (nd_view_narrow(&src, 0, skipped, n, &part, NULL) != ND_OK ||
        nd_view_flip(&part, (uint32_t)below(2), &from, NULL) != ND_OK ||
        nd_view_narrow(&dst, 0, skipped, n, &to, NULL) != ND_OK)
      abort();
    check_copy(&to, &from, ND_SATURATE);
    drop(&from), drop(&part), drop(&to), drop(&src), drop(&dst);
  }
}

int main(void) {
  seed_from(20261121);
  if (nd_init(NULL)) return 2;
  for (size_t i = 0; i < ND_COUNTOF(levels); i++) {
    if (!show_level(levels[i])) continue;
    for (int threads = 1; threads < 5; threads += 2) {
      nd_threads_set(threads);
      printf("# %d threads\n", nd_threads_get());
      group("random shapes, layouts and pairs of dtypes");
      check_random(scaled(1500));
      group("transpositions around the sides of blocks");
      check_blocks();
    }
    group("large ones on several threads");
    check_large();
    group("past the caches");
    atomic_store(&ndi_passes_from, 0); /* until the next level is used */
    check_passing();
    check_random(scaled(1500));
    check_large();
  }
  CHECK(live_bytes() == 0, "%" PRIu64 " B are left", live_bytes());
  return finish();
}
