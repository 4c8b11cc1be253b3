/* .npy files, and their header's text alone, whose end is the end of its memory. */
#include "files.h"
#include "xchg/npy_header.h"

static void check_text(const char *text, size_t size) {
  nd_error err = {0};
  ndi_npy_header header;
  char out[ND_NPY_HEADER_BYTES];
  if (ndi_npy_parse(text, size, &header, &err) != ND_OK) return;
  const size_t length = ndi_npy_format(&header, out);
  MUST(length % ND_NPY_ALIGN == 0 && length <= sizeof out, "%zu", length);
  ndi_npy_header again;
  MUST(ndi_npy_parse(out + 10, length - 10, &again, &err) == ND_OK, "%s", err.message);
  MUST(again.dtype == header.dtype && again.is_fortran == header.is_fortran, "dtype or order");
  MUST(again.ndim == header.ndim, "%d axes, %d", header.ndim, again.ndim);
  for (int i = 0; i < header.ndim; i++)
    MUST(again.shape[i] == header.shape[i], "axis %d: %zu, %zu", i, header.shape[i],
         again.shape[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const fuzz_format npy = {.codec = &ndi_npy_codec};
  check_text((const char *)data, size);
  return fuzz_file(&npy, data, size);
}
