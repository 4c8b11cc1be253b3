/* Makes the n-th file operation of a process fail, or gives another file the name of one that was
 * just opened, for LD_PRELOAD. What the module calls is here; the spec compares the list with what
 * the module imports.
 *
 * munmap is let through: of a whole mapping it cannot fail. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Beside the errno numbers. */
enum { SHORT = -1, KILL = -2 };

enum {
  OPEN = 1,
  PREAD = 2,
  WRITE = 4,
  FSYNC = 8,
  CLOSE = 16,
  RENAME = 32,
  LINK = 64,
  UNLINK = 128,
  FTRUNCATE = 256,
  STAT = 512,
  MMAP = 1024,
  REALPATH = 2048,
  LOCK = 4096
};

/* Which functions fail so. */
static const struct {
  int kind, functions;
} table[] = {{EINTR, OPEN | PREAD | WRITE | FSYNC | CLOSE | FTRUNCATE | LOCK},
             {SHORT, PREAD | WRITE},
             {EIO, ~MMAP},
             {EACCES, OPEN | RENAME | LINK | UNLINK | STAT | MMAP | REALPATH},
             {ENOSPC, OPEN | WRITE | FSYNC | CLOSE | RENAME | LINK | FTRUNCATE},
             {EMFILE, OPEN},
             {ENOMEM, MMAP | REALPATH},
             {KILL, ~0}};

static struct {
  int kind, functions, nth;
  bool is_lasting; /* the later ones fail as well, but for unlink: a temporary file may go */
  int seen, hits;
  const char *where; /* the function that was struck last */
} fault;

void files_fault_arm(int kind, int nth, bool is_lasting);
int files_fault_disarm(void);
const char *files_fault_where(void);

void files_fault_arm(int kind, int nth, bool is_lasting) {
  int functions = 0;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].kind == kind) functions = table[i].functions;
  fault = (__typeof__(fault)){kind, functions, nth, is_lasting, 0, 0, ""};
}

/* How often it struck. */
int files_fault_disarm(void) {
  fault.functions = 0;
  return fault.hits;
}

const char *files_fault_where(void) { return fault.where; }

static void die(void) { kill(getpid(), SIGKILL); }

/* Does this call fail? A killed process does not get further. */
static bool strikes(int function, const char *name) {
  if (!(fault.functions & function)) return false;
  fault.seen++;
  const bool is_later = fault.seen > fault.nth && fault.is_lasting && function != UNLINK;
  if (fault.seen != fault.nth && !is_later) return false;
  fault.hits++;
  fault.where = name;
  if (fault.kind == KILL && function != WRITE) die();
  if (fault.kind > 0) errno = fault.kind;
  return true;
}

/* Once 'to' was opened, 'from' gets its name. */
static struct {
  char from[4096], to[4096];
  bool is_armed;
} swap;

void files_swap_arm(const char *from, const char *to);
bool files_swap_is_done(void);

void files_swap_arm(const char *from, const char *to) {
  snprintf(swap.from, sizeof swap.from, "%s", from);
  snprintf(swap.to, sizeof swap.to, "%s", to);
  swap.is_armed = true;
}

bool files_swap_is_done(void) { return !swap.is_armed; }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = flags & O_CREAT ? (mode_t)va_arg(rest, int) : 0;
  va_end(rest);
  if (strikes(OPEN, flags & O_DIRECTORY ? "open directory" : "open")) return -1;
  const int fd = REAL(open)(path, flags, mode);
  if (fd >= 0 && swap.is_armed && strcmp(path, swap.to) == 0) {
    swap.is_armed = false;
    REAL(rename)(swap.from, swap.to);
  }
  return fd;
}

ssize_t pread(int fd, void *to, size_t bytes, off_t offset) {
  const bool struck = strikes(PREAD, "pread");
  if (struck && fault.kind != SHORT) return -1;
  return REAL(pread)(fd, to, struck ? (bytes + 1) / 2 : bytes, offset);
}

ssize_t write(int fd, const void *from, size_t bytes) {
  const bool struck = strikes(WRITE, "write");
  if (struck && fault.kind != SHORT && fault.kind != KILL) return -1;
  const ssize_t done = REAL(write)(fd, from, struck ? (bytes + 1) / 2 : bytes);
  if (struck && fault.kind == KILL) die();
  return done;
}

ssize_t pwrite(int fd, const void *from, size_t bytes, off_t at) {
  const bool struck = strikes(WRITE, "pwrite");
  if (struck && fault.kind != SHORT && fault.kind != KILL) return -1;
  const ssize_t done = REAL(pwrite)(fd, from, struck ? (bytes + 1) / 2 : bytes, at);
  if (struck && fault.kind == KILL) die();
  return done;
}

int fsync(int fd) {
  struct stat st;
  const bool is_folder = REAL(fstat)(fd, &st) == 0 && S_ISDIR(st.st_mode);
  return strikes(FSYNC, is_folder ? "fsync directory" : "fsync") ? -1 : REAL(fsync)(fd);
}

/* As in Linux, the descriptor is gone even so. One that was not written to has nothing to lose. */
int close(int fd) {
  const bool was_written = (fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY;
  const bool struck = was_written && strikes(CLOSE, "close");
  const int number = errno, result = REAL(close)(fd);
  if (struck) errno = number;
  return struck ? -1 : result;
}

int rename(const char *from, const char *to) {
  return strikes(RENAME, "rename") ? -1 : REAL(rename)(from, to);
}

int link(const char *from, const char *to) {
  return strikes(LINK, "link") ? -1 : REAL(link)(from, to);
}

int unlink(const char *path) { return strikes(UNLINK, "unlink") ? -1 : REAL(unlink)(path); }

int ftruncate(int fd, off_t bytes) {
  return strikes(FTRUNCATE, "ftruncate") ? -1 : REAL(ftruncate)(fd, bytes);
}

int flock(int fd, int how) { return strikes(LOCK, "flock") ? -1 : REAL(flock)(fd, how); }

int stat(const char *path, struct stat *out) {
  return strikes(STAT, "stat") ? -1 : REAL(stat)(path, out);
}

int fstat(int fd, struct stat *out) { return strikes(STAT, "fstat") ? -1 : REAL(fstat)(fd, out); }

void *mmap(void *at, size_t bytes, int access, int flags, int fd, off_t offset) {
  if (fd >= 0 && strikes(MMAP, "mmap")) return MAP_FAILED;
  return REAL(mmap)(at, bytes, access, flags, fd, offset);
}

char *realpath(const char *path, char *out) {
  return strikes(REALPATH, "realpath") ? NULL : REAL(realpath)(path, out);
}
