/* Backends: where devices and kinds of memory come from, under the names that scripts use ("cpu",
 * "cuda:1", "disk:PATH"). A new backend is a folder of its own, one nd_backend with its functions,
 * and one line in ndbuf.c that registers it. */
#ifndef ND_DEV_BACKEND_H
#define ND_DEV_BACKEND_H

#include "dev/device.h"

/* What may follow the name of a kind of memory after a ':'. */
typedef enum { ND_SUFFIX_NONE, ND_SUFFIX_ORDINAL, ND_SUFFIX_PATH } nd_suffix;

typedef struct {
  const char *name;  /* canonical, as nd_place_text prints it */
  const char *alias; /* a second accepted spelling, or NULL */
  nd_memkind kind;
  nd_suffix suffix; /* an ordinal is optional and 0 by default; a path is mandatory */
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
  const char *driver; /* path of the driver's shared library; NULL: the system's */
  bool is_off;        /* behave as if there were no device */
  /* wait for the device in every call, so that a failure is reported by the call that caused it */
  bool is_synchronous;
} nd_backend_options;

typedef struct {
  int devices, version; /* of the driver, 1000 * major + 10 * minor: 12040 is 12.4 */
} nd_backend_facts;

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

/* Device memory that other code owns and that becomes a storage. */
typedef struct {
  void *at;
  size_t bytes;
  /* a stream handle of the backend's driver; NULL: its default stream. Our work on the memory is
   * ordered after what is enqueued there now */
  void *stream;
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

typedef struct nd_stream_ops nd_stream_ops;

/* What a backend implements. Only 'open', 'device' and 'resource' may load a driver. The entries
 * below the line are optional (NULL): without them the wrappers fail with ND_UNSUPPORTED and name
 * the backend or device. Entries may be called from any thread, except 'close'. */
struct nd_backend {
  const char *name;
  /* every kind of memory it has; terminated by a row whose name is NULL */
  const nd_place_kind *kinds;

  /* Load the driver and fill '*out'. Idempotent. ND_DEVICE_NOT_FOUND with the reason; a later call
   * tries again after a failure. */
  nd_status (*open)(nd_backend_facts *out, nd_error *err);
  /* Open the device 'ordinal' (idempotent) and return it; devices live as long as the process.
   * ND_DEVICE_NOT_FOUND when there is no such device. */
  nd_status (*device)(int64_t ordinal, nd_device **out, nd_error *err);
  /* Return the resource of 'place' with one reference for the caller. */
  nd_status (*resource)(const nd_place *place, nd_place_options options, nd_resource **out,
                        nd_error *err);
  /* ------------------------------------------------------------------------------------------- */
  void (*configure)(const nd_backend_options *options); /* call before 'open'; ignored afterwards */
  nd_status (*properties)(int64_t ordinal, nd_properties *out, nd_error *err);
  nd_status (*usage)(int64_t ordinal, nd_usage *out, nd_error *err);
  /* Let the device 'from' access the memory of 'to' directly. */
  nd_status (*peer)(int64_t from, int64_t to, nd_error *err);
  /* Page-lock a host or mapped storage in place, or undo that. */
  nd_status (*pin)(nd_storage *storage, bool is_pinned, nd_error *err);
  /* Apply 'hint' to the pages of 'view', which is managed memory of this backend. 'ordinal' is the
   * device they are meant for, -1 the host. */
  nd_status (*hint)(const nd_view *view, nd_page_hint hint, int64_t ordinal, nd_error *err);
  /* Wrap foreign device memory in a resource with one reference for the caller. On failure
   * 'memory->release' is not called. ND_INVALID_ARGUMENT for an address of another owner,
   * ND_OUT_OF_BOUNDS, ND_STREAM_MISUSE where the stream is being captured or belongs to another
   * context. */
  nd_status (*foreign)(int64_t ordinal, const nd_foreign *memory, nd_resource **out, nd_error *err);
  const nd_stream_ops *streams; /* dev/stream.h */
  /* True where 'at', claimed to be a host address, is memory that only a device may touch. Never
   * loads a driver: where the process has not loaded one, the answer is false. */
  bool (*is_hidden)(const void *at);
  /* Release the streams, pools and staging buffers of all devices without live blocks; the next use
   * opens them again. No other thread may call the backend meanwhile. */
  void (*close)(void);
};

/* {=== backends ===} backend.c */

/* Register 'backend', which must be static: it stays registered for the life of the process.
 * ND_CAPACITY when the table is full. */
nd_status nd_backend_register(const nd_backend *backend, nd_error *err);

/* By index from 0 in the order of registration, or by name; NULL when there is none. */
const nd_backend *nd_backend_get(int number);
const nd_backend *nd_backend_find(const char *name);

/* Calls that concern no place. 'self' may be NULL, for a backend that is not built in: then open
 * fails with ND_DEVICE_NOT_FOUND, configure is a no-op, and pin fails with ND_UNSUPPORTED. */
nd_status nd_backend_open(const nd_backend *self, nd_backend_facts *out, nd_error *err);
void nd_backend_configure(const nd_backend *self, const nd_backend_options *options);
nd_status nd_backend_pin(const nd_backend *self, nd_storage *storage, bool is_pinned,
                         nd_error *err);
bool nd_is_hidden(const void *at); /* true where any backend says so; see is_hidden */

/* Close all backends. No other thread may call them meanwhile. */
void nd_backends_close(void);

/* {=== places ===} place.c */

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

/* {=== transfer counters ===} transfer.c, one set for all backends; thread-safe */

/* ORDER TRANSFER */
typedef enum {
  ND_TRANSFER_H2D,
  ND_TRANSFER_D2H,
  ND_TRANSFER_D2D,
  ND_TRANSFER_P2P,
  /* operations on device memory that ran on the host, for want of a device kernel */
  ND_TRANSFER_STAGED,
  ND_TRANSFER_COUNT
} nd_transfer;
const char *nd_transfer_name(nd_transfer kind); /* "h2d" */
void nd_transfer_add(nd_transfer kind, uint64_t bytes);
void nd_transfer_get(nd_transfer kind, uint64_t *calls, uint64_t *bytes);

/* ND_UNSUPPORTED where the call in progress forbids such transfers. Backends ask before they
 * enqueue one. */
nd_status nd_transfer_check(nd_transfer kind, uint64_t bytes, nd_error *err);

#endif
