/* A file format under fuzz: what loads must be sound, the same mapped and read, and the same after
 * a round through its saver. */
#ifndef ND_SPEC_FUZZ_FILES_H
#define ND_SPEC_FUZZ_FILES_H

#include <errno.h>
#include <sys/mman.h>

#include "fuzz.h"

typedef struct {
  const nd_codec *codec;
  bool may_refuse; /* the saver may refuse what the loader made: not each header can be written */
} fuzz_format;

/* '*rate' is that of the file, or 0. */
static inline nd_status load_rated(const fuzz_format *f, const char *path, bool map, nd_view *out,
                                   double *rate, nd_error *err) {
  nd_attribute list[] = {{"rate", 0}, {0}};
  const nd_file_options options = {.codec = f->codec, .map = map, .attributes = list};
  const nd_status status = nd_load(path, options, out, err);
  *rate = list[0].value;
  return status;
}

enum { PATH_ROOM = 64 };
static char saved_path[PATH_ROOM];

static inline void remove_saved(void) {
  char *slash = strrchr(saved_path, '/');
  unlink(saved_path);
  if (slash) *slash = '\0', rmdir(saved_path);
}

/* A folder in memory, where fsync takes no time. */
static inline void make_folder(void) {
  strcpy(saved_path, "/dev/shm/ndbuf-fuzz-XXXXXX");
  MUST(mkdtemp(saved_path), "%s: %s", saved_path, strerror(errno));
  strcat(saved_path, "/file");
  atexit(remove_saved);
}

/* The path of a file in memory with these bytes. */
static inline const char *put_input(const uint8_t *data, size_t size) {
  static int fd = -1;
  static char path[PATH_ROOM];
  if (fd < 0) {
    fd = memfd_create("fuzz", MFD_CLOEXEC);
    MUST(fd >= 0, "memfd_create: %s", strerror(errno));
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    make_folder();
  }
  MUST(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size, "pwrite");
  return path;
}

/* The elements in row-major order, in new memory; '*bytes' of them. */
static inline unsigned char *elements_of(const nd_view *v, size_t most, size_t *bytes) {
  nd_error err = {0};
  MUST(nd_view_is_sound(v), "unsound");
  *bytes = nd_view_nbytes(v);
  MUST(*bytes <= most, "%zu B of %zu", *bytes, most);
  unsigned char *out = malloc(*bytes + 1);
  MUST(out && nd_copyout(v, out, *bytes, &err) == ND_OK, "%s", err.message);
  return out;
}

/* ND_IO, ND_OUT_OF_BOUNDS and their like would mean that a header was believed. */
static inline void check_refusal(nd_status status, const nd_error *err, const char *path) {
  MUST(status == ND_FORMAT || status == ND_OVERFLOW || status == ND_UNSUPPORTED, "%s: %s",
       nd_status_name(status), err->message);
  MUST(err->code == status && err->message[0], "no message");
  MUST(strcmp(err->path, path) == 0, "path '%s'", err->path);
}

static inline void check_equal(const nd_view *a, const nd_view *b, size_t most) {
  size_t na, nb;
  unsigned char *x = elements_of(a, most, &na), *y = elements_of(b, most, &nb);
  MUST(a->dtype == b->dtype && nd_view_same_shape(a, b), "shape or dtype");
  MUST(na == nb && memcmp(x, y, na) == 0, "elements");
  free(x);
  free(y);
}

static inline void check_mapped(const fuzz_format *f, const char *path, const nd_view *read,
                                size_t most) {
  nd_error err = {0};
  nd_view mapped;
  double rate;
  const nd_status status = load_rated(f, path, true, &mapped, &rate, &err);
  if (status != ND_OK) {
    check_refusal(status, &err, path);
    MUST(status == ND_UNSUPPORTED, "%s", err.message);
    return;
  }
  check_equal(read, &mapped, most);
  char *host;
  MUST(nd_view_host(&mapped, false, &host, &err) == ND_OK, "%s", err.message);
  void *page = host ? (void *)((uintptr_t)host & ~(uintptr_t)4095) : NULL;
  nd_view_drop(&mapped);
  unsigned char resident;
  MUST(!page || (mincore(page, 1, &resident) != 0 && errno == ENOMEM), "the mapping stayed");
}

static inline void check_saved(const fuzz_format *f, const nd_view *v, double rate, size_t most) {
  nd_error err = {0};
  nd_view back;
  double rate_back;
  const bool is_rated = nd_attribute_find(f->codec->attributes, "rate") != NULL;
  nd_attribute list[] = {{is_rated ? "rate" : NULL, rate}, {0}};
  const nd_file_options options = {.codec = f->codec, .attributes = list};
  const nd_status status = nd_save(saved_path, v, options, &err);
  if (status == ND_OVERFLOW || status == ND_INVALID_ARGUMENT) {
    MUST(f->may_refuse && err.message[0], "%s", err.message);
    return;
  }
  MUST(status == ND_OK, "%s", err.message);
  MUST(load_rated(f, saved_path, false, &back, &rate_back, &err) == ND_OK, "%s", err.message);
  MUST(rate == rate_back, "%g Hz, not %g", rate_back, rate);
  check_equal(v, &back, most);
  nd_view_drop(&back);
}

static inline int fuzz_file(const fuzz_format *f, const uint8_t *data, size_t size) {
  const size_t most = 4 * size + 64; /* the widest: text of one digit and a space as u16 */
  const char *path = put_input(data, size);
  const int lowest = lowest_descriptor();
  nd_error err = {0};
  nd_view v;
  double rate;
  const nd_status status = load_rated(f, path, false, &v, &rate, &err);
  if (status == ND_OK) {
    check_mapped(f, path, &v, most);
    check_saved(f, &v, rate, most);
    nd_view_drop(&v);
  } else {
    check_refusal(status, &err, path);
    MUST(load_rated(f, path, true, &v, &rate, NULL) != ND_OK, "mapped, but not read");
  }
  check_nothing_left(lowest);
  return 0;
}

#endif
