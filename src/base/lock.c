/* Locks that every fork finds free. */
#include "base/lock.h"

#include <stdatomic.h>

#define ND_FREE PTHREAD_MUTEX_INITIALIZER
static pthread_mutex_t locks[NDI_LOCKS] = {ND_FREE, ND_FREE, ND_FREE, ND_FREE, ND_FREE,
                                           ND_FREE, ND_FREE, ND_FREE, ND_FREE, ND_FREE};
static atomic_uint forks;

void ndi_lock(ndi_lock_name name) { pthread_mutex_lock(&locks[name]); }
void ndi_unlock(ndi_lock_name name) { pthread_mutex_unlock(&locks[name]); }

void ndi_lock_wait(ndi_lock_name name, pthread_cond_t *condition) {
  pthread_cond_wait(condition, &locks[name]);
}

unsigned ndi_forks(void) { return atomic_load_explicit(&forks, memory_order_relaxed); }

static void lock_all(void) {
  for (int i = 0; i < NDI_LOCKS; i++) ndi_lock((ndi_lock_name)i);
}

static void unlock_all(void) {
  for (int i = NDI_LOCKS; i-- > 0;) ndi_unlock((ndi_lock_name)i);
}

static void unlock_all_in_child(void) {
  atomic_fetch_add(&forks, 1);
  unlock_all();
}

/* When the library is loaded: no lock of ours may be held here, as a fork holds the one of
 * pthread_atfork() while it waits for ours. */
__attribute__((constructor)) static void watch_forks(void) {
  pthread_atfork(lock_all, unlock_all, unlock_all_in_child);
}
