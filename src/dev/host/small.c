/* Work on small arrays in host memory whose elements are packed: to plan it as the other files do
 * takes longer than the work. So the kernels are called at once, in the order in which a plan would
 * call them: the bits are the same. */
#include "dev/small.h"

#include <string.h>

#include "dev/host/product.h"
#include "kern/cast.h"
#include "kern/reduce.h"

bool ndi_is_small(const nd_view *v) {
  const nd_storage *s = v->storage;
  return v->size > 0 && nd_view_nbytes(v) <= NDI_SMALL_BYTES && s->resource->kind == ND_MEM_HOST &&
         s->resource->device == 0 && nd_storage_get_state(s) == ND_STORAGE_LIVE &&
         nd_view_is_contiguous(v);
}

/* The first element of a view that ndi_is_small; NULL where pending work ended badly. Nothing is
 * allocated on the way, so no finalizer frees one array while another is looked at. */
static char *find_packed(const nd_view *v, bool for_write) {
  char *host;
  if (!ndi_is_small(v) || nd_view_host(v, for_write, &host, NULL) != ND_OK) return NULL;
  return host + v->offset;
}

/* {=== copies ===} */

bool ndi_small_copy(const nd_view *dst, const nd_view *src, nd_cast_mode mode) {
  if (dst->is_read_only || !ndi_is_small(dst) || !ndi_is_small(src) ||
      !nd_view_same_shape(dst, src))
    return false;
  ndi_cast_kernel *convert = NULL;
  if (dst->dtype != src->dtype) {
    if (mode == ND_CHECK || dst->storage == src->storage) return false;
    convert = ndi_cast_find((nd_dtype)dst->dtype, (nd_dtype)src->dtype, mode);
    if (!convert) return false;
  }
  char *z = find_packed(dst, true);
  const char *x = find_packed(src, false);
  if (!z || !x) return false;
  if (!convert) memmove(z, x, nd_view_nbytes(dst));
  else convert(dst->size, z, (ptrdiff_t)nd_view_itemsize(dst), x, (ptrdiff_t)nd_view_itemsize(src));
  return true;
}

bool ndi_small_fill(const nd_view *dst, nd_dtype dtype, const void *value) {
  if (dst->is_read_only || !ndi_is_small(dst)) return false;
  ndi_cast_kernel *convert = ndi_cast_find((nd_dtype)dst->dtype, dtype, ND_SATURATE);
  char *z = find_packed(dst, true);
  if (!convert || !z) return false;
  convert(1, z, 0, value, 0);
  ndi_cast_kernel *repeat = ndi_cast_find((nd_dtype)dst->dtype, (nd_dtype)dst->dtype, ND_SATURATE);
  const ptrdiff_t item = (ptrdiff_t)nd_view_itemsize(dst);
  repeat(dst->size - 1, z + item, item, z, 0);
  return true;
}

/* {=== elementwise ===} */

ndi_kernel *ndi_small_kernel(nd_op op, nd_dtype dtype) {
  const bool is_refusing = nd_op_second(op)->refused != ND_REFUSES_NONE &&
                           nd_kind_is_integer(nd_dtype_get(dtype)->kind);
  if (is_refusing || nd_op_get(op)->domain == ND_DOMAIN_TRUTH || !nd_op_is_defined(op, dtype) ||
      nd_op_compute_dtype(op, dtype) != dtype)
    return NULL;
  return ndi_kernel_find(op, dtype);
}

bool ndi_small_elementwise(nd_op op, int count, const nd_view *const *views) {
  ndi_kernel *kernel = ndi_small_kernel(op, (nd_dtype)views[1]->dtype);
  char *at[3] = {NULL};
  ptrdiff_t step[3] = {0};
  if (!kernel || views[0]->is_read_only) return false;
  for (int i = 0; i <= count; i++) {
    if (!(at[i] = find_packed(views[i], i == 0))) return false;
    if (views[i]->size > 1) step[i] = (ptrdiff_t)nd_view_itemsize(views[i]); /* else it repeats */
  }
  kernel(views[0]->size, at, step);
  return true;
}

/* {=== products ===} */

bool ndi_small_product(const nd_view *out, const nd_view *a, const nd_view *b) {
  const size_t m = a->axis[0].len, k = a->axis[1].len, n = b->axis[1].len;
  const ptrdiff_t item = (ptrdiff_t)nd_view_itemsize(a);
  const ndi_gemm *kernel = ndi_gemm_find((nd_dtype)a->dtype);
  if (!kernel || !ndi_product_is_small(m, n, k) || out->is_read_only) return false;
  char *c = find_packed(out, true);
  const ndi_matrix x = {find_packed(a, false), (ptrdiff_t)k * item, item};
  const ndi_matrix y = {find_packed(b, false), (ptrdiff_t)n * item, item};
  if (!c || !x.at || !y.at) return false;
  kernel->direct(m, n, k, &x, &y, c, (ptrdiff_t)n * item);
  return true;
}

/* {=== reductions ===} */

bool ndi_small_reduce(nd_op op, const nd_view *src, void *out) {
  _Alignas(16) char acc[32];
  const nd_form form = nd_op_get(op)->form;
  if (!ndi_is_small(src) || src->size > NDI_BLOCK || !nd_op_is_defined(op, (nd_dtype)src->dtype) ||
      (form != ND_FORM_FOLD && form != ND_FORM_MEAN))
    return false;
  const ndi_reducer *reducer = ndi_reducer_find(op, (nd_dtype)src->dtype);
  const char *x = find_packed(src, false);
  if (!x || reducer->note) return false;
  reducer->block(src->size, x, NULL, acc);
  if (form == ND_FORM_MEAN)
    ndi_reduce_scale(nd_dtype_get(reducer->acc)->bytes / sizeof(double), (double *)(void *)acc,
                     (double)src->size, false);
  if (reducer->end) reducer->end(1, acc);
  const nd_dtype to = nd_op_result_dtype(op, (nd_dtype)src->dtype);
  ndi_cast_find(to, reducer->acc, ND_SATURATE)(1, out, 0, acc, 0);
  return true;
}
