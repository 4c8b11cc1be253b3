/* Formats for C programs: by extension, with attributes, and files of several arrays. */
#include "files.h"
#include "mem/host.h"
#include "xchg/io.h"

static const size_t shape[] = {2, 3};

static const char *name_of(const char *extension) {
  static char name[160];
  snprintf(name, sizeof name, "%s/a%s", folder, extension);
  return name;
}

static void spec_extensions(void) {
  static const struct {
    const char *extension;
    nd_dtype dtype;
  } cases[] = {{".npy", ND_C64}, {".NPY", ND_BOOL}, {".pgm", ND_U8},
               {".Pfm", ND_F32}, {".wav", ND_I16},  {".x.pgm", ND_U16}};
  group("formats are found by extension, in any case");
  for (size_t i = 0; i < ND_COUNTOF(cases); i++) {
    const char *name = name_of(cases[i].extension);
    nd_view v = make(cases[i].dtype, 2, shape), back;
    CHECK(nd_save(name, &v, (nd_file_options){0}, &err) == ND_OK, "%s", err.message);
    CHECK(nd_load(name, (nd_file_options){0}, &back, &err) == ND_OK, "%s", err.message);
    CHECK(same(&v, &back) && back.dtype == cases[i].dtype, "%s", name);
    nd_view_drop(&back);
    nd_view_drop(&v);
    unlink(name);
  }
}

static void spec_unknown(void) {
  static const char *const names[] = {"a", "a.zip", "npy", "a.npy/b", ".npy.", "", "a.npyx"};
  group("other extensions are refused, naming those that are known; nothing is made");
  nd_view v = make(ND_F32, 2, shape), back;
  for (size_t i = 0; i < ND_COUNTOF(names); i++) {
    CHECK(nd_load(names[i], (nd_file_options){0}, &back, &err) == ND_UNSUPPORTED, "%s", names[i]);
    CHECK(strstr(err.message, "known are .jpg, .jpeg, .npy, .npz, .pfm, .png, .pgm, "), "%s",
          err.message);
    CHECK(nd_save(names[i], &v, (nd_file_options){0}, &err) == ND_UNSUPPORTED, "%s", names[i]);
    CHECK(access(names[i], F_OK) != 0 || !*names[i], "%s was made", names[i]);
  }
  nd_view_drop(&v);
}

static void spec_attributes(void) {
  nd_attribute none[] = {{0}}, rate[] = {{"rate", 8000}, {0}},
               read[] = {{"x", 7}, {"rate", 1}, {0}};
  const char *name = name_of(".wav");
  nd_view v = make(ND_I16, 2, shape), back;
  group("attributes are written and read; what a format has not is refused");
  for (int kind = 0; kind < 3; kind++) {
    nd_attribute *const list = kind == 0 ? NULL : kind == 1 ? none : rate;
    CHECK(nd_save(name, &v, (nd_file_options){.attributes = list}, &err) == ND_OK, "%s",
          err.message);
    CHECK(nd_load(name, (nd_file_options){.attributes = read}, &back, &err) == ND_OK, "%s",
          err.message);
    CHECK(read[1].value == (kind < 2 ? 44100 : 8000) && read[0].value == 7, "%g", read[1].value);
    nd_view_drop(&back);
  }
  static const double bad[] = {0, -1, 0.5, 8000.5, 4294967296.0, 0.0 / 0.0, 1.0 / 0.0};
  for (size_t i = 0; i < ND_COUNTOF(bad); i++) {
    rate[0].value = bad[i];
    CHECK(nd_save(name, &v, (nd_file_options){.attributes = rate}, &err) == ND_INVALID_ARGUMENT,
          "%g", bad[i]);
  }
  unlink(name);
  nd_view pixels = make(ND_U8, 2, shape);
  nd_attribute quality[] = {{"quality", 0}, {0}};
  static const double never[] = {0, -1, 0.5, 90.5, 101, 4294967296.0, 0.0 / 0.0, 1.0 / 0.0};
  name = name_of(".jpg");
  for (size_t i = 0; i < ND_COUNTOF(never); i++) {
    quality[0].value = never[i];
    const nd_file_options options = {.attributes = quality};
    CHECK(nd_save(name, &pixels, options, &err) == ND_INVALID_ARGUMENT &&
              strstr(err.message, "quality") && access(name, F_OK) != 0,
          "%g: %s", never[i], err.message);
  }
  nd_view_drop(&pixels);
  name = name_of(".npy");
  CHECK(nd_save(name, &v, (nd_file_options){.attributes = rate}, &err) == ND_INVALID_ARGUMENT &&
            strstr(err.message, "no attribute rate") && access(name, F_OK) != 0,
        "%s", err.message);
  nd_view_drop(&v);
}

/* {=== several arrays ===} A format made for the purpose: n arrays of one byte, called a, b … */

static nd_status load_many(ndi_infile *file, nd_sink *sink, nd_error *e) {
  const nd_attribute count = {"count", (double)file->bytes};
  ND_TRY(sink->put_attribute(sink, &count, e));
  for (size_t i = 0; i < file->bytes; i++) {
    const ndi_layout layout = {.dtype = ND_U8, .offset = i};
    const char name[] = {(char)('a' + i), '\0'};
    nd_view v;
    ND_TRY(ndi_infile_load(file, &layout, false, &v, e));
    ND_TRY(sink->put_array(sink, name, &v, e));
  }
  return ND_OK;
}

static nd_status save_many(const nd_source *source, ndi_outfile *file, nd_error *e) {
  for (int i = 0; i < source->count; i++)
    ND_TRY(ndi_outfile_write_view(file, source->arrays[i].array, e));
  return ND_OK;
}

static const nd_codec many = {.extensions = {".many"},
                              .attributes = {{"count", 0}},
                              .holds_many = true,
                              .load = load_many,
                              .save = save_many};

typedef struct {
  nd_sink base;
  int count, refused; /* the entry to refuse, from 0 */
  double told;
  char names[8];
  nd_view arrays[8];
} list;

static nd_status put_one(nd_sink *self, const char *name, nd_view *array, nd_error *e) {
  list *l = (list *)self;
  if (l->count == l->refused) {
    nd_view_drop(array);
    return nd_fail(e, ND_CAPACITY, "full");
  }
  l->names[l->count] = name[0];
  l->arrays[l->count++] = *array;
  return ND_OK;
}

static nd_status put_number(nd_sink *self, const nd_attribute *attribute, nd_error *e) {
  (void)e;
  ((list *)self)->told = attribute->value;
  return ND_OK;
}

static uint64_t live_bytes(void) {
  nd_mem_stats stats;
  nd_resource_get_stats(nd_host_resource(), &stats);
  return stats.live.now;
}

static void spec_many(void) {
  group("a sink receives many arrays by name; one array is not several, or none");
  const uint64_t before = live_bytes();
  nd_view v = make(ND_U8, 0, NULL), back;
  const nd_named_array arrays[] = {{"a", &v}, {"b", &v}, {"c", &v}};
  for (int n = 0; n <= 3; n++) {
    const nd_source source = {.count = n, .arrays = arrays};
    if (n != 1)
      CHECK(nd_codec_save(&ndi_npy_codec, path, &source, &err) == ND_UNSUPPORTED &&
                strcmp(err.path, path) == 0,
            "%d arrays", n);
    CHECK(nd_codec_save(&many, path, &source, &err) == ND_OK, "%s", err.message);
    if (n == 0) put("", 0); /* nothing was written: nothing was made */
    for (int refused = 0; refused <= n; refused++) {
      list all = {.base = {.put_array = put_one, .put_attribute = put_number}, .refused = refused};
      const nd_status status = nd_codec_load(&many, path, &all.base, &err);
      CHECK(status == (refused < n ? ND_CAPACITY : ND_OK) && all.count == refused, "%d", refused);
      CHECK(all.told == n && strncmp(all.names, "abc", (size_t)refused) == 0, "%s", all.names);
      for (int i = 0; i < all.count; i++) {
        CHECK(same(&v, &all.arrays[i]), "%d", i);
        nd_view_drop(&all.arrays[i]);
      }
    }
    const nd_status status = nd_load(path, (nd_file_options){.codec = &many}, &back, &err);
    CHECK(status == (n == 0 ? ND_FORMAT : n == 1 ? ND_OK : ND_UNSUPPORTED), "%d arrays", n);
    CHECK(n == 1 || (strcmp(err.path, path) == 0 && strstr(err.message, "array")), "%s",
          err.message);
    if (n == 1) nd_view_drop(&back);
  }
  unlink(path);
  CHECK(nd_save(path, &v, (nd_file_options){.codec = &many}, &err) == ND_UNSUPPORTED &&
            strstr(err.message, "named arrays only") && access(path, F_OK) != 0,
        "%s", err.message);
  nd_view_drop(&v);
  CHECK(live_bytes() == before, "leaks");
}

int main(void) {
  enter_folder();
  spec_extensions();
  spec_unknown();
  spec_attributes();
  spec_many();
  return leave_folder();
}
