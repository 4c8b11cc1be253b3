/* The checksum of ZIP and PNG files: CRC-32 of ITU-T V.42, polynomial 0x04C11DB7, reflected. */
#ifndef ND_XCHG_CRC32_H
#define ND_XCHG_CRC32_H

#include "base/platform.h"

/* The checksum of what 'crc' is that of (0: of nothing), followed by these bytes. */
uint32_t ndi_crc32(uint32_t crc, const void *data, size_t bytes);

#endif
