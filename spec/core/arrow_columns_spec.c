/* Arrow columns, element by element: offsets, bits and nulls as plain structures have them, both
 * ways. spec/core/arrow_lists_spec.c has lists and tensors, arrow_spec.c who releases what. */
#include "columns.h"

/* {=== bits ===} */

enum { BYTES = 16 };

/* Bits as bools, and as what says which are not null. */
static void check_bits(const unsigned char *bits, size_t first, size_t count) {
  static const signed char data[8 * BYTES];
  node bools, items;
  bool is_right = true, are_all = true;
  make_leaf(&bools, "b", "x", (int64_t)count, NULL, bits);
  make_leaf(&items, "c", "x", (int64_t)count, bits, data);
  bools.array.offset = items.array.offset = (int64_t)first;
  nd_arrow_batch *one = take_in(&bools), *other = take_in(&items);
  if (!one || !other) return;
  const nd_view *v = nd_arrow_values(one, 0), *validity = nd_arrow_validity(other, 0);
  for (size_t i = 0; i < count; i++) {
    is_right &= bools_of(v)[i] == bit(bits, first + i);
    is_right &= !validity || bools_of(validity)[i] == bit(bits, first + i);
    are_all &= bit(bits, first + i);
  }
  CHECK(is_right && v->size == count, "%zu bits from %zu on", count, first);
  CHECK(!validity == are_all, "%zu bits from %zu on are %s", count, first, are_all ? "set" : "not");
  nd_arrow_free(one), nd_arrow_free(other);
}

static void spec_bits(void) {
  group("bits from any offset on are bools, and tell what is null, if anything is");
  unsigned char some[BYTES], most[BYTES];
  const uint64_t live = live_blocks();
  for (size_t i = 0; i < BYTES; i++) some[i] = (unsigned char)below(256), most[i] = 0xFF;
  most[9] = 0xDF;
  for (size_t first = 0; first < 20; first++)
    for (size_t count = 0; count < 40; count++)
      check_bits(some, first, count), check_bits(most, 3 * first, count);
  CHECK(live_blocks() == live, "%d blocks are left", (int)(live_blocks() - live));
}

static void spec_bits_out(void) {
  group("bools of any number are bits, in parts of a stream, too");
  enum { MOST = 70, STEP = 11 };
  for (size_t count = 1; count < MOST; count++) {
    nd_view v = make_packed(ND_BOOL, 1, &count);
    const nd_arrow_column column = {.name = "x", .array = &v};
    struct ArrowArrayStream stream;
    struct ArrowArray batch;
    bool is_right = true;
    size_t first = 0;
    fill_bytes(&v);
    CHECK(nd_arrow_export_stream(1, &column, STEP, &stream, NULL, &err) == ND_OK, "%s",
          err.message);
    while (stream.get_next(&stream, &batch) == 0 && batch.release) {
      const struct ArrowArray *x = batch.children[0];
      for (int64_t i = 0; i < x->length; i++)
        is_right &= bit(x->buffers[1], (size_t)(x->offset + i)) == bools_of(&v)[first + (size_t)i];
      first += (size_t)x->length;
      batch.release(&batch);
    }
    CHECK(is_right && first == count, "%zu of %zu", first, count);
    stream.release(&stream);
    nd_view_drop(&v);
  }
}

/* {=== structs ===} */

static const char texts[] = "abcdefghijklmnopq";

/* A struct of 4 rows from its third on, of x i32, whose buffer begins one before, y bool, z strings
 * of one character; the last row is null, as is the third of x. */
typedef struct {
  node all, parts[PARTS];
} table;

static void make_table(table *t) {
  static const unsigned char rows[] = {0xDF}, of_x[] = {0xEF}, of_y[] = {0x5A}, of_z[] = {0xFD};
  make_node(&t->all, "+s", "", 4, 1);
  t->all.buffers[0] = rows;
  t->all.array.offset = 2, t->all.array.null_count = 1;
  make_leaf(&t->parts[0], "i", "x", 7, of_x, numbers);
  make_leaf(&t->parts[1], "b", "y", 6, NULL, of_y);
  make_node(&t->parts[2], "u", "z", 6, 3);
  t->parts[2].buffers[0] = of_z, t->parts[2].buffers[1] = numbers, t->parts[2].buffers[2] = texts;
  t->parts[2].array.null_count = 1, t->parts[2].array.offset = 1;
  for (int i = 0; i < PARTS; i++) add_child(&t->all, &t->parts[i]);
}

static void check_validity(const nd_arrow_batch *batch, int i, const char *expected) {
  const nd_view *v = nd_arrow_validity(batch, i);
  for (size_t k = 0; v && k < v->size; k++)
    CHECK(bools_of(v)[k] == (expected[k] == '1'), "row %zu of column %d", k, i);
  CHECK(v && v->size == strlen(expected), "column %d", i);
}

/* As it goes out again, while the caller's structure is gone. */
static void check_again(nd_arrow_held *held) {
  struct ArrowSchema schema;
  struct ArrowArray array;
  const nd_arrow_column column = {.name = "z", .held = held};
  CHECK(nd_arrow_export(1, &column, false, &schema, &array, NULL, &err) == ND_OK, "%s",
        err.message);
  CHECK(array.offset == 3 && array.length == 4 && array.n_buffers == 3, "from %d on",
        (int)array.offset);
  CHECK(array.null_count == -1, "%d nulls among part of the rows", (int)array.null_count);
  CHECK(memcmp(array.buffers[2], texts, 4) == 0, "texts");
  schema.release(&schema), array.release(&array);
}

static void spec_structs(void) {
  group("a struct has rows of all its columns, and those that are null are so in each");
  static table t;
  const uint64_t live = live_blocks();
  make_table(&t);
  nd_arrow_batch *batch = take_in(&t.all);
  if (!batch) return;
  CHECK(nd_arrow_count(batch) == PARTS && nd_arrow_is_table(batch), "columns");
  for (int i = 0; i < 4; i++) {
    CHECK(ints_of(nd_arrow_values(batch, 0))[i] == 2 + i, "row %d", i);
    CHECK(bools_of(nd_arrow_values(batch, 1))[i] == (0x5A >> (2 + i) & 1), "row %d", i);
  }
  check_validity(batch, 0, "1100"), check_validity(batch, 1, "1110");
  check_validity(batch, 2, "1110"); /* its own nulls go out with it */
  CHECK(!nd_arrow_values(batch, 2), "strings are held");
  nd_arrow_held *held = nd_arrow_held_hold(nd_arrow_held_of(batch, 2));
  nd_arrow_free(batch);
  CHECK(released == 0, "the strings are held");
  memset(&t.all.array, 0xA5, sizeof t.all.array); /* moved, and gone */
  check_again(held);
  nd_arrow_held_drop(held);
  CHECK(released == 1 && live_blocks() == live, "released %d times", released);
}

/* {=== what does not fit together ===} */

static void check_refused(const char *what, node *n, nd_status expected) {
  nd_arrow_batch *batch = NULL;
  const uint64_t live = live_blocks();
  released = 0;
  const nd_status status = nd_arrow_read(&n->schema, &n->array, &batch, &err);
  CHECK(status == expected && !batch, "%s: %s", what, nd_status_name(status));
  CHECK(released == 0 && n->array.release && live_blocks() == live, "%s", what);
}

static void spec_short(void) {
  group("parts that are shorter than their whole, or not there, are refused");
  static table t;
  static node list, items;
  for (int i = 0; i < PARTS; i++) {
    make_table(&t);
    t.parts[i].array.length = 5; /* 2 + 4 are asked for */
    check_refused(t.parts[i].schema.name, &t.all, ND_FORMAT);
    make_table(&t);
    t.parts[i].array.release = NULL;
    check_refused(t.parts[i].schema.name, &t.all, ND_INVALID_ARGUMENT);
    make_table(&t);
    t.parts[i].array.offset = INT64_MAX - 3;
    check_refused(t.parts[i].schema.name, &t.all, ND_OVERFLOW);
  }
  make_lists(&list, &items, NULL);
  items.array.length = 11;
  check_refused("items", &list, ND_FORMAT);
  make_lists(&list, &items, NULL);
  list.array.n_children = 0;
  check_refused("no items", &list, ND_FORMAT);
  make_lists(&list, &items, NULL);
  list.array.offset = list.array.length = INT64_MAX / 5;
  check_refused("a product", &list, ND_OVERFLOW);
  make_table(&t);
  t.all.buffers[0] = NULL;
  check_refused("rows that are null", &t.all, ND_FORMAT);
  make_table(&t);
  t.parts[0].buffers[0] = NULL, t.parts[0].array.null_count = 2;
  check_refused("numbers that are null", &t.all, ND_FORMAT);
}

/* {=== out ===} */

/* The numbers of a column of i32, of lists of two where 'is_list'. */
static bool is_line(const struct ArrowArray *a, bool is_list, int first, int step, int count) {
  const struct ArrowArray *items = is_list ? a->children[0] : a;
  const int32_t *x = items->buffers[1];
  bool is_right = items->length == count;
  for (int i = 0; i < count; i++) is_right &= x[items->offset + i] == first + i * step;
  return is_right;
}

static void spec_out(void) {
  group("views go out from their first element on, in row-major order, and leave nothing behind");
  static const size_t shape[] = {8, 2};
  static const int order[] = {1, 0};
  const uint64_t live = live_blocks();
  nd_view all = make_packed(ND_I32, 2, shape), part, turned, column;
  for (int i = 0; i < 16; i++) memcpy(element(&all, (size_t[]){0, 0}) + 4 * i, &i, sizeof i);
  if (nd_view_narrow(&all, 0, 3, 4, &part, &err) || nd_view_permute(&all, order, &turned, &err) ||
      nd_view_select(&turned, 0, 1, &column, &err))
    abort();
  const struct {
    const nd_view *view;
    bool is_list, is_copied;
    int first, step, count;
  } cases[] = {{&all, true, false, 0, 1, 16},
               {&part, true, false, 6, 1, 8},
               {&column, false, true, 1, 2, 8}};
  for (size_t i = 0; i < ND_COUNTOF(cases); i++) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    bool is_copied = false;
    const nd_arrow_column one = {.array = cases[i].view};
    const uint64_t before = live_blocks();
    CHECK(nd_arrow_export(1, &one, false, &schema, &array, &is_copied, &err) == ND_OK, "%s",
          err.message);
    CHECK(is_copied == cases[i].is_copied, "case %zu", i);
    CHECK(is_line(&array, cases[i].is_list, cases[i].first, cases[i].step, cases[i].count),
          "case %zu", i);
    schema.release(&schema), array.release(&array);
    CHECK(live_blocks() == before, "case %zu: %d blocks", i, (int)(live_blocks() - before));
  }
  nd_view_drop(&all), nd_view_drop(&part), nd_view_drop(&turned), nd_view_drop(&column);
  CHECK(live_blocks() == live, "%d blocks are left", (int)(live_blocks() - live));
}

static void spec_out_in_parts(void) {
  group("a stream has the rows of lists one part after the other");
  static const size_t shape[] = {8, 2};
  nd_view all = make_packed(ND_I32, 2, shape);
  for (int i = 0; i < 16; i++) memcpy(element(&all, (size_t[]){0, 0}) + 4 * i, &i, sizeof i);
  const nd_arrow_column column = {.name = "x", .array = &all};
  struct ArrowArrayStream stream;
  struct ArrowArray batch;
  int rows = 0;
  CHECK(nd_arrow_export_stream(1, &column, 3, &stream, NULL, &err) == ND_OK, "%s", err.message);
  while (stream.get_next(&stream, &batch) == 0 && batch.release) {
    const int count = rows < 6 ? 3 : 2;
    CHECK(batch.length == count && is_line(batch.children[0], true, 2 * rows, 1, 2 * count),
          "from %d on", rows);
    rows += count;
    batch.release(&batch);
  }
  CHECK(rows == 8, "%d rows", rows);
  stream.release(&stream);
  nd_view_drop(&all);
}

static void spec_out_refused(void) {
  group("a table with a column that Arrow cannot have leaves the others as they were");
  const size_t rows = 4, none = 0;
  const uint64_t live = live_blocks();
  nd_view x = make_packed(ND_I32, 1, &rows), y = make_packed(ND_BOOL, 1, &rows);
  nd_view z = make_packed(ND_C64, 1, &rows), scalar = make_packed(ND_I32, 0, &none);
  const nd_arrow_column columns[] = {{"x", &x, NULL}, {"y", &y, NULL}, {"z", &z, NULL}};
  const nd_arrow_column only = {.array = &scalar};
  struct ArrowSchema schema = {.release = NULL};
  struct ArrowArray array = {.release = NULL};
  CHECK(nd_arrow_export(3, columns, true, &schema, &array, NULL, &err) == ND_UNSUPPORTED, "%s",
        err.message);
  CHECK(nd_arrow_export(1, &only, false, &schema, &array, NULL, &err) == ND_INVALID_VIEW, "%s",
        err.message);
  CHECK(!schema.release && !array.release && x.storage->exports == 0, "nothing is out");
  nd_view_drop(&x), nd_view_drop(&y), nd_view_drop(&z), nd_view_drop(&scalar);
  CHECK(live_blocks() == live, "%d blocks are left", (int)(live_blocks() - live));
}

int main(void) {
  seed_from(20261127);
  if (nd_init(&err)) return 2;
  spec_bits();
  spec_bits_out();
  spec_structs();
  spec_short();
  spec_out();
  spec_out_in_parts();
  spec_out_refused();
  return finish();
}
