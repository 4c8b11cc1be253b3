/* Netpbm's grey and colour images: P5 and P6, whose pixels are binary, and the plain P2 and P3,
 * whose pixels are decimal text. Sources: the manual pages pgm(5) and ppm(5).
 *
 * Headers and plain pixels are read character by character, as comments may be anywhere in them.
 * Binary pixels begin right after the header and are loaded like any other array. */
#include <stdio.h>
#include <string.h>

#include "base/call.h"
#include "base/size.h"
#include "mem/host.h"
#include "ops/ops.h"
#include "xchg/format.h"
#include "xchg/image.h"
#include "xchg/io.h"

/* Reads the file character by character, through a buffer. */
typedef struct {
  const ndi_infile *file;
  size_t at;           /* offset of the next character */
  size_t first, count; /* the part of the file that is in the window */
  nd_status status;    /* a failed read; then every further character is END */
  nd_error *err;
  unsigned char window[8192];
} reader;

typedef struct {
  bool is_plain; /* numbers as text */
  size_t maxval;
  ndi_layout layout;
} image;

enum { END = -1 };

/* {=== characters ===} */

/* Read the part of the file from r->at on into the window. False at the end, and on failure. */
static bool fill(reader *r) {
  /* the size at opening limits it: bytes that are appended meanwhile are not read */
  const size_t left = r->file->bytes > r->at ? r->file->bytes - r->at : 0;
  r->first = r->at;
  r->count = left < sizeof r->window ? left : sizeof r->window;
  r->status = ndi_infile_read(r->file, r->first, r->window, r->count, r->err);
  return r->status == ND_OK && r->count > 0;
}

/* The next character, 0 to 255, or END; r->status tells the end from a failure. */
static int next_byte(reader *r) {
  if (r->at - r->first >= r->count && (r->status != ND_OK || !fill(r))) return END;
  return r->window[r->at++ - r->first];
}

/* The next character outside comments. A comment, from '#' to the end of its line, may begin
 * anywhere, even in a number, and counts as that end of line, as in Netpbm. */
static int next_char(reader *r) {
  int c = next_byte(r);
  if (c != '#') return c;
  do c = next_byte(r);
  while (c != '\n' && c != '\r' && c != END);
  return c;
}

static bool is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Report the character 'c', which was read last, or the read error that END stands for. */
static nd_status fail_char(const reader *r, int c, const char *expected) {
  if (r->status != ND_OK) return r->status;
  char found[ND_CHAR_TEXT];
  const size_t at = r->at - (c != END);
  return nd_fail_with(r->err, ND_FORMAT, ND_NUMBERS({"offset", (int64_t)at}),
                      "expected %s at offset %zu, found %s", expected, at, ndi_char_text(c, found));
}

/* Read a decimal number of at most 'limit', and the one character after it, which must be a space
 * or the end: after the last number of a header, the binary pixels begin there. */
static nd_status next_number(reader *r, const char *what, size_t limit, size_t *out) {
  int c = next_char(r);
  while (is_space(c)) c = next_char(r);
  if (c < '0' || c > '9') return fail_char(r, c, what);
  const size_t at = r->at - 1;
  size_t value = 0;
  for (; c >= '0' && c <= '9'; c = next_char(r)) {
    if (!ndi_append_digit(&value, c) || value > limit)
      return nd_fail_with(r->err, ND_FORMAT,
                          ND_NUMBERS({"offset", (int64_t)at}, {"limit", (int64_t)limit}),
                          "expected %s of at most %zu at offset %zu", what, limit, at);
  }
  if (!is_space(c) && (c != END || r->status != ND_OK))
    return fail_char(r, c, "a space after a number");
  *out = value;
  return ND_OK;
}

/* {=== loading ===} */

static nd_status read_magic(reader *r, image *out) {
  const int p = next_byte(r), digit = p == END ? END : next_byte(r);
  if (p != 'P' || digit <= 0 || !strchr("1234567Ff", digit)) { /* not a Netpbm file */
    if (r->status != ND_OK) return r->status;
    return nd_fail_with(r->err, ND_FORMAT, ND_NUMBERS({"offset", 0}),
                        "not a Netpbm image: expected P2, P3, P5 or P6 at offset 0");
  }
  if (!strchr("2356", digit))
    return nd_fail(r->err, ND_UNSUPPORTED,
                   "Netpbm P%c is not supported; convert it to P5 (grey) or P6 (colour)", digit);
  const int c = next_char(r);
  if (!is_space(c)) return fail_char(r, c, "a space after the magic number");
  out->is_plain = digit < '4'; /* P2, P3 */
  out->layout.ndim = digit == '3' || digit == '6' ? 3 : 2;
  return ND_OK;
}

static nd_status read_header(reader *r, image *out) {
  size_t *shape = out->layout.shape;
  ND_TRY(read_magic(r, out));
  ND_TRY(next_number(r, "a width", ND_SIZE_MAX, &shape[1]));
  ND_TRY(next_number(r, "a height", ND_SIZE_MAX, &shape[0]));
  ND_TRY(next_number(r, "a maximal value", 65535, &out->maxval));
  if (out->maxval == 0)
    return nd_fail_with(
        r->err, ND_FORMAT, ND_NUMBERS({"offset", (int64_t)r->at}, {"value", 0}, {"limit", 65535}),
        "expected a maximal value from 1 to 65535 before offset %zu, found 0", r->at);
  shape[2] = 3;
  /* a number takes one byte where that is enough, else two */
  out->layout.dtype = out->maxval < 256 ? ND_U8 : ND_U16;
  out->layout.is_swapped = out->layout.dtype == ND_U16; /* the format is big-endian */
  out->layout.offset = r->at;
  return ND_OK;
}

/* Before anything is allocated, check that the file is long enough for all numbers: each takes a
 * digit and, but for the last, a space. */
static nd_status check_plain(const reader *r, const ndi_layout *l) {
  size_t text;
  if (!ndi_size_of(l->ndim, l->shape, 2, &text))
    return nd_fail(r->err, ND_OVERFLOW, "the size in the header exceeds the largest array");
  if (text > 0) text--;
  const size_t there = r->file->bytes - r->at;
  if (text <= there) return ND_OK;
  return nd_fail_with(r->err, ND_FORMAT,
                      ND_NUMBERS({"offset", (int64_t)r->at}, {"expected", (int64_t)text},
                                 {"actual", (int64_t)there}),
                      "truncated: expected at least %zu B of numbers at offset %zu, found %zu B",
                      text, r->at, there);
}

static nd_status read_numbers(reader *r, const nd_view *dst) {
  char *host;
  ND_TRY(nd_view_host(dst, true, &host, r->err));
  const bool is_wide = dst->dtype == ND_U16;
  /* as in binary files, what exceeds the maximal value but fits the dtype is kept */
  const size_t limit = is_wide ? UINT16_MAX : UINT8_MAX;
  for (size_t i = 0; i < dst->size; i++) {
    size_t value;
    if (i % 65536 == 0) ND_TRY(nd_check_interrupt(r->err)); /* some milliseconds of parsing */
    ND_TRY(next_number(r, "a number", limit, &value));
    const uint16_t wide = (uint16_t)value;
    if (is_wide) memcpy(host + 2 * i, &wide, sizeof wide);
    else host[i] = (char)value;
  }
  return ND_OK;
}

static nd_status load_plain(reader *r, const ndi_layout *l, bool map, nd_view *out) {
  if (map)
    return nd_fail_remedy(r->err, ND_UNSUPPORTED, ND_REMEDY_READ,
                          "a plain Netpbm image is text, which cannot be mapped");
  nd_view view;
  ND_TRY(check_plain(r, l));
  ND_TRY(nd_new(nd_call_memory(nd_host_resource()), l->dtype, l->ndim, l->shape,
                (nd_storage_options){0}, &view, r->err));
  const nd_status status = read_numbers(r, &view);
  if (status == ND_OK) *out = view;
  else nd_view_drop(&view);
  return status;
}

static nd_status load(ndi_infile *file, nd_sink *sink, nd_error *err) {
  image header = {0};
  nd_view array;
  reader r = {.file = file, .err = err};
  ND_TRY(read_header(&r, &header));
  if (header.is_plain) ND_TRY(load_plain(&r, &header.layout, sink->map, &array));
  else ND_TRY(ndi_infile_load(file, &header.layout, sink->map, &array, err));
  return sink->put_array(sink, NULL, &array, err);
}

/* {=== saving ===} */

/* 'pixels' are in the byte order of the file. */
static nd_status write(const nd_view *pixels, ndi_outfile *file, nd_error *err) {
  char text[64];
  const int length = snprintf(text, sizeof text, "P%c\n%zu %zu\n%d\n",
                              ndi_image_is_grey(pixels) ? '5' : '6', pixels->axis[1].len,
                              pixels->axis[0].len, pixels->dtype == ND_U8 ? 255 : 65535);
  ND_TRY(ndi_outfile_write(file, text, (size_t)length, err));
  return ndi_outfile_write_view(file, pixels, err);
}

static nd_status save(const nd_source *source, ndi_outfile *file, nd_error *err) {
  const nd_view *src = source->arrays[0].array;
  nd_view swapped;
  if (src->dtype != ND_U8 && src->dtype != ND_U16)
    return nd_fail_remedy(err, ND_TYPE_MISMATCH, ND_REMEDY_CAST,
                          "an image has u8 or u16 elements, not %s",
                          nd_dtype_get((nd_dtype)src->dtype)->name);
  ND_TRY(ndi_image_check(src, err));
  if (src->dtype == ND_U8) return write(src, file, err);
  /* a copy in big-endian order */
  ND_TRY(nd_byteswap(src, &swapped, err));
  const nd_status status = write(&swapped, file, err);
  nd_view_drop(&swapped);
  return status;
}

const nd_codec ndi_pnm_codec = {.extensions = {".pgm", ".ppm"}, .load = load, .save = save};
