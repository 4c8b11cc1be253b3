/* The slice grammar: a recursive-descent parser over a cursor. What comes next in the text always
 * decides which rule applies, so nothing that was consumed is ever put back. Only the form is
 * checked here; resolve.c compares the numbers with the extents. */
#include "bind/slice.h"

#include <string.h>

typedef struct {
  const char *at, *end, *begin; /* 'begin' is for messages */
} cursor;

/* A take_… function consumes what it is named after, and blanks before it. */

static void skip_blanks(cursor *c) {
  while (c->at < c->end && (*c->at == ' ' || *c->at == '\t')) c->at++;
}

static bool take_char(cursor *c, char wanted) {
  skip_blanks(c);
  if (c->at == c->end || *c->at != wanted) return false;
  c->at++;
  return true;
}

static nd_status fail_grammar(const cursor *c, const char *expected, nd_error *err) {
  const int length = (int)(c->end - c->begin), at = (int)(c->at - c->begin);
  return nd_fail_with(err, ND_INVALID_ARGUMENT, ND_NUMBERS({"offset", at}),
                      "slice \"%.*s\": expected %s at character %d", length > 60 ? 60 : length,
                      c->begin, expected, at + 1);
}

/* An optional integer; '*has' tells whether there was one, else '*out' is 0. The digits are added
 * up before the sign is applied, so -2^63 is refused; no axis has such an index. */
static nd_status take_integer(cursor *c, bool *has, int64_t *out, nd_error *err) {
  skip_blanks(c);
  const cursor before = *c; /* for a message that shows where the number begins */
  const bool minus = take_char(c, '-');
  if (!minus) take_char(c, '+');
  const char *digits = c->at;
  int64_t value = 0;
  for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++)
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, *c->at - '0', &value))
      return fail_grammar(&before, "an integer that fits 64 bits", err);
  *has = c->at > digits;
  /* a sign alone */
  if (!*has && c->at > before.at) return fail_grammar(c, "digits", err);
  *out = minus ? -value : value;
  return ND_OK;
}

/* The rest of a range, after its first colon. */
static nd_status take_range(cursor *c, ndb_slice *out, nd_error *err) {
  bool has_step = false;
  out->kind = ND_INDEX_RANGE;
  out->step = 1;
  ND_TRY(take_integer(c, &out->has_last, &out->last, err));
  if (take_char(c, ':')) ND_TRY(take_integer(c, &has_step, &out->step, err));
  if (!has_step) out->step = 1; /* after a second colon take_integer has set it to 0 */
  return ND_OK;
}

static nd_status take_entry(cursor *c, ndb_slice *out, nd_error *err) {
  *out = (ndb_slice){.kind = ND_INDEX_AT, .step = 1};
  if (take_char(c, '_')) return out->kind = ND_INDEX_NEW_AXIS, ND_OK;
  /* take_char has skipped the blanks */
  if (c->end - c->at >= 3 && memcmp(c->at, "...", 3) == 0) {
    c->at += 3;
    return out->kind = ND_INDEX_ELLIPSIS, ND_OK;
  }
  ND_TRY(take_integer(c, &out->has_first, &out->first, err));
  if (take_char(c, ':')) return take_range(c, out, err);
  return out->has_first ? ND_OK : fail_grammar(c, "an index, a range, '...' or '_'", err);
}

nd_status ndb_slice_parse(const char *text, size_t length, ndb_slice *out, int *count,
                          nd_error *err) {
  cursor c = {text, text + length, text};
  int n = 0;
  do {
    if (n == ND_MAX_INDICES)
      return nd_fail_with(err, ND_INVALID_ARGUMENT, ND_NUMBERS({"limit", ND_MAX_INDICES}),
                          "the slice has more entries than the limit, %d", ND_MAX_INDICES);
    ND_TRY(take_entry(&c, &out[n++], err));
  } while (take_char(&c, ','));
  skip_blanks(&c);
  if (c.at != c.end) return fail_grammar(&c, "',' or the end", err);
  *count = n;
  return ND_OK;
}

/* Inline instead of strchr, which would take longer than all the rest of a slice. */
static bool is_of_grammar(char c) {
  return (c >= '0' && c <= ':') || (c >= '+' && c <= '.') || c == '_' || c == ' ' || c == '\t';
}

bool ndb_slice_is_text(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (!is_of_grammar(text[i])) return false;
  for (size_t i = 0; i < length; i++) /* blanks alone are an unknown name */
    if (text[i] != ' ' && text[i] != '\t') return true;
  return false;
}
