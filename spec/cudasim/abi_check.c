/* Compiled, never run: our declarations of the CUDA driver against the toolkit's cuda.h. */
#define __CUDA_API_VERSION_INTERNAL 1 /* declares the older forms too */
#include <cuda.h>

#define ND_CUDA_TYPES_ARE_DECLARED
#include "symbols.h"

#define SAME(ok, what) _Static_assert(ok, "not as in cuda.h: " what);

/* ---- values, and the types that have them ---- */

#define VALUE(name, number) SAME((long long)(name) == (number), #name)
ND_CUDA_RESULTS(VALUE)
ND_CUDA_DEVICE_ATTRIBUTES(VALUE)
ND_CUDA_POINTER_ATTRIBUTES(VALUE)
ND_CUDA_POOL_ATTRIBUTES(VALUE)
ND_CUDA_MEMORY_TYPES(VALUE)
ND_CUDA_LOCATION_TYPES(VALUE)
ND_CUDA_ALLOCATION_TYPES(VALUE)
ND_CUDA_HANDLE_TYPES(VALUE)
ND_CUDA_ACCESS_FLAGS(VALUE)
ND_CUDA_ADVICES(VALUE)
ND_CUDA_CAPTURE_STATUSES(VALUE)
ND_CUDA_CAPTURE_MODES(VALUE)
ND_CUDA_FLAGS(VALUE)

#define FOUR_BYTES(type) SAME(sizeof(type) == 4, #type)
FOUR_BYTES(CUresult)
FOUR_BYTES(CUdevice_attribute)
FOUR_BYTES(CUpointer_attribute)
FOUR_BYTES(CUmemPool_attribute)
FOUR_BYTES(CUmemorytype)
FOUR_BYTES(CUmemLocationType)
FOUR_BYTES(CUmemAllocationType)
FOUR_BYTES(CUmemAllocationHandleType)
FOUR_BYTES(CUmemAccess_flags)
FOUR_BYTES(CUmem_advise)
FOUR_BYTES(CUstreamCaptureStatus)
FOUR_BYTES(CUstreamCaptureMode)

#define NAME(type, name) SAME(__builtin_types_compatible_p(type, name), #name)
ND_CUDA_NAMES(NAME)
NAME(void (*)(void *), CUhostFn)
SAME(sizeof(CUuuid) == 16, "CUuuid")
SAME(CU_STREAM_LEGACY == (CUstream)0x1, "CU_STREAM_LEGACY")
SAME(CU_STREAM_PER_THREAD == (CUstream)0x2, "CU_STREAM_PER_THREAD")

/* ---- structs ---- */

#define FIELD(type, field) type field;
typedef struct {
  ND_CUDA_LOCATION(FIELD)
} our_location;
typedef struct {
  ND_CUDA_ACCESS(FIELD)
} our_access;
typedef struct {
  ND_CUDA_POOL_PROPS(FIELD)
  unsigned char reserved[54];
} our_pool_props;
typedef struct {
  ND_CUDA_MEMCPY2D(FIELD)
} our_memcpy2d;
typedef struct {
  ND_CUDA_MEMCPY3D(FIELD)
} our_memcpy3d;

#define SAME_FIELD(ours, theirs, field)                            \
  SAME(offsetof(ours, field) == offsetof(theirs, field) &&         \
           sizeof((ours *)0)->field == sizeof((theirs *)0)->field, \
       #theirs "." #field)
#define LOCATION(type, field) SAME_FIELD(our_location, CUmemLocation, field)
#define ACCESS(type, field) SAME_FIELD(our_access, CUmemAccessDesc, field)
#define POOL_PROPS(type, field) SAME_FIELD(our_pool_props, CUmemPoolProps, field)
#define MEMCPY2D(type, field) SAME_FIELD(our_memcpy2d, CUDA_MEMCPY2D, field)
#define MEMCPY3D(type, field) SAME_FIELD(our_memcpy3d, CUDA_MEMCPY3D, field)
ND_CUDA_LOCATION(LOCATION)
ND_CUDA_ACCESS(ACCESS)
ND_CUDA_POOL_PROPS(POOL_PROPS)
ND_CUDA_MEMCPY2D(MEMCPY2D)
ND_CUDA_MEMCPY3D(MEMCPY3D)
SAME(sizeof(our_location) == sizeof(CUmemLocation), "CUmemLocation")
SAME(sizeof(our_access) == sizeof(CUmemAccessDesc), "CUmemAccessDesc")
SAME(sizeof(our_pool_props) == sizeof(CUmemPoolProps), "CUmemPoolProps")
SAME(sizeof(our_memcpy2d) == sizeof(CUDA_MEMCPY2D), "CUDA_MEMCPY2D")
SAME(sizeof(our_memcpy3d) == sizeof(CUDA_MEMCPY3D), "CUDA_MEMCPY3D")

/* ---- functions ---- */

#define FUNCTION(function, symbol, since, need, arguments) \
  SAME(__builtin_types_compatible_p(CUresult arguments, __typeof__(symbol)), #symbol)
SIM_SYMBOLS(FUNCTION)
