/* Exchange with files, without Lua: .npy, and writes that happen whole or not at all. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "files.h"
#include "mem/host.h"
#include "xchg/npy_header.h"

static size_t slurp(unsigned char *bytes, size_t room) {
  FILE *f = fopen(path, "rb");
  const size_t count = f ? fread(bytes, 1, room, f) : 0;
  if (f) fclose(f);
  return count;
}

/* Views of every kind over 'base' (4 x 6 x 5). Returns false after the last. */
static bool next_view(int kind, const nd_view *base, nd_view *out) {
  static const int order[] = {2, 1, 0}, turn[] = {1, 2, 0};
  static const size_t wide[] = {2, 4, 6, 5};
  nd_view part;
  switch (kind) {
    case 0: nd_view_copy(base, out); return true;
    case 1: return nd_view_permute(base, order, out, &err) == ND_OK;
    case 2: return nd_view_permute(base, turn, out, &err) == ND_OK;
    case 3: return nd_view_flip(base, 5, out, &err) == ND_OK;
    case 4: return nd_view_narrow(base, 2, 1, 3, out, &err) == ND_OK;
    case 5: return nd_view_narrow(base, 0, 1, 2, out, &err) == ND_OK;
    case 6: return nd_view_narrow(base, 1, 0, 0, out, &err) == ND_OK;
    case 7: return nd_view_expand(base, 4, wide, out, &err) == ND_OK;
    case 8: return nd_view_select(base, 1, 3, out, &err) == ND_OK;
    case 9:
    case 10:
      if (nd_view_select(base, 0, 1, &part, &err)) return false;
      if (nd_view_select(&part, 0, 1, out, &err)) return false; /* 1-D */
      nd_view_drop(&part);
      if (kind == 9) return true;
      part = *out;
      if (nd_view_select(&part, 0, 1, out, &err)) return false; /* 0-d */
      nd_view_drop(&part);
      return true;
    default: return false;
  }
}

/* {=== npy ===} */

typedef struct {
  const char *text;
  nd_status status;
  const char *says; /* part of the message */
} text_case;

#define DICT(descr, order, shape) \
  "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }"

static const text_case bad_texts[] = {
    {"", ND_FORMAT, "'{'"},
    {"{", ND_FORMAT, "the end"},
    {"{}", ND_FORMAT, "'descr'"},
    {"{'descr': '<f4', 'shape': (3,)}", ND_FORMAT, "'fortran_order'"},
    {"{'descr': '<f4', 'fortran_order': False}", ND_FORMAT, "'shape'"},
    {"{'fortran_order': False, 'shape': (3,)}", ND_FORMAT, "'descr'"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'x': 1}", ND_FORMAT, "keys"},
    {DICT("'<f4'", "False", "(3,)") "x", ND_FORMAT, "nothing after"},
    {DICT("'<f4'", "False", "(3,)") "\n\n }", ND_FORMAT, "nothing after"},
    {"{'descr': '<f4' 'fortran_order': False}", ND_FORMAT, "','"},
    {"{'descr' '<f4'}", ND_FORMAT, "':'"},
    {"{'descr': '<f4',, }", ND_FORMAT, "keys"},
    {"{'descr: '<f4'}", ND_FORMAT, "':'"},
    {"{'des\\143r': '<f4'}", ND_FORMAT, "closing"},
    {"{descr: '<f4'}", ND_FORMAT, "keys"},
    {DICT("'<f4'", "0", "(3,)"), ND_FORMAT, "True or False"},
    {DICT("'<f4'", "Falsey", "(3,)"), ND_FORMAT, "True or False"},
    {DICT("'<f4'", "not True", "(3,)"), ND_FORMAT, "True or False"},
    {DICT("'<f4'", "True and False", "(3,)"), ND_FORMAT, "','"},
    {DICT("'<f4'", "False", "[3]"), ND_FORMAT, "tuple"},
    {DICT("'<f4'", "False", "3"), ND_FORMAT, "tuple"},
    {DICT("'<f4'", "False", "(3)"), ND_FORMAT, "only extent"},
    {DICT("'<f4'", "False", "(,)"), ND_FORMAT, "extent"},
    {DICT("'<f4'", "False", "(3,,4)"), ND_FORMAT, "extent"},
    {DICT("'<f4'", "False", "(3 4)"), ND_FORMAT, "','"},
    {DICT("'<f4'", "False", "(-3,)"), ND_FORMAT, "not negative"},
    {DICT("'<f4'", "False", "(+3,)"), ND_FORMAT, "extent"},
    {DICT("'<f4'", "False", "(3.0,)"), ND_FORMAT, "','"},
    {DICT("'<f4'", "False", "(3e2,)"), ND_FORMAT, "','"},
    {DICT("'<f4'", "False", "(0x3,)"), ND_FORMAT, "','"},
    {DICT("'<f4'", "False", "(1_0,)"), ND_FORMAT, "','"},
    {DICT("'<f4'", "False", "(True,)"), ND_FORMAT, "extent"},
    {DICT("'<f4'", "False", "(2*3,)"), ND_FORMAT, "','"},
    {DICT("'<f4'", "False", "((3,),)"), ND_FORMAT, "extent"},
    {DICT("'<f4'", "False", "(03,)"), ND_FORMAT, "leading 0"},
    {DICT("'<f4'", "False", "(3LL,)"), ND_FORMAT, "','"},
    {DICT("'<f4'", "False", "(None,)"), ND_FORMAT, "extent"},
    {DICT("'<f4'", "False", "(9223372036854775808,)"), ND_OVERFLOW, "too large"},
    {DICT("'<f4'", "False", "(99999999999999999999999999,)"), ND_OVERFLOW, "too large"},
    {DICT("'<f4'", "False", "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"), ND_UNSUPPORTED, "16 axes"},
    {DICT("None", "False", "(3,)"), ND_FORMAT, "dtype string"},
    {DICT("4", "False", "(3,)"), ND_FORMAT, "dtype string"},
    {DICT("''", "False", "(3,)"), ND_FORMAT, "such as"},
    {DICT("'<'", "False", "(3,)"), ND_FORMAT, "such as"},
    {DICT("'<q4'", "False", "(3,)"), ND_FORMAT, "such as"},
    {DICT("'<f3'", "False", "(3,)"), ND_FORMAT, "such as"},
    {DICT("'<f04'", "False", "(3,)"), ND_FORMAT, "such as"},
    {DICT("'<<f4'", "False", "(3,)"), ND_FORMAT, "such as"},
    {DICT("'<f4 '", "False", "(3,)"), ND_FORMAT, "such as"},
    {DICT("'<i8,<f4'", "False", "(3,)"), ND_FORMAT, "such as"},
    {DICT("'|O'", "False", "(3,)"), ND_UNSUPPORTED, "Python objects"},
    {DICT("'|S5'", "False", "(3,)"), ND_UNSUPPORTED, "byte strings"},
    {DICT("'<U4'", "False", "(3,)"), ND_UNSUPPORTED, "Unicode"},
    {DICT("'<M8[ns]'", "False", "(3,)"), ND_UNSUPPORTED, "dates"},
    {DICT("'<m8[s]'", "False", "(3,)"), ND_UNSUPPORTED, "time spans"},
    {DICT("'<f16'", "False", "(3,)"), ND_UNSUPPORTED, "long double"},
    {DICT("'<c32'", "False", "(3,)"), ND_UNSUPPORTED, "long double"},
    {DICT("'|V7'", "False", "(3,)"), ND_UNSUPPORTED, "raw items"},
    {DICT("'>V2'", "False", "(3,)"), ND_UNSUPPORTED, "big-endian raw"},
    {DICT("[('a', '<f4')]", "False", "(3,)"), ND_UNSUPPORTED, "records"},
    {DICT("('<f4', (2,))", "False", "(3,)"), ND_UNSUPPORTED, "records"},
};

static void check_bad_texts(void) {
  group("npy: headers that are refused, with the reason");
  for (size_t i = 0; i < ND_COUNTOF(bad_texts); i++) {
    const text_case *c = &bad_texts[i];
    ndi_npy_header h;
    memset(&err, 0, sizeof err);
    const nd_status status = ndi_npy_parse(c->text, strlen(c->text), &h, &err);
    CHECK(status == c->status, "%s: %s", c->text, nd_status_name(status));
    CHECK(strstr(err.message, c->says), "%s: %s", c->text, err.message);
    CHECK(err.count > 0 && strcmp(err.numbers[0].name, "offset") == 0, "%s", c->text);
    CHECK(ndi_npy_parse(c->text, strlen(c->text), &h, NULL) == c->status, "%s", c->text);
  }
  static const char zero[] = DICT("'<\0'", "False", "(3,)");
  ndi_npy_header h;
  CHECK(ndi_npy_parse(zero, sizeof zero - 1, &h, &err) == ND_FORMAT, "%s", err.message);
}

static void check_good_texts(void) {
  static const struct {
    const char *text;
    nd_dtype dtype;
    bool fortran, swapped;
    int ndim;
    size_t first;
  } cases[] = {
      {DICT("'<f4'", "False", "(3, 4)"), ND_F32, false, false, 2, 3},
      {DICT("'>f4'", "True", "(3, 4,)"), ND_F32, true, true, 2, 3},
      {DICT("'|b1'", "False", "()"), ND_BOOL, false, false, 0, 0},
      {DICT("'>u1'", "False", "(0,)"), ND_U8, false, false, 1, 0},
      {DICT("'<u1'", "False", "(7L,)"), ND_U8, false, false, 1, 7},
      {DICT("'=i8'", "False", "(7L, 2L)"), ND_I64, false, false, 2, 7},
      {DICT("'i2'", "False", "(7,)"), ND_I16, false, false, 1, 7},
      {DICT("'|i2'", "False", "(7,)"), ND_I16, false, false, 1, 7},
      {DICT("'>c16'", "False", "(7,)"), ND_C128, false, true, 1, 7},
      {DICT("'<V2'", "False", "(7,)"), ND_BF16, false, false, 1, 7},
      {DICT("'|V2'", "False", "(7,)"), ND_BF16, false, false, 1, 7},
      {DICT("'|V1'", "False", "(7,)"), ND_U8, false, false, 1, 7},
      {"{\"shape\":(2,),\"descr\":\"<f8\",\"fortran_order\":True}", ND_F64, true, false, 1, 2},
      {" {'shape' : ( 2 , ) ,\n'descr':'<f2','fortran_order':False}  \n", ND_F16, false, false, 1,
       2},
      {"{'descr':'<f8','descr':'<i4','shape':(1,2,3),'shape':(5,),'fortran_order':True,"
       "'fortran_order':False}",
       ND_I32, false, false, 1, 5},
      {DICT("'<f4'", "False", "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"), ND_F32, false, false, 16, 1},
  };
  group("npy: headers that are read");
  for (size_t i = 0; i < ND_COUNTOF(cases); i++) {
    ndi_npy_header h;
    const size_t length = strlen(cases[i].text);
    CHECK(ndi_npy_parse(cases[i].text, length, &h, &err) == ND_OK, "%s: %s", cases[i].text,
          err.message);
    CHECK(h.dtype == cases[i].dtype && h.is_fortran == cases[i].fortran &&
              h.is_swapped == cases[i].swapped && h.ndim == cases[i].ndim &&
              (h.ndim == 0 || h.shape[0] == cases[i].first),
          "%s", cases[i].text);
    for (size_t n = 0; n < length; n++) { /* on its own block, so that a read past it is seen */
      char *part = malloc(n + 1);
      if (part) memcpy(part, cases[i].text, n);
      if (part) ndi_npy_parse(part, n, &h, &err);
      free(part);
    }
  }
}

/* A whole file around a text. Returns its size. */
static size_t npy_file(unsigned char *out, unsigned version, const char *text, size_t payload) {
  const size_t length = strlen(text), at = version == 1 ? 10 : 12;
  memcpy(out, "\x93NUMPY", 6);
  out[6] = (unsigned char)version, out[7] = 0;
  for (size_t i = 0; i < at - 8; i++) out[8 + i] = (unsigned char)(length >> 8 * i);
  memcpy(out + at, text, length);
  for (size_t i = 0; i < payload; i++) out[at + length + i] = (unsigned char)(i + 1);
  return at + length + payload;
}

static void check_npy_files(void) {
  static const struct {
    const char *text;
    size_t payload;
    nd_status status;
  } cases[] = {
      {DICT("'<f4'", "False", "(3,)"), 12, ND_OK},
      {DICT("'<f4'", "False", "(3,)"), 13, ND_OK}, /* what follows is not ours */
      {DICT("'<f4'", "False", "(3,)"), 11, ND_FORMAT},
      {DICT("'<f4'", "False", "(0,)"), 0, ND_OK},
      {DICT("'<f4'", "False", "(1152921504606846976,)"), 12, ND_FORMAT},
      {DICT("'<f4'", "False", "(4294967296, 4294967296)"), 12, ND_OVERFLOW},
      {DICT("'<f4'", "False", "(4294967296, 4294967296, 0)"), 0, ND_OVERFLOW},
      {DICT("'<f4'", "False", "(0, 4294967296, 4294967296)"), 0, ND_OVERFLOW},
      {DICT("'<f4'", "True", "(0, 9223372036854775807)"), 0, ND_OVERFLOW},
      {DICT("'|u1'", "True", "(0, 9223372036854775807)"), 0, ND_OK},
      {DICT("'|u1'", "False", "(9223372036854775807,)"), 64, ND_FORMAT},
      {DICT("'|b1'", "False", "(2, 2)"), 4, ND_OK}, /* bytes 1, 2, 3, 4 */
      {DICT("'>f4'", "False", "(3,)"), 11, ND_FORMAT},
  };
  unsigned char file[1024];
  group("npy: files, versions and sizes");
  for (size_t i = 0; i < ND_COUNTOF(cases); i++) {
    for (unsigned version = 1; version <= 3; version++) {
      const size_t n = npy_file(file, version, cases[i].text, cases[i].payload);
      for (int map = 0; map < 2; map++) {
        const nd_status status = try_load(load_npy, file, n, map);
        CHECK(status == cases[i].status, "%s: %s", cases[i].text, err.message);
      }
    }
  }
  size_t n = npy_file(file, 1, cases[0].text, 12);
  CHECK(try_prefixes(load_npy, file, n) == 0, "a prefix gave a value");
  try_damage(load_npy, file, n, 3000);
  n = npy_file(file, 2, cases[0].text, 12);
  memset(file + 8, 0xFF, 4);
  CHECK(try_load(load_npy, file, n, false) == ND_FORMAT && strstr(err.message, "longer"), "%s",
        err.message);
  for (int version = 0; version < 256; version++) {
    npy_file(file, 1, cases[0].text, 12);
    file[6] = (unsigned char)version;
    if (version >= 1 && version <= 3) continue;
    char found[32];
    snprintf(found, sizeof found, "found %d.0", version);
    CHECK(try_load(load_npy, file, n, false) == ND_FORMAT && strstr(err.message, "version 1.0") &&
              strstr(err.message, found),
          "version %d: %s", version, err.message);
  }
}

static void check_npy_swap(void) {
  unsigned char file[512], bytes[48];
  nd_view v;
  static const char *const texts[] = {DICT("'>u2'", "False", "(3, 2)"),
                                      DICT("'>f4'", "True", "(3,)"), DICT("'>i8'", "False", "(2,)"),
                                      DICT("'>c8'", "False", "(2,)"),
                                      DICT("'>c16'", "False", "(1,)")};
  static const size_t widths[] = {2, 4, 8, 4, 8};
  group("npy: big-endian items are swapped, and not mapped");
  for (size_t i = 0; i < ND_COUNTOF(texts); i++) {
    const size_t n = npy_file(file, 1, texts[i], 16), w = widths[i];
    CHECK(try_load(load_npy, file, n, true) == ND_UNSUPPORTED, "%s", err.message);
    CHECK(load_npy(path, false, &v, &err) == ND_OK, "%s", err.message);
    CHECK(nd_copyout(&v, bytes, nd_view_nbytes(&v), &err) == ND_OK, "%s", err.message);
    for (size_t k = 0; k < nd_view_nbytes(&v); k++)
      CHECK(bytes[k] == k / w * w + (w - k % w), "%s: byte %zu is %d", texts[i], k, bytes[k]);
    nd_view_drop(&v);
  }
}

static void check_npy_trips(void) {
  static const size_t shape[] = {4, 6, 5};
  unsigned char head[128];
  group("npy: every dtype, layout and order comes back");
  for (int dtype = 0; dtype < ND_DTYPE_COUNT; dtype++) {
    nd_view base = make((nd_dtype)dtype, 3, shape), v, back;
    for (int kind = 0; next_view(kind, &base, &v); kind++) {
      CHECK(save_npy(path, &v, &err) == ND_OK, "%s", err.message);
      CHECK(slurp(head, sizeof head) == sizeof head || v.size < 64, "short");
      CHECK((head[8] | head[9] << 8) % 64 == 54 && head[6] == 1, "header of %d", head[8]);
      for (int map = 0; map < 2; map++) {
        CHECK(load_npy(path, map, &back, &err) == ND_OK, "%s", err.message);
        CHECK(same(&v, &back), "dtype %d kind %d map %d", dtype, kind, map);
        CHECK(back.dtype == (dtype == ND_F8E4M3 || dtype == ND_F8E5M2 ? ND_U8 : dtype), "dtype");
        CHECK(back.is_read_only == map, "read-only");
        CHECK(nd_view_is_contiguous(&back) != (kind == 1), "kind %d: order", kind);
        nd_view_drop(&back);
      }
      nd_view_drop(&v);
    }
    nd_view_drop(&base);
  }
}

/* {=== writing ===} */

static size_t files_in_folder(void) {
  size_t count = 0;
  DIR *dir = opendir(folder);
  while (dir && readdir(dir)) count++;
  if (dir) closedir(dir);
  return count - 2;
}

static void check_refusals(const nd_view *v) {
  char other[160];
  snprintf(other, sizeof other, "%s/none/file", folder);
  CHECK(save_npy(other, v, &err) == ND_IO && err.numbers[0].value == ENOENT, "%s", err.message);
  CHECK(save_npy("", v, &err) == ND_IO, "%s", err.message);
  CHECK(save_npy(folder, v, &err) == ND_IO && strstr(err.message, "regular"), "%s", err.message);
  CHECK(save_npy("/dev/null", v, &err) == ND_IO && strcmp(err.path, "/dev/null") == 0, "%s",
        err.message);
  snprintf(other, sizeof other, "%s/fifo", folder);
  CHECK(mkfifo(other, 0600) == 0, "mkfifo");
  nd_view back;
  for (int map = 0; map < 2; map++) {
    CHECK(load_npy(other, map, &back, &err) == ND_IO, "%s", err.message); /* and does not hang */
    CHECK(load_npy(folder, map, &back, &err) == ND_IO, "%s", err.message);
    CHECK(load_npy("/none", map, &back, &err) == ND_IO, "%s", err.message);
  }
  CHECK(save_npy(other, v, &err) == ND_IO, "%s", err.message);
  unlink(other);
}

/* A write that fails half-way: the limit on file sizes. */
static void check_full(const nd_view *v) {
  struct rlimit before, small;
  nd_view back;
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = 200;
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const nd_status status = save_npy(path, v, &err);
  setrlimit(RLIMIT_FSIZE, &before);
  CHECK(status == ND_IO && err.numbers[0].value == EFBIG, "%s", err.message);
  CHECK(files_in_folder() == 1, "%zu files", files_in_folder());
  CHECK(load_npy(path, false, &back, &err) == ND_OK && same(v, &back), "%s", err.message);
  nd_view_drop(&back);
}

static void check_writes(void) {
  static const size_t shape[] = {8, 16};
  char link[160];
  struct stat st;
  nd_view v = make(ND_F64, 2, shape), back;
  group("writing: whole or not at all");
  umask(027);
  unlink(path);
  CHECK(save_npy(path, &v, &err) == ND_OK, "%s", err.message);
  CHECK(stat(path, &st) == 0 && (st.st_mode & 0777) == 0640, "mode %o", (unsigned)st.st_mode);
  CHECK(files_in_folder() == 1, "%zu files", files_in_folder());
  check_refusals(&v);
  check_full(&v);
  snprintf(link, sizeof link, "%s/link", folder);
  CHECK(symlink(path, link) == 0 && save_npy(link, &v, &err) == ND_OK, "%s", err.message);
  CHECK(lstat(link, &st) == 0 && S_ISLNK(st.st_mode), "the link was replaced");
  CHECK(lstat(path, &st) == 0 && S_ISREG(st.st_mode), "the file is gone");
  unlink(link);
  CHECK(load_npy(path, true, &back, &err) == ND_OK, "%s", err.message);
  CHECK(save_npy(path, &back, &err) == ND_OK, "%s", err.message); /* over its own source */
  CHECK(same(&v, &back), "the mapped source changed");
  nd_view_drop(&back);
  nd_view_drop(&v);
}

/* More than one stage of gathered rows, cut along the second axis. */
static void check_long(void) {
  static const size_t shape[] = {1, 1500, 3, 2100};
  static const int order[] = {0, 3, 1, 2};
  bool equal = false;
  nd_view v, turned, back;
  group("writing: more rows than are gathered at once");
  CHECK(nd_new(nd_host_resource(), ND_U8, 4, shape, (nd_storage_options){0}, &v, &err) == ND_OK,
        "%s", err.message);
  CHECK(nd_random_integers(&v, 0, 255, 7, 0, &err) == ND_OK, "%s", err.message);
  CHECK(nd_view_permute(&v, order, &turned, &err) == ND_OK, "%s", err.message);
  CHECK(save_npy(path, &turned, &err) == ND_OK, "%s", err.message);
  for (int map = 0; map < 2; map++) {
    CHECK(load_npy(path, map, &back, &err) == ND_OK, "%s", err.message);
    CHECK(nd_equal(&turned, &back, &equal, &err) == ND_OK && equal, "differs");
    nd_view_drop(&back);
  }
  nd_view_drop(&turned);
  nd_view_drop(&v);
}

static void check_names(void) {
  char text[1200];
  group("failures name their file");
  memset(text, 'x', sizeof text);
  text[sizeof text - 1] = '\0';
  nd_fail(&err, ND_FORMAT, "the reason");
  CHECK(ndi_error_prefix_path(ND_FORMAT, text, &err) == ND_FORMAT, "status");
  CHECK(strstr(err.message, "xx: the reason") && strlen(err.path) == ND_ERROR_PATH - 1, "%s",
        err.message);
  ndi_error_prefix_path(ND_FORMAT, "other", &err);
  CHECK(!strstr(err.message, "other"), "named twice: %s", err.message);
  CHECK(ndi_error_prefix_path(ND_FORMAT, "other", NULL) == ND_FORMAT, "no record");
}

int main(void) {
  enter_folder();
  check_bad_texts();
  check_good_texts();
  check_npy_files();
  check_npy_swap();
  check_npy_trips();
  check_writes();
  check_long();
  check_names();
  return leave_folder();
}
