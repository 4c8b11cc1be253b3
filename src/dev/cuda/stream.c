/* Streams and events for scripts. A stream object takes a queue of the device that is free, or
 * makes one; given back, the queue goes on with its work, and the next stream object may take it.
 * So finalizers call no driver, and the number of streams in the driver is bounded. */
#include <string.h>

#include "dev/cuda/cuda.h"

enum { MOST_STREAMS = 32, MOST_ADOPTED = 1024 }; /* of a device, at a time */

static ndi_queue *queue_of(const nd_stream *s) { return ndi_queue_find(s->queue); }

/* {=== taking and giving back ===} */

static uint64_t next_id(void) {
  static atomic_uint_fast64_t last;
  return atomic_fetch_add(&last, 1) + 1;
}

static nd_stream stream_of(const ndi_queue *q) {
  return (nd_stream){.backend = q->device->base.backend,
                     .ordinal = q->device->base.ordinal,
                     .queue = q->number,
                     .id = q->id,
                     .priority = q->priority};
}

/* Is its work done? The driver is asked. A milestone may be written behind the last point. */
static bool is_idle(ndi_queue *q) {
  const nd_point last = {q->number, atomic_load(&q->enqueued)};
  if (q->is_foreign) return nd_point_is_done(last); /* by an event: the stream may be gone */
  if (!q->stream || (!q->milestone && ndi_queue_is_reached(q, last.seq))) return true;
  if (q->is_shared && ndi_cuda_check_capture(q->device, q->stream, NULL) != ND_OK) return false;
  return ndi_cu.cuStreamQuery(q->stream) == CUDA_SUCCESS;
}

typedef struct {
  ndi_queue *idle, *busy; /* free, and of the priority; NULL: there is none */
  ndi_queue *other;       /* free and idle, but of another priority */
  int taken, all;
} choice;

/* What there is of that kind. Foreign ones only once they are idle. Within a visit, the submit lock
 * is held. */
static choice find_free(ndi_cuda *d, bool is_foreign, int priority) {
  choice found = {0};
  for (ndi_queue *q = d->queues; q; q = q->next) {
    if (q == &d->main || q == d->reaper || q->is_foreign != is_foreign) continue;
    found.all++;
    if (q->is_taken) found.taken++;
    else if (is_idle(q)) *(q->priority == priority ? &found.idle : &found.other) = q;
    else if (q->priority == priority && !is_foreign) found.busy = q;
  }
  return found;
}

/* A stream of another priority makes room for one of this. */
static nd_status replace_stream(ndi_queue *q, nd_error *err) {
  if (q->stream) ND_TRY(ND_CU(q->device, cuStreamDestroy(q->stream), err));
  q->stream = NULL;
  return ND_OK;
}

/* Within a visit, the submit lock is held. */
static nd_status take_queue(ndi_cuda *d, bool is_foreign, int priority, ndi_queue **out,
                            nd_error *err) {
  const int most = is_foreign ? MOST_ADOPTED : MOST_STREAMS;
  const choice found = find_free(d, is_foreign, priority);
  ndi_queue *q = found.idle;
  if (found.taken >= most)
    return nd_fail_with(err, ND_CAPACITY, ND_NUMBERS({"limit", most}),
                        "%s: all %d streams are in use; let go of some", d->name, most);
  if (!q && found.all >= most && found.other) {
    q = found.other;
    ND_TRY(replace_stream(q, err));
  }
  if (!q && found.all >= most) q = found.busy;
  if (!q) ND_TRY(ndi_queue_make(d, is_foreign, &q, err));
  /* what is to be its stream was told nothing */
  if (!q->stream) memset(q->known, 0, sizeof q->known);
  q->priority = priority;
  *out = q;
  return ND_OK;
}

static void own_queue(ndi_queue *q, nd_stream *out) {
  q->id = next_id();
  q->is_taken = true;
  *out = stream_of(q);
}

static nd_status check_priority(ndi_cuda *d, int priority, nd_error *err) {
  int least = 0, greatest = 0;
  ND_VISIT(d, err);
  if (ndi_cu.cuStreamCreateWithPriority && ndi_cu.cuCtxGetStreamPriorityRange)
    ND_TRY(ND_CU(d, cuCtxGetStreamPriorityRange(&least, &greatest), err));
  if (priority <= least && priority >= greatest) return ND_OK;
  const int limit = priority > least ? least : greatest; /* the one passed over */
  return nd_fail_with(err, ND_INVALID_ARGUMENT, ND_NUMBERS({"value", priority}, {"limit", limit}),
                      "priority: %d; those of %s are %d (the least) to %d", priority, d->name,
                      least, greatest);
}

static nd_status open_locked(ndi_cuda *d, int priority, nd_stream *out, nd_error *err) {
  ndi_queue *q;
  ND_TRY(take_queue(d, false, priority, &q, err));
  ND_TRY(ndi_queue_open(q, err)); /* on failure it stays in the list, free */
  own_queue(q, out);
  return ND_OK;
}

static nd_status stream_open(nd_device *device, int priority, nd_stream *out, nd_error *err) {
  ndi_cuda *d = (ndi_cuda *)device;
  ND_VISIT(d, err);
  ND_TRY(check_priority(d, priority, err));
  ndi_submit_lock();
  const nd_status status = open_locked(d, priority, out, err);
  ndi_submit_unlock();
  return status;
}

static nd_status stream_default(nd_device *device, nd_stream *out, nd_error *err) {
  ndi_cuda *d = (ndi_cuda *)device;
  (void)err;
  ndi_submit_lock();
  if (d->main.id == 0) d->main.id = next_id();
  ndi_submit_unlock();
  *out = stream_of(&d->main);
  return ND_OK;
}

/* Of a foreign queue the stream is forgotten: all that is in flight has events. */
static void stream_close(const nd_stream *self) {
  ndi_queue *q = queue_of(self);
  if (!q || q == &q->device->main || q->id != self->id) return;
  if (q->is_foreign) q->stream = NULL;
  q->is_taken = false;
}

/* {=== adopted streams ===} */

/* Record an event of the current context on a stream: it has to be one of the same. */
static CUresult probe(CUstream stream) {
  CUevent event;
  CUresult result = ndi_cu.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING);
  if (result != CUDA_SUCCESS) return result;
  result = ndi_cu.cuEventRecord(event, stream);
  if (ndi_cu.cuEventDestroy(event) != CUDA_SUCCESS) ndi_cu.cuEventDestroy(event);
  return result;
}

/* Is it a stream of the device's primary context? Older drivers cannot tell. */
static nd_status check_context(ndi_cuda *d, CUstream stream, nd_error *err) {
  CUcontext context = d->context;
  const CUresult result = ndi_cu.cuStreamGetCtx ? ndi_cu.cuStreamGetCtx(stream, &context)
                                                : probe(stream);
  if (result == CUDA_SUCCESS && context == d->context) return ND_OK;
  if (result != CUDA_SUCCESS && result != CUDA_ERROR_INVALID_HANDLE)
    return ndi_cuda_check(d, result, "cuStreamGetCtx", err);
  return ndi_stream_misuse(d, stream, "it is not a stream of the device's primary context", err);
}

static nd_status adopt_locked(ndi_cuda *d, CUstream stream, nd_stream *out, nd_error *err) {
  ndi_queue *q;
  ND_TRY(take_queue(d, true, 0, &q, err));
  q->stream = stream;
  q->is_shared = true;
  q->thread = stream == CU_STREAM_PER_THREAD ? ndi_cuda_thread() : 0;
  own_queue(q, out);
  return ND_OK;
}

static nd_status stream_adopt(nd_device *device, void *handle, nd_stream *out, nd_error *err) {
  const CUstream stream = handle ? (CUstream)handle : CU_STREAM_LEGACY;
  ndi_cuda *d = (ndi_cuda *)device;
  ND_VISIT(d, err);
  ND_TRY(ndi_cuda_check_capture(d, stream, err)); /* which the probe would break */
  ND_TRY(check_context(d, stream, err));
  ndi_submit_lock();
  const nd_status status = adopt_locked(d, stream, out, err);
  ndi_submit_unlock();
  return status;
}

/* {=== asking and waiting ===} */

/* The queue; with need_queue also its stream, which closing the device may have taken from it. */
static nd_status find_queue(const nd_stream *self, ndi_queue **out, nd_error *err) {
  ndi_queue *q = queue_of(self);
  if (!q || q->id != self->id) return nd_fail(err, ND_STREAM_MISUSE, "the stream was closed");
  *out = q;
  return ndi_cuda_reopen(q->device, err);
}

static nd_status need_queue(const nd_stream *self, ndi_queue **out, nd_error *err) {
  ND_TRY(find_queue(self, out, err));
  return ndi_cuda_prepare(*out, err);
}

/* Also of a stream that is being captured, as it takes the handle to end that. */
static nd_status stream_handle(const nd_stream *self, void **out, nd_error *err) {
  ndi_queue *q = queue_of(self);
  ND_VISIT(q->device, err);
  ND_TRY(find_queue(self, &q, err));
  ndi_submit_lock();
  const nd_status status = ndi_queue_open(q, err);
  if (status == ND_OK) {
    if (!q->is_foreign) ndi_milestone_set(q); /* of what comes before the work of other code */
    q->is_shared = true;
    *out = q->stream;
  }
  ndi_submit_unlock();
  return status;
}

/* The driver is asked, and not the queue's points: other code may have enqueued work. */
static nd_status stream_query(const nd_stream *self, bool *is_done, nd_error *err) {
  ndi_queue *q = queue_of(self);
  *is_done = true;
  if (!q->stream) return ND_OK;
  ND_VISIT(q->device, err);
  if (q->is_shared) ND_TRY(ndi_cuda_check_stream(q, err));
  const CUresult result = ndi_cu.cuStreamQuery(q->stream);
  *is_done = result != CUDA_ERROR_NOT_READY;
  return *is_done ? ndi_cuda_check(q->device, result, "cuStreamQuery", err) : ND_OK;
}

static nd_status stream_wait(const nd_stream *self, nd_error *err) {
  ndi_queue *q = queue_of(self);
  return q->stream ? ndi_queue_sync(q, err) : ND_OK;
}

/* {=== events ===} */

static nd_status stream_record(const nd_stream *self, bool has_timing, nd_event **out,
                               nd_error *err) {
  ndi_queue *q = queue_of(self);
  ND_VISIT(q->device, err);
  ND_TRY(need_queue(self, &q, err));
  ndi_submit_lock();
  const nd_status status = ndi_event_record(q, has_timing, out, err);
  ndi_submit_unlock();
  return status;
}

static nd_status stream_wait_event(const nd_stream *self, const nd_event *event, nd_error *err) {
  ndi_queue *q = queue_of(self);
  ND_VISIT(q->device, err);
  ND_TRY(need_queue(self, &q, err));
  ndi_submit_lock();
  const nd_status status = ndi_event_join(q, event, err);
  ndi_submit_unlock();
  return status;
}

/* Nothing is enqueued but waits. */
static nd_status stream_wait_use(const nd_stream *self, nd_storage *storage, const nd_use *access,
                                 nd_error *err) {
  ndi_queue *q = queue_of(self);
  ndi_access it = {.storage = storage, .use = *access};
  ND_VISIT(q->device, err);
  ND_TRY(find_queue(self, &q, err));
  ND_TRY(ndi_cuda_begin(q, 1, &it, err));
  ndi_submit_unlock();
  return ND_OK;
}

const nd_stream_ops ndi_cuda_streams = {.open = stream_open,
                                        .get_default = stream_default,
                                        .adopt = stream_adopt,
                                        .close = stream_close,
                                        .handle = stream_handle,
                                        .query = stream_query,
                                        .wait = stream_wait,
                                        .record = stream_record,
                                        .wait_event = stream_wait_event,
                                        .wait_use = stream_wait_use,
                                        .event_query = ndi_event_query,
                                        .event_wait = ndi_event_wait,
                                        .elapsed = ndi_event_elapsed,
                                        .adopt_event = ndi_event_adopt,
                                        .event_handle = ndi_event_handle,
                                        .event_close = ndi_event_close};
