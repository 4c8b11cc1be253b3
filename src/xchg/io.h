/* Files as the formats need them: exact reads, atomic writes, and an array's bytes in a file. */
#ifndef ND_XCHG_IO_H
#define ND_XCHG_IO_H

#include "ops/ops.h"

/* {=== reading ===} */

/* An open regular file and its size at that moment. 'path' stays the caller's. */
typedef struct {
  int fd; /* -1: closed, or given to a mapping */
  size_t bytes;
  const char *path;
} ndi_infile;

/* Anything but a regular file is ND_IO; a FIFO does not block. On ND_OK 'out' must be closed. */
nd_status ndi_infile_open(const char *path, ndi_infile *out, nd_error *err);
void ndi_infile_close(ndi_infile *self);

/* Exactly 'bytes' from 'offset'. ND_IO when the file ends before. */
nd_status ndi_infile_read(const ndi_infile *self, size_t offset, void *to, size_t bytes,
                          nd_error *err);

/* An array's bytes in a file, row-major unless 'is_fortran'. */
typedef struct {
  nd_dtype dtype;
  bool is_fortran; /* the first axis varies fastest */
  bool is_swapped; /* big-endian; never for items of one byte */
  int ndim;
  size_t shape[ND_MAX_NDIM];
  size_t offset;
} ndi_layout;

/* ND_OVERFLOW when the size does not fit, ND_FORMAT when the file has fewer bytes. */
nd_status ndi_layout_check(const ndi_layout *layout, size_t file_bytes, size_t *bytes,
                           nd_error *err);

/* Make 'out' of the bytes: a new host array, or with 'map' a read-only one in place, which takes
 * the descriptor, so that nothing is read any more. Nothing is allocated before the layout is
 * checked. On ND_OK 'out' is the caller's to drop. */
nd_status ndi_infile_load(ndi_infile *self, const ndi_layout *layout, bool map, nd_view *out,
                          nd_error *err);

/* Reverse the bytes of 'count' items of 'width' (1, 2, 4, 8) in place. */
void ndi_swap(void *data, size_t count, size_t width);

/* {=== writing ===} */

/* A file that appears at its path whole, or not at all. */
typedef struct {
  int fd;
  char *path;      /* where it will be: a symbolic link is followed */
  char *temporary; /* beside it */
} ndi_outfile;

/* On ND_OK 'out' must be closed. */
nd_status ndi_outfile_open(const char *path, ndi_outfile *out, nd_error *err);
nd_status ndi_outfile_write(const ndi_outfile *self, const void *from, size_t bytes, nd_error *err);

/* All elements in row-major order, straight from memory where they lie so. */
nd_status ndi_outfile_write_view(const ndi_outfile *self, const nd_view *src, nd_error *err);

/* With 'status' ND_OK: to the disk, then to its path. Else, or when that fails: removed. Returns
 * the first failure. */
nd_status ndi_outfile_close(ndi_outfile *self, nd_status status, nd_error *err);

/* {=== failures ===} */

/* Returns 'status'; a failure that does not name its file yet gets "path: " before its message. */
nd_status ndi_name_file(nd_status status, const char *path, nd_error *err);

#endif
