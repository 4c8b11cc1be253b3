/* The shapes of images. */
#include "xchg/image.h"

bool ndi_image_is_grey(const nd_view *src) {
  return src->ndim == 2 || (src->ndim == 3 && src->axis[2].len == 1);
}

nd_status ndi_image_check(const nd_view *src, nd_error *err) {
  char text[ND_SHAPE_TEXT];
  if (ndi_image_is_grey(src) || (src->ndim == 3 && src->axis[2].len == 3)) return ND_OK;
  return nd_fail(err, ND_SHAPE_MISMATCH,
                 "an image has the shape {rows, columns} or {rows, columns, 1 or 3}, not %s",
                 nd_shape_text(src->ndim, src->axis, text, sizeof text));
}
