/* What several files of ops/ share: shapes, checks, new arrays beside another one, operands made
 * ready. */
#ifndef ND_OPS_COMMON_H
#define ND_OPS_COMMON_H

#include "ops/ops.h"

static inline const char *ndi_dtype_name(const nd_view *v) {
  return nd_dtype_get((nd_dtype)v->dtype)->name;
}

/* nd_shape_text of a view; 'text' has ND_SHAPE_TEXT bytes. */
const char *ndi_shape_text(const nd_view *v, char *text);

/* The extents of 'v'; 'shape' has room for ND_MAX_NDIM. */
void ndi_shape_get(const nd_view *v, size_t *shape);

/* ND_INDEX_OUT_OF_RANGE unless 0 <= axis < ndim. */
nd_status ndi_check_axis(const char *what, int axis, int ndim, nd_error *err);

/* ND_FREED where the memory of 'v' was freed; what was not allocated yet is fine. */
nd_status ndi_check_live(const nd_view *v, nd_error *err);

/* The very same elements, each in the same place. */
bool ndi_same_elements(const nd_view *a, const nd_view *b);

/* ND_FREED, ND_READ_ONLY, ND_OVERLAP where 'dst' has an element twice. */
nd_status ndi_check_writable(const nd_view *dst, nd_error *err);

/* The functions below that make an 'out' give it one hold on ND_OK and leave it untouched on
 * failure. */

/* A new lazy row-major array on the place of 'like'; on the host where 'like' is a file or foreign.
 */
nd_status ndi_new_beside(const nd_view *like, nd_dtype dtype, int ndim, const size_t *shape,
                         nd_view *out, nd_error *err);

/* A row-major copy of 'src' as 'dtype' on the place of 'like'. */
nd_status ndi_copy_beside(const nd_view *like, const nd_view *src, nd_dtype dtype,
                          nd_cast_mode mode, nd_view *out, nd_error *err);

/* May 'operand' be moved to the device of 'beside'? Memory of the host may; from a GPU nothing
 * comes but by :to, ND_UNSUPPORTED. */
nd_status ndi_check_beside(const nd_view *beside, const nd_view *operand, nd_error *err);

/* 'src' as an operand of 'dtype' beside 'dst': a second view where that is what it is, else a
 * saturating copy; also a copy where 'is_apart' and it may overlap 'dst'. */
nd_status ndi_operand(const nd_view *dst, bool is_apart, const nd_view *src, nd_dtype dtype,
                      nd_view *out, nd_error *err);

/* 'src' as another shape of equal size: a view, or one of a copy where its strides do not allow it.
 */
nd_status ndi_reshape(const nd_view *src, int ndim, const size_t *shape, nd_view *out,
                      nd_error *err);

/* The dtype that 'a' and 'b' are promoted to; ND_TYPE_MISMATCH names both, and astype. */
nd_status ndi_promote(const char *what, nd_dtype a, nd_dtype b, nd_dtype *out, nd_error *err);

/* ND_TYPE_MISMATCH where integers of 'from' lose digits, being computed in 'dtype', and 'dst' is of
 * integers or bool, which would not show it. */
nd_status ndi_check_digits(const char *what, nd_dtype from, nd_dtype dtype, const nd_view *dst,
                           nd_error *err);

/* 'value' as a 0-d host array of its own dtype. */
nd_status ndi_scalar_view(const nd_scalar *value, nd_view *out, nd_error *err);

/* What elements of 'dtype' are to be compared with, a 0-d host array of 'dtype', and how: '*op'
 * then answers as the same comparison with 'value' on the right does in mathematics.
 * ND_NOT_REPRESENTABLE for the order of a complex value. */
nd_status ndi_scalar_compared(const char *what, nd_op *op, const nd_scalar *value, nd_dtype dtype,
                              nd_view *out, nd_error *err);

/* 'value' as a bound of elements of 'dtype', a 0-d host array of 'dtype': as nd_scalar_as makes it,
 * or the last that the dtype holds where the bound lies beyond and so never binds. */
nd_status ndi_scalar_bound(const char *what, bool is_upper, const nd_scalar *value, nd_dtype dtype,
                           nd_view *out, nd_error *err);

#endif
