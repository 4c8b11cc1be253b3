/* Devices. CUDA Driver API: "Initialization", "Error Handling", "Device Management". */
#include "sim.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

sim_device devices[DEVICES_MAX];
static bool is_initialised, is_over;

bool sim_is_initialised(void) { return is_initialised; }
bool sim_is_deinitialised(void) { return is_over; }
void sim_deinitialise(void) { is_over = true; }

/* ---- attributes ---- */

/* As on a card of the day, but for what a program should not count on. */
static struct {
  int attribute, value;
} attributes[] = {
    {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
    {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152},
    {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
    {CU_DEVICE_ATTRIBUTE_MAX_PITCH, 2147483647},
    {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1500000},
    {CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, 512},
    {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 4},
    {CU_DEVICE_ATTRIBUTE_INTEGRATED, 0},
    {CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 1},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, 0},
    {CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, 1},
    {CU_DEVICE_ATTRIBUTE_ECC_ENABLED, 0},
    {CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, 0},
    {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 1000000},
    {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 256},
    {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 4 << 20},
    {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
    {CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, 2},
    {CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1},
    {CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, 0},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 8},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
    {CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 1},
    {CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, 0},
    {CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 1},
    {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 101376},
    {CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, 0},
    {CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST, 0},
    {CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES, 0},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 1},
    {CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID, -1},
};
enum { ATTRIBUTES = sizeof attributes / sizeof *attributes };

static int attribute_index(int attribute) {
  for (int i = 0; i < ATTRIBUTES; i++)
    if (attributes[i].attribute == attribute) return i;
  return -1;
}

int sim_attribute(int attribute) { return attributes[attribute_index(attribute)].value; }

bool sim_set_attribute(const char *name, int value) {
  static const char prefix[] = "CU_DEVICE_ATTRIBUTE_";
#define NAMED(symbol, number) {#symbol, number},
  static const struct {
    const char *name;
    int number;
  } names[] = {ND_CUDA_DEVICE_ATTRIBUTES(NAMED)};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(names[i].name + sizeof prefix - 1, name) != 0) continue;
    const int index = attribute_index(names[i].number);
    if (index < 0) return false;
    attributes[index].value = value;
    return true;
  }
  return false;
}

/* ---- devices ---- */

CUresult sim_check_device(int device) {
  return device >= 0 && device < settings.devices ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

SIM_CALL(cuInit, (unsigned flags), (flags)) {
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  if (settings.devices == 0) return CUDA_ERROR_NO_DEVICE;
  sim_start_program();
  if (!sim_arena_make()) return CUDA_ERROR_OUT_OF_MEMORY;
  is_initialised = true;
  return CUDA_SUCCESS;
}

SIM_CALL(cuDriverGetVersion, (int *version), (version)) {
  if (!version) return CUDA_ERROR_INVALID_VALUE;
  *version = settings.driver;
  return CUDA_SUCCESS;
}

SIM_CALL(cuGetErrorName, (CUresult error, const char **text), (error, text)) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  *text = sim_result_name(error);
  return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* The name in small letters without CUDA_ERROR_. A text is written once and stays: callers read it
 * without the simulator's lock. */
SIM_CALL(cuGetErrorString, (CUresult error, const char **text), (error, text)) {
  enum { RESULTS_MAX = 1000, TEXT_BYTES = 64 };
  static char texts[RESULTS_MAX][TEXT_BYTES];
  static const char prefix[] = "CUDA_ERROR_";
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  *text = NULL;
  const char *name = sim_result_name(error);
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  if (strncmp(name, prefix, sizeof prefix - 1) == 0) name += sizeof prefix - 1;
  char *out = texts[error];
  const bool is_written = out[0];
  for (size_t i = 0; !is_written && name[i] && i + 1 < TEXT_BYTES; i++)
    out[i] = name[i] == '_' ? ' ' : (char)tolower((unsigned char)name[i]);
  *text = out;
  return CUDA_SUCCESS;
}

SIM_CALL(cuDeviceGetCount, (int *count), (count)) {
  if (!count) return CUDA_ERROR_INVALID_VALUE;
  *count = settings.devices;
  return CUDA_SUCCESS;
}

SIM_CALL(cuDeviceGet, (CUdevice * device, int ordinal), (device, ordinal)) {
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  SIM_TRY(sim_check_device(ordinal));
  *device = ordinal;
  return CUDA_SUCCESS;
}

static CUresult give_text(char *out, int bytes, const char *text) {
  if (!out || bytes <= 0) return CUDA_ERROR_INVALID_VALUE;
  snprintf(out, (size_t)bytes, "%s", text);
  return CUDA_SUCCESS;
}

SIM_CALL(cuDeviceGetName, (char *name, int bytes, CUdevice device), (name, bytes, device)) {
  SIM_TRY(sim_check_device(device));
  return give_text(name, bytes, "Simulated GPU");
}

SIM_CALL(cuDeviceGetPCIBusId, (char *text, int bytes, CUdevice device), (text, bytes, device)) {
  char id[24];
  SIM_TRY(sim_check_device(device));
  snprintf(id, sizeof id, "0000:%02X:00.0", device + 1);
  return give_text(text, bytes, id);
}

SIM_CALL(cuDeviceGetUuid_v2, (CUuuid * uuid, CUdevice device), (uuid, device)) {
  SIM_TRY(sim_check_device(device));
  if (!uuid) return CUDA_ERROR_INVALID_VALUE;
  memcpy(uuid->bytes, "ndbuf simulated", 15);
  uuid->bytes[15] = (char)device;
  return CUDA_SUCCESS;
}

SIM_CALL(cuDeviceTotalMem_v2, (size_t * bytes, CUdevice device), (bytes, device)) {
  SIM_TRY(sim_check_device(device));
  if (!bytes) return CUDA_ERROR_INVALID_VALUE;
  *bytes = settings.memory;
  return CUDA_SUCCESS;
}

SIM_CALL(cuDeviceGetAttribute, (int *value, CUdevice_attribute attribute, CUdevice device),
         (value, attribute, device)) {
  SIM_TRY(sim_check_device(device));
  const int i = attribute_index((int)attribute);
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  if (attribute == CU_DEVICE_ATTRIBUTE_PCI_BUS_ID) *value = device + 1;
  else if (i >= 0) *value = attributes[i].value;
  else return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

SIM_CALL(cuDeviceCanAccessPeer, (int *can, CUdevice device, CUdevice peer), (can, device, peer)) {
  if (!can) return CUDA_ERROR_INVALID_VALUE;
  SIM_TRY(sim_check_device(device));
  SIM_TRY(sim_check_device(peer));
  *can = device != peer;
  return CUDA_SUCCESS;
}

bool sim_charge(int device, size_t bytes) {
  if (devices[device].used > settings.memory || bytes > settings.memory - devices[device].used)
    return false;
  devices[device].used += bytes;
  return true;
}
