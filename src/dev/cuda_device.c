/* CUDA devices: opening, the stream that all work goes through, lost contexts, closing. */
#include "dev/cuda_device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/lock.h"

enum { DEVICES = 63 };

static _Atomic(ndi_cuda *) devices[DEVICES];

/* {=== calls ===} */

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec;
}

static void lose(ndi_cuda *d, CUresult result, const char *call) {
  int none = 0;
  if (!atomic_compare_exchange_strong(&d->lost, &none, (int)result)) return;
  snprintf(d->lost_call, sizeof d->lost_call, "%.*s", (int)strcspn(call, "("), call);
  d->lost_at = now();
}

nd_status ndi_cuda_did(ndi_cuda *d, CUresult result, const char *call, nd_error *err) {
  if (result == CUDA_SUCCESS) return ND_OK;
  if (ndi_cuda_is_sticky(result)) lose(d, result, call);
  return ndi_cuda_status(result, call, err);
}

static nd_status fail_lost(const ndi_cuda *d, nd_error *err) {
  const int by = d->lost;
  return nd_fail_with(err, ND_DRIVER, ND_NUMBERS({"number", by}),
                      "the context of %s is lost since %lld s ago, when %s failed: %s (%d); only a "
                      "new process gets another",
                      d->name, (long long)(now() - d->lost_at), d->lost_call,
                      ndi_cuda_error_name((CUresult)by), by);
}

static nd_status relax(ndi_cuda *d, ndi_visit *visit, nd_error *err) {
  if (!ndi_cu.cuThreadExchangeStreamCaptureMode) return ND_OK;
  visit->mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  ND_TRY(ND_CU(d, cuThreadExchangeStreamCaptureMode(&visit->mode), err));
  visit->has_mode = visit->mode != CU_STREAM_CAPTURE_MODE_RELAXED;
  return ND_OK;
}

static nd_status visit_context(ndi_cuda *d, ndi_visit *visit, nd_error *err) {
  ND_TRY(ND_CU(d, cuCtxGetCurrent(&visit->before), err));
  if (visit->before != d->context) {
    ND_TRY(ND_CU(d, cuCtxSetCurrent(d->context), err));
    visit->is_changed = true;
  }
  const nd_status status = relax(d, visit, err);
  if (status != ND_OK) ndi_cuda_leave(visit);
  return status;
}

/* Nobody comes after, so what fails is tried once more. */
void ndi_cuda_leave(ndi_visit *visit) {
  if (visit->has_mode && ndi_cu.cuThreadExchangeStreamCaptureMode(&visit->mode) != CUDA_SUCCESS)
    ndi_cu.cuThreadExchangeStreamCaptureMode(&visit->mode);
  if (visit->is_changed && ndi_cu.cuCtxSetCurrent(visit->before) != CUDA_SUCCESS)
    ndi_cu.cuCtxSetCurrent(visit->before);
  visit->has_mode = visit->is_changed = false;
}

nd_status ndi_cuda_enter(ndi_cuda *d, ndi_visit *visit, nd_error *err) {
  if (ndi_cuda_is_forked())
    return nd_fail(err, ND_DRIVER,
                   "%s cannot be used in a process forked from the one that opened it", d->name);
  if (d->lost) return fail_lost(d, err);
  return visit_context(d, visit, err);
}

static bool is_gone(const ndi_cuda *d) { return d->lost || ndi_cuda_is_forked(); }

nd_status ndi_cuda_free(ndi_cuda *d, ndi_counters *counters, ndi_free *free, void *at, size_t bytes,
                        nd_error *err) {
  ndi_visit visit = {0};
  nd_status status = ndi_cuda_enter(d, &visit, err);
  if (status == ND_OK) status = free(d, at, err);
  ndi_cuda_leave(&visit);
  if (status != ND_OK && !is_gone(d)) return status;
  if (status != ND_OK) {
    atomic_fetch_add(&d->lost_bytes, bytes);
    atomic_fetch_add(&d->lost_count, 1);
  }
  ndi_counters_give(counters, bytes);
  return ND_OK;
}

/* {=== the stream ===} */

nd_point ndi_cuda_mark(ndi_cuda *d) {
  return (nd_point){.queue = d->queue, .seq = atomic_fetch_add(&d->enqueued, 1) + 1};
}

/* A point's number is given after its work was enqueued, so all numbers read before the stream was
 * found empty are done. */
static void note_done(ndi_cuda *d, uint64_t seq) {
  uint64_t done = atomic_load(&d->done);
  while (done < seq && !atomic_compare_exchange_weak(&d->done, &done, seq)) continue;
}

nd_status ndi_cuda_wait(ndi_cuda *d, nd_error *err) {
  const uint64_t seq = atomic_load(&d->enqueued);
  ND_VISIT(d, err);
  ND_TRY(ND_CU(d, cuStreamSynchronize(d->stream), err));
  note_done(d, seq);
  return ND_OK;
}

/* Devices that cannot share managed memory with the CPU must be idle when the CPU touches it. */
static bool is_managed_live(void) {
  for (int i = 0; i < DEVICES; i++)
    if (devices[i] && ndi_counters_now(&devices[i]->managed.counters)) return true;
  return false;
}

nd_status ndi_cuda_finish(ndi_cuda *d, nd_error *err) {
  const bool is_shared = d->properties.is_concurrent || !is_managed_live();
  return is_shared && !ndi_cuda_is_synchronous() ? ND_OK : ndi_cuda_wait(d, err);
}

nd_status ndi_cuda_wait_all(nd_error *err) {
  for (int i = 0; i < DEVICES; i++)
    if (devices[i] && devices[i]->is_open) ND_TRY(ndi_cuda_wait(devices[i], err));
  return ND_OK;
}

static nd_status record_joint(ndi_cuda *d, nd_error *err) {
  ND_VISIT(d, err);
  return ND_CU(d, cuEventRecord(d->joint, d->stream), err);
}

nd_status ndi_cuda_join(ndi_cuda *later, ndi_cuda *earlier, nd_error *err) {
  ND_TRY(record_joint(earlier, err));
  ND_VISIT(later, err);
  return ND_CU(later, cuStreamWaitEvent(later->stream, earlier->joint, 0), err);
}

/* Of a lost context nothing is waited for. */
static bool has_come(const ndi_cuda *d, uint64_t seq) {
  return atomic_load(&d->done) >= seq || d->lost || ndi_cuda_is_forked();
}

static void ask_mark(ndi_cuda *d) {
  const CUresult result = ndi_cu.cuEventQuery(d->mark);
  if (result == CUDA_SUCCESS) note_done(d, d->marked);
  else if (result != CUDA_ERROR_NOT_READY) ndi_cuda_did(d, result, "cuEventQuery", NULL);
  if (result != CUDA_ERROR_NOT_READY) d->marked = 0;
}

/* A stream that goes on working never says how far it has come, so an event tells. */
static void ask_stream(ndi_cuda *d) {
  const uint64_t seq = atomic_load(&d->enqueued);
  const CUresult result = ndi_cu.cuStreamQuery(d->stream);
  if (result == CUDA_SUCCESS) note_done(d, seq);
  else if (result != CUDA_ERROR_NOT_READY) ndi_cuda_did(d, result, "cuStreamQuery", NULL);
  else if (ND_CU(d, cuEventRecord(d->mark, d->stream), NULL) == ND_OK) d->marked = seq;
}

/* One thread asks at a time; to the others nothing new is done meanwhile. No more than one event is
 * in the stream: while it has not been reached, nothing behind it has. */
static bool look(ndi_cuda *d, uint64_t seq) {
  if (has_come(d, seq) || atomic_flag_test_and_set(&d->is_looking)) return has_come(d, seq);
  ndi_visit visit = {0};
  if (d->is_open && ndi_cuda_enter(d, &visit, NULL) == ND_OK) {
    if (d->marked) ask_mark(d);
    if (!d->marked && !has_come(d, seq)) ask_stream(d);
    ndi_cuda_leave(&visit);
  }
  atomic_flag_clear(&d->is_looking);
  return has_come(d, seq);
}

static bool point_is_done(void *context, nd_point point) { return look(context, point.seq); }

bool ndi_cuda_is_idle(ndi_cuda *d) { return look(d, atomic_load(&d->enqueued)); }

static nd_status point_wait(void *context, nd_point point, nd_error *err) {
  ndi_cuda *d = context;
  return atomic_load(&d->done) >= point.seq ? ND_OK : ndi_cuda_wait(d, err);
}

static nd_status device_sync(nd_device *self, nd_error *err) {
  return ndi_cuda_wait((ndi_cuda *)self, err);
}

/* {=== opening ===} */

/* An older driver says that an attribute which it does not know is invalid: 0. */
static nd_status attribute(ndi_cuda *d, CUdevice_attribute which, int *out, nd_error *err) {
  const CUresult result = ndi_cu.cuDeviceGetAttribute(out, which, d->device);
  if (result != CUDA_ERROR_INVALID_VALUE)
    return ndi_cuda_did(d, result, "cuDeviceGetAttribute", err);
  *out = 0;
  return ND_OK;
}

static nd_status read_attributes(ndi_cuda *d, nd_error *err) {
  nd_cuda_properties *p = &d->properties;
  int managed = 0, is_concurrent = 0, pools = 0, pitch = 0, reads_locked = 0;
  const struct {
    CUdevice_attribute which;
    int *out;
  } rows[] = {{CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &p->major},
              {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &p->minor},
              {CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, &managed},
              {CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, &is_concurrent},
              {CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, &pools},
              {CU_DEVICE_ATTRIBUTE_MAX_PITCH, &pitch},
              {CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED, &reads_locked}};
  for (size_t i = 0; i < ND_COUNTOF(rows); i++)
    ND_TRY(attribute(d, rows[i].which, rows[i].out, err));
  p->has_managed = ndi_cu.cuMemAllocManaged && managed;
  p->is_concurrent = is_concurrent != 0;
  p->has_pools = ndi_cu.cuMemAllocFromPoolAsync && ndi_cu.cuMemFreeAsync &&
                 ndi_cu.cuMemPoolCreate && ndi_cu.cuMemPoolDestroy && ndi_cu.cuMemPoolTrimTo &&
                 ndi_cu.cuMemPoolSetAttribute && ndi_cu.cuMemPoolGetAttribute && pools;
  d->max_pitch = (size_t)pitch;
  d->reads_locked = reads_locked != 0;
  return ND_OK;
}

static nd_status read_properties(ndi_cuda *d, nd_error *err) {
  nd_cuda_properties *p = &d->properties;
  ND_TRY(ND_CU(d, cuDeviceGet(&d->device, d->base.ordinal), err));
  ND_TRY(ND_CU(d, cuDeviceGetName(p->name, sizeof p->name, d->device), err));
  ND_TRY(ND_CU(d, cuDeviceTotalMem(&p->total, d->device), err));
  return read_attributes(d, err);
}

/* Everything that an open device holds; what there is of it, but the context: others that share it
 * would lose it, or we make it again, which takes a good part of a second. Nobody comes after, so
 * what fails is tried once more. */
static void close_device(ndi_cuda *d) {
  ndi_visit visit = {0};
  if (ndi_cuda_enter(d, &visit, NULL) == ND_OK || ndi_cuda_enter(d, &visit, NULL) == ND_OK) {
    if (d->stream) ndi_cu.cuStreamSynchronize(d->stream);
    ndi_stage_free_all(d);
    if (d->pool) ndi_cu.cuMemPoolDestroy(d->pool);
    if (d->joint) ndi_cu.cuEventDestroy(d->joint);
    if (d->mark) ndi_cu.cuEventDestroy(d->mark);
    if (d->stream) ndi_cu.cuStreamDestroy(d->stream);
  }
  ndi_cuda_leave(&visit);
  d->pool = NULL, d->joint = d->mark = NULL, d->stream = NULL;
  d->marked = 0;
  note_done(d, atomic_load(&d->enqueued));
  d->is_open = false;
}

static nd_status open_parts(ndi_cuda *d, nd_error *err) {
  ND_VISIT(d, err);
  ND_TRY(ND_CU(d, cuStreamCreate(&d->stream, CU_STREAM_NON_BLOCKING), err));
  ND_TRY(ND_CU(d, cuEventCreate(&d->joint, CU_EVENT_DISABLE_TIMING), err));
  ND_TRY(ND_CU(d, cuEventCreate(&d->mark, CU_EVENT_DISABLE_TIMING), err));
  return ndi_cuda_open_pool(d, err);
}

static nd_status open_device(ndi_cuda *d, nd_error *err) {
  ND_TRY(read_properties(d, err));
  if (!d->context) ND_TRY(ND_CU(d, cuDevicePrimaryCtxRetain(&d->context, d->device), err));
  const nd_status status = open_parts(d, err);
  if (status == ND_OK) d->is_open = true;
  else close_device(d);
  return status;
}

/* In a forked child: what the driver mapped is not there, so that no element may be touched. */
static void lose_mappings(void) {
  if (!ndi_cuda_is_forked()) return;
  for (int i = 0; i < DEVICES; i++)
    if (devices[i]) nd_ticket_lose_all(&devices[i]->managed.base);
  nd_ticket_lose_all(ndi_cuda_pinned_resource());
}

static void watch_forks(void) { pthread_atfork(NULL, NULL, lose_mappings); }

nd_status ndi_cuda_check_mapped(const char *name, nd_error *err) {
  if (!ndi_cuda_is_forked()) return ND_OK;
  return nd_fail(err, ND_DRIVER,
                 "the %s memory of this array is not there in a process forked from its own", name);
}

nd_status ndi_cuda_check_managed(const ndi_cuda *d, nd_error *err) {
  ND_TRY(ndi_cuda_check_mapped("managed", err));
  return d->lost ? fail_lost(d, err) : ND_OK;
}

static nd_status make_device(int ordinal, nd_error *err) {
  static const nd_device_ops ops = {.copy = ndi_cuda_copy,
                                    .check = ndi_cuda_check,
                                    .run = ndi_cuda_run,
                                    .can = ndi_cuda_can,
                                    .sync = device_sync};
  static const nd_fence_ops fence = {.is_done = point_is_done, .wait = point_wait};
  ndi_cuda *d = calloc(1, sizeof *d);
  if (!d) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for the record of a device");
  snprintf(d->name, sizeof d->name, "cuda:%d", ordinal);
  d->base.ops = &ops;
  d->base.name = d->name;
  d->base.ordinal = ordinal;
  nd_status status = nd_queue_open(&fence, d, &d->queue, err);
  if (status == ND_OK) status = nd_device_register(&d->base, err);
  if (status != ND_OK) {
    free(d); /* a queue without points stays behind: there are many */
    return status;
  }
  ndi_cuda_init_memory(d);
  devices[ordinal] = d;
  return ND_OK;
}

static nd_status find_device(int64_t ordinal, ndi_cuda **out, nd_error *err) {
  const int count = ndi_cuda_count();
  if (ordinal < 0 || ordinal >= count || ordinal >= DEVICES)
    return nd_fail_with(err, ND_DEVICE_NOT_FOUND, ND_NUMBERS({"value", ordinal}, {"limit", count}),
                        "device cuda:%lld was not found: there %s %d, from cuda:0 to cuda:%d",
                        (long long)ordinal, count == 1 ? "is" : "are", count, count - 1);
  if (!devices[ordinal]) ND_TRY(make_device((int)ordinal, err));
  *out = devices[ordinal];
  return devices[ordinal]->is_open ? ND_OK : open_device(devices[ordinal], err);
}

static nd_status open_ordinal(int64_t ordinal, ndi_cuda **out, nd_error *err) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  ND_TRY(ndi_cuda_open(err));
  pthread_once(&once, watch_forks); /* no lock of ours is held: see base/lock.c */
  ndi_lock(NDI_LOCK_DEVICES);
  const nd_status status = find_device(ordinal, out, err);
  ndi_unlock(NDI_LOCK_DEVICES);
  return status;
}

ndi_cuda *ndi_cuda_get(uint16_t number) { return (ndi_cuda *)nd_device_get(number); }

/* {=== for the layers above ===} */

nd_status nd_cuda_check(nd_error *err) { return ndi_cuda_open(err); }
int nd_cuda_count(void) { return ndi_cuda_open(NULL) == ND_OK ? ndi_cuda_count() : 0; }
int nd_cuda_version(void) { return ndi_cuda_version(); }

nd_status nd_cuda_device(int ordinal, nd_device **out, nd_error *err) {
  ndi_cuda *d;
  ND_TRY(open_ordinal(ordinal, &d, err));
  *out = &d->base;
  return ND_OK;
}

nd_status nd_cuda_get_properties(int ordinal, nd_cuda_properties *out, nd_error *err) {
  ndi_cuda *d;
  ND_TRY(open_ordinal(ordinal, &d, err));
  *out = d->properties;
  return ND_OK;
}

nd_status nd_cuda_get_usage(int ordinal, nd_cuda_usage *out, nd_error *err) {
  ndi_cuda *d;
  nd_cuda_usage usage = {0};
  ND_TRY(open_ordinal(ordinal, &d, err));
  usage.total = d->properties.total; /* of a lost context the rest is told all the same */
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

/* Kinds of device memory, by name. */
nd_status nd_cuda_memory(int64_t ordinal, bool is_pooled, nd_resource **out, nd_error *err) {
  ndi_cuda *d;
  ND_TRY(open_ordinal(ordinal, &d, err));
  if (is_pooled && !d->pool)
    return nd_fail(err, ND_UNSUPPORTED, "%s: this driver has no memory pools; use {async = false}",
                   d->name);
  *out = nd_resource_hold(is_pooled ? &d->pooled.base : &d->plain.base);
  return ND_OK;
}

nd_status nd_cuda_resource(nd_memkind kind, int64_t ordinal, nd_resource **out, nd_error *err) {
  ndi_cuda *d;
  ND_TRY(open_ordinal(kind == ND_MEM_PINNED ? 0 : ordinal, &d, err));
  if (kind == ND_MEM_PINNED) return ndi_cuda_pinned(d, out);
  if (kind == ND_MEM_DEVICE) return nd_cuda_memory(ordinal, d->pool != NULL, out, err);
  if (!d->properties.has_managed)
    return nd_fail(err, ND_UNSUPPORTED, "%s has no managed memory", d->name);
  *out = nd_resource_hold(&d->managed.base);
  return ND_OK;
}

/* {=== peers ===} */

static nd_status grant(ndi_cuda *owner, const ndi_cuda *reader, nd_error *err) {
  const CUmemAccessDesc access = {.location = {CU_MEM_LOCATION_TYPE_DEVICE, reader->base.ordinal},
                                  .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  if (!owner->pool) return ND_OK;
  ND_VISIT(owner, err);
  return ND_CU(owner, cuMemPoolSetAccess(owner->pool, &access, 1), err);
}

static nd_status ask_peer(ndi_cuda *d, const ndi_cuda *other, int *can, nd_error *err) {
  *can = 0;
  if (!ndi_cu.cuDeviceCanAccessPeer || !ndi_cu.cuMemcpyPeerAsync || !ndi_cu.cuMemPoolSetAccess)
    return ND_OK;
  ND_VISIT(d, err);
  return ND_CU(d, cuDeviceCanAccessPeer(can, d->device, other->device), err);
}

static bool can_reach(ndi_cuda *d, const ndi_cuda *other) {
  int can;
  return ask_peer(d, other, &can, NULL) == ND_OK && can;
}

/* Of what is no pool's. */
static nd_status enable(ndi_cuda *d, const ndi_cuda *other, nd_error *err) {
  ND_VISIT(d, err);
  const CUresult result = ndi_cu.cuCtxEnablePeerAccess(other->context, 0);
  if (result == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) return ND_OK;
  return ndi_cuda_did(d, result, "cuCtxEnablePeerAccess", err);
}

/* Without 'enable', copies of plain memory are right too: the driver takes them through the host.
 */
static bool reach(ndi_cuda *d, ndi_cuda *other) {
  if (!can_reach(d, other) || !can_reach(other, d)) return false;
  if (grant(other, d, NULL) != ND_OK || grant(d, other, NULL) != ND_OK) return false;
  if (ndi_cu.cuCtxEnablePeerAccess) enable(d, other, NULL), enable(other, d, NULL);
  return true;
}

bool ndi_cuda_reaches(ndi_cuda *d, ndi_cuda *other) {
  _Atomic(signed char) *known = &d->reaches[other->base.ordinal];
  if (*known == 0) *known = other->reaches[d->base.ordinal] = reach(d, other) ? 1 : -1;
  return *known > 0;
}

nd_status nd_cuda_enable_peer(int from, int to, nd_error *err) {
  ndi_cuda *d, *other;
  int can;
  ND_TRY(open_ordinal(from, &d, err));
  ND_TRY(open_ordinal(to, &other, err));
  if (d == other) return nd_fail(err, ND_INVALID_ARGUMENT, "%s is no peer of itself", d->name);
  ND_TRY(ask_peer(d, other, &can, err));
  if (!can || !ndi_cu.cuCtxEnablePeerAccess)
    return nd_fail(err, ND_UNSUPPORTED, "%s cannot read the memory of %s", d->name, other->name);
  ND_TRY(grant(other, d, err));
  return enable(d, other, err);
}

/* {=== closing ===} */

void nd_cuda_close(void) {
  if (ndi_cuda_is_forked()) return;
  ndi_lock(NDI_LOCK_DEVICES);
  for (int i = 0; i < DEVICES; i++) {
    ndi_cuda *d = devices[i];
    if (!d || !d->is_open || d->lost || ndi_cuda_has_live(d)) continue;
    if (i == 0 && (ndi_cuda_has_pinned() || ndi_cuda_has_locked())) continue;
    if (i == 0) ndi_cuda_close_pinned();
    close_device(d);
    for (int k = 0; k < DEVICES; k++) {
      d->reaches[k] = 0;
      if (devices[k]) devices[k]->reaches[i] = 0;
    }
  }
  ndi_unlock(NDI_LOCK_DEVICES);
}
