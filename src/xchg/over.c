/* A storage over an export of another: so each side ends its own, and neither takes the bytes from
 * the other. */
#include "xchg/over.h"

#include "mem/foreign.h"

static void unexport(void *storage) { nd_storage_unexport(storage); }

nd_status ndi_storage_over(nd_storage *exported, const nd_foreign *memory, bool is_read_only,
                           nd_storage **out, nd_error *err) {
  nd_storage *const below = nd_foreign_owner(exported->resource, unexport);
  nd_storage *const origin = below ? below : exported;
  nd_place place = nd_place_of(origin);
  nd_resource *resource = NULL;
  if (place.kind == ND_MEM_FILE) place = (nd_place){.kind = ND_MEM_HOST}; /* it is mapped */
  ND_TRY(nd_place_foreign(&place, memory, &resource, err));
  const nd_storage_options options = {.read_only = is_read_only};
  const nd_status status = nd_storage_make(resource, memory->bytes, options, out, err);
  if (status == ND_OK) {
    nd_storage_export_again(origin);
    nd_foreign_own(resource, unexport, origin);
  }
  nd_resource_drop(resource);
  return status;
}
