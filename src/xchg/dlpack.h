/* DLPack: arrays of other libraries of this process as ours, and ours for them, of the same bytes.
 * The declarations are our own, of the standard's version 1.1 (https://dmlc.github.io/dlpack). */
#ifndef ND_XCHG_DLPACK_H
#define ND_XCHG_DLPACK_H

#include "view/view.h"

enum { ND_DLPACK_MAJOR = 1, ND_DLPACK_MINOR = 1 };
enum { ND_DLPACK_READ_ONLY = 1, ND_DLPACK_COPIED = 2, ND_DLPACK_PADDED = 4 }; /* bits of 'flags' */

typedef struct {
  void *data; /* may be NULL where there are no elements */
  struct {
    int32_t type, id; /* as in nd_place_kind */
  } device;
  int32_t ndim;
  struct {
    uint8_t code, bits; /* an nd_dlpack_code; of an element */
    uint16_t lanes;
  } dtype;
  int64_t *shape, *strides; /* in elements; strides may be NULL: row-major without gaps */
  uint64_t byte_offset;     /* from 'data' to the first element */
} nd_dlpack_tensor;

/* The older form. */
typedef struct nd_dlpack_old {
  nd_dlpack_tensor tensor;
  void *context;
  void (*deleter)(struct nd_dlpack_old *self); /* may be NULL */
} nd_dlpack_old;

/* What comes before 'tensor' is the same in all versions. */
typedef struct nd_dlpack_versioned {
  uint32_t major, minor;
  void *context;
  void (*deleter)(struct nd_dlpack_versioned *self); /* may be NULL */
  uint64_t flags;
  nd_dlpack_tensor tensor;
} nd_dlpack_versioned;

_Static_assert(sizeof(nd_dlpack_tensor) == 48, "DLTensor");
_Static_assert(sizeof(nd_dlpack_old) == 64, "DLManagedTensor");
_Static_assert(sizeof(nd_dlpack_versioned) == 80, "DLManagedTensorVersioned");

typedef struct {
  bool is_old;  /* the older form */
  bool is_copy; /* out only: of a contiguous copy */
  /* Of a GPU's driver, the stream on which the other library works; NULL: its default stream. Out,
   * that is made to wait for our work on the array; in, our work waits for what is there now. */
  void *stream;
  bool has_no_stream; /* nobody waits: the other library sees to that. Out only */
} nd_dlpack_options;

/* Make a tensor of the elements of 'src', an nd_dlpack_versioned or nd_dlpack_old, whose deleter
 * must be called once, on any thread. Until then the bytes stay, whatever becomes of the array;
 * from now on our own work on them is complete when a call returns.
 *
 * ND_READ_ONLY for what is read-only, or shares bytes between elements, in the older form, which
 * cannot say so; ND_INVALID_VIEW for negative steps, which some libraries crash on, and for steps
 * that are no multiple of the element's size; ND_INVALID_ARGUMENT for the stream of an array that
 * is not a GPU's. A copy has none of these. Else fails as nd_storage_export does. */
nd_status nd_dlpack_export(const nd_view *src, const nd_dlpack_options *options, void **out,
                           nd_error *err);

/* Make a view of the elements of a tensor, which stays the caller's: nd_dlpack_accept is to follow.
 * One that nd_dlpack_export made gives a view of the same storage. ND_UNSUPPORTED for another major
 * version, a device or dtype that we lack, and too many axes; ND_FORMAT for extents that are
 * negative, and for NULL where there are elements; ND_OVERFLOW. */
nd_status nd_dlpack_view(void *from, const nd_dlpack_options *options, nd_view *out, nd_error *err);

/* Give the tensor to the storage of that view, which calls its deleter when the last view of it is
 * gone, on whatever thread. Cannot fail. */
void nd_dlpack_accept(void *from, const nd_dlpack_options *options, const nd_view *view);

/* Fail as what is on a kind of device that we lack, by DLPack's number. */
nd_status ndi_fail_device(const char *what, int type, nd_error *err);

#endif
