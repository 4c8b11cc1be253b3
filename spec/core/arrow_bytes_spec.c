/* How many bytes an Arrow array keeps alive, by its format. */
#include "xchg/arrow_bytes.h"

#include <string.h>

#include "check.h"

static const int32_t offsets[] = {0, 1, 3, 6, 10};
static const int64_t large_offsets[] = {0, 1, 3, 6, 10}, sizes[] = {100, 50};

/* 4 elements of that format; 'second' is the buffer behind the validity, 'below' the only child. */
typedef struct {
  const char *format;
  size_t all, middle; /* the bytes of all, and of the two in the middle */
  const void *second;
  int64_t buffers;
  const char *below; /* the format of a child of 'children' elements; of 'u', of 4 */
  int64_t children;
  bool is_dictionary;
} sized;

static void spec_sizes(void) {
  group("what is held counts the bytes that it has");
  static const sized cases[] = {{"b", 0, 0, NULL, 2, NULL, 0, false},
                                {"i", 16, 8, NULL, 2, NULL, 0, false},
                                {"w:3", 12, 6, NULL, 2, NULL, 0, false},
                                {"tsu:UTC", 32, 16, NULL, 2, NULL, 0, false},
                                {"tdD", 16, 8, NULL, 2, NULL, 0, false},
                                {"d:9,2", 64, 32, NULL, 2, NULL, 0, false},
                                {"u", 16 + 10, 8 + 5, offsets, 3, NULL, 0, false},
                                {"Z", 32 + 10, 16 + 5, large_offsets, 3, NULL, 0, false},
                                {"u", 16, 8, NULL, 3, NULL, 0, false},
                                {"vu", 64 + 150, 32 + 150, NULL, 5, NULL, 0, false},
                                {"n", 0, 0, NULL, 0, NULL, 0, false},
                                {"+s", 32, 16, NULL, 1, "l", 4, false},
                                {"+w:2", 32, 16, NULL, 1, "i", 8, false},
                                {"+l", 16 + 40, 8 + 20, offsets, 2, "i", 10, false},
                                {"+L", 32 + 40, 16 + 20, large_offsets, 2, "i", 10, false},
                                {"+r", 40, 40, NULL, 0, "i", 10, false},
                                {"c", 4 + 26, 2 + 26, NULL, 2, "u", 4, true}};
  for (size_t i = 0; i < ND_COUNTOF(cases); i++) {
    const sized *const c = &cases[i];
    const void *buffers[5] = {NULL, c->second}, *texts[] = {NULL, offsets, "0123456789"};
    struct ArrowSchema below_schema = {.format = c->below}, *schemas[] = {&below_schema};
    struct ArrowArray below = {.length = c->children, .n_buffers = 3, .buffers = texts};
    struct ArrowArray *arrays[] = {&below};
    const int parts = c->below && !c->is_dictionary;
    const struct ArrowSchema schema = {.format = c->format,
                                       .n_children = parts,
                                       .children = schemas,
                                       .dictionary = c->is_dictionary ? &below_schema : NULL};
    struct ArrowArray array = {.length = 4,
                               .n_buffers = c->buffers,
                               .buffers = buffers,
                               .n_children = parts,
                               .children = arrays,
                               .dictionary = c->is_dictionary ? &below : NULL};
    if (c->buffers == 5) buffers[4] = sizes;
    if (strcmp(c->format, "u") == 0 && c->second) buffers[2] = "0123456789";
    CHECK(ndi_arrow_bytes(&schema, &array, 0, 4) == c->all, "%s: %zu", c->format,
          ndi_arrow_bytes(&schema, &array, 0, 4));
    CHECK(ndi_arrow_bytes(&schema, &array, 1, 2) == c->middle, "%s: %zu", c->format,
          ndi_arrow_bytes(&schema, &array, 1, 2));
    array.offset = 1, array.length = 2;
    CHECK(ndi_arrow_bytes(&schema, &array, 0, 2) == c->middle, "%s, from its offset on", c->format);
  }
}

int main(void) {
  spec_sizes();
  return finish();
}
