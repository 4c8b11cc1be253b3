/* Images by libraries: PNG, or JPEG where the first byte is 0xFF. What loads is sound, and is not
 * larger than its data can make it; a PNG is the same after a round through its saver, of a JPEG
 * the shape. The checksums of a PNG are made right first, so that what they cover is looked at. */
#include "files.h"
#include "xchg/crc32.h"

static void put32(uint8_t *at, uint32_t value) {
  for (int i = 0; i < 4; i++) at[i] = (uint8_t)(value >> 8 * (3 - i));
}

static size_t get32(const uint8_t *at) {
  return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
}

enum { SIGNATURE = 8, AROUND = 12 }; /* bytes of a chunk besides its data */

static void mend_checksums(uint8_t *data, size_t size) {
  for (size_t at = SIGNATURE; at < size && size - at >= AROUND;) {
    const size_t bytes = get32(data + at);
    if (bytes > size - at - AROUND) return;
    put32(data + at + 8 + bytes, ndi_crc32(0, data + at + 4, 4 + bytes));
    at += AROUND + bytes;
  }
}

static void check_saved_image(const nd_codec *codec, const nd_view *v, size_t most) {
  nd_error err = {0};
  nd_view back;
  const nd_file_options options = {.codec = codec};
  MUST(nd_save(saved_path, v, options, &err) == ND_OK, "%s", err.message);
  MUST(nd_load(saved_path, options, &back, &err) == ND_OK, "%s", err.message);
  if (codec == &ndi_png_codec) check_equal(v, &back, most);
  MUST(v->dtype == back.dtype && nd_view_same_shape(v, &back), "shape or dtype");
  nd_view_drop(&back);
}

static void check_image(const nd_codec *codec, const uint8_t *data, size_t size) {
  /* of a PNG's bits each becomes 4 bytes at most; a JPEG has 512 pixels of 3 bytes in one */
  const size_t most = 4 * 8 * 1032 * (size + 1);
  const char *path = put_input(data, size);
  nd_error err = {0};
  nd_view v;
  const nd_status status = nd_load(path, (nd_file_options){.codec = codec}, &v, &err);
  if (status != ND_OK) {
    MUST(status == ND_FORMAT || status == ND_UNSUPPORTED, "%s: %s", nd_status_name(status),
         err.message);
    return;
  }
  size_t bytes;
  free(elements_of(&v, most, &bytes));
  if (bytes < 1 << 20) check_saved_image(codec, &v, most);
  nd_view_drop(&v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const bool is_jpeg = size > 0 && data[0] == 0xFF;
  put_input(data, 0); /* opens what stays open */
  const int lowest = lowest_descriptor();
  uint8_t *copy = malloc(size + 1);
  MUST(copy, "no memory");
  if (size > 0) memcpy(copy, data, size);
  if (!is_jpeg) mend_checksums(copy, size);
  check_image(is_jpeg ? &ndi_jpeg_codec : &ndi_png_codec, copy, size);
  free(copy);
  check_nothing_left(lowest);
  return 0;
}
