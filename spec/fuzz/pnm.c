/* Netpbm images, binary and plain. */
#include "files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const fuzz_format pnm = {.load = nd_pnm_load, .save = nd_pnm_save};
  return fuzz_file(&pnm, data, size);
}
