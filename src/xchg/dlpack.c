/* DLPack in and out. A tensor of ours is one allocation with its shape and strides; it holds an
 * export of the storage, so that its deleter does not depend on Lua. */
#include "xchg/dlpack.h"

#include <stdlib.h>

#include "base/size.h"
#include "dev/stream.h"
#include "mem/foreign.h"
#include "ops/ops.h"
#include "xchg/over.h"

/* {=== out ===} */

typedef struct {
  union {
    nd_dlpack_old old;
    nd_dlpack_versioned versioned;
  };
  nd_view view; /* borrowed: the export is the reference to its storage */
  int64_t shape[ND_MAX_NDIM], strides[ND_MAX_NDIM];
} tensor;

static void drop(tensor *self) {
  nd_storage_unexport(self->view.storage);
  free(self);
}

static void delete_old(nd_dlpack_old *self) {
  if (self) drop(self->context);
}

static void delete_versioned(nd_dlpack_versioned *self) {
  if (self) drop(self->context);
}

static nd_status check_axis(const nd_axis *axis, int number, size_t itemsize, nd_error *err) {
  if (axis->len <= 1) return ND_OK;
  if (axis->step < 0)
    return nd_fail_remedy(err, ND_INVALID_VIEW, ND_REMEDY_EXPORT_COPY,
                          "axis %d runs backwards, which other libraries may not support",
                          number + 1);
  if ((size_t)axis->step % itemsize == 0) return ND_OK;
  return nd_fail_remedy(err, ND_INVALID_VIEW, ND_REMEDY_EXPORT_COPY,
                        "the step of axis %d, %td B, is no multiple of the %zu B of an element",
                        number + 1, axis->step, itemsize);
}

static nd_status check_view(const nd_view *v, bool is_read_only, bool is_old, nd_error *err) {
  for (int i = 0; i < v->ndim && v->size > 0; i++)
    ND_TRY(check_axis(&v->axis[i], i, nd_view_itemsize(v), err));
  if (!is_old || !is_read_only) return ND_OK;
  return nd_fail_remedy(err, ND_READ_ONLY, ND_REMEDY_EXPORT_COPY,
                        "the array is read-only, which the unversioned form cannot say");
}

/* Strides count where there are several elements alone: the others are as if packed. */
static void fill_axes(const nd_view *v, tensor *out) {
  const ptrdiff_t item = (ptrdiff_t)nd_view_itemsize(v);
  int64_t packed = 1;
  for (int i = v->ndim - 1; i >= 0; i--) {
    const size_t len = v->axis[i].len;
    out->shape[i] = (int64_t)len;
    out->strides[i] = len > 1 && v->size > 0 ? v->axis[i].step / item : packed;
    packed = len > 1 ? out->strides[i] * (int64_t)len : packed;
  }
}

static bool has_streams(const nd_place *place) {
  return place->kind == ND_MEM_DEVICE || place->kind == ND_MEM_MANAGED;
}

/* Before the export, which cannot be undone without a trace. */
static nd_status check_stream(const nd_view *v, const nd_dlpack_options *options, nd_error *err) {
  const nd_place place = nd_place_of(v->storage);
  if (!options->stream || has_streams(&place)) return ND_OK;
  char text[64];
  return nd_fail(err, ND_INVALID_ARGUMENT, "stream: the array is on %s, which has no streams",
                 nd_place_text(&place, text, sizeof text));
}

/* The other code's stream, for the caller to close. */
static nd_status open_stream(const nd_place *of, void *handle, nd_stream *out, nd_error *err) {
  const nd_place device = {.backend = of->backend, .kind = ND_MEM_DEVICE, .ordinal = of->ordinal};
  return nd_stream_adopt(&device, handle, out, err);
}

/* Order other code after our work on the elements: its stream, or all of it. */
static nd_status hand_over(const nd_view *v, const nd_place *place, bool for_write,
                           const nd_dlpack_options *options, nd_error *err) {
  nd_stream stream;
  char *unused;
  if (!has_streams(place)) return nd_storage_expose(v->storage, &unused, err);
  if (options->has_no_stream || v->size == 0) return ND_OK;
  ND_TRY(open_stream(place, options->stream, &stream, err));
  const nd_status status = nd_stream_wait_view(&stream, v, for_write, err);
  nd_stream_close(&stream);
  return status;
}

/* The format has numbers for the memory of GPUs alone. */
static int32_t number_of(const nd_place *place) {
  return place->kind == ND_MEM_DEVICE ? (int32_t)place->ordinal : 0;
}

/* The storage of 'src' was exported: its address stays what it is. */
static void fill(const nd_view *src, const nd_place *place, bool is_read_only, bool is_copy,
                 bool is_old, tensor *out) {
  const nd_dtype_traits *dtype = nd_dtype_get((nd_dtype)src->dtype);
  nd_storage *s = src->storage;
  nd_view_borrow(src, &out->view);
  fill_axes(src, out);
  char *const base = s->host ? s->host : s->ptr;
  const nd_dlpack_tensor is = {.data = src->size > 0 ? base + src->offset : NULL,
                               .device = {nd_place_dlpack(place), number_of(place)},
                               .ndim = src->ndim,
                               .dtype = {(uint8_t)dtype->dlpack, (uint8_t)(8 * dtype->bytes), 1},
                               .shape = out->shape,
                               .strides = out->strides};
  if (is_old) {
    out->old = (nd_dlpack_old){.tensor = is, .context = out, .deleter = delete_old};
    return;
  }
  out->versioned = (nd_dlpack_versioned){.major = ND_DLPACK_MAJOR,
                                         .minor = ND_DLPACK_MINOR,
                                         .context = out,
                                         .deleter = delete_versioned,
                                         .flags = (is_read_only ? ND_DLPACK_READ_ONLY : 0) |
                                                  (is_copy ? ND_DLPACK_COPIED : 0),
                                         .tensor = is};
}

static nd_status export_view(const nd_view *src, const nd_dlpack_options *options, void **out,
                             nd_error *err) {
  const bool is_read_only = src->is_read_only || nd_view_overlaps_itself(src);
  ND_TRY(check_view(src, is_read_only, options->is_old, err));
  ND_TRY(check_stream(src, options, err));
  tensor *t = malloc(sizeof *t);
  if (!t) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a DLPack tensor");
  nd_status status = nd_storage_export(src->storage, err);
  if (status != ND_OK) return free(t), status;
  const nd_place place = nd_place_of(src->storage);
  status = hand_over(src, &place, !is_read_only, options, err);
  if (status != ND_OK) return nd_storage_unexport(src->storage), free(t), status;
  fill(src, &place, is_read_only, options->is_copy, options->is_old, t);
  *out = t;
  return ND_OK;
}

nd_status nd_dlpack_export(const nd_view *src, const nd_dlpack_options *options, void **out,
                           nd_error *err) {
  nd_view copy;
  if (!options->is_copy) return export_view(src, options, out, err);
  ND_TRY(nd_astype(src, (nd_dtype)src->dtype, ND_SATURATE, &copy, err));
  const nd_status status = export_view(&copy, options, out, err);
  nd_view_drop(&copy);
  return status;
}

/* {=== in ===} */

static void release_old(void *owner) { ((nd_dlpack_old *)owner)->deleter(owner); }
static void release_versioned(void *owner) { ((nd_dlpack_versioned *)owner)->deleter(owner); }

static nd_status find_dtype(const nd_dlpack_tensor *t, nd_dtype *out, nd_error *err) {
  for (int i = 0; i < ND_DTYPE_COUNT && t->dtype.lanes == 1; i++) {
    const nd_dtype_traits *d = nd_dtype_get((nd_dtype)i);
    if (d->dlpack == t->dtype.code && 8 * d->bytes == t->dtype.bits)
      return *out = (nd_dtype)i, ND_OK;
  }
  return nd_fail(err, ND_UNSUPPORTED, "tensor: there is no dtype of code %u, %u bits and %u lanes",
                 t->dtype.code, t->dtype.bits, t->dtype.lanes);
}

nd_status ndi_fail_device(const char *what, int type, nd_error *err) {
  static const char *const names[] = {
      [4] = "OpenCL",  [5] = "AOCL",     [6] = "SDAccel", [7] = "Vulkan",   [8] = "Metal",
      [9] = "VPI",     [10] = "ROCm",    [11] = "ROCm",   [12] = "custom",  [14] = "oneAPI",
      [15] = "WebGPU", [16] = "Hexagon", [17] = "MAIA",   [18] = "Trainium"};
  const char *name = type >= 0 && (size_t)type < ND_COUNTOF(names) ? names[type] : NULL;
  return nd_fail_with(err, ND_UNSUPPORTED, ND_NUMBERS({"value", type}),
                      "%s: it is on a device of type %d%s%s%s", what, type, name ? " (" : "",
                      name ? name : "", name ? ")" : "");
}

static nd_status find_place(const nd_dlpack_tensor *t, nd_place *out, nd_error *err) {
  if (nd_place_from_dlpack(t->device.type, t->device.id, out)) return ND_OK;
  return ndi_fail_device("tensor", t->device.type, err);
}

/* Where the elements are: as an array has it, with steps in bytes, and the span that they take. */
typedef struct {
  nd_dtype dtype;
  size_t shape[ND_MAX_NDIM];
  ptrdiff_t steps[ND_MAX_NDIM];
  size_t before, bytes; /* the first element is 'before' bytes into the span */
} layout;

/* 'axis' from 0. */
static nd_status fail_stride(int axis, int64_t stride, nd_error *err) {
  return nd_fail_with(err, ND_OVERFLOW, ND_NUMBERS({"axis", axis + 1}, {"value", stride}),
                      "tensor: the stride of axis %d, %lld elements, reaches too far", axis + 1,
                      (long long)stride);
}

static nd_status read_axes(const nd_dlpack_tensor *t, layout *out, nd_error *err) {
  const size_t item = nd_dtype_get(out->dtype)->bytes;
  size_t bytes;
  ptrdiff_t packed = (ptrdiff_t)item;
  for (int i = 0; i < t->ndim; i++) {
    if (t->shape[i] < 0)
      return nd_fail_with(err, ND_FORMAT, ND_NUMBERS({"axis", i + 1}, {"value", t->shape[i]}),
                          "tensor: the extent of axis %d is %lld", i + 1, (long long)t->shape[i]);
    out->shape[i] = (size_t)t->shape[i];
  }
  if (!ndi_size_of(t->ndim, out->shape, item, &bytes))
    return nd_fail(err, ND_OVERFLOW, "tensor: its shape has more bytes than the largest size");
  for (int i = t->ndim - 1; i >= 0; i--) {
    const bool counts = t->strides && out->shape[i] > 1 && bytes > 0;
    out->steps[i] = packed;
    if (counts && !ndi_offset_mul(t->strides[i], (ptrdiff_t)item, &out->steps[i]))
      return fail_stride(i, t->strides[i], err);
    if (out->shape[i] > 1) packed *= (ptrdiff_t)out->shape[i];
  }
  out->bytes = bytes;
  return ND_OK;
}

static nd_status find_span(int ndim, layout *l, nd_error *err) {
  const ptrdiff_t item = (ptrdiff_t)nd_dtype_get(l->dtype)->bytes;
  size_t before = 0, after = (size_t)item, all = after;
  l->before = 0;
  if (l->bytes == 0) return ND_OK;
  for (int i = 0; i < ndim; i++) {
    const ptrdiff_t step = l->steps[i];
    size_t *const side = step < 0 ? &before : &after, reach;
    const size_t size = step < 0 ? -(size_t)step : (size_t)step;
    if (!ndi_size_mul(size, l->shape[i] - 1, &reach) || !ndi_size_add(*side, reach, side) ||
        !ndi_size_add(before, after, &all))
      return fail_stride(i, step / item, err);
  }
  l->before = before, l->bytes = all;
  return ND_OK;
}

static nd_status read_layout(const nd_dlpack_tensor *t, layout *out, nd_error *err) {
  if (t->ndim < 0 || t->ndim > ND_MAX_NDIM)
    return nd_fail_with(err, ND_UNSUPPORTED, ND_NUMBERS({"value", t->ndim}, {"limit", ND_MAX_NDIM}),
                        "tensor: it has %d axes; the limit is %d", (int)t->ndim, ND_MAX_NDIM);
  if (t->ndim > 0 && !t->shape) return nd_fail(err, ND_FORMAT, "tensor: it has no shape");
  ND_TRY(find_dtype(t, &out->dtype, err));
  ND_TRY(read_axes(t, out, err));
  ND_TRY(find_span(t->ndim, out, err));
  if (t->data || out->bytes == 0) return ND_OK;
  return nd_fail(err, ND_FORMAT, "tensor: its elements are at NULL");
}

/* The lowest address of the span, which has to be one of addresses. */
static nd_status find_first(const nd_dlpack_tensor *t, const layout *l, char **out, nd_error *err) {
  const uintptr_t data = (uintptr_t)t->data, offset = (uintptr_t)t->byte_offset;
  if (offset != t->byte_offset || offset > UINTPTR_MAX - data || l->before > data + offset ||
      l->bytes > UINTPTR_MAX - (data + offset - l->before))
    return nd_fail_with(err, ND_OVERFLOW, ND_NUMBERS({"value", (int64_t)t->byte_offset}),
                        "tensor: its elements, from byte_offset %llu on, are past all addresses",
                        (unsigned long long)t->byte_offset);
  *out = (char *)t->data + (ptrdiff_t)(offset - l->before);
  return ND_OK;
}

/* Until nd_dlpack_accept nobody owns the memory. */
static nd_status view_foreign(const nd_dlpack_tensor *t, void *stream, bool is_read_only,
                              nd_view *out, nd_error *err) {
  const nd_storage_options options = {.read_only = is_read_only};
  nd_resource *resource = NULL;
  nd_storage *storage = NULL;
  nd_place place;
  layout l;
  ND_TRY(find_place(t, &place, err));
  ND_TRY(read_layout(t, &l, err));
  char *first = NULL;
  if (t->data) ND_TRY(find_first(t, &l, &first, err));
  const nd_foreign memory = {.at = first, .bytes = l.bytes, .stream = stream};
  ND_TRY(nd_place_foreign(&place, &memory, &resource, err));
  nd_status status = nd_storage_make(resource, l.bytes, options, &storage, err);
  nd_resource_drop(resource);
  if (status != ND_OK) return status;
  status = nd_view_make(storage, l.before, l.dtype, t->ndim, l.shape, l.steps, out, err);
  nd_storage_drop(storage);
  return status;
}

/* The tensor that 't' is if nd_dlpack_export made it, else NULL. */
static tensor *find_own(void *t, bool is_old) {
  const nd_dlpack_old *old = t;
  const nd_dlpack_versioned *versioned = t;
  const bool is_own = is_old ? old->deleter == delete_old : versioned->deleter == delete_versioned;
  return is_own ? t : NULL;
}

/* Our own elements, after what other code did with them. It is waited for, as our work on what was
 * exported is. */
static nd_status take_back(const nd_view *v, const nd_dlpack_options *options, nd_error *err) {
  nd_stream stream;
  const nd_place place = nd_place_of(v->storage);
  if (place.kind != ND_MEM_PINNED && !has_streams(&place)) return ND_OK;
  if (v->size == 0) return ND_OK;
  ND_TRY(open_stream(&place, options->stream, &stream, err));
  const nd_status status = nd_stream_wait(&stream, err);
  nd_stream_close(&stream);
  return status;
}

/* Where the array was freed in the meantime, its bytes are there still. */
static nd_status view_own(const tensor *own, const nd_dlpack_options *options, nd_view *out,
                          nd_error *err) {
  const nd_view *v = &own->view;
  nd_storage *storage = NULL;
  if (nd_storage_get_state(v->storage) == ND_STORAGE_LIVE) {
    ND_TRY(take_back(v, options, err));
    return nd_view_copy(v, out), ND_OK;
  }
  const nd_dlpack_tensor *is = options->is_old ? &own->old.tensor : &own->versioned.tensor;
  const nd_foreign memory = {.at = is->data ? (char *)is->data - v->offset : NULL,
                             .bytes = is->data ? v->storage->bytes : 0,
                             .stream = options->stream};
  ND_TRY(ndi_storage_over(v->storage, &memory, v->storage->is_read_only, &storage, err));
  nd_view_borrow(v, out);
  out->storage = storage;
  if (!is->data) out->offset = 0;
  return ND_OK;
}

static nd_status check_version(const nd_dlpack_versioned *t, nd_error *err) {
  if (t->major == ND_DLPACK_MAJOR) return ND_OK;
  return nd_fail_with(err, ND_UNSUPPORTED,
                      ND_NUMBERS({"value", t->major}, {"expected", ND_DLPACK_MAJOR}),
                      "tensor: it is of DLPack version %u.%u; expected %d. Was it taken before, or "
                      "is it unversioned?",
                      t->major, t->minor, ND_DLPACK_MAJOR);
}

nd_status nd_dlpack_view(void *from, const nd_dlpack_options *options, nd_view *out,
                         nd_error *err) {
  const nd_dlpack_old *old = from;
  const nd_dlpack_versioned *versioned = from;
  if (!options->is_old) ND_TRY(check_version(versioned, err));
  const tensor *own = find_own(from, options->is_old);
  if (own) return view_own(own, options, out, err);
  if (options->is_old) return view_foreign(&old->tensor, options->stream, false, out, err);
  return view_foreign(&versioned->tensor, options->stream, versioned->flags & ND_DLPACK_READ_ONLY,
                      out, err);
}

/* Without a deleter there is nothing to tell, and the tensor need not be there any more. */
void nd_dlpack_accept(void *from, const nd_dlpack_options *options, const nd_view *view) {
  const bool is_old = options->is_old;
  const bool has_deleter = is_old ? ((nd_dlpack_old *)from)->deleter != NULL
                                  : ((nd_dlpack_versioned *)from)->deleter != NULL;
  tensor *own = find_own(from, is_old);
  if (own) drop(own);
  else if (has_deleter)
    nd_foreign_own(view->storage->resource, is_old ? release_old : release_versioned, from);
}
