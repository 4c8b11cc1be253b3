/* Device, managed and host memory. CUDA Driver API: "Memory Management", "Unified Addressing". */
#include "sim.h"

#include <stdio.h>
#include <unistd.h>

static size_t charge_of(size_t bytes) { return (bytes + 511) & ~(size_t)511; }

/* ---- device memory ---- */

SIM_CALL(cuMemGetInfo_v2, (size_t * free_bytes, size_t *total), (free_bytes, total)) {
  int device;
  SIM_TRY(sim_current(&device));
  const size_t used = devices[device].used;
  if (free_bytes) *free_bytes = used < settings.memory ? settings.memory - used : 0;
  if (total) *total = settings.memory;
  return CUDA_SUCCESS;
}

static CUresult take(CUdeviceptr *out, sim_kind kind, size_t bytes, unsigned flags, size_t charge) {
  int device;
  SIM_TRY(sim_current(&device));
  if (!out || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  if (bytes > SIZE_MAX / 2 || !sim_charge(device, charge)) return CUDA_ERROR_OUT_OF_MEMORY;
  sim_block *block = sim_block_make(kind, device, bytes, NO_EXTENT);
  if (!block) {
    devices[device].used -= charge;
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  block->charged = charge;
  block->flags = flags;
  *out = block->address;
  return CUDA_SUCCESS;
}

SIM_CALL(cuMemAlloc_v2, (CUdeviceptr * out, size_t bytes), (out, bytes)) {
  return take(out, DEVICE, bytes, 0, charge_of(bytes));
}

/* The block that begins at an address and has one of two kinds; INVALID_VALUE, with a report of
 * what it was instead. */
static CUresult find_start(uint64_t address, sim_kind kind, sim_kind other, sim_block **out) {
  sim_block *block = sim_block_at(address);
  if (!block || block->address != address) return CUDA_ERROR_INVALID_VALUE;
  if (!block->is_live) {
    sim_report(DOUBLE_FREE, "%s: %#llx was freed", sim_calling(), (unsigned long long)address);
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (block->kind != kind && block->kind != other) return CUDA_ERROR_INVALID_VALUE;
  *out = block;
  return CUDA_SUCCESS;
}

/* The real driver may wait, or may not: who frees has to know that the work is over. */
void sim_check_idle(sim_block *block) {
  const sim_use *use = sim_pending_use(block);
  if (!use) return;
  sim_report(PENDING, "%s: %#llx is freed, and nobody waited for %s on stream %llu", sim_calling(),
             (unsigned long long)block->address, use->call,
             (unsigned long long)queues[use->queue].id);
  sim_run_all();
}

static void give(sim_block *block) {
  sim_check_idle(block);
  sim_block_free(block, NULL);
  sim_block_release(block);
  devices[block->device].used -= block->charged;
}

SIM_GIVE_CALL(cuMemFree_v2, (CUdeviceptr address), (address), address) {
  int device;
  sim_block *block;
  SIM_TRY(sim_current(&device));
  if (!address) return CUDA_SUCCESS;
  const sim_block *at = sim_block_at(address);
  const bool is_pool = at && at->kind == POOL;
  SIM_TRY(find_start(address, is_pool ? POOL : DEVICE, MANAGED, &block));
  if (!is_pool) give(block);
  else sim_pool_free(block, NULL);
  return CUDA_SUCCESS;
}

SIM_CALL(cuMemGetAddressRange_v2, (CUdeviceptr * base, size_t *bytes, CUdeviceptr address),
         (base, bytes, address)) {
  int device;
  sim_block *block;
  SIM_TRY(sim_current(&device));
  const sim_block *at = sim_block_at(address);
  if (!at || !at->is_live) return CUDA_ERROR_NOT_FOUND;
  SIM_TRY(sim_block_find(address, 1, &block));
  if (base) *base = block->address;
  if (bytes) *bytes = block->bytes;
  return CUDA_SUCCESS;
}

/* ---- managed memory ---- */

SIM_CALL(cuMemAllocManaged, (CUdeviceptr * out, size_t bytes, unsigned flags),
         (out, bytes, flags)) {
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) return CUDA_ERROR_INVALID_VALUE;
  if (!sim_attribute(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY)) return CUDA_ERROR_NOT_SUPPORTED;
  /* Where the device pages, its memory is no limit. */
  const bool is_paged = sim_attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS);
  SIM_TRY(take(out, MANAGED, bytes, flags, is_paged ? 0 : charge_of(bytes)));
  sim_managed_made(sim_block_at(*out));
  return CUDA_SUCCESS;
}

static CUresult check_location(CUmemLocation location) {
  if (location.type == CU_MEM_LOCATION_TYPE_HOST) return CUDA_SUCCESS;
  if (location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA)
    return location.id == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  if (location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT) return CUDA_SUCCESS;
  if (location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_INVALID_VALUE;
  return sim_check_device(location.id);
}

static CUmemLocation old_location(CUdevice device) {
  if (device == CU_DEVICE_CPU) return (CUmemLocation){CU_MEM_LOCATION_TYPE_HOST, 0};
  return (CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, device};
}

static CUresult find_managed(CUdeviceptr address, size_t bytes) {
  sim_block *block;
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  SIM_TRY(sim_block_find(address, bytes, &block));
  return block && block->kind == MANAGED ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Only devices with concurrent access can be prefetched to, or advised. */
static CUresult check_managed(CUdeviceptr address, size_t bytes, CUmemLocation location) {
  SIM_TRY(find_managed(address, bytes));
  SIM_TRY(check_location(location));
  const bool is_paged = sim_attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS);
  if (location.type == CU_MEM_LOCATION_TYPE_DEVICE && !is_paged) return CUDA_ERROR_INVALID_DEVICE;
  return CUDA_SUCCESS;
}

static CUresult prefetch(CUdeviceptr address, size_t bytes, CUmemLocation location,
                         CUstream stream) {
  int queue;
  SIM_TRY(sim_queue_of(stream, &queue));
  SIM_TRY(check_managed(address, bytes, location));
  sim_op *op = sim_enqueue(queue, NOTHING);
  sim_block *block = sim_block_at(address);
  const sim_region nowhere = sim_bytes_at(block->address,
                                          0); /* races with nothing, but is in use */
  sim_use_by(op, block, &nowhere, false);
  sim_enqueued(op);
  return CUDA_SUCCESS;
}

SIM_CALL(cuMemPrefetchAsync_v2,
         (CUdeviceptr address, size_t bytes, CUmemLocation location, unsigned flags,
          CUstream stream),
         (address, bytes, location, flags, stream)) {
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  return prefetch(address, bytes, location, stream);
}

SIM_CALL(cuMemPrefetchAsync, (CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream),
         (address, bytes, device, stream)) {
  return prefetch(address, bytes, old_location(device), stream);
}

static CUresult advise(CUdeviceptr address, size_t bytes, CUmem_advise advice,
                       CUmemLocation location) {
  int device;
  SIM_TRY(sim_current(&device));
  if (advice < CU_MEM_ADVISE_SET_READ_MOSTLY || advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY)
    return CUDA_ERROR_INVALID_VALUE;
  /* These three have no location. */
  if (advice <= CU_MEM_ADVISE_UNSET_READ_MOSTLY || advice == CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION)
    return find_managed(address, bytes);
  return check_managed(address, bytes, location);
}

SIM_CALL(cuMemAdvise_v2,
         (CUdeviceptr address, size_t bytes, CUmem_advise advice, CUmemLocation location),
         (address, bytes, advice, location)) {
  return advise(address, bytes, advice, location);
}

SIM_CALL(cuMemAdvise, (CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device),
         (address, bytes, advice, device)) {
  return advise(address, bytes, advice, old_location(device));
}

/* ---- pinned and registered memory ---- */

static bool is_more_than_there_is(size_t bytes) {
  return bytes / (size_t)sysconf(_SC_PAGESIZE) > (size_t)sysconf(_SC_PHYS_PAGES);
}

SIM_CALL(cuMemHostAlloc, (void **out, size_t bytes, unsigned flags), (out, bytes, flags)) {
  CUdeviceptr address = 0;
  if (!out || flags > 7) return CUDA_ERROR_INVALID_VALUE;
  if (is_more_than_there_is(bytes)) return CUDA_ERROR_OUT_OF_MEMORY;
  SIM_TRY(take(&address, PINNED, bytes, flags, 0));
  *out = (void *)(uintptr_t)address;
  return CUDA_SUCCESS;
}

SIM_GIVE_CALL(cuMemFreeHost, (void *address), (address), address) {
  int device;
  sim_block *block;
  SIM_TRY(sim_current(&device));
  if (!address) return CUDA_SUCCESS;
  SIM_TRY(find_start((uintptr_t)address, PINNED, PINNED, &block));
  give(block);
  return CUDA_SUCCESS;
}

/* True when some of the bytes are registered, or are the driver's own. */
static bool is_taken(uint64_t address, size_t bytes) {
  size_t at = 0;
  for (sim_block *b = sim_block_next(NULL, &at); b; b = sim_block_next(b, &at))
    if (b->is_live && b->address < address + bytes && address < b->address + b->bytes) return true;
  return false;
}

/* Is the first page one of a file, shared and writable? Linux does not let a driver hold such pages
 * since 6.5 (mm/gup.c, writable_file_mapping_allowed). */
static bool is_file(uint64_t address) {
  char line[600], access[5];
  unsigned long long low, high, inode;
  FILE *maps = fopen("/proc/self/maps", "r");
  bool is_found = false;
  while (maps && !is_found && fgets(line, sizeof line, maps))
    is_found = sscanf(line, "%llx-%llx %4s %*s %*s %llu", &low, &high, access, &inode) == 4 &&
               low <= address && address < high;
  if (maps) fclose(maps);
  return is_found && inode && access[1] == 'w' && access[3] == 's';
}

SIM_CALL(cuMemHostRegister_v2, (void *memory, size_t bytes, unsigned flags),
         (memory, bytes, flags)) {
  int device;
  const uint64_t address = (uintptr_t)memory;
  SIM_TRY(sim_current(&device));
  if (!memory || bytes == 0 || flags > 15) return CUDA_ERROR_INVALID_VALUE;
  if (address + bytes < address || is_more_than_there_is(bytes)) return CUDA_ERROR_INVALID_VALUE;
  if (settings.refuses_files && !(flags & CU_MEMHOSTREGISTER_READ_ONLY) && is_file(address))
    return CUDA_ERROR_INVALID_VALUE;
  if (is_taken(address, bytes)) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  sim_block *block = sim_block_register(address, bytes);
  if (!block) return CUDA_ERROR_OUT_OF_MEMORY;
  block->device = device, block->flags = flags;
  return CUDA_SUCCESS;
}

SIM_GIVE_CALL(cuMemHostUnregister, (void *memory), (memory), memory) {
  int device;
  SIM_TRY(sim_current(&device));
  if (!memory) return CUDA_ERROR_INVALID_VALUE;
  sim_block *block = sim_block_at((uintptr_t)memory);
  if (!block || !block->is_live || block->kind != REGISTERED || block->address != (uintptr_t)memory)
    return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  give(block);
  return CUDA_SUCCESS;
}

static CUresult find_host(void *address, sim_block **out) {
  int device;
  SIM_TRY(sim_current(&device));
  sim_block *block = sim_block_at((uintptr_t)address);
  if (!block || !block->is_live || (block->kind != PINNED && block->kind != REGISTERED))
    return CUDA_ERROR_INVALID_VALUE;
  *out = block;
  return CUDA_SUCCESS;
}

/* One address for host and devices: "Unified Addressing". */
SIM_CALL(cuMemHostGetDevicePointer_v2, (CUdeviceptr * out, void *address, unsigned flags),
         (out, address, flags)) {
  sim_block *block;
  if (!out || flags) return CUDA_ERROR_INVALID_VALUE;
  SIM_TRY(find_host(address, &block));
  *out = (uintptr_t)address;
  return CUDA_SUCCESS;
}

SIM_CALL(cuMemHostGetFlags, (unsigned *flags, void *address), (flags, address)) {
  sim_block *block;
  if (!flags) return CUDA_ERROR_INVALID_VALUE;
  SIM_TRY(find_host(address, &block));
  *flags = block->flags;
  return CUDA_SUCCESS;
}

void sim_note_refused(uint64_t thing) {
  if (!thing) return;
  sim_block *block = sim_block_at(thing);
  if (block && block->is_live && block->address == thing) block->is_refused = true;
  else sim_handle_excuse(thing);
}
