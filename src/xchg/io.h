/* File access for the formats: exact reads, atomic replacement, the bytes of an array. */
#ifndef ND_XCHG_IO_H
#define ND_XCHG_IO_H

#include "ops/ops.h"

/* {=== reading ===} */

/* An open regular file. */
typedef struct ndi_infile {
  int fd;           /* -1: closed, or passed on to a mapping */
  size_t bytes;     /* its size when it was opened */
  const char *path; /* the caller's */
} ndi_infile;

/* Open a file, which must be closed on ND_OK. ND_IO for anything but a regular file; does not wait
 * for the writer of a FIFO. */
nd_status ndi_infile_open(const char *path, ndi_infile *out, nd_error *err);
void ndi_infile_close(ndi_infile *self); /* idempotent */

/* The same file with another descriptor. */
nd_status ndi_infile_again(const ndi_infile *self, ndi_infile *out, nd_error *err);

/* Read exactly 'bytes' at 'offset'. ND_IO where the file ends before; ND_INTERRUPTED. */
nd_status ndi_infile_read(const ndi_infile *self, size_t offset, void *to, size_t bytes,
                          nd_error *err);

/* Where and how the elements of an array are in a file: without gaps, in row-major order unless
 * 'is_fortran'. */
typedef struct {
  nd_dtype dtype;
  bool is_fortran; /* column-major: the first axis varies fastest */
  bool is_swapped; /* big-endian; never for elements of one byte */
  int ndim;
  size_t shape[ND_MAX_NDIM];
  size_t offset; /* in bytes, from the start of the file */
} ndi_layout;

/* Set '*bytes' to the bytes of the array. ND_OVERFLOW where the shape is too large, ND_FORMAT where
 * a file of 'file_bytes' has fewer. */
nd_status ndi_layout_check(const ndi_layout *layout, size_t file_bytes, size_t *bytes,
                           nd_error *err);

/* Load an array: into new host memory, or with 'map' by mapping the file read-only, which takes
 * over the descriptor: no reads after that. The layout is checked before anything is allocated, so
 * that a false header cannot exhaust memory. On ND_OK 'out' must be dropped. */
nd_status ndi_infile_load(ndi_infile *self, const ndi_layout *layout, bool map, nd_view *out,
                          nd_error *err);

/* Map the file from 'offset' on read-only, 'bytes' of it, for several arrays. Takes over the
 * descriptor. On ND_OK '*out' must be dropped. */
nd_status ndi_infile_map(ndi_infile *self, size_t offset, size_t bytes, nd_storage **out,
                         nd_error *err);

/* Make a view of a layout in such a storage, whose first byte is at layout->offset 0.
 * ND_UNSUPPORTED for big-endian elements. */
nd_status ndi_layout_view(const ndi_layout *layout, nd_storage *storage, nd_view *out,
                          nd_error *err);

/* Bytes that come in their order: of a file, or what a member of an archive unpacks to. */
typedef struct ndi_source {
  /* read exactly so many, of those that are left */
  nd_status (*read)(struct ndi_source *self, void *to, size_t bytes, nd_error *err);
  size_t left;
} ndi_source;

typedef struct {
  ndi_source base;
  const ndi_infile *file;
  size_t at;
} ndi_file_source;
ndi_file_source ndi_infile_source(const ndi_infile *self, size_t offset);

/* Load an array whose first byte is the next one; layout->offset is for messages. As
 * ndi_infile_load does. */
nd_status ndi_source_load(ndi_source *self, const ndi_layout *layout, nd_view *out, nd_error *err);

/* Reverse the bytes of each of 'count' items of 'width' bytes (1, 2, 4 or 8), in place. */
void ndi_swap(void *data, size_t count, size_t width);

/* {=== headers that are text ===} */

/* Append a decimal digit, '0' to '9', to the number in '*value'. False on overflow. */
bool ndi_append_digit(size_t *value, int digit);

/* Describe a character that was found where another was expected: "'x'", "byte 0x0A", or "the end"
 * if 'c' is negative. Returns 'text' or a static string. */
enum { ND_CHAR_TEXT = 16 };
const char *ndi_char_text(int c, char text[ND_CHAR_TEXT]);

/* The bytes of the UTF-8 character at 'text', of which there are 'left'; 0: it is none. */
size_t ndi_utf8_length(const char *text, size_t left);
bool ndi_is_utf8(const char *text); /* to its 0 */

/* {=== writing ===} */

/* A file that is written under a temporary name and renamed when it is complete. Initialise it as
 * {.fd = -1, .wanted = PATH}, and close it. The first write makes the file: an error before that
 * leaves no trace. */
typedef struct ndi_outfile {
  int fd;             /* -1: not made yet, or closed */
  const char *wanted; /* the path as given; the caller's */
  char *path;      /* the same with symbolic links resolved: they are followed, unless they lead to
                      nothing */
  char *temporary; /* the temporary name, in the folder of 'path' */
  size_t bytes;    /* written so far */
  uint32_t crc;    /* of what was written since this was 0; see xchg/crc32.h */
  bool has_crc;    /* is that computed? */
} ndi_outfile;

nd_status ndi_outfile_write(ndi_outfile *self, const void *from, size_t bytes, nd_error *err);

/* Overwrite bytes that were written. */
nd_status ndi_outfile_patch(ndi_outfile *self, size_t offset, const void *from, size_t bytes,
                            nd_error *err);

/* Write all elements in row-major order. Without a copy if they are contiguous on the host. */
nd_status ndi_outfile_write_view(ndi_outfile *self, const nd_view *src, nd_error *err);

/* Copy item 'i' of axis 1, of so many bytes, from whatever memory, in row-major order. */
nd_status ndi_copyout_row(const nd_view *src, size_t i, void *to, size_t bytes, nd_error *err);

/* If 'status', that of the writes, is ND_OK: flush the file to disk and rename it to its path. If
 * it is not, or that fails: remove the file. Returns the first failure. No-op, returning 'status',
 * if nothing was written. */
nd_status ndi_outfile_close(ndi_outfile *self, nd_status status, nd_error *err);

/* {=== rules that formats share ===} */

/* Prefix the message of a failure with "path: ", and record the path, unless it has one already.
 * Returns 'status'; no-op for ND_OK. */
nd_status ndi_error_prefix_path(nd_status status, const char *path, nd_error *err);

#endif
