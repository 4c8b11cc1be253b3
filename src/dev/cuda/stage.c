/* Staging buffers: pairs of pinned buffers, of which the CPU works on one while the device copies
 * from or to the other. Pairs are kept in a free list, as page-locking is slow.
 *
 * A call takes a pair for itself, so the fields of a pair need no lock. There come to be as many
 * pairs as were ever in use at once; they are freed when their device is closed. */
#include <stdlib.h>

#include "base/lock.h"
#include "dev/cuda/cuda.h"
#include "mem/foreign.h"

/* Wrap a buffer in a storage, so that host copies can work on it as on any view, and wait for the
 * work on it. It is foreign memory because this file frees it, but known to nobody else, and
 * pinned: copies between it and a device are direct, and may be in flight. */
static nd_status wrap_buffer(ndi_stage *stage, int i, nd_error *err) {
  nd_resource *resource;
  ND_TRY(nd_foreign_resource(stage->at[i], NDI_STAGE, NULL, NULL, &resource, err));
  const nd_status status = nd_storage_make(resource, NDI_STAGE, (nd_storage_options){0},
                                           &stage->storage[i], err);
  /* the storage holds it, if it was made */
  nd_resource_drop(resource);
  if (status != ND_OK) return status;
  stage->storage[i]->is_pinned = true;
  stage->storage[i]->is_exposed = false;
  return ND_OK;
}

/* PORTABLE: a copy between two devices goes through the buffer of one. */
static nd_status lock_once(ndi_cuda *d, void **at, nd_error *err) {
  const CUresult result = ndi_cu.cuMemHostAlloc(at, NDI_STAGE, CU_MEMHOSTALLOC_PORTABLE);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) return ndi_cuda_fail_pinned(NDI_STAGE, err);
  return ndi_cuda_check(d, result, "cuMemHostAlloc", err);
}

/* When memory for page-locking is short, free the cached host blocks and try once more. */
static nd_status lock_pages(ndi_cuda *d, void **at, nd_error *err) {
  const nd_status status = lock_once(d, at, err);
  if (status != ND_OUT_OF_MEMORY || nd_caches_trim(0, 0) == 0) return status;
  return lock_once(d, at, err);
}

/* Each thing is noted as soon as it is there, so that free_stage finds it if the next one fails. */
static nd_status lock_buffer(ndi_cuda *d, ndi_stage *stage, int i, nd_error *err) {
  void *at = NULL;
  ND_VISIT(d, err);
  ND_TRY(lock_pages(d, &at, err));
  stage->at[i] = at;
  atomic_fetch_add(&d->staging, NDI_STAGE);
  return ND_OK;
}

static nd_status make_buffer(ndi_cuda *d, ndi_stage *stage, int i, nd_error *err) {
  ND_TRY(lock_buffer(d, stage, i, err));
  return wrap_buffer(stage, i, err);
}

/* No copy is in flight: the pair is new, or the device was waited for. Without its context the
 * buffers cannot be freed; as there is no later chance, entering it is tried twice. */
static void free_stage(ndi_cuda *d, ndi_stage *stage) {
  ndi_visit visit = {0};
  const bool is_in = ndi_cuda_enter(d, &visit, NULL) == ND_OK ||
                     ndi_cuda_enter(d, &visit, NULL) == ND_OK;
  for (int i = 0; i < 2; i++) {
    nd_storage_drop(stage->storage[i]);
    if (!stage->at[i]) continue;
    if (is_in) ndi_cu.cuMemFreeHost(stage->at[i]);
    atomic_fetch_sub(&d->staging, NDI_STAGE);
  }
  ndi_cuda_leave(&visit);
  free(stage);
}

static nd_status make_stage(ndi_cuda *d, ndi_stage **out, nd_error *err) {
  ndi_stage *stage = calloc(1, sizeof *stage);
  if (!stage) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for the record of a buffer");
  nd_status status = ND_OK;
  for (int i = 0; i < 2 && status == ND_OK; i++) status = make_buffer(d, stage, i, err);
  if (status == ND_OK) *out = stage;
  else free_stage(d, stage);
  return status;
}

static ndi_stage *pop_stage(ndi_cuda *d) {
  ndi_lock(NDI_LOCK_STAGES);
  ndi_stage *stage = d->stages;
  if (stage) d->stages = stage->next;
  ndi_unlock(NDI_LOCK_STAGES);
  return stage;
}

/* Was a device that worked on the buffer, for a copy between two, lost since? Then its copy never
 * ends. */
static bool is_tainted(nd_storage *buffer) {
  const nd_use all = {.lo = 0, .hi = NDI_STAGE, .is_write = true};
  nd_uses uses;
  nd_storage_conflicts(buffer, &all, &uses);
  for (int i = 0; i < uses.count; i++) {
    const ndi_queue *q = ndi_queue_find(uses.use[i].at.queue);
    if (q && q->device->lost && !ndi_queue_is_reached(q, uses.use[i].at.seq)) return true;
  }
  return false;
}

/* The pair that was given back last is taken first; its copies may be in flight still. */
/* A forked child does not have the buffers, on which the CPU works before the device is entered. */
nd_status ndi_stage_take(ndi_cuda *d, ndi_stage **out, nd_error *err) {
  ndi_stage *stage;
  ND_VISIT(d, err);
  while ((stage = pop_stage(d)) && (is_tainted(stage->storage[0]) || is_tainted(stage->storage[1])))
    free_stage(d, stage);
  if (!stage) return make_stage(d, out, err);
  *out = stage;
  return ND_OK;
}

void ndi_stage_give(ndi_cuda *d, ndi_stage *stage) {
  ndi_lock(NDI_LOCK_STAGES);
  stage->next = d->stages;
  d->stages = stage;
  ndi_unlock(NDI_LOCK_STAGES);
}

nd_status ndi_stage_wait(ndi_stage *stage, int which, nd_error *err) {
  char *at;
  return nd_storage_host(stage->storage[which], 0, NDI_STAGE, true, &at, err);
}

nd_status ndi_stage_next(ndi_stage *stage, int *which, nd_error *err) {
  /* the other buffer is the one whose copy was enqueued longer ago */
  stage->turn ^= 1;
  *which = stage->turn;
  return ndi_stage_wait(stage, stage->turn, err);
}

void ndi_stage_free_all(ndi_cuda *d) {
  while (d->stages) {
    ndi_stage *stage = d->stages;
    d->stages = stage->next;
    free_stage(d, stage);
  }
}
