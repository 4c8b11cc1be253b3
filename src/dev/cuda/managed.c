/* Hints for managed memory: prefetching pages and advice on where they should be.
 *
 * Managed pages migrate between host and devices when they are touched. Hints change when and where
 * that happens, never what is read. Drivers before CUDA 12.2 have the calls for prefetching and
 * advice in an older form (_v1), which names a place by a device instead of a CUmemLocation. */
#include "dev/cuda/cuda.h"

/* Device address and extent of the byte range that the view spans. The range may include bytes
 * between its elements: hints apply to pages anyway. */
static nd_status span_of(const nd_view *view, CUdeviceptr *at, nd_use *out, nd_error *err) {
  ND_TRY(nd_storage_allocate(view->storage, err));
  ND_TRY(nd_storage_check(view->storage, err));
  nd_view_span(view, &out->lo, &out->hi);
  *at = (CUdeviceptr)(uintptr_t)view->storage->ptr + out->lo;
  return ND_OK;
}

/* NULL is the host, here and below; its 'id' is ignored. */
static CUmemLocation location_of(const ndi_cuda *to) {
  const CUmemLocation host = {CU_MEM_LOCATION_TYPE_HOST, 0};
  const CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, to ? to->base.ordinal : 0};
  return to ? device : host;
}

/* The same location for the older calls (CUDA before 12.2). */
static CUdevice id_of(const ndi_cuda *to) { return to ? to->device : CU_DEVICE_CPU; }

static nd_status enqueue_prefetch(ndi_queue *q, CUdeviceptr at, size_t bytes, const ndi_cuda *to,
                                  nd_error *err) {
  if (ndi_cu.cuMemPrefetchAsync)
    return ND_CU(q->device, cuMemPrefetchAsync(at, bytes, location_of(to), 0, q->stream), err);
  return ND_CU(q->device, cuMemPrefetchAsync_v1(at, bytes, id_of(to), q->stream), err);
}

/* A prefetch moves pages but changes no bytes, so it counts as a read. */
static nd_status prefetch(ndi_cuda *d, CUdeviceptr at, ndi_access *access, const ndi_cuda *to,
                          nd_error *err) {
  ndi_queue *q = ndi_cuda_queue(d, to);
  if (!ndi_cu.cuMemPrefetchAsync && !ndi_cu.cuMemPrefetchAsync_v1)
    return nd_fail(err, ND_UNSUPPORTED, "prefetch: not supported by this driver");
  ND_VISIT(q->device, err);
  ND_TRY(ndi_cuda_begin(q, 1, access, err));
  const nd_status status = enqueue_prefetch(q, at, access->use.hi - access->use.lo, to, err);
  return ndi_cuda_end(q, 1, access, status, err);
}

static nd_status advise(ndi_cuda *d, CUdeviceptr at, size_t bytes, nd_page_hint hint,
                        const ndi_cuda *to, nd_error *err) {
  static const CUmem_advise advices[] = {
      [ND_PAGES_READ_MOSTLY] = CU_MEM_ADVISE_SET_READ_MOSTLY,
      [ND_PAGES_PREFERRED] = CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
      [ND_PAGES_ACCESSED_BY] = CU_MEM_ADVISE_SET_ACCESSED_BY};
  ND_VISIT(d, err);
  if (ndi_cu.cuMemAdvise)
    return ND_CU(d, cuMemAdvise(at, bytes, advices[hint], location_of(to)), err);
  if (ndi_cu.cuMemAdvise_v1)
    return ND_CU(d, cuMemAdvise_v1(at, bytes, advices[hint], id_of(to)), err);
  return nd_fail(err, ND_UNSUPPORTED, "advise: not supported by this driver");
}

nd_status ndi_cuda_hint(const nd_view *view, nd_page_hint hint, const ndi_cuda *to, nd_error *err) {
  CUdeviceptr at;
  ndi_access access = {.storage = view->storage};
  ndi_cuda *d = ndi_cuda_get(view->storage->resource->device);
  ND_TRY(span_of(view, &at, &access.use, err));
  if (hint == ND_PAGES_PREFETCH && !d->properties.is_concurrent)
    return nd_fail(err, ND_UNSUPPORTED,
                   "prefetch: not supported by %s, which moves managed pages only by itself",
                   d->name);
  const size_t bytes = access.use.hi - access.use.lo;
  if (bytes == 0) return ND_OK;
  /* advice takes effect at once and enqueues nothing, so there is no use to record */
  if (hint != ND_PAGES_PREFETCH) return advise(d, at, bytes, hint, to, err);
  return prefetch(d, at, &access, to, err);
}
