/* .npz files: members stored and compressed, of which much may come out of little. */
#include "many.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzz_many(&ndi_npz_codec, data, size, 1032 * (size + 1));
}
