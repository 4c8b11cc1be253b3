/* Pinned (page-locked) host memory that the driver copies from and to directly. Blocks that are
 * given back are cached in free lists by size, since locking and unlocking pages is slow and may
 * wait for the device. */
#include <string.h>

#include "base/lock.h"
#include "base/size.h"
#include "dev/cuda/cuda.h"
#include "mem/host.h"

static ndi_counters counters;
/* all blocks belong to its context (device 0); being portable, they serve the other devices too */
static _Atomic(ndi_cuda *) first;

/* {=== sizes ===} Requests are rounded up so that cached blocks fit again: from 1 MiB on to whole
 * pages, below it to eighths of a power of two, which waste at most an eighth. A free list has the
 * blocks of one small size, or of a range of large ones. */

/* LEAST bytes have room for the node of a list, too. */
enum { LEAST = 512, EXACT_FROM = 1 << 20, LISTS = 8 * 64 };

static size_t round_up(size_t bytes, size_t step) { return (bytes + step - 1) / step * step; }

/* An eighth of the largest power of two that is not above 'bytes'. */
static size_t eighth_of(size_t bytes) {
  return ((size_t)1 << (63 - __builtin_clzll((unsigned long long)bytes))) / 8;
}

static size_t size_of(size_t bytes) {
  if (bytes <= LEAST) return LEAST;
  return round_up(bytes, bytes < EXACT_FROM ? eighth_of(bytes) : ndi_page_bytes());
}

/* Index of the free list: 8 lists for each power of two, by the three binary digits after the
 * first 1. */
static int list_of(size_t size) {
  const int power = 63 - __builtin_clzll((unsigned long long)size);
  return 8 * power + (int)(size / eighth_of(size)) - 8;
}

/* {=== free lists ===} */

typedef struct spare {
  struct spare *next;
  size_t bytes;
} spare; /* the list node is stored in the free block itself */

static spare *cached[LISTS]; /* guarded by NDI_LOCK_PINNED */
static ndi_gauge cached_bytes, cached_blocks;

/* The blocks are host memory that the device does not use any more, so a node may be written
 * there. */
static void push(spare *s) {
  const int list = list_of(s->bytes);
  ndi_lock(NDI_LOCK_PINNED);
  s->next = cached[list];
  cached[list] = s;
  ndi_gauge_raise(&cached_bytes, s->bytes);
  ndi_gauge_raise(&cached_blocks, 1);
  ndi_unlock(NDI_LOCK_PINNED);
}

/* Unlink '*at'. The lock must be held. */
static spare *unlink_spare(spare **at) {
  spare *s = *at;
  *at = s->next;
  ndi_gauge_lower(&cached_bytes, s->bytes);
  ndi_gauge_lower(&cached_blocks, 1);
  return s;
}

/* Take a cached block of exactly this size; NULL when there is none. */
static void *find_cached(size_t size) {
  spare *found = NULL;
  ndi_lock(NDI_LOCK_PINNED);
  spare **at = &cached[list_of(size)];
  while (*at && (*at)->bytes != size) at = &(*at)->next;
  if (*at) found = unlink_spare(at);
  ndi_unlock(NDI_LOCK_PINNED);
  return found;
}

/* Unlink cached blocks, the largest first, until at most 'keep' bytes are left. Returns their
 * list. */
static spare *detach(size_t keep) {
  spare *out = NULL;
  ndi_lock(NDI_LOCK_PINNED);
  for (int i = LISTS; i-- > 0;)
    while (cached[i] && ndi_gauge_read(&cached_bytes).now > keep) {
      spare *s = unlink_spare(&cached[i]);
      s->next = out;
      out = s;
    }
  ndi_unlock(NDI_LOCK_PINNED);
  return out;
}

/* Can nothing be freed any more? NULL: there never was pinned memory. */
static bool is_gone(const ndi_cuda *d) { return !d || d->lost || ndi_cuda_is_forked(); }

/* Free a list of blocks. What the driver refuses goes back to the cache; blocks of a lost context
 * cannot be freed and are dropped. */
static nd_status free_spares(ndi_cuda *d, spare *s, size_t *freed, nd_error *err) {
  ndi_visit visit = {0};
  nd_status status = ndi_cuda_enter(d, &visit, err);
  /* 'next' and 'bytes' are read first, as the node goes with the block */
  for (spare *next; s && !is_gone(d); s = next) {
    const size_t bytes = s->bytes;
    next = s->next;
    if (status == ND_OK) status = ND_CU(d, cuMemFreeHost(s), err);
    if (status == ND_OK) *freed += bytes;
    else push(s);
  }
  ndi_cuda_leave(&visit);
  return status;
}

static nd_status trim_lists(size_t keep, size_t *freed, nd_error *err) {
  ndi_cuda *d = first;
  /* without an open context the driver cannot be called */
  if (is_gone(d) || !d->is_open) return ND_OK;
  return free_spares(d, detach(keep), freed, err);
}

static _Atomic(size_t (*)(void)) trim_others;

static nd_status pinned_trim(nd_resource *self, size_t keep, size_t *freed, nd_error *err) {
  (void)self;
  size_t (*trim)(void) = trim_others;
  if (keep == 0 && trim) *freed += trim();
  return trim_lists(keep, freed, err);
}

void ndi_cuda_close_pinned(void) {
  size_t freed = 0;
  trim_lists(0, &freed, NULL);
  trim_lists(0, &freed, NULL); /* try again what was refused */
  detach(0);                   /* what is still refused is left to the context */
}

/* {=== blocks ===} */

nd_status ndi_cuda_fail_pinned(size_t bytes, nd_error *err) {
  return ndi_host_fail_memory("pinned", bytes, ndi_gauge_read(&counters.bytes).now,
                              ndi_gauge_read(&cached_bytes).now, err);
}

static nd_status take_fresh(size_t size, void **at, nd_error *err) {
  ndi_cuda *d = first;
  ND_TRY(ndi_cuda_reopen(d, err));
  ND_VISIT(d, err);
  const CUresult result = ndi_cu.cuMemHostAlloc(at, size, CU_MEMHOSTALLOC_PORTABLE);
  if (result == CUDA_ERROR_NOT_SUPPORTED)
    return nd_fail(err, ND_UNSUPPORTED, "this driver cannot lock memory of the host");
  if (result == CUDA_ERROR_OUT_OF_MEMORY) return ndi_cuda_fail_pinned(size, err);
  return ndi_cuda_check(d, result, "cuMemHostAlloc", err);
}

/* SIZE_MAX: too many, so that rounding up would overflow. */
static size_t pinned_grants(nd_resource *self, const nd_request *request) {
  (void)self;
  if (request->may_substitute) return nd_resource_grants(nd_host_resource(), request);
  if (request->bytes > SIZE_MAX / 2) return SIZE_MAX;
  return request->bytes > 0 ? size_of(request->bytes) : 0;
}

static nd_status take_block(size_t bytes, size_t *size, void **at, nd_error *err) {
  if (bytes > SIZE_MAX / 2) return ndi_cuda_fail_pinned(bytes, err);
  *size = size_of(bytes);
  /* cached blocks are missing in a forked child, too */
  ND_TRY(ndi_cuda_check_mapped("pinned", err));
  *at = find_cached(*size);
  return *at ? ND_OK : take_fresh(*size, at, err);
}

/* A block of the host's, which its kind tells at the give. */
static nd_status take_substitute(const nd_request *request, nd_block *out, nd_error *err) {
  out->kind = ND_MEM_HOST;
  return nd_host_resource()->ops->take(nd_host_resource(), request, out, err);
}

static nd_status pinned_take(nd_resource *self, const nd_request *request, nd_block *out,
                             nd_error *err) {
  (void)self;
  void *at = NULL;
  size_t size = 0;
  if (request->may_substitute) return take_substitute(request, out, err);
  if (request->bytes > 0) ND_TRY(take_block(request->bytes, &size, &at, err));
  /* cached blocks have old contents */
  if (request->zeroed && at) memset(at, 0, request->bytes);
  out->ptr = out->host = at;
  out->granted = size;
  out->zeroed = request->zeroed;
  ndi_counters_take(&counters, size);
  return ND_OK;
}

static nd_status free_pinned(ndi_cuda *d, const nd_block *block, const nd_uses *after,
                             nd_error *err) {
  (void)after; /* the caller waits for them first, as this resource is not ordered */
  return ND_CU(d, cuMemFreeHost(block->ptr), err);
}

/* Over the limit the whole cache is freed: the driver then waits for the device once, as the device
 * stays idle for the remaining frees. */
static nd_status pinned_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                             nd_error *err) {
  (void)self;
  ndi_cuda *d = first;
  size_t freed = 0;
  if (block->kind == ND_MEM_HOST)
    return nd_host_resource()->ops->give(nd_host_resource(), block, after, err);
  const size_t limit = ndi_cache_limit(), bytes = block->granted;
  if (block->ptr && !is_gone(d) && bytes <= limit) {
    if (ndi_gauge_read(&cached_bytes).now + bytes > limit) trim_lists(0, &freed, NULL);
    spare *s = block->ptr;
    s->bytes = bytes;
    push(s);
  } else if (block->ptr) {
    /* too large for the cache, or gone with the context, which counts as lost */
    return ndi_cuda_free(d, &counters, free_pinned, block, after, err);
  }
  ndi_counters_give(&counters, bytes);
  return ND_OK;
}

static void pinned_stats(nd_resource *self, nd_mem_stats *out) {
  (void)self;
  ndi_counters_read(&counters, out);
  out->cached = ndi_gauge_read(&cached_bytes);
  out->cached_count = ndi_gauge_read(&cached_blocks);
}

static nd_status pinned_wake(nd_resource *self, nd_error *err) {
  (void)self;
  return ndi_cuda_check_mapped("pinned", err);
}

static nd_status pinned_fill(nd_resource *self, const nd_block *block, size_t offset, size_t bytes,
                             uint8_t value, const nd_uses *after, nd_point *ready, nd_error *err) {
  (void)self;
  return nd_resource_fill(nd_host_resource(), block, offset, bytes, value, after, ready, err);
}

static void pinned_kept(nd_resource *self, uint64_t *bytes, uint64_t *blocks) {
  (void)self;
  *bytes = ndi_gauge_read(&cached_bytes).now;
  *blocks = ndi_gauge_read(&cached_blocks).now;
}

static uint64_t pinned_total(nd_resource *self) {
  (void)self;
  return nd_resource_total(nd_host_resource());
}

static void pinned_reset_peak(nd_resource *self) {
  (void)self;
  ndi_counters_reset_peak(&counters);
}

static nd_status pinned_check(nd_resource *self, const nd_block *block, nd_error *err) {
  (void)self;
  return block->kind == ND_MEM_HOST ? ND_OK : ndi_cuda_check_mapped("pinned", err);
}

nd_resource *ndi_cuda_pinned_resource(void) {
  static const nd_resource_ops ops = {.name = "pinned",
                                      .grants = pinned_grants,
                                      .total = pinned_total,
                                      .kept = pinned_kept,
                                      .wake = pinned_wake,
                                      .fill = pinned_fill,
                                      .take = pinned_take,
                                      .give = pinned_give,
                                      .trim = pinned_trim,
                                      .check = pinned_check,
                                      .stats = pinned_stats,
                                      .reset_peak = pinned_reset_peak};
  static nd_resource pinned = {.ops = &ops, .holds = 1, .kind = ND_MEM_PINNED, .is_deferred = true};
  return &pinned;
}

/* 'first' is the same device every time: the caller passes device 0. */
nd_status ndi_cuda_pinned(ndi_cuda *d, nd_resource **out) {
  first = d;
  ndi_cache_register(ndi_cuda_pinned_resource());
  *out = nd_resource_hold(ndi_cuda_pinned_resource());
  return ND_OK;
}

void ndi_cuda_join_pinned(size_t (*trim)(void)) {
  trim_others = trim;
  ndi_cache_register(ndi_cuda_pinned_resource());
}

bool ndi_cuda_has_pinned(void) { return ndi_gauge_read(&counters.blocks).now > 0; }
