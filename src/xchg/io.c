/* Files as the formats need them: exact reads, atomic writes, and an array's bytes in a file. */
#include "xchg/io.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/size.h"
#include "mem/temporary.h"

enum {
  PIECE = 64 << 20, /* bytes of one system call; between two, an interrupt is noticed */
  STAGE = 4 << 20   /* bytes gathered before a write */
};

/* {=== failures ===} */

nd_status ndi_name_file(nd_status status, const char *path, nd_error *err) {
  if (status == ND_OK || !err || err->path[0]) return status;
  char text[ND_ERROR_TEXT];
  const size_t length = strlen(path), most = 200; /* the end of a path says more */
  memcpy(text, err->message, sizeof text);
  snprintf(err->message, sizeof err->message, "%s: %.400s",
           path + (length > most ? length - most : 0), text);
  nd_error_set_path(err, path);
  return status;
}

static nd_status fail_irregular(const char *path, nd_error *err) {
  return ndi_name_file(nd_fail(err, ND_IO, "not a regular file"), path, err);
}

/* {=== reading ===} */

nd_status ndi_infile_open(const char *path, ndi_infile *out, nd_error *err) {
  int fd;
  do fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
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

static nd_status fail_short(const ndi_infile *self, size_t wanted, size_t got, nd_error *err) {
  nd_fail_with(err, ND_IO, ND_NUMBERS({"expected", (int64_t)wanted}, {"actual", (int64_t)got}),
               "the file ended while it was read: %zu B of %zu B", got, wanted);
  return ndi_name_file(ND_IO, self->path, err);
}

nd_status ndi_infile_read(const ndi_infile *self, size_t offset, void *to, size_t bytes,
                          nd_error *err) {
  size_t done = 0;
  while (done < bytes) {
    const size_t piece = bytes - done < PIECE ? bytes - done : PIECE;
    const ssize_t got = pread(self->fd, (char *)to + done, piece, (off_t)(offset + done));
    if (got == 0) return fail_short(self, bytes, done, err);
    if (got < 0 && errno != EINTR) return nd_fail_errno(err, "cannot read", self->path, errno);
    if (got > 0) done += (size_t)got;
    if (done < bytes) ND_TRY(nd_check_interrupt(err));
  }
  return ND_OK;
}

nd_status ndi_layout_check(const ndi_layout *layout, size_t file_bytes, size_t *bytes,
                           nd_error *err) {
  size_t wanted;
  if (!ndi_size_of(layout->ndim, layout->shape, nd_dtype_get(layout->dtype)->bytes, &wanted))
    return nd_fail(err, ND_OVERFLOW, "the shape in the header exceeds the largest array");
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

static nd_status map_storage(ndi_infile *self, size_t offset, size_t bytes, nd_storage **out,
                             nd_error *err) {
  const nd_map_options options = {.mode = ND_MAP_READ, .offset = offset};
  nd_resource *resource;
  ND_TRY(nd_file_resource_from(self->fd, self->path, &options, &resource, err));
  self->fd = -1;
  const nd_status status = nd_storage_make(resource, bytes, (nd_storage_options){.read_only = true},
                                           out, err);
  nd_resource_drop(resource);
  return status;
}

static nd_status read_storage(const ndi_infile *self, const ndi_layout *layout, size_t bytes,
                              nd_storage **out, nd_error *err) {
  nd_storage *storage;
  ND_TRY(nd_storage_make(nd_host_resource(), bytes, (nd_storage_options){0}, &storage, err));
  char *host;
  nd_status status = nd_storage_host(storage, true, &host, err);
  if (status == ND_OK) status = ndi_infile_read(self, layout->offset, host, bytes, err);
  if (status == ND_OK && layout->is_swapped) {
    const nd_dtype_traits *traits = nd_dtype_get(layout->dtype);
    const size_t width = traits->kind == ND_KIND_COMPLEX ? traits->bytes / 2u : traits->bytes;
    ndi_swap(host, bytes / width, width);
  }
  if (status == ND_OK) *out = storage;
  else nd_storage_drop(storage);
  return status;
}

/* A zero extent counts as 1, so that the steps of an empty array stay harmless. */
static const ptrdiff_t *set_steps(const ndi_layout *layout, ptrdiff_t *steps) {
  if (!layout->is_fortran) return NULL;
  ptrdiff_t step = nd_dtype_get(layout->dtype)->bytes;
  for (int i = 0; i < layout->ndim; i++) {
    steps[i] = step;
    if (layout->shape[i] > 0) step *= (ptrdiff_t)layout->shape[i];
  }
  return steps;
}

nd_status ndi_infile_load(ndi_infile *self, const ndi_layout *layout, bool map, nd_view *out,
                          nd_error *err) {
  size_t bytes = 0;
  ND_TRY(ndi_layout_check(layout, self->bytes, &bytes, err));
  if (map && layout->is_swapped)
    return nd_fail(err, ND_UNSUPPORTED,
                   "big-endian data cannot be used in place; load it without mmap");
  nd_storage *storage = NULL;
  if (map) ND_TRY(map_storage(self, layout->offset, bytes, &storage, err));
  else ND_TRY(read_storage(self, layout, bytes, &storage, err));
  ptrdiff_t steps[ND_MAX_NDIM];
  const nd_status status = nd_view_make(storage, 0, layout->dtype, layout->ndim, layout->shape,
                                        set_steps(layout, steps), out, err);
  nd_storage_drop(storage);
  return status;
}

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

void ndi_swap(void *data, size_t count, size_t width) {
  if (width == 2) swap2(data, count);
  if (width == 4) swap4(data, count);
  if (width == 8) swap8(data, count);
}

/* {=== writing ===} */

/* Where 'path' leads, in new memory: NULL and a failure when something else than a file is there.
 */
static nd_status find_target(const char *path, char **out, nd_error *err) {
  char *target = realpath(path, NULL);
  if (!target && errno != ENOENT) return nd_fail_errno(err, "cannot write", path, errno);
  struct stat st = {.st_mode = S_IFREG};
  if (target && stat(target, &st) != 0 && errno != ENOENT) {
    free(target);
    return nd_fail_errno(err, "cannot stat", path, errno);
  }
  if (!S_ISREG(st.st_mode)) {
    free(target); /* a rename would replace a device or a FIFO */
    return fail_irregular(path, err);
  }
  if (!target) target = strdup(path); /* a new file */
  if (!target) return nd_fail_errno(err, "cannot write", path, ENOMEM);
  *out = target;
  return ND_OK;
}

nd_status ndi_outfile_open(const char *path, ndi_outfile *out, nd_error *err) {
  char *target = NULL, *temporary = NULL;
  ND_TRY(find_target(path, &target, err));
  assert(target);
  const int fd = ndi_temporary_make(target, O_WRONLY, &temporary);
  if (fd < 0) {
    const nd_status status = nd_fail_errno(err, "cannot write", path, errno);
    free(target);
    return status;
  }
  *out = (ndi_outfile){.fd = fd, .path = target, .temporary = temporary};
  return ND_OK;
}

nd_status ndi_outfile_write(const ndi_outfile *self, const void *from, size_t bytes,
                            nd_error *err) {
  size_t done = 0;
  while (done < bytes) {
    const size_t piece = bytes - done < PIECE ? bytes - done : PIECE;
    const ssize_t got = write(self->fd, (const char *)from + done, piece);
    if (got < 0 && errno != EINTR) return nd_fail_errno(err, "cannot write", self->path, errno);
    if (got > 0) done += (size_t)got;
    if (done < bytes) ND_TRY(nd_check_interrupt(err));
  }
  return ND_OK;
}

/* Through 'stage', in pieces along the first axis that can be cut. */
static nd_status write_staged(const ndi_outfile *self, const nd_view *src, char *stage,
                              nd_error *err) {
  const size_t bytes = nd_view_nbytes(src);
  if (bytes <= STAGE) {
    ND_TRY(nd_copyout(src, stage, bytes, err));
    return ndi_outfile_write(self, stage, bytes, err);
  }
  int axis = 0;
  while (src->axis[axis].len == 1) axis++;
  const size_t len = src->axis[axis].len, row = bytes / len;
  const size_t rows = row < STAGE ? STAGE / row : 1;
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

nd_status ndi_outfile_write_view(const ndi_outfile *self, const nd_view *src, nd_error *err) {
  const size_t bytes = nd_view_nbytes(src);
  if (nd_view_is_contiguous(src)) {
    char *host;
    const nd_status status = nd_storage_host(src->storage, false, &host, err);
    if (status == ND_OK)
      return bytes > 0 ? ndi_outfile_write(self, host + src->offset, bytes, err) : ND_OK;
    if (status != ND_NOT_HOST_ACCESSIBLE) return status;
  }
  char *stage = malloc(bytes < STAGE ? bytes + 1 : STAGE);
  if (!stage) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory to gather rows for %s", self->path);
  const nd_status status = write_staged(self, src, stage, err);
  free(stage);
  return status;
}

/* EINVAL: a file system that knows no fsync. */
static bool flush(int fd) {
  int result;
  do result = fsync(fd);
  while (result != 0 && errno == EINTR);
  return result == 0 || errno == EINVAL;
}

/* The new name, too, to the disk. The file is whole under either name, so failing is no failure.
 * 'path' is cut to the folder's. */
static void flush_folder(char *path) {
  char *slash = strrchr(path, '/');
  if (slash) slash[1] = '\0';
  const int fd = open(slash ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  flush(fd);
  close(fd);
}

nd_status ndi_outfile_close(ndi_outfile *self, nd_status status, nd_error *err) {
  if (status == ND_OK && !flush(self->fd))
    status = nd_fail_errno(err, "cannot write", self->path, errno);
  if (close(self->fd) != 0 && errno != EINTR && status == ND_OK)
    status = nd_fail_errno(err, "cannot write", self->path, errno);
  if (status == ND_OK && rename(self->temporary, self->path) != 0)
    status = nd_fail_errno(err, "cannot write", self->path, errno);
  if (status == ND_OK) flush_folder(self->path);
  else unlink(self->temporary);
  free(self->temporary);
  free(self->path);
  *self = (ndi_outfile){.fd = -1};
  return status;
}
