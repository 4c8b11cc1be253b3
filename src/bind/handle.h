/* The handle of an array: the userdata that Lua has, and the fast head that it begins with. */
#ifndef ND_BIND_HANDLE_H
#define ND_BIND_HANDLE_H

#include <lua.h>

#include "ndbuf.h"

/* The fast head: all that compiled element access needs, so that a loop over elements never calls C
 * (docs/internals.md, Fast heads). lua/ndbuf/head.lua declares the same struct with p1 typed by
 * dtype; a spec compares every field. It is valid while its epoch equals the storage's. A count is
 * the greatest index that a path of the access code accepts; 0 disables the path, and the access
 * goes on to the next one, in the end to C, which applies every rule. The 'unit' counts are of the
 * shortest path: the step of the last axis is 1 and, for stores, the storage is not punned. */
typedef struct {
  nd_storage *storage;
  char *p1; /* address such that p1[i * step0 + j * step1 + …] is element (i, j, …), 1-based */
  uint64_t epoch; /* Lua reads the low half, or all as a double where 32-bit stores may alias it */
  int32_t ndim;
  int32_t step[4];                         /* in elements */
  int32_t unit_read_n, unit_write_n;       /* elements of a 1-D array that a[i] may read, write */
  int32_t read_n, write_n;                 /* the same for any step and punned storages */
  int32_t first[3];                        /* along the first axis of a 2-D, a 3-D, a 4-D array */
  int32_t inner[2];                        /* along the second and third axis of 3-D and 4-D ones */
  int32_t unit_read_last, unit_write_last; /* along the last axis of all but 1-D ones */
  int32_t read_last, write_last;
  int32_t is_punned; /* views of several C types may alias: stores go through ffi.copy */
  int32_t is_mapped; /* a file that may shrink: the epoch is compared again after the access */
  int32_t is_packed; /* for leaf.c: p1 is set, and the elements are one run of at most
                        NDI_SMALL_BYTES in ordinary host memory */
} ndb_head;

/* Does the head still say how it is with the storage? False for an array that was finalized. */
static inline bool ndb_is_fresh(const ndb_head *h) {
  return h->epoch == atomic_load_explicit(&h->storage->epoch, memory_order_acquire);
}

/* The userdata of an array, its handle. It is allocated up to the last axis in use
 * (ndb_handle_bytes), so 'view' must not be copied as a whole. */
typedef struct ndb_array {
  ndb_head head;     /* first: Lua casts the userdata to it */
  const void *magic; /* ndb_magic: tells a handle from other userdata without its metatable */
  uint64_t id;       /* a.id; never used again in this Lua state */
  nd_view view;      /* owns a reference; after finalization its storage is array.c's stand-in */
} ndb_array;

/* The handle of the array that a:rows() moves (rows.c). lua/ndbuf/rows.lua declares it again; a
 * spec compares every field. */
typedef struct {
  ndb_array row;       /* its magic is ndb_magic + 1, and it has room for all axes */
  double count;        /* rows; a double, as Lua makes no cdata when it loads one */
  ptrdiff_t stride;    /* bytes from a row to the next */
  size_t first_offset; /* row.view.offset for the first row */
  char *first_p1; /* row.head.p1 for the first row, while the storage's epoch is 'first_epoch' */
  uint64_t first_epoch; /* 0: compiled code must not move the row */
} ndb_rows;

extern const char ndb_magic[2]; /* only its address matters */

static inline size_t ndb_handle_bytes(int ndim) {
  return offsetof(ndb_array, view) + offsetof(nd_view, axis) + (size_t)ndim * sizeof(nd_axis);
}

/* The array at 'arg', or NULL for any other value. Does not raise. Inline: each element access in C
 * begins with it. Any userdata may have any metatable, so the size and the magic decide. */
static inline ndb_array *ndb_to_array(lua_State *L, int arg) {
  ndb_array *a = lua_touserdata(L, arg);
  if (!a || lua_objlen(L, arg) < ndb_handle_bytes(0)) return NULL;
  return a->magic == ndb_magic || a->magic == ndb_magic + 1 ? a : NULL;
}

/* Recompute the head from the view and the current state of the storage. */
void ndb_refresh(ndb_array *a);

/* The same, sooner, for a part of the array that 'from' is the head of (ndb_finish). */
void ndb_derive(ndb_array *a, const ndb_head *from);

#endif
