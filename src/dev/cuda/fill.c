/* One repeated value, which a memset writes on the device: nothing but the value crosses the bus.
 */
#include <string.h>

#include "dev/cuda/block.h"
#include "kern/cast.h"

bool ndi_is_one_value(const ndi_form *f) {
  for (int a = 0; a < f->ndim; a++)
    if (f->step[1][a] != 0) return false;
  return true;
}

bool ndi_memset_find(const ndi_form *f, nd_dtype dtype, const nd_view *src, nd_cast_mode mode,
                     unsigned *value, size_t *unit) {
  const size_t item = nd_dtype_get(dtype)->bytes;
  unsigned char element[16];
  if (ndi_form_width(f, item) != ndi_form_size(f) * item) return false;
  ndi_cast_find(dtype, (nd_dtype)src->dtype, mode)(1, (char *)element, 0, f->at[1], 0);
  /* Which is the smallest unit? All bytes equal; all groups of 4 bytes equal; or the element
   * itself, of 2 or 4 bytes. */
  bool is_even = true;
  for (size_t i = 1; i < item; i++) is_even &= element[i] == element[0];
  for (size_t i = 4; i + 4 <= item && !is_even; i += 4)
    if (memcmp(element, element + i, 4) != 0) return false;
  *unit = is_even ? 1 : item < 4 ? item : 4;
  *value = 0;
  memcpy(value, element, *unit);
  return (uintptr_t)f->at[0] % *unit == 0 && (*unit != 2 || ndi_cu.cuMemsetD16Async) &&
         (*unit != 4 || ndi_cu.cuMemsetD32Async);
}

nd_status ndi_memset(ndi_queue *q, const char *at, unsigned value, size_t unit, size_t count,
                     nd_error *err) {
  ndi_cuda *d = q->device;
  const CUdeviceptr to = (CUdeviceptr)(uintptr_t)at;
  if (unit == 1) return ND_CU(d, cuMemsetD8Async(to, (unsigned char)value, count, q->stream), err);
  if (unit == 2)
    return ND_CU(d, cuMemsetD16Async(to, (unsigned short)value, count, q->stream), err);
  return ND_CU(d, cuMemsetD32Async(to, value, count, q->stream), err);
}
