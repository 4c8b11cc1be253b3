/* Columns on their way out, which arrow_columns.c makes of arrays and arrow_out.c puts into Arrow's
 * structures. */
#ifndef ND_XCHG_ARROW_OUT_H
#define ND_XCHG_ARROW_OUT_H

#include <stdatomic.h>

#include "dev/stream.h"
#include "xchg/arrow.h"

/* A column as it goes out. */
typedef struct {
  nd_arrow_held *held; /* without a dtype: all but the name is its own */
  nd_view view; /* in row-major order; borrowed: the export is the reference to its storage */
  unsigned char *bits; /* of bool, instead of its bytes; in memory that is exported: */
  nd_storage *packed;
  const void *data;
  char *name;
} ndi_arrow_out_column;

typedef struct {
  atomic_uint holds;
  int count;
  bool is_table;
  size_t rows;
  nd_event *event; /* on a device with streams: all work on the columns is before it */
  void *handle;    /* its handle, which sync_event points to */
  ndi_arrow_out_column columns[];
} ndi_arrow_out;

/* One reference for the caller. The arrays need not outlive the call. */
nd_status ndi_arrow_out_make(int count, const nd_arrow_column *columns, bool is_table,
                             bool is_device, ndi_arrow_out **out, bool *is_copied, nd_error *err);
ndi_arrow_out *ndi_arrow_out_hold(ndi_arrow_out *self);
void ndi_arrow_out_drop(ndi_arrow_out *self); /* any thread */

/* The storage whose elements an array of ours has, which is exported; NULL: it is not ours, or has
 * none. */
nd_storage *ndi_arrow_out_storage(const struct ArrowArray *array);

size_t ndi_arrow_items(const nd_view *v); /* elements of a row */

#endif
