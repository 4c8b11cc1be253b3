/* What the operations of the host share: polling for interrupts, addresses, scratch memory. */
#include "dev/host/host.h"

#include "base/call.h"
#include "base/size.h"
#include "kern/level.h"
#include "mem/host.h"

bool ndi_poll_stops(ndi_poll *poll, size_t thread, size_t n) {
  if (thread == 0 && (poll->since += n) >= NDI_BETWEEN_POLLS) {
    poll->since = 0;
    poll->status = nd_check_interrupt(poll->err);
    if (poll->status != ND_OK) atomic_store(&poll->is_stopped, true);
  }
  return atomic_load_explicit(&poll->is_stopped, memory_order_relaxed);
}

nd_status ndi_host_bases(int count, const nd_view *const *views, int written, char **bases,
                         nd_error *err) {
  for (int i = 0; i < count; i++)
    ND_TRY(nd_storage_allocate(views[i]->storage, err)); /* may run finalizers */
  for (int i = 0; i < count; i++) ND_TRY(nd_view_host(views[i], i < written, &bases[i], err));
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

void ndi_lines_split(uint64_t bytes, size_t lines, ndi_split *across, ndi_split *within) {
  enum { FEW = 4 }; /* parts of a thread: each has counts of its own */
  const ndi_split one = {.parts = 1, .threads = 1};
  ndi_split split = ndi_split_of(bytes, 0);
  const bool are_few = lines < split.threads; /* then all threads share each */
  if (are_few && split.parts > split.threads * FEW) split.parts = split.threads * FEW;
  if (!are_few && split.parts > lines) split.parts = lines;
  *within = are_few ? split : one;
  *across = are_few ? one : split;
}

nd_status ndi_lines_run(const char *what, size_t n, ndi_split across, ndi_part *run, void *context,
                        size_t *each, char **scratch, nd_error *err) {
  nd_block block;
  size_t bytes;
  /* whole cache lines, so that threads do not share any */
  if (!ndi_size_add(*each, 64, each) || !ndi_size_mul(*each &= ~(size_t)63, across.threads, &bytes))
    return nd_fail(err, ND_OVERFLOW, "%s: a line of %zu needs more memory than there is", what, n);
  ND_TRY(ndi_host_scratch(bytes, &block, err));
  *scratch = block.host;
  ndi_run_parts(across, run, context);
  ndi_host_unscratch(&block);
  return ND_OK;
}

nd_status ndi_host_verify(int count, const nd_view *const *views, nd_error *err) {
  for (int i = 0; i < count; i++) ND_TRY(nd_storage_check(views[i]->storage, err));
  return ND_OK;
}

bool ndi_host_passes(const nd_iter *walk, const nd_view *const *views, size_t worth) {
  const size_t item = nd_view_itemsize(views[0]);
  size_t bytes = item, widest = 0; /* of an element, where it is not one for the whole run */
  if (walk->step[0] != (ptrdiff_t)item || walk->run * item < worth) return false;
  if (views[0]->storage->is_passing) return true;
  for (int i = 1; i < walk->count; i++) {
    const size_t other = walk->step[i] == 0 ? 0 : nd_view_itemsize(views[i]);
    if (views[i]->storage == views[0]->storage) return false;
    bytes += other;
    if (other > widest) widest = other;
  }
  return widest == item && (uint64_t)views[0]->size * bytes >=
                               atomic_load_explicit(&ndi_passes_from, memory_order_relaxed);
}
