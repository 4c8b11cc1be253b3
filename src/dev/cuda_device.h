/* What the files of the CUDA devices share. */
#ifndef ND_DEV_CUDA_DEVICE_H
#define ND_DEV_CUDA_DEVICE_H

#include "dev/cuda.h"
#include "dev/cuda_driver.h"

typedef struct ndi_cuda ndi_cuda;
typedef struct ndi_stage ndi_stage;

/* A device's resources live as long as the process. */
typedef struct {
  nd_resource base;
  ndi_cuda *device;
  ndi_counters counters;
} ndi_cuda_memory;

struct ndi_cuda {
  nd_device base;
  char name[16];
  CUdevice device;
  CUcontext context;               /* the primary one, which other libraries in the process share */
  CUstream stream;                 /* all work goes in order through this one */
  CUevent joint;                   /* where another device's stream waits for this one */
  CUevent mark;                    /* recorded behind point 'marked', to see how far it has come */
  uint64_t marked;                 /* 0: not recorded; these two only by who sets 'is_looking' */
  atomic_flag is_looking;          /* tried, never waited for */
  CUmemoryPool pool;               /* NULL: the driver has none */
  uint32_t queue;                  /* of mem/fence.h */
  _Atomic uint64_t enqueued, done; /* points */
  nd_cuda_properties properties;
  size_t max_pitch;
  bool reads_locked; /* pages can be registered for reading only */
  ndi_cuda_memory pooled, plain, managed;
  _Atomic(signed char) reaches[64]; /* another device's pool: 0 not asked yet, 1 yes, -1 no */
  atomic_int lost;                  /* the result that the context was lost by */
  char lost_call[48];
  int64_t lost_at; /* seconds of the monotonic clock */
  atomic_uint_fast64_t lost_bytes, lost_count;
  ndi_stage *stages;            /* not in use; guarded by NDI_LOCK_STAGES */
  atomic_uint_fast64_t staging; /* bytes of all staging buffers */
  atomic_bool is_open;
};

/* {=== calls ===} */

/* What a call on the device's context came to; a sticky error is noted: the context is lost. */
nd_status ndi_cuda_did(ndi_cuda *d, CUresult result, const char *call, nd_error *err);
#define ND_CU(d, call, err) ndi_cuda_did(d, ndi_cu.call, #call, err)

/* The device of this number in the registry. */
ndi_cuda *ndi_cuda_get(uint16_t number);

/* Other libraries have contexts and captures of their own on this thread: whoever enters a device's
 * context leaves again before Lua or its caller goes on. Visits nest. */
typedef struct {
  CUcontext before;
  CUstreamCaptureMode
      mode; /* ours is relaxed: a capture elsewhere is none of our calls' business */
  bool is_changed, has_mode;
} ndi_visit;

/* ND_DRIVER when the context is lost, or the process forked; then nothing is to be left, though it
 * may be. */
nd_status ndi_cuda_enter(ndi_cuda *d, ndi_visit *visit, nd_error *err);
void ndi_cuda_leave(ndi_visit *visit);

/* Enter for the rest of a block, whose function returns what that fails with. */
#define ND_VISIT(d, err)                             \
  ND_AT_EXIT(ndi_cuda_leave) ndi_visit visit_ = {0}; \
  ND_TRY(ndi_cuda_enter(d, &visit_, err))

/* Give memory back by 'free'. One that was refused leaves it live and charged; one of a context
 * that is gone succeeds, and the bytes count as lost. */
typedef nd_status ndi_free(ndi_cuda *d, void *at, nd_error *err);
nd_status ndi_cuda_free(ndi_cuda *d, ndi_counters *counters, ndi_free *free, void *at, size_t bytes,
                        nd_error *err);

/* {=== the stream ===} */

/* The point behind all that was enqueued so far. */
nd_point ndi_cuda_mark(ndi_cuda *d);

/* Wait for all of it. */
nd_status ndi_cuda_wait(ndi_cuda *d, nd_error *err);

/* At the end of a call that enqueued work: wait where nothing may stay in flight. */
nd_status ndi_cuda_finish(ndi_cuda *d, nd_error *err);

/* Wait for all work of all devices. */
nd_status ndi_cuda_wait_all(nd_error *err);

/* Is nothing left to do on the stream, as far as can be told without waiting? */
bool ndi_cuda_is_idle(ndi_cuda *d);

/* Let 'later's stream wait for all that is in 'earlier's. */
nd_status ndi_cuda_join(ndi_cuda *later, ndi_cuda *earlier, nd_error *err);

/* May 'd' copy from and to the pools of 'other' directly? */
bool ndi_cuda_reaches(ndi_cuda *d, ndi_cuda *other);

/* {=== memory ===} */

void ndi_cuda_init_memory(ndi_cuda *d);
nd_status ndi_cuda_open_pool(ndi_cuda *d, nd_error *err);
bool ndi_cuda_has_live(ndi_cuda *d);

/* Pinned memory, allocated in the context of 'first' (device 0). */
nd_status ndi_cuda_pinned(ndi_cuda *first, nd_resource **out);
nd_resource *ndi_cuda_pinned_resource(void);

/* Memory that the driver mapped is not in forked processes. 'name' is its kind's. */
nd_status ndi_cuda_check_mapped(const char *name, nd_error *err);
/* The same of managed memory, which a lost context takes along. */
nd_status ndi_cuda_check_managed(const ndi_cuda *d, nd_error *err);

/* Blocks of pinned memory, and locked storages: they hold device 0's context. */
bool ndi_cuda_has_pinned(void);
bool ndi_cuda_has_locked(void);

/* Before that context ends: give back the blocks that are kept. */
void ndi_cuda_close_pinned(void);

/* {=== copies ===} */

nd_status ndi_cuda_copy(nd_device *self, const nd_view *dst, const nd_view *src, nd_cast_mode mode,
                        nd_error *err);
nd_status ndi_cuda_check(nd_device *self, const nd_view *src, nd_dtype dtype, size_t *first,
                         nd_error *err);
nd_status ndi_cuda_run(nd_device *self, const nd_task *task, nd_error *err);
bool ndi_cuda_can(nd_device *self, const nd_task *task);

void ndi_cuda_count_transfer(nd_transfer kind, uint64_t bytes);

/* Bytes of one staging buffer. */
enum { NDI_STAGE = 4 << 20 };

/* Two buffers of locked memory that one call works with: while the device copies from or to one the
 * CPU fills or empties the other. */
struct ndi_stage {
  ndi_stage *next;
  nd_storage *storage[2];
  char *at[2];
  CUevent event[2];
  bool is_busy[2];
  int turn;
};
nd_status ndi_stage_take(ndi_cuda *d, ndi_stage **out, nd_error *err);
void ndi_stage_give(ndi_cuda *d, ndi_stage *stage);

/* The next buffer, when the device is done with it. */
nd_status ndi_stage_next(ndi_cuda *d, ndi_stage *stage, int *which, nd_error *err);

/* Work on the buffer was enqueued; wait for it. */
nd_status ndi_stage_mark(ndi_cuda *d, ndi_stage *stage, int which, nd_error *err);
nd_status ndi_stage_wait(ndi_cuda *d, ndi_stage *stage, int which, nd_error *err);
void ndi_stage_free_all(ndi_cuda *d);

#endif
