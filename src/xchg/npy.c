/* NumPy's .npy files. */
#include <stdlib.h>
#include <string.h>

#include "xchg/npy_header.h"
#include "xchg/xchg.h"

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

static nd_status load(ndi_infile *file, bool map, nd_view *out, nd_error *err) {
  unsigned char lead[ND_NPY_LEAD];
  const size_t count = file->bytes < sizeof lead ? file->bytes : sizeof lead;
  size_t at, length;
  ndi_npy_header header;
  ND_TRY(ndi_infile_read(file, 0, lead, count, err));
  ND_TRY(ndi_npy_lead(lead, count, &at, &length, err));
  ND_TRY(read_text(file, at, length, &header, err));
  header.offset = at + length;
  return ndi_infile_load(file, &header, map, out, err);
}

nd_status nd_npy_load(const char *path, bool map, nd_view *out, nd_error *err) {
  ndi_infile file;
  ND_TRY(ndi_infile_open(path, &file, err));
  const nd_status status = load(&file, map, out, err);
  ndi_infile_close(&file);
  return ndi_name_file(status, path, err);
}

static void set_header(const nd_view *src, bool is_fortran, ndi_npy_header *out) {
  *out = (ndi_npy_header){
      .dtype = (nd_dtype)src->dtype, .is_fortran = is_fortran, .ndim = src->ndim};
  for (int i = 0; i < src->ndim; i++) out->shape[i] = src->axis[i].len;
}

static nd_status reverse_axes(const nd_view *src, nd_view *out, nd_error *err) {
  int order[ND_MAX_NDIM];
  for (int i = 0; i < src->ndim; i++) order[i] = src->ndim - 1 - i;
  return nd_view_permute(src, order, out, err);
}

/* 'rows' are the elements in the file's order. */
static nd_status save(const char *path, const nd_view *src, bool is_fortran, const nd_view *rows,
                      nd_error *err) {
  ndi_npy_header header;
  char text[ND_NPY_HEADER_BYTES];
  ndi_outfile file;
  set_header(src, is_fortran, &header);
  const size_t length = ndi_npy_format(&header, text);
  ND_TRY(ndi_outfile_open(path, &file, err));
  nd_status status = ndi_outfile_write(&file, text, length, err);
  if (status == ND_OK) status = ndi_outfile_write_view(&file, rows, err);
  return ndi_outfile_close(&file, status, err);
}

nd_status nd_npy_save(const char *path, const nd_view *src, nd_error *err) {
  nd_view reversed;
  nd_status status = reverse_axes(src, &reversed, err);
  if (status != ND_OK) return ndi_name_file(status, path, err);
  const bool is_fortran = !nd_view_is_contiguous(src) && nd_view_is_contiguous(&reversed);
  status = save(path, src, is_fortran, is_fortran ? &reversed : src, err);
  nd_view_drop(&reversed);
  return ndi_name_file(status, path, err);
}
