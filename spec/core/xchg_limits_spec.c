/* File formats on both sides of their limits; what a header says, not only whether it is read. */
#include <signal.h>
#include <sys/resource.h>

#include "files.h"
#include "xchg/npy_header.h"

/* {=== .npy ===} */

enum { LEAD = 12 };

/* Version 2.0 with a text of 'length' bytes, blanks behind the dict, before eight bytes of data. */
static unsigned char *make_npy(size_t length, size_t *bytes) {
  static const char dict[] = "{'descr': '|u1', 'fortran_order': False, 'shape': (8,), }";
  unsigned char *file = malloc(*bytes = LEAD + length + 8);
  if (!file) abort();
  memset(file, ' ', *bytes);
  memcpy(file, "\x93NUMPY\x02\x00", 8);
  for (int i = 0; i < 4; i++) file[8 + i] = (unsigned char)(length >> 8 * i);
  memcpy(file + LEAD, dict, sizeof dict - 1);
  file[LEAD + length - 1] = '\n';
  return file;
}

static void spec_npy_longest(void) {
  group(".npy: the longest header is read, a longer one is refused as such");
  for (size_t more = 0; more < 2; more++) {
    size_t bytes;
    unsigned char *file = make_npy(ND_NPY_TEXT_MAX + more, &bytes);
    const nd_status status = try_load(load_npy, file, bytes, false);
    CHECK(status == (more ? ND_FORMAT : ND_OK), "%zu more: %s", more, nd_status_name(status));
    if (more) CHECK(strstr(err.message, "longer than"), "%s", err.message);
    free(file);
  }
}

static void spec_npy_versions(void) {
  group(".npy: versions 1.0 to 3.0, no other, and the message says which");
  size_t bytes;
  unsigned char *file = make_npy(100, &bytes);
  for (int major = 0; major < 5; major++)
    for (int minor = 0; minor < 3; minor++) {
      const bool is_known = major >= 2 && major <= 3 && minor == 0; /* 1.0 has another lead */
      file[6] = (unsigned char)major, file[7] = (unsigned char)minor;
      if (major == 1 && minor == 0) continue;
      const nd_status status = try_load(load_npy, file, bytes, false);
      CHECK(status == (is_known ? ND_OK : ND_FORMAT), "%d.%d: %s", major, minor,
            nd_status_name(status));
      if (!is_known) CHECK(strstr(err.message, "version"), "%s", err.message);
    }
  free(file);
}

static void spec_npy_text(void) {
  group(".npy: headers of every length end in a line's end, at a multiple of 64");
  bool seen[64] = {false};
  for (int ndim = 1; ndim <= ND_MAX_NDIM; ndim++) {
    size_t extent = 1;
    for (int digits = 0; digits < 38; digits++) {
      extent = digits % 19 ? 10 * extent : 1; /* and again with a longer dtype */
      ndi_npy_header header = {.dtype = digits < 19 ? ND_F32 : ND_C128,
                               .ndim = ndim,
                               .shape = {extent}},
                     back;
      for (int i = 1; i < ndim; i++) header.shape[i] = 1;
      char text[ND_NPY_HEADER_BYTES];
      const size_t length = ndi_npy_format(&header, text);
      const char *closing = memchr(text, '}', length);
      CHECK(length % 64 == 0 && text[length - 1] == '\n' && closing, "%zu B", length);
      if (closing) seen[(closing - text) % 64] = true;
      CHECK(ndi_npy_parse(text + 10, length - 10, &back, &err) == ND_OK && back.ndim == ndim &&
                back.shape[0] == extent,
            "%d axes, %zu: %s", ndim, extent, err.message);
    }
  }
  for (int i = 0; i < 64; i++) CHECK(seen[i], "no dict ends at %d", i);
}

static void spec_npy_order(void) {
  group(".npy: what is contiguous in both orders is said to be row-major");
  static const size_t shapes[][3] = {{5, 0, 0}, {1, 5, 0}, {5, 1, 0}, {1, 5, 1}};
  static const int ndims[] = {1, 2, 2, 3};
  for (size_t i = 0; i < ND_COUNTOF(ndims); i++) {
    char text[256] = {0};
    nd_view v = make(ND_I16, ndims[i], shapes[i]);
    CHECK(save_npy(path, &v, &err) == ND_OK, "%s", err.message);
    FILE *f = fopen(path, "rb");
    CHECK(f && fread(text, 1, 128, f) == 128 && strstr(text + 10, "'fortran_order': False"),
          "case %zu", i);
    if (f) fclose(f);
    nd_view_drop(&v);
  }
}

/* {=== others ===} */

static void spec_pnm_end(void) {
  group("plain images: the last number may be the last byte");
  CHECK(try_load(load_pnm, "P2\n2 1\n255\n7 8", 14, false) == ND_OK, "%s", err.message);
  CHECK(try_load(load_pnm, "P2\n2 1\n255\n7 ", 13, false) == ND_FORMAT, "a number less");
  CHECK(try_load(load_pnm, "P2\n0 1\n255\n", 11, false) == ND_OK, "%s", err.message);
}

static void spec_wav_guid(void) {
  group("sound: an extensible format is one of ours by all of its GUID");
  static const unsigned char good[] =
      "RIFF\x44\0\0\0WAVEfmt \x28\0\0\0\xfe\xff\1\0\x40\x1f\0\0\x80\x3e\0\0"
      "\2\0\x10\0\x16\0\x10\0\4\0\0\0\1\0\0\0\0\0\x10\0\x80\0\0\xaa\0\x38"
      "\x9b\x71"
      "data\4\0\0\0\1\0\2\0";
  unsigned char bytes[sizeof good - 1];
  memcpy(bytes, good, sizeof bytes);
  CHECK(try_load(load_wav, bytes, sizeof bytes, false) == ND_OK, "%s", err.message);
  for (size_t i = 46; i < 60; i++) {
    memcpy(bytes, good, sizeof bytes);
    bytes[i] ^= 1;
    CHECK(try_load(load_wav, bytes, sizeof bytes, false) == ND_UNSUPPORTED, "byte %zu", i);
  }
  for (unsigned char frame = 0; frame < 9; frame++) {
    memcpy(bytes, good, sizeof bytes);
    bytes[32] = frame;
    CHECK(try_load(load_wav, bytes, sizeof bytes, false) == (frame == 2 ? ND_OK : ND_FORMAT),
          "frames of %d B", frame);
  }
}

static void spec_wav_sizes(void) {
  group("sound: the sizes that are written are those of the file");
  for (size_t n = 0; n < 6; n++) {
    unsigned char head[44] = {0};
    const size_t shape[] = {n};
    nd_view v = make(ND_U8, 1, shape);
    CHECK(save_rated(path, &v, 8000, &err) == ND_OK, "%s", err.message);
    FILE *f = fopen(path, "rb");
    CHECK(f && fread(head, 1, 44, f) == 44 && fseek(f, 0, SEEK_END) == 0, "reads");
    const long size = f ? ftell(f) : 0;
    CHECK(size == 44 + (long)(n + n % 2) && head[4] == size - 8 && head[40] == n, "%zu samples", n);
    if (f) fclose(f);
    nd_view_drop(&v);
  }
}

static void spec_link(void) {
  group("saving by a link writes the file that it leads to, and leaves the link");
  char link[160], text[64] = {0};
  const size_t shape[] = {3};
  nd_view v = make(ND_U8, 1, shape), w = make(ND_U8, 1, shape), back;
  snprintf(link, sizeof link, "%s/link", folder);
  CHECK(save_npy(path, &v, &err) == ND_OK && symlink("file", link) == 0, "set up");
  CHECK(save_npy(link, &w, &err) == ND_OK, "%s", err.message);
  CHECK(readlink(link, text, sizeof text - 1) == 4 && strcmp(text, "file") == 0, "still a link");
  CHECK(load_npy(path, false, &back, &err) == ND_OK && same(&back, &w), "written");
  nd_view_drop(&back);
  CHECK(unlink(link) == 0 && symlink("none", link) == 0, "leads nowhere");
  CHECK(save_npy(link, &w, &err) == ND_OK, "%s", err.message);
  CHECK(load_npy(link, false, &back, &err) == ND_OK && same(&back, &w), "written");
  nd_view_drop(&back), nd_view_drop(&v), nd_view_drop(&w);
  unlink(link);
  snprintf(link, sizeof link, "%s/none", folder);
  unlink(link);
}

/* leave_folder() looks whether anything is left. */
static void spec_full(void) {
  group("a save that fails half-way leaves the old file, and no other");
  const size_t shape[] = {1000};
  struct rlimit most, small;
  nd_view v = make(ND_U8, 1, shape), w = make(ND_U8, 1, shape), back;
  CHECK(save_npy(path, &v, &err) == ND_OK, "%s", err.message);
  signal(SIGXFSZ, SIG_IGN);
  if (getrlimit(RLIMIT_FSIZE, &most)) abort();
  small = most, small.rlim_cur = 500;
  if (setrlimit(RLIMIT_FSIZE, &small)) abort();
  CHECK(save_npy(path, &w, &err) == ND_IO, "refused");
  if (setrlimit(RLIMIT_FSIZE, &most)) abort();
  CHECK(load_npy(path, false, &back, &err) == ND_OK && same(&back, &v), "the old one");
  nd_view_drop(&back), nd_view_drop(&v), nd_view_drop(&w);
}

int main(void) {
  enter_folder();
  spec_npy_longest();
  spec_npy_versions();
  spec_npy_text();
  spec_npy_order();
  spec_pnm_end();
  spec_wav_guid();
  spec_wav_sizes();
  spec_link();
  spec_full();
  return leave_folder();
}
