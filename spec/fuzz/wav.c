/* WAVE files. */
#include "files.h"

static uint32_t rate;

static nd_status load(const char *path, bool map, nd_view *out, nd_error *err) {
  return nd_wav_load(path, map, out, &rate, err);
}

static nd_status save(const char *path, const nd_view *src, nd_error *err) {
  const uint32_t given = rate;
  const nd_status status = nd_wav_save(path, src, given, err);
  uint32_t back = 0;
  nd_view v;
  if (status == ND_OK && nd_wav_load(path, true, &v, &back, err) == ND_OK) nd_view_drop(&v);
  MUST(status != ND_OK || back == given, "%" PRIu32 " Hz, not %" PRIu32, back, given);
  return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const fuzz_format wav = {.load = load, .save = save, .may_refuse = true};
  return fuzz_file(&wav, data, size);
}
