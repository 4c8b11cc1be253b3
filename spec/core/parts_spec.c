/* The threads that share work: each part runs once and in time, whoever comes late, forks, or asks
 * for work at the same time. NDBUF_CASES scales the rounds. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "dev/threads.h"
#include "ndbuf.h"

enum { MOST = 64, CALLERS = 8, PATIENCE = 10 /* seconds */ };

/* A job: what its parts noted. It is on the stack of the caller, and poisoned when that returns. */
typedef struct {
  size_t parts, threads;
  pthread_t caller;
  atomic_int runs[MOST];    /* of each part */
  atomic_bool inside[MOST]; /* is that thread in a part? */
  atomic_int wrongs;        /* of what must hold within a part */
  atomic_bool is_over;
  bool is_slow; /* so that others come, and the caller waits asleep */
} job;

static bool note(void *context, size_t part, size_t parts, size_t thread) {
  job *j = context;
  const bool is_caller = pthread_equal(pthread_self(), j->caller);
  if (parts != j->parts || part >= parts || thread >= j->threads || is_caller != (thread == 0) ||
      atomic_exchange(&j->inside[thread], true) || atomic_load(&j->is_over))
    return atomic_fetch_add(&j->wrongs, 1), true;
  atomic_fetch_add(&j->runs[part], 1);
  if (j->is_slow) usleep(200);
  atomic_store(&j->inside[thread], false);
  return true;
}

/* Run one job. True: all that must hold did. */
static bool runs_well(ndi_split split, bool is_slow) {
  job j = {.parts = split.parts, .threads = split.threads, .caller = pthread_self()};
  j.is_slow = is_slow;
  ndi_run_parts(split, note, &j);
  atomic_store(&j.is_over, true);
  int wrongs = atomic_load(&j.wrongs);
  for (size_t i = 0; i < MOST; i++) wrongs += atomic_load(&j.runs[i]) != (i < split.parts);
  memset(&j, 0xff, sizeof j); /* a helper that is late must not look */
  return wrongs == 0;
}

static bool is_right(ndi_split split) { return runs_well(split, false); }

static void spec_once(void) {
  group("each part runs once, whatever number of threads there are");
  for (size_t parts = 1; parts <= MOST; parts++)
    for (size_t threads = 1; threads <= parts && threads <= 9; threads++)
      CHECK(is_right((ndi_split){parts, threads}), "%zu parts, %zu threads", parts, threads);
  group("jobs follow one another at once, and none gets what is another's");
  const size_t rounds = scaled(100000);
  size_t wrong = 0;
  for (size_t i = 0; i < rounds; i++) wrong += !is_right((ndi_split){1 + i % 5, 1 + i % 3});
  CHECK(wrong == 0, "%zu of %zu", wrong, rounds);
}

/* {=== helpers that are slow ===} */

static bool wait_for(atomic_size_t *count, size_t least) {
  const time_t start = time(NULL);
  while (atomic_load(count) < least) {
    if (time(NULL) - start > PATIENCE) return false;
    sched_yield();
  }
  return true;
}

typedef struct {
  atomic_size_t helped, done;
  atomic_bool was_waited_for;
} slow;

/* A helper does not finish its first part until all others are done; and the caller begins when a
 * helper has come. */
static bool hang(void *context, size_t part, size_t parts, size_t thread) {
  slow *s = context;
  (void)part;
  if (thread > 0 && !(atomic_fetch_add(&s->helped, 1) == 0 && wait_for(&s->done, parts - 1)))
    atomic_store(&s->was_waited_for, true);
  if (thread == 0 && !wait_for(&s->helped, 1)) return false;
  atomic_fetch_add(&s->done, 1);
  return true;
}

static void spec_slow(void) {
  group("the caller does what a helper does not get to, and waits for what it has begun");
  slow s = {.done = 0};
  usleep(50000); /* helpers sleep by now */
  ndi_run_parts((ndi_split){16, 2}, hang, &s);
  CHECK(atomic_load(&s.helped) == 1, "%zu parts were a helper's", atomic_load(&s.helped));
  CHECK(atomic_load(&s.done) == 16, "%zu parts are done", atomic_load(&s.done));
  CHECK(!atomic_load(&s.was_waited_for), "a helper was waited for");
}

/* {=== ending early ===} */

static bool stop_at_third(void *count, size_t part, size_t parts, size_t thread) {
  (void)part, (void)parts, (void)thread;
  return atomic_fetch_add((atomic_size_t *)count, 1) + 1 < 3;
}

static void spec_stop(void) {
  group("a part that says so is the last one that is begun");
  for (size_t threads = 1; threads <= 4; threads++) {
    atomic_size_t count = 0;
    ndi_run_parts((ndi_split){MOST, threads}, stop_at_third, &count);
    /* each of the others may be in a part by then */
    CHECK(atomic_load(&count) >= 3 && atomic_load(&count) < 3 + threads, "%zu parts on %zu threads",
          atomic_load(&count), threads);
  }
}

/* {=== several callers, and forks ===} */

static atomic_bool ends;

static void *call_often(void *rounds) {
  size_t wrong = 0;
  for (size_t i = 0; i < *(size_t *)rounds && !atomic_load(&ends); i++)
    wrong += !runs_well((ndi_split){1 + i % MOST, 1 + i % 4}, i % 24 == 23);
  return (void *)wrong;
}

static void spec_callers(void) {
  group("threads that ask for work at once do not wait for one another, nor mix it up");
  pthread_t thread[CALLERS];
  size_t rounds = scaled(4000), wrong = 0;
  for (int i = 0; i < CALLERS; i++)
    if (pthread_create(&thread[i], NULL, call_often, &rounds) != 0) abort();
  for (int i = 0; i < CALLERS; i++) {
    /* helpers may end at any time */
    if (i % 2 == 0) ndi_helpers_free();
    void *result;
    pthread_join(thread[i], &result);
    wrong += (size_t)result;
  }
  CHECK(wrong == 0, "%zu jobs of %zu", wrong, rounds * CALLERS);
}

/* How a child that worked by itself ended. */
static int status_of_child(bool exits) {
  int status = -1;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    alarm(PATIENCE);
    const bool fine = nd_threads_get() == 1 && ndi_split_of(64 << 20, 0).threads == 1 &&
                      is_right(ndi_split_of(64 << 20, 0));
    ndi_helpers_free();
    if (exits) exit(fine ? 7 : 1);
    _exit(fine ? 7 : 1);
  }
  if (child > 0) waitpid(child, &status, 0);
  return status;
}

static void spec_forks(void) {
  group("a process that forks in the middle of a job has children that work alone, and goes on");
  pthread_t thread;
  size_t rounds = SIZE_MAX;
  void *wrong;
  atomic_store(&ends, getenv("NDBUF_EMULATED") != NULL); /* emulators have locks that stay taken */
  if (pthread_create(&thread, NULL, call_often, &rounds) != 0) abort();
  for (size_t i = 0; i < scaled(60); i++) {
    const int status = status_of_child(i % 2);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7, "child %zu: status %d", i, status);
  }
  atomic_store(&ends, true);
  pthread_join(thread, &wrong);
  CHECK(wrong == NULL, "%zu jobs meanwhile", (size_t)wrong);
}

/* {=== how many there are ===} */

static void spec_made(void) {
  group("helpers are made when they are first needed, and end when they are told to");
  is_right((ndi_split){MOST, 2}); /* a sanitizer then starts one of its own */
  const int before = running_threads() - 1;
  ndi_helpers_free();
  CHECK(threads_become(before), "%d threads more", running_threads() - before);
  is_right((ndi_split){MOST, 1});
  CHECK(running_threads() == before, "%d threads for a job of one", running_threads());
  is_right((ndi_split){MOST, 3});
  CHECK(running_threads() == before + 2, "%d threads for a job of 3",
        running_threads() - before + 1);
  is_right((ndi_split){MOST, 2});
  is_right((ndi_split){MOST, 5});
  CHECK(running_threads() == before + 4, "%d threads for a job of 5",
        running_threads() - before + 1);
  for (int i = 0; i < 3; i++) /* the others are awake */
    CHECK(runs_well((ndi_split){MOST, 2}, true), "with more helpers than a job has room for");
  for (int i = 0; i < 3; i++) ndi_helpers_free();
  CHECK(threads_become(before), "%d threads more", running_threads() - before);
}

static void spec_split(void) {
  group("small work is one part; no part of other work is small");
  const int before = nd_threads_get();
  for (int threads = 1; threads <= 256; threads *= 4) {
    nd_threads_set(threads);
    for (uint64_t bytes = 1; bytes < (uint64_t)1 << 40; bytes += bytes / 3 + 1) {
      const ndi_split split = ndi_split_of(bytes, 0), few = ndi_split_of(bytes, 3);
      const bool is_one = bytes < 1 << 20 || threads == 1;
      CHECK(is_one ? split.parts == 1 && split.threads == 1
                   : split.parts > 1 && split.parts <= NDI_MAX_PARTS && split.threads > 1 &&
                         split.threads <= (size_t)threads && split.threads <= split.parts &&
                         split.parts % split.threads == 0 && bytes / split.parts >= 256 << 10 &&
                         bytes / split.threads >= 512 << 10,
            "%" PRIu64 " bytes: %zu parts on %zu of %d threads", bytes, split.parts, split.threads,
            threads);
      CHECK(few.parts <= 3 && few.threads <= few.parts, "%zu parts of 3", few.parts);
    }
  }
  nd_threads_set(before);
}

int main(void) {
  if (nd_init(NULL) != ND_OK) return 2;
  spec_split();
  spec_made();
  spec_once();
  spec_slow();
  spec_stop();
  spec_callers();
  spec_forks();
  return finish();
}
