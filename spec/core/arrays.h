/* Random arrays for specs of views, and plain loops over their elements that share nothing with
 * view/iter. */
#ifndef ND_SPEC_ARRAYS_H
#define ND_SPEC_ARRAYS_H

#include <stdlib.h>

#include "mem/host.h"
#include "ops/ops.h"

#include "values.h"

static uint64_t rng;

static inline size_t below(size_t n) { return n ? (size_t)(next_random(&rng) % n) : 0; }

/* A seed from the environment or the argument given, printed. */
static inline void seed_from(uint64_t fallback) {
  const char *text = getenv("NDBUF_SEED");
  rng = text ? strtoull(text, NULL, 10) : fallback;
  printf("# seed %" PRIu64 "\n", rng);
}

/* {=== the failing resource ===} */

typedef struct {
  nd_resource base;
  int until_refusal; /* takes that succeed before one that does not; negative: all do */
  int takes;         /* asked for */
} failing;

static inline nd_status failing_take(nd_resource *self, const nd_request *request, nd_block *out,
                                     nd_error *err) {
  failing *f = (failing *)self;
  f->takes++;
  if (f->until_refusal-- == 0)
    return nd_fail(err, ND_CAPACITY, "refused"); /* a code that is not tried again */
  return nd_resource_take(self->up, request, out, err);
}

static inline nd_status failing_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                                     nd_error *err) {
  return nd_resource_give(self->up, block, after, err);
}

/* One for the process: in it are all arrays of a spec. */
static inline failing *the_resource(void) {
  static const nd_resource_ops ops = {
      .name = "failing", .take = failing_take, .give = failing_give};
  static failing f = {.base = {.ops = &ops, .holds = 1, .kind = ND_MEM_HOST}, .until_refusal = -1};
  f.base.up = nd_host_resource();
  return &f;
}

static inline uint64_t live_bytes(void) {
  nd_mem_stats stats;
  nd_resource_get_stats(nd_host_resource(), &stats);
  return stats.live.now;
}

static inline uint64_t live_blocks(void) {
  nd_mem_stats stats;
  nd_resource_get_stats(nd_host_resource(), &stats);
  return stats.live_count.now;
}

/* {=== elements ===} */

typedef size_t index_of[ND_MAX_NDIM];

/* The next index in row-major order; false after the last one. */
static inline bool next_index(const nd_view *v, size_t *index) {
  for (int i = v->ndim; i-- > 0; index[i] = 0)
    if (++index[i] < v->axis[i].len) return true;
  return false;
}

/* for (each index of v) … */
#define EACH(v, index)                                                          \
  for (bool more_ = (memset(index, 0, sizeof(index_of)), (v)->size > 0); more_; \
       more_ = next_index(v, index))

static inline char *element(const nd_view *v, const size_t *index) {
  char *host = NULL;
  if (nd_view_host(v, false, &host, NULL) != ND_OK) abort();
  ptrdiff_t at = (ptrdiff_t)v->offset;
  for (int i = 0; i < v->ndim; i++) at += (ptrdiff_t)index[i] * v->axis[i].step;
  return host + at;
}

static inline bool same_element(const nd_view *a, const size_t *ia, const nd_view *b,
                                const size_t *ib) {
  return memcmp(element(a, ia), element(b, ib), bytes_of((nd_dtype)a->dtype)) == 0;
}

/* Small integers exactly also where a long double has but 53 bits, as under valgrind. */
static inline long double number_at(const nd_view *v, const size_t *index) {
  const nd_dtype dtype = (nd_dtype)v->dtype;
  const char *p = element(v, index);
  const size_t unused = 64 - 8 * (bytes_of(dtype) < 8 ? bytes_of(dtype) : 8);
  if (nd_dtype_get(dtype)->kind != ND_KIND_INT) return read_value(dtype, p).re;
  return (long double)((int64_t)(read_bits(p, bytes_of(dtype)) << unused) >> unused);
}

/* Write a number that the dtype holds exactly. */
static inline void write_number(nd_dtype dtype, char *p, long double x) {
  const size_t bytes = is_complex(dtype) ? bytes_of(dtype) / 2 : bytes_of(dtype);
  const model_format *format = format_of(dtype);
  memset(p, 0, bytes_of(dtype));
  if (format) write_bits(p, bytes, model_encode(format, x));
  else write_bits(p, bytes, x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x);
}

static inline void set_number(const nd_view *v, const size_t *index, long double x) {
  write_number((nd_dtype)v->dtype, element(v, index), x);
}

static inline bool has_shape(const nd_view *v, int ndim, const size_t *shape) {
  if (v->ndim != ndim) return false;
  for (int i = 0; i < ndim; i++)
    if (v->axis[i].len != shape[i]) return false;
  return true;
}

/* {=== random arrays ===} */

static inline nd_view make_packed(nd_dtype dtype, int ndim, const size_t *shape) {
  nd_view v;
  if (nd_new(&the_resource()->base, dtype, ndim, shape, (nd_storage_options){.zeroed = true}, &v,
             NULL) != ND_OK)
    abort();
  return v;
}

/* Axes in any order of memory, some backwards, with gaps, at any address. */
static inline nd_view make_scattered(nd_dtype dtype, int ndim, const size_t *shape) {
  ptrdiff_t steps[ND_MAX_NDIM];
  int order[ND_MAX_NDIM] = {0};
  size_t run = bytes_of(dtype) + below(4), offset = below(9);
  for (int i = 0; i < ndim; i++) {
    const int j = (int)below((size_t)i + 1);
    order[i] = order[j], order[j] = i;
  }
  for (int i = 0; i < ndim; i++) {
    const int axis = order[i];
    steps[axis] = (ptrdiff_t)run;
    if (below(2) && shape[axis]) {
      steps[axis] = -steps[axis];
      offset += run * (shape[axis] - 1);
    }
    run = run * (shape[axis] ? shape[axis] : 1) + below(4);
  }
  nd_storage *storage;
  nd_view v;
  if (nd_storage_make(&the_resource()->base, offset + run + 16,
                      (nd_storage_options){.zeroed = true}, &storage, NULL) ||
      nd_view_make(storage, offset, dtype, ndim, shape, steps, &v, NULL))
    abort();
  nd_storage_drop(storage);
  return v;
}

/* Random bytes; bools are 0 or 1. */
static inline void fill_bytes(const nd_view *v) {
  index_of at;
  EACH(v, at) {
    char *p = element(v, at);
    for (size_t i = 0; i < bytes_of((nd_dtype)v->dtype); i++)
      p[i] = (char)(v->dtype == ND_BOOL ? below(2) : below(256));
  }
}

/* Numbers from 0 to 'top', as near as the dtype has them: up to 8 exactly, for bool up to 1. */
static inline void fill_numbers(const nd_view *v, size_t top) {
  index_of at;
  EACH(v, at) set_number(v, at, (long double)below((v->dtype == ND_BOOL ? 1 : top) + 1));
}

static inline int random_shape(int low, int high, size_t top, size_t *shape) {
  const int ndim = low + (int)below((size_t)(high - low) + 1);
  for (int i = 0; i < ndim; i++) shape[i] = below(12) == 0 ? 0 : 1 + below(top);
  return ndim;
}

static inline nd_view make_random(nd_dtype dtype, int ndim, const size_t *shape) {
  nd_view v = below(3) ? make_scattered(dtype, ndim, shape) : make_packed(dtype, ndim, shape);
  fill_bytes(&v);
  return v;
}

/* A packed array with the same elements, made by the loop above. */
static inline nd_view snapshot(const nd_view *src) {
  index_of at, shape;
  for (int i = 0; i < src->ndim; i++) shape[i] = src->axis[i].len;
  nd_view v = make_packed((nd_dtype)src->dtype, src->ndim, shape);
  EACH(src, at) memcpy(element(&v, at), element(src, at), bytes_of((nd_dtype)src->dtype));
  return v;
}

/* Shape, dtype and bytes. */
static inline bool same_bytes(const nd_view *a, const nd_view *b) {
  index_of at;
  if (a->dtype != b->dtype || !nd_view_same_shape(a, b)) return false;
  EACH(a, at) if (!same_element(a, at, b, at)) return false;
  return true;
}

static inline nd_dtype random_dtype(void) { return (nd_dtype)below(ND_DTYPE_COUNT); }

static const nd_dtype integers[] = {ND_I8, ND_U8, ND_I16, ND_U16, ND_I32, ND_U32, ND_I64, ND_U64};

static inline nd_dtype random_integer(bool is_signed) {
  return integers[is_signed ? 2 * below(4) : below(8)];
}

static inline void drop(nd_view *v) { nd_view_drop(v); }

#endif
