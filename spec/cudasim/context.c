/* Primary contexts, one for each device, and which one is a thread's. CUDA Driver API: "Primary
 * Context Management", "Context Management", "Peer Context Memory Access". */
#include "sim.h"

#include <stdio.h>

enum { STACK_MAX = 32 };

static _Thread_local uint64_t stack[STACK_MAX]; /* handles; 0: none */
static _Thread_local int depth;                 /* the current one is the last below it */

static uint64_t handle_of(CUcontext context) { return (uintptr_t)context; }

static CUresult device_of(uint64_t context, int *device) {
  const sim_device *found = sim_handle_find(CONTEXT_HANDLE, context);
  if (!found) return CUDA_ERROR_INVALID_CONTEXT;
  *device = (int)(found - devices);
  return CUDA_SUCCESS;
}

CUresult sim_device_of(CUcontext context, int *device) {
  return device_of(handle_of(context), device);
}

static uint64_t current(void) { return depth ? stack[depth - 1] : 0; }

CUresult sim_current(int *device) {
  if (!current()) return CUDA_ERROR_INVALID_CONTEXT;
  const sim_device *found = sim_handle_peek(CONTEXT_HANDLE, current());
  if (!found) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  *device = (int)(found - devices);
  return found->lost;
}

void sim_lose(CUresult error) {
  const bool is_sticky = error == CUDA_ERROR_ILLEGAL_ADDRESS ||
                         error == CUDA_ERROR_LAUNCH_TIMEOUT ||
                         (error >= CUDA_ERROR_ASSERT && error <= CUDA_ERROR_TENSOR_MEMORY_LEAK &&
                          error != CUDA_ERROR_TOO_MANY_PEERS &&
                          error != CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED &&
                          error != CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED) ||
                         error == CUDA_ERROR_ECC_UNCORRECTABLE ||
                         error == CUDA_ERROR_NVLINK_UNCORRECTABLE || error == CUDA_ERROR_CONTAINED;
  sim_device *device = sim_handle_peek(CONTEXT_HANDLE, current());
  if (!is_sticky || !device) return;
  device->lost = error;
  sim_streams_excuse((int)(device - devices)); /* nobody can give them back */
  sim_pools_excuse((int)(device - devices));
  sim_end_work((int)(device - devices));
}

/* ---- primary contexts ---- */

SIM_CALL(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device), (context, device)) {
  SIM_TRY(sim_check_device(device));
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  sim_device *d = &devices[device];
  if (d->lost) return d->lost;
  if (d->retains == 0) {
    sim_start_program();
    d->legacy = sim_make_queue(device, CU_STREAM_DEFAULT);
    if (d->legacy < 0) return CUDA_ERROR_OUT_OF_MEMORY;
    d->context = sim_handle_make(CONTEXT_HANDLE, d);
    d->peers = 0;
  }
  d->retains++;
  *context = (CUcontext)(uintptr_t)d->context;
  return CUDA_SUCCESS;
}

/* Memory of pools is the device's, all other is the context's. */
static void destroy_blocks(int device) {
  size_t at = 0;
  for (sim_block *b = sim_block_next(NULL, &at); b; b = sim_block_next(b, &at)) {
    if (!b->is_live || b->kind == POOL || b->device != device) continue;
    if (!devices[device].lost && !b->is_refused)
      sim_report(LEAK, "%zu bytes at %#llx, number %llu, went with their context", b->bytes,
                 (unsigned long long)b->address, (unsigned long long)b->id);
    sim_block_free(b, NULL);
    sim_block_release(b);
    devices[device].used -= b->charged;
  }
}

static void destroy_context(int device) {
  sim_device *d = &devices[device];
  if (!d->lost) {
    sim_clock all = host_clock;
    for (int i = 0; i < queue_count; i++)
      if (queues[i].is_used && queues[i].device == device) sim_join(&all, &queues[i].clock);
    if (!sim_is_reached(&all))
      sim_report(PENDING, "%s: device %d still has work", sim_calling(), device);
    sim_wait(&all);
  }
  destroy_blocks(device);
  sim_streams_destroy(device);
  queues[d->legacy].is_open = false;
  sim_handle_drop(d->context);
  d->context = 0;
}

SIM_CALL(cuDevicePrimaryCtxRelease_v2, (CUdevice device), (device)) {
  SIM_TRY(sim_check_device(device));
  if (devices[device].retains == 0) return CUDA_ERROR_INVALID_CONTEXT;
  if (--devices[device].retains == 0) destroy_context(device);
  return CUDA_SUCCESS;
}

SIM_CALL(cuDevicePrimaryCtxSetFlags_v2, (CUdevice device, unsigned flags), (device, flags)) {
  SIM_TRY(sim_check_device(device));
  devices[device].flags = flags;
  return CUDA_SUCCESS;
}

SIM_CALL(cuDevicePrimaryCtxGetState, (CUdevice device, unsigned *flags, int *active),
         (device, flags, active)) {
  SIM_TRY(sim_check_device(device));
  if (!flags || !active) return CUDA_ERROR_INVALID_VALUE;
  *flags = devices[device].flags;
  *active = devices[device].retains > 0;
  return CUDA_SUCCESS;
}

/* ---- the current one ---- */

SIM_CALL(cuCtxSetCurrent, (CUcontext context), (context)) {
  int device;
  if (!context) {
    if (depth) depth--;
    return CUDA_SUCCESS;
  }
  SIM_TRY(sim_device_of(context, &device));
  if (!depth) depth = 1;
  stack[depth - 1] = handle_of(context);
  return CUDA_SUCCESS;
}

static _Thread_local uint64_t kept;
static _Thread_local int kept_depth;
static _Thread_local bool is_kept;

ND_CUDA_EXPORT void cusim_keep_context(void) {
  kept = current(), kept_depth = depth, is_kept = true;
}

ND_CUDA_EXPORT bool cusim_check_context(void) {
  if (!is_kept || (current() == kept && depth == kept_depth)) return true;
  sim_lock();
  sim_report(CONTEXT_CHANGED, "this thread's context was %#llx, %d on its stack, and is %#llx, %d",
             (unsigned long long)kept, kept_depth, (unsigned long long)current(), depth);
  sim_unlock();
  depth = kept_depth;
  if (depth) stack[depth - 1] = kept;
  return false;
}

SIM_CALL(cuCtxGetCurrent, (CUcontext * context), (context)) {
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  *context = (CUcontext)(uintptr_t)current();
  return CUDA_SUCCESS;
}

SIM_CALL(cuCtxPushCurrent_v2, (CUcontext context), (context)) {
  int device;
  SIM_TRY(sim_device_of(context, &device));
  if (depth == STACK_MAX) return CUDA_ERROR_OUT_OF_MEMORY;
  stack[depth++] = handle_of(context);
  return CUDA_SUCCESS;
}

SIM_CALL(cuCtxPopCurrent_v2, (CUcontext * context), (context)) {
  if (!depth) return CUDA_ERROR_INVALID_CONTEXT;
  depth--;
  if (context) *context = (CUcontext)(uintptr_t)stack[depth];
  return CUDA_SUCCESS;
}

SIM_CALL(cuCtxGetDevice, (CUdevice * device), (device)) {
  int found;
  SIM_TRY(sim_current(&found));
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  *device = found;
  return CUDA_SUCCESS;
}

SIM_CALL(cuCtxSynchronize, (void), ()) {
  int device;
  SIM_TRY(sim_current(&device));
  sim_wait_for_device(device);
  return CUDA_SUCCESS;
}

/* Lower numbers go first. */
SIM_CALL(cuCtxGetStreamPriorityRange, (int *least, int *greatest), (least, greatest)) {
  int device;
  SIM_TRY(sim_current(&device));
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return CUDA_SUCCESS;
}

/* ---- peers ---- */

SIM_CALL(cuCtxEnablePeerAccess, (CUcontext peer, unsigned flags), (peer, flags)) {
  int device, other;
  SIM_TRY(sim_current(&device));
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  SIM_TRY(sim_device_of(peer, &other));
  if (other == device) return CUDA_ERROR_INVALID_DEVICE;
  if (devices[device].peers & 1u << other) return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
  devices[device].peers |= 1u << other;
  return CUDA_SUCCESS;
}

SIM_CALL(cuCtxDisablePeerAccess, (CUcontext peer), (peer)) {
  int device, other;
  SIM_TRY(sim_current(&device));
  SIM_TRY(sim_device_of(peer, &other));
  if (!(devices[device].peers & 1u << other)) return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
  devices[device].peers &= ~(1u << other);
  return CUDA_SUCCESS;
}
