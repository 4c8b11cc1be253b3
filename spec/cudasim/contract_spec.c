/* Rules of the CUDA driver for devices, contexts and memory. A group's name begins with the section
 * of NVIDIA's "CUDA Driver API" that has the rule. */
#include "contract.h"

#include <pthread.h>
#include <sys/mman.h>

enum { MIB = 1 << 20 };

/* ---- before there is a context ---- */

static void before_init(void) {
  int count;
  group("Initialization: before cuInit every other call is refused");
  IS(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
  IS(cuCtxSynchronize(), CUDA_ERROR_NOT_INITIALIZED);
  group("Initialization: flags are zero");
  IS(cuInit(1), CUDA_ERROR_INVALID_VALUE);
  OK(cuInit(0));
  OK(cuInit(0));
}

static void no_context(void) {
  CUdeviceptr p;
  CUstream s;
  CUcontext found = context;
  group("Context Management: without a current context calls are refused");
  OK(cuCtxGetCurrent(&found));
  CHECK(found == NULL, "there is one");
  IS(cuMemAlloc(&p, 16), CUDA_ERROR_INVALID_CONTEXT);
  IS(cuStreamCreate(&s, 0), CUDA_ERROR_INVALID_CONTEXT);
  IS(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
}

static void *other_thread(void *unused) {
  (void)unused;
  no_context();
  return NULL;
}

/* ---- devices ---- */

static void errors_have_names(void) {
  const char *text = NULL;
  group("Error Handling: names are those of the enumeration");
  OK(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &text));
  CHECK(text && strcmp(text, "CUDA_ERROR_OUT_OF_MEMORY") == 0, "%s", text);
  OK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
  CHECK(text && *text, "no text");
  IS(cuGetErrorName((CUresult)54321, &text), CUDA_ERROR_INVALID_VALUE);
}

static void devices_are_described(void) {
  int count = 0, value = 0;
  CUdevice device;
  size_t total = 0;
  char name[64] = "";
  group("Device Management: ordinals below the count, one name, one size of memory");
  OK(cuDriverGetVersion(&value));
  CHECK(value >= 11040, "version %d", value);
  OK(cuDeviceGetCount(&count));
  CHECK(count > 0, "%d devices", count);
  OK(cuDeviceGet(&device, 0));
  IS(cuDeviceGet(&device, count), CUDA_ERROR_INVALID_DEVICE);
  IS(cuDeviceGet(&device, -1), CUDA_ERROR_INVALID_DEVICE);
  OK(cuDeviceGetName(name, sizeof name, 0));
  CHECK(name[0] && memchr(name, 0, sizeof name), "no name");
  OK(cuDeviceTotalMem(&total, 0));
  CHECK(total > 0, "no memory");
  group("Device Management: attributes");
  OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
  CHECK(value >= 3, "compute capability %d", value);
  OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 0));
  CHECK(value == 1, "no unified addressing");
  IS(cuDeviceGetAttribute(&value, (CUdevice_attribute)9999, 0), CUDA_ERROR_INVALID_VALUE);
  IS(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, count), CUDA_ERROR_INVALID_DEVICE);
}

static void contexts_are_a_stack(void) {
  CUcontext again = NULL, top = NULL;
  CUdevice device = -1;
  unsigned flags;
  int active = 0;
  group("Primary Context Management: one context for a device, counted");
  OK(cuDevicePrimaryCtxRetain(&again, 0));
  CHECK(again == context, "another one");
  OK(cuDevicePrimaryCtxRelease(0));
  OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
  CHECK(active == 1, "not active");
  IS(cuDevicePrimaryCtxRetain(&again, 99), CUDA_ERROR_INVALID_DEVICE);
  group("Context Management: push and pop");
  OK(cuCtxPushCurrent(context));
  OK(cuCtxGetDevice(&device));
  CHECK(device == 0, "device %d", device);
  OK(cuCtxPopCurrent(&top));
  CHECK(top == context, "another one was popped");
  OK(cuCtxGetCurrent(&top));
  CHECK(top == context, "the first is not current");
  OK(cuCtxSetCurrent(NULL));
  no_context();
  IS(cuCtxPopCurrent(&top), CUDA_ERROR_INVALID_CONTEXT);
  OK(cuCtxSetCurrent(context));
}

static void contexts_are_a_threads_own(void) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, other_thread, NULL) == 0, "no thread");
  pthread_join(thread, NULL);
}

/* ---- device memory ---- */

static void memory_is_taken_and_given(void) {
  CUdeviceptr p = 0, base = 0;
  size_t bytes = 0, before = 0, after = 0, total = 0;
  group("Memory Management: cuMemAlloc refuses zero bytes, and what is too much");
  IS(cuMemAlloc(&p, 0), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemGetInfo(&before, &total));
  CHECK(before > 0 && before <= total, "%zu of %zu free", before, total);
  IS(cuMemAlloc(&p, total + MIB), CUDA_ERROR_OUT_OF_MEMORY);
  group("Memory Management: addresses are aligned, and know their allocation");
  p = take(1000);
  CHECK(p % 256 == 0, "%#llx", p);
  OK(cuMemGetAddressRange(&base, &bytes, p + 999));
  CHECK(base == p && bytes == 1000, "%zu bytes", bytes);
  group("Memory Management: cuMemFree takes what cuMemAlloc gave, once");
  IS(cuMemFree(p + 256), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemFree(p));
  IS(cuMemFree(p), CUDA_ERROR_INVALID_VALUE);
  expect_reports("double-free", 1);
  OK(cuMemFree(0));
  OK(cuMemGetInfo(&after, &total));
  CHECK(after == before, "%zu bytes free, then %zu", before, after);
  expect_calm();
}

static void many_blocks_are_apart(void) {
  enum { COUNT = 200 };
  CUdeviceptr p[COUNT];
  group("Memory Management: allocations do not overlap, and keep what was written");
  for (int i = 0; i < COUNT; i++) {
    p[i] = take((size_t)i * 37 + 1);
    OK(cuMemsetD8(p[i], (unsigned char)i, (size_t)i * 37 + 1));
  }
  OK(cuCtxSynchronize());
  for (int i = 0; i < COUNT; i++) {
    unsigned char bytes[COUNT * 37];
    OK(cuMemcpyDtoH(bytes, p[i], (size_t)i * 37 + 1));
    CHECK(is_all(bytes, i, (size_t)i * 37 + 1), "block %d", i);
    OK(cuMemFree(p[i]));
  }
  expect_calm();
}

/* ---- pools ---- */

static CUmemoryPool make_pool(void) {
  const CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
  CUmemoryPool pool = NULL;
  OK(cuMemPoolCreate(&pool, &props));
  return pool;
}

static uint64_t pool_value(CUmemoryPool pool, CUmemPool_attribute attribute) {
  uint64_t value = 12345;
  OK(cuMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

static void pools_keep_what_they_may(void) {
  CUmemoryPool pool = make_pool();
  CUstream s = make_stream();
  CUdeviceptr p = 0;
  uint64_t most = UINT64_MAX, zero = 0;
  group("Stream Ordered Memory Allocator: the release threshold is 0 at first");
  CHECK(pool_value(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) == 0, "another value");
  OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &most));
  group("Stream Ordered Memory Allocator: a pool counts what is used and what it holds");
  OK(cuMemAllocFromPoolAsync(&p, 3 * MIB + 1, pool, s));
  const uint64_t used = pool_value(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT);
  CHECK(used >= 3 * MIB && used < 8 * MIB, "%d used", (int)used);
  OK(cuMemFreeAsync(p, s));
  OK(cuStreamSynchronize(s));
  CHECK(pool_value(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == 0, "not given back");
  CHECK(pool_value(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) >= 3 * MIB, "not kept");
  CHECK(pool_value(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH) >= 3 * MIB, "no high mark");
  group("Stream Ordered Memory Allocator: high marks can be set to zero only");
  IS(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &most), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &zero));
  CHECK(pool_value(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH) == 0, "not reset");
  group("Stream Ordered Memory Allocator: cuMemPoolTrimTo gives back what is not in use");
  OK(cuMemPoolTrimTo(pool, 0));
  CHECK(pool_value(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) == 0, "something is kept");
  OK(cuMemPoolDestroy(pool));
  OK(cuStreamDestroy(s));
  expect_calm();
}

static void pools_refuse(void) {
  CUmemPoolProps props = {.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
  CUmemoryPool pool = NULL;
  group("Stream Ordered Memory Allocator: allocations are of the pinned type, on a device");
  IS(cuMemPoolCreate(&pool, &props), CUDA_ERROR_INVALID_VALUE);
  props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  props.location.id = 99;
  CHECK(cuMemPoolCreate(&pool, &props) != CUDA_SUCCESS, "a pool on device 99");
  group("Stream Ordered Memory Allocator: the default pool cannot be destroyed");
  OK(cuDeviceGetDefaultMemPool(&pool, 0));
  CHECK(cuMemPoolDestroy(pool) != CUDA_SUCCESS, "it was");
  expect_calm();
}

static void pools_serve_their_device(void) {
  CUmemoryPool pool = make_pool(), first = NULL, now = NULL;
  int count = 0;
  group("Stream Ordered Memory Allocator: a device's current pool is one of its own");
  OK(cuDeviceGetDefaultMemPool(&first, 0));
  OK(cuDeviceGetMemPool(&now, 0));
  CHECK(now == first, "another one at first");
  OK(cuDeviceSetMemPool(0, pool));
  OK(cuDeviceGetMemPool(&now, 0));
  CHECK(now == pool, "another one");
  OK(cuDeviceGetCount(&count));
  if (count > 1) IS(cuDeviceSetMemPool(1, pool), CUDA_ERROR_INVALID_VALUE);
  OK(cuDeviceSetMemPool(0, first));
  OK(cuMemPoolDestroy(pool));
  expect_calm();
}

static void pool_memory_is_memory(void) {
  enum { BYTES = 1000 };
  CUstream s = make_stream();
  CUdeviceptr p = 0;
  unsigned char *host = take_pinned(BYTES);
  group("Stream Ordered Memory Allocator: in stream order it is memory like other");
  for (int i = 0; i < 20; i++) {
    OK(cuMemAllocAsync(&p, BYTES, s));
    OK(cuMemsetD8Async(p, (unsigned char)i, BYTES, s));
    OK(cuMemcpyDtoHAsync(host, p, BYTES, s));
    OK(cuMemFreeAsync(p, s));
    OK(cuStreamSynchronize(s));
    CHECK(is_all(host, i, BYTES), "round %d", i);
  }
  group("Stream Ordered Memory Allocator: cuMemFree takes it too, when its work is done");
  OK(cuMemAllocAsync(&p, BYTES, s));
  OK(cuStreamSynchronize(s));
  OK(cuMemFree(p));
  OK(cuMemFreeHost(host));
  OK(cuStreamDestroy(s));
  expect_calm();
}

/* ---- managed memory ---- */

static void managed_memory_is_for_both(void) {
  enum { BYTES = 100000 };
  CUdeviceptr p = 0;
  unsigned char host[16] = {0};
  int is_paged = 0;
  bool is_managed = false;
  group("Memory Management: cuMemAllocManaged wants one of two flags, and some bytes");
  IS(cuMemAllocManaged(&p, BYTES, 0), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemAllocManaged(&p, 0, CU_MEM_ATTACH_GLOBAL), CUDA_ERROR_INVALID_VALUE);
  group("Unified Addressing: managed memory has one address for host and device");
  OK(cuMemAllocManaged(&p, BYTES, CU_MEM_ATTACH_GLOBAL));
  unsigned char *bytes = (unsigned char *)(uintptr_t)p;
  memset(bytes, 7, BYTES);
  OK(cuMemcpyDtoH(host, p + 5, sizeof host));
  CHECK(is_all(host, 7, sizeof host), "%d", host[0]);
  OK(cuMemsetD8(p, 9, BYTES));
  OK(cuCtxSynchronize());
  CHECK(is_all(bytes, 9, BYTES), "%d", bytes[0]);
  OK(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, p));
  CHECK(is_managed, "not managed");
  group("Unified Addressing: advice and prefetch where the device pages");
  OK(cuDeviceGetAttribute(&is_paged, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 0));
  if (is_paged) {
    CUdeviceptr plain = take(BYTES);
    OK(cuMemAdvise_v1(p, BYTES, CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
    OK(cuMemPrefetchAsync_v1(p, BYTES, 0, CU_STREAM_LEGACY));
    OK(cuMemPrefetchAsync_v1(p, BYTES, CU_DEVICE_CPU, CU_STREAM_LEGACY));
    IS(cuMemPrefetchAsync_v1(plain, BYTES, 0, CU_STREAM_LEGACY), CUDA_ERROR_INVALID_VALUE);
    OK(cuCtxSynchronize());
    OK(cuMemFree(plain));
  }
  OK(cuMemFree(p));
  expect_calm();
}

/* ---- host memory ---- */

static void pinned_memory_is_the_hosts(void) {
  CUdeviceptr mapped = 0;
  unsigned flags = 0;
  void *none = NULL;
  /* of no bytes some drivers make an address, though it is documented as an error */
  group("Memory Management: cuMemHostAlloc refuses unknown flags");
  IS(cuMemHostAlloc(&none, 4096, 0x80), CUDA_ERROR_INVALID_VALUE);
  group("Unified Addressing: pinned memory has one address for host and device");
  char *p = take_pinned(5000);
  memset(p, 3, 5000);
  OK(cuMemHostGetDevicePointer(&mapped, p + 100, 0));
  CHECK(mapped == (uintptr_t)p + 100, "another address");
  OK(cuMemHostGetFlags(&flags, p));
  OK(cuMemFreeHost(p));
  expect_calm();
}

static void host_memory_can_be_registered(void) {
  enum { BYTES = 64 << 10 };
  CUmemorytype type = CU_MEMORYTYPE_ARRAY;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
  char *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);
  CHECK(p != MAP_FAILED, "no memory");
  group("Memory Management: cuMemHostRegister once, cuMemHostUnregister what is registered");
  IS(cuMemHostUnregister(p), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  OK(cuMemHostRegister(p, BYTES, 0));
  IS(cuMemHostRegister(p, BYTES, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (uintptr_t)p));
  CHECK(type == CU_MEMORYTYPE_HOST, "type %d", (int)type);
  CUdeviceptr d = take(BYTES);
  memset(p, 5, BYTES);
  OK(cuMemcpyHtoDAsync(d, p, BYTES, CU_STREAM_LEGACY));
  OK(cuCtxSynchronize());
  memset(p, 6, BYTES);
  OK(cuMemcpyDtoHAsync(p, d, BYTES, CU_STREAM_LEGACY));
  OK(cuCtxSynchronize());
  CHECK(is_all(p, 5, BYTES), "%d", p[0]);
  OK(cuMemFree(d));
  OK(cuMemHostUnregister(p));
  IS(cuMemHostRegister(p, 0, 0), CUDA_ERROR_INVALID_VALUE);
  munmap(p, BYTES);
  expect_calm();
}

/* ---- pointers ---- */

static void pointers_tell(void) {
  CUdeviceptr start = 0;
  size_t bytes = 0;
  int ordinal = -1, on_stack = 0;
  CUmemorytype type = CU_MEMORYTYPE_ARRAY;
  CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                  CU_POINTER_ATTRIBUTE_IS_MANAGED};
  bool is_managed = true;
  void *values[] = {&type, &is_managed};
  group("Unified Addressing: attributes of device memory");
  CUdeviceptr p = take(5000);
  OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p + 10));
  CHECK(type == CU_MEMORYTYPE_DEVICE, "type %d", (int)type);
  OK(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p));
  CHECK(ordinal == 0, "device %d", ordinal);
  OK(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, p + 10));
  OK(cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, p + 10));
  CHECK(start == p && bytes == 5000, "%zu bytes", bytes);
  group("Unified Addressing: an address that is not CUDA's");
  IS(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (uintptr_t)&on_stack),
     CUDA_ERROR_INVALID_VALUE);
  OK(cuPointerGetAttributes(2, wanted, values, (uintptr_t)&on_stack));
  CHECK((int)type == 0 && !is_managed, "type %d", (int)type);
  OK(cuMemFree(p));
  expect_calm();
}

static void rules(void) {
  errors_have_names();
  devices_are_described();
  contexts_are_a_stack();
  contexts_are_a_threads_own();
  memory_is_taken_and_given();
  many_blocks_are_apart();
  if (cuMemPoolCreate) {
    pools_keep_what_they_may();
    pools_refuse();
    pools_serve_their_device();
    pool_memory_is_memory();
  }
  managed_memory_is_for_both();
  pinned_memory_is_the_hosts();
  host_memory_can_be_registered();
  pointers_tell();
}

int main(void) {
  open_driver();
  before_init();
  begin();
  run_rules(rules);
  return end();
}
