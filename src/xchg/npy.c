/* NumPy's .npy files: one array, with a text header (npy_header.h) in front of its bytes.
 *
 * The text has the dtype, the order and the shape. Its length is in the few bytes before it, the
 * lead, so a header is read in two steps. The array's bytes follow as they are in memory, so that
 * files can be mapped. */
#include <stdlib.h>
#include <string.h>

#include "xchg/format.h"
#include "xchg/npy_header.h"

/* Read and parse the header's text of 'length' bytes at 'at'. Its length is checked against that
 * of the file before memory is allocated. */
static nd_status read_text(const ndi_infile *file, size_t at, size_t length, ndi_npy_header *out,
                           nd_error *err) {
  if (at + length > file->bytes)
    return nd_fail_with(err, ND_FORMAT,
                        ND_NUMBERS({"offset", (int64_t)at}, {"expected", (int64_t)length},
                                   {"actual", (int64_t)(file->bytes - at)}),
                        "truncated: expected a header of %zu B at offset %zu, found %zu B", length,
                        at, file->bytes - at);
  char *text = malloc(length + 1);
  if (!text) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for an .npy header of %zu B", length);
  nd_status status = ndi_infile_read(file, at, text, length, err);
  if (status == ND_OK) status = ndi_npy_parse(text, length, out, err);
  free(text);
  return status;
}

static nd_status load(ndi_infile *file, nd_sink *sink, nd_error *err) {
  unsigned char lead[ND_NPY_LEAD];
  const size_t count = file->bytes < sizeof lead ? file->bytes : sizeof lead;
  size_t at, length;
  ndi_npy_header header;
  nd_view array;
  ND_TRY(ndi_infile_read(file, 0, lead, count, err));
  ND_TRY(ndi_npy_lead(lead, count, &at, &length, err));
  ND_TRY(read_text(file, at, length, &header, err));
  header.offset = at + length;
  ND_TRY(ndi_infile_load(file, &header, sink->map, &array, err));
  return sink->put_array(sink, NULL, &array, err);
}

static void set_header(const nd_view *src, bool is_fortran, ndi_npy_header *out) {
  *out = (ndi_npy_header){
      .dtype = (nd_dtype)src->dtype, .is_fortran = is_fortran, .ndim = src->ndim};
  for (int i = 0; i < src->ndim; i++) out->shape[i] = src->axis[i].len;
}

/* Elements in column-major order are those of this view in row-major order. */
static nd_status reverse_axes(const nd_view *src, nd_view *out, nd_error *err) {
  int order[ND_MAX_NDIM];
  for (int i = 0; i < src->ndim; i++) order[i] = src->ndim - 1 - i;
  return nd_view_permute(src, order, out, err);
}

/* A view that is contiguous in column-major order is saved so: its bytes are written without a
 * copy, and NumPy loads it with the same strides. */
static nd_status save(const nd_source *source, ndi_outfile *file, nd_error *err) {
  const nd_view *src = source->arrays[0].array;
  nd_view reversed;
  ndi_npy_header header;
  char text[ND_NPY_HEADER_BYTES];
  ND_TRY(reverse_axes(src, &reversed, err));
  /* what is contiguous in both orders, as 1-D arrays are, is row-major in NumPy's files */
  const bool is_fortran = !nd_view_is_contiguous(src) && nd_view_is_contiguous(&reversed);
  set_header(src, is_fortran, &header);
  nd_status status = ndi_outfile_write(file, text, ndi_npy_format(&header, text), err);
  if (status == ND_OK) status = ndi_outfile_write_view(file, is_fortran ? &reversed : src, err);
  nd_view_drop(&reversed);
  return status;
}

const nd_codec ndi_npy_codec = {.extensions = {".npy"}, .load = load, .save = save};
