/* Events that scripts hold. They are given back to a list of their device by any thread, which
 * calls no driver, and are recorded again. */
#include <stdlib.h>

#include "dev/cuda/cuda.h"

struct ndi_event {
  nd_event base;
  ndi_event *next; /* in a list of free ones */
  ndi_cuda *device;
  CUevent event;
  bool has_timing;
  bool is_foreign; /* other code made it, and destroys it */
  nd_point at;     /* the queue's last when it was recorded; seq 0: it is foreign */
};

static const ndi_event *event_of(const nd_event *event) { return (const ndi_event *)event; }

/* {=== recording ===} */

static void take_returned(ndi_cuda *d) {
  ndi_event *next, *back = atomic_exchange(&d->returned, NULL);
  for (; back; back = next) {
    ndi_event **list = &d->events[back->has_timing];
    next = back->next, back->next = *list, *list = back;
  }
}

/* A free event of that kind; NULL: none. The submit lock is held, under which alone events are
 * taken off the lists; they are given back at any time. */
static ndi_event *find_event(ndi_cuda *d, bool has_timing) {
  take_returned(d);
  ndi_event *found = d->events[has_timing];
  if (found) d->events[has_timing] = found->next;
  return found;
}

static nd_status make_event(ndi_cuda *d, bool has_timing, ndi_event **out, nd_error *err) {
  ndi_event *e = calloc(1, sizeof *e);
  if (!e) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for an event");
  e->base = (nd_event){d->base.backend, d->base.ordinal};
  e->device = d;
  e->has_timing = has_timing;
  const unsigned flags = has_timing ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING;
  const nd_status status = ND_CU(d, cuEventCreate(&e->event, flags), err);
  if (status == ND_OK) *out = e;
  else free(e);
  return status;
}

/* The driver may not know whether it has timing: cuEventElapsedTime says so. */
nd_status ndi_cuda_check_event(ndi_cuda *d, CUevent event, nd_error *err) {
  const CUresult result = ndi_cu.cuEventQuery(event);
  if (result == CUDA_SUCCESS || result == CUDA_ERROR_NOT_READY) return ND_OK;
  if (result != CUDA_ERROR_INVALID_HANDLE && result != CUDA_ERROR_CAPTURED_EVENT)
    return ndi_cuda_check(d, result, "cuEventQuery", err);
  return nd_fail(
      err, ND_STREAM_MISUSE, "event %#llx on %s: %s", (unsigned long long)(uintptr_t)event, d->name,
      result == CUDA_ERROR_INVALID_HANDLE ? "the driver does not know it"
                                          : "it is part of a graph that is being captured");
}

nd_status ndi_event_adopt(nd_device *device, void *handle, nd_event **out, nd_error *err) {
  ndi_cuda *d = (ndi_cuda *)device;
  ND_VISIT(d, err);
  ND_TRY(ndi_cuda_check_event(d, (CUevent)handle, err));
  ndi_event *e = calloc(1, sizeof *e);
  if (!e) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for an event");
  *e = (ndi_event){.base = {d->base.backend, d->base.ordinal},
                   .device = d,
                   .event = (CUevent)handle,
                   .has_timing = true,
                   .is_foreign = true};
  atomic_fetch_add(&d->live_events, 1);
  *out = &e->base;
  return ND_OK;
}

void *ndi_event_handle(const nd_event *event) { return event_of(event)->event; }

static void give_event(ndi_event *e) {
  ndi_event *head = atomic_load(&e->device->returned);
  do e->next = head;
  while (!atomic_compare_exchange_weak(&e->device->returned, &head, e));
}

nd_status ndi_event_record(ndi_queue *q, bool has_timing, nd_event **out, nd_error *err) {
  ndi_event *e = find_event(q->device, has_timing);
  if (!e) ND_TRY(make_event(q->device, has_timing, &e, err));
  e->at = (nd_point){q->number, atomic_load(&q->enqueued)};
  const nd_status status = ND_CU(q->device, cuEventRecord(e->event, q->stream), err);
  if (status != ND_OK) return give_event(e), status;
  atomic_fetch_add(&q->device->live_events, 1);
  *out = &e->base;
  return ND_OK;
}

/* What the queue is told to wait for here it need not be told again. */
nd_status ndi_event_join(ndi_queue *q, const nd_event *event, nd_error *err) {
  const ndi_event *e = event_of(event);
  ND_TRY(ndi_cuda_check_lost(e->device, err));
  if (e->is_foreign) {
    /* it may be recorded again, as part of a graph that then takes the queue in */
    ND_TRY(ndi_cuda_check_event(e->device, e->event, err));
    q->is_shared = true;
  }
  ND_TRY(ND_CU(q->device, cuStreamWaitEvent(q->stream, e->event, 0), err));
  if (e->at.seq) ndi_queue_knows(q, e->at);
  return ND_OK;
}

/* {=== asking and waiting ===} */

nd_status ndi_event_query(const nd_event *event, bool *is_done, nd_error *err) {
  const ndi_event *e = event_of(event);
  ND_VISIT(e->device, err);
  const CUresult result = ndi_cu.cuEventQuery(e->event);
  *is_done = result != CUDA_ERROR_NOT_READY;
  return *is_done ? ndi_cuda_check(e->device, result, "cuEventQuery", err) : ND_OK;
}

nd_status ndi_event_wait(const nd_event *event, nd_error *err) {
  const ndi_event *e = event_of(event);
  ND_VISIT(e->device, err);
  return ND_CU(e->device, cuEventSynchronize(e->event), err);
}

/* The first of the two that is not done. */
static nd_status fail_not_reached(const nd_event *first, const nd_event *last, nd_error *err) {
  bool is_done = false;
  ND_TRY(ndi_event_query(first, &is_done, err));
  return nd_fail(err, ND_STREAM_MISUSE, "%s: the event is not reached yet; use e:synchronize()",
                 is_done && first != last ? "event" : "self");
}

nd_status ndi_event_elapsed(const nd_event *first, const nd_event *last, double *out,
                            nd_error *err) {
  const ndi_event *a = event_of(first), *b = event_of(last);
  float milliseconds = 0;
  if (!a->has_timing || !b->has_timing)
    return nd_fail(err, ND_INVALID_ARGUMENT,
                   "%s: the event has no timing; make it by s:record{timing = true}",
                   a->has_timing ? "event" : "self");
  ND_VISIT(a->device, err);
  const CUresult result = ndi_cu.cuEventElapsedTime
                              ? ndi_cu.cuEventElapsedTime(&milliseconds, a->event, b->event)
                          : ndi_cu.cuEventElapsedTime_v1
                              ? ndi_cu.cuEventElapsedTime_v1(&milliseconds, a->event, b->event)
                              : CUDA_ERROR_NOT_SUPPORTED;
  if (result == CUDA_ERROR_NOT_READY) return fail_not_reached(first, last, err);
  if (result == CUDA_ERROR_INVALID_HANDLE)
    return nd_fail(err, ND_INVALID_ARGUMENT, "an event of other code has no timing, or is gone");
  ND_TRY(ndi_cuda_check(a->device, result, "cuEventElapsedTime", err));
  *out = (double)milliseconds;
  return ND_OK;
}

void ndi_event_close(nd_event *event) {
  ndi_event *e = (ndi_event *)event;
  ndi_cuda *const d = e->device;
  if (e->is_foreign) free(e);
  else give_event(e);
  atomic_fetch_sub(&d->live_events, 1);
}

/* {=== with the device ===} */

void ndi_cuda_close_events(ndi_cuda *d, bool is_in) {
  ndi_event *next;
  take_returned(d);
  for (int i = 0; i < 2; i++) {
    for (ndi_event *e = d->events[i]; e; e = next) {
      next = e->next;
      if (is_in) ndi_cu.cuEventDestroy(e->event);
      free(e);
    }
    d->events[i] = NULL;
  }
}
