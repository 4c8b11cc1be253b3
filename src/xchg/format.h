/* File formats: the interface of a format (its codec), and loading and saving by the extension of a
 * path. */
#ifndef ND_XCHG_FORMAT_H
#define ND_XCHG_FORMAT_H

#include <string.h>

#include "base/library.h"
#include "view/view.h"

/* The list of formats. The codec of a format is ndi_NAME_codec, in xchg/NAME.c; to add a format,
 * add such a file and its name here. */
#define ND_FORMATS(X) X(jpeg) X(npy) X(npz) X(pfm) X(png) X(pnm) X(safetensors) X(wav)

/* A number in a file besides its arrays, such as a sample rate. A list of attributes ends with a
 * NULL name; a NULL list is an empty one. */
typedef struct {
  const char *name; /* static */
  double value;
} nd_attribute;

/* The attribute of that name in a list; NULL if there is none. */
static inline const nd_attribute *nd_attribute_find(const nd_attribute *list, const char *name) {
  for (; list && list->name; list++)
    if (strcmp(list->name, name) == 0) return list;
  return NULL;
}

/* Callbacks that receive the contents of a file while it is loaded. */
typedef struct nd_sink nd_sink;
struct nd_sink {
  bool map; /* map arrays read-only instead of reading them */
  /* Is the array of that name wanted? NULL: all are. Of formats of named arrays. */
  bool (*wants)(nd_sink *self, const char *name);
  /* Takes over the reference of 'array', on failure too. 'name' is NULL in formats of a single
   * array, and valid during the call only. */
  nd_status (*put_array)(nd_sink *self, const char *name, nd_view *array, nd_error *err);
  nd_status (*put_attribute)(nd_sink *self, const nd_attribute *attribute, nd_error *err);
  /* of formats with metadata; both are valid during the call only */
  nd_status (*put_text)(nd_sink *self, const char *name, const char *value, nd_error *err);
};

/* A text in a file, by its name. */
typedef struct {
  const char *name, *value;
} nd_text;

/* The contents of a file that is to be saved. All of it stays the caller's. */
typedef struct {
  const char *name; /* NULL in formats of a single array */
  const nd_view *array;
} nd_named_array;
typedef struct {
  int count;
  const nd_named_array *arrays;
  const nd_attribute *attributes; /* may be NULL; the codec has defaults for those left out */
  int texts_count;
  const nd_text *texts; /* of formats with metadata */
} nd_source;

struct ndi_infile; /* see xchg/io.h */
struct ndi_outfile;

enum { ND_CODEC_EXTENSIONS = 3, ND_CODEC_ATTRIBUTES = 3 }; /* at most */
typedef struct {
  /* With the dot, in lower case; NULL after the last. */
  const char *extensions[ND_CODEC_EXTENSIONS + 1];
  /* The attributes that the format has, with their defaults for saving. */
  nd_attribute attributes[ND_CODEC_ATTRIBUTES + 1];
  nd_attribute settings[ND_CODEC_ATTRIBUTES + 1]; /* the same for saving alone */
  bool holds_many;                                /* any number of named arrays; else exactly one */
  const char *only_name; /* then: of a single array without a name; NULL: it has to have one */
  bool has_texts;        /* metadata: any number of named texts */
  /* Load the file into 'sink'. ND_FORMAT for a malformed file, with the offset and what was
   * expected there; ND_UNSUPPORTED for what is valid but not supported, and with sink->map for data
   * that cannot be used in place (text, big-endian numbers). */
  nd_status (*load)(struct ndi_infile *file, nd_sink *sink, nd_error *err);
  /* Save 'source'. Checks that the format can represent it before the first write, which makes the
   * file. 'source' has one array unless holds_many. */
  nd_status (*save)(const nd_source *source, struct ndi_outfile *file, nd_error *err);
} nd_codec;

#define ND_ROW(name) extern const nd_codec ndi_##name##_codec;
ND_FORMATS(ND_ROW)
#undef ND_ROW

/* The codec for the extension of 'path', upper or lower case. ND_UNSUPPORTED, with a list of the
 * known ones. */
nd_status nd_codec_find(const char *path, const nd_codec **out, nd_error *err);

/* Load the file at 'path' into 'sink', some of which may have been put there when this fails. Every
 * failure names the path; ND_IO has the errno too. */
nd_status nd_codec_load(const nd_codec *codec, const char *path, nd_sink *sink, nd_error *err);

/* Save 'source' to a temporary file in the same folder, which is then renamed to 'path': on failure
 * a file that was there is unchanged. ND_UNSUPPORTED where the format has a single array, and
 * 'source' another number. */
nd_status nd_codec_save(const nd_codec *codec, const char *path, const nd_source *source,
                        nd_error *err);

typedef struct {
  const nd_codec *codec; /* NULL: by the extension of the path */
  bool map;              /* load only: map the file instead of reading it */
  /* May be NULL. Load: the values of those that the file has are overwritten. Save: they are
   * written, and ND_INVALID_ARGUMENT if the format has no such attribute. */
  nd_attribute *attributes;
} nd_file_options;

/* Load the only array of a file. On ND_OK 'out' must be dropped. ND_UNSUPPORTED when the file has
 * more than one, ND_FORMAT when it has none. */
nd_status nd_load(const char *path, nd_file_options options, nd_view *out, nd_error *err);

/* The libraries that codecs use, for nd.info. NULL after the last. */
ndi_library *nd_codec_library(size_t index);

/* Save one array, as nd_codec_save does. ND_UNSUPPORTED where the format has to have a name for it.
 */
nd_status nd_save(const char *path, const nd_view *src, nd_file_options options, nd_error *err);

#endif
