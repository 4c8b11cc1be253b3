/* What a CUDA device does besides copying. Until there are kernels: makers, by way of the host. */
#include "dev/cuda_device.h"
#include "dev/host.h"

/* A row-major array of the host with the shape of 'like'. */
static nd_status make_twin(const nd_view *like, nd_view *out, nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  nd_storage *storage;
  for (int i = 0; i < like->ndim; i++) shape[i] = like->axis[i].len;
  ND_TRY(nd_storage_make(nd_host_resource(), nd_view_nbytes(like), (nd_storage_options){0},
                         &storage, err));
  const nd_status status = nd_view_make(storage, 0, (nd_dtype)like->dtype, like->ndim, shape, NULL,
                                        out, err);
  nd_storage_drop(storage);
  return status;
}

nd_status ndi_cuda_check(nd_device *self, const nd_view *src, nd_dtype dtype, size_t *first,
                         nd_error *err) {
  nd_view twin;
  ND_TRY(nd_storage_allocate(src->storage, err));
  if (src->storage->host || src->size == 0)
    return nd_device_check(nd_host_device(), src, dtype, first, err);
  ND_TRY(make_twin(src, &twin, err));
  nd_status status = ndi_cuda_copy(self, &twin, src, ND_SATURATE, err);
  if (status == ND_OK) status = nd_device_check(nd_host_device(), &twin, dtype, first, err);
  nd_view_drop(&twin);
  if (status == ND_OK) ndi_cuda_count_transfer(ND_TRANSFER_STAGED, nd_view_nbytes(src));
  return status;
}

bool ndi_cuda_can(nd_device *self, const nd_task *task) {
  (void)self;
  switch (task->op) {
    case ND_OP_RANGE:
    case ND_OP_UNIFORM:
    case ND_OP_NORMAL:
    case ND_OP_INTEGERS:
    case ND_OP_PERMUTATION: return true;
    default: return false;
  }
}

nd_status ndi_cuda_run(nd_device *self, const nd_task *task, nd_error *err) {
  const nd_view *out = task->views[0];
  nd_task on_host = *task;
  nd_view twin;
  ND_TRY(nd_storage_allocate(out->storage, err));
  if (out->storage->host) return nd_device_run(nd_host_device(), task, err);
  ND_TRY(make_twin(out, &twin, err));
  on_host.views[0] = &twin;
  nd_status status = nd_device_run(nd_host_device(), &on_host, err);
  if (status == ND_OK) status = ndi_cuda_copy(self, out, &twin, ND_SATURATE, err);
  nd_view_drop(&twin);
  if (status == ND_OK) ndi_cuda_count_transfer(ND_TRANSFER_STAGED, nd_view_nbytes(out));
  return status;
}
