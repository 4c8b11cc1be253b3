/* Operations on a CUDA device other than copies. There are no device kernels yet: those with a
 * single view run on the host, on a copy of it. This is where kernels come in. */
#include "base/call.h"
#include "dev/cuda/cuda.h"
#include "mem/host.h"

/* A row-major host array with the shape and dtype of 'like'; the caller drops it. */
static nd_status make_twin(const nd_view *like, nd_view *out, nd_error *err) {
  size_t shape[ND_MAX_NDIM];
  nd_storage *storage;
  nd_view_shape(like, shape);
  ND_TRY(nd_storage_make(nd_call_memory(nd_host_resource()), nd_view_nbytes(like),
                         (nd_storage_options){0}, &storage, err));
  return nd_view_make_over(storage, (nd_dtype)like->dtype, like->ndim, shape, NULL, out, err);
}

bool ndi_cuda_can(nd_device *self, const nd_task *task) {
  (void)self;
  const bool is_fill = nd_op_get(task->op)->group == ND_GROUP_FILL;
  return task->count == 1 && (is_fill || task->op == ND_OP_CAST_CHECK);
}

/* Run the task on the host, on a copy of its only view: copied in before a search, copied back
 * after a fill. */
nd_status ndi_cuda_run(nd_device *self, const nd_task *task, nd_error *err) {
  const nd_view *own = task->views[0];
  const bool reads = task->result != NULL;
  nd_task on_host = *task;
  nd_view twin;
  ND_TRY(nd_storage_allocate(own->storage, err));
  if (own->storage->host || own->size == 0)
    return nd_device_run(nd_host_device(), task, err); /* the CPU can work on the memory itself */
  ND_TRY(nd_transfer_check(ND_TRANSFER_STAGED, nd_view_nbytes(own), err));
  ND_TRY(make_twin(own, &twin, err));
  on_host.views[0] = &twin;
  nd_status status = reads ? ndi_cuda_copy(self, &twin, own, ND_SATURATE, err) : ND_OK;
  if (status == ND_OK) status = nd_device_run(nd_host_device(), &on_host, err);
  if (status == ND_OK && !reads) status = ndi_cuda_copy(self, own, &twin, ND_SATURATE, err);
  nd_view_drop(&twin);
  if (status == ND_OK) nd_transfer_add(ND_TRANSFER_STAGED, nd_view_nbytes(own));
  return status;
}
