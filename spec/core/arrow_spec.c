/* Arrow's structures as a reader and a producer in C have them: who releases what, on whatever
 * thread, in whatever order. pyarrow and nanoarrow are in spec/peers. */
#include <pthread.h>
#include <string.h>

#include "arrays.h"
#include "check.h"
#include "mem/reap.h"
#include "ndbuf.h"

static nd_error err;

static nd_mem_stats host_stats(void) {
  nd_mem_stats stats;
  nd_reap(ND_REAP_DONE);
  nd_resource_get_stats(nd_host_resource(), &stats);
  return stats;
}

static nd_view make(int ndim, const size_t *shape, nd_dtype dtype) {
  nd_view out;
  if (nd_new(nd_host_resource(), dtype, ndim, shape, (nd_storage_options){.zeroed = true}, &out,
             &err))
    abort();
  return out;
}

/* {=== out ===} */

enum { COLUMNS = 3, ROWS = 10 };

/* A table of x f64, y bool, z i16 lists of two; the arrays are freed at once. */
static void export_table(struct ArrowSchema *schema, struct ArrowArray *array) {
  static const size_t line[] = {ROWS}, pairs[] = {ROWS, 2};
  nd_view views[COLUMNS] = {make(1, line, ND_F64), make(1, line, ND_BOOL), make(2, pairs, ND_I16)};
  for (int i = 0; i < ROWS; i++) ((double *)views[0].storage->host)[i] = i;
  for (int i = 0; i < ROWS; i++) views[1].storage->host[i] = (char)(i % 3 == 0);
  for (int i = 0; i < 2 * ROWS; i++) ((int16_t *)views[2].storage->host)[i] = (int16_t)-i;
  const nd_arrow_column columns[] = {
      {"x", &views[0], NULL}, {"y", &views[1], NULL}, {"z", &views[2], NULL}};
  bool is_copied = false;
  CHECK(nd_arrow_export(COLUMNS, columns, true, schema, array, &is_copied, &err) == ND_OK, "%s",
        err.message);
  CHECK(is_copied, "bits are");
  for (int i = 0; i < COLUMNS; i++) {
    CHECK(nd_storage_free(views[i].storage, &err) == ND_OK, "%s", err.message);
    nd_view_drop(&views[i]);
  }
}

static void check_columns(const struct ArrowArray *array) {
  CHECK(array->length == ROWS && array->n_children == COLUMNS && array->null_count == 0, "table");
  const double *x = array->children[0]->buffers[1];
  const unsigned char *y = array->children[1]->buffers[1];
  const int16_t *z = array->children[2]->children[0]->buffers[1];
  for (int i = 0; i < ROWS; i++) {
    CHECK(x[i] == i && (y[i / 8] >> i % 8 & 1) == (i % 3 == 0), "row %d", i);
    CHECK(z[2 * i] == -2 * i && z[2 * i + 1] == -2 * i - 1, "row %d", i);
  }
}

static void spec_order(void) {
  group("parents and children are released in any order, schema and array apart");
  const nd_mem_stats before = host_stats();
  for (int order = 0; order < 16; order++) {
    struct ArrowSchema schema, moved_schema = {.release = NULL};
    struct ArrowArray array, moved[COLUMNS] = {{.release = NULL}};
    export_table(&schema, &array);
    CHECK(strcmp(schema.format, "+s") == 0 && strcmp(schema.children[2]->format, "+w:2") == 0 &&
              strcmp(schema.children[1]->name, "y") == 0,
          "schema");
    check_columns(&array);
    if (order & 1) {
      moved_schema = *schema.children[2];
      schema.children[2]->release = NULL;
    }
    for (int i = 0; i < COLUMNS; i++) {
      if (!(order >> i & 2)) continue;
      moved[i] = *array.children[i];
      array.children[i]->release = NULL;
    }
    schema.release(&schema);
    CHECK(!schema.release, "marked");
    if (order & 2) array.release(&array);
    if (moved[0].release) {
      const double *x = moved[0].buffers[1];
      CHECK(x[ROWS - 1] == ROWS - 1, "a child that was moved out");
    }
    for (int i = COLUMNS - 1; i >= 0; i--)
      if (moved[i].release) moved[i].release(&moved[i]);
    if (array.release) array.release(&array);
    if (moved_schema.release) {
      CHECK(strcmp(moved_schema.children[0]->format, "s") == 0, "a schema that was moved out");
      moved_schema.release(&moved_schema);
    }
  }
  const nd_mem_stats after = host_stats();
  CHECK(after.live.now == before.live.now && after.held.now == before.held.now, "bytes are left");
}

static void spec_tensors(void) {
  group("more than two axes are tensors of a fixed shape, of no rows as well");
  static const size_t shapes[][4] = {{3, 2, 4, 5}, {0, 2, 4, 5}, {3, 0, 4, 5}};
  for (size_t i = 0; i < ND_COUNTOF(shapes); i++) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    nd_view v = make(4, shapes[i], ND_F32);
    const nd_arrow_column column = {.array = &v};
    CHECK(nd_arrow_export(1, &column, false, &schema, &array, NULL, &err) == ND_OK, "%s",
          err.message);
    nd_arrow_batch *batch = NULL;
    CHECK(nd_arrow_read(&schema, &array, &batch, &err) == ND_OK, "%s", err.message);
    const nd_view *back = nd_arrow_values(batch, 0);
    CHECK(back->ndim == 4 && nd_view_same_shape(back, &v) && !nd_arrow_is_table(batch), "shape");
    nd_arrow_accept(batch, &array);
    nd_arrow_free(batch);
    CHECK(!array.release, "taken over");
    schema.release(&schema);
    nd_view_drop(&v);
  }
}

/* {=== threads ===} */

static void *release_it(void *at) {
  struct ArrowArray *array = at;
  array->release(array);
  return NULL;
}

static void spec_threads(void) {
  group("children are released by threads at the same time as their parent");
  const nd_mem_stats before = host_stats();
  for (size_t round = 0; round < scaled(500); round++) {
    pthread_t thread[COLUMNS + 1];
    struct ArrowSchema schema;
    struct ArrowArray array, moved[COLUMNS];
    export_table(&schema, &array);
    schema.release(&schema);
    for (int i = 0; i < COLUMNS; i++) {
      moved[i] = *array.children[i];
      array.children[i]->release = NULL;
      pthread_create(&thread[i], NULL, release_it, &moved[i]);
    }
    pthread_create(&thread[COLUMNS], NULL, release_it, &array);
    for (int i = 0; i <= COLUMNS; i++) pthread_join(thread[i], NULL);
  }
  const nd_mem_stats after = host_stats();
  CHECK(after.live.now == before.live.now && after.held.now == before.held.now, "bytes are left");
}

typedef struct {
  struct ArrowArrayStream stream;
  size_t rows;
} reading;

static void *read_all(void *at) {
  reading *r = at;
  struct ArrowArray batch;
  struct ArrowSchema schema;
  if (r->stream.get_schema(&r->stream, &schema) != 0) return NULL;
  schema.release(&schema);
  for (;;) {
    if (r->stream.get_next(&r->stream, &batch) != 0 || !batch.release) break;
    r->rows += (size_t)batch.length;
    batch.release(&batch);
  }
  r->stream.release(&r->stream);
  return NULL;
}

static void spec_streams(void) {
  group("streams are read by other threads, after their arrays are gone");
  enum { READERS = 4 };
  const nd_mem_stats before = host_stats();
  pthread_t thread[READERS];
  static reading readers[READERS];
  const size_t rows = 10007;
  nd_view v = make(1, &rows, ND_I64);
  const nd_arrow_column column = {"x", &v, NULL};
  for (int i = 0; i < READERS; i++) {
    readers[i].rows = 0;
    CHECK(nd_arrow_export_stream(1, &column, 100 + (size_t)i, &readers[i].stream, NULL, &err) ==
              ND_OK,
          "%s", err.message);
  }
  nd_storage_free(v.storage, NULL);
  nd_view_drop(&v);
  for (int i = 0; i < READERS; i++) pthread_create(&thread[i], NULL, read_all, &readers[i]);
  for (int i = 0; i < READERS; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < READERS; i++)
    CHECK(readers[i].rows == rows && !readers[i].stream.release, "%zu rows", readers[i].rows);
  CHECK(host_stats().live.now == before.live.now, "bytes are left");
}

/* {=== in ===} */

static int released;
static void release_array(struct ArrowArray *a) { released++, a->release = NULL; }
static void release_schema(struct ArrowSchema *s) { s->release = NULL; }

typedef struct {
  struct ArrowSchema schema;
  struct ArrowArray array;
  const void *buffers[2];
  int32_t data[ROWS];
  char theirs[128]; /* no pointers */
} foreign;

static void reset(foreign *f) {
  *f = (foreign){.schema = {.format = "i", .name = "x", .release = release_schema},
                 .array = {.length = ROWS, .n_buffers = 2, .release = release_array}};
  f->array.buffers = f->buffers;
  f->buffers[1] = f->data;
  for (int i = 0; i < ROWS; i++) f->data[i] = i;
  memset(f->theirs, 0x55, sizeof f->theirs);
  f->schema.private_data = f->array.private_data = f->theirs;
  released = 0;
}

static void spec_in(void) {
  group("a column is released with its last view, or never where it was not accepted");
  static foreign f;
  nd_arrow_batch *batch = NULL;
  nd_view view;
  reset(&f);
  f.array.offset = 2, f.array.length = 5;
  CHECK(nd_arrow_read(&f.schema, &f.array, &batch, &err) == ND_OK, "%s", err.message);
  nd_view_copy(nd_arrow_values(batch, 0), &view);
  CHECK(view.size == 5 && ((int32_t *)view.storage->host)[4] == 6 && view.is_read_only, "values");
  CHECK(!nd_arrow_validity(batch, 0) && strcmp(nd_arrow_name(batch, 0), "x") == 0, "all");
  nd_arrow_accept(batch, &f.array);
  nd_arrow_free(batch);
  CHECK(released == 0 && !f.array.release, "moved");
  nd_view_drop(&view);
  CHECK(released == 1, "released %d times", released);
  reset(&f);
  CHECK(nd_arrow_read(&f.schema, &f.array, &batch, &err) == ND_OK, "%s", err.message);
  nd_arrow_free(batch);
  CHECK(released == 0 && f.array.release, "not accepted");
  /* what is behind its event may be gone as well */
  struct ArrowDeviceArray device = {.device_type = 1, .sync_event = (void *)8};
  CHECK(nd_arrow_read_device(&f.schema, &device, &batch, &err) == ND_INVALID_ARGUMENT, "released");
}

/* {=== held ===} */

/* A list of strings of whatever length, with a dictionary and metadata; 'of' is the struct's. */
typedef struct {
  struct ArrowSchema schema, item, words, *items[1];
  struct ArrowArray array, indices, texts, *below[1];
  const void *buffers[3][3];
} strings;

static const char metadata[] = "\1\0\0\0\3\0\0\0key\5\0\0\0value";

static void release_part(struct ArrowArray *a) { a->release = NULL; }
static void release_strings(struct ArrowArray *a) {
  a->children[0]->dictionary->release(a->children[0]->dictionary);
  a->children[0]->release(a->children[0]);
  release_array(a);
}

static void make_strings(strings *s) {
  static const int32_t offsets[] = {0, 1, 3, 3, 4}, ends[] = {0, 3, 5};
  static const int8_t indices[] = {1, 0, 1, 1};
  *s = (strings){.schema = {.format = "+l", .name = "s", .metadata = metadata, .n_children = 1},
                 .item = {.format = "c", .name = "item", .flags = ARROW_FLAG_NULLABLE},
                 .words = {.format = "u", .release = release_schema},
                 .array = {.length = 4, .n_buffers = 2, .n_children = 1},
                 .indices = {.length = 4, .n_buffers = 2, .release = release_part},
                 .texts = {.length = 2, .n_buffers = 3, .release = release_part},
                 .buffers = {{NULL, offsets}, {NULL, indices}, {NULL, ends, "oneto"}}};
  s->schema.release = s->item.release = release_schema, s->array.release = release_strings;
  s->schema.children = s->items, s->items[0] = &s->item, s->item.dictionary = &s->words;
  s->array.children = s->below, s->below[0] = &s->indices, s->indices.dictionary = &s->texts;
  s->array.buffers = s->buffers[0], s->indices.buffers = s->buffers[1];
  s->texts.buffers = s->buffers[2];
  released = 0;
}

static nd_arrow_held *hold_strings(strings *s) {
  nd_arrow_batch *batch = NULL;
  make_strings(s);
  CHECK(nd_arrow_read(&s->schema, &s->array, &batch, &err) == ND_OK, "%s", err.message);
  CHECK(!nd_arrow_values(batch, 0) && !nd_arrow_validity(batch, 0), "held");
  nd_arrow_held *held = nd_arrow_held_hold(nd_arrow_held_of(batch, 0));
  CHECK(strcmp(nd_arrow_held_format(held), "+l") == 0 && nd_arrow_held_rows(held) == 4, "rows");
  nd_arrow_accept(batch, &s->array);
  nd_arrow_free(batch);
  memset(&s->array, 0xA5, sizeof s->array); /* it was moved, and may be gone */
  s->schema.release(&s->schema);
  return held;
}

static void spec_held(void) {
  group("a column without a dtype goes out as it came, often, and is released once");
  strings s;
  const uint64_t live = live_blocks();
  for (int order = 0; order < 8; order++) {
    struct ArrowSchema schema;
    struct ArrowArray array[2], moved = {.release = NULL};
    nd_arrow_held *held = hold_strings(&s);
    const nd_arrow_column column = {.name = "again", .held = held};
    for (int i = 0; i < 2; i++) {
      CHECK(nd_arrow_export(1, &column, false, &schema, &array[i], NULL, &err) == ND_OK, "%s",
            err.message);
      CHECK(strcmp(schema.name, "again") == 0 && strcmp(schema.format, "+l") == 0 &&
                memcmp(schema.metadata, metadata, sizeof metadata - 1) == 0 &&
                strcmp(schema.children[0]->dictionary->format, "u") == 0 &&
                schema.children[0]->flags == ARROW_FLAG_NULLABLE,
            "schema");
      schema.release(&schema);
    }
    if (order & 1) nd_arrow_held_drop(held);
    if (order & 2) moved = *array[0].children[0], array[0].children[0]->release = NULL;
    const struct ArrowArray *words = array[1].children[0]->dictionary;
    CHECK(memcmp(words->buffers[2], "oneto", 5) == 0 && words->length == 2, "words");
    array[order >> 2].release(&array[order >> 2]);
    CHECK(released == 0, "one is left");
    array[!(order >> 2)].release(&array[!(order >> 2)]);
    if (!(order & 1)) nd_arrow_held_drop(held);
    if (moved.release) {
      CHECK(released == 0 && ((const int8_t *)moved.buffers[1])[0] == 1, "a part moved out");
      moved.release(&moved);
    }
    CHECK(released == 1 && live_blocks() == live, "released %d times", released);
  }
}

static void spec_held_stream(void) {
  group("in a stream it comes in parts, beside columns with one");
  strings s;
  const uint64_t live = live_blocks();
  nd_arrow_held *held = hold_strings(&s);
  const size_t rows = 4;
  nd_view v = make(1, &rows, ND_I64);
  const nd_arrow_column columns[] = {{"x", &v, NULL}, {"s", NULL, held}};
  struct ArrowArrayStream stream;
  CHECK(nd_arrow_export_stream(2, columns, 3, &stream, NULL, &err) == ND_OK, "%s", err.message);
  nd_arrow_held_drop(held);
  nd_view_drop(&v);
  for (int64_t first = 0; first < 4; first += 3) {
    struct ArrowArray batch;
    CHECK(stream.get_next(&stream, &batch) == 0 && batch.n_children == 2, "batch");
    CHECK(batch.children[1]->offset == first && batch.children[1]->length == batch.length, "rows");
    batch.release(&batch);
  }
  CHECK(released == 0, "the stream has it");
  stream.release(&stream);
  CHECK(released == 1 && live_blocks() == live, "released %d times", released);
}

static void spec_held_length(void) {
  group("a column that is held has as many rows as the others");
  strings s;
  nd_arrow_held *held = hold_strings(&s);
  const size_t rows = 5;
  nd_view v = make(1, &rows, ND_I64);
  const nd_arrow_column columns[] = {{"x", &v, NULL}, {"s", NULL, held}};
  struct ArrowSchema schema;
  struct ArrowArray array;
  CHECK(nd_arrow_export(2, columns, true, &schema, &array, NULL, &err) == ND_SHAPE_MISMATCH, "%s",
        err.message);
  nd_arrow_held_drop(held);
  nd_view_drop(&v);
  CHECK(released == 1, "released %d times", released);
}

/* {=== bad ones ===} */

typedef struct {
  const char *name;
  nd_status expected;
  void (*spoil)(foreign *f);
} bad;

static void spoil_array(foreign *f) { f->array.release = NULL; }
static void spoil_schema(foreign *f) { f->schema.release = NULL; }
static void spoil_no_format(foreign *f) { f->schema.format = NULL; }
static void spoil_buffers(foreign *f) { f->array.n_buffers = 1; }
static void spoil_many_buffers(foreign *f) { f->array.n_buffers = 3; }
static void spoil_list(foreign *f) { f->array.buffers = NULL; }
static void spoil_data(foreign *f) { f->buffers[1] = NULL; }
static void spoil_length(foreign *f) { f->array.length = -1; }
static void spoil_offset(foreign *f) { f->array.offset = -1; }
static void spoil_sum(foreign *f) { f->array.offset = f->array.length = INT64_MAX; }
static void spoil_size(foreign *f) { f->array.length = INT64_MAX / 2; }
static void spoil_nulls(foreign *f) { f->array.null_count = ROWS + 1; }
static void spoil_children(foreign *f) { f->array.n_children = 1; }
/* Dictionaries are held, not read. */
static void spoil_parts(foreign *f) { f->schema.dictionary = &f->schema; }
static void spoil_part(foreign *f) {
  static struct ArrowArray dead;
  f->schema.dictionary = &f->schema, f->array.dictionary = &dead;
}
static void spoil_levels(foreign *f) {
  f->schema.dictionary = &f->schema, f->array.dictionary = &f->array;
}
static void spoil_columns(foreign *f) { f->schema.format = "+s", f->schema.n_children = -1; }

static void spec_bad(void) {
  group("columns that make no sense are refused, and still the caller's");
  static const bad cases[] = {{"array", ND_INVALID_ARGUMENT, spoil_array},
                              {"schema", ND_INVALID_ARGUMENT, spoil_schema},
                              {"no format", ND_INVALID_ARGUMENT, spoil_no_format},
                              {"buffers", ND_FORMAT, spoil_buffers},
                              {"many buffers", ND_FORMAT, spoil_many_buffers},
                              {"list", ND_FORMAT, spoil_list},
                              {"data", ND_FORMAT, spoil_data},
                              {"length", ND_FORMAT, spoil_length},
                              {"offset", ND_FORMAT, spoil_offset},
                              {"sum", ND_OVERFLOW, spoil_sum},
                              {"size", ND_OVERFLOW, spoil_size},
                              {"nulls", ND_FORMAT, spoil_nulls},
                              {"children", ND_FORMAT, spoil_children},
                              {"columns", ND_FORMAT, spoil_columns},
                              {"parts", ND_FORMAT, spoil_parts},
                              {"a part", ND_INVALID_ARGUMENT, spoil_part},
                              {"levels", ND_UNSUPPORTED, spoil_levels}};
  static foreign f;
  const uint64_t live = live_blocks();
  for (size_t i = 0; i < ND_COUNTOF(cases); i++) {
    nd_arrow_batch *batch = NULL;
    reset(&f);
    cases[i].spoil(&f);
    const nd_status status = nd_arrow_read(&f.schema, &f.array, &batch, &err);
    CHECK(status == cases[i].expected, "%s: %s: %s", cases[i].name, nd_status_name(status),
          status ? err.message : "");
    CHECK(!batch && released == 0 && live_blocks() == live, "%s", cases[i].name);
  }
}

int main(void) {
  if (nd_init(&err)) return 2;
  spec_order();
  spec_tensors();
  spec_threads();
  spec_streams();
  spec_in();
  spec_held();
  spec_held_stream();
  spec_held_length();
  spec_bad();
  return finish();
}
