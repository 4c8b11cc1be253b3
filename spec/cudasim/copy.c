/* Copies and fills. CUDA Driver API: "Memory Management", and "API synchronization behavior" for
 * which of them the host waits for. */
#include "sim.h"

#include <stdlib.h>
#include <string.h>

typedef enum { ANYWHERE, ON_HOST, ON_DEVICE } sim_place;

/* One end of a copy. */
typedef struct {
  sim_region region;
  sim_place place;
  sim_block *block;
} end;

static bool is_device_only(const sim_block *b) {
  return b && (b->kind == DEVICE || b->kind == POOL);
}
static bool is_pageable(const end *e) { return !e->block; }

/* Pinned and registered memory is of the host and of the devices; so is managed memory. */
static CUresult resolve(end *e, int device, bool is_write) {
  SIM_TRY(sim_block_find(e->region.at, sim_hull(&e->region), &e->block));
  const sim_block *b = e->block;
  if (e->place == ON_DEVICE && !b) return CUDA_ERROR_INVALID_VALUE;
  if (e->place == ON_HOST && is_device_only(b)) return CUDA_ERROR_INVALID_VALUE;
  if (!b) return CUDA_SUCCESS;
  if (b->kind == POOL && !sim_pool_may_access(b->pool, device)) return CUDA_ERROR_INVALID_VALUE;
  if (is_write && b->kind == REGISTERED && (b->flags & CU_MEMHOSTREGISTER_READ_ONLY))
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

/* The rows of pageable memory, one after the other: "the function will return once the pageable
 * buffer has been copied to the staging memory". */
static CUresult stage(sim_op *op, const sim_region *from) {
  const size_t bytes = from->width * from->height * from->depth;
  op->staged = malloc(bytes);
  if (!op->staged) return CUDA_ERROR_OUT_OF_MEMORY;
  char *out = op->staged;
  const char *in = (const char *)(uintptr_t)from->at;
  for (size_t z = 0; z < from->depth; z++)
    for (size_t y = 0; y < from->height; y++, out += from->width)
      memcpy(out, in + z * from->slice + y * from->pitch, from->width);
  op->from.pitch = from->width;
  op->from.slice = from->width * from->height;
  return CUDA_SUCCESS;
}

static CUresult enqueue_copy(const end *to, const end *from, int queue, bool is_staged) {
  sim_op *op = sim_enqueue(queue, COPY);
  op->dst = to->block, op->src = from->block;
  op->to = to->region, op->from = from->region;
  const CUresult staged = is_staged ? stage(op, &from->region) : CUDA_SUCCESS;
  if (staged) op->work = NOTHING;
  else {
    sim_use_by(op, from->block, &from->region, false);
    sim_use_by(op, to->block, &to->region, true);
  }
  sim_enqueued(op);
  return staged;
}

static void wait_for(int queue) {
  const sim_clock clock = *sim_advance(queue);
  sim_wait(&clock);
}

/* "For transfers from device memory to device memory, no host-side synchronization is performed";
 * from pageable memory, only what is in the stream before is waited for. */
static CUresult copy_now(end *to, end *from) {
  int queue;
  SIM_TRY(sim_queue_of(CU_STREAM_LEGACY, &queue));
  const bool is_staged = is_pageable(from) && is_device_only(to->block);
  if (is_pageable(from)) wait_for(queue);
  SIM_TRY(enqueue_copy(to, from, queue, is_staged));
  if (!is_staged && !(is_device_only(to->block) && is_device_only(from->block))) wait_for(queue);
  return CUDA_SUCCESS;
}

/* A real driver copies to and from pageable memory at once, or behind the caller's back. */
static CUresult copy_later(end *to, end *from, int queue) {
  if (is_pageable(to) || is_pageable(from)) {
    sim_report(PAGEABLE, "%s: %#llx is pageable memory", sim_calling(),
               (unsigned long long)(is_pageable(to) ? to : from)->region.at);
    return CUDA_ERROR_INVALID_VALUE;
  }
  return enqueue_copy(to, from, queue, false);
}

static CUresult copy(end to, end from, bool is_async, CUstream stream) {
  int queue;
  SIM_TRY(sim_queue_of(is_async ? stream : CU_STREAM_LEGACY, &queue));
  if (to.region.width == 0 || to.region.height == 0 || to.region.depth == 0) return CUDA_SUCCESS;
  SIM_TRY(resolve(&to, queues[queue].device, true));
  SIM_TRY(resolve(&from, queues[queue].device, false));
  if (to.block && sim_overlap(&to.region, &from.region))
    sim_report(RACE, "%s: the bytes at %#llx overlap those at %#llx", sim_calling(),
               (unsigned long long)to.region.at, (unsigned long long)from.region.at);
  return is_async ? copy_later(&to, &from, queue) : copy_now(&to, &from);
}

/* ---- linear ---- */

static end linear(sim_place place, uint64_t at, size_t bytes) {
  return (end){sim_bytes_at(at, bytes), place, NULL};
}

#define COPY_CALL(symbol, dst_type, to, src_type, from)                                      \
  SIM_CALL(symbol, (dst_type dst, src_type src, size_t bytes), (dst, src, bytes)) {          \
    return copy(linear(to, (uint64_t)dst, bytes), linear(from, (uint64_t)src, bytes), false, \
                NULL);                                                                       \
  }
#define COPY_CALL_ASYNC(symbol, dst_type, to, src_type, from)                               \
  SIM_CALL(symbol, (dst_type dst, src_type src, size_t bytes, CUstream stream),             \
           (dst, src, bytes, stream)) {                                                     \
    return copy(linear(to, (uint64_t)dst, bytes), linear(from, (uint64_t)src, bytes), true, \
                stream);                                                                    \
  }
COPY_CALL(cuMemcpy, CUdeviceptr, ANYWHERE, CUdeviceptr, ANYWHERE)
COPY_CALL(cuMemcpyHtoD_v2, CUdeviceptr, ON_DEVICE, const void *, ON_HOST)
COPY_CALL(cuMemcpyDtoH_v2, void *, ON_HOST, CUdeviceptr, ON_DEVICE)
COPY_CALL(cuMemcpyDtoD_v2, CUdeviceptr, ON_DEVICE, CUdeviceptr, ON_DEVICE)
COPY_CALL_ASYNC(cuMemcpyAsync, CUdeviceptr, ANYWHERE, CUdeviceptr, ANYWHERE)
COPY_CALL_ASYNC(cuMemcpyHtoDAsync_v2, CUdeviceptr, ON_DEVICE, const void *, ON_HOST)
COPY_CALL_ASYNC(cuMemcpyDtoHAsync_v2, void *, ON_HOST, CUdeviceptr, ON_DEVICE)
COPY_CALL_ASYNC(cuMemcpyDtoDAsync_v2, CUdeviceptr, ON_DEVICE, CUdeviceptr, ON_DEVICE)

/* ---- between devices ---- */

static CUresult check_peer(CUdeviceptr address, CUcontext context) {
  int device;
  SIM_TRY(sim_device_of(context, &device));
  const sim_block *block = sim_block_at(address);
  return is_device_only(block) && block->device != device ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static CUresult copy_peer(CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from,
                          size_t bytes, bool is_async, CUstream stream) {
  SIM_TRY(check_peer(dst, to));
  SIM_TRY(check_peer(src, from));
  return copy(linear(ON_DEVICE, dst, bytes), linear(ON_DEVICE, src, bytes), is_async, stream);
}

SIM_CALL(cuMemcpyPeer,
         (CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from, size_t bytes),
         (dst, to, src, from, bytes)) {
  return copy_peer(dst, to, src, from, bytes, false, NULL);
}

SIM_CALL(cuMemcpyPeerAsync,
         (CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from, size_t bytes,
          CUstream stream),
         (dst, to, src, from, bytes, stream)) {
  return copy_peer(dst, to, src, from, bytes, true, stream);
}

/* ---- two and three axes ---- */

/* An end as the two structs describe it; 'rows' is the height of a plane. */
typedef struct {
  CUmemorytype type;
  const void *host;
  CUdeviceptr device;
  size_t x, y, z, pitch, rows;
} described;

static CUresult describe(const described *d, size_t width, size_t height, size_t depth, end *out) {
  const bool is_host = d->type == CU_MEMORYTYPE_HOST;
  const size_t most = (size_t)sim_attribute(CU_DEVICE_ATTRIBUTE_MAX_PITCH);
  size_t row, offset, end_bytes;
  if (!is_host && d->type != CU_MEMORYTYPE_DEVICE && d->type != CU_MEMORYTYPE_UNIFIED)
    return CUDA_ERROR_INVALID_VALUE;
  if (d->pitch > most || width > d->pitch || d->x > d->pitch - width)
    return CUDA_ERROR_INVALID_VALUE;
  if (depth > 1 && (height > d->rows || d->y > d->rows - height)) return CUDA_ERROR_INVALID_VALUE;
  if (__builtin_mul_overflow(d->z, d->rows, &row) || __builtin_add_overflow(row, d->y, &row) ||
      __builtin_mul_overflow(row, d->pitch, &offset) ||
      __builtin_mul_overflow(d->rows ? d->rows : 1, d->pitch * depth, &end_bytes))
    return CUDA_ERROR_INVALID_VALUE;
  const uint64_t base = is_host ? (uintptr_t)d->host : d->device;
  out->region = (sim_region){base + offset + d->x, width, height, depth, d->pitch,
                             d->pitch * d->rows};
  out->place = is_host ? ON_HOST : d->type == CU_MEMORYTYPE_DEVICE ? ON_DEVICE : ANYWHERE;
  return CUDA_SUCCESS;
}

static CUresult copy_2d(const CUDA_MEMCPY2D *c, bool is_async, CUstream stream) {
  int device;
  end to = {0}, from = {0};
  SIM_TRY(sim_current(&device));
  if (!c) return CUDA_ERROR_INVALID_VALUE;
  const described src = {c->srcMemoryType, c->srcHost, c->srcDevice, c->srcXInBytes,
                         c->srcY,          0,          c->srcPitch,  0};
  const described dst = {c->dstMemoryType, c->dstHost, c->dstDevice, c->dstXInBytes,
                         c->dstY,          0,          c->dstPitch,  0};
  if (c->WidthInBytes == 0 || c->Height == 0) return CUDA_SUCCESS;
  SIM_TRY(describe(&src, c->WidthInBytes, c->Height, 1, &from));
  SIM_TRY(describe(&dst, c->WidthInBytes, c->Height, 1, &to));
  return copy(to, from, is_async, stream);
}

static CUresult copy_3d(const CUDA_MEMCPY3D *c, bool is_async, CUstream stream) {
  int device;
  end to = {0}, from = {0};
  SIM_TRY(sim_current(&device));
  if (!c || c->srcLOD || c->dstLOD || c->reserved0 || c->reserved1) return CUDA_ERROR_INVALID_VALUE;
  const described src = {c->srcMemoryType, c->srcHost, c->srcDevice, c->srcXInBytes,
                         c->srcY,          c->srcZ,    c->srcPitch,  c->srcHeight};
  const described dst = {c->dstMemoryType, c->dstHost, c->dstDevice, c->dstXInBytes,
                         c->dstY,          c->dstZ,    c->dstPitch,  c->dstHeight};
  if (c->WidthInBytes == 0 || c->Height == 0 || c->Depth == 0) return CUDA_SUCCESS;
  SIM_TRY(describe(&src, c->WidthInBytes, c->Height, c->Depth, &from));
  SIM_TRY(describe(&dst, c->WidthInBytes, c->Height, c->Depth, &to));
  return copy(to, from, is_async, stream);
}

SIM_CALL(cuMemcpy2D_v2, (const CUDA_MEMCPY2D *what), (what)) { return copy_2d(what, false, NULL); }
SIM_CALL(cuMemcpy2DUnaligned_v2, (const CUDA_MEMCPY2D *what), (what)) {
  return copy_2d(what, false, NULL);
}
SIM_CALL(cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D *what, CUstream stream), (what, stream)) {
  return copy_2d(what, true, stream);
}
SIM_CALL(cuMemcpy3D_v2, (const CUDA_MEMCPY3D *what), (what)) { return copy_3d(what, false, NULL); }
SIM_CALL(cuMemcpy3DAsync_v2, (const CUDA_MEMCPY3D *what, CUstream stream), (what, stream)) {
  return copy_3d(what, true, stream);
}
