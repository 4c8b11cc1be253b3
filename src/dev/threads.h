/* Running one operation on several threads of the host. */
#ifndef ND_DEV_THREADS_H
#define ND_DEV_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/platform.h"

/* The number of threads that one call may use, including its own: at first the processors available
 * to the process. Always 1 in a forked child, which has no other threads. */
int nd_threads_get(void);

/* Set that number, clamped to 1 … ND_MAX_THREADS. */
enum { ND_MAX_THREADS = 256 };
void nd_threads_set(int count);

/* Work is cut into 'parts', which at most 'threads' threads run, the calling one included. Parts
 * outnumber threads by far, so that one that loses its processor to other programs holds little. */
typedef struct {
  size_t parts, threads;
} ndi_split;

/* The split of work that moves 'bytes' bytes: one part on one thread below 1 MiB, as waking others
 * costs more than it saves; never more than NDI_MAX_PARTS, nor than 'most' if that is not 0. */
enum { NDI_MAX_PARTS = 1024 };
ndi_split ndi_split_of(uint64_t bytes, size_t most);

/* Call run(context, part, parts, thread) for each part 0 … parts - 1, and return when all are done.
 * What a part does must not depend on the thread that runs it. Calls with the same number of the
 * thread, 0 … split.threads - 1, come one after the other; 0 is the calling thread. A part that
 * returns false ends the work: no further ones are begun. */
typedef bool ndi_part(void *context, size_t part, size_t parts, size_t thread);
void ndi_run_parts(ndi_split split, ndi_part *run, void *context);

/* End the threads that help callers, after the parts that they are running. Later work makes new
 * ones. */
void ndi_helpers_free(void);

#endif
