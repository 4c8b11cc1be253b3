/* NumPy's .npy files: one array, with a text header (npy_header.h) in front of its bytes.
 *
 * The text has the dtype, the order and the shape. Its length is in the few bytes before it, the
 * lead, so a header is read in two steps. The array's bytes follow as they are in memory, so that
 * files can be mapped. */
#include <stdlib.h>
#include <string.h>

#include "xchg/format.h"
#include "xchg/npy_header.h"

/* Parse the header's text of 'length' bytes, of which the first 'begun' are at 'start' and the
 * others still to be read. Its length is checked against that of the file before memory is
 * allocated. 'at' is for messages. */
static nd_status read_text(ndi_source *from, size_t at, const unsigned char *start, size_t begun,
                           size_t length, ndi_npy_header *out, nd_error *err) {
  if (begun > length) begun = length; /* such a text is too short to be right */
  if (length - begun > from->left)
    return nd_fail_with(err, ND_FORMAT,
                        ND_NUMBERS({"offset", (int64_t)at}, {"expected", (int64_t)length},
                                   {"actual", (int64_t)(begun + from->left)}),
                        "truncated: expected a header of %zu B at offset %zu, found %zu B", length,
                        at, begun + from->left);
  char *text = malloc(length + 1);
  if (!text) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for an .npy header of %zu B", length);
  memcpy(text, start, begun);
  nd_status status = from->read(from, text + begun, length - begun, err);
  if (status == ND_OK) status = ndi_npy_parse(text, length, out, err);
  free(text);
  return status;
}

nd_status ndi_npy_read(ndi_source *from, ndi_layout *out, nd_error *err) {
  unsigned char lead[ND_NPY_LEAD];
  const size_t count = from->left < sizeof lead ? from->left : sizeof lead;
  size_t at, length;
  ND_TRY(from->read(from, lead, count, err));
  ND_TRY(ndi_npy_lead(lead, count, &at, &length, err));
  ND_TRY(read_text(from, at, lead + at, count - at, length, out, err));
  out->offset = at + length;
  return ND_OK;
}

static nd_status load(ndi_infile *file, nd_sink *sink, nd_error *err) {
  ndi_file_source from = ndi_infile_source(file, 0);
  ndi_npy_header header;
  nd_view array;
  ND_TRY(ndi_npy_read(&from.base, &header, err));
  if (sink->map) ND_TRY(ndi_infile_load(file, &header, true, &array, err));
  else ND_TRY(ndi_source_load(&from.base, &header, &array, err));
  return sink->put_array(sink, NULL, &array, err);
}

/* {=== writing ===} */

/* Elements in column-major order are those of this view in row-major order. */
static nd_status reverse_axes(const nd_view *src, nd_view *out, nd_error *err) {
  int order[ND_MAX_NDIM];
  for (int i = 0; i < src->ndim; i++) order[i] = src->ndim - 1 - i;
  return nd_view_permute(src, order, out, err);
}

/* 'reversed' is 'src' with its axes reversed. What is contiguous in both orders, as 1-D arrays are,
 * is row-major in NumPy's files. */
static size_t format(const nd_view *src, const nd_view *reversed, bool *is_fortran,
                     char text[ND_NPY_HEADER_BYTES]) {
  ndi_npy_header header = {.dtype = (nd_dtype)src->dtype, .ndim = src->ndim};
  header.is_fortran = *is_fortran = !nd_view_is_contiguous(src) && nd_view_is_contiguous(reversed);
  for (int i = 0; i < src->ndim; i++) header.shape[i] = src->axis[i].len;
  return ndi_npy_format(&header, text);
}

nd_status ndi_npy_bytes(const nd_view *src, size_t *out, nd_error *err) {
  char text[ND_NPY_HEADER_BYTES];
  bool is_fortran;
  nd_view reversed;
  ND_TRY(reverse_axes(src, &reversed, err));
  *out = format(src, &reversed, &is_fortran, text) + nd_view_nbytes(src);
  nd_view_drop(&reversed);
  return ND_OK;
}

/* A view that is contiguous in column-major order is saved so: its bytes are written without a
 * copy, and NumPy loads it with the same strides. */
nd_status ndi_npy_write(ndi_outfile *file, const nd_view *src, nd_error *err) {
  char text[ND_NPY_HEADER_BYTES];
  bool is_fortran;
  nd_view reversed;
  ND_TRY(reverse_axes(src, &reversed, err));
  const size_t bytes = format(src, &reversed, &is_fortran, text);
  nd_status status = ndi_outfile_write(file, text, bytes, err);
  if (status == ND_OK) status = ndi_outfile_write_view(file, is_fortran ? &reversed : src, err);
  nd_view_drop(&reversed);
  return status;
}

static nd_status save(const nd_source *source, ndi_outfile *file, nd_error *err) {
  return ndi_npy_write(file, source->arrays[0].array, err);
}

const nd_codec ndi_npy_codec = {.extensions = {".npy"}, .load = load, .save = save};
