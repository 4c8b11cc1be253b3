/* Managed memory: where its pages should be. Also memory of others at a device's address. */
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
  ND_TRY(ndi_cuda_enter(d, err));
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
  ND_TRY(ndi_cuda_enter(d, err));
  if (ndi_cu.cuMemAdvise)
    return ND_CU(d, cuMemAdvise(at, bytes, advices[advice], location_of(ordinal)), err);
  if (ndi_cu.cuMemAdvise_v1) return ND_CU(d, cuMemAdvise_v1(at, bytes, advices[advice], id), err);
  return nd_fail(err, ND_UNSUPPORTED, "advise: this driver cannot");
}

/* {=== memory of others ===} */

static CUresult ask(void *value, CUpointer_attribute which, const void *at) {
  if (!ndi_cu.cuPointerGetAttribute) return CUDA_ERROR_NOT_SUPPORTED;
  return ndi_cu.cuPointerGetAttribute(value, which, (CUdeviceptr)(uintptr_t)at);
}

/* A driver that does not know the address, or the attribute, says that the value is invalid. */
static nd_status learn(ndi_cuda *d, void *value, CUpointer_attribute which, const void *at,
                       bool *is_known, nd_error *err) {
  const CUresult result = ask(value, which, at);
  *is_known = result == CUDA_SUCCESS;
  if (result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_NOT_SUPPORTED) return ND_OK;
  return ndi_cuda_did(d, result, "cuPointerGetAttribute", err);
}

/* Whose address it is, and how far its allocation goes from there. */
static nd_status check_origin(ndi_cuda *d, const void *at, size_t bytes, nd_error *err) {
  CUmemorytype type = 0;
  int ordinal = -1;
  CUdeviceptr start = 0;
  size_t size = 0;
  bool is_known, has_start;
  ND_TRY(learn(d, &type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, at, &is_known, err));
  if (!is_known || type != CU_MEMORYTYPE_DEVICE)
    return nd_fail(err, ND_INVALID_ARGUMENT, "%p is no address of %s's memory: the driver %s", at,
                   d->name, type ? "says that it is the host's" : "does not know it");
  ND_TRY(learn(d, &ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, at, &is_known, err));
  if (is_known && ordinal != d->base.ordinal)
    return nd_fail_with(err, ND_INVALID_ARGUMENT,
                        ND_NUMBERS({"expected", d->base.ordinal}, {"actual", ordinal}),
                        "%p is an address of cuda:%d, not of %s", at, ordinal, d->name);
  ND_TRY(learn(d, &start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, at, &has_start, err));
  ND_TRY(learn(d, &size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, at, &is_known, err));
  if (!has_start || !is_known) return ND_OK; /* an older driver cannot tell */
  const size_t left = (size_t)(start + size - (CUdeviceptr)(uintptr_t)at);
  if (bytes <= left) return ND_OK;
  return nd_fail_with(
      err, ND_OUT_OF_BOUNDS, ND_NUMBERS({"value", (int64_t)bytes}, {"limit", (int64_t)left}),
      "%zu B do not lie in the %zu B that are left of the allocation at %p", bytes, left, at);
}

nd_status nd_cuda_foreign(int ordinal, void *at, size_t bytes, void (*release)(void *owner),
                          void *owner, nd_resource **out, nd_error *err) {
  nd_device *device;
  ND_TRY(nd_cuda_device(ordinal, &device, err));
  ND_TRY(ndi_cuda_enter((ndi_cuda *)device, err));
  if (bytes > 0) ND_TRY(check_origin((ndi_cuda *)device, at, bytes, err));
  return nd_foreign_device_resource(device->number, at, bytes, release, owner, out, err);
}

bool nd_cuda_is_hidden(const void *at) {
  CUmemorytype type = 0;
  unsigned is_managed = 0;
  if (ndi_cuda_is_forked() || !ndi_cuda_is_loaded() || nd_cuda_count() == 0) return false;
  if (ask(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, at) != CUDA_SUCCESS ||
      type != CU_MEMORYTYPE_DEVICE)
    return false;
  return ask(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, at) != CUDA_SUCCESS || !is_managed;
}
