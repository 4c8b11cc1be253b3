/* What the files of the CUDA backend share. Sections are layers: each may call those above it.
 * Driver, context and queue are the ground floor, then memory, then copies; backend.c is on top.
 *
 * All functions here are thread-safe unless they say which lock must be held. Those that call the
 * driver enter and leave the device's context themselves (ND_VISIT). */
#ifndef ND_DEV_CUDA_H
#define ND_DEV_CUDA_H

#include "dev/backend.h"
#include "dev/cuda/driver.h"
#include "mem/gauge.h"

typedef struct ndi_cuda ndi_cuda;
typedef struct ndi_stage ndi_stage;

/* One kind of memory of a device. The device keeps one reference to it, so it lives as long as the
 * process. */
typedef struct {
  nd_resource base;
  ndi_cuda *device;
  ndi_counters counters;
} ndi_cuda_memory;

struct ndi_cuda {
  nd_device base;
  char name[16];
  CUdevice device;
  CUcontext context; /* the primary one, shared with other libraries in the process */
  CUstream stream;   /* all work of this device is enqueued here, in order */
  CUevent joint;     /* recorded for another device's stream to wait on */
  /* recorded after point 'marked'; tells how far a busy stream has come */
  CUevent mark;
  /* 0: 'mark' is not recorded. Only the thread that set 'is_polling' may touch these two */
  uint64_t marked;
  atomic_flag is_polling; /* a try-lock: a thread that finds it taken does not wait */
  CUmemoryPool pool;      /* NULL: the driver has no pools */
  uint32_t queue;         /* number of its queue in mem/fence.h */
  /* points on the queue: the last one given out, the last one known to be done */
  _Atomic uint64_t enqueued, done;
  nd_properties properties;
  size_t max_pitch;
  bool reads_locked; /* host pages can be registered read-only */
  ndi_cuda_memory pooled, plain, managed;
  /* By ordinal: can this device copy from and to the pool of that one? 0: not asked yet, 1: yes,
   * -1: no. */
  _Atomic(signed char) reaches[ND_DEVICES];
  atomic_int lost; /* CUresult that lost the context; 0: it is fine */
  char lost_call[48];
  int64_t lost_at; /* when, in seconds of CLOCK_MONOTONIC */
  atomic_uint_fast64_t lost_bytes, lost_count;
  ndi_stage *stages;            /* free list of staging buffers, guarded by NDI_LOCK_STAGES */
  atomic_uint_fast64_t staging; /* bytes of all staging buffers, in use or free */
  atomic_bool is_open;
};

/* {=== context.c ===} */

/* The record of device 'ordinal', which is below ND_DEVICES; NULL when it was never asked for. Set
 * by backend.c while it opens or closes. */
ndi_cuda *ndi_cuda_find(int ordinal);
void ndi_cuda_set(int ordinal, ndi_cuda *d);

/* The device of this registry number, which must be a CUDA device's. */
ndi_cuda *ndi_cuda_get(uint16_t number);

/* Read the properties and retain the primary context. The caller has begun opening. */
nd_status ndi_cuda_open_context(ndi_cuda *d, nd_error *err);

/* Turn the CUresult of a call on the device's context into a status. A sticky error also marks the
 * context as lost. 'call' begins with the name of the driver function. */
nd_status ndi_cuda_check(ndi_cuda *d, CUresult result, const char *call, nd_error *err);
#define ND_CU(d, call, err) ndi_cuda_check(d, ndi_cu.call, #call, err)

/* Other libraries have contexts and stream captures of their own on this thread: whoever enters a
 * device's context must leave it before Lua or a caller of the core runs. Visits nest. */
typedef struct {
  CUcontext before;
  /* the thread's capture mode; relaxed during a visit, or a capture of another stream would make
   * the driver refuse our calls */
  CUstreamCaptureMode mode;
  bool is_changed, has_mode;
} ndi_visit;

/* Make the device's context current. ND_DRIVER when the context is lost or the process was forked;
 * leaving is then allowed and a no-op. */
nd_status ndi_cuda_enter(ndi_cuda *d, ndi_visit *visit, nd_error *err);
void ndi_cuda_leave(ndi_visit *visit);

/* Enter until the end of the block, by any exit; on failure return the status from the function. */
#define ND_VISIT(d, err)                             \
  ND_AT_EXIT(ndi_cuda_leave) ndi_visit visit_ = {0}; \
  ND_TRY(ndi_cuda_enter(d, &visit_, err))

/* Free 'bytes' at 'at' by calling 'free' within a visit, and uncharge 'counters'. When the driver
 * refuses, the memory stays live and charged; when the context is lost, the call succeeds and the
 * bytes count as lost. */
typedef nd_status ndi_free(ndi_cuda *d, void *at, nd_error *err);
nd_status ndi_cuda_free(ndi_cuda *d, ndi_counters *counters, ndi_free *free, void *at, size_t bytes,
                        nd_error *err);

/* ND_DRIVER in a forked child, which lacks the memory that the driver mapped. 'name' is the kind of
 * memory, for the message. */
nd_status ndi_cuda_check_mapped(const char *name, nd_error *err);
/* The same for managed memory, which is also gone with a lost context. */
nd_status ndi_cuda_check_managed(const ndi_cuda *d, nd_error *err);

/* {=== queue.c ===} */

/* Open the queue of a new device in mem/fence.h; the device keeps its number for ever. */
nd_status ndi_cuda_make_queue(ndi_cuda *d, nd_error *err);

/* Create or destroy its stream and events. The caller has begun opening. Close within a visit, if
 * the context can still be entered; then reset, outside of it: it forgets the handles and declares
 * all points done. */
nd_status ndi_cuda_open_queue(ndi_cuda *d, nd_error *err);
void ndi_cuda_close_queue(ndi_cuda *d);
void ndi_cuda_reset_queue(ndi_cuda *d);

/* Give out a new point, ordered after all work enqueued so far. Call it after enqueuing. */
nd_point ndi_cuda_mark(ndi_cuda *d);

/* Wait for all work enqueued on the device. */
nd_status ndi_cuda_wait(ndi_cuda *d, nd_error *err);

/* Call at the end of an operation that enqueued work: waits where nothing may stay in flight
 * (synchronous mode, or live managed memory that the CPU cannot share with a busy device). */
nd_status ndi_cuda_finish(ndi_cuda *d, nd_error *err);

/* Wait for all work of all devices. */
nd_status ndi_cuda_wait_all(nd_error *err);

/* True when no work is pending on the stream. Never blocks; may say false for a while after the
 * work is done. */
bool ndi_cuda_is_idle(ndi_cuda *d);

/* Order all future work of 'later' after what is enqueued on 'earlier' now. */
nd_status ndi_cuda_join(ndi_cuda *later, ndi_cuda *earlier, nd_error *err);

/* {=== memory.c ===} */

/* Initialise the resources of a new device, and tell whether any of their blocks are live. */
void ndi_cuda_init_memory(ndi_cuda *d);
bool ndi_cuda_has_live(ndi_cuda *d);

/* Open context, queue and pool, all or none. Idempotent. The caller has begun opening. Close only
 * when all work is done and the staging buffers are freed; the context stays retained. */
nd_status ndi_cuda_open_device(ndi_cuda *d, nd_error *err);
void ndi_cuda_close_device(ndi_cuda *d);

/* Reopen a device that close_devices closed while somebody held a reference to one of its
 * resources. Idempotent; begins and ends opening itself. */
nd_status ndi_cuda_reopen(ndi_cuda *d, nd_error *err);

/* {=== pinned.c ===} */

/* The resource of pinned memory, with one reference for the caller. The blocks belong to the
 * context of 'first' (device 0), and are portable: all devices may use them. */
nd_status ndi_cuda_pinned(ndi_cuda *first, nd_resource **out);
nd_resource *ndi_cuda_pinned_resource(void);

/* Are any pinned blocks live? If so, device 0 must stay open. */
bool ndi_cuda_has_pinned(void);

/* Call before device 0 is closed: frees the cached blocks. */
void ndi_cuda_close_pinned(void);

/* {=== locked.c ===} */

/* Page-lock a storage in the context of 'd' (device 0), and undo that. Both are no-ops where the
 * pages are, or are not, locked already. has_locked: if any are, device 0 must stay open. */
nd_status ndi_cuda_lock(ndi_cuda *d, nd_storage *storage, nd_error *err);
nd_status ndi_cuda_unlock(nd_storage *storage, nd_error *err);
bool ndi_cuda_has_locked(void);

/* {=== managed.c, foreign.c, peer.c ===} entries of the backend's row: see dev/backend.h */

nd_status ndi_cuda_hint(const nd_view *view, nd_page_hint hint, const ndi_cuda *to, nd_error *err);
nd_status ndi_cuda_foreign(ndi_cuda *d, const nd_foreign *memory, nd_resource **out, nd_error *err);
bool ndi_cuda_is_hidden(const void *at);
nd_status ndi_cuda_enable_peer(ndi_cuda *d, ndi_cuda *other, nd_error *err);

/* Can 'd' copy from and to the pools of 'other' directly? Asks the driver once for each pair. */
bool ndi_cuda_reaches(ndi_cuda *d, ndi_cuda *other);

/* {=== stage.c ===} */

/* Bytes of one staging buffer. */
enum { NDI_STAGE = 4 << 20 };

/* A pair of pinned buffers that one call works with. They alternate: while the device copies from
 * or to one, the CPU fills or empties the other. */
struct ndi_stage {
  ndi_stage *next;
  nd_storage *storage[2];
  char *at[2];
  CUevent event[2];
  bool is_busy[2];
  int turn;
};
/* Take a pair off the free list or make one; give puts it back, even with copies in flight: the
 * next user waits for the events. */
nd_status ndi_stage_take(ndi_cuda *d, ndi_stage **out, nd_error *err);
void ndi_stage_give(ndi_cuda *d, ndi_stage *stage);

/* Switch to the other buffer of the pair, and wait until the device is done with it. */
nd_status ndi_stage_next(ndi_cuda *d, ndi_stage *stage, int *which, nd_error *err);

/* mark: record that work on buffer 'which' was just enqueued. wait: until that work is done. */
nd_status ndi_stage_mark(ndi_cuda *d, ndi_stage *stage, int which, nd_error *err);
nd_status ndi_stage_wait(ndi_cuda *d, ndi_stage *stage, int which, nd_error *err);
void ndi_stage_free_all(ndi_cuda *d);

/* {=== copy.c, run.c ===} entries of the device's table: see dev/device.h */

nd_status ndi_cuda_copy(nd_device *self, const nd_view *dst, const nd_view *src, nd_cast_mode mode,
                        nd_error *err);
nd_status ndi_cuda_run(nd_device *self, const nd_task *task, nd_error *err);
bool ndi_cuda_can(nd_device *self, const nd_task *task);

#endif
