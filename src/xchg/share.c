/* Arrays by a number. Who attaches has a storage of its own over an export of the other. */
#include "xchg/share.h"

#include <string.h>

#include "mem/shared.h"
#include "xchg/over.h"

/* What goes with a number. A storage that was freed says no longer where its bytes are. */
typedef struct {
  nd_view view; /* borrowed */
  void *at;
  size_t bytes;
} shared;

nd_status nd_share(const nd_view *src, bool is_once, uint64_t *number, nd_error *err) {
  shared it;
  char *at;
  if (nd_storage_get_state(src->storage) == ND_STORAGE_FREED)
    return nd_storage_check(src->storage, err);
  if (nd_resource_leaf(src->storage->resource)->is_lent)
    return nd_fail_remedy(err, ND_UNSUPPORTED, ND_REMEDY_CLONE,
                          "the memory of this array ends with its owner, a Lua object");
  ND_TRY(nd_storage_expose(src->storage, &at, err));
  memset(&it, 0, sizeof it); /* gaps are compared, too */
  nd_view_borrow(src, &it.view);
  it.at = at, it.bytes = src->storage->bytes;
  return nd_shared_put(src->storage, is_once, &it, sizeof it, number, err);
}

uint64_t nd_share_reserve(void) { return nd_shared_reserve(); }

nd_status nd_attach(uint64_t number, nd_view *out, nd_error *err) {
  nd_storage *exported = NULL, *storage = NULL;
  shared it;
  ND_TRY(nd_shared_get(number, &exported, &it, err));
  /* no event: nothing is in flight */
  const nd_foreign memory = {.at = it.at, .bytes = it.bytes, .has_event = true};
  const nd_status status = ndi_storage_over(exported, &memory, exported->is_read_only, &storage,
                                            err);
  nd_storage_unexport(exported);
  if (status != ND_OK) return status;
  nd_view_borrow(&it.view, out);
  out->storage = storage;
  return ND_OK;
}

nd_status nd_attach_accept(uint64_t number, nd_error *err) { return nd_shared_take(number, err); }
