/* Ordinary host memory. Small blocks come from malloc, blocks from MAP_FROM on from mmap: those are
 * zeroed by the system at no cost of ours, in huge pages where there are some. What is given back
 * is cached, since the page faults of fresh pages take several times as long as most work on them.
 */
#include "mem/host.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/lock.h"
#include "base/size.h"
#include "mem/gauge.h"
#include "mem/medium.h"
#include "mem/shortage.h"
#include "mem/small.h"

enum {
  HOST_ALIGN = 64,          /* a cache line, and the widest vector register */
  MAP_FROM = NDI_MEDIUM_TO, /* for smaller blocks a system call costs more than it saves */
  HUGE_FROM = 2 << 20,      /* a huge page of x86-64 */
};

static ndi_counters counters;

/* The cookie of a block is the address to pass to free(), beside ALIGNED where it has a larger
 * alignment than HOST_ALIGN; or MAPPED, which no address is; or SMALL beside the address of the
 * record that it is in one piece with. */
enum { MAPPED = 1, SMALL = 2, ALIGNED = 4 };

size_t ndi_page_bytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }

/* New pages, zeroed by the system. NULL where it has none. */
static void *map_fresh(size_t bytes) {
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return NULL;
  /* a hint: without huge pages ordinary ones do */
  if (bytes >= HUGE_FROM) madvise(at, bytes, MADV_HUGEPAGE);
  return at;
}

/* {=== the cache ===} Mapped blocks that were given back, the oldest first, and evicted in that
 * order. Guarded by NDI_LOCK_HOST. */

/* As many as may be in garbage before a collection (DEBT_FLOOR, bind/debt.c; unless much is alive),
 * so that what is made in a loop finds its memory here; so few that a linear search is cheap. */
enum { CACHED_BLOCKS = 64 };

static struct {
  void *at;
  size_t bytes; /* a multiple of the page size */
} cached[CACHED_BLOCKS];
static int cached_count;
static ndi_counters cached_now;

static size_t whole_pages(size_t bytes) {
  const size_t page = ndi_page_bytes();
  return (bytes + page - 1) & ~(page - 1);
}

size_t ndi_cache_limit(void) {
  const size_t most = (size_t)1 << 30,
               own = (size_t)sysconf(_SC_PHYS_PAGES) / 16 * ndi_page_bytes();
  return ND_IS_CHECKED ? 0 : own < most ? own : most;
}

/* Remove entry i, without unmapping its block. */
static void remove_cached(int i) {
  ndi_counters_give(&cached_now, cached[i].bytes);
  cached_count--;
  memmove(&cached[i], &cached[i + 1], (size_t)(cached_count - i) * sizeof cached[0]);
}

/* Evict the oldest blocks until at most 'keep' bytes in 'entries' blocks are left. Returns the
 * bytes that were unmapped. */
static size_t trim_cache(size_t keep, int entries) {
  size_t freed = 0;
  while (cached_count > 0 && (ndi_counters_now(&cached_now) > keep || cached_count > entries)) {
    freed += cached[0].bytes;
    munmap(cached[0].at, cached[0].bytes);
    remove_cached(0);
  }
  return freed;
}

/* Take the smallest cached block that is large enough, and unmap its excess. NULL if there is none
 * of at most twice the size: to carve a small block from a large one would waste the latter. */
static void *take_cached(size_t bytes) {
  const size_t wanted = whole_pages(bytes);
  void *at = NULL;
  int best = -1;
  ndi_lock(NDI_LOCK_HOST);
  for (int i = 0; i < cached_count; i++)
    if (cached[i].bytes >= wanted && cached[i].bytes / 2 <= wanted &&
        (best < 0 || cached[i].bytes <= cached[best].bytes))
      best = i;
  if (best >= 0) {
    at = cached[best].at;
    /* give_mapped knows only the size that was granted, so the block must not be larger */
    if (cached[best].bytes > wanted) munmap((char *)at + wanted, cached[best].bytes - wanted);
    remove_cached(best);
  }
  ndi_unlock(NDI_LOCK_HOST);
  return at;
}

/* Cache a mapped block, for which older ones make way, or unmap it where it alone exceeds the
 * limit. */
static void give_mapped(void *at, size_t bytes) {
  const size_t limit = ndi_cache_limit(), whole = whole_pages(bytes);
  if (whole > limit) {
    munmap(at, whole);
    return;
  }
  ndi_lock(NDI_LOCK_HOST);
  /* make room for one more entry, and for its bytes */
  trim_cache(limit - whole, CACHED_BLOCKS - 1);
  cached[cached_count].at = at;
  cached[cached_count++].bytes = whole;
  ndi_counters_take(&cached_now, whole);
  ndi_unlock(NDI_LOCK_HOST);
}

/* Free returns memory to the system only from the end of the heap. One thread at a time: where the
 * program has another malloc, such as jemalloc, glibc's own is set up by the first call, which is
 * not thread-safe. The mark of a thread that a fork left behind is of an older count. */
static void trim_malloc(void) {
#ifdef __GLIBC__
  static atomic_uint trimming; /* 0: no thread is */
  const unsigned mine = ndi_forks() + 1;
  if (atomic_exchange(&trimming, mine) == mine) return;
  malloc_trim(0);
  atomic_store(&trimming, 0);
#endif
}

static nd_status host_trim(nd_resource *self, size_t keep, size_t *freed, nd_error *err) {
  (void)self, (void)err;
  ndi_lock(NDI_LOCK_HOST);
  *freed = trim_cache(keep, CACHED_BLOCKS);
  ndi_unlock(NDI_LOCK_HOST);
  /* not counted: nor is what malloc keeps */
  ndi_small_trim();
  ndi_medium_trim();
  trim_malloc();
  return ND_OK;
}

/* {=== blocks ===} */

/* Whether a block goes through the lists of mem/medium.h, if its alignment is HOST_ALIGN. */
static bool is_medium(size_t bytes) {
  return !ND_IS_CHECKED && bytes > NDI_MEDIUM_FROM && bytes < MAP_FROM;
}

/* Usually malloc with room to align within, which is several times faster than posix_memalign. */
static void *take_small(size_t bytes, size_t align, uint64_t *cookie) {
  void *raw = NULL;
  if (ND_IS_CHECKED || align > HOST_ALIGN) {
    if (posix_memalign(&raw, align, bytes) != 0) return NULL;
    *cookie = (uint64_t)(uintptr_t)raw | (align > HOST_ALIGN ? ALIGNED : 0);
    return raw;
  }
  if (is_medium(bytes)) {
    raw = ndi_medium_take(bytes);
    bytes = ndi_medium_size(bytes);
  }
  /* no overflow: 'bytes' is at most ND_SIZE_MAX */
  if (!raw && !(raw = malloc(bytes + align - 1))) return NULL;
  *cookie = (uint64_t)(uintptr_t)raw;
  return (void *)(((uintptr_t)raw + align - 1) & ~(align - 1));
}

/* 'raw' is from there. */
static void give_small(void *raw, size_t bytes, bool is_aligned) {
  if (is_medium(bytes) && !is_aligned) ndi_medium_give(raw, bytes);
  else free(raw);
}

/* Exchange a block's pages for fresh ones, which the system zeroes as they are touched, as fast as
 * we could, and lazily. It refuses that for pages that a program has locked (mlockall). */
static void *zero_mapped(void *at, size_t bytes) {
  const size_t whole = whole_pages(bytes);
  if (madvise(at, whole, MADV_DONTNEED) == 0) return at;
  munmap(at, whole);
  return map_fresh(bytes);
}

/* '*zeroed': on entry, whether zeroed memory is wanted; on return, whether it is zeroed. */
static void *take_memory(size_t bytes, size_t align, bool *zeroed, uint64_t *cookie) {
  /* mmap aligns to pages; larger alignments are left to posix_memalign */
  if (bytes >= MAP_FROM && align <= ndi_page_bytes()) {
    *cookie = MAPPED;
    void *at = take_cached(bytes);
    if (at) return *zeroed ? zero_mapped(at, bytes) : at;
    *zeroed = true;
    return map_fresh(bytes);
  }
  void *at = take_small(bytes, align, cookie);
  return at && *zeroed ? memset(at, 0, bytes) : at;
}

nd_status ndi_host_fail_memory(const char *place, size_t bytes, uint64_t live, uint64_t kept,
                               nd_error *err) {
  const size_t page = ndi_page_bytes();
  const ndi_shortage s = {.place = place,
                          .bytes = bytes,
                          .live = live,
                          .cached = kept,
                          .free = (uint64_t)sysconf(_SC_AVPHYS_PAGES) * page,
                          .total = (uint64_t)sysconf(_SC_PHYS_PAGES) * page};
  return ndi_fail_shortage(&s, err);
}

static nd_status fail_memory(size_t bytes, nd_error *err) {
  return ndi_host_fail_memory("cpu", bytes, ndi_counters_now(&counters),
                              ndi_counters_now(&cached_now), err);
}

static size_t align_of(const nd_request *request) {
  return request->align > HOST_ALIGN ? request->align : HOST_ALIGN;
}

/* Rounded up to the alignment, so that vectors may read to the end. SIZE_MAX: too many. */
static size_t host_grants(nd_resource *self, const nd_request *request) {
  (void)self;
  const size_t align = align_of(request);
  size_t granted;
  return ndi_size_add(request->bytes, align - 1, &granted) ? granted & ~(align - 1) : SIZE_MAX;
}

static nd_status host_fill(nd_resource *self, const nd_block *block, size_t offset, size_t bytes,
                           uint8_t value, const nd_uses *after, nd_point *ready, nd_error *err) {
  (void)self;
  ND_TRY(ndi_uses_wait_all(after, err));
  memset((char *)block->host + offset, value, bytes);
  *ready = (nd_point){0};
  return ND_OK;
}

static void host_kept(nd_resource *self, uint64_t *bytes, uint64_t *blocks) {
  (void)self;
  *bytes = ndi_counters_now(&cached_now);
  *blocks = ndi_gauge_read(&cached_now.blocks).now;
}

static uint64_t host_total(nd_resource *self) {
  (void)self;
  return (uint64_t)sysconf(_SC_PHYS_PAGES) * ndi_page_bytes();
}

/* A large block that the system maps comes zeroed in any case, which 'zeroed' then tells. */
static nd_status host_take(nd_resource *self, const nd_request *request, nd_block *out,
                           nd_error *err) {
  const size_t align = align_of(request), granted = host_grants(self, request);
  if (granted == SIZE_MAX) return fail_memory(request->bytes, err);
  out->zeroed = request->zeroed;
  if (granted > 0) {
    out->ptr = out->host = take_memory(granted, align, &out->zeroed, &out->cookie);
    if (!out->ptr) return fail_memory(request->bytes, err);
  }
  out->granted = granted;
  ndi_counters_take(&counters, granted);
  return ND_OK;
}

static nd_status host_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                           nd_error *err) {
  (void)self, (void)after, (void)err;
  void *at = (void *)(uintptr_t)(block->cookie & ~(uint64_t)(SMALL | ALIGNED));
  if (block->cookie == MAPPED) give_mapped(block->ptr, block->granted);
  else if (block->cookie & SMALL) {
    ND_POISON(block->ptr, block->bytes);
    ndi_small_drop(at);
  } else give_small(at, block->granted, block->cookie & ALIGNED);
  ndi_counters_give(&counters, block->granted);
  return ND_OK;
}

/* {=== small pieces ===} */

static size_t granted_small(size_t bytes) {
  return (bytes + HOST_ALIGN - 1) & ~(size_t)(HOST_ALIGN - 1);
}

static bool host_take_small(nd_resource *self, size_t record, size_t bytes, void **out,
                            char **data) {
  (void)self;
  *out = ndi_small_take(record, bytes, data);
  if (*out) ndi_counters_take(&counters, granted_small(bytes));
  return *out != NULL;
}

static void host_give_small(nd_resource *self, char *data, size_t bytes) {
  (void)self;
  ND_POISON(data, bytes); /* the piece is freed with its record */
  ndi_counters_give(&counters, granted_small(bytes));
}

static nd_block host_small_block(nd_resource *self, void *record, char *data, size_t bytes) {
  (void)self;
  ndi_small_hold(record);
  return (nd_block){.ptr = data,
                    .host = data,
                    .bytes = bytes,
                    .granted = granted_small(bytes),
                    .cookie = (uint64_t)(uintptr_t)record | SMALL,
                    .kind = ND_MEM_HOST};
}

static void host_stats(nd_resource *self, nd_mem_stats *out) {
  (void)self;
  ndi_counters_read(&counters, out);
  out->cached = ndi_gauge_read(&cached_now.bytes);
  out->cached_count = ndi_gauge_read(&cached_now.blocks);
}

static void host_reset_peak(nd_resource *self) {
  (void)self;
  ndi_counters_reset_peak(&counters);
}

/* Without 'close', so that its references are not counted (nd_resource_hold). */
nd_resource *nd_host_resource(void) {
  static const nd_resource_ops ops = {.name = "host",
                                      .grants = host_grants,
                                      .total = host_total,
                                      .kept = host_kept,
                                      .fill = host_fill,
                                      .take = host_take,
                                      .give = host_give,
                                      .trim = host_trim,
                                      .stats = host_stats,
                                      .reset_peak = host_reset_peak,
                                      .take_small = host_take_small,
                                      .give_small = host_give_small,
                                      .small_block = host_small_block};
  static nd_resource host = {.ops = &ops, .holds = 1, .kind = ND_MEM_HOST};
  return &host;
}
