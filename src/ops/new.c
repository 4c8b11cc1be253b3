/* New arrays: check the shape, choose the memory, make storage and view. */
#include "base/call.h"
#include "base/size.h"
#include "mem/host.h"
#include "ops/common.h"

nd_status nd_new(nd_resource *resource, nd_dtype dtype, int ndim, const size_t *shape,
                 nd_storage_options options, nd_view *out, nd_error *err) {
  size_t bytes;
  if (ndim < 0 || ndim > ND_MAX_NDIM)
    return nd_fail_with(err, ND_INVALID_ARGUMENT,
                        ND_NUMBERS({"value", ndim}, {"limit", ND_MAX_NDIM}),
                        "%d axes: an array has at most %d", ndim, ND_MAX_NDIM);
  if (!ndi_size_of(ndim, shape, nd_dtype_get(dtype)->bytes, &bytes))
    return nd_fail_with(err, ND_OVERFLOW, ND_NUMBERS({"limit", PTRDIFF_MAX}),
                        "the shape has more bytes of %s than the largest size",
                        nd_dtype_get(dtype)->name);
  nd_storage *storage;
  ND_TRY(nd_storage_make(resource, bytes, options, &storage, err));
  return nd_view_make_over(storage, dtype, ndim, shape, NULL, out, err);
}

/* Where a result goes whose first operand is 'like'. Nothing new is put into a file or foreign
 * memory. */
static nd_resource *resource_of(const nd_view *like) {
  nd_resource *own = like->storage->resource, *memory = nd_device_of(like)->memory;
  if (own->kind != ND_MEM_FILE && own->kind != ND_MEM_FOREIGN) return nd_call_memory(own);
  return nd_call_memory(memory ? memory : nd_host_resource());
}

nd_status ndi_new_on(const nd_view *like, nd_dtype dtype, int ndim, const size_t *shape,
                     nd_view *out, nd_error *err) {
  const nd_storage_options options = {.lazy = ND_LAZY_LARGE};
  return nd_new(resource_of(like), dtype, ndim, shape, options, out, err);
}

nd_status nd_new_like(const nd_view *src, nd_dtype dtype, nd_view *out, nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  nd_view_shape(src, shape);
  return ndi_new_on(src, dtype, src->ndim, shape, out, err);
}
