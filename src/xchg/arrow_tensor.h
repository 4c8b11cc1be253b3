/* The metadata of Arrow's extension arrow.fixed_shape_tensor: the shape of each tensor of a column.
 */
#ifndef ND_XCHG_ARROW_TENSOR_H
#define ND_XCHG_ARROW_TENSOR_H

#include "xchg/arrow.h"

typedef struct {
  bool is_tensor; /* else nothing is set */
  int ndim;
  size_t shape[ND_MAX_NDIM], items; /* as they lie; their product */
  int order[ND_MAX_NDIM];           /* axis i of the tensor is axis order[i] of 'shape' */
} ndi_arrow_tensor;

/* ND_FORMAT for metadata that is damaged, ND_UNSUPPORTED for too many axes. */
nd_status ndi_arrow_tensor_read(const struct ArrowSchema *schema, ndi_arrow_tensor *out,
                                nd_error *err);

/* Append a decimal digit to a number. False on overflow. */
static inline bool ndi_append_size(size_t *value, char digit) {
  return !__builtin_mul_overflow(*value, (size_t)10, value) &&
         !__builtin_add_overflow(*value, (size_t)(digit - '0'), value);
}

#endif
