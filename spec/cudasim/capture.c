/* Streams that are captured into a graph, which has no work here: what a capture refuses, and what
 * ends it. CUDA Driver API: "Stream Management" (cuStreamIsCapturing, and the modes of
 * cuThreadExchangeStreamCaptureMode). */
#include "sim.h"

static _Thread_local CUstreamCaptureMode mode; /* global at first */

SIM_CALL(cuThreadExchangeStreamCaptureMode, (CUstreamCaptureMode * io), (io)) {
  if (!io || *io > CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_INVALID_VALUE;
  const CUstreamCaptureMode before = mode;
  mode = *io;
  *io = before;
  return CUDA_SUCCESS;
}

/* The legacy stream orders with those streams, so that it cannot be used meanwhile. */
static bool is_blocking_captured(int device) {
  for (int i = 0; i < queue_count; i++)
    if (queues[i].device == device && queues[i].is_blocking && queues[i].capture) return true;
  return false;
}

CUresult sim_check_capture(int queue) {
  sim_queue *q = &queues[queue];
  if (q->capture) {
    q->capture = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  const bool is_legacy = queue == devices[q->device].legacy;
  return is_legacy && is_blocking_captured(q->device) ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT
                                                      : CUDA_SUCCESS;
}

/* Calls that may wait, or order work, behind the back of a capture. */
static bool is_unsafe(int call) {
  switch (call) {
    case SIM_cuCtxSynchronize:
    case SIM_cuStreamSynchronize:
    case SIM_cuStreamQuery:
    case SIM_cuEventSynchronize:
    case SIM_cuEventQuery:
    case SIM_cuMemPoolCreate:
    case SIM_cuMemPoolTrimTo:
    case SIM_cuMemPoolDestroy:
    case SIM_cuMemcpyHtoD_v2:
    case SIM_cuMemcpyDtoH_v2: return true;
    default: return sim_stalls(call);
  }
}

CUresult sim_check_unsafe(int call) {
  CUresult result = CUDA_SUCCESS;
  if (mode == CU_STREAM_CAPTURE_MODE_RELAXED || !is_unsafe(call)) return CUDA_SUCCESS;
  for (int i = 0; i < queue_count; i++) {
    if (!queues[i].capture) continue;
    queues[i].capture = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
    result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  return result;
}

SIM_CALL(cuStreamIsCapturing, (CUstream stream, CUstreamCaptureStatus *status), (stream, status)) {
  int queue;
  SIM_TRY(sim_stream_of(stream, &queue));
  if (!status) return CUDA_ERROR_INVALID_VALUE;
  if (!queues[queue].capture) SIM_TRY(sim_check_capture(queue));
  *status = queues[queue].capture;
  return CUDA_SUCCESS;
}

/* ---- for specs ---- */

ND_CUDA_EXPORT bool cusim_capture(uint64_t stream, bool is_on) {
  sim_lock();
  sim_queue *q = sim_handle_peek(STREAM_HANDLE, stream);
  const bool ok = q && (is_on ? !q->capture : q->capture == CU_STREAM_CAPTURE_STATUS_ACTIVE);
  if (q) q->capture = is_on ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
  sim_unlock();
  return ok;
}
