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
  uint8_t granted; /* the nd_memkind of its block */
  size_t bytes;
  nd_point ready;
  void (*release)(void *owner);
  atomic_bool is_taken;
  ndi_counters counters;
} foreign;

static atomic_size_t bytes_in_use, managed_in_use;

size_t nd_foreign_bytes(void) { return atomic_load(&bytes_in_use); }
size_t nd_foreign_managed(void) { return atomic_load(&managed_in_use); }

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
  out->host = f->granted == ND_MEM_DEVICE ? NULL : f->at;
  if (f->granted != ND_MEM_DEVICE) out->kind = f->granted;
  out->granted = f->bytes; /* all of it, whatever was requested: nobody else can have the rest */
  out->ready = f->ready;
  out->zeroed = true; /* nothing is to be cleared: the contents are wanted */
  ndi_counters_take(&f->counters, f->bytes);
  if (!self->is_lent) atomic_fetch_add(&bytes_in_use, f->bytes);
  if (f->granted == ND_MEM_MANAGED) atomic_fetch_add(&managed_in_use, 1);
  return ND_OK;
}

static nd_status foreign_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                              nd_error *err) {
  (void)after, (void)err;
  foreign *f = (foreign *)self;
  ndi_counters_give(&f->counters, block->granted);
  if (!self->is_lent) atomic_fetch_sub(&bytes_in_use, block->granted);
  if (f->granted == ND_MEM_MANAGED) atomic_fetch_sub(&managed_in_use, 1);
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

static const nd_resource_ops ops = {.name = "foreign",
                                    .no_pool = "it serves one array",
                                    .take = foreign_take,
                                    .give = foreign_give,
                                    .stats = foreign_stats,
                                    .close = foreign_close};

static nd_status make(void *at, size_t bytes, void (*release)(void *owner), void *owner,
                      foreign **out, nd_error *err) {
  foreign *f = calloc(1, sizeof *f);
  if (!f) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a foreign resource");
  nd_resource_init(&f->base, &ops, ND_MEM_FOREIGN, 0);
  f->base.is_aliased = true; /* the owner may have more pointers to it, or wrap it twice */
  f->granted = ND_MEM_FOREIGN;
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

nd_status nd_foreign_device_resource(uint16_t device, nd_memkind kind, void *at, size_t bytes,
                                     nd_point ready, void (*release)(void *owner), void *owner,
                                     nd_resource **out, nd_error *err) {
  foreign *f = NULL;
  ND_TRY(make(at, bytes, release, owner, &f, err));
  f->base.device = device;
  f->ready = ready;
  f->granted = (uint8_t)kind;
  *out = &f->base;
  return ND_OK;
}

void *nd_foreign_owner(const nd_resource *self, void (*release)(void *owner)) {
  const foreign *f = (const foreign *)self;
  return self->ops == &ops && f->release == release ? f->owner : NULL;
}

void nd_foreign_own(nd_resource *self, void (*release)(void *owner), void *owner) {
  foreign *f = (foreign *)self;
  f->release = release, f->owner = owner;
}
