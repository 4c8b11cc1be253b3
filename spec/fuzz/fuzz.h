/* What the fuzzers share: checks that end the run, numbers from the input, and what has to hold
 * after every input: no memory in use and no descriptor left open. */
#ifndef ND_SPEC_FUZZ_H
#define ND_SPEC_FUZZ_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ndbuf.h"

/* The format and its values describe the case. */
#define MUST(ok, ...)                                          \
  do {                                                         \
    if (!(ok)) {                                               \
      fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #ok); \
      fprintf(stderr, __VA_ARGS__), fputc('\n', stderr);       \
      abort();                                                 \
    }                                                          \
  } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* {=== the input as numbers ===} 0 when it is used up. */

typedef struct {
  const uint8_t *at, *end;
} fuzz_input;

static inline unsigned next_byte(fuzz_input *in) { return in->at < in->end ? *in->at++ : 0; }

/* Below 'limit'. */
static inline size_t next_below(fuzz_input *in, size_t limit) { return next_byte(in) % limit; }

/* {=== after every input ===} */

static inline uint64_t live_bytes(void) {
  nd_mem_stats stats;
  nd_resource_get_stats(nd_host_resource(), &stats);
  return stats.live.now;
}

/* The number that the next file would get: higher when one was left open. libFuzzer has files of
 * its own, but not within an input. */
static inline int lowest_descriptor(void) {
  const int fd = dup(0);
  MUST(fd >= 0, "dup");
  close(fd);
  return fd;
}

static inline void check_nothing_left(int lowest) {
  const int now = lowest_descriptor();
  MUST(live_bytes() == 0, "%" PRIu64 " B", live_bytes());
  MUST(now == lowest, "descriptor %d was left open", lowest);
}

#endif
