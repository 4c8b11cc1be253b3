/* A format of many named arrays under fuzz: as spec/fuzz/files.h has it for one. */
#ifndef ND_SPEC_FUZZ_MANY_H
#define ND_SPEC_FUZZ_MANY_H

#include "files.h"

enum { MOST_ARRAYS = 64, MOST_TEXTS = 64 };

typedef struct {
  nd_sink base;
  int count, texts_count;
  nd_named_array arrays[MOST_ARRAYS];
  nd_view views[MOST_ARRAYS];
  nd_text texts[MOST_TEXTS];
} contents;

/* What is beyond the room is dropped. */
static inline nd_status put_named(nd_sink *self, const char *name, nd_view *array, nd_error *err) {
  contents *c = (contents *)self;
  (void)err;
  MUST(nd_view_is_sound(array), "unsound");
  if (c->count == MOST_ARRAYS) return nd_view_drop(array), ND_OK;
  nd_view_borrow(array, &c->views[c->count]);
  c->arrays[c->count] = (nd_named_array){strdup(name), &c->views[c->count]};
  c->count++;
  return ND_OK;
}

static inline nd_status put_text(nd_sink *self, const char *name, const char *value,
                                 nd_error *err) {
  contents *c = (contents *)self;
  (void)err;
  if (c->texts_count == MOST_TEXTS) return ND_OK;
  c->texts[c->texts_count++] = (nd_text){strdup(name), strdup(value)};
  return ND_OK;
}

static inline nd_status load_many(const nd_codec *codec, const char *path, bool map, contents *out,
                                  nd_error *err) {
  memset(out, 0, sizeof *out);
  out->base = (nd_sink){.map = map, .put_array = put_named, .put_text = put_text};
  return nd_codec_load(codec, path, &out->base, err);
}

static inline void drop_contents(contents *c) {
  for (int i = 0; i < c->count; i++) {
    free((void *)(uintptr_t)c->arrays[i].name);
    nd_view_drop(&c->views[i]);
  }
  for (int i = 0; i < c->texts_count; i++) {
    free((void *)(uintptr_t)c->texts[i].name);
    free((void *)(uintptr_t)c->texts[i].value);
  }
  c->count = c->texts_count = 0;
}

static inline const nd_view *find_named(const contents *c, const char *name) {
  for (int i = 0; i < c->count; i++)
    if (strcmp(c->arrays[i].name, name) == 0) return &c->views[i];
  return NULL;
}

static inline const char *find_text(const contents *c, const char *name) {
  for (int i = 0; i < c->texts_count; i++)
    if (strcmp(c->texts[i].name, name) == 0) return c->texts[i].value;
  return NULL;
}

/* All of 'a' are in 'b'. */
static inline void check_same(const contents *a, const contents *b, size_t most) {
  MUST(a->count == b->count, "%d arrays, %d", a->count, b->count);
  for (int i = 0; i < a->count; i++) {
    const nd_view *other = find_named(b, a->arrays[i].name);
    MUST(other, "'%s' is missing", a->arrays[i].name);
    check_equal(&a->views[i], other, most);
  }
  MUST(a->texts_count == b->texts_count, "%d texts, %d", a->texts_count, b->texts_count);
  for (int i = 0; i < a->texts_count; i++) {
    const char *other = find_text(b, a->texts[i].name);
    MUST(other && strcmp(other, a->texts[i].value) == 0, "text '%s'", a->texts[i].name);
  }
}

static inline void check_many_mapped(const nd_codec *codec, const char *path, const contents *read,
                                     size_t most) {
  static contents mapped;
  nd_error err = {0};
  const nd_status status = load_many(codec, path, true, &mapped, &err);
  if (status == ND_OK) check_same(read, &mapped, most);
  else MUST(status == ND_UNSUPPORTED, "%s", err.message);
  drop_contents(&mapped);
}

/* Names may be such as cannot be written. */
static inline void check_many_saved(const nd_codec *codec, const contents *read, size_t most) {
  static contents back;
  nd_error err = {0};
  const nd_source source = {.count = read->count,
                            .arrays = read->arrays,
                            .texts_count = read->texts_count,
                            .texts = read->texts};
  const nd_status status = nd_codec_save(codec, saved_path, &source, &err);
  if (status == ND_INVALID_ARGUMENT || status == ND_CAPACITY) return;
  MUST(status == ND_OK, "%s", err.message);
  MUST(load_many(codec, saved_path, false, &back, &err) == ND_OK, "%s", err.message);
  check_same(read, &back, most);
  drop_contents(&back);
}

/* 'most': bytes of an array at most. */
static inline int fuzz_many(const nd_codec *codec, const uint8_t *data, size_t size, size_t most) {
  static contents read;
  const char *path = put_input(data, size);
  const int lowest = lowest_descriptor();
  nd_error err = {0};
  const nd_status status = load_many(codec, path, false, &read, &err);
  if (status == ND_OK) {
    check_many_mapped(codec, path, &read, most);
    check_many_saved(codec, &read, most);
  } else {
    check_refusal(status, &err, path);
  }
  drop_contents(&read);
  check_nothing_left(lowest);
  return 0;
}

#endif
