/* What specs ask of the simulator and a card does not offer: counts, faults, limits, stale handles.
 */
#include "contract.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BYTES = 1000, MIB = 1 << 20 };

static void calls_are_counted(void) {
  CUdeviceptr p;
  group("steering: calls are counted by function");
  sim.reset_calls();
  p = take(BYTES);
  OK(cuMemFree(p));
  OK(cuMemFree(0));
  CHECK(sim.calls("cuMemAlloc_v2") == 1, "%d", (int)sim.calls("cuMemAlloc_v2"));
  CHECK(sim.calls("cuMemFree_v2") == 2, "%d", (int)sim.calls("cuMemFree_v2"));
  CHECK(sim.calls("*") == 3, "%d", (int)sim.calls("*"));
  CHECK(sim.calls("cuMemAlloc") == 0, "there is no such symbol");
  size_t functions = 0;
  while (sim.function(functions)) functions++;
  CHECK(functions > 90, "%d functions", (int)functions);
  expect_calm();
}

/* The n-th call of a program, for every n: it fails, and nothing else does. */
static CUresult some_calls(void) {
  CUdeviceptr p = 0;
  CUresult first = cuMemAlloc(&p, BYTES), then;
  if (first) return first;
  then = cuMemsetD8(p, 1, BYTES);
  first = then ? then : cuCtxSynchronize();
  then = cuMemFree(p);
  if (then) OK(cuMemFree(p));
  return first ? first : then;
}

static void calls_fail(void) {
  group("steering: the n-th call of a function, or of any, fails once");
  CHECK(sim.fail("cuMemsetD8_v2", 2, "CUDA_ERROR_UNKNOWN"), "refused");
  OK(some_calls());
  IS(some_calls(), CUDA_ERROR_UNKNOWN);
  OK(some_calls());
  for (uint64_t n = 1; n <= 4; n++) {
    OK(cuCtxSynchronize());
    CHECK(sim.fail("*", n, "CUDA_ERROR_OUT_OF_MEMORY"), "refused");
    IS(some_calls(), CUDA_ERROR_OUT_OF_MEMORY);
    CHECK(sim.fail_none() == 0, "it did not come to it");
    sim.forgive("pending"); /* where the synchronise failed */
  }
  CHECK(!sim.fail("cuMemNothing", 1, "CUDA_ERROR_UNKNOWN"), "no such function");
  CHECK(!sim.fail("cuMemFree_v2", 1, "CUDA_ERROR_NOTHING"), "no such error");
  CHECK(!sim.fail("cuMemFree_v2", 0, "CUDA_ERROR_UNKNOWN"), "no 0-th call");
  CHECK(sim.fail("cuMemFree_v2", 9, "CUDA_ERROR_UNKNOWN"), "refused");
  CHECK(sim.fail_none() == 1, "there was one");
  CHECK(!sim.set("MODE", "late") && !sim.set("NOTHING", "1"), "unknown settings");
  expect_calm();
}

static void memory_has_an_end(void) {
  CUdeviceptr p[4] = {0};
  CUmemoryPool pool = NULL;
  uint64_t most = UINT64_MAX;
  CUstream s = make_stream();
  group("steering: memory has an end, for pools as well");
  sim.set("MEMORY", "4194304");
  size_t free_bytes = 0;
  for (int i = 0; i < 3; i++) p[i] = take(MIB);
  OK(cuMemGetInfo(&free_bytes, NULL));
  CHECK(free_bytes == MIB, "%zu bytes are free", free_bytes);
  IS(cuMemAlloc(&p[3], MIB + 1), CUDA_ERROR_OUT_OF_MEMORY);
  OK(cuDeviceGetDefaultMemPool(&pool, 0));
  OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &most));
  OK(cuMemAllocAsync(&p[3], MIB, s));
  OK(cuMemFreeAsync(p[3], s));
  OK(cuStreamSynchronize(s));
  IS(cuMemAlloc(&p[3], 1), CUDA_ERROR_OUT_OF_MEMORY); /* the pool keeps it */
  OK(cuMemAllocAsync(&p[3], MIB / 2, s));             /* for itself */
  OK(cuMemFreeAsync(p[3], s));
  OK(cuStreamSynchronize(s));
  OK(cuMemPoolTrimTo(pool, 0));
  p[3] = take(MIB);
  for (int i = 0; i < 4; i++) OK(cuMemFree(p[i]));
  most = 0;
  OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &most));
  OK(cuStreamDestroy(s));
  sim.set("MEMORY", "2147483648");
  group("steering: pools that are not supported");
  sim.set("ATTRIBUTE", "MEMORY_POOLS_SUPPORTED:0");
  IS(cuDeviceGetDefaultMemPool(&pool, 0), CUDA_ERROR_NOT_SUPPORTED);
  IS(cuMemAllocAsync(&p[0], MIB, NULL), CUDA_ERROR_NOT_SUPPORTED);
  sim.set("ATTRIBUTE", "MEMORY_POOLS_SUPPORTED:1");
  expect_calm();
}

/* Another stream gets what is freed but not over only where the pool may make it wait. */
static void pools_may_wait(void) {
  CUstream s = make_stream(), t = make_stream();
  CUdeviceptr p = 0, q = 0;
  CUmemoryPool pool = NULL;
  unsigned char *host = take_pinned(MIB);
  group("steering: reuse across streams is as the pool's attributes say");
  sim.set("MEMORY", "4194304");
  OK(cuDeviceGetDefaultMemPool(&pool, 0));
  for (int may_wait = 0; may_wait <= 1; may_wait++) {
    int may_not = 0;
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &may_not));
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, &may_wait));
    OK(cuMemAllocAsync(&p, 3 * MIB, s));
    OK(cuMemsetD8Async(p, 7, 3 * MIB, s));
    OK(cuMemcpyDtoHAsync(host, p, MIB, s));
    OK(cuMemFreeAsync(p, s));
    const CUresult result = cuMemAllocAsync(&q, 3 * MIB, t);
    IS(result, may_wait ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
    if (!result) OK(cuMemsetD8Async(q, 9, 3 * MIB, t));
    if (!result) OK(cuMemFreeAsync(q, t));
    OK(cuCtxSynchronize());
    CHECK(is_all(host, 7, MIB), "%d", host[0]);
  }
  int may = 1;
  OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &may));
  sim.set("MEMORY", "2147483648");
  OK(cuMemFreeHost(host));
  OK(cuStreamDestroy(s));
  OK(cuStreamDestroy(t));
  expect_calm();
}

/* What another stream freed is known by an event, if the pool may look at events. */
static void pools_follow_events(void) {
  CUstream s = make_stream(), t = make_stream();
  CUdeviceptr p = 0, q = 0;
  CUmemoryPool pool = NULL;
  int no = 0, yes = 1;
  group("steering: what an event says to be free is reused as the pool's attributes say");
  sim.set("MEMORY", "4194304");
  OK(cuDeviceGetDefaultMemPool(&pool, 0));
  OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &no));
  OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, &no));
  for (int follows = 0; follows <= 1; follows++) {
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, &follows));
    OK(cuMemAllocAsync(&p, 3 * MIB, s));
    OK(cuMemFreeAsync(p, s));
    order(t, s);
    IS(cuMemAllocAsync(&q, 3 * MIB, t), follows ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
    if (follows) OK(cuMemFreeAsync(q, t));
    OK(cuCtxSynchronize());
  }
  OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &yes));
  OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, &yes));
  sim.set("MEMORY", "2147483648");
  OK(cuStreamDestroy(s));
  OK(cuStreamDestroy(t));
  expect_calm();
}

/* A loop of temporaries, more than there is memory for, in stream order and without a wait. */
static void temporaries_are_recycled(void) {
  CUdeviceptr p = 0;
  CUstream s = make_stream();
  group("steering: memory freed in stream order serves the next in stream order");
  sim.set("MEMORY", "268435456");
  for (int i = 0; i < 300; i++) {
    OK(cuMemAllocAsync(&p, 64 * MIB, s));
    OK(cuMemsetD8Async(p, 1, 4096, s));
    OK(cuMemFreeAsync(p, s));
  }
  OK(cuStreamDestroy(s));
  sim.set("MEMORY", "2147483648");
  expect_calm();
}

static void handles_are_fresh_or_not(void) {
  CUdeviceptr a, b;
  group("steering: addresses and handles are never reused, or at once");
  sim.set("HANDLES", "fresh");
  a = take(BYTES);
  OK(cuMemFree(a));
  b = take(BYTES);
  CHECK(a != b, "reused");
  OK(cuMemFree(b));
  IS(cuMemsetD8(a, 0, 1), CUDA_ERROR_INVALID_VALUE);
  CUmemorytype type;
  IS(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, a), CUDA_ERROR_INVALID_VALUE);
  expect_reports("use-after-free", 2);
  sim.set("HANDLES", "reuse");
  CUstream s = make_stream();
  OK(cuStreamDestroy(s));
  CUstream t = make_stream();
  CHECK(s == t, "not reused");
  OK(cuStreamDestroy(t));
  a = take(BYTES);
  OK(cuMemFree(a));
  b = take(BYTES);
  CHECK(a == b, "not reused");
  OK(cuMemFree(b));
  expect_calm();
}

static void stale_handles_are_seen(void) {
  CUstream s = make_stream();
  CUevent e = make_event();
  group("steering: a handle of another kind is refused");
  sim.set("HANDLES", "fresh");
  IS(cuEventQuery((CUevent)(void *)s), CUDA_ERROR_INVALID_HANDLE);
  IS(cuStreamQuery((CUstream)(void *)context), CUDA_ERROR_INVALID_HANDLE);
  group("steering: a handle that is gone is refused and reported");
  OK(cuStreamDestroy(s));
  OK(cuEventDestroy(e));
  IS(cuStreamSynchronize(s), CUDA_ERROR_INVALID_HANDLE);
  IS(cuEventQuery(e), CUDA_ERROR_INVALID_HANDLE);
  IS(cuEventDestroy(e), CUDA_ERROR_INVALID_HANDLE);
  expect_reports("stale", 3);
  IS(cuStreamSynchronize((CUstream)(uintptr_t)0x1234), CUDA_ERROR_INVALID_HANDLE);
  group("steering: a stream of another device's context is refused");
  CUcontext other = NULL;
  OK(cuDevicePrimaryCtxRetain(&other, 1));
  OK(cuCtxPushCurrent(other));
  s = make_stream();
  OK(cuCtxPopCurrent(NULL));
  IS(cuStreamSynchronize(s), CUDA_ERROR_INVALID_HANDLE);
  OK(cuCtxPushCurrent(other));
  OK(cuStreamDestroy(s));
  OK(cuCtxPopCurrent(NULL));
  OK(cuDevicePrimaryCtxRelease(1));
  expect_calm();
}

static void laziness(void) {
  CUstream s = make_stream();
  CUdeviceptr p = take(BYTES);
  unsigned char byte = 0;
  group("steering: lazy work waits until it must run, and queries make it run");
  sim.set("MODE", "lazy");
  OK(cuMemsetD8Async(p, 5, BYTES, s));
  OK(cuMemsetD8Async(p, 6, BYTES, s));
  CHECK(sim.pending() == 2, "%d", (int)sim.pending());
  CHECK(sim.peek(p, &byte, 1) && byte != 5 && byte != 6, "it ran");
  IS(cuStreamQuery(s), CUDA_ERROR_NOT_READY);
  IS(cuStreamQuery(s), CUDA_ERROR_NOT_READY);
  CHECK(sim.pending() == 2, "%d", (int)sim.pending());
  IS(cuStreamQuery(s), CUDA_ERROR_NOT_READY);
  CHECK(sim.pending() == 1 && sim.peek(p, &byte, 1) && byte == 5, "%d", byte);
  OK(cuStreamQuery(s));
  CHECK(sim.peek(p, &byte, 1) && byte == 6, "%d", byte);
  group("steering: a copy of pageable memory may still be under way on return, and nothing before");
  OK(cuMemsetD8Async(p, 7, BYTES, CU_STREAM_LEGACY));
  OK(cuMemcpyHtoD(p, &byte, 1));
  CHECK(sim.peek(p + 1, &byte, 1) && byte == 7, "%d", byte);
  CHECK(sim.pending() == 1, "%d", (int)sim.pending());
  OK(cuCtxSynchronize());
  group("steering: a queue has an end, where its head runs");
  for (int i = 0; i < 1500; i++) OK(cuMemsetD8Async(p, (unsigned char)i, BYTES, s));
  CHECK(sim.pending() == 1024, "%d", (int)sim.pending());
  OK(cuStreamSynchronize(s));
  CHECK(sim.pending() == 0, "%d", (int)sim.pending());
  group("steering: what nobody wrote is not zero, and begins where no page does");
  CUdeviceptr fresh = take(BYTES);
  CHECK(fresh % 4096 != 0, "%#llx", fresh);
  CHECK(sim.peek(fresh, &byte, 1) && byte == 0xcd, "%#x", byte);
  CHECK(!sim.peek(fresh + BYTES, &byte, 1), "beyond the end");
  OK(cuMemFree(fresh));
  OK(cuMemFree(p));
  OK(cuStreamDestroy(s));
  expect_calm();
}

static void frees_run_what_is_pending(void) {
  unsigned char *host = take_pinned(BYTES);
  CUstream s = make_stream();
  CUdeviceptr p = take(BYTES);
  group("steering: a free that nobody waited for is reported, and comes after the work");
  sim.set("MODE", "lazy");
  OK(cuMemsetD8Async(p, 5, BYTES, s));
  OK(cuMemcpyDtoHAsync(host, p, BYTES, s));
  OK(cuMemFree(p));
  expect_reports("pending", 1);
  CHECK(sim.pending() == 0 && is_all(host, 5, BYTES), "%d", host[0]);
  OK(cuStreamSynchronize(s));
  OK(cuStreamDestroy(s));
  OK(cuMemFreeHost(host));
  expect_calm();
}

static void pools_outlive_contexts(void) {
  CUcontext other = NULL;
  CUdeviceptr p = 0;
  group("steering: a pool's memory is the device's, and no leak of a context that ends");
  for (int round = 0; round < 2; round++) {
    OK(cuDevicePrimaryCtxRetain(&other, 1));
    OK(cuCtxPushCurrent(other));
    if (round == 0) OK(cuMemAllocAsync(&p, BYTES, CU_STREAM_LEGACY));
    else OK(cuMemFreeAsync(p, CU_STREAM_LEGACY));
    OK(cuCtxSynchronize());
    OK(cuCtxPopCurrent(NULL));
    OK(cuDevicePrimaryCtxRelease(1));
    CHECK(sim.live_count("pool") == (round == 0), "%d", (int)sim.live_count("pool"));
  }
  expect_calm();
}

static void pools_of_other_devices(void) {
  CUcontext other = NULL;
  CUmemoryPool pool = NULL;
  CUdeviceptr a = take(BYTES), b = 0;
  group("steering: a pool's memory is for the devices that were given access");
  OK(cuDevicePrimaryCtxRetain(&other, 1));
  OK(cuDeviceGetDefaultMemPool(&pool, 1));
  OK(cuCtxPushCurrent(other));
  CUstream s = make_stream();
  OK(cuMemAllocAsync(&b, BYTES, s));
  OK(cuStreamSynchronize(s));
  OK(cuCtxPopCurrent(NULL));
  IS(cuMemcpyPeer(a, context, b, other, BYTES), CUDA_ERROR_INVALID_VALUE);
  CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  OK(cuMemPoolSetAccess(pool, &access, 1));
  OK(cuMemcpyPeer(a, context, b, other, BYTES));
  OK(cuCtxSynchronize());
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  OK(cuMemPoolSetAccess(pool, &access, 1));
  OK(cuCtxPushCurrent(other));
  OK(cuMemFreeAsync(b, s));
  OK(cuStreamDestroy(s));
  OK(cuCtxSynchronize());
  OK(cuCtxPopCurrent(NULL));
  OK(cuDevicePrimaryCtxRelease(1));
  OK(cuMemFree(a));
  expect_calm();
}

static void stalls_are_counted(void) {
  CUdeviceptr p = 0;
  void *host = NULL;
  CUstream s = make_stream();
  static char page[4096] __attribute__((aligned(4096)));
  group("steering: calls that a card may stall in are counted");
  sim.reset_calls();
  OK(cuMemAllocAsync(&p, BYTES, s));
  OK(cuMemsetD8Async(p, 1, BYTES, s));
  OK(cuMemFreeAsync(p, s));
  OK(cuStreamSynchronize(s));
  CHECK(sim.stalls() == 0, "%d", (int)sim.stalls());
  OK(cuMemAlloc(&p, BYTES));
  OK(cuMemFree(p));
  CHECK(sim.stalls() == 2, "%d", (int)sim.stalls());
  OK(cuMemHostAlloc(&host, BYTES, 0));
  OK(cuMemFreeHost(host));
  OK(cuMemHostRegister(page, sizeof page, 0));
  OK(cuMemHostUnregister(page));
  OK(cuMemAllocManaged(&p, BYTES, CU_MEM_ATTACH_GLOBAL));
  OK(cuMemFree(p));
  CHECK(sim.stalls() == 8, "%d", (int)sim.stalls());
  sim.reset_calls();
  CHECK(sim.stalls() == 0, "%d", (int)sim.stalls());
  OK(cuStreamDestroy(s));
  expect_calm();
}

static void *map_file(const char *path, int access, int how) {
  const int fd = open(path, O_RDWR);
  void *at = mmap(NULL, 8192, access, how, fd, 0);
  close(fd);
  return at;
}

static void files_may_be_refused(void) {
  char path[] = "/tmp/cusim-file-XXXXXX";
  group("steering: mappings that a kernel refuses to lock");
  const int fd = mkstemp(path);
  CHECK(fd >= 0 && ftruncate(fd, 8192) == 0, "%s", path);
  void *shared = map_file(path, PROT_READ | PROT_WRITE, MAP_SHARED);
  void *read_only = map_file(path, PROT_READ, MAP_SHARED);
  void *private = map_file(path, PROT_READ | PROT_WRITE, MAP_PRIVATE);
  OK(cuMemHostRegister(shared, 8192, 0));
  OK(cuMemHostUnregister(shared));
  CHECK(sim.set("REGISTER", "no-files") && !sim.set("REGISTER", "some"), "settings");
  IS(cuMemHostRegister(shared, 8192, 0), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemHostRegister(read_only, 8192, CU_MEMHOSTREGISTER_READ_ONLY));
  OK(cuMemHostRegister(private, 8192, 0));
  OK(cuMemHostUnregister(read_only));
  OK(cuMemHostUnregister(private));
  sim.set("REGISTER", "all");
  munmap(shared, 8192), munmap(read_only, 8192), munmap(private, 8192);
  close(fd);
  unlink(path);
  expect_calm();
}

static uint64_t id_of(CUstream s) { return (uintptr_t)s; }

static void captures_are_ended(void) {
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  CUstream s = make_stream(), blocking = NULL;
  CUevent e = make_event();
  CUdeviceptr p = take(BYTES);
  group("steering: a capture says so, and ends by calls that it does not allow");
  OK(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
  CHECK(sim.capture(id_of(s), true) && !sim.capture(id_of(s), true), "it captures already");
  OK(cuStreamIsCapturing(s, &status));
  CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE, "%d", (int)status);
  OK(cuMemsetD8Async(p, 1, BYTES, blocking)); /* another stream's work is none of its */
  CHECK(sim.capture(id_of(s), false), "ended before");
  CHECK(sim.capture(id_of(s), true), "again");
  IS(cuMemFree(0), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  OK(cuStreamIsCapturing(s, &status));
  CHECK(status == CU_STREAM_CAPTURE_STATUS_INVALIDATED, "%d", (int)status);
  CHECK(!sim.capture(id_of(s), false), "it was ended");
  CHECK(sim.capture(id_of(s), true), "again");
  OK(cuThreadExchangeStreamCaptureMode(&mode));
  CHECK(mode == CU_STREAM_CAPTURE_MODE_GLOBAL, "%d", (int)mode);
  OK(cuMemFree(0)); /* of a relaxed thread */
  OK(cuThreadExchangeStreamCaptureMode(&mode));
  CHECK(mode == CU_STREAM_CAPTURE_MODE_RELAXED, "%d", (int)mode);
  CHECK(sim.capture(id_of(s), false), "ended before");
  CHECK(sim.capture(id_of(s), true), "again");
  IS(cuEventRecord(e, s), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CHECK(!sim.capture(id_of(s), false), "it was used");
  CHECK(sim.capture(id_of(blocking), true), "a blocking one");
  IS(cuEventRecord(e, CU_STREAM_LEGACY), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  IS(cuStreamIsCapturing(CU_STREAM_LEGACY, &status), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  CHECK(sim.capture(id_of(blocking), false), "ended before");
  CHECK(!sim.capture(77, true), "no stream");
  OK(cuCtxSynchronize());
  OK(cuMemFree(p));
  OK(cuEventDestroy(e));
  OK(cuStreamDestroy(s));
  OK(cuStreamDestroy(blocking));
  expect_calm();
}

static void rules(void) {
  stalls_are_counted();
  files_may_be_refused();
  captures_are_ended();
  calls_are_counted();
  calls_fail();
  memory_has_an_end();
  pools_may_wait();
  pools_follow_events();
  temporaries_are_recycled();
  pools_of_other_devices();
  pools_outlive_contexts();
}

int main(void) {
  begin();
  run_rules(rules);
  handles_are_fresh_or_not();
  stale_handles_are_seen();
  laziness();
  frees_run_what_is_pending();
  return end();
}
