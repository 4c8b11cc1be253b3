/* The list of backends: the only place that names them, but for the folders of their own. */
#include "ndbuf.h"

#include <pthread.h>

/* A line for each. Error messages list the names of their kinds of memory in this order. */
#define ND_BACKENDS(X) \
  X(nd_host_backend)   \
  X(nd_cuda_backend)   \
  X(nd_file_backend)

#define ND_ROW(backend) extern const nd_backend backend;
ND_BACKENDS(ND_ROW)
#undef ND_ROW

static nd_status outcome; /* of the one registration, for all later calls */

static void register_backends(void) {
#define ND_ROW(backend) \
  if (outcome == ND_OK) outcome = nd_backend_register(&backend, NULL);
  ND_BACKENDS(ND_ROW)
#undef ND_ROW
}

nd_status nd_init(nd_error *err) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_backends);
  return outcome == ND_OK ? ND_OK
                          : nd_fail(err, outcome, "the built-in backends could not be registered");
}
