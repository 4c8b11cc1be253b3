/* Memory that somebody else owns. */
#include <stdlib.h>

#include "mem/resource.h"

typedef struct {
  nd_resource base;
  void *host, *owner;
  size_t bytes;
  void (*release)(void *owner);
  atomic_bool taken;
} foreign;

static nd_status foreign_take(nd_resource *self, const nd_request *request, nd_block *out,
                              nd_error *err) {
  foreign *f = (foreign *)self;
  if (request->bytes > f->bytes)
    return nd_fail_with(
        err, ND_OUT_OF_BOUNDS,
        ND_NUMBERS({"value", (int64_t)request->bytes}, {"limit", (int64_t)f->bytes}),
        "%zu B asked of foreign memory of %zu B", request->bytes, f->bytes);
  if (atomic_exchange(&f->taken, true))
    return nd_fail(err, ND_CAPACITY, "foreign memory can be taken once");
  out->ptr = out->host = f->host;
  out->granted = f->bytes;
  out->zeroed = true; /* its contents are what is wanted */
  return ND_OK;
}

static nd_status foreign_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                              nd_error *err) {
  (void)block, (void)after, (void)err;
  atomic_store(&((foreign *)self)->taken, false);
  return ND_OK;
}

static void foreign_close(nd_resource *self) {
  foreign *f = (foreign *)self;
  if (f->release) f->release(f->owner);
  free(f);
}

nd_status nd_foreign_resource(void *host, size_t bytes, void (*release)(void *owner), void *owner,
                              nd_resource **out, nd_error *err) {
  static const nd_resource_ops ops = {
      .name = "foreign", .take = foreign_take, .give = foreign_give, .close = foreign_close};
  foreign *f = calloc(1, sizeof *f);
  if (!f) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a foreign resource");
  f->base.ops = &ops;
  f->base.kind = ND_MEM_FOREIGN;
  atomic_init(&f->base.holds, 1);
  f->host = host, f->bytes = bytes, f->release = release, f->owner = owner;
  *out = &f->base;
  return ND_OK;
}
