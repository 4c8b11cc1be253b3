/* The .safetensors files of machine learning: named arrays and named texts. The arrays are in one
 * piece behind the header, so that all of them are views of one mapping.
 *
 * Our own files have them by the size of their elements, the largest first, and begin the data at a
 * multiple of 64 bytes, so that each is aligned in a mapping. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/call.h"
#include "xchg/format.h"
#include "xchg/safetensors_header.h"

enum { LEAD = ND_SAFETENSORS_LEAD, ALIGN = 64 };

/* {=== loading ===} */

static nd_status read_lead(const ndi_infile *file, size_t *length, nd_error *err) {
  unsigned char lead[LEAD];
  uint64_t value = 0;
  if (file->bytes < LEAD)
    return nd_fail_with(err, ND_FORMAT, ND_NUMBERS({"offset", (int64_t)file->bytes}),
                        "truncated: expected the length of a header, in %d B", LEAD);
  ND_TRY(ndi_infile_read(file, 0, lead, sizeof lead, err));
  for (int i = 0; i < LEAD; i++) value |= (uint64_t)lead[i] << 8 * i;
  if (value > ND_SAFETENSORS_MOST || value > file->bytes - LEAD)
    return nd_fail_with(
        err, ND_FORMAT,
        ND_NUMBERS({"offset", 0}, {"actual", (int64_t)value}, {"limit", ND_SAFETENSORS_MOST}),
        "a header of %llu B in a file of %zu B, where %d is the limit: it is no .safetensors, or "
        "cut "
        "off",
        (unsigned long long)value, file->bytes, ND_SAFETENSORS_MOST);
  *length = (size_t)value;
  return ND_OK;
}

/* 'start' is where the data begins in the file. */
static nd_status put_tensor(const ndi_infile *file, size_t start, nd_storage *mapping,
                            const ndi_safetensor *t, nd_sink *sink, nd_error *err) {
  ndi_layout layout = t->layout;
  nd_view array;
  if (sink->wants && !sink->wants(sink, t->name)) return ND_OK;
  if (t->unknown)
    return nd_fail_remedy(err, ND_UNSUPPORTED, sink->wants ? ND_REMEDY_NONE : ND_REMEDY_NAMES,
                          "ndbuf has no dtype for %s", t->unknown);
  layout.offset += start;
  ndi_file_source from = ndi_infile_source(file, layout.offset);
  ND_TRY(nd_check_interrupt(err));
  if (mapping) ND_TRY(ndi_layout_view(&layout, mapping, &array, err));
  else ND_TRY(ndi_source_load(&from.base, &layout, &array, err));
  return sink->put_array(sink, t->name, &array, err);
}

static nd_status put_all(ndi_infile *file, size_t start, const ndi_safetensors *from, nd_sink *sink,
                         nd_error *err) {
  nd_storage *mapping = NULL;
  nd_status status = ND_OK;
  if (sink->map && from->count > 0) status = ndi_infile_map(file, 0, file->bytes, &mapping, err);
  for (size_t i = 0; i < from->count && status == ND_OK; i++)
    status = ndi_error_name(put_tensor(file, start, mapping, &from->tensors[i], sink, err),
                            "tensor", from->tensors[i].name, err);
  for (size_t i = 0; i < from->texts_count && status == ND_OK; i++)
    status = sink->put_text(sink, from->texts[i].name, from->texts[i].value, err);
  nd_storage_drop(mapping);
  return status;
}

static nd_status load(ndi_infile *file, nd_sink *sink, nd_error *err) {
  size_t length = 0;
  ndi_safetensors header;
  ND_TRY(read_lead(file, &length, err));
  char *text = malloc(length + 1);
  if (!text) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a header of %zu B", length);
  const size_t start = LEAD + length;
  nd_status status = ndi_infile_read(file, LEAD, text, length, err);
  if (status == ND_OK)
    status = ndi_safetensors_parse(text, length, file->bytes - start, &header, err);
  if (status == ND_OK) {
    status = put_all(file, start, &header, sink, err);
    ndi_safetensors_free(&header);
  }
  free(text);
  return status;
}

/* {=== saving ===} */

/* Text that grows. Once there is no memory for it, it stays as it is. */
typedef struct {
  char *text;
  size_t length, room;
  bool has_failed;
} buffer;

static void add(buffer *b, const char *text, size_t length) {
  if (b->has_failed || length == 0) return;
  if (b->room - b->length < length) {
    char *larger = realloc(b->text, 2 * b->room + length);
    b->has_failed = !larger;
    if (!larger) return;
    b->text = larger, b->room = 2 * b->room + length;
  }
  memcpy(b->text + b->length, text, length);
  b->length += length;
}

static void add_text(buffer *b, const char *text) { add(b, text, strlen(text)); }

static void add_size(buffer *b, size_t value) {
  char text[24] = "";
  const int length = snprintf(text, sizeof text, "%zu", value);
  add(b, text, (size_t)length);
}

static void add_string(buffer *b, const char *s) {
  char text[8];
  add_text(b, "\"");
  for (; *s; s++) {
    const unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\') add_text(b, "\\");
    if (c < 0x20) add(b, text, (size_t)snprintf(text, sizeof text, "\\u%04x", c));
    else add(b, s, 1);
  }
  add_text(b, "\"");
}

/* An array with its place in the data. */
typedef struct {
  const nd_named_array *array;
  size_t offset;
} placed;

static void add_tensor(buffer *b, const placed *p) {
  const nd_view *v = p->array->array;
  add_string(b, p->array->name);
  add_text(b, ":{\"dtype\":\"");
  add_text(b, ndi_safetensors_dtype((nd_dtype)v->dtype));
  add_text(b, "\",\"shape\":[");
  for (int i = 0; i < v->ndim; i++) add_text(b, i ? "," : ""), add_size(b, v->axis[i].len);
  add_text(b, "],\"data_offsets\":[");
  add_size(b, p->offset), add_text(b, ","), add_size(b, p->offset + nd_view_nbytes(v));
  add_text(b, "]}");
}

/* The lead, the text, and blanks to the alignment. */
static nd_status make_header(const nd_source *source, const placed *list, buffer *b,
                             nd_error *err) {
  add(b, "\0\0\0\0\0\0\0", LEAD);
  add_text(b, "{");
  if (source->texts_count > 0) add_text(b, "\"__metadata__\":{");
  for (int i = 0; i < source->texts_count; i++) {
    if (i > 0) add_text(b, ",");
    add_string(b, source->texts[i].name), add_text(b, ":");
    add_string(b, source->texts[i].value);
  }
  if (source->texts_count > 0) add_text(b, source->count > 0 ? "}," : "}");
  for (int i = 0; i < source->count; i++) {
    if (i > 0) add_text(b, ",");
    add_tensor(b, &list[i]);
  }
  add_text(b, "}");
  while (!b->has_failed && b->length % ALIGN != 0) add_text(b, " ");
  if (b->has_failed) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a header");
  const size_t length = b->length - LEAD;
  if (length > ND_SAFETENSORS_MOST)
    return nd_fail_with(
        err, ND_CAPACITY, ND_NUMBERS({"value", (int64_t)length}, {"limit", ND_SAFETENSORS_MOST}),
        "a header of %zu B; the limit of the format is %d", length, ND_SAFETENSORS_MOST);
  for (int i = 0; i < LEAD; i++) b->text[i] = (char)((uint64_t)length >> 8 * i);
  return ND_OK;
}

/* Refused before the file is made: what other programs would refuse, or take for something else. */
static nd_status check_names(const nd_source *source, nd_error *err) {
  for (int i = 0; i < source->count; i++) {
    const nd_named_array *a = &source->arrays[i];
    const nd_dtype dtype = (nd_dtype)a->array->dtype;
    if (strcmp(a->name, "__metadata__") == 0)
      return nd_fail(err, ND_INVALID_ARGUMENT, "an array cannot be named __metadata__");
    if (!ndi_safetensors_dtype(dtype))
      return nd_fail(err, ND_TYPE_MISMATCH, "\"%.80s\": the format has no name for %s", a->name,
                     nd_dtype_get(dtype)->name);
    if (!ndi_is_utf8(a->name))
      return nd_fail(err, ND_INVALID_ARGUMENT, "the name of an array is not UTF-8");
  }
  for (int i = 0; i < source->texts_count; i++)
    if (!ndi_is_utf8(source->texts[i].name) || !ndi_is_utf8(source->texts[i].value))
      return nd_fail(err, ND_INVALID_ARGUMENT, "metadata is not UTF-8");
  return ND_OK;
}

/* The larger the elements, the sooner; else in the order of the source. */
static int by_size(const void *a, const void *b) {
  const placed *x = a, *y = b;
  const size_t first = nd_view_itemsize(x->array->array),
               second = nd_view_itemsize(y->array->array);
  if (first != second) return first > second ? -1 : 1;
  return x->array < y->array ? -1 : x->array > y->array;
}

static nd_status write_all(const nd_source *source, placed *list, ndi_outfile *file,
                           nd_error *err) {
  buffer header = {.text = NULL};
  size_t offset = 0;
  for (int i = 0; i < source->count; i++) list[i].array = &source->arrays[i];
  qsort(list, (size_t)source->count, sizeof *list, by_size);
  for (int i = 0; i < source->count; i++) {
    list[i].offset = offset;
    offset += nd_view_nbytes(list[i].array->array);
  }
  nd_status status = make_header(source, list, &header, err);
  if (status == ND_OK) status = ndi_outfile_write(file, header.text, header.length, err);
  free(header.text);
  for (int i = 0; i < source->count && status == ND_OK; i++)
    status = ndi_error_name(ndi_outfile_write_view(file, list[i].array->array, err), "array",
                            list[i].array->name, err);
  return status;
}

static nd_status save(const nd_source *source, ndi_outfile *file, nd_error *err) {
  ND_TRY(check_names(source, err));
  placed *list = malloc(((size_t)source->count + 1) * sizeof *list);
  if (!list) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a list of arrays");
  const nd_status status = write_all(source, list, file, err);
  free(list);
  return status;
}

const nd_codec ndi_safetensors_codec = {.extensions = {".safetensors"},
                                        .holds_many = true,
                                        .has_texts = true,
                                        .load = load,
                                        .save = save};
