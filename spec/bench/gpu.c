/* The peers of the table "GPU": the same work by calls of the CUDA driver, without ndbuf. It stands
 * before libcuda.so.1, which it needs, so that ndbuf, told to open it as the driver, creates its
 * events here, where they are counted. */
#include "../cudasim/symbols.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What cannot be done takes less than no time. */
#define FAILED (-1.0)

typedef enum { TO_DEVICE, TO_HOST, WITHIN, PAGEABLE_TO_DEVICE } direction;

const char *bench_gpu_open(size_t bytes);
double bench_gpu_copy(direction way);
double bench_gpu_enqueue(size_t bytes, int times, bool has_event);
double bench_gpu_beside(direction other, bool is_apart);
double bench_gpu_pool(size_t bytes, int times);
uint64_t bench_gpu_events(void);
void bench_gpu_close(void);
/* In the driver's name. */
CUresult cuEventCreate(CUevent *event, unsigned flags);

static struct {
#define POINTER(function, symbol, since, need, arguments) CUresult(*function) arguments;
  SIM_SYMBOLS(POINTER)
} cu;

static CUcontext context;
static CUstream stream, second;
static CUevent marker;
static CUmemoryPool pool;
static CUdeviceptr device[3];
static char *pinned[2], *pageable;
static size_t size;
static uint64_t events;

static CUresult resolve(void) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!driver) return CUDA_ERROR_NOT_FOUND;
#define FIND(function, symbol, since, need, arguments) \
  *(void **)&cu.function = dlsym(driver, #symbol);
  SIM_SYMBOLS(FIND)
  return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent *event, unsigned flags) {
  events++;
  if (!cu.cuEventCreate && resolve() != CUDA_SUCCESS) return CUDA_ERROR_NOT_FOUND;
  return cu.cuEventCreate(event, flags);
}

uint64_t bench_gpu_events(void) { return events; }

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Not there before CUDA 11.2. */
static CUresult make_pool(void) {
  unsigned long long all = UINT64_MAX;
  CUmemPoolProps props = {0};
  props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  if (!cu.cuMemPoolCreate) return CUDA_SUCCESS;
  const CUresult result = cu.cuMemPoolCreate(&pool, &props);
  if (result != CUDA_SUCCESS) return result;
  return cu.cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all);
}

static CUresult open_all(void) {
  CUresult result = resolve();
  if (result == CUDA_SUCCESS) result = cu.cuInit(0);
  if (result == CUDA_SUCCESS) result = cu.cuDevicePrimaryCtxRetain(&context, 0);
  if (result == CUDA_SUCCESS) result = cu.cuCtxSetCurrent(context);
  if (result == CUDA_SUCCESS) result = cu.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
  if (result == CUDA_SUCCESS) result = cu.cuStreamCreate(&second, CU_STREAM_NON_BLOCKING);
  if (result == CUDA_SUCCESS) result = cu.cuEventCreate(&marker, CU_EVENT_DISABLE_TIMING);
  if (result == CUDA_SUCCESS) result = make_pool();
  for (int i = 0; i < 3 && result == CUDA_SUCCESS; i++) result = cu.cuMemAlloc(&device[i], size);
  for (int i = 0; i < 2 && result == CUDA_SUCCESS; i++)
    result = cu.cuMemHostAlloc((void **)&pinned[i], size, 0);
  return result;
}

/* Takes buffers of so many bytes, filled once; NULL, or the name of what the driver said. */
const char *bench_gpu_open(size_t bytes) {
  const char *name = "an error";
  bench_gpu_close();
  size = bytes;
  CUresult result = open_all();
  pageable = malloc(size);
  if (result == CUDA_SUCCESS && !pageable) return "no memory";
  if (result == CUDA_SUCCESS) {
    memset(pageable, 1, size);
    memset(pinned[0], 2, size);
    memset(pinned[1], 3, size);
  }
  for (int i = 0; i < 3 && result == CUDA_SUCCESS; i++)
    result = cu.cuMemcpyHtoD(device[i], pinned[0], size);
  if (result == CUDA_SUCCESS) return NULL;
  if (cu.cuGetErrorName) cu.cuGetErrorName(result, &name);
  return name;
}

void bench_gpu_close(void) {
  if (!context) return;
  cu.cuCtxSetCurrent(context);
  cu.cuCtxSynchronize();
  for (int i = 0; i < 3; i++)
    if (device[i]) cu.cuMemFree(device[i]);
  for (int i = 0; i < 2; i++)
    if (pinned[i]) cu.cuMemFreeHost(pinned[i]);
  if (pool) cu.cuMemPoolDestroy(pool);
  if (marker) cu.cuEventDestroy(marker);
  if (second) cu.cuStreamDestroy(second);
  if (stream) cu.cuStreamDestroy(stream);
  cu.cuDevicePrimaryCtxRelease(0);
  free(pageable);
  device[0] = device[1] = device[2] = 0;
  pinned[0] = pinned[1] = pageable = NULL, pool = NULL, context = NULL;
  stream = second = NULL, marker = NULL;
}

/* To the device it goes to the first block, from there to the host from the second. */
static CUresult enqueue(direction way, size_t bytes, CUstream on) {
  switch (way) {
    case TO_DEVICE: return cu.cuMemcpyHtoDAsync(device[0], pinned[0], bytes, on);
    case TO_HOST: return cu.cuMemcpyDtoHAsync(pinned[1], device[1], bytes, on);
    case PAGEABLE_TO_DEVICE: return cu.cuMemcpyHtoD(device[0], pageable, bytes);
    case WITHIN: break;
  }
  return cu.cuMemcpyDtoDAsync(device[2], device[1], bytes, on);
}

/* Seconds of one copy of all bytes, and the wait for it. */
double bench_gpu_copy(direction way) {
  if (cu.cuCtxSetCurrent(context) != CUDA_SUCCESS) return FAILED;
  const double start = now();
  if (enqueue(way, size, stream) != CUDA_SUCCESS) return FAILED;
  if (cu.cuStreamSynchronize(way == PAGEABLE_TO_DEVICE ? CU_STREAM_LEGACY : stream) != CUDA_SUCCESS)
    return FAILED;
  return now() - start;
}

/* Seconds of a copy to the device and another copy, all bytes each, and the wait for both: on two
 * streams, or on one. */
double bench_gpu_beside(direction other, bool is_apart) {
  if (cu.cuCtxSetCurrent(context) != CUDA_SUCCESS) return FAILED;
  const double start = now();
  if (enqueue(TO_DEVICE, size, stream) != CUDA_SUCCESS) return FAILED;
  if (enqueue(other, size, is_apart ? second : stream) != CUDA_SUCCESS) return FAILED;
  if (cu.cuStreamSynchronize(stream) != CUDA_SUCCESS) return FAILED;
  return cu.cuStreamSynchronize(second) == CUDA_SUCCESS ? now() - start : FAILED;
}

/* Seconds of one call that copies within the device, and does not wait; with an event behind it, as
 * where other streams are to come after it. */
double bench_gpu_enqueue(size_t bytes, int times, bool has_event) {
  if (cu.cuCtxSetCurrent(context) != CUDA_SUCCESS) return FAILED;
  const double start = now();
  for (int i = 0; i < times; i++) {
    if (enqueue(WITHIN, bytes, stream) != CUDA_SUCCESS) return FAILED;
    if (has_event && cu.cuEventRecord(marker, stream) != CUDA_SUCCESS) return FAILED;
  }
  const double seconds = (now() - start) / times;
  return cu.cuStreamSynchronize(stream) == CUDA_SUCCESS ? seconds : FAILED;
}

/* Seconds of taking and giving back a block of a pool that keeps what it has. */
double bench_gpu_pool(size_t bytes, int times) {
  CUdeviceptr at = 0;
  if (!pool || cu.cuCtxSetCurrent(context) != CUDA_SUCCESS) return FAILED;
  const double start = now();
  for (int i = 0; i < times; i++) {
    if (cu.cuMemAllocFromPoolAsync(&at, bytes, pool, stream) != CUDA_SUCCESS) return FAILED;
    if (cu.cuMemFreeAsync(at, stream) != CUDA_SUCCESS) return FAILED;
  }
  const double seconds = (now() - start) / times;
  return cu.cuStreamSynchronize(stream) == CUDA_SUCCESS ? seconds : FAILED;
}
