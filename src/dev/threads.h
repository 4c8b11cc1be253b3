/* Running one operation on several threads of the host. */
#ifndef ND_DEV_THREADS_H
#define ND_DEV_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/platform.h"

/* The number of threads that one call may use, including its own: at first the processors available
 * to the process. Always 1 where ndbuf was built without OpenMP, and in a forked child, which has
 * no other threads. */
int nd_threads_get(void);

/* Set that number, clamped to 1 … ND_MAX_THREADS. A no-op where nd_threads_get() is always 1. */
enum { ND_MAX_THREADS = 256 };
void nd_threads_set(int count);

/* Number of parts (threads) worth using for work that moves 'bytes' bytes: 1 below 1 MiB, as
 * starting threads costs more than it saves. */
size_t ndi_parts(uint64_t bytes);

/* Call run(context, part, parts) for each part 0 … parts - 1, part 0 on this thread, and return
 * when all are done. Runs them one after the other where threads cannot be had. */
typedef void ndi_part(void *context, size_t part, size_t parts);
void ndi_run_parts(size_t parts, ndi_part *run, void *context);

#endif
