/* Memory of a CUDA device, as three resources: from a stream-ordered pool of our own, by plain
 * cuMemAlloc, and managed.
 *
 * Pool memory is freed on a stream, so a free is ordered after all uses without waiting. cuMemFree
 * and managed memory know no stream: their blocks stay pending until their uses are done. The pool
 * is our own, not the default one of the device, which other libraries share: its threshold, its
 * trims and its figures concern our blocks only.
 *
 * A request of 0 bytes takes a block without calling the driver, which would refuse it. */
#include "dev/cuda/cuda.h"

static CUdeviceptr address_of(const void *at) { return (CUdeviceptr)(uintptr_t)at; }

/* {=== the pool ===} */

/* Freed memory stays in the pool until it is trimmed. With the default threshold of 0 the pool
 * would return it to the system at every synchronisation, which costs milliseconds. */
static nd_status set_threshold(ndi_cuda *d, nd_error *err) {
  uint64_t most = UINT64_MAX;
  return ND_CU(d, cuMemPoolSetAttribute(d->pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &most), err);
}

/* Without a pool, device memory is plain memory: d->pool stays NULL, and d->base.memory says so.
 * Within a visit. */
static nd_status open_pool(ndi_cuda *d, nd_error *err) {
  const CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .handleTypes = CU_MEM_HANDLE_TYPE_NONE,
                                .location = {CU_MEM_LOCATION_TYPE_DEVICE, d->base.ordinal}};
  /* where results go whose operand is foreign memory */
  d->base.memory = &d->plain.base;
  if (!d->properties.has_pools) return ND_OK;
  const CUresult result = ndi_cu.cuMemPoolCreate(&d->pool, &props);
  /* The attribute may promise pools that the driver then does not support: fall back to plain
   * memory. */
  d->properties.has_pools = result == CUDA_SUCCESS;
  if (result == CUDA_ERROR_NOT_SUPPORTED) return ND_OK;
  ND_TRY(ndi_cuda_check(d, result, "cuMemPoolCreate", err));
  ND_TRY(set_threshold(d, err));
  ndi_cache_register(&d->pooled.base);
  d->base.memory = &d->pooled.base;
  return ND_OK;
}

/* {=== opening and closing ===} */

/* There is no later chance, so entering the context is tried twice. Without it the handles are only
 * forgotten. */
void ndi_cuda_close_device(ndi_cuda *d) {
  ndi_visit visit = {0};
  const bool is_in = ndi_cuda_enter(d, &visit, NULL) == ND_OK ||
                     ndi_cuda_enter(d, &visit, NULL) == ND_OK;
  if (is_in && d->pool) ndi_cu.cuMemPoolDestroy(d->pool);
  if (is_in) ndi_milestone_close(d);
  if (is_in) ndi_cuda_close_queues(d);
  ndi_cuda_close_events(d, is_in);
  ndi_cuda_leave(&visit);
  d->pool = NULL;
  d->aside = NULL;
  d->words = NULL;
  ndi_cuda_reset_queues(d);
  d->is_open = false;
}

/* On failure the caller closes what was opened. */
static nd_status open_parts(ndi_cuda *d, nd_error *err) {
  ND_TRY(ndi_cuda_open_context(d, err));
  ND_VISIT(d, err);
  ND_TRY(ndi_queue_open(&d->main, err));
  return open_pool(d, err);
}

nd_status ndi_cuda_open_device(ndi_cuda *d, nd_error *err) {
  if (d->is_open) return ND_OK;
  const nd_status status = open_parts(d, err);
  if (status == ND_OK) d->is_open = true;
  else ndi_cuda_close_device(d);
  return status;
}

/* The first test is made before any opening begins, as every take comes by here. */
nd_status ndi_cuda_reopen(ndi_cuda *d, nd_error *err) {
  if (d->is_open) return ND_OK;
  ND_TRY(ndi_cuda_open(err));
  ndi_cuda_begin_opening();
  const nd_status status = ndi_cuda_open_device(d, err);
  ndi_cuda_end_opening();
  return status;
}

/* {=== taking ===} */

/* Out of memory gets the long message with figures; all other results the usual one. */
static nd_status did_take(ndi_cuda_memory *m, CUresult result, const char *call, size_t bytes,
                          nd_error *err) {
  if (result == CUDA_ERROR_OUT_OF_MEMORY) return ndi_cuda_fail_memory(m->device, bytes, NULL, err);
  return ndi_cuda_check(m->device, result, call, err);
}

/* Enqueues the zeros; the caller waits for them, or hands them on as the block's 'ready'. */
static nd_status zero(ndi_queue *q, CUdeviceptr at, size_t bytes, nd_error *err) {
  ND_TRY(ND_CU(q->device, cuMemsetD8Async(at, 0, bytes, q->stream), err));
  return ndi_cuda_finish(q->device, err);
}

static void fill_block(ndi_cuda_memory *m, const nd_request *request, CUdeviceptr at,
                       nd_block *out) {
  out->ptr = (void *)(uintptr_t)at;
  /* the driver rounds up, but does not tell to what */
  out->granted = request->bytes;
  out->zeroed = request->zeroed;
  ndi_counters_take(&m->counters, request->bytes);
}

/* What the driver refuses to free is tried again at once, as nobody else knows of it; with a stream
 * ordered after the zeros, should they be enqueued. */
static void free_at_once(CUdeviceptr at, CUstream stream) {
  for (int i = 0; i < 2; i++)
    if ((stream ? ndi_cu.cuMemFreeAsync(at, stream) : ndi_cu.cuMemFree(at)) == CUDA_SUCCESS) return;
}

/* The address is valid at once, but the memory only in stream order: 'ready' is the point from
 * which on the host or another stream may touch it. */
static nd_status pooled_take(nd_resource *self, const nd_request *request, nd_block *out,
                             nd_error *err) {
  ndi_cuda_memory *m = (ndi_cuda_memory *)self;
  ndi_cuda *d = m->device;
  CUdeviceptr at = 0;
  if (request->bytes > 0) {
    ND_TRY(ndi_cuda_reopen(d, err));
    ND_VISIT(d, err);
    ndi_queue *q = ndi_cuda_queue(d, NULL);
    ND_TRY(ndi_cuda_prepare(q, err));
    ND_TRY(did_take(m, ndi_cu.cuMemAllocFromPoolAsync(&at, request->bytes, d->pool, q->stream),
                    "cuMemAllocFromPoolAsync", request->bytes, err));
    nd_status status = request->zeroed ? zero(q, at, request->bytes, err) : ND_OK;
    if (status == ND_OK) status = ndi_cuda_mark(q, &out->ready, err);
    if (status != ND_OK) return free_at_once(at, q->stream), status;
  }
  fill_block(m, request, at, out);
  return ND_OK;
}

static nd_status plain_take(nd_resource *self, const nd_request *request, nd_block *out,
                            nd_error *err) {
  ndi_cuda_memory *m = (ndi_cuda_memory *)self;
  ndi_cuda *d = m->device;
  CUdeviceptr at = 0;
  if (request->bytes > 0) {
    ND_TRY(ndi_cuda_reopen(d, err));
    ND_VISIT(d, err);
    ndi_queue *q = ndi_cuda_queue(d, NULL);
    ND_TRY(ndi_cuda_prepare(q, err));
    ND_TRY(did_take(m, ndi_cu.cuMemAlloc(&at, request->bytes), "cuMemAlloc", request->bytes, err));
    /* the memory may be used at once, by anybody; only its zeros are ordered on the stream */
    if (request->zeroed) {
      nd_status status = zero(q, at, request->bytes, err);
      if (status == ND_OK) status = ndi_cuda_mark(q, &out->ready, err);
      if (status != ND_OK) {
        ndi_cu.cuStreamSynchronize(q->stream); /* the zeros may be on their way */
        return free_at_once(at, NULL), status;
      }
    }
  }
  fill_block(m, request, at, out);
  return ND_OK;
}

/* The CPU may touch the block as soon as it is taken. Where it must not touch managed memory while
 * a device works, all devices must be idle as long as managed memory is live. */
static nd_status prepare_managed(ndi_cuda *d, const nd_request *request, CUdeviceptr at,
                                 nd_error *err) {
  if (request->zeroed) ND_TRY(ndi_cuda_fill_aside(d, at, request->bytes, 0, err));
  return d->properties.is_concurrent ? ND_OK : ndi_cuda_wait_all(err);
}

static nd_status managed_take(nd_resource *self, const nd_request *request, nd_block *out,
                              nd_error *err) {
  ndi_cuda_memory *m = (ndi_cuda_memory *)self;
  ndi_cuda *d = m->device;
  CUdeviceptr at = 0;
  if (request->bytes > 0) {
    ND_TRY(ndi_cuda_reopen(d, err));
    ND_VISIT(d, err);
    /* GLOBAL: any stream of any device may use it */
    ND_TRY(did_take(m, ndi_cu.cuMemAllocManaged(&at, request->bytes, CU_MEM_ATTACH_GLOBAL),
                    "cuMemAllocManaged", request->bytes, err));
    const nd_status status = prepare_managed(d, request, at, err);
    if (status != ND_OK) return free_at_once(at, NULL), status;
  }
  fill_block(m, request, at, out);
  /* managed memory has one address for all */
  out->host = out->ptr;
  return ND_OK;
}

/* {=== giving back ===} */

static nd_status free_pooled(ndi_cuda *d, const nd_block *block, const nd_uses *after,
                             nd_error *err) {
  return ndi_cuda_free_after(d, address_of(block->ptr), after, block->ready.queue, err);
}

static nd_status free_plain(ndi_cuda *d, const nd_block *block, const nd_uses *after,
                            nd_error *err) {
  (void)after; /* the caller waits for them first, as this resource is not ordered */
  return ND_CU(d, cuMemFree(address_of(block->ptr)), err);
}

/* A block of 0 bytes has no address, and nothing to free. */
static nd_status give(nd_resource *self, const nd_block *block, const nd_uses *after,
                      ndi_free *free, nd_error *err) {
  ndi_cuda_memory *m = (ndi_cuda_memory *)self;
  if (block->ptr) return ndi_cuda_free(m->device, &m->counters, free, block, after, err);
  ndi_counters_give(&m->counters, block->granted);
  return ND_OK;
}

static nd_status pooled_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                             nd_error *err) {
  ND_TRY(give(self, block, after, free_pooled, err));
  /* the block is freed, whether this wait succeeds or not */
  if (block->ptr) ndi_cuda_finish(((ndi_cuda_memory *)self)->device, NULL);
  return ND_OK;
}

static nd_status plain_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                            nd_error *err) {
  return give(self, block, after, free_plain, err);
}

/* {=== reaping, counting ===} */

/* Nothing else to reap: what was freed on the stream is back in the pool already. */
static nd_status memory_reap(nd_resource *self, nd_reap_mode mode, size_t *freed, nd_error *err) {
  ndi_cuda *d = ((ndi_cuda_memory *)self)->device;
  (void)freed;
  return mode == ND_REAP_WAIT && d->is_open ? ndi_cuda_wait(d, err) : ND_OK;
}

static nd_status pooled_trim(nd_resource *self, size_t keep, size_t *freed, nd_error *err) {
  ndi_cuda *d = ((ndi_cuda_memory *)self)->device;
  /* a closed device has no pool, and is not opened for this */
  if (!d->is_open || !d->pool) return ND_OK;
  ND_VISIT(d, err);
  /* the driver does not say how much it returned, and keeps bytes in use among the others */
  const uint64_t before = ndi_cuda_pool_bytes(d, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);
  const uint64_t used = ndi_cuda_pool_bytes(d, CU_MEMPOOL_ATTR_USED_MEM_CURRENT);
  const size_t most = keep < SIZE_MAX - used ? (size_t)used + keep : SIZE_MAX;
  ND_TRY(ND_CU(d, cuMemPoolTrimTo(d->pool, keep > 0 ? most : 0), err));
  const uint64_t after = ndi_cuda_pool_bytes(d, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);
  *freed = before > after ? (size_t)(before - after) : 0;
  return ND_OK;
}

/* cuMemFree may block until the device is idle, so reaps prefer to find it idle. */
static bool plain_is_idle(nd_resource *self) {
  return ndi_cuda_is_idle(((ndi_cuda_memory *)self)->device);
}

static nd_status managed_check(nd_resource *self, const nd_block *block, nd_error *err) {
  (void)block;
  return ndi_cuda_check_managed(((ndi_cuda_memory *)self)->device, err);
}

static nd_status memory_wake(nd_resource *self, nd_error *err) {
  ndi_cuda *d = ((ndi_cuda_memory *)self)->device;
  ND_TRY(ndi_cuda_reopen(d, err));
  ND_TRY(ndi_cuda_check_fork(d, err));
  return ndi_cuda_check_lost(d, err);
}

static uint64_t memory_total(nd_resource *self) {
  return ((ndi_cuda_memory *)self)->device->properties.total;
}

/* None of foreign ones: frees go to another. */
static uint32_t pooled_queue(nd_resource *self) {
  const ndi_queue *q = ndi_cuda_queue(((ndi_cuda_memory *)self)->device, NULL);
  return q->is_foreign ? 0 : q->number;
}

static void memory_stats(nd_resource *self, nd_mem_stats *out) {
  ndi_counters_read(&((ndi_cuda_memory *)self)->counters, out);
}

static void memory_reset_peak(nd_resource *self) {
  ndi_counters_reset_peak(&((ndi_cuda_memory *)self)->counters);
}

static void pooled_stats(nd_resource *self, nd_mem_stats *out) {
  ndi_cuda_memory *m = (ndi_cuda_memory *)self;
  memory_stats(self, out);
  out->cached = ndi_gauge_follow(&m->kept, &m->seen, ndi_cuda_cached_bytes(m->device));
}

/* The one reference is the device's, which is never dropped; the tables below have no 'close'. */
static void init(ndi_cuda_memory *m, ndi_cuda *d, const nd_resource_ops *ops, nd_memkind kind) {
  m->device = d;
  nd_resource_init(&m->base, ops, kind, d->base.number);
  m->base.is_deferred = true;
}

void ndi_cuda_init_memory(ndi_cuda *d) {
  static const nd_resource_ops pooled = {.name = "device",
                                         .origin = "from a pool",
                                         .total = memory_total,
                                         .queue = pooled_queue,
                                         .wake = memory_wake,
                                         .fill = ndi_device_fill,
                                         .fetch = ndi_device_fetch,
                                         .staging = ndi_device_staging,
                                         .take = pooled_take,
                                         .give = pooled_give,
                                         .reap = memory_reap,
                                         .trim = pooled_trim,
                                         .stats = pooled_stats,
                                         .reset_peak = memory_reset_peak};
  static const nd_resource_ops plain = {.name = "device",
                                        .origin = "by cuMemAlloc",
                                        .total = memory_total,
                                        .queue = pooled_queue,
                                        .wake = memory_wake,
                                        .fill = ndi_device_fill,
                                        .fetch = ndi_device_fetch,
                                        .staging = ndi_device_staging,
                                        .is_idle = plain_is_idle,
                                        .take = plain_take,
                                        .give = plain_give,
                                        .reap = memory_reap,
                                        .stats = memory_stats,
                                        .reset_peak = memory_reset_peak};
  static const nd_resource_ops managed = {.name = "managed",
                                          .total = memory_total,
                                          .wake = memory_wake,
                                          .fill = ndi_managed_fill,
                                          .fetch = ndi_managed_fetch,
                                          .staging = ndi_device_staging,
                                          .is_idle = plain_is_idle,
                                          .take = managed_take,
                                          .give = plain_give,
                                          .reap = memory_reap,
                                          .check = managed_check,
                                          .stats = memory_stats,
                                          .reset_peak = memory_reset_peak};
  init(&d->pooled, d, &pooled, ND_MEM_DEVICE);
  d->pooled.base.is_ordered = true;
  init(&d->plain, d, &plain, ND_MEM_DEVICE);
  init(&d->managed, d, &managed, ND_MEM_MANAGED);
}

/* Blocks of 0 bytes count as well, though they would lose nothing. */
bool ndi_cuda_has_live(ndi_cuda *d) {
  return ndi_gauge_read(&d->pooled.counters.blocks).now +
             ndi_gauge_read(&d->plain.counters.blocks).now +
             ndi_gauge_read(&d->managed.counters.blocks).now >
         0;
}
