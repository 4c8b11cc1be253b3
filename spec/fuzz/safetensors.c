/* .safetensors files. */
#include "many.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzz_many(&ndi_safetensors_codec, data, size, size + 64);
}
