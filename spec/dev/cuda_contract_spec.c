/* The resource and the device contract on all that CUDA offers: each mode of the simulated driver
 * in a process of its own, or once on the driver that NDBUF_CUDA_DRIVER names. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../contract/device.h"
#include "../contract/resource.h"
#include "dev/cuda/driver.h"
#include "mem/adapt/adapt.h"
#include "ndbuf.h"

#include "cuda.h"

static nd_resource *make(nd_memkind kind, bool is_plain) {
  nd_resource *out;
  const nd_status status = is_plain ? cuda_plain(0, &out, NULL)
                                    : cuda_resource(kind, 0, &out, NULL);
  if (status != ND_OK) abort();
  return out;
}

static nd_resource *make_pooled(size_t bytes) { return (void)bytes, make(ND_MEM_DEVICE, false); }
static nd_resource *make_plain(size_t bytes) { return (void)bytes, make(ND_MEM_DEVICE, true); }
static nd_resource *make_managed(size_t bytes) { return (void)bytes, make(ND_MEM_MANAGED, false); }
static nd_resource *make_pinned(size_t bytes) { return (void)bytes, make(ND_MEM_PINNED, false); }

/* One that stays, as a device's name stands for it (bind/defaults.c): one that is dropped leaves
 * what it keeps to the next reap. */
static nd_resource *pool;

static nd_resource *make_pool(size_t bytes) {
  nd_resource *pinned = make_pinned(bytes);
  if (!pool && nd_pool_make(pinned, 1 << 20, &pool, NULL)) abort();
  nd_resource_drop(pinned);
  return nd_resource_hold(pool);
}

/* What the driver promises of every address. */
enum { ALIGN = 256 };

static const resource_case resources[] = {{.name = "device, from a pool",
                                           .make = make_pooled,
                                           .align = ALIGN,
                                           .most_align = ALIGN,
                                           .is_shared = true,
                                           .is_deferred = true,
                                           .is_hidden = true,
                                           .is_ordered = true},
                                          {.name = "device, by cuMemAlloc",
                                           .make = make_plain,
                                           .align = ALIGN,
                                           .most_align = ALIGN,
                                           .is_shared = true,
                                           .is_deferred = true,
                                           .is_hidden = true},
                                          {.name = "managed",
                                           .make = make_managed,
                                           .align = ALIGN,
                                           .most_align = ALIGN,
                                           .is_shared = true,
                                           .is_deferred = true,
                                           .is_writable = true},
                                          {.name = "pinned",
                                           .make = make_pinned,
                                           .align = ALIGN,
                                           .most_align = ALIGN,
                                           .is_shared = true,
                                           .is_deferred = true,
                                           .is_writable = true},
                                          {.name = "pinned, in a pool",
                                           .make = make_pool,
                                           .align = ALIGN,
                                           .most_align = ALIGN,
                                           .is_shared = true,
                                           .is_deferred = true,
                                           .is_writable = true}};

/* {=== hints ===} */

static CUdeviceptr hinted;
static size_t hinted_bytes;

static CUresult note_advice(CUdeviceptr at, size_t bytes, CUmem_advise advice, CUmemLocation to) {
  (void)advice, (void)to;
  hinted = at, hinted_bytes = bytes;
  return CUDA_SUCCESS;
}

/* A driver does not say what it was told: a function of ours stands in for its own. */
static void check_hints(void) {
  const size_t shape = 1000;
  const nd_place host = {.kind = ND_MEM_HOST};
  nd_view all, part;
  nd_resource *from = make(ND_MEM_MANAGED, false);
  CUresult (*const own)(CUdeviceptr, size_t, CUmem_advise, CUmemLocation) = ndi_cu.cuMemAdvise;
  group("managed: a hint is for the bytes of the array alone");
  if (nd_new(from, ND_F32, 1, &shape, (nd_storage_options){0}, &all, NULL)) abort();
  CHECK(nd_view_narrow(&all, 0, 100, 30, &part, NULL) == ND_OK, "narrow");
  ndi_cu.cuMemAdvise = note_advice;
  CHECK(nd_place_hint(&host, &part, ND_PAGES_PREFERRED, NULL) == ND_OK, "refused");
  ndi_cu.cuMemAdvise = own;
  CHECK(hinted == (uintptr_t)all.storage->ptr + 400 && hinted_bytes == 120, "%zu bytes at +%zu",
        hinted_bytes, (size_t)(hinted - (uintptr_t)all.storage->ptr));
  nd_view_drop(&part);
  nd_view_drop(&all);
  nd_resource_drop(from);
  nd_reap(ND_REAP_WAIT);
}

static int check_all(void) {
  nd_device *cuda;
  nd_error err;
  seed_from(20265);
  if (nd_init(NULL)) return 2;
  if (cuda_open(CUDASIM, &err) || cuda_device(0, &cuda, &err)) {
    printf("skipped: %s\n", err.message);
    return 2;
  }
  for (size_t i = 0; i < ND_COUNTOF(resources); i++) check_resource(&resources[i]);
  const device_case devices[] = {
      {"cuda", cuda, make(ND_MEM_DEVICE, false), false, true, true, false},
      {"cuda, by cuMemAlloc", cuda, make(ND_MEM_DEVICE, true), false, true, true, false},
      {"managed", cuda, make(ND_MEM_MANAGED, false), false, false, true, false}};
  for (size_t i = 0; i < ND_COUNTOF(devices); i++) {
    check_device(&devices[i]);
    nd_resource_drop(devices[i].memory);
  }
  check_hints();
  nd_resource_drop(pool);
  nd_reap(ND_REAP_WAIT);
  const int status = finish();
  fflush(stdout);
  nd_backends_close();
  return status;
}

/* Each process says its own sum; the last line is of all of them. */
int main(void) {
  static const char *const modes[] = {"eager", "lazy", "shuffle"};
  int failed = 0;
  if (getenv("NDBUF_CUDA_DRIVER")) return check_all();
  for (size_t i = 0; i < ND_COUNTOF(modes); i++) {
    int status;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      setenv("CUSIM_MODE", modes[i], 1);
      exit(check_all());
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) failed++;
  }
  printf("%zu passed, %d failed\n", ND_COUNTOF(modes) - (size_t)failed, failed);
  return failed != 0;
}
