/* Managed memory: where its pages should be. */
#include "dev/cuda_device.h"

/* {=== hints ===} */

/* The bytes of a managed view, on its device. */
static nd_status span_of(const char *what, const nd_view *view, CUdeviceptr *at, size_t *bytes,
                         nd_error *err) {
  size_t lo, hi;
  if (view->storage->resource->kind != ND_MEM_MANAGED)
    return nd_fail(err, ND_INVALID_ARGUMENT, "%s: only managed memory has pages that move", what);
  ND_TRY(nd_storage_allocate(view->storage, err));
  ND_TRY(nd_storage_check(view->storage, err));
  nd_view_span(view, &lo, &hi);
  *at = (CUdeviceptr)(uintptr_t)view->storage->ptr + lo;
  *bytes = hi - lo;
  return ND_OK;
}

static CUmemLocation location_of(int ordinal) {
  const CUmemLocation host = {CU_MEM_LOCATION_TYPE_HOST, 0};
  const CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, ordinal};
  return ordinal < 0 ? host : device;
}

/* The device, opened, or the host for -1; *id is its name in the driver's older calls. */
static nd_status find_target(int ordinal, CUdevice *id, nd_error *err) {
  nd_device *device;
  *id = CU_DEVICE_CPU;
  if (ordinal < 0) return ND_OK;
  ND_TRY(nd_cuda_device(ordinal, &device, err));
  *id = ((ndi_cuda *)device)->device;
  return ND_OK;
}

static nd_status prefetch(ndi_cuda *d, CUdeviceptr at, size_t bytes, int ordinal, CUdevice id,
                          nd_error *err) {
  if (ndi_cu.cuMemPrefetchAsync)
    return ND_CU(d, cuMemPrefetchAsync(at, bytes, location_of(ordinal), 0, d->stream), err);
  if (ndi_cu.cuMemPrefetchAsync_v1)
    return ND_CU(d, cuMemPrefetchAsync_v1(at, bytes, id, d->stream), err);
  return nd_fail(err, ND_UNSUPPORTED, "prefetch: this driver cannot");
}

nd_status nd_cuda_prefetch(const nd_view *view, int ordinal, nd_error *err) {
  CUdeviceptr at;
  size_t bytes;
  CUdevice id;
  ND_TRY(span_of("prefetch", view, &at, &bytes, err));
  ndi_cuda *d = ndi_cuda_get(view->storage->resource->device);
  if (!d->properties.is_concurrent)
    return nd_fail(err, ND_UNSUPPORTED, "prefetch: %s moves managed pages on its own only",
                   d->name);
  ND_TRY(find_target(ordinal, &id, err));
  if (bytes == 0) return ND_OK;
  ND_VISIT(d, err);
  ND_TRY(prefetch(d, at, bytes, ordinal, id, err));
  ND_TRY(nd_storage_use(view->storage, ndi_cuda_mark(d), false, err));
  return ndi_cuda_finish(d, err);
}

nd_status nd_cuda_advise(const nd_view *view, nd_cuda_advice advice, int ordinal, nd_error *err) {
  static const CUmem_advise advices[] = {CU_MEM_ADVISE_SET_READ_MOSTLY,
                                         CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
                                         CU_MEM_ADVISE_SET_ACCESSED_BY};
  CUdeviceptr at;
  size_t bytes;
  CUdevice id;
  ND_TRY(span_of("advise", view, &at, &bytes, err));
  ndi_cuda *d = ndi_cuda_get(view->storage->resource->device);
  ND_TRY(find_target(ordinal, &id, err));
  if (bytes == 0) return ND_OK;
  ND_VISIT(d, err);
  if (ndi_cu.cuMemAdvise)
    return ND_CU(d, cuMemAdvise(at, bytes, advices[advice], location_of(ordinal)), err);
  if (ndi_cu.cuMemAdvise_v1) return ND_CU(d, cuMemAdvise_v1(at, bytes, advices[advice], id), err);
  return nd_fail(err, ND_UNSUPPORTED, "advise: this driver cannot");
}
