/* Foreign device memory: checks that an address belongs to the device, orders our stream after the
 * work that its owner has enqueued, and tells device addresses from host addresses. */
#include "mem/foreign.h"
#include "dev/cuda/cuda.h"

/* {=== whose address ===} */

static CUresult ask(void *value, CUpointer_attribute which, const void *at) {
  if (!ndi_cu.cuPointerGetAttribute) return CUDA_ERROR_NOT_SUPPORTED;
  return ndi_cu.cuPointerGetAttribute(value, which, (CUdeviceptr)(uintptr_t)at);
}

/* Ask for an attribute of an address. A driver that does not know the address or the attribute
 * answers INVALID_VALUE: '*is_known' is false then, which is no failure. */
static nd_status learn(ndi_cuda *d, void *value, CUpointer_attribute which, const void *at,
                       bool *is_known, nd_error *err) {
  const CUresult result = ask(value, which, at);
  *is_known = result == CUDA_SUCCESS;
  if (result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_NOT_SUPPORTED) return ND_OK;
  return ndi_cuda_check(d, result, "cuPointerGetAttribute", err);
}

/* Check that the address is device memory of 'd' and that its allocation reaches 'bytes'
 * further. */
static nd_status check_origin(ndi_cuda *d, const void *at, size_t bytes, nd_error *err) {
  CUmemorytype type = 0;
  int ordinal = -1;
  CUdeviceptr start = 0;
  size_t size = 0;
  bool is_known, has_start;
  ND_TRY(learn(d, &type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, at, &is_known, err));
  if (!is_known || type != CU_MEMORYTYPE_DEVICE)
    return nd_fail(err, ND_INVALID_ARGUMENT, "%p is not in the memory of %s: the driver %s", at,
                   d->name, type ? "says that it is the host's" : "does not know it");
  ND_TRY(learn(d, &ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, at, &is_known, err));
  if (is_known && ordinal != d->base.ordinal)
    return nd_fail_with(err, ND_INVALID_ARGUMENT,
                        ND_NUMBERS({"expected", d->base.ordinal}, {"actual", ordinal}),
                        "%p is an address of cuda:%d, not of %s", at, ordinal, d->name);
  ND_TRY(learn(d, &start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, at, &has_start, err));
  ND_TRY(learn(d, &size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, at, &is_known, err));
  if (!has_start || !is_known) return ND_OK; /* older drivers lack these two attributes */
  const size_t left = (size_t)(start + size - (CUdeviceptr)(uintptr_t)at);
  if (bytes <= left) return ND_OK;
  return nd_fail_with(
      err, ND_OUT_OF_BOUNDS, ND_NUMBERS({"value", (int64_t)bytes}, {"limit", (int64_t)left}),
      "%zu B exceed the %zu B that are left of the allocation at %p", bytes, left, at);
}

/* {=== hand-over ===} Our streams are not ordered with other streams: one of them has to wait, by
 * an event, for what they have enqueued on the memory; from then on it is as if that one had
 * written it. */

/* Let 'q' wait, by 'event', for what is enqueued on 'stream'. */
static nd_status join_by(ndi_queue *q, CUevent event, CUstream stream, nd_error *err) {
  const CUresult result = ndi_cu.cuEventRecord(event, stream);
  if (result == CUDA_ERROR_INVALID_HANDLE)
    return ndi_stream_misuse(q->device, stream,
                             "it is not a stream of the device's primary context", err);
  ND_TRY(ndi_cuda_check(q->device, result, "cuEventRecord", err));
  return ND_CU(q->device, cuStreamWaitEvent(q->stream, event, 0), err);
}

static nd_status wait_for(ndi_queue *q, CUstream stream, nd_error *err) {
  CUevent event;
  ND_TRY(ndi_cuda_check_capture(q->device, stream, err));
  ND_TRY(ndi_cuda_prepare(q, err));
  ND_TRY(ND_CU(q->device, cuEventCreate(&event, CU_EVENT_DISABLE_TIMING), err));
  const nd_status status = join_by(q, event, stream, err);
  /* the driver keeps what the wait needs of the event */
  if (ndi_cu.cuEventDestroy(event) != CUDA_SUCCESS) ndi_cu.cuEventDestroy(event);
  return status;
}

static nd_status wait_for_event(ndi_queue *q, CUevent event, nd_error *err) {
  ND_TRY(ndi_cuda_check_event(q->device, event, err));
  ND_TRY(ndi_cuda_prepare(q, err));
  return ND_CU(q->device, cuStreamWaitEvent(q->stream, event, 0), err);
}

/* Without an explicit stream: the legacy default stream, which other blocking streams are ordered
 * with. */
static nd_status take_over(ndi_cuda *d, nd_memkind kind, const nd_foreign *memory, nd_point *ready,
                           nd_error *err) {
  ndi_queue *q = ndi_cuda_queue(d, NULL);
  ND_VISIT(d, err);
  if (memory->bytes == 0) return ND_OK;
  if (kind == ND_MEM_DEVICE) ND_TRY(check_origin(d, memory->at, memory->bytes, err));
  if (memory->has_event && !memory->event) return ND_OK;
  if (memory->has_event) ND_TRY(wait_for_event(q, (CUevent)memory->event, err));
  else ND_TRY(wait_for(q, memory->stream ? (CUstream)memory->stream : CU_STREAM_LEGACY, err));
  return ndi_cuda_mark(q, ready, err);
}

nd_status ndi_cuda_foreign(ndi_cuda *d, nd_memkind kind, const nd_foreign *memory,
                           nd_resource **out, nd_error *err) {
  nd_point ready = {0};
  ND_TRY(take_over(d, kind, memory, &ready, err));
  if (kind == ND_MEM_MANAGED && !d->properties.is_concurrent) ND_TRY(ndi_cuda_wait_all(err));
  const uint16_t device = kind == ND_MEM_PINNED ? nd_host_device()->number : d->base.number;
  return nd_foreign_device_resource(device, kind, memory->at, memory->bytes, ready, memory->release,
                                    memory->owner, out, err);
}

/* {=== hidden addresses ===} */

/* Ask in the current context, whichever that is. False: the driver cannot answer there. */
static bool tell_hidden(const void *at, bool *is_hidden) {
  CUmemorytype type = 0;
  unsigned is_managed = 0;
  const CUresult result = ask(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, at);
  if (result != CUDA_SUCCESS && result != CUDA_ERROR_INVALID_VALUE) return false;
  *is_hidden = result == CUDA_SUCCESS && type == CU_MEMORYTYPE_DEVICE &&
               (ask(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, at) != CUDA_SUCCESS ||
                !is_managed);
  return true;
}

/* Ask in the primary context of a device, if somebody has made it. */
static bool tell_hidden_on(int ordinal, const void *at, bool *is_hidden) {
  CUdevice device;
  CUcontext context;
  unsigned flags;
  int is_active = 0;
  if (ndi_cu.cuDeviceGet(&device, ordinal) != CUDA_SUCCESS) return false;
  ndi_cu.cuDevicePrimaryCtxGetState(device, &flags, &is_active);
  /* retained for the moment, so that its owner cannot destroy it in between */
  if (!is_active || ndi_cu.cuDevicePrimaryCtxRetain(&context, device) != CUDA_SUCCESS) return false;
  bool is_told = false;
  if (ndi_cu.cuCtxPushCurrent(context) == CUDA_SUCCESS) {
    is_told = tell_hidden(at, is_hidden);
    if (ndi_cu.cuCtxPopCurrent(NULL) != CUDA_SUCCESS) ndi_cu.cuCtxPopCurrent(NULL);
  }
  if (ndi_cu.cuDevicePrimaryCtxRelease(device) != CUDA_SUCCESS)
    ndi_cu.cuDevicePrimaryCtxRelease(device);
  return is_told;
}

/* A thread without a current context gets no answer (CUDA_ERROR_INVALID_CONTEXT), even about memory
 * of contexts that exist, so each existing primary context is tried. None is made for the question:
 * without a context there is no device memory. */
bool ndi_cuda_is_hidden(const void *at) {
  bool is_hidden = false;
  if (ndi_cuda_is_forked() || !ndi_cuda_is_loaded() || ndi_cuda_open(NULL) != ND_OK) return false;
  bool is_told = tell_hidden(at, &is_hidden) || !ndi_cu.cuDevicePrimaryCtxGetState;
  for (int i = 0; i < ndi_cuda_count() && !is_told; i++)
    is_told = tell_hidden_on(i, at, &is_hidden);
  return is_hidden;
}
