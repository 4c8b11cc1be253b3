/* Temporary files that are renamed to their path once they are complete. */
#include "mem/temp_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Names to try: a process that had our id and was killed may have left files behind. */
enum { NAMES = 1000 };

/* Append a name to the 'folder' bytes of the folder in 'name', of size 'bytes'; open the file. */
static int open_new(char *name, size_t folder, size_t bytes, int flags) {
  static atomic_uint next;
  for (int i = 0; i < NAMES; i++) {
    snprintf(name + folder, bytes - folder, ".nd%x-%x", (unsigned)getpid(),
             atomic_fetch_add(&next, 1));
    const int fd = open(name, flags | O_CREAT | O_EXCL | O_CLOEXEC, 0666); /* less the umask */
    if (fd >= 0 || (errno != EEXIST && errno != EINTR)) return fd;
  }
  return -1;
}

int ndi_temp_file_make(const char *path, int flags, char **out) {
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
