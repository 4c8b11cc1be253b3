/* Staging buffers: pairs of pinned buffers, of which the CPU works on one while the device copies
 * from or to the other. Pairs are kept in a free list, as page-locking is slow.
 *
 * A call takes a pair for itself, so the fields of a pair need no lock. There come to be as many
 * pairs as were ever in use at once; they are freed when pinned memory is trimmed or short, or when
 * their device is closed. The driver's own call makes them: pinned memory is of the first device,
 * which others should not need. So they are charged to the budgets of pinned memory apart. */
#include <stdlib.h>
#include <string.h>

#include "base/call.h"
#include "base/lock.h"
#include "dev/cuda/cuda.h"
#include "mem/adapt/adapt.h"
#include "mem/foreign.h"

enum { MOST = 8 << 20, LEAST = 64 << 10 }; /* bytes of a buffer */

/* Wrap a buffer in a storage, so that host copies can work on it as on any view, and wait for the
 * work on it. It is foreign memory because this file frees it, but known to nobody else, and
 * pinned: copies between it and a device are direct, and may be in flight. */
static nd_status wrap_buffer(ndi_stage *stage, int i, nd_error *err) {
  nd_resource *resource;
  ND_TRY(nd_foreign_resource(stage->at[i], stage->bytes, NULL, NULL, &resource, err));
  const nd_status status = nd_storage_make(resource, stage->bytes, (nd_storage_options){0},
                                           &stage->storage[i], err);
  /* the storage holds it, if it was made */
  nd_resource_drop(resource);
  if (status != ND_OK) return status;
  stage->storage[i]->is_pinned = true;
  stage->storage[i]->is_exposed = false;
  stage->storage[i]->is_passing = true;
  return ND_OK;
}

/* PORTABLE: a copy between two devices goes through the buffer of one. */
static nd_status lock_once(ndi_cuda *d, size_t bytes, void **at, nd_error *err) {
  const CUresult result = ndi_cu.cuMemHostAlloc(at, bytes, CU_MEMHOSTALLOC_PORTABLE);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) return ndi_cuda_fail_pinned(bytes, err);
  return ndi_cuda_check(d, result, "cuMemHostAlloc", err);
}

/* When memory for page-locking is short, free the cached host blocks and try once more. */
static nd_status lock_pages(ndi_cuda *d, size_t bytes, void **at, nd_error *err) {
  const nd_status status = lock_once(d, bytes, at, err);
  if (status != ND_OUT_OF_MEMORY || nd_caches_trim(0, 0) == 0) return status;
  return lock_once(d, bytes, at, err);
}

static nd_status lock_buffer(ndi_cuda *d, ndi_stage *stage, int i, nd_error *err) {
  void *at = NULL;
  ND_VISIT(d, err);
  ND_TRY(lock_pages(d, stage->bytes, &at, err));
  stage->at[i] = at;
  atomic_fetch_add(&d->staging, stage->bytes);
  return ND_OK;
}

/* Make what is missing. Each thing is noted as soon as it is there, for when the next one fails. */
static nd_status complete(ndi_cuda *d, ndi_stage *stage, nd_error *err) {
  for (int i = 0; i < 2; i++) {
    if (!stage->at[i]) ND_TRY(lock_buffer(d, stage, i, err));
    if (!stage->storage[i]) ND_TRY(wrap_buffer(stage, i, err));
  }
  return ND_OK;
}

/* No copy is in flight: the pair is new, or was waited for. What the driver refuses to free stays.
 * Returns the bytes of the rest. */
static size_t free_buffers(ndi_cuda *d, ndi_stage *stage) {
  ndi_visit visit = {0};
  size_t freed = 0;
  const bool is_in = ndi_cuda_enter(d, &visit, NULL) == ND_OK;
  for (int i = 0; i < 2; i++) {
    nd_storage_drop(stage->storage[i]);
    stage->storage[i] = NULL;
    if (!stage->at[i] || !is_in || ndi_cu.cuMemFreeHost(stage->at[i]) != CUDA_SUCCESS) continue;
    stage->at[i] = NULL;
    freed += stage->bytes;
  }
  ndi_cuda_leave(&visit);
  atomic_fetch_sub(&d->staging, freed);
  return freed;
}

static void forget(ndi_stage *stage) {
  if (stage->charged) {
    nd_budget_uncharge(stage->charged, 2 * stage->bytes);
    nd_resource_drop(stage->charged);
  }
  free(stage);
}

/* What cannot be freed is left to the context; as there is no later chance, it is tried twice. */
static void abandon(ndi_cuda *d, ndi_stage *stage) {
  free_buffers(d, stage);
  free_buffers(d, stage);
  for (int i = 0; i < 2; i++)
    if (stage->at[i]) atomic_fetch_sub(&d->staging, stage->bytes);
  forget(stage);
}

/* What cannot be freed is completed again when it is taken. */
static size_t release(ndi_cuda *d, ndi_stage *stage) {
  const size_t freed = free_buffers(d, stage);
  if (stage->at[0] || stage->at[1]) ndi_stage_give(d, stage);
  else forget(stage);
  return freed;
}

static ndi_stage *pop_stage(ndi_cuda *d) {
  ndi_lock(NDI_LOCK_STAGES);
  ndi_stage *stage = d->stages;
  if (stage) d->stages = stage->next;
  ndi_unlock(NDI_LOCK_STAGES);
  return stage;
}

/* The copies that a buffer is or was part of. */
static nd_uses uses_of(nd_storage *buffer) {
  const nd_use all = {.lo = 0, .hi = SIZE_MAX, .is_write = true};
  nd_uses uses;
  nd_storage_conflicts(buffer, &all, &uses);
  return uses;
}

/* Was a device that worked on the buffer, for a copy between two, lost since? Then its copy never
 * ends. */
static bool is_tainted(nd_storage *buffer) {
  if (!buffer) return false;
  const nd_uses uses = uses_of(buffer);
  for (int i = 0; i < uses.count; i++) {
    const ndi_queue *q = ndi_queue_find(uses.use[i].at.queue);
    if (q && q->device->lost && !ndi_queue_is_reached(q, uses.use[i].at.seq)) return true;
  }
  return false;
}

void ndi_stage_give(ndi_cuda *d, ndi_stage *stage) {
  ndi_lock(NDI_LOCK_STAGES);
  stage->next = d->stages;
  d->stages = stage;
  ndi_unlock(NDI_LOCK_STAGES);
}

nd_status ndi_stage_wait(ndi_stage *stage, int which, nd_error *err) {
  char *at;
  return nd_storage_host(stage->storage[which], 0, stage->bytes, true, &at, err);
}

nd_status ndi_stage_next(ndi_stage *stage, int *which, nd_error *err) {
  /* the other buffer is the one whose copy was enqueued longer ago */
  stage->turn ^= 1;
  *which = stage->turn;
  return ndi_stage_wait(stage, stage->turn, err);
}

/* Unlink all pairs that no call works with. */
static ndi_stage *detach(ndi_cuda *d) {
  ndi_lock(NDI_LOCK_STAGES);
  ndi_stage *all = d->stages;
  d->stages = NULL;
  ndi_unlock(NDI_LOCK_STAGES);
  return all;
}

static bool is_idle(nd_storage *buffer) {
  if (!buffer) return true;
  const nd_uses uses = uses_of(buffer);
  return ndi_uses_are_over(&uses);
}

static size_t trim(ndi_cuda *d) {
  size_t freed = 0;
  for (ndi_stage *stage = detach(d), *next; stage; stage = next) {
    next = stage->next;
    if (is_idle(stage->storage[0]) && is_idle(stage->storage[1])) freed += release(d, stage);
    else ndi_stage_give(d, stage);
  }
  return freed;
}

/* Free the pairs that no copy and no call works with; returns their bytes. */
static size_t trim_all(void) {
  size_t freed = 0;
  if (ndi_cuda_is_forked()) return 0;
  for (int i = 0; i < ND_DEVICES; i++) {
    ndi_cuda *d = ndi_cuda_find(i);
    if (d && !d->lost && d->is_open) freed += trim(d);
  }
  return freed;
}

/* A copy on a device, or between two, holds a pair while it takes another, and a third: a pair that
 * is larger than need be leaves room for two of the smallest. */
enum { OTHERS = 2 * 2 * LEAST };

static nd_status charge_pair(nd_resource *stack, size_t bytes, nd_error *err) {
  const size_t others = bytes > 2 * LEAST ? OTHERS : 0;
  ND_TRY(nd_budget_charge(stack, bytes + others, err));
  nd_budget_uncharge(stack, others);
  return ND_OK;
}

/* To the budgets of what the caller has as pinned memory, which may allow small buffers only. */
static nd_status charge_stage(ndi_stage *stage, nd_error *err) {
  nd_status status;
  ndi_cuda_join_pinned(trim_all);
  nd_resource *stack = nd_call_memory(ndi_cuda_pinned_resource());
  for (stage->bytes = MOST;; stage->bytes /= 2) {
    status = charge_pair(stack, 2 * stage->bytes, err);
    if (status != ND_BUDGET_EXCEEDED || stage->bytes == LEAST) break;
  }
  if (status == ND_OK) stage->charged = nd_resource_hold(stack);
  else if (err)
    strncat(err->message, ", for staging", sizeof err->message - 1 - strlen(err->message));
  return status;
}

static nd_status make_stage(ndi_stage **out, nd_error *err) {
  ndi_stage *stage = calloc(1, sizeof *stage);
  if (!stage) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for the record of a buffer");
  const nd_status status = charge_stage(stage, err);
  if (status == ND_OK) *out = stage;
  else forget(stage);
  return status;
}

/* The pair that was given back last is taken first; its copies may be in flight still. */
/* A forked child does not have the buffers, on which the CPU works before the device is entered. */
nd_status ndi_stage_take(ndi_cuda *d, ndi_stage **out, nd_error *err) {
  ndi_stage *stage;
  ND_VISIT(d, err);
  while ((stage = pop_stage(d)) && (is_tainted(stage->storage[0]) || is_tainted(stage->storage[1])))
    abandon(d, stage);
  if (!stage) ND_TRY(make_stage(&stage, err));
  const nd_status status = complete(d, stage, err);
  if (status == ND_OK) *out = stage;
  else release(d, stage);
  return status;
}

void ndi_stage_free_all(ndi_cuda *d) {
  for (ndi_stage *stage = detach(d), *next; stage; stage = next) {
    next = stage->next;
    abandon(d, stage);
  }
}
