/* Arrow's structures as another library has them, plain, for specs of what comes in. */
#ifndef ND_SPEC_COLUMNS_H
#define ND_SPEC_COLUMNS_H

#include <string.h>

#include "arrays.h"
#include "ndbuf.h"

static nd_error err;

enum { PARTS = 3 };

/* A schema with an array; children are nodes of their own. */
typedef struct node {
  struct ArrowSchema schema, *schemas[PARTS];
  struct ArrowArray array, *arrays[PARTS];
  const void *buffers[3];
} node;

static int released;
static inline void release_array(struct ArrowArray *a) { released++, a->release = NULL; }
static inline void release_schema(struct ArrowSchema *s) { s->release = NULL; }

static inline void make_node(node *n, const char *format, const char *name, int64_t length,
                             int buffers) {
  *n = (node){.schema = {.format = format, .name = name, .release = release_schema},
              .array = {.length = length, .n_buffers = buffers, .release = release_array}};
  n->schema.children = n->schemas, n->array.children = n->arrays;
  n->array.buffers = n->buffers;
}

static inline void make_leaf(node *n, const char *format, const char *name, int64_t length,
                             const void *bits, const void *data) {
  make_node(n, format, name, length, 2);
  n->buffers[0] = bits, n->buffers[1] = data;
  if (bits) n->array.null_count = -1;
}

static inline void add_child(node *n, node *child) {
  n->schemas[n->schema.n_children++] = &child->schema;
  n->arrays[n->array.n_children++] = &child->array;
}

static inline bool bit(const unsigned char *bits, size_t i) { return bits[i / 8] >> i % 8 & 1; }

/* Taken over, but for 'released'; NULL after a failure. */
static inline nd_arrow_batch *take_in(node *n) {
  nd_arrow_batch *batch = NULL;
  released = 0;
  const nd_status status = nd_arrow_read(&n->schema, &n->array, &batch, &err);
  CHECK(status == ND_OK, "%s", err.message);
  if (batch) nd_arrow_accept(batch, &n->array);
  return batch;
}

static inline const int32_t *ints_of(const nd_view *v) {
  return (const int32_t *)(const void *)(v->storage->host + v->offset);
}

static inline const unsigned char *bools_of(const nd_view *v) {
  return (const unsigned char *)v->storage->host + v->offset;
}

static const int32_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

/* 2 rows from the second on of lists of 6 of the numbers, the first of which is not among them. */
static inline void make_lists(node *list, node *items, const unsigned char *bits) {
  make_node(list, "+w:6", "t", 2, 1);
  make_leaf(items, "i", "item", 16, bits, numbers);
  add_child(list, items);
  list->array.length = 1, list->array.offset = 1, items->array.offset = 1;
}

#endif
