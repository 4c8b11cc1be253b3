/* Arrow's C data, C stream and C device interfaces: columns of other libraries of this process as
 * arrays, and arrays as columns for them, of the same bytes. The structures are the standard's
 * (https://arrow.apache.org/docs/format/CDataInterface.html), under its guards. */
#ifndef ND_XCHG_ARROW_H
#define ND_XCHG_ARROW_H

#include "view/view.h"

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

#endif

#ifndef ARROW_C_DEVICE_DATA_INTERFACE
#define ARROW_C_DEVICE_DATA_INTERFACE

typedef int32_t ArrowDeviceType;

struct ArrowDeviceArray {
  struct ArrowArray array;
  int64_t device_id;
  ArrowDeviceType device_type;
  void *sync_event;
  int64_t reserved[3];
};

#endif

_Static_assert(sizeof(struct ArrowSchema) == 72, "ArrowSchema");
_Static_assert(sizeof(struct ArrowArray) == 80, "ArrowArray");
_Static_assert(sizeof(struct ArrowArrayStream) == 40, "ArrowArrayStream");
_Static_assert(sizeof(struct ArrowDeviceArray) == 128, "ArrowDeviceArray");

/* {=== columns without a dtype ===} arrow_held.c */

/* Strings, times, dictionaries, lists of any length: rows of a column that came in, to be passed on
 * as they are. Reference-counted. */
typedef struct nd_arrow_held nd_arrow_held;
nd_arrow_held *nd_arrow_held_hold(nd_arrow_held *self);
void nd_arrow_held_drop(nd_arrow_held *self); /* any thread; NULL is a no-op */
const char *nd_arrow_held_format(const nd_arrow_held *self);
size_t nd_arrow_held_rows(const nd_arrow_held *self);
bool nd_arrow_held_has_dictionary(const nd_arrow_held *self);

/* {=== out ===} arrow_out.c */

/* A column that goes out: an array, or one of those. All of it stays the caller's. */
typedef struct {
  const char *name; /* may be NULL where there is one column alone */
  const nd_view *array;
  nd_arrow_held *held; /* where 'array' is NULL */
} nd_arrow_column;

/* Make a schema and an array of one column, or, with 'is_table', of a
 * struct of 'count' columns of the same length. Each is to be released once, on any thread, as are
 * children that are moved out; until then the bytes stay, whatever becomes of the arrays. Columns
 * of two axes are fixed-size lists, of more the extension arrow.fixed_shape_tensor. What is not in
 * row-major order is copied, and bool becomes bits: then '*is_copied' (may be NULL) is set to true.
 *
 * ND_UNSUPPORTED for dtypes that Arrow lacks; ND_SHAPE_MISMATCH for columns of different lengths;
 * ND_INVALID_VIEW for a column without an axis; ND_NOT_HOST_ACCESSIBLE. */
nd_status nd_arrow_export(int count, const nd_arrow_column *columns, bool is_table,
                          struct ArrowSchema *schema, struct ArrowArray *array, bool *is_copied,
                          nd_error *err);

/* The same on whatever device, the same one for all columns: the device's code that reads them has
 * to wait for '*sync_event', an event of its driver that is the array's, or for nothing where that
 * is NULL. There bool is ND_UNSUPPORTED. */
nd_status nd_arrow_export_device(int count, const nd_arrow_column *columns, bool is_table,
                                 struct ArrowSchema *schema, struct ArrowDeviceArray *array,
                                 bool *is_copied, nd_error *err);

/* The same as a stream of structs of at most 'rows' rows. */
nd_status nd_arrow_export_stream(int count, const nd_arrow_column *columns, size_t rows,
                                 struct ArrowArrayStream *out, bool *is_copied, nd_error *err);

/* {=== in ===} arrow_in.c */

/* What comes in, before it is accepted. */
typedef struct nd_arrow_batch nd_arrow_batch;

/* Read a schema with an array, a column or a struct of columns, which stay the caller's until
 * nd_arrow_accept. All columns are read-only, and of the same bytes but for those of bool.
 * ND_INVALID_ARGUMENT for what was released; ND_UNSUPPORTED for other types; ND_FORMAT for what
 * does not fit together. On ND_OK '*out' must be freed. */
nd_status nd_arrow_read(const struct ArrowSchema *schema, const struct ArrowArray *array,
                        nd_arrow_batch **out, nd_error *err);

/* The same on a device. Our own work waits for its event. ND_UNSUPPORTED for nulls, and for what
 * would be held. */
nd_status nd_arrow_read_device(const struct ArrowSchema *schema,
                               const struct ArrowDeviceArray *array, nd_arrow_batch **out,
                               nd_error *err);

/* Its columns; is it a struct of them? */
int nd_arrow_count(const nd_arrow_batch *batch);
bool nd_arrow_is_table(const nd_arrow_batch *batch);

/* Column i: its name, valid as long as the schema; its elements; which of them are not null: NULL,
 * where all are. The views are the batch's. */
const char *nd_arrow_name(const nd_arrow_batch *batch, int i);
const nd_view *nd_arrow_values(const nd_arrow_batch *batch, int i);  /* NULL: it is held */
nd_arrow_held *nd_arrow_held_of(const nd_arrow_batch *batch, int i); /* NULL: it has values */
const nd_view *nd_arrow_validity(const nd_arrow_batch *batch, int i);

/* Take the array over, which is marked as moved: it is released when the last view of its bytes is
 * gone. Cannot fail. */
void nd_arrow_accept(nd_arrow_batch *batch, struct ArrowArray *array);
void nd_arrow_free(nd_arrow_batch *batch);

#endif
