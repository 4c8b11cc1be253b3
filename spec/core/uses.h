/* Uses of a whole storage. */
#ifndef SPEC_CORE_USES_H
#define SPEC_CORE_USES_H

#include "mem/storage.h"

static inline nd_use use_of_all(nd_point at, bool is_write) {
  return (nd_use){.at = at, .lo = 0, .hi = SIZE_MAX, .is_write = is_write};
}

static inline nd_status note_use(nd_storage *s, nd_point at, bool is_write) {
  const nd_use use = use_of_all(at, is_write);
  return nd_storage_use(s, &use, NULL);
}

#endif
