/* How many bytes an Arrow array keeps alive. */
#ifndef ND_XCHG_ARROW_BYTES_H
#define ND_XCHG_ARROW_BYTES_H

#include "xchg/arrow.h"

/* About the bytes of 'rows' elements from 'first' on, not counting its offset, in the host's
 * memory: exactly where the format says so; parts whose range is not found are counted whole. The
 * array is one of the schema, all the way down. */
size_t ndi_arrow_bytes(const struct ArrowSchema *schema, const struct ArrowArray *array,
                       size_t first, size_t rows);

#endif
