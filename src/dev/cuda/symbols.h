/* The functions of the CUDA driver that we call, in one list. */
#ifndef ND_DEV_CUDA_SYMBOLS_H
#define ND_DEV_CUDA_SYMBOLS_H

#include "dev/cuda/api.h"

/* X(function, symbol, since, need, arguments). function: the name in the manual. symbol: the
 * exported name of the version we call; the plain name is often an older one with other arguments.
 * since: the version of CUDA that introduced the symbol, as cuDriverGetVersion has it; only the
 * simulated driver reads it, to leave out what the version that it plays lacks. need: required, or
 * optional (then NULL where missing). All return CUresult.
 *
 * Only what device memory cannot do without is required. For the rest there is a fallback, or the
 * calls that need it fail as unsupported, so that a driver without it is still of use. A function
 * whose arguments changed after the oldest supported driver has two rows: _v1 is its older form. */
/* clang-format takes the stars of the pointers for multiplications. */
/* clang-format off */
#define ND_CUDA_SYMBOLS(X) \
  X(cuInit, cuInit, 2000, required, (unsigned flags)) \
  X(cuDriverGetVersion, cuDriverGetVersion, 2020, required, (int *version)) \
  X(cuGetErrorName, cuGetErrorName, 6000, required, (CUresult error, const char **text)) \
  X(cuGetErrorString, cuGetErrorString, 6000, required, (CUresult error, const char **text)) \
  X(cuDeviceGetCount, cuDeviceGetCount, 2000, required, (int *count)) \
  X(cuDeviceGet, cuDeviceGet, 2000, required, (CUdevice *device, int ordinal)) \
  X(cuDeviceGetName, cuDeviceGetName, 2000, required, (char *name, int bytes, CUdevice device)) \
  X(cuDeviceTotalMem, cuDeviceTotalMem_v2, 3020, required, (size_t *bytes, CUdevice device)) \
  X(cuDeviceGetAttribute, cuDeviceGetAttribute, 2000, required, \
    (int *value, CUdevice_attribute attribute, CUdevice device)) \
  X(cuDeviceCanAccessPeer, cuDeviceCanAccessPeer, 4000, optional, \
    (int *can, CUdevice device, CUdevice peer)) \
  X(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, 7000, required, \
    (CUcontext *context, CUdevice device)) \
  X(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, 11000, required, (CUdevice device)) \
  X(cuDevicePrimaryCtxGetState, cuDevicePrimaryCtxGetState, 7000, optional, \
    (CUdevice device, unsigned *flags, int *active)) \
  X(cuCtxSynchronize, cuCtxSynchronize, 2000, required, (void)) \
  X(cuCtxSetCurrent, cuCtxSetCurrent, 4000, required, (CUcontext context)) \
  X(cuCtxGetCurrent, cuCtxGetCurrent, 4000, required, (CUcontext *context)) \
  X(cuCtxPushCurrent, cuCtxPushCurrent_v2, 4000, required, (CUcontext context)) \
  X(cuCtxPopCurrent, cuCtxPopCurrent_v2, 4000, required, (CUcontext *context)) \
  X(cuCtxEnablePeerAccess, cuCtxEnablePeerAccess, 4000, optional, \
    (CUcontext peer, unsigned flags)) \
  X(cuMemGetInfo, cuMemGetInfo_v2, 3020, required, (size_t *free, size_t *total)) \
  X(cuMemAlloc, cuMemAlloc_v2, 3020, required, (CUdeviceptr *out, size_t bytes)) \
  X(cuMemFree, cuMemFree_v2, 3020, required, (CUdeviceptr address)) \
  X(cuMemFreeAsync, cuMemFreeAsync, 11020, optional, (CUdeviceptr address, CUstream stream)) \
  X(cuMemAllocFromPoolAsync, cuMemAllocFromPoolAsync, 11020, optional, \
    (CUdeviceptr *out, size_t bytes, CUmemoryPool pool, CUstream stream)) \
  X(cuMemPoolCreate, cuMemPoolCreate, 11020, optional, \
    (CUmemoryPool *pool, const CUmemPoolProps *props)) \
  X(cuMemPoolDestroy, cuMemPoolDestroy, 11020, optional, (CUmemoryPool pool)) \
  X(cuMemPoolTrimTo, cuMemPoolTrimTo, 11020, optional, (CUmemoryPool pool, size_t keep)) \
  X(cuMemPoolSetAttribute, cuMemPoolSetAttribute, 11020, optional, \
    (CUmemoryPool pool, CUmemPool_attribute attribute, void *value)) \
  X(cuMemPoolGetAttribute, cuMemPoolGetAttribute, 11020, optional, \
    (CUmemoryPool pool, CUmemPool_attribute attribute, void *value)) \
  X(cuMemPoolSetAccess, cuMemPoolSetAccess, 11020, optional, \
    (CUmemoryPool pool, const CUmemAccessDesc *list, size_t count)) \
  X(cuMemAllocManaged, cuMemAllocManaged, 6000, optional, \
    (CUdeviceptr *out, size_t bytes, unsigned flags)) \
  X(cuMemPrefetchAsync, cuMemPrefetchAsync_v2, 12020, optional, \
    (CUdeviceptr address, size_t bytes, CUmemLocation location, unsigned flags, CUstream stream)) \
  X(cuMemPrefetchAsync_v1, cuMemPrefetchAsync, 8000, optional, \
    (CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream)) \
  X(cuMemAdvise, cuMemAdvise_v2, 12020, optional, \
    (CUdeviceptr address, size_t bytes, CUmem_advise advice, CUmemLocation location)) \
  X(cuMemAdvise_v1, cuMemAdvise, 8000, optional, \
    (CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device)) \
  X(cuMemHostAlloc, cuMemHostAlloc, 2020, required, (void **out, size_t bytes, unsigned flags)) \
  X(cuMemFreeHost, cuMemFreeHost, 2000, required, (void *address)) \
  X(cuMemHostRegister, cuMemHostRegister_v2, 6050, optional, \
    (void *address, size_t bytes, unsigned flags)) \
  X(cuMemHostUnregister, cuMemHostUnregister, 4000, optional, (void *address)) \
  X(cuMemcpyAsync, cuMemcpyAsync, 4000, optional, \
    (CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)) \
  X(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2, 3020, required, \
    (CUdeviceptr dst, const void *src, size_t bytes, CUstream stream)) \
  X(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2, 3020, required, \
    (void *dst, CUdeviceptr src, size_t bytes, CUstream stream)) \
  X(cuMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2, 3020, required, \
    (CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)) \
  X(cuMemcpyPeerAsync, cuMemcpyPeerAsync, 4000, optional, \
    (CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from, size_t bytes, \
     CUstream stream)) \
  X(cuMemcpy2DAsync, cuMemcpy2DAsync_v2, 3020, optional, \
    (const CUDA_MEMCPY2D *copy, CUstream stream)) \
  X(cuMemcpy3DAsync, cuMemcpy3DAsync_v2, 3020, optional, \
    (const CUDA_MEMCPY3D *copy, CUstream stream)) \
  X(cuMemsetD8Async, cuMemsetD8Async, 3020, required, \
    (CUdeviceptr dst, unsigned char value, size_t count, CUstream stream)) \
  X(cuMemsetD16Async, cuMemsetD16Async, 3020, optional, \
    (CUdeviceptr dst, unsigned short value, size_t count, CUstream stream)) \
  X(cuMemsetD32Async, cuMemsetD32Async, 3020, optional, \
    (CUdeviceptr dst, unsigned value, size_t count, CUstream stream)) \
  X(cuStreamCreate, cuStreamCreate, 2000, required, (CUstream *stream, unsigned flags)) \
  X(cuStreamCreateWithPriority, cuStreamCreateWithPriority, 5050, optional, \
    (CUstream *stream, unsigned flags, int priority)) \
  X(cuCtxGetStreamPriorityRange, cuCtxGetStreamPriorityRange, 5050, optional, \
    (int *least, int *greatest)) \
  X(cuStreamGetCtx, cuStreamGetCtx, 9020, optional, (CUstream stream, CUcontext *context)) \
  X(cuStreamDestroy, cuStreamDestroy_v2, 4000, required, (CUstream stream)) \
  X(cuStreamSynchronize, cuStreamSynchronize, 2000, required, (CUstream stream)) \
  X(cuStreamQuery, cuStreamQuery, 2000, required, (CUstream stream)) \
  X(cuStreamWaitEvent, cuStreamWaitEvent, 3020, required, \
    (CUstream stream, CUevent event, unsigned flags)) \
  X(cuStreamWriteValue64, cuStreamWriteValue64_v2, 11070, optional, \
    (CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags)) \
  X(cuStreamWaitValue64, cuStreamWaitValue64_v2, 11070, optional, \
    (CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags)) \
  X(cuStreamIsCapturing, cuStreamIsCapturing, 10000, optional, \
    (CUstream stream, CUstreamCaptureStatus *status)) \
  X(cuThreadExchangeStreamCaptureMode, cuThreadExchangeStreamCaptureMode, 10010, optional, \
    (CUstreamCaptureMode *mode)) \
  X(cuEventCreate, cuEventCreate, 2000, required, (CUevent *event, unsigned flags)) \
  X(cuEventDestroy, cuEventDestroy_v2, 4000, required, (CUevent event)) \
  X(cuEventRecord, cuEventRecord, 2000, required, (CUevent event, CUstream stream)) \
  X(cuEventQuery, cuEventQuery, 2000, required, (CUevent event)) \
  X(cuEventSynchronize, cuEventSynchronize, 2000, required, (CUevent event)) \
  X(cuEventElapsedTime, cuEventElapsedTime_v2, 12080, optional, \
    (float *milliseconds, CUevent first, CUevent last)) \
  X(cuEventElapsedTime_v1, cuEventElapsedTime, 2000, optional, \
    (float *milliseconds, CUevent first, CUevent last)) \
  X(cuPointerGetAttribute, cuPointerGetAttribute, 4000, optional, \
    (void *value, CUpointer_attribute attribute, CUdeviceptr address))
/* clang-format on */

#endif
