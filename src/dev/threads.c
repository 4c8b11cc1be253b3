/* Threads by OpenMP, where it is built in. */
#include "dev/threads.h"

#ifdef _OPENMP
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;
static atomic_bool is_forked;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* libgomp's threads are not in the child, and it would wait for them. */
static void note_fork(void) { atomic_store(&is_forked, true); }

static void prepare(void) {
  pthread_atfork(NULL, NULL, note_fork);
  const int processors = omp_get_num_procs();
  atomic_store(&count, processors < ND_MAX_THREADS ? processors : ND_MAX_THREADS);
}

int nd_threads_get(void) {
  pthread_once(&once, prepare);
  return atomic_load(&is_forked) ? 1 : atomic_load(&count);
}

void nd_threads_set(int value) {
  pthread_once(&once, prepare);
  atomic_store(&count, value < 1 ? 1 : value < ND_MAX_THREADS ? value : ND_MAX_THREADS);
}

void ndi_run_parts(size_t parts, ndi_part *run, void *context) {
  if (parts == 1) {
    run(context, 0, 1);
    return;
  }
#pragma omp parallel for num_threads((int)parts) schedule(static, 1)
  for (size_t part = 0; part < parts; part++) run(context, part, parts);
}

#else

int nd_threads_get(void) { return 1; }

void nd_threads_set(int value) { (void)value; }

void ndi_run_parts(size_t parts, ndi_part *run, void *context) {
  for (size_t part = 0; part < parts; part++) run(context, part, parts);
}

#endif

enum { WORTHWHILE = 512 << 10 }; /* bytes for one thread */

size_t ndi_parts(uint64_t bytes) {
  if (bytes < 2 * WORTHWHILE) return 1;
  const uint64_t most = bytes / WORTHWHILE, threads = (uint64_t)nd_threads_get();
  return (size_t)(most < threads ? most : threads);
}
