/* Philox4x32-10; the constants are the paper's. */
#include "base/philox.h"

enum { ROUNDS = 10 };

nd_philox_block nd_philox(uint64_t key, uint64_t counter_lo, uint64_t counter_hi) {
  uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
  uint32_t c0 = (uint32_t)counter_lo, c1 = (uint32_t)(counter_lo >> 32);
  uint32_t c2 = (uint32_t)counter_hi, c3 = (uint32_t)(counter_hi >> 32);
  for (int i = 0; i < ROUNDS; i++, k0 += 0x9e3779b9, k1 += 0xbb67ae85) {
    const uint64_t a = UINT64_C(0xd2511f53) * c0, b = UINT64_C(0xcd9e8d57) * c2;
    c0 = (uint32_t)(b >> 32) ^ c1 ^ k0;
    c1 = (uint32_t)b;
    c2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
    c3 = (uint32_t)a;
  }
  return (nd_philox_block){{c0, c1, c2, c3}};
}
