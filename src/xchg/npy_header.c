/* The header of an .npy file: a parser for the few Python literals in it, by recursive descent, and
 * the writer. The parser is as strict as NumPy; error messages give the offset in the text.
 *
 * Each parse_ function begins at p->at, skips spaces, and leaves p->at behind what it parsed. After
 * a failure, which 'err' describes, the position does not matter: nothing is parsed again. */
#include "xchg/npy_header.h"

#include <stdio.h>
#include <string.h>

#include "base/size.h"

static const char magic[] = "\x93NUMPY";
enum { MAGIC = 6 };

typedef struct {
  const char *text; /* not ended by a 0 */
  size_t length, at;
  nd_error *err;
} parser;

/* A part of the text. */
typedef struct {
  const char *text;
  size_t length, at; /* 'at': its offset, for messages */
} word;

enum { DESCR = 1, FORTRAN_ORDER = 2, SHAPE = 4 }; /* the keys seen */

/* {=== the lead ===} */

/* Says whether the file is of another format, or ends too early. */
static nd_status fail_lead(const unsigned char *bytes, size_t count, nd_error *err) {
  if (count < MAGIC || memcmp(bytes, magic, MAGIC) != 0)
    return nd_fail_with(err, ND_FORMAT, ND_NUMBERS({"offset", 0}),
                        "not an .npy file: expected \\x93NUMPY at offset 0");
  return nd_fail_with(err, ND_FORMAT, ND_NUMBERS({"offset", (int64_t)count}),
                      "truncated: the file ends at offset %zu, inside the .npy header", count);
}

nd_status ndi_npy_lead(const unsigned char *bytes, size_t count, size_t *at, size_t *length,
                       nd_error *err) {
  if (count < MAGIC + 2 || memcmp(bytes, magic, MAGIC) != 0) return fail_lead(bytes, count, err);
  const unsigned major = bytes[MAGIC], minor = bytes[MAGIC + 1];
  if (major < 1 || major > 3 || minor != 0)
    return nd_fail_with(err, ND_FORMAT, ND_NUMBERS({"offset", MAGIC}, {"value", major}),
                        "expected .npy version 1.0, 2.0 or 3.0 at offset %d, found %u.%u", MAGIC,
                        major, minor);
  const size_t width = major == 1 ? 2 : 4; /* bytes of the length, little-endian */
  if (count < MAGIC + 2 + width) return fail_lead(bytes, count, err);
  size_t text = 0;
  for (size_t i = 0; i < width; i++) text |= (size_t)bytes[MAGIC + 2 + i] << 8 * i;
  if (text > ND_NPY_TEXT_MAX) /* before it is allocated: a length may claim 4 GiB */
    return nd_fail_with(
        err, ND_FORMAT,
        ND_NUMBERS({"offset", MAGIC + 2}, {"actual", (int64_t)text}, {"limit", ND_NPY_TEXT_MAX}),
        "the header of %zu B is longer than %d B", text, ND_NPY_TEXT_MAX);
  *at = MAGIC + 2 + width;
  *length = text;
  return ND_OK;
}

/* {=== characters ===} */

static nd_status fail_at(const parser *p, size_t at, const char *expected) {
  char found[ND_CHAR_TEXT];
  const int c = at < p->length ? (unsigned char)p->text[at] : -1;
  return nd_fail_with(p->err, ND_FORMAT, ND_NUMBERS({"offset", (int64_t)at}),
                      "expected %s at offset %zu of the header's text, found %s", expected, at,
                      ndi_char_text(c, found));
}

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f';
}

static void skip_space(parser *p) {
  while (p->at < p->length && is_space(p->text[p->at])) p->at++;
}

/* Skip spaces, then 'c' if it comes next. Returns whether it did. */
static bool accept(parser *p, char c) {
  skip_space(p);
  if (p->at >= p->length || p->text[p->at] != c) return false;
  p->at++;
  return true;
}

static nd_status expect(parser *p, char c, const char *what) {
  return accept(p, c) ? ND_OK : fail_at(p, p->at, what);
}

static bool is_digit(const parser *p) {
  return p->at < p->length && p->text[p->at] >= '0' && p->text[p->at] <= '9';
}

static bool is_word(const word *w, const char *text) {
  return w->length == strlen(text) && memcmp(w->text, text, w->length) == 0;
}

/* {=== values ===} */

/* A string without escapes: no key or dtype that we know has one. */
static nd_status parse_string(parser *p, const char *what, word *out) {
  if (!accept(p, '\'') && !accept(p, '"')) return fail_at(p, p->at, what);
  /* whichever of the two was accepted ends it */
  const char quote = p->text[p->at - 1];
  const size_t first = p->at;
  while (p->at < p->length && p->text[p->at] != quote && p->text[p->at] != '\\' &&
         p->text[p->at] != '\n')
    p->at++;
  if (p->at >= p->length || p->text[p->at] != quote)
    return fail_at(p, p->at, quote == '"' ? "a closing \"" : "a closing '");
  *out = (word){.text = p->text + first, .length = p->at - first, .at = first};
  p->at++;
  return ND_OK;
}

static nd_status parse_bool(parser *p, bool *out) {
  skip_space(p);
  word w = {.text = p->text + p->at, .at = p->at};
  /* in ASCII, | 0x20 makes a letter lower-case */
  while (p->at < p->length && ((p->text[p->at] | 0x20) >= 'a' && (p->text[p->at] | 0x20) <= 'z'))
    p->at++;
  w.length = p->at - w.at;
  if (!is_word(&w, "True") && !is_word(&w, "False")) return fail_at(p, w.at, "True or False");
  *out = is_word(&w, "True");
  return ND_OK;
}

/* One extent, "12" or Python 2's "12L". */
static nd_status parse_extent(parser *p, size_t *out) {
  skip_space(p);
  const size_t first = p->at;
  size_t value = 0;
  if (!is_digit(p)) return fail_at(p, p->at, "an extent (a whole number, not negative) or ')'");
  for (; is_digit(p); p->at++) {
    /* Python refuses them too, but for zeros alone, such as 00 */
    if (p->at > first && p->text[first] == '0')
      return fail_at(p, first, "an extent without leading 0");
    if (!ndi_append_digit(&value, p->text[p->at]))
      return nd_fail_with(p->err, ND_OVERFLOW, ND_NUMBERS({"offset", (int64_t)first}),
                          "the extent at offset %zu of the header's text is too large", first);
  }
  if (p->at < p->length && p->text[p->at] == 'L') p->at++; /* a "long" of Python 2 */
  *out = value;
  return ND_OK;
}

/* A tuple: a single extent needs its comma, as "(3)" is a number in Python. */
static nd_status parse_shape(parser *p, ndi_npy_header *out) {
  ND_TRY(expect(p, '(', "a tuple of extents"));
  int ndim = 0;
  bool comma = true; /* may another extent follow? */
  while (!accept(p, ')')) {
    if (!comma) return fail_at(p, p->at, "',' or ')'");
    if (ndim == ND_MAX_NDIM)
      return nd_fail_with(p->err, ND_UNSUPPORTED,
                          ND_NUMBERS({"offset", (int64_t)p->at}, {"limit", ND_MAX_NDIM}),
                          "the array has more than %d axes", ND_MAX_NDIM);
    ND_TRY(parse_extent(p, &out->shape[ndim++]));
    comma = accept(p, ',');
  }
  if (ndim == 1 && !comma) return fail_at(p, p->at - 1, "',' after the only extent");
  out->ndim = ndim;
  return ND_OK;
}

/* {=== dtypes ===} */

/* 'what' is a dtype that NumPy has (ND_UNSUPPORTED); NULL: nobody has this one (ND_FORMAT). */
static nd_status fail_dtype(const parser *p, const word *w, const char *what) {
  const int shown = w->length < 40 ? (int)w->length : 40;
  return nd_fail_with(p->err, what ? ND_UNSUPPORTED : ND_FORMAT,
                      ND_NUMBERS({"offset", (int64_t)w->at}),
                      "%s%s ('%.*s' at offset %zu of the header's text)",
                      what ? "ndbuf has no dtype for " : "expected a dtype such as '<f4'",
                      what ? what : "", shown, w->text, w->at);
}

/* What a dtype is called that NumPy has and ndbuf lacks; NULL if NumPy has no such dtype. */
static const char *find_refusal(const word *type) {
  static const struct {
    const char *letters, *what;
  } kinds[] = {{"O", "Python objects"}, {"Sa", "byte strings"}, {"U", "Unicode strings"},
               {"M", "dates"},          {"m", "time spans"},    {"V", "raw items of this size"}};
  for (size_t i = 0; i < ND_COUNTOF(kinds); i++)
    if (type->length > 0 && memchr(kinds[i].letters, type->text[0], strlen(kinds[i].letters)))
      return kinds[i].what;
  /* their size depends on the machine that wrote the file */
  static const char *const wide[] = {"f12", "f16", "c24", "c32"};
  for (size_t i = 0; i < ND_COUNTOF(wide); i++)
    if (is_word(type, wide[i])) return "long double";
  return NULL;
}

/* The dtype of a descr without its byte order, such as "f4". */
static bool find_dtype(const word *type, nd_dtype *out) {
  if (is_word(type, "V1")) { /* either f8: see ndi_npy_parse */
    *out = ND_U8;
    return true;
  }
  for (int i = 0; i < ND_DTYPE_COUNT; i++) {
    /* without the mark of the byte order, which comes first */
    if (!is_word(type, nd_dtype_get((nd_dtype)i)->descr + 1)) continue;
    *out = (nd_dtype)i;
    return true;
  }
  return false;
}

/* '=' and a missing mark mean the byte order of the machine that wrote the file, '|' that there is
 * none: all are read as little-endian, which nearly all machines are. */
static nd_status set_dtype(const parser *p, const word *descr, ndi_npy_header *out) {
  word type = *descr;
  const char order = type.length > 0 ? type.text[0] : 0;
  if (order && strchr("<>=|", order)) type.text++, type.length--; /* 0 is found by strchr, too */
  nd_dtype dtype;
  if (!find_dtype(&type, &dtype)) return fail_dtype(p, descr, find_refusal(&type));
  /* raw items have no byte order, so that a mark of one is not bf16 by ml_dtypes */
  if (order == '>' && dtype == ND_BF16) return fail_dtype(p, descr, "big-endian raw items");
  out->dtype = dtype;
  out->is_swapped = order == '>' && nd_dtype_get(dtype)->bytes > 1;
  return ND_OK;
}

/* Get the string, to be interpreted by set_dtype. A list or tuple in its place is a dtype with
 * fields or a shape of its own. */
static nd_status parse_descr(parser *p, word *out) {
  skip_space(p);
  const size_t first = p->at;
  if (accept(p, '[') || accept(p, '('))
    return nd_fail_with(
        p->err, ND_UNSUPPORTED, ND_NUMBERS({"offset", (int64_t)first}),
        "ndbuf has no dtype for records (a structured descr at offset %zu of the header's "
        "text); save each field as an array",
        first);
  return parse_string(p, "a dtype string", out);
}

/* {=== the dict ===} */

/* One "key: value"; a key that comes again replaces the value. A descr is only noted. */
static nd_status parse_entry(parser *p, unsigned *seen, word *descr, ndi_npy_header *out) {
  static const char keys[] = "one of the keys 'descr', 'fortran_order', 'shape', or '}'";
  word key = {0};
  ND_TRY(parse_string(p, keys, &key));
  ND_TRY(expect(p, ':', "':'"));
  if (is_word(&key, "descr")) {
    *seen |= DESCR;
    return parse_descr(p, descr);
  }
  if (is_word(&key, "fortran_order")) {
    *seen |= FORTRAN_ORDER;
    return parse_bool(p, &out->is_fortran);
  }
  if (is_word(&key, "shape")) {
    *seen |= SHAPE;
    return parse_shape(p, out);
  }
  return fail_at(p, key.at, keys);
}

static nd_status fail_missing(const parser *p, unsigned seen) {
  const char *key = !(seen & DESCR) ? "descr" : !(seen & SHAPE) ? "shape" : "fortran_order";
  return nd_fail_with(p->err, ND_FORMAT, ND_NUMBERS({"offset", (int64_t)p->at}),
                      "expected the key '%s' before offset %zu of the header's text", key, p->at);
}

nd_status ndi_npy_parse(const char *text, size_t length, ndi_npy_header *out, nd_error *err) {
  parser p = {.text = text, .length = length, .err = err};
  ndi_npy_header header = {0};
  word descr = {0}; /* interpreted last, so that faults of the syntax are reported first */
  unsigned seen = 0;
  bool comma = true;
  ND_TRY(expect(&p, '{', "'{'"));
  while (!accept(&p, '}')) {
    if (!comma) return fail_at(&p, p.at, "',' or '}'");
    ND_TRY(parse_entry(&p, &seen, &descr, &header));
    comma = accept(&p, ',');
  }
  /* NumPy wants exactly these three keys; parse_entry has refused all others */
  if (seen != (DESCR | FORTRAN_ORDER | SHAPE)) return fail_missing(&p, seen);
  skip_space(&p);
  if (p.at < p.length) return fail_at(&p, p.at, "nothing after '}'");
  ND_TRY(set_dtype(&p, &descr, &header));
  *out = header;
  return ND_OK;
}

/* {=== writing ===} */

size_t ndi_npy_format(const ndi_npy_header *header, char text[ND_NPY_HEADER_BYTES]) {
  enum { LEAD = MAGIC + 4, ROOM = ND_NPY_HEADER_BYTES };
  size_t n = LEAD;
  n += (size_t)snprintf(text + n, ROOM - n, "{'descr': '%s', 'fortran_order': %s, 'shape': (",
                        nd_dtype_get(header->dtype)->descr, header->is_fortran ? "True" : "False");
  for (int i = 0; i < header->ndim; i++)
    n += (size_t)snprintf(text + n, ROOM - n, "%s%zu", i > 0 ? ", " : "", header->shape[i]);
  n += (size_t)snprintf(text + n, ROOM - n, "%s), }", header->ndim == 1 ? "," : "");
  /* spaces up to the alignment; the last character is a newline, so that one at least is added */
  const size_t end = (n / ND_NPY_ALIGN + 1) * ND_NPY_ALIGN;
  memset(text + n, ' ', end - n);
  text[end - 1] = '\n';
  /* the lead comes last, as it has the length: magic, version 1.0, two bytes little-endian */
  memcpy(text, magic, MAGIC);
  const unsigned char rest[4] = {1, 0, (unsigned char)(end - LEAD),
                                 (unsigned char)((end - LEAD) >> 8)};
  memcpy(text + MAGIC, rest, sizeof rest);
  return end;
}
