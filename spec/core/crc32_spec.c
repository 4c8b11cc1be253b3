/* The checksum of ZIP and PNG files, against one that goes bit by bit. */
#include "xchg/crc32.h"

#include "arrays.h"
#include "check.h"

static uint32_t bit_by_bit(uint32_t crc, const unsigned char *p, size_t bytes) {
  crc = ~crc;
  for (size_t i = 0; i < bytes; i++) {
    crc ^= p[i];
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xEDB88320) : 0);
  }
  return ~crc;
}

static void spec_known(void) {
  group("the check value of the catalogues, and nothing");
  CHECK(ndi_crc32(0, "123456789", 9) == UINT32_C(0xCBF43926), "%x", ndi_crc32(0, "123456789", 9));
  CHECK(ndi_crc32(0, NULL, 0) == 0, "of nothing");
  CHECK(ndi_crc32(7, "", 0) == 7, "nothing more");
}

enum { ROOM = 5000 };

static void spec_lengths(void) {
  group("all lengths up to some hundred, at each alignment, and longer ones");
  static unsigned char data[ROOM + 64];
  for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)next_random(&rng);
  for (size_t bytes = 0; bytes < 400; bytes++) {
    const size_t at = bytes % 17;
    const uint32_t start = (uint32_t)next_random(&rng);
    CHECK(ndi_crc32(start, data + at, bytes) == bit_by_bit(start, data + at, bytes), "%zu B at %zu",
          bytes, at);
  }
  for (size_t i = 0; i < scaled(2000); i++) {
    const size_t at = next_random(&rng) % 64, bytes = next_random(&rng) % ROOM;
    const uint32_t expected = bit_by_bit(0, data + at, bytes);
    CHECK(ndi_crc32(0, data + at, bytes) == expected, "%zu B at %zu", bytes, at);
    const size_t cut = bytes > 0 ? next_random(&rng) % bytes : 0;
    const uint32_t first = ndi_crc32(0, data + at, cut);
    CHECK(ndi_crc32(first, data + at + cut, bytes - cut) == expected, "%zu B cut at %zu", bytes,
          cut);
  }
}

int main(void) {
  seed_from(20261127);
  spec_known();
  spec_lengths();
  return finish();
}
