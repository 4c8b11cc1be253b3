/* Copies that leave the caches alone. */
#ifndef ND_KERN_PASS_H
#define ND_KERN_PASS_H

#include "base/platform.h"

/* memcpy for bytes that this processor will not read soon: a device will, or nobody before they
 * would have left the caches. Stores go past these where the processor can do that: lines need not
 * be fetched before, and a device does not have to get them from the caches of other processors.
 * Other threads may see them late: ndi_pass_end comes before anybody is told. */
void ndi_pass(char *restrict z, const char *restrict x, size_t bytes);
static inline void ndi_pass_end(void) {
#ifdef __SSE2__
  __builtin_ia32_sfence();
#endif
}

/* Bytes that are computed into a buffer before they are passed on; as many as leave the processor
 * room to go on reading meanwhile. */
enum { NDI_PASSED = 1024 };

/* How many elements to pass on to 'z', 'left' at most: the next ones then begin with a line, if 'z'
 * is aligned to its elements. */
static inline size_t ndi_pass_next(const char *z, size_t item, size_t left) {
  const size_t most = (NDI_PASSED - (uintptr_t)z % 64) / item;
  return left < most ? left : most;
}

#endif
