/* Pinned memory: blocks of the host that a driver copies from and to directly. Those that were
 * given back are kept, as the driver may wait for the device before it locks or unlocks pages. */
#include <string.h>

#include "base/lock.h"
#include "base/size.h"
#include "dev/cuda_device.h"
#include "mem/sigbus.h"

static ndi_counters counters;
static _Atomic(ndi_cuda *) first; /* in whose context all of it is; the other devices see it */

/* {=== sizes ===} Exact from 1 MiB on; below it 8 for each power of two, which waste an eighth at
 * most. Each list of kept blocks holds one of the small sizes, or a few of the large ones. */

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

static int list_of(size_t size) {
  const int power = 63 - __builtin_clzll((unsigned long long)size);
  return 8 * power + (int)(size / eighth_of(size)) - 8;
}

/* {=== what is kept ===} */

typedef struct spare {
  struct spare *next;
  size_t bytes;
} spare; /* at the beginning of the block */

static spare *kept[LISTS]; /* guarded by NDI_LOCK_PINNED */
static ndi_gauge kept_bytes, kept_blocks;

static void push(spare *s) {
  const int list = list_of(s->bytes);
  ndi_lock(NDI_LOCK_PINNED);
  s->next = kept[list];
  kept[list] = s;
  ndi_gauge_raise(&kept_bytes, s->bytes);
  ndi_gauge_raise(&kept_blocks, 1);
  ndi_unlock(NDI_LOCK_PINNED);
}

/* The lock is held. */
static spare *unlink_spare(spare **at) {
  spare *s = *at;
  *at = s->next;
  ndi_gauge_lower(&kept_bytes, s->bytes);
  ndi_gauge_lower(&kept_blocks, 1);
  return s;
}

/* NULL: none of this size is kept. */
static void *find_kept(size_t size) {
  spare *found = NULL;
  ndi_lock(NDI_LOCK_PINNED);
  spare **at = &kept[list_of(size)];
  while (*at && (*at)->bytes != size) at = &(*at)->next;
  if (*at) found = unlink_spare(at);
  ndi_unlock(NDI_LOCK_PINNED);
  return found;
}

/* Take out what is above 'keep' bytes. */
static spare *detach(size_t keep) {
  spare *out = NULL;
  ndi_lock(NDI_LOCK_PINNED);
  for (int i = LISTS; i-- > 0;)
    while (kept[i] && kept_bytes.now > keep) {
      spare *s = unlink_spare(&kept[i]);
      s->next = out;
      out = s;
    }
  ndi_unlock(NDI_LOCK_PINNED);
  return out;
}

static bool is_gone(const ndi_cuda *d) { return !d || d->lost || ndi_cuda_is_forked(); }

/* What the driver refuses stays kept; of a lost context nothing can be given back. */
static nd_status free_spares(ndi_cuda *d, spare *s, size_t *freed, nd_error *err) {
  ndi_visit visit = {0};
  nd_status status = ndi_cuda_enter(d, &visit, err);
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

static nd_status pinned_trim(nd_resource *self, size_t keep, size_t *freed, nd_error *err) {
  (void)self;
  ndi_cuda *d = first;
  if (is_gone(d) || !d->is_open) return ND_OK;
  return free_spares(d, detach(keep), freed, err);
}

void ndi_cuda_close_pinned(void) {
  size_t freed = 0;
  pinned_trim(NULL, 0, &freed, NULL);
  pinned_trim(NULL, 0, &freed, NULL); /* once more what was refused */
  detach(0);                          /* it goes with the context */
}

/* {=== blocks ===} */

static nd_status take_fresh(size_t size, void **at, nd_error *err) {
  nd_device *device;
  ND_TRY(nd_cuda_device(0, &device, err));
  ndi_cuda *d = (ndi_cuda *)device;
  ND_VISIT(d, err);
  const CUresult result = ndi_cu.cuMemHostAlloc(at, size, CU_MEMHOSTALLOC_PORTABLE);
  if (result == CUDA_ERROR_NOT_SUPPORTED)
    return nd_fail(err, ND_UNSUPPORTED, "this driver cannot lock memory of the host");
  return ndi_cuda_did(d, result, "cuMemHostAlloc", err);
}

static nd_status take_block(size_t bytes, size_t *size, void **at, nd_error *err) {
  if (bytes > SIZE_MAX / 2)
    return nd_fail_with(err, ND_OUT_OF_MEMORY, ND_NUMBERS({"requested", (int64_t)bytes}),
                        "out of pinned memory: requested %zu B", bytes);
  *size = size_of(bytes);
  ND_TRY(ndi_cuda_check_mapped("pinned", err));
  *at = find_kept(*size);
  return *at ? ND_OK : take_fresh(*size, at, err);
}

static nd_status pinned_take(nd_resource *self, const nd_request *request, nd_block *out,
                             nd_error *err) {
  (void)self;
  void *at = NULL;
  size_t size = 0;
  if (request->bytes > 0) ND_TRY(take_block(request->bytes, &size, &at, err));
  if (request->zeroed && at) memset(at, 0, request->bytes);
  out->ptr = out->host = at;
  out->granted = size;
  out->zeroed = request->zeroed;
  ndi_counters_take(&counters, size);
  return ND_OK;
}

static nd_status free_pinned(ndi_cuda *d, void *at, nd_error *err) {
  return ND_CU(d, cuMemFreeHost(at), err);
}

/* Where too much would be kept all of it goes: the driver waits for the device at most once, as it
 * is idle for the frees that follow. */
static nd_status pinned_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                             nd_error *err) {
  (void)after; /* done, or we would not be called */
  ndi_cuda *d = first;
  size_t freed = 0;
  const size_t limit = ndi_cache_limit(), bytes = block->granted;
  if (block->ptr && !is_gone(d) && bytes <= limit) {
    if (kept_bytes.now + bytes > limit) pinned_trim(self, 0, &freed, NULL);
    spare *s = block->ptr;
    s->bytes = bytes;
    push(s);
  } else if (block->ptr) {
    return ndi_cuda_free(d, &counters, free_pinned, block->ptr, bytes, err);
  }
  ndi_counters_give(&counters, bytes);
  return ND_OK;
}

static void pinned_stats(nd_resource *self, nd_mem_stats *out) {
  (void)self;
  ndi_counters_read(&counters, out);
  out->cached = ndi_gauge_read(&kept_bytes);
  out->cached_count = ndi_gauge_read(&kept_blocks);
}

static nd_status pinned_check(nd_resource *self, const nd_block *block, nd_error *err) {
  (void)self, (void)block;
  return ndi_cuda_check_mapped("pinned", err);
}

nd_resource *ndi_cuda_pinned_resource(void) {
  static const nd_resource_ops ops = {.name = "pinned",
                                      .is_deferred = true,
                                      .take = pinned_take,
                                      .give = pinned_give,
                                      .trim = pinned_trim,
                                      .check = pinned_check,
                                      .stats = pinned_stats};
  static nd_resource pinned = {.ops = &ops, .holds = 1, .kind = ND_MEM_PINNED};
  return &pinned;
}

nd_status ndi_cuda_pinned(ndi_cuda *d, nd_resource **out) {
  first = d;
  ndi_cache_register(ndi_cuda_pinned_resource());
  *out = nd_resource_hold(ndi_cuda_pinned_resource());
  return ND_OK;
}

bool ndi_cuda_has_pinned(void) { return counters.blocks.now > 0; }
