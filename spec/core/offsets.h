/* The model of a view: the byte offset of each element, in row-major order. What a view operation
 * does is arithmetic on indices into it. */
#ifndef ND_SPEC_OFFSETS_H
#define ND_SPEC_OFFSETS_H

#include "arrays.h"
#include "mem/host.h"

enum { MOST_OFFSETS = 4096, STORAGE_BYTES = 6000 };

typedef struct {
  int ndim;
  size_t shape[ND_MAX_NDIM + 1], size;
  ptrdiff_t at[MOST_OFFSETS];
} model;

/* Fix the size from the shape. False: too large for a model. */
static inline bool size_model(model *m) {
  m->size = 1;
  for (int i = 0; i < m->ndim; i++) m->size *= m->shape[i];
  return m->size <= MOST_OFFSETS;
}

static inline size_t flat_index(int ndim, const size_t *shape, const size_t *index) {
  size_t flat = 0;
  for (int i = 0; i < ndim; i++) flat = flat * shape[i] + index[i];
  return flat;
}

static inline void unflatten(int ndim, const size_t *shape, size_t flat, size_t *index) {
  for (int i = ndim; i-- > 0; flat /= shape[i]) index[i] = flat % shape[i];
}

static inline ptrdiff_t offset_at(const nd_view *v, const size_t *index) {
  ptrdiff_t at = (ptrdiff_t)v->offset;
  for (int i = 0; i < v->ndim; i++) at += (ptrdiff_t)index[i] * v->axis[i].step;
  return at;
}

static inline bool model_of(const nd_view *v, model *m) {
  size_t index[ND_MAX_NDIM];
  m->ndim = v->ndim;
  for (int i = 0; i < v->ndim; i++) m->shape[i] = v->axis[i].len;
  if (!size_model(m)) return false;
  for (size_t k = 0; k < m->size; k++) {
    unflatten(m->ndim, m->shape, k, index);
    m->at[k] = offset_at(v, index);
  }
  return true;
}

/* The view is sound, has the model's shape, and its elements are where the model says. */
static inline bool is_model(const nd_view *v, const model *m) {
  size_t index[ND_MAX_NDIM];
  if (!nd_view_is_sound(v) || v->size != m->size || v->ndim != m->ndim) return false;
  for (int i = 0; i < m->ndim; i++)
    if (v->axis[i].len != m->shape[i]) return false;
  for (size_t k = 0; k < m->size; k++) {
    unflatten(m->ndim, m->shape, k, index);
    if (offset_at(v, index) != m->at[k]) return false;
  }
  return true;
}

/* A view of a random shape and steps that fits the storage. */
static inline nd_view random_view(nd_storage *storage) {
  for (;;) {
    size_t shape[ND_MAX_NDIM], size = 1;
    ptrdiff_t steps[ND_MAX_NDIM];
    const int ndim = (int)below(below(8) ? 5 : ND_MAX_NDIM + 1);
    const nd_dtype dtype = random_dtype();
    for (int i = 0; i < ndim; i++) {
      shape[i] = ndim > 6 ? 1 + !below(3) : below(20) ? 1 + below(6) : 0;
      steps[i] = (ptrdiff_t)below(200) - 100;
      if (below(2)) steps[i] *= (ptrdiff_t)bytes_of(dtype);
      size *= shape[i];
    }
    nd_view v;
    if (size <= MOST_OFFSETS / 4 && nd_view_make(storage, below(STORAGE_BYTES), dtype, ndim, shape,
                                                 below(2) ? steps : NULL, &v, NULL) == ND_OK)
      return v;
  }
}

static inline nd_storage *make_storage(void) {
  nd_storage *s;
  if (nd_storage_make(nd_host_resource(), STORAGE_BYTES, (nd_storage_options){.lazy = true}, &s,
                      NULL))
    abort();
  return s;
}

#endif
