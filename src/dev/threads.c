/* Threads by OpenMP, where it is built in; else everything runs on the calling thread.
 *
 * Work is given out as numbered parts, and what a part does depends on its number only, never on
 * the thread that runs it. So the parts may as well run one after another on the calling thread,
 * where threads cannot be had. */
#include "dev/threads.h"

#ifdef _OPENMP
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;
static atomic_bool is_forked;
static pthread_once_t once = PTHREAD_ONCE_INIT;
/* threads of this thread's last OpenMP team, itself included; libgomp keeps them for the next
 * one */
static _Thread_local size_t team = 1;

/* A forked child has none of libgomp's threads, and libgomp would wait for them for ever. */
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

/* The thread that can_have tries out: it waits at the gate, then ends. */
static void *pass(void *gate) {
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

/* libgomp ends the process when the system refuses it a thread. So before a team grows, create as
 * many plain threads as are missing, all alive at once behind a gate: if that works, libgomp will
 * get its threads too. */
static bool can_have(size_t threads) {
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  pthread_t made[ND_MAX_THREADS];
  size_t extra = 0;
  pthread_mutex_lock(&gate);
  while (team + extra < threads && pthread_create(&made[extra], NULL, pass, &gate) == 0) extra++;
  pthread_mutex_unlock(&gate);
  for (size_t i = 0; i < extra; i++) pthread_join(made[i], NULL);
  return team + extra >= threads;
}

void ndi_run_parts(size_t parts, ndi_part *run, void *context) {
  if (parts == 1 || !can_have(parts)) {
    for (size_t part = 0; part < parts; part++) run(context, part, parts);
    return;
  }
  team = parts;
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

enum { WORTHWHILE = 512 << 10 }; /* bytes that make a thread worthwhile */

size_t ndi_parts(uint64_t bytes) {
  if (bytes < 2 * WORTHWHILE) return 1;
  /* the most parts of which each still has WORTHWHILE bytes */
  const uint64_t most = bytes / WORTHWHILE, threads = (uint64_t)nd_threads_get();
  return (size_t)(most < threads ? most : threads);
}
