/* Copies from a broadcast source (axes with step 0): a part is sent to the destination once, and
 * the device fills the rest by copying what is there, doubling it each time. So n repetitions take
 * log2(n) calls, and the bus carries the source only once. */
#include "dev/cuda/block.h"

static bool is_repeated(const ndi_form *f, int axis) {
  return f->len[axis] > 1 && f->step[1][axis] == 0;
}

/* A copy within the destination: 'f' with side 0 as its source too. */
static ndi_form own_copy(const ndi_form *f) {
  ndi_form own = *f;
  own.at[1] = own.at[0];
  for (int a = 0; a < own.ndim; a++) own.step[1][a] = own.step[0][a];
  return own;
}

/* Do the doubling copies along 'axis' take few driver calls? At that time the axes inside of it are
 * whole, and the repeated ones outside of it still have extent 1. */
static bool is_cheap(const ndi_cuda *d, const ndi_form *f, size_t item, int axis) {
  ndi_form step = own_copy(f);
  for (int a = 0; a < axis; a++)
    if (is_repeated(f, a)) step.len[a] = 1;
  /* none of the copies that double it is larger */
  step.len[axis] = (step.len[axis] + 1) / 2;
  return ndi_block_calls(d, &step, item) <= NDI_MOST_CALLS;
}

bool ndi_broadcast_find(const ndi_cuda *d, const ndi_form *f, size_t item, size_t least,
                        ndi_form *first) {
  int inner = -1;
  for (int a = 0; a < f->ndim; a++)
    if (is_repeated(f, a)) inner = a;
  if (inner < 0 || ndi_form_size(f) <= least / item) return false;
  *first = *f;
  for (int a = 0; a <= inner; a++) {
    if (!is_repeated(f, a)) continue;
    if (!is_cheap(d, f, item, a)) return false;
    first->len[a] = 1;
  }
  const size_t wanted = least / (ndi_form_size(first) * item);
  /* A very small part is not worth a transfer of its own: take several repetitions of the innermost
   * axis. */
  if (wanted > 1) first->len[inner] = wanted < f->len[inner] ? wanted : f->len[inner];
  return true;
}

/* Fill 'axis' up to extent 'all', 'have' being filled so far; side 0 of 'have' grows with it. */
static nd_status double_axis(ndi_queue *q, ndi_form *have, int axis, size_t all, size_t item,
                             nd_error *err) {
  while (have->len[axis] < all) {
    const size_t done = have->len[axis], left = all - done;
    ndi_form step = own_copy(have);
    step.at[0] += (ptrdiff_t)done * step.step[0][axis];
    step.len[axis] = left < done ? left : done;
    ND_TRY(ndi_block_copy(q, &step, item, 0, false, err));
    have->len[axis] += step.len[axis];
  }
  return ND_OK;
}

/* From the inside out, as is_cheap assumes; axes that are whole already take no copy. */
static nd_status double_axes(ndi_queue *q, const ndi_form *f, ndi_form *have, size_t item,
                             nd_error *err) {
  for (int a = f->ndim; a-- > 0;) ND_TRY(double_axis(q, have, a, f->len[a], item, err));
  return ND_OK;
}

nd_status ndi_broadcast_copy(ndi_queue *q, const nd_view *dst, const ndi_form *f,
                             const ndi_form *first, nd_error *err) {
  const size_t item = nd_view_itemsize(dst);
  ndi_form have = *first;
  const size_t bytes = (ndi_form_size(f) - ndi_form_size(first)) * item;
  ndi_access access = ndi_form_access(f, 0, item, dst->storage, dst->storage->ptr, true);
  ND_TRY(nd_transfer_check(ND_TRANSFER_D2D, bytes, err));
  ND_VISIT(q->device, err);
  ND_TRY(ndi_cuda_begin(q, 1, &access, err));
  const nd_status status = double_axes(q, f, &have, item, err);
  ND_TRY(ndi_cuda_end(q, 1, &access, status, err));
  nd_transfer_add(ND_TRANSFER_D2D, bytes);
  return ND_OK;
}
