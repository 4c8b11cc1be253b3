/* The slice grammar, and indices against index arithmetic. */
#include <limits.h>

#include "offsets.h"

#include "bind/slice.h"

/* {=== grammar ===} */

enum { NONE = INT_MIN, MOST_ENTRIES = 4 };

/* kind, first, last, step; NONE: not given. */
typedef struct {
  nd_index_kind kind;
  int first, last, step;
} entry;

#define AT(i) \
  { ND_INDEX_AT, i, NONE, 1 }
#define RANGE(...) \
  { ND_INDEX_RANGE, __VA_ARGS__ }
#define DOTS \
  { ND_INDEX_ELLIPSIS, NONE, NONE, 1 }
#define AXIS \
  { ND_INDEX_NEW_AXIS, NONE, NONE, 1 }

static const struct {
  const char *text;
  int count;
  entry entries[MOST_ENTRIES];
} good[] = {{"1", 1, {AT(1)}},
            {"-1", 1, {AT(-1)}},
            {"+7", 1, {AT(7)}},
            {"0", 1, {AT(0)}},
            {"007", 1, {AT(7)}},
            {":", 1, {RANGE(NONE, NONE, 1)}},
            {"::", 1, {RANGE(NONE, NONE, 1)}},
            {"2:", 1, {RANGE(2, NONE, 1)}},
            {":3", 1, {RANGE(NONE, 3, 1)}},
            {"2:3", 1, {RANGE(2, 3, 1)}},
            {"2:3:4", 1, {RANGE(2, 3, 4)}},
            {"2::4", 1, {RANGE(2, NONE, 4)}},
            {"::-1", 1, {RANGE(NONE, NONE, -1)}},
            {":-2:", 1, {RANGE(NONE, -2, 1)}},
            {"1:0", 1, {RANGE(1, 0, 1)}},
            {"...", 1, {DOTS}},
            {"_", 1, {AXIS}},
            {"_,_", 2, {AXIS, AXIS}},
            {"1,2", 2, {AT(1), AT(2)}},
            {" 1 ,\t2 ", 2, {AT(1), AT(2)}},
            {"...,-1", 2, {DOTS, AT(-1)}},
            {":,1:2,_,...", 4, {RANGE(NONE, NONE, 1), RANGE(1, 2, 1), AXIS, DOTS}},
            {"1 : 2 : 3", 1, {RANGE(1, 2, 3)}}};

static bool same_entry(const ndb_slice *got, const entry *wanted) {
  const bool has_first = wanted->first != NONE, has_last = wanted->last != NONE;
  return got->kind == wanted->kind && got->has_first == has_first && got->has_last == has_last &&
         (!has_first || got->first == wanted->first) && (!has_last || got->last == wanted->last) &&
         got->step == wanted->step;
}

static void spec_grammar(void) {
  group("what the grammar has is read as it says");
  for (size_t i = 0; i < ND_COUNTOF(good); i++) {
    ndb_slice got[ND_MAX_INDICES];
    nd_error err = {.code = ND_OK};
    int count = -1;
    const size_t length = strlen(good[i].text);
    CHECK(ndb_slice_parse(good[i].text, length, got, &count, &err) == ND_OK, "\"%s\": %s",
          good[i].text, err.message);
    CHECK(count == good[i].count, "\"%s\": %d entries", good[i].text, count);
    for (int k = 0; k < count && k < good[i].count; k++)
      CHECK(same_entry(&got[k], &good[i].entries[k]), "\"%s\": entry %d", good[i].text, k);
    CHECK(ndb_slice_is_text(good[i].text, length), "\"%s\" is a name", good[i].text);
  }
}

static void spec_bad_grammar(void) {
  group("the rest is refused, with the place");
  static const struct {
    const char *text;
    int offset;
  } bad[] = {{"", 0},
             {" ", 1},
             {",", 0},
             {"1,", 2},
             {",1", 0},
             {"1 2", 2},
             {"1:2:3:4", 5},
             {"..", 0},
             {"....", 3},
             {".", 0},
             {"1.5", 1},
             {"a", 0},
             {"1e3", 1},
             {"--1", 1},
             {"+-1", 1},
             {"-", 1},
             {"- 1", 1},
             {"1:-", 3},
             {"_1", 1},
             {"1_", 1},
             {"0x10", 1},
             {"9223372036854775808", 0},
             {"99999999999999999999", 0},
             {"1:99999999999999999999", 2},
             {":::", 2},
             {"1;2", 1},
             {"[1]", 0},
             {"1\n", 1},
             {"\xff", 0}};
  for (size_t i = 0; i < ND_COUNTOF(bad); i++) {
    ndb_slice got[ND_MAX_INDICES];
    nd_error err = {.count = 0};
    int count = -1;
    CHECK(ndb_slice_parse(bad[i].text, strlen(bad[i].text), got, &count, &err) ==
              ND_INVALID_ARGUMENT,
          "\"%s\"", bad[i].text);
    CHECK(count == -1, "\"%s\": count was written", bad[i].text);
    CHECK(err.count == 1 && err.numbers[0].value == bad[i].offset, "\"%s\": at %d", bad[i].text,
          err.count ? (int)err.numbers[0].value : -1);
  }
  ndb_slice got[ND_MAX_INDICES];
  char many[2 * ND_MAX_INDICES + 2];
  int count;
  for (size_t i = 0; i < sizeof many; i++) many[i] = i & 1 ? ',' : '1';
  CHECK(ndb_slice_parse(many, 2 * ND_MAX_INDICES - 1, got, &count, NULL) == ND_OK &&
            count == ND_MAX_INDICES,
        "as many as there can be");
  CHECK(ndb_slice_parse(many, 2 * ND_MAX_INDICES + 1, got, &count, NULL) == ND_INVALID_ARGUMENT,
        "one more");
  CHECK(ndb_slice_parse("1\0002", 3, got, &count, NULL) == ND_INVALID_ARGUMENT, "a zero byte");
  CHECK(ndb_slice_parse("1234", 2, got, &count, NULL) == ND_OK && got[0].first == 12, "length");
}

static void spec_names(void) {
  group("names are told from slices by their characters");
  static const char *const names[] = {"",   " ",   "\t ", "f32", "shape",
                                      "1x", "a:1", "_x",  "1;2", "é"};
  for (size_t i = 0; i < ND_COUNTOF(names); i++)
    CHECK(!ndb_slice_is_text(names[i], strlen(names[i])), "\"%s\"", names[i]);
  CHECK(!ndb_slice_is_text("1\0", 2), "a zero byte");
}

static void spec_garbage(void) {
  group("random text is read or refused, and what is read was a slice");
  static const char letters[] = "0123456789:::,,..._+- \t";
  size_t read = 0;
  for (int round = 0; round < 100000; round++) {
    char text[40];
    ndb_slice got[ND_MAX_INDICES];
    nd_error err;
    int count;
    const size_t length = below(sizeof text + 1);
    for (size_t i = 0; i < length; i++)
      text[i] = below(200) ? letters[below(sizeof letters - 1)] : (char)below(256);
    if (ndb_slice_parse(text, length, got, &count, &err) == ND_OK) {
      read++;
      CHECK(ndb_slice_is_text(text, length) && count > 0 && count <= ND_MAX_INDICES, "%.*s",
            (int)length, text);
    } else {
      CHECK(err.numbers[0].value >= 0 && (size_t)err.numbers[0].value <= length, "offset");
    }
  }
  CHECK(read > 2000, "%zu", read);
}

/* {=== resolution ===} */

static nd_status view_slice(const nd_view *src, int count, const ndb_slice *items, nd_view *out,
                            bool *is_element, nd_error *err) {
  nd_index resolved[2 * ND_MAX_INDICES];
  ND_TRY(ndb_slice_resolve(src, count, items, resolved, err));
  return nd_view_index(src, count, resolved, out, is_element, err);
}

/* What one entry picks on an axis of 'n', counted from 0, by walking it. -1: it is refused. */
static int walk_range(const ndb_slice *r, int64_t n, size_t *picked) {
  const int64_t step = r->step;
  if (step == 0) return -1;
  if (!r->has_first && !r->has_last && n == 0) return 0;
  int64_t lo = r->has_first ? r->first : step > 0 ? 1 : n;
  int64_t hi = r->has_last ? r->last : step > 0 ? n : 1;
  if (r->has_first && lo < 0) lo += n + 1;
  if (r->has_last && hi < 0) hi += n + 1;
  if (step > 0 ? lo >= 1 && lo <= n + 1 && hi == lo - 1 : lo >= 0 && lo <= n && hi == lo + 1)
    return 0;
  if (lo < 1 || lo > n || hi < 1 || hi > n || (step > 0 ? hi < lo : hi > lo)) return -1;
  int count = 0;
  for (int64_t at = lo; step > 0 ? at <= hi : at >= hi; at += step) {
    picked[count++] = (size_t)(at - 1);
    if (step > n || step < -n) break;
  }
  return count;
}

enum { LONGEST = 64 };

/* For each axis of the result: what it picks on which axis of the source. */
typedef struct {
  int count, source;
  size_t picked[LONGEST];
} choice;

static int64_t near_extent(size_t n) { return (int64_t)below(2 * n + 3) - (int64_t)n - 1; }

static ndb_slice random_entry(size_t n) {
  ndb_slice e = {.kind = below(3) ? ND_INDEX_RANGE : ND_INDEX_AT, .step = 1};
  e.first = near_extent(n), e.last = near_extent(n);
  e.has_first = e.kind == ND_INDEX_AT || below(2);
  e.has_last = e.kind == ND_INDEX_RANGE && below(2);
  if (e.kind == ND_INDEX_RANGE && below(2)) e.step = (int64_t)below(9) - 4;
  if (below(200) == 0) e.first = below(2) ? INT64_MAX : INT64_MIN;
  if (below(200) == 0) e.last = below(2) ? INT64_MAX : INT64_MIN;
  if (below(200) == 0 && e.kind == ND_INDEX_RANGE) e.step = below(2) ? INT64_MAX : -INT64_MAX;
  return e;
}

/* A random expression for 'src' and the axes it leads to. False: one of the entries is refused. */
static bool random_expression(const model *src, ndb_slice *items, int *count, choice *axes,
                              int *ndim, size_t *fixed) {
  bool is_good = true;
  const int dots = below(3) ? -1 : (int)below((size_t)src->ndim + 1);
  const int used = (int)below((size_t)src->ndim + 1);
  int axis = 0;
  *count = *ndim = 0;
  for (int i = 0; i <= used; i++) {
    if (i == dots || i == used) {
      if (i == dots) items[(*count)++] = (ndb_slice){.kind = ND_INDEX_ELLIPSIS};
      for (; axis < src->ndim - (i == dots ? used - i : 0); axis++) {
        choice *c = &axes[(*ndim)++];
        c->source = axis, c->count = (int)src->shape[axis];
        for (int k = 0; k < c->count; k++) c->picked[k] = (size_t)k;
      }
    }
    if (i == used) break;
    if (below(6) == 0 && *ndim < 8) {
      items[(*count)++] = (ndb_slice){.kind = ND_INDEX_NEW_AXIS};
      axes[(*ndim)++] = (choice){.count = 1, .source = -1};
    }
    const size_t n = src->shape[axis];
    const ndb_slice e = random_entry(n);
    items[(*count)++] = e;
    if (e.kind == ND_INDEX_AT) {
      is_good &= e.first != 0 && e.first <= (int64_t)n && e.first >= -(int64_t)n;
      fixed[axis] = (size_t)(e.first > 0 ? e.first - 1 : is_good ? e.first + (int64_t)n : 0);
    } else {
      choice *c = &axes[(*ndim)++];
      c->source = axis, c->count = walk_range(&e, (int64_t)n, c->picked);
      is_good &= c->count >= 0;
    }
    axis++;
  }
  return is_good;
}

static bool expect_choices(const model *src, const choice *axes, int ndim, const size_t *fixed,
                           model *out) {
  index_of index, in;
  out->ndim = ndim;
  for (int i = 0; i < ndim; i++) out->shape[i] = (size_t)axes[i].count;
  if (!size_model(out)) return false;
  for (size_t k = 0; k < out->size; k++) {
    memcpy(in, fixed, sizeof in);
    unflatten(ndim, out->shape, k, index);
    for (int i = 0; i < ndim; i++)
      if (axes[i].source >= 0) in[axes[i].source] = axes[i].picked[index[i]];
    out->at[k] = src->at[flat_index(src->ndim, src->shape, in)];
  }
  return true;
}

static void spec_expressions(void) {
  group("random expressions pick what walking them picks");
  static model src, expected;
  nd_storage *storage = make_storage();
  size_t picked = 0, refused = 0;
  for (int round = 0; round < 50000; round++) {
    ndb_slice items[2 * ND_MAX_INDICES];
    choice axes[2 * ND_MAX_NDIM];
    index_of fixed = {0};
    int count, ndim;
    bool is_element;
    nd_view v = random_view(storage), out = {.storage = NULL};
    if (v.ndim > 5 || !model_of(&v, &src)) {
      drop(&v);
      continue;
    }
    const bool is_good = random_expression(&src, items, &count, axes, &ndim, fixed);
    const nd_status status = view_slice(&v, count, items, &out, &is_element, NULL);
    CHECK((status == ND_OK) == is_good, "round %d: %s", round, nd_status_name(status));
    if (status == ND_OK && is_good && expect_choices(&src, axes, ndim, fixed, &expected)) {
      CHECK(is_model(&out, &expected), "round %d", round);
      CHECK(!is_element || ndim == 0, "round %d: element", round);
      picked++;
    } else {
      CHECK(status == ND_OK || !out.storage, "round %d: written", round);
      refused++;
    }
    drop(&out), drop(&v);
  }
  CHECK(picked > 5000 && refused > 5000, "%zu %zu", picked, refused);
  CHECK(atomic_load(&storage->holds) == 1, "holds");
  nd_storage_drop(storage);
}

static void spec_refusals(void) {
  group("too many entries, axes or dots are refused");
  const size_t shape[] = {2, 2};
  size_t ones[ND_MAX_NDIM];
  nd_view v = make_packed(ND_U8, 2, shape), deep, out = {.storage = NULL};
  bool is_element;
  for (int i = 0; i < ND_MAX_NDIM; i++) ones[i] = 1;
  deep = make_packed(ND_U8, ND_MAX_NDIM, ones);
  const ndb_slice at = {.kind = ND_INDEX_AT, .first = 1, .has_first = true, .step = 1};
  const ndb_slice dots = {.kind = ND_INDEX_ELLIPSIS}, axis = {.kind = ND_INDEX_NEW_AXIS};
  const ndb_slice three[] = {at, at, at}, twice[] = {dots, dots}, both[] = {axis, at};
  CHECK(view_slice(&v, 3, three, &out, &is_element, NULL) == ND_INVALID_ARGUMENT, "three");
  CHECK(view_slice(&v, 2, twice, &out, &is_element, NULL) == ND_INVALID_ARGUMENT, "dots");
  CHECK(view_slice(&deep, 1, &axis, &out, &is_element, NULL) == ND_INVALID_ARGUMENT, "axes");
  CHECK(view_slice(&v, 2, three, &out, &is_element, NULL) == ND_OK && is_element, "element");
  drop(&out);
  CHECK(view_slice(&v, 2, both, &out, &is_element, NULL) == ND_OK && !is_element, "new axis");
  drop(&out), drop(&v), drop(&deep);
  int resolved = -1;
  CHECK(ndb_axis_resolve("spec", -2, 2, &resolved, NULL) == ND_OK && resolved == 0, "axis -2");
  CHECK(ndb_axis_resolve("spec", 2, 2, &resolved, NULL) == ND_OK && resolved == 1, "axis 2");
  CHECK(ndb_axis_resolve("spec", 0, 2, &resolved, NULL) == ND_INDEX_OUT_OF_RANGE, "axis 0");
  CHECK(ndb_axis_resolve("spec", INT64_MIN, 2, &resolved, NULL) == ND_INDEX_OUT_OF_RANGE, "axis");
  CHECK(resolved == 1, "written");
}

/* What C programs may ask for: 0-based entries, whatever their numbers are. */
static void spec_bounds(void) {
  static const struct {
    nd_index item;
    nd_status status;
    size_t first;
    ptrdiff_t step;
  } cases[] = {{{ND_INDEX_AT, 0, 0, 0}, ND_OK, 0, 0},
               {{ND_INDEX_AT, 4, 0, 0}, ND_OK, 4, 0},
               {{ND_INDEX_AT, 5, 0, 0}, ND_INDEX_OUT_OF_RANGE, 0, 0},
               {{ND_INDEX_AT, SIZE_MAX, 0, 0}, ND_INDEX_OUT_OF_RANGE, 0, 0},
               {{ND_INDEX_RANGE, 0, 5, 1}, ND_OK, 0, 1},
               {{ND_INDEX_RANGE, 1, 5, 1}, ND_INDEX_OUT_OF_RANGE, 0, 0},
               {{ND_INDEX_RANGE, 0, 3, 2}, ND_OK, 0, 2},
               {{ND_INDEX_RANGE, 1, 3, 2}, ND_INDEX_OUT_OF_RANGE, 0, 0},
               {{ND_INDEX_RANGE, 4, 5, -1}, ND_OK, 4, -1},
               {{ND_INDEX_RANGE, 4, 3, -2}, ND_OK, 4, -2},
               {{ND_INDEX_RANGE, 3, 5, -1}, ND_INDEX_OUT_OF_RANGE, 0, 0},
               {{ND_INDEX_RANGE, 3, 3, -2}, ND_INDEX_OUT_OF_RANGE, 0, 0},
               {{ND_INDEX_RANGE, 5, 1, 1}, ND_INDEX_OUT_OF_RANGE, 0, 0},
               {{ND_INDEX_RANGE, 5, 0, 1}, ND_OK, 0, 1},
               {{ND_INDEX_RANGE, 2, 1, PTRDIFF_MIN}, ND_OK, 2, -1},
               {{ND_INDEX_RANGE, 2, 2, PTRDIFF_MIN}, ND_INDEX_OUT_OF_RANGE, 0, 0},
               {{ND_INDEX_RANGE, 0, 2, PTRDIFF_MAX}, ND_INDEX_OUT_OF_RANGE, 0, 0},
               {{ND_INDEX_RANGE, 0, SIZE_MAX, 1}, ND_INDEX_OUT_OF_RANGE, 0, 0},
               {{ND_INDEX_RANGE, 2, 2, 0}, ND_INVALID_ARGUMENT, 0, 0}};
  const size_t shape[] = {5};
  nd_view v = make_packed(ND_U8, 1, shape), out;
  nd_error err;
  bool is_element;
  group("the core counts from 0, and refuses what is not there");
  for (size_t i = 0; i < ND_COUNTOF(cases); i++) {
    const nd_status status = nd_view_index(&v, 1, &cases[i].item, &out, &is_element, &err);
    CHECK(status == cases[i].status, "case %zu: %s", i, nd_status_name(status));
    if (status != ND_OK) {
      CHECK(strstr(err.message, "items[0]"), "%s", err.message);
      continue;
    }
    CHECK(out.offset == cases[i].first && out.size == (out.ndim ? cases[i].item.len : 1),
          "case %zu: %zu", i, out.offset);
    CHECK(out.ndim == 0 ? is_element : out.axis[0].step == cases[i].step, "case %zu", i);
    drop(&out);
  }
  const size_t deep[] = {2, 2, 2};
  const nd_index behind[] = {{.kind = ND_INDEX_ELLIPSIS}, {.kind = ND_INDEX_AT, .first = 2}};
  nd_view cube = make_packed(ND_U8, 3, deep);
  CHECK(nd_view_index(&cube, 2, behind, &out, &is_element, &err) == ND_INDEX_OUT_OF_RANGE &&
            strstr(err.message, "items[1]"),
        "%s", err.message);
  drop(&cube), drop(&v);
}

int main(void) {
  seed_from(20266);
  spec_grammar();
  spec_bad_grammar();
  spec_names();
  spec_garbage();
  spec_expressions();
  spec_refusals();
  spec_bounds();
  return finish();
}
