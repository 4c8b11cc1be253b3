/* The nodes of trees of Arrow structures that we make. Each part of a node, a child or a
 * dictionary, is an allocation of its own, as is the list of children: whoever has the node may
 * move its parts out, which leaves them released. */
#ifndef ND_XCHG_ARROW_NODE_H
#define ND_XCHG_ARROW_NODE_H

#include "xchg/arrow.h"

/* Release the parts that are left, and free all, and the list. */
void ndi_arrow_free_below_schema(struct ArrowSchema *self);
void ndi_arrow_free_below_array(struct ArrowArray *self);

#endif
