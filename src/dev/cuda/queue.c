/* The queues of a CUDA device: each is a stream, on which work goes in order, and the points that
 * storages wait for (mem/fence.h).
 *
 * Work is enqueued first and gets its point's number afterwards. So once a stream is found empty,
 * every number that was read before that is done. While one queue is in use, that is all that is
 * asked, and there are no events. Where another queue is to wait for one operation and not for what
 * follows it, an event is recorded right after it (submit.c); the last NDI_RING of them are kept.
 * The CPU has milestones as well (milestone.c), also on a queue that never runs empty. */
#include <pthread.h>
#include <stdlib.h>

#include "base/call.h"
#include "dev/cuda/cuda.h"
#include "mem/reap.h"

/* Not in the table of base/lock.h: it is held during calls of the driver, which might fork. A
 * forked child never takes it, as it cannot enter a context. */
static pthread_mutex_t submit_lock = PTHREAD_MUTEX_INITIALIZER;

void ndi_submit_lock(void) { pthread_mutex_lock(&submit_lock); }
void ndi_submit_unlock(void) { pthread_mutex_unlock(&submit_lock); }

/* {=== how far it is ===} */

/* Raise 'done' to 'seq'; it never falls, whatever order threads come in. */
static void note_done(ndi_queue *q, uint64_t seq) {
  uint64_t done = atomic_load(&q->done);
  while (done < seq && !atomic_compare_exchange_weak(&q->done, &done, seq)) continue;
}

/* In a forked child nothing will ever finish, so nothing is waited for. */
bool ndi_queue_is_reached(const ndi_queue *q, uint64_t seq) {
  return atomic_load(&q->done) >= seq || ndi_cuda_is_forked();
}

CUevent ndi_queue_event(const ndi_queue *q, uint64_t seq, uint64_t *found) {
  CUevent event = NULL;
  for (int i = 0; i < NDI_RING; i++) {
    /* the event may be recorded again meanwhile: then it tells of a later point, which implies
     * this one */
    const uint64_t at = atomic_load(&q->ring[i].seq);
    if (at >= seq && (!event || at < *found)) event = q->ring[i].event, *found = at;
  }
  return event;
}

nd_status ndi_queue_record(ndi_queue *q, nd_error *err) {
  const uint64_t seq = atomic_load(&q->enqueued);
  CUevent *event = &q->ring[seq % NDI_RING].event;
  if (atomic_load(&q->ring[seq % NDI_RING].seq) == seq) return ND_OK;
  ND_VISIT(q->device, err);
  if (!*event) ND_TRY(ND_CU(q->device, cuEventCreate(event, CU_EVENT_DISABLE_TIMING), err));
  ND_TRY(ND_CU(q->device, cuEventRecord(*event, q->stream), err));
  atomic_store(&q->ring[seq % NDI_RING].seq, seq);
  return ND_OK;
}

/* {=== streams of other code ===} */

/* The system's own numbers come again. */
uint64_t ndi_cuda_thread(void) {
  static atomic_uint_fast64_t last;
  static _Thread_local uint64_t mine;
  if (!mine) mine = atomic_fetch_add(&last, 1) + 1;
  return mine;
}

nd_status ndi_cuda_check_stream(const ndi_queue *q, nd_error *err) {
  if (q->thread && q->thread != ndi_cuda_thread())
    return nd_fail(err, ND_STREAM_MISUSE,
                   "%s: the per-thread default stream of another thread than this one",
                   q->device->name);
  return ndi_cuda_check_capture(q->device, q->stream, err);
}

/* {=== waiting ===} */

nd_status ndi_queue_check_end(const ndi_queue *q, nd_error *err) {
  if (q->stream || !q->is_foreign) return ND_OK;
  return nd_fail(err, ND_STREAM_MISUSE,
                 "%s: no stream can wait for the work on an adopted one that was let go of, as the "
                 "driver refused an event; call dev:synchronize() first",
                 q->device->name);
}

static nd_status sync_context(ndi_queue *q, nd_error *err) {
  const uint64_t seq = atomic_load(&q->enqueued);
  ND_VISIT(q->device, err);
  ND_TRY(ND_CU(q->device, cuCtxSynchronize(), err));
  note_done(q, seq);
  return ND_OK;
}

/* The number is read before the wait: of points that are given out meanwhile nothing is known.
 * Points of a foreign stream, which another thread may let go of now, have events each, or were
 * waited for at once, if both did not fail: then all work in the context is waited for. */
nd_status ndi_queue_sync(ndi_queue *q, nd_error *err) {
  const uint64_t seq = atomic_load(&q->enqueued);
  const CUstream stream = q->stream;
  if (!stream) return q->is_foreign ? sync_context(q, err) : ND_OK;
  ND_VISIT(q->device, err);
  if (q->is_shared) ND_TRY(ndi_cuda_check_stream(q, err));
  ND_TRY(ND_CU(q->device, cuStreamSynchronize(stream), err));
  note_done(q, seq);
  return ND_OK;
}

static nd_status wait_for_event(ndi_queue *q, CUevent event, uint64_t seq, nd_error *err) {
  ND_VISIT(q->device, err);
  ND_TRY(ND_CU(q->device, cuEventSynchronize(event), err));
  note_done(q, seq);
  return ND_OK;
}

/* Waits for the point alone where it has an event or a milestone; else for the next that has. */
static nd_status point_wait(void *context, nd_point point, nd_error *err) {
  ndi_queue *q = context;
  uint64_t found = 0;
  if (atomic_load(&q->done) >= point.seq) return ND_OK;
  const CUevent event = ndi_queue_event(q, point.seq, &found);
  if (event && found == point.seq) return wait_for_event(q, event, found, err);
  if (ndi_milestone_wait(q, point.seq)) return note_done(q, point.seq), ND_OK;
  return event ? wait_for_event(q, event, found, err) : ndi_queue_sync(q, err);
}

static nd_status check_own_capture(ndi_queue *q, nd_error *err) {
  const CUstream stream = q->stream;
  if (!stream || !q->is_shared) return ND_OK;
  ND_VISIT(q->device, err);
  return ndi_cuda_check_capture(q->device, stream, err);
}

/* One that other code captures cannot be waited for itself, but perhaps its last point can. */
nd_status ndi_queue_wait(ndi_queue *q, nd_error *err) {
  const nd_point last = {q->number, atomic_load(&q->enqueued)};
  const bool is_alone = q->is_foreign || check_own_capture(q, NULL) != ND_OK;
  return is_alone ? point_wait(q, last, err) : ndi_queue_sync(q, err);
}

/* All queues are waited for even where one fails. */
nd_status ndi_cuda_wait(ndi_cuda *d, nd_error *err) {
  nd_status status = ND_OK;
  for (ndi_queue *q = d->queues; q; q = q->next) {
    const nd_status own = ndi_queue_wait(q, status == ND_OK ? err : NULL);
    if (status == ND_OK) status = own;
  }
  return status;
}

nd_status ndi_cuda_wait_all(nd_error *err) {
  for (int i = 0; i < ND_DEVICES; i++) {
    ndi_cuda *d = ndi_cuda_find(i);
    if (d && d->is_open) ND_TRY(ndi_cuda_wait(d, err));
  }
  return ND_OK;
}

/* {=== asking ===} */

/* Note what a query tells: that 'seq' is done, or that it failed. True: it is not ready. */
static bool is_pending(ndi_queue *q, CUresult result, uint64_t seq, const char *call) {
  if (result == CUDA_SUCCESS) note_done(q, seq);
  else if (result != CUDA_ERROR_NOT_READY) ndi_cuda_check(q->device, result, call, NULL);
  return result == CUDA_ERROR_NOT_READY;
}

/* A stream that never runs empty cannot be asked like this. Where memory worth it waits for a free,
 * it gets a milestone, or an event, so that a later question can be answered although new work
 * keeps coming. */
enum { BUSY = NDI_RING /* points in flight */, WORTH = 1 << 20 /* bytes */ };

static void poll_stream(ndi_queue *q) {
  const uint64_t seq = atomic_load(&q->enqueued);
  const CUstream stream = q->stream;
  if (!stream || q->is_foreign) return;
  if (check_own_capture(q, NULL) != ND_OK) return;
  if (!is_pending(q, ndi_cu.cuStreamQuery(stream), seq, "cuStreamQuery")) return;
  note_done(q, ndi_milestone_look(q));
  if (seq - atomic_load(&q->done) < BUSY || nd_pending_bytes() < WORTH) return;
  ndi_milestone_prepare(q->device);
  ndi_submit_lock();
  if (!ndi_milestone_watch(q)) ndi_queue_record(q, NULL);
  ndi_submit_unlock();
}

/* Ask the driver how far the stream has come. One thread asks at a time; the others do not wait for
 * it and take the old answer. */
static bool poll_queue(ndi_queue *q, uint64_t seq) {
  uint64_t found = 0;
  if (ndi_queue_is_reached(q, seq) || atomic_flag_test_and_set(&q->is_polling))
    return ndi_queue_is_reached(q, seq);
  ndi_visit visit = {0};
  if (q->device->is_open && ndi_cuda_enter(q->device, &visit, NULL) == ND_OK) {
    const CUevent event = ndi_queue_event(q, seq, &found);
    if (!event) poll_stream(q);
    else is_pending(q, ndi_cu.cuEventQuery(event), found, "cuEventQuery");
    ndi_cuda_leave(&visit);
  }
  atomic_flag_clear(&q->is_polling);
  return ndi_queue_is_reached(q, seq);
}

static bool point_is_done(void *context, nd_point point) { return poll_queue(context, point.seq); }

bool ndi_cuda_is_idle(ndi_cuda *d) {
  if (d->lost) return true;
  for (ndi_queue *q = d->queues; q; q = q->next)
    if (!poll_queue(q, atomic_load(&q->enqueued))) return false;
  return true;
}

/* {=== opening, closing, finding ===} */

static bool is_lost(void *context) { return ((ndi_queue *)context)->device->lost != 0; }

static const nd_fence_ops fence = {
    .is_done = point_is_done, .wait = point_wait, .is_lost = is_lost};

nd_status ndi_queue_init(ndi_queue *q, ndi_cuda *d, nd_error *err) {
  ND_TRY(nd_queue_open(&fence, q, &q->number, err));
  q->device = d;
  q->place = d->queues ? d->queues->place + 1 : 0;
  q->next = d->queues;
  d->queues = q;
  return ND_OK;
}

nd_status ndi_queue_make(ndi_cuda *d, bool is_foreign, ndi_queue **out, nd_error *err) {
  ndi_queue *q = calloc(1, sizeof *q);
  if (!q) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a queue");
  q->is_foreign = is_foreign;
  const nd_status status = ndi_queue_init(q, d, err);
  if (status == ND_OK) *out = q;
  else free(q);
  return status;
}

/* Not ordered with the legacy default stream, on which other libraries work. */
nd_status ndi_queue_open(ndi_queue *q, nd_error *err) {
  const unsigned flags = CU_STREAM_NON_BLOCKING;
  if (q->stream) return ND_OK;
  if (q->is_foreign) return nd_fail(err, ND_STREAM_MISUSE, "the stream was closed");
  CUstream made = NULL;
  if (q->priority == 0) ND_TRY(ND_CU(q->device, cuStreamCreate(&made, flags), err));
  else ND_TRY(ND_CU(q->device, cuStreamCreateWithPriority(&made, flags, q->priority), err));
  q->stream = made;
  return ND_OK;
}

void ndi_cuda_close_queues(ndi_cuda *d) {
  for (ndi_queue *q = d->queues; q; q = q->next) {
    for (int i = 0; i < NDI_RING; i++)
      if (q->ring[i].event) ndi_cu.cuEventDestroy(q->ring[i].event);
    if (q->stream && !q->is_foreign) ndi_cu.cuStreamDestroy(q->stream);
  }
}

void ndi_cuda_reset_queues(ndi_cuda *d) {
  for (ndi_queue *q = d->queues; q; q = q->next) {
    for (int i = 0; i < NDI_RING; i++) {
      atomic_store(&q->ring[i].seq, 0);
      q->ring[i].event = NULL;
    }
    for (int i = 0; i < NDI_KNOWN; i++) q->known[i] = (nd_point){0};
    q->milestone = q->visible = 0;
    q->watch = NULL;
    q->stream = NULL;
    q->is_used = false;
    note_done(q, atomic_load(&q->enqueued));
  }
}

ndi_queue *ndi_queue_find(uint32_t number) { return nd_queue_context(number, &fence); }

bool ndi_cuda_is_async(void) { return nd_call_queue() != 0; }

ndi_queue *ndi_cuda_queue(ndi_cuda *d, const ndi_cuda *other) {
  ndi_queue *q = ndi_queue_find(nd_call_queue());
  return q && (q->device == d || q->device == other) ? q : &d->main;
}
