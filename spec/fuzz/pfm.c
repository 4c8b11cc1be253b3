/* Portable float maps. */
#include "files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const fuzz_format pfm = {.codec = &ndi_pfm_codec};
  return fuzz_file(&pfm, data, size);
}
