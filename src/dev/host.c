/* The host device: copies and checks by walking views and calling kernels. */
#include "dev/host.h"

#include <string.h>

#include "kern/cast.h"
#include "view/iter.h"

enum { CHUNK = 1 << 20 }; /* elements between two polls for an interrupt */

nd_status ndi_host_bases(int count, const nd_view *const *views, bool writes_first, char **bases,
                         nd_error *err) {
  for (int i = 0; i < count; i++)
    ND_TRY(nd_storage_allocate(views[i]->storage, err)); /* may run finalizers */
  for (int i = 0; i < count; i++)
    ND_TRY(nd_storage_host(views[i]->storage, writes_first && i == 0, &bases[i], err));
  return ND_OK;
}

nd_status ndi_host_verify(int count, const nd_view *const *views, nd_error *err) {
  for (int i = 0; i < count; i++) ND_TRY(nd_storage_check(views[i]->storage, err));
  return ND_OK;
}

static void copy_run(ndi_cast_kernel *kernel, size_t item, size_t n, char *z, ptrdiff_t dz,
                     const char *x, ptrdiff_t dx) {
  if (item && dz == (ptrdiff_t)item && dx == dz) memcpy(z, x, n * item);
  else kernel(n, z, dz, x, dx);
}

static nd_status host_copy(nd_device *self, const nd_view *dst, const nd_view *src,
                           nd_cast_mode mode, nd_error *err) {
  (void)self;
  const nd_view *views[] = {dst, src};
  char *bases[2];
  ND_TRY(ndi_host_bases(2, views, true, bases, err));
  ndi_cast_kernel *kernel = ndi_cast_find((nd_dtype)dst->dtype, (nd_dtype)src->dtype, mode);
  const size_t item = dst->dtype == src->dtype ? nd_view_itemsize(dst) : 0; /* 0: it converts */
  nd_iter it;
  size_t since_poll = 0;
  for (ndi_iter_init(&it, 2, views, bases, false); !it.is_done; ndi_iter_next(&it))
    for (size_t done = 0; done < it.run; done += CHUNK) {
      const size_t n = it.run - done < CHUNK ? it.run - done : CHUNK;
      copy_run(kernel, item, n, it.at[0] + (ptrdiff_t)done * it.step[0], it.step[0],
               it.at[1] + (ptrdiff_t)done * it.step[1], it.step[1]);
      if ((since_poll += n) < CHUNK) continue;
      since_poll = 0;
      ND_TRY(nd_check_interrupt(err));
    }
  return ndi_host_verify(2, views, err);
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
    for (size_t done = 0; done < it.run && !is_found; done += CHUNK) {
      const size_t n = it.run - done < CHUNK ? it.run - done : CHUNK;
      const size_t at = check(n, it.at[0] + (ptrdiff_t)done * it.step[0], it.step[0]);
      is_found = at < n;
      if (is_found) *first = before + done + at;
      if ((since_poll += n) < CHUNK) continue;
      since_poll = 0;
      ND_TRY(nd_check_interrupt(err));
    }
  return ndi_host_verify(1, &src, err);
}

nd_device *nd_host_device(void) {
  static const nd_device_ops ops = {.copy = host_copy, .check = host_check, .run = ndi_host_run};
  static nd_device host = {.ops = &ops, .name = "cpu"};
  return &host;
}
