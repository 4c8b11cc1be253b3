/* Page-locks host memory in place, so that the driver copies from and to it directly.
 *
 * The memory is ordinary, foreign or a mapped file, and stays where it is: views and addresses
 * remain valid. */
#include <stdlib.h>

#include "dev/cuda/cuda.h"
#include "mem/file.h"

/* Storages whose pages are locked; while there are any, device 0 stays open. */
static atomic_int locked_count;

/* An adaptor resource between a block and the resource that it came from ('up'): on give it unlocks
 * the pages first, then passes the block on. Thus whoever frees the block, and whenever, the driver
 * has let go of its pages before they are unmapped. It has no 'take', as it is put behind a block
 * that exists already. */

typedef struct {
  nd_resource base;
  ndi_cuda *device;
  void *at;
} locked;

/* In a lost context or a forked child the driver cannot unlock anything any more. That counts as
 * success, or the block could never be freed. */
static nd_status unlock_pages(ndi_cuda *d, void *at, nd_error *err) {
  ndi_visit visit = {0};
  nd_status status = ndi_cuda_enter(d, &visit, err);
  if (status == ND_OK) status = ND_CU(d, cuMemHostUnregister(at), err);
  ndi_cuda_leave(&visit);
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

/* Unlocking counts as a call that waits for the device, as cuMemFree does. */
static bool locked_is_idle(nd_resource *self) {
  return ndi_cuda_is_idle(((const locked *)self)->device);
}

static void locked_close(nd_resource *self) { free(self); }

/* Did the operating system refuse, through the driver? */
static bool is_refusal(CUresult result) {
  return result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_OPERATING_SYSTEM ||
         result == CUDA_ERROR_NOT_PERMITTED || result == CUDA_ERROR_NOT_SUPPORTED;
}

static nd_status lock_pages(ndi_cuda *d, const nd_storage *storage, void *at, nd_error *err) {
  /* without the flag the driver asks for write access, which a read-only mapping does not give */
  const bool only_read = storage->is_read_only && d->reads_locked;
  const unsigned flags = CU_MEMHOSTREGISTER_PORTABLE |
                         (only_read ? CU_MEMHOSTREGISTER_READ_ONLY : 0);
  if (!ndi_cu.cuMemHostRegister || !ndi_cu.cuMemHostUnregister)
    return nd_fail(err, ND_UNSUPPORTED, "pin: this driver cannot lock pages in place");
  ND_VISIT(d, err);
  const CUresult result = ndi_cu.cuMemHostRegister(at, storage->bytes, flags);
  if (storage->kind == ND_MEM_FILE && is_refusal(result))
    return nd_fail_remedy(
        err, ND_UNSUPPORTED, ND_REMEDY_COPY_ON_WRITE,
        "pin: the pages of %s cannot be locked: from Linux 6.5 on, not those that "
        "are mapped to be written to the file",
        nd_file_resource_path(storage->resource));
  return ndi_cuda_check(d, result, "cuMemHostRegister", err);
}

/* From now on the block is given back to the adaptor, which takes over the block's reference to its
 * resource. */
static nd_status put_between(ndi_cuda *d, nd_storage *storage, void *at, nd_error *err) {
  static const nd_resource_ops ops = {
      .name = "locked", .is_idle = locked_is_idle, .give = locked_give, .close = locked_close};
  locked *l = calloc(1, sizeof *l);
  if (!l) return nd_fail(err, ND_OUT_OF_MEMORY, "pin: no memory for the record of a lock");
  /* 'up' is set by nd_storage_pin */
  nd_resource_init(&l->base, &ops, storage->resource->kind, 0);
  l->base.is_deferred = true;
  l->device = d;
  l->at = at;
  const nd_status status = nd_storage_pin(storage, &l->base, err);
  if (status != ND_OK) free(l);
  return status;
}

nd_status ndi_cuda_lock(ndi_cuda *d, nd_storage *storage, nd_error *err) {
  char *at;
  if (storage->kind == ND_MEM_DEVICE || storage->kind == ND_MEM_MANAGED)
    return nd_fail(err, ND_INVALID_ARGUMENT, "pin: expected an array in host memory");
  ND_TRY(nd_storage_host(storage, 0, SIZE_MAX, true, &at, err));
  if (storage->is_pinned || storage->bytes == 0) return ND_OK;
  ND_TRY(lock_pages(d, storage, at, err));
  /* before put_between, on whose failure unlock_pages counts down again */
  atomic_fetch_add(&locked_count, 1);
  const nd_status status = put_between(d, storage, at, err);
  if (status != ND_OK) unlock_pages(d, at, NULL);
  return status;
}

/* Device 0, in whose context pages are locked, is open as long as any are. Memory that was pinned
 * or managed when it was allocated cannot be unlocked, and stays as it is. */
nd_status ndi_cuda_unlock(nd_storage *storage, nd_error *err) {
  char *at;
  ND_TRY(nd_storage_host(storage, 0, SIZE_MAX, true, &at, err));
  if (!storage->is_pinned || storage->kind == ND_MEM_PINNED || storage->kind == ND_MEM_MANAGED)
    return ND_OK;
  ND_TRY(ndi_cuda_open(err));
  ND_TRY(unlock_pages(ndi_cuda_find(0), at, err));
  return nd_storage_pin(storage, NULL, err);
}

bool ndi_cuda_has_locked(void) { return locked_count > 0; }
