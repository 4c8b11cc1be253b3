/* What the files of the CUDA backend share. Sections are layers: each may call those above it.
 * Driver, context and queue are the ground floor, then memory, then copies; backend.c is on top.
 *
 * All functions here are thread-safe unless they say which lock must be held. Those that call the
 * driver enter and leave the device's context themselves (ND_VISIT). */
#ifndef ND_DEV_CUDA_H
#define ND_DEV_CUDA_H

#include "dev/cuda/driver.h"
#include "dev/stream.h"
#include "mem/gauge.h"

typedef struct ndi_cuda ndi_cuda;
typedef struct ndi_queue ndi_queue;
typedef struct ndi_stage ndi_stage;
typedef struct ndi_event ndi_event;

/* One kind of memory of a device. The device keeps one reference to it, so it lives as long as the
 * process. */
typedef struct {
  nd_resource base;
  ndi_cuda *device;
  ndi_counters counters;
  ndi_gauge kept; /* by the driver's pool, as stats were read; the last time it was 'seen' */
  atomic_uint_fast64_t seen;
} ndi_cuda_memory;

enum {
  NDI_RING = 64, /* the last operations of a queue, at most, that have an event each */
  NDI_KNOWN = 32 /* see 'known' */
};

/* A stream of the driver, and how far it has come. Made when it is first needed, and never freed:
 * streams of scripts take one that is free. */
struct ndi_queue {
  ndi_cuda *device;
  ndi_queue *next;          /* in the list of the device */
  _Atomic(CUstream) stream; /* NULL: made with the next work; changes under the submit lock, but a
                               foreign one is forgotten without */
  uint32_t number;          /* in mem/fence.h */
  int priority;             /* as the driver counts: the lower, the sooner; 0 is the least */
  uint64_t id;              /* of the stream object that has it, or had it last */
  atomic_bool is_taken;     /* a stream object has it, or the device itself */
  bool is_foreign;       /* other code made the stream, and may destroy it once it is given back */
  atomic_bool is_shared; /* other code has the handle, and may begin to capture it */
  uint64_t thread;       /* the only one that may use it (ndi_cuda_thread); 0: any */
  atomic_bool is_used;   /* had work since the device was opened */
  /* points: the last one given out, the last one known to be done */
  _Atomic uint64_t enqueued, done;
  atomic_flag is_polling; /* a try-lock: a thread that finds it taken does not wait */
  /* Event i % NDI_RING was recorded right after point i, its 'seq'; 0: not at all. Written under
   * the submit lock, the event before the seq; read by anybody. */
  struct {
    CUevent event;
    _Atomic uint64_t seq;
  } ring[NDI_RING];
  /* What this queue has been told to wait for: points of others, by queue % NDI_KNOWN. Forgetting
   * one costs another wait, which is over at once. Guarded by the submit lock. */
  nd_point known[NDI_KNOWN];
  /* Milestones: which of the device's words is the queue's, and the last point that was, or will
   * be, written there. 'visible' is the last one of work on memory that the CPU may access, guarded
   * by the submit lock. */
  unsigned place;
  _Atomic uint64_t milestone;
  uint64_t visible;
  /* A stream aside that waits for milestone 'watched'; NULL: none. Guarded by is_polling. */
  CUstream watch;
  uint64_t watched;
};

struct ndi_cuda {
  nd_device base;
  char name[16];
  CUdevice device;
  CUcontext context; /* the primary one, shared with other libraries in the process */
  ndi_queue main;    /* where work goes for which no stream is named; first in the list */
  ndi_queue *reaper; /* where blocks are freed that several queues used; NULL: not needed yet */
  _Atomic(ndi_queue *) queues; /* the list of all; grows under the submit lock */
  CUmemoryPool pool;           /* NULL: the driver has no pools */
  nd_properties properties;
  size_t max_pitch;
  bool reads_locked;             /* host pages can be registered read-only */
  bool has_words;                /* streams can write and wait for a value in memory */
  _Atomic(uint64_t *) words;     /* see milestone.c; NULL: not needed yet */
  _Atomic(nd_resource *) pinned; /* of the first device: once it was asked for */
  _Atomic(CUstream) aside;       /* see ndi_aside_take; NULL: taken, or not made yet */
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
  ndi_event *events[2]; /* free ones, without and with timing; guarded by the submit lock */
  _Atomic(ndi_event *) returned; /* free ones that were given back since: a stack */
  atomic_int live_events; /* in the hands of others; while there are any, the device is open */
};

/* {=== figures.c ===} */

/* What the device's pool tells; and the bytes that it holds and no block uses. 0: unknown. */
uint64_t ndi_cuda_pool_bytes(const ndi_cuda *d, CUmemPool_attribute which);
uint64_t ndi_cuda_cached_bytes(const ndi_cuda *d);

/* ND_OUT_OF_MEMORY with the figures of the device: for so many bytes, or in a call of the driver
 * (NULL: for the bytes). Within a visit; asks the driver. */
nd_status ndi_cuda_fail_memory(ndi_cuda *d, size_t bytes, const char *call, nd_error *err);

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
  ndi_cuda *outer; /* visited before; NULL: none */
  bool is_in;
} ndi_visit;

/* Make the device's context current. ND_DRIVER when the context is lost or the process was forked;
 * leaving is then allowed and a no-op. */
nd_status ndi_cuda_enter(ndi_cuda *d, ndi_visit *visit, nd_error *err);
void ndi_cuda_leave(ndi_visit *visit);

/* Enter until the end of the block, by any exit; on failure return the status from the function. */
#define ND_VISIT(d, err)                             \
  ND_AT_EXIT(ndi_cuda_leave) ndi_visit visit_ = {0}; \
  ND_TRY(ndi_cuda_enter(d, &visit_, err))

/* Free a block by calling 'free' within a visit, and uncharge 'counters'. When the driver refuses,
 * the block stays live and charged; when the context is lost, the call succeeds and its bytes count
 * as lost. */
typedef nd_status ndi_free(ndi_cuda *d, const nd_block *block, const nd_uses *after, nd_error *err);
nd_status ndi_cuda_free(ndi_cuda *d, ndi_counters *counters, ndi_free *free, const nd_block *block,
                        const nd_uses *after, nd_error *err);

/* ND_DRIVER in a forked child, which lacks the memory that the driver mapped. 'name' is the kind of
 * memory, for the message. */
nd_status ndi_cuda_check_mapped(const char *name, nd_error *err);
/* The same for managed memory, which is also gone with a lost context. */
nd_status ndi_cuda_check_managed(const ndi_cuda *d, nd_error *err);
/* ND_DRIVER, telling again what lost the context, where it is lost. */
nd_status ndi_cuda_check_fork(const ndi_cuda *d, nd_error *err); /* ND_DRIVER in a forked child */
nd_status ndi_cuda_check_lost(const ndi_cuda *d, nd_error *err);

/* ND_STREAM_MISUSE for a stream that is being captured, since what is enqueued on it only runs when
 * the graph is launched, perhaps never. */
nd_status ndi_cuda_check_capture(ndi_cuda *d, CUstream stream, nd_error *err);
nd_status ndi_stream_misuse(const ndi_cuda *d, CUstream stream, const char *why, nd_error *err);

/* {=== queue.c ===} */

/* Take and release the lock under which work is submitted (submit.c), to all devices. Nothing is
 * waited for while it is held. Not to be taken in a forked child. */
void ndi_submit_lock(void);
void ndi_submit_unlock(void);

/* Give a queue its number in mem/fence.h, which it keeps for ever, and put it in the list of 'd'.
 * The submit lock is held, or the device is new. From then on other threads see it. */
nd_status ndi_queue_init(ndi_queue *q, ndi_cuda *d, nd_error *err);
/* The same for one of its own memory, of the device's own streams or of other code's. */
nd_status ndi_queue_make(ndi_cuda *d, bool is_foreign, ndi_queue **out, nd_error *err);

/* Make its stream, if it has none. Within a visit. */
nd_status ndi_queue_open(ndi_queue *q, nd_error *err);

/* Destroy the streams and events of all queues of a device; within a visit, if the context can
 * still be entered. Then forget the handles, and declare all points done. */
void ndi_cuda_close_queues(ndi_cuda *d);
void ndi_cuda_reset_queues(ndi_cuda *d);

/* The queue with this number; NULL where it is no CUDA device's. */
ndi_queue *ndi_queue_find(uint32_t number);

/* The queue that work on 'd' goes to: the current one of the call (base/call.h) if it is one of
 * 'd', or of 'other' (may be NULL), else the main one of 'd'. */
ndi_queue *ndi_cuda_queue(ndi_cuda *d, const ndi_cuda *other);

/* Did the call name a queue? Then it need not wait for work on memory that the CPU may access. */
bool ndi_cuda_is_async(void);

/* Record an event at the queue's last point, if it has none. The submit lock is held. */
nd_status ndi_queue_record(ndi_queue *q, nd_error *err);

/* The event of the earliest point from 'seq' on that has one, and that point; NULL: none has. */
CUevent ndi_queue_event(const ndi_queue *q, uint64_t seq, uint64_t *found);

/* Is the point reached, as far as is known? Calls no driver. */
bool ndi_queue_is_reached(const ndi_queue *q, uint64_t seq);

/* ND_STREAM_MISUSE where no stream can wait for a point that has no event: it is one of an adopted
 * stream that was let go of. */
nd_status ndi_queue_check_end(const ndi_queue *q, nd_error *err);

/* Wait for all work on the stream, which has to be there, also that of other code. ND_STREAM_MISUSE
 * as ndi_cuda_check_stream. */
nd_status ndi_queue_sync(ndi_queue *q, nd_error *err);

/* Wait for all work enqueued on the queue, on the device, on all devices. */
nd_status ndi_queue_wait(ndi_queue *q, nd_error *err);
nd_status ndi_cuda_wait(ndi_cuda *d, nd_error *err);
nd_status ndi_cuda_wait_all(nd_error *err);

/* True when no work is pending on the device. Never blocks; may say false for a while after the
 * work is done. */
bool ndi_cuda_is_idle(ndi_cuda *d);

/* ND_STREAM_MISUSE where ndi_cuda_check_capture says so, and for the per-thread stream of another
 * thread. */
nd_status ndi_cuda_check_stream(const ndi_queue *q, nd_error *err);
/* A number for this thread that no other one ever has, not 0. */
uint64_t ndi_cuda_thread(void);

/* {=== milestone.c ===} Points of a queue that the CPU can wait for by themselves, without events.
 */

/* Take a stream aside from all queues, empty, for work of this thread that is waited for at once,
 * and give it back. One is kept, if it is empty again; threads that need it at the same time make
 * their own. Within a visit. */
nd_status ndi_aside_take(ndi_cuda *d, CUstream *out, nd_error *err);
void ndi_aside_give(ndi_cuda *d, CUstream stream, bool is_empty);

/* Make the words of a device, if it can have some. Within a visit; not under the submit lock, as it
 * may wait for the device. */
void ndi_milestone_prepare(ndi_cuda *d);

/* Does the queue have a word? */
bool ndi_milestone_is_possible(const ndi_queue *q);

/* Set a milestone behind the last work that concerns the CPU, if there is none yet. Within a visit;
 * the stream is open, and the submit lock is held. */
void ndi_milestone_set(ndi_queue *q);

/* Wait for the point by a milestone. False: it has none, or the driver refused to. */
bool ndi_milestone_wait(ndi_queue *q, uint64_t seq);

/* Watch a stream that may never run empty: let a stream aside wait for a milestone behind what is
 * there now, unless it waits for an earlier one still. False: the driver refused. As for
 * ndi_milestone_set, and by one thread at a time (is_polling). */
bool ndi_milestone_watch(ndi_queue *q);

/* The milestone that was watched, if it was reached; 0: it was not, or there is none. Within a
 * visit, by one thread at a time. */
uint64_t ndi_milestone_look(ndi_queue *q);

/* Wait for what writes to the words, and free them and the stream aside; within a visit. */
void ndi_milestone_close(ndi_cuda *d);

/* {=== submit.c ===} Work is enqueued, numbered and noted in the storages that it uses in one step,
 * under one lock for all devices. */

/* Bytes of a storage that work reads or writes. The point of 'use' is set by ndi_cuda_end; 'over'
 * by ndi_cuda_begin, if the use has to stand for another one, too. */
typedef struct {
  nd_storage *storage;
  nd_use use;
  nd_use over;     /* seq 0: none */
  bool is_awaited; /* the CPU will wait for it: by an event, where there are no milestones */
} ndi_access;

/* Begin work on 'q' with these accesses: takes the submit lock, makes the stream if need be, and
 * lets it wait for the uses that they conflict with. On failure the lock is released again. Within
 * a visit of the queue's device. */
nd_status ndi_cuda_begin(ndi_queue *q, int count, ndi_access *accesses, nd_error *err);

/* End it, with the status of the calls that enqueued it: numbers it, notes its uses (also after a
 * failure, as part of it may be under way), releases the lock, and waits where nothing may stay in
 * flight (ndi_cuda_finish, exposed storages). Returns 'status', or what failed here. */
nd_status ndi_cuda_end(ndi_queue *q, int count, ndi_access *accesses, nd_status status,
                       nd_error *err);

/* For work on memory that nobody else knows yet, which needs no order: prepare the queue as
 * ndi_cuda_begin does, but without holding the lock, and give out a point for what this thread has
 * enqueued since. */
nd_status ndi_cuda_prepare(ndi_queue *q, nd_error *err);
nd_status ndi_cuda_mark(ndi_queue *q, nd_point *out, nd_error *err);

/* Waits for the device where nothing may stay in flight: synchronous mode, or live managed memory
 * that the CPU cannot share with a busy device. */
nd_status ndi_cuda_finish(ndi_cuda *d, nd_error *err);

/* Let all future work of 'q' wait for 'point', of any CUDA queue; or note that it has been told to.
 * The submit lock is held. */
nd_status ndi_queue_join(ndi_queue *q, nd_point point, nd_error *err);
void ndi_queue_knows(ndi_queue *q, nd_point point);

/* Fill memory on 'q' after the uses 'after' (NULL: none). Fetch it to page-locked memory, or free
 * memory of the pool, on the queue that those are on, or else 'usual'; the reaper where they are on
 * several. '*ready' is set once something is enqueued. */
nd_status ndi_cuda_fill_after(ndi_queue *q, CUdeviceptr at, size_t bytes, uint8_t value,
                              const nd_uses *after, nd_point *ready, nd_error *err);
nd_status ndi_cuda_fetch_after(ndi_cuda *d, CUdeviceptr at, size_t bytes, void *to,
                               const nd_uses *after, uint32_t usual, nd_point *ready,
                               nd_error *err);
nd_status ndi_cuda_free_after(ndi_cuda *d, CUdeviceptr at, const nd_uses *after, uint32_t usual,
                              nd_error *err);

/* {=== event.c ===} */

/* Record an event at the end of a queue that is open, or let the queue wait for one. The submit
 * lock is held. */
nd_status ndi_event_record(ndi_queue *q, bool has_timing, nd_event **out, nd_error *err);
nd_status ndi_event_join(ndi_queue *q, const nd_event *event, nd_error *err);

/* As dev/stream.h has them. */
nd_status ndi_event_query(const nd_event *event, bool *is_done, nd_error *err);
nd_status ndi_event_wait(const nd_event *event, nd_error *err);
nd_status ndi_event_elapsed(const nd_event *first, const nd_event *last, double *out,
                            nd_error *err);
/* ND_STREAM_MISUSE for another's event that the driver does not know, or that is part of a capture.
 */
nd_status ndi_cuda_check_event(ndi_cuda *d, CUevent event, nd_error *err);
nd_status ndi_event_adopt(nd_device *device, void *handle, nd_event **out, nd_error *err);
void *ndi_event_handle(const nd_event *event);
void ndi_event_close(nd_event *event);

/* Destroy the free events of a device, within a visit, or forget them. */
void ndi_cuda_close_events(ndi_cuda *d, bool is_in);

/* {=== touch.c ===} Entries of resources that fill and fetch bytes of their blocks. */

nd_status ndi_device_fill(nd_resource *self, const nd_block *block, size_t offset, size_t bytes,
                          uint8_t value, const nd_uses *after, nd_point *ready, nd_error *err);
nd_status ndi_device_fetch(nd_resource *self, const nd_block *block, size_t offset, size_t bytes,
                           void *to, const nd_uses *after, nd_point *ready, nd_error *err);
nd_status ndi_managed_fill(nd_resource *self, const nd_block *block, size_t offset, size_t bytes,
                           uint8_t value, const nd_uses *after, nd_point *ready, nd_error *err);
nd_status ndi_managed_fetch(nd_resource *self, const nd_block *block, size_t offset, size_t bytes,
                            void *to, const nd_uses *after, nd_point *ready, nd_error *err);
nd_resource *ndi_device_staging(nd_resource *self);

/* Complete on return, but nothing else is waited for. Within a visit. */
nd_status ndi_cuda_fill_aside(ndi_cuda *d, CUdeviceptr at, size_t bytes, uint8_t value,
                              nd_error *err);

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

/* As pinned memory is trimmed, call a function that frees other page-locked memory, and returns its
 * bytes. */
void ndi_cuda_join_pinned(size_t (*trim)(void));
nd_status ndi_cuda_fail_pinned(size_t bytes, nd_error *err); /* ND_OUT_OF_MEMORY, with figures */

/* Are any pinned blocks live? If so, device 0 must stay open. */
bool ndi_cuda_has_pinned(void);

/* {=== locked.c ===} */

/* Page-lock a storage in the context of 'd' (device 0), and undo that. Both are no-ops where the
 * pages are, or are not, locked already. has_locked: if any are, device 0 must stay open. */
nd_status ndi_cuda_lock(ndi_cuda *d, nd_storage *storage, nd_error *err);
nd_status ndi_cuda_unlock(nd_storage *storage, nd_error *err);
bool ndi_cuda_has_locked(void);

/* {=== managed.c, foreign.c, peer.c ===} entries of the backend's row: see dev/backend.h */

nd_status ndi_cuda_hint(const nd_view *view, nd_page_hint hint, const ndi_cuda *to, nd_error *err);
nd_status ndi_cuda_foreign(ndi_cuda *d, nd_memkind kind, const nd_foreign *memory,
                           nd_resource **out, nd_error *err);
bool ndi_cuda_is_hidden(const void *at);
nd_status ndi_cuda_enable_peer(ndi_cuda *d, ndi_cuda *other, nd_error *err);

/* Can 'd' copy from and to the pools of 'other' directly? Asks the driver once for each pair. */
bool ndi_cuda_reaches(ndi_cuda *d, ndi_cuda *other);

/* {=== stage.c ===} */

/* A pair of pinned buffers that one call works with. They alternate: while the device copies from
 * or to one, the CPU fills or empties the other. Their storages know what is in flight. */
struct ndi_stage {
  ndi_stage *next;
  nd_storage *storage[2];
  char *at[2];
  size_t bytes; /* of each */
  int turn;
  nd_resource *charged; /* the stack whose budgets it counts in; one reference; NULL: not yet */
};
/* Take a pair off the free list or make one; give puts it back, even with copies in flight: the
 * next user waits for them. */
nd_status ndi_stage_take(ndi_cuda *d, ndi_stage **out, nd_error *err);
void ndi_stage_give(ndi_cuda *d, ndi_stage *stage);

/* Switch to the other buffer of the pair, and wait until no device works on it. */
nd_status ndi_stage_next(ndi_stage *stage, int *which, nd_error *err);

/* Wait until no device works on buffer 'which'. */
nd_status ndi_stage_wait(ndi_stage *stage, int which, nd_error *err);
void ndi_stage_free_all(ndi_cuda *d); /* which was waited for */

/* {=== stream.c ===} */

extern const nd_stream_ops ndi_cuda_streams;

/* {=== copy.c, run.c ===} entries of the device's table: see dev/device.h */

nd_status ndi_cuda_copy(nd_device *self, const nd_view *dst, const nd_view *src, nd_cast_mode mode,
                        nd_error *err);
nd_status ndi_cuda_run(nd_device *self, const nd_task *task, nd_error *err);
bool ndi_cuda_can(nd_device *self, const nd_task *task);

#endif
