/* Parsing the header. The JSON that may stand there has three levels and no more, so there is no
 * recursion: whatever else is nested is refused where it begins.
 *
 * Each function begins at p->at. After a failure, which 'err' describes, nothing is parsed again.
 */
#include "xchg/safetensors_header.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"

typedef struct {
  char *text;
  size_t length, at;
  nd_error *err;
} parser;

static const struct {
  const char *name;
  nd_dtype dtype;
} dtypes[] = {{"BOOL", ND_BOOL}, {"U8", ND_U8},   {"I8", ND_I8},          {"U16", ND_U16},
              {"I16", ND_I16},   {"F16", ND_F16}, {"BF16", ND_BF16},      {"U32", ND_U32},
              {"I32", ND_I32},   {"F32", ND_F32}, {"U64", ND_U64},        {"I64", ND_I64},
              {"F64", ND_F64},   {"C64", ND_C64}, {"F8_E4M3", ND_F8E4M3}, {"F8_E5M2", ND_F8E5M2}};

/* Those of the format that we lack: a file that has one may have others, too. */
static const struct {
  const char *name;
  size_t bits;
} lacking[] = {{"F4", 4},      {"F6_E2M3", 6},     {"F6_E3M2", 6},
               {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}};

const char *ndi_safetensors_dtype(nd_dtype dtype) {
  for (size_t i = 0; i < ND_COUNTOF(dtypes); i++)
    if (dtypes[i].dtype == dtype) return dtypes[i].name;
  return NULL;
}

/* {=== characters ===} */

static int peek(const parser *p) { return p->at < p->length ? (unsigned char)p->text[p->at] : -1; }

static nd_status fail_at(const parser *p, size_t at, const char *expected) {
  char found[ND_CHAR_TEXT];
  const int c = at < p->length ? (unsigned char)p->text[at] : -1;
  const size_t offset = at + ND_SAFETENSORS_LEAD;
  return nd_fail_with(p->err, ND_FORMAT, ND_NUMBERS({"offset", (int64_t)offset}),
                      "expected %s at offset %zu, found %s", expected, offset,
                      ndi_char_text(c, found));
}

static void skip_space(parser *p) {
  for (int c = peek(p); c == ' ' || c == '\t' || c == '\n' || c == '\r'; c = peek(p)) p->at++;
}

static bool accept(parser *p, int c) {
  skip_space(p);
  if (peek(p) != c) return false;
  p->at++;
  return true;
}

static nd_status expect(parser *p, int c, const char *expected) {
  return accept(p, c) ? ND_OK : fail_at(p, p->at, expected);
}

/* {=== strings ===} They are unescaped in place, which makes them no longer. */

static int hex_of(int c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/* The four digits at p->at, behind a "\u". */
static nd_status parse_unit(parser *p, unsigned *out) {
  *out = 0;
  for (int i = 0; i < 4; i++, p->at++) {
    const int digit = hex_of(peek(p));
    if (digit < 0) return fail_at(p, p->at, "four hexadecimal digits");
    *out = *out << 4 | (unsigned)digit;
  }
  return ND_OK;
}

static bool is_between(unsigned c, unsigned first, unsigned last) {
  return c >= first && c <= last;
}

static char *put_utf8(char *to, unsigned c) {
  const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  static const unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
  *to++ = (char)(lead[more] | c >> 6 * more);
  for (int i = more - 1; i >= 0; i--) *to++ = (char)(0x80 | (c >> 6 * i & 0x3F));
  return to;
}

static nd_status parse_escape(parser *p, char **to) {
  static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
  const size_t start = p->at - 1;
  const int c = peek(p);
  const char *found = c > 0 ? strchr(from, c) : NULL;
  unsigned unit, second;
  p->at++;
  if (found) return *(*to)++ = into[found - from], ND_OK;
  if (c != 'u') return fail_at(p, p->at - 1, "an escape sequence");
  ND_TRY(parse_unit(p, &unit));
  if (unit == 0) return fail_at(p, start, "a text without a 0 byte");
  if (is_between(unit, 0xD800, 0xDBFF) && p->at + 1 < p->length && p->text[p->at] == '\\' &&
      p->text[p->at + 1] == 'u') {
    p->at += 2;
    ND_TRY(parse_unit(p, &second));
    if (!is_between(second, 0xDC00, 0xDFFF)) return fail_at(p, start, "a pair of surrogates");
    unit = 0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00);
  }
  if (is_between(unit, 0xD800, 0xDFFF)) return fail_at(p, start, "a pair of surrogates");
  *to = put_utf8(*to, unit);
  return ND_OK;
}

static nd_status parse_string(parser *p, const char *expected, char **out) {
  ND_TRY(expect(p, '"', expected));
  char *to = *out = p->text + p->at;
  while (peek(p) != '"') {
    const int c = peek(p);
    if (c < 0x20) return fail_at(p, p->at, "the end of a string");
    if (c == '\\') {
      p->at++;
      ND_TRY(parse_escape(p, &to));
      continue;
    }
    const size_t length = ndi_utf8_length(p->text + p->at, p->length - p->at);
    if (length == 0) return fail_at(p, p->at, "UTF-8");
    memmove(to, p->text + p->at, length);
    to += length, p->at += length;
  }
  *to = 0; /* at the latest in the place of the quote */
  p->at++;
  return ND_OK;
}

/* {=== numbers ===} */

static nd_status parse_size(parser *p, size_t *out) {
  skip_space(p);
  const size_t start = p->at;
  size_t value = 0;
  for (int c = peek(p); c >= '0' && c <= '9'; p->at++, c = peek(p))
    if (!ndi_append_digit(&value, c)) return fail_at(p, start, "a number that is not too large");
  const bool has_zero = p->at > start + 1 && p->text[start] == '0';
  if (p->at == start || has_zero) return fail_at(p, start, "a whole number");
  *out = value;
  return ND_OK;
}

/* [a, b, ...]: at most 'most'. */
static nd_status parse_sizes(parser *p, int most, int *count, size_t *out) {
  *count = 0;
  ND_TRY(expect(p, '[', "'['"));
  if (accept(p, ']')) return ND_OK;
  do {
    size_t value = 0;
    ND_TRY(parse_size(p, &value));
    if (*count < most) out[*count] = value;
    ++*count;
  } while (accept(p, ','));
  return expect(p, ']', "',' or ']'");
}

/* {=== tensors ===} */

enum { DTYPE = 1, SHAPE = 2, OFFSETS = 4 };

static nd_status find_dtype(const parser *p, const char *name, ndi_safetensor *t) {
  for (size_t i = 0; i < ND_COUNTOF(dtypes); i++)
    if (strcmp(dtypes[i].name, name) == 0) return t->layout.dtype = dtypes[i].dtype, ND_OK;
  for (size_t i = 0; i < ND_COUNTOF(lacking); i++)
    if (strcmp(lacking[i].name, name) == 0) return t->unknown = lacking[i].name, ND_OK;
  return nd_fail(p->err, ND_UNSUPPORTED, "ndbuf has no dtype for \"%.40s\"", name);
}

/* One "key": value of a tensor; 'range' has its offsets. */
static nd_status parse_field(parser *p, unsigned *seen, ndi_safetensor *t, size_t range[2]) {
  ndi_layout *const l = &t->layout;
  static const char keys[] = "one of the keys \"dtype\", \"shape\", \"data_offsets\", once";
  skip_space(p);
  const size_t start = p->at;
  char *key, *name;
  int count;
  ND_TRY(parse_string(p, keys, &key));
  const unsigned which = strcmp(key, "dtype") == 0          ? DTYPE
                         : strcmp(key, "shape") == 0        ? SHAPE
                         : strcmp(key, "data_offsets") == 0 ? OFFSETS
                                                            : 0;
  if (which == 0 || *seen & which) return fail_at(p, start, keys);
  *seen |= which;
  ND_TRY(expect(p, ':', "':'"));
  if (which == DTYPE) {
    ND_TRY(parse_string(p, "the name of a dtype", &name));
    return find_dtype(p, name, t);
  }
  const size_t at = p->at;
  if (which == SHAPE) {
    ND_TRY(parse_sizes(p, ND_MAX_NDIM, &l->ndim, l->shape));
    if (l->ndim <= ND_MAX_NDIM) return ND_OK;
    return nd_fail_with(p->err, ND_UNSUPPORTED,
                        ND_NUMBERS({"value", l->ndim}, {"limit", ND_MAX_NDIM}),
                        "a tensor of %d axes; the limit is %d", l->ndim, ND_MAX_NDIM);
  }
  ND_TRY(parse_sizes(p, 2, &count, range));
  return count == 2 ? ND_OK : fail_at(p, at, "two offsets");
}

static nd_status fail_tensor(const parser *p, const char *name, const char *what) {
  return nd_fail(p->err, ND_FORMAT, "tensor \"%.80s\": %s", name, what);
}

static size_t bits_of(const ndi_safetensor *t) {
  if (!t->unknown) return (size_t)nd_dtype_get(t->layout.dtype)->bytes * 8;
  size_t i = 0;
  while (lacking[i].name != t->unknown) i++;
  return lacking[i].bits;
}

static nd_status find_bytes(const parser *p, const ndi_safetensor *t, size_t *out) {
  const ndi_layout *l = &t->layout;
  size_t bits;
  if (!ndi_size_of(l->ndim, l->shape, bits_of(t), &bits))
    return nd_fail(p->err, ND_OVERFLOW, "tensor \"%.80s\": its shape is too large", t->name);
  if (bits % 8 != 0) return fail_tensor(p, t->name, "its last byte is not full");
  *out = bits / 8;
  return ND_OK;
}

static nd_status parse_tensor(parser *p, ndi_safetensor *t) {
  size_t range[2] = {0, 0}, bytes = 0;
  unsigned seen = 0;
  ND_TRY(expect(p, '{', "'{'"));
  do ND_TRY(parse_field(p, &seen, t, range));
  while (accept(p, ','));
  if (seen != (DTYPE | SHAPE | OFFSETS)) return fail_tensor(p, t->name, "a key is missing");
  ND_TRY(find_bytes(p, t, &bytes));
  if (range[1] < range[0] || range[1] - range[0] != bytes)
    return fail_tensor(p, t->name, "its offsets are not those of its shape and dtype");
  t->layout.offset = range[0], t->end = range[1];
  return expect(p, '}', "',' or '}'");
}

/* {=== lists that grow ===} */

/* With room for one more item; NULL: no memory, and the list is as it was. */
static void *grow(void *list, size_t count, size_t item) {
  if (count & (count - 1)) return list; /* there is room up to the next power of two */
  return realloc(list, (count ? 2 * count : 1) * item);
}

static nd_status fail_memory(const parser *p, size_t count) {
  return nd_fail(p->err, ND_OUT_OF_MEMORY, "no memory for a list of %zu", count);
}

static nd_status parse_texts(parser *p, ndi_safetensors *out) {
  ND_TRY(expect(p, '{', "'{'"));
  if (accept(p, '}')) return ND_OK;
  do {
    ndi_safetext *larger = grow(out->texts, out->texts_count, sizeof *larger);
    if (!larger) return fail_memory(p, out->texts_count);
    out->texts = larger;
    ndi_safetext *t = &larger[out->texts_count];
    ND_TRY(parse_string(p, "a name", &t->name));
    ND_TRY(expect(p, ':', "':'"));
    ND_TRY(parse_string(p, "a string", &t->value));
    out->texts_count++;
  } while (accept(p, ','));
  return expect(p, '}', "',' or '}'");
}

static nd_status parse_entry(parser *p, bool *has_texts, ndi_safetensors *out) {
  char *name;
  skip_space(p);
  const size_t start = p->at;
  ND_TRY(parse_string(p, "the name of a tensor", &name));
  ND_TRY(expect(p, ':', "':'"));
  if (strcmp(name, "__metadata__") == 0) {
    if (*has_texts) return fail_at(p, start, "__metadata__ once");
    *has_texts = true;
    return parse_texts(p, out);
  }
  ndi_safetensor *larger = grow(out->tensors, out->count, sizeof *larger);
  if (!larger) return fail_memory(p, out->count);
  out->tensors = larger;
  larger[out->count] = (ndi_safetensor){.name = name};
  return parse_tensor(p, &out->tensors[out->count++]);
}

/* {=== all of it ===} */

static int by_name(const void *a, const void *b) {
  return strcmp(((const ndi_safetensor *)a)->name, ((const ndi_safetensor *)b)->name);
}
static int by_text(const void *a, const void *b) {
  return strcmp(((const ndi_safetext *)a)->name, ((const ndi_safetext *)b)->name);
}
static int compare(size_t a, size_t b) { return a < b ? -1 : a > b; }
static int by_offset(const void *a, const void *b) {
  const ndi_safetensor *x = a, *y = b;
  const int first = compare(x->layout.offset, y->layout.offset);
  return first ? first : compare(x->end, y->end);
}

static nd_status check(const parser *p, size_t data_bytes, ndi_safetensors *out) {
  if (out->count > 0) qsort(out->tensors, out->count, sizeof *out->tensors, by_name);
  for (size_t i = 1; i < out->count; i++)
    if (by_name(&out->tensors[i - 1], &out->tensors[i]) == 0)
      return fail_tensor(p, out->tensors[i].name, "the name comes twice");
  if (out->texts_count > 0) qsort(out->texts, out->texts_count, sizeof *out->texts, by_text);
  for (size_t i = 1; i < out->texts_count; i++)
    if (by_text(&out->texts[i - 1], &out->texts[i]) == 0)
      return nd_fail(p->err, ND_FORMAT, "__metadata__: \"%.80s\" comes twice", out->texts[i].name);
  if (out->count > 0) qsort(out->tensors, out->count, sizeof *out->tensors, by_offset);
  size_t end = 0;
  for (size_t i = 0; i < out->count; i++) {
    if (out->tensors[i].layout.offset != end)
      return fail_tensor(p, out->tensors[i].name, "there is a gap before it, or it overlaps");
    end = out->tensors[i].end;
  }
  if (end == data_bytes) return ND_OK;
  return nd_fail_with(p->err, ND_FORMAT,
                      ND_NUMBERS({"expected", (int64_t)end}, {"actual", (int64_t)data_bytes}),
                      "expected %zu B of data, found %zu B", end, data_bytes);
}

static nd_status parse(parser *p, ndi_safetensors *out) {
  bool has_texts = false;
  if (peek(p) != '{') return fail_at(p, 0, "'{'");
  p->at++;
  if (!accept(p, '}')) {
    do ND_TRY(parse_entry(p, &has_texts, out));
    while (accept(p, ','));
    ND_TRY(expect(p, '}', "',' or '}'"));
  }
  skip_space(p);
  return p->at == p->length ? ND_OK : fail_at(p, p->at, "nothing but blanks after '}'");
}

nd_status ndi_safetensors_parse(char *text, size_t length, size_t data_bytes, ndi_safetensors *out,
                                nd_error *err) {
  parser p = {.text = text, .length = length, .err = err};
  ndi_safetensors made = {0};
  nd_status status = parse(&p, &made);
  if (status == ND_OK) status = check(&p, data_bytes, &made);
  if (status == ND_OK) *out = made;
  else ndi_safetensors_free(&made);
  return status;
}

void ndi_safetensors_free(ndi_safetensors *self) {
  free(self->tensors);
  free(self->texts);
}
