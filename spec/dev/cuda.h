/* What the specs of CUDA ask of the backend, in a line each. */
#ifndef ND_SPEC_DEV_CUDA_H
#define ND_SPEC_DEV_CUDA_H

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "ndbuf.h"

static inline const nd_backend *cuda_backend(void) { return nd_backend_find("cuda"); }

/* 'driver': where NDBUF_CUDA_DRIVER names none. ND_DEVICE_NOT_FOUND when there is no device. */
static inline nd_status cuda_open(const char *driver, nd_error *err) {
  const char *named = getenv("NDBUF_CUDA_DRIVER");
  const nd_backend_options options = {.driver = named ? named : driver};
  nd_backend_facts facts;
  nd_backend_configure(cuda_backend(), &options);
  return nd_backend_open(cuda_backend(), &facts, err);
}

static inline int cuda_count(void) {
  nd_backend_facts facts;
  return nd_backend_open(cuda_backend(), &facts, NULL) == ND_OK ? facts.devices : 0;
}

static inline nd_place cuda_place(nd_memkind kind, int ordinal) {
  return (nd_place){.backend = cuda_backend(), .kind = kind, .ordinal = ordinal};
}

static inline nd_status cuda_device(int ordinal, nd_device **out, nd_error *err) {
  const nd_place place = cuda_place(ND_MEM_DEVICE, ordinal);
  return nd_place_device(&place, out, err);
}

static inline nd_status cuda_resource(nd_memkind kind, int ordinal, nd_resource **out,
                                      nd_error *err) {
  const nd_place place = cuda_place(kind, ordinal);
  return nd_place_resource(&place, (nd_place_options){0}, out, err);
}

/* Device memory by cuMemAlloc. */
static inline nd_status cuda_plain(int ordinal, nd_resource **out, nd_error *err) {
  const nd_place place = cuda_place(ND_MEM_DEVICE, ordinal);
  return nd_place_resource(&place, (nd_place_options){.pooling = ND_POOLING_OFF}, out, err);
}

static inline nd_status cuda_usage(int ordinal, nd_usage *out, nd_error *err) {
  const nd_place place = cuda_place(ND_MEM_DEVICE, ordinal);
  return nd_place_usage(&place, out, err);
}

static inline nd_status cuda_pin(nd_storage *storage, bool is_pinned, nd_error *err) {
  return nd_backend_pin(cuda_backend(), storage, is_pinned, err);
}

/* Set the function pointer at 'out' to a function of the simulator, if that is the driver in use;
 * else to NULL, and false. */
static inline bool cuda_steering(const char *driver, const char *name, void *out) {
  void *library = dlopen(driver, RTLD_NOW | RTLD_NOLOAD);
  void *found = library ? dlsym(library, name) : NULL;
  memcpy(out, &found, sizeof found);
  return found != NULL;
}

#endif
