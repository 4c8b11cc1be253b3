/* Philox against the known answers that its authors publish. */
#include "base/philox.h"

#include "check.h"

/* Random123, tests/kat_vectors, philox 4x32 10: counter, key, block. */
static const struct {
  uint32_t counter[4], key[2], block[4];
} answers[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

static uint64_t join(const uint32_t *words) { return words[0] | (uint64_t)words[1] << 32; }

int main(void) {
  group("known answers of philox 4x32-10");
  for (size_t i = 0; i < ND_COUNTOF(answers); i++) {
    const nd_philox_block got = nd_philox(join(answers[i].key), join(answers[i].counter),
                                          join(answers[i].counter + 2));
    const uint32_t *want = answers[i].block;
    CHECK(got.upper == ((uint64_t)want[0] << 32 | want[1]), "vector %zu: %" PRIx64, i, got.upper);
    CHECK(got.lower == ((uint64_t)want[2] << 32 | want[3]), "vector %zu: %" PRIx64, i, got.lower);
  }
  return finish();
}
