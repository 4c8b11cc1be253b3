/* The kernels of INDEX_ADD, and their table. */
#include "kern/index_add.h"

#define BODY "kern/index_add.inc"
#include "kern/made/each_dtype.h"

ndi_index_add_kernel *ndi_index_add_find(nd_dtype dtype) {
#define ND_ROW(ID, name, ...) [ND_##ID] = index_add_##name,
  static ndi_index_add_kernel *const adds[] = {ND_DTYPES(ND_ROW)};
#undef ND_ROW
  return adds[dtype];
}
