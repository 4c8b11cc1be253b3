/* The error where memory ran out. */
#include "mem/shortage.h"

#include <stdio.h>

#include "mem/slot.h"

enum { LISTED = 5 };

/* List the sizes of the largest live blocks in 'text'; returns the largest. */
static size_t list_largest(uint16_t device, char *text, size_t bytes) {
  size_t sizes[LISTED] = {0};
  const int n = ndi_slot_largest(device, LISTED, sizes);
  size_t used = 0;
  for (int i = 0; i < n; i++)
    used += (size_t)snprintf(text + used, bytes - used, "%s%zu", i ? ", " : "", sizes[i]);
  snprintf(text + used, bytes - used, n ? " B" : "none");
  return sizes[0];
}

nd_status ndi_fail_shortage(const ndi_shortage *s, nd_error *err) {
  char largest[32 * LISTED], what[96];
  const size_t most = list_largest(s->device, largest, sizeof largest);
  if (s->failed) snprintf(what, sizeof what, "%s", s->failed);
  else snprintf(what, sizeof what, "requested %zu B", s->bytes);
  return nd_fail_with(err, ND_OUT_OF_MEMORY,
                      ND_NUMBERS({"requested", (int64_t)s->bytes}, {"live", (int64_t)s->live},
                                 {"pending", (int64_t)s->pending}, {"cached", (int64_t)s->cached},
                                 {"free", (int64_t)s->free}, {"total", (int64_t)s->total},
                                 {"largest", (int64_t)most}),
                      "out of memory on %s: %s, in use %llu B, pending free %llu B, cached %llu B; "
                      "there are %llu B "
                      "free of %llu B; largest live arrays: %s",
                      s->place, what, (unsigned long long)s->live, (unsigned long long)s->pending,
                      (unsigned long long)s->cached, (unsigned long long)s->free,
                      (unsigned long long)s->total, largest);
}
