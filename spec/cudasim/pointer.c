/* What a pointer is. CUDA Driver API: "Unified Addressing". */
#include "sim.h"

#include <string.h>

static CUresult give(void *out, const void *value, size_t bytes) {
  memcpy(out, value, bytes);
  return CUDA_SUCCESS;
}

static CUmemorytype type_of(const sim_block *block) {
  const bool is_host = block->kind == PINNED || block->kind == REGISTERED;
  return is_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

/* Those that have a value for every address. */
static CUresult about_any(void *out, CUpointer_attribute attribute, const sim_block *block) {
  const bool is_managed = block && block->kind == MANAGED, is_mapped = block != NULL;
  const uint64_t pool = block ? block->pool : 0;
  if (attribute == CU_POINTER_ATTRIBUTE_IS_MANAGED) return give(out, &is_managed, 1);
  if (attribute == CU_POINTER_ATTRIBUTE_MAPPED) return give(out, &is_mapped, 1);
  if (attribute == CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE) return give(out, &pool, sizeof pool);
  return CUDA_ERROR_INVALID_VALUE;
}

static CUresult about_block(void *out, CUpointer_attribute attribute, const sim_block *block,
                            uint64_t address) {
  const uint64_t context = devices[block->device].context, bytes = block->bytes;
  const bool is_device_only = block->kind == DEVICE || block->kind == POOL;
  const bool is_legacy_ipc = block->kind == DEVICE;
  const CUmemorytype type = type_of(block);
  const unsigned sync = 0;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: return give(out, &context, sizeof context);
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: return give(out, &type, sizeof type);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: return give(out, &address, sizeof address);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      return is_device_only ? CUDA_ERROR_INVALID_VALUE : give(out, &address, sizeof address);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: return give(out, &sync, sizeof sync);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: return give(out, &block->id, sizeof block->id);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return give(out, &block->device, sizeof(int));
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE: return give(out, &is_legacy_ipc, 1);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: return give(out, &block->address, sizeof address);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: return give(out, &bytes, sizeof bytes);
    default: return about_any(out, attribute, block);
  }
}

static sim_block *live_block_at(uint64_t address) {
  sim_block *block = sim_block_at(address);
  const bool is_inside = block && block->is_live && address - block->address < block->bytes;
  if (block && !block->is_live)
    sim_report(USE_AFTER_FREE, "%s: %#llx was freed", sim_calling(), (unsigned long long)address);
  return is_inside ? block : NULL;
}

SIM_CALL(cuPointerGetAttribute, (void *out, CUpointer_attribute attribute, CUdeviceptr address),
         (out, attribute, address)) {
  int device;
  SIM_TRY(sim_current(&device));
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  const sim_block *block = live_block_at(address);
  return block ? about_block(out, attribute, block, address) : about_any(out, attribute, NULL);
}

/* Where there is no value it is zero: an address that is not CUDA's is no error here. */
SIM_CALL(cuPointerGetAttributes,
         (unsigned count, CUpointer_attribute *attributes, void **values, CUdeviceptr address),
         (count, attributes, values, address)) {
  int device;
  SIM_TRY(sim_current(&device));
  if (count == 0 || !attributes || !values) return CUDA_ERROR_INVALID_VALUE;
  const sim_block *block = live_block_at(address);
  for (unsigned i = 0; i < count; i++) {
    const CUpointer_attribute a = attributes[i];
    if (block && about_block(values[i], a, block, address) == CUDA_SUCCESS) continue;
    if (about_any(values[i], a, NULL) == CUDA_SUCCESS) continue;
    const bool is_int = a == CU_POINTER_ATTRIBUTE_MEMORY_TYPE ||
                        a == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL ||
                        a == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS;
    const bool is_flag = a == CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE;
    const int ordinal = a == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL ? -2 : 0; /* CU_DEVICE_INVALID */
    if (is_int) memcpy(values[i], &ordinal, sizeof ordinal);
    else memset(values[i], 0, is_flag ? 1 : sizeof(uint64_t));
  }
  return CUDA_SUCCESS;
}
