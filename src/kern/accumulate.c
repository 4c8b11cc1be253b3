/* The table of adding kernels. */
#include "kern/accumulate.h"

#define BODY "kern/accumulate.inc"
#include "kern/each_dtype.h"

ndi_accumulate_kernel *ndi_accumulate_find(nd_dtype dtype) {
#define ND_ROW(ID, name, ...) [ND_##ID] = add_##name,
  static ndi_accumulate_kernel *const adds[] = {ND_DTYPES(ND_ROW)};
#undef ND_ROW
  return adds[dtype];
}
