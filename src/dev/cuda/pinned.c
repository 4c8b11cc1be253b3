/* Pinned (page-locked) host memory that the driver copies from and to directly: each block by a
 * call of the driver. Locking and unlocking pages is slow and may wait for the device, so there is
 * a pool on it (mem/adapt/pool.c) where nothing else is asked for. */
#include <string.h>

#include "dev/cuda/cuda.h"
#include "mem/host.h"

static ndi_counters counters;
/* all blocks belong to its context (device 0); being portable, they serve the other devices too */
static _Atomic(ndi_cuda *) first;

/* What pools keep is cached, not in use. */
nd_status ndi_cuda_fail_pinned(size_t bytes, nd_error *err) {
  uint64_t kept, blocks;
  nd_caches_kept(0, ND_MEM_PINNED, &kept, &blocks);
  const uint64_t all = ndi_counters_now(&counters);
  return ndi_host_fail_memory("pinned", bytes, all > kept ? all - kept : 0, kept, err);
}

/* {=== taking ===} */

/* A closed device is opened again. What was locked is missing in a forked child. */
static nd_status pinned_wake(nd_resource *self, nd_error *err) {
  ndi_cuda *d = first;
  (void)self;
  ND_TRY(ndi_cuda_check_mapped("pinned", err));
  ND_TRY(ndi_cuda_reopen(d, err));
  return ndi_cuda_check_lost(d, err);
}

static nd_status lock_memory(size_t bytes, void **at, nd_error *err) {
  ndi_cuda *d = first;
  ND_VISIT(d, err);
  const CUresult result = ndi_cu.cuMemHostAlloc(at, bytes, CU_MEMHOSTALLOC_PORTABLE);
  if (result == CUDA_ERROR_NOT_SUPPORTED)
    return nd_fail(err, ND_UNSUPPORTED, "this driver cannot lock memory of the host");
  if (result == CUDA_ERROR_OUT_OF_MEMORY) return ndi_cuda_fail_pinned(bytes, err);
  return ndi_cuda_check(d, result, "cuMemHostAlloc", err);
}

/* A block of the host's, which its kind tells at the give. */
static nd_status take_substitute(const nd_request *request, nd_block *out, nd_error *err) {
  out->kind = ND_MEM_HOST;
  return nd_host_resource()->ops->take(nd_host_resource(), request, out, err);
}

static nd_status pinned_take(nd_resource *self, const nd_request *request, nd_block *out,
                             nd_error *err) {
  void *at = NULL;
  if (request->may_substitute) return take_substitute(request, out, err);
  if (request->bytes > 0) {
    ND_TRY(pinned_wake(self, err));
    ND_TRY(lock_memory(request->bytes, &at, err));
  }
  /* the driver promises no zeros */
  if (request->zeroed && at) memset(at, 0, request->bytes);
  out->ptr = out->host = at;
  /* the driver takes whole pages, but does not tell how many */
  out->granted = request->bytes;
  out->zeroed = request->zeroed;
  ndi_counters_take(&counters, out->granted);
  return ND_OK;
}

static size_t pinned_grants(nd_resource *self, const nd_request *request) {
  (void)self;
  if (request->may_substitute) return nd_resource_grants(nd_host_resource(), request);
  return request->bytes;
}

/* {=== giving back ===} */

static nd_status free_pinned(ndi_cuda *d, const nd_block *block, const nd_uses *after,
                             nd_error *err) {
  (void)after; /* the caller waits for them first, as this resource is not ordered */
  return ND_CU(d, cuMemFreeHost(block->ptr), err);
}

static nd_status pinned_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                             nd_error *err) {
  (void)self;
  if (block->kind == ND_MEM_HOST)
    return nd_host_resource()->ops->give(nd_host_resource(), block, after, err);
  if (block->ptr) return ndi_cuda_free(first, &counters, free_pinned, block, after, err);
  ndi_counters_give(&counters, block->granted);
  return ND_OK;
}

/* cuMemFreeHost may block until the devices are idle, as cuMemFree does; all may use a block. */
static bool pinned_is_idle(nd_resource *self) {
  (void)self;
  for (int i = 0; i < ND_DEVICES; i++) {
    ndi_cuda *d = ndi_cuda_find(i);
    if (d && d->is_open && !ndi_cuda_is_idle(d)) return false;
  }
  return true;
}

/* {=== trimming ===} */

static _Atomic(size_t (*)(void)) trim_others;

static nd_status pinned_trim(nd_resource *self, size_t keep, size_t *freed, nd_error *err) {
  (void)self, (void)err;
  size_t (*trim)(void) = trim_others;
  *freed = keep == 0 && trim ? trim() : 0;
  return ND_OK;
}

void ndi_cuda_join_pinned(size_t (*trim)(void)) {
  trim_others = trim;
  ndi_cache_register(ndi_cuda_pinned_resource());
}

/* {=== the rest ===} */

static nd_status pinned_fill(nd_resource *self, const nd_block *block, size_t offset, size_t bytes,
                             uint8_t value, const nd_uses *after, nd_point *ready, nd_error *err) {
  (void)self;
  return nd_resource_fill(nd_host_resource(), block, offset, bytes, value, after, ready, err);
}

static uint64_t pinned_total(nd_resource *self) {
  (void)self;
  return nd_resource_total(nd_host_resource());
}

static void pinned_stats(nd_resource *self, nd_mem_stats *out) {
  (void)self;
  ndi_counters_read(&counters, out);
}

static void pinned_reset_peak(nd_resource *self) {
  (void)self;
  ndi_counters_reset_peak(&counters);
}

static nd_status pinned_check(nd_resource *self, const nd_block *block, nd_error *err) {
  (void)self;
  return block->kind == ND_MEM_HOST ? ND_OK : ndi_cuda_check_mapped("pinned", err);
}

nd_resource *ndi_cuda_pinned_resource(void) {
  static const nd_resource_ops ops = {.name = "pinned",
                                      .is_idle = pinned_is_idle,
                                      .grants = pinned_grants,
                                      .total = pinned_total,
                                      .wake = pinned_wake,
                                      .fill = pinned_fill,
                                      .take = pinned_take,
                                      .give = pinned_give,
                                      .trim = pinned_trim,
                                      .check = pinned_check,
                                      .stats = pinned_stats,
                                      .reset_peak = pinned_reset_peak};
  static nd_resource pinned = {.ops = &ops, .holds = 1, .kind = ND_MEM_PINNED, .is_deferred = true};
  return &pinned;
}

/* 'first' is the same device every time: the caller passes device 0. */
nd_status ndi_cuda_pinned(ndi_cuda *d, nd_resource **out) {
  first = d;
  *out = nd_resource_hold(ndi_cuda_pinned_resource());
  return ND_OK;
}

bool ndi_cuda_has_pinned(void) { return ndi_gauge_read(&counters.blocks).now > 0; }
