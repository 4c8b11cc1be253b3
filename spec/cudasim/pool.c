/* Stream-ordered memory and its pools. CUDA Driver API: "Stream Ordered Memory Allocator". */
#include "sim.h"

#include <stdlib.h>

typedef struct {
  int device;
  size_t most;                    /* CUmemPoolProps.maxSize, 0: no limit */
  size_t reserved, reserved_high; /* used and cached */
  size_t used, used_high;
  uint64_t threshold;
  int follows_events, is_opportunistic, adds_dependencies;
  uint32_t readers; /* bit: a device that was given access */
  sim_block *cached;
} pool;

static size_t charge_of(size_t bytes) { return (bytes + 511) & ~(size_t)511; }

static bool has_pools(void) { return sim_attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED); }

static CUresult find_pool(CUmemoryPool handle, pool **out) {
  if (!has_pools()) return CUDA_ERROR_NOT_SUPPORTED;
  *out = sim_handle_find(MEMPOOL_HANDLE, (uintptr_t)handle);
  return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- cached blocks: freed, and still the pool's ---- */

static bool is_before(const sim_block *block, const sim_clock *clock) {
  return block->free_queue < 0 || block->free_number <= clock->at[block->free_queue];
}

/* One of 'charge' bytes (0: of any size) whose free 'clock' comes after; NULL: any free. */
static sim_block *find_cached(const pool *p, size_t charge, const sim_clock *clock) {
  for (sim_block *b = p->cached; b; b = b->next_cached)
    if ((!charge || b->charged == charge) && (!clock || is_before(b, clock))) return b;
  return NULL;
}

static sim_block *find_done(const pool *p, size_t charge) {
  for (sim_block *b = p->cached; b; b = b->next_cached)
    if ((!charge || b->charged == charge) && sim_is_free_done(b)) return b;
  return NULL;
}

static void cache(pool *p, sim_block *block) {
  block->is_cached = true;
  block->next_cached = p->cached;
  p->cached = block;
}

static void uncache(pool *p, sim_block *block) {
  sim_block **at = &p->cached;
  while (*at != block) at = &(*at)->next_cached;
  *at = block->next_cached;
  block->is_cached = false;
}

/* Its bytes go back to the device. */
static void drop(pool *p, sim_block *block) {
  uncache(p, block);
  p->reserved -= block->charged;
  devices[p->device].used -= block->charged;
  sim_block_release(block);
}

static void shrink(pool *p, size_t keep) {
  sim_block *block;
  while (p->reserved > keep && (block = find_cached(p, 0, &host_clock)) != NULL) drop(p, block);
}

void sim_pools_release(void) {
  for (uint64_t h = 0; (h = sim_handle_next(MEMPOOL_HANDLE, h)) != 0;) {
    pool *p = sim_handle_peek(MEMPOOL_HANDLE, h);
    if (p->reserved > p->threshold) shrink(p, p->threshold);
  }
}

/* ---- pools ---- */

void sim_pools_excuse(int device) {
  for (uint64_t h = 0; (h = sim_handle_next(MEMPOOL_HANDLE, h)) != 0;)
    if (((const pool *)sim_handle_peek(MEMPOOL_HANDLE, h))->device == device) sim_handle_excuse(h);
}

uint64_t sim_pool_make(int device, size_t most) {
  pool *p = calloc(1, sizeof *p);
  if (!p) return 0;
  *p = (pool){.device = device,
              .most = most,
              .readers = 1u << device,
              .follows_events = 1,
              .is_opportunistic = 1,
              .adds_dependencies = 1};
  return sim_handle_make(MEMPOOL_HANDLE, p);
}

static CUresult check_props(const CUmemPoolProps *props) {
  if (!props || props->allocType != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
  if ((int)props->handleTypes & ~sim_attribute(CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES))
    return CUDA_ERROR_INVALID_VALUE;
  if (props->location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_INVALID_VALUE;
  if (props->win32SecurityAttributes) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < sizeof props->reserved; i++)
    if (props->reserved[i]) return CUDA_ERROR_INVALID_VALUE;
  return sim_check_device(props->location.id);
}

SIM_CALL(cuMemPoolCreate, (CUmemoryPool * out, const CUmemPoolProps *props), (out, props)) {
  if (!has_pools()) return CUDA_ERROR_NOT_SUPPORTED;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  SIM_TRY(check_props(props));
  const uint64_t handle = sim_pool_make(props->location.id, props->maxSize);
  if (!handle) return CUDA_ERROR_OUT_OF_MEMORY;
  *out = (CUmemoryPool)(uintptr_t)handle;
  return CUDA_SUCCESS;
}

/* What was taken from it stays until it is freed; here that is a mistake. */
SIM_GIVE_CALL(cuMemPoolDestroy, (CUmemoryPool handle), (handle), handle) {
  pool *p;
  const uint64_t value = (uintptr_t)handle;
  SIM_TRY(find_pool(handle, &p));
  sim_device *d = &devices[p->device];
  if (value == d->default_pool) return CUDA_ERROR_INVALID_VALUE;
  if (p->used) sim_report(LEAK, "%s: %zu bytes of the pool are in use", sim_calling(), p->used);
  if (d->pool == value) d->pool = d->default_pool;
  while (p->cached) drop(p, p->cached);
  if (p->used) return CUDA_SUCCESS; /* it lives on, without a name */
  free(p);
  sim_handle_drop(value);
  return CUDA_SUCCESS;
}

/* Made when it is first asked for; it is the driver's own. */
static uint64_t default_pool(int device) {
  sim_device *d = &devices[device];
  if (!d->default_pool) {
    d->default_pool = sim_pool_make(device, 0);
    sim_handle_excuse(d->default_pool);
    if (!d->pool) d->pool = d->default_pool;
  }
  return d->default_pool;
}

SIM_CALL(cuDeviceGetDefaultMemPool, (CUmemoryPool * out, CUdevice device), (out, device)) {
  SIM_TRY(sim_check_device(device));
  if (!has_pools()) return CUDA_ERROR_NOT_SUPPORTED;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = (CUmemoryPool)(uintptr_t)default_pool(device);
  return CUDA_SUCCESS;
}

SIM_CALL(cuDeviceGetMemPool, (CUmemoryPool * out, CUdevice device), (out, device)) {
  SIM_TRY(sim_check_device(device));
  if (!has_pools()) return CUDA_ERROR_NOT_SUPPORTED;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  default_pool(device);
  *out = (CUmemoryPool)(uintptr_t)devices[device].pool;
  return CUDA_SUCCESS;
}

SIM_CALL(cuDeviceSetMemPool, (CUdevice device, CUmemoryPool handle), (device, handle)) {
  pool *p;
  SIM_TRY(sim_check_device(device));
  SIM_TRY(find_pool(handle, &p));
  if (p->device != device) return CUDA_ERROR_INVALID_VALUE;
  default_pool(device);
  devices[device].pool = (uintptr_t)handle;
  return CUDA_SUCCESS;
}

SIM_CALL(cuMemPoolTrimTo, (CUmemoryPool handle, size_t keep), (handle, keep)) {
  pool *p;
  SIM_TRY(find_pool(handle, &p));
  shrink(p, keep);
  return CUDA_SUCCESS;
}

static CUresult reset_high(size_t *high, size_t now, const void *value) {
  if (*(const uint64_t *)value != 0) return CUDA_ERROR_INVALID_VALUE;
  *high = now;
  return CUDA_SUCCESS;
}

SIM_CALL(cuMemPoolSetAttribute, (CUmemoryPool handle, CUmemPool_attribute attribute, void *value),
         (handle, attribute, value)) {
  pool *p;
  SIM_TRY(find_pool(handle, &p));
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  switch (attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES: p->follows_events = *(int *)value; break;
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC: p->is_opportunistic = *(int *)value; break;
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
      p->adds_dependencies = *(int *)value;
      break;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: p->threshold = *(uint64_t *)value; break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
      return reset_high(&p->reserved_high, p->reserved, value);
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH: return reset_high(&p->used_high, p->used, value);
    default: return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

SIM_CALL(cuMemPoolGetAttribute, (CUmemoryPool handle, CUmemPool_attribute attribute, void *value),
         (handle, attribute, value)) {
  pool *p;
  SIM_TRY(find_pool(handle, &p));
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  switch (attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES: *(int *)value = p->follows_events; break;
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC: *(int *)value = p->is_opportunistic; break;
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
      *(int *)value = p->adds_dependencies;
      break;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: *(uint64_t *)value = p->threshold; break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT: *(uint64_t *)value = p->reserved; break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH: *(uint64_t *)value = p->reserved_high; break;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT: *(uint64_t *)value = p->used; break;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH: *(uint64_t *)value = p->used_high; break;
    default: return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

/* The pool's own device cannot be shut out. */
SIM_CALL(cuMemPoolSetAccess, (CUmemoryPool handle, const CUmemAccessDesc *list, size_t count),
         (handle, list, count)) {
  pool *p;
  SIM_TRY(find_pool(handle, &p));
  if (!list && count) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count; i++) {
    if (list[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_INVALID_VALUE;
    SIM_TRY(sim_check_device(list[i].location.id));
    const uint32_t bit = 1u << list[i].location.id;
    if (list[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE) p->readers |= bit;
    else if (list[i].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE) return CUDA_ERROR_INVALID_VALUE;
    else if (list[i].location.id == p->device) return CUDA_ERROR_INVALID_VALUE;
    else p->readers &= ~bit;
  }
  return CUDA_SUCCESS;
}

SIM_CALL(cuMemPoolGetAccess,
         (CUmemAccess_flags * flags, CUmemoryPool handle, CUmemLocation *location),
         (flags, handle, location)) {
  pool *p;
  SIM_TRY(find_pool(handle, &p));
  if (!flags || !location || location->type != CU_MEM_LOCATION_TYPE_DEVICE)
    return CUDA_ERROR_INVALID_VALUE;
  SIM_TRY(sim_check_device(location->id));
  const bool may = p->readers & 1u << location->id;
  *flags = may ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
  return CUDA_SUCCESS;
}

bool sim_pool_may_access(uint64_t handle, int device) {
  const pool *p = sim_handle_peek(MEMPOOL_HANDLE, handle);
  return p && (p->readers & 1u << device);
}

/* ---- taking and giving ---- */

/* A cached block that the stream may have now: what it comes after, or what is over. */
static sim_block *find_reusable(const pool *p, size_t charge, int queue) {
  const sim_clock *clock = &queues[queue].clock;
  sim_clock known = p->follows_events ? *clock : host_clock;
  known.at[queue] = clock->at[queue];
  sim_block *block = find_cached(p, charge, &known);
  return block || !p->is_opportunistic ? block : find_done(p, charge);
}

static bool reserve(pool *p, size_t charge) {
  if (p->most && (charge > p->most || p->reserved > p->most - charge)) return false;
  if (!sim_charge(p->device, charge)) return false;
  p->reserved += charge;
  if (p->reserved > p->reserved_high) p->reserved_high = p->reserved;
  return true;
}

/* Room for a block of another size, from cached ones that the stream may have, or may wait for. */
static bool make_room(pool *p, size_t charge, int queue) {
  while (!reserve(p, charge)) {
    sim_block *block = find_reusable(p, 0, queue);
    if (!block && p->adds_dependencies) block = p->cached;
    if (!block) return false;
    drop(p, block); /* which runs what it waits for */
  }
  return true;
}

/* Fresh addresses over the bytes of a cached block, or the block itself again. */
static sim_block *take_cached(pool *p, sim_block *cached, size_t bytes) {
  uncache(p, cached);
  if (settings.is_reusing) {
    sim_block_revive(cached, bytes);
    return cached;
  }
  sim_block *block = sim_block_make(POOL, cached->device, bytes, cached->extent);
  if (block) cached->owns_extent = false;
  return block;
}

static CUresult take(CUdeviceptr *out, size_t bytes, uint64_t handle, CUstream stream) {
  int queue;
  SIM_TRY(sim_queue_of(stream, &queue));
  if (!has_pools()) return CUDA_ERROR_NOT_SUPPORTED;
  if (!out || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  if (!handle) default_pool(queues[queue].device), handle = devices[queues[queue].device].pool;
  pool *p = sim_handle_find(MEMPOOL_HANDLE, handle);
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  if (bytes > SIZE_MAX / 2) return CUDA_ERROR_OUT_OF_MEMORY;
  const size_t charge = charge_of(bytes);
  sim_advance(queue);
  sim_block *cached = find_reusable(p, charge, queue);
  if (!cached && !make_room(p, charge, queue)) return CUDA_ERROR_OUT_OF_MEMORY;
  sim_block *block = cached ? take_cached(p, cached, bytes)
                            : sim_block_make(POOL, p->device, bytes, NO_EXTENT);
  if (!block) return CUDA_ERROR_OUT_OF_MEMORY;
  block->charged = charge;
  block->pool = handle;
  p->used += charge;
  if (p->used > p->used_high) p->used_high = p->used;
  sim_op *op = sim_enqueue(queue, TAKE);
  op->dst = block;
  const sim_region whole = sim_bytes_at(block->address, bytes);
  sim_use_by(op, block, &whole, true);
  *out = block->address;
  sim_enqueued(op);
  return CUDA_SUCCESS;
}

SIM_CALL(cuMemAllocAsync, (CUdeviceptr * out, size_t bytes, CUstream stream),
         (out, bytes, stream)) {
  return take(out, bytes, 0, stream);
}

SIM_CALL(cuMemAllocFromPoolAsync,
         (CUdeviceptr * out, size_t bytes, CUmemoryPool handle, CUstream stream),
         (out, bytes, handle, stream)) {
  pool *p;
  SIM_TRY(find_pool(handle, &p));
  return take(out, bytes, (uintptr_t)handle, stream);
}

void sim_pool_free(sim_block *block, const sim_op *op) {
  pool *p = sim_handle_peek(MEMPOOL_HANDLE, block->pool);
  if (!op) sim_check_idle(block);
  sim_block_free(block, op);
  cache(p, block);
  p->used -= block->charged;
}

SIM_GIVE_CALL(cuMemFreeAsync, (CUdeviceptr address, CUstream stream), (address, stream), address) {
  int queue;
  SIM_TRY(sim_queue_of(stream, &queue));
  if (!has_pools()) return CUDA_ERROR_NOT_SUPPORTED;
  sim_block *block = sim_block_at(address);
  if (!block || block->address != address || block->kind != POOL) return CUDA_ERROR_INVALID_VALUE;
  if (!block->is_live) {
    sim_report(DOUBLE_FREE, "%s: %#llx was freed", sim_calling(), (unsigned long long)address);
    return CUDA_ERROR_INVALID_VALUE;
  }
  sim_op *op = sim_enqueue(queue, NOTHING);
  const sim_region whole = sim_bytes_at(block->address, block->bytes);
  sim_use_by(op, block, &whole, true);
  sim_pool_free(block, op);
  sim_enqueued(op);
  return CUDA_SUCCESS;
}
