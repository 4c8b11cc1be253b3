/* Memory-mapped files as resources. */
#ifndef ND_MEM_FILE_H
#define ND_MEM_FILE_H

#include "mem/resource.h"

typedef enum {
  ND_MAP_READ,
  ND_MAP_WRITE,   /* stores go to the file */
  ND_MAP_PRIVATE, /* copy-on-write: stores stay in this process */
  ND_MAP_CREATE   /* like WRITE, of a new file of offset + bytes, which is zeros */
} nd_map_mode;

/* How the pages will be accessed, as madvise(2) has it. */
typedef enum {
  ND_ADVICE_NORMAL,
  ND_ADVICE_SEQUENTIAL,
  ND_ADVICE_RANDOM,
  ND_ADVICE_WILLNEED,
  ND_ADVICE_HUGE
} nd_advice;

typedef struct {
  nd_map_mode mode;
  nd_advice advice;
  size_t offset;  /* bytes into the file; need not be a multiple of the page size */
  bool overwrite; /* ND_MAP_CREATE: replace an existing file, which is an error otherwise */
} nd_map_options;

/* Make a resource of the file at 'path', which is opened now and mapped by the one take that the
 * resource allows (a second is ND_CAPACITY): request.bytes from the offset on. On ND_OK '*out' is
 * one reference. ND_IO where the file cannot be opened, or is not a regular one.
 *
 * The take fails with ND_OUT_OF_BOUNDS where the range exceeds the file. If the file is truncated
 * later, the bytes that are gone read as zeros and nd_storage_check reports ND_IO, instead of a
 * SIGBUS that kills the process. With ND_MAP_CREATE the file gets its name when the take succeeds,
 * whole, and not before. */
nd_status nd_file_resource(const char *path, const nd_map_options *options, nd_resource **out,
                           nd_error *err);

/* The same for the open descriptor 'fd'. A caller that has read a header needs this: opened again,
 * the path might lead to another file. 'path' is for messages. On ND_OK the resource closes 'fd';
 * on failure it stays the caller's. The mode must not be ND_MAP_CREATE. */
nd_status nd_file_resource_from(int fd, const char *path, const nd_map_options *options,
                                nd_resource **out, nd_error *err);

/* These take adaptors on files as well. Bytes from the offset to the end of the file, as it was
 * when opened or made. */
size_t nd_file_resource_bytes(const nd_resource *self);
const char *nd_file_resource_path(const nd_resource *self);

/* Do two resources map the same file, so that a store through one may show in the other? Then
 * '*shift' is the offset of 'b' less that of 'a', in bytes. Any resources may be given. */
bool nd_file_resource_is_shared(const nd_resource *a, const nd_resource *b, ptrdiff_t *shift);

/* Open the file for reading past its mapping, which is faster for copies to a device: '*fd', the
 * caller's to close, and '*offset' of the resource's first byte in it. False, and nothing is
 * opened, where the mapping is private (its stores are in no file), or where the path leads to
 * another file by now, or to none. */
bool nd_file_resource_open(const nd_resource *self, int *fd, size_t *offset);

#endif
