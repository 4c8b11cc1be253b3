/* Backends: where devices and kinds of memory come from, under the names that scripts use ("cpu",
 * "cuda:1", "disk:PATH"). A new backend is a folder of its own, one nd_backend with its functions,
 * and one line in ndbuf.c that registers it. */
#ifndef ND_DEV_BACKEND_H
#define ND_DEV_BACKEND_H

#include "dev/place.h"

typedef struct {
  const char *driver; /* path of the driver's shared library; NULL: the system's */
  bool is_off;        /* behave as if there were no device */
  /* wait for the device in every call, so that a failure is reported by the call that caused it */
  bool is_synchronous;
} nd_backend_options;

typedef struct {
  int devices, version; /* of the driver, 1000 * major + 10 * minor: 12040 is 12.4 */
} nd_backend_facts;

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
  /* Wrap foreign memory of 'place' in a resource with one reference for the caller. On failure
   * 'memory->release' is not called. ND_INVALID_ARGUMENT for an address of another owner,
   * ND_OUT_OF_BOUNDS, ND_STREAM_MISUSE where the stream is being captured or belongs to another
   * context. */
  nd_status (*foreign)(const nd_place *place, const nd_foreign *memory, nd_resource **out,
                       nd_error *err);
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
