/* PNG images, by libpng: 8 and 16 bits, grey or RGB, with or without alpha, exactly as they are.
 * Fewer bits and palettes are expanded when they are read.
 *
 * libpng leaves a function by longjmp when something fails. So all of its calls are in functions
 * that 'guarded' calls, which own nothing. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/call.h"
#include "mem/host.h"
#include "xchg/format.h"
#include "xchg/io.h"
#include "xchg/libpng.h"

ndi_libpng_functions ndi_libpng;

static const char *version(void) { return ndi_libpng.png_get_libpng_ver(NULL); }

ndi_library ndi_libpng_library = {
    .name = "libpng",
    .file = "libpng16.so.16",
    .package = "libpng16-16",
    .symbols = (const char *const[]){"png_get_libpng_ver",
                                     "png_create_read_struct",
                                     "png_create_write_struct",
                                     "png_create_info_struct",
                                     "png_destroy_read_struct",
                                     "png_destroy_write_struct",
                                     "png_get_error_ptr",
                                     "png_set_read_fn",
                                     "png_set_write_fn",
                                     "png_error",
                                     "png_set_user_limits",
                                     "png_set_chunk_cache_max",
                                     "png_read_info",
                                     "png_get_IHDR",
                                     "png_get_channels",
                                     "png_get_rowbytes",
                                     "png_set_expand",
                                     "png_set_swap",
                                     "png_set_interlace_handling",
                                     "png_read_update_info",
                                     "png_read_row",
                                     "png_read_end",
                                     "png_set_IHDR",
                                     "png_set_compression_buffer_size",
                                     "png_write_info",
                                     "png_write_row",
                                     "png_write_end",
                                     NULL},
    .functions = &ndi_libpng,
    .version = version};

/* An image that is being read or written. */
typedef struct {
  jmp_buf jump;
  nd_error *err;
  nd_status status; /* of what failed in our own functions */
  ndi_png *png;
  ndi_png_info *info;
  ndi_file_source from; /* reading */
  ndi_outfile *to;      /* writing */
  const nd_view *view;  /* what is read into, or written */
  unsigned char *host;  /* its first element, if the CPU can use it as it is; else */
  unsigned char *row;   /* a buffer for a row, of what is written */
  ndi_layout layout;    /* reading */
  uint32_t width, height;
  int depth, color, passes;
} image;

static image *image_of(ndi_png *png) { return ndi_libpng.png_get_error_ptr(png); }

ND_NORETURN static void fail(ndi_png *png, const char *message) {
  image *m = image_of(png);
  const nd_status code = ndi_library_code(message, m->to ? ND_UNSUPPORTED : ND_FORMAT);
  if (m->status == ND_OK && m->to) m->status = nd_fail(m->err, code, "libpng: %.200s", message);
  else if (m->status == ND_OK)
    m->status = nd_fail_with(m->err, code, ND_NUMBERS({"offset", (int64_t)m->from.at}),
                             "libpng: %.200s, at offset %zu", message, m->from.at);
  longjmp(m->jump, 1);
}

static void warn(ndi_png *png, const char *message) { (void)png, (void)message; }

/* Call a function that calls libpng. Nothing in this one changes between setjmp and longjmp. */
static nd_status guarded(image *m, void (*body)(image *m)) {
  if (setjmp(m->jump) != 0) return m->status;
  body(m);
  return ND_OK;
}

/* To be called within 'guarded' alone. */
static void try(image *m, nd_status status) {
  if (status == ND_OK) return;
  m->status = status;
  ndi_libpng.png_error(m->png, "");
}

/* {=== reading ===} */

static void read_bytes(ndi_png *png, unsigned char *to, size_t count) {
  image *m = image_of(png);
  if (count > m->from.base.left) ndi_libpng.png_error(png, "the file ends too early");
  try(m, m->from.base.read(&m->from.base, to, count, m->err));
}

static void begin_read(image *m) {
  int interlace;
  m->info = ndi_libpng.png_create_info_struct(m->png);
  if (!m->info) try(m, nd_fail(m->err, ND_OUT_OF_MEMORY, "no memory for an image"));
  ndi_libpng.png_set_user_limits(m->png, INT32_MAX, INT32_MAX); /* check_size has the bounds */
  ndi_libpng.png_set_chunk_cache_max(m->png, 1); /* texts: none is kept, nor unpacked */
  ndi_libpng.png_set_read_fn(m->png, NULL, read_bytes);
  ndi_libpng.png_read_info(m->png, m->info);
  ndi_libpng.png_get_IHDR(m->png, m->info, &m->width, &m->height, &m->depth, &m->color, &interlace,
                          NULL, NULL);
}

/* Deflate makes at most 1032 bytes of one; of the pixels at least one bit each is in the file. */
static nd_status check_size(const image *m, size_t file_bytes, nd_error *err) {
  const uint64_t packed = ((uint64_t)m->width * (unsigned)m->depth + 7) / 8;
  if (packed <= (uint64_t)1032 * file_bytes / m->height) return ND_OK;
  return nd_fail(err, ND_FORMAT, "an image of %u x %u pixels is not in %zu B", m->width, m->height,
                 file_bytes);
}

static void expand(image *m) {
  ndi_libpng.png_set_expand(m->png);
  if (m->depth == 16) ndi_libpng.png_set_swap(m->png);
  m->passes = ndi_libpng.png_set_interlace_handling(m->png);
  ndi_libpng.png_read_update_info(m->png, m->info);
  const size_t channels = ndi_libpng.png_get_channels(m->png, m->info);
  m->layout = (ndi_layout){.dtype = m->depth == 16 ? ND_U16 : ND_U8,
                           .ndim = channels > 1 ? 3 : 2,
                           .shape = {m->height, m->width, channels}};
  if (ndi_libpng.png_get_rowbytes(m->png, m->info) !=
      m->width * channels * nd_dtype_get(m->layout.dtype)->bytes)
    ndi_libpng.png_error(m->png, "rows of an unexpected size");
}

static void read_rows(image *m) {
  const size_t bytes = nd_view_nbytes(m->view) / m->height;
  for (int pass = 0; pass < m->passes; pass++)
    for (uint32_t i = 0; i < m->height; i++) {
      ndi_libpng.png_read_row(m->png, m->host + i * bytes, NULL);
      if (i % 64 == 0) try(m, nd_check_interrupt(m->err));
    }
  ndi_libpng.png_read_end(m->png, NULL);
}

static nd_status read_into(image *m, nd_view *out, nd_error *err) {
  char *host;
  m->view = out;
  ND_TRY(nd_view_host(out, true, &host, err));
  m->host = (unsigned char *)host + out->offset;
  return guarded(m, read_rows);
}

static nd_status read_image(image *m, size_t file_bytes, nd_view *out, nd_error *err) {
  ND_TRY(guarded(m, begin_read));
  ND_TRY(check_size(m, file_bytes, err));
  ND_TRY(guarded(m, expand));
  ND_TRY(nd_new(nd_call_memory(nd_host_resource()), m->layout.dtype, m->layout.ndim,
                m->layout.shape, (nd_storage_options){0}, out, err));
  const nd_status status = read_into(m, out, err);
  if (status != ND_OK) nd_view_drop(out);
  return status;
}

static nd_status fail_begin(nd_error *err) {
  return nd_fail(err, ND_OUT_OF_MEMORY, "libpng %s does not begin", version());
}

static nd_status load(ndi_infile *file, nd_sink *sink, nd_error *err) {
  image m = {.err = err, .from = ndi_infile_source(file, 0)};
  nd_view array;
  if (sink->map)
    return nd_fail_remedy(err, ND_UNSUPPORTED, ND_REMEDY_READ,
                          "compressed images cannot be mapped");
  ND_TRY(ndi_library_open(&ndi_libpng_library, err));
  m.png = ndi_libpng.png_create_read_struct(version(), &m, fail, warn);
  if (!m.png) return fail_begin(err);
  const nd_status status = read_image(&m, file->bytes, &array, err);
  ndi_libpng.png_destroy_read_struct(&m.png, &m.info, NULL);
  return status == ND_OK ? sink->put_array(sink, NULL, &array, err) : status;
}

/* {=== writing ===} */

static void write_bytes(ndi_png *png, unsigned char *from, size_t count) {
  image *m = image_of(png);
  try(m, ndi_outfile_write(m->to, from, count, m->err));
}

static void flush(ndi_png *png) { (void)png; }

static void write_image(image *m) {
  const size_t bytes = nd_view_nbytes(m->view) / m->height;
  m->info = ndi_libpng.png_create_info_struct(m->png);
  if (!m->info) try(m, nd_fail(m->err, ND_OUT_OF_MEMORY, "no memory for an image"));
  ndi_libpng.png_set_user_limits(m->png, INT32_MAX, INT32_MAX);
  ndi_libpng.png_set_write_fn(m->png, NULL, write_bytes, flush);
  ndi_libpng.png_set_compression_buffer_size(m->png, 256 << 10);
  ndi_libpng.png_set_IHDR(m->png, m->info, m->width, m->height, m->depth, m->color, 0, 0, 0);
  ndi_libpng.png_write_info(m->png, m->info);
  if (m->depth == 16) ndi_libpng.png_set_swap(m->png);
  for (uint32_t i = 0; i < m->height; i++) {
    const unsigned char *row = m->host ? m->host + i * bytes : m->row;
    if (!m->host) try(m, ndi_copyout_row(m->view, i, m->row, bytes, m->err));
    ndi_libpng.png_write_row(m->png, row);
    if (i % 64 == 0) try(m, nd_check_interrupt(m->err));
  }
  ndi_libpng.png_write_end(m->png, NULL);
  try(m, nd_storage_check(m->view->storage, m->err)); /* a mapped file may have become shorter */
}

static nd_status check(const nd_view *src, nd_error *err) {
  char text[ND_SHAPE_TEXT];
  const size_t channels = src->ndim == 3 ? src->axis[2].len : 1;
  if (src->dtype != ND_U8 && src->dtype != ND_U16)
    return nd_fail_remedy(err, ND_TYPE_MISMATCH, ND_REMEDY_CAST,
                          "a .png has u8, 0 to 255, or u16, 0 to 65535, not %s",
                          nd_dtype_get((nd_dtype)src->dtype)->name);
  if (src->ndim < 2 || src->ndim > 3 || channels < 1 || channels > 4 || src->size == 0)
    return nd_fail(err, ND_SHAPE_MISMATCH,
                   "a .png has the shape {rows, columns} or {rows, columns, 1 to 4}, not %s",
                   nd_shape_text(src->ndim, src->axis, text, sizeof text));
  if (src->axis[0].len > INT32_MAX || src->axis[1].len > INT32_MAX)
    return nd_fail(err, ND_CAPACITY, "an image of %zu x %zu pixels; the limit of the format is %d",
                   src->axis[1].len, src->axis[0].len, INT32_MAX);
  return ND_OK;
}

static nd_status save(const nd_source *source, ndi_outfile *file, nd_error *err) {
  static const int colors[] = {NDI_PNG_GRAY, NDI_PNG_GRAY | NDI_PNG_ALPHA, NDI_PNG_RGB,
                               NDI_PNG_RGB | NDI_PNG_ALPHA};
  const nd_view *src = source->arrays[0].array;
  ND_TRY(check(src, err));
  image m = {.err = err,
             .to = file,
             .view = src,
             .width = (uint32_t)src->axis[1].len,
             .height = (uint32_t)src->axis[0].len,
             .depth = 8 * (int)nd_view_itemsize(src),
             .color = colors[src->ndim == 3 ? src->axis[2].len - 1 : 0]};
  char *host;
  ND_TRY(ndi_library_open(&ndi_libpng_library, err));
  if (nd_view_is_contiguous(src) && nd_view_host(src, false, &host, NULL) == ND_OK)
    m.host = (unsigned char *)host + src->offset;
  else if (!(m.row = malloc(nd_view_nbytes(src) / m.height)))
    return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for a row of an image");
  m.png = ndi_libpng.png_create_write_struct(version(), &m, fail, warn);
  const nd_status status = m.png ? guarded(&m, write_image) : fail_begin(err);
  ndi_libpng.png_destroy_write_struct(&m.png, &m.info);
  free(m.row);
  return status;
}

const nd_codec ndi_png_codec = {.extensions = {".png"}, .load = load, .save = save};
