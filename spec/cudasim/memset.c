/* Filling memory. CUDA Driver API: "Memory Management"; "API synchronization behavior": the host
 * waits only where pinned or managed memory is filled. */
#include "sim.h"

static CUresult fill(const sim_region *region, size_t item, unsigned value, bool is_async,
                     CUstream stream) {
  int queue;
  sim_block *block;
  SIM_TRY(sim_queue_of(is_async ? stream : CU_STREAM_LEGACY, &queue));
  if (region->width == 0 || region->height == 0) return CUDA_SUCCESS;
  if (region->at % item || (region->height > 1 && region->pitch % item))
    return CUDA_ERROR_INVALID_VALUE;
  SIM_TRY(sim_block_find(region->at, sim_hull(region), &block));
  if (!block) return CUDA_ERROR_INVALID_VALUE;
  if (block->kind == POOL && !sim_pool_may_access(block->pool, queues[queue].device))
    return CUDA_ERROR_INVALID_VALUE;
  sim_op *op = sim_enqueue(queue, SET);
  op->dst = block, op->to = *region, op->item = item, op->value = value;
  sim_use_by(op, block, region, true);
  sim_enqueued(op);
  if (!is_async && block->kind != DEVICE && block->kind != POOL) {
    const sim_clock clock = queues[queue].clock;
    sim_wait(&clock);
  }
  return CUDA_SUCCESS;
}

static CUresult fill_1d(CUdeviceptr dst, size_t count, size_t item, unsigned value, bool is_async,
                        CUstream stream) {
  size_t bytes;
  if (__builtin_mul_overflow(count, item, &bytes)) return CUDA_ERROR_INVALID_VALUE;
  const sim_region region = sim_bytes_at(dst, bytes);
  return fill(&region, item, value, is_async, stream);
}

static CUresult fill_2d(CUdeviceptr dst, size_t pitch, size_t width, size_t height, size_t item,
                        unsigned value, CUstream stream) {
  size_t row, all;
  if (__builtin_mul_overflow(width, item, &row) || __builtin_mul_overflow(pitch, height, &all))
    return CUDA_ERROR_INVALID_VALUE;
  if (height > 1 && pitch < row) return CUDA_ERROR_INVALID_VALUE;
  const sim_region region = {dst, row, height, 1, pitch, all};
  return fill(&region, item, value, true, stream);
}

#define SET_CALLS(bits, type)                                                                    \
  SIM_CALL(cuMemsetD##bits##_v2, (CUdeviceptr dst, type value, size_t count),                    \
           (dst, value, count)) {                                                                \
    return fill_1d(dst, count, sizeof(type), value, false, NULL);                                \
  }                                                                                              \
  SIM_CALL(cuMemsetD##bits##Async, (CUdeviceptr dst, type value, size_t count, CUstream stream), \
           (dst, value, count, stream)) {                                                        \
    return fill_1d(dst, count, sizeof(type), value, true, stream);                               \
  }                                                                                              \
  SIM_CALL(                                                                                      \
      cuMemsetD2D##bits##Async,                                                                  \
      (CUdeviceptr dst, size_t pitch, type value, size_t width, size_t height, CUstream stream), \
      (dst, pitch, value, width, height, stream)) {                                              \
    return fill_2d(dst, pitch, width, height, sizeof(type), value, stream);                      \
  }
SET_CALLS(8, unsigned char)
SET_CALLS(16, unsigned short)
SET_CALLS(32, unsigned)
