/* The part of the CUDA driver's interface that we use, under its own names, so that no toolkit is
 * needed to build: CUDA Driver API, versions 11.4 to 13. 'make abi-check' compares each declaration
 * with the toolkit's cuda.h: it defines ND_CUDA_TYPES_ARE_DECLARED and checks the lists.
 *
 * Everything is in lists. This file makes enums and structs of them; 'make abi-check' makes an
 * assertion of each row. Some rows are there for the simulated driver in spec/cudasim only. */
#ifndef ND_DEV_CUDA_API_H
#define ND_DEV_CUDA_API_H

#include <stddef.h>

/* ---- values: X(name, number) ---- */

/* driver.c says which of them are sticky, and takes the name of an error from here where the driver
 * does not know it. */
#define ND_CUDA_RESULTS(X)                          \
  X(CUDA_SUCCESS, 0)                                \
  X(CUDA_ERROR_INVALID_VALUE, 1)                    \
  X(CUDA_ERROR_OUT_OF_MEMORY, 2)                    \
  X(CUDA_ERROR_NOT_INITIALIZED, 3)                  \
  X(CUDA_ERROR_DEINITIALIZED, 4)                    \
  X(CUDA_ERROR_STUB_LIBRARY, 34)                    \
  X(CUDA_ERROR_DEVICE_UNAVAILABLE, 46)              \
  X(CUDA_ERROR_NO_DEVICE, 100)                      \
  X(CUDA_ERROR_INVALID_DEVICE, 101)                 \
  X(CUDA_ERROR_INVALID_IMAGE, 200)                  \
  X(CUDA_ERROR_INVALID_CONTEXT, 201)                \
  X(CUDA_ERROR_MAP_FAILED, 205)                     \
  X(CUDA_ERROR_UNMAP_FAILED, 206)                   \
  X(CUDA_ERROR_ALREADY_MAPPED, 208)                 \
  X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209)              \
  X(CUDA_ERROR_NOT_MAPPED, 211)                     \
  X(CUDA_ERROR_ECC_UNCORRECTABLE, 214)              \
  X(CUDA_ERROR_CONTEXT_ALREADY_IN_USE, 216)         \
  X(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217)        \
  X(CUDA_ERROR_INVALID_PTX, 218)                    \
  X(CUDA_ERROR_NVLINK_UNCORRECTABLE, 220)           \
  X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222)        \
  X(CUDA_ERROR_CONTAINED, 226)                      \
  X(CUDA_ERROR_OPERATING_SYSTEM, 304)               \
  X(CUDA_ERROR_INVALID_HANDLE, 400)                 \
  X(CUDA_ERROR_ILLEGAL_STATE, 401)                  \
  X(CUDA_ERROR_NOT_FOUND, 500)                      \
  X(CUDA_ERROR_NOT_READY, 600)                      \
  X(CUDA_ERROR_ILLEGAL_ADDRESS, 700)                \
  X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701)        \
  X(CUDA_ERROR_LAUNCH_TIMEOUT, 702)                 \
  X(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704)    \
  X(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705)        \
  X(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, 708)         \
  X(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709)           \
  X(CUDA_ERROR_ASSERT, 710)                         \
  X(CUDA_ERROR_TOO_MANY_PEERS, 711)                 \
  X(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712) \
  X(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713)     \
  X(CUDA_ERROR_HARDWARE_STACK_ERROR, 714)           \
  X(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715)            \
  X(CUDA_ERROR_MISALIGNED_ADDRESS, 716)             \
  X(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717)          \
  X(CUDA_ERROR_INVALID_PC, 718)                     \
  X(CUDA_ERROR_LAUNCH_FAILED, 719)                  \
  X(CUDA_ERROR_TENSOR_MEMORY_LEAK, 721)             \
  X(CUDA_ERROR_NOT_PERMITTED, 800)                  \
  X(CUDA_ERROR_NOT_SUPPORTED, 801)                  \
  X(CUDA_ERROR_SYSTEM_NOT_READY, 802)               \
  X(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803)         \
  X(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, 804) \
  X(CUDA_ERROR_MPS_CONNECTION_FAILED, 805)          \
  X(CUDA_ERROR_MPS_RPC_FAILURE, 806)                \
  X(CUDA_ERROR_MPS_SERVER_NOT_READY, 807)           \
  X(CUDA_ERROR_MPS_MAX_CLIENTS_REACHED, 808)        \
  X(CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED, 809)    \
  X(CUDA_ERROR_MPS_CLIENT_TERMINATED, 810)          \
  X(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 900)     \
  X(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, 901)     \
  X(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, 906)        \
  X(CUDA_ERROR_CAPTURED_EVENT, 907)                 \
  X(CUDA_ERROR_EXTERNAL_DEVICE, 911)                \
  X(CUDA_ERROR_UNKNOWN, 999)

/* All attributes are ints. A driver that is too old for one answers CUDA_ERROR_INVALID_VALUE. */
#define ND_CUDA_DEVICE_ATTRIBUTES(X)                                       \
  X(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1)                          \
  X(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 8)                    \
  X(CU_DEVICE_ATTRIBUTE_WARP_SIZE, 10)                                     \
  X(CU_DEVICE_ATTRIBUTE_MAX_PITCH, 11)                                     \
  X(CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 13)                                    \
  X(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, 14)                             \
  X(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 16)                          \
  X(CU_DEVICE_ATTRIBUTE_INTEGRATED, 18)                                    \
  X(CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 19)                           \
  X(CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, 20)                                  \
  X(CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, 31)                            \
  X(CU_DEVICE_ATTRIBUTE_ECC_ENABLED, 32)                                   \
  X(CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, 33)                                    \
  X(CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, 34)                                 \
  X(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 36)                             \
  X(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 37)                       \
  X(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 38)                                 \
  X(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 39)                \
  X(CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, 40)                            \
  X(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 41)                            \
  X(CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, 50)                                 \
  X(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75)                      \
  X(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 76)                      \
  X(CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED, 78)                   \
  X(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 83)                                \
  X(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, 88)                        \
  X(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 89)                     \
  X(CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 91)       \
  X(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97)             \
  X(CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, 99)                       \
  X(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, 100) \
  X(CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST, 101)          \
  X(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 102)          \
  X(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 103)  \
  X(CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED, 113)            \
  X(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 115)                       \
  X(CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES, 119)               \
  X(CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 122)                \
  X(CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID, 134)

/* cuPointerGetAttribute is not told the size of the variable that it writes to: each attribute has
 * a type of its own, such as CUmemorytype, int, CUdeviceptr or size_t. Drivers answer
 * CUDA_ERROR_INVALID_VALUE for addresses that they do not know, too. */
#define ND_CUDA_POINTER_ATTRIBUTES(X)                    \
  X(CU_POINTER_ATTRIBUTE_CONTEXT, 1)                     \
  X(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 2)                 \
  X(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, 3)              \
  X(CU_POINTER_ATTRIBUTE_HOST_POINTER, 4)                \
  X(CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, 6)                 \
  X(CU_POINTER_ATTRIBUTE_BUFFER_ID, 7)                   \
  X(CU_POINTER_ATTRIBUTE_IS_MANAGED, 8)                  \
  X(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, 9)              \
  X(CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, 10) \
  X(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, 11)           \
  X(CU_POINTER_ATTRIBUTE_RANGE_SIZE, 12)                 \
  X(CU_POINTER_ATTRIBUTE_MAPPED, 13)                     \
  X(CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, 17)

/* The first three are ints, the others 64-bit numbers of bytes. */
#define ND_CUDA_POOL_ATTRIBUTES(X)                        \
  X(CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, 1)   \
  X(CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, 2)         \
  X(CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, 3) \
  X(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, 4)                 \
  X(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, 5)              \
  X(CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 6)                 \
  X(CU_MEMPOOL_ATTR_USED_MEM_CURRENT, 7)                  \
  X(CU_MEMPOOL_ATTR_USED_MEM_HIGH, 8)

/* UNIFIED, in a copy: the driver finds out from the address. */
#define ND_CUDA_MEMORY_TYPES(X) \
  X(CU_MEMORYTYPE_HOST, 1)      \
  X(CU_MEMORYTYPE_DEVICE, 2)    \
  X(CU_MEMORYTYPE_ARRAY, 3)     \
  X(CU_MEMORYTYPE_UNIFIED, 4)

#define ND_CUDA_LOCATION_TYPES(X)      \
  X(CU_MEM_LOCATION_TYPE_INVALID, 0)   \
  X(CU_MEM_LOCATION_TYPE_DEVICE, 1)    \
  X(CU_MEM_LOCATION_TYPE_HOST, 2)      \
  X(CU_MEM_LOCATION_TYPE_HOST_NUMA, 3) \
  X(CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, 4)

#define ND_CUDA_ALLOCATION_TYPES(X)    \
  X(CU_MEM_ALLOCATION_TYPE_INVALID, 0) \
  X(CU_MEM_ALLOCATION_TYPE_PINNED, 1)

#define ND_CUDA_HANDLE_TYPES(X) \
  X(CU_MEM_HANDLE_TYPE_NONE, 0) \
  X(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1)

#define ND_CUDA_ACCESS_FLAGS(X)       \
  X(CU_MEM_ACCESS_FLAGS_PROT_NONE, 0) \
  X(CU_MEM_ACCESS_FLAGS_PROT_READ, 1) \
  X(CU_MEM_ACCESS_FLAGS_PROT_READWRITE, 3)

#define ND_CUDA_ADVICES(X)                     \
  X(CU_MEM_ADVISE_SET_READ_MOSTLY, 1)          \
  X(CU_MEM_ADVISE_UNSET_READ_MOSTLY, 2)        \
  X(CU_MEM_ADVISE_SET_PREFERRED_LOCATION, 3)   \
  X(CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, 4) \
  X(CU_MEM_ADVISE_SET_ACCESSED_BY, 5)          \
  X(CU_MEM_ADVISE_UNSET_ACCESSED_BY, 6)

#define ND_CUDA_CAPTURE_STATUSES(X)     \
  X(CU_STREAM_CAPTURE_STATUS_NONE, 0)   \
  X(CU_STREAM_CAPTURE_STATUS_ACTIVE, 1) \
  X(CU_STREAM_CAPTURE_STATUS_INVALIDATED, 2)

/* What a thread may call while a stream is captured into a graph: GLOBAL, the mode that it starts
 * with, makes the driver refuse calls such as allocations also while another thread captures in it;
 * RELAXED makes it refuse none. */
#define ND_CUDA_CAPTURE_MODES(X)            \
  X(CU_STREAM_CAPTURE_MODE_GLOBAL, 0)       \
  X(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL, 1) \
  X(CU_STREAM_CAPTURE_MODE_RELAXED, 2)

/* Bits of arguments that are plain integers. */
#define ND_CUDA_FLAGS(X)              \
  X(CU_CTX_SCHED_BLOCKING_SYNC, 4)    \
  X(CU_MEM_ATTACH_GLOBAL, 1)          \
  X(CU_MEM_ATTACH_HOST, 2)            \
  X(CU_STREAM_DEFAULT, 0)             \
  X(CU_STREAM_NON_BLOCKING, 1)        \
  X(CU_STREAM_WAIT_VALUE_GEQ, 0)      \
  X(CU_STREAM_WRITE_VALUE_DEFAULT, 0) \
  X(CU_EVENT_DEFAULT, 0)              \
  X(CU_EVENT_BLOCKING_SYNC, 1)        \
  X(CU_EVENT_DISABLE_TIMING, 2)       \
  X(CU_EVENT_INTERPROCESS, 4)         \
  X(CU_MEMHOSTALLOC_PORTABLE, 1)      \
  X(CU_MEMHOSTALLOC_DEVICEMAP, 2)     \
  X(CU_MEMHOSTALLOC_WRITECOMBINED, 4) \
  X(CU_MEMHOSTREGISTER_PORTABLE, 1)   \
  X(CU_MEMHOSTREGISTER_DEVICEMAP, 2)  \
  X(CU_MEMHOSTREGISTER_IOMEMORY, 4)   \
  X(CU_MEMHOSTREGISTER_READ_ONLY, 8)  \
  X(CU_DEVICE_CPU, -1)

/* ---- structs: F(type, field), in order ---- */

#define ND_CUDA_LOCATION(F)  \
  F(CUmemLocationType, type) \
  F(int, id)

#define ND_CUDA_ACCESS(F)    \
  F(CUmemLocation, location) \
  F(CUmemAccess_flags, flags)

/* Older versions have 'maxSize' and 'usage' within the reserved bytes, which must be 0. */
#define ND_CUDA_POOL_PROPS(F)               \
  F(CUmemAllocationType, allocType)         \
  F(CUmemAllocationHandleType, handleTypes) \
  F(CUmemLocation, location)                \
  F(void *, win32SecurityAttributes)        \
  F(size_t, maxSize)                        \
  F(unsigned short, usage)

/* Each side has a host address, a device address and an array; its memory type says which of them
 * is read. In the 3-D form, planes are srcHeight (dstHeight) rows of srcPitch (dstPitch) bytes
 * apart. The manual calls both structs by these names, although each has an older form with 32-bit
 * fields. */
#define ND_CUDA_MEMCPY2D(F)      \
  F(size_t, srcXInBytes)         \
  F(size_t, srcY)                \
  F(CUmemorytype, srcMemoryType) \
  F(const void *, srcHost)       \
  F(CUdeviceptr, srcDevice)      \
  F(CUarray, srcArray)           \
  F(size_t, srcPitch)            \
  F(size_t, dstXInBytes)         \
  F(size_t, dstY)                \
  F(CUmemorytype, dstMemoryType) \
  F(void *, dstHost)             \
  F(CUdeviceptr, dstDevice)      \
  F(CUarray, dstArray)           \
  F(size_t, dstPitch)            \
  F(size_t, WidthInBytes)        \
  F(size_t, Height)

#define ND_CUDA_MEMCPY3D(F)      \
  F(size_t, srcXInBytes)         \
  F(size_t, srcY)                \
  F(size_t, srcZ)                \
  F(size_t, srcLOD)              \
  F(CUmemorytype, srcMemoryType) \
  F(const void *, srcHost)       \
  F(CUdeviceptr, srcDevice)      \
  F(CUarray, srcArray)           \
  F(void *, reserved0)           \
  F(size_t, srcPitch)            \
  F(size_t, srcHeight)           \
  F(size_t, dstXInBytes)         \
  F(size_t, dstY)                \
  F(size_t, dstZ)                \
  F(size_t, dstLOD)              \
  F(CUmemorytype, dstMemoryType) \
  F(void *, dstHost)             \
  F(CUdeviceptr, dstDevice)      \
  F(CUarray, dstArray)           \
  F(void *, reserved1)           \
  F(size_t, dstPitch)            \
  F(size_t, dstHeight)           \
  F(size_t, WidthInBytes)        \
  F(size_t, Height)              \
  F(size_t, Depth)

/* ---- types ---- */

/* X(what it is, name). Handles point to structs that only the driver knows. */
#define ND_CUDA_NAMES(X)                       \
  X(unsigned long long, CUdeviceptr)           \
  X(int, CUdevice)                             \
  X(struct CUctx_st *, CUcontext)              \
  X(struct CUstream_st *, CUstream)            \
  X(struct CUevent_st *, CUevent)              \
  X(struct CUmemPoolHandle_st *, CUmemoryPool) \
  X(struct CUarray_st *, CUarray)

#ifndef ND_CUDA_TYPES_ARE_DECLARED
#define ND_CUDA_VALUE(name, number) name = number,
#define ND_CUDA_FIELD(type, field) type field;
#define ND_CUDA_NAME(type, name) typedef type name;

ND_CUDA_NAMES(ND_CUDA_NAME)
/* The simulator alone has functions that take these two. */
typedef struct {
  char bytes[16];
} CUuuid;
typedef void (*CUhostFn)(void *data);

typedef enum { ND_CUDA_RESULTS(ND_CUDA_VALUE) } CUresult;
typedef enum { ND_CUDA_DEVICE_ATTRIBUTES(ND_CUDA_VALUE) } CUdevice_attribute;
typedef enum { ND_CUDA_POINTER_ATTRIBUTES(ND_CUDA_VALUE) } CUpointer_attribute;
typedef enum { ND_CUDA_POOL_ATTRIBUTES(ND_CUDA_VALUE) } CUmemPool_attribute;
typedef enum { ND_CUDA_MEMORY_TYPES(ND_CUDA_VALUE) } CUmemorytype;
typedef enum { ND_CUDA_LOCATION_TYPES(ND_CUDA_VALUE) } CUmemLocationType;
typedef enum { ND_CUDA_ALLOCATION_TYPES(ND_CUDA_VALUE) } CUmemAllocationType;
typedef enum { ND_CUDA_HANDLE_TYPES(ND_CUDA_VALUE) } CUmemAllocationHandleType;
typedef enum { ND_CUDA_ACCESS_FLAGS(ND_CUDA_VALUE) } CUmemAccess_flags;
typedef enum { ND_CUDA_ADVICES(ND_CUDA_VALUE) } CUmem_advise;
typedef enum { ND_CUDA_CAPTURE_STATUSES(ND_CUDA_VALUE) } CUstreamCaptureStatus;
typedef enum { ND_CUDA_CAPTURE_MODES(ND_CUDA_VALUE) } CUstreamCaptureMode;
enum { ND_CUDA_FLAGS(ND_CUDA_VALUE) };

typedef struct {
  ND_CUDA_LOCATION(ND_CUDA_FIELD)
} CUmemLocation;
typedef struct {
  ND_CUDA_ACCESS(ND_CUDA_FIELD)
} CUmemAccessDesc;
typedef struct {
  ND_CUDA_POOL_PROPS(ND_CUDA_FIELD)
  unsigned char reserved[54]; /* zeros */
} CUmemPoolProps;
typedef struct {
  ND_CUDA_MEMCPY2D(ND_CUDA_FIELD)
} CUDA_MEMCPY2D;
typedef struct {
  ND_CUDA_MEMCPY3D(ND_CUDA_FIELD)
} CUDA_MEMCPY3D;

/* In the place of a stream: the default ones. These are numbers that the driver knows, not
 * addresses. */
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
#endif

#endif
