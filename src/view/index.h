/* Index resolution. A script counts from 1, from the end with negatives, and includes both ends of
 * a range; this is the only place that turns such numbers into 0-based half-open ones. */
#ifndef ND_VIEW_INDEX_H
#define ND_VIEW_INDEX_H

#include "view/view.h"

typedef enum { ND_INDEX_AT, ND_INDEX_RANGE, ND_INDEX_ELLIPSIS, ND_INDEX_NEW_AXIS } nd_index_kind;

/* In the script's own terms. A range with no bound is ':'. */
typedef struct {
  nd_index_kind kind;
  bool has_first, has_last;
  int64_t first, last, step; /* AT: 'first'; RANGE: 'step' is 1 when none was given */
} nd_index;

enum { ND_MAX_INDICES = 2 * ND_MAX_NDIM + 1 };

/* The slice grammar: entries between commas, each an integer, lo:hi, lo:hi:step with parts left
 * out, '...' or '_'. ND_INVALID_ARGUMENT names the place. */
nd_status nd_index_parse(const char *text, size_t length, nd_index *out, int *count, nd_error *err);

/* True when 'text' is made of the grammar's characters only, so that it cannot be a name. */
bool nd_index_is_slice(const char *text, size_t length);

/* Index 'src'. Axes not mentioned at the end are taken whole. '*is_element' tells that every axis
 * got an integer and nothing made a new one; 'out' is then 0-d. */
nd_status nd_view_index(const nd_view *src, int count, const nd_index *items, nd_view *out,
                        bool *is_element, nd_error *err);

/* The same, but 'out' borrows the storage: it takes no hold. */
nd_status ndi_view_index(const nd_view *src, int count, const nd_index *items, nd_view *out,
                         bool *is_element, nd_error *err);

/* 'at' on axis 'axis' (0-based, for the message) of extent 'len', resolved to 0-based. */
nd_status nd_index_resolve(int64_t at, size_t len, int axis, size_t *out, nd_error *err);

/* An axis number of a script, 1 to 'ndim' or negative, resolved to 0-based; 'what' names the
 * caller. */
nd_status nd_axis_resolve(const char *what, int64_t axis, int ndim, int *out, nd_error *err);

#endif
