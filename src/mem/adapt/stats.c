/* The stats adaptor: counts what goes through it, and changes nothing. */
#include <stdlib.h>

#include "mem/adapt/adapt.h"

typedef struct {
  nd_resource base;
  ndi_meter meter;
} stats;

static ndi_meter *stats_meter(nd_resource *self) { return &((stats *)self)->meter; }

static nd_status stats_take(nd_resource *self, const nd_request *request, nd_block *out,
                            nd_error *err) {
  ND_TRY(nd_resource_take(self->up, request, out, err));
  ndi_meter_add(stats_meter(self), (int64_t)out->granted, 1);
  return ND_OK;
}

static nd_status stats_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                            nd_error *err) {
  ND_TRY(nd_resource_give(self->up, block, after, err));
  ndi_meter_add(stats_meter(self), -(int64_t)block->granted, -1);
  return ND_OK;
}

/* What is cached is the upstream's affair. */
static void stats_read(nd_resource *self, nd_mem_stats *out) {
  nd_mem_stats up;
  nd_resource_get_stats(self->up, &up);
  out->cached = up.cached, out->cached_count = up.cached_count;
  out->reserved = up.reserved, out->reserved_count = up.reserved_count;
  out->limit = up.limit, out->remaining = up.remaining;
  ndi_meter_read(stats_meter(self), out);
}

static void stats_reset_peak(nd_resource *self) { ndi_meter_reset_peak(stats_meter(self)); }

static void stats_close(nd_resource *self) {
  ndi_meter_close(stats_meter(self));
  free(self);
}

nd_status nd_stats_make(nd_resource *up, nd_resource **out, nd_error *err) {
  static const nd_resource_ops ops = {.name = "stats",
                                      .no_pool = "it would count what the pool keeps as used; "
                                                 "put it on the pool",
                                      .take = stats_take,
                                      .give = stats_give,
                                      .stats = stats_read,
                                      .reset_peak = stats_reset_peak,
                                      .meter = stats_meter,
                                      .close = stats_close};
  return ndi_adaptor_make(&ops, sizeof(stats), up, out, err);
}

/* {=== scopes ===} */

/* The outermost layer that counts in scopes. */
static nd_status find_layer(nd_resource **self, nd_error *err) {
  while (*self && !(*self)->ops->meter) *self = (*self)->up;
  if (*self) return ND_OK;
  return nd_fail(err, ND_UNSUPPORTED, "no layer of this memory counts in scopes: stats does");
}

nd_status nd_stats_push(nd_resource *self, nd_error *err) {
  nd_mem_stats now;
  ND_TRY(find_layer(&self, err));
  nd_resource_get_stats(self, &now);
  return ndi_meter_push(self->ops->meter(self), &now, err);
}

nd_status nd_stats_pop(nd_resource *self, nd_mem_stats *out, nd_error *err) {
  ND_TRY(find_layer(&self, err));
  nd_resource_get_stats(self, out);
  ND_TRY(ndi_meter_pop(self->ops->meter(self), out, err));
  out->live.now -= out->pending.now, out->live_count.now -= out->pending_count.now;
  return ND_OK;
}
