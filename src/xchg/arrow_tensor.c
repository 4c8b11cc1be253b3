/* Reads {"shape":[2,3],"permutation":[1,0],"dim_names":["a","b"]}, in any order; null is as good as
 * nothing, and what has another key is passed over. */
#include "xchg/arrow_tensor.h"

#include <string.h>

typedef struct {
  const char *at, *end;
} parser;

static nd_status fail(nd_error *err) {
  return nd_fail(err, ND_FORMAT, "its metadata, of tensors, is damaged");
}

static void skip_space(parser *p) {
  while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r'))
    p->at++;
}

static bool accept(parser *p, char c) {
  skip_space(p);
  if (p->at == p->end || *p->at != c) return false;
  p->at++;
  return true;
}

/* A string as it is written: the keys that count have no escapes. */
static bool parse_string(parser *p, const char **text, size_t *length) {
  if (!accept(p, '"')) return false;
  *text = p->at;
  while (p->at < p->end && *p->at != '"') p->at += *p->at == '\\' && p->at + 1 < p->end ? 2 : 1;
  *length = (size_t)(p->at - *text);
  return accept(p, '"');
}

static bool parse_number(parser *p, size_t *out) {
  const char *start = p->at;
  *out = 0;
  for (; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++)
    if (!ndi_append_size(out, *p->at)) return false;
  return p->at > start;
}

/* [a, b, ...]; more than ND_MAX_NDIM are counted, not kept. */
static bool parse_list(parser *p, int *count, size_t *out) {
  size_t value;
  *count = 0;
  if (!accept(p, '[')) return false;
  if (accept(p, ']')) return true;
  do {
    skip_space(p);
    if (!parse_number(p, &value) || value > INT64_MAX) return false;
    if (*count < ND_MAX_NDIM) out[*count] = value;
    ++*count;
  } while (accept(p, ','));
  return accept(p, ']');
}

static bool accept_word(parser *p, const char *word) {
  const size_t length = strlen(word);
  skip_space(p);
  if ((size_t)(p->end - p->at) < length || memcmp(p->at, word, length) != 0) return false;
  p->at += length;
  return true;
}

/* Pass over a value, whatever it is: up to the comma or the end of what it is in. */
static bool skip_value(parser *p) {
  const char *text;
  size_t length;
  for (int level = 0; skip_space(p), p->at < p->end;) {
    const char c = *p->at;
    if (level == 0 && (c == ',' || c == '}')) return true;
    if (c == '"' && !parse_string(p, &text, &length)) return false;
    if (c == '"') continue;
    level += (c == '[' || c == '{') - (c == ']' || c == '}');
    if (level < 0) return false;
    p->at++;
  }
  return false;
}

static bool is_key(const char *text, size_t length, const char *key) {
  return strlen(key) == length && memcmp(text, key, length) == 0;
}

static bool parse_entry(parser *p, ndi_arrow_tensor *out, int *permuted, size_t *order) {
  const char *key;
  size_t length;
  if (!parse_string(p, &key, &length) || !accept(p, ':')) return false;
  if (accept_word(p, "null")) return true;
  if (is_key(key, length, "shape")) return parse_list(p, &out->ndim, out->shape);
  if (is_key(key, length, "permutation") || is_key(key, length, "permutations"))
    return parse_list(p, permuted, order);
  return skip_value(p);
}

/* Is it each axis once? */
static bool set_order(ndi_arrow_tensor *t, int permuted, const size_t *order) {
  unsigned seen = 0;
  for (int i = 0; i < t->ndim; i++) t->order[i] = i;
  if (permuted < 0) return true;
  if (permuted != t->ndim) return false;
  for (int i = 0; i < t->ndim; i++) {
    if (order[i] >= (size_t)t->ndim || seen >> order[i] & 1) return false;
    seen |= 1u << order[i];
    t->order[i] = (int)order[i];
  }
  return true;
}

static nd_status parse(const char *text, size_t length, ndi_arrow_tensor *out, nd_error *err) {
  parser p = {text, text + length};
  size_t order[ND_MAX_NDIM];
  int permuted = -1;
  out->ndim = -1;
  if (!accept(&p, '{')) return fail(err);
  do
    if (!parse_entry(&p, out, &permuted, order)) return fail(err);
  while (accept(&p, ','));
  if (!accept(&p, '}') || out->ndim < 0) return fail(err);
  skip_space(&p);
  if (p.at != p.end) return fail(err);
  if (out->ndim > ND_MAX_NDIM - 1)
    return nd_fail_with(err, ND_UNSUPPORTED,
                        ND_NUMBERS({"value", out->ndim}, {"limit", ND_MAX_NDIM - 1}),
                        "its tensors have %d axes; the limit is %d", out->ndim, ND_MAX_NDIM - 1);
  out->items = 1;
  for (int i = 0; i < out->ndim; i++)
    if (__builtin_mul_overflow(out->items, out->shape[i], &out->items)) return fail(err);
  return set_order(out, permuted, order) ? ND_OK : fail(err);
}

/* The lengths in the metadata are trusted: it has no length itself. */
static const char *next_text(const char *at, const char **text, size_t *length) {
  int32_t bytes;
  memcpy(&bytes, at, sizeof bytes);
  *text = at + sizeof bytes;
  *length = bytes > 0 ? (size_t)bytes : 0;
  return *text + *length;
}

nd_status ndi_arrow_tensor_read(const struct ArrowSchema *schema, ndi_arrow_tensor *out,
                                nd_error *err) {
  const char *at = schema->metadata, *key, *value, *shape = NULL;
  size_t key_length, length, shape_length = 0;
  int32_t pairs = 0;
  out->is_tensor = false;
  if (!at) return ND_OK;
  memcpy(&pairs, at, sizeof pairs);
  at += sizeof pairs;
  for (int32_t i = 0; i < pairs; i++) {
    at = next_text(at, &key, &key_length);
    at = next_text(at, &value, &length);
    if (is_key(key, key_length, "ARROW:extension:name"))
      out->is_tensor = is_key(value, length, "arrow.fixed_shape_tensor");
    if (is_key(key, key_length, "ARROW:extension:metadata")) shape = value, shape_length = length;
  }
  if (!out->is_tensor) return ND_OK;
  return shape ? parse(shape, shape_length, out, err) : fail(err);
}
