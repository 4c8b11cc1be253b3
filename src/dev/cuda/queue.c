/* The queue of a CUDA device: one stream, on which all its work goes in order, and the points that
 * storages wait for (mem/fence.h).
 *
 * Work is enqueued first and gets its point's number afterwards. So once the stream is found empty,
 * every number that was read before that is done. A stream that never runs empty cannot be asked
 * like this: an event is recorded in it, and when the event is reached, all points before it are
 * done. There is at most one such event, and none as long as nobody asks. */
#include "dev/cuda/cuda.h"

/* {=== waiting ===} */

nd_point ndi_cuda_mark(ndi_cuda *d) {
  return (nd_point){.queue = d->queue, .seq = atomic_fetch_add(&d->enqueued, 1) + 1};
}

/* Raise 'done' to 'seq'; it never falls, whatever order threads come in. */
static void note_done(ndi_cuda *d, uint64_t seq) {
  uint64_t done = atomic_load(&d->done);
  while (done < seq && !atomic_compare_exchange_weak(&d->done, &done, seq)) continue;
}

/* The number is read before the wait: of points that are given out meanwhile nothing is known. */
nd_status ndi_cuda_wait(ndi_cuda *d, nd_error *err) {
  const uint64_t seq = atomic_load(&d->enqueued);
  ND_VISIT(d, err);
  ND_TRY(ND_CU(d, cuStreamSynchronize(d->stream), err));
  note_done(d, seq);
  return ND_OK;
}

/* Is any managed memory live? Devices that cannot share it with the CPU must be idle while the CPU
 * touches it. */
static bool is_managed_live(void) {
  for (int i = 0; i < ND_DEVICES; i++) {
    ndi_cuda *d = ndi_cuda_find(i);
    if (d && ndi_counters_now(&d->managed.counters)) return true;
  }
  return false;
}

nd_status ndi_cuda_finish(ndi_cuda *d, nd_error *err) {
  const bool is_shared = d->properties.is_concurrent || !is_managed_live();
  return is_shared && !ndi_cuda_is_synchronous() ? ND_OK : ndi_cuda_wait(d, err);
}

nd_status ndi_cuda_wait_all(nd_error *err) {
  for (int i = 0; i < ND_DEVICES; i++) {
    ndi_cuda *d = ndi_cuda_find(i);
    if (d && d->is_open) ND_TRY(ndi_cuda_wait(d, err));
  }
  return ND_OK;
}

static nd_status record_joint(ndi_cuda *d, nd_error *err) {
  ND_VISIT(d, err);
  return ND_CU(d, cuEventRecord(d->joint, d->stream), err);
}

/* Another thread may record the event again before the wait is enqueued. Then 'later' waits for a
 * later point, which does no harm. */
nd_status ndi_cuda_join(ndi_cuda *later, ndi_cuda *earlier, nd_error *err) {
  ND_TRY(record_joint(earlier, err));
  ND_VISIT(later, err);
  return ND_CU(later, cuStreamWaitEvent(later->stream, earlier->joint, 0), err);
}

/* Is the point reached? In a lost context or a forked child nothing will ever finish, so nothing is
 * waited for. */
static bool is_reached(const ndi_cuda *d, uint64_t seq) {
  return atomic_load(&d->done) >= seq || d->lost || ndi_cuda_is_forked();
}

/* Has the stream reached the event? */
static void poll_mark(ndi_cuda *d) {
  const CUresult result = ndi_cu.cuEventQuery(d->mark);
  if (result == CUDA_SUCCESS) note_done(d, d->marked);
  else if (result != CUDA_ERROR_NOT_READY) ndi_cuda_check(d, result, "cuEventQuery", NULL);
  if (result != CUDA_ERROR_NOT_READY) d->marked = 0;
}

/* Is the stream empty? If not, record the event, so that a later question can be answered although
 * new work keeps coming. */
static void poll_stream(ndi_cuda *d) {
  const uint64_t seq = atomic_load(&d->enqueued);
  const CUresult result = ndi_cu.cuStreamQuery(d->stream);
  if (result == CUDA_SUCCESS) note_done(d, seq);
  else if (result != CUDA_ERROR_NOT_READY) ndi_cuda_check(d, result, "cuStreamQuery", NULL);
  else if (ND_CU(d, cuEventRecord(d->mark, d->stream), NULL) == ND_OK) d->marked = seq;
}

/* Ask the driver how far the stream has come. One thread asks at a time; the others do not wait for
 * it and take the old answer. While the event is not reached, nothing after it is, so a second one
 * would tell no more. */
static bool poll_queue(ndi_cuda *d, uint64_t seq) {
  if (is_reached(d, seq) || atomic_flag_test_and_set(&d->is_polling)) return is_reached(d, seq);
  ndi_visit visit = {0};
  if (d->is_open && ndi_cuda_enter(d, &visit, NULL) == ND_OK) {
    if (d->marked) poll_mark(d);
    if (!d->marked && !is_reached(d, seq)) poll_stream(d);
    ndi_cuda_leave(&visit);
  }
  atomic_flag_clear(&d->is_polling);
  return is_reached(d, seq);
}

static bool point_is_done(void *context, nd_point point) { return poll_queue(context, point.seq); }

bool ndi_cuda_is_idle(ndi_cuda *d) { return poll_queue(d, atomic_load(&d->enqueued)); }

static nd_status point_wait(void *context, nd_point point, nd_error *err) {
  ndi_cuda *d = context;
  return atomic_load(&d->done) >= point.seq ? ND_OK : ndi_cuda_wait(d, err);
}

/* {=== opening ===} */

nd_status ndi_cuda_make_queue(ndi_cuda *d, nd_error *err) {
  static const nd_fence_ops fence = {.is_done = point_is_done, .wait = point_wait};
  return nd_queue_open(&fence, d, &d->queue, err);
}

nd_status ndi_cuda_open_queue(ndi_cuda *d, nd_error *err) {
  ND_VISIT(d, err);
  /* not ordered with the legacy default stream, on which other libraries work */
  ND_TRY(ND_CU(d, cuStreamCreate(&d->stream, CU_STREAM_NON_BLOCKING), err));
  ND_TRY(ND_CU(d, cuEventCreate(&d->joint, CU_EVENT_DISABLE_TIMING), err));
  return ND_CU(d, cuEventCreate(&d->mark, CU_EVENT_DISABLE_TIMING), err);
}

void ndi_cuda_close_queue(ndi_cuda *d) {
  if (d->joint) ndi_cu.cuEventDestroy(d->joint);
  if (d->mark) ndi_cu.cuEventDestroy(d->mark);
  if (d->stream) ndi_cu.cuStreamDestroy(d->stream);
}

void ndi_cuda_reset_queue(ndi_cuda *d) {
  d->joint = d->mark = NULL, d->stream = NULL;
  d->marked = 0;
  note_done(d, atomic_load(&d->enqueued));
}
