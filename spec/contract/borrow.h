/* What devices of the specs have instead of kernels: the host works on their memory. */
#ifndef ND_SPEC_BORROW_H
#define ND_SPEC_BORROW_H

#include "dev/device.h"
#include "mem/foreign.h"

/* The same elements through a storage of the host's, over the device's address. */
static inline nd_status borrow_view(const nd_view *v, nd_view *out, nd_error *err) {
  nd_resource *foreign;
  nd_storage *storage;
  size_t shape[ND_MAX_NDIM];
  ptrdiff_t steps[ND_MAX_NDIM];
  for (int i = 0; i < v->ndim; i++) shape[i] = v->axis[i].len, steps[i] = v->axis[i].step;
  ND_TRY(nd_storage_allocate(v->storage, err));
  ND_TRY(nd_foreign_resource(v->storage->ptr, v->storage->bytes, NULL, NULL, &foreign, err));
  nd_status status = nd_storage_make(foreign, v->storage->bytes, (nd_storage_options){0}, &storage,
                                     err);
  nd_resource_drop(foreign);
  if (status != ND_OK) return status;
  status = nd_view_make(storage, v->offset, (nd_dtype)v->dtype, v->ndim, shape, steps, out, err);
  nd_storage_drop(storage);
  return status;
}

#endif
