/* The shapes of images, which formats share. */
#ifndef ND_XCHG_IMAGE_H
#define ND_XCHG_IMAGE_H

#include "view/view.h"

/* {rows, columns}, or {rows, columns, 1}. */
bool ndi_image_is_grey(const nd_view *src);

/* ND_SHAPE_MISMATCH unless 'src' is grey or {rows, columns, 3}. */
nd_status ndi_image_check(const nd_view *src, nd_error *err);

#endif
