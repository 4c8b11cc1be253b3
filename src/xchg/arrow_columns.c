/* Columns on their way out: the exports of their storages, and the bits that were packed, in one
 * counted record that all structures of an export share. */
#include "xchg/arrow_out.h"

#include <stdlib.h>
#include <string.h>

#include "base/call.h"
#include "mem/host.h"
#include "ops/ops.h"
#include "xchg/arrow_held.h"
#include "xchg/bits.h"
#include "xchg/io.h"

void ndi_arrow_out_drop(ndi_arrow_out *s) {
  if (atomic_fetch_sub(&s->holds, 1) != 1) return;
  for (int i = 0; i < s->count; i++) {
    ndi_arrow_out_column *c = &s->columns[i];
    nd_arrow_held_drop(c->held);
    if (c->view.storage) nd_storage_unexport(c->view.storage);
    if (c->packed) nd_storage_unexport(c->packed);
    free(c->name);
  }
  nd_event_close(s->event);
  free(s);
}

ndi_arrow_out *ndi_arrow_out_hold(ndi_arrow_out *s) { return atomic_fetch_add(&s->holds, 1), s; }

static nd_status fail_memory(nd_error *err) {
  return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for an Arrow structure");
}

static nd_status fail_dtype(const nd_view *v, nd_error *err) {
  const nd_dtype_traits *t = nd_dtype_get((nd_dtype)v->dtype);
  const char *as = t->kind == ND_KIND_COMPLEX ? (t->bytes == 8 ? "f32" : "f64")
                                              : (t->bytes == 2 ? "u16" : "u8");
  return nd_fail(err, ND_UNSUPPORTED, "Arrow has no %s; use :bitcast(\"%s\")", t->name, as);
}

/* The elements of a row. */
size_t ndi_arrow_items(const nd_view *v) {
  size_t items = 1;
  for (int i = 1; i < v->ndim; i++) items *= v->axis[i].len;
  return items;
}

/* Export the bytes of a view in row-major order. On a device, work on them may be in flight. */
static nd_status hold_view(const nd_view *v, bool is_device, ndi_arrow_out_column *c,
                           nd_error *err) {
  char *host;
  /* before the export, as a storage that was exported once stays so */
  if (!is_device) ND_TRY(nd_view_host(v, false, &host, err));
  ND_TRY(nd_storage_export(v->storage, err));
  nd_view_borrow(v, &c->view);
  if (!is_device) ND_TRY(nd_storage_expose(v->storage, &host, err));
  const char *base = v->storage->host ? v->storage->host : v->storage->ptr;
  c->data = v->size > 0 ? base + v->offset : NULL;
  return ND_OK;
}

static nd_status pack(const nd_view *v, ndi_arrow_out_column *c, nd_error *err) {
  const size_t bytes = v->size / 8 + 1;
  nd_view bits;
  char *from = NULL, *to = NULL;
  ND_TRY(nd_new(nd_call_memory(nd_host_resource()), ND_U8, 1, &bytes, (nd_storage_options){0},
                &bits, err));
  nd_status status = nd_storage_export(bits.storage, err);
  if (status == ND_OK) c->packed = bits.storage;
  if (status == ND_OK) status = nd_view_host(&bits, true, &to, err);
  if (status == ND_OK) status = nd_view_host(v, false, &from, err);
  nd_view_drop(&bits);
  ND_TRY(status);
  c->data = c->bits = (unsigned char *)to;
  ndi_pack_bits((const unsigned char *)from + v->offset, v->size, c->bits);
  return nd_storage_check(v->storage, err); /* a mapped file may have become shorter */
}

/* The shape stays, for the schema. */
static void note_shape(const nd_view *v, ndi_arrow_out_column *c) {
  nd_view_borrow(v, &c->view);
  c->view.storage = NULL;
}

static nd_status fill_packed(const nd_view *v, bool is_device, ndi_arrow_out_column *c,
                             nd_error *err) {
  if (v->dtype != ND_BOOL) return hold_view(v, is_device, c, err);
  if (is_device)
    return nd_fail(err, ND_UNSUPPORTED, "Arrow's bools are bits; use :bitcast(\"u8\") on a device");
  note_shape(v, c);
  return pack(v, c, err);
}

static nd_status fill_held(nd_arrow_held *held, bool is_device, ndi_arrow_out_column *c,
                           nd_error *err) {
  if (is_device) return nd_fail(err, ND_UNSUPPORTED, "a column without a dtype, on a device");
  c->held = nd_arrow_held_hold(held);
  return ND_OK;
}

/* Others expect elements at multiples of their size, which those of a file's members need not be.
 */
static bool is_aligned(const nd_view *v) {
  const nd_storage *s = v->storage;
  const char *base = s->host ? s->host : s->ptr;
  return ((uintptr_t)base + v->offset) % nd_view_itemsize(v) == 0;
}

static nd_status fill_column(const nd_arrow_column *from, bool is_device, ndi_arrow_out_column *c,
                             bool *is_copied, nd_error *err) {
  const nd_view *v = from->array;
  nd_view copy;
  c->name = strdup(from->name ? from->name : "");
  if (!c->name) return fail_memory(err);
  if (from->held) return fill_held(from->held, is_device, c, err);
  if (!nd_dtype_get((nd_dtype)v->dtype)->arrow) return fail_dtype(v, err);
  if (v->ndim > 1 && ndi_arrow_items(v) > INT32_MAX)
    return nd_fail_with(err, ND_UNSUPPORTED,
                        ND_NUMBERS({"value", (int64_t)ndi_arrow_items(v)}, {"limit", INT32_MAX}),
                        "rows of %zu elements; Arrow's lists have %d at most", ndi_arrow_items(v),
                        INT32_MAX);
  /* what a Lua object owns does not outlast its state */
  const bool is_as_it_is = nd_view_is_contiguous(v) && is_aligned(v) &&
                           !nd_resource_leaf(v->storage->resource)->is_lent;
  *is_copied |= v->dtype == ND_BOOL || !is_as_it_is;
  if (is_as_it_is) return fill_packed(v, is_device, c, err);
  ND_TRY(nd_astype(v, (nd_dtype)v->dtype, ND_SATURATE, &copy, err));
  const nd_status status = fill_packed(&copy, is_device, c, err);
  nd_view_drop(&copy);
  return status;
}

static size_t rows_of(const nd_arrow_column *c) {
  return c->held ? nd_arrow_held_rows(c->held) : c->array->axis[0].len;
}

/* Say which column it was; an array alone has no name. */
static nd_status add_name(nd_status status, const nd_arrow_column *c, nd_error *err) {
  return c->name ? ndi_error_name(status, "column", c->name, err) : status;
}

static nd_status check_column(const nd_arrow_column *c, nd_error *err) {
  if (c->name && !ndi_is_utf8(c->name))
    return nd_fail(err, ND_INVALID_ARGUMENT, "its name is not UTF-8");
  if (c->array && c->array->ndim == 0)
    return nd_fail(err, ND_INVALID_VIEW, "Arrow has no scalars; use :reshape(1)");
  return ND_OK;
}

static nd_status check_rows(int count, const nd_arrow_column *columns, size_t *rows,
                            nd_error *err) {
  for (int i = 0; i < count; i++)
    ND_TRY(add_name(check_column(&columns[i], err), &columns[i], err));
  *rows = count > 0 ? rows_of(&columns[0]) : 0;
  for (int i = 1; i < count; i++) {
    const size_t its = rows_of(&columns[i]);
    if (its != *rows)
      return nd_fail_with(err, ND_SHAPE_MISMATCH,
                          ND_NUMBERS({"expected", (int64_t)*rows}, {"actual", (int64_t)its}),
                          "column \"%.80s\" has %zu rows, \"%.80s\" %zu", columns[i].name, its,
                          columns[0].name, *rows);
  }
  return ND_OK;
}

nd_status ndi_arrow_out_make(int count, const nd_arrow_column *columns, bool is_table,
                             bool is_device, ndi_arrow_out **out, bool *is_copied, nd_error *err) {
  bool copied = false;
  size_t rows = 0;
  ND_TRY(check_rows(count, columns, &rows, err));
  ndi_arrow_out *s = calloc(1, sizeof *s + (size_t)count * sizeof *s->columns);
  if (!s) return fail_memory(err);
  atomic_init(&s->holds, 1);
  s->is_table = is_table, s->rows = rows;
  nd_status status = ND_OK;
  for (; s->count < count && status == ND_OK; s->count++) {
    const nd_arrow_column *from = &columns[s->count];
    status = fill_column(from, is_device, &s->columns[s->count], &copied, err);
    status = add_name(status, from, err);
  }
  if (status != ND_OK) return ndi_arrow_out_drop(s), status;
  if (is_copied) *is_copied = copied;
  return *out = s, ND_OK;
}
