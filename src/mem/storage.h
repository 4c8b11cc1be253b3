/* Storage: one allocation, reference counted, and shared by all views of it. Functions that ask for
 * or change its state are thread-safe; access to the bytes is not, as with any memory. */
#ifndef ND_MEM_STORAGE_H
#define ND_MEM_STORAGE_H

#include "mem/ticket.h"

/* The first epoch: the bits of the double next above 1.0. Lua compares epochs as doubles in places.
 * From here on all are different normal numbers; small integers would be denormal, and equal where
 * the processor treats those as 0. */
#define ND_EPOCH_FIRST UINT64_C(0x3ff0000000000001)

typedef enum { ND_STORAGE_FRESH, ND_STORAGE_LIVE, ND_STORAGE_FREED } nd_storage_state;

/* lua/ndbuf/head.lua declares the first two fields; a spec compares them. */
typedef struct nd_storage {
  _Atomic uint64_t epoch; /* incremented to invalidate addresses that were cached earlier */
  _Atomic uint32_t puns;  /* a bit for each way the bytes were viewed; see nd_storage_pun */
  uint64_t id;            /* never reused */
  atomic_uint holds;      /* the reference count */
  _Atomic uint8_t state;  /* nd_storage_state */
  bool is_read_only;
  bool is_zeroed;          /* to be zeroed when it is allocated */
  _Atomic bool is_exposed; /* see nd_storage_expose; foreign memory always is */
  _Atomic uint8_t kind;    /* nd_memkind: as asked for; once allocated: as granted */
  _Atomic bool is_pinned;  /* a driver may copy directly from and to the host address */
  bool is_passing;         /* the CPU writes to it for a device, and does not read that */
  bool is_small;           /* in one piece with the bytes (mem/small.h), and LIVE from the start */
  _Atomic bool has_ticket; /* a LIVE one that is small gets a ticket when something needs one */
  size_t bytes;
  nd_resource *resource; /* one reference */
  nd_ticket ticket;      /* valid with 'has_ticket'; the next two once 'state' is LIVE */
  _Atomic(char *) ptr;   /* the device's address; NULL after nd_storage_free */
  _Atomic(char *) host;  /* the CPU's address; NULL where it has no access */
  atomic_uint lock;      /* a spin lock for 'uses', 'exports' and changes of 'state'; 0: free */
  uint32_t exports;      /* see nd_storage_export */
  /* 'uses' is not empty; and has many entries. May be read without the lock */
  _Atomic bool is_busy, is_crowded;
  nd_uses *uses;           /* work that may be in flight; NULL before the first */
  struct nd_storage *next; /* for whoever has the last reference: a list of such storages */
  _Atomic(struct nd_shared_entry *) shared; /* the first number, see mem/shared.c; NULL: none */
} nd_storage;

/* When memory is allocated. Files and foreign memory are always there at once. */
typedef enum {
  ND_AT_ONCE,
  ND_LAZY,      /* at the first use */
  ND_LAZY_LARGE /* at the first use, but ordinary host memory of up to ND_LAZY_FROM - 1 B at once */
} nd_lazy;
enum { ND_LAZY_FROM = 4097 };

typedef struct {
  bool zeroed, read_only;
  nd_lazy lazy;
} nd_storage_options;

/* Make a storage of 'bytes' from 'resource', to which it adds a reference. On ND_OK '*out' is one
 * reference, which must be dropped. Where the memory is allocated at once it fails as
 * nd_ticket_take does. */
nd_status nd_storage_make(nd_resource *resource, size_t bytes, nd_storage_options options,
                          nd_storage **out, nd_error *err);

/* The same for small storages of ordinary host memory alone, and without any callback of nd_call.
 * NULL where it is not that, and where there is no memory. */
nd_storage *nd_storage_make_small(nd_resource *resource, size_t bytes, nd_storage_options options);

nd_storage *nd_storage_hold(nd_storage *self);

/* Remove a reference. With the last one the block is given back, to be freed once the work on it is
 * done. Any thread; never blocks. NULL is a no-op. */
void nd_storage_drop(nd_storage *self);

/* Remove a reference that is not the last one. False: it is, and still the caller's. */
bool nd_storage_drop_shared(nd_storage *self);

/* The id of the storage that was made last; all that are made later have larger ones. */
uint64_t nd_storage_last_id(void);

/* How many storages asked for pinned memory and got ordinary memory, because pinning failed. */
uint64_t nd_storage_fallbacks(void);

/* Allocate the memory of a lazy storage; a no-op if it has some. If pinned memory is not to be had,
 * even after making room for it, ordinary memory takes its place, which 'kind' tells. Where threads
 * race, one allocation is used and the others are given back. ND_FREED after nd_storage_free, else
 * fails as nd_ticket_take does. May collect garbage: no lock may be held. */
nd_status nd_storage_allocate(nd_storage *self, nd_error *err);

/* Record that the caller has pinned the pages of the block: from now on it is given back to 'by',
 * an adaptor that unpins them and passes the block on to its upstream, here set to the resource
 * that the block came from. Takes over the caller's reference to 'by' on success. With 'by' NULL
 * record that the caller has unpinned them: the block goes back to where it came from, and the
 * adaptor is dropped. Fails as nd_storage_check does. */
nd_status nd_storage_pin(nd_storage *self, nd_resource *by, nd_error *err);

/* Free the memory now, though there are references: every access then fails with ND_FREED. Never
 * blocks: the block is freed once the work on it is done, and all exports of it have ended.
 * Idempotent. Metadata calls on other
 * threads are safe meanwhile; access to the bytes is not. */
nd_status nd_storage_free(nd_storage *self, nd_error *err);

/* Add a reference for code that is not ours, which keeps the bytes over nd_storage_free, too:
 * meanwhile they count as held. Allocates first if need be. That code knows neither our queues nor
 * our views, so from now on the storage is exposed and punned (nd_storage_expose); work that is in
 * flight is not waited for. ND_UNSUPPORTED for memory whose owner is a Lua object, which would not
 * outlast its state; else fails as nd_storage_allocate and nd_storage_check do. */
nd_status nd_storage_export(nd_storage *self, nd_error *err);

/* One more, where there is one. */
void nd_storage_export_again(nd_storage *self);

/* Remove that reference. Any thread; never blocks. */
void nd_storage_unexport(nd_storage *self);
bool nd_storage_has_exports(nd_storage *self);

/* The storage can be found without a reference, by 'first' (mem/shared.c): call 'forget', which is
 * one for all storages, once the last reference is gone. */
void nd_storage_set_shared(nd_storage *self, struct nd_shared_entry *first,
                           void (*forget)(const nd_storage *self));

static inline nd_storage_state nd_storage_get_state(const nd_storage *self) {
  return (nd_storage_state)atomic_load_explicit(&self->state, memory_order_acquire);
}

/* Make sure that a LIVE storage, perhaps a small one, has a ticket. */
nd_status ndi_storage_need_ticket(nd_storage *self, nd_error *err);

/* ND_OK when the bytes may be accessed. ND_NOT_ALLOCATED before a lazy allocation, ND_FREED after
 * nd_storage_free, ND_IO where a mapped file was truncated. */
nd_status nd_storage_check(nd_storage *self, nd_error *err);

/* Set '*out' to the CPU's address of the storage, whose bytes from 'lo' to before 'hi' it is to
 * read (with 'for_write': write). Allocates first if need be, and waits for the work in flight that
 * conflicts with that, and for no other. The address is NULL for 0 bytes. ND_NOT_HOST_ACCESSIBLE
 * where the CPU has no access; else fails as nd_storage_allocate and nd_storage_check do. */
nd_status nd_storage_host(nd_storage *self, size_t lo, size_t hi, bool for_write, char **out,
                          nd_error *err);

/* Wait for the work in flight on the bytes from 'lo' to before 'hi', and for no other. Allocates
 * nothing; else fails as nd_storage_check does. */
nd_status nd_storage_wait(nd_storage *self, size_t lo, size_t hi, nd_error *err);

/* Set '*out' to the address of the bytes for code that is not ours: the CPU's, or the device's
 * where the CPU has no access. Allocates first if need be, and waits for all work in flight. That
 * code knows neither our queues nor our views, so from now on nd_storage_use waits for the work
 * that it records, and a writable storage counts as punned. Fails as nd_storage_allocate and
 * nd_storage_check do. */
nd_status nd_storage_expose(nd_storage *self, char **out, nd_error *err);

/* Write to '*out' the recorded uses that 'access' has to come after; its point does not matter. Any
 * thread; calls no device. */
void nd_storage_conflicts(nd_storage *self, const nd_use *access, nd_uses *out);

/* Record work that was enqueued after all uses that it conflicts with. Increments the epoch, since
 * cached addresses must not be used while it is in flight. Waits for it where the storage is
 * exposed, or has no room for the use. */
nd_status nd_storage_use(nd_storage *self, const nd_use *use, nd_error *err);

/* The same in parts, for a device that submits under a lock. Without a lock, drop the uses that are
 * done if there are many: calls devices. */
void nd_storage_tidy(nd_storage *self);
/* Has the record no room for another use of 'queue'? Then work of it has to come after 'first',
 * too, and is noted over that use. Calls no device. */
bool nd_storage_is_full(nd_storage *self, uint32_t queue, nd_use *first);
/* Record a use, which stands for 'over' (may be NULL) as well. True: the caller has to wait for it,
 * without the lock. Calls no device. */
bool nd_storage_note(nd_storage *self, const nd_use *use, const nd_use *over);

/* True when no work is in flight: the host may access the bytes without waiting. */
bool nd_storage_is_idle(nd_storage *self);

/* Record that the bytes are viewed in a certain way, for which 'way' has one bit. What the bits
 * mean is the callers' choice: types that a compiler assumes not to alias each other. A writable
 * storage that was viewed in two ways is punned: stores by one may have to be ordered before loads
 * by the other. Becoming so increments the epoch. Memory that other storages or other code may
 * access (foreign memory, shared file mappings) is punned from the start. */
enum { NDI_ALL_WAYS = 0x7FFFFFFF };
void nd_storage_pun(nd_storage *self, uint32_t way);
bool nd_storage_is_punned(const nd_storage *self);

#endif
