/* JPEG images, by libjpeg-turbo: grey or RGB, 8 bits. The format is lossy: what is loaded is near
 * to what was saved. */
#include <stdlib.h>
#include <string.h>

#include "base/call.h"
#include "mem/host.h"
#include "xchg/format.h"
#include "xchg/image.h"
#include "xchg/io.h"
#include "xchg/turbojpeg.h"

ndi_turbojpeg_functions ndi_turbojpeg;

ndi_library ndi_turbojpeg_library = {
    .name = "libjpeg-turbo",
    .file = "libturbojpeg.so.0",
    .package = "libturbojpeg0",
    .symbols = (const char *const[]){"tjInitDecompress", "tjInitCompress", "tjDestroy",
                                     "tjGetErrorStr2", "tjDecompressHeader3", "tjDecompress2",
                                     "tjCompress2", "tjFree", NULL},
    .functions = &ndi_turbojpeg};

static nd_status open_library(void *(**begin)(void), void **handle, nd_error *err) {
  ND_TRY(ndi_library_open(&ndi_turbojpeg_library, err));
  *handle = (*begin)();
  if (*handle) return ND_OK;
  return nd_fail(err, ND_OUT_OF_MEMORY, "libjpeg-turbo does not begin");
}

static nd_status fail(void *handle, nd_status code, nd_error *err) {
  const char *message = ndi_turbojpeg.tjGetErrorStr2(handle);
  return nd_fail(err, ndi_library_code(message, code), "libjpeg-turbo: %.200s", message);
}

/* {=== reading ===} */

typedef struct {
  int width, height, colors;
  const unsigned char *data;
  size_t bytes;
} image;

/* Is the image coded arithmetically? That says its frame header, the first of the markers 0xFFC0 to
 * 0xFFCF that is not one of tables. */
static bool is_arithmetic(const unsigned char *data, size_t bytes) {
  enum {
    FIRST = 0xC0,
    LAST = 0xCF,
    HUFFMAN_TABLES = 0xC4,
    RESERVED = 0xC8,
    ARITHMETIC_TABLES = 0xCC
  };
  for (size_t at = 2; at + 4 <= bytes && data[at] == 0xFF;) {
    const int marker = data[at + 1];
    const bool is_tables = marker == HUFFMAN_TABLES || marker == RESERVED ||
                           marker == ARITHMETIC_TABLES;
    if (marker >= FIRST && marker <= LAST && !is_tables) return marker > RESERVED;
    at += marker == 0xFF ? 1 : 2 + (size_t)(data[at + 2] << 8 | data[at + 3]);
  }
  return false;
}

/* Of its messages these say that the image may be fine, and libjpeg-turbo cannot read it. */
static nd_status header_code(void *handle) {
  const char *message = ndi_turbojpeg.tjGetErrorStr2(handle);
  const bool is_variant = strstr(message, "nsupported") || strstr(message, "subsampling type");
  return is_variant ? ND_UNSUPPORTED : ND_FORMAT;
}

/* A block of 64 pixels has at least a bit, as Huffman codes it: an image of more pixels than its
 * data can have is refused before it is allocated. */
static nd_status read_header(void *handle, image *out, nd_error *err) {
  int subsampling;
  if (ndi_turbojpeg.tjDecompressHeader3(handle, out->data, (unsigned long)out->bytes, &out->width,
                                        &out->height, &subsampling, &out->colors) != 0)
    return fail(handle, header_code(handle), err);
  if (out->width < 1 || out->height < 1) /* none was set: there were tables alone */
    return nd_fail(err, ND_FORMAT, "libjpeg-turbo: there is no image");
  if (out->colors >= NDI_TJ_COLORS_CMYK)
    return nd_fail(err, ND_UNSUPPORTED, "a JPEG image in CMYK; ndbuf reads grey and RGB");
  if (is_arithmetic(out->data, out->bytes))
    return nd_fail(err, ND_UNSUPPORTED, "a JPEG image in arithmetic coding; ndbuf reads Huffman's");
  if ((uint64_t)out->width * (unsigned)out->height <= 64 * 8 * (uint64_t)out->bytes) return ND_OK;
  return nd_fail(err, ND_FORMAT, "an image of %d x %d pixels is not in %zu B", out->width,
                 out->height, out->bytes);
}

/* Of an image in more than 500 scans each costs as much as the first: it is refused. */
enum { READ_FLAGS = NDI_TJ_ACCURATE | NDI_TJ_STOP_ON_WARNING | NDI_TJ_LIMIT_SCANS };

static nd_status decompress(void *handle, const image *from, const nd_view *to, nd_error *err) {
  char *host;
  const int pixels = to->ndim == 3 ? NDI_TJ_RGB : NDI_TJ_GRAY;
  ND_TRY(nd_view_host(to, true, &host, err));
  if (ndi_turbojpeg.tjDecompress2(handle, from->data, (unsigned long)from->bytes,
                                  (unsigned char *)host + to->offset, from->width, 0, from->height,
                                  pixels, READ_FLAGS) != 0)
    return fail(handle, ND_FORMAT, err);
  return ND_OK;
}

static nd_status read_image(void *handle, image *from, nd_view *out, nd_error *err) {
  ND_TRY(read_header(handle, from, err));
  const int ndim = from->colors == NDI_TJ_COLORS_GRAY ? 2 : 3;
  const size_t shape[] = {(size_t)from->height, (size_t)from->width, 3};
  ND_TRY(nd_new(nd_call_memory(nd_host_resource()), ND_U8, ndim, shape, (nd_storage_options){0},
                out, err));
  const nd_status status = decompress(handle, from, out, err);
  if (status != ND_OK) nd_view_drop(out);
  return status;
}

static nd_status load_from(const ndi_infile *file, unsigned char *data, nd_view *out,
                           nd_error *err) {
  image from = {.data = data, .bytes = file->bytes};
  void *handle = NULL;
  ND_TRY(ndi_infile_read(file, 0, data, file->bytes, err));
  ND_TRY(open_library(&ndi_turbojpeg.tjInitDecompress, &handle, err));
  const nd_status status = read_image(handle, &from, out, err);
  ndi_turbojpeg.tjDestroy(handle);
  return status;
}

static nd_status load(ndi_infile *file, nd_sink *sink, nd_error *err) {
  nd_view array;
  if (sink->map)
    return nd_fail_remedy(err, ND_UNSUPPORTED, ND_REMEDY_READ,
                          "compressed images cannot be mapped");
  if (file->bytes == 0) return nd_fail(err, ND_FORMAT, "the file is empty");
  unsigned char *data = malloc(file->bytes + 1);
  if (!data) return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a file of %zu B", file->bytes);
  const nd_status status = load_from(file, data, &array, err);
  free(data);
  return status == ND_OK ? sink->put_array(sink, NULL, &array, err) : status;
}

/* {=== writing ===} */

enum { MOST = 65500 /* the library's: the format has 65535 */, QUALITY = 90 };

static nd_status check(const nd_view *src, nd_error *err) {
  if (src->dtype != ND_U8)
    return nd_fail_remedy(err, ND_TYPE_MISMATCH, ND_REMEDY_CAST, "a .jpg has u8, 0 to 255, not %s",
                          nd_dtype_get((nd_dtype)src->dtype)->name);
  ND_TRY(ndi_image_check(src, err));
  if (src->size > 0 && src->axis[0].len <= MOST && src->axis[1].len <= MOST) return ND_OK;
  return nd_fail(err, ND_SHAPE_MISMATCH, "an image of %zu x %zu pixels; the limits are 1 and %d",
                 src->axis[1].len, src->axis[0].len, MOST);
}

/* The quality attribute, or its default. */
static nd_status find_quality(const nd_source *source, int *out, nd_error *err) {
  const nd_attribute *given = nd_attribute_find(source->attributes, "quality");
  const double quality = given ? given->value : QUALITY;
  *out = quality >= 1 && quality <= 100 ? (int)quality : 0; /* also for NaN: no undefined cast */
  if (*out > 0 && *out == quality) return ND_OK;
  return nd_fail(err, ND_INVALID_ARGUMENT, "the quality must be a whole number from 1 to 100");
}

static nd_status compress(void *handle, const nd_view *src, int quality, const unsigned char *from,
                          ndi_outfile *file, nd_error *err) {
  const bool is_gray = ndi_image_is_grey(src);
  unsigned char *made = NULL;
  unsigned long bytes = 0;
  nd_status status;
  if (ndi_turbojpeg.tjCompress2(handle, from, (int)src->axis[1].len, 0, (int)src->axis[0].len,
                                is_gray ? NDI_TJ_GRAY : NDI_TJ_RGB, &made, &bytes,
                                is_gray ? NDI_TJ_ONLY_GRAY : NDI_TJ_444, quality,
                                NDI_TJ_ACCURATE) != 0)
    status = fail(handle, ND_UNSUPPORTED, err);
  else status = ndi_outfile_write(file, made, bytes, err);
  ndi_turbojpeg.tjFree(made);
  return status;
}

/* In row-major order in host memory: 'src' itself or a copy. */
static nd_status make_packed(const nd_view *src, nd_view *out, nd_error *err) {
  char *host;
  if (nd_view_is_contiguous(src) && nd_view_host(src, false, &host, NULL) == ND_OK)
    return nd_view_copy(src, out), ND_OK;
  return nd_clone(src, nd_call_memory(nd_host_resource()), out, err);
}

static nd_status save(const nd_source *source, ndi_outfile *file, nd_error *err) {
  const nd_view *src = source->arrays[0].array;
  int quality = 0;
  void *handle = NULL;
  nd_view packed;
  char *host;
  ND_TRY(check(src, err));
  ND_TRY(find_quality(source, &quality, err));
  ND_TRY(open_library(&ndi_turbojpeg.tjInitCompress, &handle, err));
  nd_status status = make_packed(src, &packed, err);
  if (status == ND_OK) {
    status = nd_view_host(&packed, false, &host, err);
    if (status == ND_OK)
      status = compress(handle, src, quality, (const unsigned char *)host + packed.offset, file,
                        err);
    /* a mapped file may have become shorter */
    if (status == ND_OK) status = nd_storage_check(packed.storage, err);
    nd_view_drop(&packed);
  }
  ndi_turbojpeg.tjDestroy(handle);
  return status;
}

const nd_codec ndi_jpeg_codec = {.extensions = {".jpg", ".jpeg"},
                                 .settings = {{"quality", QUALITY}},
                                 .load = load,
                                 .save = save};
