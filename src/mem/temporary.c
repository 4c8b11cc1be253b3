/* Files that are made under a name of their own, and get theirs when they are whole. */
#include "mem/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAMES = 1000 }; /* tried: a process that was killed may have left one, and had our number */

/* The kernel applies the umask. */
static int open_new(char *name, size_t folder, size_t bytes, int flags) {
  static atomic_uint next;
  for (int i = 0; i < NAMES; i++) {
    snprintf(name + folder, bytes - folder, ".nd%x-%x", (unsigned)getpid(),
             atomic_fetch_add(&next, 1));
    const int fd = open(name, flags | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || (errno != EEXIST && errno != EINTR)) return fd;
  }
  return -1;
}

int ndi_temporary_make(const char *path, int flags, char **out) {
  const char *slash = strrchr(path, '/');
  const size_t folder = slash ? (size_t)(slash - path) + 1 : 0, bytes = folder + 32;
  char *name = malloc(bytes);
  if (!name) return -1; /* errno is ENOMEM */
  memcpy(name, path, folder);
  const int fd = open_new(name, folder, bytes, flags);
  if (fd >= 0) *out = name;
  else free(name); /* keeps errno */
  return fd;
}
