/* The host device, and its checks. */
#include "dev/host.h"

#include "kern/cast.h"
#include "view/iter.h"

bool ndi_poll_stops(ndi_poll *poll, size_t part, size_t *since, size_t n) {
  if (part == 0 && (*since += n) >= NDI_BETWEEN_POLLS) {
    *since = 0;
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
    ND_TRY(nd_storage_host(views[i]->storage, writes_first && i == 0, &bases[i], err));
  return ND_OK;
}

nd_status ndi_host_scratch(size_t bytes, nd_block *out, nd_error *err) {
  const nd_request request = {.bytes = bytes};
  nd_resource *from = nd_host_resource();
  const nd_status status = nd_resource_take(from, &request, out, err);
  if (status != ND_OUT_OF_MEMORY) return status;
  nd_caches_trim(from->device, 0);
  return nd_resource_take(from, &request, out, err);
}

void ndi_host_unscratch(const nd_block *block) {
  nd_resource_give(nd_host_resource(), block, NULL, NULL); /* the host's never fails */
}

nd_status ndi_host_verify(int count, const nd_view *const *views, nd_error *err) {
  for (int i = 0; i < count; i++) ND_TRY(nd_storage_check(views[i]->storage, err));
  return ND_OK;
}

static nd_status host_check(nd_device *self, const nd_view *src, nd_dtype dtype, size_t *first,
                            nd_error *err) {
  (void)self;
  ndi_cast_check *check = ndi_cast_check_find(dtype, (nd_dtype)src->dtype);
  char *base;
  nd_iter it;
  *first = src->size;
  if (!check) return ND_OK;
  ND_TRY(ndi_host_bases(1, &src, false, &base, err));
  size_t before = 0, since_poll = 0;
  bool is_found = false;
  for (ndi_iter_init(&it, 1, &src, &base, true); !it.is_done && !is_found;
       ndi_iter_next(&it), before += it.run)
    for (size_t done = 0; done < it.run && !is_found; done += NDI_BETWEEN_POLLS) {
      const size_t n = it.run - done < NDI_BETWEEN_POLLS ? it.run - done : NDI_BETWEEN_POLLS;
      const size_t at = check(n, it.at[0] + (ptrdiff_t)done * it.step[0], it.step[0]);
      is_found = at < n;
      if (is_found) *first = before + done + at;
      if ((since_poll += n) < NDI_BETWEEN_POLLS) continue;
      since_poll = 0;
      ND_TRY(nd_check_interrupt(err));
    }
  return ndi_host_verify(1, &src, err);
}

nd_device *nd_host_device(void) {
  static const nd_device_ops ops = {
      .copy = ndi_host_copy, .check = host_check, .run = ndi_host_run};
  static nd_device host = {.ops = &ops, .name = "cpu"};
  return &host;
}
