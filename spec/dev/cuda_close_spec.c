/* Devices that are closed, as at the end of the last Lua state, and opened again: what goes, what
 * stays, and that both of two devices work each time. On the driver that NDBUF_CUDA_DRIVER names,
 * else the simulated one, which also says what is left. */
#include <dlfcn.h>

#include "../core/arrays.h"
#include "../cudasim/cusim.h"
#include "dev/cuda/symbols.h"
#include "ndbuf.h"
#include "ops/ops.h"

#include "cuda.h"

#if defined(__GLIBC__) && __GLIBC__ == 2 && __GLIBC_MINOR__ >= 33
#include <malloc.h>
static size_t heap_bytes(void) { return mallinfo2().uordblks; } /* 0 under sanitizers */
#else
static size_t heap_bytes(void) { return 0; }
#endif

enum { ROUNDS = 4, COUNT = 1000, FEW = 1024, FEW_OF_A_DRIVER = 64 << 10 };

static CUresult (*get_current)(CUcontext *context);
static uint64_t (*live_count)(const char *kind), (*calls)(const char *function),
    (*reports)(const char *kind); /* or NULL */

static void open_driver(const char *path) {
  void *driver = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!driver) return;
  *(void **)&get_current = dlsym(driver, "cuCtxGetCurrent");
  *(void **)&live_count = dlsym(driver, "cusim_live_count");
  *(void **)&calls = dlsym(driver, "cusim_calls");
  *(void **)&reports = dlsym(driver, "cusim_reports");
}

/* An array on the device, its elements all 'x'. */
static nd_view make(nd_memkind kind, int ordinal, float x) {
  const size_t shape = COUNT;
  nd_resource *from;
  nd_view v;
  nd_error err;
  CHECK(cuda_resource(kind, ordinal, &from, &err) == ND_OK, "%s", err.message);
  CHECK(nd_new(from, ND_F32, 1, &shape, (nd_storage_options){0}, &v, &err) == ND_OK, "%s",
        err.message);
  nd_resource_drop(from);
  nd_scalar all = {.dtype = ND_F32};
  memcpy(all.bytes, &x, sizeof x);
  CHECK(nd_fill(&v, &all, &err) == ND_OK, "%s", err.message);
  return v;
}

static bool holds(const nd_view *v, float x) {
  const size_t shape = COUNT;
  nd_view on_host;
  bool same = true;
  if (nd_new(nd_host_resource(), ND_F32, 1, &shape, (nd_storage_options){0}, &on_host, NULL) ||
      nd_copy(&on_host, v, ND_SATURATE, NULL))
    return false;
  const float *at = (const float *)(void *)on_host.storage->host;
  for (size_t i = 0; i < COUNT; i++) same &= at[i] == x;
  nd_view_drop(&on_host);
  return same;
}

static void use(int count, float x) {
  nd_view a = make(ND_MEM_DEVICE, 0, x), p = make(ND_MEM_PINNED, 0, x);
  for (int i = count - 1; i >= 0; i--) {
    nd_view b = make(ND_MEM_DEVICE, i, 0), m = make(ND_MEM_MANAGED, i, 0);
    CHECK(nd_copy(&b, &a, ND_SATURATE, NULL) == ND_OK && holds(&b, x), "device %d", i);
    CHECK(nd_copy(&m, &b, ND_SATURATE, NULL) == ND_OK && holds(&m, x), "device %d", i);
    CHECK(nd_copy(&p, &b, ND_SATURATE, NULL) == ND_OK && holds(&p, x), "device %d", i);
    nd_view_drop(&b);
    nd_view_drop(&m);
  }
  nd_view_drop(&a);
  nd_view_drop(&p);
  nd_reap(ND_REAP_WAIT);
}

static void check_closed(int count) {
  if (!live_count) return;
  CHECK(live_count("*") == 0, "%d blocks", (int)live_count("*"));
  CHECK(live_count("stream") + live_count("event") + live_count("mempool") == 0, "handles");
  CHECK(live_count("context") == (uint64_t)count, "%d contexts", (int)live_count("context"));
  CHECK(calls("cuDevicePrimaryCtxRetain") == (uint64_t)count, "%d retained",
        (int)calls("cuDevicePrimaryCtxRetain"));
  CHECK(calls("cuDevicePrimaryCtxRelease_v2") == 0, "released");
}

static void close_and_reopen(void) {
  CUcontext before = NULL, after = NULL;
  size_t bytes = 0;
  const int count = cuda_count() > 1 ? 2 : 1;
  if (count == 1) printf("# one GPU\n");
  for (int round = 1; round <= ROUNDS; round++) {
    get_current(&before);
    use(count, (float)round);
    nd_backends_close();
    get_current(&after);
    CHECK(before == after, "the thread's context is another");
    check_closed(count);
    const size_t now = heap_bytes();
    const size_t few = live_count ? FEW
                                  : FEW_OF_A_DRIVER; /* a card's driver keeps some by itself */
    CHECK(round < ROUNDS || now < bytes + few, "%zu bytes of the heap, then %zu", bytes, now);
    bytes = now;
  }
}

/* What is alive keeps its device open; the other one closes. */
static void close_some(void) {
  nd_view kept = make(ND_MEM_DEVICE, 0, 5);
  use(cuda_count() > 1 ? 2 : 1, 3);
  nd_backends_close();
  CHECK(!live_count || live_count("stream") == 1, "%d streams", (int)live_count("stream"));
  CHECK(holds(&kept, 5), "what was kept");
  nd_view again = make(ND_MEM_DEVICE, cuda_count() > 1 ? 1 : 0, 6);
  CHECK(nd_copy(&kept, &again, ND_SATURATE, NULL) == ND_OK && holds(&kept, 6), "from the new");
  nd_view_drop(&again);
  nd_view_drop(&kept);
  nd_reap(ND_REAP_WAIT);
  nd_backends_close();
  CHECK(!live_count || live_count("stream") == 0, "%d streams", (int)live_count("stream"));
}

/* Copies that were enqueued, from buffers that go. */
static void close_at_work(void) {
  const size_t shape = COUNT;
  nd_view host, v = make(ND_MEM_DEVICE, 0, 1);
  CHECK(nd_new(nd_host_resource(), ND_F64, 1, &shape, (nd_storage_options){.zeroed = true}, &host,
               NULL) == ND_OK,
        "no array");
  CHECK(nd_copy(&v, &host, ND_SATURATE, NULL) == ND_OK, "no copy");
  nd_view_drop(&v);
  nd_view_drop(&host);
  nd_reap(ND_REAP_POLL);
  nd_backends_close();
  CHECK(!live_count || live_count("stream") == 0, "%d streams", (int)live_count("stream"));
  CHECK(!reports || reports("*") == 0, "%d reports", (int)reports("*"));
}

int main(void) {
  const char *path = getenv("NDBUF_CUDA_DRIVER") ? getenv("NDBUF_CUDA_DRIVER") : CUDASIM;
  setenv("CUSIM_DEVICES", "2", 0);
  setenv("CUSIM_MODE", "lazy", 0);
  setenv("CUSIM_HANDLES", "reuse", 0); /* its own records do not grow */
  open_driver(path);
  nd_error err;
  if (nd_init(NULL)) return 2;
  if (cuda_open(CUDASIM, &err)) {
    printf("skipped: %s\n", err.message);
    return 2;
  }
  group("closing: devices open again, and keep their contexts");
  close_and_reopen();
  group("closing: not what is in use");
  close_some();
  group("closing: behind work that nobody waited for");
  close_at_work();
  return finish();
}
