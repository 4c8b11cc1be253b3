/* The table of registered backends. Rows are only ever added, so readers need no lock: the count is
 * published after the row. Wrappers treat an entry that is NULL as "not supported". */
#include "dev/backend.h"

#include <string.h>

#include "base/lock.h"

enum { MOST = 16 }; /* so few that they are searched one by one */

static const nd_backend *backends[MOST];
static atomic_int count;

/* The lock keeps other writers out; readers take none. */
nd_status nd_backend_register(const nd_backend *backend, nd_error *err) {
  ndi_lock(NDI_LOCK_REGISTRY);
  const int at = atomic_load(&count);
  if (at < MOST) {
    backends[at] = backend;
    atomic_store(&count, at + 1);
  }
  ndi_unlock(NDI_LOCK_REGISTRY);
  return at < MOST ? ND_OK
                   : nd_fail_with(err, ND_CAPACITY, ND_NUMBERS({"limit", MOST}),
                                  "%d backends are registered already", MOST);
}

const nd_backend *nd_backend_get(int number) {
  return number >= 0 && number < atomic_load(&count) ? backends[number] : NULL;
}

const nd_backend *nd_backend_find(const char *name) {
  const nd_backend *backend;
  for (int i = 0; (backend = nd_backend_get(i)) != NULL; i++)
    if (strcmp(backend->name, name) == 0) return backend;
  return NULL;
}

/* The message speaks of a GPU because "cuda" is the only backend that callers look up by name, and
 * so the only one that may be missing. */
nd_status nd_backend_open(const nd_backend *self, nd_backend_facts *out, nd_error *err) {
  if (!self)
    return nd_fail(err, ND_DEVICE_NOT_FOUND,
                   "there is no GPU: ndbuf was built without support for it");
  return self->open(out, err);
}

void nd_backend_configure(const nd_backend *self, const nd_backend_options *options) {
  if (self && self->configure) self->configure(options);
}

nd_status nd_backend_pin(const nd_backend *self, nd_storage *storage, bool is_pinned,
                         nd_error *err) {
  if (self && self->pin) return self->pin(storage, is_pinned, err);
  return nd_fail(err, ND_UNSUPPORTED, "pin: %s cannot lock pages", self ? self->name : "the host");
}

/* Every backend is asked, as an address does not tell whose it is. */
bool nd_is_hidden(const void *at) {
  const nd_backend *backend;
  for (int i = 0; (backend = nd_backend_get(i)) != NULL; i++)
    if (backend->is_hidden && backend->is_hidden(at)) return true;
  return false;
}

/* A device with live blocks stays open: those that a pool keeps go first. */
void nd_backends_close(void) {
  const nd_backend *backend;
  ndi_caches_empty();
  for (int i = 0; (backend = nd_backend_get(i)) != NULL; i++)
    if (backend->close) backend->close();
}
