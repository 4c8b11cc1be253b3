/* Where bytes come from: the resource interface, which host memory, files, foreign memory and
 * adaptors implement. */
#ifndef ND_MEM_RESOURCE_H
#define ND_MEM_RESOURCE_H

#include <stdatomic.h>

#include "mem/fence.h"

/* ORDER MEMKIND */
typedef enum {
  ND_MEM_HOST,
  ND_MEM_PINNED,
  ND_MEM_FILE,
  ND_MEM_DEVICE,
  ND_MEM_MANAGED,
  ND_MEM_FOREIGN,
  ND_MEMKIND_COUNT
} nd_memkind;

typedef struct nd_resource nd_resource;

enum { ND_DEVICES = 64 }; /* registry numbers are below it */

typedef struct {
  size_t bytes;
  size_t align;   /* a power of two; 0: the resource's own */
  uint32_t queue; /* the queue that will touch it first; 0: the host */
  uint32_t tag;
  bool zeroed;
} nd_request;

/* What a resource hands out, by value. An adaptor that moves addresses keeps the lower block in a
 * node of its own. */
typedef struct {
  void *ptr;       /* address for the device, or for the host where both agree; NULL for 0 bytes */
  void *host;      /* NULL when the CPU may not touch it */
  size_t bytes;    /* asked */
  size_t granted;  /* usable; what adaptors charge, at take and at give alike */
  nd_point ready;  /* work behind this point may touch the contents */
  uint64_t cookie; /* the resource's own */
  uint16_t device; /* registry number of the device that works on it */
  uint8_t kind;    /* nd_memkind as granted */
  bool zeroed;
} nd_block;

typedef struct {
  uint64_t now, peak, total;
} nd_gauge;

/* No byte is in two of them. The peak of 'live' is that of live and pending together. */
typedef struct {
  nd_gauge live, pending, cached, reserved; /* bytes */
  nd_gauge live_count, pending_count, cached_count;
  uint64_t limit, failed_takes, failed_gives;
} nd_mem_stats;

/* POLL: what is done, and can be freed without a wait. DONE: all that is done. WAIT: all. */
typedef enum { ND_REAP_POLL, ND_REAP_DONE, ND_REAP_WAIT } nd_reap_mode;

typedef struct {
  const char *name;
  bool is_ordered; /* frees behind work on its own, so that a give need not wait for the last use */
  bool is_deferred; /* a give calls a driver: it is left to the next reap, as finalizers must not */
  /* optional, default: always. Would a give of a block that is not in use return at once? Reaps
   * that ordinary calls do leave the others until they are many; never blocks. */
  bool (*is_idle)(nd_resource *self);
  nd_status (*take)(nd_resource *self, const nd_request *request, nd_block *out, nd_error *err);
  /* Give back behind the uses 'after', which are done already unless the resource 'is_ordered'.
   * Consumes the block on success; on failure it stays live and charged. Never blocks, needs no
   * memory. */
  nd_status (*give)(nd_resource *self, const nd_block *block, const nd_uses *after, nd_error *err);
  /* optional, default: the upstream's, else nothing is freed */
  nd_status (*reap)(nd_resource *self, nd_reap_mode mode, size_t *freed, nd_error *err);
  nd_status (*trim)(nd_resource *self, size_t keep, size_t *freed, nd_error *err);
  void (*stats)(nd_resource *self, nd_mem_stats *out); /* optional, default: the upstream's */
  /* optional, default ND_OK: is what the block's bytes stand on still there (a mapped file may have
   * shrunk)? */
  nd_status (*check)(nd_resource *self, const nd_block *block, nd_error *err);
  /* optional: the block now serves a storage with this epoch; raised when the bytes are lost */
  void (*watch)(nd_resource *self, const nd_block *block, _Atomic uint64_t *epoch);
  void (*close)(
      nd_resource *self); /* optional: the last hold is gone and no block is left; frees self */
} nd_resource_ops;

struct nd_resource {
  const nd_resource_ops *ops;
  nd_resource *up; /* one hold, or NULL */
  atomic_uint holds;
  uint16_t device;
  uint8_t kind;    /* nd_memkind asked for */
  bool is_aliased; /* others may have its bytes at another address, or in a storage of their own */
  /* Kept by the tickets: what was given back and waits, in this resource and in those above it, and
   * what was refused, once for each block. */
  atomic_uint_fast64_t pending, pending_count, failed_takes, failed_gives;
};

/* Hold and drop. Each live block holds its resource, so that closing in any order is safe. */
nd_resource *nd_resource_hold(nd_resource *self);
void nd_resource_drop(nd_resource *self);

/* The only ways to call the table; they supply the defaults. 'request->bytes' 0 is legal: no
 * memory, one block. */
nd_status nd_resource_take(nd_resource *self, const nd_request *request, nd_block *out,
                           nd_error *err);
nd_status nd_resource_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                           nd_error *err);
nd_status nd_resource_reap(nd_resource *self, nd_reap_mode mode, size_t *freed, nd_error *err);
nd_status nd_resource_trim(nd_resource *self, size_t keep, size_t *freed, nd_error *err);
void nd_resource_get_stats(nd_resource *self, nd_mem_stats *out);

/* 'self', which lives as long as the process, keeps memory that its 'trim' gives back: known to
 * nd_caches_trim from now on, as the host's is. Saying so again changes nothing. */
void ndi_cache_register(nd_resource *self);

/* Trim all that keep memory of a device (0: the host) to 'keep' bytes each. Returns the bytes. */
size_t nd_caches_trim(uint16_t device, size_t keep);

/* How much one cache of host memory may keep: 1 GiB, or a sixteenth of the machine's memory; none
 * under checkers of memory, which are to see each block's end. */
size_t ndi_cache_limit(void);

/* Ordinary memory, 64-byte aligned, huge-page hint from 2 MiB. One for the process; never closed.
 */
nd_resource *nd_host_resource(void);

typedef enum { ND_MAP_READ, ND_MAP_WRITE, ND_MAP_PRIVATE, ND_MAP_CREATE } nd_map_mode;
typedef enum {
  ND_ADVICE_NORMAL,
  ND_ADVICE_SEQUENTIAL,
  ND_ADVICE_RANDOM,
  ND_ADVICE_WILLNEED,
  ND_ADVICE_HUGE
} nd_advice;

typedef struct {
  nd_map_mode mode; /* ND_MAP_CREATE: make a file of offset + bytes, refuse an existing one unless
                       'overwrite' */
  nd_advice advice;
  size_t offset; /* bytes; need not be a multiple of the page */
  bool overwrite;
} nd_map_options;

/* A resource of one file. A take maps request.bytes from the offset, which must lie inside the file
 * (ND_OUT_OF_BOUNDS); a file that shrinks afterwards yields zeros and ND_IO, not a dead process. On
 * ND_OK '*out' is one hold. */
nd_status nd_file_resource(const char *path, const nd_map_options *options, nd_resource **out,
                           nd_error *err);

/* The same of a file that is open already, as what was read from it must be of the file that is
 * mapped: another may have its name by now. 'path' is for messages. On ND_OK 'fd' is the resource's
 * to close. The mode is not ND_MAP_CREATE. */
nd_status nd_file_resource_from(int fd, const char *path, const nd_map_options *options,
                                nd_resource **out, nd_error *err);

/* Bytes of the file of this resource from its offset on. */
size_t nd_file_resource_bytes(const nd_resource *self);
const char *nd_file_resource_path(const nd_resource *self);

/* Do two resources map one file, so that what is written through one may be seen through the other?
 * '*shift' is how many bytes further in the file 'b' begins. */
bool nd_file_resource_is_shared(const nd_resource *a, const nd_resource *b, ptrdiff_t *shift);

/* Memory that somebody else owns, at 'host' for 'bytes'. 'release' (may be NULL) is called once
 * with 'owner', from any thread, when the last block of it has been given back. It can be taken
 * once. */
nd_status nd_foreign_resource(void *host, size_t bytes, void (*release)(void *owner), void *owner,
                              nd_resource **out, nd_error *err);

/* The same at an address of a device, which the CPU must not touch; 'device' as in nd_resource. */
nd_status nd_foreign_device_resource(uint16_t device, void *at, size_t bytes,
                                     void (*release)(void *owner), void *owner, nd_resource **out,
                                     nd_error *err);

/* How a copy may read the file of this resource other than through its mapping: a descriptor of
 * just that file, the caller's to close, and the offset of the resource's first byte. False where
 * the mapping is private, or the file is not there by its name any more. */
bool nd_file_resource_open(const nd_resource *self, int *fd, size_t *offset);

/* Counts of what was taken and not given, which pending blocks are part of; safe to share between
 * threads, and their peaks are exact. */
typedef struct {
  atomic_uint_fast64_t now, peak, total;
} ndi_gauge;
typedef struct {
  ndi_gauge bytes, blocks;
} ndi_counters;
void ndi_counters_take(ndi_counters *counters, size_t bytes);
void ndi_counters_give(ndi_counters *counters, size_t bytes);
uint64_t ndi_counters_now(const ndi_counters *counters);
void ndi_counters_read(const ndi_counters *counters, nd_mem_stats *out);

/* Add to a gauge, and take off it. */
void ndi_gauge_raise(ndi_gauge *gauge, size_t by);
void ndi_gauge_lower(ndi_gauge *gauge, size_t by);
nd_gauge ndi_gauge_read(const ndi_gauge *gauge);

#endif
