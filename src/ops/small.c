/* Operations on small arrays in host memory whose elements are packed: to plan the work of a device
 * takes longer than to do it. So the kernels are called at once, in the order in which a plan would
 * call them: the bits are the same. These functions return false, with nothing done, for all else
 * that there is, failures included. */
#include <string.h>

#include "kern/cast.h"
#include "kern/elementwise.h"
#include "kern/reduce.h"
#include "ops/common.h"

enum { MOST = 4096 }; /* bytes of an array */

static bool is_small(const nd_view *v) {
  const nd_storage *s = v->storage;
  return v->size > 0 && nd_view_nbytes(v) <= MOST && s->resource->kind == ND_MEM_HOST &&
         nd_storage_get_state(s) == ND_STORAGE_LIVE && nd_view_is_contiguous(v);
}

/* The first element of a view that is_small; NULL where pending work ended badly. Nothing is
 * allocated on the way, so no finalizer frees one array while another is looked at. */
static char *find_packed(const nd_view *v, bool for_write) {
  char *host;
  if (!is_small(v) || nd_storage_host(v->storage, for_write, &host, NULL) != ND_OK) return NULL;
  return host + v->offset;
}

/* {=== copies ===} */

bool ndi_small_copy(const nd_view *dst, const nd_view *src, nd_cast_mode mode) {
  if (dst->is_read_only || !is_small(dst) || !is_small(src) || !nd_view_same_shape(dst, src))
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

bool ndi_small_fill(const nd_view *dst, const nd_scalar *value) {
  if (dst->is_read_only || !is_small(dst)) return false;
  ndi_cast_kernel *convert = ndi_cast_find((nd_dtype)dst->dtype, value->dtype, ND_SATURATE);
  char *z = find_packed(dst, true);
  if (!convert || !z) return false;
  convert(1, z, 0, (const char *)value->bytes, 0);
  ndi_cast_kernel *repeat = ndi_cast_find((nd_dtype)dst->dtype, (nd_dtype)dst->dtype, ND_SATURATE);
  const ptrdiff_t item = (ptrdiff_t)nd_view_itemsize(dst);
  repeat(dst->size - 1, z + item, item, z, 0);
  return true;
}

/* {=== elementwise ===} */

/* May 'z' be written element by element while 'x' is read? */
static bool is_apart(const nd_view *z, const nd_view *x) {
  return z->storage != x->storage || ndi_same_elements(z, x);
}

/* The kernel for operands of 'dtype', unless they would have to be converted or looked at first. */
static ndi_kernel *find_kernel(nd_op op, nd_dtype dtype) {
  const bool is_refusing = nd_op_second(op)->refused != ND_REFUSES_NONE &&
                           nd_kind_is_integer(nd_dtype_get(dtype)->kind);
  if (is_refusing || nd_op_get(op)->domain == ND_DOMAIN_TRUTH || !nd_op_is_defined(op, dtype) ||
      nd_op_compute_dtype(op, dtype) != dtype)
    return NULL;
  return ndi_kernel_find(op, dtype);
}

static bool run_elementwise(ndi_kernel *kernel, int count, const nd_view *const *views) {
  char *at[3] = {NULL};
  ptrdiff_t step[3] = {0};
  for (int i = 0; i <= count; i++) {
    if (!(at[i] = find_packed(views[i], i == 0))) return false;
    if (views[i]->size > 1) step[i] = (ptrdiff_t)nd_view_itemsize(views[i]); /* else it repeats */
  }
  kernel(views[0]->size, at, step);
  return true;
}

/* To 'dst', views[0], or to a new array. */
static bool run_to(ndi_kernel *kernel, int count, const nd_view **views, nd_dtype result,
                   const nd_view *like, nd_view *out) {
  const nd_view *dst = views[0];
  nd_view made;
  for (int i = 1; dst && i <= count; i++)
    if (!is_apart(dst, views[i])) return false;
  if (dst)
    return !dst->is_read_only && dst->dtype == result && nd_view_same_shape(dst, like) &&
           run_elementwise(kernel, count, views);
  /* finalizers may run here, and free what was looked at: run_elementwise looks again */
  if (nd_new_like(like, result, &made, NULL) != ND_OK) return false;
  views[0] = &made;
  if (!run_elementwise(kernel, count, views)) return nd_view_drop(&made), false;
  *out = made;
  return true;
}

/* A number of the script as the kernel wants it. Comparisons and bounds look at its value first. */
static bool ready_scalar(nd_op op, const nd_scalar *value, nd_dtype dtype, nd_view *out) {
  return !nd_op_is_comparison(op, NULL) && op != ND_OP_MAXIMUM && op != ND_OP_MINIMUM &&
         nd_scalar_as(nd_op_get(op)->name, value, dtype, out, NULL) == ND_OK;
}

bool ndi_small_elementwise(nd_op op, int count, const nd_operand *operands, const nd_view *dst,
                           nd_view *out) {
  if (count > 2) return false;
  const nd_view *a = operands[0].array, *b = count == 2 ? operands[1].array : a, *like = a ? a : b;
  if (!like || !is_small(like) || (a && b && (a->dtype != b->dtype || !nd_view_same_shape(a, b))))
    return false;
  const nd_dtype dtype = (nd_dtype)like->dtype;
  ndi_kernel *kernel = find_kernel(op, dtype);
  nd_view value = {.storage = NULL};
  if (!kernel || ((!a || !b) && !ready_scalar(op, &operands[a ? 1 : 0].value, dtype, &value)))
    return false;
  const nd_view *views[] = {dst, a ? a : &value, b ? b : &value};
  const bool is_done = run_to(kernel, count, views, nd_op_result_dtype(op, dtype), like, out);
  nd_view_drop(&value);
  return is_done;
}

/* {=== reductions ===} */

bool ndi_small_reduce(nd_op op, const nd_view *src, nd_scalar *out) {
  _Alignas(16) char acc[32];
  const nd_form form = nd_op_get(op)->form;
  if (!is_small(src) || src->size > NDI_BLOCK || !nd_op_is_defined(op, (nd_dtype)src->dtype) ||
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
  out->dtype = nd_op_result_dtype(op, (nd_dtype)src->dtype);
  ndi_cast_find(out->dtype, reducer->acc, ND_SATURATE)(1, (char *)out->bytes, 0, acc, 0);
  return true;
}
