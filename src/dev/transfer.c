/* Counters of the copies between host and devices, for statistics: calls and bytes by kind. */
#include "dev/backend.h"

static atomic_uint_fast64_t calls[ND_TRANSFER_COUNT], moved[ND_TRANSFER_COUNT];

void nd_transfer_add(nd_transfer kind, uint64_t bytes) {
  atomic_fetch_add(&calls[kind], 1);
  atomic_fetch_add(&moved[kind], bytes);
}

void nd_transfer_get(nd_transfer kind, uint64_t *out_calls, uint64_t *out_bytes) {
  *out_calls = atomic_load(&calls[kind]);
  *out_bytes = atomic_load(&moved[kind]);
}
