/* The choice between two operands, which looks at their bits only. */
#include "kern/family.h"

#define BODY "kern/where.inc"
#include "kern/each_item.h"

static ndi_kernel *find(nd_op op, nd_dtype dtype) {
  if (op != ND_OP_WHERE) return NULL;
  switch (nd_dtype_get(dtype)->bytes) {
    case 1: return where_1;
    case 2: return where_2;
    case 4: return where_4;
    case 8: return where_8;
    default: return where_16;
  }
}

ND_LEVELED(ndi_kernel *, ndi_where_find, find, (nd_op op, nd_dtype dtype), (op, dtype))
