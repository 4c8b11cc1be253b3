/* Streams and events. CUDA Driver API: "Stream Management", "Event Management", "Execution Control"
 * (host functions), "Stream synchronization behavior". */
#include "sim.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  sim_clock clock; /* of the last recording */
  uint64_t records;
  int device;
  unsigned flags, polls;
  double time; /* seconds, when the recording ran */
} event;

static _Thread_local int per_thread[DEVICES_MAX]; /* queue + 1 */
static _Thread_local uint64_t per_thread_context[DEVICES_MAX];

/* ---- which stream ---- */

static CUresult per_thread_queue(int device, int *queue) {
  if (per_thread_context[device] != devices[device].context) {
    const int made = sim_make_queue(device, CU_STREAM_DEFAULT);
    if (made < 0) return CUDA_ERROR_OUT_OF_MEMORY;
    per_thread[device] = made + 1;
    per_thread_context[device] = devices[device].context;
  }
  *queue = per_thread[device] - 1;
  return CUDA_SUCCESS;
}

CUresult sim_stream_of(CUstream stream, int *queue) {
  int device;
  SIM_TRY(sim_current(&device));
  if (stream == CU_STREAM_PER_THREAD) return per_thread_queue(device, queue);
  if (!stream || stream == CU_STREAM_LEGACY) {
    *queue = devices[device].legacy;
    return CUDA_SUCCESS;
  }
  const sim_queue *found = sim_handle_find(STREAM_HANDLE, (uintptr_t)stream);
  if (!found || found->device != device) return CUDA_ERROR_INVALID_HANDLE;
  *queue = (int)(found - queues);
  return CUDA_SUCCESS;
}

CUresult sim_queue_of(CUstream stream, int *queue) {
  SIM_TRY(sim_stream_of(stream, queue));
  return sim_check_capture(*queue);
}

/* ---- streams ---- */

static CUresult make_stream(CUstream *stream, unsigned flags, int priority) {
  int device;
  SIM_TRY(sim_current(&device));
  if (!stream || (flags & ~(unsigned)CU_STREAM_NON_BLOCKING)) return CUDA_ERROR_INVALID_VALUE;
  const int queue = sim_make_queue(device, flags);
  if (queue < 0) {
    sim_report(LIMIT, "%s: more than %d streams", sim_calling(), QUEUES_MAX);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  sim_queue *q = &queues[queue];
  q->priority = priority > 0 ? 0 : priority < -5 ? -5 : priority;
  q->handle = sim_handle_make(STREAM_HANDLE, q);
  *stream = (CUstream)(uintptr_t)q->handle;
  return CUDA_SUCCESS;
}

SIM_CALL(cuStreamCreate, (CUstream * stream, unsigned flags), (stream, flags)) {
  return make_stream(stream, flags, 0);
}

SIM_CALL(cuStreamCreateWithPriority, (CUstream * stream, unsigned flags, int priority),
         (stream, flags, priority)) {
  return make_stream(stream, flags, priority);
}

static void close_queue(sim_queue *q) {
  sim_handle_drop(q->handle);
  q->is_open = false;
  q->handle = 0;
  q->capture = CU_STREAM_CAPTURE_STATUS_NONE;
}

/* Its work goes on. */
SIM_GIVE_CALL(cuStreamDestroy_v2, (CUstream stream), (stream), stream) {
  int queue;
  if ((uintptr_t)stream <= 2) return CUDA_ERROR_INVALID_HANDLE;
  SIM_TRY(sim_stream_of(stream, &queue));
  close_queue(&queues[queue]);
  return CUDA_SUCCESS;
}

SIM_CALL(cuStreamSynchronize, (CUstream stream), (stream)) {
  int queue;
  SIM_TRY(sim_queue_of(stream, &queue));
  const sim_clock clock = queues[queue].clock;
  sim_wait(&clock);
  return CUDA_SUCCESS;
}

SIM_CALL(cuStreamQuery, (CUstream stream), (stream)) {
  int queue;
  SIM_TRY(sim_queue_of(stream, &queue));
  return sim_poll_queue(queue) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

SIM_CALL(cuStreamGetId, (CUstream stream, unsigned long long *id), (stream, id)) {
  int queue;
  SIM_TRY(sim_stream_of(stream, &queue));
  if (!id) return CUDA_ERROR_INVALID_VALUE;
  *id = queues[queue].id;
  return CUDA_SUCCESS;
}

SIM_CALL(cuStreamGetCtx, (CUstream stream, CUcontext *context), (stream, context)) {
  int queue;
  SIM_TRY(sim_stream_of(stream, &queue));
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  *context = (CUcontext)(uintptr_t)devices[queues[queue].device].context;
  return CUDA_SUCCESS;
}

SIM_CALL(cuStreamGetFlags, (CUstream stream, unsigned *flags), (stream, flags)) {
  int queue;
  SIM_TRY(sim_stream_of(stream, &queue));
  if (!flags) return CUDA_ERROR_INVALID_VALUE;
  *flags = queues[queue].flags;
  return CUDA_SUCCESS;
}

SIM_CALL(cuStreamGetPriority, (CUstream stream, int *priority), (stream, priority)) {
  int queue;
  SIM_TRY(sim_stream_of(stream, &queue));
  if (!priority) return CUDA_ERROR_INVALID_VALUE;
  *priority = queues[queue].priority;
  return CUDA_SUCCESS;
}

SIM_CALL(cuLaunchHostFunc, (CUstream stream, CUhostFn function, void *data),
         (stream, function, data)) {
  int queue;
  SIM_TRY(sim_queue_of(stream, &queue));
  if (!function) return CUDA_ERROR_INVALID_VALUE;
  sim_op *op = sim_enqueue(queue, HOST_FUNCTION);
  op->function = function, op->data = data;
  sim_enqueued(op);
  return CUDA_SUCCESS;
}

/* ---- events ---- */

static event *find_event(CUevent handle) {
  return sim_handle_find(EVENT_HANDLE, (uintptr_t)handle);
}

SIM_CALL(cuEventCreate, (CUevent * out, unsigned flags), (out, flags)) {
  const unsigned known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
  int device;
  SIM_TRY(sim_current(&device));
  if (!out || (flags & ~known)) return CUDA_ERROR_INVALID_VALUE;
  if ((flags & CU_EVENT_INTERPROCESS) && !(flags & CU_EVENT_DISABLE_TIMING))
    return CUDA_ERROR_INVALID_VALUE;
  event *new = calloc(1, sizeof *new);
  if (!new) return CUDA_ERROR_OUT_OF_MEMORY;
  new->device = device, new->flags = flags;
  *out = (CUevent)(uintptr_t)sim_handle_make(EVENT_HANDLE, new);
  return CUDA_SUCCESS;
}

static void destroy_event(uint64_t handle) {
  free(sim_handle_peek(EVENT_HANDLE, handle));
  sim_handle_drop(handle);
}

SIM_GIVE_CALL(cuEventDestroy_v2, (CUevent handle), (handle), handle) {
  int device;
  SIM_TRY(sim_current(&device));
  if (!find_event(handle)) return CUDA_ERROR_INVALID_HANDLE;
  destroy_event((uintptr_t)handle);
  return CUDA_SUCCESS;
}

/* Event and stream must be of one context. */
SIM_CALL(cuEventRecord, (CUevent handle, CUstream stream), (handle, stream)) {
  int queue;
  SIM_TRY(sim_queue_of(stream, &queue));
  event *e = find_event(handle);
  if (!e || e->device != queues[queue].device) return CUDA_ERROR_INVALID_HANDLE;
  sim_op *op = sim_enqueue(queue, RECORD);
  op->event = (uintptr_t)handle;
  op->records = ++e->records;
  e->clock = queues[queue].clock;
  e->polls = 0;
  sim_enqueued(op);
  if (settings.has_engines) e->time = sim_model_time(queue, e->clock.at[queue]);
  return CUDA_SUCCESS;
}

void sim_event_ran(uint64_t handle, uint64_t records) {
  event *e = sim_handle_peek(EVENT_HANDLE, handle);
  struct timespec now;
  if (!e || e->records != records || settings.has_engines) return;
  clock_gettime(CLOCK_MONOTONIC, &now);
  e->time = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static CUresult event_to_wait_for(CUevent handle, event **out) {
  *out = find_event(handle);
  if (!*out) return CUDA_ERROR_INVALID_HANDLE;
  if (!(*out)->records)
    sim_report(UNRECORDED, "%s: the event %#llx was never recorded", sim_calling(),
               (unsigned long long)(uintptr_t)handle);
  return CUDA_SUCCESS;
}

/* The event may be another device's. */
SIM_CALL(cuStreamWaitEvent, (CUstream stream, CUevent handle, unsigned flags),
         (stream, handle, flags)) {
  int queue;
  event *e;
  SIM_TRY(sim_queue_of(stream, &queue));
  if (flags > 1) return CUDA_ERROR_INVALID_VALUE; /* CU_EVENT_WAIT_EXTERNAL */
  SIM_TRY(event_to_wait_for(handle, &e));
  sim_advance(queue);
  sim_join(&queues[queue].clock, &e->clock);
  return CUDA_SUCCESS;
}

SIM_CALL(cuEventQuery, (CUevent handle), (handle)) {
  int device;
  SIM_TRY(sim_current(&device));
  event *e = find_event(handle);
  if (!e) return CUDA_ERROR_INVALID_HANDLE;
  const sim_clock clock = e->clock;
  return sim_poll(&clock, &e->polls) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

SIM_CALL(cuEventSynchronize, (CUevent handle), (handle)) {
  int device;
  event *e;
  SIM_TRY(sim_current(&device));
  SIM_TRY(event_to_wait_for(handle, &e));
  const sim_clock clock = e->clock;
  sim_wait(&clock);
  return CUDA_SUCCESS;
}

static CUresult elapsed(float *milliseconds, CUevent first, CUevent last) {
  int device;
  SIM_TRY(sim_current(&device));
  const event *a = find_event(first), *b = find_event(last);
  if (!a || !b || !a->records || !b->records) return CUDA_ERROR_INVALID_HANDLE;
  if ((a->flags | b->flags) & CU_EVENT_DISABLE_TIMING) return CUDA_ERROR_INVALID_HANDLE;
  if (a->device != b->device) return CUDA_ERROR_INVALID_HANDLE;
  if (!milliseconds) return CUDA_ERROR_INVALID_VALUE;
  if (!sim_is_reached(&a->clock) || !sim_is_reached(&b->clock)) return CUDA_ERROR_NOT_READY;
  *milliseconds = (float)(1e3 * (b->time - a->time));
  return CUDA_SUCCESS;
}

SIM_CALL(cuEventElapsedTime_v2, (float *milliseconds, CUevent first, CUevent last),
         (milliseconds, first, last)) {
  return elapsed(milliseconds, first, last);
}

SIM_CALL(cuEventElapsedTime, (float *milliseconds, CUevent first, CUevent last),
         (milliseconds, first, last)) {
  return elapsed(milliseconds, first, last);
}

/* ---- with the context ---- */

void sim_streams_excuse(int device) {
  for (uint64_t h = 0; (h = sim_handle_next(EVENT_HANDLE, h)) != 0;)
    if (((const event *)sim_handle_peek(EVENT_HANDLE, h))->device == device) sim_handle_excuse(h);
  for (int i = 0; i < queue_count; i++)
    if (queues[i].device == device && queues[i].handle) sim_handle_excuse(queues[i].handle);
}

void sim_streams_destroy(int device) {
  for (uint64_t h = 0; (h = sim_handle_next(EVENT_HANDLE, h)) != 0;) {
    const event *e = sim_handle_peek(EVENT_HANDLE, h);
    if (e->device != device) continue;
    if (!sim_handle_is_excused(h))
      sim_report(LEAK, "event %#llx went with its context", (unsigned long long)h);
    destroy_event(h);
  }
  for (int i = 0; i < queue_count; i++) {
    if (queues[i].device != device || !queues[i].handle) continue;
    if (!sim_handle_is_excused(queues[i].handle))
      sim_report(LEAK, "stream %#llx went with its context", (unsigned long long)queues[i].handle);
    close_queue(&queues[i]);
  }
}
