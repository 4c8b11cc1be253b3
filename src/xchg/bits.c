/* Eight bools at a time, in a word. */
#include "xchg/bits.h"

#include <string.h>

void ndi_pack_bits(const unsigned char *from, size_t count, unsigned char *to) {
  const uint64_t high = UINT64_C(0x8080808080808080);
  for (; count >= 8; from += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, from, sizeof word);
    /* 1 in each byte that is not 0: its low 7 bits carry into the highest, which is added */
    word = ((((word & ~high) + ~high) | word) & high) >> 7;
    /* byte i is bit i of the highest byte of the product */
    *to++ = (unsigned char)(word * UINT64_C(0x0102040810204080) >> 56);
  }
  unsigned char last = 0;
  for (size_t i = 0; i < count; i++) last |= (unsigned char)((from[i] != 0) << i);
  if (count > 0) *to = last;
}

void ndi_unpack_bits(const unsigned char *from, size_t first, size_t count, unsigned char *to) {
  from += first / 8, first %= 8;
  for (; count > 0 && first > 0; count--, first = (first + 1) % 8) {
    *to++ = *from >> first & 1;
    if (first == 7) from++;
  }
  for (; count >= 8; count -= 8, to += 8) {
    /* the byte in each byte, of which bit i is kept in byte i */
    uint64_t word = *from++ * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    const uint64_t low7 = UINT64_C(0x7F7F7F7F7F7F7F7F);
    word = ((((word & low7) + low7) | word) & ~low7) >> 7;
    memcpy(to, &word, sizeof word);
  }
  for (size_t i = 0; i < count; i++) to[i] = *from >> i & 1;
}
