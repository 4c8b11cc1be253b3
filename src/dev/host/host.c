/* What the operations of the host share: polling for interrupts, addresses, scratch memory. */
#include "dev/host/host.h"

#include "base/call.h"
#include "mem/host.h"

bool ndi_poll_stops(ndi_poll *poll, size_t thread, size_t n) {
  if (thread == 0 && (poll->since += n) >= NDI_BETWEEN_POLLS) {
    poll->since = 0;
    poll->status = nd_check_interrupt(poll->err);
    if (poll->status != ND_OK) atomic_store(&poll->is_stopped, true);
  }
  return atomic_load_explicit(&poll->is_stopped, memory_order_relaxed);
}

nd_status ndi_host_bases(int count, const nd_view *const *views, bool writes_first, char **bases,
                         nd_error *err) {
  for (int i = 0; i < count; i++)
    ND_TRY(nd_storage_allocate(views[i]->storage, err)); /* may run finalizers */
  for (int i = 0; i < count; i++)
    ND_TRY(nd_view_host(views[i], writes_first && i == 0, &bases[i], err));
  return ND_OK;
}

nd_status ndi_host_scratch(size_t bytes, nd_block *out, nd_error *err) {
  const nd_request request = {.bytes = bytes};
  nd_resource *from = nd_host_resource();
  const nd_status status = nd_resource_take(from, &request, out, err);
  if (status != ND_OUT_OF_MEMORY) return status;
  nd_caches_trim(from->device, 0); /* make room from the caches, and try once more */
  return nd_resource_take(from, &request, out, err);
}

void ndi_host_unscratch(const nd_block *block) {
  nd_resource_give(nd_host_resource(), block, NULL, NULL); /* the host's never fails */
}

nd_status ndi_host_verify(int count, const nd_view *const *views, nd_error *err) {
  for (int i = 0; i < count; i++) ND_TRY(nd_storage_check(views[i]->storage, err));
  return ND_OK;
}
