/* Arrow columns as arrays. The pointers in the structures are trusted, the numbers are not: lengths
 * and offsets have to fit to each other.
 *
 * Views of a column's bytes hold a counted record with the structure, which is released with the
 * last of them. Until nd_arrow_accept that is nobody's to release but the caller's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/call.h"
#include "base/size.h"
#include "dev/place.h"
#include "mem/host.h"
#include "ops/ops.h"
#include "xchg/arrow_held.h"
#include "xchg/arrow_out.h"
#include "xchg/arrow_tensor.h"
#include "xchg/bits.h"
#include "xchg/dlpack.h"
#include "xchg/over.h"

typedef struct {
  atomic_uint holds;
  bool is_accepted;
  struct ArrowArray array;
  nd_place place; /* where its buffers are; with a driver that has events: */
  void *event;    /* which its bytes are there after; NULL: nothing is to be waited for */
} holder;

typedef struct {
  const char *name;
  nd_arrow_held *held; /* where there are no values */
  bool has_validity;
  nd_view values, validity; /* 'values' without a storage: there are none */
} column;

struct nd_arrow_batch {
  holder *of;
  bool is_table;
  int count;
  column columns[];
};

static void hold(void *owner) { atomic_fetch_add(&((holder *)owner)->holds, 1); }

static void drop(void *owner) {
  holder *h = owner;
  if (atomic_fetch_sub(&h->holds, 1) != 1) return;
  if (h->is_accepted) h->array.release(&h->array);
  free(h);
}

/* {=== failures ===} What they are of is said by read_column. */

static nd_status fail(nd_status code, const char *what, nd_error *err) {
  return nd_fail(err, code, "%s", what);
}

static nd_status fail_format(const struct ArrowSchema *s, nd_error *err) {
  return nd_fail(err, ND_UNSUPPORTED, "there is no dtype for Arrow's \"%.40s\"%s", s->format,
                 s->dictionary ? " with a dictionary" : "");
}

/* {=== a range of an array ===} */

/* 'rows' elements of 'array' from its own element 'first' on, not counting its offset. */
typedef struct {
  const struct ArrowSchema *schema;
  const struct ArrowArray *array;
  size_t first, rows;
} range;

/* The index of the first element in the buffers. */
static size_t start_of(const range *r) { return (size_t)r->array->offset + r->first; }

static nd_status check_there(const range *r, nd_error *err) {
  if (r->array && r->array->release && r->schema && r->schema->release && r->schema->format)
    return ND_OK;
  return fail(ND_INVALID_ARGUMENT, "it was released", err);
}

/* It is there. */
static nd_status check_range(const range *r, int buffers, int children, nd_error *err) {
  const struct ArrowArray *a = r->array;
  size_t end;
  if (a->n_buffers != buffers || (buffers > 0 && !a->buffers))
    return nd_fail_with(err, ND_FORMAT, ND_NUMBERS({"value", a->n_buffers}, {"expected", buffers}),
                        "it has %lld buffers; its type has %d", (long long)a->n_buffers, buffers);
  if (a->n_children != children || r->schema->n_children != children ||
      (children > 0 && (!a->children || !r->schema->children)))
    return nd_fail_with(err, ND_FORMAT,
                        ND_NUMBERS({"value", a->n_children}, {"expected", children}),
                        "it has %lld children, its schema %lld; its type has %d",
                        (long long)a->n_children, (long long)r->schema->n_children, children);
  if (a->length < 0 || a->offset < 0 || a->null_count < -1 || a->null_count > a->length)
    return nd_fail(err, ND_FORMAT, "its length is %lld, its offset %lld, its count of nulls %lld",
                   (long long)a->length, (long long)a->offset, (long long)a->null_count);
  if (!ndi_size_add(r->first, r->rows, &end) || end > (size_t)a->length)
    return nd_fail(err, ND_FORMAT, "its length is %lld, what it is a part of has %zu elements",
                   (long long)a->length, r->rows);
  if (!ndi_size_add((size_t)a->offset, (size_t)a->length, &end))
    return fail(ND_OVERFLOW, "its offset and length are too large", err);
  return ND_OK;
}

/* {=== which are not null ===} */

/* Nor is anything to be waited for. */
static bool is_on_host(const holder *of) {
  return of->place.kind == ND_MEM_HOST || (of->place.kind == ND_MEM_PINNED && !of->event);
}

static nd_status new_bools(size_t count, nd_view *out, unsigned char **at, nd_error *err) {
  char *host;
  ND_TRY(nd_new(nd_call_memory(nd_host_resource()), ND_BOOL, 1, &count, (nd_storage_options){0},
                out, err));
  const nd_status status = nd_view_host(out, true, &host, err);
  if (status != ND_OK) return nd_view_drop(out), status;
  return *at = (unsigned char *)host, ND_OK;
}

/* Are all of them? */
static bool are_all(const unsigned char *at, size_t count) { return !memchr(at, 0, count); }

/* Make '*out', if there are nulls in the range. */
static nd_status read_validity(const holder *of, const range *r, nd_view *out, bool *has_nulls,
                               nd_error *err) {
  const unsigned char *bits = r->array->n_buffers > 0 ? r->array->buffers[0] : NULL;
  unsigned char *at;
  *has_nulls = false;
  if (!bits && r->array->null_count > 0)
    return nd_fail(err, ND_FORMAT, "it has %lld nulls, and nothing that says which",
                   (long long)r->array->null_count);
  if (!bits || r->array->null_count == 0 || r->rows == 0) return ND_OK;
  if (!is_on_host(of)) return nd_fail(err, ND_UNSUPPORTED, "nulls on a device");
  ND_TRY(new_bools(r->rows, out, &at, err));
  ndi_unpack_bits(bits, start_of(r), r->rows, at);
  if (are_all(at, r->rows)) return nd_view_drop(out), ND_OK;
  return *has_nulls = true, ND_OK;
}

/* A row that is null as a whole is so in each column; what is held has its own nulls besides. */
static nd_status add_validity(const nd_view *rows, column *c, nd_error *err) {
  nd_view both;
  if (!c->has_validity) {
    nd_view_copy(rows, &c->validity);
    c->has_validity = true;
    return ND_OK;
  }
  const nd_operand operands[] = {{.array = rows}, {.array = &c->validity}};
  ND_TRY(nd_elementwise(ND_OP_LOGICAL_AND, operands, NULL, &both, err));
  nd_view_drop(&c->validity);
  nd_view_borrow(&both, &c->validity);
  return ND_OK;
}

/* {=== values ===} */

static bool find_dtype(const char *format, nd_dtype *out) {
  for (int i = 0; i < ND_DTYPE_COUNT; i++) {
    const char *arrow = nd_dtype_get((nd_dtype)i)->arrow;
    if (arrow && strcmp(arrow, format) == 0) return *out = (nd_dtype)i, true;
  }
  return false;
}

/* One axis, read-only. */
static nd_status view_items(holder *of, const range *r, nd_dtype dtype, nd_view *out,
                            nd_error *err) {
  const size_t item = nd_dtype_get(dtype)->bytes, bytes = r->rows * item;
  nd_resource *resource = NULL;
  nd_storage *storage = NULL;
  char *const all = (char *)(uintptr_t)r->array->buffers[1];
  nd_foreign memory = {.at = all ? all + start_of(r) * item : NULL,
                       .bytes = bytes,
                       .has_event = true,
                       .event = of->event};
  nd_storage *const own = ndi_arrow_out_storage(r->array);
  nd_status status;
  if (own) {
    status = ndi_storage_over(own, &memory, true, &storage, err);
  } else {
    memory.release = drop, memory.owner = of;
    ND_TRY(nd_place_foreign(&of->place, &memory, &resource, err));
    hold(of);
    status = nd_storage_make(resource, bytes, (nd_storage_options){.read_only = true}, &storage,
                             err);
  }
  if (status == ND_OK) status = nd_view_make(storage, 0, dtype, 1, &r->rows, NULL, out, err);
  nd_storage_drop(storage);
  nd_resource_drop(resource);
  return status;
}

static nd_status unpack_items(const range *r, nd_view *out, nd_error *err) {
  unsigned char *at;
  ND_TRY(new_bools(r->rows, out, &at, err));
  if (r->rows > 0) ndi_unpack_bits(r->array->buffers[1], start_of(r), r->rows, at);
  out->is_read_only = true;
  return ND_OK;
}

static nd_status read_items(holder *of, const range *r, nd_view *out, nd_error *err) {
  nd_dtype dtype;
  size_t bytes;
  if (r->schema->dictionary || !find_dtype(r->schema->format, &dtype))
    return fail_format(r->schema, err);
  ND_TRY(check_range(r, 2, 0, err));
  if (!r->array->buffers[1] && r->rows > 0) return fail(ND_FORMAT, "its elements are at NULL", err);
  if (!ndi_size_mul(start_of(r) + r->rows, nd_dtype_get(dtype)->bytes, &bytes))
    return fail(ND_OVERFLOW, "it is too large", err);
  if (dtype != ND_BOOL) return view_items(of, r, dtype, out, err);
  if (!is_on_host(of)) return fail(ND_UNSUPPORTED, "bools, which are bits, on a device", err);
  return unpack_items(r, out, err);
}

/* The items of a list of "+w:N"; false: it is none. */
static bool read_list_size(const char *format, size_t *out) {
  size_t value = 0;
  if (strncmp(format, "+w:", 3) != 0 || !format[3]) return false;
  for (const char *p = format + 3; *p; p++)
    if (*p < '0' || *p > '9' || !ndi_append_size(&value, *p) || value > INT32_MAX) return false;
  return *out = value, true;
}

/* The items of lists of that size; false: there are too many. */
static bool items_of(const range *r, size_t size, range *out) {
  *out = (range){.schema = r->schema->children[0], .array = r->array->children[0]};
  return ndi_size_mul(start_of(r), size, &out->first) && ndi_size_mul(r->rows, size, &out->rows);
}

/* The elements of nested lists of a fixed size, in one line; their extents go to 'shape'. */
static nd_status read_lists(holder *of, const range *r, int *ndim, size_t *shape, nd_view *out,
                            nd_error *err) {
  size_t size;
  range items;
  ND_TRY(check_there(r, err));
  if (!read_list_size(r->schema->format, &size)) return read_items(of, r, out, err);
  ND_TRY(check_range(r, 1, 1, err));
  if (*ndim == ND_MAX_NDIM) return fail(ND_UNSUPPORTED, "lists in too many levels", err);
  shape[(*ndim)++] = size;
  if (!items_of(r, size, &items)) return fail(ND_OVERFLOW, "it is too large", err);
  return read_lists(of, &items, ndim, shape, out, err);
}

/* Is an item null in a row of the column that is not? What a null row has may be anything. */
static bool has_null_items(const column *c, const nd_view *items, size_t rows) {
  const unsigned char *at = (const unsigned char *)items->storage->host;
  const char *valid = c->has_validity ? c->validity.storage->host : NULL;
  const size_t each = rows > 0 ? items->size / rows : 0;
  for (size_t i = 0; i < rows; i++)
    if ((!valid || valid[i]) && !are_all(at + i * each, each)) return true;
  return false;
}

/* 'r' was read: the column, or items in it. */
static nd_status check_items(const holder *of, const range *r, const column *c, size_t rows,
                             nd_error *err) {
  size_t size;
  range items;
  nd_view nulls;
  bool has_nulls;
  if (!read_list_size(r->schema->format, &size) || !items_of(r, size, &items)) return ND_OK;
  ND_TRY(read_validity(of, &items, &nulls, &has_nulls, err));
  const bool is_bad = has_nulls && has_null_items(c, &nulls, rows);
  if (has_nulls) nd_view_drop(&nulls);
  if (is_bad) return fail(ND_UNSUPPORTED, "nulls within lists", err);
  return check_items(of, &items, c, rows, err);
}

/* Make 'line' what the schema says: an array of several axes. */
static nd_status shape_values(const struct ArrowSchema *schema, int ndim, const size_t *shape,
                              const nd_view *line, nd_view *out, nd_error *err) {
  int64_t extents[ND_MAX_NDIM];
  ndi_arrow_tensor tensor;
  ND_TRY(ndi_arrow_tensor_read(schema, &tensor, err));
  if (!tensor.is_tensor) {
    for (int i = 0; i < ndim; i++) extents[i] = (int64_t)shape[i];
    return nd_view_reshape(line, ndim, extents, out, err);
  }
  if (ndim != 2 || tensor.items != shape[1])
    return fail(ND_FORMAT, "its tensors are not of the size of its lists", err);
  extents[0] = (int64_t)shape[0];
  for (int i = 0; i < tensor.ndim; i++) extents[i + 1] = (int64_t)tensor.shape[i];
  nd_view physical;
  ND_TRY(nd_view_reshape(line, tensor.ndim + 1, extents, &physical, err));
  int order[ND_MAX_NDIM] = {0};
  for (int i = 0; i < tensor.ndim; i++) order[i + 1] = tensor.order[i] + 1;
  const nd_status status = nd_view_permute(&physical, order, out, err);
  nd_view_drop(&physical);
  return status;
}

static nd_status hold_column(holder *of, const range *r, column *c, nd_error *err) {
  const ndi_arrow_owner owner = {of, hold, drop};
  return ndi_arrow_hold(r->schema, r->array, r->first, r->rows, &owner, &c->held, err);
}

static nd_status read_values(holder *of, const range *r, column *c, nd_error *err) {
  size_t shape[ND_MAX_NDIM + 1] = {r->rows};
  int ndim = 1;
  nd_view line;
  ND_TRY(read_lists(of, r, &ndim, shape, &line, err));
  nd_status status = read_validity(of, r, &c->validity, &c->has_validity, err);
  if (status == ND_OK) status = check_items(of, r, c, r->rows, err);
  if (status == ND_OK) status = shape_values(r->schema, ndim, shape, &line, &c->values, err);
  if (status != ND_OK) c->values.storage = NULL;
  nd_view_drop(&line);
  return status;
}

/* What is unsupported is held as it is, on the host. */
static nd_status read_column(holder *of, const range *r, column *c, nd_error *err) {
  ND_TRY(check_there(r, err));
  c->name = r->schema->name ? r->schema->name : "";
  nd_status status = read_values(of, r, c, err);
  if (status == ND_OK) return ND_OK;
  if (c->has_validity) nd_view_drop(&c->validity), c->has_validity = false;
  if (status == ND_UNSUPPORTED && is_on_host(of)) status = hold_column(of, r, c, err);
  return ndi_error_name(status, *c->name ? "column" : "array", *c->name ? c->name : NULL, err);
}

/* {=== batches ===} */

static nd_status read_columns(nd_arrow_batch *b, const range *all, nd_error *err) {
  nd_view rows;
  bool has_nulls;
  if (!b->is_table) return b->count = 1, read_column(b->of, all, &b->columns[0], err);
  const int children = (int)all->schema->n_children;
  ND_TRY(check_range(all, 1, children, err));
  ND_TRY(read_validity(b->of, all, &rows, &has_nulls, err));
  nd_status status = ND_OK;
  for (; b->count < children && status == ND_OK; b->count++) {
    const range part = {.schema = all->schema->children[b->count],
                        .array = all->array->children[b->count],
                        .first = start_of(all),
                        .rows = all->rows};
    status = read_column(b->of, &part, &b->columns[b->count], err);
    if (status == ND_OK && has_nulls) status = add_validity(&rows, &b->columns[b->count], err);
  }
  if (has_nulls) nd_view_drop(&rows);
  return status;
}

static nd_status read_batch(const struct ArrowSchema *schema, const struct ArrowArray *array,
                            const nd_place *place, void *event, nd_arrow_batch **out,
                            nd_error *err) {
  enum { MOST = 100000 };
  if (!schema->release || !schema->format)
    return nd_fail(err, ND_INVALID_ARGUMENT, "schema: it was released, or is no ArrowSchema");
  if (!array->release)
    return nd_fail(err, ND_INVALID_ARGUMENT, "array: it was released, or is no ArrowArray");
  if (schema->n_children < 0 || schema->n_children > MOST)
    return nd_fail_with(err, ND_FORMAT, ND_NUMBERS({"value", schema->n_children}, {"limit", MOST}),
                        "%lld columns; expected 0 to %d", (long long)schema->n_children, MOST);
  const bool is_table = strcmp(schema->format, "+s") == 0;
  const size_t count = is_table ? (size_t)schema->n_children : 1;
  nd_arrow_batch *b = calloc(1, sizeof *b + count * sizeof *b->columns);
  holder *of = calloc(1, sizeof *of);
  if (!b || !of) {
    free(b), free(of);
    return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for %zu columns", count);
  }
  atomic_init(&of->holds, 1);
  of->array = *array; /* held columns refer to this copy: the caller's may be gone */
  of->place = *place, of->event = event;
  b->of = of, b->is_table = is_table;
  const range all = {
      .schema = schema, .array = &of->array, .rows = array->length > 0 ? (size_t)array->length : 0};
  const nd_status status = read_columns(b, &all, err);
  if (status == ND_OK) *out = b;
  else nd_arrow_free(b);
  return status;
}

nd_status nd_arrow_read(const struct ArrowSchema *schema, const struct ArrowArray *array,
                        nd_arrow_batch **out, nd_error *err) {
  const nd_place host = {.kind = ND_MEM_HOST};
  return read_batch(schema, array, &host, NULL, out, err);
}

nd_status nd_arrow_read_device(const struct ArrowSchema *schema,
                               const struct ArrowDeviceArray *array, nd_arrow_batch **out,
                               nd_error *err) {
  nd_place place;
  if (!nd_place_from_dlpack(array->device_type, array->device_id, &place))
    return ndi_fail_device("array", array->device_type, err);
  /* what was released has no event any more */
  const bool has_event = array->array.release && array->sync_event;
  return read_batch(schema, &array->array, &place, has_event ? *(void **)array->sync_event : NULL,
                    out, err);
}

int nd_arrow_count(const nd_arrow_batch *batch) { return batch->count; }
bool nd_arrow_is_table(const nd_arrow_batch *batch) { return batch->is_table; }
const char *nd_arrow_name(const nd_arrow_batch *batch, int i) { return batch->columns[i].name; }
const nd_view *nd_arrow_values(const nd_arrow_batch *batch, int i) {
  return batch->columns[i].held ? NULL : &batch->columns[i].values;
}
nd_arrow_held *nd_arrow_held_of(const nd_arrow_batch *batch, int i) {
  return batch->columns[i].held;
}
const nd_view *nd_arrow_validity(const nd_arrow_batch *batch, int i) {
  return batch->columns[i].has_validity ? &batch->columns[i].validity : NULL;
}

void nd_arrow_accept(nd_arrow_batch *batch, struct ArrowArray *array) {
  batch->of->is_accepted = true;
  array->release = NULL;
}

void nd_arrow_free(nd_arrow_batch *batch) {
  for (int i = 0; i < batch->count; i++) {
    column *c = &batch->columns[i];
    nd_arrow_held_drop(c->held);
    if (c->values.storage) nd_view_drop(&c->values);
    if (c->has_validity) nd_view_drop(&c->validity);
  }
  drop(batch->of);
  free(batch);
}
