/* Bools as bits, the least significant first, as Arrow has them. */
#ifndef ND_XCHG_BITS_H
#define ND_XCHG_BITS_H

#include "base/platform.h"

/* Pack 'count' bytes: what is not 0 becomes a 1. The last byte is filled with 0. */
void ndi_pack_bits(const unsigned char *from, size_t count, unsigned char *to);

/* Unpack 'count' bits from bit 'first' on to bytes of 0 and 1. */
void ndi_unpack_bits(const unsigned char *from, size_t first, size_t count, unsigned char *to);

#endif
