/* Freeing what is below a node. */
#include "xchg/arrow_node.h"

#include <stdlib.h>

static void free_schema(struct ArrowSchema *part) {
  if (part && part->release) part->release(part);
  free(part);
}

void ndi_arrow_free_below_schema(struct ArrowSchema *self) {
  for (int64_t i = 0; i < self->n_children; i++) free_schema(self->children[i]);
  free_schema(self->dictionary);
  free(self->children);
}

static void free_array(struct ArrowArray *part) {
  if (part && part->release) part->release(part);
  free(part);
}

void ndi_arrow_free_below_array(struct ArrowArray *self) {
  for (int64_t i = 0; i < self->n_children; i++) free_array(self->children[i]);
  free_array(self->dictionary);
  free(self->children);
}
