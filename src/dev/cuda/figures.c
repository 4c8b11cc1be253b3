/* Figures of a device's memory, and the error where there is no more. */
#include <stdio.h>
#include <string.h>

#include "dev/cuda/cuda.h"
#include "mem/shortage.h"

/* 0 where there is no pool, or its driver must not be called. */
uint64_t ndi_cuda_pool_bytes(const ndi_cuda *d, CUmemPool_attribute which) {
  uint64_t bytes = 0;
  if (!d->pool || d->lost || ndi_cuda_is_forked()) return 0;
  return ndi_cu.cuMemPoolGetAttribute(d->pool, which, &bytes) == CUDA_SUCCESS ? bytes : 0;
}

/* The two figures are not read at one moment. In this order what other threads take or free in
 * between makes the result too small at most, except beside a trim. */
uint64_t ndi_cuda_cached_bytes(const ndi_cuda *d) {
  const uint64_t reserved = ndi_cuda_pool_bytes(d, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);
  const uint64_t used = ndi_cuda_pool_bytes(d, CU_MEMPOOL_ATTR_USED_MEM_CURRENT);
  return reserved > used ? reserved - used : 0;
}

/* Add the live and pending bytes of one kind of memory to the totals. */
static void add_bytes(ndi_cuda_memory *m, ndi_shortage *to) {
  nd_mem_stats stats;
  nd_resource_get_stats(&m->base, &stats);
  to->live += stats.live.now;
  to->pending += stats.pending.now;
}

/* What pools keep is cached, not in use. */
static void move_kept(const ndi_cuda *d, nd_memkind kind, ndi_shortage *to) {
  uint64_t kept, blocks;
  nd_caches_kept(d->base.number, kind, &kept, &blocks);
  if (kept > to->live) kept = to->live; /* the figures are not of one moment */
  to->live -= kept;
  to->cached += kept;
}

nd_status ndi_cuda_fail_memory(ndi_cuda *d, size_t bytes, const char *call, nd_error *err) {
  char failed[96];
  ndi_shortage s = {.place = d->name,
                    .failed = call ? failed : NULL,
                    .bytes = bytes,
                    .cached = ndi_cuda_cached_bytes(d),
                    .device = d->base.number};
  size_t free = 0, total = 0;
  if (call)
    snprintf(failed, sizeof failed, "%.*s failed: CUDA_ERROR_OUT_OF_MEMORY (2)",
             (int)strcspn(call, "("), call);
  add_bytes(&d->pooled, &s);
  add_bytes(&d->plain, &s);
  add_bytes(&d->managed, &s);
  move_kept(d, ND_MEM_DEVICE, &s);
  move_kept(d, ND_MEM_MANAGED, &s);
  /* of the whole device: other processes may have most of it. Figures that the driver does not tell
   * are 0 */
  if (ndi_cu.cuMemGetInfo(&free, &total) == CUDA_SUCCESS) s.free = free, s.total = total;
  return ndi_fail_shortage(&s, err);
}
