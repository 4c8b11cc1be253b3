/* What the parts of the simulated driver share. One lock is held in every exported function; all
 * of this is only used under it. */
#ifndef CUSIM_SIM_H
#define CUSIM_SIM_H

#include "cusim.h"
#include "symbols.h"

enum {
  QUEUES_MAX = 128,
  DEVICES_MAX = 8,
  QUEUE_LONGEST = 1024, /* operations; then the head runs */
  POLLS_TO_STEP = 3     /* from this query of a pending point on, each runs one operation */
};
#define PAGE_BYTES ((size_t)4096)
#define ND_CUDA_EXPORT __attribute__((visibility("default")))

/* ---- settings (settings.c) ---- */

typedef enum { EAGER, LAZY, SHUFFLE } sim_mode;

typedef struct {
  sim_mode mode;
  bool is_reusing; /* addresses and handles */
  int devices, driver;
  size_t lag;    /* operations that a busy queue is behind by; 0: it is not busy */
  size_t memory; /* bytes of each device */
  uint64_t random;
  const char *report_path;
  bool refuses_files; /* to register what is mapped from a file to be written */
  bool has_engines;   /* events have the time of a model: see note_time */
  bool is_protecting; /* pages in use are closed to the CPU */
  bool is_forking;    /* a child that ends at once, when it is initialised or makes a context */
} sim_settings;

extern sim_settings settings;
/* Starts a program, as a card's driver does where a device file is missing, if it is set to. */
void sim_start_program(void);
int sim_random(int below);
/* The number of a value in one of the lists of dev/cuda/api.h, by its name; -1: none. */
int sim_result_of(const char *name);
const char *sim_result_name(CUresult result);

/* ---- calls: lock, counts, faults (calls.c) ---- */

/* Every exported function is SIM_CALL(symbol, (parameters), (their names)) { body }; the body holds
 * the lock and is left out when the call is to fail. SIM_GIVE_CALL is for what gives 'thing' back:
 * if that is made to fail, the thing is no leak of the caller's. */
#define SIM_CALL(symbol, parameters, names) SIM_GIVE_CALL(symbol, parameters, names, 0)
#define SIM_GIVE_CALL(symbol, parameters, names, thing)                 \
  static CUresult do_##symbol parameters;                               \
  ND_CUDA_EXPORT CUresult symbol parameters {                           \
    const CUresult failed = sim_enter(SIM_##symbol, (uint64_t)(thing)); \
    return sim_leave(failed ? failed : do_##symbol names);              \
  }                                                                     \
  static CUresult do_##symbol parameters

#define SIM_NUMBER(function, symbol, since, need, arguments) SIM_##symbol,
enum { SIM_SYMBOLS(SIM_NUMBER) SIM_CALLS };

#define SIM_PROTOTYPE(function, symbol, since, need, arguments) CUresult symbol arguments;
SIM_SYMBOLS(SIM_PROTOTYPE)

#define SIM_TRY(expression)              \
  do {                                   \
    const CUresult tried = (expression); \
    if (tried) return tried;             \
  } while (0)

CUresult sim_enter(int call, uint64_t thing);
CUresult sim_leave(CUresult result);
/* The symbol of the function that is running. */
const char *sim_calling(void);
void sim_lock(void);
void sim_unlock(void);
/* True in a function given to cuLaunchHostFunc, which may not call the driver. */
extern _Thread_local bool sim_is_in_host_function;
bool sim_fail_by_text(const char *rules);
/* Does the call wait for the device on a card, or may it, whatever the device does? */
bool sim_stalls(int call);
/* A failed give of memory or a handle, by its value; 0: nothing. */
void sim_note_refused(uint64_t thing);

/* ---- reports (report.c) ---- */

typedef enum {
  RACE,
  LEAK,
  DOUBLE_FREE,
  USE_AFTER_FREE,
  OUT_OF_BOUNDS,
  PENDING,
  UNRECORDED,
  PAGEABLE,
  STALE,
  MANAGED_TOUCH,
  LIMIT,
  CONTEXT_CHANGED,
  REPORT_KINDS
} sim_report_kind;

void sim_report(sim_report_kind kind, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The caller does not hold the lock. */
void sim_end_process(void);

/* ---- clocks and queues (queue.c) ---- */

/* How far every queue has come, counted in its own operations. What an operation comes after. */
typedef struct {
  uint64_t at[QUEUES_MAX];
} sim_clock;

typedef struct sim_block sim_block;

/* Bytes with up to three axes; a row is 'width' bytes. */
typedef struct {
  uint64_t at;
  size_t width, height, depth, pitch, slice;
} sim_region;

typedef enum { NOTHING, TAKE, COPY, SET, WRITE, HOST_FUNCTION, RECORD } sim_work;

typedef struct sim_op {
  struct sim_op *next;
  sim_clock clock;
  int queue;
  uint64_t number; /* in its queue, from 1 */
  sim_work work;
  sim_block *dst, *src; /* NULL: pageable memory */
  sim_region to, from;
  char *staged;   /* COPY: what 'from' held when the call was made; owned */
  uint64_t value; /* SET, WRITE */
  size_t item;    /* SET: bytes of one value */
  CUhostFn function;
  void *data;
  uint64_t event, records; /* RECORD: handle, and which of its recordings */
} sim_op;

typedef struct {
  sim_clock clock; /* of what is enqueued next, before it joins others; its own entry: the last */
  uint64_t done;
  uint64_t last_work; /* the last that touches memory */
  sim_op *first, *last;
  size_t pending;
  uint64_t handle; /* 0: the legacy stream */
  uint64_t id;
  int device, priority;
  unsigned flags, polls;
  bool is_used, is_open, is_blocking;
  bool is_held; /* nothing runs but for those who wait */
  CUstreamCaptureStatus capture;
  uint32_t *times; /* when each operation since 'timed_from' ends, where time is measured */
  uint64_t timed_from, times_room;
} sim_queue;

extern sim_queue queues[QUEUES_MAX];
extern int queue_count;
extern sim_clock host_clock;

void sim_join(sim_clock *clock, const sim_clock *other);
/* Seconds, of the model, until the operation of that number has ended. */
double sim_model_time(int queue, uint64_t number);
/* A queue that is free, or -1. */
int sim_make_queue(int device, unsigned flags);
/* The clock of what comes next in a queue, which it then is. */
const sim_clock *sim_advance(int queue);
/* Append an operation; the caller fills it, notes its uses, and says sim_enqueued. */
sim_op *sim_enqueue(int queue, sim_work work);
void sim_enqueued(sim_op *op);
bool sim_is_reached(const sim_clock *clock);
/* Run all that the clock says, and let the host come after it. */
void sim_wait(const sim_clock *clock);
/* One query of a point: true when it is reached, which the host then comes after. */
bool sim_poll(const sim_clock *clock, unsigned *polls);
/* The same of all that was enqueued on a queue. */
bool sim_poll_queue(int queue);
/* As sim_wait, for all queues of a device. */
void sim_wait_for_device(int device);
/* Of a lost context: what has not run never does, so that all comes after it. */
void sim_end_work(int device);
uint64_t sim_pending_count(void);
/* Run everything, though nobody waits for it. */
void sim_run_all(void);

/* ---- words in memory (value.c) ---- */

/* Let the CPU see what the queue wrote up to that operation. Where time is measured, it does so
 * only when it waits. */
void sim_words_show(int queue, uint64_t number);
/* The clock of the last word that the queue wrote up to that operation, and that the host has not
 * come after; false: there is none. */
bool sim_words_of(int queue, uint64_t number, sim_clock *out);

/* ---- addresses (arena.c) ---- */

bool sim_arena_make(void);
/* No byte is used any more. Valgrind, which looks for pointers in all memory, would fill it. */
void sim_arena_end(void);
bool sim_is_arena(uint64_t address);
/* Addresses never given before, with a gap behind them; 0: none are left. */
uint64_t sim_arena_take(size_t span);
#define NO_EXTENT UINT64_MAX
uint64_t sim_extent_take(size_t span);
/* Nothing pending looks at it any more. */
void sim_extent_give(uint64_t extent, size_t span);
char *sim_shadow(uint64_t extent);
bool sim_map_for_host(uint64_t base, size_t span, uint64_t extent);
void sim_unmap_for_host(uint64_t base, size_t span);
/* To the CPU. */
typedef enum { OPEN, READ_ONLY, CLOSED } sim_access;
void sim_protect(uint64_t base, size_t span, sim_access access);

/* ---- blocks (block.c) ---- */

typedef enum { DEVICE, POOL, MANAGED, PINNED, REGISTERED, BLOCK_KINDS } sim_kind;

typedef struct {
  sim_region region;
  int queue;
  uint64_t number;
  bool is_write;
  const char *call;
} sim_use;

struct sim_block {
  uint64_t address, base, extent, id;
  size_t bytes, span, charged;
  sim_kind kind;
  int device;
  uint64_t pool; /* POOL: handle */
  unsigned flags;
  bool is_live, is_cached, is_refused, owns_extent, is_protected;
  int free_queue; /* -1: freed by the host */
  uint64_t free_number;
  sim_block *next_cached; /* POOL: in its pool's list */
  sim_use *uses;
  size_t use_count, use_room;
  uint8_t *is_touched; /* a flag for each chunk, DEVICE and POOL */
};

/* Bytes of arena and shadow for as many of the caller's. */
size_t sim_span_of(sim_kind kind, size_t bytes);
sim_region sim_bytes_at(uint64_t address, size_t bytes);
/* A block of its own addresses; NULL: no room. 'extent' may be NO_EXTENT. */
sim_block *sim_block_make(sim_kind kind, int device, size_t bytes, uint64_t extent);
sim_block *sim_block_register(uint64_t address, size_t bytes);
/* The block is no longer live; the host gave it, or an operation. */
void sim_block_free(sim_block *block, const sim_op *op);
/* Its bytes may be used for others. */
void sim_block_release(sim_block *block);
/* The free has run, and with it all that came before. */
bool sim_is_free_done(const sim_block *block);
/* Give a cached block its next life. */
void sim_block_revive(sim_block *block, size_t bytes);
/* What is, or was, at an address; NULL: pageable, or nothing. */
sim_block *sim_block_at(uint64_t address);
/* The live block with these bytes; NULL in 'out' for pageable memory. CUDA_ERROR_INVALID_VALUE with
 * a report otherwise. */
CUresult sim_block_find(uint64_t address, size_t bytes, sim_block **out);
sim_block *sim_block_next(const sim_block *after, size_t *at);
/* Where an operation finds the bytes. */
char *sim_block_bytes(const sim_block *block, uint64_t address);
/* Bytes that nobody wrote are poison, put there when they are first looked at; a new life begins
 * with none looked at. */
void sim_block_forget(sim_block *block);
void sim_block_touch(sim_block *block, const sim_region *region, bool is_write);
size_t sim_hull(const sim_region *region);

bool sim_overlap(const sim_region *a, const sim_region *b);
/* Note a use, and report it when it races with one before. */
void sim_use_by(sim_op *op, sim_block *block, const sim_region *region, bool is_write);
/* The same for the host, which is done with it at once. False when it races. */
bool sim_use_by_host(sim_block *block, const sim_region *region, bool is_write);
/* A use that the host does not know to be over, or NULL. */
const sim_use *sim_pending_use(const sim_block *block);
/* Before the host gives it: a report if it is in use, whose work then runs. */
void sim_check_idle(sim_block *block);

/* ---- pages that are closed to the CPU (protect.c) ---- */

/* In exclusive mode: managed memory is the device's while it works. */
void sim_managed_lock(void);
void sim_managed_made(const sim_block *block);
void sim_managed_unlock(void);
bool sim_managed_is_locked(void);
/* Faults are looked at; with settings.is_protecting pages are closed when a use was noted, */
void sim_protect_begin(void);
void sim_protect_used(sim_block *block, const sim_region *region);
/* until the host has come after it, */
void sim_unprotect(void);
/* or the block is gone. */
void sim_protect_end(sim_block *block);

/* ---- handles (handle.c) ---- */

typedef enum {
  STREAM_HANDLE,
  EVENT_HANDLE,
  MEMPOOL_HANDLE,
  CONTEXT_HANDLE,
  HANDLE_KINDS
} sim_handle_kind;

/* A value that means 'thing' until it is dropped. */
uint64_t sim_handle_make(sim_handle_kind kind, void *thing);
void sim_handle_drop(uint64_t handle);
/* NULL: no handle of this kind; with a report when it was one. */
void *sim_handle_find(sim_handle_kind kind, uint64_t handle);
uint64_t sim_handle_count(sim_handle_kind kind);
/* The next one that is live, 0 after the last; begin with 0. */
uint64_t sim_handle_next(sim_handle_kind kind, uint64_t after);
/* As sim_handle_find, for our own use: no report. */
void *sim_handle_peek(sim_handle_kind kind, uint64_t handle);
/* Its giving was made to fail: that it stays is no leak. */
void sim_handle_excuse(uint64_t handle);
bool sim_handle_is_excused(uint64_t handle);

/* ---- devices and contexts (device.c) ---- */

typedef struct {
  CUresult lost; /* the error that lost the context; CUDA_SUCCESS: none */
  int retains;
  unsigned flags;
  uint64_t context; /* handle, 0: none */
  int legacy;       /* queue */
  size_t used;      /* bytes of memory, pools' reservations among them */
  uint64_t default_pool, pool;
  uint32_t peers; /* bit: the other device's memory may be used by kernels here */
} sim_device;

extern sim_device devices[DEVICES_MAX];

/* The device of this thread's current context; CUDA_ERROR_INVALID_CONTEXT if there is none. */
CUresult sim_current(int *device);
/* The queue of a stream, which belongs to the current context: INVALID_HANDLE otherwise. */
CUresult sim_stream_of(CUstream stream, int *queue);
/* The same, to be used: not while it is captured. */
CUresult sim_queue_of(CUstream stream, int *queue);
CUresult sim_device_of(CUcontext context, int *device);
void sim_streams_excuse(int device);
/* What is left of a context that ends. */
void sim_streams_destroy(int device);
/* CUDA_ERROR_INVALID_DEVICE when there is none. */
CUresult sim_check_device(int device);
int sim_attribute(int attribute);
bool sim_set_attribute(const char *name, int value);
void sim_lose(CUresult error);
bool sim_is_initialised(void);
/* From now on every call is refused with CUDA_ERROR_DEINITIALIZED. */
void sim_deinitialise(void);
bool sim_is_deinitialised(void);
/* Bytes of device memory; false: no room. */
bool sim_charge(int device, size_t bytes);

/* ---- captures (capture.c) ---- */

/* May the queue be used? Otherwise its capture is over. */
CUresult sim_check_capture(int queue);
/* May this thread make the call? Otherwise it has ended the captures of others. */
CUresult sim_check_unsafe(int call);

/* ---- pools (pool.c) ---- */

/* What the host has come after may go back to the device, at every synchronise. */
void sim_pools_release(void);
void sim_pools_excuse(int device);
void sim_pool_free(sim_block *block, const sim_op *op);
uint64_t sim_pool_make(int device, size_t most);
void sim_pool_destroy(uint64_t handle);
bool sim_pool_may_access(uint64_t pool, int device);

/* ---- events (stream.c) ---- */

void sim_event_ran(uint64_t handle, uint64_t records);
#endif
