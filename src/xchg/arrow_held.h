/* Arrow columns that have no dtype, such as strings, passed on as they came. */
#ifndef ND_XCHG_ARROW_HELD_H
#define ND_XCHG_ARROW_HELD_H

#include "xchg/arrow.h"

/* Who has an array: 'hold' and 'release' are called with 'self', on any thread. */
typedef struct {
  void *self;
  void (*hold)(void *self), (*release)(void *self);
} ndi_arrow_owner;

/* Hold rows of an array, from its own element 'first' on, with a copy of the schema. The array, and
 * what is below it, has to stay while its owner is held: that is not so on failure, nor if the
 * array is a held column of ours. ND_OUT_OF_MEMORY, ND_UNSUPPORTED for more than 64 levels. */
nd_status ndi_arrow_hold(const struct ArrowSchema *schema, const struct ArrowArray *array,
                         size_t first, size_t rows, const ndi_arrow_owner *owner,
                         nd_arrow_held **out, nd_error *err);

/* Make a schema, or an array of rows from 'first' on, that others may release. False: no memory. */
bool ndi_arrow_held_schema(const nd_arrow_held *self, const char *name, struct ArrowSchema *out);
bool ndi_arrow_held_array(nd_arrow_held *self, size_t first, size_t rows, struct ArrowArray *out);

#endif
