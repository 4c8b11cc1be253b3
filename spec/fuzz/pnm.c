/* Netpbm images, binary and plain. */
#include "files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const fuzz_format pnm = {.codec = &ndi_pnm_codec};
  return fuzz_file(&pnm, data, size);
}
