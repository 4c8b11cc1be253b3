/* What a thread gives back when it ends. */
#ifndef ND_BASE_THREAD_EXIT_H
#define ND_BASE_THREAD_EXIT_H

#include <stdbool.h>

/* Call 'run' when this thread ends, once: it may be asked for again, also by what runs then. False
 * where that is not to be had, as the system has few keys: then nothing should be kept for a
 * thread. */
bool ndi_at_thread_exit(void (*run)(void));

#endif
