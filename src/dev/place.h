/* Places: where memory is or will be, by the names that scripts use; and what can be asked for by
 * place, whichever the backend. */
#ifndef ND_DEV_PLACE_H
#define ND_DEV_PLACE_H

#include "dev/device.h"

/* What may follow the name of a kind of memory after a ':'. */
typedef enum { ND_SUFFIX_NONE, ND_SUFFIX_ORDINAL, ND_SUFFIX_PATH } nd_suffix;

typedef struct {
  const char *name;  /* canonical, as nd_place_text prints it */
  const char *alias; /* a second accepted spelling, or NULL */
  nd_memkind kind;
  nd_suffix suffix; /* an ordinal is optional and 0 by default; a path is mandatory */
  int dlpack;       /* the number of DLPack and Arrow for such a device */
} nd_place_kind;

/* A parsed place: where memory is or will be. The struct owns nothing. */
typedef struct {
  const nd_backend *backend; /* NULL: the first registered backend that has this kind */
  nd_memkind kind;
  int64_t ordinal; /* of the device, among those of its backend; from 0 */
  /* points into the parsed text, which must outlive it; ND_MEM_FILE only, else NULL */
  const char *path;
} nd_place;

/* How device memory is allocated: ANY lets the backend choose, ON takes it from a pool, OFF
 * allocates each block by a driver call of its own. */
typedef enum { ND_POOLING_ANY, ND_POOLING_ON, ND_POOLING_OFF } nd_pooling;

typedef struct {
  bool overwrite; /* ND_MEM_FILE: replace an existing file at that path */
  nd_pooling pooling;
} nd_place_options;

typedef struct {
  char name[128];
  int major, minor; /* compute capability, as in 9.0 */
  size_t total;     /* bytes */
  bool has_pools, has_managed;
  bool is_concurrent; /* the CPU may touch managed memory while the device works */
} nd_properties;

typedef struct {
  size_t free, total;                  /* bytes of the whole device, all processes together */
  nd_mem_stats device, plain, managed; /* device: from the pool; plain: one driver call per block */
  /* bytes and blocks that could not be freed because the context was lost */
  uint64_t lost, lost_count;
  /* bytes of the pinned staging buffers (see dev/cuda/stage.c) */
  uint64_t staging;
} nd_usage;

/* Memory that other code owns and that becomes a storage. */
typedef struct {
  void *at;
  size_t bytes;
  /* not for the host's: a stream handle of the backend's driver; NULL: its default stream. Our work
   * on the memory is ordered after what is enqueued there now */
  void *stream;
  /* in its place, with 'has_event': an event of the driver; NULL: there is nothing to wait for */
  bool has_event;
  void *event;
  /* called with 'owner' when the last reference is gone; see nd_foreign_resource */
  void (*release)(void *owner);
  void *owner;
} nd_foreign;

/* Hints about where the pages of managed memory should be; see nd_place_hint. */
typedef enum {
  ND_PAGES_PREFETCH, /* enqueue the migration now */
  ND_PAGES_READ_MOSTLY,
  ND_PAGES_PREFERRED,
  ND_PAGES_ACCESSED_BY
} nd_page_hint;

/* Parse the name of a place. Case-insensitive except for PATH. ND_INVALID_ARGUMENT; the message
 * lists the known names. */
nd_status nd_place_parse(const char *text, nd_place *out, nd_error *err);

/* Print the canonical name: "cpu", "cuda:0", "disk:PATH", truncated to 'bytes' with the terminating
 * 0. Returns 'text'. */
const char *nd_place_text(const nd_place *place, char *text, size_t bytes);

/* The place that a resource allocates at, and that where a storage is, whose kind may differ from
 * that of its resource: pinned memory falls back to ordinary memory. */
nd_place nd_resource_place(const nd_resource *resource);
nd_place nd_place_of(const nd_storage *storage);

/* The number of DLPack and Arrow for a device with memory of this place; and the place for such a
 * number and the device's: false, where there is none, but a file's. */
int nd_place_dlpack(const nd_place *place);
bool nd_place_from_dlpack(int type, int64_t ordinal, nd_place *out);

/* The name of the place where a storage is, truncated to 'bytes'. Returns 'text'. */
const char *nd_storage_place(const nd_storage *storage, char *text, size_t bytes);

/* The device that works on memory of 'place', opened; the host for host, pinned and file memory.
 * Devices are never freed. */
nd_status nd_place_device(const nd_place *place, nd_device **out, nd_error *err);

/* Return the resource of 'place' with one reference for the caller. ND_DEVICE_NOT_FOUND with the
 * reason, ND_UNSUPPORTED for a kind of memory or pooling that the device lacks. */
nd_status nd_place_resource(const nd_place *place, nd_place_options options, nd_resource **out,
                            nd_error *err);

/* Wrappers of the optional entries of nd_backend above: ND_UNSUPPORTED where the backend of the
 * place lacks one. nd_place_peer also fails so for devices of two backends. */
nd_status nd_place_properties(const nd_place *place, nd_properties *out, nd_error *err);
nd_status nd_place_usage(const nd_place *place, nd_usage *out, nd_error *err);
nd_status nd_place_peer(const nd_place *from, const nd_place *to, nd_error *err);
nd_status nd_place_foreign(const nd_place *place, const nd_foreign *memory, nd_resource **out,
                           nd_error *err);

/* Hint that the managed pages of 'view' are meant for 'to', the host or a device of the backend
 * that has the memory. ND_INVALID_ARGUMENT where the memory is not managed. */
nd_status nd_place_hint(const nd_place *to, const nd_view *view, nd_page_hint hint, nd_error *err);

#endif
