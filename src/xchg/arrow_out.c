/* Arrays as Arrow columns. Whoever gets a structure may move its children out and release them in
 * any order: so each child has an allocation of its own, and all that are of one export share a
 * counted record, which holds the exports of the storages and the bits that were packed. */
#include "xchg/arrow_out.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xchg/arrow_held.h"
#include "xchg/arrow_node.h"

static nd_status fail_memory(nd_error *err) {
  return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for an Arrow structure");
}

/* {=== schemas ===} Each is one allocation, with its texts. */

enum { METADATA = 4 + 2 * (4 + 64) + 32 * ND_MAX_NDIM };

typedef struct {
  char format[32], metadata[METADATA];
  char name[];
} schema_record;

static void release_schema(struct ArrowSchema *s) {
  ndi_arrow_free_below_schema(s);
  free(s->private_data);
  s->release = NULL;
}

static char *put_text(char *to, const char *text) {
  const int32_t length = (int32_t)strlen(text);
  memcpy(to, &length, sizeof length);
  memcpy(to + sizeof length, text, (size_t)length);
  return to + sizeof length + length;
}

/* The extension: a list of names and values, whose lengths are in front. */
static void put_tensor_metadata(const nd_view *v, char *to) {
  const int32_t pairs = 2;
  char shape[32 * ND_MAX_NDIM] = "{\"shape\":[";
  size_t used = strlen(shape);
  for (int i = 1; i < v->ndim; i++)
    used += (size_t)snprintf(shape + used, sizeof shape - used, "%s%zu", i > 1 ? "," : "",
                             v->axis[i].len);
  snprintf(shape + used, sizeof shape - used, "]}");
  memcpy(to, &pairs, sizeof pairs);
  to = put_text(to + sizeof pairs, "ARROW:extension:name");
  to = put_text(to, "arrow.fixed_shape_tensor");
  to = put_text(to, "ARROW:extension:metadata");
  put_text(to, shape);
}

/* One without children. Arrays have no nulls, but what others make of them may get some: other
 * libraries refuse to put columns together that differ in this. False: no memory. */
static bool make_schema(const char *format, const char *name, struct ArrowSchema *out) {
  const size_t bytes = strlen(name) + 1;
  schema_record *r = malloc(sizeof *r + bytes);
  if (!r) return false;
  snprintf(r->format, sizeof r->format, "%s", format);
  memcpy(r->name, name, bytes);
  *out = (struct ArrowSchema){.format = r->format,
                              .name = r->name,
                              .flags = ARROW_FLAG_NULLABLE,
                              .release = release_schema,
                              .private_data = r};
  return true;
}

/* Give a schema room for children, none of which is there yet. */
static bool make_room(struct ArrowSchema *s, int count) {
  s->children = calloc((size_t)count + 1, sizeof *s->children);
  return s->children != NULL;
}

/* A further child, which the caller fills; NULL: no memory. It counts once it is filled. */
static struct ArrowSchema *next_child(struct ArrowSchema *s) {
  return s->children[s->n_children] = calloc(1, sizeof *s);
}

static bool fill_schema(const ndi_arrow_out_column *c, struct ArrowSchema *out) {
  char format[32];
  const nd_view *v = &c->view;
  const char *name = c->name;
  if (c->held) return ndi_arrow_held_schema(c->held, name, out);
  const char *items = nd_dtype_get((nd_dtype)v->dtype)->arrow;
  if (v->ndim == 1) return make_schema(items, name, out);
  snprintf(format, sizeof format, "+w:%zu", ndi_arrow_items(v));
  if (!make_schema(format, name, out)) return false;
  struct ArrowSchema *child = make_room(out, 1) ? next_child(out) : NULL;
  if (!child || !make_schema(items, "item", child)) return free(child), release_schema(out), false;
  out->n_children = 1;
  if (v->ndim == 2) return true;
  schema_record *r = out->private_data;
  put_tensor_metadata(v, r->metadata);
  out->metadata = r->metadata;
  return true;
}

static bool fill_table_schema(const ndi_arrow_out *s, struct ArrowSchema *out) {
  if (!make_schema("+s", "", out)) return false;
  bool fine = make_room(out, s->count);
  for (int i = 0; i < s->count && fine; i++) {
    struct ArrowSchema *child = next_child(out);
    fine = child && fill_schema(&s->columns[i], child);
    if (fine) out->n_children++;
    else free(child);
  }
  if (!fine) release_schema(out);
  return fine;
}

static bool make_any_schema(const ndi_arrow_out *s, struct ArrowSchema *out) {
  if (s->is_table) return fill_table_schema(s, out);
  return fill_schema(&s->columns[0], out);
}

/* {=== arrays ===} */

typedef struct {
  ndi_arrow_out *of;
  const ndi_arrow_out_column *column; /* whose elements they are */
  const void *buffers[2];
} array_record;

static void release_array(struct ArrowArray *a) {
  array_record *r = a->private_data;
  ndi_arrow_free_below_array(a);
  ndi_arrow_out_drop(r->of);
  free(r);
  a->release = NULL;
}

/* 'buffers': 2 with data, 1 without; 'room': for children. */
static bool make_array(ndi_arrow_out *s, size_t length, int buffers, int room,
                       struct ArrowArray *out) {
  array_record *r = calloc(1, sizeof *r);
  struct ArrowArray **children = room ? calloc((size_t)room + 1, sizeof *children) : NULL;
  if (!r || (room && !children)) return free(r), free(children), false;
  r->of = ndi_arrow_out_hold(s);
  *out = (struct ArrowArray){.length = (int64_t)length,
                             .n_buffers = buffers,
                             .buffers = r->buffers,
                             .children = children,
                             .release = release_array,
                             .private_data = r};
  return true;
}

/* 'length' elements from 'first' on. */
static bool fill_items(ndi_arrow_out *s, const ndi_arrow_out_column *c, size_t first, size_t length,
                       struct ArrowArray *out) {
  if (!make_array(s, length, 2, 0, out)) return false;
  array_record *r = out->private_data;
  r->column = c;
  if (c->bits) out->offset = (int64_t)first, r->buffers[1] = c->bits;
  else if (c->data) r->buffers[1] = (const char *)c->data + first * nd_view_itemsize(&c->view);
  return true;
}

nd_storage *ndi_arrow_out_storage(const struct ArrowArray *a) {
  const array_record *r = a->release == release_array ? a->private_data : NULL;
  return r && r->column ? r->column->view.storage : NULL;
}

/* 'rows' rows from 'first' on. */
static bool fill_array(ndi_arrow_out *s, const ndi_arrow_out_column *c, size_t first, size_t rows,
                       struct ArrowArray *out) {
  const nd_view *v = &c->view;
  if (c->held) return ndi_arrow_held_array(c->held, first, rows, out);
  const size_t items = ndi_arrow_items(v);
  if (v->ndim == 1) return fill_items(s, c, first, rows, out);
  if (!make_array(s, rows, 1, 1, out)) return false;
  struct ArrowArray *child = out->children[0] = calloc(1, sizeof *child);
  if (!child || !fill_items(s, c, first * items, rows * items, child))
    return free(child), release_array(out), false;
  out->n_children = 1;
  return true;
}

static bool fill_table(ndi_arrow_out *s, size_t first, size_t rows, struct ArrowArray *out) {
  const int count = s->count;
  if (!make_array(s, rows, 1, count, out)) return false;
  for (int i = 0; i < count; i++) {
    struct ArrowArray *child = out->children[i] = calloc(1, sizeof *child);
    if (!child || !fill_array(s, &s->columns[i], first, rows, child))
      return free(child), release_array(out), false;
    out->n_children++;
  }
  return true;
}

static nd_status export_shared(ndi_arrow_out *s, struct ArrowSchema *schema,
                               struct ArrowArray *array, nd_error *err) {
  if (!make_any_schema(s, schema)) return fail_memory(err);
  if (s->is_table ? fill_table(s, 0, s->rows, array)
                  : fill_array(s, &s->columns[0], 0, s->rows, array))
    return ND_OK;
  schema->release(schema);
  return fail_memory(err);
}

nd_status nd_arrow_export(int count, const nd_arrow_column *columns, bool is_table,
                          struct ArrowSchema *schema, struct ArrowArray *array, bool *is_copied,
                          nd_error *err) {
  ndi_arrow_out *s = NULL;
  ND_TRY(ndi_arrow_out_make(count, columns, is_table, false, &s, is_copied, err));
  const nd_status status = export_shared(s, schema, array, err);
  ndi_arrow_out_drop(s); /* the array holds it now */
  return status;
}

/* {=== devices ===} */

static nd_status fail_places(const nd_place *one, const nd_place *other, nd_error *err) {
  char text[2][64];
  return nd_fail(err, ND_INVALID_ARGUMENT, "the columns are on several devices: %s, %s",
                 nd_place_text(one, text[0], sizeof text[0]),
                 nd_place_text(other, text[1], sizeof text[1]));
}

/* Where all columns are. What is copied stays there. */
static nd_status find_place(int count, const nd_arrow_column *columns, nd_place *out,
                            nd_error *err) {
  bool has_one = false;
  *out = (nd_place){.kind = ND_MEM_HOST};
  for (int i = 0; i < count; i++) {
    if (!columns[i].array) continue; /* on the host: refused elsewhere */
    ND_TRY(nd_storage_allocate(columns[i].array->storage, err)); /* pinned memory may not be had */
    nd_place its = nd_place_of(columns[i].array->storage);
    if (its.kind == ND_MEM_FILE) its = (nd_place){.kind = ND_MEM_HOST};
    if (!has_one) *out = its, has_one = true;
    else if (its.kind != out->kind || its.ordinal != out->ordinal)
      return fail_places(out, &its, err);
  }
  return ND_OK;
}

/* An event behind all work on the columns. */
static nd_status record_event(ndi_arrow_out *s, const nd_place *place, nd_error *err) {
  const nd_place device = {
      .backend = place->backend, .kind = ND_MEM_DEVICE, .ordinal = place->ordinal};
  nd_stream stream;
  ND_TRY(nd_stream_default(&device, &stream, err));
  for (int i = 0; i < s->count; i++)
    ND_TRY(nd_stream_wait_view(&stream, &s->columns[i].view, false, err));
  ND_TRY(nd_stream_record(&stream, false, &s->event, err));
  s->handle = nd_event_handle(s->event);
  return ND_OK;
}

static nd_status export_on(const nd_place *place, ndi_arrow_out *s, struct ArrowSchema *schema,
                           struct ArrowDeviceArray *array, nd_error *err) {
  const bool has_streams = place->kind == ND_MEM_DEVICE || place->kind == ND_MEM_MANAGED;
  char *unused;
  for (int i = 0; i < s->count && !has_streams; i++)
    if (s->columns[i].view.storage)
      ND_TRY(nd_storage_expose(s->columns[i].view.storage, &unused, err));
  bool is_ordinary = place->kind == ND_MEM_HOST; /* is some of it malloc's? */
  for (int i = 0; i < s->count; i++) is_ordinary |= s->columns[i].bits || s->columns[i].held;
  const nd_place host = {.kind = ND_MEM_HOST}, *as = is_ordinary ? &host : place;
  if (has_streams) ND_TRY(record_event(s, place, err));
  /* which the host has none of */
  *array = (struct ArrowDeviceArray){.device_id = as->kind == ND_MEM_HOST ? -1 : as->ordinal,
                                     .device_type = nd_place_dlpack(as),
                                     .sync_event = s->event ? &s->handle : NULL};
  return export_shared(s, schema, &array->array, err);
}

nd_status nd_arrow_export_device(int count, const nd_arrow_column *columns, bool is_table,
                                 struct ArrowSchema *schema, struct ArrowDeviceArray *array,
                                 bool *is_copied, nd_error *err) {
  ndi_arrow_out *s = NULL;
  nd_place place;
  ND_TRY(find_place(count, columns, &place, err));
  const bool is_host = place.kind == ND_MEM_HOST || place.kind == ND_MEM_PINNED;
  ND_TRY(ndi_arrow_out_make(count, columns, is_table, !is_host, &s, is_copied, err));
  const nd_status status = export_on(&place, s, schema, array, err);
  ndi_arrow_out_drop(s);
  return status;
}

/* {=== streams ===} */

typedef struct {
  ndi_arrow_out *of;
  size_t next, rows;
} stream_record;

static int stream_schema(struct ArrowArrayStream *self, struct ArrowSchema *out) {
  return make_any_schema(((stream_record *)self->private_data)->of, out) ? 0 : ENOMEM;
}

static int stream_next(struct ArrowArrayStream *self, struct ArrowArray *out) {
  stream_record *r = self->private_data;
  const size_t left = r->of->rows - r->next, rows = left < r->rows ? left : r->rows;
  if (rows == 0) return out->release = NULL, 0; /* the end */
  if (!fill_table(r->of, r->next, rows, out)) return ENOMEM;
  r->next += rows;
  return 0;
}

static const char *stream_error(struct ArrowArrayStream *self) {
  (void)self;
  return "no memory for an Arrow structure";
}

static void release_stream(struct ArrowArrayStream *self) {
  stream_record *r = self->private_data;
  ndi_arrow_out_drop(r->of);
  free(r);
  self->release = NULL;
}

nd_status nd_arrow_export_stream(int count, const nd_arrow_column *columns, size_t rows,
                                 struct ArrowArrayStream *out, bool *is_copied, nd_error *err) {
  stream_record *r = malloc(sizeof *r);
  if (!r) return fail_memory(err);
  const nd_status status = ndi_arrow_out_make(count, columns, true, false, &r->of, is_copied, err);
  if (status != ND_OK) return free(r), status;
  r->next = 0, r->rows = rows;
  *out = (struct ArrowArrayStream){.get_schema = stream_schema,
                                   .get_next = stream_next,
                                   .get_last_error = stream_error,
                                   .release = release_stream,
                                   .private_data = r};
  return ND_OK;
}
