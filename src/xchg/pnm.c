/* Netpbm's grey and colour images: P5, P6, and the plain P2, P3. Source: the manuals pgm(5),
 * ppm(5). */
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "xchg/io.h"
#include "xchg/xchg.h"

/* The file as characters. */
typedef struct {
  const ndi_infile *file;
  size_t at;           /* of the next character */
  size_t first, count; /* what of the file the window holds */
  nd_status status;    /* of the last fill; sticky */
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

static bool fill(reader *r) {
  const size_t left = r->file->bytes > r->at ? r->file->bytes - r->at : 0;
  r->first = r->at;
  r->count = left < sizeof r->window ? left : sizeof r->window;
  r->status = ndi_infile_read(r->file, r->first, r->window, r->count, r->err);
  return r->status == ND_OK && r->count > 0;
}

static int next_byte(reader *r) {
  if (r->at - r->first >= r->count && (r->status != ND_OK || !fill(r))) return END;
  return r->window[r->at++ - r->first];
}

/* A comment reads as the end of its line, wherever it begins; as in netpbm. */
static int next_char(reader *r) {
  int c = next_byte(r);
  if (c != '#') return c;
  do c = next_byte(r);
  while (c != '\n' && c != '\r' && c != END);
  return c;
}

static bool is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* 'at': of the character after the one that is wrong. */
static nd_status fail_char(const reader *r, int c, const char *expected) {
  if (r->status != ND_OK) return r->status;
  char found[16] = "the end";
  if (c > 0x20 && c < 0x7F) snprintf(found, sizeof found, "'%c'", c);
  else if (c != END) snprintf(found, sizeof found, "byte 0x%02X", (unsigned)c);
  const size_t at = r->at - (c != END);
  return nd_fail_with(r->err, ND_FORMAT, ND_NUMBERS({"offset", (int64_t)at}),
                      "expected %s at offset %zu, found %s", expected, at, found);
}

/* A decimal number and the one character after it, which must be a space or the end. */
static nd_status next_number(reader *r, const char *what, size_t limit, size_t *out) {
  int c = next_char(r);
  while (is_space(c)) c = next_char(r);
  if (c < '0' || c > '9') return fail_char(r, c, what);
  const size_t at = r->at - 1;
  size_t value = 0;
  for (; c >= '0' && c <= '9'; c = next_char(r)) {
    const size_t digit = (size_t)(c - '0');
    if (!ndi_size_mul(value, 10, &value) || !ndi_size_add(value, digit, &value) || value > limit)
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
  if (p != 'P' || digit <= 0 || !strchr("1234567Ff", digit)) {
    if (r->status != ND_OK) return r->status;
    return nd_fail_with(r->err, ND_FORMAT, ND_NUMBERS({"offset", 0}),
                        "not a Netpbm image: expected P2, P3, P5 or P6 at offset 0");
  }
  if (!strchr("2356", digit))
    return nd_fail(r->err, ND_UNSUPPORTED,
                   "Netpbm P%c is not read; convert it to P5 (grey) or P6 (colour)", digit);
  const int c = next_char(r);
  if (!is_space(c)) return fail_char(r, c, "a space after the magic number");
  out->is_plain = digit < '4';
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
  out->layout.dtype = out->maxval < 256 ? ND_U8 : ND_U16;
  out->layout.is_swapped = out->layout.dtype == ND_U16;
  out->layout.offset = r->at;
  return ND_OK;
}

/* Before anything is allocated: a number takes a digit and, but for the last, a space. */
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
  ND_TRY(nd_storage_host(dst->storage, true, &host, r->err));
  const bool is_wide = dst->dtype == ND_U16;
  const size_t limit = is_wide ? UINT16_MAX : UINT8_MAX;
  for (size_t i = 0; i < dst->size; i++) {
    size_t value;
    if (i % 65536 == 0) ND_TRY(nd_check_interrupt(r->err));
    ND_TRY(next_number(r, "a number", limit, &value));
    const uint16_t wide = (uint16_t)value;
    if (is_wide) memcpy(host + 2 * i, &wide, sizeof wide);
    else host[i] = (char)value;
  }
  return ND_OK;
}

static nd_status load_plain(reader *r, const ndi_layout *l, bool map, nd_view *out) {
  if (map)
    return nd_fail(r->err, ND_UNSUPPORTED,
                   "a plain Netpbm image is text, which cannot be used in place; load it without "
                   "mmap");
  nd_view view;
  ND_TRY(check_plain(r, l));
  ND_TRY(nd_new(nd_host_resource(), l->dtype, l->ndim, l->shape, (nd_storage_options){0}, &view,
                r->err));
  const nd_status status = read_numbers(r, &view);
  if (status == ND_OK) *out = view;
  else nd_view_drop(&view);
  return status;
}

nd_status nd_pnm_load(const char *path, bool map, nd_view *out, nd_error *err) {
  ndi_infile file;
  image header = {0};
  ND_TRY(ndi_infile_open(path, &file, err));
  reader r = {.file = &file, .err = err};
  nd_status status = read_header(&r, &header);
  if (status == ND_OK)
    status = header.is_plain ? load_plain(&r, &header.layout, map, out)
                             : ndi_infile_load(&file, &header.layout, map, out, err);
  ndi_infile_close(&file);
  return ndi_name_file(status, path, err);
}

/* {=== saving ===} */

static nd_status check_image(const nd_view *src, nd_error *err) {
  char text[ND_SHAPE_TEXT];
  if (src->dtype != ND_U8 && src->dtype != ND_U16)
    return nd_fail(err, ND_TYPE_MISMATCH, "an image has u8 or u16 elements, not %s; use astype",
                   nd_dtype_get((nd_dtype)src->dtype)->name);
  if (src->ndim == 2 || (src->ndim == 3 && src->axis[2].len == 3)) return ND_OK;
  return nd_fail(err, ND_SHAPE_MISMATCH,
                 "an image has the shape {rows, columns} or {rows, columns, 3}, not %s",
                 nd_shape_text(src->ndim, src->axis, text, sizeof text));
}

/* 'pixels' are in the file's byte order. */
static nd_status save(const char *path, const nd_view *pixels, nd_error *err) {
  char text[64];
  ndi_outfile file;
  const int length = snprintf(text, sizeof text, "P%c\n%zu %zu\n%d\n",
                              pixels->ndim == 2 ? '5' : '6', pixels->axis[1].len,
                              pixels->axis[0].len, pixels->dtype == ND_U8 ? 255 : 65535);
  ND_TRY(ndi_outfile_open(path, &file, err));
  nd_status status = ndi_outfile_write(&file, text, (size_t)length, err);
  if (status == ND_OK) status = ndi_outfile_write_view(&file, pixels, err);
  return ndi_outfile_close(&file, status, err);
}

nd_status nd_pnm_save(const char *path, const nd_view *src, nd_error *err) {
  nd_view swapped;
  nd_status status = check_image(src, err);
  if (status == ND_OK && src->dtype == ND_U16) {
    status = nd_byteswap(src, &swapped, err);
    if (status == ND_OK) {
      status = save(path, &swapped, err);
      nd_view_drop(&swapped);
    }
  } else if (status == ND_OK) {
    status = save(path, src, err);
  }
  return ndi_name_file(status, path, err);
}
