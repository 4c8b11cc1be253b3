/* Views: a storage, a byte offset, a dtype, and axes of extent and byte stride. The functions here
 * make views of the same bytes; none copies elements. */
#ifndef ND_VIEW_VIEW_H
#define ND_VIEW_VIEW_H

#include "base/dtype.h"
#include "mem/storage.h"

enum { ND_MAX_NDIM = 16 };

typedef struct {
  size_t len;     /* extent */
  ptrdiff_t step; /* stride in bytes; any sign, 0 for a broadcast axis */
} nd_axis;

/* Only the first 'ndim' axes are valid. They come last, so that a handle in Lua can be allocated
 * without the others. */
typedef struct {
  nd_storage *storage; /* one reference, unless the view is borrowed */
  size_t offset;       /* bytes from the storage's start to element (0, 0, …) */
  uint8_t dtype;       /* nd_dtype */
  uint8_t ndim;        /* 0 to ND_MAX_NDIM */
  bool is_read_only;   /* always where the storage is */
  size_t size;         /* elements: the product of the extents */
  nd_axis axis[ND_MAX_NDIM];
} nd_view;

/* All functions that make a view: 'src' stays the caller's, and must not be 'out'. On ND_OK 'out'
 * has a reference to the storage of its own, and must be dropped; on failure it is untouched. Axes
 * and indices are 0-based. The caller has checked that a parameter 'axis' exists. */

/* Make a view of 'shape', whose element (0, 0, …) is at byte 'offset' of the storage. 'steps' has
 * the byte stride of each axis; NULL: row-major without gaps. ND_INVALID_ARGUMENT for too many
 * axes, ND_OVERFLOW where the bytes of the shape exceed ND_SIZE_MAX, ND_OUT_OF_BOUNDS where an
 * element would lie outside the storage. */
nd_status nd_view_make(nd_storage *storage, size_t offset, nd_dtype dtype, int ndim,
                       const size_t *shape, const ptrdiff_t *steps, nd_view *out, nd_error *err);

/* The same for a new storage, whose only reference the view takes over; on failure it is dropped.
 */
nd_status nd_view_make_over(nd_storage *storage, nd_dtype dtype, int ndim, const size_t *shape,
                            const ptrdiff_t *steps, nd_view *out, nd_error *err);

/* Make 'out' a second view of the same elements, with a reference of its own. */
void nd_view_copy(const nd_view *src, nd_view *out);
/* The same without a reference of its own: 'out' must not outlive 'src', and is not dropped. Use it
 * instead of a struct assignment, which may read past the end of a handle (see nd_view). */
void nd_view_borrow(const nd_view *src, nd_view *out);
/* Remove the view's reference. Idempotent. */
void nd_view_drop(nd_view *view);

static inline size_t nd_view_itemsize(const nd_view *v) {
  return nd_dtype_get((nd_dtype)v->dtype)->bytes;
}
static inline size_t nd_view_nbytes(const nd_view *v) { return v->size * nd_view_itemsize(v); }

/* Write the extents of 'v' to 'shape', which has room for ND_MAX_NDIM. */
static inline void nd_view_shape(const nd_view *v, size_t *shape) {
  for (int i = 0; i < v->ndim; i++) shape[i] = v->axis[i].len;
}

/* Are the elements in row-major order without gaps? The stride of an axis of extent 1 does not
 * matter; an empty view is contiguous. */
bool nd_view_is_contiguous(const nd_view *v);

/* The smallest byte range [*lo, *hi) of the storage that has all elements; lo == hi for an empty
 * view. */
void nd_view_span(const nd_view *v, size_t *lo, size_t *hi);

/* Set '*out' to the CPU's address of the storage, of which it is to read (with 'for_write': write)
 * the bytes of the view: nd_storage_host. */
nd_status nd_view_host(const nd_view *v, bool for_write, char **out, nd_error *err);

/* May two views share a byte? Compares their spans, so that it is conservative: true for
 * interleaved views, such as even and odd columns. Knows mappings of the same file, and storages
 * that wrap the same memory. */
bool nd_view_may_overlap(const nd_view *a, const nd_view *b);

/* May two elements of the view share a byte, as in a broadcast or sliding-window view?
 * Conservative: true for some unusual strides where none do. */
bool nd_view_overlaps_itself(const nd_view *v);

bool nd_view_same_shape(const nd_view *a, const nd_view *b);

/* Write a shape for messages, as "2x3x4", or "scalar" for 0-d; truncated with "…" where 'bytes' are
 * too few. Returns 'text'. */
const char *nd_shape_text(int ndim, const nd_axis *axis, char *text, size_t bytes);
enum { ND_SHAPE_TEXT = 128 };

/* Do the invariants hold: known dtype, size as the extents say, all elements within the storage? */
bool nd_view_is_sound(const nd_view *v);

/* {=== shape ===} */

/* View the elements, in row-major order, in another shape. One extent may be -1: it follows from
 * the others. ND_SIZE_MISMATCH for another number of elements, ND_INVALID_VIEW where strides cannot
 * express it, so that it needs a copy. */
nd_status nd_view_reshape(const nd_view *src, int ndim, const int64_t *shape, nd_view *out,
                          nd_error *err);

/* Axis i of 'out' is axis order[i] of 'src'. ND_INVALID_ARGUMENT unless it has each axis once. */
nd_status nd_view_permute(const nd_view *src, const int *order, nd_view *out, nd_error *err);

/* Items 'first' to first + len - 1 of 'axis'; or (select) item 'at' of it, without the axis.
 * ND_INDEX_OUT_OF_RANGE. */
nd_status nd_view_narrow(const nd_view *src, int axis, size_t first, size_t len, nd_view *out,
                         nd_error *err);
nd_status nd_view_select(const nd_view *src, int axis, size_t at, nd_view *out, nd_error *err);

/* Remove 'axis', whose extent must be 1 (ND_SHAPE_MISMATCH); -1: every axis of extent 1. */
nd_status nd_view_squeeze(const nd_view *src, int axis, nd_view *out, nd_error *err);

/* Insert an axis of extent 1 before 'axis', which may be src->ndim: after the last. */
nd_status nd_view_unsqueeze(const nd_view *src, int axis, nd_view *out, nd_error *err);

/* Broadcast to 'shape' by strides of 0: axes of extent 1 are stretched, missing ones added in
 * front. Read-only if an element appears more than once. ND_SHAPE_MISMATCH. */
nd_status nd_view_expand(const nd_view *src, int ndim, const size_t *shape, nd_view *out,
                         nd_error *err);

/* Sliding windows of 'size' items, one every 'step' items of 'axis', which then counts the windows;
 * the items of a window are a new last axis. ND_INDEX_OUT_OF_RANGE where the axis is shorter than a
 * window, ND_INVALID_ARGUMENT for 0. */
nd_status nd_view_unfold(const nd_view *src, int axis, size_t size, size_t step, nd_view *out,
                         nd_error *err);

/* Diagonal 'k' of the last two axes, as the last axis in place of both. It begins 'k' columns to
 * the right of the main diagonal, or -k rows below. */
nd_status nd_view_diagonal(const nd_view *src, int64_t k, nd_view *out, nd_error *err);

/* Reverse axis i for each bit i of 'axes'. Never fails. */
nd_status nd_view_flip(const nd_view *src, uint32_t axes, nd_view *out, nd_error *err);

/* The same bytes as elements of another dtype. Where its size differs, the last axis is scaled, and
 * must be contiguous (ND_INVALID_VIEW) with a number of bytes that fits (ND_SIZE_MISMATCH). */
nd_status nd_view_bitcast(const nd_view *src, nd_dtype dtype, nd_view *out, nd_error *err);

/* 'size' bytes of a contiguous view as u8, from 'offset' bytes after its first element.
 * ND_INVALID_VIEW if it is not contiguous, ND_OUT_OF_BOUNDS beyond its own bytes, even if the
 * storage has more. */
nd_status nd_view_bytes(const nd_view *src, size_t offset, size_t size, nd_view *out,
                        nd_error *err);

/* All bytes of the storage of 'src', as u8. */
nd_status nd_view_storage_bytes(const nd_view *src, nd_view *out, nd_error *err);

/* Any shape and byte strides over the storage of 'src', as in nd_view_make: 'offset' counts from
 * the start of the storage, and all of it may be viewed. */
nd_status nd_view_as_strided(const nd_view *src, int ndim, const size_t *shape,
                             const ptrdiff_t *steps, size_t offset, nd_view *out, nd_error *err);

/* The real (part 0) or imaginary (1) parts of a complex view. ND_TYPE_MISMATCH for others. */
nd_status nd_view_part(const nd_view *src, int part, nd_view *out, nd_error *err);

/* A field of an array of packed records, as a 1-D view of 'count' elements of 'dtype'. 'src' is the
 * array's bytes, contiguous; a record has 'stride' bytes, with the field at 'offset' in it.
 * ND_OUT_OF_BOUNDS where 'src' has too few bytes. */
nd_status nd_view_field(const nd_view *src, size_t offset, size_t stride, size_t count,
                        nd_dtype dtype, nd_view *out, nd_error *err);

/* {=== broadcasting ===} */

/* The shape that the shapes of 'a' and 'b' broadcast to; 'shape' has room for ND_MAX_NDIM.
 * ND_SHAPE_MISMATCH with both and 'what', the operation, in its message. */
nd_status nd_broadcast_shape(const char *what, const nd_view *a, const nd_view *b, int *ndim,
                             size_t *shape, nd_error *err);

/* Broadcast 'src' to the shape of 'like', the destination of an assignment: as nd_view_expand, but
 * leading axes of extent 1 that 'like' lacks are removed first. 'what' as above. */
nd_status nd_view_expand_like(const char *what, const nd_view *src, const nd_view *like,
                              nd_view *out, nd_error *err);

#endif
