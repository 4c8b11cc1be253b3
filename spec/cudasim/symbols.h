/* The functions that the simulated driver has: those that the backend calls, and more that other
 * libraries in the process do. */
#ifndef ND_SPEC_CUDASIM_SYMBOLS_H
#define ND_SPEC_CUDASIM_SYMBOLS_H

#include "dev/cuda/symbols.h"

#define SIM_SYMBOLS(X) ND_CUDA_SYMBOLS(X) SIM_MORE_SYMBOLS(X)

/* Rows as in ND_CUDA_SYMBOLS. */
/* clang-format off */
#define SIM_MORE_SYMBOLS(X) \
  X(cuDeviceGetUuid, cuDeviceGetUuid_v2, 11040, optional, (CUuuid *uuid, CUdevice device)) \
  X(cuDeviceGetPCIBusId, cuDeviceGetPCIBusId, 4010, optional, \
    (char *text, int bytes, CUdevice device)) \
  X(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2, 11000, optional, \
    (CUdevice device, unsigned flags)) \
  X(cuCtxGetDevice, cuCtxGetDevice, 2000, optional, (CUdevice *device)) \
  X(cuCtxDisablePeerAccess, cuCtxDisablePeerAccess, 4000, optional, (CUcontext peer)) \
  X(cuMemGetAddressRange, cuMemGetAddressRange_v2, 3020, optional, \
    (CUdeviceptr *base, size_t *bytes, CUdeviceptr address)) \
  X(cuMemAllocAsync, cuMemAllocAsync, 11020, optional, \
    (CUdeviceptr *out, size_t bytes, CUstream stream)) \
  X(cuDeviceGetDefaultMemPool, cuDeviceGetDefaultMemPool, 11020, optional, \
    (CUmemoryPool *pool, CUdevice device)) \
  X(cuDeviceGetMemPool, cuDeviceGetMemPool, 11020, optional, \
    (CUmemoryPool *pool, CUdevice device)) \
  X(cuDeviceSetMemPool, cuDeviceSetMemPool, 11020, optional, (CUdevice device, CUmemoryPool pool)) \
  X(cuMemPoolGetAccess, cuMemPoolGetAccess, 11020, optional, \
    (CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location)) \
  X(cuMemHostGetDevicePointer, cuMemHostGetDevicePointer_v2, 3020, optional, \
    (CUdeviceptr *out, void *address, unsigned flags)) \
  X(cuMemHostGetFlags, cuMemHostGetFlags, 2030, optional, (unsigned *flags, void *address)) \
  X(cuMemcpy, cuMemcpy, 4000, optional, (CUdeviceptr dst, CUdeviceptr src, size_t bytes)) \
  X(cuMemcpyHtoD, cuMemcpyHtoD_v2, 3020, required, \
    (CUdeviceptr dst, const void *src, size_t bytes)) \
  X(cuMemcpyDtoH, cuMemcpyDtoH_v2, 3020, required, (void *dst, CUdeviceptr src, size_t bytes)) \
  X(cuMemcpyDtoD, cuMemcpyDtoD_v2, 3020, required, \
    (CUdeviceptr dst, CUdeviceptr src, size_t bytes)) \
  X(cuMemcpyPeer, cuMemcpyPeer, 4000, optional, \
    (CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from, size_t bytes)) \
  X(cuMemcpy2D, cuMemcpy2D_v2, 3020, optional, (const CUDA_MEMCPY2D *copy)) \
  X(cuMemcpy2DUnaligned, cuMemcpy2DUnaligned_v2, 3020, optional, (const CUDA_MEMCPY2D *copy)) \
  X(cuMemcpy3D, cuMemcpy3D_v2, 3020, optional, (const CUDA_MEMCPY3D *copy)) \
  X(cuMemsetD8, cuMemsetD8_v2, 3020, required, \
    (CUdeviceptr dst, unsigned char value, size_t count)) \
  X(cuMemsetD16, cuMemsetD16_v2, 3020, optional, \
    (CUdeviceptr dst, unsigned short value, size_t count)) \
  X(cuMemsetD32, cuMemsetD32_v2, 3020, optional, (CUdeviceptr dst, unsigned value, size_t count)) \
  X(cuMemsetD2D8Async, cuMemsetD2D8Async, 3020, optional, \
    (CUdeviceptr dst, size_t pitch, unsigned char value, size_t width, size_t height, \
     CUstream stream)) \
  X(cuMemsetD2D16Async, cuMemsetD2D16Async, 3020, optional, \
    (CUdeviceptr dst, size_t pitch, unsigned short value, size_t width, size_t height, \
     CUstream stream)) \
  X(cuMemsetD2D32Async, cuMemsetD2D32Async, 3020, optional, \
    (CUdeviceptr dst, size_t pitch, unsigned value, size_t width, size_t height, CUstream stream)) \
  X(cuStreamGetId, cuStreamGetId, 12000, optional, (CUstream stream, unsigned long long *id)) \
  X(cuStreamGetFlags, cuStreamGetFlags, 5050, optional, (CUstream stream, unsigned *flags)) \
  X(cuStreamGetPriority, cuStreamGetPriority, 5050, optional, (CUstream stream, int *priority)) \
  X(cuLaunchHostFunc, cuLaunchHostFunc, 10000, optional, \
    (CUstream stream, CUhostFn function, void *data)) \
  X(cuPointerGetAttributes, cuPointerGetAttributes, 7000, optional, \
    (unsigned count, CUpointer_attribute *attributes, void **values, CUdeviceptr address))
/* clang-format on */

#endif
