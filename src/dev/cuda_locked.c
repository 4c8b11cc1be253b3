/* Host memory that a driver copies from and to directly: pinned blocks, and pages locked in place.
 */
#include <stdlib.h>
#include <string.h>

#include "dev/cuda_device.h"

static ndi_counters pinned_counters;
static atomic_int locked_count;
static atomic_uint_fast64_t fallbacks;
static ndi_cuda *first; /* whose context pinned memory is allocated in; all others see it */

/* {=== pinned ===} */

/* Exactly what was asked for. Where no more can be locked, ordinary memory: the block's kind says
 * so. */
static nd_status take_pinned(const nd_request *request, nd_block *out, nd_error *err) {
  void *at = NULL;
  nd_device *same;
  if (request->bytes > 0) {
    if (!first->is_open) ND_TRY(nd_cuda_device(0, &same, err));
    ND_TRY(ndi_cuda_enter(first, err));
    const CUresult result = ndi_cu.cuMemHostAlloc(&at, request->bytes, CU_MEMHOSTALLOC_PORTABLE);
    if (result == CUDA_ERROR_OUT_OF_MEMORY || result == CUDA_ERROR_NOT_SUPPORTED) {
      ND_TRY(nd_resource_take(nd_host_resource(), request, out, err));
      atomic_fetch_add(&fallbacks, 1);
      return ND_OK;
    }
    ND_TRY(ndi_cuda_did(first, result, "cuMemHostAlloc", err));
    if (request->zeroed) memset(at, 0, request->bytes);
  }
  out->ptr = out->host = at;
  out->granted = request->bytes;
  out->zeroed = request->zeroed;
  ndi_counters_take(&pinned_counters, request->bytes);
  return ND_OK;
}

static nd_status pinned_take(nd_resource *self, const nd_request *request, nd_block *out,
                             nd_error *err) {
  (void)self;
  const nd_status status = take_pinned(request, out, err);
  if (status != ND_OK) atomic_fetch_add(&pinned_counters.failed_takes, 1);
  return status;
}

static nd_status free_pinned(ndi_cuda *d, void *at, nd_error *err) {
  return ND_CU(d, cuMemFreeHost(at), err);
}

static nd_status pinned_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                             nd_error *err) {
  (void)self;
  if (block->kind == ND_MEM_HOST) return nd_resource_give(nd_host_resource(), block, after, err);
  if (block->ptr)
    return ndi_cuda_free(first, &pinned_counters, free_pinned, block->ptr, block->granted, err);
  ndi_counters_give(&pinned_counters, block->granted);
  return ND_OK;
}

static void pinned_stats(nd_resource *self, nd_mem_stats *out) {
  (void)self;
  ndi_counters_read(&pinned_counters, out);
}

static nd_status pinned_check(nd_resource *self, const nd_block *block, nd_error *err) {
  (void)self;
  return block->kind == ND_MEM_PINNED ? ndi_cuda_check_mapped("pinned", err) : ND_OK;
}

nd_resource *ndi_cuda_pinned_resource(void) {
  static const nd_resource_ops ops = {.name = "pinned",
                                      .is_deferred = true,
                                      .take = pinned_take,
                                      .give = pinned_give,
                                      .check = pinned_check,
                                      .stats = pinned_stats};
  static nd_resource pinned = {.ops = &ops, .holds = 1, .kind = ND_MEM_PINNED};
  return &pinned;
}

nd_status ndi_cuda_pinned(ndi_cuda *d, nd_resource **out) {
  first = d;
  *out = nd_resource_hold(ndi_cuda_pinned_resource());
  return ND_OK;
}

uint64_t nd_cuda_pinned_fallbacks(void) { return atomic_load(&fallbacks); }

/* {=== locked in place ===} A resource between a block and the one it came from: the pages are
 * unlocked before the block goes back. */

typedef struct {
  nd_resource base;
  ndi_cuda *device;
  void *at;
} locked;

static nd_status unlock_pages(ndi_cuda *d, void *at, nd_error *err) {
  nd_status status = ndi_cuda_enter(d, err);
  if (status == ND_OK) status = ND_CU(d, cuMemHostUnregister(at), err);
  if (status != ND_OK && !d->lost && !ndi_cuda_is_forked()) return status;
  atomic_fetch_sub(&locked_count, 1);
  return ND_OK;
}

static nd_status locked_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                             nd_error *err) {
  const locked *l = (const locked *)self;
  ND_TRY(unlock_pages(l->device, l->at, err));
  return self->up->ops->give(self->up, block, after, err);
}

static nd_status locked_check(nd_resource *self, const nd_block *block, nd_error *err) {
  return self->up->ops->check ? self->up->ops->check(self->up, block, err) : ND_OK;
}

static void locked_watch(nd_resource *self, const nd_block *block, _Atomic uint64_t *epoch) {
  if (self->up->ops->watch) self->up->ops->watch(self->up, block, epoch);
}

static void locked_close(nd_resource *self) { free(self); }

static nd_status lock_pages(ndi_cuda *d, const nd_storage *storage, void *at, nd_error *err) {
  const bool only_read = storage->is_read_only && d->reads_locked;
  const unsigned flags = CU_MEMHOSTREGISTER_PORTABLE |
                         (only_read ? CU_MEMHOSTREGISTER_READ_ONLY : 0);
  if (!ndi_cu.cuMemHostRegister || !ndi_cu.cuMemHostUnregister)
    return nd_fail(err, ND_UNSUPPORTED, "pin: this driver cannot lock pages in place");
  ND_TRY(ndi_cuda_enter(d, err));
  return ND_CU(d, cuMemHostRegister(at, storage->bytes, flags), err);
}

/* The block's hold of its resource becomes that of the one between. */
static nd_status put_between(ndi_cuda *d, nd_storage *storage, void *at, nd_error *err) {
  static const nd_resource_ops ops = {.name = "locked",
                                      .is_deferred = true,
                                      .give = locked_give,
                                      .check = locked_check,
                                      .watch = locked_watch,
                                      .close = locked_close};
  locked *l = calloc(1, sizeof *l);
  if (!l) return nd_fail(err, ND_OUT_OF_MEMORY, "pin: no memory for the record of a lock");
  l->base.ops = &ops;
  l->base.kind = storage->resource->kind;
  l->base.up = storage->resource;
  l->device = d;
  l->at = at;
  atomic_init(&l->base.holds, 1);
  const nd_status status = nd_storage_lock(storage, &l->base, err);
  if (status != ND_OK) free(l);
  return status;
}

nd_status nd_cuda_lock(nd_storage *storage, nd_error *err) {
  nd_device *device;
  char *at;
  if (storage->kind == ND_MEM_DEVICE || storage->kind == ND_MEM_MANAGED)
    return nd_fail(err, ND_INVALID_ARGUMENT, "pin: the memory of this array is not the host's");
  ND_TRY(nd_cuda_device(0, &device, err));
  ND_TRY(nd_storage_host(storage, true, &at, err));
  if (storage->is_locked || storage->bytes == 0) return ND_OK;
  ndi_cuda *d = first = (ndi_cuda *)device;
  ND_TRY(lock_pages(d, storage, at, err));
  atomic_fetch_add(&locked_count, 1);
  const nd_status status = put_between(d, storage, at, err);
  if (status != ND_OK) unlock_pages(d, at, NULL);
  return status;
}

nd_status nd_cuda_unlock(nd_storage *storage, nd_error *err) {
  char *at;
  ND_TRY(nd_storage_host(storage, true, &at, err));
  if (!storage->is_locked || storage->kind == ND_MEM_PINNED || storage->kind == ND_MEM_MANAGED)
    return ND_OK;
  ND_TRY(unlock_pages(first, at, err));
  return nd_storage_lock(storage, NULL, err);
}

bool ndi_cuda_has_pinned(void) {
  nd_mem_stats stats = {0};
  ndi_counters_read(&pinned_counters, &stats);
  return stats.live_count.now > 0 || locked_count > 0;
}
