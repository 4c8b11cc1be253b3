/* The locks of the process, in one order and safe to fork with. */
#ifndef ND_BASE_LOCK_H
#define ND_BASE_LOCK_H

#include <pthread.h>

/* In the order in which one thread may take them. None is held while a driver is waited for, or
 * while a hook or a release callback runs. Whoever forks holds all of them meanwhile, so that the
 * child finds none held by a thread that it does not have. */
typedef enum {
  NDI_LOCK_DRIVER,   /* opening the CUDA driver */
  NDI_LOCK_DEVICES,  /* opening and closing its devices */
  NDI_LOCK_STAGES,   /* staging buffers that are not in use */
  NDI_LOCK_PINNED,   /* pinned blocks that are kept */
  NDI_LOCK_REGISTRY, /* of devices */
  NDI_LOCK_CACHES,   /* which resources keep memory */
  NDI_LOCK_REAPS,    /* who is giving back what was pending */
  NDI_LOCK_HOST,     /* host blocks that are kept */
  NDI_LOCK_GUARDED,  /* ranges of mapped files */
  NDI_LOCK_SLOTS,    /* of tickets */
  NDI_LOCKS
} ndi_lock_name;

void ndi_lock(ndi_lock_name name);
void ndi_unlock(ndi_lock_name name);

/* Wait for the condition with the one lock that is held, which is held again on return. */
void ndi_lock_wait(ndi_lock_name name, pthread_cond_t *condition);

/* How many forks lie between this process and the one that loaded us: what another number was noted
 * with belongs to threads that are not here. */
unsigned ndi_forks(void);

#endif
