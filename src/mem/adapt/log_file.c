/* Records of a log as rows of a file. A row is one write to the end of it, so rows of several
 * threads stay apart, and nobody waits for a lock while the disk works. What cannot be written is
 * lost and counted. After a row that the disk cut short, or that would exceed the cap, no other
 * follows: all rows but the last are whole, and the file is what happened up to there.
 *
 * A file is one log's as long as that is open, by an advisory lock of it (flock): a second log
 * would empty it, or mix its rows in. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lock.h"
#include "mem/adapt/adapt.h"

enum { NOT_OPEN = -1, OPENING = -2, PATIENCE = 1000, ROW = 256 };

typedef struct {
  const char *path;
  atomic_int fd;
  atomic_bool is_ended; /* nothing more is written */
  atomic_uint_fast64_t bytes;
} sink;

struct ndi_log_file {
  uint64_t cap;   /* of each sink */
  unsigned forks; /* ndi_forks() when it was opened */
  atomic_uint_fast64_t lost;
  sink rows, events; /* what RMM knows; the rest, which is opened by its first row */
  char names[];      /* both paths */
};

/* {=== writing ===} */

/* Count the bytes of a row in advance. False: they are over the cap, which ends the file. */
static bool charge(sink *s, uint64_t cap, size_t bytes) {
  uint64_t seen = s->bytes;
  do {
    if (bytes > cap || seen > cap - bytes) s->is_ended = true;
    if (s->is_ended) return false;
  } while (!atomic_compare_exchange_weak(&s->bytes, &seen, seen + bytes));
  return true;
}

static bool write_row(sink *s, int fd, uint64_t cap, const char *row, size_t bytes) {
  ssize_t done;
  if (!charge(s, cap, bytes)) return false;
  do done = write(fd, row, bytes);
  while (done < 0 && errno == EINTR);
  /* the first row that is lost, or cut, is the end of the file */
  if (done != (ssize_t)bytes) s->is_ended = true;
  return done == (ssize_t)bytes;
}

/* {=== opening ===} */

/* The second differs, to tell our own files of events from those of others. */
static const char rows_header[] = "Thread,Time,Action,Pointer,Size,Stream,Device,Kind,Granted\n";
static const char events_header[] = "Thread,Time,Event,Pointer,Size,Stream,Device,Kind,Granted\n";

/* Is the file another log's? Where there are no locks, as in some network file systems, it is not.
 */
static bool lock(int fd) {
  int failed;
  do failed = flock(fd, LOCK_EX | LOCK_NB);
  while (failed && errno == EINTR);
  return !failed || errno != EWOULDBLOCK;
}

static bool clear(int fd) {
  int failed;
  do failed = ftruncate(fd, 0);
  while (failed && errno == EINTR);
  return !failed;
}

/* Make the file ours and empty, or say in errno why not. The end of a pipe that reads may go, which
 * kills the process that writes. */
static bool claim(int fd) {
  struct stat s;
  if (fstat(fd, &s)) return false;
  if (S_ISFIFO(s.st_mode) || S_ISSOCK(s.st_mode)) return errno = ESPIPE, false;
  return !S_ISREG(s.st_mode) || (lock(fd) && clear(fd));
}

/* Open the file with its header; -1: it cannot be opened. Not blocking: a FIFO that nobody reads
 * must not hang us. Without a header no row is of use. */
static int open_sink(sink *s, int flags, uint64_t cap, const char *header) {
  int fd;
  flags |= O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK;
  do fd = open(s->path, flags, 0666); /* less the umask */
  while (fd < 0 && errno == EINTR);
  if (fd >= 0 && !claim(fd)) {
    const int why = errno;
    close(fd);
    return errno = why, -1;
  }
  if (fd >= 0 && !write_row(s, fd, cap, header, strlen(header))) s->is_ended = true;
  return fd;
}

/* Has the file the header of our events, or as much of it as the disk had room for? */
static bool has_events(int fd) {
  char text[sizeof events_header - 1];
  struct stat s;
  if (fstat(fd, &s) || !S_ISREG(s.st_mode)) return false;
  const ssize_t bytes = pread(fd, text, sizeof text, 0);
  return bytes >= 0 && memcmp(text, events_header, (size_t)bytes) == 0;
}

/* Remove the events of an earlier run, and nothing else that has the name. */
static void remove_events(const char *path) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return;
  if (has_events(fd) && lock(fd)) unlink(path);
  close(fd);
}

/* The file of the events, made by the thread that needs it first: what has its name by now is not
 * ours. Others wait a while, but not for a disk that hangs. Negative: it is not open. */
static int find_events(ndi_log_file *f) {
  int fd = NOT_OPEN;
  if (atomic_compare_exchange_strong(&f->events.fd, &fd, OPENING)) {
    fd = open_sink(&f->events, O_EXCL, f->cap, events_header);
    atomic_store(&f->events.fd, fd < 0 ? NOT_OPEN : fd);
  }
  for (int i = 0; fd == OPENING && i < PATIENCE; i++) sched_yield(), fd = f->events.fd;
  return fd;
}

/* "x.events.csv" for "x.csv": before the last point of the name, if it has one that is not its
 * first character. */
static void name_events(const char *path, char *out, size_t bytes) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const char *point = strrchr(name, '.');
  const size_t stem = point && point > name ? (size_t)(point - path) : strlen(path);
  snprintf(out, bytes, "%.*s.events%s", (int)stem, path, path + stem);
}

static nd_status fail(nd_error *err, const char *path, int why) {
  if (why != EWOULDBLOCK) return nd_fail_errno(err, "cannot open the log", path, why);
  nd_fail_with(err, ND_IO, ND_NUMBERS({"errno", why}),
               "cannot open the log %s: another log writes to it, of this process or another",
               path);
  nd_error_set_path(err, path);
  return ND_IO;
}

nd_status ndi_log_file_open(const char *path, uint64_t cap, ndi_log_file **out, nd_error *err) {
  const size_t length = strlen(path) + 1;
  ndi_log_file *f = calloc(1, sizeof *f + 2 * length + sizeof ".events");
  if (!f) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for the record of a log");
  memcpy(f->names, path, length);
  name_events(path, f->names + length, length + sizeof ".events");
  f->rows.path = f->names, f->events.path = f->names + length;
  f->cap = cap;
  atomic_init(&f->events.fd, NOT_OPEN);
  f->forks = ndi_forks();
  const int fd = open_sink(&f->rows, 0, cap, rows_header);
  const int why = errno;
  atomic_init(&f->rows.fd, fd);
  if (fd >= 0) return remove_events(f->events.path), *out = f, ND_OK;
  free(f);
  return fail(err, path, why);
}

/* In a forked child, which has the same descriptors and so the same locks. */
static bool is_forked(const ndi_log_file *f) { return f->forks != ndi_forks(); }

/* Unlocked by the process that locked it, not by the last that closes it: a forked child may live
 * longer, or shorter. */
static void close_sink(const ndi_log_file *f, int fd) {
  if (fd < 0) return;
  if (!is_forked(f)) flock(fd, LOCK_UN);
  close(fd);
}

void ndi_log_file_close(ndi_log_file *self) {
  if (!self) return;
  close_sink(self, self->rows.fd);
  close_sink(self, self->events.fd);
  free(self);
}

/* {=== rows ===} */

static const char *kind_name(uint8_t kind) {
  static const char *const names[ND_MEMKIND_COUNT] = {/* ORDER MEMKIND */
                                                      "host",   "pinned",  "file",
                                                      "device", "managed", "foreign"};
  return names[kind];
}

/* As RMM writes it, but in UTC; returns the length. */
static size_t format_row(const nd_log_record *r, char row[ROW]) {
  const unsigned second = (unsigned)(r->time / 1000000 % (24 * 60 * 60));
  char pointer[32] = "(nil)";
  if (r->ptr) snprintf(pointer, sizeof pointer, "0x%llx", (unsigned long long)(uintptr_t)r->ptr);
  return (size_t)snprintf(row, ROW, "%llu,%02u:%02u:%02u:%06u,%s,%s,%zu,%u,%u,%s,%zu\n",
                          (unsigned long long)r->thread, second / 3600, second / 60 % 60,
                          second % 60, (unsigned)(r->time % 1000000), nd_log_action_name(r->action),
                          pointer, r->bytes, (unsigned)r->queue, (unsigned)r->device,
                          kind_name(r->kind), r->granted);
}

static bool put(ndi_log_file *f, const nd_log_record *record) {
  char row[ROW];
  const size_t bytes = format_row(record, row);
  const bool is_known = record->action < ND_LOG_FREE_FAILURE;
  const int fd = is_known ? f->rows.fd : find_events(f);
  return fd >= 0 && write_row(is_known ? &f->rows : &f->events, fd, f->cap, row, bytes);
}

/* A forked child has other memory at the same addresses: its rows would contradict those of the
 * process that opened the log. */
void ndi_log_file_put(ndi_log_file *self, const nd_log_record *record) {
  if (is_forked(self) || !put(self, record)) atomic_fetch_add(&self->lost, 1);
}

uint64_t ndi_log_file_lost(const ndi_log_file *self) { return atomic_load(&self->lost); }
