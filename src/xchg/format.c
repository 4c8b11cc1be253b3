/* The table of codecs, and loading and saving by extension. */
#include "xchg/format.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "xchg/io.h"
#include "xchg/libpng.h"
#include "xchg/turbojpeg.h"
#include "xchg/zlib.h"

#define ND_ROW(name) &ndi_##name##_codec,
static const nd_codec *const codecs[] = {ND_FORMATS(ND_ROW)};
#undef ND_ROW

/* {=== codecs ===} */

ndi_library *nd_codec_library(size_t index) {
  static ndi_library *const all[] = {&ndi_zlib_library, &ndi_libpng_library,
                                     &ndi_turbojpeg_library};
  return index < ND_COUNTOF(all) ? all[index] : NULL;
}

/* Write all extensions to 'known', separated by commas. Returns it. */
static const char *known_text(char *known, size_t bytes) {
  *known = 0;
  for (size_t i = 0; i < ND_COUNTOF(codecs); i++)
    for (const char *const *e = codecs[i]->extensions; *e; e++)
      snprintf(known + strlen(known), bytes - strlen(known), "%s%s", *known ? ", " : "", *e);
  return known;
}

nd_status nd_codec_find(const char *path, const nd_codec **out, nd_error *err) {
  char known[128];
  /* a dot in the name of a folder begins no extension */
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  for (size_t i = 0; dot && i < ND_COUNTOF(codecs); i++)
    for (const char *const *e = codecs[i]->extensions; *e; e++)
      if (strcasecmp(dot, *e) == 0) return *out = codecs[i], ND_OK;
  return nd_fail(err, ND_UNSUPPORTED, "no format is known for \"%.200s\"; known are %s", path,
                 known_text(known, sizeof known));
}

nd_status nd_codec_load(const nd_codec *codec, const char *path, nd_sink *sink, nd_error *err) {
  ndi_infile file;
  ND_TRY(ndi_infile_open(path, &file, err));
  const nd_status status = codec->load(&file, sink, err);
  ndi_infile_close(&file);
  return ndi_error_prefix_path(status, path, err);
}

nd_status nd_codec_save(const nd_codec *codec, const char *path, const nd_source *source,
                        nd_error *err) {
  ndi_outfile file = {.fd = -1, .wanted = path};
  /* codecs of one array rely on this */
  if (!codec->holds_many && source->count != 1)
    return ndi_error_prefix_path(
        nd_fail(err, ND_UNSUPPORTED, "the format can contain only one array"), path, err);
  const nd_status status = codec->save(source, &file, err);
  return ndi_error_prefix_path(ndi_outfile_close(&file, status, err), path, err);
}

/* {=== files of one array ===} A sink that moves the array to a view of the caller. */

typedef struct {
  nd_sink base;
  int count;
  nd_view *out; /* valid if 'count' is not 0 */
  nd_attribute *wanted;
} single;

/* Only the first array is kept, but each is taken over, as nd_sink demands. */
static nd_status put_array(nd_sink *self, const char *name, nd_view *array, nd_error *err) {
  single *s = (single *)self;
  (void)name;
  if (s->count++ == 0) return *s->out = *array, ND_OK;
  nd_view_drop(array);
  return nd_fail(err, ND_UNSUPPORTED, "the file has more than one array");
}

/* Attributes that the caller did not ask for are passed over. */
static nd_status put_attribute(nd_sink *self, const nd_attribute *attribute, nd_error *err) {
  (void)err;
  for (nd_attribute *a = ((single *)self)->wanted; a && a->name; a++)
    if (strcmp(a->name, attribute->name) == 0) a->value = attribute->value;
  return ND_OK;
}

static nd_status pass_text(nd_sink *self, const char *name, const char *value, nd_error *err) {
  (void)self, (void)name, (void)value, (void)err;
  return ND_OK;
}

nd_status nd_load(const char *path, nd_file_options options, nd_view *out, nd_error *err) {
  nd_view array;
  single sink = {.base = {.map = options.map,
                          .put_array = put_array,
                          .put_attribute = put_attribute,
                          .put_text = pass_text},
                 .out = &array,
                 .wanted = options.attributes};
  if (!options.codec) ND_TRY(nd_codec_find(path, &options.codec, err));
  nd_status status = nd_codec_load(options.codec, path, &sink.base, err);
  if (status == ND_OK && sink.count == 0)
    status = ndi_error_prefix_path(nd_fail(err, ND_FORMAT, "the file has no array"), path, err);
  if (status == ND_OK) nd_view_borrow(&array, out); /* moves the reference */
  else if (sink.count > 0) nd_view_drop(&array);    /* delivered before the failure */
  return status;
}

nd_status nd_save(const char *path, const nd_view *src, nd_file_options options, nd_error *err) {
  if (!options.codec) ND_TRY(nd_codec_find(path, &options.codec, err));
  const nd_codec *codec = options.codec;
  const nd_named_array only = {codec->only_name, src};
  const nd_source source = {.count = 1, .arrays = &only, .attributes = options.attributes};
  if (codec->holds_many && !codec->only_name)
    return nd_fail(err, ND_UNSUPPORTED, "%s: this format has named arrays only", path);
  /* the codec looks for those that it knows, and would silently leave out all others */
  for (const nd_attribute *a = options.attributes; a && a->name; a++)
    if (!nd_attribute_find(codec->attributes, a->name) &&
        !nd_attribute_find(codec->settings, a->name))
      return nd_fail(err, ND_INVALID_ARGUMENT, "%s: this format has no attribute %s", path,
                     a->name);
  return nd_codec_save(codec, path, &source, err);
}
