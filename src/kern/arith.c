/* The table of arithmetic kernels. */
#include "kern/arith.h"

#define BODY "kern/arith.inc"
#include "kern/each_dtype.h"

ndi_add_kernel *ndi_add_find(nd_dtype dtype) {
#define ND_ROW(ID, name, ...) [ND_##ID] = add_##name,
  static ndi_add_kernel *const adds[] = {ND_DTYPES(ND_ROW)};
#undef ND_ROW
  return adds[dtype];
}
