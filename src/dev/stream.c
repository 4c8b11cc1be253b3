/* Streams and events, as the backends implement them. */
#include "dev/stream.h"

#include "dev/backend.h"

static const nd_stream_ops *ops_of(const nd_stream *self) { return self->backend->streams; }

/* The device of a place, opened, and the functions of its backend. */
static nd_status find(const nd_place *place, nd_device **device, const nd_stream_ops **ops,
                      nd_error *err) {
  char text[64];
  *ops = place->backend && place->kind == ND_MEM_DEVICE ? place->backend->streams : NULL;
  if (*ops) return nd_place_device(place, device, err);
  return nd_fail(err, ND_UNSUPPORTED, "%s has no streams; expected cuda:n",
                 nd_place_text(place, text, sizeof text));
}

nd_status nd_stream_open(const nd_place *place, int priority, nd_stream *out, nd_error *err) {
  nd_device *device;
  const nd_stream_ops *ops;
  ND_TRY(find(place, &device, &ops, err));
  return ops->open(device, priority, out, err);
}

nd_status nd_stream_default(const nd_place *place, nd_stream *out, nd_error *err) {
  nd_device *device;
  const nd_stream_ops *ops;
  ND_TRY(find(place, &device, &ops, err));
  return ops->get_default(device, out, err);
}

nd_status nd_stream_adopt(const nd_place *place, void *handle, nd_stream *out, nd_error *err) {
  nd_device *device;
  const nd_stream_ops *ops;
  ND_TRY(find(place, &device, &ops, err));
  return ops->adopt(device, handle, out, err);
}

void nd_stream_close(const nd_stream *self) { ops_of(self)->close(self); }

nd_status nd_stream_handle(const nd_stream *self, void **out, nd_error *err) {
  return ops_of(self)->handle(self, out, err);
}

nd_status nd_stream_query(const nd_stream *self, bool *is_done, nd_error *err) {
  return ops_of(self)->query(self, is_done, err);
}

nd_status nd_stream_wait(const nd_stream *self, nd_error *err) {
  return ops_of(self)->wait(self, err);
}

nd_status nd_stream_record(const nd_stream *self, bool has_timing, nd_event **out, nd_error *err) {
  return ops_of(self)->record(self, has_timing, out, err);
}

nd_status nd_stream_wait_event(const nd_stream *self, const nd_event *event, nd_error *err) {
  if (event->backend == self->backend) return ops_of(self)->wait_event(self, event, err);
  return nd_fail(err, ND_INVALID_ARGUMENT, "the event is one of %s", event->backend->name);
}

nd_status nd_stream_wait_view(const nd_stream *self, const nd_view *view, bool for_write,
                              nd_error *err) {
  nd_use access = {.is_write = for_write};
  nd_view_span(view, &access.lo, &access.hi);
  return ops_of(self)->wait_use(self, view->storage, &access, err);
}

nd_status nd_event_query(const nd_event *self, bool *is_done, nd_error *err) {
  return self->backend->streams->event_query(self, is_done, err);
}

nd_status nd_event_wait(const nd_event *self, nd_error *err) {
  return self->backend->streams->event_wait(self, err);
}

nd_status nd_event_elapsed(const nd_event *first, const nd_event *last, double *out,
                           nd_error *err) {
  if (first->backend == last->backend && first->ordinal == last->ordinal)
    return first->backend->streams->elapsed(first, last, out, err);
  return nd_fail_with(err, ND_INVALID_ARGUMENT,
                      ND_NUMBERS({"expected", first->ordinal}, {"actual", last->ordinal}),
                      "event: it is of %s:%d, and self is of %s:%d; they have to be of one GPU",
                      last->backend->name, last->ordinal, first->backend->name, first->ordinal);
}

nd_status nd_event_adopt(const nd_place *place, void *handle, nd_event **out, nd_error *err) {
  nd_device *device;
  const nd_stream_ops *ops;
  ND_TRY(find(place, &device, &ops, err));
  return ops->adopt_event(device, handle, out, err);
}

void *nd_event_handle(const nd_event *self) { return self->backend->streams->event_handle(self); }

void nd_event_close(nd_event *self) {
  if (self) self->backend->streams->event_close(self);
}
