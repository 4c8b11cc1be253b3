/* The table of locks, which a fork takes before and releases after, in parent and child. */
#include "base/lock.h"

#include <stdatomic.h>

#define ND_FREE PTHREAD_MUTEX_INITIALIZER
static pthread_mutex_t locks[NDI_LOCKS] = {ND_FREE, ND_FREE, ND_FREE, ND_FREE, ND_FREE,
                                           ND_FREE, ND_FREE, ND_FREE, ND_FREE, ND_FREE,
                                           ND_FREE, ND_FREE, ND_FREE, ND_FREE, ND_FREE};
_Static_assert(NDI_LOCKS == 15, "an initializer for each");
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

/* Runs when the library is loaded. Registering later, with a lock of ours held, could deadlock: a
 * fork on another thread holds the C library's own lock for handlers while it waits for ours. */
__attribute__((constructor)) static void register_fork_handlers(void) {
  pthread_atfork(lock_all, unlock_all, unlock_all_in_child);
}
