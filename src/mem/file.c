/* Memory-mapped files. A new file is made under a temporary name in the same folder, sized, mapped,
 * and only then renamed: whoever opens the path never sees it half made, and a failure leaves
 * nothing there. Which file a mapping is of is known by device and inode number, as paths may be
 * renamed.
 *
 * A resource is one file and one mapping of it. It keeps what is asked about afterwards: whether a
 * page of the mapping was lost, and which file it is of, as two mappings of one file overlap. An
 * access beyond the end of a file that shrank raises SIGBUS; mem/sigbus.h handles that. */
#include "mem/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/size.h"
#include "mem/gauge.h"
#include "mem/host.h"
#include "mem/sigbus.h"
#include "mem/temp_file.h"

typedef struct {
  nd_resource base;
  int fd; /* -1 once mapped: a mapping keeps its file open by itself */
  atomic_bool is_taken;
  ndi_counters counters;
  nd_map_options options;
  size_t file_bytes;
  dev_t device; /* with 'inode' the identity of the file, whatever its names */
  ino_t inode;
  char *at;             /* the mapping, which begins on a page boundary */
  size_t span;          /* its bytes, whole pages */
  ndi_guarded *guarded; /* NULL: not mapped */
  char *temp;           /* the name of a new file that is still to be removed; NULL: none */
  char path[];          /* as the caller gave it */
} file;

/* A private mapping needs no right to write to the file: its stores go to copies of the pages. */
static int flags_of(const nd_map_options *o) {
  const bool writes = o->mode == ND_MAP_WRITE || o->mode == ND_MAP_CREATE;
  return (writes ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK; /* a FIFO must not hang us */
}

static nd_status fail_irregular(const file *f, nd_error *err) {
  nd_fail(err, ND_IO, "cannot map %s: not a regular file", f->path);
  nd_error_set_path(err, f->path);
  return ND_IO;
}

/* Refuse early to make a file where one exists already. Only 'publish' decides it for good. */
static nd_status check_free(file *f, nd_error *err) {
  struct stat st;
  if (stat(f->path, &st) != 0)
    return errno == ENOENT ? ND_OK : nd_fail_errno(err, "cannot stat", f->path, errno);
  if (!S_ISREG(st.st_mode)) return fail_irregular(f, err);
  return f->options.overwrite ? ND_OK : nd_fail_errno(err, "cannot create", f->path, EEXIST);
}

/* Note size and identity of the open file. */
static nd_status identify(file *f, nd_error *err) {
  struct stat st;
  if (fstat(f->fd, &st) != 0) return nd_fail_errno(err, "cannot stat", f->path, errno);
  if (!S_ISREG(st.st_mode)) return fail_irregular(f, err);
  f->file_bytes = (size_t)st.st_size;
  f->device = st.st_dev, f->inode = st.st_ino;
  return ND_OK;
}

/* Open an existing file, or make a temporary one in the folder of the path. */
static nd_status open_file(file *f, nd_error *err) {
  const bool makes = f->options.mode == ND_MAP_CREATE;
  if (makes) ND_TRY(check_free(f, err));
  const int flags = flags_of(&f->options);
  do f->fd = makes ? ndi_temp_file_make(f->path, flags, &f->temp) : open(f->path, flags);
  while (f->fd < 0 && errno == EINTR);
  if (f->fd < 0) return nd_fail_errno(err, makes ? "cannot create" : "cannot open", f->path, errno);
  return identify(f, err);
}

/* Give a new file its name. rename() replaces a file that has it, link() fails with EEXIST, also
 * where it appeared after check_free. A temporary name that unlink() could not remove is tried
 * again by file_close. */
static nd_status publish(file *f, nd_error *err) {
  const bool replaces = f->options.overwrite;
  const int result = replaces ? rename(f->temp, f->path) : link(f->temp, f->path);
  if (result != 0) return nd_fail_errno(err, "cannot create", f->path, errno);
  if (replaces || unlink(f->temp) == 0) {
    free(f->temp);
    f->temp = NULL;
  }
  return ND_OK;
}

/* Do 'bytes' from the offset lie within the file? mmap would accept more, and every access to it
 * would raise SIGBUS. */
static nd_status check_span(const file *f, size_t bytes, nd_error *err) {
  size_t end;
  if (ndi_size_add(f->options.offset, bytes, &end) && end <= f->file_bytes) return ND_OK;
  nd_fail_with(err, ND_OUT_OF_BOUNDS,
               ND_NUMBERS({"offset", (int64_t)f->options.offset}, {"expected", (int64_t)bytes},
                          {"limit", (int64_t)f->file_bytes}),
               "cannot map %s: %zu B at offset %zu exceed the file's %zu B", f->path, bytes,
               f->options.offset, f->file_bytes);
  nd_error_set_path(err, f->path);
  return ND_OUT_OF_BOUNDS;
}

/* Give a new file its size. It is sparse: disk blocks are allocated as pages are written. */
static nd_status resize(file *f, size_t bytes, nd_error *err) {
  size_t end;
  if (!ndi_size_add(f->options.offset, bytes, &end))
    return nd_fail(err, ND_OVERFLOW, "%s: offset %zu and %zu B exceed the largest file", f->path,
                   f->options.offset, bytes);
  int result;
  do result = ftruncate(f->fd, (off_t)end);
  while (result != 0 && errno == EINTR);
  if (result != 0) return nd_fail_errno(err, "cannot resize", f->path, errno);
  f->file_bytes = end;
  return ND_OK;
}

static void advise(const file *f) {
  static const int advice[] = {MADV_NORMAL, MADV_SEQUENTIAL, MADV_RANDOM, MADV_WILLNEED,
                               MADV_HUGEPAGE};
  madvise(f->at, f->span, advice[f->options.advice]); /* a hint: its failure is ignored */
}

/* mmap needs an offset on a page boundary: map from the page that the offset lies in, and skip the
 * 'lead' bytes before it. */
static nd_status map(file *f, size_t bytes, nd_block *out, nd_error *err) {
  const size_t page = ndi_page_bytes(), lead = f->options.offset % page;
  const bool writes = f->options.mode != ND_MAP_READ;
  const bool shared = f->options.mode != ND_MAP_PRIVATE;
  /* no overflow: the range lies within the file */
  f->span = (lead + bytes + page - 1) & ~(page - 1);
  f->at = mmap(NULL, f->span, PROT_READ | (writes ? PROT_WRITE : 0),
               shared ? MAP_SHARED : MAP_PRIVATE, f->fd, (off_t)(f->options.offset - lead));
  if (f->at == MAP_FAILED) return nd_fail_errno(err, "cannot map", f->path, errno);
  /* before anybody can access the pages */
  f->guarded = ndi_sigbus_guard(f->at, f->span);
  if (!f->guarded) {
    munmap(f->at, f->span);
    return nd_fail(err, ND_OUT_OF_MEMORY, "no memory to guard the mapping of %s", f->path);
  }
  advise(f);
  out->ptr = out->host = f->at + lead;
  return ND_OK;
}

/* No-op where nothing is mapped. The guard goes first: once unmapped, the addresses may be given to
 * another mapping. */
static void unmap(file *f) {
  if (!f->guarded) return;
  ndi_sigbus_unguard(f->guarded);
  munmap(f->at, f->span);
  f->guarded = NULL;
}

/* On failure nothing is mapped or published, so that the take may be repeated. */
static nd_status take_span(file *f, size_t bytes, nd_block *out, nd_error *err) {
  const bool makes = f->options.mode == ND_MAP_CREATE;
  if (makes) ND_TRY(resize(f, bytes, err));
  ND_TRY(check_span(f, bytes, err));
  if (bytes > 0) ND_TRY(map(f, bytes, out, err)); /* mmap refuses a length of 0 */
  const nd_status status = makes ? publish(f, err) : ND_OK;
  if (status != ND_OK) {
    unmap(f);
    return status;
  }
  close(f->fd); /* many mappings must not use up the descriptors */
  f->fd = -1;
  return ND_OK;
}

static nd_status file_take(nd_resource *self, const nd_request *request, nd_block *out,
                           nd_error *err) {
  file *f = (file *)self;
  /* of two threads that take it at once, one gets the mapping */
  if (atomic_exchange(&f->is_taken, true))
    return nd_fail(err, ND_CAPACITY, "%s is mapped already: a file resource can be taken only once",
                   f->path);
  const nd_status status = take_span(f, request->bytes, out, err);
  if (status != ND_OK) {
    /* nd_ticket_take tries again when it has made room */
    atomic_store(&f->is_taken, false);
    return status;
  }
  out->granted = request->bytes;
  out->zeroed = true; /* nothing is to be cleared: the contents are wanted, a new file is zeros */
  ndi_counters_take(&f->counters, out->granted);
  return ND_OK;
}

/* Unmapping does not flush: stores to a shared mapping are in the system's cache, and reach the
 * disk when it writes them. */
static nd_status file_give(nd_resource *self, const nd_block *block, const nd_uses *after,
                           nd_error *err) {
  (void)after, (void)err;
  file *f = (file *)self;
  unmap(f);
  ndi_counters_give(&f->counters, block->granted);
  return ND_OK;
}

static void file_stats(nd_resource *self, nd_mem_stats *out) {
  ndi_counters_read(&((file *)self)->counters, out);
}

/* A SIGBUS hit the mapping: either the file was truncated (or replaced by a shorter state of it),
 * or its file system had no room, or a disk error, for a page of it. The file's size now tells
 * which. It is asked of the path, as the descriptor is closed; 0 where that leads elsewhere. */
static nd_status file_check(nd_resource *self, const nd_block *block, nd_error *err) {
  const file *f = (const file *)self;
  if (!f->guarded || !ndi_sigbus_is_lost(f->guarded)) return ND_OK;
  struct stat st;
  const size_t end = f->options.offset + block->bytes;
  const bool is_there = stat(f->path, &st) == 0 && st.st_dev == f->device && st.st_ino == f->inode;
  const long long now = is_there ? (long long)st.st_size : 0;
  const bool is_whole = (size_t)now >= end;
  nd_fail_with(
      err, ND_IO, ND_NUMBERS({"expected", (int64_t)end}, {"actual", now}),
      is_whole ? "%s: a page of its mapping is lost: %zu B at offset %zu were mapped, and the file "
                 "still has %lld B: its disk is full or failed"
      : is_there
          ? "%s was truncated while mapped: %zu B at offset %zu were mapped, the file now has "
            "%lld B"
          : "%s was truncated while mapped: %zu B at offset %zu were mapped, and the path no "
            "longer leads to that file (%lld B)",
      f->path, block->bytes, f->options.offset, now);
  nd_error_set_path(err, f->path);
  return ND_IO;
}

/* A mapping of 0 bytes is none, and cannot get lost. */
static void file_watch(nd_resource *self, const nd_block *block, _Atomic uint64_t *epoch) {
  (void)block;
  const file *f = (const file *)self;
  if (f->guarded) ndi_sigbus_watch(f->guarded, epoch);
}

/* 'temp' is set where the file was never published, or unlink failed then. */
static void file_close(nd_resource *self) {
  file *f = (file *)self;
  if (f->fd >= 0) close(f->fd);
  if (f->temp) unlink(f->temp);
  free(f->temp);
  free(f);
}

/* Make the record of a resource, with no file open. NULL with ND_OUT_OF_MEMORY in 'err'. */
static file *make(const char *path, const nd_map_options *options, nd_error *err) {
  static const nd_resource_ops ops = {.name = "file",
                                      .no_pool = "a file serves one array",
                                      .take = file_take,
                                      .give = file_give,
                                      .stats = file_stats,
                                      .check = file_check,
                                      .watch = file_watch,
                                      .close = file_close};
  const size_t length = strlen(path) + 1;
  file *f = calloc(1, sizeof *f + length);
  if (!f) {
    nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a file resource");
    return NULL;
  }
  nd_resource_init(&f->base, &ops, ND_MEM_FILE, 0);
  /* a store to a shared mapping shows in other mappings of the file */
  f->base.is_aliased = options->mode == ND_MAP_WRITE || options->mode == ND_MAP_CREATE;
  f->options = *options;
  f->fd = -1;
  memcpy(f->path, path, length);
  return f;
}

nd_status nd_file_resource(const char *path, const nd_map_options *options, nd_resource **out,
                           nd_error *err) {
  file *f = make(path, options, err);
  if (!f) return ND_OUT_OF_MEMORY;
  const nd_status status = open_file(f, err);
  if (status == ND_OK) *out = &f->base;
  else file_close(&f->base);
  return status;
}

nd_status nd_file_resource_from(int fd, const char *path, const nd_map_options *options,
                                nd_resource **out, nd_error *err) {
  file *f = make(path, options, err);
  if (!f) return ND_OUT_OF_MEMORY;
  f->fd = fd;
  const nd_status status = identify(f, err);
  if (status == ND_OK) {
    *out = &f->base;
  } else {
    f->fd = -1; /* it stays the caller's */
    file_close(&f->base);
  }
  return status;
}

static const file *file_of(const nd_resource *self) { return (const file *)nd_resource_leaf(self); }

/* The offset may lie beyond the end, as only the take checks it. */
size_t nd_file_resource_bytes(const nd_resource *self) {
  const file *f = file_of(self);
  return f->file_bytes > f->options.offset ? f->file_bytes - f->options.offset : 0;
}

const char *nd_file_resource_path(const nd_resource *self) { return file_of(self)->path; }

bool nd_file_resource_open(const nd_resource *self, int *fd, size_t *offset) {
  const file *f = file_of(self);
  struct stat st;
  if (f->options.mode == ND_MAP_PRIVATE) return false;
  /* the path may lead to another file by now, hence the comparison */
  const int found = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (found < 0) return false;
  if (fstat(found, &st) != 0 || st.st_dev != f->device || st.st_ino != f->inode) {
    close(found);
    return false;
  }
  *fd = found;
  *offset = f->options.offset;
  return true;
}

bool nd_file_resource_is_shared(const nd_resource *a, const nd_resource *b, ptrdiff_t *shift) {
  if (a->kind != ND_MEM_FILE || b->kind != ND_MEM_FILE) return false;
  const file *x = file_of(a), *y = file_of(b);
  /* of two with different tables one is no 'file' of ours */
  if (x->base.ops != y->base.ops) return false;
  if (x->device != y->device || x->inode != y->inode) return false;
  *shift = (ptrdiff_t)y->options.offset - (ptrdiff_t)x->options.offset;
  /* of two read-only or private mappings neither stores to the file */
  return a->is_aliased || b->is_aliased;
}
