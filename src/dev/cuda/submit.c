/* Submitting work: one lock for all devices, since a copy between two concerns the queues of both.
 * Under it a piece of work is ordered after the uses that it conflicts with, enqueued, numbered,
 * and noted as a use itself. So of two threads one comes first, for the driver and for the records
 * alike. */
#include "dev/cuda/cuda.h"
#include "mem/foreign.h"

/* {=== order ===} */

/* From the second queue on that is used, each operation gets an event, so that other queues need
 * not wait for what follows it. Until then no driver object is made: the CPU waits by milestones,
 * another queue for all that is on the first by then. */
static ndi_queue *first_used; /* since the devices were opened; guarded by the lock, as is: */
static bool are_several;

static void note_used(ndi_queue *q) {
  if (q->is_used) return;
  if (first_used && !first_used->is_used) first_used = NULL; /* closed since */
  are_several = first_used != NULL;
  if (!first_used) first_used = q;
  q->is_used = true;
}

void ndi_queue_knows(ndi_queue *q, nd_point point) {
  nd_point *known = &q->known[point.queue % NDI_KNOWN];
  if (known->queue != point.queue || known->seq < point.seq) *known = point;
}

/* Other code may be capturing the stream, whose event would then be the graph's. */
static nd_status record_end(ndi_queue *q, nd_error *err) {
  ND_VISIT(q->device, err);
  ND_TRY(ndi_queue_check_end(q, err));
  if (q->is_shared) ND_TRY(ndi_cuda_check_capture(q->device, q->stream, err));
  return ndi_queue_record(q, err);
}

nd_status ndi_queue_join(ndi_queue *q, nd_point point, nd_error *err) {
  ndi_queue *other = ndi_queue_find(point.queue);
  if (!other || other == q || ndi_queue_is_reached(other, point.seq)) return ND_OK;
  const nd_point *known = &q->known[point.queue % NDI_KNOWN];
  if (known->queue == point.queue && known->seq >= point.seq) return ND_OK;
  uint64_t found = 0;
  ND_TRY(ndi_cuda_check_lost(other->device, err));
  if (!ndi_queue_event(other, point.seq, &found)) ND_TRY(record_end(other, err));
  const CUevent event = ndi_queue_event(other, point.seq, &found);
  ND_VISIT(q->device, err);
  ND_TRY(ND_CU(q->device, cuStreamWaitEvent(q->stream, event, 0), err));
  ndi_queue_knows(q, (nd_point){point.queue, found});
  return ND_OK;
}

static nd_status join_all(ndi_queue *q, const nd_uses *uses, nd_error *err) {
  for (int i = 0; i < uses->count; i++) ND_TRY(ndi_queue_join(q, uses->use[i].at, err));
  return ND_OK;
}

/* Where the record has no room for the queue, it comes after one more use than it has to, and
 * stands for that. */
static nd_status order_after(ndi_queue *q, ndi_access *access, nd_error *err) {
  nd_uses before;
  nd_storage_conflicts(access->storage, &access->use, &before);
  ND_TRY(join_all(q, &before, err));
  access->over = (nd_use){0};
  if (!nd_storage_is_full(access->storage, q->number, &access->over)) return ND_OK;
  return ndi_queue_join(q, access->over.at, err);
}

static nd_status order(ndi_queue *q, int count, ndi_access *accesses, nd_error *err) {
  ND_TRY(ndi_queue_open(q, err));
  if (q->is_shared) ND_TRY(ndi_cuda_check_stream(q, err));
  note_used(q);
  /* what follows is not waited for with what there is; that of an adopted stream has events */
  if (!q->is_foreign) ndi_milestone_set(q);
  for (int i = 0; i < count; i++) ND_TRY(order_after(q, &accesses[i], err));
  return ND_OK;
}

/* May the CPU come to wait for any of it? */
static bool are_visible(int count, const ndi_access *accesses) {
  for (int i = 0; i < count; i++)
    if (accesses[i].storage->host) return true;
  return false;
}

nd_status ndi_cuda_begin(ndi_queue *q, int count, ndi_access *accesses, nd_error *err) {
  for (int i = 0; i < count; i++) nd_storage_tidy(accesses[i].storage);
  if (are_visible(count, accesses)) ndi_milestone_prepare(q->device);
  ndi_submit_lock();
  const nd_status status = order(q, count, accesses, err);
  if (status != ND_OK) ndi_submit_unlock();
  return status;
}

nd_status ndi_cuda_prepare(ndi_queue *q, nd_error *err) {
  ND_TRY(ndi_cuda_begin(q, 0, NULL, err));
  ndi_submit_unlock();
  return ND_OK;
}

/* {=== numbers ===} */

/* Number what was enqueued last. Where the event that it needs cannot be recorded, '*has_none' is
 * set: then the caller waits for the queue, without the lock. */
static nd_point number(ndi_queue *q, bool has_event, bool is_visible, bool *has_none) {
  const uint64_t seq = atomic_load(&q->enqueued) + 1;
  atomic_store(&q->enqueued, seq);
  if (is_visible) q->visible = seq;
  /* other code may enqueue something at any time. Before the event, as an adopted queue is free for
   * another stream when its last event is reached. */
  if (q->is_shared) ndi_milestone_set(q);
  *has_none = (has_event || are_several || q->is_foreign) && ndi_queue_record(q, NULL) != ND_OK;
  return (nd_point){q->number, seq};
}

nd_status ndi_cuda_end(ndi_queue *q, int count, ndi_access *accesses, nd_status status,
                       nd_error *err) {
  bool is_awaited = false, has_none, waits = false;
  nd_error *const own = status == ND_OK ? err : NULL; /* the first failure is the one to tell */
  for (int i = 0; i < count; i++) is_awaited |= accesses[i].is_awaited;
  const bool has_event = is_awaited && !ndi_milestone_is_possible(q);
  const nd_point at = number(q, has_event, are_visible(count, accesses), &has_none);
  for (int i = 0; i < count; i++) {
    const nd_use *over = accesses[i].over.at.seq ? &accesses[i].over : NULL;
    accesses[i].use.at = at;
    waits |= nd_storage_note(accesses[i].storage, &accesses[i].use, over);
  }
  ndi_submit_unlock();
  nd_status ended = has_none ? ndi_queue_sync(q, own) : waits ? nd_point_wait(at, own) : ND_OK;
  if (ended == ND_OK) ended = ndi_cuda_finish(q->device, own);
  return status == ND_OK ? ended : status;
}

nd_status ndi_cuda_mark(ndi_queue *q, nd_point *out, nd_error *err) {
  bool has_none;
  ndi_submit_lock();
  *out = number(q, false, false, &has_none);
  ndi_submit_unlock();
  return has_none ? ndi_queue_sync(q, err) : ND_OK;
}

/* Is any managed memory live? Devices that cannot share it with the CPU must be idle while the CPU
 * touches it. */
static bool is_managed_live(void) {
  if (nd_foreign_managed()) return true;
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

/* {=== frees, fills, fetches ===} */

/* The uses of 'after' that a free has to come after: not those of a device that was lost. If there
 * are several, the driver is asked which are done: mostly all. */
static void find_left(const nd_uses *after, nd_uses *out) {
  out->count = 0;
  for (int i = 0; after && i < after->count; i++) {
    const ndi_queue *q = ndi_queue_find(after->use[i].at.queue);
    if (q && !q->device->lost && !ndi_queue_is_reached(q, after->use[i].at.seq))
      out->use[out->count++] = after->use[i];
  }
  if (out->count > 1) ndi_uses_settle(out);
}

/* The queue to free on. False: they are on several, or on one that other code may have destroyed.
 */
static bool find_queue(ndi_cuda *d, const nd_uses *after, uint32_t usual, ndi_queue **out) {
  ndi_queue *found = NULL;
  for (int i = 0; i < after->count; i++) {
    ndi_queue *q = ndi_queue_find(after->use[i].at.queue);
    if (!q || q == found) continue;
    if (found || q->device != d || q->is_foreign) return false;
    found = q;
  }
  if (!found) found = ndi_queue_find(usual);
  *out = found && found->device == d && !found->is_foreign ? found : &d->main;
  return true;
}

/* That queue, made if need be, after all uses. */
static nd_status open_queue(ndi_cuda *d, const nd_uses *after, uint32_t usual, ndi_queue **out,
                            nd_error *err) {
  if (!find_queue(d, after, usual, out)) {
    /* one of its own, so that no work that follows has to wait for the uses */
    if (!d->reaper) ND_TRY(ndi_queue_make(d, false, &d->reaper, err));
    *out = d->reaper;
  }
  ND_TRY(order(*out, 0, NULL, err));
  return join_all(*out, after, err);
}

static nd_status enqueue_free(ndi_cuda *d, CUdeviceptr at, const nd_uses *after, uint32_t usual,
                              nd_error *err) {
  bool has_none;
  ndi_queue *q;
  ND_TRY(open_queue(d, after, usual, &q, err));
  ND_TRY(ND_CU(d, cuMemFreeAsync(at, q->stream), err));
  number(q, false, false,
         &has_none); /* a free is work on the stream too: waits and idle checks see it */
  return ND_OK;
}

static nd_status enqueue_fill(ndi_queue *q, CUdeviceptr at, size_t bytes, uint8_t value,
                              const nd_uses *after, nd_error *err) {
  ND_TRY(order(q, 0, NULL, err));
  if (after) ND_TRY(join_all(q, after, err));
  return ND_CU(q->device, cuMemsetD8Async(at, value, bytes, q->stream), err);
}

nd_status ndi_cuda_fill_after(ndi_queue *q, CUdeviceptr at, size_t bytes, uint8_t value,
                              const nd_uses *after, nd_point *ready, nd_error *err) {
  bool has_none = false;
  ND_VISIT(q->device, err);
  ndi_submit_lock();
  nd_status status = enqueue_fill(q, at, bytes, value, after, err);
  if (status == ND_OK) *ready = number(q, false, false, &has_none);
  ndi_submit_unlock();
  if (has_none) status = ndi_queue_sync(q, err);
  return status == ND_OK ? ndi_cuda_finish(q->device, err) : status;
}

static nd_status enqueue_fetch(ndi_cuda *d, CUdeviceptr at, size_t bytes, void *to,
                               const nd_uses *after, uint32_t usual, ndi_queue **q, nd_error *err) {
  ND_TRY(open_queue(d, after, usual, q, err));
  return ND_CU(d, cuMemcpyDtoHAsync(to, at, bytes, (*q)->stream), err);
}

nd_status ndi_cuda_fetch_after(ndi_cuda *d, CUdeviceptr at, size_t bytes, void *to,
                               const nd_uses *after, uint32_t usual, nd_point *ready,
                               nd_error *err) {
  bool has_none = false;
  nd_uses left;
  ndi_queue *q;
  ND_VISIT(d, err);
  find_left(after, &left);
  ndi_milestone_prepare(d); /* the CPU waits for it */
  ndi_submit_lock();
  nd_status status = enqueue_fetch(d, at, bytes, to, &left, usual, &q, err);
  if (status == ND_OK) *ready = number(q, false, true, &has_none);
  ndi_submit_unlock();
  if (has_none) status = ndi_queue_sync(q, err);
  return status == ND_OK ? ndi_cuda_finish(d, err) : status;
}

nd_status ndi_cuda_free_after(ndi_cuda *d, CUdeviceptr at, const nd_uses *after, uint32_t usual,
                              nd_error *err) {
  nd_uses left;
  ND_VISIT(d, err);
  find_left(after, &left);
  ndi_submit_lock();
  const nd_status status = enqueue_free(d, at, &left, usual, err);
  ndi_submit_unlock();
  return status;
}
