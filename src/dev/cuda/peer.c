/* Peers: devices that access the memory of one another. The pools need cuMemPoolSetAccess, all
 * other memory cuCtxEnablePeerAccess. */
#include "dev/cuda/cuda.h"

/* Let 'reader' access the pool of 'owner'; a no-op where it has no pool. */
static nd_status grant(ndi_cuda *owner, const ndi_cuda *reader, nd_error *err) {
  const CUmemAccessDesc access = {.location = {CU_MEM_LOCATION_TYPE_DEVICE, reader->base.ordinal},
                                  .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  if (!owner->pool) return ND_OK;
  ND_VISIT(owner, err);
  return ND_CU(owner, cuMemPoolSetAccess(owner->pool, &access, 1), err);
}

/* Set '*can' to whether the hardware and the driver let 'd' access the memory of 'other'. */
static nd_status ask_peer(ndi_cuda *d, const ndi_cuda *other, int *can, nd_error *err) {
  *can = 0;
  if (!ndi_cu.cuDeviceCanAccessPeer || !ndi_cu.cuMemcpyPeerAsync || !ndi_cu.cuMemPoolSetAccess)
    return ND_OK;
  ND_VISIT(d, err);
  return ND_CU(d, cuDeviceCanAccessPeer(can, d->device, other->device), err);
}

static bool can_reach(ndi_cuda *d, const ndi_cuda *other) {
  int can;
  return ask_peer(d, other, &can, NULL) == ND_OK && can;
}

/* Let 'd' access the memory of 'other' outside of its pool. Idempotent. */
static nd_status enable(ndi_cuda *d, const ndi_cuda *other, nd_error *err) {
  ND_VISIT(d, err);
  const CUresult result = ndi_cu.cuCtxEnablePeerAccess(other->context, 0);
  if (result == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) return ND_OK;
  return ndi_cuda_check(d, result, "cuCtxEnablePeerAccess", err);
}

/* Both directions at once, since the answer is kept for both. 'enable' may fail: copies of plain
 * memory then still work, as the driver routes them through the host. */
static bool reach(ndi_cuda *d, ndi_cuda *other) {
  if (!can_reach(d, other) || !can_reach(other, d)) return false;
  if (grant(other, d, NULL) != ND_OK || grant(d, other, NULL) != ND_OK) return false;
  if (ndi_cu.cuCtxEnablePeerAccess) enable(d, other, NULL), enable(other, d, NULL);
  return true;
}

/* Threads may race to fill the entry: they come to the same result. */
bool ndi_cuda_reaches(ndi_cuda *d, ndi_cuda *other) {
  _Atomic(signed char) *known = &d->reaches[other->base.ordinal];
  if (*known == 0) *known = other->reaches[d->base.ordinal] = reach(d, other) ? 1 : -1;
  return *known > 0;
}

nd_status ndi_cuda_enable_peer(ndi_cuda *d, ndi_cuda *other, nd_error *err) {
  int can;
  if (d == other) return nd_fail(err, ND_INVALID_ARGUMENT, "%s cannot be its own peer", d->name);
  ND_TRY(ask_peer(d, other, &can, err));
  if (!can || !ndi_cu.cuCtxEnablePeerAccess)
    return nd_fail(err, ND_UNSUPPORTED, "%s cannot read the memory of %s", d->name, other->name);
  ND_TRY(grant(other, d, err));
  return enable(d, other, err);
}
