/* The log adaptor: records what is taken and given back, and changes nothing.
 *
 * A free is recorded before the block goes to the upstream: once it is there, another thread may
 * take the address and record that, and the log would say that it was taken twice. Where the
 * upstream refuses the block, an allocation of it is recorded again: so at each row of a log the
 * addresses in use are those that it says. An allocation is recorded when the block is there,
 * before anybody else knows of it. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "mem/adapt/adapt.h"

typedef struct {
  nd_resource base;
  ndi_log_ring *ring; /* either this */
  ndi_log_file *file; /* or this; the other is NULL */
} logger;

/* {=== recording ===} */

static uint64_t microseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

/* Who and when is filled in here. */
static void put(logger *l, nd_log_record record) {
  record.time = microseconds();
  record.thread = (uint64_t)syscall(SYS_gettid);
  if (l->ring) ndi_log_ring_put(l->ring, &record);
  else ndi_log_file_put(l->file, &record);
}

static void put_block(logger *l, nd_log_action action, const nd_block *block) {
  put(l, (nd_log_record){.action = action,
                         .ptr = block->ptr,
                         .bytes = block->bytes,
                         .granted = block->granted,
                         .queue = block->ready.queue,
                         .device = block->device,
                         .kind = block->kind});
}

/* What has no block. */
static void put_bytes(logger *l, nd_log_action action, size_t bytes) {
  put(l, (nd_log_record){.action = action,
                         .bytes = bytes,
                         .queue = nd_resource_queue(l->base.up),
                         .device = l->base.device,
                         .kind = l->base.kind});
}

/* {=== the layer ===} */

/* What can never fit is not taken, but refused here. */
static nd_status log_fits(nd_resource *self, const nd_request *request, nd_error *err) {
  const nd_status status = nd_resource_fits(self->up, request, err);
  if (status != ND_OK) put_bytes((logger *)self, ND_LOG_FAILURE, request->bytes);
  return status;
}

static nd_status log_take(nd_resource *self, const nd_request *request, nd_block *out,
                          nd_error *err) {
  const nd_status status = nd_resource_take(self->up, request, out, err);
  if (status == ND_OK) put_block((logger *)self, ND_LOG_ALLOCATE, out);
  else put_bytes((logger *)self, ND_LOG_FAILURE, request->bytes);
  return status;
}

static nd_status log_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                          nd_error *err) {
  logger *l = (logger *)self;
  put_block(l, ND_LOG_FREE, block);
  const nd_status status = nd_resource_give(self->up, block, after, err);
  if (status != ND_OK) {
    put_block(l, ND_LOG_ALLOCATE, block);
    put_block(l, ND_LOG_FREE_FAILURE, block);
  }
  return status;
}

/* Of reaps and trims those are recorded that gave something back: whoever is short of memory calls
 * them in turn. */
static nd_status log_reap(nd_resource *self, nd_reap_mode mode, size_t *freed, nd_error *err) {
  const nd_status status = nd_resource_reap(self->up, mode, freed, err);
  if (*freed > 0) put_bytes((logger *)self, ND_LOG_REAP, *freed);
  return status;
}

static nd_status log_trim(nd_resource *self, size_t keep, size_t *freed, nd_error *err) {
  const nd_status status = nd_resource_trim(self->up, keep, freed, err);
  if (*freed > 0) put_bytes((logger *)self, ND_LOG_TRIM, *freed);
  return status;
}

/* A ring may have a reader left. */
static void log_close(nd_resource *self) {
  logger *l = (logger *)self;
  ndi_log_file_close(l->file);
  if (l->ring) ndi_log_ring_close(l->ring);
  ndi_log_ring_drop(l->ring);
  free(l);
}

static const nd_resource_ops ops = {.name = "log",
                                    .fits = log_fits,
                                    .take = log_take,
                                    .give = log_give,
                                    .reap = log_reap,
                                    .trim = log_trim,
                                    .close = log_close};

nd_status nd_log_make_file(nd_resource *up, const char *path, uint64_t cap, nd_resource **out,
                           nd_error *err) {
  nd_resource *self;
  ND_TRY(ndi_adaptor_make(&ops, sizeof(logger), up, &self, err));
  const nd_status status = ndi_log_file_open(path, cap, &((logger *)self)->file, err);
  if (status == ND_OK) *out = self;
  else nd_resource_drop(self);
  return status;
}

nd_status nd_log_make_ring(nd_resource *up, size_t room, bool keeps_last, nd_resource **out,
                           nd_error *err) {
  nd_resource *self;
  if (room == 0) return nd_fail(err, ND_INVALID_ARGUMENT, "a ring of 0 records keeps none");
  ND_TRY(ndi_adaptor_make(&ops, sizeof(logger), up, &self, err));
  if ((((logger *)self)->ring = ndi_log_ring_make(room, keeps_last)) != NULL)
    return *out = self, ND_OK;
  nd_resource_drop(self);
  return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a ring of %zu records", room);
}

/* {=== logs of a stack ===} */

/* The outermost log from 'self' on; NULL: there is none. */
static const logger *find_log(const nd_resource *self) {
  while (self && self->ops != &ops) self = self->up;
  return (const logger *)self;
}

ndi_log_ring *nd_log_ring_of(nd_resource *self, bool keeps_last) {
  for (const logger *l = find_log(self); l; l = find_log(l->base.up))
    if (l->ring && ndi_log_ring_keeps_last(l->ring) == keeps_last) return l->ring;
  return NULL;
}

void ndi_log_damage(nd_resource *self, const nd_block *block, const void *at) {
  while (self && self->ops != &ops) self = self->up;
  nd_block damaged = *block;
  damaged.ptr = (void *)(uintptr_t)at;
  if (self) put_block((logger *)self, ND_LOG_DAMAGE, &damaged);
}

bool nd_log_lost(const nd_resource *self, uint64_t *out) {
  const logger *first = find_log(self);
  *out = 0;
  for (const logger *l = first; l; l = find_log(l->base.up))
    *out += l->ring ? ndi_log_ring_lost(l->ring) : ndi_log_file_lost(l->file);
  return first != NULL;
}
