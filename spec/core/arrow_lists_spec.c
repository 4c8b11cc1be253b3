/* Arrow's lists of a fixed size, and the tensors in them, as arrays of several axes; nulls in them,
 * and the metadata that says which they are. */
#include "columns.h"

static char *put_text(char *to, const char *text) {
  const int32_t length = (int32_t)strlen(text);
  memcpy(to, &length, sizeof length);
  memcpy(to + sizeof length, text, (size_t)length);
  return to + sizeof length + length;
}

/* What says that lists are tensors. */
static const char *metadata_of(const char *shape) {
  static char out[1024];
  const int32_t pairs = 3;
  memcpy(out, &pairs, sizeof pairs);
  char *to = put_text(put_text(out + sizeof pairs, "ARROW:extension:metadata"), shape);
  to = put_text(put_text(to, "key"), "");
  put_text(put_text(to, "ARROW:extension:name"), "arrow.fixed_shape_tensor");
  return out;
}

static void spec_tensors(void) {
  group("lists of a fixed size are an axis, tensors in them several, in whatever order");
  static node list, items;
  make_lists(&list, &items, NULL);
  nd_arrow_batch *batch = take_in(&list);
  if (!batch) return;
  const nd_view *v = nd_arrow_values(batch, 0);
  CHECK(v->ndim == 2 && v->axis[0].len == 1 && v->axis[1].len == 6, "%d axes", v->ndim);
  for (int i = 0; i < 6; i++) CHECK(ints_of(v)[i] == 7 + i, "item %d", i);
  nd_arrow_free(batch);
  make_lists(&list, &items, NULL);
  list.schema.metadata = metadata_of(
      "{ \"dim_names\" : [\"a\\\"]\", \"b\"], \"permutation\":[1, 0],\"shape\":[2,3]}\n");
  batch = take_in(&list);
  if (!batch) return;
  v = nd_arrow_values(batch, 0);
  CHECK(v->ndim == 3 && v->axis[1].len == 3 && v->axis[2].len == 2, "%d axes", v->ndim);
  for (size_t i = 0; i < 3; i++)
    for (size_t k = 0; k < 2; k++) {
      int32_t x;
      memcpy(&x, element(v, (size_t[]){0, i, k}), sizeof x);
      CHECK(x == 7 + (int)(3 * k + i), "%d at %zu, %zu", x, i, k);
    }
  nd_arrow_free(batch);
}

/* In the metadata of lists of 6 numbers; ND_OK: it is held. */
static void check_metadata(const char *shape, nd_status expected) {
  static node list, items;
  const uint64_t live = live_blocks();
  nd_arrow_batch *batch = NULL;
  make_lists(&list, &items, NULL);
  list.schema.metadata = metadata_of(shape);
  released = 0;
  const nd_status status = nd_arrow_read(&list.schema, &list.array, &batch, &err);
  CHECK(status == expected, "%s: %s", shape, nd_status_name(status));
  CHECK(!batch || nd_arrow_held_of(batch, 0), "%s", shape);
  if (batch) nd_arrow_free(batch);
  CHECK(released == 0 && live_blocks() == live, "%s", shape);
}

static void spec_other_metadata(void) {
  group("null in the metadata of tensors is nothing, and other keys are passed over");
  static const char *const right[] = {
      "{\"shape\":[2,3],\"dim_names\":null,\"permutations\":null}",
      "{\"permutation\": null ,\"shape\":[2,3]}", "{\"shape\":[2,3],\"other\":1}",
      "{\"a\":{\"shape\":[\"}\\\"\",[1],{}]},\"b\":true,\"shape\":[2,3]}",
      "{\"shape\":[3,2],\"permutations\":[1,0]}"};
  for (size_t i = 0; i < ND_COUNTOF(right); i++) {
    static node list, items;
    make_lists(&list, &items, NULL);
    list.schema.metadata = metadata_of(right[i]);
    nd_arrow_batch *batch = take_in(&list);
    if (!batch) continue;
    const nd_view *v = nd_arrow_values(batch, 0);
    CHECK(v && v->ndim == 3 && v->axis[1].len == 2 && v->axis[2].len == 3, "%s", right[i]);
    nd_arrow_free(batch);
  }
  static node list, items;
  make_node(&list, "+w:1", "t", 3, 1);
  make_leaf(&items, "i", "item", 3, NULL, numbers);
  add_child(&list, &items);
  list.schema.metadata = metadata_of("{\"shape\":[]}");
  nd_arrow_batch *batch = take_in(&list);
  if (!batch) return;
  CHECK(nd_arrow_values(batch, 0)->ndim == 1, "tensors of no axes");
  nd_arrow_free(batch);
  make_node(&list, "+w:0", "t", 3, 1);
  make_leaf(&items, "i", "item", 0, NULL, numbers);
  add_child(&list, &items);
  list.schema.metadata = metadata_of("{\"shape\":[0,18446744073709551615]}");
  batch = NULL;
  CHECK(nd_arrow_read(&list.schema, &list.array, &batch, &err) == ND_FORMAT && !batch, "%s",
        err.message);
}

static void spec_metadata(void) {
  group("metadata of tensors that makes no sense is refused");
  static const char *const wrong[] = {"",
                                      "{",
                                      "{}",
                                      "[2,3]",
                                      "{\"shape\":[2,3]",
                                      "{\"shape\":[2,3]},",
                                      "{\"shape\":[2,3]}{}",
                                      "{\"shape\":[2 3]}",
                                      "{\"shape\":[2,-3]}",
                                      "{\"shape\":[]}",
                                      "{\"shape\":null}",
                                      "{\"shape\":[2,3],\"other\":\"x}",
                                      "{\"shape\":[2,3],\"other\":[}",
                                      "{\"shape\":[2,3],\"other\":][}",
                                      "{\"shape\":[0,18446744073709551615]}",
                                      "{\"shape\":[6,]}",
                                      "{\"shape\":[2,4]}",
                                      "{\"shape\":[7]}",
                                      "{\"shape\":[2,3],\"other\":{}]}",
                                      "{\"shape\":[9223372036854775807,9223372036854775807,6]}",
                                      "{\"shape\":[4294967296,4294967296,4294967296]}",
                                      "{\"shape\":[99999999999999999999999999999999999999]}",
                                      "{\"shape\":[2,3],\"permutation\":[0]}",
                                      "{\"shape\":[2,3],\"permutation\":[0,0]}",
                                      "{\"shape\":[2,3],\"permutation\":[1,2]}",
                                      "{\"shape\":[2,3],\"permutation\":[0,1,2]}",
                                      "{\"shape\":[2,3],\"permutation\":[]}",
                                      "{\"permutation\":[0,1]}"};
  for (size_t i = 0; i < ND_COUNTOF(wrong); i++) check_metadata(wrong[i], ND_FORMAT);
  char many[512] = "{\"shape\":[6";
  for (int i = 1; i < ND_MAX_NDIM; i++) strcat(many, ",1");
  check_metadata(strcat(many, "]}"), ND_OK);
  many[strlen(many) - 2] = 0;
  for (int i = 0; i < 100; i++) strcat(many, ",1");
  check_metadata(strcat(many, "]}"), ND_OK);
}

static void spec_nulls_in_lists(void) {
  group("lists with a null among the items of their rows are held, others are not");
  static node list, items;
  static const unsigned char within[] = {0xFF, 0xFB}, before[] = {0xFB, 0xFF};
  const uint64_t live = live_blocks();
  for (int i = 0; i < 2; i++) {
    make_lists(&list, &items, i == 0 ? within : before);
    nd_arrow_batch *batch = take_in(&list);
    if (!batch) return;
    CHECK((nd_arrow_held_of(batch, 0) == NULL) == (i == 1), "%d", i);
    CHECK(!nd_arrow_validity(batch, 0), "the row is there");
    nd_arrow_free(batch);
    CHECK(released == 1 && live_blocks() == live, "released %d times", released);
  }
}

/* 4 rows of 2 lists of 3 numbers each, some of which are null, as the bits say. */
static void check_null_rows(unsigned char rows, unsigned char lists, const unsigned char bits[3],
                            bool is_held) {
  static node outer, inner, items;
  static unsigned char outer_bits, inner_bits;
  static int32_t values[24];
  const uint64_t live = live_blocks();
  outer_bits = rows, inner_bits = lists;
  make_node(&outer, "+w:2", "t", 4, 1);
  make_node(&inner, "+w:3", "lists", 8, 1);
  make_leaf(&items, "i", "item", 24, bits, values);
  outer.buffers[0] = &outer_bits, outer.array.null_count = -1;
  inner.buffers[0] = &inner_bits, inner.array.null_count = -1;
  add_child(&outer, &inner);
  add_child(&inner, &items);
  nd_arrow_batch *batch = take_in(&outer);
  if (!batch) return;
  CHECK((nd_arrow_held_of(batch, 0) != NULL) == is_held, "%x %x %x", rows, lists, bits[0]);
  const nd_view *validity = nd_arrow_validity(batch, 0);
  for (size_t i = 0; i < 4 && validity; i++)
    CHECK(bools_of(validity)[i] == bit(&outer_bits, i), "row %zu", i);
  CHECK(is_held || (validity != NULL) == (rows != 0xF), "validity");
  nd_arrow_free(batch);
  CHECK(released == 1 && live_blocks() == live, "released %d times", released);
}

static void spec_null_rows(void) {
  group("what a null row has is not looked at");
  static const unsigned char all[] = {0xFF, 0xFF, 0xFF}, second[] = {0x3F, 0xF0, 0xFF},
                             other[] = {0x3F, 0x70, 0xFF}, first[] = {0xFE, 0xFF, 0xFF};
  check_null_rows(0xD, 0xFF, all, false);
  check_null_rows(0xD, 0xF3, all, false);
  check_null_rows(0xD, 0xF3, second, false);
  check_null_rows(0xD, 0xFF, second, false);
  check_null_rows(0xD, 0xF3, other, true); /* the first of the third row */
  check_null_rows(0xD, 0xE3, second, true);
  check_null_rows(0xF, 0xFF, first, true);
  check_null_rows(0xE, 0xFF, first, false);
  check_null_rows(0xF, 0xFF, all, false);
}

int main(void) {
  seed_from(20261127);
  if (nd_init(&err)) return 2;
  spec_tensors();
  spec_other_metadata();
  spec_metadata();
  spec_nulls_in_lists();
  spec_null_rows();
  return finish();
}
