/* The CUDA backend: makes, opens and closes its devices, and has the row that dev/backend.h
 * describes. A device's record is made once and never freed; what it holds in the driver is opened
 * with the first use and given up by close_devices, as often as needed. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "dev/cuda/cuda.h"

extern const nd_backend nd_cuda_backend;

enum { MOST = ND_DEVICES - 1 }; /* the host takes one number of the registry */

/* {=== devices ===} */

static nd_status sync_device(nd_device *self, nd_error *err) {
  return ndi_cuda_wait((ndi_cuda *)self, err);
}

/* Make and register the record of a device, without opening it. Registration comes after all else
 * that may fail, since it cannot be undone. The caller has begun opening, so that no two threads
 * make the same device. */
static nd_status make_device(int ordinal, nd_error *err) {
  static const nd_device_ops ops = {
      .copy = ndi_cuda_copy, .run = ndi_cuda_run, .can = ndi_cuda_can, .sync = sync_device};
  ndi_cuda *d = calloc(1, sizeof *d);
  if (!d) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for the record of a device");
  snprintf(d->name, sizeof d->name, "cuda:%d", ordinal);
  d->base = (nd_device){
      .ops = &ops, .name = d->name, .ordinal = ordinal, .backend = &nd_cuda_backend};
  nd_status status = ndi_queue_init(&d->main, d, err);
  if (status == ND_OK) status = nd_device_register(&d->base, err);
  if (status != ND_OK) {
    free(d); /* its queue number is lost, which does no harm: there are many */
    return status;
  }
  ndi_cuda_init_memory(d);
  ndi_cuda_set(ordinal, d);
  return ND_OK;
}

/* The device, made if need be, and open. The caller has begun opening. */
static nd_status find_device(int64_t ordinal, ndi_cuda **out, nd_error *err) {
  const int count = ndi_cuda_count();
  if (ordinal < 0 || ordinal >= count || ordinal >= MOST)
    return nd_fail_with(err, ND_DEVICE_NOT_FOUND, ND_NUMBERS({"value", ordinal}, {"limit", count}),
                        "device cuda:%lld was not found: there %s %d, from cuda:0 to cuda:%d",
                        (long long)ordinal, count == 1 ? "is" : "are", count, count - 1);
  if (!ndi_cuda_find((int)ordinal)) ND_TRY(make_device((int)ordinal, err));
  *out = ndi_cuda_find((int)ordinal);
  return ndi_cuda_open_device(*out, err);
}

/* Runs in a forked child: the memory that the driver mapped is missing there, so every access must
 * fail instead of crashing. Handlers for the child run in the order of their registration, so that
 * of base/lock.c has counted the fork already. */
static void lose_mappings(void) {
  if (!ndi_cuda_is_forked()) return;
  for (int i = 0; i < MOST; i++)
    if (ndi_cuda_find(i)) nd_ticket_lose_all(&ndi_cuda_find(i)->managed.base);
  nd_ticket_lose_all(ndi_cuda_pinned_resource());
}

/* Registered with the first device: without one there is no such memory. */
static void watch_forks(void) { pthread_atfork(NULL, NULL, lose_mappings); }

/* The device, if it is open and no thread opens or closes one; nor has closed it meanwhile. */
static ndi_cuda *find_open(int64_t ordinal) {
  ndi_cuda *d = ordinal >= 0 && ordinal < MOST ? ndi_cuda_find((int)ordinal) : NULL;
  return d && d->is_open && !ndi_cuda_is_opening() && d->is_open ? d : NULL;
}

/* The open device with that ordinal; loads the driver if need be. */
static nd_status open_ordinal(int64_t ordinal, ndi_cuda **out, nd_error *err) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  ND_TRY(ndi_cuda_open(err));
  if ((*out = find_open(ordinal)) != NULL) return ND_OK;
  /* outside of our locks, as pthread_atfork has one of its own: see base/lock.c */
  pthread_once(&once, watch_forks);
  ndi_cuda_begin_opening();
  const nd_status status = find_device(ordinal, out, err);
  ndi_cuda_end_opening();
  return status;
}

/* {=== the row ===} */

static nd_status open_driver(nd_backend_facts *out, nd_error *err) {
  ND_TRY(ndi_cuda_open(err));
  *out = (nd_backend_facts){.devices = ndi_cuda_count(), .version = ndi_cuda_version()};
  return ND_OK;
}

static nd_status get_device(int64_t ordinal, nd_device **out, nd_error *err) {
  ndi_cuda *d;
  ND_TRY(open_ordinal(ordinal, &d, err));
  *out = &d->base;
  return ND_OK;
}

/* Device memory from the pool, or by a driver call for each block. */
static nd_status get_memory(ndi_cuda *d, bool is_pooled, nd_resource **out, nd_error *err) {
  if (is_pooled && !d->pool)
    return nd_fail_remedy(err, ND_UNSUPPORTED, ND_REMEDY_SYNCHRONOUS,
                          "%s: this driver has no memory pools", d->name);
  *out = nd_resource_hold(is_pooled ? &d->pooled.base : &d->plain.base);
  return ND_OK;
}

static nd_status get_resource(const nd_place *place, nd_place_options options, nd_resource **out,
                              nd_error *err) {
  ndi_cuda *d;
  /* pinned memory belongs to device 0, and serves all devices */
  ND_TRY(open_ordinal(place->kind == ND_MEM_PINNED ? 0 : place->ordinal, &d, err));
  if (place->kind == ND_MEM_PINNED) {
    ND_TRY(ndi_cuda_pinned(d, out));
    atomic_store(&d->pinned, *out);
    return ND_OK;
  }
  if (place->kind == ND_MEM_DEVICE) {
    /* by default from the pool, which is faster, where there is one */
    const bool is_any = options.pooling == ND_POOLING_ANY;
    return get_memory(d, is_any ? d->pool != NULL : options.pooling == ND_POOLING_ON, out, err);
  }
  if (!d->properties.has_managed)
    return nd_fail(err, ND_UNSUPPORTED, "%s has no managed memory", d->name);
  *out = nd_resource_hold(&d->managed.base);
  return ND_OK;
}

static nd_status get_properties(int64_t ordinal, nd_properties *out, nd_error *err) {
  ndi_cuda *d;
  ND_TRY(open_ordinal(ordinal, &d, err));
  *out = d->properties;
  return ND_OK;
}

static nd_status get_usage(int64_t ordinal, nd_usage *out, nd_error *err) {
  ndi_cuda *d;
  nd_usage usage = {0};
  ND_TRY(open_ordinal(ordinal, &d, err));
  /* so that the other figures are available for a lost context too */
  usage.total = d->properties.total;
  if (!d->lost) {
    ND_VISIT(d, err);
    ND_TRY(ND_CU(d, cuMemGetInfo(&usage.free, &usage.total), err));
  }
  nd_resource_get_stats(&d->pooled.base, &usage.device);
  nd_resource_get_stats(&d->plain.base, &usage.plain);
  nd_resource_get_stats(&d->managed.base, &usage.managed);
  usage.lost = d->lost_bytes, usage.lost_count = d->lost_count;
  usage.staging = d->staging;
  *out = usage;
  return ND_OK;
}

static nd_status enable_peer(int64_t from, int64_t to, nd_error *err) {
  ndi_cuda *d, *other;
  ND_TRY(open_ordinal(from, &d, err));
  ND_TRY(open_ordinal(to, &other, err));
  return ndi_cuda_enable_peer(d, other, err);
}

/* Undoing it opens no device: as long as any pages are locked, device 0 is open. */
static nd_status pin(nd_storage *storage, bool is_pinned, nd_error *err) {
  ndi_cuda *d;
  if (!is_pinned) return ndi_cuda_unlock(storage, err);
  ND_TRY(open_ordinal(0, &d, err));
  return ndi_cuda_lock(d, storage, err);
}

static nd_status hint_pages(const nd_view *view, nd_page_hint hint, int64_t ordinal,
                            nd_error *err) {
  ndi_cuda *to = NULL;
  if (ordinal >= 0) ND_TRY(open_ordinal(ordinal, &to, err));
  return ndi_cuda_hint(view, hint, to, err);
}

/* Pinned memory belongs to the first device. */
static nd_status get_foreign(const nd_place *place, const nd_foreign *memory, nd_resource **out,
                             nd_error *err) {
  ndi_cuda *d;
  ND_TRY(open_ordinal(place->kind == ND_MEM_PINNED ? 0 : place->ordinal, &d, err));
  return ndi_cuda_foreign(d, place->kind, memory, out, err);
}

/* {=== closing ===} */

/* Close only what nobody uses: device 0 also serves all pinned and page-locked memory. A lost
 * context cannot be closed, nor made anew. */
static bool may_close(ndi_cuda *d) {
  if (!d || !d->is_open || d->lost || ndi_cuda_has_live(d) || d->live_events > 0) return false;
  return d->base.ordinal != 0 || (!ndi_cuda_has_pinned() && !ndi_cuda_has_locked());
}

/* Peer access was granted on the pools that are about to be destroyed. */
static void forget_reaches(ndi_cuda *d) {
  for (int i = 0; i < MOST; i++) {
    /* 0: not asked yet */
    d->reaches[i] = 0;
    if (ndi_cuda_find(i)) ndi_cuda_find(i)->reaches[d->base.ordinal] = 0;
  }
}

/* Runs when the last Lua state closes. There is no later chance, so a wait that failed is tried
 * again. A device is waited for before it is closed, as its staging buffers may be in use until
 * then. In a forked child everything belongs to the parent. */
static void close_devices(void) {
  if (ndi_cuda_is_forked()) return;
  ndi_cuda_begin_opening();
  for (int i = 0; i < MOST; i++) {
    ndi_cuda *d = ndi_cuda_find(i);
    if (!may_close(d)) continue;
    if (ndi_cuda_wait(d, NULL) != ND_OK) ndi_cuda_wait(d, NULL);
    ndi_stage_free_all(d);
    ndi_cuda_close_device(d);
    forget_reaches(d);
  }
  ndi_cuda_end_opening();
}

static const nd_place_kind kinds[] = {{"pinned", NULL, ND_MEM_PINNED, ND_SUFFIX_NONE, 3},
                                      {"cuda", "gpu", ND_MEM_DEVICE, ND_SUFFIX_ORDINAL, 2},
                                      {"managed", "unified", ND_MEM_MANAGED, ND_SUFFIX_ORDINAL, 13},
                                      {.name = NULL}};

const nd_backend nd_cuda_backend = {.name = "cuda",
                                    .kinds = kinds,
                                    .open = open_driver,
                                    .device = get_device,
                                    .resource = get_resource,
                                    .configure = ndi_cuda_configure,
                                    .properties = get_properties,
                                    .usage = get_usage,
                                    .peer = enable_peer,
                                    .pin = pin,
                                    .hint = hint_pages,
                                    .foreign = get_foreign,
                                    .streams = &ndi_cuda_streams,
                                    .is_hidden = ndi_cuda_is_hidden,
                                    .close = close_devices};
