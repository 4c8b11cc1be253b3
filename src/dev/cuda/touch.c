/* Filling and fetching bytes of a block of device or managed memory, for adaptors: a pool clears
 * what it hands out again, a guard marks the bytes around each block and looks at them. */
#include "dev/cuda/cuda.h"

static ndi_cuda *device_of(nd_resource *self) { return ((ndi_cuda_memory *)self)->device; }

static CUdeviceptr address_in(const nd_block *block, size_t offset) {
  return (CUdeviceptr)(uintptr_t)block->ptr + offset;
}

/* {=== device memory ===} */

nd_status ndi_device_fill(nd_resource *self, const nd_block *block, size_t offset, size_t bytes,
                          uint8_t value, const nd_uses *after, nd_point *ready, nd_error *err) {
  ndi_queue *q = ndi_cuda_queue(device_of(self), NULL);
  return ndi_cuda_fill_after(q, address_in(block, offset), bytes, value, after, ready, err);
}

/* On the queue of the uses, so that no other work has to wait for them. */
nd_status ndi_device_fetch(nd_resource *self, const nd_block *block, size_t offset, size_t bytes,
                           void *to, const nd_uses *after, nd_point *ready, nd_error *err) {
  return ndi_cuda_fetch_after(device_of(self), address_in(block, offset), bytes, to, after,
                              block->ready.queue, ready, err);
}

/* Pinned memory, which belongs to the first device; NULL before it is asked for. */
nd_resource *ndi_device_staging(nd_resource *self) {
  const ndi_cuda *first = ndi_cuda_find(0);
  (void)self;
  return first ? atomic_load(&first->pinned) : NULL;
}

/* {=== managed memory ===} Complete on return, as the CPU may touch the bytes; nothing else is
 * waited for. */

/* Enqueues on the stream aside. */
typedef nd_status aside_job(ndi_cuda *d, CUstream stream, CUdeviceptr at, size_t bytes,
                            uint8_t value, void *to, nd_error *err);

static nd_status do_aside(ndi_cuda *d, aside_job *job, CUdeviceptr at, size_t bytes, uint8_t value,
                          void *to, nd_error *err) {
  CUstream stream;
  ND_TRY(ndi_aside_take(d, &stream, err));
  nd_status status = job(d, stream, at, bytes, value, to, err);
  if (status == ND_OK) status = ND_CU(d, cuStreamSynchronize(stream), err);
  if (status != ND_OK) ndi_cu.cuStreamSynchronize(stream); /* the bytes may be on their way */
  ndi_aside_give(d, stream, status == ND_OK);
  return status;
}

static nd_status fill_job(ndi_cuda *d, CUstream stream, CUdeviceptr at, size_t bytes, uint8_t value,
                          void *to, nd_error *err) {
  (void)to;
  return ND_CU(d, cuMemsetD8Async(at, value, bytes, stream), err);
}

static nd_status fetch_job(ndi_cuda *d, CUstream stream, CUdeviceptr at, size_t bytes,
                           uint8_t value, void *to, nd_error *err) {
  (void)value;
  return ND_CU(d, cuMemcpyDtoHAsync(to, at, bytes, stream), err);
}

nd_status ndi_cuda_fill_aside(ndi_cuda *d, CUdeviceptr at, size_t bytes, uint8_t value,
                              nd_error *err) {
  return do_aside(d, fill_job, at, bytes, value, NULL, err);
}

nd_status ndi_managed_fill(nd_resource *self, const nd_block *block, size_t offset, size_t bytes,
                           uint8_t value, const nd_uses *after, nd_point *ready, nd_error *err) {
  ndi_cuda *d = device_of(self);
  ND_TRY(ndi_uses_wait_all(after, err));
  *ready = (nd_point){0};
  ND_VISIT(d, err);
  return ndi_cuda_fill_aside(d, address_in(block, offset), bytes, value, err);
}

nd_status ndi_managed_fetch(nd_resource *self, const nd_block *block, size_t offset, size_t bytes,
                            void *to, const nd_uses *after, nd_point *ready, nd_error *err) {
  ndi_cuda *d = device_of(self);
  ND_TRY(ndi_uses_wait_all(after, err));
  *ready = (nd_point){0};
  ND_VISIT(d, err);
  return do_aside(d, fetch_job, address_in(block, offset), bytes, 0, to, err);
}
