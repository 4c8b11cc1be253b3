/* Work on several threads of the host. */
#ifndef ND_DEV_THREADS_H
#define ND_DEV_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/platform.h"

/* As many as may work on one call, this one included: at first the processors that the process may
 * use. 1 where ndbuf was built without OpenMP, and in a forked child, whose threads are gone. */
int nd_threads_get(void);

/* At least 1, at most ND_MAX_THREADS. Without effect where nd_threads_get() has to be 1. */
enum { ND_MAX_THREADS = 256 };
void nd_threads_set(int count);

/* How many parts work is worth that moves so many bytes: 1 below about 1 MiB. */
size_t ndi_parts(uint64_t bytes);

/* Call 'run' for the parts 0 … parts - 1, part 0 on this thread, and return when all are done. */
typedef void ndi_part(void *context, size_t part, size_t parts);
void ndi_run_parts(size_t parts, ndi_part *run, void *context);

#endif
