/* The resource interface: where memory comes from. Host memory, files, foreign memory, the memory
 * of devices, and adaptors (mem/adapt/) implement it. An adaptor changes how blocks of another
 * resource, its upstream, are taken and given back; so they stack. */
#ifndef ND_MEM_RESOURCE_H
#define ND_MEM_RESOURCE_H

#include <stdatomic.h>

#include "mem/fence.h"
#include "mem/gauge.h"

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

enum { ND_DEVICES = 64 }; /* the most devices; registry numbers are below it, 0 is the host */

typedef struct nd_reservation nd_reservation; /* of a budget (mem/adapt/adapt.h) */

/* Reservations that are being used, the innermost first. */
typedef struct nd_promises {
  nd_reservation *reservation;
  const struct nd_promises *outer;
} nd_promises;

typedef struct {
  size_t bytes;
  size_t align; /* a power of two; 0: the default of the resource */
  bool zeroed;
  bool may_substitute;         /* if there is no pinned memory, take ordinary memory for it */
  uint64_t tag;                /* of a storage its id (mem/storage.h), for adaptors; 0: none */
  const nd_promises *promises; /* of budgets in the stack, or others; NULL: none */
} nd_request;

/* A block of memory, passed by value. An adaptor that changes the addresses keeps the block of its
 * upstream in a record of its own, which 'cookie' leads to. */
typedef struct {
  void *ptr;       /* the device's address; NULL for 0 bytes */
  void *host;      /* the CPU's address, often the same; NULL where the CPU has no access */
  size_t bytes;    /* as requested */
  size_t granted;  /* usable, at least 'bytes'; what is counted at take and at give alike */
  nd_point ready;  /* the contents may be accessed by work that is ordered after this point */
  uint64_t cookie; /* for the resource itself */
  uint16_t device; /* registry number of the device that works on it */
  uint8_t kind;    /* nd_memkind as granted */
  bool zeroed;     /* the bytes are 0, or (files, foreign memory) are not to be cleared */
} nd_block;

/* Counters of a resource. Each byte counts in one of the gauges only: it is in use (live), given
 * back but not freed yet (pending), kept for the next take (cached), or held from the system beyond
 * those (reserved). The peak of 'live' includes pending bytes. 'held' is the part of 'pending' that
 * waits for others, to whom it was exported (mem/storage.h). */
typedef struct nd_mem_stats {
  nd_gauge live, pending, cached, reserved, held; /* bytes */
  nd_gauge live_count, pending_count, cached_count, reserved_count, held_count;
  uint64_t limit, remaining; /* of a budget; UINT64_MAX: there is none */
  uint64_t requests, failed_takes, failed_gives;
  bool is_scoped; /* live: since a scope began, 'now' is signed (mem/adapt/adapt.h) */
} nd_mem_stats;

/* Which pending blocks to give back; see nd_reap in mem/reap.h. */
typedef enum { ND_REAP_POLL, ND_REAP_DONE, ND_REAP_WAIT } nd_reap_mode;

/* STOP: fail with the error, of which the message may have been added to. */
typedef enum { ND_ANSWER_NO, ND_ANSWER_AGAIN, ND_ANSWER_STOP } nd_answer;

/* The functions of a kind of resource. Any thread may call them, with no lock held but that of the
 * storage during 'check'. */
typedef struct {
  const char *name;
  const char *origin;              /* optional, for messages: "from a pool" and the like */
  const char *no_pool, *no_budget; /* optional: why there may be none on top of it */
  /* optional, default: the upstream's, else always true. Would 'give' of an unused block return at
   * once, instead of waiting for a busy device? Never blocks. */
  bool (*is_idle)(nd_resource *self);
  /* optional, default: the upstream's, else 'bytes'. What would a block count for? */
  size_t (*grants)(nd_resource *self, const nd_request *request);
  /* optional, default: the upstream's, else ND_OK. Could it be taken if all else was given back? */
  nd_status (*fits)(nd_resource *self, const nd_request *request, nd_error *err);
  /* optional, default: the upstream's, else 0, unknown: all memory that there is of its kind. */
  uint64_t (*total)(nd_resource *self);
  /* optional: who keeps blocks itself says how many. Not inherited. */
  void (*kept)(nd_resource *self, uint64_t *bytes, uint64_t *blocks);
  /* optional, default: the upstream's, else 0. The queue that a block taken now is ready on. */
  uint32_t (*queue)(nd_resource *self);
  /* Allocate. '*out' comes with bytes, device and kind filled in, the rest 0. */
  nd_status (*take)(nd_resource *self, const nd_request *request, nd_block *out, nd_error *err);
  /* Free a block. The uses 'after' (NULL: none) are done, unless the resource is_ordered: then the
   * free is ordered after them. On failure the block stays allocated, and may be given again.
   * Allocates nothing. */
  nd_status (*give)(nd_resource *self, const nd_block *block, const nd_uses *after, nd_error *err);
  /* optional, default: the upstream's, else a no-op. Free blocks that the resource itself keeps
   * pending (reap), or caches beyond 'keep' bytes (trim). '*freed': in bytes. */
  nd_status (*reap)(nd_resource *self, nd_reap_mode mode, size_t *freed, nd_error *err);
  nd_status (*trim)(nd_resource *self, size_t keep, size_t *freed, nd_error *err);
  /* optional, default: the upstream's. Tell the counters; let the peaks begin again. */
  void (*stats)(nd_resource *self, nd_mem_stats *out);
  void (*reset_peak)(nd_resource *self);
  /* optional: counters in scopes. With it come 'stats' and 'reset_peak'. */
  struct ndi_meter *(*meter)(nd_resource *self);
  /* optional: may a take of so many bytes that failed with 'err' be tried again? Not inherited. */
  nd_answer (*ask)(nd_resource *self, size_t bytes, nd_error *err);
  /* optional, default: the upstream's, else ND_OK. Can memory of this kind be used now? Opens a
   * device that is closed. */
  nd_status (*wake)(nd_resource *self, nd_error *err);
  /* optional, default: the upstream's, else ND_UNSUPPORTED. Set bytes of a block to 'value', after
   * the uses 'after' (NULL: none): from the point '*ready' on they are. That is set as soon as
   * something is enqueued, also where the call then fails. */
  nd_status (*fill)(nd_resource *self, const nd_block *block, size_t offset, size_t bytes,
                    uint8_t value, const nd_uses *after, nd_point *ready, nd_error *err);
  /* optional, default: the upstream's, else ND_UNSUPPORTED. Copy bytes of a block to 'to', in a
   * block of 'staging', after the uses 'after' (NULL: none): from the point '*ready' on they are
   * there. That is set as for 'fill'. */
  nd_status (*fetch)(nd_resource *self, const nd_block *block, size_t offset, size_t bytes,
                     void *to, const nd_uses *after, nd_point *ready, nd_error *err);
  /* optional, default: the upstream's, else NULL: the CPU reads the memory itself. The resource
   * that 'fetch' copies to. */
  nd_resource *(*staging)(nd_resource *self);
  /* optional, default: the upstream's, else ND_OK. Can the block still be accessed? ND_IO where the
   * file under a mapping was truncated. */
  nd_status (*check)(nd_resource *self, const nd_block *block, nd_error *err);
  /* optional, default: the upstream's. Increment '*epoch', that of the storage with this block,
   * when its bytes get lost; NULL: no longer. */
  void (*watch)(nd_resource *self, const nd_block *block, _Atomic uint64_t *epoch);
  /* optional: without it the resource lives as long as the process. Frees 'self', to which no
   * reference and of which no block is left. */
  void (*close)(nd_resource *self);

  /* Optional, all three or none: bytes in one piece with a record of the caller's (mem/small.h),
   * which count as taken until give_small. Such bytes need no ticket; small_block makes a block of
   * them for one, with a hold of its own on the piece, which 'give' then drops. False: no memory.
   */
  bool (*take_small)(nd_resource *self, size_t record, size_t bytes, void **out, char **data);
  void (*give_small)(nd_resource *self, char *data, size_t bytes);
  nd_block (*small_block)(nd_resource *self, void *record, char *data, size_t bytes);
} nd_resource_ops;

/* Of a cache that is registered: those around it in the list, and when it came. */
typedef struct {
  nd_resource *before, *after;
  uint64_t number; /* 0: it is not registered */
} ndi_cache_link;

struct nd_resource {
  const nd_resource_ops *ops;
  nd_resource *up;   /* the upstream, one reference; or NULL */
  atomic_uint holds; /* the reference count */
  uint16_t device;   /* registry number */
  uint8_t kind;      /* nd_memkind as asked for; a block's may differ */
  bool is_lent;      /* a leaf: its bytes end with a Lua object, for which others cannot wait */
  bool is_aliased;   /* other storages, or code that is not ours, may access the same bytes */
  bool is_ordered;   /* its frees are ordered after pending work: 'give' takes blocks in use */
  bool is_deferred;  /* 'give' may call a driver, as finalizers must not: it is left to reaps */
  atomic_bool stays; /* see nd_resource_keep */
  /* Kept by tickets and reaps: the pending blocks of this resource and of all adaptors on it, those
   * of them that others hold, and the number of blocks that were asked for, that could not be
   * taken, or given back at the first try. */
  ndi_counters pending, held;
  atomic_uint_fast64_t requests, failed_takes, failed_gives;
  atomic_uint_fast64_t requests_before; /* reset_requests: not told any more */
  ndi_cache_link cache;
};

/* Make 'self', which is zeroed, a resource with one reference. An adaptor is what its upstream is,
 * to which it gets a reference. */
void nd_resource_init(nd_resource *self, const nd_resource_ops *ops, nd_memkind kind,
                      uint16_t device);
void nd_resource_init_on(nd_resource *self, const nd_resource_ops *ops, nd_resource *up);

/* Where the memory of a stack comes from. */
const nd_resource *nd_resource_leaf(const nd_resource *self);

/* Add and remove a reference. Each live block holds one to its resource, so that it does not matter
 * in which order blocks and resources are dropped. NULL may be dropped. */
nd_resource *nd_resource_hold(nd_resource *self);
void nd_resource_drop(nd_resource *self);

/* From now on 'self' and all below it stay for as long as the process: references are not counted
 * any more. Without 'close' a resource always does. */
void nd_resource_keep(nd_resource *self);

/* Call a function of the table, or its default; nothing else calls it. A request of 0 bytes is
 * legal, and takes a block without memory. A take adds the block's reference to the resource; a
 * give removes it, which may close the resource. */
nd_status nd_resource_take(nd_resource *self, const nd_request *request, nd_block *out,
                           nd_error *err);
nd_status nd_resource_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                           nd_error *err);
nd_status nd_resource_reap(nd_resource *self, nd_reap_mode mode, size_t *freed, nd_error *err);
nd_status nd_resource_trim(nd_resource *self, size_t keep, size_t *freed, nd_error *err);
bool nd_resource_is_idle(nd_resource *self);
size_t nd_resource_grants(nd_resource *self, const nd_request *request);
nd_status nd_resource_fits(nd_resource *self, const nd_request *request, nd_error *err);
uint64_t nd_resource_total(nd_resource *self);
uint32_t nd_resource_queue(nd_resource *self);
nd_status nd_resource_wake(nd_resource *self, nd_error *err);
nd_status nd_resource_fill(nd_resource *self, const nd_block *block, size_t offset, size_t bytes,
                           uint8_t value, const nd_uses *after, nd_point *ready, nd_error *err);
nd_status nd_resource_fetch(nd_resource *self, const nd_block *block, size_t offset, size_t bytes,
                            void *to, const nd_uses *after, nd_point *ready, nd_error *err);
nd_resource *nd_resource_staging(nd_resource *self);
nd_answer nd_resource_ask(nd_resource *self, size_t bytes, nd_error *err); /* any layer */
nd_status nd_resource_check(nd_resource *self, const nd_block *block, nd_error *err);
void nd_resource_watch(nd_resource *self, const nd_block *block, _Atomic uint64_t *epoch);
void nd_resource_get_stats(nd_resource *self, nd_mem_stats *out);
void nd_resource_reset_peak(nd_resource *self);
void nd_resource_reset_requests(nd_resource *self);

/* Let nd_caches_trim trim 'self', until it is unregistered: a resource with 'close' is so by its
 * own close. Idempotent. The host's resource need not be registered. */
void ndi_cache_register(nd_resource *self);
void ndi_cache_unregister(nd_resource *self);

/* Let the adaptors on this device have back what they keep until work is done; waits for it. */
void ndi_caches_wait(uint16_t device);

/* Trim the cache of each registered resource of a device (0: the host) to 'keep' bytes. Returns the
 * bytes that were freed. */
size_t nd_caches_trim(uint16_t device, size_t keep);

/* What registered adaptors on memory of this kind keep, which is in use for that. */
void nd_caches_kept(uint16_t device, nd_memkind kind, uint64_t *bytes, uint64_t *blocks);

/* Empty the registered adaptors, which hold blocks of a device. */
void ndi_caches_empty(void);

#endif
