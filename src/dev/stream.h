/* Streams: queues of a device that scripts name, so that work on them may overlap; events, which
 * mark a point of one. Whatever the streams, work on the same bytes happens in the order of the
 * calls. */
#ifndef ND_DEV_STREAM_H
#define ND_DEV_STREAM_H

#include "dev/place.h"

/* A handle: copied by value. Whoever opened it closes it, once. */
typedef struct {
  const nd_backend *backend;
  int ordinal;    /* of the device */
  uint32_t queue; /* for nd_call; its number in mem/fence.h */
  uint64_t id;    /* never used again in this process */
  int priority;   /* the lower, the sooner its work runs; 0 is the least */
} nd_stream;

typedef struct nd_event nd_event;

/* Streams of a device, a parsed place, come from a pool with a limit. ND_CAPACITY beyond it,
 * ND_INVALID_ARGUMENT for a priority that the device lacks, ND_UNSUPPORTED where the backend has no
 * streams. */
nd_status nd_stream_open(const nd_place *place, int priority, nd_stream *out, nd_error *err);

/* The stream on which work goes for which none is named. Not to be closed. */
nd_status nd_stream_default(const nd_place *place, nd_stream *out, nd_error *err);

/* A stream that other code made, by the handle of the backend's driver. It has to exist until it is
 * closed here. ND_STREAM_MISUSE for one that is being captured, or is another context's. */
nd_status nd_stream_adopt(const nd_place *place, void *handle, nd_stream *out, nd_error *err);

/* The stream may be opened again by others, under another id; its work goes on. Any thread; calls
 * no driver. */
void nd_stream_close(const nd_stream *self);

/* The driver's handle, valid until the stream is closed. */
nd_status nd_stream_handle(const nd_stream *self, void **out, nd_error *err);

/* Is all work on it done? Wait until it is. */
nd_status nd_stream_query(const nd_stream *self, bool *is_done, nd_error *err);
nd_status nd_stream_wait(const nd_stream *self, nd_error *err);

/* Make an event at the stream's present end; with 'has_timing' it can be timed. */
nd_status nd_stream_record(const nd_stream *self, bool has_timing, nd_event **out, nd_error *err);

/* Let all later work on the stream, of whatever device, wait for the event. */
nd_status nd_stream_wait_event(const nd_stream *self, const nd_event *event, nd_error *err);

/* Let all later work on the stream wait for the work in flight on a view of its backend's memory,
 * or with 'for_write' false for what writes there. */
nd_status nd_stream_wait_view(const nd_stream *self, const nd_view *view, bool for_write,
                              nd_error *err);

nd_status nd_event_query(const nd_event *self, bool *is_done, nd_error *err);
nd_status nd_event_wait(const nd_event *self, nd_error *err);

/* Milliseconds from the first to the second. ND_INVALID_ARGUMENT where one has no timing or they
 * are of two devices, ND_STREAM_MISUSE where one is not reached yet. */
nd_status nd_event_elapsed(const nd_event *first, const nd_event *last, double *out, nd_error *err);

/* An event that other code made, by the handle of the backend's driver. It has to exist until it is
 * closed here, which does not destroy it. ND_STREAM_MISUSE where the driver does not know it, or it
 * is one of a graph. */
nd_status nd_event_adopt(const nd_place *place, void *handle, nd_event **out, nd_error *err);

/* The driver's handle, valid until the event is closed. */
void *nd_event_handle(const nd_event *self);

/* Any thread; calls no driver. NULL is a no-op. */
void nd_event_close(nd_event *self);

/* What a backend implements of the above. A backend's events begin with an nd_event. */
struct nd_event {
  const nd_backend *backend;
  int ordinal;
};

struct nd_stream_ops {
  nd_status (*open)(nd_device *device, int priority, nd_stream *out, nd_error *err);
  nd_status (*get_default)(nd_device *device, nd_stream *out, nd_error *err);
  nd_status (*adopt)(nd_device *device, void *handle, nd_stream *out, nd_error *err);
  void (*close)(const nd_stream *self);
  nd_status (*handle)(const nd_stream *self, void **out, nd_error *err);
  nd_status (*query)(const nd_stream *self, bool *is_done, nd_error *err);
  nd_status (*wait)(const nd_stream *self, nd_error *err);
  nd_status (*record)(const nd_stream *self, bool has_timing, nd_event **out, nd_error *err);
  nd_status (*wait_event)(const nd_stream *self, const nd_event *event, nd_error *err);
  nd_status (*wait_use)(const nd_stream *self, nd_storage *storage, const nd_use *access,
                        nd_error *err);
  nd_status (*event_query)(const nd_event *event, bool *is_done, nd_error *err);
  nd_status (*event_wait)(const nd_event *event, nd_error *err);
  nd_status (*elapsed)(const nd_event *first, const nd_event *last, double *out, nd_error *err);
  nd_status (*adopt_event)(nd_device *device, void *handle, nd_event **out, nd_error *err);
  void *(*event_handle)(const nd_event *event);
  void (*event_close)(nd_event *event);
};

#endif
