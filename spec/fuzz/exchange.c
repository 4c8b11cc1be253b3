/* DLPack tensors and Arrow columns whose numbers come from the input, and whose pointers are real:
 * what is taken is sound, lies in what there is where that can be told, and is released once. */
#include "fuzz.h"

static unsigned char data[192 << 10]; /* 8 bytes for each of 16000 elements, and more */
static int released;

static int64_t next_number(fuzz_input *in) {
  static const int64_t special[] = {
      0, 1, 2, -1, INT64_MAX, INT64_MIN, INT32_MAX, 1LL << 40, INT64_MAX / 8, 4096};
  const unsigned kind = next_byte(in);
  if (kind < 128) return (int64_t)(kind % 9);
  if (kind < 192) return special[kind % ND_COUNTOF(special)];
  return (int64_t)(int8_t)next_byte(in);
}

/* Read all elements, if they are few, where they are within 'data'. */
static void check_view(const nd_view *v) {
  nd_error err = {0};
  size_t lo, hi;
  MUST(nd_view_is_sound(v), "unsound");
  nd_view_span(v, &lo, &hi);
  const uintptr_t base = (uintptr_t)v->storage->host, first = (uintptr_t)data;
  if (v->size == 0 || base + lo < first || base + hi > first + sizeof data) return;
  const size_t bytes = nd_view_nbytes(v);
  if (bytes > 1 << 20) return; /* strides of 0 */
  unsigned char *out = malloc(bytes + 1);
  MUST(out && nd_copyout(v, out, bytes, &err) == ND_OK, "%s", err.message);
  free(out);
}

/* {=== tensors ===} */

static void delete_tensor(nd_dlpack_versioned *self) { (void)self, released++; }
static void delete_old(nd_dlpack_old *self) { (void)self, released++; }

static void fill_tensor(fuzz_input *in, nd_dlpack_tensor *t, int64_t *shape, int64_t *strides) {
  static const uint8_t codes[] = {0, 1, 2, 4, 5, 6, 10, 12, 3, 17};
  for (int i = 0; i < 20; i++) shape[i] = next_number(in), strides[i] = next_number(in);
  *t = (nd_dlpack_tensor){.data = next_below(in, 8) ? data + 64 : NULL,
                          .device = {next_below(in, 8) ? 1 : (int32_t)next_number(in), 0},
                          .ndim = next_below(in, 8) ? (int32_t)next_below(in, 5)
                                                    : (int32_t)next_number(in),
                          .shape = next_below(in, 16) ? shape : NULL,
                          .strides = next_below(in, 4) ? strides : NULL,
                          .byte_offset = next_below(in, 64)};
  t->dtype.code = codes[next_below(in, sizeof codes)];
  t->dtype.bits = (uint8_t)(8 << next_below(in, 5));
  t->dtype.lanes = next_below(in, 8) ? 1 : (uint16_t)next_byte(in);
  const int type = t->device.type;
  if (type == 2 || type == 3 || type == 13) t->device.type = 4; /* no GPU is opened */
}

static void fuzz_tensor(fuzz_input *in, bool is_old) {
  int64_t shape[20], strides[20];
  nd_error err = {0};
  nd_view v;
  nd_dlpack_old old = {.deleter = delete_old};
  nd_dlpack_versioned now = {.deleter = delete_tensor, .major = next_below(in, 8) ? 1 : 2};
  now.flags = next_byte(in);
  fill_tensor(in, is_old ? &old.tensor : &now.tensor, shape, strides);
  const nd_dlpack_options options = {.is_old = is_old};
  void *tensor = is_old ? (void *)&old : &now;
  released = 0;
  const nd_status status = nd_dlpack_view(tensor, &options, &v, &err);
  if (status != ND_OK) {
    MUST(err.code == status && err.message[0] && released == 0, "%s", err.message);
    return;
  }
  check_view(&v);
  if (next_below(in, 2)) nd_dlpack_accept(tensor, &options, &v), released--;
  nd_view_drop(&v);
  MUST(released == 0, "released %d times", released);
}

/* {=== columns ===} */

enum { NODES = 12 };
static struct ArrowSchema schemas[NODES], *schema_lists[NODES][4];
static struct ArrowArray arrays[NODES], *array_lists[NODES][4];
static const void *buffers[NODES][4];
static int nodes;

static void release_schema(struct ArrowSchema *s) { s->release = NULL; }
static void release_array(struct ArrowArray *a) { a->release = NULL, released++; }

/* How many it has is trusted of views alone, whose type does not say it. */
static int buffers_of(const char *format) {
  if (*format == 'v') return 4;
  if (*format == 'u' || *format == 'Z') return 3;
  return format[0] == '+' && format[1] != 'l' && format[1] != 'L' ? 1 : 2;
}

/* Are its bits or its offsets read? */
static bool is_read(const char *format, const void *validity) {
  return validity || (*format && strchr("buZ+", *format));
}

/* A node with what it has below; returns its number. */
static int make_node(fuzz_input *in, int depth) {
  static const char *const formats[] = {
      "i",    "g",    "b",  "c",    "L",  "e",   "+s",
      "+w:2", "+w:3", "+s", "+w:0", "u",  "+w:", "+w:99999999999999999999",
      "tdD",  "+l",   "",   "Z",    "+L", "vu",  "w:9"};
  const int at = nodes++;
  const char *format = formats[next_below(in, depth > 3 ? 6 : ND_COUNTOF(formats))];
  int children = format[0] == '+' ? 1 + (int)next_below(in, format[1] == 's' ? 3 : 1) : 0;
  if (next_below(in, 16) == 0) children = (int)next_below(in, 3);
  schemas[at] = (struct ArrowSchema){.format = format,
                                     .name = next_below(in, 4) ? "x" : NULL,
                                     .release = release_schema,
                                     .children = schema_lists[at]};
  arrays[at] = (struct ArrowArray){
      .length = next_below(in, 4) ? (int64_t)next_below(in, 20) : next_number(in),
      .null_count = next_below(in, 4) ? 0 : next_number(in),
      .offset = next_below(in, 4) ? (int64_t)next_below(in, 20) : next_number(in),
      .n_buffers = next_below(in, 16) || *format == 'v' ? buffers_of(format) : next_number(in),
      .buffers = buffers[at],
      .children = array_lists[at],
      .release = release_array};
  buffers[at][0] = next_below(in, 2) ? data : NULL;
  buffers[at][1] = next_below(in, 16) ? data + next_below(in, 64) : NULL;
  buffers[at][3] = data;
  for (int i = 0; i < children && nodes < NODES; i++) {
    const int child = make_node(in, depth + 1);
    schema_lists[at][i] = &schemas[child], array_lists[at][i] = &arrays[child];
    schemas[at].n_children = arrays[at].n_children = i + 1;
  }
  if (next_below(in, 32) == 0) arrays[at].release = NULL;
  if (next_below(in, 32) == 0) arrays[at].n_children = next_number(in);
  return at;
}

/* Bits and offsets are read from 'data' at once: lengths beyond it would be believed. */
static bool are_lengths_real(void) {
  for (int i = 0; i < nodes; i++) {
    const struct ArrowArray *a = &arrays[i];
    if (a->length < 0 || a->length > 8000 || a->offset < 0 || a->offset > 8000) return false;
  }
  return true;
}

static void fuzz_column(fuzz_input *in) {
  nd_arrow_batch *batch = NULL;
  nd_error err = {0};
  nodes = 0;
  for (int i = 0; i < 256; i++) data[i] = (unsigned char)next_byte(in);
  make_node(in, 0);
  if (!are_lengths_real()) {
    for (int i = 0; i < nodes; i++)
      if (is_read(schemas[i].format, buffers[i][0])) return;
  }
  released = 0;
  const nd_status status = nd_arrow_read(&schemas[0], &arrays[0], &batch, &err);
  if (status != ND_OK) {
    MUST(err.code == status && err.message[0] && released == 0, "%s", err.message);
    return;
  }
  for (int i = 0; i < nd_arrow_count(batch); i++) {
    const nd_view *values = nd_arrow_values(batch, i);
    MUST(!values == !!nd_arrow_held_of(batch, i), "neither values nor held, or both");
    if (values) check_view(values);
    if (nd_arrow_validity(batch, i)) check_view(nd_arrow_validity(batch, i));
  }
  const bool is_accepted = next_below(in, 2);
  if (is_accepted) nd_arrow_accept(batch, &arrays[0]);
  nd_arrow_free(batch);
  MUST(released == is_accepted, "released %d times", released);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
  static bool is_ready;
  fuzz_input in = {input, input + size};
  if (!is_ready) MUST(nd_init(NULL) == ND_OK, "init");
  is_ready = true;
  const int lowest = lowest_descriptor();
  const unsigned kind = next_byte(&in);
  if (kind % 4 < 2) fuzz_tensor(&in, kind & 1);
  else fuzz_column(&in);
  check_nothing_left(lowest);
  return 0;
}
