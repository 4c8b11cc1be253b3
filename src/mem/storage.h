/* Storage: one allocation, shared by every view of it. */
#ifndef ND_MEM_STORAGE_H
#define ND_MEM_STORAGE_H

#include "mem/ticket.h"

/* Element classes for the punned rule: views of one class may alias in compiled code, those of two
 * may not. */
typedef enum {
  ND_CLASS_1 = 1,
  ND_CLASS_2 = 2,
  ND_CLASS_4 = 4,
  ND_CLASS_8 = 8,
  ND_CLASS_F32 = 16,
  ND_CLASS_F64 = 32,
  ND_CLASS_ALL = 63
} nd_class;

/* Where epochs begin: just above 1.0. Lua reads them as a double in places, and these all differ,
 * also where denormal numbers count as 0. */
#define ND_EPOCH_FIRST UINT64_C(0x3ff0000000000001)

typedef enum { ND_STORAGE_FRESH, ND_STORAGE_LIVE, ND_STORAGE_FREED } nd_storage_state;

/* lua/ndbuf/head.lua declares the first two fields; a spec compares them. */
typedef struct nd_storage {
  _Atomic uint64_t epoch; /* raised when a head made earlier must not be used any more */
  _Atomic uint32_t
      puns;    /* nd_class bits of the views made so far; more than one: stores take care */
  uint64_t id; /* never reused */
  atomic_uint holds;
  _Atomic uint8_t state; /* nd_storage_state */
  bool is_read_only;
  bool is_zeroed;          /* wanted at allocation */
  _Atomic bool is_exposed; /* see nd_storage_expose; foreign memory always is */
  _Atomic uint8_t kind;    /* nd_memkind; after allocation as granted */
  _Atomic bool is_locked;  /* a driver may copy straight from and to the host address */
  size_t bytes;
  nd_resource *resource; /* one hold */
  nd_ticket ticket;      /* the fields from here on are published by 'state' */
  _Atomic(char *) ptr;   /* the device's address; NULL again after a free */
  _Atomic(char *) host;  /* NULL where the CPU may not touch it */
  atomic_uint lock;     /* guards uses and the change of state, for a few instructions: 0 is free */
  _Atomic bool is_busy; /* there are uses; read without the lock */
  nd_uses uses;
} nd_storage;

typedef struct {
  bool zeroed, read_only;
  bool lazy; /* memory comes with the first use; files and foreign memory are there at once */
} nd_storage_options;

/* A storage of 'bytes' from 'resource' (one hold is taken). On ND_OK '*out' is one hold. */
nd_status nd_storage_make(nd_resource *resource, size_t bytes, nd_storage_options options,
                          nd_storage **out, nd_error *err);
nd_storage *nd_storage_hold(nd_storage *self);

/* The id of the storage made last: whatever is made from now on has a larger one. */
uint64_t nd_storage_last_id(void);

/* The last drop gives the block back behind its uses. Any thread; never blocks. */
void nd_storage_drop(nd_storage *self);

/* Storages of pinned memory that got ordinary memory, as no more could be locked. */
uint64_t nd_storage_fallbacks(void);

/* Allocate now if that is still to be done. What of pinned memory cannot be had, though room was
 * made for it, is ordinary memory: 'kind' says so. Threads that race end with one allocation.
 * ND_FREED after a free. */
nd_status nd_storage_allocate(nd_storage *self, nd_error *err);

/* Let the block go back through 'by', whose one hold is taken over and which was made by somebody
 * who locked its pages; the resource that it goes to now becomes 'by's 'up', and the storage is
 * locked. With 'by' NULL that is undone, and the lock's resource dropped. ND_NOT_ALLOCATED,
 * ND_FREED. */
nd_status nd_storage_lock(nd_storage *self, nd_resource *by, nd_error *err);

/* Free early: every view then fails with ND_FREED. Work in flight is finished first, without
 * waiting. Any thread may ask any storage anything meanwhile; one that works on the bytes
 * themselves races, as with any memory. */
nd_status nd_storage_free(nd_storage *self, nd_error *err);

nd_storage_state nd_storage_get_state(const nd_storage *self);

/* ND_OK when allocated and its bytes are still there: else ND_NOT_ALLOCATED, ND_FREED, ND_IO. */
nd_status nd_storage_check(nd_storage *self, nd_error *err);

/* The host's address, allocated if need be, after waiting for the uses that a read (a write)
 * conflicts with. ND_NOT_HOST_ACCESSIBLE where the CPU may not touch it. NULL is legal for 0 bytes.
 */
nd_status nd_storage_host(nd_storage *self, bool for_write, char **out, nd_error *err);

/* Give the address of the bytes to code that is not ours: the device's where the CPU may not touch
 * them. They are allocated, and no work on them is in flight. From now on nd_storage_use waits for
 * the work that it notes, and a writable storage counts as punned, since others may view the same
 * bytes as another class. Fails as nd_storage_check does. */
nd_status nd_storage_expose(nd_storage *self, char **out, nd_error *err);

/* Note work that was enqueued at 'at'. While it is in flight the host's view is stale: raises the
 * epoch. Of an exposed storage the work is done on return, so no lock may be held. */
nd_status nd_storage_use(nd_storage *self, nd_point at, bool is_write, nd_error *err);

/* True when the host may touch the bytes without waiting. */
bool nd_storage_is_settled(nd_storage *self);

/* A view of this class was made: raises the epoch when it is the second class of a writable
 * storage. Where the bytes may be viewed through other storages, or by other code (foreign memory,
 * files mapped shared), all classes are there from the start. */
void nd_storage_pun(nd_storage *self, nd_class class);
bool nd_storage_is_punned(const nd_storage *self);

#endif
