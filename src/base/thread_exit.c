/* One thread-specific key for the whole library: its destructor runs what the thread has asked for.
 * The library stays loaded (-z nodelete), so that threads may end after its last user. */
#include "base/thread_exit.h"

#include <pthread.h>

enum { MOST = 4 };

static _Thread_local void (*runs[MOST])(void); /* in the order of asking; NULL: free */
static pthread_key_t key;
static bool has_key;

static void run_all(void *unused) {
  (void)unused;
  for (int i = 0; i < MOST && runs[i]; i++) {
    void (*const run)(void) = runs[i];
    runs[i] = NULL;
    run();
  }
}

static void make_key(void) { has_key = pthread_key_create(&key, run_all) == 0; }

bool ndi_at_thread_exit(void (*run)(void)) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_key);
  int i = 0;
  while (i < MOST && runs[i] && runs[i] != run) i++;
  /* a destructor runs only for a value that is not NULL: any will do */
  if (!has_key || i == MOST || pthread_setspecific(key, runs) != 0) return false;
  runs[i] = run;
  return true;
}
