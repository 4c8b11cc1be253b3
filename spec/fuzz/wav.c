/* WAVE files. */
#include "files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const fuzz_format wav = {.codec = &ndi_wav_codec, .may_refuse = true};
  return fuzz_file(&wav, data, size);
}
