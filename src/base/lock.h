/* All locks of the process, in one table: so that their order is written down, and so that a fork
 * can take them all. */
#ifndef ND_BASE_LOCK_H
#define ND_BASE_LOCK_H

#include <pthread.h>

/* A thread that holds one of these may take only those further down. None is held while waiting for
 * a driver, collecting garbage or running a release callback, all of which may come back to us, or
 * fork: libcuda starts nvidia-modprobe where a device file is missing.
 *
 * fork() copies only the calling thread, so a lock that another thread held would stay locked in
 * the child for ever. Therefore the forking thread takes all of them for the length of the fork. */
typedef enum {
  NDI_LOCK_OPENING,   /* which thread opens or closes the CUDA driver or its devices */
  NDI_LOCK_STAGES,    /* the free list of staging buffers */
  NDI_LOCK_REGISTRY,  /* the registry of devices */
  NDI_LOCK_CACHES,    /* the list of resources that cache memory */
  NDI_LOCK_REAPS,     /* which threads are reaping */
  NDI_LOCK_HOST,      /* the cache of host blocks */
  NDI_LOCK_GUARDED,   /* the guarded ranges of mapped files */
  NDI_LOCK_SLOTS,     /* the free list of ticket slots */
  NDI_LOCK_LOST,      /* what is noted of a CUDA context that is lost */
  NDI_LOCK_THREADS,   /* the job that threads share, and the threads that help */
  NDI_LOCK_SHARED,    /* the list of shared storages */
  NDI_LOCK_LIBRARIES, /* the functions of the libraries of base/library.h */
  NDI_LOCK_BLAS,      /* the library of linear algebra, and how many threads are in it */
  NDI_LOCK_PLANS,     /* the cache of plans of Fourier transforms */
  NDI_LOCK_FFTW,      /* the library of Fourier transforms, whose planner is for one at a time */
  NDI_LOCKS
} ndi_lock_name;

void ndi_lock(ndi_lock_name name);
void ndi_unlock(ndi_lock_name name);

/* Wait for 'condition', as pthread_cond_wait does: unlocks 'name', which must be the only lock that
 * this thread holds, and locks it again before it returns. Wakes up spuriously at times. */
void ndi_lock_wait(ndi_lock_name name, pthread_cond_t *condition);

/* The number of forks between the process that loaded the library and this one. State that was
 * noted at a different count belongs to threads that do not exist in this process. */
unsigned ndi_forks(void);

#endif
