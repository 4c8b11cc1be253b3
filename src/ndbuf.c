/* Which backends there are. */
#include "ndbuf.h"

#include <pthread.h>

static nd_status outcome;

static void register_devices(void) { outcome = nd_device_register(nd_host_device(), NULL); }

nd_status nd_init(nd_error *err) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_devices);
  return outcome == ND_OK ? ND_OK
                          : nd_fail(err, outcome, "the built-in devices could not be registered");
}
