/* Sums and products in a dtype that is asked for: as if all elements had it. */
#include "ops/common.h"

nd_status ndi_total_source(const char *what, const nd_view *src, nd_dtype dtype, nd_view *out,
                           nd_error *err) {
  const nd_kind from = nd_dtype_get((nd_dtype)src->dtype)->kind, to = nd_dtype_get(dtype)->kind;
  const bool is_whole = from != ND_KIND_FLOAT && from != ND_KIND_COMPLEX;
  if (to != ND_KIND_COMPLEX && (to == ND_KIND_FLOAT ? from == ND_KIND_COMPLEX : !is_whole))
    return nd_fail_remedy(
        err, ND_TYPE_MISMATCH, from == ND_KIND_COMPLEX ? ND_REMEDY_PART : ND_REMEDY_CAST,
        "%s: %s cannot be added up in %s", what, ndi_dtype_name(src), nd_dtype_get(dtype)->name);
  if (src->dtype != dtype && !(is_whole && nd_kind_is_integer(to)))
    return ndi_copy_on(src, src, dtype, ND_SATURATE, out, err);
  nd_view_copy(src, out); /* integers wrap in the end as they would on their way */
  return ND_OK;
}

nd_status ndi_total_result(nd_view *made, nd_dtype dtype, nd_view *out, nd_error *err) {
  if (made->dtype == dtype) {
    *out = *made;
    return ND_OK;
  }
  const bool is_bool = nd_dtype_get(dtype)->kind == ND_KIND_BOOL;
  const nd_status status = nd_astype(made, dtype, is_bool ? ND_SATURATE : ND_WRAP, out, err);
  nd_view_drop(made);
  return status;
}
