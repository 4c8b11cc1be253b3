/* What several files of ops/ share. Sections are layers: each may call those above it. A function
 * that makes an 'out' gives it one reference to its storage on ND_OK (drop it with nd_view_drop),
 * and leaves it untouched on failure. */
#ifndef ND_OPS_COMMON_H
#define ND_OPS_COMMON_H

#include "ops/ops.h"

static inline const char *ndi_dtype_name(const nd_view *v) {
  return nd_dtype_get((nd_dtype)v->dtype)->name;
}

/* {=== checks ===} common.c */

/* The shape of 'v' as text, by nd_shape_text; 'text' has ND_SHAPE_TEXT bytes. */
const char *ndi_shape_text(const nd_view *v, char *text);

/* A view without a storage: a shape to compare with or to broadcast to. */
nd_view ndi_shape_view(int ndim, const size_t *shape);

/* ND_INDEX_OUT_OF_RANGE unless 0 <= axis < ndim. */
nd_status ndi_check_axis(const char *what, int axis, int ndim, nd_error *err);

/* ND_FREED where the storage of 'v' was freed; ND_OK also before it is allocated. */
nd_status ndi_check_live(const nd_view *v, nd_error *err);

/* True when 'a' and 'b' view the same elements of one storage in the same order, so that reading
 * one while writing the other is element-wise safe. */
bool ndi_same_elements(const nd_view *a, const nd_view *b);

/* May 'dst' be written? ND_FREED, ND_READ_ONLY, or ND_OVERLAP where two of its elements share
 * bytes. */
nd_status ndi_check_writable(const nd_view *dst, nd_error *err);

/* May 'operand' be copied implicitly to the device of 'target'? Host memory may go anywhere; memory
 * of a device only moves when the script asks for it (:to): ND_UNSUPPORTED. */
nd_status ndi_check_device(const nd_view *target, const nd_view *operand, nd_error *err);

/* The dtype that 'a' and 'b' promote to. ND_TYPE_MISMATCH where there is none; the message names
 * both and suggests astype. 'what' names the operation. */
nd_status ndi_promote(const char *what, nd_dtype a, nd_dtype b, nd_dtype *out, nd_error *err);

/* ND_TYPE_MISMATCH where integers of 'from' lose digits in 'dtype', in which the operation
 * computes, and 'dst' is of integers or bool, where the loss would go unnoticed. */
nd_status ndi_check_digits(const char *what, nd_dtype from, nd_dtype dtype, const nd_view *dst,
                           nd_error *err);

/* {=== new arrays ===} new.c */

/* A new row-major array, allocated lazily, in the same kind of memory and on the same device as
 * 'like'. Where 'like' is a file or foreign memory: in the default memory of its device. */
nd_status ndi_new_on(const nd_view *like, nd_dtype dtype, int ndim, const size_t *shape,
                     nd_view *out, nd_error *err);

/* {=== sums and products in a dtype that is asked for ===} total.c */

/* 'src' as an array whose sums and products are those in 'dtype', but for the dtype of the result:
 * integers are added up in 64 bits. ND_TYPE_MISMATCH where the elements would lose their fractions
 * or imaginary parts. 'what' names the operation. */
nd_status ndi_total_source(const char *what, const nd_view *src, nd_dtype dtype, nd_view *out,
                           nd_error *err);

/* The result 'made', which is taken over, as 'dtype'. */
nd_status ndi_total_result(nd_view *made, nd_dtype dtype, nd_view *out, nd_error *err);

/* {=== copies ===} copy.c */

/* A row-major copy of 'src' as 'dtype', where ndi_new_on puts it. */
nd_status ndi_copy_on(const nd_view *like, const nd_view *src, nd_dtype dtype, nd_cast_mode mode,
                      nd_view *out, nd_error *err);

/* {=== operands ===} operand.c */

/* Make 'src' ready to be read by the device of 'dst': another view of it if it has the right dtype
 * and device, and, where 'is_disjoint', shares no bytes with 'dst'; else a saturating copy on the
 * device of 'dst'. */
nd_status ndi_operand(const nd_view *dst, bool is_disjoint, const nd_view *src, nd_dtype dtype,
                      nd_view *out, nd_error *err);

/* View 'src' in another shape of equal size; where its strides do not allow that, view a copy of
 * it. */
nd_status ndi_reshape(const nd_view *src, int ndim, const size_t *shape, nd_view *out,
                      nd_error *err);

/* {=== picking ===} gather.c: indices, masks and values as they are needed to pick from 'dst' or to
 * assign to it, as new views that the caller drops */

/* ND_TYPE_MISMATCH unless 'index' has integers. */
nd_status ndi_check_index_dtype(const char *what, const nd_view *index, nd_error *err);

/* An index or mask as ndi_operand makes it ready. It is read twice (checked, or counted, then
 * applied), so it must not change in between. A mapped file may, when another process writes to it,
 * so it is copied. */
nd_status ndi_selector(const nd_view *dst, bool is_disjoint, const nd_view *src, nd_dtype dtype,
                       nd_view *out, nd_error *err);

/* 'index' as a contiguous 1-D i64 list on the device of 'dst', without bytes in common with it, all
 * of it checked against 'extent'. ND_TYPE_MISMATCH unless it has integers, ND_INDEX_OUT_OF_RANGE;
 * 'what' and 'axis' (0-based) are for the messages. */
nd_status ndi_index_list(const char *what, const nd_view *dst, const nd_view *index, int axis,
                         size_t extent, nd_view *out, nd_error *err);

/* 'values' as the dtype and on the device of 'dst', without bytes in common with it, broadcast to
 * 'shape'. */
nd_status ndi_values_like(const char *what, const nd_view *dst, const nd_view *values, int ndim,
                          const size_t *shape, nd_view *out, nd_error *err);

/* {=== lines ===} lines.c: devices sort and select along the last axis of packed arrays */

/* A packed copy of 'v' with 'axis' moved to the end, or, where 'is_back', the last axis to 'axis'.
 */
nd_status ndi_copy_moved(const nd_view *v, int axis, bool is_back, nd_view *out, nd_error *err);

/* Turn 'made', whose last axis belongs at 'axis', into the result, or drop it where 'status' is a
 * failure, which is returned. Takes over its reference. */
nd_status ndi_finish_lines(nd_status status, nd_view *made, int axis, nd_view *out, nd_error *err);

/* 'v' to be read as packed lines, (number of lines, elements of each): a line has the elements of
 * all axes of the set 'axes', in their order. A view where strides allow that; where what is read
 * must not change meanwhile, 'copies_files', and mapped files are copied. */
nd_status ndi_view_lines(const nd_view *v, uint32_t axes, bool copies_files, nd_view *out,
                         nd_error *err);

/* {=== scalars ===} scalar.c: numbers of the script as operands */

/* A 0-d host array of the dtype of 'value' that holds it. */
nd_status ndi_scalar_view(const nd_scalar *value, nd_view *out, nd_error *err);

/* Prepare the comparison '*op' of elements of 'dtype' with 'value' on the right, which 'dtype' may
 * not represent. 'out' becomes a 0-d host array of 'dtype', and '*op' may change, such that the
 * elements compare with 'out' exactly as they do with 'value' in mathematics. ND_NOT_REPRESENTABLE
 * for the order of a complex value. */
nd_status ndi_scalar_compared(const char *what, nd_op *op, const nd_scalar *value, nd_dtype dtype,
                              nd_view *out, nd_error *err);

/* Prepare 'value' as an upper or lower bound of elements of 'dtype': 'out' becomes a 0-d host array
 * of 'dtype', as nd_scalar_as makes it; where the bound is beyond the range of the dtype and so
 * never binds, its extreme value. */
nd_status ndi_scalar_bound(const char *what, bool is_upper, const nd_scalar *value, nd_dtype dtype,
                           nd_view *out, nd_error *err);

#endif
