/* Copies that leave the caches alone. */
#ifndef ND_KERN_PASS_H
#define ND_KERN_PASS_H

#include "base/platform.h"

/* memcpy for bytes that this processor will not read soon: a device will, or nobody. Stores go past
 * the caches where the processor can do that: they need not be fetched before, and a device does
 * not have to get them from the caches of other processors. */
void ndi_pass(char *restrict z, const char *restrict x, size_t bytes);

#endif
