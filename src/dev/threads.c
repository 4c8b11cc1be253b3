/* Threads that help a caller with its parts, if they come in time.
 *
 * A call publishes its parts as the job. It takes them itself, one after another, while helpers
 * that are awake join in and take others. When none is left, it waits only for helpers that are
 * still running one. So a helper that the system does not run, as other programs have the
 * processors, is not waited for: its parts are done by others. (In a team whose threads all meet at
 * the end, like one of OpenMP, each call would take as long as the unluckiest thread.)
 *
 * There is one job at a time. A call that finds another thread's job runs alone: there are only as
 * many helpers as processors, so few if any would be free. */
#include "dev/threads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/lock.h"

/* On the stack of its caller, who leaves only after all who joined it. */
typedef struct {
  ndi_part *run;
  void *context;
  ndi_split split;
  size_t joined;          /* threads, the caller included: the number of the next one */
  atomic_size_t helpers;  /* that are in it now */
  _Atomic uint64_t taken; /* parts: from the front in the low half, from the back in the high one */
} work;

enum {
  STACK = 1 << 20,        /* bytes; kernels use up to a quarter of it */
  SPINS = 2000,           /* of tens of nanoseconds each, before a thread sleeps */
  WORTHWHILE = 512 << 10, /* bytes that make another thread worthwhile */
  PART = 256 << 10,       /* bytes of a part, at least: each takes 0.3 us to hand out */
  PARTS_OF_A_THREAD = 16, /* at most */
};

static atomic_int count;     /* threads of a call */
static unsigned first_forks; /* ndi_forks() at the first use */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* All under NDI_LOCK_THREADS, but for reads of 'jobs'. */
static work *job;        /* NULL: none */
static atomic_uint jobs; /* that there were: helpers that spin look at it */
static pthread_t helpers[ND_MAX_THREADS];
static size_t made;
static atomic_bool is_waiting; /* the caller, for its helpers to leave */
static uintptr_t group;        /* helpers of an earlier group are to end */
static pthread_cond_t to_work = PTHREAD_COND_INITIALIZER, to_leave = PTHREAD_COND_INITIALIZER;

/* {=== the number of threads ===} */

static void prepare(void) {
  cpu_set_t usable;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (sched_getaffinity(0, sizeof usable, &usable) == 0) processors = CPU_COUNT(&usable);
  first_forks = ndi_forks();
  atomic_store(&count, processors < 1                ? 1
                       : processors < ND_MAX_THREADS ? (int)processors
                                                     : ND_MAX_THREADS);
}

static bool is_forked(void) {
  pthread_once(&once, prepare);
  return ndi_forks() != first_forks;
}

int nd_threads_get(void) { return is_forked() ? 1 : atomic_load(&count); }

void nd_threads_set(int value) {
  pthread_once(&once, prepare);
  atomic_store(&count, value < 1 ? 1 : value < ND_MAX_THREADS ? value : ND_MAX_THREADS);
}

ndi_split ndi_split_of(uint64_t bytes, size_t most) {
  ndi_split split = {.parts = 1, .threads = 1};
  const uint64_t worth = bytes / WORTHWHILE, threads = (uint64_t)nd_threads_get();
  if (worth < 2 || threads < 2) return split;
  split.threads = (size_t)(worth < threads ? worth : threads);
  split.parts = split.threads * PARTS_OF_A_THREAD;
  if (split.parts > bytes / PART) split.parts = (size_t)(bytes / PART);
  if (split.parts > NDI_MAX_PARTS) split.parts = NDI_MAX_PARTS;
  if (most > 0 && split.parts > most) split.parts = most;
  if (split.threads > split.parts) split.threads = split.parts;
  /* as many for each: so each call gives a thread the parts whose pages its caches have */
  split.parts -= split.parts % split.threads;
  return split;
}

/* {=== parts ===} */

/* The caller begins at the front and helpers at the back, so that two threads have the pages on
 * either side of one border only. */
static bool take_part(work *w, size_t thread, size_t *part) {
  const uint64_t one = thread == 0 ? 1 : UINT64_C(1) << 32;
  const uint64_t taken = atomic_fetch_add_explicit(&w->taken, one, memory_order_relaxed);
  const size_t front = (uint32_t)taken, back = (size_t)(taken >> 32);
  *part = thread == 0 ? front : w->split.parts - 1 - back;
  return front + back < w->split.parts;
}

static bool has_parts(work *w) {
  const uint64_t taken = atomic_load_explicit(&w->taken, memory_order_relaxed);
  return (uint32_t)taken + (taken >> 32) < w->split.parts;
}

static void run_parts(work *w, size_t thread) {
  for (size_t part; take_part(w, thread, &part);)
    if (!w->run(w->context, part, w->split.parts, thread)) atomic_store(&w->taken, w->split.parts);
}

/* {=== helpers ===} */

/* Is there a job that has room and parts left? Then 'w' is it. */
static bool join_job(work **w, size_t *thread) {
  if (!job || job->joined == job->split.threads || !has_parts(job)) return false;
  *w = job;
  *thread = job->joined++;
  atomic_fetch_add(&job->helpers, 1);
  return true;
}

/* Without the lock, as the caller would have to wait for it. 'w' is gone once it has no helpers. */
static void leave_job(work *w) {
  if (atomic_fetch_sub(&w->helpers, 1) > 1 || !atomic_load(&is_waiting)) return;
  ndi_lock(NDI_LOCK_THREADS);
  pthread_cond_signal(&to_leave);
  ndi_unlock(NDI_LOCK_THREADS);
}

static void *help(void *own) {
  unsigned seen = 0;
  pthread_setname_np(pthread_self(), "ndbuf");
  for (bool is_needed = true; is_needed;) {
    work *w;
    size_t thread;
    /* The next call often comes at once, and waking up takes longer than many a job. */
    for (int i = 0; i < SPINS && atomic_load(&jobs) == seen; i++) ND_PAUSE();
    ndi_lock(NDI_LOCK_THREADS);
    bool joins = join_job(&w, &thread);
    while (!joins && atomic_load(&jobs) == seen && (uintptr_t)own == group) {
      ndi_lock_wait(NDI_LOCK_THREADS, &to_work);
      joins = join_job(&w, &thread);
    }
    seen = atomic_load(&jobs);
    is_needed = (uintptr_t)own == group;
    ndi_unlock(NDI_LOCK_THREADS);
    if (!joins) continue;
    run_parts(w, thread);
    leave_job(w);
  }
  return NULL;
}

/* The program's signal handlers are to run on its own threads: helpers block all signals but those
 * that a thread causes itself, as by an access to a mapped file that shrank. */
static bool make_helper(void) {
  static const int own[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
  pthread_attr_t attributes;
  sigset_t blocked, former;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setstacksize(&attributes, STACK);
  sigfillset(&blocked);
  for (size_t i = 0; i < ND_COUNTOF(own); i++) sigdelset(&blocked, own[i]);
  pthread_sigmask(SIG_SETMASK, &blocked, &former);
  const bool is_made = pthread_create(&helpers[made], &attributes, help, (void *)group) == 0;
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  pthread_attr_destroy(&attributes);
  made += is_made;
  return is_made;
}

void ndi_helpers_free(void) {
  pthread_t ending[ND_MAX_THREADS];
  if (is_forked()) return;
  ndi_lock(NDI_LOCK_THREADS);
  const size_t n = made;
  for (size_t i = 0; i < n; i++) ending[i] = helpers[i];
  made = 0;
  group++;
  pthread_cond_broadcast(&to_work);
  ndi_unlock(NDI_LOCK_THREADS);
  for (size_t i = 0; i < n; i++) pthread_join(ending[i], NULL);
}

/* Their code goes when the library is unloaded. */
__attribute__((destructor)) static void free_at_unload(void) { ndi_helpers_free(); }

/* {=== callers ===} */

/* Publish a job, and wake as many helpers as it can use. False: another thread's job is on. Where
 * the system refuses a thread, there are fewer. */
static bool begin(work *w) {
  ndi_lock(NDI_LOCK_THREADS);
  const bool is_free = !job;
  if (is_free) {
    job = w;
    while (made + 1 < w->split.threads && make_helper()) continue;
    for (size_t i = 1; i < w->split.threads; i++) pthread_cond_signal(&to_work);
  }
  ndi_unlock(NDI_LOCK_THREADS);
  /* helpers that spin take the lock now */
  if (is_free) atomic_fetch_add(&jobs, 1);
  return is_free;
}

static void end(work *w) {
  for (int i = 0; i < SPINS && atomic_load(&w->helpers) > 0; i++) ND_PAUSE();
  ndi_lock(NDI_LOCK_THREADS);
  atomic_store(&is_waiting, true);
  while (atomic_load(&w->helpers) > 0) ndi_lock_wait(NDI_LOCK_THREADS, &to_leave);
  atomic_store(&is_waiting, false);
  job = NULL;
  ndi_unlock(NDI_LOCK_THREADS);
}

void ndi_run_parts(ndi_split split, ndi_part *run, void *context) {
  work w = {.run = run, .context = context, .split = split, .joined = 1};
  const bool is_shared = split.threads > 1 && begin(&w);
  run_parts(&w, 0);
  if (is_shared) end(&w);
}
