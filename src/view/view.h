/* Views: a storage, an offset, a dtype, and axes with byte strides. Every function here makes a
 * view and moves no data. */
#ifndef ND_VIEW_VIEW_H
#define ND_VIEW_VIEW_H

#include "base/dtype.h"
#include "mem/storage.h"

enum { ND_MAX_NDIM = 16 };

typedef struct {
  size_t len;     /* extent */
  ptrdiff_t step; /* stride in bytes; any sign, 0 for a broadcast axis */
} nd_axis;

/* The axes come last and only the first 'ndim' count, so that a handle may end after them. */
typedef struct {
  nd_storage *storage; /* one hold */
  size_t offset;       /* bytes from the storage's start to element (0, 0, …) */
  uint8_t dtype;       /* nd_dtype */
  uint8_t ndim;        /* 0 to ND_MAX_NDIM */
  bool is_read_only;   /* also when only the storage is */
  size_t size;         /* elements */
  nd_axis axis[ND_MAX_NDIM];
} nd_view;

/* Functions that make a view: 'src' stays the caller's and is not 'out'. On ND_OK 'out' holds one
 * count of the storage and must be dropped; on failure it is untouched. Axes, indices and counts of
 * the core are 0-based; those that come from a script pass through view/index.h first. */

/* A view of all of 'shape' from byte 'offset', in row-major order where 'steps' is NULL. Takes a
 * hold of its own. ND_OUT_OF_BOUNDS when an element would lie outside the storage, ND_OVERFLOW when
 * sizes do not fit. */
nd_status nd_view_make(nd_storage *storage, size_t offset, nd_dtype dtype, int ndim,
                       const size_t *shape, const ptrdiff_t *steps, nd_view *out, nd_error *err);

/* 'out' becomes a second view of the same elements. */
void nd_view_copy(const nd_view *src, nd_view *out);
/* The same without a hold of its own: it must not outlive 'src', and is not dropped. A struct
 * assignment would read behind a handle that ends after its axes. */
void nd_view_borrow(const nd_view *src, nd_view *out);
void nd_view_drop(nd_view *view);

static inline size_t nd_view_itemsize(const nd_view *v) {
  return nd_dtype_get((nd_dtype)v->dtype)->bytes;
}
static inline size_t nd_view_nbytes(const nd_view *v) { return v->size * nd_view_itemsize(v); }

/* Row-major without gaps; axes of extent 1 and empty views do not count. */
bool nd_view_is_contiguous(const nd_view *v);

/* Half-open byte range of the storage that the elements lie in; lo == hi for an empty view. */
void nd_view_span(const nd_view *v, size_t *lo, size_t *hi);

/* May two views share a byte? Exact for ranges, which is on the safe side for interleaved ones. */
bool nd_view_may_overlap(const nd_view *a, const nd_view *b);

/* Do two elements of the view share a byte? On the safe side for exotic strides. */
bool nd_view_overlaps_itself(const nd_view *v);

bool nd_view_same_shape(const nd_view *a, const nd_view *b);

/* "2x3x4", "scalar" for 0-d; cut with … where 'text' is too short. Returns 'text'. */
const char *nd_shape_text(int ndim, const nd_axis *axis, char *text, size_t bytes);
enum { ND_SHAPE_TEXT = 128 };

/* Invariants, for specs. */
bool nd_view_is_sound(const nd_view *v);

/* {=== shape ===} */

/* One entry of 'shape' may be -1. ND_INVALID_VIEW when the elements cannot be laid out so without a
 * copy. */
nd_status nd_view_reshape(const nd_view *src, int ndim, const int64_t *shape, nd_view *out,
                          nd_error *err);

/* Axis i of 'out' is axis order[i] of 'src'; 'order' names each axis once. */
nd_status nd_view_permute(const nd_view *src, const int *order, nd_view *out, nd_error *err);
nd_status nd_view_narrow(const nd_view *src, int axis, size_t first, size_t len, nd_view *out,
                         nd_error *err);
nd_status nd_view_select(const nd_view *src, int axis, size_t at, nd_view *out, nd_error *err);

/* 'axis' -1: all axes of extent 1. A named one must have extent 1. */
nd_status nd_view_squeeze(const nd_view *src, int axis, nd_view *out, nd_error *err);
nd_status nd_view_unsqueeze(const nd_view *src, int axis, nd_view *out, nd_error *err);

/* Broadcast to 'shape'; read-only where an element shows up twice. */
nd_status nd_view_expand(const nd_view *src, int ndim, const size_t *shape, nd_view *out,
                         nd_error *err);

/* Windows of 'size' every 'step' along 'axis'; the window is a new last axis. */
nd_status nd_view_unfold(const nd_view *src, int axis, size_t size, size_t step, nd_view *out,
                         nd_error *err);

/* Diagonal 'k' (above: positive) of the last two axes, as a new last axis. */
nd_status nd_view_diagonal(const nd_view *src, int64_t k, nd_view *out, nd_error *err);
nd_status nd_view_flip(const nd_view *src, uint32_t axes, nd_view *out,
                       nd_error *err); /* bit i: axis i */

/* The same bytes as another dtype; a change of item size scales the last axis, which must be
 * contiguous then. */
nd_status nd_view_bitcast(const nd_view *src, nd_dtype dtype, nd_view *out, nd_error *err);

/* 'size' bytes of a contiguous array, as u8, from 'offset', counted from its first byte: never
 * bytes of its storage that are not its own. ND_INVALID_VIEW, ND_OUT_OF_BOUNDS. */
nd_status nd_view_bytes(const nd_view *src, size_t offset, size_t size, nd_view *out,
                        nd_error *err);

/* All of the storage, as u8. */
nd_status nd_view_storage_bytes(const nd_view *src, nd_view *out, nd_error *err);

/* Any shape and byte steps over the storage of 'src', from byte 'offset' of the storage. */
nd_status nd_view_as_strided(const nd_view *src, int ndim, const size_t *shape,
                             const ptrdiff_t *steps, size_t offset, nd_view *out, nd_error *err);

/* Real (0) or imaginary (1) parts of a complex view. */
nd_status nd_view_part(const nd_view *src, int part, nd_view *out, nd_error *err);

/* Field of 'dtype' at 'offset' in records of 'stride' bytes: 1-D, 'count' long, over the bytes of
 * 'src' (contiguous). */
nd_status nd_view_field(const nd_view *src, size_t offset, size_t stride, size_t count,
                        nd_dtype dtype, nd_view *out, nd_error *err);

/* {=== broadcasting ===} */

/* The shape that two shapes broadcast to. ND_SHAPE_MISMATCH names both and 'what'. */
nd_status nd_broadcast_shape(const char *what, const nd_view *a, const nd_view *b, int *ndim,
                             size_t *shape, nd_error *err);

/* 'src' as seen from a destination of 'like's shape: expanded, extra leading axes of extent 1
 * dropped. */
nd_status nd_view_expand_like(const char *what, const nd_view *src, const nd_view *like,
                              nd_view *out, nd_error *err);

#endif
