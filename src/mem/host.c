/* Ordinary host memory. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/size.h"
#include "mem/resource.h"

enum { HOST_ALIGN = 64, HUGE_FROM = 2 << 20 };

static ndi_counters counters;

/* Zeroed pages straight from the kernel come cheaper than memory that is cleared afterwards. */
static void *take_zeroed(size_t bytes, size_t align) {
  void *at = NULL;
  if (posix_memalign(&at, align, bytes) != 0) return NULL;
  return memset(at, 0, bytes);
}

static void *take_mapped(size_t bytes) {
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return NULL;
  madvise(at, bytes, MADV_HUGEPAGE);
  return at;
}

static nd_status host_take(nd_resource *self, const nd_request *request, nd_block *out,
                           nd_error *err) {
  (void)self;
  const size_t align = request->align > HOST_ALIGN ? request->align : HOST_ALIGN;
  size_t granted;
  const bool fits = ndi_size_add(request->bytes, align - 1, &granted);
  granted &= ~(align - 1);
  const bool mapped = fits && granted >= HUGE_FROM &&
                      align <= 4096; /* large blocks are mapped, zeroed for free */
  void *at = NULL;
  if (fits && granted > 0) {
    if (mapped) at = take_mapped(granted);
    else if (request->zeroed) at = take_zeroed(granted, align);
    else if (posix_memalign(&at, align, granted) != 0) at = NULL;
  }
  if (!at && request->bytes > 0) {
    atomic_fetch_add(&counters.failed_takes, 1);
    return nd_fail_with(err, ND_OUT_OF_MEMORY,
                        ND_NUMBERS({"requested", (int64_t)request->bytes},
                                   {"live", (int64_t)atomic_load(&counters.live)}),
                        "out of host memory: requested %zu B, in use %llu B", request->bytes,
                        (unsigned long long)atomic_load(&counters.live));
  }
  out->ptr = out->host = at;
  out->granted = granted;
  out->cookie = mapped;
  out->zeroed = request->zeroed || mapped;
  ndi_counters_take(&counters, granted);
  return ND_OK;
}

static nd_status host_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                           nd_error *err) {
  (void)self, (void)after, (void)err;
  if (block->cookie) munmap(block->ptr, block->granted);
  else free(block->ptr);
  ndi_counters_give(&counters, block->granted);
  return ND_OK;
}

static void host_stats(nd_resource *self, nd_mem_stats *out) {
  (void)self;
  ndi_counters_read(&counters, out);
}

nd_resource *nd_host_resource(void) {
  static const nd_resource_ops ops = {
      .name = "host", .take = host_take, .give = host_give, .stats = host_stats};
  static nd_resource host = {.ops = &ops, .holds = 1, .kind = ND_MEM_HOST};
  return &host;
}
