/* Memory that somebody else owns, as a resource.
 *
 * Each piece is a resource of its own, with one block that can be taken once. So it goes through
 * tickets, storages and the pending list like memory that we allocate, and its owner is told only
 * when all work on it is done. */
#include "mem/foreign.h"

#include <stdlib.h>

#include "mem/gauge.h"

typedef struct {
  nd_resource base;
  void *at, *owner;
  bool is_hidden; /* 'at' is a device's address, which the CPU cannot access */
  size_t bytes;
  nd_point ready;
  void (*release)(void *owner);
  atomic_bool is_taken;
  ndi_counters counters;
} foreign;

/* Idempotent: both giving the block back and closing the resource lead here. They never do so at
 * once, since a live block keeps the resource from being closed. */
static void release_once(foreign *f) {
  void (*const call)(void *owner) = f->release;
  f->release = NULL;
  if (call) call(f->owner);
}

static nd_status foreign_take(nd_resource *self, const nd_request *request, nd_block *out,
                              nd_error *err) {
  foreign *f = (foreign *)self;
  /* before it is marked as taken, so that the failure has no effect */
  if (request->bytes > f->bytes)
    return nd_fail_with(
        err, ND_OUT_OF_BOUNDS,
        ND_NUMBERS({"value", (int64_t)request->bytes}, {"limit", (int64_t)f->bytes}),
        "%zu B exceed the %zu B of the foreign memory", request->bytes, f->bytes);
  if (atomic_exchange(&f->is_taken, true))
    return nd_fail(err, ND_CAPACITY, "foreign memory can be taken only once");
  out->ptr = f->at;
  out->host = f->is_hidden ? NULL : f->at;
  out->granted = f->bytes; /* all of it, whatever was requested: nobody else can have the rest */
  out->ready = f->ready;
  out->zeroed = true; /* nothing is to be cleared: the contents are wanted */
  ndi_counters_take(&f->counters, f->bytes);
  return ND_OK;
}

static nd_status foreign_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                              nd_error *err) {
  (void)after, (void)err;
  foreign *f = (foreign *)self;
  ndi_counters_give(&f->counters, block->granted);
  release_once(f);
  return ND_OK;
}

static void foreign_stats(nd_resource *self, nd_mem_stats *out) {
  ndi_counters_read(&((foreign *)self)->counters, out);
}

static void foreign_close(nd_resource *self) {
  release_once((foreign *)self); /* if it was never taken */
  free(self);
}

static nd_status make(void *at, size_t bytes, void (*release)(void *owner), void *owner,
                      foreign **out, nd_error *err) {
  static const nd_resource_ops ops = {.name = "foreign",
                                      .no_pool = "it serves one array",
                                      .take = foreign_take,
                                      .give = foreign_give,
                                      .stats = foreign_stats,
                                      .close = foreign_close};
  foreign *f = calloc(1, sizeof *f);
  if (!f) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a foreign resource");
  nd_resource_init(&f->base, &ops, ND_MEM_FOREIGN, 0);
  f->base.is_aliased = true; /* the owner may have more pointers to it, or wrap it twice */
  f->at = at, f->bytes = bytes, f->release = release, f->owner = owner;
  *out = f;
  return ND_OK;
}

nd_status nd_foreign_resource(void *host, size_t bytes, void (*release)(void *owner), void *owner,
                              nd_resource **out, nd_error *err) {
  foreign *f = NULL;
  ND_TRY(make(host, bytes, release, owner, &f, err));
  *out = &f->base;
  return ND_OK;
}

nd_status nd_foreign_device_resource(uint16_t device, void *at, size_t bytes, nd_point ready,
                                     void (*release)(void *owner), void *owner, nd_resource **out,
                                     nd_error *err) {
  foreign *f = NULL;
  ND_TRY(make(at, bytes, release, owner, &f, err));
  f->base.device = device;
  f->ready = ready;
  f->is_hidden = true;
  *out = &f->base;
  return ND_OK;
}
