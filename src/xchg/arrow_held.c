/* Columns that are passed on. What goes out is a tree of nodes of our own over the buffers of the
 * tree that came in: so its parts may be moved out and released in any order, and the column may go
 * out many times. */
#include "xchg/arrow_held.h"

#include <stdlib.h>
#include <string.h>

#include "mem/foreign.h"
#include "mem/storage.h"
#include "xchg/arrow_bytes.h"
#include "xchg/arrow_node.h"

enum { LEVELS = 64 };

/* The array stays as long as 'memory', which counts its bytes, or the column that it is one of. */
struct nd_arrow_held {
  atomic_uint holds;
  struct ArrowSchema schema;
  const struct ArrowArray *array;
  size_t first, rows;
  nd_storage *memory;
  nd_arrow_held *of;
};

nd_arrow_held *nd_arrow_held_hold(nd_arrow_held *self) {
  atomic_fetch_add(&self->holds, 1);
  return self;
}

void nd_arrow_held_drop(nd_arrow_held *self) {
  if (!self || atomic_fetch_sub(&self->holds, 1) != 1) return;
  self->schema.release(&self->schema);
  nd_storage_drop(self->memory);
  nd_arrow_held_drop(self->of);
  free(self);
}

const char *nd_arrow_held_format(const nd_arrow_held *self) { return self->schema.format; }
size_t nd_arrow_held_rows(const nd_arrow_held *self) { return self->rows; }
bool nd_arrow_held_has_dictionary(const nd_arrow_held *self) { return self->schema.dictionary; }

/* {=== schemas ===} The private data of a node is its texts. */

static void release_schema(struct ArrowSchema *s) {
  ndi_arrow_free_below_schema(s);
  free(s->private_data);
  s->release = NULL;
}

/* The lengths in it are trusted, as it has none itself. */
static size_t metadata_bytes(const char *metadata) {
  int32_t pairs, length;
  size_t at = sizeof pairs;
  if (!metadata) return 0;
  memcpy(&pairs, metadata, sizeof pairs);
  for (int32_t i = 0; i < 2 * pairs; i++) {
    memcpy(&length, metadata + at, sizeof length);
    at += sizeof length + (size_t)(length > 0 ? length : 0);
  }
  return at;
}

static bool copy_schema(const struct ArrowSchema *from, const char *name, int level,
                        struct ArrowSchema *out);

static struct ArrowSchema *copy_below(const struct ArrowSchema *from, int level) {
  struct ArrowSchema *made = from ? calloc(1, sizeof *made) : NULL;
  if (made && copy_schema(from, from->name, level, made)) return made;
  free(made);
  return NULL;
}

static bool copy_children(const struct ArrowSchema *from, int level, struct ArrowSchema *out) {
  for (; out->n_children < from->n_children; out->n_children++)
    if (!(out->children[out->n_children] = copy_below(from->children[out->n_children], level)))
      return false;
  return !from->dictionary || (out->dictionary = copy_below(from->dictionary, level)) != NULL;
}

static bool copy_schema(const struct ArrowSchema *from, const char *name, int level,
                        struct ArrowSchema *out) {
  const size_t format = strlen(from->format) + 1, named = name ? strlen(name) + 1 : 0;
  const size_t metadata = metadata_bytes(from->metadata);
  const size_t children = from->n_children > 0 ? (size_t)from->n_children : 0;
  char *texts = level < LEVELS ? malloc(format + named + metadata) : NULL;
  struct ArrowSchema **list = calloc(children + 1, sizeof *list);
  if (!texts || !list) return free(texts), free(list), false;
  memcpy(texts, from->format, format);
  if (name) memcpy(texts + format, name, named);
  if (metadata > 0) memcpy(texts + format + named, from->metadata, metadata);
  *out = (struct ArrowSchema){.format = texts,
                              .name = name ? texts + format : NULL,
                              .metadata = metadata > 0 ? texts + format + named : NULL,
                              .flags = from->flags,
                              .children = list,
                              .release = release_schema,
                              .private_data = texts};
  if (copy_children(from, level + 1, out)) return true;
  release_schema(out);
  return false;
}

bool ndi_arrow_held_schema(const nd_arrow_held *self, const char *name, struct ArrowSchema *out) {
  return copy_schema(&self->schema, name, 0, out);
}

/* {=== arrays ===} Each node has a reference to the column. */

static void release_array(struct ArrowArray *a) {
  ndi_arrow_free_below_array(a);
  nd_arrow_held_drop(a->private_data);
  a->release = NULL;
}

static bool copy_array(nd_arrow_held *of, const struct ArrowArray *from, struct ArrowArray *out);

static struct ArrowArray *copy_part(nd_arrow_held *of, const struct ArrowArray *from) {
  struct ArrowArray *made = from ? calloc(1, sizeof *made) : NULL;
  if (made && copy_array(of, from, made)) return made;
  free(made);
  return NULL;
}

static bool copy_parts(nd_arrow_held *of, const struct ArrowArray *from, struct ArrowArray *out) {
  for (; out->n_children < from->n_children; out->n_children++)
    if (!(out->children[out->n_children] = copy_part(of, from->children[out->n_children])))
      return false;
  return !from->dictionary || (out->dictionary = copy_part(of, from->dictionary)) != NULL;
}

/* As deep as the schema, which was copied before. */
static bool copy_array(nd_arrow_held *of, const struct ArrowArray *from, struct ArrowArray *out) {
  const size_t children = from->n_children > 0 ? (size_t)from->n_children : 0;
  struct ArrowArray **list = calloc(children + 1, sizeof *list);
  if (!list) return false;
  *out = (struct ArrowArray){.length = from->length,
                             .null_count = from->null_count,
                             .offset = from->offset,
                             .n_buffers = from->n_buffers,
                             .buffers = from->buffers,
                             .children = list,
                             .release = release_array,
                             .private_data = nd_arrow_held_hold(of)};
  if (copy_parts(of, from, out)) return true;
  release_array(out);
  return false;
}

bool ndi_arrow_held_array(nd_arrow_held *self, size_t first, size_t rows, struct ArrowArray *out) {
  if (!copy_array(self, self->array, out)) return false;
  out->offset += (int64_t)(self->first + first);
  out->length = (int64_t)rows;
  if (out->null_count > 0) out->null_count = -1; /* of all rows; of these it is not known */
  return true;
}

/* {=== holding ===} */

/* Is each node of the array one of the schema? What they are is the reader's concern. */
static nd_status check_tree(const struct ArrowSchema *s, const struct ArrowArray *a, int level,
                            nd_error *err) {
  if (level == LEVELS) return nd_fail(err, ND_UNSUPPORTED, "it has more than %d levels", LEVELS);
  if (!s || !a || !s->release || !a->release || !s->format)
    return nd_fail(err, ND_INVALID_ARGUMENT, "a part of it was released");
  if (s->n_children != a->n_children || s->n_children < 0 || !s->dictionary != !a->dictionary ||
      (s->n_children > 0 && (!s->children || !a->children)))
    return nd_fail(err, ND_FORMAT, "its array has other parts than its schema");
  if (a->length < 0 || a->offset < 0 || a->null_count < -1 || a->null_count > a->length)
    return nd_fail(err, ND_FORMAT, "its length is %lld, its offset %lld, its count of nulls %lld",
                   (long long)a->length, (long long)a->offset, (long long)a->null_count);
  if (a->offset > INT64_MAX - a->length)
    return nd_fail(err, ND_OVERFLOW, "its offset and length are too large");
  if (a->n_buffers < 0 || (a->n_buffers > 0 && !a->buffers))
    return nd_fail(err, ND_FORMAT, "its %lld buffers are not there", (long long)a->n_buffers);
  for (int64_t i = 0; i < s->n_children; i++)
    ND_TRY(check_tree(s->children[i], a->children[i], level + 1, err));
  return s->dictionary ? check_tree(s->dictionary, a->dictionary, level + 1, err) : ND_OK;
}

/* The column whose array it is, the one that came in first: so that columns may go out and come in
 * any number of times, over each other. NULL: it is not ours, or is a part of one. */
static nd_arrow_held *find_own(const struct ArrowArray *a) {
  nd_arrow_held *const of = a->release == release_array ? a->private_data : NULL;
  if (!of || !a->buffers || a->buffers != of->array->buffers || a->offset < of->array->offset)
    return NULL;
  return of->of ? of->of : of;
}

/* As memory of others, so that it is counted, and Lua's collector keeps up with it. */
static nd_status hold_memory(const nd_arrow_held *h, const ndi_arrow_owner *owner, nd_storage **out,
                             nd_error *err) {
  const size_t bytes = ndi_arrow_bytes(&h->schema, h->array, h->first, h->rows);
  nd_resource *resource = NULL;
  void *const at = (void *)(uintptr_t)h->array; /* of which nobody makes a view */
  ND_TRY(nd_foreign_resource(at, bytes, owner->release, owner->self, &resource, err));
  owner->hold(owner->self);
  const nd_status status = nd_storage_make(resource, bytes, (nd_storage_options){.read_only = true},
                                           out, err);
  nd_resource_drop(resource);
  return status;
}

nd_status ndi_arrow_hold(const struct ArrowSchema *schema, const struct ArrowArray *array,
                         size_t first, size_t rows, const ndi_arrow_owner *owner,
                         nd_arrow_held **out, nd_error *err) {
  size_t end;
  ND_TRY(check_tree(schema, array, 0, err));
  if (__builtin_add_overflow(first, rows, &end) || end > (size_t)array->length)
    return nd_fail(err, ND_FORMAT, "its length is less than that of what it is a part of");
  nd_arrow_held *h = calloc(1, sizeof *h);
  if (!h || !copy_schema(schema, schema->name, 0, &h->schema)) {
    free(h);
    return nd_fail(err, ND_OUT_OF_MEMORY, "no memory for an Arrow structure");
  }
  atomic_init(&h->holds, 1);
  h->array = array, h->first = first, h->rows = rows;
  nd_arrow_held *const own = find_own(array);
  nd_status status = ND_OK;
  if (own) {
    h->first += (size_t)(array->offset - own->array->offset);
    h->array = own->array;
    h->of = nd_arrow_held_hold(own);
  } else {
    status = hold_memory(h, owner, &h->memory, err);
  }
  if (status != ND_OK) return nd_arrow_held_drop(h), status;
  return *out = h, ND_OK;
}
