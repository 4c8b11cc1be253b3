/* Indexing several axes at once. Indices are 0-based. */
#ifndef ND_VIEW_INDEX_H
#define ND_VIEW_INDEX_H

#include "view/view.h"

typedef enum { ND_INDEX_AT, ND_INDEX_RANGE, ND_INDEX_ELLIPSIS, ND_INDEX_NEW_AXIS } nd_index_kind;

/* An entry of an index, for the next axis of the source:
 *   AT: item 'first'; the axis is removed.
 *   RANGE: 'len' items, the first at 'first', each 'step' items after the one before.
 *   ELLIPSIS: leaves as many axes as they are as the other entries do not use; at most once.
 *   NEW_AXIS: uses no axis of the source; adds one of extent 1. */
typedef struct {
  nd_index_kind kind;
  size_t first, len;
  ptrdiff_t step; /* not 0; may be negative */
} nd_index;

enum { ND_MAX_INDICES = 2 * ND_MAX_NDIM + 1 }; /* each axis, as many new ones, an ellipsis */

/* Make a view by 'count' entries. Axes of 'src' after the last entry stay as they are. Sets
 * '*is_element' if there is an AT for every axis and nothing else but an ellipsis: 'out' is then
 * 0-d. ND_INDEX_OUT_OF_RANGE where an axis has no such item, ND_INVALID_ARGUMENT for too many
 * entries, a second ellipsis or a step of 0. Ownership as in view/view.h. */
nd_status nd_view_index(const nd_view *src, int count, const nd_index *items, nd_view *out,
                        bool *is_element, nd_error *err);

/* The same without a reference: 'out' borrows from 'src' and is not dropped. For the access to
 * single elements, which should not touch a shared counter. */
nd_status ndi_view_index(const nd_view *src, int count, const nd_index *items, nd_view *out,
                         bool *is_element, nd_error *err);

#endif
