/* Ordinary host memory. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/size.h"
#include "mem/resource.h"

enum { HOST_ALIGN = 64, PAGE = 4096, HUGE_FROM = 2 << 20 };

static ndi_counters counters;

/* A block's cookie: the address to free(), or MAPPED. Large blocks are mapped: zeroed for nothing,
 * in huge pages where there are some. Small ones come from malloc with room to align, which is
 * several times faster than posix_memalign; checkers of memory see exact ends instead. */
enum { MAPPED = 1 };

#if defined(__SANITIZE_ADDRESS__)
#define EXACT 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EXACT 1
#endif
#endif
#ifndef EXACT
#define EXACT 0
#endif

static void *take_mapped(size_t bytes) {
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return NULL;
  madvise(at, bytes, MADV_HUGEPAGE);
  return at;
}

static void *take_small(size_t bytes, size_t align, uint64_t *cookie) {
  void *raw = NULL;
  if (EXACT || align > HOST_ALIGN) {
    if (posix_memalign(&raw, align, bytes) != 0) return NULL;
    *cookie = (uint64_t)(uintptr_t)raw;
    return raw;
  }
  if (!(raw = malloc(bytes + align - 1))) return NULL;
  *cookie = (uint64_t)(uintptr_t)raw;
  return (void *)(((uintptr_t)raw + align - 1) & ~(align - 1));
}

static void *take_memory(size_t bytes, size_t align, bool zeroed, uint64_t *cookie) {
  if (bytes >= HUGE_FROM && align <= PAGE) {
    *cookie = MAPPED;
    return take_mapped(bytes);
  }
  void *at = take_small(bytes, align, cookie);
  return at && zeroed ? memset(at, 0, bytes) : at;
}

static nd_status fail_memory(size_t bytes, nd_error *err) {
  const uint64_t live = ndi_counters_live(&counters);
  atomic_fetch_add(&counters.failed_takes, 1);
  return nd_fail_with(
      err, ND_OUT_OF_MEMORY, ND_NUMBERS({"requested", (int64_t)bytes}, {"live", (int64_t)live}),
      "out of host memory: requested %zu B, in use %llu B", bytes, (unsigned long long)live);
}

static nd_status host_take(nd_resource *self, const nd_request *request, nd_block *out,
                           nd_error *err) {
  (void)self;
  const size_t align = request->align > HOST_ALIGN ? request->align : HOST_ALIGN;
  size_t granted;
  if (!ndi_size_add(request->bytes, align - 1, &granted)) return fail_memory(request->bytes, err);
  granted &= ~(align - 1);
  if (granted > 0) {
    out->ptr = out->host = take_memory(granted, align, request->zeroed, &out->cookie);
    if (!out->ptr) return fail_memory(request->bytes, err);
  }
  out->granted = granted;
  out->zeroed = request->zeroed || out->cookie == MAPPED;
  ndi_counters_take(&counters, granted);
  return ND_OK;
}

static nd_status host_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                           nd_error *err) {
  (void)self, (void)after, (void)err;
  if (block->cookie == MAPPED) munmap(block->ptr, block->granted);
  else free((void *)(uintptr_t)block->cookie);
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
