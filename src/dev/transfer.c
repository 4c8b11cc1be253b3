/* Counters of the copies between host and devices, for statistics: calls and bytes by kind. */
#include "base/call.h"
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

const char *nd_transfer_name(nd_transfer kind) {
  static const char *const names[] = {"h2d", "d2h", "d2d", "p2p", "staged"}; /* ORDER TRANSFER */
  return names[kind];
}

nd_status nd_transfer_check(nd_transfer kind, uint64_t bytes, nd_error *err) {
  if (!(nd_call_forbidden() >> kind & 1)) return ND_OK;
  return nd_fail_with(err, ND_UNSUPPORTED, ND_NUMBERS({"requested", (int64_t)bytes}),
                      "a transfer %s of %llu B, which nd.transfers.forbid refuses",
                      nd_transfer_name(kind), (unsigned long long)bytes);
}
