/* Records of a log as rows of a file. A row is one write to the end of it, so rows of several
 * threads and processes stay apart, and nobody waits for a lock while the disk works. What cannot
 * be written is lost and counted. After a row that the disk cut short, or that would exceed the
 * cap, no other follows: all rows but the last are whole, and the file is what happened up to
 * there. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mem/adapt/adapt.h"

enum { NOT_OPEN = -1, OPENING = -2, PATIENCE = 1000, ROW = 256 };

typedef struct {
  const char *path;
  atomic_int fd;
  atomic_bool is_ended; /* nothing more is written */
  atomic_uint_fast64_t bytes;
} sink;

struct ndi_log_file {
  uint64_t cap; /* of each sink */
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

/* Whose end that reads may go, which kills the process that writes. */
static bool is_pipe(int fd) {
  struct stat s;
  return fstat(fd, &s) == 0 && (S_ISFIFO(s.st_mode) || S_ISSOCK(s.st_mode));
}

/* Open the file with its header; -1: it cannot be opened. Not blocking: a FIFO that nobody reads
 * must not hang us. Without a header no row is of use. */
static int open_sink(sink *s, uint64_t cap) {
  static const char header[] = "Thread,Time,Action,Pointer,Size,Stream,Device,Kind,Granted\n";
  const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NONBLOCK;
  int fd;
  do fd = open(s->path, flags, 0666); /* less the umask */
  while (fd < 0 && errno == EINTR);
  if (fd >= 0 && is_pipe(fd)) return close(fd), errno = ESPIPE, -1;
  if (fd >= 0 && !write_row(s, fd, cap, header, sizeof header - 1)) s->is_ended = true;
  return fd;
}

/* The file of the events, opened by the thread that needs it first. Others wait a while, but not
 * for a disk that hangs, nor for a thread that was not copied by a fork. Negative: it is not open.
 */
static int find_events(ndi_log_file *f) {
  int fd = NOT_OPEN;
  if (atomic_compare_exchange_strong(&f->events.fd, &fd, OPENING)) {
    fd = open_sink(&f->events, f->cap);
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

nd_status ndi_log_file_open(const char *path, uint64_t cap, ndi_log_file **out, nd_error *err) {
  const size_t length = strlen(path) + 1;
  ndi_log_file *f = calloc(1, sizeof *f + 2 * length + sizeof ".events");
  if (!f) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for the record of a log");
  memcpy(f->names, path, length);
  name_events(path, f->names + length, length + sizeof ".events");
  f->rows.path = f->names, f->events.path = f->names + length;
  f->cap = cap;
  atomic_init(&f->events.fd, NOT_OPEN);
  unlink(f->events.path); /* of an earlier run */
  const int fd = open_sink(&f->rows, cap);
  const int why = errno;
  atomic_init(&f->rows.fd, fd);
  if (fd >= 0) return *out = f, ND_OK;
  free(f);
  return nd_fail_errno(err, "cannot open the log", path, why);
}

void ndi_log_file_close(ndi_log_file *self) {
  if (!self) return;
  close(self->rows.fd);
  if (self->events.fd >= 0) close(self->events.fd);
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

void ndi_log_file_put(ndi_log_file *self, const nd_log_record *record) {
  char row[ROW];
  const size_t bytes = format_row(record, row);
  const bool is_known = record->action < ND_LOG_FREE_FAILURE;
  const int fd = is_known ? self->rows.fd : find_events(self);
  sink *to = is_known ? &self->rows : &self->events;
  if (fd < 0 || !write_row(to, fd, self->cap, row, bytes)) atomic_fetch_add(&self->lost, 1);
}

uint64_t ndi_log_file_lost(const ndi_log_file *self) { return atomic_load(&self->lost); }
