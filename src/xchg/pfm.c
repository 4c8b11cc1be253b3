/* Portable float maps: grey and colour images of f32. Sources: the manual page pfm(5) of Netpbm,
 * and Paul Debevec's original description.
 *
 * A text header has "PF" (colour) or "Pf" (grey), width, height and scale, and ends with a single
 * blank. The rows follow from the bottom of the image to its top, so a loaded image is a view of
 * them with the first axis flipped, which serves for mapped files as well.
 *
 * The header is read in one piece and parsed there: a 0 behind it, which belongs to no token,
 * spares the parser every test for its end. */
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "xchg/format.h"
#include "xchg/image.h"
#include "xchg/io.h"

enum { HEADER_BYTES = 256 }; /* a longer header is refused */

typedef struct {
  char text[HEADER_BYTES + 1]; /* a 0 follows, a sentinel at which every token ends */
  size_t at, count;
  nd_error *err;
} header;

/* {=== the header ===} */

static nd_status fail_at(const header *h, size_t at, const char *expected) {
  char found[ND_CHAR_TEXT];
  const int c = at < h->count ? (unsigned char)h->text[at] : -1;
  return nd_fail_with(h->err, ND_FORMAT, ND_NUMBERS({"offset", (int64_t)at}),
                      "expected %s at offset %zu, found %s", expected, at, ndi_char_text(c, found));
}

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Skip the one blank that must follow a token; after the last token the rows begin there. */
static nd_status end_token(header *h, const char *expected) {
  if (!is_blank(h->text[h->at])) return fail_at(h, h->at, expected);
  h->at++;
  return ND_OK;
}

static void skip_blanks(header *h) {
  while (is_blank(h->text[h->at])) h->at++;
}

/* Parse a width or a height, and the blank after it. */
static nd_status take_extent(header *h, const char *what, size_t *out) {
  skip_blanks(h);
  const size_t first = h->at;
  size_t value = 0;
  if (!is_digit(h->text[first])) return fail_at(h, first, what);
  for (; is_digit(h->text[h->at]); h->at++)
    if (!ndi_append_digit(&value, h->text[h->at]))
      return nd_fail_with(h->err, ND_FORMAT,
                          ND_NUMBERS({"offset", (int64_t)first}, {"limit", (int64_t)ND_SIZE_MAX}),
                          "expected %s of at most %zu at offset %zu", what, ND_SIZE_MAX, first);
  *out = value;
  return end_token(h, "a blank after a number");
}

/* Skip digits. Sets '*some' if there is one, '*nonzero' if one is not 0. */
static void skip_digits(header *h, bool *some, bool *nonzero) {
  for (; is_digit(h->text[h->at]); h->at++) *some = true, *nonzero |= h->text[h->at] != '0';
}

/* Parse the scale, a decimal number other than 0. Only its sign is used: negative means
 * little-endian. Not by strtod, which depends on the locale and accepts infinities and NaNs. */
static nd_status take_scale(header *h, bool *is_negative) {
  static const char what[] = "a scale (a decimal number that is not 0)";
  bool some = false, nonzero = false;
  skip_blanks(h);
  const size_t first = h->at;
  *is_negative = h->text[h->at] == '-';
  if (*is_negative || h->text[h->at] == '+') h->at++;
  skip_digits(h, &some, &nonzero);
  if (h->text[h->at] == '.') h->at++, skip_digits(h, &some, &nonzero);
  if (!some || !nonzero) return fail_at(h, first, what);
  if ((h->text[h->at] | 0x20) == 'e') {
    h->at++;
    if (h->text[h->at] == '-' || h->text[h->at] == '+') h->at++;
    some = false, skip_digits(h, &some, &nonzero);
    if (!some) return fail_at(h, h->at, "an exponent's digits");
  }
  /* any blank will do, but writers use a newline */
  return end_token(h, "a newline after the scale");
}

static nd_status read_header(const ndi_infile *file, ndi_layout *out, nd_error *err) {
  header h = {.err = err};
  bool is_little = false;
  h.count = file->bytes < HEADER_BYTES ? file->bytes : HEADER_BYTES;
  ND_TRY(ndi_infile_read(file, 0, h.text, h.count, err));
  const bool is_colour = strncmp(h.text, "PF", 2) == 0;
  if (!is_colour && strncmp(h.text, "Pf", 2) != 0)
    return nd_fail_with(err, ND_FORMAT, ND_NUMBERS({"offset", 0}),
                        "not a float map: expected PF or Pf at offset 0");
  h.at = 2;
  ND_TRY(end_token(&h, "a blank after the magic number"));
  ND_TRY(take_extent(&h, "a width", &out->shape[1]));
  ND_TRY(take_extent(&h, "a height", &out->shape[0]));
  ND_TRY(take_scale(&h, &is_little));
  out->dtype = ND_F32;
  out->ndim = is_colour ? 3 : 2;
  out->shape[2] = 3;
  /* the machine is little-endian: see base/platform.h */
  out->is_swapped = !is_little;
  out->offset = h.at;
  return ND_OK;
}

/* {=== loading and saving ===} */

static nd_status load(ndi_infile *file, nd_sink *sink, nd_error *err) {
  ndi_layout layout = {0};
  nd_view rows, image;
  ND_TRY(read_header(file, &layout, err));
  ND_TRY(ndi_infile_load(file, &layout, sink->map, &rows, err));
  const nd_status status = nd_view_flip(&rows, 1, &image, err); /* axis 0: the top row first */
  nd_view_drop(&rows);
  return status == ND_OK ? sink->put_array(sink, NULL, &image, err) : status;
}

static nd_status save(const nd_source *source, ndi_outfile *file, nd_error *err) {
  const nd_view *src = source->arrays[0].array;
  char text[64];
  nd_view rows;
  if (src->dtype != ND_F32)
    return nd_fail_remedy(err, ND_TYPE_MISMATCH, ND_REMEDY_CAST,
                          "a float map has f32 elements, not %s",
                          nd_dtype_get((nd_dtype)src->dtype)->name);
  ND_TRY(ndi_image_check(src, err));
  const int length = snprintf(text, sizeof text, "P%c\n%zu %zu\n-1.0\n",
                              ndi_image_is_grey(src) ? 'f' : 'F', src->axis[1].len,
                              src->axis[0].len);
  ND_TRY(ndi_outfile_write(file, text, (size_t)length, err));
  ND_TRY(nd_view_flip(src, 1, &rows, err));
  const nd_status status = ndi_outfile_write_view(file, &rows, err);
  nd_view_drop(&rows);
  return status;
}

const nd_codec ndi_pfm_codec = {.extensions = {".pfm"}, .load = load, .save = save};
