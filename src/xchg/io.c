/* File access for the formats: exact reads, atomic replacement, the bytes of an array.
 *
 * Files are read by pread, at offsets that the caller keeps, so that nothing depends on a file
 * position. A file is written whole under a temporary name, flushed, and then renamed, so that at
 * every moment its path leads to the complete old contents or the complete new ones. */
#include "xchg/io.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/call.h"
#include "base/size.h"
#include "mem/file.h"
#include "mem/host.h"
#include "mem/temp_file.h"
#include "xchg/crc32.h"

enum {
  PIECE = 64 << 20, /* the most bytes of one system call; interrupts are polled between them */
  CHECKED_PIECE = 256 << 10, /* the same where a checksum is computed, which finds it in a cache */
  STAGE = 4 << 20            /* bytes of the buffer in which a strided array is made contiguous */
};

/* {=== rules that formats share ===} */

nd_status ndi_error_prefix_path(nd_status status, const char *path, nd_error *err) {
  if (status == ND_OK || !err || err->path[0]) return status;
  char text[ND_ERROR_TEXT];
  /* 200 characters of the path and 400 of the text fit into ND_ERROR_TEXT */
  const size_t length = strlen(path), most = 200; /* of a long path, its end says more */
  memcpy(text, err->message, sizeof text);
  /* from a copy, as the text would overlap the buffer */
  snprintf(err->message, sizeof err->message, "%s: %.400s",
           path + (length > most ? length - most : 0), text);
  nd_error_set_path(err, path);
  return status;
}

static nd_status fail_irregular(const char *path, nd_error *err) {
  return ndi_error_prefix_path(nd_fail(err, ND_IO, "not a regular file"), path, err);
}

/* {=== reading ===} */

/* The type is asked of the open descriptor, as a path may lead to another file a moment later. */
nd_status ndi_infile_open(const char *path, ndi_infile *out, nd_error *err) {
  int fd;
  do fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* so as not to wait for a FIFO's writer */
  while (fd < 0 && errno == EINTR);
  if (fd < 0) return nd_fail_errno(err, "cannot open", path, errno);
  struct stat st;
  nd_status status = ND_OK;
  if (fstat(fd, &st) != 0) status = nd_fail_errno(err, "cannot stat", path, errno);
  else if (!S_ISREG(st.st_mode)) status = fail_irregular(path, err);
  if (status == ND_OK) *out = (ndi_infile){.fd = fd, .bytes = (size_t)st.st_size, .path = path};
  else close(fd);
  return status;
}

void ndi_infile_close(ndi_infile *self) {
  if (self->fd >= 0) close(self->fd);
  self->fd = -1;
}

nd_status ndi_infile_again(const ndi_infile *self, ndi_infile *out, nd_error *err) {
  const int fd = fcntl(self->fd, F_DUPFD_CLOEXEC, 0);
  if (fd < 0) return nd_fail_errno(err, "cannot open again", self->path, errno);
  *out = *self;
  out->fd = fd;
  return ND_OK;
}

/* The file has become shorter since its size was checked. */
static nd_status fail_short(const ndi_infile *self, size_t wanted, size_t got, nd_error *err) {
  nd_fail_with(err, ND_IO, ND_NUMBERS({"expected", (int64_t)wanted}, {"actual", (int64_t)got}),
               "the file ended while it was read: %zu B of %zu B", got, wanted);
  return ndi_error_prefix_path(ND_IO, self->path, err);
}

nd_status ndi_infile_read(const ndi_infile *self, size_t offset, void *to, size_t bytes,
                          nd_error *err) {
  size_t done = 0;
  while (done < bytes) {
    const size_t piece = bytes - done < PIECE ? bytes - done : PIECE;
    const ssize_t got = pread(self->fd, (char *)to + done, piece, (off_t)(offset + done));
    if (got == 0) return fail_short(self, bytes, done, err); /* truncated since it was opened */
    if (got < 0 && errno != EINTR) return nd_fail_errno(err, "cannot read", self->path, errno);
    if (got > 0) done += (size_t)got;
    if (done < bytes) ND_TRY(nd_check_interrupt(err));
  }
  return ND_OK;
}

static nd_status read_file(ndi_source *self, void *to, size_t bytes, nd_error *err) {
  ndi_file_source *s = (ndi_file_source *)self;
  ND_TRY(ndi_infile_read(s->file, s->at, to, bytes, err));
  s->at += bytes, self->left -= bytes;
  return ND_OK;
}

ndi_file_source ndi_infile_source(const ndi_infile *self, size_t offset) {
  const size_t left = offset < self->bytes ? self->bytes - offset : 0;
  return (ndi_file_source){{read_file, left}, self, offset};
}

nd_status ndi_layout_check(const ndi_layout *layout, size_t file_bytes, size_t *bytes,
                           nd_error *err) {
  size_t wanted;
  if (!ndi_size_of(layout->ndim, layout->shape, nd_dtype_get(layout->dtype)->bytes, &wanted))
    return nd_fail(err, ND_OVERFLOW, "the shape in the header exceeds the largest array");
  /* a header may claim more than the file has: the difference must not wrap around */
  const size_t there = file_bytes > layout->offset ? file_bytes - layout->offset : 0;
  if (wanted > there)
    return nd_fail_with(err, ND_FORMAT,
                        ND_NUMBERS({"offset", (int64_t)layout->offset},
                                   {"expected", (int64_t)wanted}, {"actual", (int64_t)there}),
                        "truncated: expected %zu B of data at offset %zu, found %zu B", wanted,
                        layout->offset, there);
  *bytes = wanted;
  return ND_OK;
}

/* On failure the descriptor may be the resource's already: then it is closed. */
nd_status ndi_infile_map(ndi_infile *self, size_t offset, size_t bytes, nd_storage **out,
                         nd_error *err) {
  const nd_map_options options = {.mode = ND_MAP_READ, .offset = offset};
  nd_resource *resource;
  ND_TRY(nd_file_resource_from(self->fd, self->path, &options, &resource, err));
  self->fd = -1; /* the resource closes it */
  const nd_status status = nd_storage_make(resource, bytes, (nd_storage_options){.read_only = true},
                                           out, err);
  nd_resource_drop(resource);
  return status;
}

/* A storage of host memory with the bytes, in the machine's order. */
static nd_status read_storage(ndi_source *from, const ndi_layout *layout, size_t bytes,
                              nd_storage **out, nd_error *err) {
  nd_storage *storage;
  /* not zeroed: the file overwrites all of it */
  ND_TRY(nd_storage_make(nd_call_memory(nd_host_resource()), bytes, (nd_storage_options){0},
                         &storage, err));
  char *host;
  nd_status status = nd_storage_host(storage, 0, SIZE_MAX, true, &host, err);
  if (status == ND_OK) status = from->read(from, host, bytes, err);
  if (status == ND_OK && layout->is_swapped) {
    const nd_dtype_traits *traits = nd_dtype_get(layout->dtype);
    /* of a complex number, each part is swapped by itself */
    const size_t width = traits->kind == ND_KIND_COMPLEX ? traits->bytes / 2u : traits->bytes;
    ndi_swap(host, bytes / width, width);
  }
  if (status == ND_OK) *out = storage;
  else nd_storage_drop(storage);
  return status;
}

/* The byte strides of the layout; NULL for row-major. An extent of 0 counts as 1, so that the
 * strides of an empty array are ordinary ones. */
static const ptrdiff_t *set_steps(const ndi_layout *layout, ptrdiff_t *steps) {
  if (!layout->is_fortran) return NULL;
  ptrdiff_t step = nd_dtype_get(layout->dtype)->bytes;
  for (int i = 0; i < layout->ndim; i++) {
    steps[i] = step;
    if (layout->shape[i] > 0) step *= (ptrdiff_t)layout->shape[i];
  }
  return steps;
}

static nd_status view_at(const ndi_layout *layout, size_t offset, nd_storage *storage, nd_view *out,
                         nd_error *err) {
  ptrdiff_t steps[ND_MAX_NDIM];
  return nd_view_make(storage, offset, layout->dtype, layout->ndim, layout->shape,
                      set_steps(layout, steps), out, err);
}

/* A mapping is read-only, and the bytes would have to be reversed. */
static nd_status check_order(const ndi_layout *layout, nd_error *err) {
  if (!layout->is_swapped) return ND_OK;
  return nd_fail_remedy(err, ND_UNSUPPORTED, ND_REMEDY_READ, "big-endian data cannot be mapped");
}

nd_status ndi_layout_view(const ndi_layout *layout, nd_storage *storage, nd_view *out,
                          nd_error *err) {
  ND_TRY(check_order(layout, err));
  return view_at(layout, layout->offset, storage, out, err);
}

nd_status ndi_source_load(ndi_source *self, const ndi_layout *layout, nd_view *out, nd_error *err) {
  size_t bytes = 0;
  nd_storage *storage = NULL;
  ND_TRY(ndi_layout_check(layout, layout->offset + self->left, &bytes, err));
  ND_TRY(read_storage(self, layout, bytes, &storage, err));
  const nd_status status = view_at(layout, 0, storage, out, err);
  nd_storage_drop(storage); /* the view holds it now */
  return status;
}

nd_status ndi_infile_load(ndi_infile *self, const ndi_layout *layout, bool map, nd_view *out,
                          nd_error *err) {
  size_t bytes = 0;
  nd_storage *storage = NULL;
  ndi_file_source from = ndi_infile_source(self, layout->offset);
  if (!map) return ndi_source_load(&from.base, layout, out, err);
  ND_TRY(ndi_layout_check(layout, self->bytes, &bytes, err));
  ND_TRY(check_order(layout, err));
  ND_TRY(ndi_infile_map(self, layout->offset, bytes, &storage, err));
  const nd_status status = view_at(layout, 0, storage, out, err);
  nd_storage_drop(storage);
  return status;
}

/* memcpy because the data may be misaligned; compilers make it a load and a store */
static void swap2(char *p, size_t count) {
  for (uint16_t v; count > 0; count--, p += sizeof v) {
    memcpy(&v, p, sizeof v);
    v = __builtin_bswap16(v);
    memcpy(p, &v, sizeof v);
  }
}

static void swap4(char *p, size_t count) {
  for (uint32_t v; count > 0; count--, p += sizeof v) {
    memcpy(&v, p, sizeof v);
    v = __builtin_bswap32(v);
    memcpy(p, &v, sizeof v);
  }
}

static void swap8(char *p, size_t count) {
  for (uint64_t v; count > 0; count--, p += sizeof v) {
    memcpy(&v, p, sizeof v);
    v = __builtin_bswap64(v);
    memcpy(p, &v, sizeof v);
  }
}

/* Single bytes have no order: a width of 1 is a no-op. */
void ndi_swap(void *data, size_t count, size_t width) {
  if (width == 2) swap2(data, count);
  if (width == 4) swap4(data, count);
  if (width == 8) swap8(data, count);
}

/* {=== headers that are text ===} */

bool ndi_append_digit(size_t *value, int digit) {
  return ndi_size_mul(*value, 10, value) && ndi_size_add(*value, (size_t)(digit - '0'), value);
}

const char *ndi_char_text(int c, char text[ND_CHAR_TEXT]) {
  if (c < 0) return "the end";
  snprintf(text, ND_CHAR_TEXT, c > 0x20 && c < 0x7F ? "'%c'" : "byte 0x%02X", c);
  return text;
}

size_t ndi_utf8_length(const char *text, size_t left) {
  const unsigned char *s = (const unsigned char *)text, first = left > 0 ? s[0] : 0xFF;
  const size_t length = first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if ((first >= 0x80 && first < 0xC2) || first > 0xF4 || length > left) return 0;
  for (size_t i = 1; i < length; i++)
    if ((s[i] & 0xC0) != 0x80) return 0;
  /* not the shortest form, surrogates, beyond the last */
  if ((first == 0xE0 && s[1] < 0xA0) || (first == 0xED && s[1] > 0x9F)) return 0;
  if ((first == 0xF0 && s[1] < 0x90) || (first == 0xF4 && s[1] > 0x8F)) return 0;
  return length;
}

bool ndi_is_utf8(const char *text) {
  size_t left = strlen(text);
  for (size_t length; left > 0; text += length, left -= length)
    if ((length = ndi_utf8_length(text, left)) == 0) return false;
  return true;
}

/* {=== writing ===} */

/* Set '*out' to the path of the file behind all symbolic links, which the caller frees. A file that
 * does not exist yet is fine; anything but a regular file is ND_IO. */
static nd_status find_target(const char *path, char **out, nd_error *err) {
  char *target = realpath(path, NULL);
  if (!target && errno != ENOENT) return nd_fail_errno(err, "cannot write", path, errno);
  /* a path that leads to nothing counts as a regular file, which it will become */
  struct stat st = {.st_mode = S_IFREG};
  if (target && stat(target, &st) != 0 && errno != ENOENT) {
    free(target);
    return nd_fail_errno(err, "cannot stat", path, errno);
  }
  if (!S_ISREG(st.st_mode)) {
    free(target); /* the rename would replace a device or a FIFO by a file */
    return fail_irregular(path, err);
  }
  if (!target) target = strdup(path); /* a new file */
  if (!target) return nd_fail_errno(err, "cannot write", path, ENOMEM);
  *out = target;
  return ND_OK;
}

/* Make the temporary file beside the target: only within one file system can it be renamed. */
static nd_status make_file(ndi_outfile *self, nd_error *err) {
  char *target = NULL, *temporary = NULL;
  ND_TRY(find_target(self->wanted, &target, err));
  assert(target);
  const int fd = ndi_temp_file_make(target, O_WRONLY, &temporary);
  if (fd < 0) {
    const nd_status status = nd_fail_errno(err, "cannot write", self->wanted, errno);
    free(target);
    return status;
  }
  self->fd = fd, self->path = target, self->temporary = temporary;
  return ND_OK;
}

static void note_written(ndi_outfile *self, const void *from, size_t bytes) {
  self->bytes += bytes;
  if (self->has_crc) self->crc = ndi_crc32(self->crc, from, bytes);
}

nd_status ndi_outfile_write(ndi_outfile *self, const void *from, size_t bytes, nd_error *err) {
  size_t done = 0;
  /* only now, so that a codec that refuses the array before it writes has made no file */
  if (self->fd < 0) ND_TRY(make_file(self, err));
  while (done < bytes) {
    const size_t most = self->has_crc ? CHECKED_PIECE : PIECE;
    const size_t piece = bytes - done < most ? bytes - done : most;
    const ssize_t got = write(self->fd, (const char *)from + done, piece);
    if (got < 0 && errno != EINTR) return nd_fail_errno(err, "cannot write", self->path, errno);
    if (got > 0) note_written(self, (const char *)from + done, (size_t)got), done += (size_t)got;
    if (done < bytes) ND_TRY(nd_check_interrupt(err));
  }
  return ND_OK;
}

nd_status ndi_outfile_patch(ndi_outfile *self, size_t offset, const void *from, size_t bytes,
                            nd_error *err) {
  for (size_t done = 0; done < bytes;) {
    const ssize_t got = pwrite(self->fd, (const char *)from + done, bytes - done,
                               (off_t)(offset + done));
    if (got < 0 && errno != EINTR) return nd_fail_errno(err, "cannot write", self->path, errno);
    if (got > 0) done += (size_t)got;
  }
  return ND_OK;
}

/* Write through the buffer 'stage'. A view that does not fit is cut along its first axis that is
 * longer than 1, recursively: a row alone may be too large. */
static nd_status write_staged(ndi_outfile *self, const nd_view *src, char *stage, nd_error *err) {
  const size_t bytes = nd_view_nbytes(src);
  if (bytes <= STAGE) {
    ND_TRY(nd_copyout(src, stage, bytes, err));
    return ndi_outfile_write(self, stage, bytes, err);
  }
  int axis = 0;
  /* there is a longer one: no element is as large as the buffer */
  while (src->axis[axis].len == 1) axis++;
  const size_t len = src->axis[axis].len, row = bytes / len;
  const size_t rows = row < STAGE ? STAGE / row : 1; /* as many as fit; one that does not is cut */
  for (size_t first = 0; first < len; first += rows) {
    nd_view part;
    ND_TRY(nd_check_interrupt(err));
    ND_TRY(nd_view_narrow(src, axis, first, len - first < rows ? len - first : rows, &part, err));
    const nd_status status = write_staged(self, &part, stage, err);
    nd_view_drop(&part);
    ND_TRY(status);
  }
  return ND_OK;
}

nd_status ndi_outfile_write_view(ndi_outfile *self, const nd_view *src, nd_error *err) {
  const size_t bytes = nd_view_nbytes(src);
  if (nd_view_is_contiguous(src)) { /* then without a copy, unless the CPU has no access */
    char *host;
    nd_status status = nd_view_host(src, false, &host, err);
    if (status == ND_OK) {
      if (bytes > 0) status = ndi_outfile_write(self, host + src->offset, bytes, err);
      /* A mapped file may have become shorter. The kernel does not signal that, a look does. */
      if (status != ND_OK) (void)((const volatile char *)host)[src->offset + bytes - 1];
      ND_TRY(nd_storage_check(src->storage, err));
      return status;
    }
    /* device memory: copy it piece by piece */
    if (status != ND_NOT_HOST_ACCESSIBLE) return status;
  }
  char *stage = malloc(bytes < STAGE ? bytes + 1 : STAGE); /* never 0 bytes, which may be NULL */
  if (!stage)
    return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a buffer to write %s", self->wanted);
  const nd_status status = write_staged(self, src, stage, err);
  free(stage);
  return status;
}

nd_status ndi_copyout_row(const nd_view *src, size_t i, void *to, size_t bytes, nd_error *err) {
  nd_view row;
  ND_TRY(nd_view_select(src, 0, i, &row, err));
  const nd_status status = nd_copyout(&row, to, bytes, err);
  nd_view_drop(&row);
  return status;
}

/* EINVAL means that the file system has no fsync, which is no failure. */
static bool flush(int fd) {
  int result;
  do result = fsync(fd);
  while (result != 0 && errno == EINTR);
  return result == 0 || errno == EINVAL;
}

/* Flush the folder, in which the new name is recorded. A failure is ignored: after a crash the path
 * leads to the old file or the new one, and either is complete. Truncates 'path' to the folder. */
static void flush_folder(char *path) {
  char *slash = strrchr(path, '/');
  if (slash) slash[1] = '\0';
  const int fd = open(slash ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  flush(fd);
  close(fd);
}

/* The order matters: if the rename came before the flush, a crash could leave an empty file at the
 * path. */
nd_status ndi_outfile_close(ndi_outfile *self, nd_status status, nd_error *err) {
  if (self->fd < 0) return status;
  if (status == ND_OK && !flush(self->fd))
    status = nd_fail_errno(err, "cannot write", self->path, errno);
  /* some file systems report a full disk at close; after EINTR, Linux has closed it */
  if (close(self->fd) != 0 && errno != EINTR && status == ND_OK)
    status = nd_fail_errno(err, "cannot write", self->path, errno);
  if (status == ND_OK && rename(self->temporary, self->path) != 0)
    status = nd_fail_errno(err, "cannot write", self->path, errno);
  /* from here on nothing may fail: the new file is at the path */
  if (status == ND_OK) flush_folder(self->path);
  else unlink(self->temporary);
  free(self->temporary);
  free(self->path);
  self->fd = -1;
  return status;
}
