/* What the specs of file formats share: a folder, damaged files, random arrays. */
#ifndef ND_SPEC_FILES_H
#define ND_SPEC_FILES_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "mem/host.h"
#include "ops/ops.h"
#include "xchg/xchg.h"

static char folder[] = "/tmp/ndbuf-xchg-XXXXXX";
static char path[128]; /* the file under test */
static nd_error err;
static uint64_t seed = 20240117;

typedef nd_status (*loader)(const char *, bool, nd_view *, nd_error *);

/* Each format by its codec, whatever the path's extension is: load_npy, save_npy and so on. */
static inline nd_status load_as(const nd_codec *codec, const char *from, bool map, nd_view *out,
                                nd_error *e) {
  return nd_load(from, (nd_file_options){.codec = codec, .map = map}, out, e);
}

#define ND_ROW(name)                                                                           \
  static inline nd_status load_##name(const char *from, bool map, nd_view *out, nd_error *e) { \
    return load_as(&ndi_##name##_codec, from, map, out, e);                                    \
  }                                                                                            \
  static inline nd_status save_##name(const char *to, const nd_view *src, nd_error *e) {       \
    return nd_save(to, src, (nd_file_options){.codec = &ndi_##name##_codec}, e);               \
  }
ND_FORMATS(ND_ROW)
#undef ND_ROW

static inline nd_status load_rated(const char *from, bool map, nd_view *out, uint32_t *rate,
                                   nd_error *e) {
  nd_attribute list[] = {{"rate", -1}, {0}};
  const nd_file_options options = {.codec = &ndi_wav_codec, .map = map, .attributes = list};
  ND_TRY(nd_load(from, options, out, e));
  *rate = (uint32_t)list[0].value;
  return ND_OK;
}

static inline nd_status save_rated(const char *to, const nd_view *src, uint32_t rate, nd_error *e) {
  nd_attribute list[] = {{"rate", rate}, {0}};
  return nd_save(to, src, (nd_file_options){.codec = &ndi_wav_codec, .attributes = list}, e);
}

static inline void put(const void *bytes, size_t count) {
  unlink(path); /* some file systems flush a file that is cut and written anew */
  FILE *f = fopen(path, "wb");
  if (f && fwrite(bytes, 1, count, f) == count && fclose(f) == 0) return;
  perror(path);
  exit(2);
}

/* The status of loading 'count' bytes; a value is looked through and dropped. */
static inline nd_status try_load(loader load, const void *bytes, size_t count, bool map) {
  static unsigned char sink[1 << 16];
  nd_view v;
  put(bytes, count);
  memset(&err, 0, sizeof err);
  const nd_status status = load(path, map, &v, &err);
  if (status != ND_OK) {
    CHECK(err.message[0] && strcmp(err.path, path) == 0, "message '%s' path '%s'", err.message,
          err.path);
    return status;
  }
  CHECK(nd_view_is_sound(&v), "unsound");
  if (nd_view_nbytes(&v) <= sizeof sink)
    CHECK(nd_copyout(&v, sink, nd_view_nbytes(&v), &err) == ND_OK, "%s", err.message);
  nd_view_drop(&v);
  return ND_OK;
}

/* Each prefix of a good file, read and mapped: an error or a value. Returns how many gave a value.
 */
static inline size_t try_prefixes(loader load, const unsigned char *bytes, size_t count) {
  size_t values = 0;
  for (size_t n = 0; n < count; n++)
    for (int map = 0; map < 2; map++) values += try_load(load, bytes, n, map) == ND_OK;
  return values;
}

/* Random damage to a good file; what comes out does not matter, only that we come back. */
static inline void try_damage(loader load, const unsigned char *bytes, size_t count, int rounds) {
  unsigned char copy[1024];
  for (int i = 0; i < rounds; i++) {
    memcpy(copy, bytes, count);
    for (uint64_t k = next_random(&seed) % 4 + 1; k > 0; k--) {
      const uint64_t r = next_random(&seed);
      copy[(r >> 8) % count] = r & 0x80 ? (unsigned char)"0'(){},[]<>|:# 9\xFF"[r >> 40 & 15]
                                        : (unsigned char)(r >> 48);
    }
    try_load(load, copy, count, next_random(&seed) & 1);
  }
  CHECK(true, "survived");
}

static inline nd_view make(nd_dtype dtype, int ndim, const size_t *shape) {
  nd_view v;
  unsigned char bytes[4096];
  if (nd_new(nd_host_resource(), dtype, ndim, shape, (nd_storage_options){0}, &v, &err)) exit(2);
  for (size_t i = 0; i < nd_view_nbytes(&v); i++) bytes[i] = (unsigned char)next_random(&seed);
  if (dtype == ND_BOOL)
    for (size_t i = 0; i < v.size; i++) bytes[i] &= 1;
  if (nd_copyin(&v, bytes, nd_view_nbytes(&v), &err)) exit(2);
  return v;
}

/* Same shape and bytes; the dtype may differ where a format has no name for it. */
static inline bool same(const nd_view *a, const nd_view *b) {
  static unsigned char x[1 << 16], y[1 << 16];
  const size_t bytes = nd_view_nbytes(a);
  return nd_view_same_shape(a, b) && bytes == nd_view_nbytes(b) && bytes <= sizeof x &&
         nd_copyout(a, x, bytes, &err) == ND_OK && nd_copyout(b, y, bytes, &err) == ND_OK &&
         memcmp(x, y, bytes) == 0;
}

static inline void enter_folder(void) {
  if (!mkdtemp(folder)) {
    perror(folder);
    exit(2);
  }
  snprintf(path, sizeof path, "%s/file", folder);
}

static inline int leave_folder(void) {
  unlink(path);
  CHECK(rmdir(folder) == 0, "%s is not empty", folder);
  return finish();
}

#endif
