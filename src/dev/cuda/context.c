/* The primary context of a CUDA device: its properties, entering and leaving it, and what happens
 * when it is lost. After a sticky error every call in the context fails until the process ends; the
 * first such error is remembered and told by all later calls. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/lock.h"
#include "dev/cuda/cuda.h"

/* By ordinal; NULL until the device is first asked for. */
static _Atomic(ndi_cuda *) devices[ND_DEVICES];

ndi_cuda *ndi_cuda_find(int ordinal) { return devices[ordinal]; }
void ndi_cuda_set(int ordinal, ndi_cuda *d) { devices[ordinal] = d; }

/* An ndi_cuda begins with its nd_device, hence the cast. */
ndi_cuda *ndi_cuda_get(uint16_t number) { return (ndi_cuda *)nd_device_get(number); }

/* {=== calls ===} */

/* In seconds, from an arbitrary start. */
static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec;
}

/* The first sticky error wins, as the later ones only follow from it. 'lost' is set last, as others
 * who see it read the rest; a thread that fails at the same time waits until it is. */
static void lose(ndi_cuda *d, CUresult result, const char *call) {
  ndi_lock(NDI_LOCK_LOST);
  if (!d->lost) {
    snprintf(d->lost_call, sizeof d->lost_call, "%.*s", (int)strcspn(call, "("), call);
    d->lost_at = now();
    d->lost = (int)result;
  }
  ndi_unlock(NDI_LOCK_LOST);
}

nd_status ndi_cuda_check(ndi_cuda *d, CUresult result, const char *call, nd_error *err) {
  if (result == CUDA_SUCCESS) return ND_OK;
  if (ndi_cuda_is_sticky(result)) lose(d, result, call);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) return ndi_cuda_fail_memory(d, 0, call, err);
  return ndi_cuda_status(result, call, err);
}

/* The call that fails now has no fault of its own. */
nd_status ndi_cuda_check_lost(const ndi_cuda *d, nd_error *err) {
  const int by = d->lost;
  if (!by) return ND_OK;
  return nd_fail_with(err, ND_DRIVER, ND_NUMBERS({"number", by}),
                      "the context of %s was lost %lld s ago, when %s failed: %s (%d); only a "
                      "new process gets another",
                      d->name, (long long)(now() - d->lost_at), d->lost_call,
                      ndi_cuda_error_name((CUresult)by), by);
}

/* In relaxed mode a stream capture of another library does not make our calls fail. The call
 * exchanges: afterwards visit->mode is the mode to restore. */
static nd_status relax(ndi_cuda *d, ndi_visit *visit, nd_error *err) {
  if (!ndi_cu.cuThreadExchangeStreamCaptureMode) return ND_OK;
  visit->mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  ND_TRY(ND_CU(d, cuThreadExchangeStreamCaptureMode(&visit->mode), err));
  visit->has_mode = visit->mode != CU_STREAM_CAPTURE_MODE_RELAXED;
  return ND_OK;
}

static _Thread_local ndi_cuda *visited; /* whose context this thread is in, as it entered it */

static nd_status visit_context(ndi_cuda *d, ndi_visit *visit, nd_error *err) {
  ND_TRY(ND_CU(d, cuCtxGetCurrent(&visit->before), err));
  if (visit->before != d->context) {
    ND_TRY(ND_CU(d, cuCtxSetCurrent(d->context), err));
    visit->is_changed = true;
  }
  const nd_status status = relax(d, visit, err);
  if (status != ND_OK) return ndi_cuda_leave(visit), status;
  visit->outer = visited;
  visit->is_in = true;
  visited = d;
  return ND_OK;
}

/* Leaving cannot report a failure and cannot be repeated later, so a refused call is tried again at
 * once. */
void ndi_cuda_leave(ndi_visit *visit) {
  if (visit->has_mode && ndi_cu.cuThreadExchangeStreamCaptureMode(&visit->mode) != CUDA_SUCCESS)
    ndi_cu.cuThreadExchangeStreamCaptureMode(&visit->mode);
  if (visit->is_changed && ndi_cu.cuCtxSetCurrent(visit->before) != CUDA_SUCCESS)
    ndi_cu.cuCtxSetCurrent(visit->before);
  if (visit->is_in) visited = visit->outer;
  visit->has_mode = visit->is_changed = visit->is_in = false;
}

nd_status ndi_cuda_check_fork(const ndi_cuda *d, nd_error *err) {
  if (!ndi_cuda_is_forked()) return ND_OK;
  return nd_fail(err, ND_DRIVER,
                 "%s cannot be used in a process forked from the one that opened it", d->name);
}

nd_status ndi_cuda_enter(ndi_cuda *d, ndi_visit *visit, nd_error *err) {
  ND_TRY(ndi_cuda_check_fork(d, err));
  ND_TRY(ndi_cuda_check_lost(d, err));
  return visited == d ? ND_OK : visit_context(d, visit, err);
}

/* Can the driver free nothing of this device any more? */
static bool is_gone(const ndi_cuda *d) { return d->lost || ndi_cuda_is_forked(); }

/* What cannot be freed because the context is gone is given up: it counts as lost, but is no longer
 * in use. */
nd_status ndi_cuda_free(ndi_cuda *d, ndi_counters *counters, ndi_free *free, const nd_block *block,
                        const nd_uses *after, nd_error *err) {
  ndi_visit visit = {0};
  nd_status status = ndi_cuda_enter(d, &visit, err);
  if (status == ND_OK) status = free(d, block, after, err);
  ndi_cuda_leave(&visit);
  if (status != ND_OK && !is_gone(d)) return status;
  if (status != ND_OK) {
    atomic_fetch_add(&d->lost_bytes, block->granted);
    atomic_fetch_add(&d->lost_count, 1);
  }
  ndi_counters_give(counters, block->granted);
  return ND_OK;
}

/* {=== memory that the driver mapped ===} */

nd_status ndi_cuda_check_mapped(const char *name, nd_error *err) {
  if (!ndi_cuda_is_forked()) return ND_OK;
  return nd_fail(err, ND_DRIVER, "the %s memory of this array cannot be used in a forked process",
                 name);
}

nd_status ndi_cuda_check_managed(const ndi_cuda *d, nd_error *err) {
  ND_TRY(ndi_cuda_check_mapped("managed", err));
  return ndi_cuda_check_lost(d, err);
}

/* {=== streams that other code captures ===} */

nd_status ndi_stream_misuse(const ndi_cuda *d, CUstream stream, const char *why, nd_error *err) {
  return nd_fail(err, ND_STREAM_MISUSE, "stream %#llx on %s: %s",
                 (unsigned long long)(uintptr_t)stream, d->name, why);
}

/* Refuse a stream that is being captured: what is enqueued on it only runs when the graph is
 * launched, perhaps never. */
nd_status ndi_cuda_check_capture(ndi_cuda *d, CUstream stream, nd_error *err) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  if (!ndi_cu.cuStreamIsCapturing) return ND_OK;
  const CUresult result = ndi_cu.cuStreamIsCapturing(stream, &status);
  /* no stream at all: cuEventRecord will refuse it with a better message */
  if (result == CUDA_ERROR_INVALID_HANDLE) return ND_OK;
  if (result == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT || status != CU_STREAM_CAPTURE_STATUS_NONE)
    return ndi_stream_misuse(d, stream, "it is being captured into a graph; end the capture first",
                             err);
  return ndi_cuda_check(d, result, "cuStreamIsCapturing", err);
}

/* {=== opening ===} */

/* Drivers call an attribute that they do not know an invalid value; it counts as 0. */
static nd_status attribute(ndi_cuda *d, CUdevice_attribute which, int *out, nd_error *err) {
  const CUresult result = ndi_cu.cuDeviceGetAttribute(out, which, d->device);
  if (result != CUDA_ERROR_INVALID_VALUE)
    return ndi_cuda_check(d, result, "cuDeviceGetAttribute", err);
  *out = 0;
  return ND_OK;
}

/* A feature counts as present only if the device reports it and the driver has all functions that
 * it takes: symbols may be missing. */
static nd_status read_attributes(ndi_cuda *d, nd_error *err) {
  nd_properties *p = &d->properties;
  int managed = 0, is_concurrent = 0, pools = 0, pitch = 0, reads_locked = 0, words = 0;
  const struct {
    CUdevice_attribute which;
    int *out;
  } rows[] = {{CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &p->major},
              {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &p->minor},
              {CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, &managed},
              {CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, &is_concurrent},
              {CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, &pools},
              {CU_DEVICE_ATTRIBUTE_MAX_PITCH, &pitch},
              {CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED, &reads_locked},
              {CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, &words}};
  for (size_t i = 0; i < ND_COUNTOF(rows); i++)
    ND_TRY(attribute(d, rows[i].which, rows[i].out, err));
  p->has_managed = ndi_cu.cuMemAllocManaged && managed;
  p->is_concurrent = is_concurrent != 0;
  p->has_pools = ndi_cu.cuMemAllocFromPoolAsync && ndi_cu.cuMemFreeAsync &&
                 ndi_cu.cuMemPoolCreate && ndi_cu.cuMemPoolDestroy && ndi_cu.cuMemPoolTrimTo &&
                 ndi_cu.cuMemPoolSetAttribute && ndi_cu.cuMemPoolGetAttribute && pools;
  /* 0 where the driver does not tell: then no pitch is accepted, and copies go run by run */
  d->max_pitch = (size_t)pitch;
  d->reads_locked = reads_locked != 0;
  d->has_words = ndi_cu.cuStreamWriteValue64 && ndi_cu.cuStreamWaitValue64 && words;
  return ND_OK;
}

static nd_status read_properties(ndi_cuda *d, nd_error *err) {
  nd_properties *p = &d->properties;
  ND_TRY(ND_CU(d, cuDeviceGet(&d->device, d->base.ordinal), err));
  ND_TRY(ND_CU(d, cuDeviceGetName(p->name, sizeof p->name, d->device), err));
  ND_TRY(ND_CU(d, cuDeviceTotalMem(&p->total, d->device), err));
  return read_attributes(d, err);
}

/* The context is never released: libraries that share it would lose it, and making it anew takes a
 * good part of a second. */
nd_status ndi_cuda_open_context(ndi_cuda *d, nd_error *err) {
  ND_TRY(read_properties(d, err));
  /* retained once, however often the device is closed and opened */
  return d->context ? ND_OK : ND_CU(d, cuDevicePrimaryCtxRetain(&d->context, d->device), err);
}
