/* What CUDA offers besides the device interface: devices, kinds of memory, locked pages. Nothing
 * touches the driver before the first of these calls, or the first array on a GPU. */
#ifndef ND_DEV_CUDA_H
#define ND_DEV_CUDA_H

#include "dev/device.h"

/* Before the first use; later calls change nothing. 'driver' (NULL: the system's) is a path,
 * 'is_off' says that there is no GPU, 'is_synchronous' that every call waits for the device, so
 * that it raises its own failures. */
void nd_cuda_configure(const char *driver, bool is_off, bool is_synchronous);

/* ND_OK when there is a driver with a device, else ND_DEVICE_NOT_FOUND with the reason. */
nd_status nd_cuda_check(nd_error *err);

/* Devices, 0 where there are none; the driver's version as 12040. */
int nd_cuda_count(void);
int nd_cuda_version(void);

/* Device 'ordinal', opened. ND_DEVICE_NOT_FOUND when there is no such one. */
nd_status nd_cuda_device(int ordinal, nd_device **out, nd_error *err);

typedef struct {
  char name[128];
  int major, minor; /* compute capability */
  size_t total;
  bool has_pools, has_managed, is_concurrent; /* the last: the CPU may touch managed memory while
                                                 the device works */
} nd_cuda_properties;
nd_status nd_cuda_get_properties(int ordinal, nd_cuda_properties *out, nd_error *err);

typedef struct {
  size_t free, total; /* of the device, whoever uses it */
  nd_mem_stats device, plain, managed;
  uint64_t lost, lost_count; /* blocks that a lost context took along */
  uint64_t staging;          /* bytes of locked buffers that copies go through */
} nd_cuda_usage;
nd_status nd_cuda_get_usage(int ordinal, nd_cuda_usage *out, nd_error *err);

/* Let 'from' read the memory of 'to'. ND_UNSUPPORTED where the machine cannot. */
nd_status nd_cuda_enable_peer(int from, int to, nd_error *err);

/* Memory of a kind (DEVICE, MANAGED, PINNED), with a hold for the caller. 'ordinal' does not count
 * for PINNED. */
nd_status nd_cuda_resource(nd_memkind kind, int64_t ordinal, nd_resource **out, nd_error *err);

/* The same for DEVICE by name: from the driver's stream-ordered pool, or by plain cuMemAlloc.
 * ND_UNSUPPORTED where there is no pool. */
nd_status nd_cuda_memory(int64_t ordinal, bool is_pooled, nd_resource **out, nd_error *err);

/* Lock the pages of a host or mapped storage in place, and undo it. */
nd_status nd_cuda_lock(nd_storage *storage, nd_error *err);
nd_status nd_cuda_unlock(nd_storage *storage, nd_error *err);

/* Move managed pages to device 'ordinal', or -1: the host. */
nd_status nd_cuda_prefetch(const nd_view *view, int ordinal, nd_error *err);

typedef enum { ND_ADVISE_READ_MOSTLY, ND_ADVISE_PREFERRED, ND_ADVISE_ACCESSED_BY } nd_cuda_advice;
nd_status nd_cuda_advise(const nd_view *view, nd_cuda_advice advice, int ordinal, nd_error *err);

/* Memory that somebody else owns at a device's address, as nd_foreign_resource. The driver is asked
 * whether it is that device's and long enough. What was enqueued so far on 'stream', a CUstream of
 * the device's primary context (NULL: the legacy default stream), comes before all that is done
 * with it here: ND_STREAM_MISUSE where it is being captured, or of another context. */
nd_status nd_cuda_foreign(int ordinal, void *at, size_t bytes, void *stream,
                          void (*release)(void *owner), void *owner, nd_resource **out,
                          nd_error *err);

/* Does an address that is said to be the host's belong to a device? Asks only a driver that the
 * process has loaded, and makes no context. */
bool nd_cuda_is_hidden(const void *at);

/* ORDER TRANSFER */
typedef enum {
  ND_TRANSFER_H2D,
  ND_TRANSFER_D2H,
  ND_TRANSFER_D2D,
  ND_TRANSFER_P2P,
  ND_TRANSFER_STAGED, /* work of a device that went through the host, as there is no kernel */
  ND_TRANSFER_COUNT
} nd_transfer;
void nd_cuda_get_transfers(uint64_t calls[ND_TRANSFER_COUNT], uint64_t bytes[ND_TRANSFER_COUNT]);

/* Give up what the devices hold that have no live block; the next use opens them again. Called when
 * nothing else calls: at the end of the last Lua state. */
void nd_cuda_close(void);

#endif
